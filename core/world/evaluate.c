/* SPDX-License-Identifier: MIT */
/* evaluate.c - runs the pipeline over one block, for the first time or again. */
#include "evaluate.h"

pcm_pass pcm_world_pass(const pcm_world *world)
{
    return (pcm_pass){.twist = world->twist[world->front],
                      .pose = world->pose[world->front],
                      .fresh = world->fresh,
                      .amount = world->amount,
                      .n_amounts = world->n_amounts,
                      .surface = world->surface,
                      .wrench = world->wrench,
                      .time = world->time,
                      .dt = world->dt,
                      .modes = world->keeps_events,
                      .evaluation = world->evaluation,
                      .parity = world->source};
}

void pcm_world_run_rows(const pcm_world *world, const pcm_pass *pass, pcm_group *group, size_t row, size_t count,
                        pcm_scratch *scratch)
{
    world->run_block(pass, group, row, count, scratch);
}

uint32_t pcm_world_run_block(pcm_world *world, const pcm_pass *pass, pcm_group *group, size_t first,
                             pcm_scratch *scratch)
{
    pcm_block_note *note = &group->note[first / PCM_BLOCK];
    size_t          end = first + pcm_group_block_rows(group, first);
    size_t          live_end = group->live < first ? first : group->live < end ? group->live : end;
    *note = (pcm_block_note){0};
    if (live_end > first)
        pcm_world_run_rows(world, pass, group, first, live_end - first, scratch);
    if (end > live_end)
        pcm_world_run_rows(world, pass, group, live_end, end - live_end, scratch);
    return note->faults;
}

void pcm_world_reevaluate(pcm_world *world, pcm_group *group, size_t row, size_t count)
{
    pcm_pass pass = pcm_world_pass(world);
    pass.wrench = NULL;
    pcm_world_run_rows(world, &pass, group, row, count, world->scratch);
}

size_t pcm_world_look(pcm_world *world, pcm_group *group, size_t row)
{
    enum { TOGETHER = 16 }; /* divides PCM_BLOCK */
    pcm_looked *looked = &world->looked;
    if (looked->group != group || row < looked->first || row - looked->first >= looked->count) {
        const size_t first = row - row % TOGETHER, left = group->count - first;
        *looked = (pcm_looked){group, first, left < TOGETHER ? left : TOGETHER};
        pcm_world_reevaluate(world, group, first, looked->count);
    }
    return row - looked->first;
}
