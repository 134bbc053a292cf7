/* SPDX-License-Identifier: MIT */
/* stable_step.h - the smallest of the largest stable steps of a run. */
#ifndef PCM_TOOLS_RUN_STABLE_STEP_H
#define PCM_TOOLS_RUN_STABLE_STEP_H

#include <pcm/mujoco.h>

typedef struct advice {
    pcm_mujoco          *host;
    size_t               steps, most; /* seen; contacts at a look */
    pcm_mujoco_stability least;
    double               time; /* s: when that was */
} advice;

advice advice_start(pcm_mujoco *host);

/* Looks at the contacts after a step, now and then: when there are more than ever, and every so many steps. */
void advice_look(advice *a);

/* Warns where the step of the run is larger than the largest stable one. */
void advice_tell(const advice *a);

#endif
