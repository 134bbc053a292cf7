/* SPDX-License-Identifier: MIT */
/* host.h - contact laws of PCM between the spheres of one rank of LAMMPS. Only styles.cpp knows
 * LAMMPS's classes; it passes arrays, and everything else is here.
 *
 * laws      a .pcm file and the names of atom types: which law acts between two types. Laws that need more than
 *           spheres have are rejected.
 * history   the history of contacts, stored with the atoms: it moves with them to other ranks and into restart files.
 * contacts  the pairs of LAMMPS's neighbour list, each with its history, from one build of the list to the next:
 *           sorted by law, with the pairs in contact next to each other.
 * step      finds the pairs that have come together, then evaluates contacts in blocks: motion, law, forces, torques.
 * stability the largest time step at which the contacts of a step are stable.
 *
 * Functions that can fail return false and leave the reason in laws->error; nothing prints or exits. A rank uses one
 * thread. */
#ifndef PCM_LAMMPS_HOST_H
#define PCM_LAMMPS_HOST_H

#include <pcm/materials.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

/* How the motion of a contact is measured. */
typedef enum pcm_lammps_kinematics {
    /* As everywhere in PCM: at the contact point, in a frame that turns with the pair. Angular momentum is
     * conserved. */
    PCM_LAMMPS_POINT,
    /* As LAMMPS's granular styles do: both lever arms are the whole radius, and history vectors are projected onto the
     * new tangent plane. */
    PCM_LAMMPS_NATIVE,
    /* As LAMMPS's pair granular does since 2022: velocities with whole radii as lever arms, torques between spheres
     * with radii less half the depth, and history vectors are projected and keep their length. */
    PCM_LAMMPS_GRANULAR
} pcm_lammps_kinematics;

enum { PCM_LAMMPS_AMOUNTS = 16 }; /* the most amounts of a config, and of a law */

/* The law between two atom types. */
typedef struct pcm_lammps_law {
    const pcm_type  *type;
    const pcm_model *model;
    const void      *params;
    char    *identity; /* names type, materials, law, version and states: a restart file identifies the law by it */
    uint32_t n_state;
    bool     carries, shared; /* the contact frame is carried along; it turns with both sides equally */
    bool turns; /* no direction is preferred: states are stored as vectors, in a frame that depends on the normal alone
                 */
    uint32_t n_vector; /* columns of those vectors, three for each */
    bool     on_base;  /* the law reads the contact point's position on its base */
    bool     reads_spin, ends, lingers, scales;
    double   separation, onset; /* m, gaps: a contact lives up to the first and begins at the second */
    double   base_arm;          /* the part of the depth by which the base's lever arm is shorter than its radius */
    uint8_t *steps;             /* per state column: the host integrates it by its rate */
    uint32_t n_amounts;
    uint32_t amount[PCM_LAMMPS_AMOUNTS]; /* for each amount of the law, its index in the config */
    bool     bonds;                      /* the first step bonds its contacts that live already */
    bool     counts;                     /* the first step counts its contacts: */
    double   bonded, bare;               /* with and without a bond before that step */
    bool     told;                       /* some were there to be counted */
} pcm_lammps_law;

typedef struct pcm_lammps_laws {
    pcm_context          *context;
    pcm_config           *config;
    pcm_lammps_kinematics kinematics;
    int                   n_types; /* atom types are 1 to n_types; walls have the numbers after them */
    int                   n_names; /* number of types and walls */
    char                **object;  /* per atom type; NULL until named */
    char                **surface; /* likewise; the object's own name if the script names no surface */
    uint16_t             *of_pair; /* by pcm_lammps_pair_index: 1 + the index of the law, 0 = none yet */
    int8_t               *order;   /* likewise: 1 the first is the base, -1 the second, 0 the atom with the lower ID */
    pcm_lammps_law       *law;
    size_t                n_laws, law_capacity;
    uint32_t              max_state, max_vector, max_events, max_inputs, max_amounts;
    uint32_t width; /* numbers that are stored for a contact: the x axis, then states, or vectors instead of states */
    char     error[2048];
    char     warning[2048]; /* warnings about the file, one per line; "": none */
} pcm_lammps_laws;

/* Sets the error; returns false. */
bool pcm_lammps_fail(pcm_lammps_laws *laws, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Reads the file. NULL: no memory. If the file is rejected, config is NULL and error gives the reason. */
pcm_lammps_laws *pcm_lammps_laws_open(const char *file, int n_types, pcm_lammps_kinematics kinematics);
void             pcm_lammps_laws_close(pcm_lammps_laws *laws);

/* Names an atom type: "Object" or "Object:Surface". */
bool pcm_lammps_laws_name(pcm_lammps_laws *laws, int type, const char *name);

/* Adds a wall of that name, or finds it; 0: out of memory, or there are PCM_LAMMPS_WALLS already. */
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

/* Lets the first step bond the contacts of a contact type. */
bool pcm_lammps_laws_bond(pcm_lammps_laws *laws, const char *type);

/* The config's amount with that name; false if there is none: the error lists the names. */
bool pcm_lammps_find_amount(pcm_lammps_laws *laws, const char *name, uint32_t *amount);

/* A number that is equal on ranks with the same laws, values, rules and plugin files. */
uint64_t pcm_lammps_laws_fingerprint(const pcm_lammps_laws *laws);

/* Writes into text the laws between all pairs of types found so far, one per line; returns the full length. */
size_t pcm_lammps_laws_explain(const pcm_lammps_laws *laws, char *text, size_t size);

/* ---- History ----------------------------------------------------------------------------------------------------- */

enum { PCM_LAMMPS_NONE, PCM_LAMMPS_LIVE, PCM_LAMMPS_BROKEN }; /* a pairing's life */

/* A record is a key, which identifies its contact, followed by `width` numbers. */
enum { PCM_LAMMPS_KEY, PCM_LAMMPS_RECORD };

/* A key: the partner's ID, the index of the law and the life, packed into one integer below 2^53. */
typedef struct pcm_lammps_key {
    int32_t  partner; /* or the number of a wall's face; not negative */
    uint16_t law;
    uint8_t  life;   /* 0 to 3 */
    bool     turned; /* between atoms: the one with the higher ID is the base */
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

/* Records of the atoms of one rank, in a pool; those of one atom are adjacent. */
typedef struct pcm_lammps_history {
    uint32_t width;
    char   **identity; /* of the laws whose indices the records contain */
    size_t   n_laws;
    size_t   n_atoms;
    int     *count; /* records per atom */
    size_t  *first; /* where an atom's records begin, in records */
    int *known; /* per atom, copies included: the ID under which others have records of it, even if its ID has changed;
                   0: none have */
    uint8_t *committed; /* per atom: it has taken part in a step since it was made */
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
/* Makes room for that many records in the pool. */
bool pcm_lammps_history_reserve(pcm_lammps_history *history, size_t records);
void pcm_lammps_history_close(pcm_lammps_history *history);

/* Adds a law to the list of laws that records refer to, as a restart file lists them. */
bool pcm_lammps_history_name_law(pcm_lammps_history *history, const char *identity);

/* Converts the records to the laws' indices and width. False: a law that they refer to is missing. */
bool pcm_lammps_history_adopt(pcm_lammps_history *history, pcm_lammps_laws *laws, uint32_t width);

/* An atom's `known` and `committed` as one number, and back. */
double pcm_lammps_history_standing(const pcm_lammps_history *history, size_t atom);
void   pcm_lammps_history_stand(pcm_lammps_history *history, size_t atom, double standing);

/* How many numbers an atom takes in a message, the count itself included. */
size_t pcm_lammps_history_size(const pcm_lammps_history *history, size_t atom);
/* Writes these numbers; reads them back as records of atom `atom` (false: out of memory). Both return how many they
 * are. */
size_t pcm_lammps_history_pack(const pcm_lammps_history *history, size_t atom, double *numbers);
bool   pcm_lammps_history_unpack(pcm_lammps_history *history, size_t atom, const double *numbers, size_t *n_read);

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* LAMMPS's arrays: atoms of the rank first, then copies of other ranks' atoms. Tables have three columns without
 * gaps. */
typedef struct pcm_lammps_atoms {
    int           n_local, n_all;
    const int    *tag, *type, *mask;
    const double *x, *v, *omega, *radius;
    const double *mass; /* 0 for an atom that never moves */
    double       *force, *torque;
    /* Per amount of the config: its value for all atoms, and the flow per second into the atoms of the rank, to which a
     * step adds. */
    double *const *amount, *const *flow;
} pcm_lammps_atoms;

/* LAMMPS's neighbour list. */
typedef struct pcm_lammps_list {
    int  n;
    int *atom, *count, **neighbours;
} pcm_lammps_list;

/* One side may be a face of a wall: PCM_LAMMPS_FACE plus its number, which is larger than any atom's index. */
enum { PCM_LAMMPS_FACE = 1 << 30 };

typedef struct pcm_lammps_pairing {
    int32_t  base, follower;
    uint16_t law;
    uint8_t  life, fresh;
} pcm_lammps_pairing;

/* The history of pairings is stored in chunks of this many rows, one column per number, which laws read directly. */
enum { PCM_LAMMPS_CHUNK = 64 };

/* Which of a chunk's rows are contacts: the first `count`. A new contact joins the chunk of its atoms if that has room,
 * so that contacts in one chunk are close in space, too. */
typedef struct pcm_lammps_chunk {
    int32_t lowest; /* the lower one of its first contact's two atoms, when it was built */
    uint8_t count;
    uint8_t own;    /* number of sides that are atoms of the rank; 0: not counted yet */
    bool    begins; /* some have joined in this step */
    bool    ended;  /* some have ended in this step */
} pcm_lammps_chunk;

/* Pairs of atoms under one law. Contacts are in the chunks of [first, live); those of [first, built) are in the order
 * of their atoms. Pairs in [apart, end) are apart or broken, and those in [far, end) are so far apart that they need no
 * test. Other rows are free, and name the first atom twice. */
typedef struct pcm_lammps_section {
    size_t first, built, live, apart, far, end;
} pcm_lammps_section;

typedef struct pcm_lammps_contacts {
    pcm_lammps_laws    *laws;
    pcm_lammps_history *history;
    uint32_t            width; /* numbers per pairing, as in the history */
    pcm_lammps_pairing *pairing;
    size_t              count, capacity;
    double             *memory; /* of the pairings that are contacts */
    size_t              memory_capacity;
    pcm_lammps_section *section; /* per law, between atoms; at a wall the rows are in the atoms' order */
    size_t              section_capacity;
    pcm_lammps_chunk   *chunk; /* only between atoms */
    size_t              chunk_capacity;
    size_t             *row; /* per atom: where its rows begin and end; between atoms these are indices in by_base */
    size_t              row_capacity;
    uint32_t           *by_base; /* rows in the order of their bases, valid while `sorted` */
    size_t              by_base_capacity;
    bool                sorted;
    bool                narrow;  /* the box is so short that an atom may touch two images of another */
    bool                kept;    /* the history stored with the atoms is up to date */
    bool                stepped; /* some step was taken since the build */
    bool                divides; /* pairs that are apart are divided into near and far ones */
    float              *held;    /* when pairs were divided: x, y, z of all atoms, m; then their motion per step, m */
    size_t              held_capacity;
    double              skin;    /* m: pairs farther apart are not listed */
    double              clear;   /* m: far pairs stay at least this far apart for `period` steps; 0: not divided */
    double              blur;    /* m: error of a gap by the rounding of `held` */
    double              fastest; /* m: the most a gap closes per step if atoms move as they did then */
    double              widest;  /* m: no sum of two radii is larger */
    double              strayed; /* m: the most a gap has closed beyond that since then */
    double              bend;    /* m: the most two atoms approach beyond straight motion, divided by steps squared */
    double              looks, period; /* steps since pairs were divided; steps that the division is made for */
    struct pcm_lammps_scratch *scratch;
} pcm_lammps_contacts;

/* The first number of a pairing's history; the others follow at a distance of PCM_LAMMPS_CHUNK. */
static inline double *pcm_lammps_memory(const pcm_lammps_contacts *contacts, size_t row)
{
    const size_t lane = row % PCM_LAMMPS_CHUNK;
    return contacts->memory + (row - lane) * contacts->width + lane;
}

void pcm_lammps_contacts_close(pcm_lammps_contacts *contacts);

/* Takes the pairs of a new list that may come within reach before the next list, where gaps close by at most `skin`,
 * with the history that the atoms have. */
bool pcm_lammps_contacts_build(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms,
                               const pcm_lammps_list *list, double skin);

/* Writes the pairings' history back to both atoms, if they belong to this rank. */
bool pcm_lammps_contacts_keep(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms);

/* Makes room for that many pairings, and for the rows of that many atoms. */
bool pcm_lammps_contacts_reserve(pcm_lammps_contacts *contacts, size_t pairings, size_t n_atoms);

/* Sorts the rows by their bases, if rows have moved since the last time. */
bool pcm_lammps_contacts_sort(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms);

/* Makes a pair that is apart a contact. */
void pcm_lammps_contacts_join(pcm_lammps_contacts *contacts, pcm_lammps_section *section, size_t row);

/* Moves the contacts whose life is over to the pairs that are apart, in chunks where some have ended. */
void pcm_lammps_contacts_part(pcm_lammps_contacts *contacts, pcm_lammps_section *section);

/* The memory of contacts and history, in bytes. */
size_t pcm_lammps_contacts_bytes(const pcm_lammps_contacts *contacts);

/* ---- A step ------------------------------------------------------------------------------------------------------ */

/* The results of a contact, for observers. Vectors are in the simulation's axes. */
typedef struct pcm_lammps_contact {
    int           base, follower; /* local indices */
    const char   *name;           /* of the contact type */
    double        away[3];        /* m, from the base's centre to the follower's */
    double        point[3];       /* m, where the force acts */
    double        force[3];       /* N, on the follower; and with it: */
    double        normal_force, moment[3];
    double        depth, energy, dissipation; /* m, J, W */
    int64_t       mode;
    uint32_t      n_state;
    const double *state; /* the states at the end of the step */
} pcm_lammps_contact;

typedef struct pcm_lammps_step {
    double time, dt;
    bool   advance; /* contacts begin, step and end; otherwise only forces change */
    bool   reports; /* energy and dissipation are wanted */
    void (*see)(void *user, const pcm_lammps_contact *contact); /* called for every contact; NULL: no observer */
    void                        *user;
    struct pcm_lammps_stability *stability; /* gets the stiffness of the contacts; NULL: it is not wanted */
    double touching; /* out: number of contacts; one between two ranks counts half on each, here and in the sums: */
    double stored, dissipation;
} pcm_lammps_step;

bool pcm_lammps_step_all(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, pcm_lammps_step *step);

/* Evaluates one pair, without forces or a step; false where it does not touch. `contact` and its pointers are valid
 * until the next call. */
bool pcm_lammps_look(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, const pcm_lammps_step *step, int a,
                     int b, pcm_lammps_contact *contact);

/* ---- Stability --------------------------------------------------------------------------------------------------- */

/* What the contacts of an atom hold it with, per mass that answers: tensors xx, yy, zz, xy, xz, yz. */
typedef struct pcm_lammps_support {
    float    stiffness[6], turn_stiffness; /* 1/s^2 */
    float    damping[6], turn_damping;     /* 1/s */
    float    most;                         /* 1/s^2, of its stiffest contact */
    uint16_t law;                          /* 1 + the law of that contact; 0: it has none */
} pcm_lammps_support;

/* A contact's stiffness, N/m and N m, or damping, N s/m and N m s: along its normal, along its surface and against
 * turning; at least 0. */
typedef struct pcm_lammps_held {
    double normal, along, turn;
} pcm_lammps_held;

/* Of the atoms of a rank, while a step of pairs and walls adds to it. */
typedef struct pcm_lammps_stability {
    pcm_lammps_support *atom; /* NULL: it is not wanted */
    size_t              count;
    double              dt;                                                     /* s, the time step of the run */
    pcm_lammps_held     stiffness[PCM_LAMMPS_CHUNK], damping[PCM_LAMMPS_CHUNK]; /* of the block being evaluated */
} pcm_lammps_stability;

bool pcm_lammps_stability_begin(pcm_lammps_stability *stability, size_t n_local, double dt);

/* Finds for each law the least of the steps, s, up to which the atoms that it holds most are stable, and the atom;
 * INFINITY: it holds none. */
void pcm_lammps_stability_end(pcm_lammps_stability *stability, double *least, size_t *atom, size_t n_laws);

/* ---- Walls ------------------------------------------------------------------------------------------------------- */

typedef enum pcm_lammps_shape {
    PCM_LAMMPS_PLANE,
    PCM_LAMMPS_BOX,
    PCM_LAMMPS_CYLINDER,
    PCM_LAMMPS_STL
} pcm_lammps_shape;

/* Triangles, of surface.h. */
typedef struct pcm_lammps_surface pcm_lammps_surface;

/* An amount of a wall, as given by a script. */
typedef struct pcm_lammps_given {
    char     name[64];
    double   value;
    uint32_t amount; /* its index in the config */
} pcm_lammps_given;

/* A wall as it is at time `start`; it then moves as a whole. */
typedef struct pcm_lammps_wall {
    int                 number; /* as pcm_lammps_laws_wall gives it */
    pcm_lammps_shape    shape;
    bool                inside;             /* for a box or cylinder: the atoms are inside */
    double              at[3], normal[3];   /* for a plane: a point, and the unit normal towards the atoms */
    double              low[3], high[3];    /* for a box */
    int                 axis;               /* for a cylinder: 0, 1 or 2; its axis passes through `at` */
    double              radius;             /* likewise */
    pcm_lammps_surface *surface;            /* from an STL file */
    double              velocity[3];        /* m/s */
    double              amplitude[3];       /* m: it also moves by amplitude * (1 - cos(2 pi t / period)) */
    double              period;             /* s */
    double              pivot[3], turns[3]; /* it turns about the axis `turns`, a unit vector, through the pivot... */
    double              rate;               /* ... at this rate, rad/s */
    double              shear[3];           /* m/s: the velocity of its surface while the wall itself rests */
    double              start;              /* s */
    bool                used;               /* it has taken part in a step */
    double force[3], torque[3]; /* out: on the wall by this rank's atoms, about the pivot's present position */
    double drive;               /* out: W, what its motion puts into its contacts */
    pcm_lammps_given    given[PCM_LAMMPS_AMOUNTS];
    int                 n_given;
    double              amount[PCM_LAMMPS_AMOUNTS]; /* values of the config's amounts; they stay constant */
    double              flow[PCM_LAMMPS_AMOUNTS];   /* out: per second, into the wall from this rank's atoms */
    pcm_lammps_contacts contacts;                   /* those of the last step */
    pcm_lammps_contacts found;                      /* those of this one */
    double (*place)[6]; /* per contact found: the vector from the wall to the atom's centre, and the wall's velocity
                           there */
    size_t place_capacity;
} pcm_lammps_wall;

/* Reads `SHAPE NUMBERS [keyword NUMBERS ...]`, and the STL file if there is one; false, with the reason in error. */
bool pcm_lammps_wall_read(pcm_lammps_wall *wall, int n_words, const char *const *words, char *error, size_t size);
void pcm_lammps_wall_close(pcm_lammps_wall *wall);

/* Adds to a fingerprint the data that all ranks must share besides the words of the script. */
uint64_t pcm_lammps_wall_print(const pcm_lammps_wall *wall, uint64_t print);

/* Gives the wall the amounts of the script, and where it gives none those of the laws. False: the laws have no such
 * amount. */
bool pcm_lammps_wall_amounts(pcm_lammps_wall *wall);

/* Restores the wall's contacts from the atoms' history, after atoms have changed places. */
bool pcm_lammps_wall_build(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms);

/* Forces on the atoms whose mask has a bit of `group`. */
bool pcm_lammps_wall_step(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms, int group, pcm_lammps_step *step);

#ifdef __cplusplus
}
#endif
#endif
