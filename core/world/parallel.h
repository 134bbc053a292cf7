/* SPDX-License-Identifier: MIT */
#ifndef PCM_WORLD_PARALLEL_H
#define PCM_WORLD_PARALLEL_H

#include "world.h"

/* What an update in tasks needs, if the definition asks for tasks. */
pcm_status pcm_task_ranges_open(pcm_world *world, const pcm_world_def *def);
void       pcm_task_ranges_close(pcm_world *world);

/* A part of some work on an array: entries [first, end). Returns how many it took, from first on. Parts run at the same
 * time on several threads: each writes only what belongs to its entries, and starts no parts of its own. */
typedef size_t pcm_part(void *argument, size_t first, size_t end);

/* Does the work in the world's tasks, or in one part where that is better. Returns how many entries were taken, up to
 * the first that was not; parts behind it may have been at work. */
size_t pcm_world_run_parts(pcm_world *world, pcm_part *part, void *argument, size_t count);

/* Runs all blocks in tasks and counts their faults; false if it did nothing, because one task is better. */
bool pcm_world_run_task_ranges(pcm_world *world, const pcm_pass *pass, uint32_t *faults);

#endif
