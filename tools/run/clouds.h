/* SPDX-License-Identifier: MIT */
/* clouds.h - objects that touch by points on them, read from tables with the columns `x`, `y` and `z`, in m, in the
 * object's axes. */
#ifndef PCM_TOOLS_RUN_CLOUDS_H
#define PCM_TOOLS_RUN_CLOUDS_H

#include <pcm/mujoco.h>
#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* Adds the points of each text, "OBJECT=POINTS.csv", to the attachment. hash: of all files; 0: there are none. False,
 * with a report, on failure. */
bool clouds_give(const option_texts *texts, pcm_mujoco *host, uint64_t *hash);

#endif
