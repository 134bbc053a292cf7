/* SPDX-License-Identifier: MIT */
#include "mixed_groups.h"
#include "pair.h"
#include "settings.h"
#include <pcm/messages.h>

/* The entry for a mixed type: its group + 1; 0: new to the world, PCM_NO_GROUP: it cannot be made. */
static uint32_t *place_of(const pcm_world *world, const pcm_type *type)
{
    return &world->mixed_groups[type->number - world->n_types];
}

static pcm_status open_group(pcm_world *world, const pcm_type *type)
{
    if (!pcm_grow(world->context, &world->groups, &world->group_capacity, world->n_groups + 1, sizeof *world->groups))
        return PCM_NO_MEMORY;
    const pcm_group *written = &world->groups[type->info.index];
    pcm_group       *group = &world->groups[world->n_groups];
    pcm_status       status = pcm_group_open(world->context, group, type, world->isa);
    if (status == PCM_OK && pcm_settings_open(world, group) != PCM_OK) {
        pcm_group_close(world->context, group);
        status = PCM_NO_MEMORY;
    }
    if (status != PCM_OK)
        return status;
    group->n_ledger = written->n_ledger;
    group->rule = written->rule;
    group->shared = written->shared;
    *place_of(world, type) = (uint32_t)++world->n_groups;
    return PCM_OK;
}

/* Handles two surfaces for which the type cannot be made: reports the reasons that are not reported yet. */
static pcm_status fail(pcm_world *world, const pcm_type *type, const char *const surface[2])
{
    const bool first = *place_of(world, type) == 0;
    *place_of(world, type) = PCM_NO_GROUP;
    pcm_type_tell_failure(type, surface, &world->told_surfaces, first);
    return PCM_OK;
}

/* The type's group, opened when the world first meets the type. */
static pcm_status meet(pcm_world *world, const pcm_type *type, const char *const surface[2])
{
    if (type->failure != NULL)
        return fail(world, type, surface);
    return *place_of(world, type) == 0 ? open_group(world, type) : PCM_OK;
}

pcm_status pcm_world_group_between(pcm_world *world, const pcm_type *type, const uint32_t material[2],
                                   const char *const surface[2], uint32_t *group)
{
    const pcm_type *mixed = pcm_type_mixed(type, material[0], material[1]);
    *group = mixed == type ? type->info.index : PCM_NO_GROUP;
    if (mixed == type)
        return PCM_OK;
    if (!mixed ||
        !pcm_grow(world->context, &world->mixed_groups, &world->mixed_capacity, mixed->number - world->n_types + 1,
                  sizeof *world->mixed_groups) ||
        meet(world, mixed, surface) != PCM_OK) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for contacts of '%s' between materials",
                   type->info.name);
        return PCM_NO_MEMORY;
    }
    const uint32_t place = *place_of(world, mixed);
    *group = place == PCM_NO_GROUP ? PCM_NO_GROUP : place - 1;
    return PCM_OK;
}

void pcm_world_forget_groups(pcm_world *world, size_t count)
{
    if (world->n_groups == count)
        return;
    pcm_world_drop_pairs_of(world, (uint32_t)count);
    while (world->n_groups > count) {
        pcm_group *group = &world->groups[--world->n_groups];
        *place_of(world, group->type) = 0;
        pcm_group_close(world->context, group);
    }
}

/* Pairs refer to groups by index. While groups are reordered they refer to the type instead; and back. */
static void pairs_know_types(pcm_world *world)
{
    for (size_t i = 0; i < world->n_pairs; i++)
        if (world->pairs[i].group != PCM_NO_GROUP && world->pairs[i].group >= world->n_types)
            world->pairs[i].group = world->groups[world->pairs[i].group].type->number;
}

static void pairs_know_groups(pcm_world *world)
{
    for (size_t i = 0; i < world->n_pairs; i++)
        if (world->pairs[i].group != PCM_NO_GROUP && world->pairs[i].group >= world->n_types)
            world->pairs[i].group = world->mixed_groups[world->pairs[i].group - world->n_types] - 1;
}

void pcm_world_order_groups(pcm_world *world, uint32_t *order, size_t count)
{
    if (count == 0)
        return;
    pairs_know_types(world);
    for (size_t i = 0; i < count; i++) {
        const uint32_t  to = (uint32_t)(world->n_types + i), from = order[i];
        const pcm_group moved = world->groups[to];
        world->groups[to] = world->groups[from];
        world->groups[from] = moved;
        for (size_t k = i + 1; k < count; k++)
            order[k] = order[k] == to ? from : order[k];
    }
    for (size_t g = world->n_types; g < world->n_groups; g++)
        *place_of(world, world->groups[g].type) = (uint32_t)g + 1;
    pairs_know_groups(world);
}
