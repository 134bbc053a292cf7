/* SPDX-License-Identifier: MIT */
/* impact.h - a body that strikes one contact head-on: what comes back, and when. */
#ifndef PCM_TOOLS_LAW_IMPACT_H
#define PCM_TOOLS_LAW_IMPACT_H

#include "rest.h"

typedef enum impact_end {
    IMPACT_UNKNOWN, /* no end was found, or the law failed */
    IMPACT_LEAVES,
    IMPACT_STAYS /* the body comes to rest on the contact, or is pulled back */
} impact_end;

typedef struct impact {
    impact_end end;
    double     restitution;       /* the speed that comes back over the one before; 0: it stays; NaN: not known */
    double     restitution_error; /* by how much the last two runs differ; NaN where the number is */
    double     time;              /* s, from the touch until the contact acts no more; NaN unless it leaves */
    double     time_error;        /* s, likewise */
} impact;

/* Runs the impact at that speed, m/s > 0, with no other force on the body, until two runs agree to IMPACT_TOLERANCE,
 * the restitution absolutely and the time relatively, or for some ten milliseconds. The load of def is not read. What
 * the law and its world have to say meanwhile goes to the context's sink. */
#define IMPACT_TOLERANCE 1e-6
impact impact_run(const rest_def *def, double speed);

#endif
