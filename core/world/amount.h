/* SPDX-License-Identifier: MIT */
/* amount.h - amounts of objects, such as temperatures, to which flows of contacts are summed. */
#ifndef PCM_WORLD_AMOUNT_H
#define PCM_WORLD_AMOUNT_H

#include "world.h"

/* Initialises the amounts of a new object. */
void pcm_amounts_start(pcm_world *world, uint32_t object);

/* Before an update: stores the values that it reads. */
void pcm_amounts_latch(pcm_world *world);

/* After an update: sums the flows of all contacts, in the order of groups and rows, independent of tasks. */
void pcm_amounts_sum(pcm_world *world);

/* At a commit: integrates the flows over the step. */
void pcm_amounts_step(pcm_world *world);

#endif
