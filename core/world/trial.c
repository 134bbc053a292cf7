/* SPDX-License-Identifier: MIT */
/* What solvers of their own need: to try states, and to let a law change them at an event. */
#include "evaluate.h"
#include "touch.h"

pcm_status pcm_world_try_state(pcm_world *world, pcm_contact contact, const double *state)
{
    pcm_group *group = pcm_world_gather_contact(world, contact);
    if (!group)
        return PCM_BAD_HANDLE;
    size_t row = world->slots[contact.index].row;
    if (row >= group->live)
        return PCM_BAD_HANDLE;
    if (group->n_state == 0)
        return PCM_OK;
    if (group->tried_stamp[row] != world->evaluation)
        group->tried++;
    group->tried_stamp[row] = world->evaluation;
    for (uint32_t k = 0; k < group->n_state; k++)
        *pcm_group_tried(group, k, row) = state[k];
    return PCM_OK;
}

pcm_status pcm_world_jump(pcm_world *world, pcm_contact contact, uint32_t event)
{
    if (!pcm_world_lives(world, contact))
        return PCM_BAD_HANDLE;
    if (world->phase != PCM_COMMITTED)
        return PCM_BAD_ORDER;
    pcm_group *group = &world->groups[world->slots[contact.index].group];
    size_t     row = world->slots[contact.index].row;
    if (event >= group->model->events.count)
        return PCM_BAD_ARGUMENT;
    pcm_world_reevaluate(world, group, row, 1);
    pcm_scratch *s = world->scratch;
    for (uint32_t k = 0; k < group->n_state; k++) {
        s->state[k] = pcm_group_state(group, world->parity, k, row);
        s->next[k][0] = s->state[k][0];
    }
    s->batch.event_index = event;
    group->kernels->jump(&s->batch);
    for (uint32_t k = 0; k < group->n_state; k++)
        if (!isfinite(s->next[k][0]))
            return PCM_BAD_MOTION;
    for (uint32_t k = 0; k < group->n_state; k++)
        *pcm_group_state(group, world->parity, k, row) = s->next[k][0];
    return PCM_OK;
}
