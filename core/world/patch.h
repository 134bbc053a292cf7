/* SPDX-License-Identifier: MIT */
/* patch.h - the patch of a pair: all contacts of two objects, and their shares. */
#ifndef PCM_WORLD_PATCH_H
#define PCM_WORLD_PATCH_H

#include "world.h"

/* Completes the patches, in groups that use them: computes missing shares and the scales of forces, and calls verbs per
 * pair, for which it evaluates all contacts of theirs. */
void pcm_world_weigh(pcm_world *world, const pcm_pass *pass);

/* Makes the scales of the last update the last committed ones. */
void pcm_world_keep_scales(pcm_world *world);

#endif
