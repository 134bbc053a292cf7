/* SPDX-License-Identifier: MIT */
/* amount.h - amounts of objects: what contacts sum to beside wrenches. */
#ifndef PCM_WORLD_AMOUNT_H
#define PCM_WORLD_AMOUNT_H

#include "world.h"

/* Those of an object that is new. */
void pcm_amounts_start(pcm_world *world, uint32_t object);

/* Before an update: what it sees. */
void pcm_amounts_latch(pcm_world *world);

/* After it: sums the flows of all contacts, in the order of groups and rows, whatever the tasks. */
void pcm_amounts_sum(pcm_world *world);

/* At a commit: adds what has flown in the step. */
void pcm_amounts_step(pcm_world *world);

#endif
