/* SPDX-License-Identifier: MIT */
/* rig.h - one contact law on the test rig: the columns that it reads and writes, and its history. */
#ifndef PCM_TOOLS_LAW_RIG_H
#define PCM_TOOLS_LAW_RIG_H

#include "csv.h"

enum { RIG_LANES = 256, RIG_NAME = 96 };

/* What the column `life` says of a row in a history, beyond the values of life. */
enum { RIG_PARTED = PCM_INVALID + 1, RIG_NO_CONTACT };

/* A column by name: where a table's cells go, or come from. */
typedef struct rig_column {
    char    name[RIG_NAME];
    double *values; /* RIG_LANES of them */
    /* Of an input: */
    bool   needed; /* the law reads it */
    double empty;  /* what an empty cell of one that is not needed means */
    bool   has_cell;
    size_t cell; /* the table's column */
} rig_column;

/* The motion that a law may read: the inputs of a rig_law begin with these columns. */
typedef struct rig_motion {
    const char *name;
    uint32_t    input;  /* the bit of pcm_model.inputs */
    size_t      offset; /* of the column in pcm_batch */
} rig_motion;
extern const rig_motion rig_motions[]; /* ended by a NULL name */

typedef struct rig_law {
    const pcm_type      *type;
    const pcm_type_info *info;
    pcm_batch            batch;
    rig_column          *inputs;  /* motion, depth first; then given inputs, then states */
    rig_column          *starts;  /* of them, those of the states: of a trial its states, of a history its first ones */
    rig_column          *outputs; /* states, their rates, events: what not every law has */
    size_t               n_inputs, n_outputs;
    double             **host_inputs, **state; /* those of the batch, to be written */
    double             **amounts, **flows;     /* of the base, then of the follower */
    double              *last;                 /* the states after the last row of a history */
    double              *columns, **pointers;
    bool                 live, broken, started; /* of a history; broken: none begins until it could not begin */
    double               onset;                 /* m, of the contact that broke; infinite: its type's */
    double               time;                  /* of its last row */
} rig_law;

/* Makes the columns; false, and reported, when there is no memory. Free the law in either case. */
bool rig_law_new(rig_law *law, const pcm_type *type, bool trial);
void rig_law_free(rig_law *law);

/* Finds the table's columns; false when it lacks one that the law reads, which has been reported. */
bool rig_law_match(rig_law *law, const csv_reader *table);

/* Reads the table's row into a lane; false when a cell is bad, which has been reported. */
bool rig_law_read(rig_law *law, const csv_reader *table, size_t lane);

/* Evaluates the lanes as trials. */
void rig_law_evaluate(rig_law *law, size_t count, double time, double dt);

/* What of an answer is none: a force, a state or a flow that is not finite, PCM_INVALID. */
typedef struct rig_failure {
    char text[RIG_NAME + 64];
} rig_failure;

/* Whether the law's answer for the lane is none, and why; `why` is written in either case. */
bool rig_law_fails(const rig_law *law, size_t lane, rig_failure *why);

/* Steps the history to the row in lane 0. A law that fails ends its contact: the row's life is PCM_INVALID then. */
void rig_law_step(rig_law *law, double time);

#endif
