/* SPDX-License-Identifier: MIT */
/* stable_step.h - the smallest of the largest stable steps of a run. */
#ifndef PCM_TOOLS_RUN_STABLE_STEP_H
#define PCM_TOOLS_RUN_STABLE_STEP_H

#include <pcm/mujoco.h>

typedef struct advice {
    pcm_mujoco          *host;
    size_t               steps, touching; /* seen; those with contacts */
    size_t               most;            /* contacts at a look */
    pcm_mujoco_stability least;
    double               time; /* s: when that was */
} advice;

advice advice_start(pcm_mujoco *host);

/* Looks at the contacts after a step, now and then: when there are more than ever, every so many steps, and at
 * steps 1, 2, 4, 8 ... of those with contacts, which a short bounce has few of. */
void advice_look(advice *a);

/* Warns where the step of the run is larger than the largest stable one. */
void advice_tell(const advice *a);

#endif
