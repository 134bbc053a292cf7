/* SPDX-License-Identifier: MIT */
/* fork.c - takes over contacts from one mjData to another that is a copy of it. */
#include "life.h"
#include <pcm/messages.h>

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

typedef struct snapshot {
    double             time; /* s, the time of the contacts; NaN: any */
    uint64_t           mark; /* names the history, if it is a copy's */
    const mjData      *as;   /* the state must be that of this data; NULL: any */
    uint64_t           history;
    uint8_t           *bytes;
    size_t             size;
    double             before, step; /* s: the time of the bytes, and the step to commit after them; step 0: none */
    pcm_contact_points points;       /* seen in that step */
    pcm_status         status;
} snapshot;

/* Called under its lock. */
static void save(pcm_mujoco *from, snapshot *snap)
{
    snap->history = from->life->history;
    snap->size = pcm_checkpoint_bytes(from);
    snap->bytes = pcm_allocate(from->context, snap->size);
    snap->status = snap->bytes ? pcm_checkpoint_write(from, snap->bytes) : pcm_host_no_memory(from->context);
}

/* Saves the last step, which is not committed yet and will be committed in the copy. Called under its lock. */
static void save_pending(pcm_mujoco *from, snapshot *snap)
{
    pcm_detection *d = from->detection;
    save(from, snap);
    if (snap->status == PCM_OK)
        snap->status = pcm_contact_points_reserve(from->context, &snap->points, d->seen.count);
    if (snap->status != PCM_OK)
        return;
    snap->before = from->life->now;
    snap->step = from->evaluation->pending;
    snap->points.count = d->seen.count;
    if (d->seen.count)
        memcpy(snap->points.items, d->seen.items, d->seen.count * sizeof *snap->points.items);
}

/* Called under its lock. */
static bool is_pending(const pcm_mujoco *from, const snapshot *snap)
{
    return from->evaluation->pending > 0 && snap->time == from->life->next;
}

static void save_past(snapshot *snap, pcm_context *context, const pcm_past *past)
{
    snap->history = past->history;
    snap->size = past->size;
    snap->bytes = pcm_allocate(context, snap->size);
    snap->status = snap->bytes ? PCM_OK : pcm_host_no_memory(context);
    if (snap->bytes)
        memcpy(snap->bytes, past->bytes, snap->size);
}

/* After a copy was made in another thread, snapshots are kept for this many steps, for other copies that start late. */
enum { KEEPS = 4096 };

static void save_attachment(pcm_mujoco *from, snapshot *snap)
{
    pcm_life *life = from->life;
    pcm_host_lock(from);
    if (from->detection->has_states && !pthread_equal(life->thread, pthread_self()))
        life->keeps = KEEPS;
    if ((isnan(snap->time) || snap->time == life->now) && (!snap->as || pcm_history_stands_as(from, snap->as)))
        save(from, snap);
    else if (is_pending(from, snap) && (!snap->as || pcm_history_comes_to(from, snap->as)))
        save_pending(from, snap);
    pcm_host_unlock(from);
}

static void save_copy(void *user, pcm_mujoco *from, const pcm_past *orphan)
{
    pcm_life *life = from->life;
    snapshot *snap = user;
    if (orphan) {
        save_past(snap, from->context, orphan);
        return;
    }
    pcm_host_lock(from);
    if (pcm_past_is(&life->before, snap->mark, snap->time))
        save_past(snap, from->context, &life->before);
    else if (snap->mark != life->former && snap->time == life->now)
        save(from, snap);
    else if (snap->mark != life->former && is_pending(from, snap))
        save_pending(from, snap);
    pcm_host_unlock(from);
}

/* ---- Taking over contacts ---------------------------------------------------------------------------------------- */

/* Searches the snapshots of the attachment's last steps, since it may have advanced meanwhile. */
static void save_step(pcm_mujoco *from, uint64_t mark, snapshot *snap)
{
    pcm_host_lock(from);
    const pcm_past *past = pcm_past_find(&from->life->steps, mark, snap->time);
    if (past)
        save_past(snap, from->context, past);
    pcm_host_unlock(from);
}

/* After the bytes are restored: commits the step that follows them. */
static pcm_status take_step(pcm_mujoco *host, const snapshot *snap)
{
    pcm_detection *d = host->detection;
    pcm_status     status = pcm_contact_points_reserve(host->context, &d->seen, snap->points.count);
    if (status != PCM_OK)
        return status;
    d->seen.count = snap->points.count;
    if (d->seen.count)
        memcpy(d->seen.items, snap->points.items, d->seen.count * sizeof *d->seen.items);
    pcm_detect_mark_partners(host);
    pcm_host_note(host, pcm_evaluate_again(host, snap->before, snap->step));
    return pcm_past_commit(host, snap->time);
}

/* False: there are no contacts to take. */
static bool take(pcm_mujoco *host, snapshot *snap, double time)
{
    pcm_life *life = host->life;
    if (!snap->bytes)
        return false;
    pcm_host_lock(host);
    pcm_status status = snap->status == PCM_OK ? pcm_checkpoint_take(host, snap->bytes, snap->size) : snap->status;
    if (status == PCM_OK && snap->step > 0)
        status = take_step(host, snap);
    life->now = life->began = time;
    life->origin = snap->history;
    pcm_host_unlock(host);
    pcm_free(host->context, snap->bytes, snap->size);
    pcm_contact_points_free(host->context, &snap->points);
    return status == PCM_OK;
}

/* Reports new contacts, once, and only if contacts with states are lost. */
static void note_new_contacts(pcm_mujoco *source, double time)
{
    pcm_host_lock(source);
    const double stands = source->life->now;
    const bool   loses = source->detection->has_states && pcm_history_has_contacts(source) && !isnan(stands);
    pcm_host_unlock(source);
    if (!loses || time == 0 || atomic_exchange(&source->life->noted_fork, true))
        return;
    const pcm_number_text began = pcm_number(time, 9), there = pcm_number(stands, 9);
    pcm_report(
        source->context, PCM_WARNING, PCM_MSG_NOT_FORKED,
        "an mjData that is not attached begins at t = %s s with contacts of its own, as the attachment stands at "
        "t = %s s; pcm_mujoco_fork gives a copy the attachment's as it is made",
        began.text, there.text);
}

/* Finds the contacts that the mark names at that time. */
static void find(pcm_mujoco *host, uint64_t mark, snapshot *snap)
{
    pcm_mujoco *family = host->source ? host->source : host;
    const bool  named = mark && mark != host->life->history;
    snap->mark = mark;
    if (named ? mark == family->life->history : host->source != NULL) {
        if (snap->time != family->life->now)
            pcm_follow_settle_source(family, named);
        save_attachment(family, snap);
    }
    if (mark && !snap->bytes && snap->status == PCM_OK)
        pcm_registry_visit(family, mark, snap->time, save_copy, snap);
    if (named && !snap->bytes && snap->status == PCM_OK)
        save_step(family, mark, snap);
}

bool pcm_fork_take(pcm_mujoco *host, uint64_t mark, double time)
{
    pcm_mujoco *family = host->source ? host->source : host;
    snapshot    snap = {.time = time};
    do {
        find(host, mark, &snap);
        mark = pcm_registry_origin(family, mark, time);
    } while (mark && !snap.bytes && snap.status == PCM_OK);
    const bool forked = take(host, &snap, time);
    if (!forked && host->source)
        note_new_contacts(family, time);
    return forked;
}

/* Keeps the contacts that the copy has now: copies of this copy have its old mark, and the contacts that it takes over
 * get a new mark. */
static void keep_before(pcm_mujoco *copy, double time)
{
    pcm_life *life = copy->life;
    pcm_host_lock(copy);
    pcm_past_end_step(copy, time);
    if (time == life->now)
        pcm_host_note(copy, pcm_past_write(copy, &life->before));
    life->former = life->before.history;
    pcm_host_unlock(copy);
}

bool pcm_fork_take_same(pcm_mujoco *host, const mjData *data)
{
    pcm_life    *life = host->life;
    pcm_mujoco  *source = host->source;
    const double time = data->time;
    if (!source || (time != source->life->now && time != source->life->next))
        return false;
    if (time == life->now && time == life->began &&
        life->origin == source->life->history) /* it has these contacts already */
        return false;
    snapshot snap = {.time = time, .as = data};
    pcm_follow_settle_source(source, false);
    save_attachment(source, &snap);
    if (snap.bytes)
        keep_before(host, time);
    return take(host, &snap, time);
}

pcm_status pcm_mujoco_fork(pcm_mujoco *host, const mjData *data)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    if (!pcm_model_alike(host->data, data)) {
        pcm_report(host->context, PCM_ERROR, PCM_MSG_OTHER_MODEL, "the copy is not of the mjModel that is attached");
        return PCM_BAD_ARGUMENT;
    }
    pcm_follow_settle(host);
    pcm_mujoco *copy = pcm_registry_copy(host, data);
    if (!copy) {
        pcm_report(host->context, PCM_ERROR, PCM_MSG_ATTACHED,
                   "this mjData is attached already: restore a checkpoint there (pcm_mujoco_checkpoint_restore)");
        return PCM_BAD_ARGUMENT;
    }
    snapshot snap = {.time = NAN};
    save_attachment(host, &snap);
    if (!take(copy, &snap, data->time))
        return snap.status == PCM_OK ? PCM_BAD_CHECKPOINT : snap.status;
    copy->life->accepts = pcm_release_mark(data);
    return PCM_OK;
}
