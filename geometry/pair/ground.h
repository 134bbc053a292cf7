/* SPDX-License-Identifier: MIT */
/* ground.h - solids on a grid of heights. */
#ifndef PCM_GEOMETRY_GROUND_H
#define PCM_GEOMETRY_GROUND_H

#include "pair.h"

/* As pair_touch and pair_separate, for a grid and a solid that is not a compound. swapped: the call names the solid
 * first. */
void ground_touch(const body *field, const body *solid, double reach, bool swapped, pair_take *take, void *user);
void ground_separate(const body *field, const body *solid, bool swapped, pcm_separation *out);

#endif
