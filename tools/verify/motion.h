/* SPDX-License-Identifier: MIT */
/* motion.h - what a law is tried with: values of its parameters, and either lanes, each a contact of its own, or a path
 * that one contact takes. It is plain data, so that it outlives the process that crashes on it. */
#ifndef PCM_TOOLS_VERIFY_MOTION_H
#define PCM_TOOLS_VERIFY_MOTION_H

#include "subject.h"

enum { MOTION_ROWS = 20 };

typedef enum motion_kind { MOTION_LANES, MOTION_PATH } motion_kind;

typedef struct motion {
    motion_kind kind;
    uint32_t    carrier; /* of the subject */
    double      params[SUBJECT_PARAMS];
    size_t      count; /* of rows */
    size_t      steps; /* of a path: from one row to the next */
    double      dt;    /* s: of lanes the step; of a path the time from one row to the next, unless the row says more */
    /* The inputs of a rig_law: motion, host inputs, amounts, states. Of a path a row is a place: depth, the way in
     * slip_x and slip_y, angles in the spins; rates follow from them, and what is no motion is that of the first row.
     */
    double row[MOTION_ROWS][SUBJECT_COLUMNS];
} motion;

/* Repeatable numbers. */
typedef struct dice {
    uint64_t state;
} dice;
double dice_unit(dice *d);                             /* in [0, 1) */
double dice_decades(dice *d, double low, double high); /* 10^low to 10^high, evenly in the exponent */
size_t dice_below(dice *d, size_t count);

/* Values of the parameters: the defaults, the ends of the ranges, or around the defaults by a factor of 30. */
void motion_roll_params(const subject *s, dice *d, double *values);

/* The default of that parameter; of one that is required, a value that may do. */
double motion_default(const subject *s, size_t index);

/* Turns the gaps of the rows into depths: the contact touches. */
void motion_close(motion *m);

/* Under the subject's values: lanes at states that the law itself reached, or a closed path, from apart to apart. */
void motion_roll_lanes(subject *s, dice *d, motion *m);
void motion_roll_new(const subject *s, dice *d, motion *m); /* lanes of contacts that begin */
void motion_roll_path(const subject *s, dice *d, motion *m);

/* Makes a row one that bodies can have: axes are unit vectors, and the follower spins as the base does, and by spin
 * more. */
void motion_settle(const subject *s, double *row);

/* The motion between the first two rows, at that part of the way. What belongs to the bodies stays. */
void motion_between(const subject *s, const motion *m, double part, double *row);

/* Whether that motion follows from others, or cannot be zero: motion_settle sets it. */
bool motion_is_settled(const rig_motion *kind);

/* The column of that field of pcm_batch in a row. */
size_t motion_column(size_t offset);
#define MOTION_AT(field) motion_column(offsetof(pcm_batch, field))

/* One step of a path. The first row of each stretch has dt 0: the velocity changes there. */
typedef struct motion_step {
    double time, dt;
    double row[SUBJECT_COLUMNS];
} motion_step;

/* How many steps a path has, and the one of that index. */
size_t      motion_step_count(const motion *m);
motion_step motion_step_at(const subject *s, const motion *m, size_t index);

/* Writes the table that pcm rig replays. */
void motion_write(const subject *s, const motion *m, FILE *out);

#endif
