/* SPDX-License-Identifier: MIT */
#include "stable_step.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"

enum { STEPS_PER_LOOK = 64, ITERATIONS = 30 };

bool advice_start(advice *a, const mjModel *model, pcm_mujoco *host)
{
    const size_t nv = (size_t)model->nv;
    *a = (advice){.host = host, .matrices = pcm_matrices_new(pcm_mujoco_world(host)), .nv = (int)nv, .least = INFINITY};
    a->vector = calloc(nv + 1, sizeof *a->vector);
    a->image = calloc(nv + 1, sizeof *a->image);
    a->jacobian = calloc(3 * nv + 1, sizeof *a->jacobian);
    if (a->matrices && a->vector && a->image && a->jacobian)
        return true;
    command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return false;
}

void advice_stop(advice *a)
{
    for (size_t i = 0; i < a->room; i++)
        free(a->contacts[i].jacobian);
    free(a->contacts);
    free(a->vector);
    free(a->image);
    free(a->jacobian);
    pcm_matrices_free(a->matrices);
}

/* Room for that many contacts; without memory the rest go unheard. */
static size_t reserve(advice *a, size_t count)
{
    if (count <= a->room)
        return count;
    struct advice_contact *grown = realloc(a->contacts, count * sizeof *grown);
    if (!grown) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory: the advice on the step does not know of all contacts");
        return a->room;
    }
    a->contacts = grown;
    for (; a->room < count; a->room++) {
        grown[a->room].jacobian = calloc(3 * (size_t)a->nv + 1, sizeof(double));
        if (!grown[a->room].jacobian)
            break;
    }
    return a->room;
}

/* ---- What contacts do to the joints ---------------------------------------------------------------------------- */

static void take_blocks(struct advice_contact *contact, const pcm_contact_matrices *m)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 6 * (3 + i) + 3 + k, turned = 6 * (3 + k) + 3 + i;
            contact->stiffness[3 * i + k] = 0.5 * (m->stiffness[at] + m->stiffness[turned]);
            contact->damping[3 * i + k] = 0.5 * (m->damping[at] + m->damping[turned]);
        }
}

static bool take_contact(advice *a, const mjModel *model, mjData *data, const pcm_contact_info *info,
                         struct advice_contact *contact)
{
    const int base = pcm_mujoco_body(a->host, info->base), follower = pcm_mujoco_body(a->host, info->follower);
    pcm_contact_matrices matrices = {.size = sizeof matrices};
    if (base < 0 || follower < 0 || info->depth < 0 ||
        pcm_matrices_contact(a->matrices, info->handle, &matrices) != PCM_OK)
        return false;
    take_blocks(contact, &matrices);
    mj_jac(model, data, contact->jacobian, NULL, info->point, follower);
    mj_jac(model, data, a->jacobian, NULL, info->point, base);
    mju_subFrom(contact->jacobian, a->jacobian, 3 * a->nv);
    (void)snprintf(contact->name, sizeof contact->name, "'%s' and '%s' (%s)", info->base_name, info->follower_name,
                   pcm_type_get_info(info->type)->name);
    return true;
}

/* The joint forces with which contacts answer the joint velocities, and how much work each does on them. */
static void apply(const advice *a, size_t count, bool damping, double *image, double *most, size_t *who)
{
    mju_zero(image, a->nv);
    *most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct advice_contact *contact = &a->contacts[i];
        double                       moved[3], force[3];
        mju_mulMatVec(moved, contact->jacobian, a->vector, 3, a->nv);
        mju_mulMatVec(force, damping ? contact->damping : contact->stiffness, moved, 3, 3);
        const double work = fabs(mju_dot3(moved, force));
        if (work > *most) {
            *most = work;
            *who = i;
        }
        for (int k = 0; k < 3; k++)
            mju_addToScl(image, contact->jacobian + k * a->nv, force[k], a->nv);
    }
}

/* The largest eigenvalue of M^-1 K, or of M^-1 C, by power iteration; who bears most of its vector. */
static double largest(advice *a, const mjModel *model, mjData *data, size_t count, bool damping, size_t *who)
{
    double value = 0, most;
    for (int i = 0; i < a->nv; i++)
        a->vector[i] = 1 + 0.3 * (i % 7); /* along no eigenvector of a symmetric body */
    for (int k = 0; k < ITERATIONS; k++) {
        mju_normalize(a->vector, a->nv);
        apply(a, count, damping, a->image, &most, who);
        mj_solveM(model, data, a->vector, a->image, 1);
        value = mju_norm(a->vector, a->nv);
        if (!(value > 0))
            return 0;
    }
    return value;
}

/* ---- Advice ---------------------------------------------------------------------------------------------------- */

/* Semi-implicit Euler is stable while h^2 k + 2 h c <= 4; RK4 bears 1.39 times that, with springs and dampers alike. */
static double stable_step(const mjModel *model, double k, double c)
{
    const double sum = c + sqrt(c * c + 4 * k);
    return sum > 0 ? (model->opt.integrator == mjINT_RK4 ? 1.39 : 1) * 4 / sum : INFINITY;
}

void advice_look(advice *a, const mjModel *model, mjData *data)
{
    pcm_world   *world = pcm_mujoco_world(a->host);
    const size_t in_world = pcm_world_contact_count(world);
    if (a->steps++ % STEPS_PER_LOOK != 0 && in_world <= a->room)
        return;
    const size_t room = reserve(a, in_world);
    size_t       count = 0;
    for (size_t i = 0; i < in_world && count < room; i++) {
        pcm_contact_info info = {.size = sizeof info};
        if (pcm_world_contact_at(world, i, &info) == PCM_OK)
            count += take_contact(a, model, data, &info, &a->contacts[count]);
    }
    if (count == 0 || a->nv == 0)
        return;
    size_t       stiff = 0, damped = 0;
    const double k = largest(a, model, data, count, false, &stiff), c = largest(a, model, data, count, true, &damped);
    const double step = stable_step(model, k, c);
    if (step < a->least) {
        a->least = step;
        a->time = data->time;
        memcpy(a->name, a->contacts[c * c > k ? damped : stiff].name, sizeof a->name);
    }
}

void advice_tell(const advice *a, const mjModel *model)
{
    if (a->steps == 0 || !(model->opt.timestep > a->least))
        return;
    char message[512];
    (void)snprintf(message, sizeof message,
                   "the step of %s s is too large: by its stiffness, its damping and the inertia of its bodies, the "
                   "contact of %s at t = %s s is stable up to %s s",
                   pcm_number(model->opt.timestep, 3).text, a->name, pcm_number(a->time, 4).text,
                   pcm_number(a->least, 3).text);
    command_report(NULL, &(pcm_diagnostic){.size = sizeof(pcm_diagnostic),
                                           .severity = PCM_WARNING,
                                           .code = PCM_MSG_STEP_LARGE,
                                           .message = message});
}
