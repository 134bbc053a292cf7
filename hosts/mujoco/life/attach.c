/* SPDX-License-Identifier: MIT */
/* attach.c - makes and frees an attachment. */
#include "life.h"
#include <pcm/messages.h>

static bool make_world(pcm_mujoco *host, const pcm_mujoco_def *def)
{
    pcm_world_def world = pcm_world_defaults();
    world.log_directory = def->log_directory;
    world.log_continue = def->log_continue;
    world.ledger = def->ledger;
    world.sure_normals = true; /* a point of a patch may come, go or move against its rate, which is nobody's mistake */
    host->world = pcm_world_new(host->config, &world);
    return host->world;
}

static pcm_status read_scene(pcm_mujoco *host, const pcm_mujoco_def *def)
{
    const pcm_status status = pcm_scene_read(host->scene, host->context, host->config, host->model, def);
    if (status != PCM_OK)
        return status;
    pcm_scene_report_surfaces(host->scene);
    return def->check_scene ? pcm_scene_check(host->scene, host->config, false, NULL) : PCM_OK;
}

/* Saves the state to which a reset returns. */
static pcm_status keep_birth(pcm_mujoco *host)
{
    pcm_life *life = host->life;
    life->birth_size = pcm_checkpoint_bytes(host);
    life->birth = pcm_allocate(host->context, life->birth_size);
    return life->birth ? pcm_checkpoint_write(host, life->birth) : pcm_host_no_memory(host->context);
}

static pcm_status fill_rooms(pcm_mujoco *host, const pcm_mujoco_def *def)
{
    pcm_status status = read_scene(host, def);
    if (status == PCM_OK)
        status = pcm_served_make(host);
    if (status == PCM_OK && host->detection->n_pairs && pcm_scene_speculates(host->context, host->model))
        status = PCM_BAD_HOST;
    if (status == PCM_OK)
        status = pcm_evaluate_reserve(host);
    if (status == PCM_OK)
        status = pcm_belts_start(host);
    if (status == PCM_OK)
        status = pcm_measure_reserve(host);
    if (status == PCM_OK)
        status = pcm_history_reserve(host);
    if (status == PCM_OK)
        status = pcm_changed_keep(host);
    if (status != PCM_OK)
        return status;
    pcm_sense_find(host);
    status = pcm_implicit_start(host, def->implicit);
    return status == PCM_OK ? keep_birth(host) : status;
}

static bool has_all(pcm_context *context, const pcm_config *config, const mjModel *model, const mjData *data)
{
    if (config && model && data)
        return true;
    pcm_report(context, PCM_ERROR, PCM_MSG_NULL_ARGUMENT, "nothing to attach: the %s is NULL",
               !config  ? "configuration (did its file load?)"
               : !model ? "mjModel"
                        : "mjData");
    return false;
}

static void take_options(pcm_mujoco *host, const pcm_mujoco_def *def)
{
    pcm_detection  *d = host->detection;
    pcm_evaluation *e = host->evaluation;
    d->lists = def->list_contacts;
    d->own_boxes = def->own_boxes;
    d->own_convex = def->own_convex;
    e->step_reported = !def->advise_step;
    e->overlap.start = NAN;
    e->input = def->input;
    e->input_user = def->input_user;
    host->life->follows = true;
}

pcm_mujoco *pcm_mujoco_attach(pcm_context *context, pcm_config *config, const mjModel *model, mjData *data,
                              const pcm_mujoco_def *def)
{
    pcm_mujoco_def filled;
    if (!pcm_host_fits(context) || !has_all(context, config, model, data) || !pcm_model_has(context, model, data) ||
        !pcm_host_fill(context, def, &filled))
        return NULL;
    pcm_mujoco *host = pcm_host_new(context, model, data);
    if (!host)
        return NULL;
    host->config = config;
    host->n_geoms = (size_t)model->ngeom;
    host->n_bodies = (size_t)model->nbody;
    host->n_state = (size_t)model->nq + (size_t)model->nv;
    take_options(host, &filled);
    pcm_process_hook_in();
    host->life->hooked = true;
    if (pcm_model_keep(host) != PCM_OK || !make_world(host, &filled) || fill_rooms(host, &filled) != PCM_OK ||
        pcm_ease_each(host, filled.ease) != PCM_OK || pcm_registry_enter(host) != PCM_OK) {
        pcm_mujoco_free(host);
        return NULL;
    }
    return host;
}

pcm_mujoco *pcm_attach_member(pcm_mujoco *owner, mjData *data, bool ledger)
{
    if (!data || !pcm_model_alike(owner->data, data)) {
        pcm_report(owner->context, PCM_ERROR, PCM_MSG_OTHER_MODEL,
                   "an mjData is %s: attach what mj_makeData made of the same model",
                   data ? "not of this mjModel" : "NULL");
        return NULL;
    }
    pcm_mujoco *host = pcm_member_new(owner, data, ledger);
    if (host && (pcm_ease_each(host, owner->evaluation->ease_each) != PCM_OK || pcm_registry_enter(host) != PCM_OK)) {
        pcm_host_dispose(host);
        return NULL;
    }
    return host;
}

void pcm_mujoco_free(pcm_mujoco *host)
{
    if (!host)
        return;
    pcm_registry_leave(host);
    if (host->life->hooked)
        pcm_process_hook_out();
    pcm_host_dispose(host);
}
