/* SPDX-License-Identifier: MIT */
/* copy.c - the memory of attachments, and of the worlds for unattached copies of mjData. Such a world shares objects
 * and pairs with the attachment to the same model. */
#include "life.h"

/* An attachment with its parts in all rooms. */
typedef struct parts {
    pcm_mujoco     host;
    pcm_scene      scene;
    pcm_detection  detection;
    pcm_evaluation evaluation;
    pcm_reading    reading;
    pcm_life       life;
} parts;

pcm_mujoco *pcm_host_new(pcm_context *context, const mjModel *model, mjData *data)
{
    parts *p = pcm_allocate(context, sizeof *p);
    if (!p) {
        pcm_host_no_memory(context);
        return NULL;
    }
    pcm_mujoco *host = &p->host;
    host->context = context;
    host->model = model;
    host->data = data;
    host->scene = &p->scene;
    host->detection = &p->detection;
    host->evaluation = &p->evaluation;
    host->reading = &p->reading;
    host->life = &p->life;
    host->life->now = NAN;
    host->life->next = NAN;
    host->life->drifted = NAN;
    pthread_mutex_init(&host->lock, NULL);
    pthread_mutex_init(&host->detection->looking, NULL);
    pcm_history_renew(host);
    return host;
}

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

/* Registers the objects in the same order, so that the handles are the same. */
static pcm_status add_objects(pcm_mujoco *copy)
{
    for (size_t i = 0; i < copy->detection->n_objects; i++) {
        const pcm_served    *object = copy->detection->by_handle[i];
        const pcm_object_def def = pcm_scene_def(copy->model, object->object);
        const pcm_object     handle = pcm_world_add_object(copy->world, &def);
        if (memcmp(&handle, &object->handle, sizeof handle) != 0)
            return PCM_NO_MEMORY;
    }
    return PCM_OK;
}

static void share_served(const pcm_detection *from, pcm_detection *to)
{
    to->objects = from->objects;
    to->by_handle = from->by_handle;
    to->n_objects = from->n_objects;
    to->pairs = from->pairs;
    to->n_pairs = to->pair_capacity = from->n_pairs;
    to->pair_of = from->pair_of;
    to->lists = from->lists;
}

pcm_mujoco *pcm_copy_new(pcm_mujoco *source, const mjData *data)
{
    pcm_mujoco *copy = pcm_host_new(source->context, source->model, (mjData *)data); /* the pointer is only compared */
    if (!copy)
        return NULL;
    const size_t pairs = source->detection->n_pairs;
    copy->config = source->config;
    copy->source = source;
    copy->life->follows = source->life->follows;
    copy->evaluation->input = source->evaluation->input;
    copy->evaluation->input_user = source->evaluation->input_user;
    share_served(source->detection, copy->detection);
    copy->detection->next_feature = pcm_allocate(copy->context, pairs * sizeof *copy->detection->next_feature);
    copy->world = pcm_world_new(copy->config, NULL);
    if ((pairs && !copy->detection->next_feature) || !copy->world || add_objects(copy) != PCM_OK ||
        pcm_found_reserve(copy) != PCM_OK || pcm_near_reserve(copy) != PCM_OK) {
        pcm_host_dispose(copy);
        return NULL;
    }
    return copy;
}

void pcm_copy_keep(pcm_mujoco *copy, double time)
{
    pcm_past_end_step(copy, time);
    if (!isnan(copy->life->now) && pcm_history_has_contacts(copy))
        pcm_past_keep(copy, &copy->source->life->orphans);
}

/* ---- Freeing ----------------------------------------------------------------------------------------------------- */

/* Frees the memory that copies share with their attachment. */
static void free_shared(pcm_mujoco *host)
{
    pcm_context *context = host->context;
    pcm_life    *life = host->life;
    pcm_measure_free(host);
    pcm_shapes_free(host);
    if (host->scene->model)
        pcm_scene_free(host->scene);
    pcm_served_free(host);
    pcm_free(context, life->birth, life->birth_size);
    pcm_model_forget(host);
    pcm_pasts_free(context, &life->orphans);
    pcm_pasts_free(context, &life->steps);
    pcm_native_free(host);
    pcm_evaluate_free(host);
    pcm_free(context, life->stood, life->stood ? host->n_state * sizeof *life->stood : 0);
}

void pcm_host_dispose(pcm_mujoco *host)
{
    pcm_context *context = host->context;
    pcm_detect_free(host);
    pcm_found_free(host);
    pcm_ease_free(host);
    pcm_stages_free(host);
    pcm_implicit_free(host);
    pcm_stable_free(host);
    pcm_count_free(host);
    pcm_near_free(host);
    pcm_free(context, host->life->before.bytes, host->life->before.room);
    if (!host->source)
        free_shared(host);
    pthread_mutex_destroy(&host->lock);
    pthread_mutex_destroy(&host->detection->looking);
    pcm_world_free(host->world); /* last: it may hold the config, on which the sizes above depend */
    pcm_free(context, host, sizeof(parts));
}
