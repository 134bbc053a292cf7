/* SPDX-License-Identifier: MIT */
#ifndef PCM_WORLD_PARALLEL_H
#define PCM_WORLD_PARALLEL_H

#include "world.h"

/* Sets up tasks, if the definition asks for them. */
pcm_status pcm_task_ranges_open(pcm_world *world, const pcm_world_def *def);
void       pcm_task_ranges_close(pcm_world *world);

/* Part of some work on an array: entries [first, end). Returns how many it accepted, from first on. Parts run
 * concurrently: each writes only data of its own entries, and starts no further parts. */
typedef size_t pcm_part(void *argument, size_t first, size_t end);

/* Does the work in the world's tasks, or in one part if that is better. Returns how many entries were accepted before
 * the first that was not; later parts may have run too. */
size_t pcm_world_run_parts(pcm_world *world, pcm_part *part, void *argument, size_t count);

/* Runs all blocks in tasks and counts their faults; false if it did nothing, because one task is better. */
bool pcm_world_run_task_ranges(pcm_world *world, const pcm_pass *pass, uint32_t *faults);

#endif
