/* SPDX-License-Identifier: MIT */
/* check.h - what laws are checked for. */
#ifndef PCM_TOOLS_VERIFY_CHECK_H
#define PCM_TOOLS_VERIFY_CHECK_H

#include "motion.h"

/* What is wrong: with numbers, and what the author should change. */
typedef struct finding {
    char what[640], advice[640];
    int  cause; /* of one check: a smaller counterexample must have the same */
} finding;

typedef struct check {
    const char *name, *doc;
    size_t      weight;                           /* tries, per second of the budget */
    const char *(*absent)(const subject *s);      /* why it is none for this law and these values; NULL: it is one */
    void (*roll)(subject *s, dice *d, motion *m); /* a motion that may show it */
    bool (*fails)(subject *s, const motion *m, finding *found);
    bool is_base; /* a law that fails it has no answers that could be checked further */
    bool whole;   /* it follows a contact: a law that is a part is tried behind carriers */
} check;

extern const check *const checks[]; /* ended by NULL, in the order in which they are run */

/* Says what was found; format as printf. Returns true. */
bool finding_say(finding *found, int cause, const char *advice, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The checks, by file. */
extern const check check_survives, check_columns, check_lanes, check_pure, check_reports, check_calls,
    check_static;                                                                        /* check_batch.c */
extern const check check_finite, check_touch_down, check_steady, check_turn, check_swap; /* check_force.c */
extern const check check_acts, check_pull, check_cone;                                   /* check_cone.c */
extern const check check_slide;                                                          /* check_slide.c */
extern const check check_clock, check_units;                                             /* check_units.c */
extern const check check_life;                                                           /* check_life.c */
extern const check check_heat;                                                           /* check_heat.c */
extern const check check_energy, check_ledger, check_step;                               /* check_energy.c */
extern const check check_jump, check_pair;                                               /* check_verbs.c */
extern const check check_resume;                                                         /* check_world.c */
extern const check check_slopes, check_rates;                                            /* check_slopes.c */
extern const check check_modes, check_events, check_derived;                             /* check_reports.c */

#endif
