/* SPDX-License-Identifier: MIT */
/* set.c - a program sets a parameter in a world. */
#include "guard.h"
#include "settings.h"
#include "touch.h"
#include <pcm/setting.h>

/* Adds it to the list of settings, for which there is room, or replaces its number there. Returns its old number. */
static double enter(pcm_world *world, const pcm_override *given)
{
    for (size_t i = 0; i < world->n_settings; i++)
        if (world->settings[i].type == given->type && world->settings[i].param == given->param) {
            const double was = world->settings[i].number;
            world->settings[i].number = given->number;
            return was;
        }
    world->settings[world->n_settings++] = *given;
    return given->number;
}

static pcm_status draft_types(pcm_world *world, uint32_t type)
{
    pcm_status status = PCM_OK;
    for (size_t g = 0; g < world->n_groups && status == PCM_OK; g++)
        if (world->groups[g].given->info.index == type)
            status = pcm_settings_draft(world, &world->groups[g], world->settings, world->n_settings);
    return status;
}

static pcm_status set(pcm_world *world, const pcm_override *given)
{
    const size_t settings = world->n_settings;
    if (!pcm_override_fits(world->config, given))
        return PCM_BAD_ARGUMENT;
    if (!pcm_grow(world->context, &world->settings, &world->setting_capacity, settings + 1, sizeof *world->settings))
        return PCM_NO_MEMORY;
    pcm_override     old = {given->type, given->param, enter(world, given)};
    const pcm_status status = draft_types(world, given->type);
    if (status != PCM_OK) {
        enter(world, &old);
        world->n_settings = settings;
        return status;
    }
    if (world->phase == PCM_EVALUATED)
        pcm_world_forget(world);
    for (size_t g = 0; g < world->n_groups; g++)
        if (world->groups[g].given->info.index == given->type)
            pcm_settings_use_draft(&world->groups[g]);
    return PCM_OK;
}

pcm_status pcm_world_set(pcm_world *world, const char *name, double value)
{
    pcm_override given;
    pcm_status   status = pcm_world_enter(world, name != NULL, __func__);
    if (status != PCM_OK)
        return status;
    status = PCM_BAD_ARGUMENT;
    if (pcm_override_find(world->config, name, &given)) {
        given.number = value;
        status = set(world, &given);
    }
    pcm_world_leave(world);
    return status;
}

pcm_status pcm_world_set_value(pcm_world *world, const pcm_type *type, size_t index, double value)
{
    pcm_status status = pcm_world_enter(world, type != NULL, __func__);
    if (status != PCM_OK)
        return status;
    const uint32_t number = type->info.index;
    if (number >= world->n_types || world->groups[number].given != type || index >= type->info.model->params.count)
        status = pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                                  "this is no contact type of the world's file, or its law has no such parameter");
    else
        status = set(world, &(const pcm_override){number, (uint32_t)index, value});
    pcm_world_leave(world);
    return status;
}

size_t pcm_world_setting_count(const pcm_world *world) { return world->n_settings; }

void pcm_world_setting_into(const pcm_world *world, size_t index, pcm_world_setting *setting, size_t size)
{
    pcm_world_setting found = {.size = sizeof found};
    if (index < world->n_settings) {
        const pcm_override *known = &world->settings[index];
        found.type = world->groups[known->type].given;
        found.index = known->param;
        found.value = known->number;
    }
    pcm_info_fill(NULL, NULL, setting, size, &found);
}
