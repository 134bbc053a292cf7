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
    guest->next_feature = pcm_allocate(guest->context, pairs * sizeof *guest->next_feature);
    guest->world = pcm_world_new(guest->config, NULL);
    if ((pairs && !guest->next_feature) || !guest->world || add_objects(guest) != PCM_OK ||
        pcm_found_reserve(guest) != PCM_OK || pcm_near_reserve(guest) != PCM_OK) {
        pcm_mujoco_dispose(guest);
        return NULL;
    }
    return guest;
}

/* ---- Copies of the attachment ---------------------------------------------------------------------------------- */

/* Under the source's lock. */
static pcm_status copy_source(pcm_mujoco *guest)
{
    pcm_mujoco  *source = guest->source;
    const size_t size = pcm_checkpoint_bytes(source);
    uint8_t     *bytes = pcm_allocate(guest->context, size);
    if (!bytes)
        return pcm_scene_no_memory(guest->context);
    pcm_checkpoint_write(source, bytes);
    const pcm_status status = pcm_checkpoint_take(guest, bytes, size);
    pcm_free(guest->context, bytes, size);
    return status;
}

/* Said where something is lost by it: of laws with states, once. */
static void note_new_contacts(pcm_mujoco *source, double time)
{
    if (!source->has_states || pcm_world_contact_count(source->world) == 0 || isnan(source->now) || time == 0 ||
        atomic_exchange(&source->noted_fork, true))
        return;
    const pcm_number_text began = pcm_number(time, 9), stands = pcm_number(source->now, 9);
    pcm_report(
        source->context, PCM_NOTE, PCM_MSG_NOT_FORKED,
        "an mjData that is not attached begins at t = %s s with contacts of its own, as the attachment stands at "
        "t = %s s; pcm_mujoco_fork gives it the attachment's",
        began.text, stands.text);
}

bool pcm_guest_fork(pcm_mujoco *guest, double time)
{
    pcm_mujoco *source = guest->source;
    pthread_mutex_lock(&source->lock);
    const bool own_thread = pthread_equal(source->thread, pthread_self());
    pthread_mutex_unlock(&source->lock);
    if (own_thread) /* nobody steps it meanwhile */
        pcm_follow_settle(source);
    pthread_mutex_lock(&source->lock);
    bool forked = source->now == time;
    if (forked)
        forked = copy_source(guest) == PCM_OK;
    else
        note_new_contacts(source, time);
    pthread_mutex_unlock(&source->lock);
    if (forked) {
        guest->now = time;
        guest->next = guest->drifted = NAN;
    }
    return forked;
}

pcm_status pcm_mujoco_fork(pcm_mujoco *host, const mjData *copy)
{
    pcm_follow_settle(host);
    pcm_mujoco *guest = pcm_registry_guest(host, copy);
    if (!guest) {
        pcm_report(host->context, PCM_ERROR, PCM_MSG_ATTACHED,
                   "this mjData is attached already: restore a checkpoint there (pcm_mujoco_checkpoint_restore)");
        return PCM_BAD_ARGUMENT;
    }
    pthread_mutex_lock(&host->lock);
    const pcm_status status = copy_source(guest);
    pthread_mutex_unlock(&host->lock);
    guest->now = copy->time;
    guest->next = guest->drifted = NAN;
    return status;
}
