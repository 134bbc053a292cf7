/* SPDX-License-Identifier: MIT */
#include "events.h"
#include "evaluate.h"
#include "guard.h"

pcm_status pcm_events_reserve(pcm_world *world)
{
    size_t wanted = world->n_events;
    for (size_t g = 0; g < world->n_groups; g++)
        wanted += 2 * world->groups[g].count; /* each may change its mode, and end */
    if (!world->keeps_events ||
        pcm_grow(world->context, &world->events, &world->event_capacity, wanted, sizeof *world->events))
        return PCM_OK;
    return PCM_NO_MEMORY;
}

void pcm_events_begin(pcm_world *world)
{
    const size_t since = world->n_events - world->n_committed_events;
    if (since > 0 && world->n_committed_events > 0)
        memmove(world->events, world->events + world->n_committed_events, since * sizeof *world->events);
    world->n_events = since;
}

static int64_t mode_of(uint16_t kept) { return (int64_t)kept - 1; }

static void add(pcm_world *world, const pcm_group *group, size_t row, pcm_contact_change change, uint16_t mode)
{
    const pcm_identity *identity = &group->identity[row];
    const uint32_t      base = pcm_side_object(group->record[row].base),
                   follower = pcm_side_object(group->record[row].follower);
    world->events[world->n_events++] = (pcm_contact_event){
        .size = sizeof(pcm_contact_event),
        .change = change,
        .time = world->time,
        .id = identity->id,
        .feature = identity->feature,
        .rule = world->pairs[identity->pair].rule,
        .base = pcm_world_handle(world, base),
        .follower = pcm_world_handle(world, follower),
        .mode_before = mode_of(world->slots[identity->slot].mode),
        .mode = mode_of(mode),
    };
}

void pcm_events_end(pcm_world *world, const pcm_group *group, size_t row, pcm_contact_change change)
{
    if (world->keeps_events)
        add(world, group, row, change, 0);
}

void pcm_events_look(pcm_world *world, const pcm_group *group, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const pcm_identity *identity = &group->identity[first + i];
        pcm_contact_slot   *slot = &world->slots[identity->slot];
        const uint16_t      mode = group->mode[first + i];
        const bool          tentative = first + i >= group->live;
        if (!identity->id)
            continue;
        if (tentative)
            add(world, group, first + i, PCM_CONTACT_MADE, mode);
        else if (slot->mode != 0 && slot->mode != mode)
            add(world, group, first + i, PCM_CONTACT_MODE, mode);
        slot->mode = mode;
    }
}

void pcm_events_free(pcm_world *world)
{
    pcm_free(world->context, world->events, world->event_capacity * sizeof *world->events);
    world->events = NULL;
    world->event_capacity = world->n_events = world->n_committed_events = 0;
}

/* Computes the modes of an update that did not keep them. */
static void find_modes(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        for (size_t first = 0; first < group->count; first += PCM_BLOCK) {
            const size_t count = pcm_group_block_rows(group, first);
            pcm_world_reevaluate(world, group, first, count);
            pcm_keep_modes(world->scratch, group, first, count);
        }
    }
}

pcm_status pcm_world_keep_events(pcm_world *world, bool keep)
{
    const pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    if (keep && !world->keeps_events && world->phase == PCM_EVALUATED)
        find_modes(world);
    world->keeps_events = keep;
    if (!keep)
        pcm_events_free(world);
    for (size_t i = 0; !keep && i < world->n_slots; i++)
        world->slots[i].mode = 0;
    pcm_world_leave(world);
    return PCM_OK;
}

size_t pcm_world_event_count(const pcm_world *world)
{
    return pcm_world_admit(world, true, __func__) == PCM_OK ? world->n_events : 0;
}

pcm_status pcm_world_event_at(const pcm_world *world, size_t index, pcm_contact_event *event)
{
    const pcm_status status = pcm_world_admit(world, event != NULL, __func__);
    if (status != PCM_OK)
        return status;
    if (index >= world->n_events)
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                                "there are not so many events: see pcm_world_event_count");
    return pcm_info_fill(world->context, "pcm_contact_event", event, event->size, &world->events[index]);
}
