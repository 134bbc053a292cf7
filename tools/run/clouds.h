/* SPDX-License-Identifier: MIT */
/* clouds.h - objects that touch by points of theirs, from tables with the columns `x`, `y` and `z`, in m, in the axes
 * of the object. */
#ifndef PCM_TOOLS_RUN_CLOUDS_H
#define PCM_TOOLS_RUN_CLOUDS_H

#include <pcm/mujoco.h>
#include <stdbool.h>

#include "options.h"

/* Gives the attachment what each text, "OBJECT=POINTS.csv", says. False, and reported, where one cannot be followed. */
bool clouds_give(const option_texts *texts, pcm_mujoco *host);

#endif
