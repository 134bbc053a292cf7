/* SPDX-License-Identifier: MIT */
#include "amount.h"
#include "guard.h"
#include <pcm/amount.h>

static pcm_amount_line *lines_of(const pcm_world *world, uint32_t object)
{
    return world->amount + object * world->n_amounts;
}

void pcm_amounts_start(pcm_world *world, uint32_t object)
{
    for (size_t k = 0; k < world->n_amounts; k++) {
        const pcm_amount *amount = pcm_config_amount_at(world->config, k);
        lines_of(world, object)[k] =
            (pcm_amount_line){.value = amount->initial,
                              .seen = amount->initial,
                              .inverse_capacity = amount->capacity > 0 ? 1 / amount->capacity : 0};
    }
}

void pcm_amounts_latch(pcm_world *world)
{
    for (size_t i = 0; i < world->n_bodies * world->n_amounts; i++) {
        world->amount[i].seen = world->amount[i].value;
        world->amount[i].flow = 0;
    }
}

static void sum_group(pcm_world *world, const pcm_group *group)
{
    const uint32_t half = group->n_flow / 2;
    for (size_t row = 0; row < group->count; row++) {
        pcm_amount_line *base = lines_of(world, pcm_side_object(group->record[row].base));
        pcm_amount_line *follower = lines_of(world, pcm_side_object(group->record[row].follower));
        for (uint32_t k = 0; k < half; k++) {
            base[group->amount[k]].flow += *pcm_group_flow(group, k, row);
            follower[group->amount[k]].flow += *pcm_group_flow(group, half + k, row);
        }
    }
}

void pcm_amounts_sum(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++)
        if (world->groups[g].n_flow)
            sum_group(world, &world->groups[g]);
}

void pcm_amounts_step(pcm_world *world)
{
    for (size_t i = 0; i < world->n_bodies * world->n_amounts; i++) {
        pcm_amount_line *line = &world->amount[i];
        line->value += world->dt * line->flow * line->inverse_capacity;
    }
}

/* ---- For hosts -------------------------------------------------------------------------------------------------- */

/* NULL, with the status, if there is no such object or amount. */
static pcm_amount_line *find(const pcm_world *world, pcm_object object, size_t amount, pcm_status *status,
                             const char *call)
{
    if (amount >= world->n_amounts)
        *status =
            pcm_world_reject(world, PCM_BAD_ARGUMENT, call, "the laws of the configuration have not so many amounts");
    else if (!pcm_world_has(world, object))
        *status = PCM_BAD_HANDLE;
    return *status == PCM_OK ? &lines_of(world, object.index)[amount] : NULL;
}

pcm_status pcm_world_amount(const pcm_world *world, pcm_object object, size_t amount, pcm_amount_info *info)
{
    pcm_status status = pcm_world_admit(world, info != NULL, __func__);
    if (status != PCM_OK)
        return status;
    const pcm_amount_line *line = find(world, object, amount, &status, __func__);
    if (!line)
        return status;
    const pcm_amount_info known = {.size = sizeof known,
                                   .value = line->value,
                                   .flow = line->flow,
                                   .capacity = line->inverse_capacity > 0 ? 1 / line->inverse_capacity : 0};
    return pcm_info_fill(world->context, "pcm_amount_info", info, info->size, &known);
}

pcm_status pcm_world_set_amount(pcm_world *world, pcm_object object, size_t amount, double value)
{
    pcm_status status = pcm_world_admit(world, true, __func__);
    if (status != PCM_OK)
        return status;
    if (!isfinite(value))
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__, "an amount is a finite number");
    pcm_amount_line *line = find(world, object, amount, &status, __func__);
    if (line)
        line->value = value;
    return status;
}

pcm_status pcm_world_set_capacity(pcm_world *world, pcm_object object, size_t amount, double capacity)
{
    pcm_status status = pcm_world_admit(world, true, __func__);
    if (status != PCM_OK)
        return status;
    if (!isfinite(capacity) || !(capacity >= 0))
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__, "a capacity is a finite number of 0 or more");
    pcm_amount_line *line = find(world, object, amount, &status, __func__);
    if (line)
        line->inverse_capacity = capacity > 0 ? 1 / capacity : 0;
    return status;
}
