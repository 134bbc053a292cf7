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
#include "life.h"
#include <pcm/messages.h>

/* MuJoCo starts over from the reset state when it meets numbers that are not finite, and only warns. */
int pcm_follow_instabilities(const mjData *data)
{
    return data->warning[mjWARN_BADQPOS].number + data->warning[mjWARN_BADQVEL].number +
           data->warning[mjWARN_BADQACC].number;
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

/* ---- Commits --------------------------------------------------------------------------------------------------- */

/* The step that the clock tells of; MuJoCo may have found the next one's contacts already. */
static void commit_step(pcm_mujoco *host, mjData *data, bool solved)
{
    const pcm_status end = pcm_history_has_stages(host) ? pcm_stages_finish(host, data) : PCM_OK;
    pcm_host_note(host, end);
    pcm_sense_tell(host);
    pcm_native_observe(host, solved);
    pcm_host_lock(host);
    const pcm_status status = pcm_past_commit(host, data->time);
    pcm_host_unlock(host);
    pcm_host_note(host, status);
}

/* ---- Starting anew --------------------------------------------------------------------------------------------- */

pcm_status pcm_follow_begin_anew(pcm_mujoco *host, double time)
{
    const pcm_mujoco *owner = host->source ? host->source : host;
    pcm_native_forget(host);
    pcm_ease_free(host);
    pcm_host_lock(host);
    const pcm_status status = pcm_checkpoint_take(host, owner->life->birth, owner->life->birth_size);
    host->life->now = time;
    pcm_host_unlock(host);
    return status;
}

/* Said where something is lost by it: of laws with states, once. */
static void note_anew(pcm_mujoco *host, double time)
{
    if (!host->detection->has_states || !pcm_history_has_contacts(host) || time == 0 || host->life->noted_anew)
        return;
    host->life->noted_anew = true;
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
    if (time != host->life->now && !pcm_history_has_stepped(host, time))
        return false;
    while (mark && mark != host->life->history)
        mark = pcm_registry_origin(family, mark, time);
    return mark;
}

/* Whether the data is what the host has followed: a mark that was cleared leaves that of attached data to its clock. */
static bool is_own(const pcm_mujoco *host, uint64_t mark)
{
    return mark == host->life->history || (mark ? mark == host->life->accepts : !host->source);
}

/* Whether the attached data was made a copy of other data and not evaluated since: its clock tells of that. */
static bool is_replaced(const pcm_mujoco *source)
{
    const mjData  *data = source->data;
    const uint64_t mark = pcm_release_mark(data);
    return pcm_release_has_mark(data) && !isnan(source->life->now) && !is_own(source, mark) &&
           !is_as_own(source, mark, data->time);
}

static bool is_in_own_thread(const pcm_mujoco *source) { return pthread_equal(source->life->thread, pthread_self()); }

/* Where the attached data was made a copy of a copy's, it takes the contacts before those go on. */
static void hand_on(const pcm_mujoco *copy, uint64_t history)
{
    pcm_mujoco *source = copy->source;
    if (source && is_in_own_thread(source) && pcm_model_stands(source) && pcm_release_has_mark(source->data) &&
        pcm_release_mark(source->data) == history)
        pcm_follow_arrive(source, source->data);
}

/* The state was set from outside. */
static void start_over(pcm_mujoco *host, const mjData *data, uint64_t mark)
{
    pcm_life *life = host->life;
    hand_on(host, life->history);
    const bool unstable = !host->source && pcm_follow_instabilities(data) > 0 && !life->reset;
    if (!host->source)
        life->reset = false;
    if (pcm_fork_take(host, mark, data->time))
        return;
    if (unstable) {
        pcm_follow_report_unstable(host);
        pcm_host_note(host, PCM_BAD_MOTION);
    } else if (!host->source && mark) {
        note_anew(host, data->time);
    }
    pcm_host_note(host, pcm_follow_begin_anew(host, data->time));
}

/* ---- The clock ------------------------------------------------------------------------------------------------- */

static void catch_up(pcm_mujoco *host, mjData *data, uint64_t mark)
{
    pcm_life    *life = host->life;
    const double time = data->time;
    const bool   nested = pcm_release_nested(data);
    if (isnan(life->now) || !(is_own(host, mark) || is_as_own(host, mark, time)))
        start_over(host, data, mark);
    else if ((time == life->now || pcm_history_has_stepped(host, time)) && !nested && pcm_fork_take_same(host, data))
        return;
    else if (time == life->now)
        return;
    else if (pcm_history_has_stepped(host, time))
        commit_step(host, data, false);
    else if (time == life->drifted) /* before 2.3 finite differences move the clock on, and leave it there */
        data->time = nested ? time : life->now;
    else if (!nested || !pcm_history_has_stages(host))
        start_over(host, data, mark);
}

void pcm_follow_arrive(pcm_mujoco *host, mjData *data)
{
    pcm_life      *life = host->life;
    const bool     marked = pcm_release_has_mark(data);
    const uint64_t history = life->history;
    if (!life->follows)
        return;
    if (host->source || !isnan(life->now))
        catch_up(host, data, marked ? pcm_release_mark(data) : history);
    hand_on(host, history);
    life->accepts = 0;
    if (marked)
        pcm_release_set_mark(data, life->history);
}

void pcm_follow_leave(pcm_mujoco *host, const mjData *data)
{
    pcm_life  *life = host->life;
    const bool nested = pcm_release_nested(data);
    pcm_host_lock(host);
    life->thread = pthread_self();
    if (isnan(life->now))
        life->now = data->time;
    const double after = data->time + host->model->opt.timestep;
    if (data->time == life->now && !nested && !host->source)
        pcm_history_remember(host);
    if (!nested)
        life->next = data->time == life->now ? after : NAN;
    else if (!pcm_history_has_stages(host))
        life->next = NAN;
    life->drifted = nested ? (pcm_history_has_stages(host) ? data->time : after) : NAN;
    host->evaluation->pending =
        life->follows && !pcm_history_has_stages(host) && !isnan(life->next) ? host->model->opt.timestep : 0;
    pcm_host_unlock(host);
}

/* ---- Settling -----------------------------------------------------------------------------------------------------
 */

void pcm_follow_settle(pcm_mujoco *host)
{
    if (!host->life->follows || host->source || !pcm_model_stands(host))
        return;
    if (is_replaced(host)) {
        pcm_follow_arrive(host, host->data);
    } else if (pcm_history_has_stepped(host, host->data->time)) {
        if (pcm_history_has_stages(host))
            pcm_stages_move(host);
        commit_step(host, host->data, true);
    } else if (host->data->time == host->life->now) {
        pcm_host_lock(host);
        pcm_history_remember(host);
        pcm_host_unlock(host);
    }
}

/* In the thread that steps it nobody does meanwhile. What was named stays where the data was replaced. */
void pcm_follow_settle_source(pcm_mujoco *source, bool named)
{
    if (is_in_own_thread(source) && !(named && is_replaced(source)))
        pcm_follow_settle(source);
}
