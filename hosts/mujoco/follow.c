/* SPDX-License-Identifier: MIT */
/* follow.c - what an mjData's clock tells of its user's loop.
 *
 * MuJoCo does not say whether forces are wanted for a step or for a trial. The clock does: a step moves it on by the
 * timestep, after its forces. Forces for the same time as before are another trial; forces for that time and a timestep
 * say that what was evaluated last was a step; forces for any other time say that the state was set, by a reset or from
 * a copy. What is wanted from within a larger computation, a stage of RK4 or a finite difference, is a trial whatever
 * the clock: MuJoCo's stack is then in use.
 *
 * A clock does not tell a copy from what went on by itself until that time. So each history of contacts has a name,
 * and the data that has it bears it as a mark (release.h), which mj_copyData takes along, whatever is changed in the
 * copy: data that bears another's mark goes on from the contacts of that. Where states are set without mj_copyData
 * (mj_setState) the mark stays, and a copy of the attached data is known by its clock and, where that could be the
 * data's own as well, by its positions and velocities. */
#include "host.h"
#include <float.h>
#include <pcm/messages.h>
#include <string.h>
#include <unistd.h>

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

void pcm_follow_lock(pcm_mujoco *host) { pthread_mutex_lock(&host->lock); }

void pcm_follow_unlock(pcm_mujoco *host) { pthread_mutex_unlock(&host->lock); }

/* ---- Histories ------------------------------------------------------------------------------------------------- */

/* Of this process, since data may come from another; neither half is 0, so that no mark is one by chance. */
void pcm_follow_renew(pcm_mujoco *host)
{
    static _Atomic uint32_t last;
    uint32_t                number;
    do
        number = atomic_fetch_add(&last, 1) + 1;
    while (number == 0);
    host->history = (uint64_t)getpid() << 32 | number;
    host->origin = 0;
    host->accepts = 0;
}

/* Under the lock: the state that the clock of the attached data now shows. */
static void remember(pcm_mujoco *host)
{
    if (!host->stood)
        return;
    const mjData *data = host->data;
    memcpy(host->stood, data->qpos, (size_t)host->model->nq * sizeof *host->stood);
    memcpy(host->stood + host->model->nq, data->qvel, (size_t)host->model->nv * sizeof *host->stood);
}

/* Quaternions are normalised once more, or once less. */
static bool are_same(const double *a, const double *b, int count)
{
    const double rounding = 8 * DBL_EPSILON;
    bool         same = true;
    for (int i = 0; i < count && same; i++)
        same = fabs(a[i] - b[i]) <= rounding * fmax(fabs(a[i]), 1);
    return same;
}

bool pcm_follow_stands_as(const pcm_mujoco *host, const mjData *data)
{
    const mjModel *model = host->model;
    return host->stood && are_same(host->stood, data->qpos, (int)model->nq) &&
           are_same(host->stood + model->nq, data->qvel, (int)model->nv);
}

/* MuJoCo's integrators end with positions that go on by the new velocities. */
bool pcm_follow_comes_to(const pcm_mujoco *host, const mjData *data)
{
    const mjModel *model = host->model;
    const size_t   nq = (size_t)model->nq;
    double        *came = host->stood ? pcm_allocate(host->context, nq * sizeof *came) : NULL;
    if (!came)
        return false;
    memcpy(came, host->stood, nq * sizeof *came);
    mj_integratePos(model, came, data->qvel, host->pending);
    const bool same = are_same(came, data->qpos, (int)nq);
    pcm_free(host->context, came, nq * sizeof *came);
    return same;
}

/* ---- Commits --------------------------------------------------------------------------------------------------- */

pcm_status pcm_follow_commit_at(pcm_mujoco *host, double time)
{
    host->now = time;
    host->next = NAN;
    host->drifted = NAN;
    host->pending = 0;
    remember(host);
    pcm_status status = pcm_world_commit(host->world);
    if (status == PCM_OK)
        status = pcm_mujoco_keep(host);
    if (status != PCM_OK || host->keeps == 0)
        return status;
    host->keeps--;
    return pcm_past_keep(host, &host->steps);
}

pcm_status pcm_mujoco_commit(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    pcm_native_observe(host, true);
    pcm_follow_lock(host);
    const pcm_status status = pcm_follow_commit_at(host, host->data->time);
    pcm_follow_unlock(host);
    return status;
}

static bool has_stages(const pcm_mujoco *host) { return host->model->opt.integrator == mjINT_RK4; }

/* Whether a step lies between the last evaluation and that time: one of all stages, or mj_step2's after the first. */
static bool has_stepped(const pcm_mujoco *host, double time)
{
    const uint32_t stage = host->stages.stage;
    return time == host->next && (!has_stages(host) || stage == PCM_STAGES || stage == 1);
}

/* The step that the clock tells of; MuJoCo may have found the next one's contacts already. */
static void commit_step(pcm_mujoco *host, mjData *data, bool solved)
{
    const pcm_status end = has_stages(host) ? pcm_stages_finish(host, data) : PCM_OK;
    pcm_follow_note(host, end);
    pcm_sense_tell(host);
    pcm_native_observe(host, solved);
    pcm_follow_lock(host);
    const pcm_status status = pcm_follow_commit_at(host, data->time);
    pcm_follow_unlock(host);
    pcm_follow_note(host, status);
}

/* ---- Starting anew --------------------------------------------------------------------------------------------- */

static pcm_status begin_anew(pcm_mujoco *host, double time)
{
    const pcm_mujoco *owner = host->source ? host->source : host;
    pcm_native_forget(host);
    pcm_ease_free(host);
    pcm_follow_lock(host);
    const pcm_status status = pcm_checkpoint_take(host, owner->birth, owner->birth_size);
    host->now = time;
    pcm_follow_unlock(host);
    return status;
}

/* The world has those of a checkpoint from its next update on. */
bool pcm_follow_has_contacts(const pcm_mujoco *host)
{
    bool has = pcm_world_contact_count(host->world) > 0;
    for (size_t i = 0; host->restored && i < host->kept.count && !has; i++)
        has = host->kept.items[i].touched;
    return has;
}

/* Said where something is lost by it: of laws with states, once. */
static void note_anew(pcm_mujoco *host, double time)
{
    if (!host->has_states || !pcm_follow_has_contacts(host) || time == 0 || host->noted_anew)
        return;
    host->noted_anew = true;
    const pcm_number_text set = pcm_number(time, 9);
    pcm_report(
        host->context, PCM_WARNING, PCM_MSG_NOT_FORKED,
        "the attached mjData was set to t = %s s, of which no contacts are known: they begin anew; "
        "pcm_mujoco_fork keeps them for a copy as it is made, pcm_mujoco_checkpoint_save for a saved state, until "
        "pcm_mujoco_checkpoint_restore",
        set.text);
}

/* Whether the mark names a copy that stood as the host does now or after its last step. */
static bool is_as_own(const pcm_mujoco *host, uint64_t mark, double time)
{
    pcm_mujoco *family = host->source ? host->source : (pcm_mujoco *)host;
    if (time != host->now && !has_stepped(host, time))
        return false;
    while (mark && mark != host->history)
        mark = pcm_registry_origin(family, mark, time);
    return mark;
}

/* Whether the data is what the host has followed: a mark that was cleared leaves that of attached data to its clock. */
static bool is_own(const pcm_mujoco *host, uint64_t mark)
{
    return mark == host->history || (mark ? mark == host->accepts : !host->source);
}

/* Whether the attached data was made a copy of other data and not evaluated since: its clock tells of that. */
static bool is_replaced(const pcm_mujoco *source)
{
    const mjData  *data = source->data;
    const uint64_t mark = pcm_release_mark(data);
    return pcm_release_has_mark(data) && !isnan(source->now) && !is_own(source, mark) &&
           !is_as_own(source, mark, data->time);
}

static bool is_in_own_thread(const pcm_mujoco *source) { return pthread_equal(source->thread, pthread_self()); }

/* Where the attached data was made a copy of a guest's, it takes the contacts before those go on. */
static void hand_on(const pcm_mujoco *guest, uint64_t history)
{
    pcm_mujoco *source = guest->source;
    if (source && is_in_own_thread(source) && pcm_model_stands(source) && pcm_release_has_mark(source->data) &&
        pcm_release_mark(source->data) == history)
        pcm_follow_arrive(source, source->data);
}

/* The state was set from outside. */
static void start_over(pcm_mujoco *host, const mjData *data, uint64_t mark)
{
    hand_on(host, host->history);
    const bool unstable = !host->source && pcm_follow_instabilities(data) > 0 && !host->reset;
    if (!host->source)
        host->reset = false;
    if (pcm_fork_take(host, mark, data->time))
        return;
    if (unstable) {
        pcm_follow_report_unstable(host);
        pcm_follow_note(host, PCM_BAD_MOTION);
    } else if (!host->source && mark) {
        note_anew(host, data->time);
    }
    pcm_follow_note(host, begin_anew(host, data->time));
}

/* ---- The clock ------------------------------------------------------------------------------------------------- */

static void catch_up(pcm_mujoco *host, mjData *data, uint64_t mark)
{
    const double time = data->time;
    const bool   nested = pcm_release_nested(data);
    if (isnan(host->now) || !(is_own(host, mark) || is_as_own(host, mark, time)))
        start_over(host, data, mark);
    else if ((time == host->now || has_stepped(host, time)) && !nested && pcm_fork_take_same(host, data))
        return;
    else if (time == host->now)
        return;
    else if (has_stepped(host, time))
        commit_step(host, data, false);
    else if (time == host->drifted) /* before 2.3 finite differences move the clock on, and leave it there */
        data->time = nested ? time : host->now;
    else if (!nested || !has_stages(host))
        start_over(host, data, mark);
}

void pcm_follow_arrive(pcm_mujoco *host, mjData *data)
{
    const bool     marked = pcm_release_has_mark(data);
    const uint64_t history = host->history;
    if (!host->follows)
        return;
    if (host->source || !isnan(host->now))
        catch_up(host, data, marked ? pcm_release_mark(data) : history);
    hand_on(host, history);
    host->accepts = 0;
    if (marked)
        pcm_release_set_mark(data, host->history);
}

void pcm_follow_leave(pcm_mujoco *host, const mjData *data)
{
    const bool nested = pcm_release_nested(data);
    pcm_follow_lock(host);
    host->thread = pthread_self();
    if (isnan(host->now))
        host->now = data->time;
    const double after = data->time + host->model->opt.timestep;
    if (data->time == host->now && !nested && !host->source)
        remember(host);
    if (!nested)
        host->next = data->time == host->now ? after : NAN;
    else if (!has_stages(host))
        host->next = NAN;
    host->drifted = nested ? (has_stages(host) ? data->time : after) : NAN;
    host->pending = host->follows && !has_stages(host) && !isnan(host->next) ? host->model->opt.timestep : 0;
    pcm_follow_unlock(host);
}

/* Collisions were looked for, and forces will be wanted, unless our hook is gone: told at the third time in vain. Where
 * it is there, the user asks for positions alone. */
static void look(pcm_mujoco *host, const mjData *data)
{
    enum { IN_VAIN = 3 };
    pcm_process_hook_in();
    if (data->time == host->phase && host->open_phases > 0)
        return;
    host->phase = data->time;
    if (pcm_process_is_hooked() && !pcm_release_skips_passive(host->model))
        return;
    if (++host->open_phases != IN_VAIN || host->in_own_call)
        return;
    pcm_follow_report_lost(host);
    pcm_follow_note(host, PCM_BAD_HOST);
}

void pcm_follow_collision(pcm_mujoco *host, const mjData *data)
{
    const bool threaded = pcm_release_is_threaded(data);
    if (threaded)
        pthread_mutex_lock(&host->looking);
    look(host, data);
    if (!host->in_own_call)
        host->felt_time = NAN;
    if (threaded)
        pthread_mutex_unlock(&host->looking);
}

/* ---- For the user ---------------------------------------------------------------------------------------------- */

void pcm_mujoco_follow(pcm_mujoco *host, bool follow)
{
    host->follows = follow;
    host->now = NAN;
    host->next = NAN;
}

void pcm_follow_settle(pcm_mujoco *host)
{
    if (!host->follows || host->source || !pcm_model_stands(host))
        return;
    if (is_replaced(host)) {
        pcm_follow_arrive(host, host->data);
    } else if (has_stepped(host, host->data->time)) {
        if (has_stages(host))
            pcm_stages_move(host);
        commit_step(host, host->data, true);
    } else if (host->data->time == host->now) {
        pcm_follow_lock(host);
        remember(host);
        pcm_follow_unlock(host);
    }
}

/* In the thread that steps it nobody does meanwhile. What was named stays where the data was replaced. */
void pcm_follow_settle_source(pcm_mujoco *source, bool named)
{
    if (is_in_own_thread(source) && !(named && is_replaced(source)))
        pcm_follow_settle(source);
}

/* Whose data may be gone: under RK4 a step ends with an evaluation, which needs it. */
void pcm_follow_end_guest(pcm_mujoco *guest, double time)
{
    if (!has_stages(guest) && has_stepped(guest, time))
        pcm_follow_note(guest, pcm_follow_commit_at(guest, time));
}

pcm_status pcm_mujoco_status(pcm_mujoco *host)
{
    pcm_follow_settle(host);
    const pcm_status status = host->loop_status;
    host->loop_status = PCM_OK;
    return status;
}

pcm_status pcm_mujoco_reset(pcm_mujoco *host) { return begin_anew(host, NAN); }
