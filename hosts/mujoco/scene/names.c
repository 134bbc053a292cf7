/* SPDX-License-Identifier: MIT */
/* names.c - the names of geoms in rules.
 *
 * Most feet of public robots have no name. Such a geom has its body's name, which other geoms of the body share, and
 * aliases that distinguish it: by its place among the body's geoms, its type or its group. Rules and surfaces match
 * all of these names; worlds, logs and messages use the first one that some ObjectPair rule names. */
#include "scene.h"
#include <stdio.h>
#include <string.h>

const char *pcm_scene_text(const mjModel *model, int kind, int id)
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

/* Names that are too long are omitted. */
static void add_alias(const mjModel *model, pcm_scene_object *object, int kind, size_t *count)
{
    const char *name = pcm_scene_text(model, mjOBJ_BODY, object->body);
    char        unnamed[24] = "", *text = object->alias[kind];
    const int   geom = object->geom;
    if (!*name)
        snprintf(unnamed, sizeof unnamed, "body%d", object->body);
    const char *whose = *name ? name : unnamed;
    int         length = 0;
    if (kind == PCM_SCENE_BY_PLACE)
        length = snprintf(text, PCM_SCENE_NAME, "%s.%d", whose, geom - model->body_geomadr[object->body] + 1);
    else if (kind == PCM_SCENE_BY_TYPE)
        length = snprintf(text, PCM_SCENE_NAME, "%s:%s", whose, pcm_scene_geom_type(model, geom));
    else
        length = snprintf(text, PCM_SCENE_NAME, "%s:group%d", whose, model->geom_group[geom]);
    if (length > 0 && length < PCM_SCENE_NAME)
        object->aliases[(*count)++] = text;
    else
        *text = '\0';
}

/* Whether the side names the alias itself, and is not a pattern that also matches the geom's usual name. */
static bool speaks_of(const pcm_rule_info *rule, const char *side, const char *alias, const char *name)
{
    if (!strpbrk(side, ".:"))
        return false;
    return rule->pattern ? pcm_name_matches(side, alias) && !pcm_name_matches(side, name) : strcmp(side, alias) == 0;
}

static bool is_mentioned(const pcm_config *config, const char *alias, const char *name)
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
    object->name = object->base = pcm_scene_text(model, mjOBJ_GEOM, object->geom);
    if (*object->name)
        return;
    object->base = pcm_scene_text(model, mjOBJ_BODY, object->body);
    if (!*object->base) {
        snprintf(object->unnamed, sizeof object->unnamed, "geom %d", object->geom);
        object->base = object->unnamed;
    }
    for (int kind = 0; kind < PCM_SCENE_ALIASES; kind++)
        add_alias(model, object, kind, &count);
    object->name = object->base;
    for (size_t i = count; i-- > 0;)
        if (is_mentioned(config, object->aliases[i], object->base))
            object->name = object->aliases[i];
}
