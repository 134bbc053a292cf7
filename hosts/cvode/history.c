/* SPDX-License-Identifier: MIT */
/* history.c - history states. They have no rate that could be integrated: they step where the solver commits, with the
 * motion at the end of the step. Their error is of first order in that step, whatever the tolerances; a warning says so
 * once for each contact type. */
#include "system.h"
#include <pcm/messages.h>
#include <string.h>

/* Copies the history columns of a contact from the world's last update into y. Returns whether any of them has
 * changed. */
static bool take_history(const pcm_tracked *tracked, const pcm_contact_info *info, double *y)
{
    const pcm_model *model = pcm_type_get_info(tracked->type)->model;
    bool             stepped = false;
    for (size_t entry = 0, column = 0; entry < model->states.count; entry++) {
        const pcm_state *state = pcm_model_state(model, entry);
        for (uint32_t k = pcm_columns_of(state->shape); k > 0; k--, column++) {
            double *value = &y[tracked->offset + column];
            if (state->role != PCM_HISTORY || *value == info->state[column])
                continue;
            *value = info->state[column];
            stepped = true;
        }
    }
    return stepped;
}

static bool is_known(const pcm_system *system, const pcm_type *type)
{
    for (size_t i = 0; i < system->n_stepping; i++)
        if (system->stepping[i] == type)
            return true;
    return false;
}

static pcm_status warn_of_type(pcm_system *system, const pcm_type *type)
{
    if (is_known(system, type))
        return PCM_OK;
    const size_t     bytes = system->n_stepping * sizeof *system->stepping;
    const pcm_type **grown = pcm_allocate(system->context, bytes + sizeof *grown);
    if (!grown)
        return pcm_system_no_memory(system);
    if (bytes)
        memcpy(grown, system->stepping, bytes);
    pcm_free(system->context, system->stepping, bytes);
    grown[system->n_stepping++] = type;
    system->stepping = grown;
    pcm_report(system->context, PCM_WARNING, PCM_MSG_HISTORY_STEPS,
               "'%s' has history states, which step every %s s and at events; rtol does not apply to them: their error "
               "is proportional to the step (pcm run --step)",
               pcm_type_get_info(type)->name, pcm_number(system->span, 3).text);
    return PCM_OK;
}

pcm_status pcm_system_step_history(pcm_system *system, double time, double *y, double dt)
{
    const pcm_places places = system->places;
    system->history_stepped = false;
    if (system->n_contacts == 0)
        return PCM_OK;
    system->places = PCM_PLACES_AS_THEY_ARE;
    pcm_system_write(system, y);
    pcm_status status = pcm_system_evaluate(system, time, NULL, dt);
    for (size_t i = 0; status == PCM_OK && i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        pcm_contact_info   info = {.size = sizeof info};
        status = pcm_world_contact_info(system->world, tracked->contact, &info);
        if (status != PCM_OK || !take_history(tracked, &info, y))
            continue;
        system->history_stepped = true;
        status = warn_of_type(system, tracked->type);
    }
    system->places = places;
    return status;
}
