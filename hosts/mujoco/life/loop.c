/* SPDX-License-Identifier: MIT */
/* loop.c - the calls of a user's loop: steps and trials, commits, sensors, checkpoints. */
#include "life.h"

/* ---- Calls of MuJoCo --------------------------------------------------------------------------------------------- */

static void forward(void *user)
{
    const pcm_mujoco *host = user;
    mj_forward(host->model, host->data);
}

static void step(void *user)
{
    const pcm_mujoco *host = user;
    mj_step(host->model, host->data);
}

static pcm_status run_engine(pcm_mujoco *host, void (*function)(void *host))
{
    pcm_life            *life = host->life;
    mjData              *data = host->data;
    uint64_t             evaluations = life->evaluations;
    int                  unstable = pcm_follow_instabilities(data);
    const pcm_stack_mark stack = pcm_release_stack(data);
    pcm_process_hook_again();
    host->status = PCM_OK;
    host->in_own_call = true;
    if (!pcm_process_guard(host->context, function, host)) {
        pcm_release_unwind(data, stack);
        host->status = PCM_BAD_HOST;
    }
    pcm_forces_withdraw(host, data);
    host->in_own_call = false;
    life->reset = pcm_follow_instabilities(data) != unstable;
    if (life->reset) {
        pcm_follow_report_unstable(host);
        host->status = PCM_BAD_MOTION;
    }
    if (host->status == PCM_OK && life->evaluations == evaluations) {
        pcm_follow_report_lost(host);
        host->status = PCM_BAD_HOST;
    }
    return host->status;
}

/* ---- Inner forces ------------------------------------------------------------------------------------------------ */

static void compute_inner(void *user)
{
    pcm_mujoco *host = user;
    mj_rnePostConstraint(host->model, host->data);
}

/* Computes cacc, cfrc_int and cfrc_ext with our forces of the last evaluation. */
static bool find_inner_forces(pcm_mujoco *host)
{
    const pcm_stack_mark stack = pcm_release_stack(host->data);
    pcm_host_lock(host);
    pcm_forces_share(host, host->data);
    pcm_host_unlock(host);
    pcm_process_hook_again();
    const bool done = pcm_process_guard(host->context, compute_inner, host);
    if (!done)
        pcm_release_unwind(host->data, stack);
    pcm_forces_withdraw(host, host->data);
    return done;
}

/* Computes force and torque sensors of a call of ours again, with the velocities of its evaluation: a step has changed
 * them since. */
static pcm_status feel(pcm_mujoco *host)
{
    mjData       *data = host->data;
    pcm_reading  *r = host->reading;
    const size_t  nv = (size_t)host->model->nv;
    const double *began = host->life->stood + host->model->nq;
    if (!pcm_sense_feels(host) || nv == 0)
        return PCM_OK;
    if (!pcm_grow(host->context, &r->velocity, &r->velocity_capacity, nv, sizeof *r->velocity))
        return pcm_host_no_memory(host->context);
    memcpy(r->velocity, data->qvel, nv * sizeof *r->velocity);
    memcpy(data->qvel, began, nv * sizeof *began);
    const bool done = find_inner_forces(host);
    memcpy(data->qvel, r->velocity, nv * sizeof *r->velocity);
    if (!done)
        return PCM_BAD_HOST;
    pcm_sense_joints(host);
    return PCM_OK;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

pcm_status pcm_mujoco_forward(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    if (!host->evaluation->has_solver)
        pcm_follow_arrive(host, host->data);
    const pcm_status status = run_engine(host, forward);
    const pcm_status felt = pcm_leaves_forces(status) && !host->evaluation->has_solver ? feel(host) : PCM_OK;
    return status == PCM_OK ? felt : status;
}

/* MuJoCo runs its stages and calls ours in each; history states are updated only at the end of the step. */
static pcm_status step_stages(pcm_mujoco *host)
{
    const pcm_mujoco_solver solver = pcm_stages_solver(host);
    pcm_mujoco_use_solver(host, &solver);
    const pcm_status status = run_engine(host, step);
    const bool       ends = pcm_leaves_forces(status) && !host->life->reset;
    pcm_mujoco_use_solver(host, NULL);
    if (ends)
        pcm_stages_move(host);
    const pcm_status end = ends ? pcm_stages_finish(host, host->data) : PCM_OK;
    return end == PCM_OK ? status : end;
}

pcm_status pcm_mujoco_step(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    const bool stages = host->model->opt.integrator == mjINT_RK4;
    pcm_follow_arrive(host, host->data);
    pcm_sense_report_own(host);
    if (pcm_sense_adds(host))
        mju_zero(host->data->cfrc_ext, 6 * (int)host->model->nbody);
    const pcm_status status = stages ? step_stages(host) : run_engine(host, step);
    if (!pcm_leaves_forces(status) || host->life->reset)
        return status;
    pcm_sense_all(host);
    if (pcm_sense_adds(host)) {
        pcm_host_lock(host);
        pcm_forces_add_outer(host, host->data);
        pcm_host_unlock(host);
    }
    const pcm_status felt = feel(host);
    pcm_sense_keep_own(host);
    const pcm_status committed = pcm_mujoco_commit(host);
    return committed != PCM_OK ? committed : status != PCM_OK ? status : felt;
}

pcm_status pcm_mujoco_ease(pcm_mujoco *host, double seconds)
{
    if (!(seconds > 0))
        return PCM_BAD_ARGUMENT;
    pcm_ease_free(host);
    const pcm_status status = pcm_mujoco_forward(host);
    return status == PCM_OK ? pcm_ease_start(host, seconds) : status;
}

pcm_status pcm_mujoco_commit(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    pcm_native_observe(host, true);
    pcm_host_lock(host);
    const pcm_status status = pcm_past_commit(host, host->data->time);
    pcm_host_unlock(host);
    return status;
}

pcm_status pcm_mujoco_sense(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    host->reading->reported_sensors = true;
    const bool done = find_inner_forces(host);
    pcm_sense_all(host);
    return done ? PCM_OK : PCM_BAD_HOST;
}

/* ---- The clock --------------------------------------------------------------------------------------------------- */

void pcm_mujoco_follow(pcm_mujoco *host, bool follow)
{
    pcm_life *life = host->life;
    life->follows = follow;
    life->now = NAN;
    life->next = NAN;
}

pcm_status pcm_mujoco_status(pcm_mujoco *host)
{
    pcm_follow_settle(host);
    pcm_changed_check(host);
    const pcm_status status = host->loop_status;
    host->loop_status = PCM_OK;
    host->life->told_unstable = false;
    return status;
}

pcm_status pcm_mujoco_reset(pcm_mujoco *host) { return pcm_follow_restart(host, NAN); }

pcm_status pcm_mujoco_set(pcm_mujoco *host, const char *name, double value)
{
    pcm_follow_settle(host);
    pcm_host_lock(host);
    const pcm_status status = pcm_world_set(host->world, name, value);
    pcm_host_unlock(host);
    host->evaluation->most = 0; /* so that the step is judged anew */
    return status;
}

pcm_status pcm_mujoco_set_surface_velocity(pcm_mujoco *host, const char *object, const pcm_twist *velocity)
{
    if (!object || !velocity)
        return PCM_BAD_ARGUMENT;
    pcm_follow_settle(host);
    pcm_host_lock(host);
    const pcm_status status = pcm_belts_set(host, object, velocity);
    pcm_host_unlock(host);
    return status;
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

size_t pcm_mujoco_checkpoint_size(pcm_mujoco *host)
{
    pcm_follow_settle(host);
    return pcm_checkpoint_bytes(host);
}

pcm_status pcm_mujoco_checkpoint_save(pcm_mujoco *host, void *bytes, size_t size)
{
    pcm_follow_settle(host);
    if (!bytes || size != pcm_checkpoint_bytes(host))
        return PCM_BAD_ARGUMENT;
    pcm_host_lock(host);
    const pcm_status status = pcm_checkpoint_write(host, bytes);
    pcm_host_unlock(host);
    return status;
}

pcm_status pcm_mujoco_checkpoint_restore(pcm_mujoco *host, const void *bytes, size_t size)
{
    if (!bytes)
        return PCM_BAD_ARGUMENT;
    pcm_host_lock(host);
    const pcm_status status = pcm_checkpoint_take(host, bytes, size);
    host->evaluation->overlap_reported = true; /* a restored scene has no start at which objects could overlap */
    host->evaluation->ease_due = false;
    pcm_host_unlock(host);
    return status;
}
