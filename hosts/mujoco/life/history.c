/* SPDX-License-Identifier: MIT */
/* history.c - the names of contact histories, and the state of the data that belongs to a history. */
#include "life.h"
#include <float.h>
#include <unistd.h>

/* One half of the name identifies the process, since data may come from another process. Neither half is 0, so that no
 * mark matches by chance. */
void pcm_history_renew(pcm_mujoco *host)
{
    pcm_life               *life = host->life;
    static _Atomic uint32_t last;
    uint32_t                number;
    do
        number = atomic_fetch_add(&last, 1) + 1;
    while (number == 0);
    life->history = (uint64_t)getpid() << 32 | number;
    life->origin = 0;
    life->accepts = 0;
}

pcm_status pcm_history_reserve(pcm_mujoco *host)
{
    pcm_life *life = host->life;
    life->stood = pcm_allocate(host->context, 2 * host->n_state * sizeof *life->stood);
    life->came = life->stood ? life->stood + host->n_state : NULL;
    return life->stood || !host->n_state ? PCM_OK : pcm_host_no_memory(host->context);
}

void pcm_history_free(pcm_mujoco *host)
{
    pcm_free(host->context, host->life->stood, host->life->stood ? 2 * host->n_state * sizeof(double) : 0);
}

/* Saves the attached data's state at its present time. Called under the lock. */
void pcm_history_remember(pcm_mujoco *host)
{
    pcm_life *life = host->life;
    if (!life->stood)
        return;
    const mjData *data = host->data;
    memcpy(life->stood, data->qpos, (size_t)host->model->nq * sizeof *life->stood);
    memcpy(life->stood + host->model->nq, data->qvel, (size_t)host->model->nv * sizeof *life->stood);
}

/* Whether states are equal within rounding: quaternions may be normalised once more or once less. */
static bool are_same(const double *a, const double *b, int count)
{
    const double rounding = 8 * DBL_EPSILON;
    bool         same = true;
    for (int i = 0; i < count && same; i++)
        same = fabs(a[i] - b[i]) <= rounding * fmax(fabs(a[i]), 1);
    return same;
}

bool pcm_history_stands_as(const pcm_mujoco *host, const mjData *data)
{
    const pcm_life *life = host->life;
    const mjModel  *model = host->model;
    return life->stood && are_same(life->stood, data->qpos, (int)model->nq) &&
           are_same(life->stood + model->nq, data->qvel, (int)model->nv);
}

/* Whether the pending step leads to this data: positions after a step follow from those before it and the new
 * velocities, as in MuJoCo's integrators. */
bool pcm_history_comes_to(const pcm_mujoco *host, const mjData *data)
{
    const mjModel *model = host->model;
    double        *came = host->life->came;
    if (!came)
        return false;
    memcpy(came, host->life->stood, (size_t)model->nq * sizeof *came);
    mj_integratePos(model, came, data->qvel, model->opt.timestep);
    return are_same(came, data->qpos, (int)model->nq);
}

/* Whether two clocks agree but for the rounding of a loop that sets it to k times the step. */
static bool agree(double time, double next, double step)
{
    return fabs(time - next) <= fmax(1e-6 * step, 4 * DBL_EPSILON * fabs(next));
}

bool pcm_history_has_stepped(const pcm_mujoco *host, double time)
{
    const uint32_t stage = host->evaluation->stages.stage;
    return agree(time, host->life->next, host->model->opt.timestep) &&
           (!pcm_history_has_stages(host) || stage == PCM_STAGES || stage == 1);
}

/* A loop may set the clock to any time. A step has moved the positions by the new velocities. */
bool pcm_history_has_stepped_in_place(pcm_mujoco *host, const mjData *data)
{
    const pcm_life *life = host->life;
    if (host->source || !life->stood || isnan(life->next))
        return false;
    pcm_host_lock(host);
    const bool stands = memcmp(life->stood, data->qpos, (size_t)host->model->nq * sizeof *life->stood) == 0;
    const bool staged = pcm_history_has_stages(host) && host->evaluation->stages.stage == PCM_STAGES;
    const bool stepped = !stands && (staged || pcm_history_comes_to(host, data));
    pcm_host_unlock(host);
    return stepped;
}

/* Whether there are contacts. After a restore the world has them only from the next update on; before that they are in
 * kept. */
bool pcm_history_has_contacts(const pcm_mujoco *host)
{
    const pcm_detection *d = host->detection;
    bool                 has = pcm_world_contact_count(host->world) > 0;
    for (size_t i = 0; d->restored && i < d->kept.count && !has; i++)
        has = d->kept.items[i].touched;
    return has;
}
