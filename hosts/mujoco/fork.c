/* SPDX-License-Identifier: MIT */
/* fork.c - guests: what answers for an mjData that is not attached, but whose model has an attachment. A guest has a
 * world of its own and shares what was settled at the attachment's birth. */
#include "host.h"
#include <pcm/messages.h>
#include <stdlib.h>
#include <string.h>

/* ---- A guest --------------------------------------------------------------------------------------------------- */

/* Registered in the same order, so that the handles are the same. */
static pcm_status add_objects(pcm_mujoco *guest)
{
    for (size_t i = 0; i < guest->n_objects; i++) {
        const pcm_served    *object = guest->by_handle[i];
        const pcm_object_def def = pcm_scene_def(guest->model, object->object);
        const pcm_object     handle = pcm_world_add_object(guest->world, &def);
        if (memcmp(&handle, &object->handle, sizeof handle) != 0)
            return PCM_NO_MEMORY;
    }
    return PCM_OK;
}

pcm_mujoco *pcm_guest_new(pcm_mujoco *source, const mjData *data)
{
    pcm_mujoco *guest = pcm_allocate(source->context, sizeof *guest);
    if (!guest) {
        pcm_scene_no_memory(source->context);
        return NULL;
    }
    *guest = (pcm_mujoco){.context = source->context,
                          .config = source->config,
                          .model = source->model,
                          .data = (mjData *)data, /* compared alone */
                          .source = source,
                          .follows = source->follows,
                          .lists = source->lists,
                          .input = source->input,
                          .input_user = source->input_user,
                          .now = NAN,
                          .next = NAN,
                          .drifted = NAN,
                          .objects = source->objects,
                          .by_handle = source->by_handle,
                          .n_objects = source->n_objects,
                          .pairs = source->pairs,
                          .n_pairs = source->n_pairs,
                          .pair_of = source->pair_of};
    const size_t pairs = guest->n_pairs;
    pthread_mutex_init(&guest->lock, NULL);
    pthread_mutex_init(&guest->looking, NULL);
    pcm_follow_renew(guest);
    guest->next_feature = pcm_allocate(guest->context, pairs * sizeof *guest->next_feature);
    guest->world = pcm_world_new(guest->config, NULL);
    if ((pairs && !guest->next_feature) || !guest->world || add_objects(guest) != PCM_OK ||
        pcm_found_reserve(guest) != PCM_OK || pcm_near_reserve(guest) != PCM_OK) {
        pcm_mujoco_dispose(guest);
        return NULL;
    }
    return guest;
}

/* ---- Copies ---------------------------------------------------------------------------------------------------- */

typedef struct copying {
    double        time; /* s, at which it must stand; NaN: whenever */
    uint64_t      mark; /* of a guest, that names it */
    const mjData *as;   /* as whose state; NULL: any */
    uint64_t      history;
    uint8_t      *bytes;
    size_t        size;
    double        before, step; /* s: what was copied stands then, and a step is to be committed; step 0: no step is */
    pcm_spots     spots;        /* seen in that step, and which of kept they took */
    pcm_status    status;
} copying;

/* Under its lock. */
static void save(pcm_mujoco *from, copying *copy)
{
    copy->history = from->history;
    copy->size = pcm_checkpoint_bytes(from);
    copy->bytes = pcm_allocate(from->context, copy->size);
    copy->status = copy->bytes ? pcm_checkpoint_write(from, copy->bytes) : pcm_scene_no_memory(from->context);
}

/* Under its lock: its last step, which it commits as it goes on, is committed in the copy. */
static void save_pending(pcm_mujoco *from, copying *copy)
{
    const size_t count = from->seen.count > from->kept.count ? from->seen.count : from->kept.count;
    save(from, copy);
    if (copy->status == PCM_OK)
        copy->status = pcm_spots_reserve(from->context, &copy->spots, count);
    if (copy->status != PCM_OK)
        return;
    copy->before = from->now;
    copy->step = from->pending;
    copy->spots.count = from->seen.count;
    if (from->seen.count)
        memcpy(copy->spots.items, from->seen.items, from->seen.count * sizeof *copy->spots.items);
    if (from->kept.count)
        memcpy(copy->spots.taken, from->kept.taken, from->kept.count * sizeof *copy->spots.taken);
}

/* Under its lock. */
static bool is_pending(const pcm_mujoco *from, const copying *copy)
{
    return from->pending > 0 && copy->time == from->next;
}

static void save_past(copying *copy, pcm_context *context, const pcm_past *past)
{
    copy->history = past->history;
    copy->size = past->size;
    copy->bytes = pcm_allocate(context, copy->size);
    copy->status = copy->bytes ? PCM_OK : pcm_scene_no_memory(context);
    if (copy->bytes)
        memcpy(copy->bytes, past->bytes, copy->size);
}

/* While copies go on in other threads, so many steps are kept for them. */
enum { KEEPS = 4096 };

static void save_attachment(pcm_mujoco *from, copying *copy)
{
    pcm_follow_lock(from);
    if (from->has_states && !pthread_equal(from->thread, pthread_self()))
        from->keeps = KEEPS;
    if ((isnan(copy->time) || copy->time == from->now) && (!copy->as || pcm_follow_stands_as(from, copy->as)))
        save(from, copy);
    else if (is_pending(from, copy) && (!copy->as || pcm_follow_comes_to(from, copy->as)))
        save_pending(from, copy);
    pcm_follow_unlock(from);
}

static void save_guest(void *user, pcm_mujoco *from, const pcm_past *orphan)
{
    copying *copy = user;
    if (orphan) {
        save_past(copy, from->context, orphan);
        return;
    }
    pcm_follow_lock(from);
    if (pcm_past_is(&from->before, copy->mark, copy->time))
        save_past(copy, from->context, &from->before);
    else if (copy->mark != from->former && copy->time == from->now)
        save(from, copy);
    else if (copy->mark != from->former && is_pending(from, copy))
        save_pending(from, copy);
    pcm_follow_unlock(from);
}

void pcm_orphan_keep(pcm_mujoco *guest, double time)
{
    pcm_follow_end_guest(guest, time);
    if (!isnan(guest->now) && pcm_follow_has_contacts(guest))
        pcm_past_keep(guest, &guest->source->orphans);
}

/* ---- Taking ------------------------------------------------------------------------------------------------------ */

/* Where the attachment has gone on since. */
static void save_step(pcm_mujoco *from, uint64_t mark, copying *copy)
{
    pcm_follow_lock(from);
    const pcm_past *past = pcm_past_find(&from->steps, mark, copy->time);
    if (past)
        save_past(copy, from->context, past);
    pcm_follow_unlock(from);
}

/* Once what was copied stands: the step after it. */
static pcm_status take_step(pcm_mujoco *host, const copying *copy)
{
    pcm_status status = pcm_spots_reserve(host->context, &host->seen, copy->spots.count);
    if (status == PCM_OK)
        status = pcm_spots_reserve(host->context, &host->kept, host->kept.count);
    if (status != PCM_OK)
        return status;
    host->seen.count = copy->spots.count;
    if (host->seen.count)
        memcpy(host->seen.items, copy->spots.items, host->seen.count * sizeof *host->seen.items);
    if (host->kept.count)
        memcpy(host->kept.taken, copy->spots.taken, host->kept.count * sizeof *host->kept.taken);
    pcm_follow_note(host, pcm_mujoco_update_again(host, copy->before, copy->step));
    return pcm_follow_commit_at(host, copy->time);
}

/* False: there was nothing to take. */
static bool take(pcm_mujoco *host, copying *copy, double time)
{
    if (!copy->bytes)
        return false;
    pcm_follow_lock(host);
    pcm_status status = copy->status == PCM_OK ? pcm_checkpoint_take(host, copy->bytes, copy->size) : copy->status;
    if (status == PCM_OK && copy->step > 0)
        status = take_step(host, copy);
    host->now = host->began = time;
    host->origin = copy->history;
    pcm_follow_unlock(host);
    pcm_free(host->context, copy->bytes, copy->size);
    pcm_spots_free(host->context, &copy->spots);
    return status == PCM_OK;
}

/* Said where something is lost by it: of laws with states, once. */
static void note_new_contacts(pcm_mujoco *source, double time)
{
    pcm_follow_lock(source);
    const double stands = source->now;
    const bool   loses = source->has_states && pcm_follow_has_contacts(source) && !isnan(stands);
    pcm_follow_unlock(source);
    if (!loses || time == 0 || atomic_exchange(&source->noted_fork, true))
        return;
    const pcm_number_text began = pcm_number(time, 9), there = pcm_number(stands, 9);
    pcm_report(
        source->context, PCM_WARNING, PCM_MSG_NOT_FORKED,
        "an mjData that is not attached begins at t = %s s with contacts of its own, as the attachment stands at "
        "t = %s s; pcm_mujoco_fork gives a copy the attachment's as it is made",
        began.text, there.text);
}

/* What the mark names at that time. */
static void find(pcm_mujoco *host, uint64_t mark, copying *copy)
{
    pcm_mujoco *family = host->source ? host->source : host;
    const bool  named = mark && mark != host->history;
    copy->mark = mark;
    if (named ? mark == family->history : host->source != NULL) {
        if (copy->time != family->now)
            pcm_follow_settle_source(family, named);
        save_attachment(family, copy);
    }
    if (mark && !copy->bytes && copy->status == PCM_OK)
        pcm_registry_visit(family, mark, copy->time, save_guest, copy);
    if (named && !copy->bytes && copy->status == PCM_OK)
        save_step(family, mark, copy);
}

bool pcm_fork_take(pcm_mujoco *host, uint64_t mark, double time)
{
    pcm_mujoco *family = host->source ? host->source : host;
    copying     copy = {.time = time};
    do {
        find(host, mark, &copy);
        mark = pcm_registry_origin(family, mark, time);
    } while (mark && !copy.bytes && copy.status == PCM_OK);
    const bool forked = take(host, &copy, time);
    if (!forked && host->source)
        note_new_contacts(family, time);
    return forked;
}

/* For copies that bear its mark: what is taken has another. */
static void keep_before(pcm_mujoco *guest, double time)
{
    pcm_follow_lock(guest);
    pcm_follow_end_guest(guest, time);
    if (time == guest->now)
        pcm_follow_note(guest, pcm_past_write(guest, &guest->before));
    guest->former = guest->before.history;
    pcm_follow_unlock(guest);
}

bool pcm_fork_take_same(pcm_mujoco *host, const mjData *data)
{
    pcm_mujoco  *source = host->source;
    const double time = data->time;
    if (!source || (time != source->now && time != source->next))
        return false;
    if (time == host->now && time == host->began && host->origin == source->history) /* as it is already */
        return false;
    copying copy = {.time = time, .as = data};
    pcm_follow_settle_source(source, false);
    save_attachment(source, &copy);
    if (copy.bytes)
        keep_before(host, time);
    return take(host, &copy, time);
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
    pcm_mujoco *guest = pcm_registry_guest(host, data);
    if (!guest) {
        pcm_report(host->context, PCM_ERROR, PCM_MSG_ATTACHED,
                   "this mjData is attached already: restore a checkpoint there (pcm_mujoco_checkpoint_restore)");
        return PCM_BAD_ARGUMENT;
    }
    copying copy = {.time = NAN};
    save_attachment(host, &copy);
    if (!take(guest, &copy, data->time))
        return copy.status == PCM_OK ? PCM_BAD_CHECKPOINT : copy.status;
    guest->accepts = pcm_release_mark(data);
    return PCM_OK;
}
