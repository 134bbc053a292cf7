/* SPDX-License-Identifier: MIT */
/* pipeline.h - the pipeline that takes a block of contacts from motion to wrenches.
 *
 * It is compiled once per instruction set from one source; every set gives the same bits. */
#ifndef PCM_WORLD_PIPELINE_H
#define PCM_WORLD_PIPELINE_H

#include "law_call.h"
#include "group.h"

#include <stdatomic.h>

/* Objects, as the pipeline gathers them: one cache line each. */
typedef struct pcm_twist_line {
    double linear[3]; /* velocity of the body's point at the world's origin */
    double angular[3];
    double curvature, inverse_mass; /* 1/radius, 1/mass */
} pcm_twist_line;
typedef struct pcm_pose_line {
    double   position[3], orientation[4]; /* as in pcm_pose */
    uint64_t hold;                        /* PCM_HOLD_... */
} pcm_pose_line;
enum { PCM_HOLD_FREE, PCM_HOLD_FIXED, PCM_HOLD_PLACED }; /* placed: fixed, and has had its one move */
typedef struct pcm_wrench_line {
    _Alignas(64) double force[3];
    double   torque[3]; /* about the world's origin */
    uint64_t object;    /* the object, for a line that is deferred */
    double   reserved;
} pcm_wrench_line;
_Static_assert(sizeof(pcm_wrench_line) == 64, "lines of eight numbers");

/* An amount of an object. */
typedef struct pcm_amount_line {
    double value; /* the value that the next update reads */
    double seen;  /* the value that the last update read */
    double flow, inverse_capacity;
} pcm_amount_line;

/* How the surface of a body moves on the body, in its axes and about its origin: as for a twist. */
typedef struct pcm_surface_line {
    double linear[3], angular[3];           /* what the next update reads */
    double seen_linear[3], seen_angular[3]; /* what the last update read */
} pcm_surface_line;

/* The largest deviation of a unit vector's square from 1. */
#define PCM_SKEW 1e-6

/* The reason why a contact contributes nothing. */
enum { PCM_FAULT_MOTION = 1, PCM_FAULT_INPUT = 2, PCM_FAULT_RESULT = 4 };

/* Columns have room for a vector beyond the end, and are aligned for vectors. */
typedef double  pcm_column[PCM_BLOCK + 8];
typedef int64_t pcm_int_column[PCM_BLOCK + 8];
_Static_assert(sizeof(pcm_column) % 64 == 0, "columns that follow one another are aligned");

/* Flags of a vector of contacts. */
enum {
    PCM_HAS_FIXED = 1, /* some object is fixed */
    PCM_NEEDS_CARE = 2 /* some contact is not touched or has a fault: the columns absent and fault are filled in */
};

/* A block in the pipeline: lane i is row `first + i`. One per thread. */
typedef struct pcm_scratch {
    pcm_column     contact[6];           /* points and normals */
    pcm_column     motion[6];            /* linear and angular velocity; only for reports */
    pcm_column     wrench[6];            /* force and torque on the follower; only for reports */
    pcm_column     turn[4];              /* orientation of the base, if the law reads position, velocity or base axes */
    pcm_column     factor;               /* for a frame that is not carried */
    pcm_column     x_axis[3], y_axis[3]; /* for a frame that is carried, or for any in a report */
    pcm_column     depth, depth_rate, slip_x, slip_y, spin_x, spin_y, spin_n;
    pcm_column     position[3], velocity[3], radius, mass;
    pcm_column     force_n, force_x, force_y, moment_n, moment_x, moment_y, energy, dissipation;
    pcm_column     slip_squared, force_squared;
    pcm_column     area, share, scale;     /* of the pair's patch, only in groups that have one */
    pcm_column     lost_energy, lost_heat; /* written by terminate; energy before it is scaled */
    pcm_column     fresh, onset;
    pcm_column     side_spin[2][3], side_axis[2][3]; /* x, y, n of the base and of the follower */
    pcm_column     none;                             /* NaN: inputs that the law did not ask for */
    pcm_column     unread;                           /* outputs that only later parts of a sum read */
    pcm_int_column life, mode, fault, absent;
    pcm_int_column pair_life;        /* from the verb per pair */
    uint8_t        flags[PCM_BLOCK]; /* one per vector */
    /* Tables of column pointers and the columns themselves, sized for the type that needs most. */
    const double            **state, **host_inputs;
    double                  **next, **rate, **event;
    const double            **amount; /* amounts of the base, then of the follower */
    double                  **flow;   /* flows into the base, then into the follower */
    pcm_column               *spare;  /* next, rates, tried states and events that are not kept */
    pcm_column               *shape;  /* of blocks in which a contact is not touched; then its direction, x and y */
    double                   *values; /* next, rates and events of one lane */
    const double             *shapes[PCM_ROW_SHAPE];    /* the columns of pcm_contact_shape */
    pcm_ledger                ledger;                   /* ledger of one lane */
    pcm_contact_shape         seen;                     /* shape of one lane */
    pcm_batch                 batch;                    /* the batch of the law's call */
    size_t                    n_state, n_event, n_flow; /* the largest numbers of any type */
    size_t                    bytes;
    _Atomic(const pcm_type *) running; /* whose law is being called; NULL: none */
} pcm_scratch;

/* Call it before and after a call of a law: in between pcm_world_running returns its type. */
static inline uint64_t pcm_law_begins(pcm_scratch *s, const pcm_group *group)
{
    atomic_store_explicit(&s->running, group->type, memory_order_relaxed);
    return pcm_arithmetic();
}

static inline void pcm_law_ends(pcm_scratch *s, uint64_t arithmetic)
{
    pcm_arithmetic_keep(arithmetic);
    atomic_store_explicit(&s->running, NULL, memory_order_relaxed);
}

static inline void pcm_call_law(pcm_scratch *s, const pcm_group *group, pcm_verb *verb, const pcm_batch *batch)
{
    const uint64_t arithmetic = pcm_law_begins(s, group);
    verb(batch);
    pcm_law_ends(s, arithmetic);
}

/* The mode of the contact in that lane: its law's, or touching if it has a force and its law has no modes. */
static inline int64_t pcm_scratch_mode(const pcm_scratch *s, const pcm_group *group, size_t lane)
{
    return group->model->outputs & PCM_MODE ? s->mode[lane] : s->force_squared[lane] > 0 ? PCM_TOUCHING : PCM_SEPARATED;
}

/* Stores the modes of the contacts in the first lanes with their rows. */
static inline void pcm_keep_modes(const pcm_scratch *s, pcm_group *group, size_t row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t mode = pcm_scratch_mode(s, group, i);
        group->mode[row + i] = mode >= 0 && mode < UINT16_MAX ? (uint16_t)(mode + 1) : 0;
    }
}

/* Wrenches that a task defers because an earlier task adds to the same object directly. */
typedef struct pcm_deferral {
    const uint64_t  *shared; /* a bit per object */
    pcm_wrench_line *line;
    size_t           count;
} pcm_deferral;

static inline bool pcm_is_shared(const uint64_t *shared, uint32_t side)
{
    uint32_t object = pcm_side_object(side);
    return shared[object / 64] >> object % 64 & 1;
}

/* One evaluation. */
typedef struct pcm_pass {
    const pcm_twist_line   *twist;
    const pcm_pose_line    *pose;
    const uint8_t          *fresh;
    const pcm_amount_line  *amount; /* n_amounts for each object */
    size_t                  n_amounts;
    const pcm_surface_line *surface;  /* NULL: no surface moves */
    pcm_wrench_line        *wrench;   /* NULL: only evaluate the rows again, change nothing */
    pcm_deferral           *deferral; /* NULL: nothing is deferred */
    double                  time, dt;
    uint32_t                evaluation;
    uint32_t                parity; /* parity of the states that are read */
    bool                    modes;  /* whether the modes of rows are stored in their group */
    bool                    first;  /* an evaluation before the actual one: new contacts get their initial states */
} pcm_pass;

/* Runs rows [row, row + count) of one block through the pipeline; all live or all tentative, unless they are only
 * reported. */
typedef void pcm_block_run(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *scratch);

pcm_block_run pcm_block_run_plain, pcm_block_run_avx2, pcm_block_run_avx512;

/* A scratch that fits all of the groups; NULL: no memory. */
pcm_scratch *pcm_scratch_new(pcm_context *context, const pcm_group *groups, size_t n_groups);
void         pcm_scratch_free(pcm_context *context, pcm_scratch *scratch);

#endif
