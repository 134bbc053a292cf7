/* SPDX-License-Identifier: MIT */
/* rig.h - one contact law on the test rig: its input and output columns, and its history. */
#ifndef PCM_TOOLS_LAW_RIG_H
#define PCM_TOOLS_LAW_RIG_H

#include "csv.h"

enum { RIG_LANES = 256, RIG_NAME = 96 };

/* Values of the column `life` for a row of a history, after those of pcm_life. */
enum { RIG_PARTED = PCM_INVALID + 1, RIG_NO_CONTACT };

/* A column by name: the source or the target of a table's cells. */
typedef struct rig_column {
    char    name[RIG_NAME];
    double *values; /* RIG_LANES of them */
    /* For an input: */
    bool   needed; /* the law reads it */
    double empty;  /* the value of an empty or missing cell that is not needed */
    bool   has_cell;
    size_t cell; /* its column in the table */
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
    rig_column          *inputs;  /* motion, depth first; then other inputs, then states */
    rig_column          *starts;  /* of them, the states: all of a trial, the initial ones of a history */
    rig_column          *outputs; /* states, their rates, events: columns that not every law has */
    size_t               n_inputs, n_outputs;
    double             **host_inputs, **state; /* columns of the batch, to be written */
    double             **amounts, **flows;     /* of the base, then of the follower */
    double              *last;                 /* the states after the last row of a history */
    double              *columns, **pointers;
    bool                 live, broken, started; /* in a history; broken: none begins before they part */
    double               onset;                 /* m, of the broken contact; infinite: that of its type */
    double               time;                  /* of the last row */
} rig_law;

/* Makes the columns; false, and reported, without memory. Free the law in either case. */
bool rig_law_new(rig_law *law, const pcm_type *type, bool trial);
void rig_law_free(rig_law *law);

/* Finds the table's columns; false, and reported, when one is missing that the law reads. */
bool rig_law_match(rig_law *law, const csv_reader *table);

/* Reads the table's row into a lane; false, and reported, when a cell is invalid. */
bool rig_law_read(rig_law *law, const csv_reader *table, size_t lane);

/* Evaluates the lanes as trials. */
void rig_law_evaluate(rig_law *law, size_t count, double time, double dt);

/* Why an answer is invalid: a force, a state or a flow that is not finite, or PCM_INVALID. */
typedef struct rig_failure {
    char text[RIG_NAME + 64];
} rig_failure;

/* Whether the law's answer for the lane is invalid, and why; `why` is written in either case. */
bool rig_law_fails(const rig_law *law, size_t lane, rig_failure *why);

/* Steps the history to the row in lane 0. A failing law ends its contact; the row's life is then PCM_INVALID. */
void rig_law_step(rig_law *law, double time);

#endif
