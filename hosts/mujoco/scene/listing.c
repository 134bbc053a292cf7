/* SPDX-License-Identifier: MIT */
/* listing.c - the objects and the pairs of a scene, one by one, for a caller to visit. */
#include "scene.h"

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

static void visit_object(const pcm_scene *scene, const pcm_scene_object *object, pcm_mujoco_object_visit *visit,
                         void *user)
{
    const mjModel          *model = scene->model;
    const int               geom = object->geom;
    const pcm_object_def    known_as = pcm_scene_def(model, object);
    const int               material = geom >= 0 ? model->geom_matid[geom] : model->site_matid[object->site];
    const mjtNum           *size = geom >= 0 ? model->geom_size + 3 * geom : model->site_size + 3 * object->site;
    const pcm_mujoco_object info = {.name = object->name,
                                    .place = object->alias[PCM_SCENE_BY_PLACE],
                                    .by_type = object->alias[PCM_SCENE_BY_TYPE],
                                    .by_group = object->alias[PCM_SCENE_BY_GROUP],
                                    .surface = object->surface,
                                    .body = pcm_scene_text(model, mjOBJ_BODY, object->body),
                                    .type = geom >= 0 ? pcm_scene_geom_type(model, geom) : "site",
                                    .size = {size[0], size[1], size[2]},
                                    .fixed = object->fixed,
                                    .body_id = object->body,
                                    .geom_id = geom,
                                    .known_as = &known_as,
                                    .material = pcm_scene_text(model, mjOBJ_MATERIAL, material)};
    visit(user, &info);
}

pcm_status pcm_mujoco_each_object(pcm_context *context, pcm_config *config, const mjModel *model,
                                  const pcm_mujoco_def *def, pcm_mujoco_object_visit *visit, void *user)
{
    pcm_mujoco_def filled;
    if (!pcm_host_fits(context))
        return PCM_BAD_HOST;
    if (!pcm_host_fill(context, def, &filled))
        return PCM_BAD_ARGUMENT;
    pcm_scene        scene;
    const pcm_status status = pcm_scene_read(&scene, context, config, model, &filled);
    if (status != PCM_OK)
        return status;
    pcm_scene_report_surfaces(&scene);
    for (size_t i = 0; i < scene.count; i++)
        visit_object(&scene, &scene.objects[i], visit, user);
    pcm_scene_free(&scene);
    return PCM_OK;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

typedef struct visitor {
    pcm_mujoco_visit *visit;
    void             *user;
    const mjModel    *model;
} visitor;

static pcm_status visit_pair(void *user, const pcm_scene_object *a, const pcm_scene_object *b)
{
    const visitor       *v = user;
    const pcm_object_def first = pcm_scene_def(v->model, a), second = pcm_scene_def(v->model, b);
    return v->visit(v->user, &first, &second) ? PCM_OK : PCM_BAD_ARGUMENT;
}

pcm_status pcm_mujoco_pairs(pcm_context *context, const pcm_config *config, const mjModel *model,
                            const pcm_mujoco_def *def, pcm_mujoco_visit *visit, void *user)
{
    pcm_mujoco_def filled;
    pcm_scene      scene;
    visitor        v = {visit, user, model};
    if (!pcm_host_fill(context, def, &filled))
        return PCM_BAD_ARGUMENT;
    pcm_status status = pcm_scene_read(&scene, context, config, model, &filled);
    if (status != PCM_OK)
        return status;
    status = pcm_scene_each_pair(&scene, visit_pair, &v);
    pcm_scene_free(&scene);
    return status;
}
