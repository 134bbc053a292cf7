/* SPDX-License-Identifier: MIT */
#include "ending.h"
#include "contact_info.h"
#include "evaluate.h"
#include "events.h"
#include "sensing.h"

bool pcm_endings_wanted(const pcm_world *world, uint32_t g) { return world->ended || pcm_world_log(world, g)->type; }

pcm_status pcm_record_reserve(pcm_world *world, uint32_t g, size_t row)
{
    const pcm_record *record = &world->groups[g].record[row];
    return pcm_log_reserve(world->context, pcm_world_log(world, g), world->bodies[pcm_side_object(record->base)].name,
                           world->bodies[pcm_side_object(record->follower)].name);
}

void pcm_world_terminate(pcm_world *world, const pcm_group *group, size_t count)
{
    pcm_scratch   *s = world->scratch;
    const uint32_t writes = group->model->outputs;
    for (size_t i = 0; i < count; i++) {
        s->lost_energy[i] = !(writes & PCM_ENERGY) ? 0 : group->scales ? s->lost_energy[i] : s->energy[i];
        s->lost_heat[i] = 0;
    }
    for (uint32_t k = 0; k < group->n_state; k++)
        s->state[k] = s->next[k];
    pcm_batch last = s->batch;
    last.count = count;
    last.energy = s->lost_energy;
    last.dissipation = s->lost_heat;
    pcm_call_law(s, group, group->kernels->terminate, &last);
    for (size_t i = 0; group->scales && i < count; i++) {
        s->lost_energy[i] *= s->scale[i];
        s->lost_heat[i] *= s->scale[i];
    }
}

void pcm_record_row(pcm_world *world, uint32_t g, size_t row, size_t lane, const pcm_end *end)
{
    const pcm_scratch *s = world->scratch;
    pcm_group         *group = &world->groups[g];
    pcm_log_file      *log = pcm_world_log(world, g);
    pcm_contact_info   info;
    pcm_sensing        sensing;
    pcm_ending         ending;
    const uint32_t     writes = group->model->outputs;
    pcm_world_describe(world, group, row, lane, &info);
    if (end)
        ending = (pcm_ending){.size = sizeof ending,
                              .contact = &info,
                              .reason = *end,
                              .time = world->time,
                              .energy = writes & PCM_ENERGY ? s->lost_energy[lane] : 0,
                              .dissipation = writes & PCM_DISSIPATION ? s->lost_heat[lane] : 0};
    if (log->type) {
        pcm_world_measure(world, &info, &sensing);
        pcm_log_row(world->context, log, world->time, &info, &sensing, end ? &ending : NULL);
    }
    if (end && world->ended)
        world->ended(world->ended_user, &ending);
}

/* ---- Objects that go ------------------------------------------------------------------------------------------- */

static bool is_of(const pcm_group *group, size_t row, uint32_t object)
{
    const pcm_record *record = &group->record[row];
    return pcm_side_object(record->base) == object || pcm_side_object(record->follower) == object;
}

/* Evaluates the row alone, at its committed states, as a contact that is not reported. */
static void look_at_committed(pcm_world *world, pcm_group *group, size_t row)
{
    pcm_pass pass = pcm_world_pass(world);
    pass.wrench = NULL;
    pass.parity = world->parity;
    pass.dt = 0;
    pcm_world_run_rows(world, &pass, group, row, 1, world->scratch);
}

static void end_removed(pcm_world *world, uint32_t g, size_t row)
{
    const pcm_end removed = PCM_END_REMOVED;
    look_at_committed(world, &world->groups[g], row);
    pcm_world_terminate(world, &world->groups[g], 1);
    pcm_record_row(world, g, row, 0, &removed);
}

pcm_status pcm_endings_of_object(pcm_world *world, uint32_t object)
{
    if (pcm_events_reserve(world) != PCM_OK)
        return PCM_NO_MEMORY;
    for (size_t i = 0; i < world->n_types; i++)
        pcm_log_begin(&world->logs[i]);
    for (uint32_t g = 0; g < world->n_groups; g++)
        for (size_t row = 0; pcm_world_log(world, g)->type && row < world->groups[g].live; row++)
            if (is_of(&world->groups[g], row, object) && pcm_record_reserve(world, g, row) != PCM_OK)
                return PCM_NO_MEMORY;
    for (uint32_t g = 0; g < world->n_groups; g++)
        for (size_t row = 0; row < world->groups[g].live; row++)
            if (is_of(&world->groups[g], row, object)) {
                pcm_events_end(world, &world->groups[g], row, PCM_CONTACT_REMOVED);
                if (pcm_endings_wanted(world, g))
                    end_removed(world, g, row);
            }
    return PCM_OK;
}
