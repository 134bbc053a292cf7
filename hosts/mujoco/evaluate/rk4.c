/* SPDX-License-Identifier: MIT */
/* rk4.c - the four stages of RK4 for contact states.
 *
 * MuJoCo evaluates forces at t, t + h/2, t + h/2, t + h. At each, the live contacts are evaluated at z0 + a h
 * k(previous stage), and their rates are stored; the step ends at z0 + h/6 (k1 + 2 k2 + 2 k3 + k4). History states
 * have no rate: they take one step of h with the motion at the step's end.
 *
 * This is explicit in the states. Where a step is longer than the time in which some of them settle, the laws' own
 * steps, which are stable at any h, replace it: each stage is evaluated over the time from the step's start to it, and
 * the step ends with one of h with the motion at its end. */
#include "evaluation.h"
#include <string.h>

static const double reach_of[4] = {0, 0.5, 0.5, 1};
static const double weight_of[4] = {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6};

void pcm_stages_free(pcm_mujoco *host)
{
    pcm_stages  *stages = &host->evaluation->stages;
    pcm_context *context = host->context;
    pcm_free(context, stages->contacts, stages->contact_capacity * sizeof *stages->contacts);
    pcm_free(context, stages->values, stages->value_capacity * sizeof *stages->values);
    pcm_free(context, stages->trial, stages->trial_capacity * sizeof *stages->trial);
    *stages = (pcm_stages){0};
}

static bool reserve(pcm_mujoco *host, size_t n_contacts, size_t n_values)
{
    pcm_stages  *stages = &host->evaluation->stages;
    pcm_context *context = host->context;
    return pcm_grow(context, &stages->contacts, &stages->contact_capacity, n_contacts, sizeof *stages->contacts) &&
           pcm_grow(context, &stages->values, &stages->value_capacity, n_values, sizeof *stages->values) &&
           pcm_grow(context, &stages->trial, &stages->trial_capacity, n_values, sizeof *stages->trial);
}

static void add_rates(pcm_stages *stages, const pcm_staged *staged, uint32_t stage, const double *rate)
{
    pcm_staged_value *values = stages->values + staged->offset;
    for (size_t k = 0; k < staged->count; k++) {
        values[k].rate = rate[k];
        values[k].sum += weight_of[stage] * rate[k];
    }
}

/* Lists the contacts with states at the start of the step, for all four stages, with their rates in the first stage. */
static pcm_status list_contacts(pcm_mujoco *host)
{
    pcm_stages  *stages = &host->evaluation->stages;
    const size_t count = pcm_world_contact_count(host->world);
    stages->n_contacts = stages->n_values = 0;
    stages->has_history = stages->has_rates = false;
    for (size_t i = 0; i < count; i++) {
        pcm_contact_info info = {.size = sizeof info};
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK || !info.id)
            continue;
        const pcm_type_info *type = pcm_type_get_info(info.type);
        if (!type->n_state)
            continue;
        if (!reserve(host, stages->n_contacts + 1, stages->n_values + type->n_state))
            return pcm_host_no_memory(host->context);
        pcm_staged *staged = &stages->contacts[stages->n_contacts++];
        *staged = (pcm_staged){info.handle, type->model, stages->n_values, type->n_state};
        for (size_t k = 0; k < type->n_state; k++)
            stages->values[stages->n_values++] = (pcm_staged_value){.start = info.state[k]};
        add_rates(stages, staged, 0, info.rate);
        stages->has_history |= pcm_has_state(type->model, PCM_HISTORY, 0);
        stages->has_rates |= pcm_has_state(type->model, PCM_CONTINUOUS, 0);
    }
    return PCM_OK;
}

/* Tries the states that are in trial. */
static pcm_status try_trial(pcm_mujoco *host)
{
    const pcm_stages *stages = &host->evaluation->stages;
    pcm_status        status = PCM_OK;
    for (size_t i = 0; i < stages->n_contacts && status == PCM_OK; i++)
        status =
            pcm_world_try_state(host->world, stages->contacts[i].contact, stages->trial + stages->contacts[i].offset);
    return status;
}

/* Tries the states at this fraction of the step after its start, with the last stage's rates or the weighted sum. */
static pcm_status try_states(pcm_mujoco *host, bool weighted, double factor)
{
    pcm_stages *stages = &host->evaluation->stages;
    for (size_t i = 0; i < stages->n_values; i++) {
        const pcm_staged_value *value = &stages->values[i];
        stages->trial[i] = value->start + factor * (weighted ? value->sum : value->rate);
    }
    return try_trial(host);
}

/* ---- By stages, or by the laws ----------------------------------------------------------------------------------- */

/* The probe of a state that its law steps: half of it, or its nominal value where it is next to none. */
static double probe_of(const pcm_state *state, double value)
{
    if (!(state->flags & PCM_STEPS))
        return value;
    return fabs(value) < 1e-3 * state->nominal ? state->nominal : 0.5 * value;
}

static pcm_status try_probes(pcm_mujoco *host)
{
    pcm_stages *stages = &host->evaluation->stages;
    for (size_t i = 0; i < stages->n_contacts; i++) {
        const pcm_staged *staged = &stages->contacts[i];
        size_t            column = staged->offset;
        for (size_t entry = 0; entry < staged->model->states.count; entry++) {
            const pcm_state *state = pcm_model_state(staged->model, entry);
            for (uint32_t n = pcm_columns_of(state->shape); n > 0; n--, column++)
                stages->trial[column] = probe_of(state, stages->values[column].start);
        }
    }
    return try_trial(host);
}

/* Whether a step is longer than the time in which the states settle that their law steps, by the rates at the probe. */
static bool settles(const pcm_stages *stages, const pcm_staged *staged, const double *rates, double h)
{
    const double most = 1.5; /* RK4 is stable up to 2.8, and right to a tenth of the change up to this */
    double       moved = 0, change = 0;
    size_t       column = staged->offset;
    for (size_t entry = 0; entry < staged->model->states.count; entry++) {
        const pcm_state *state = pcm_model_state(staged->model, entry);
        const double     scale = state->flags & PCM_STEPS ? 1 / state->nominal : 0;
        for (uint32_t n = pcm_columns_of(state->shape); n > 0; n--, column++) {
            const pcm_staged_value *value = &stages->values[column];
            const double            by = scale * (stages->trial[column] - value->start);
            const double            turned = scale * h * (rates[column - staged->offset] - value->rate);
            moved += by * by;
            change += turned * turned;
        }
    }
    return change > most * most * moved;
}

/* Decides whether the laws step the states themselves in this step. Then updates the world again: over no time, or over
 * the step if the laws step the states, since these settle within it. */
static pcm_status choose(pcm_mujoco *host)
{
    pcm_stages *stages = &host->evaluation->stages;
    stages->by_laws = !stages->has_rates;
    if (!host->detection->laws_step || stages->by_laws)
        return PCM_OK;
    const double time = host->data->time, h = host->model->opt.timestep;
    pcm_status   status = pcm_evaluate_points(host, try_probes, time, 0);
    if (!pcm_leaves_forces(status))
        return status;
    for (size_t i = 0; i < stages->n_contacts && !stages->by_laws; i++) {
        pcm_contact_info info = {.size = sizeof info};
        status = pcm_world_contact_info(host->world, stages->contacts[i].contact, &info);
        if (status != PCM_OK)
            return status;
        stages->by_laws = settles(stages, &stages->contacts[i], info.rate, h);
    }
    return pcm_evaluate_points(host, NULL, time, stages->by_laws ? h : 0);
}

static pcm_status before_stage(void *user)
{
    pcm_mujoco    *host = user;
    pcm_stages    *stages = &host->evaluation->stages;
    const uint32_t stage = stages->stage;
    const bool     inner = stage > 0 && stage < PCM_STAGES;
    const double   passed = inner ? reach_of[stage] * host->model->opt.timestep : 0;
    host->evaluation->solver.dt = stages->by_laws ? passed : 0;
    return inner && !stages->by_laws ? try_states(host, false, passed) : PCM_OK;
}

static pcm_status after_stage(void *user)
{
    pcm_mujoco    *host = user;
    pcm_stages    *stages = &host->evaluation->stages;
    const uint32_t stage = stages->stage++;
    if (stage == 0) {
        const pcm_status status = list_contacts(host);
        return status == PCM_OK ? choose(host) : status;
    }
    for (size_t i = 0; i < stages->n_contacts && stage < PCM_STAGES && !stages->by_laws; i++) {
        const pcm_staged *staged = &stages->contacts[i];
        pcm_contact_info  info = {.size = sizeof info};
        const pcm_status  status = pcm_world_contact_info(host->world, staged->contact, &info);
        if (status != PCM_OK)
            return status;
        add_rates(stages, staged, stage, info.rate);
    }
    return PCM_OK;
}

pcm_mujoco_solver pcm_stages_solver(pcm_mujoco *host)
{
    host->evaluation->stages.stage = 0;
    return (pcm_mujoco_solver){
        .size = sizeof(pcm_mujoco_solver), .user = host, .before = before_stage, .after = after_stage};
}

/* ---- The end of the step ----------------------------------------------------------------------------------------- */

static pcm_status before_own_step(void *user)
{
    (void)user;
    return PCM_OK;
}

/* Makes the values after the step, of history columns or of all that the laws step, their start values without a rate,
 * so that they remain unchanged to its end. */
static pcm_status after_own_step(void *user)
{
    pcm_mujoco *host = user;
    pcm_stages *stages = &host->evaluation->stages;
    for (size_t i = 0; i < stages->n_contacts; i++) {
        const pcm_staged *staged = &stages->contacts[i];
        pcm_contact_info  info = {.size = sizeof info};
        const pcm_status  status = pcm_world_contact_info(host->world, staged->contact, &info);
        if (status != PCM_OK)
            return status;
        for (size_t entry = 0, column = staged->offset, from = 0; entry < staged->model->states.count; entry++) {
            const pcm_state *state = pcm_model_state(staged->model, entry);
            for (uint32_t n = pcm_columns_of(state->shape); n > 0; n--, column++, from++)
                if (stages->by_laws || state->role == PCM_HISTORY)
                    stages->values[column] = (pcm_staged_value){.start = info.state[from]};
        }
    }
    return PCM_OK;
}

static pcm_status before_end(void *user)
{
    pcm_mujoco *host = user;
    return try_states(host, true, host->model->opt.timestep);
}

void pcm_stages_move(pcm_mujoco *host)
{
    /* Kinematics normalises quaternions in qpos. MuJoCo's next step does it too, and twice would give other bits. */
    const size_t bytes = (size_t)host->model->nq * sizeof *host->data->qpos;
    memcpy(host->evaluation->place, host->data->qpos, bytes);
    mj_kinematics(host->model, host->data);
    memcpy(host->data->qpos, host->evaluation->place, bytes);
    mj_comPos(host->model, host->data);
    mj_comVel(host->model, host->data);
}

static pcm_status update_with(pcm_mujoco *host, mjData *data, const pcm_mujoco_solver *solver)
{
    pcm_mujoco_use_solver(host, solver);
    const pcm_status status = pcm_evaluate_all(host, data);
    pcm_mujoco_use_solver(host, NULL);
    return status;
}

/* mj_step2 alone makes an Euler step with any integrator, so the states step with the first stage's rates. */
static void take_first_stage(pcm_stages *stages)
{
    for (size_t i = 0; i < stages->n_values; i++)
        stages->values[i].sum = stages->values[i].rate;
}

pcm_status pcm_stages_finish(pcm_mujoco *host, mjData *data)
{
    pcm_stages *stages = &host->evaluation->stages;
    if (stages->stage == 1)
        take_first_stage(stages);
    const bool              own = stages->n_contacts > 0 && (stages->has_history || stages->by_laws);
    const pcm_mujoco_solver laws = {.size = sizeof laws,
                                    .user = host,
                                    .dt = host->model->opt.timestep,
                                    .before = before_own_step,
                                    .after = after_own_step};
    const pcm_mujoco_solver end = {.size = sizeof end, .user = host, .before = before_end};
    const pcm_status        status = own ? update_with(host, data, &laws) : PCM_OK;
    return status == PCM_OK ? update_with(host, data, &end) : status;
}

pcm_status pcm_stages_evaluate(pcm_mujoco *host, mjData *data)
{
    if (!pcm_release_nested(data))
        host->evaluation->stages.stage = 0;
    return update_with(
        host, data,
        &(pcm_mujoco_solver){
            .size = sizeof(pcm_mujoco_solver), .user = host, .before = before_stage, .after = after_stage});
}
