/* SPDX-License-Identifier: MIT */
/* For hosts with their own solver: tried states, and a law's jumps at events. */
#include "evaluate.h"
#include "guard.h"
#include "touch.h"
#include <pcm/bond.h>

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

/* Evaluates the contact of a law that is to change its committed states, which are then in s->state and s->next.
 * NULL: the call is rejected, for the reason in *status. */
static pcm_group *look_at_states(pcm_world *world, pcm_contact contact, pcm_status *status, const char *call)
{
    *status = PCM_BAD_HANDLE;
    if (!pcm_world_lives(world, contact))
        return NULL;
    *status = PCM_OK;
    if (world->phase != PCM_COMMITTED)
        *status = pcm_world_reject(world, PCM_BAD_ORDER, call, "states change after a commit, before the next touch");
    if (*status != PCM_OK)
        return NULL;
    pcm_group   *group = &world->groups[world->slots[contact.index].group];
    const size_t row = world->slots[contact.index].row;
    pcm_scratch *s = world->scratch;
    pcm_world_reevaluate(world, group, row, 1);
    for (uint32_t k = 0; k < group->n_state; k++) {
        s->state[k] = pcm_group_state(group, world->parity, k, row);
        s->next[k][0] = s->state[k][0];
    }
    return group;
}

/* Commits what the law has written into s->next. */
static pcm_status take_states(pcm_world *world, pcm_contact contact, pcm_group *group, const char *call)
{
    const size_t       row = world->slots[contact.index].row;
    const pcm_scratch *s = world->scratch;
    for (uint32_t k = 0; k < group->n_state; k++)
        if (!isfinite(s->next[k][0]))
            return pcm_world_reject(world, PCM_BAD_MOTION, call, "the law gives a state that is not finite");
    for (uint32_t k = 0; k < group->n_state;
         k++) /* writes the tried state too, which is read instead while it counts */
        *pcm_group_state(group, world->parity, k, row) = *pcm_group_tried(group, k, row) = s->next[k][0];
    return PCM_OK;
}

static pcm_status jump(pcm_world *world, pcm_contact contact, uint32_t event, const char *call)
{
    pcm_status   status;
    pcm_scratch *s = world->scratch;
    pcm_group   *group = look_at_states(world, contact, &status, call);
    if (!group)
        return status;
    if (event >= group->model->events.count)
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, call, "the contact's law has no event with that number");
    s->batch.event_index = event;
    pcm_call_law(s, group, group->kernels->jump, &s->batch);
    return take_states(world, contact, group, call);
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

static pcm_status bond(pcm_world *world, pcm_contact contact, bool *bonded, const char *call)
{
    static const double fresh = 1;
    pcm_status          status;
    size_t              made;
    pcm_group          *group = look_at_states(world, contact, &status, call);
    if (!group)
        return status;
    if (!(group->model->inputs & PCM_FRESH))
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, call, "the contact's law makes no bonds");
    pcm_batch batch = world->scratch->batch;
    batch.fresh = &fresh;
    status = pcm_type_bond(group->type, &batch, &made);
    if (status == PCM_OK)
        status = take_states(world, contact, group, call);
    if (bonded)
        *bonded = status == PCM_OK && made > 0;
    return status;
}

pcm_status pcm_world_bond(pcm_world *world, pcm_contact contact, bool *bonded)
{
    pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    status = bond(world, contact, bonded, __func__);
    pcm_world_leave(world);
    return status;
}
