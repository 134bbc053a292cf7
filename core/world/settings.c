/* SPDX-License-Identifier: MIT */
#include "settings.h"
#include <pcm/messages.h>

/* ---- Types of groups --------------------------------------------------------------------------------------------- */

static bool concerns(const pcm_override *list, size_t count, const pcm_group *group)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].type == group->given->info.index)
            return true;
    return false;
}

static bool has_room(pcm_group *group)
{
    group->own = group->own ? group->own : pcm_type_room(group->given);
    group->draft = group->draft ? group->draft : pcm_type_room(group->given);
    return group->own && group->draft;
}

pcm_status pcm_settings_draft(pcm_world *world, pcm_group *group, const pcm_override *list, size_t count)
{
    if (!concerns(list, count, group))
        return PCM_OK;
    if (!has_room(group)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to set parameters of '%s'",
                   group->given->info.name);
        return PCM_NO_MEMORY;
    }
    return pcm_type_override(group->given, list, count, group->draft) ? PCM_OK : PCM_BAD_ARGUMENT;
}

void pcm_settings_use_draft(pcm_group *group)
{
    pcm_type_room_copy(group->own, group->draft);
    group->type = group->own;
    group->separation = group->type->info.common->separation;
}

static void use_file(pcm_group *group)
{
    group->type = group->given;
    group->separation = group->type->info.common->separation;
}

pcm_status pcm_settings_open(pcm_world *world, pcm_group *group)
{
    const pcm_status status = pcm_settings_draft(world, group, world->settings, world->n_settings);
    if (status == PCM_OK && concerns(world->settings, world->n_settings, group))
        pcm_settings_use_draft(group);
    return status;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

pcm_status pcm_settings_prepare(pcm_world *world, const pcm_override *list, size_t count)
{
    if (!pcm_grow(world->context, &world->settings, &world->setting_capacity, count, sizeof *world->settings))
        return PCM_NO_MEMORY;
    for (size_t g = 0; g < world->n_groups; g++) {
        const pcm_status status = pcm_settings_draft(world, &world->groups[g], list, count);
        if (status != PCM_OK)
            return status == PCM_NO_MEMORY ? status : PCM_BAD_CHECKPOINT;
    }
    return PCM_OK;
}

void pcm_settings_take(pcm_world *world, const pcm_override *list, size_t count)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        if (concerns(list, count, group))
            pcm_settings_use_draft(group);
        else if (group->type != group->given)
            use_file(group);
    }
    if (count > 0)
        memcpy(world->settings, list, count * sizeof *list);
    world->n_settings = count;
}
