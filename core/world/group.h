/* SPDX-License-Identifier: MIT */
/* group.h - the contacts of one contact type, as dense rows.
 *
 * Rows [0, live) are live contacts, rows [live, count) tentative ones, which the touches of the current evaluation
 * made. A law's data (states, frames, host inputs) are columns of PCM_BLOCK rows: all columns of a block are adjacent,
 * so that a block of the pipeline stays in the first-level cache.
 *
 * There are two copies of states and frames: an evaluation reads one parity and writes the other, and a commit swaps
 * them. */
#ifndef PCM_WORLD_GROUP_H
#define PCM_WORLD_GROUP_H

#include "contact_type.h"
#include "model.h"
#include "overrides.h"
#include <pcm/contact_shape.h>

enum {
    PCM_BLOCK = 128,      /* contacts that go through the pipeline together */
    PCM_FRAME_COLUMNS = 4 /* of a carried frame: its quaternion in the axes of an object, scalar first */
};

/* In pcm_record's base and follower: the object is fixed. */
#define PCM_FIXED_SIDE 0x80000000u
#define PCM_NO_GROUP   UINT32_MAX

/* The object of a record's base or follower. */
static inline uint32_t pcm_side_object(uint32_t side) { return side & ~PCM_FIXED_SIDE; }

/* The data of a touch, one cache line. */
typedef struct pcm_record {
    double   point[3], normal[3]; /* the normal from base to follower */
    double   depth;
    uint32_t base, follower; /* indices of objects */
} pcm_record;

/* The identity of a contact, apart from its motion. */
typedef struct pcm_identity {
    uint64_t feature; /* 0 if the type keeps a single contact per pair */
    uint64_t id;      /* 0: tentative */
    double   since;
    uint32_t pair, slot;
} pcm_identity;

/* Data about a block that the last update stores for the commit. */
typedef struct pcm_block_note {
    double   depth, slip_squared, force_squared; /* the largest of all its contacts */
    double   pull;                               /* the largest of 0 and every -force_n */
    uint32_t faults, removals;                   /* numbers of its contacts with a fault, and of those to remove */
} pcm_block_note;

/* A row that a commit will remove: its lane in the block, and pcm_outcome or one of those below. */
typedef struct pcm_removal {
    uint8_t lane, outcome;
} pcm_removal;
enum {
    PCM_OUTCOME_DROPPED = 3, /* a tentative contact that had a fault or may not begin: it is dropped without a trace */
    PCM_OUTCOME_FAILED       /* its law gave an invalid result: it breaks */
};

/* The columns of the energy ledger; see ledger.h. The columns HELD keep the force that acts from one commit to the
 * next, to compute its work: the force on the follower (NaN after an update of a solver, which holds no force over a
 * step), its point of action, and its moment, in world axes. */
enum {
    PCM_LEDGER_POWER, /* power of the contact on its bodies at the last commit */
    PCM_LEDGER_HEAT,  /* the dissipation that the law reported there          */
    PCM_LEDGER_WORK,
    PCM_LEDGER_DISSIPATED,
    PCM_LEDGER_FLOW,    /* the energy exchanged, in both directions */
    PCM_LEDGER_BROUGHT, /* the energy that it held when it began, unless the motion of its bodies explains it */
    PCM_LEDGER_FORCE,
    PCM_LEDGER_POINT = PCM_LEDGER_FORCE + 3,
    PCM_LEDGER_MOMENT = PCM_LEDGER_POINT + 3, /* only for laws with moments */
    PCM_LEDGER_COLUMNS = PCM_LEDGER_MOMENT + 3
};

/* The watched contact of a group; see watch.h. */
typedef struct pcm_watch {
    pcm_contact contact;                    /* not live: none is watched */
    double      depth, depth_rate;          /* at the last commit */
    double      ledger[PCM_LEDGER_COLUMNS]; /* since it began */
    uint32_t    opposed;                    /* commits in a row between which the depth changed against its rate */
    bool judged; /* whether its energy is checked: it began as its bodies met, and nothing else acts between them */
    bool told_depth, told_normal, told_energy, told_feature, told_points,
        told_shape; /* these warnings have been given for the type */
} pcm_watch;
/* A row's part of its pair's patch, in groups whose law or Patch needs it. A touch writes area and share, NaN if the
 * host gives none. pcm_world_weigh then writes missing shares, the scale of the row's force, and the life from the verb
 * per pair. A commit keeps the scale as the last one, for a contact that is no longer touched. */
enum { PCM_ROW_AREA, PCM_ROW_SHARE, PCM_ROW_SCALE, PCM_ROW_LIFE, PCM_ROW_LAST_SCALE, PCM_ROW_COLUMNS };

/* A row's shape, in groups whose law reads one: the numbers of pcm_contact_shape in their order, NaN where it is not
 * known. */
enum {
    PCM_FIRST_SHAPE = offsetof(pcm_contact_shape, curvature), /* where they begin in it */
    PCM_ROW_SHAPE = (sizeof(pcm_contact_shape) - PCM_FIRST_SHAPE) / sizeof(double)
};

/* Sums over the touched contacts of a pair in an evaluation. */
typedef struct pcm_pair_sum {
    double  presence; /* sum of weights; see patch.c */
    double  contacts, force_n, pull, area, depth, energy;
    double  force[3]; /* tangential, in world axes */
    bool    lacks_share;
    double  scale; /* results of the law's verb per pair */
    int64_t life;
} pcm_pair_sum;

/* How a state column advances from one commit to the next. */
typedef enum pcm_step {
    PCM_STEP_HISTORY,  /* the law writes next                      */
    PCM_STEP_BY_LAW,   /* continuous, and the law writes next      */
    PCM_STEP_BY_WORLD, /* continuous: next is state + dt rate      */
} pcm_step;

typedef struct pcm_group {
    const pcm_type       *type;        /* `given`, or `own` with the world's settings */
    const pcm_type       *given;       /* as the file and the materials give it */
    pcm_type             *own, *draft; /* NULL: no parameter of the type was ever set; see settings.c */
    const pcm_model      *model;
    const pcm_kernel_set *kernels;
    pcm_verb             *forces; /* the kernels' forces, or their update if that is NULL */
    pcm_pair_verb        *pair;   /* NULL: the law has none */
    double                separation;
    double                shift; /* from the middle to the type's Point, along the normal, as a fraction of the depth */
    int64_t               axis[2]; /* axes of the base and the follower, for laws that read them */
    uint32_t              n_state;
    uint32_t  n_frame; /* PCM_FRAME_COLUMNS, in the base's axes; twice that if shared, then the follower's; or 0 */
    uint32_t  n_host_inputs;
    uint32_t  n_ledger;                  /* number of PCM_LEDGER_COLUMNS, or 0 */
    uint32_t  n_flow;                    /* two per amount of the law: into the bases, then into the followers */
    uint32_t  n_onset;                   /* 1 if the law writes an onset for each contact, or 0 */
    uint32_t  n_patch;                   /* PCM_ROW_COLUMNS or 0 */
    uint32_t  n_shape;                   /* PCM_ROW_SHAPE or 0 */
    uint32_t  patch_needed;              /* PCM_AREA, PCM_SHARE: a contact without it gives no force */
    uint64_t  host_inputs_needed;        /* bits of the host input columns that the law reads */
    double    fallback[PCM_MAX_COLUMNS]; /* initial values of the host input columns; NaN: none */
    uint32_t  amount[PCM_MAX_AMOUNTS];   /* for each amount of the law: its index in the config */
    pcm_step *step;                      /* one per state column */
    bool      single;                    /* one contact per pair, the deepest */
    bool      scales;                    /* forces are multiplied by the rows' scales */
    bool      ends;                      /* its law may end contacts */
    bool      listed;                    /* in the checkpoint that is being restored */
    bool      shared;                    /* more than one rule names the type */
    bool      may_pull;                  /* its law declares that it pulls, or a warning has been given */
    double    greatest_force;            /* N, the largest of all commits */
    uint32_t  rule;                      /* the rule of the type, if it is the only one */
    /* The smallest maxima of its contacts' rules, if there are several: only blocks that exceed one of them matter. */
    pcm_rule_stats  least;
    pcm_ledger      ledger; /* sums over all its contacts, if the world keeps ledgers */
    pcm_watch       watch;
    size_t          live, count, capacity;
    size_t          tried; /* rows with states that the host tries in this evaluation */
    size_t          bytes; /* size of memory */
    void           *memory;
    pcm_record     *record; /* the arrays below all lie in memory */
    pcm_identity   *identity;
    uint32_t       *stamp;       /* the evaluation that touched it */
    uint32_t       *tried_stamp; /* the evaluation that tried states on it; only where there are states */
    double         *columns;
    uint16_t       *mode;     /* at the last update, as in pcm_contact_slot; only if it kept modes */
    pcm_removal    *removal;  /* PCM_BLOCK per block; its note has the count */
    pcm_block_note *note;     /* one per block */
    pcm_pair_sum   *pair_sum; /* indexed by pcm_pair.lane, for one evaluation */
} pcm_group;

static inline uint32_t pcm_group_width(const pcm_group *group)
{
    return 2 * (group->n_state + group->n_frame) + group->n_host_inputs + group->n_state + group->n_ledger +
           group->n_flow + group->n_onset + group->n_patch + group->n_shape;
}

static inline size_t pcm_group_blocks(const pcm_group *group) { return (group->count + PCM_BLOCK - 1) / PCM_BLOCK; }

/* The number of rows of the block with this first row. */
static inline size_t pcm_group_block_rows(const pcm_group *group, size_t first)
{
    return group->count - first < PCM_BLOCK ? group->count - first : PCM_BLOCK;
}

/* What a commit will do with the row after the last update: as pcm_removal.outcome, or PCM_OUTCOME_KEPT. */
static inline uint8_t pcm_group_outcome(const pcm_group *group, size_t row)
{
    const pcm_removal *list = group->removal + row / PCM_BLOCK * PCM_BLOCK;
    for (size_t i = 0; i < group->note[row / PCM_BLOCK].removals; i++)
        if (list[i].lane == row % PCM_BLOCK)
            return list[i].outcome;
    return PCM_OUTCOME_KEPT;
}

/* The address of a row's value in a column; later rows of the same block follow it. */
static inline double *pcm_group_at(const pcm_group *group, uint32_t column, size_t row)
{
    return group->columns + (row / PCM_BLOCK * pcm_group_width(group) + column) * PCM_BLOCK + row % PCM_BLOCK;
}
static inline double *pcm_group_state(const pcm_group *group, uint32_t parity, uint32_t k, size_t row)
{
    return pcm_group_at(group, parity * (group->n_state + group->n_frame) + k, row);
}
static inline double *pcm_group_frame(const pcm_group *group, uint32_t parity, uint32_t k, size_t row)
{
    return pcm_group_at(group, parity * (group->n_state + group->n_frame) + group->n_state + k, row);
}
static inline double *pcm_group_host_input(const pcm_group *group, uint32_t k, size_t row)
{
    return pcm_group_at(group, 2 * (group->n_state + group->n_frame) + k, row);
}

/* A state that the host tries in place of the committed one. */
static inline double *pcm_group_tried(const pcm_group *group, uint32_t k, size_t row)
{
    return pcm_group_at(group, 2 * (group->n_state + group->n_frame) + group->n_host_inputs + k, row);
}

static inline double *pcm_group_ledger(const pcm_group *group, uint32_t k, size_t row)
{
    return pcm_group_at(group, 2 * (group->n_state + group->n_frame) + group->n_host_inputs + group->n_state + k, row);
}

/* The law's flows: into the bases for all its amounts, then into the followers. */
static inline double *pcm_group_flow(const pcm_group *group, uint32_t k, size_t row)
{
    return pcm_group_at(
        group, pcm_group_width(group) - group->n_shape - group->n_patch - group->n_onset - group->n_flow + k, row);
}

/* The onset that the law has written; only if n_onset is 1. */
static inline double *pcm_group_onset(const pcm_group *group, size_t row)
{
    return pcm_group_at(group, pcm_group_width(group) - group->n_shape - group->n_patch - 1, row);
}

/* The largest gap at which the contact could begin, by the last update. */
static inline double pcm_group_onset_of(const pcm_group *group, size_t row)
{
    const double onset = group->type->info.onset;
    return group->n_onset ? pcm_min(*pcm_group_onset(group, row), onset)
                          : onset; /* a law that failed gives no number */
}

static inline double *pcm_group_patch(const pcm_group *group, uint32_t k, size_t row)
{
    return pcm_group_at(group, pcm_group_width(group) - group->n_shape - group->n_patch + k, row);
}

/* A number of the row's shape, by its place in pcm_contact_shape. */
static inline double *pcm_group_shape(const pcm_group *group, size_t place, size_t row)
{
    const size_t k = (place - PCM_FIRST_SHAPE) / sizeof(double);
    return pcm_group_at(group, pcm_group_width(group) - group->n_shape + (uint32_t)k, row);
}

/* Facts about the type; no rows yet. */
pcm_status pcm_group_open(pcm_context *context, pcm_group *group, const pcm_type *type, uint32_t isa);
void       pcm_group_close(pcm_context *context, pcm_group *group);

/* Makes room for that many rows. */
pcm_status pcm_group_reserve(pcm_context *context, pcm_group *group, size_t rows);

/* Copies everything of a row onto another. */
void pcm_group_copy(pcm_group *group, size_t to, size_t from);

/* Resets all stamps to no evaluation. */
void pcm_group_wipe_stamps(pcm_group *group);

#endif
