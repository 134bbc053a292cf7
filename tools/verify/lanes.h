/* SPDX-License-Identifier: MIT */
/* lanes.h - a batch as the law itself gets it, with sentinels in and around every column that it may write. */
#ifndef PCM_TOOLS_VERIFY_LANES_H
#define PCM_TOOLS_VERIFY_LANES_H

#include "motion.h"

enum { LANES_NAME = 96 };

/* Whether a law must write a column, may, or must not. */
typedef enum lanes_duty { LANES_MUST, LANES_MAY, LANES_MUST_NOT } lanes_duty;

typedef struct lanes_output {
    char        name[LANES_NAME], unit_text[LANES_NAME];
    double     *values;
    lanes_duty  duty;
    bool        is_report; /* need not be written by PCM_FORCES */
    bool        is_mark;   /* life, mode: no number */
    const char *flag;      /* what declares it, for advice; NULL: nothing has to */
    const char *unit;      /* per second of what is a rate; NULL: it has none that is known */
} lanes_output;

typedef struct lanes {
    pcm_batch      batch;
    double        *memory, **pointers;
    size_t         n_inputs, n_outputs, doubles;
    double       **inputs; /* in the order of a motion's row; what the law does not declare is NaN */
    lanes_output  *outputs;
    double       **amounts, **flows; /* of the base, then of the follower */
    double       **host_inputs, **state, **next, **rate, **event, **jacobian;
    const motion  *shown;
    double         time; /* s, of the call */
    const subject *subject;
} lanes;

/* Columns for the law under its present values. False without memory. */
bool lanes_open(lanes *l, const subject *s);
void lanes_close(lanes *l);

/* The motion's rows as lanes, and sentinels of that kind everywhere else. There are two kinds, so that a column that
 * is read back shows. */
void lanes_show(lanes *l, const motion *m, int sentinel);

/* Calls the law for the lanes from first on. */
void lanes_call(lanes *l, const pcm_type *type, pcm_verb_kind verb, size_t first, size_t count);

bool lanes_is_sentinel(double value);

/* The name of the column around whose ends something was written, NULL: none. */
const char *lanes_overrun(const lanes *l);

/* The name of an input or state that the law wrote to, or beside, NULL: none. */
const char *lanes_spoilt_input(const lanes *l);

/* Whether the law leaves its parameters as they are, and what stands around them; of a law alone. It is called with a
 * copy of them, and without the search for what it is doing if it crashes. */
bool lanes_keeps_params(lanes *l);

/* Whether two numbers have the same bits; NaN is any NaN. */
bool lanes_same(double a, double b);

/* The unit of the motion that an input of pcm_model gives. */
const char *lanes_motion_unit(const rig_motion *kind);

/* The name of a motion's column, as the rig calls it. */
const char *lanes_input_name(const subject *s, size_t at);

#endif
