/* SPDX-License-Identifier: MIT */
/* stable.c - the largest stable step of explicit integration, from the joint-space stiffness and damping of all
 * contacts and the inertia of the bodies. */
#include "evaluation.h"
#include <float.h>
#include <pcm/messages.h>
#include <string.h>

enum { ITERATIONS = 30 };

void pcm_stable_free(pcm_mujoco *host)
{
    pcm_stable  *s = &host->evaluation->stable;
    pcm_context *context = host->context;
    pcm_matrices_free(s->matrices);
    pcm_free(context, s->contacts, s->contact_capacity * sizeof *s->contacts);
    pcm_free(context, s->moves, s->move_capacity * sizeof *s->moves);
    pcm_free(context, s->work, s->work_capacity * sizeof *s->work);
}

/* ---- Contacts in joint space ------------------------------------------------------------------------------------- */

/* The fraction of the last step during which the contact has touched. At the start of a contact, a damper that depends
 * on the depth looks like an infinitely stiff spring. */
static double touching_since(const pcm_contact_info *info, double step)
{
    const double covered = info->depth_rate * step;
    return info->depth < covered ? info->depth / covered : 1;
}

static void take_blocks(pcm_resisting *contact, const pcm_contact_matrices *m, double share)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 6 * (3 + i) + 3 + k, turned = 6 * (3 + k) + 3 + i;
            contact->stiffness[3 * i + k] = share * 0.5 * (m->stiffness[at] + m->stiffness[turned]);
            contact->damping[3 * i + k] = 0.5 * (m->damping[at] + m->damping[turned]);
        }
}

/* Fills in how joints move the follower's contact point relative to the base's; joints that do not move it are left
 * out. */
static bool take_moves(pcm_mujoco *host, mjData *data, const pcm_contact_info *info, pcm_resisting *contact)
{
    pcm_stable  *s = &host->evaluation->stable;
    const size_t nv = (size_t)host->model->nv;
    double      *follower = s->work, *base = follower + 3 * nv;
    mj_jac(host->model, data, follower, NULL, info->point, pcm_mujoco_body(host, info->follower));
    mj_jac(host->model, data, base, NULL, info->point, pcm_mujoco_body(host, info->base));
    if (!pcm_grow(host->context, &s->moves, &s->move_capacity, s->n_moves + nv, sizeof *s->moves))
        return false;
    contact->first = s->n_moves;
    for (size_t i = 0; i < nv; i++) {
        pcm_moved *moved = &s->moves[s->n_moves];
        for (size_t k = 0; k < 3; k++)
            moved->by[k] = follower[k * nv + i] - base[k * nv + i];
        moved->dof = (int)i;
        s->n_moves += moved->by[0] != 0 || moved->by[1] != 0 || moved->by[2] != 0;
    }
    contact->count = s->n_moves - contact->first;
    return true;
}

static pcm_status take_contacts(pcm_mujoco *host, mjData *data)
{
    pcm_stable  *s = &host->evaluation->stable;
    const size_t count = pcm_world_contact_count(host->world), work = 6 * (size_t)host->model->nv;
    s->n_contacts = s->n_moves = 0;
    if (!s->matrices)
        s->matrices = pcm_matrices_new(host->world);
    if (!s->matrices || !pcm_grow(host->context, &s->contacts, &s->contact_capacity, count, sizeof *s->contacts) ||
        !pcm_grow(host->context, &s->work, &s->work_capacity, work, sizeof *s->work))
        return pcm_host_no_memory(host->context);
    for (size_t i = 0; i < count; i++) {
        pcm_contact_info     info = {.size = sizeof info};
        pcm_contact_matrices matrices = {.size = sizeof matrices};
        pcm_resisting       *contact = &s->contacts[s->n_contacts];
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK || info.depth < 0 ||
            pcm_matrices_contact(s->matrices, info.handle, &matrices) != PCM_OK)
            continue;
        *contact = (pcm_resisting){.type = info.type, .a = info.base_name, .b = info.follower_name};
        take_blocks(contact, &matrices, touching_since(&info, host->model->opt.timestep));
        if (!take_moves(host, data, &info, contact))
            return pcm_host_no_memory(host->context);
        s->n_contacts++;
    }
    return PCM_OK;
}

/* ---- Eigenvalues ------------------------------------------------------------------------------------------------- */

/* The joint forces of all contacts for given joint velocities, and the contact that does most of the work. */
static void apply(const pcm_stable *s, bool damping, const double *vector, double *image, size_t *leading)
{
    double most = 0;
    for (size_t i = 0; i < s->n_contacts; i++) {
        const pcm_resisting *contact = &s->contacts[i];
        const pcm_moved     *moves = s->moves + contact->first;
        double               moved[3] = {0, 0, 0}, force[3];
        for (size_t k = 0; k < contact->count; k++)
            mju_addToScl3(moved, moves[k].by, vector[moves[k].dof]);
        mju_mulMatVec(force, damping ? contact->damping : contact->stiffness, moved, 3, 3);
        for (size_t k = 0; k < contact->count; k++)
            image[moves[k].dof] += pcm_dot(moves[k].by, force);
        const double work = fabs(pcm_dot(moved, force));
        if (work > most) {
            most = work;
            *leading = i;
        }
    }
}

/* The largest eigenvalue of M^-1 K, or of M^-1 C, by power iteration, and the contact that contributes most to it. */
static double largest(pcm_mujoco *host, mjData *data, bool damping, size_t *leading)
{
    const int nv = (int)host->model->nv;
    double   *vector = host->evaluation->stable.work, *image = vector + nv, value = 0;
    for (int i = 0; i < nv; i++)
        vector[i] = 1 + 0.3 * (i % 7); /* so that the vector is not orthogonal to an eigenvector of a symmetric body */
    for (int k = 0; k < ITERATIONS; k++) {
        mju_normalize(vector, nv);
        mju_zero(image, nv);
        apply(&host->evaluation->stable, damping, vector, image, leading);
        mj_solveM(host->model, data, vector, image, 1);
        value = mju_norm(vector, nv);
        if (!(value > 0))
            return 0;
    }
    return value;
}

/* Semi-implicit Euler is stable while h^2 k + 2 h c <= 4. For RK4 the bound on h is 1.39 times as large, for springs
 * and dampers alike. */
static double stable_step(const mjModel *model, double k, double c)
{
    const double sum = c + sqrt(c * c + 4 * k);
    return sum > 0 ? (model->opt.integrator == mjINT_RK4 ? 1.39 : 1) * 4 / sum : INFINITY;
}

static pcm_status find(pcm_mujoco *host, mjData *data, pcm_mujoco_stability *found)
{
    const pcm_status  status = take_contacts(host, data);
    const pcm_stable *s = &host->evaluation->stable;
    if (status != PCM_OK || s->n_contacts == 0 || host->model->nv == 0)
        return status;
    size_t               stiff = 0, damped = 0;
    const double         k = largest(host, data, false, &stiff), c = largest(host, data, true, &damped);
    const pcm_resisting *most = &s->contacts[c * c > k ? damped : stiff];
    found->step = stable_step(host->model, k, c);
    found->a = most->a;
    found->b = most->b;
    found->type = most->type;
    return PCM_OK;
}

pcm_status pcm_mujoco_stable_step(pcm_mujoco *host, pcm_mujoco_stability *stability)
{
    pcm_mujoco_stability found = {.size = sizeof found, .step = INFINITY};
    if (!stability)
        return PCM_BAD_ARGUMENT;
    pcm_host_lock(host);
    const pcm_status status = find(host, host->data, &found);
    pcm_host_unlock(host);
    return status == PCM_OK ? pcm_info_fill(host->context, "pcm_mujoco_stability", stability, stability->size, &found)
                            : status;
}
