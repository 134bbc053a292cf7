/* SPDX-License-Identifier: MIT */
/* impact.h - a head-on impact on one contact: the rebound speed and the contact time. */
#ifndef PCM_TOOLS_LAW_IMPACT_H
#define PCM_TOOLS_LAW_IMPACT_H

#include "rest.h"

typedef enum impact_end {
    IMPACT_UNKNOWN, /* no end was found, or the law failed */
    IMPACT_LEAVES,
    IMPACT_STAYS /* the body comes to rest in contact, or is pulled back */
} impact_end;

typedef struct impact {
    impact_end end;
    double     restitution;       /* rebound speed over impact speed; 0: it stays; NaN: not known */
    double     restitution_error; /* difference between the last two runs; NaN if the number is NaN */
    double     time;              /* s, from the first touch until the contact ends; NaN unless the body leaves */
    double     time_error;        /* s, likewise */
} impact;

/* Simulates the impact at that speed, m/s > 0, without other forces on the body. Repeats it until two runs agree to
 * IMPACT_TOLERANCE (restitution absolutely, time relatively), or some ten milliseconds have passed. Does not read the
 * load of def. Messages of the law and its world go to the context's sink. */
#define IMPACT_TOLERANCE 1e-6
impact impact_run(const rest_def *def, double speed);

#endif
