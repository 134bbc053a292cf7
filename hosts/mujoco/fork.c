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
    const mjData *as;   /* as whose state; NULL: any */
    uint8_t      *bytes;
    size_t        size;
    pcm_status    status;
} copying;

/* Under its lock. */
static void save(pcm_mujoco *from, copying *copy)
{
    copy->size = pcm_checkpoint_bytes(from);
    copy->bytes = pcm_allocate(from->context, copy->size);
    copy->status = copy->bytes ? pcm_checkpoint_write(from, copy->bytes) : pcm_scene_no_memory(from->context);
}

static void save_attachment(pcm_mujoco *from, copying *copy)
{
    pcm_follow_settle_source(from);
    pcm_follow_lock(from);
    if ((isnan(copy->time) || copy->time == from->now) && (!copy->as || pcm_follow_stands_as(from, copy->as)))
        save(from, copy);
    pcm_follow_unlock(from);
}

static void save_orphan(copying *copy, pcm_context *context, const pcm_orphan *orphan)
{
    if (copy->time != orphan->time)
        return;
    copy->size = orphan->size;
    copy->bytes = pcm_allocate(context, copy->size);
    copy->status = copy->bytes ? PCM_OK : pcm_scene_no_memory(context);
    if (copy->bytes)
        memcpy(copy->bytes, orphan->bytes, copy->size);
}

static void save_guest(void *user, pcm_mujoco *from, const pcm_orphan *orphan)
{
    copying *copy = user;
    if (orphan) {
        save_orphan(copy, from->context, orphan);
        return;
    }
    pcm_follow_lock(from);
    if (copy->time == from->now || pcm_follow_settle_guest(from, copy->time))
        save(from, copy);
    pcm_follow_unlock(from);
}

/* ---- Orphans ----------------------------------------------------------------------------------------------------- */

void pcm_orphan_keep(pcm_mujoco *guest, double time)
{
    pcm_mujoco  *source = guest->source;
    pcm_context *context = source->context;
    copying      copy = {.status = PCM_OK};
    pcm_follow_end_guest(guest, time);
    if (isnan(guest->now) || pcm_world_contact_count(guest->world) == 0)
        return;
    if (!source->orphans)
        source->orphans = pcm_allocate(context, PCM_ORPHANS * sizeof *source->orphans);
    if (source->orphans)
        save(guest, &copy);
    if (copy.status != PCM_OK || !copy.bytes) {
        pcm_free(context, copy.bytes, copy.bytes ? copy.size : 0);
        return;
    }
    pcm_orphan *orphan = &source->orphans[source->n_orphans++ % PCM_ORPHANS];
    pcm_free(context, orphan->bytes, orphan->size);
    *orphan = (pcm_orphan){guest->history, guest->now, copy.bytes, copy.size};
}

const pcm_orphan *pcm_orphan_find(const pcm_mujoco *source, uint64_t mark)
{
    for (size_t i = 0; source->orphans && i < PCM_ORPHANS; i++)
        if (source->orphans[i].bytes && source->orphans[i].history == mark)
            return &source->orphans[i];
    return NULL;
}

void pcm_orphans_free(pcm_mujoco *source)
{
    for (size_t i = 0; source->orphans && i < PCM_ORPHANS; i++)
        pcm_free(source->context, source->orphans[i].bytes, source->orphans[i].size);
    pcm_free(source->context, source->orphans, source->orphans ? PCM_ORPHANS * sizeof *source->orphans : 0);
}

/* ---- Taking ------------------------------------------------------------------------------------------------------ */

/* False: there was nothing to take. */
static bool take(pcm_mujoco *host, const copying *copy, double time)
{
    if (!copy->bytes)
        return false;
    pcm_follow_lock(host);
    const pcm_status status =
        copy->status == PCM_OK ? pcm_checkpoint_take(host, copy->bytes, copy->size) : copy->status;
    host->now = time;
    pcm_follow_unlock(host);
    pcm_free(host->context, copy->bytes, copy->size);
    return status == PCM_OK;
}

/* Said where something is lost by it: of laws with states, once. */
static void note_new_contacts(pcm_mujoco *source, double time)
{
    pcm_follow_lock(source);
    const double stands = source->now;
    const bool   loses = source->has_states && pcm_world_contact_count(source->world) > 0 && !isnan(stands);
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

bool pcm_fork_take(pcm_mujoco *host, uint64_t mark, double time)
{
    pcm_mujoco *family = host->source ? host->source : host;
    const bool  named = mark && mark != host->history;
    copying     copy = {.time = time};
    if (named ? mark == family->history : host->source != NULL)
        save_attachment(family, &copy);
    if (mark && !copy.bytes && copy.status == PCM_OK)
        pcm_registry_visit(family, mark, time, save_guest, &copy);
    const bool forked = take(host, &copy, time);
    if (!forked && host->source)
        note_new_contacts(family, time);
    return forked;
}

bool pcm_fork_take_same(pcm_mujoco *host, const mjData *data)
{
    pcm_mujoco  *source = host->source;
    const double time = data->time;
    if (!source || (time != source->now && time != source->next))
        return false;
    copying copy = {.time = time, .as = data};
    save_attachment(source, &copy);
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
