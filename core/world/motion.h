/* SPDX-License-Identifier: MIT */
/* motion.h - what an evaluation gets from moves. */
#ifndef PCM_WORLD_MOTION_H
#define PCM_WORLD_MOTION_H

#include "world.h"

/* Turns what was moved since the last evaluation to the front, and makes wrenches zero. */
void pcm_world_turn_motion(pcm_world *world);

#endif
