/* SPDX-License-Identifier: MIT */
/* follow.c - what an mjData's clock tells of its user's loop.
 *
 * MuJoCo does not say whether forces are wanted for a step or for a trial. The clock does: a step moves it on by the
 * timestep, after its forces. Forces for the same time as before are another trial; forces for that time and a timestep
 * say that what was evaluated last was a step; forces for any other time say that the state was set, by a reset or from
 * a copy. What is wanted from within a larger computation, a stage of RK4 or a finite difference, is a trial whatever
 * the clock: MuJoCo's stack is then in use. */
#include "host.h"
#include <pcm/messages.h>

/* MuJoCo starts over from the reset state when it meets numbers that are not finite, and only warns. */
int pcm_follow_instabilities(const mjData *data)
{
    return data->warning[mjWARN_BADQPOS].number + data->warning[mjWARN_BADQVEL].number +
           data->warning[mjWARN_BADQACC].number;
}

void pcm_follow_note(pcm_mujoco *host, pcm_status status)
{
    pcm_status *first = host->in_own_call ? &host->status : &host->loop_status;
    if (*first == PCM_OK)
        *first = status;
}

void pcm_follow_report_unstable(pcm_mujoco *host)
{
    pcm_report(host->context, PCM_ERROR, PCM_MSG_UNSTABLE,
               "the simulation became unstable and MuJoCo reset it: try a smaller step or softer contacts");
}

void pcm_follow_report_lost(pcm_mujoco *host)
{
    pcm_report(
        host->context, PCM_ERROR, PCM_MSG_CALLBACK_LOST,
        "MuJoCo computed a step without PCM's forces: mjcb_passive was replaced, or passive forces are disabled");
}

/* ---- Locks ----------------------------------------------------------------------------------------------------- */

/* While an attachment's world changes no guest copies it; guests are copied by nobody. */
void pcm_follow_lock(pcm_mujoco *host)
{
    if (!host->source)
        pthread_mutex_lock(&host->lock);
}

void pcm_follow_unlock(pcm_mujoco *host)
{
    if (!host->source)
        pthread_mutex_unlock(&host->lock);
}

/* ---- Commits --------------------------------------------------------------------------------------------------- */

static pcm_status commit_at(pcm_mujoco *host, double time)
{
    host->now = time;
    host->next = host->drifted = NAN;
    const pcm_status status = pcm_world_commit(host->world);
    return status == PCM_OK ? pcm_mujoco_keep(host) : status;
}

pcm_status pcm_mujoco_commit(pcm_mujoco *host)
{
    pcm_native_observe(host, true);
    pcm_follow_lock(host);
    const pcm_status status = commit_at(host, host->data->time);
    pcm_follow_unlock(host);
    return status;
}

static bool has_stages(const pcm_mujoco *host) { return host->model->opt.integrator == mjINT_RK4; }

/* Whether a step lies between the last evaluation and that time. */
static bool has_stepped(const pcm_mujoco *host, double time)
{
    return time == host->next && (!has_stages(host) || host->stages.stage == PCM_STAGES);
}

/* The step that the clock tells of; MuJoCo may have found the next one's contacts already. */
static void commit_step(pcm_mujoco *host, mjData *data, bool solved)
{
    const pcm_status end = has_stages(host) ? pcm_stages_finish(host, data) : PCM_OK;
    pcm_follow_note(host, end);
    pcm_sense_tell(host);
    pcm_native_observe(host, solved);
    pcm_follow_lock(host);
    const pcm_status status = commit_at(host, data->time);
    pcm_follow_unlock(host);
    pcm_follow_note(host, status);
}

/* ---- Starting anew --------------------------------------------------------------------------------------------- */

static pcm_status begin_anew(pcm_mujoco *host, double time)
{
    const pcm_mujoco *owner = host->source ? host->source : host;
    pcm_native_forget(host);
    pcm_follow_lock(host);
    const pcm_status status = pcm_checkpoint_take(host, owner->birth, owner->birth_size);
    host->now = time;
    host->next = host->drifted = NAN;
    pcm_follow_unlock(host);
    return status;
}

/* The state was set from outside. A guest that stands where its attachment does is a copy of it. */
static void start_over(pcm_mujoco *host, const mjData *data)
{
    if (host->source) {
        if (!pcm_guest_fork(host, data->time))
            pcm_follow_note(host, begin_anew(host, data->time));
        return;
    }
    if (pcm_follow_instabilities(data) > 0 && !host->reset) {
        pcm_follow_report_unstable(host);
        pcm_follow_note(host, PCM_BAD_MOTION);
    }
    host->reset = false;
    pcm_follow_note(host, begin_anew(host, data->time));
}

/* ---- The clock ------------------------------------------------------------------------------------------------- */

void pcm_follow_arrive(pcm_mujoco *host, mjData *data)
{
    const double time = data->time;
    const bool   nested = pcm_release_nested(data);
    if (!host->follows || time == host->now || (isnan(host->now) && !host->source))
        return;
    if (has_stepped(host, time))
        commit_step(host, data, false);
    else if (time == host->drifted) /* before 2.3 finite differences move the clock on, and leave it there */
        host->now = nested ? host->now : time;
    else if (!nested || !has_stages(host))
        start_over(host, data);
}

void pcm_follow_leave(pcm_mujoco *host, const mjData *data)
{
    const bool nested = pcm_release_nested(data);
    pcm_follow_lock(host);
    host->thread = pthread_self();
    if (isnan(host->now))
        host->now = data->time;
    const double after = data->time + host->model->opt.timestep;
    if (!nested)
        host->next = data->time == host->now ? after : NAN;
    else if (!has_stages(host))
        host->next = NAN;
    host->drifted = nested ? after : NAN;
    pcm_follow_unlock(host);
}

/* Collisions were looked for, and forces will be wanted, unless our hook is gone: told at the third time in vain. */
void pcm_follow_collision(pcm_mujoco *host, const mjData *data)
{
    enum { IN_VAIN = 3 };
    pcm_process_hook_in();
    if (data->time == host->phase && host->open_phases > 0)
        return;
    host->phase = data->time;
    if (++host->open_phases != IN_VAIN || host->in_own_call)
        return;
    pcm_follow_report_lost(host);
    pcm_follow_note(host, PCM_BAD_HOST);
}

/* ---- For the user ---------------------------------------------------------------------------------------------- */

void pcm_mujoco_follow(pcm_mujoco *host, bool follow)
{
    host->follows = follow;
    host->now = host->next = NAN;
}

void pcm_follow_settle(pcm_mujoco *host)
{
    if (!host->follows || host->source || !has_stepped(host, host->data->time))
        return;
    if (has_stages(host))
        pcm_stages_move(host);
    commit_step(host, host->data, true);
}

pcm_status pcm_mujoco_status(pcm_mujoco *host)
{
    pcm_follow_settle(host);
    const pcm_status status = host->loop_status;
    host->loop_status = PCM_OK;
    return status;
}

pcm_status pcm_mujoco_reset(pcm_mujoco *host) { return begin_anew(host, NAN); }
