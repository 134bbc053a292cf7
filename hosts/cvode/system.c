/* SPDX-License-Identifier: MIT */
/* system.c - the equations that CVODE integrates, evaluated by MuJoCo and a world of contacts. */
#include "system.h"
#include <math.h>
#include <pcm/messages.h>
#include <stdlib.h>
#include <string.h>

/* Places whose depth equals the greatest within rounding begin to touch together. */
static const double same_depth = 1e-12;

/* With a count of 0 the pointers may be NULL, which memcpy must not get. */
static void copy(double *to, const double *from, size_t count)
{
    if (count)
        memcpy(to, from, count * sizeof *to);
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

static bool same(pcm_contact a, pcm_contact b) { return a.index == b.index && a.generation == b.generation; }

static bool parts(const pcm_system *system, const pcm_mujoco_contact_point *place)
{
    for (size_t i = 0; i < system->n_contacts; i++)
        if (system->contacts[i].apart && same(system->contacts[i].contact, place->contact))
            return true;
    return false;
}

static bool begins(const pcm_system *system, const pcm_mujoco_contact_point *place)
{
    if (system->places == PCM_PLACES_BEGIN)
        return pcm_type_can_begin(place->type, place->depth);
    if (system->places != PCM_PLACES_EVENT)
        return false;
    if (place->depth > same_depth) /* a place of a patch may jump inside, without crossing the surface */
        return true;
    return !isnan(system->pair_begins[place->pair]) && place->depth >= system->pair_depth[place->pair] - same_depth;
}

static void tell_touch(pcm_system *system, const pcm_mujoco_contact_point *place)
{
    const pcm_cvode_event event = {.size = sizeof event,
                                   .time = system->data->time,
                                   .name = place->depth < 0 ? PCM_ONSET_EVENT : PCM_TOUCH_DOWN,
                                   .type = pcm_type_get_info(place->type)->name,
                                   .a = place->a,
                                   .b = place->b,
                                   .feature = place->feature,
                                   .direction = 1};
    pcm_system_tell(system, &event);
}

/* Whether a law that decides itself has not yet let the place begin: it is asked again where the pair begins to
 * overlap. */
static bool waits(const pcm_system *system, const pcm_mujoco_contact_point *place)
{
    if (!(pcm_type_get_info(place->type)->model->outputs & PCM_ONSET))
        return false;
    for (size_t i = 0; i < system->n_contacts; i++)
        if (same(system->contacts[i].contact, place->contact))
            return false;
    return true;
}

static bool touches(void *user, pcm_mujoco_contact_point *place)
{
    pcm_system *system = user;
    if (place->known && place->touched && !waits(system, place))
        return system->places != PCM_PLACES_EVENT || !parts(system, place);
    if (begins(system, place)) {
        if (system->places == PCM_PLACES_EVENT) {
            /* The event is located only within rounding: makes sure that the world sees a contact. */
            place->depth = fmax(place->depth, system->pair_begins[place->pair]);
            tell_touch(system, place);
        }
        return true;
    }
    if (system->places == PCM_PLACES_AS_THEY_ARE)
        system->pair_depth[place->pair] = fmax(system->pair_depth[place->pair], place->depth);
    return false;
}

/* ---- States of contacts ------------------------------------------------------------------------------------------ */

static pcm_status try_states(void *user)
{
    const pcm_system *system = user;
    for (size_t i = 0; system->states && i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        const pcm_status   status =
            pcm_world_try_state(system->world, tracked->contact, system->states + tracked->offset);
        if (status != PCM_OK)
            return status;
    }
    return PCM_OK;
}

static size_t n_events(const pcm_type *type) { return pcm_type_get_info(type)->model->events.count; }

static int by_name(const void *a, const void *b)
{
    const pcm_tracked *first = a, *second = b;
    int                order = strcmp(first->base, second->base);
    if (order == 0)
        order = strcmp(first->follower, second->follower);
    if (order == 0)
        order = (first->feature > second->feature) - (first->feature < second->feature);
    return order ? order
                 : (first->contact.index > second->contact.index) - (first->contact.index < second->contact.index);
}

pcm_status pcm_system_no_memory(const pcm_system *system)
{
    pcm_report(system->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a solver");
    return PCM_NO_MEMORY;
}

static pcm_status reserve(pcm_system *system, size_t count)
{
    if (count <= system->contact_capacity)
        return PCM_OK;
    pcm_tracked *grown = pcm_allocate(system->context, 2 * count * sizeof *grown);
    if (!grown)
        return pcm_system_no_memory(system);
    pcm_free(system->context, system->stepping, system->n_stepping * sizeof *system->stepping);
    pcm_free(system->context, system->contacts, system->contact_capacity * sizeof *grown);
    system->contacts = grown;
    system->contact_capacity = 2 * count;
    system->n_contacts = 0;
    return PCM_OK;
}

pcm_status pcm_system_track(pcm_system *system, bool *changed)
{
    const size_t before = system->n_contacts, live = pcm_world_contact_count(system->world);
    *changed = live != before;
    const pcm_status status = reserve(system, live);
    if (status != PCM_OK)
        return status;
    const size_t kept = system->n_contacts;
    for (size_t i = 0; i < live; i++) {
        pcm_contact_info info = {.size = sizeof info};
        if (pcm_world_contact_at(system->world, i, &info) != PCM_OK)
            return PCM_BAD_HANDLE;
        size_t known = 0;
        while (known < kept && !same(system->contacts[known].contact, info.handle))
            known++;
        *changed = *changed || known == kept;
    }
    if (!*changed)
        return PCM_OK;
    system->n_contacts = live;
    for (size_t i = 0; i < live; i++) {
        pcm_contact_info info = {.size = sizeof info};
        (void)pcm_world_contact_at(system->world, i, &info);
        system->contacts[i] = (pcm_tracked){.contact = info.handle,
                                            .type = info.type,
                                            .base = info.base_name,
                                            .follower = info.follower_name,
                                            .feature = info.feature};
    }
    if (live)
        qsort(system->contacts, live, sizeof *system->contacts, by_name);
    system->n = system->n_motion;
    system->n_roots = system->n_touch_roots;
    for (size_t i = 0; i < live; i++) {
        pcm_tracked *tracked = &system->contacts[i];
        tracked->offset = system->n;
        tracked->first_root = system->n_roots;
        system->n += pcm_type_get_info(tracked->type)->n_state;
        system->n_roots += n_events(tracked->type) + 1;
    }
    return PCM_OK;
}

/* ---- y and the data ---------------------------------------------------------------------------------------------- */

void pcm_system_read(const pcm_system *system, double *y)
{
    const mjModel *model = system->model;
    const mjData  *data = system->data;
    copy(y, data->qpos, (size_t)model->nq);
    copy(y + model->nq, data->qvel, (size_t)model->nv);
    copy(y + model->nq + model->nv, data->act, (size_t)model->na);
    for (size_t i = 0; i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        pcm_contact_info   info = {.size = sizeof info};
        if (pcm_world_contact_info(system->world, tracked->contact, &info) == PCM_OK)
            copy(y + tracked->offset, info.state, pcm_type_get_info(tracked->type)->n_state);
    }
}

void pcm_system_write(pcm_system *system, const double *y)
{
    const mjModel *model = system->model;
    mjData        *data = system->data;
    copy(data->qpos, y, (size_t)model->nq);
    copy(data->qvel, y + model->nq, (size_t)model->nv);
    copy(data->act, y + model->nq + model->nv, (size_t)model->na);
}

void pcm_system_tolerances(const pcm_system *system, double *tolerances)
{
    for (size_t i = 0; i < system->n_motion; i++)
        tolerances[i] = system->def.atol;
    for (size_t i = 0; i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        const pcm_model   *model = pcm_type_get_info(tracked->type)->model;
        for (size_t entry = 0, at = tracked->offset; entry < model->states.count; entry++) {
            const pcm_state *state = pcm_model_state(model, entry);
            for (uint32_t k = pcm_columns_of(state->shape); k > 0; k--)
                tolerances[at++] = system->def.atol * state->nominal;
        }
    }
}

/* ---- Evaluation -------------------------------------------------------------------------------------------------- */

pcm_status pcm_system_evaluate(pcm_system *system, double time, const double *y, double dt)
{
    const pcm_mujoco_solver solver = {.size = sizeof solver,
                                      .user = system,
                                      .reach = system->def.reach,
                                      .dt = dt,
                                      .touches = touches,
                                      .before = try_states};
    const size_t            pairs = pcm_mujoco_pair_count(system->host);
    for (size_t i = 0; i < pairs && system->places == PCM_PLACES_AS_THEY_ARE; i++)
        system->pair_depth[i] = -system->def.reach - system->pair_onset[i];
    if (y)
        pcm_system_write(system, y);
    system->states = y;
    system->data->time = time;
    copy(system->data->qacc_warmstart, system->warm_start, (size_t)system->model->nv);
    if (system->def.control)
        system->def.control(system->def.user, system->data);
    pcm_mujoco_use_solver(system->host, &solver);
    return pcm_mujoco_forward(system->host);
}

/* Quaternions are integrated without normalisation and normalised where they are used: q' = q (0, w) / 2, with w in the
 * body's axes. */
static void quaternion_rate(const double q[4], const double w[3], double rate[4])
{
    const double turning[4] = {0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    mju_mulQuat(rate, q, turning);
}

static void joint_rates(const mjModel *model, int joint, const double *q, const double *v, double *rate)
{
    const int position = model->jnt_qposadr[joint], velocity = model->jnt_dofadr[joint];
    switch (model->jnt_type[joint]) {
    case mjJNT_FREE:
        copy(rate + position, v + velocity, 3);
        quaternion_rate(q + position + 3, v + velocity + 3, rate + position + 3);
        break;
    case mjJNT_BALL:
        quaternion_rate(q + position, v + velocity, rate + position);
        break;
    default:
        rate[position] = v[velocity];
    }
}

void pcm_system_rates(const pcm_system *system, const double *y, double *rates)
{
    const mjModel *model = system->model;
    for (int joint = 0; joint < model->njnt; joint++)
        joint_rates(model, joint, y, y + model->nq, rates);
    copy(rates + model->nq, system->data->qacc, (size_t)model->nv);
    copy(rates + model->nq + model->nv, system->data->act_dot, (size_t)model->na);
    for (size_t i = 0; i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        pcm_contact_info   info = {.size = sizeof info};
        if (pcm_world_contact_info(system->world, tracked->contact, &info) == PCM_OK)
            copy(rates + tracked->offset, info.rate, pcm_type_get_info(tracked->type)->n_state);
    }
}

void pcm_system_roots(const pcm_system *system, double *roots)
{
    const size_t pairs = pcm_mujoco_pair_count(system->host);
    for (size_t i = 0; i < pairs; i++)
        roots[i] = system->pair_depth[i] + system->pair_onset[i];
    copy(roots + pairs, system->pair_depth, system->n_touch_roots - pairs);
    for (size_t i = 0; i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        const size_t       events = n_events(tracked->type);
        pcm_contact_info   info = {.size = sizeof info};
        if (pcm_world_contact_info(system->world, tracked->contact, &info) != PCM_OK)
            continue;
        copy(roots + tracked->first_root, info.event, events);
        roots[tracked->first_root + events] = info.depth + pcm_type_get_info(tracked->type)->common->separation;
    }
}

/* ---- Commit ------------------------------------------------------------------------------------------------------ */

pcm_status pcm_system_commit(pcm_system *system, double time, double *y, double dt)
{
    pcm_status status = pcm_system_step_history(system, time, y, dt);
    if (status == PCM_OK)
        status = pcm_system_evaluate(system, time, y, 0);
    system->places = PCM_PLACES_AS_THEY_ARE;
    if (status != PCM_OK)
        return status;
    copy(system->warm_start, system->data->qacc, (size_t)system->model->nv);
    return pcm_mujoco_commit(system->host);
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static void find_onsets(pcm_system *system, size_t pairs)
{
    for (size_t i = 0; i < pairs; i++) {
        const pcm_type_info *info = pcm_type_get_info(pcm_mujoco_pair_type(system->host, i));
        system->pair_onset[i] = info->onset;
        if (info->model->outputs & PCM_ONSET)
            system->n_touch_roots = 2 * pairs;
    }
}

static size_t values_of_motion(const mjModel *model) { return (size_t)(model->nq + model->nv + model->na); }

pcm_status pcm_system_open(pcm_system *system)
{
    const size_t pairs = pcm_mujoco_pair_count(system->host), nv = (size_t)system->model->nv;
    system->n_motion = values_of_motion(system->model);
    system->n_speeds = nv;
    system->n = system->n_motion;
    system->n_touch_roots = pairs;
    system->pair_depth = pcm_allocate(system->context, pairs * sizeof *system->pair_depth);
    system->pair_onset = pcm_allocate(system->context, pairs * sizeof *system->pair_onset);
    system->pair_begins = pcm_allocate(system->context, pairs * sizeof *system->pair_begins);
    system->warm_start = pcm_allocate(system->context, nv * sizeof *system->warm_start);
    if ((pairs && (!system->pair_depth || !system->pair_onset || !system->pair_begins)) || (nv && !system->warm_start))
        return pcm_system_no_memory(system);
    find_onsets(system, pairs);
    system->n_roots = system->n_touch_roots;
    return PCM_OK;
}

bool pcm_system_fits(const pcm_system *system)
{
    return system->n_motion == values_of_motion(system->model) && system->n_speeds == (size_t)system->model->nv;
}

void pcm_system_close(pcm_system *system)
{
    const size_t pairs = pcm_mujoco_pair_count(system->host);
    pcm_free(system->context, system->pair_depth, pairs * sizeof *system->pair_depth);
    pcm_free(system->context, system->pair_onset, pairs * sizeof *system->pair_onset);
    pcm_free(system->context, system->pair_begins, pairs * sizeof *system->pair_begins);
    pcm_free(system->context, system->warm_start, system->n_speeds * sizeof *system->warm_start);
    pcm_free(system->context, system->told, system->told_capacity * sizeof *system->told);
    pcm_free(system->context, system->stepping, system->n_stepping * sizeof *system->stepping);
    pcm_free(system->context, system->contacts, system->contact_capacity * sizeof *system->contacts);
}
