/* SPDX-License-Identifier: MIT */
/* thrown.h - scenes that go wrong without an error: bodies that are thrown. */
#ifndef PCM_TOOLS_RUN_THROWN_H
#define PCM_TOOLS_RUN_THROWN_H

#include <pcm/mujoco.h>

typedef struct thrown {
    double *start; /* m: the height of each body at the start */
    double  limit; /* J/kg: more than anything in the scene gains by itself */
    int     body;  /* that was thrown first; 0: none */
    double  time, speed, height;
} thrown;

/* False, and reported, when there is no memory. */
bool thrown_start(thrown *t, const mjModel *model, const mjData *data);
void thrown_stop(thrown *t);

/* Whether some body has been thrown by now. */
bool thrown_look(thrown *t, const mjModel *model, const mjData *data);
/* has_steps: of a fixed size, which may be too large. */
void thrown_tell(const thrown *t, const mjModel *model, bool has_steps);

#endif
