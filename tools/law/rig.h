/* SPDX-License-Identifier: MIT */
/* rig.h - one contact law on the test rig: its input and output columns, and its history. */
#ifndef PCM_TOOLS_LAW_RIG_H
#define PCM_TOOLS_LAW_RIG_H

#include "csv.h"

enum { RIG_LANES = 256, RIG_NAME = 96 };

/* Values of the column `life` for a row of a history, in addition to those of pcm_life. */
enum { RIG_PARTED = PCM_INVALID + 1, RIG_NO_CONTACT };

/* A column by its name: table cells are read from it or written to it. */
typedef struct rig_column {
    char    name[RIG_NAME];
    double *values; /* RIG_LANES of them */
    /* Only for an input: */
    bool   needed;   /* the law reads it */
    bool   optional; /* even so a table may lack it */
    double empty;    /* the value of an empty or missing cell, if it is not needed or optional */
    bool   has_cell;
    size_t cell; /* its column in the table */
} rig_column;

/* The motion that a law may read; these are the first inputs of a rig_law. */
typedef struct rig_motion {
    const char *name;
    uint32_t    input;  /* the bit of pcm_model.inputs */
    size_t      offset; /* offset of the column in pcm_batch */
} rig_motion;
extern const rig_motion rig_motions[]; /* ended by a NULL name */

typedef struct rig_law {
    const pcm_type      *type;
    const pcm_type_info *info;
    pcm_batch            batch;
    rig_column          *inputs;  /* motion, depth first; then other inputs, then states */
    rig_column          *starts;  /* the states among them: all of a trial, the initial ones of a history */
    rig_column          *outputs; /* columns that not every law has: states, their rates, events */
    size_t               n_inputs, n_outputs;
    double             **host_inputs, **state; /* columns of the batch, to be written */
    double             **amounts, **flows;     /* amounts and flows of the base, then of the follower */
    double              *last;                 /* the states after the last row of a history */
    double              *columns, **pointers;
    bool                 live, broken, started; /* in a history; broken: no new contact begins before the bodies part */
    double               onset;                 /* m, onset of the broken contact; infinite: that of its type */
    double               time;                  /* time of the last row */
} rig_law;

/* Makes the columns; false, with a report: no memory. Free the law in either case. */
bool rig_law_new(rig_law *law, const pcm_type *type, bool trial);
void rig_law_free(rig_law *law);

/* Finds the table's columns; false, with a report: a column is missing that the law reads. */
bool rig_law_match(rig_law *law, const csv_reader *table);

/* Reads the table's row into a lane; false, with a report: a cell is invalid. */
bool rig_law_read(rig_law *law, const csv_reader *table, size_t lane);

/* Evaluates the lanes as trials. */
void rig_law_evaluate(rig_law *law, size_t count, double time, double dt);

/* The reason why a result is invalid: a force, a state or a flow that is not finite, or PCM_INVALID. */
typedef struct rig_failure {
    char text[RIG_NAME + 64];
} rig_failure;

/* Whether the law's result for the lane is invalid, and the reason; `why` is written in either case. */
bool rig_law_fails(const rig_law *law, size_t lane, rig_failure *why);

/* Steps the history to the row in lane 0. A failing law ends its contact; the row's life is then PCM_INVALID. */
void rig_law_step(rig_law *law, double time);

#endif
