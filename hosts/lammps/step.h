/* SPDX-License-Identifier: MIT */
/* step.h - a block of contacts during a step: for contacts.c, step.c and kernels.c. */
#ifndef PCM_LAMMPS_STEP_H
#define PCM_LAMMPS_STEP_H

#include "host.h"

enum { PCM_LAMMPS_BLOCK = PCM_LAMMPS_CHUNK };

typedef double pcm_lammps_column[PCM_LAMMPS_BLOCK];

/* The columns of a block of contacts under one law. Vectors are three columns, in the simulation's axes unless a frame
 * is named. */
typedef struct pcm_lammps_block {
    /* Read from the atoms. */
    pcm_lammps_column away[3];     /* m, from the base's centre to the follower's */
    pcm_lammps_column velocity[3]; /* m/s, of the follower's centre relative to the base's */
    pcm_lammps_column base_omega[3], follower_omega[3];
    pcm_lammps_column was[3];    /* the normal after the last step */
    pcm_lammps_column centre[3]; /* m, of the follower; only at walls */
    pcm_lammps_column base_radius, follower_radius, base_mass, follower_mass;
    /* Inputs of the law. */
    pcm_lammps_column depth, depth_rate, slip_x, slip_y, spin_x, spin_y, spin_n, radius, mass;
    pcm_lammps_column base_spin[3], follower_spin[3]; /* rad/s, x, y, n */
    pcm_lammps_column fresh, one, zero;
    pcm_lammps_column curvature[2], curve_axis[2];   /* 1/m; in the contact frame */
    pcm_lammps_column position[3], base_velocity[3]; /* of the contact point, in the wall's axes */
    /* The contact frame, and the distances of the contact point from both centres. */
    pcm_lammps_column normal[3], y_axis[3], base_arm, follower_arm;
    pcm_lammps_column own_axis[3];  /* buffer for x_axis, where that is not stored in place */
    pcm_lammps_column per_distance; /* 1/m, 1 over the distance of the centres */
    pcm_lammps_column excess;       /* how much the square of x_axis exceeded 1 after a step's turn */
    /* Outputs of the law. */
    pcm_lammps_column force_n, force_x, force_y, moment_n, moment_x, moment_y, energy, dissipation, onset, unused;
    int64_t           life[PCM_LAMMPS_BLOCK], mode[PCM_LAMMPS_BLOCK];
    /* The force and moment on the follower, and the torques on both sides. */
    pcm_lammps_column force[3], moment[3];
    pcm_lammps_column base_torque[3], follower_torque[3];
    /* The turn of stored vectors: turn is the tangent of the angle about the normal; tilt times the component along the
     * present normal is added along the velocity, at walls along the old normal. */
    pcm_lammps_column turn, tilt;
    double           *x_axis[3];   /* own_axis, or the stored columns, which are then updated at once */
    double           *old_axis[3]; /* x_axis after the last step: the stored columns, or x_axis */
} pcm_lammps_block;

typedef struct pcm_lammps_kernels  pcm_lammps_kernels;
typedef struct pcm_lammps_exchange pcm_lammps_exchange;

typedef struct pcm_lammps_scratch {
    pcm_lammps_block   block;
    pcm_batch          batch; /* points to the block's columns and to these: */
    uint32_t           n_state, n_vector, n_events, n_inputs, n_amounts; /* numbers of columns that there is room for */
    pcm_lammps_column *columns;
    double           **state, **next, **rate, **vector, **event, **input;
    double           **amount, **flow;            /* n_amounts columns for bases, then as many for followers */
    uint32_t          *waiting;                   /* at walls, per law: the rows of its next block */
    uint32_t          *n_waiting, *n_new;         /* the number of these rows, and how many of them are new contacts */
    pcm_lammps_pairing pairing[PCM_LAMMPS_BLOCK]; /* the rows whose block is being evaluated */
    uint32_t           n_absent;      /* the number of the block's contacts that have parted since the last step... */
    uint8_t absent[PCM_LAMMPS_BLOCK]; /* ... and have a 1 here; the law sees them at no gap, and they get no force */
    size_t  n_laws;
    double (*reach)[2]; /* m, per law: the gap at which a contact may begin, and the gap up to which it lives */
    const pcm_lammps_law      *law; /* the law evaluated last: the outputs that it does not declare are zero */
    const pcm_lammps_kernels  *kernels;
    const pcm_lammps_exchange *exchange;
} pcm_lammps_scratch;

/* NULL: out of memory. */
pcm_lammps_scratch *pcm_lammps_scratch_new(const pcm_lammps_laws *laws);
void                pcm_lammps_scratch_free(pcm_lammps_scratch *scratch);

/* The pose of a wall: its point y, given at the start, is now at turn (y - pivot) + at. */
typedef struct pcm_lammps_pose {
    double turn[3][3], pivot[3], at[3];
    double omega[3];    /* rad/s */
    double velocity[3]; /* m/s, of the pivot, including the surface's own velocity */
} pcm_lammps_pose;

/* A block of one law during its evaluation. */
typedef struct pcm_lammps_pass {
    pcm_lammps_contacts    *contacts;
    const pcm_lammps_atoms *atoms;
    pcm_lammps_step        *step;
    const pcm_lammps_law   *law;
    pcm_lammps_pairing     *pairing;
    size_t                  first;        /* row of the first contact; between atoms the others follow it */
    const uint32_t         *rows;         /* at walls: the rows */
    size_t                  count, n_new; /* n_new of them are new contacts */
    size_t                  next;         /* between atoms: the first row of the next block, or of this one */
    pcm_lammps_wall        *wall;         /* NULL: between atoms */
    const pcm_lammps_pose  *pose;         /* of the wall */
} pcm_lammps_pass;

/* Prepares scratch for the present laws, with no rows waiting. */
bool pcm_lammps_begin(pcm_lammps_contacts *contacts, pcm_lammps_step *step);
/* Adds pairing `row` of a wall to the next block of its law, and evaluates the block once it is full. The pass gives
 * everything but law and rows. */
bool pcm_lammps_add(const pcm_lammps_pass *pass, size_t row);
/* Evaluates the blocks that are not full. */
bool pcm_lammps_finish(const pcm_lammps_pass *pass);

/* The squared distance between the two atoms. */
static inline double pcm_lammps_square(const pcm_lammps_atoms *atoms, const pcm_lammps_pairing *pairing)
{
    const double *a = atoms->x + 3 * (size_t)pairing->base, *b = atoms->x + 3 * (size_t)pairing->follower;
    const double  x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return x * x + y * y + z * z;
}

/* Whether a pairing has a contact to evaluate, or would have one if its atoms were closer by `further`. reach: per law,
 * the gap at which a contact may begin, and the gap up to which one lives. widest: no sum of two radii is larger, so
 * the radii of most pairs need not be read. */
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

/* Finds the pairs of all sections that may have come together, unless an earlier step has shown that there are none. */
void pcm_lammps_apart_look(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, const pcm_lammps_step *step);
/* Makes contacts of the pairs of a section that have come together; with `heals`, broken pairs that are apart may begin
 * again. */
void pcm_lammps_apart_join(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, pcm_lammps_section *section,
                           bool heals);

/* The curvatures of a block whose law reads them, in its present frame. */
void pcm_lammps_fill_shape(const pcm_lammps_pass *pass, pcm_lammps_block *block);

/* Whether a contact is withheld: a new one that the law does not let begin here, or one that has parted. It gives no
 * force and is not stored. */
bool pcm_lammps_is_withheld(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i);

/* Finds the stiffness and damping of a block that is ready for its law, whose outputs this overwrites; and adds them to
 * the block's atoms, once it has been evaluated. */
void pcm_lammps_stability_probe(const pcm_lammps_pass *p, pcm_lammps_scratch *s);
void pcm_lammps_stability_add(const pcm_lammps_pass *p, const pcm_lammps_scratch *s);

/* Amounts of both sides are read into columns. Flows are scaled, added to atoms and walls, and checked: 0, or NaN if
 * one is not finite. */
void   pcm_lammps_gather_amounts(const pcm_lammps_pass *p, pcm_lammps_scratch *s);
void   pcm_lammps_scale_flows(const pcm_lammps_pass *p, pcm_lammps_scratch *s, size_t i, double scale);
void   pcm_lammps_scatter_flows(const pcm_lammps_pass *p, const pcm_lammps_scratch *s);
double pcm_lammps_check_flows(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i);

/* The work of the kernels for a block. */
typedef struct pcm_lammps_plan {
    const pcm_lammps_law  *law;
    bool                   native, granular; /* kinematics other than of the contact point; of pair granular */
    double                 dt;
    const pcm_lammps_pose *pose; /* the pose of the wall; NULL: between atoms */
    /* Between atoms: the history of the next block, which is prefetched meanwhile. */
    size_t                    width;
    const double             *memory;
    const pcm_lammps_pairing *pairing;
} pcm_lammps_plan;

/* The loops over lanes, one set of them per instruction set. The loops that read and write atoms have sets of their
 * own, up to AVX2, which handle rows of atoms four at a time. place    computes normal, depth, lever arms, reduced mass
 * and radius. motion   computes the law's inputs from these and from the last step's x_axis and state, or vectors.
 * Returns the number of lanes that are farther apart than the law's separation. step     computes next from state and
 * rate, for the states that the host integrates. results  computes force and torques from the law's outputs. Returns 0,
 * or NaN where something is not finite. check    checks states in the same way. keep     computes the vectors to store
 * from their components in next, for laws whose vectors turn. stray    returns the largest difference between numbers
 * and their prediction, the held number plus so many steps at its pace; NaN is ignored. */
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

/* gather   reads the atoms and does the work of place; reads pairings up to the next multiple of PCM_LAMMPS_LANES.
 * scatter  adds the forces and torques that results has computed to the atoms of the rank.
 * spread   does the work of results and scatter at once, without columns in between; own: all atoms are the rank's. */
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
