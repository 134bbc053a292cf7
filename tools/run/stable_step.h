/* SPDX-License-Identifier: MIT */
/* stable_step.h - the smallest of the largest stable steps over a run. */
#ifndef PCM_TOOLS_RUN_STABLE_STEP_H
#define PCM_TOOLS_RUN_STABLE_STEP_H

#include <pcm/mujoco.h>

typedef struct advice {
    pcm_mujoco          *host;
    size_t               steps, touching; /* steps seen; steps with contacts */
    size_t               most;            /* the number of contacts at the last check */
    pcm_mujoco_stability least;
    double               time; /* s: time of the smallest */
} advice;

advice advice_start(pcm_mujoco *host);

/* Checks the contacts after some steps: when there are more contacts than ever, at regular intervals, and at steps 1,
 * 2, 4, 8 ... of those with contacts, as a short bounce has few of them. */
void advice_look(advice *a);

/* Warns where the step of the run is larger than the largest stable one. */
void advice_tell(const advice *a);

#endif
