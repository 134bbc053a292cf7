/* SPDX-License-Identifier: MIT */
/* motion.h - makes moves effective for an evaluation. */
#ifndef PCM_WORLD_MOTION_H
#define PCM_WORLD_MOTION_H

#include "world.h"

/* Swaps motion that was set since the last evaluation to the front, and clears wrenches. */
void pcm_world_turn_motion(pcm_world *world);

#endif
