/* SPDX-License-Identifier: MIT */
/* For hosts with their own solver: tried states, and a law's jumps at events. */
#include "evaluate.h"
#include "guard.h"
#include "touch.h"

pcm_status pcm_world_try_state(pcm_world *world, pcm_contact contact, const double *state)
{
    const pcm_status status = pcm_world_admit(world, state != NULL, __func__);
    pcm_group       *group = status == PCM_OK ? pcm_world_gather_contact(world, contact) : NULL;
    if (!group)
        return status == PCM_OK ? PCM_BAD_HANDLE : status;
    size_t row = world->slots[contact.index].row;
    if (row >= group->live)
        return pcm_world_reject(world, PCM_BAD_ORDER, __func__,
                                "the contact is new: its law gives it its first states; try states once it is "
                                "committed");
    if (group->n_state == 0)
        return PCM_OK;
    if (group->tried_stamp[row] != world->evaluation)
        group->tried++;
    group->tried_stamp[row] = world->evaluation;
    for (uint32_t k = 0; k < group->n_state; k++)
        *pcm_group_tried(group, k, row) = state[k];
    return PCM_OK;
}

static pcm_status jump(pcm_world *world, pcm_contact contact, uint32_t event, const char *call)
{
    if (!pcm_world_lives(world, contact))
        return PCM_BAD_HANDLE;
    if (world->phase != PCM_COMMITTED)
        return pcm_world_reject(world, PCM_BAD_ORDER, call, "states jump after a commit, before the next touch");
    pcm_group *group = &world->groups[world->slots[contact.index].group];
    size_t     row = world->slots[contact.index].row;
    if (event >= group->model->events.count)
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, call, "the contact's law has no event with that number");
    pcm_world_reevaluate(world, group, row, 1);
    pcm_scratch *s = world->scratch;
    for (uint32_t k = 0; k < group->n_state; k++) {
        s->state[k] = pcm_group_state(group, world->parity, k, row);
        s->next[k][0] = s->state[k][0];
    }
    s->batch.event_index = event;
    pcm_call_law(s, group, group->kernels->jump, &s->batch);
    for (uint32_t k = 0; k < group->n_state; k++)
        if (!isfinite(s->next[k][0]))
            return pcm_world_reject(world, PCM_BAD_MOTION, call, "the law's jump gives a state that is not finite");
    for (uint32_t k = 0; k < group->n_state;
         k++) /* writes the tried state too, which is read instead while it counts */
        *pcm_group_state(group, world->parity, k, row) = *pcm_group_tried(group, k, row) = s->next[k][0];
    return PCM_OK;
}

pcm_status pcm_world_jump(pcm_world *world, pcm_contact contact, uint32_t event)
{
    pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    status = jump(world, contact, event, __func__);
    pcm_world_leave(world);
    return status;
}
