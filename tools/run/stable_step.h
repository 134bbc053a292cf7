/* SPDX-License-Identifier: MIT */
/* stable_step.h - finds the largest stable step over a run: the smallest of those of its states. */
#ifndef PCM_TOOLS_RUN_STABLE_STEP_H
#define PCM_TOOLS_RUN_STABLE_STEP_H

#include <pcm/mujoco.h>

typedef struct advice {
    pcm_mujoco          *host;
    size_t               steps, touching; /* number of steps so far, and of those with contacts */
    size_t               most;            /* the number of contacts at the last check */
    pcm_mujoco_stability least;
    double               time; /* s: time of the smallest one */
} advice;

advice advice_start(pcm_mujoco *host);

/* Checks the contacts after some of the steps: when there are more contacts than ever before, at regular intervals, and
 * at steps 1, 2, 4, 8 ... of those with contacts, since a short bounce has only a few. */
void advice_look(advice *a);

/* Warns if the step of the run is larger than the largest stable one. */
void advice_tell(const advice *a);

#endif
