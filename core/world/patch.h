/* SPDX-License-Identifier: MIT */
/* patch.h - the patch of a pair: all contacts of two objects, and what each of them stands for. */
#ifndef PCM_WORLD_PATCH_H
#define PCM_WORLD_PATCH_H

#include "world.h"

/* Completes what touches have said of patches, in groups that ask: the shares that they did not give, what forces are
 * scaled by, and what laws say of their pairs, for which it looks at all contacts of theirs. */
void pcm_world_weigh(pcm_world *world, const pcm_pass *pass);

/* Makes the scales of the last update the last committed ones. */
void pcm_world_keep_scales(pcm_world *world);

#endif
