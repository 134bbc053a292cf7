/* SPDX-License-Identifier: MIT */
/* rk4.c - the four stages of RK4 for continuous contact states.
 *
 * MuJoCo evaluates forces at t, t + h/2, t + h/2, t + h. At each, the live contacts are evaluated at z0 + a h
 * k(previous stage), and their rates are stored; the step ends at z0 + h/6 (k1 + 2 k2 + 2 k3 + k4). History states
 * have no rate: they take one step of h with the motion at the step's end. */
#include "evaluation.h"
#include <pcm/messages.h>
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

static bool has_history(const pcm_model *model)
{
    for (size_t i = 0; i < model->states.count; i++)
        if (pcm_model_state(model, i)->role == PCM_HISTORY)
            return true;
    return false;
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
static pcm_status collect(pcm_mujoco *host)
{
    pcm_stages  *stages = &host->evaluation->stages;
    const size_t count = pcm_world_contact_count(host->world);
    stages->n_contacts = stages->n_values = 0;
    stages->has_history = false;
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
        *staged = (pcm_staged){info.handle, stages->n_values, type->n_state};
        for (size_t k = 0; k < type->n_state; k++)
            stages->values[stages->n_values++] = (pcm_staged_value){.start = info.state[k]};
        add_rates(stages, staged, 0, info.rate);
        stages->has_history |= has_history(type->model);
    }
    return PCM_OK;
}

/* Tries the states at this fraction of the step after its start, with the last stage's rates or the weighted sum. */
static pcm_status try_states(pcm_mujoco *host, bool weighted, double factor)
{
    pcm_stages *stages = &host->evaluation->stages;
    for (size_t i = 0; i < stages->n_values; i++) {
        const pcm_staged_value *value = &stages->values[i];
        stages->trial[i] = value->start + factor * (weighted ? value->sum : value->rate);
    }
    for (size_t i = 0; i < stages->n_contacts; i++) {
        const pcm_status status =
            pcm_world_try_state(host->world, stages->contacts[i].contact, stages->trial + stages->contacts[i].offset);
        if (status != PCM_OK)
            return status;
    }
    return PCM_OK;
}

static pcm_status before_stage(void *user)
{
    pcm_mujoco    *host = user;
    const uint32_t stage = host->evaluation->stages.stage;
    if (stage == 0 || stage > 3)
        return PCM_OK;
    return try_states(host, false, reach_of[stage] * host->model->opt.timestep);
}

static pcm_status after_stage(void *user)
{
    pcm_mujoco    *host = user;
    pcm_stages    *stages = &host->evaluation->stages;
    const uint32_t stage = stages->stage++;
    if (stage > 3)
        return PCM_OK;
    if (stage == 0)
        return collect(host);
    for (size_t i = 0; i < stages->n_contacts; i++) {
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

/* ---- The step by the laws themselves ----------------------------------------------------------------------------- */

/* How far states that RK4 has stepped are from those that their laws' own steps give: squares, in nominal values. */
typedef struct distance {
    double           apart, size; /* of the difference, and of what the laws give */
    double           most;        /* the largest difference of a contact, and that contact: */
    pcm_contact_info of;
} distance;

static void measure(const pcm_stages *stages, const pcm_staged *staged, const pcm_contact_info *info, double h,
                    distance *d)
{
    const pcm_model *model = pcm_type_get_info(info->type)->model;
    double           apart = 0;
    for (size_t entry = 0, from = 0; entry < model->states.count; entry++) {
        const pcm_state *state = pcm_model_state(model, entry);
        for (uint32_t n = pcm_columns_of(state->shape); n > 0; n--, from++) {
            const pcm_staged_value *value = &stages->values[staged->offset + from];
            const double            own = info->state[from] / state->nominal;
            const double            off = (value->start + h * value->sum) / state->nominal - own;
            const double            counts = state->role == PCM_CONTINUOUS && state->flags & PCM_STEPS ? 1 : 0;
            apart += counts * off * off;
            d->size += counts * own * own;
        }
    }
    d->apart += apart;
    if (apart > d->most) {
        d->most = apart;
        d->of = *info;
    }
}

/* RK4 is explicit in the states. Where a step is longer than the time in which they settle, they miss what their laws'
 * own steps give, which are exact for steady motion, by as much as they are. A change of contact may look so once. */
static void judge(pcm_mujoco *host, const distance *d)
{
    enum { IN_A_ROW = 3 };
    const double share = 0.5, least = 1e-3; /* of what the laws give; of a nominal value */
    pcm_stages  *stages = &host->evaluation->stages;
    stages->coarse = d->apart > share * share * d->size && d->apart > least * least ? stages->coarse + 1 : 0;
    if (stages->coarse < IN_A_ROW)
        return;
    stages->reported = true;
    pcm_report(host->context, PCM_WARNING, PCM_MSG_STEP_LARGE,
               "the step of %s s is too long for RK4, which is explicit in the states of contacts: those of '%.100s' "
               "and '%.100s' (%.80s) are far from where their law takes them at t = %s s: shorten it, or use the "
               "integrator Euler or implicitfast, under which the law steps them",
               pcm_number(host->model->opt.timestep, 3).text, d->of.base_name, d->of.follower_name,
               pcm_type_get_info(d->of.type)->name, pcm_number(host->data->time, 4).text);
}

static pcm_status before_history(void *user)
{
    (void)user;
    return PCM_OK;
}

/* Makes the values of history columns after the step their start values, so that they remain unchanged to its end. */
static pcm_status after_history(void *user)
{
    pcm_mujoco *host = user;
    pcm_stages *stages = &host->evaluation->stages;
    distance    found = {0};
    for (size_t i = 0; i < stages->n_contacts; i++) {
        const pcm_staged *staged = &stages->contacts[i];
        pcm_contact_info  info = {.size = sizeof info};
        const pcm_status  status = pcm_world_contact_info(host->world, staged->contact, &info);
        if (status != PCM_OK)
            return status;
        if (stages->looks)
            measure(stages, staged, &info, host->model->opt.timestep, &found);
        const pcm_model *model = pcm_type_get_info(info.type)->model;
        for (size_t entry = 0, column = staged->offset, from = 0; entry < model->states.count; entry++) {
            const pcm_state *state = pcm_model_state(model, entry);
            for (uint32_t n = pcm_columns_of(state->shape); n > 0; n--, column++, from++)
                if (state->role == PCM_HISTORY)
                    stages->values[column].start = info.state[from];
        }
    }
    if (stages->looks)
        judge(host, &found);
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
    enum { STEPS_PER_LOOK = 16 };
    pcm_evaluation *e = host->evaluation;
    if (e->stages.stage == 1)
        take_first_stage(&e->stages);
    e->stages.looks = e->stages.steps++ % STEPS_PER_LOOK == 0 && !e->stages.reported && e->stages.n_values > 0;
    const pcm_mujoco_solver history = {.size = sizeof history,
                                       .user = host,
                                       .dt = host->model->opt.timestep,
                                       .before = before_history,
                                       .after = after_history};
    const pcm_mujoco_solver end = {.size = sizeof end, .user = host, .before = before_end};
    const pcm_status status = e->stages.has_history || e->stages.looks ? update_with(host, data, &history) : PCM_OK;
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
