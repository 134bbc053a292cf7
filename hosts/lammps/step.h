/* SPDX-License-Identifier: MIT */
/* step.h - a block of contacts on their way through a step: for contacts.c, step.c and kernels.c. */
#ifndef PCM_LAMMPS_STEP_H
#define PCM_LAMMPS_STEP_H

#include "host.h"

enum { PCM_LAMMPS_BLOCK = PCM_LAMMPS_CHUNK };

typedef double pcm_lammps_column[PCM_LAMMPS_BLOCK];

/* Of a block of contacts of one law. Vectors are three columns, in the simulation's axes where no frame is named. */
typedef struct pcm_lammps_block {
    /* From the atoms. */
    pcm_lammps_column away[3];     /* m, from the base's centre to the follower's */
    pcm_lammps_column velocity[3]; /* m/s, of the follower's centre relative to the base's */
    pcm_lammps_column base_omega[3], follower_omega[3];
    pcm_lammps_column was[3];    /* the normal as of the last step */
    pcm_lammps_column centre[3]; /* m, of the follower, at walls alone */
    pcm_lammps_column base_radius, follower_radius, base_mass, follower_mass;
    /* What the law reads. */
    pcm_lammps_column depth, depth_rate, slip_x, slip_y, spin_x, spin_y, spin_n, radius, mass;
    pcm_lammps_column base_spin[3], follower_spin[3]; /* rad/s, x, y, n */
    pcm_lammps_column fresh, one;
    pcm_lammps_column position[3], base_velocity[3]; /* of the point, in the wall's axes */
    /* The contact frame, and how far the point is from both centres. */
    pcm_lammps_column normal[3], y_axis[3], base_arm, follower_arm;
    pcm_lammps_column own_axis[3];  /* for x_axis, where that is not remembered in place */
    pcm_lammps_column per_distance; /* 1/m, of the centres */
    pcm_lammps_column excess;       /* what x_axis had too much in its square after a step's turn */
    /* What the law writes. */
    pcm_lammps_column force_n, force_x, force_y, moment_n, moment_x, moment_y, energy, dissipation, onset, unused;
    int64_t           life[PCM_LAMMPS_BLOCK], mode[PCM_LAMMPS_BLOCK];
    /* On the follower. */
    pcm_lammps_column force[3], moment[3];
    pcm_lammps_column base_torque[3], follower_torque[3];
    /* What turns remembered vectors: by that tangent about the normal; and of their part along the normal as it is now
     * so much goes along the velocity, at walls along the old normal. */
    pcm_lammps_column turn, tilt;
    double           *x_axis[3];   /* own_axis, or where it is remembered: then it is so as soon as it is known */
    double           *old_axis[3]; /* x_axis as of the last step: where it is remembered, or x_axis */
} pcm_lammps_block;

typedef struct pcm_lammps_kernels  pcm_lammps_kernels;
typedef struct pcm_lammps_exchange pcm_lammps_exchange;

typedef struct pcm_lammps_scratch {
    pcm_lammps_block   block;
    pcm_batch          batch;                                            /* of the block's columns and these: */
    uint32_t           n_state, n_vector, n_events, n_inputs, n_amounts; /* room for so many columns */
    pcm_lammps_column *columns;
    double           **state, **next, **rate, **vector, **event, **input;
    double           **amount, **flow;            /* of n_amounts for bases, then of as many for followers */
    uint32_t          *waiting;                   /* at walls, per law, the rows of its next block */
    uint32_t          *n_waiting, *n_new;         /* how many they are, how many of them were no contacts yet */
    pcm_lammps_pairing pairing[PCM_LAMMPS_BLOCK]; /* of those that wait no longer */
    uint32_t           n_absent;                  /* of the block: contacts that have parted since the last step... */
    uint8_t absent[PCM_LAMMPS_BLOCK]; /* ... which are 1 here; the law sees them at no gap and gives nothing */
    size_t  n_laws;
    double (*reach)[2];             /* m, per law: the gaps at which a contact may begin, and to which one lives */
    const pcm_lammps_law      *law; /* the last one: its undeclared outputs are zero */
    const pcm_lammps_kernels  *kernels;
    const pcm_lammps_exchange *exchange;
} pcm_lammps_scratch;

/* NULL: no memory. */
pcm_lammps_scratch *pcm_lammps_scratch_new(const pcm_lammps_laws *laws);
void                pcm_lammps_scratch_free(pcm_lammps_scratch *scratch);

/* Where a wall is: a point y of it as it was at its start is now at turn (y - pivot) + at. */
typedef struct pcm_lammps_pose {
    double turn[3][3], pivot[3], at[3];
    double omega[3];    /* rad/s */
    double velocity[3]; /* m/s, of the pivot, with the surface's own */
} pcm_lammps_pose;

/* A block of one law on its way. */
typedef struct pcm_lammps_pass {
    pcm_lammps_contacts    *contacts;
    const pcm_lammps_atoms *atoms;
    pcm_lammps_step        *step;
    const pcm_lammps_law   *law;
    pcm_lammps_pairing     *pairing;
    size_t                  first;        /* the first one's row, and between atoms the others behind it */
    const uint32_t         *rows;         /* at walls, which rows they are */
    size_t                  count, n_new; /* n_new of them were no contacts yet */
    size_t                  next;         /* between atoms the next block's first row, or this one's */
    pcm_lammps_wall        *wall;         /* NULL: between atoms */
    const pcm_lammps_pose  *pose;         /* of the wall */
} pcm_lammps_pass;

/* Makes scratch ready for the laws as they are now, with nothing waiting. */
bool pcm_lammps_begin(pcm_lammps_contacts *contacts, pcm_lammps_step *step);
/* Has pairing `row` of a wall wait for a block of its law, which runs where it is full; the pass says all but law and
 * rows. */
bool pcm_lammps_add(const pcm_lammps_pass *pass, size_t row);
/* Runs what still waits. */
bool pcm_lammps_finish(const pcm_lammps_pass *pass);

/* The square of the distance of both atoms. */
static inline double pcm_lammps_square(const pcm_lammps_atoms *atoms, const pcm_lammps_pairing *pairing)
{
    const double *a = atoms->x + 3 * (size_t)pairing->base, *b = atoms->x + 3 * (size_t)pairing->follower;
    const double  x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return x * x + y * y + z * z;
}

/* Whether a pairing has a contact to evaluate, or would have one if its atoms were `further` nearer. reach: per law, of
 * one that may begin and of one that lives. widest: no sum of radii is larger; so those of most pairs need not be read.
 */
static inline bool pcm_lammps_touches(const double (*reach)[2], const pcm_lammps_atoms *atoms,
                                      const pcm_lammps_pairing *pairing, double widest, double further)
{
    const double gap = reach[pairing->law][pairing->life == PCM_LAMMPS_LIVE] + further;
    const double square = pcm_lammps_square(atoms, pairing), most = widest + gap;
    if (!(square <= most * most))
        return false;
    const double least = atoms->radius[pairing->base] + atoms->radius[pairing->follower] + gap;
    return square <= least * least;
}

/* Finds which pairs of all sections may have come together, where that is not known from an earlier step. */
void pcm_lammps_apart_look(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, const pcm_lammps_step *step);
/* Those of a section that have, join its contacts; broken ones that are apart may begin anew, if it `heals`. */
void pcm_lammps_apart_join(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, pcm_lammps_section *section,
                           bool heals);

/* Amounts of both sides to columns; flows multiplied, added to atoms and walls, and looked at: 0, or NaN where one is
 * not finite. */
void   pcm_lammps_gather_amounts(const pcm_lammps_pass *p, pcm_lammps_scratch *s);
void   pcm_lammps_scale_flows(const pcm_lammps_pass *p, pcm_lammps_scratch *s, size_t i, double scale);
void   pcm_lammps_scatter_flows(const pcm_lammps_pass *p, const pcm_lammps_scratch *s);
double pcm_lammps_check_flows(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i);

/* What the kernels do for a block. */
typedef struct pcm_lammps_plan {
    const pcm_lammps_law  *law;
    bool                   native;
    double                 dt;
    const pcm_lammps_pose *pose; /* of the wall; NULL: between atoms */
    /* Between atoms: what the next block remembers, which is fetched meanwhile. */
    size_t                    width;
    const double             *memory;
    const pcm_lammps_pairing *pairing;
} pcm_lammps_plan;

/* The loops over lanes, one set of them per instruction set; those to and from atoms have theirs, of AVX2 at most, in
 * which rows of atoms come four at a time.
 * place    normal, depth, arms, reduced mass and radius.
 * motion   from there, and x_axis and state, or vectors, as of the last step, to what the law reads. Returns how many
 *          lanes are further apart than the law's separation.
 * step     next from state and rate, of the states that the host steps.
 * results  from what the law wrote to force and torques. Returns 0, or NaN where something is not finite.
 * check    the same for states.
 * keep     the vectors that next has along the axes, of laws that turn.
 * stray    by how much numbers differ at most from those that were held and so many steps at a pace; what is no number
 *          does not count. */
struct pcm_lammps_kernels {
    void (*place)(const pcm_lammps_plan *plan, pcm_lammps_block *block, size_t count);
    size_t (*motion)(const pcm_lammps_plan *plan, pcm_lammps_block *block, double *const *vector, double *const *state,
                     size_t count);
    void (*step)(const pcm_lammps_plan *plan, double *const *state, double *const *rate, double *const *next,
                 size_t count);
    double (*results)(const pcm_lammps_plan *plan, pcm_lammps_block *block, size_t count);
    double (*check)(const pcm_lammps_plan *plan, double *const *next, size_t count);
    void (*keep)(const pcm_lammps_plan *plan, pcm_lammps_block *block, double *const *next, double *const *vector,
                 size_t count);
    double (*stray)(const double *now, const float *held, const float *pace, double steps, size_t count);
};

enum { PCM_LAMMPS_LANES = 4 };

/* gather   from the atoms, and what place does; reads pairings to the next multiple of PCM_LAMMPS_LANES.
 * scatter  what results has found goes to the atoms of the rank.
 * spread   results and scatter in one, without columns in between; own: all atoms are the rank's. */
struct pcm_lammps_exchange {
    void (*gather)(const pcm_lammps_plan *plan, const pcm_lammps_atoms *from, const pcm_lammps_pairing *pairing,
                   pcm_lammps_block *block, size_t count);
    void (*scatter)(const pcm_lammps_atoms *to, const pcm_lammps_pairing *pairing, pcm_lammps_block *block,
                    size_t count);
    double (*spread)(const pcm_lammps_plan *plan, const pcm_lammps_atoms *to, const pcm_lammps_pairing *pairing,
                     pcm_lammps_block *block, bool own, size_t count);
};

extern const pcm_lammps_kernels  pcm_lammps_kernels_plain, pcm_lammps_kernels_avx2, pcm_lammps_kernels_avx512;
extern const pcm_lammps_exchange pcm_lammps_exchange_plain, pcm_lammps_exchange_avx2;

#endif
