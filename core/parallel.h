/* SPDX-License-Identifier: MIT */
#ifndef PCM_CORE_PARALLEL_H
#define PCM_CORE_PARALLEL_H

#include "world.h"

/* What an update in tasks needs, if the definition asks for tasks. */
pcm_status pcm_shares_open(pcm_world *world, const pcm_world_def *def);
void       pcm_shares_close(pcm_world *world);

/* Runs all blocks in tasks and counts their faults; false if it did nothing, because one task is better. */
bool pcm_world_run_shares(pcm_world *world, const pcm_pass *pass, uint32_t *faults);

#endif
