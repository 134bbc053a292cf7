/* SPDX-License-Identifier: MIT */
/* stall.c - whether CVODE makes progress; if not, reports the time that it has reached and the value that it cannot
 * follow.
 *
 * CVODE's formulas need equations that are smooth between events. Where a force jumps without an event, the error does
 * not shrink with the step, and the steps become shorter without end. The cause is then the value whose estimated error
 * is the largest relative to its tolerance. */
#include "system.h"
#include <pcm/messages.h>
#include <cvode/cvode.h>
#include <math.h>
#include <stdio.h>

/* s, the average over a round of steps: at the first, simulating a second takes hours; at the second, it never ends. */
static const double slow_step = 1e-7, stuck_step = 1e-10;

typedef struct pcm_value_name {
    char text[256];
} pcm_value_name;

static pcm_value_name name_motion(const mjModel *model, const char *what, int joint)
{
    const int      body = model->jnt_bodyid[joint];
    const char    *name = mj_id2name(model, mjOBJ_BODY, body);
    pcm_value_name value;
    if (name)
        (void)snprintf(value.text, sizeof value.text, "the %s of '%s'", what, name);
    else
        (void)snprintf(value.text, sizeof value.text, "the %s of body %d", what, body);
    return value;
}

static int joint_at(const mjModel *model, int position)
{
    int joint = (int)model->njnt - 1;
    while (joint > 0 && model->jnt_qposadr[joint] > position)
        joint--;
    return joint;
}

static pcm_value_name name_state(const pcm_tracked *tracked, size_t column)
{
    const pcm_type_info *type = pcm_type_get_info(tracked->type);
    uint32_t             entry = 0;
    for (; column >= pcm_columns_of(pcm_model_state(type->model, entry)->shape); entry++)
        column -= pcm_columns_of(pcm_model_state(type->model, entry)->shape);
    pcm_value_name value;
    (void)snprintf(value.text, sizeof value.text, "the state %s of '%s' between '%s' and '%s'",
                   pcm_model_state(type->model, entry)->name, type->name, tracked->base, tracked->follower);
    return value;
}

static pcm_value_name name_value(const pcm_system *system, size_t index)
{
    const mjModel *model = system->model;
    const size_t   nq = (size_t)model->nq, nv = (size_t)model->nv;
    if (index < nq)
        return name_motion(model, "position", joint_at(model, (int)index));
    if (index < nq + nv)
        return name_motion(model, "velocity", model->dof_jntid[index - nq]);
    for (size_t i = system->n_contacts; i-- > 0;)
        if (index >= system->n_motion && index >= system->contacts[i].offset)
            return name_state(&system->contacts[i], index - system->contacts[i].offset);
    return (pcm_value_name){"an actuator's activation"};
}

/* The index of the largest error relative to its tolerance. */
static size_t find_worst(void *memory, N_Vector errors, N_Vector weights)
{
    size_t worst = 0;
    if (CVodeGetEstLocalErrors(memory, errors) != CV_SUCCESS || CVodeGetErrWeights(memory, weights) != CV_SUCCESS)
        return worst;
    const double *error = N_VGetArrayPointer(errors), *weight = N_VGetArrayPointer(weights);
    for (size_t i = 0; i < (size_t)N_VGetLength(errors); i++)
        if (fabs(error[i] * weight[i]) > fabs(error[worst] * weight[worst]))
            worst = i;
    return worst;
}

/* The body whose motion includes the value; -1: the value is not part of a motion. */
static int body_of(const pcm_system *system, size_t index)
{
    const mjModel *model = system->model;
    const size_t   nq = (size_t)model->nq;
    if (index < nq)
        return model->jnt_bodyid[joint_at(model, (int)index)];
    return index < nq + (size_t)model->nv ? model->dof_bodyid[index - nq] : -1;
}

static bool is_of(const pcm_system *system, const pcm_contact_info *info, int body)
{
    return pcm_mujoco_body(system->host, info->base) == body || pcm_mujoco_body(system->host, info->follower) == body;
}

/* The contact that began last, if possible one of the given body: the first one to check. */
static pcm_value_name name_latest(pcm_system *system, int body)
{
    pcm_value_name latest = {""};
    double         since = -INFINITY;
    bool           own = false;
    for (size_t i = 0; i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        pcm_contact_info   info = {.size = sizeof info};
        if (pcm_world_contact_info(system->world, tracked->contact, &info) != PCM_OK)
            continue;
        const bool of_body = is_of(system, &info, body);
        if (of_body == own ? !(info.since > since) : own)
            continue;
        own = of_body;
        since = info.since;
        (void)snprintf(latest.text, sizeof latest.text, "; the last contact to begin%s was '%s' between '%s' and '%s'",
                       own ? " there" : "", pcm_type_get_info(tracked->type)->name, tracked->base, tracked->follower);
    }
    return latest;
}

void pcm_system_tell_stall(pcm_system *system, void *memory, N_Vector like, pcm_severity severity, const char *what)
{
    double   time = system->data->time;
    N_Vector errors = N_VClone(like), weights = N_VClone(like);
    (void)CVodeGetCurrentTime(memory, &time);
    if (errors && weights) {
        const size_t worst = find_worst(memory, errors, weights);
        pcm_report(
            system->context, severity, PCM_MSG_STALL,
            "CVODE %s at t = %s s: it cannot follow %s%s. Something jumps there without an event (a law, or the "
            "point that is found on curves and corners) or swings very fast: smooth or soften it, loosen rtol, or "
            "take fixed steps",
            what, pcm_number(time, 9).text, name_value(system, worst).text,
            name_latest(system, body_of(system, worst)).text);
    }
    if (errors)
        N_VDestroy(errors);
    if (weights)
        N_VDestroy(weights);
}

pcm_status pcm_system_judge_headway(pcm_system *system, void *memory, N_Vector like, double headway)
{
    if (!(headway > PCM_ROUND * stuck_step)) {
        pcm_system_tell_stall(system, memory, like, PCM_ERROR, "makes no headway");
        return PCM_BAD_HOST;
    }
    if (!(headway > PCM_ROUND * slow_step) && !system->told_slow) {
        system->told_slow = true;
        pcm_system_tell_stall(system, memory, like, PCM_WARNING, "needs very short steps");
    }
    return PCM_OK;
}
