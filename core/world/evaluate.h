/* SPDX-License-Identifier: MIT */
/* evaluate.h - the pipeline over one block of a world. */
#ifndef PCM_WORLD_EVALUATE_H
#define PCM_WORLD_EVALUATE_H

#include "world.h"

/* The world's current evaluation. */
pcm_pass pcm_world_pass(const pcm_world *world);

/* Runs the pipeline over the block with this first row. Returns its faults. */
uint32_t pcm_world_run_block(pcm_world *world, const pcm_pass *pass, pcm_group *group, size_t first,
                             pcm_scratch *scratch);

/* Some rows of a block; either all or none of them are new. */
void pcm_world_run_rows(const pcm_world *world, const pcm_pass *pass, pcm_group *group, size_t row, size_t count,
                        pcm_scratch *scratch);

/* Evaluates rows of one block again as the last update saw them, into the world's scratch. */
void pcm_world_reevaluate(pcm_world *world, pcm_group *group, size_t row, size_t count);

/* The lane of the world's scratch with the row, evaluated again. Its neighbours in the same vectors are evaluated too,
 * at no cost, and stay cached until a call that may change them enters the world. */
size_t pcm_world_look(pcm_world *world, pcm_group *group, size_t row);

/* Reports why contacts of the block with that first row give no force. It evaluates them again, into the world's
 * scratch.
 */
void pcm_world_report_block(pcm_world *world, pcm_group *group, size_t first);

#endif
