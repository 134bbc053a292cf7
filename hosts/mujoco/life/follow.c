/* SPDX-License-Identifier: MIT */
/* follow.c - detects steps, trials and resets in the user's own loop by the clock of the mjData.
 *
 * MuJoCo does not say whether it computes forces for a step or for a trial. The clock does: a step advances it by the
 * timestep after its forces. If the clock has advanced by a timestep at the next evaluation, the last one was a step.
 * It was one, too, if the positions have moved by the new velocities: then the loop sets its clock by itself. If the
 * clock is unchanged, that is another trial. Otherwise the state was set, by a reset or from a copy. An
 * evaluation within a larger computation, such as a stage of RK4 or a finite difference, is a trial whatever the clock
 * shows; it is recognised by MuJoCo's stack, which is in use then.
 *
 * The clock does not distinguish a copy from data that reached the same time independently. So each history of contacts
 * has a name, which is stored in its data as a mark (release.h). mj_copyData copies the mark, and a copy keeps it
 * whatever else is changed in it: data with the mark of another history continues from the contacts of that history.
 * Where states are set without mj_copyData (mj_setState), the mark stays; a copy of the attached data is then
 * recognised by its clock and, where the clock could be its own, by its positions and velocities. */
#include "life.h"
#include <pcm/messages.h>

/* The number of times that MuJoCo reset the state because numbers were not finite, of which it only warns. */
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

/* ---- Commits ----------------------------------------------------------------------------------------------------- */

/* Commits the step that the clock shows; MuJoCo may already have found the contacts of the next step. */
static void commit_step(pcm_mujoco *host, mjData *data, bool solved)
{
    const pcm_status end = pcm_history_has_stages(host) ? pcm_stages_finish(host, data) : PCM_OK;
    pcm_host_note(host, end);
    pcm_sense_report(host);
    pcm_native_observe(host, solved);
    pcm_host_lock(host);
    const pcm_status status = pcm_past_commit(host, data->time);
    pcm_host_unlock(host);
    pcm_host_note(host, status);
}

/* ---- Restarts ---------------------------------------------------------------------------------------------------- */

/* Notes which parameters and surface velocities are set in another world, or its own. */
static pcm_status note_settings(pcm_mujoco *host, pcm_mujoco *from, size_t *count)
{
    pcm_life *life = host->life;
    pcm_host_lock(from);
    *count = pcm_world_setting_count(from->world);
    const bool has_room =
        pcm_grow(host->context, &life->settings, &life->setting_capacity, *count, sizeof *life->settings);
    for (size_t i = 0; has_room && i < *count; i++)
        life->settings[i] = pcm_world_setting_at(from->world, i);
    pcm_belts_keep(host, from);
    pcm_host_unlock(from);
    return has_room ? PCM_OK : pcm_host_no_memory(host->context);
}

/* Parameters and surface velocities stay as they were set; those of a copy become its source's. */
pcm_status pcm_follow_restart(pcm_mujoco *host, double time)
{
    const pcm_life *born = host->owner->life;
    size_t          count;
    pcm_status      status = note_settings(host, host->source ? host->source : host, &count);
    if (status != PCM_OK)
        return status;
    pcm_native_forget(host);
    pcm_ease_restart(host);
    pcm_host_lock(host);
    status = pcm_checkpoint_take(host, born->birth, born->birth_size);
    for (size_t i = 0; i < count && status == PCM_OK; i++) {
        const pcm_world_setting *setting = &host->life->settings[i];
        status = pcm_world_set_value(host->world, setting->type, setting->index, setting->value);
    }
    if (status == PCM_OK)
        status = pcm_belts_return(host);
    host->life->now = time;
    pcm_host_unlock(host);
    return status;
}

/* Reports a restart, once, and only if contacts with states are lost. */
static void note_restart(pcm_mujoco *host, double time)
{
    if (!host->detection->has_states || !pcm_history_has_contacts(host) || time == 0 || host->life->noted_restart)
        return;
    host->life->noted_restart = true;
    const pcm_number_text set = pcm_number(time, 9);
    pcm_report(
        host->context, PCM_WARNING, PCM_MSG_NOT_FORKED,
        "the attached mjData was set to t = %s s, of which no contacts are known: they begin anew; "
        "pcm_mujoco_fork keeps them for a copy as it is made, pcm_mujoco_checkpoint_save for a saved state, until "
        "pcm_mujoco_checkpoint_restore",
        set.text);
}

/* Whether the mark names a copy of the host, either as it is now or as it was after its last step. */
static bool is_as_own(const pcm_mujoco *host, uint64_t mark, double time)
{
    pcm_mujoco *family = host->source ? host->source : (pcm_mujoco *)host;
    if (time != host->life->now && !pcm_history_has_stepped(host, time))
        return false;
    while (mark && mark != host->life->history)
        mark = pcm_registry_origin(family, mark, time);
    return mark;
}

/* Whether the data has the host's own history. For attached data whose mark was cleared, the clock decides. */
static bool is_own(const pcm_mujoco *host, uint64_t mark)
{
    return mark == host->life->history || (mark ? mark == host->life->accepts : !host->source);
}

/* Whether the attached data was overwritten by a copy of other data and not evaluated since. */
static bool is_replaced(const pcm_mujoco *source)
{
    const mjData  *data = source->data;
    const uint64_t mark = pcm_release_mark(data);
    return pcm_release_has_mark(data) && !isnan(source->life->now) && !is_own(source, mark) &&
           !is_as_own(source, mark, data->time);
}

static bool is_in_own_thread(const pcm_mujoco *source) { return pthread_equal(source->life->thread, pthread_self()); }

/* If the attached data was overwritten by a copy of this data, passes the contacts to it before they advance. */
static void hand_on(const pcm_mujoco *copy, uint64_t history)
{
    pcm_mujoco *source = copy->source;
    if (source && is_in_own_thread(source) && pcm_model_stands(source) && pcm_release_has_mark(source->data) &&
        pcm_release_mark(source->data) == history)
        pcm_follow_arrive(source, source->data);
}

/* Starts new contacts, or continues others: the state was set from outside. */
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
        if (!host->life->told_unstable)
            pcm_follow_report_unstable(host);
        host->life->told_unstable = true;
        pcm_host_note(host, PCM_BAD_MOTION);
    } else if (!host->source && mark) {
        note_restart(host, data->time);
    }
    pcm_host_note(host, pcm_follow_restart(host, data->time));
}

/* ---- The clock --------------------------------------------------------------------------------------------------- */

static void catch_up(pcm_mujoco *host, mjData *data, uint64_t mark)
{
    pcm_life    *life = host->life;
    const double time = data->time;
    const bool   nested = pcm_release_nested(data);
    if (isnan(life->now) || !(is_own(host, mark) || is_as_own(host, mark, time)))
        start_over(host, data, mark);
    else if ((time == life->now || pcm_history_has_stepped(host, time)) && !nested && pcm_fork_take_same(host, data))
        return;
    else if (pcm_history_has_stepped(host, time) || (!nested && pcm_history_has_stepped_in_place(host, data)))
        commit_step(host, data, false);
    else if (time == life->now)
        return;
    else if (time == life->drifted) /* before 2.3 finite differences advance the clock and do not restore it */
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

/* ---- Settling ---------------------------------------------------------------------------------------------------- */

void pcm_follow_settle(pcm_mujoco *host)
{
    if (!host->life->follows || host->source || !pcm_model_stands(host))
        return;
    if (is_replaced(host)) {
        pcm_follow_arrive(host, host->data);
    } else if (pcm_history_has_stepped(host, host->data->time) || pcm_history_has_stepped_in_place(host, host->data)) {
        if (pcm_history_has_stages(host))
            pcm_stages_move(host);
        commit_step(host, host->data, true);
    } else if (host->data->time == host->life->now) {
        pcm_host_lock(host);
        pcm_history_remember(host);
        pcm_host_unlock(host);
    }
}

/* If this is the source's thread, nothing steps the source meanwhile. A history that is named stays the same where the
 * data was overwritten. */
void pcm_follow_settle_source(pcm_mujoco *source, bool named)
{
    if (is_in_own_thread(source) && !(named && is_replaced(source)))
        pcm_follow_settle(source);
}
