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
    host->owner = host;
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

/* Registers the objects in the same order as the owner of the tables, so that the handles are the same. */
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
    to->served_body = from->served_body;
    to->has_states = from->has_states;
    to->laws_step = from->laws_step;
    to->objects = from->objects;
    to->by_handle = from->by_handle;
    to->n_objects = from->n_objects;
    to->pairs = from->pairs;
    to->n_pairs = to->pair_capacity = from->n_pairs;
    to->pair_of = from->pair_of;
    to->lists = from->lists;
}

/* Takes the tables of the owner, and makes a world with its objects. */
static pcm_status join(pcm_mujoco *host, pcm_mujoco *owner, const pcm_world_def *def)
{
    pcm_detection *d = host->detection;
    const size_t   pairs = owner->detection->n_pairs;
    pcm_world_def  sure = *def;
    sure.sure_normals = true;
    host->owner = owner;
    host->config = owner->config;
    host->life->follows = owner->life->follows;
    host->evaluation->input = owner->evaluation->input;
    host->evaluation->input_user = owner->evaluation->input_user;
    share_served(owner->detection, d);
    d->next_feature = pcm_allocate(host->context, pairs * sizeof *d->next_feature);
    host->world = pcm_world_new(host->config, &sure);
    return (pairs && !d->next_feature) || !host->world || add_objects(host) != PCM_OK ||
                   pcm_found_reserve(host) != PCM_OK || pcm_near_reserve(host) != PCM_OK ||
                   pcm_belts_start(host) != PCM_OK ||
                   pcm_implicit_join(host, host->source ? host->source : owner) != PCM_OK
               ? PCM_NO_MEMORY
               : PCM_OK;
}

pcm_mujoco *pcm_copy_new(pcm_mujoco *source, const mjData *data)
{
    pcm_mujoco *copy = pcm_host_new(source->context, source->model, (mjData *)data); /* the pointer is only compared */
    if (!copy)
        return NULL;
    const pcm_world_def world = pcm_world_defaults();
    copy->source = source;
    if (join(copy, source->owner, &world) == PCM_OK)
        return copy;
    pcm_host_dispose(copy);
    return NULL;
}

/* What an attachment has beyond a copy. The owner has found the sensors and warned of those that are not supported. */
static pcm_status equip(pcm_mujoco *host)
{
    const pcm_mujoco  *owner = host->owner;
    const pcm_reading *found = owner->reading;
    host->n_geoms = owner->n_geoms;
    host->n_bodies = owner->n_bodies;
    host->n_state = owner->n_state;
    host->scene = owner->scene;
    *host->reading = (pcm_reading){.touches = found->touches,
                                   .counts = found->counts,
                                   .counts_motion = found->counts_motion,
                                   .reported_sensors = true,
                                   .inner = found->inner,
                                   .felt_time = NAN};
    host->evaluation->senses = owner->evaluation->senses;
    host->evaluation->pushes = owner->evaluation->pushes;
    host->evaluation->step_reported = host->evaluation->overlap_reported = true;
    pcm_status status = pcm_history_reserve(host);
    if (status == PCM_OK)
        status = pcm_native_share(host, owner);
    if (status == PCM_OK)
        status = pcm_evaluate_reserve(host);
    return status == PCM_OK ? pcm_measure_reserve(host) : status;
}

pcm_mujoco *pcm_member_new(pcm_mujoco *owner, mjData *data, bool ledger)
{
    pcm_mujoco   *host = pcm_host_new(owner->context, owner->model, data);
    pcm_world_def world = pcm_world_defaults();
    world.ledger = ledger;
    if (host && join(host, owner, &world) == PCM_OK && equip(host) == PCM_OK)
        return host;
    if (host)
        pcm_host_dispose(host);
    pcm_host_no_memory(owner->context);
    return NULL;
}

void pcm_copy_keep(pcm_mujoco *copy, double time)
{
    pcm_past_end_step(copy, time);
    if (!isnan(copy->life->now) && pcm_history_has_contacts(copy))
        pcm_past_keep(copy, &copy->source->life->orphans);
}

/* ---- Freeing ----------------------------------------------------------------------------------------------------- */

/* Frees the tables, which copies and other attachments share. */
static void free_tables(pcm_mujoco *host)
{
    pcm_shapes_free(host);
    pcm_changed_free(host);
    if (host->scene->model)
        pcm_scene_free(host->scene);
    pcm_served_free(host);
    pcm_free(host->context, host->life->birth, host->life->birth_size);
    pcm_model_forget(host);
}

/* Frees the memory that copies do not have. */
static void free_equipment(pcm_mujoco *host)
{
    pcm_context *context = host->context;
    pcm_life    *life = host->life;
    pcm_measure_free(host);
    pcm_pasts_free(context, &life->orphans);
    pcm_pasts_free(context, &life->steps);
    pcm_native_free(host);
    pcm_evaluate_free(host);
    pcm_history_free(host);
}

void pcm_host_dispose(pcm_mujoco *host)
{
    pcm_context *context = host->context;
    pcm_detect_free(host);
    pcm_found_free(host);
    pcm_ease_free(host);
    pcm_belts_free(host);
    pcm_stages_free(host);
    pcm_implicit_free(host);
    pcm_stable_free(host);
    pcm_count_free(host);
    pcm_free(context, host->reading->velocity, host->reading->velocity_capacity * sizeof *host->reading->velocity);
    pcm_near_free(host);
    pcm_free(context, host->life->before.bytes, host->life->before.room);
    pcm_free(context, host->life->settings, host->life->setting_capacity * sizeof *host->life->settings);
    if (!host->source)
        free_equipment(host);
    if (host->owner == host)
        free_tables(host);
    pthread_mutex_destroy(&host->lock);
    pthread_mutex_destroy(&host->detection->looking);
    pcm_world_free(host->world); /* last: it may hold the config, on which the sizes above depend */
    pcm_free(context, host, sizeof(parts));
}
