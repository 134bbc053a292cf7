/* SPDX-License-Identifier: MIT */
/* host.h - contact laws of PCM between the spheres of one rank of LAMMPS. styles.cpp, which alone knows LAMMPS's
 * classes, hands over arrays; everything else is here.
 *
 * laws      a .pcm file and the names of atom types: which law acts between two types; what spheres cannot serve is
 *           rejected.
 * history   what contacts remember, kept with atoms: it goes with them to other ranks and into restart files.
 * contacts  the pairs of LAMMPS's neighbour list, each with its memory, from one build of the list to the next: law by
 *           law, those in contact side by side.
 * step      the distances of pairs that are apart, then contacts in blocks: motion, the law, forces and torques.
 *
 * Functions that can fail return false and leave the reason in laws->error; nothing prints or exits. A rank is one
 * thread. */
#ifndef PCM_LAMMPS_HOST_H
#define PCM_LAMMPS_HOST_H

#include <pcm/materials.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Laws ------------------------------------------------------------------------------------------------------ */

/* How the motion of a contact is measured. */
typedef enum pcm_lammps_kinematics {
    /* As everywhere in PCM: at the contact point, in a frame that turns with the pair. Angular momentum is kept. */
    PCM_LAMMPS_POINT,
    /* As LAMMPS's granular styles do: both lever arms are the whole radius, and history vectors are projected onto the
     * new tangent plane. */
    PCM_LAMMPS_NATIVE
} pcm_lammps_kinematics;

enum { PCM_LAMMPS_AMOUNTS = 16 }; /* a config's, and a law's, at most */

/* What acts between two atom types. */
typedef struct pcm_lammps_law {
    const pcm_type  *type;
    const pcm_model *model;
    const void      *params;
    char            *identity; /* names type, materials, law, version and states: how a restart file knows it */
    uint32_t         n_state;
    bool             carries, shared; /* the contact frame is carried; by both sides alike */
    bool             turns;    /* no direction is preferred: vectors are remembered, in a frame of the normal alone */
    uint32_t         n_vector; /* columns of those vectors, three each */
    bool             on_base;  /* reads where the point is on its base */
    bool             reads_spin, ends, lingers, scales;
    double           separation, onset; /* m: the gaps to which a contact lives, at which one begins */
    double           base_arm; /* the part of the depth by which the base's lever arm is shorter than its radius */
    uint8_t         *steps;    /* per state column: the host steps it by its rate */
    uint32_t         n_amounts;
    uint32_t         amount[PCM_LAMMPS_AMOUNTS]; /* which of the config's each of the law's is */
} pcm_lammps_law;

typedef struct pcm_lammps_laws {
    pcm_context          *context;
    pcm_config           *config;
    pcm_lammps_kinematics kinematics;
    int                   n_types; /* atom types are 1 to n_types, walls are numbered on from there */
    int                   n_names; /* types and walls */
    char                **object;  /* per atom type; NULL until named */
    char                **surface; /* likewise; the object's own name where the script gives no other */
    uint16_t             *of_pair; /* at pcm_lammps_pair_index: 1 + the index of the law, 0 = none yet */
    int8_t               *order;   /* likewise: 1 the first is the base, -1 the second, 0 the atom of lower ID */
    pcm_lammps_law       *law;
    size_t                n_laws, law_capacity;
    uint32_t              max_state, max_vector, max_events, max_inputs, max_amounts;
    uint32_t              width; /* numbers that a contact remembers: x axis, then states, or vectors in their place */
    bool                  reads_fresh;
    char                  error[2048];
    char                  warning[2048]; /* what the file is warned of, a line each; "": nothing */
} pcm_lammps_laws;

/* Sets the error; false. */
bool pcm_lammps_fail(pcm_lammps_laws *laws, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Reads the file. NULL: no memory. Where the file is rejected, config is NULL and error says why. */
pcm_lammps_laws *pcm_lammps_laws_open(const char *file, int n_types, pcm_lammps_kinematics kinematics);
void             pcm_lammps_laws_close(pcm_lammps_laws *laws);

/* Names an atom type: "Object" or "Object:Surface". */
bool pcm_lammps_laws_name(pcm_lammps_laws *laws, int type, const char *name);

/* Adds a wall of that name, or finds it; 0 without memory, or beyond PCM_LAMMPS_WALLS of them. */
enum { PCM_LAMMPS_WALLS = 64 };
int pcm_lammps_laws_wall(pcm_lammps_laws *laws, const char *name);

static inline size_t pcm_lammps_pair_index(const pcm_lammps_laws *laws, int a, int b)
{
    return (size_t)a * (size_t)(laws->n_types + PCM_LAMMPS_WALLS + 1) + (size_t)b;
}

/* Finds the law between two atom types, or a type and a wall. */
bool pcm_lammps_laws_pair(pcm_lammps_laws *laws, int a, int b);

/* The law between two atom types that pcm_lammps_laws_pair has found. */
static inline const pcm_lammps_law *pcm_lammps_law_of(const pcm_lammps_laws *laws, int a, int b)
{
    return &laws->law[laws->of_pair[pcm_lammps_pair_index(laws, a, b)] - 1];
}

/* Which of the config's amounts has that name; false, with the names there are, where none has. */
bool pcm_lammps_find_amount(pcm_lammps_laws *laws, const char *name, uint32_t *amount);

/* A number that ranks with the same laws, values, rules and plugin files share. */
uint64_t pcm_lammps_laws_fingerprint(const pcm_lammps_laws *laws);

/* Writes what acts between all pairs of types found so far, a line each, into text; returns the length of the whole. */
size_t pcm_lammps_laws_explain(const pcm_lammps_laws *laws, char *text, size_t size);

/* ---- History --------------------------------------------------------------------------------------------------- */

enum { PCM_LAMMPS_NONE, PCM_LAMMPS_LIVE, PCM_LAMMPS_BROKEN }; /* a pairing's life */

/* A record is a key, which says whose it is, and then `width` numbers. */
enum { PCM_LAMMPS_KEY, PCM_LAMMPS_RECORD };

/* A key: the partner's ID, the index of the law and the life in one number, a whole one below 2^53. */
typedef struct pcm_lammps_key {
    int32_t  partner; /* or the number of a wall's face; not negative */
    uint16_t law;
    uint8_t  life;   /* 0 to 3 */
    bool     turned; /* between atoms: the one of the higher ID is the base */
} pcm_lammps_key;

static inline double pcm_lammps_key_number(pcm_lammps_key key)
{
    return (double)((int64_t)key.turned << 49 | (int64_t)key.partner << 18 | (int64_t)key.law << 2 | key.life);
}
static inline pcm_lammps_key pcm_lammps_key_of(const double *record)
{
    const int64_t  bits = (int64_t)record[PCM_LAMMPS_KEY];
    pcm_lammps_key key;
    key.turned = bits >> 49 & 1;
    key.partner = (int32_t)(bits >> 18 & INT32_MAX);
    key.law = (uint16_t)(bits >> 2);
    key.life = bits & 3;
    return key;
}

/* Records of the atoms of one rank, in a pool: an atom's are side by side. */
typedef struct pcm_lammps_history {
    uint32_t width;
    char   **identity; /* of the laws whose indices records hold */
    size_t   n_laws;
    size_t   n_atoms;
    int     *count;     /* records per atom */
    size_t  *first;     /* where they begin, in records */
    int     *known;     /* per atom, copies too: the ID by which others remember it, whatever it is now; 0: none do */
    uint8_t *committed; /* per atom: some step has been taken since it was made */
    double  *pool;
    size_t   used, capacity;
} pcm_lammps_history;

static inline size_t pcm_lammps_record_size(const pcm_lammps_history *history)
{
    return PCM_LAMMPS_RECORD + history->width;
}
static inline double *pcm_lammps_record(const pcm_lammps_history *history, size_t atom, int i)
{
    return history->pool + (history->first[atom] + (size_t)i) * pcm_lammps_record_size(history);
}

bool pcm_lammps_history_grow(pcm_lammps_history *history, size_t n_atoms);
/* Room for that many records in the pool. */
bool pcm_lammps_history_reserve(pcm_lammps_history *history, size_t records);
void pcm_lammps_history_close(pcm_lammps_history *history);

/* Adds a law to those that records speak of, as a restart file lists them. */
bool pcm_lammps_history_name_law(pcm_lammps_history *history, const char *identity);

/* Brings the records to the laws' indices and to that width. False: a law is missing that they speak of. */
bool pcm_lammps_history_adopt(pcm_lammps_history *history, pcm_lammps_laws *laws, uint32_t width);

/* What an atom is to others, `known` and `committed`, as a number; and from it. */
double pcm_lammps_history_standing(const pcm_lammps_history *history, size_t atom);
void   pcm_lammps_history_stand(pcm_lammps_history *history, size_t atom, double standing);

/* Numbers that an atom takes in a message: its own count included. */
size_t pcm_lammps_history_size(const pcm_lammps_history *history, size_t atom);
/* Writes them; reads them back, as records of atom `atom`: false without memory. Both give how many they are. */
size_t pcm_lammps_history_pack(const pcm_lammps_history *history, size_t atom, double *numbers);
bool   pcm_lammps_history_unpack(pcm_lammps_history *history, size_t atom, const double *numbers, size_t *n_read);

/* ---- Contacts -------------------------------------------------------------------------------------------------- */

/* LAMMPS's arrays, atoms of the rank first, then copies of others'. Tables of three columns are without gaps. */
typedef struct pcm_lammps_atoms {
    int           n_local, n_all;
    const int    *tag, *type, *mask;
    const double *x, *v, *omega, *radius;
    const double *mass; /* of an atom that never moves 0 */
    double       *force, *torque;
    /* Per amount of the config: its value of all atoms, and per second what flows into the atoms of the rank, to which
     * a step adds. */
    double *const *amount, *const *flow;
} pcm_lammps_atoms;

/* LAMMPS's neighbour list. */
typedef struct pcm_lammps_list {
    int  n;
    int *atom, *count, **neighbours;
} pcm_lammps_list;

/* One side may be a face of a wall: PCM_LAMMPS_FACE and its number, which no atom's index reaches. */
enum { PCM_LAMMPS_FACE = 1 << 30 };

typedef struct pcm_lammps_pairing {
    int32_t  base, follower;
    uint16_t law;
    uint8_t  life, fresh;
} pcm_lammps_pairing;

/* What pairings remember is in chunks of so many rows, a column per number: law by law chunks are what laws read. */
enum { PCM_LAMMPS_CHUNK = 64 };

/* Which of a chunk's rows are contacts: the first ones. A contact joins the chunk of its atoms while that has room, so
 * that what lies together in a chunk lies together in space, too. */
typedef struct pcm_lammps_chunk {
    int32_t lowest; /* of the atoms of its first contact, as of the build the lower one */
    uint8_t count;
    uint8_t own;    /* how many of their sides are atoms of the rank; 0 before they are counted */
    bool    begins; /* some have joined in this step */
    bool    ended;  /* some have ended in this step */
} pcm_lammps_chunk;

/* Pairs of atoms under one law: contacts are in the chunks of [first, live), those of [first, built) in the order of
 * their atoms; [apart, end) are apart, or broken, and those of [far, end) so far that they need no look. Other rows are
 * free, and name the first atom twice. */
typedef struct pcm_lammps_section {
    size_t first, built, live, apart, far, end;
} pcm_lammps_section;

typedef struct pcm_lammps_contacts {
    pcm_lammps_laws    *laws;
    pcm_lammps_history *history;
    uint32_t            width; /* numbers per pairing: the history's */
    pcm_lammps_pairing *pairing;
    size_t              count, capacity;
    double             *memory; /* of pairings that are contacts */
    size_t              memory_capacity;
    pcm_lammps_section *section; /* per law, between atoms; at a wall rows are in the atoms' order */
    size_t              section_capacity;
    pcm_lammps_chunk   *chunk; /* between atoms */
    size_t              chunk_capacity;
    size_t             *row; /* per atom where its rows begin and end; between atoms in `by_base` */
    size_t              row_capacity;
    uint32_t           *by_base; /* rows in the order of their bases, while `sorted` */
    size_t              by_base_capacity;
    bool                sorted;
    bool                narrow;  /* the box is so short that an atom may touch two images of another */
    bool                kept;    /* the history with the atoms is as new as the pairings */
    bool                stepped; /* some step was taken since the build */
    bool                divides; /* pairs that are apart are divided into near and far ones */
    float              *held; /* where all atoms were then, in m: x, y, z of each; then their motion per step, in m */
    size_t              held_capacity;
    double              skin;    /* m: pairs further apart are not listed */
    double              clear;   /* m: so far off stay far pairs in `period` steps; 0: none were divided yet */
    double              blur;    /* m: what `held` lost by rounding, as a gap */
    double              fastest; /* m: by how much a gap may close in a step in which atoms go on as they did then */
    double              widest;  /* m: no sum of two radii is larger */
    double              strayed; /* m: by how much a gap may have closed beyond that, at most since then */
    double              bend;    /* m: by how much two atoms come nearer than in a line, by steps squared */
    double              looks, period; /* steps since then; steps for which pairs were divided */
    struct pcm_lammps_scratch *scratch;
} pcm_lammps_contacts;

/* The first of the numbers that a pairing remembers; the others follow PCM_LAMMPS_CHUNK apart. */
static inline double *pcm_lammps_memory(const pcm_lammps_contacts *contacts, size_t row)
{
    const size_t lane = row % PCM_LAMMPS_CHUNK;
    return contacts->memory + (row - lane) * contacts->width + lane;
}

void pcm_lammps_contacts_close(pcm_lammps_contacts *contacts);

/* Takes the pairs of a new list that come within reach before the next one, `skin` further at most, with what atoms
 * remember of them. */
bool pcm_lammps_contacts_build(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms,
                               const pcm_lammps_list *list, double skin);

/* Gives what pairings remember back to both atoms, as far as they are of this rank. */
bool pcm_lammps_contacts_keep(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms);

/* Room for so many pairings, and for rows of so many atoms. */
bool pcm_lammps_contacts_reserve(pcm_lammps_contacts *contacts, size_t pairings, size_t n_atoms);

/* Sorts rows by their bases, where that has not been done since they changed places. */
bool pcm_lammps_contacts_sort(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms);

/* A pair that is apart becomes a contact. */
void pcm_lammps_contacts_join(pcm_lammps_contacts *contacts, pcm_lammps_section *section, size_t row);

/* Those whose life is over, in chunks with some that have ended, are apart again. */
void pcm_lammps_contacts_part(pcm_lammps_contacts *contacts, pcm_lammps_section *section);

/* Bytes that contacts and history take. */
size_t pcm_lammps_contacts_bytes(const pcm_lammps_contacts *contacts);

/* ---- A step ---------------------------------------------------------------------------------------------------- */

/* What a contact gives, for those who look at it. Vectors are in the simulation's axes. */
typedef struct pcm_lammps_contact {
    int           base, follower; /* local indices */
    const char   *name;           /* of the contact type */
    double        away[3];        /* m, from the base's centre to the follower's */
    double        point[3];       /* m, where the force acts */
    double        force[3];       /* N, on the follower; with it: */
    double        normal_force, moment[3];
    double        depth, energy, dissipation; /* m, J, W */
    int64_t       mode;
    uint32_t      n_state;
    const double *state; /* at the end of the step, one by one */
} pcm_lammps_contact;

typedef struct pcm_lammps_step {
    double time, dt;
    bool   advance; /* contacts begin, step and end; else nothing is changed but forces */
    bool   reports; /* energy and dissipation are wanted */
    void (*see)(void *user, const pcm_lammps_contact *contact); /* NULL: nobody looks */
    void  *user;
    double touching; /* out: contacts; one between two ranks counts half on either, here and in the sums: */
    double stored, dissipation;
} pcm_lammps_step;

bool pcm_lammps_step_all(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, pcm_lammps_step *step);

/* Looks at one pair, without forces or a step; false where it does not touch. `contact` and what it points at are good
 * until the next call. */
bool pcm_lammps_look(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, const pcm_lammps_step *step, int a,
                     int b, pcm_lammps_contact *contact);

/* ---- Walls ----------------------------------------------------------------------------------------------------- */

typedef enum pcm_lammps_shape {
    PCM_LAMMPS_PLANE,
    PCM_LAMMPS_BOX,
    PCM_LAMMPS_CYLINDER,
    PCM_LAMMPS_STL
} pcm_lammps_shape;

/* Triangles, of surface.h. */
typedef struct pcm_lammps_surface pcm_lammps_surface;

/* An amount of a wall as a script gives it. */
typedef struct pcm_lammps_given {
    char     name[64];
    double   value;
    uint32_t amount; /* which of the config's */
} pcm_lammps_given;

/* A wall, where it is at time `start`; it then moves as a whole. */
typedef struct pcm_lammps_wall {
    int                 number; /* as pcm_lammps_laws_wall gives it */
    pcm_lammps_shape    shape;
    bool                inside;              /* of a box or cylinder: the atoms are inside */
    double              at[3], normal[3];    /* of a plane: a point, and the unit normal towards the atoms */
    double              low[3], high[3];     /* of a box */
    int                 axis;                /* of a cylinder: 0, 1, 2; its axis goes through `at` */
    double              radius;              /* likewise */
    pcm_lammps_surface *surface;             /* of an STL file */
    double              velocity[3];         /* m/s */
    double              amplitude[3];        /* m: it moves by amplitude * (1 - cos(2 pi t / period)) besides */
    double              period;              /* s */
    double              pivot[3], turns[3];  /* it turns about the axis `turns`, a unit vector, through the pivot... */
    double              rate;                /* ... by so many rad/s */
    double              shear[3];            /* m/s: its surface moves so and it does not */
    double              start;               /* s */
    bool                used;                /* a step was taken: it is not new any more */
    double              force[3], torque[3]; /* out: on the wall by this rank's atoms, about the pivot as it is now */
    pcm_lammps_given    given[PCM_LAMMPS_AMOUNTS];
    int                 n_given;
    double              amount[PCM_LAMMPS_AMOUNTS]; /* of the config's, which stay as they are */
    double              flow[PCM_LAMMPS_AMOUNTS];   /* out: per second, into the wall from this rank's atoms */
    pcm_lammps_contacts contacts;                   /* those of the last step */
    pcm_lammps_contacts found;                      /* those of this one */
    double (*place)[6]; /* per contact found: from the wall to the atom's centre, velocity of the wall */
    size_t place_capacity;
} pcm_lammps_wall;

/* Reads `SHAPE NUMBERS [keyword NUMBERS ...]`, and an STL file; false, with the reason in error. */
bool pcm_lammps_wall_read(pcm_lammps_wall *wall, int n_words, const char *const *words, char *error, size_t size);
void pcm_lammps_wall_close(pcm_lammps_wall *wall);

/* Takes what ranks must share beside the words of the script into a number. */
uint64_t pcm_lammps_wall_print(const pcm_lammps_wall *wall, uint64_t print);

/* Gives the wall the amounts of the script, and of the laws where it says none. False: the laws have no such amount. */
bool pcm_lammps_wall_amounts(pcm_lammps_wall *wall);

/* What atoms remember of the wall becomes its contacts again, after atoms have changed places. */
bool pcm_lammps_wall_build(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms);

/* Forces on the atoms whose mask has a bit of `group`. */
bool pcm_lammps_wall_step(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms, int group, pcm_lammps_step *step);

#ifdef __cplusplus
}
#endif
#endif
