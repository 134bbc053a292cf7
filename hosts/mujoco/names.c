/* SPDX-License-Identifier: MIT */
/* names.c - by what names rules can speak of geoms.
 *
 * Most feet of public robots have no name. Such a geom goes by its body's name, together with the body's other ones, or
 * by one of its own that tells them apart: its place among the body's geoms, its type or its group. Rules and surfaces
 * go by all of them; worlds, logs and messages call it by the first that some ObjectPair rule speaks of. */
#include "scene.h"
#include <stdio.h>
#include <string.h>

static const char *text_of(const mjModel *model, int kind, int id)
{
    const char *text = id >= 0 ? mj_id2name(model, kind, id) : NULL;
    return text ? text : "";
}

const char *pcm_scene_geom_type(const mjModel *model, int geom)
{
    static const char *const names[] = {[mjGEOM_PLANE] = "plane",
                                        [mjGEOM_HFIELD] = "hfield",
                                        [mjGEOM_SPHERE] = "sphere",
                                        [mjGEOM_CAPSULE] = "capsule",
                                        [mjGEOM_ELLIPSOID] = "ellipsoid",
                                        [mjGEOM_CYLINDER] = "cylinder",
                                        [mjGEOM_BOX] = "box",
                                        [mjGEOM_MESH] = "mesh"};
    const int                type = model->geom_type[geom];
    return type >= 0 && type < (int)(sizeof names / sizeof *names) && names[type] ? names[type] : "sdf";
}

typedef enum alias_kind { BY_PLACE, BY_TYPE, BY_GROUP } alias_kind;

/* Names that are too long are left out. */
static void add_alias(const mjModel *model, pcm_scene_object *object, alias_kind kind, size_t *count)
{
    const char *name = text_of(model, mjOBJ_BODY, object->body);
    char        unnamed[24] = "", *text = object->alias[kind];
    const int   geom = object->geom;
    if (!*name)
        snprintf(unnamed, sizeof unnamed, "body%d", object->body);
    const char *whose = *name ? name : unnamed;
    int         length = 0;
    if (kind == BY_PLACE)
        length = snprintf(text, PCM_SCENE_NAME, "%s.%d", whose, geom - model->body_geomadr[object->body] + 1);
    else if (kind == BY_TYPE)
        length = snprintf(text, PCM_SCENE_NAME, "%s:%s", whose, pcm_scene_geom_type(model, geom));
    else
        length = snprintf(text, PCM_SCENE_NAME, "%s:group%d", whose, model->geom_group[geom]);
    if (length > 0 && length < PCM_SCENE_NAME)
        object->aliases[(*count)++] = text;
    else
        *text = '\0';
}

/* Whether the side means the alias, and does not merely fit it as it fits the name that the geom has anyhow. */
static bool speaks_of(const pcm_rule_info *rule, const char *side, const char *alias, const char *name)
{
    if (!strpbrk(side, ".:"))
        return false;
    return rule->pattern ? pcm_name_matches(side, alias) && !pcm_name_matches(side, name) : strcmp(side, alias) == 0;
}

static bool is_spoken_of(const pcm_config *config, const char *alias, const char *name)
{
    for (size_t i = 0; config && i < pcm_config_rule_count(config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        if (rule.kind == PCM_OBJECT_PAIR &&
            (speaks_of(&rule, rule.a, alias, name) || speaks_of(&rule, rule.b, alias, name)))
            return true;
    }
    return false;
}

void pcm_scene_name(const pcm_scene *scene, const pcm_config *config, pcm_scene_object *object)
{
    const mjModel *model = scene->model;
    size_t         count = 0;
    object->name = object->base = text_of(model, mjOBJ_GEOM, object->geom);
    if (*object->name)
        return;
    object->base = text_of(model, mjOBJ_BODY, object->body);
    if (!*object->base) {
        snprintf(object->unnamed, sizeof object->unnamed, "geom %d", object->geom);
        object->base = object->unnamed;
    }
    for (int kind = 0; kind < PCM_SCENE_ALIASES; kind++)
        add_alias(model, object, (alias_kind)kind, &count);
    object->name = object->base;
    for (size_t i = count; i-- > 0;)
        if (is_spoken_of(config, object->aliases[i], object->base))
            object->name = object->aliases[i];
}

/* ---- A list of them -------------------------------------------------------------------------------------------- */

static void tell(const pcm_scene *scene, const pcm_scene_object *object, pcm_mujoco_object_visit *visit, void *user)
{
    const mjModel          *model = scene->model;
    const int               geom = object->geom;
    const pcm_object_def    known_as = pcm_scene_def(model, object);
    const int               material = geom >= 0 ? model->geom_matid[geom] : model->site_matid[object->site];
    const mjtNum           *size = geom >= 0 ? model->geom_size + 3 * geom : model->site_size + 3 * object->site;
    const pcm_mujoco_object info = {.name = object->name,
                                    .place = object->alias[BY_PLACE],
                                    .by_type = object->alias[BY_TYPE],
                                    .by_group = object->alias[BY_GROUP],
                                    .surface = object->surface,
                                    .body = text_of(model, mjOBJ_BODY, object->body),
                                    .type = geom >= 0 ? pcm_scene_geom_type(model, geom) : "site",
                                    .size = {size[0], size[1], size[2]},
                                    .fixed = object->fixed,
                                    .body_id = object->body,
                                    .geom_id = geom,
                                    .known_as = &known_as,
                                    .material = text_of(model, mjOBJ_MATERIAL, material)};
    visit(user, &info);
}

pcm_status pcm_mujoco_each_object(pcm_context *context, pcm_config *config, const mjModel *model,
                                  const pcm_mujoco_def *def, pcm_mujoco_object_visit *visit, void *user)
{
    pcm_mujoco_def filled;
    if (!pcm_mujoco_fits(context))
        return PCM_BAD_HOST;
    if (!pcm_mujoco_fill(context, def, &filled))
        return PCM_BAD_ARGUMENT;
    pcm_scene        scene;
    const pcm_status status = pcm_scene_read(&scene, context, config, model, &filled);
    if (status != PCM_OK)
        return status;
    pcm_scene_tell_surfaces(&scene);
    for (size_t i = 0; i < scene.count; i++)
        tell(&scene, &scene.objects[i], visit, user);
    pcm_scene_free(&scene);
    return PCM_OK;
}
