/* SPDX-License-Identifier: MIT */
/* patch.h - the patch of a pair: all contacts of two objects, and what each of them stands for. */
#ifndef PCM_WORLD_PATCH_H
#define PCM_WORLD_PATCH_H

#include "world.h"

/* Completes what touches have said of patches, in groups that ask: the shares that they did not give, and what forces
 * are scaled by. */
void pcm_world_weigh(pcm_world *world);

#endif
