/* SPDX-License-Identifier: MIT */
/* evaluation.h - passing motion to the world and forces to MuJoCo, and the steps that integrate contact states. */
#ifndef PCM_MUJOCO_EVALUATION_H
#define PCM_MUJOCO_EVALUATION_H

#include "detection.h"
#include <pcm/jacobian.h>

/* A live contact whose states are integrated by the stages of RK4. */
typedef struct pcm_staged {
    pcm_contact      contact;
    const pcm_model *model;
    size_t           offset, count; /* range of its states among the values */
} pcm_staged;

/* A state value of a step of RK4. */
typedef struct pcm_staged_value {
    double start, rate, sum; /* value at the step's start; rate of the last stage; weighted sum of all rates */
} pcm_staged_value;

typedef struct pcm_stages {
    uint32_t          stage;
    bool              has_history, has_rates; /* some of the states are history states; some are continuous */
    bool              by_laws;                /* the laws step all states in this step */
    pcm_staged       *contacts;
    pcm_staged_value *values;
    double           *trial; /* per value */
    size_t            n_contacts, n_values, contact_capacity, value_capacity, trial_capacity;
} pcm_stages;

/* The stiffness or damping of a contact against rotation, or against translation, in its frame: a symmetric matrix
 * whose normal and tangential parts are uncoupled. */
typedef struct pcm_answer {
    double xx, xy, yy, nn;
} pcm_answer;

/* A joint's column of a contact's Jacobian, in the contact's frame: rotation, translation. */
typedef struct pcm_column {
    int    dof;
    double moves[2][3];
} pcm_column;

/* The matrix block of two bodies in contact, or of a body and the fixed world. */
typedef struct pcm_meeting {
    int      last[2];       /* last joint of the base and of the follower; -1: none */
    size_t   dofs, entries; /* offsets of its joints, and of its square block of entries, which is symmetric */
    size_t   count[2];      /* number of the base's joints and of the follower's, each listed from the last joint on */
    bool     simple[2];     /* MuJoCo treats the side's joints as independent */
    bool     split;         /* MuJoCo's matrix has no room for the whole block */
    uint32_t next;          /* 1 + index of the next meeting with the same later joint */
} pcm_meeting;

/* A contact with friction, for what its friction is at the end of the step. Vectors are along x, y, n of its frame. */
typedef struct pcm_frictional {
    size_t          meeting, columns; /* index; offset of its columns, one for each joint of the meeting */
    const pcm_type *type;
    pcm_answer      damping, stiffness;    /* against translation, as they are in the step's matrix */
    pcm_answer      taken;                 /* what the step takes off the force, per velocity */
    double          yields[3];             /* 1/kg, its compliance */
    double          velocity[3], force[3]; /* at the start of the step, m/s and N */
    double by_way[2], by_speed[2]; /* minus the change of friction by motion along n, N/m and N s/m; 0: at rest */
} pcm_frictional;

enum {
    PCM_IMPLICIT_RUN = 32,                      /* contacts whose matrices are computed together */
    PCM_IMPLICIT_BLOCK = 6,                     /* the most joints of one body */
    PCM_IMPLICIT_WORK = 6 + PCM_IMPLICIT_BLOCK, /* vectors of nv numbers, and a row of a block for each joint */
    PCM_IMPLICIT_KEPT = 6                       /* vectors of nv numbers */
};

typedef struct pcm_implicit {
    bool                  on, told;     /* it was noted that steps are explicit all the same */
    bool                  acts, splits; /* some contact has stiffness or damping; some meeting is split */
    pcm_matrices         *matrices;
    pcm_contact_matrices *found;   /* for one run of contacts */
    pcm_column           *columns; /* for one contact; nv for each side */
    pcm_meeting          *meetings;
    uint32_t             *meeting_of; /* per joint: 1 + index of the first meeting whose later joint it is */
    int                  *dofs;
    double               *entries;  /* sums over all contacts; once M has its part, the part that M has no room for */
    double         *inertia, *work; /* MuJoCo's own matrix and factors, saved; PCM_IMPLICIT_WORK times nv numbers */
    double         *kept;           /* PCM_IMPLICIT_KEPT times nv numbers, of one evaluation */
    double         *impulses;       /* 3 per joint, for one contact along its axes */
    pcm_frictional *frictional;
    pcm_column     *frictional_columns; /* their columns */
    size_t          n_frictional, n_frictional_columns, frictional_capacity, frictional_columns_capacity;
    size_t          nv, n_inertia, n_meetings, n_dofs, n_entries, meeting_capacity, dof_capacity, entry_capacity;
} pcm_implicit;

/* A joint's effect on the velocity of the follower's contact point relative to the base's, along the world's axes. */
typedef struct pcm_moved {
    int    dof;
    double by[3];
} pcm_moved;

/* A contact with stiffness and damping, for the largest stable step. */
typedef struct pcm_resisting {
    double          stiffness[9], damping[9]; /* symmetric parts of the translational blocks */
    size_t          first, count;             /* range of its joints' effects */
    const char     *a, *b;
    const pcm_type *type;
} pcm_resisting;

typedef struct pcm_stable {
    pcm_matrices  *matrices;
    pcm_resisting *contacts;
    pcm_moved     *moves;
    double        *work; /* 6 per joint */
    size_t         n_contacts, n_moves, contact_capacity, move_capacity, work_capacity;
} pcm_stable;

/* The largest overlap at the start, measured by the force that pushes the objects apart, in weights. */
typedef struct pcm_overlap {
    double      start, weights, depth; /* s, NaN: not begun; force over weight; m */
    size_t      count;                 /* number of such contacts */
    const char *a, *b;                 /* names of the objects in the world */
} pcm_overlap;

typedef struct pcm_evaluation {
    bool              placed;  /* all objects have been placed once */
    double            pending; /* s: the step of seen and kept that is not committed yet; 0: none */
    pcm_mujoco_input *input;   /* NULL: none is set */
    void             *input_user;

    double *user_force; /* nbody by 6: xfrc_applied without our share */
    double *applied;    /* nbody by 6: xfrc_applied with our share, as we left it */
    bool   *has_share;  /* nbody */
    double *place;      /* nq + nv, scratch */
    bool    has_shares; /* some body has a share */
    bool    senses;     /* the model has sensors of forces in bodies */
    bool    pushes;     /* of which some, MuJoCo's user sensors or late ones, feel ours only in xfrc_applied */

    pcm_mujoco_solver solver;
    bool              has_solver;
    pcm_stages        stages;
    pcm_implicit      implicit;
    pcm_stable        stable;

    double    *surfaces; /* per object: geom_surfacevel of its geom when it was last evaluated */
    pcm_twist *belts;    /* per object, scratch: the velocities of surfaces that a restart keeps */

    double *overlaps; /* m, per pair, at the start of easing; NULL: no easing */
    double  ease_start, ease_time;
    double  ease_each; /* s, for every start; 0: none is eased unless asked */
    bool    ease_due;  /* the next evaluation is of a start */

    pcm_overlap overlap;
    double     *tree_push;                       /* N, per body from which a tree hangs: the sum of its contacts */
    bool        overlap_reported, step_reported; /* reported, or there is nothing more to report */
    uint64_t    pressed;                         /* number of evaluations with contacts */
    size_t      most;                            /* number of contacts when the step was last checked */
} pcm_evaluation;

/* Whether an update with this status computed forces: contacts that it rejects have none then. */
static inline bool pcm_leaves_forces(pcm_status status)
{
    return status == PCM_OK || status == PCM_BAD_MOTION || status == PCM_BAD_INPUT;
}

/* evaluate.c */
pcm_status pcm_evaluate_reserve(pcm_mujoco *host); /* for an attachment */
void       pcm_evaluate_free(pcm_mujoco *host);
/* Passes motion and contact points at data's positions and velocities to the world, and updates it; applies no
 * forces. */
pcm_status pcm_evaluate_all(pcm_mujoco *host, mjData *data);
/* Updates the world again at the motion and points of the last evaluation, over another step, once the host has tried
 * its states; NULL: it tries none. Called under the lock. */
pcm_status pcm_evaluate_points(pcm_mujoco *host, pcm_status (*tries)(pcm_mujoco *host), double time, double step);
/* The same with the motion that the world already has, and with the contact points in seen, copied from another world.
 * Called under the lock. */
pcm_status pcm_evaluate_again(pcm_mujoco *host, double time, double step);
void       pcm_forces_apply(pcm_mujoco *host, mjData *data);
bool       pcm_forces_are_shared(const pcm_mujoco *host);        /* in calls of ours: instead of qfrc_passive */
void       pcm_forces_share(pcm_mujoco *host, mjData *data);     /* adds our forces to xfrc_applied */
void       pcm_forces_withdraw(pcm_mujoco *host, mjData *data);  /* removes them again */
void       pcm_forces_add_outer(pcm_mujoco *host, mjData *data); /* adds them to cfrc_ext */

/* rk4.c: the four stages of RK4 for contact states, alongside MuJoCo's own. */
enum { PCM_STAGES = 4 };
pcm_mujoco_solver pcm_stages_solver(pcm_mujoco *host);
pcm_status        pcm_stages_evaluate(pcm_mujoco *host, mjData *data); /* for the user's own loop */
void              pcm_stages_move(pcm_mujoco *host);                   /* moves bodies to the end of the step */
pcm_status        pcm_stages_finish(pcm_mujoco *host, mjData *data);   /* evaluates there, for the commit */
void              pcm_stages_free(pcm_mujoco *host);

/* belts.c: surfaces that move on their geoms. */
pcm_status pcm_belts_start(pcm_mujoco *host); /* once the world has its objects */
void       pcm_belts_free(pcm_mujoco *host);
pcm_status pcm_belts_follow(pcm_mujoco *host);                       /* takes over what was changed in the model */
void       pcm_belts_keep(pcm_mujoco *host, const pcm_mujoco *from); /* notes those of a world, under its lock, and */
pcm_status pcm_belts_return(pcm_mujoco *host);                       /* gives them to the host's own */
pcm_status pcm_belts_set(pcm_mujoco *host, const char *object, const pcm_twist *velocity);

/* ease.c */
pcm_status pcm_ease_start(pcm_mujoco *host, double seconds); /* from the overlaps of the last evaluation */
void       pcm_ease_depths(pcm_mujoco *host, double time);   /* for the points in seen, during easing */
pcm_status pcm_ease_each(pcm_mujoco *host, double seconds);  /* from now on at every start; 0: none */
void       pcm_ease_restart(pcm_mujoco *host);               /* at a reset */
void       pcm_ease_free(pcm_mujoco *host);

/* implicit.c: after the forces of contacts were added to qfrc_passive, adds what makes the step implicit in them. */
void       pcm_implicit_act(pcm_mujoco *host);
bool       pcm_implicit_acts(const pcm_mujoco *host);                    /* whether steps are implicit now */
pcm_status pcm_implicit_start(pcm_mujoco *host, bool implicit);          /* of an attachment, with its world */
pcm_status pcm_implicit_join(pcm_mujoco *host, const pcm_mujoco *other); /* does as the other */
void       pcm_implicit_free(pcm_mujoco *host);

/* friction.c: what friction is at the end of the step. */
/* Completes a contact whose columns are at hand, with what it answers before any reduction, and keeps it if it has
 * friction. */
pcm_status pcm_friction_note(pcm_mujoco *host, const pcm_meeting *meeting, const pcm_contact_matrices *contact,
                             pcm_frictional c, const pcm_answer *all_damping, const pcm_answer *all_stiffness);
/* From the acceleration of all joints, changes the forces, which were `passive`, and the matrix of the step to the
 * friction at its end; whether any was to be changed. */
bool pcm_friction_follow(pcm_mujoco *host, const double *joints, const double *passive);

/* rest.c: the part of that matrix that M has no room for, as a force. */
void pcm_rest_push(pcm_mujoco *host);

/* stable.c */
void pcm_stable_free(pcm_mujoco *host);

/* advice.c: warnings that are given once, after an evaluation. */
void pcm_advise(pcm_mujoco *host, double time);

#endif
