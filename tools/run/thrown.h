/* SPDX-License-Identifier: MIT */
/* thrown.h - scenes that go wrong without an error: contacts that throw what they touch.
 *
 * Contacts give back at most what they took. What moves has its energy from the start, from gravity and springs, and
 * from what else of MuJoCo's does work on it; where it has far more than that, contacts gave it. */
#ifndef PCM_TOOLS_RUN_THROWN_H
#define PCM_TOOLS_RUN_THROWN_H

#include <pcm/mujoco.h>

typedef struct thrown {
    double *before;                   /* nq: its first nv are qvel after the last step */
    double  lift;                     /* J: what lifts all that moves by its own size */
    double  given;                    /* J: by actuators and constraints since the start */
    double  highest[2], liveliest[2]; /* J: energy without what was given, and motion; of the last stretch and this */
    double  stretch;                  /* s: when this one ends */
    double  gained;                   /* J: by contacts, */
    int     body;                     /* which then had most */
    double  time, speed, spin;
} thrown;

/* False, and reported, when there is no memory. */
bool thrown_start(thrown *t, mjModel *model, mjData *data);
void thrown_stop(thrown *t);

/* After each step of so many seconds. */
void thrown_step(thrown *t, const mjModel *model, const mjData *data, double seconds);

/* Now and then: whether something has been thrown by now. */
bool thrown_look(thrown *t, mjModel *model, mjData *data);

/* has_steps: of a fixed size, which may be too large. */
void thrown_tell(const thrown *t, const mjModel *model, bool has_steps);

#endif
