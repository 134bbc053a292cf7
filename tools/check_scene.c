/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "scene_object.h"

#include <pcm/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

struct check_scene {
    pcm_context   *context;
    mjModel       *model;
    pcm_mujoco_def def;
};

check_scene *check_scene_open(pcm_context *context, const check_scene_def *def)
{
    check_scene *scene = malloc(sizeof *scene);
    if (!scene) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    *scene = (check_scene){.context = context, .def = pcm_mujoco_defaults()};
    scene->def.surfaces = def->surfaces.at;
    scene->def.n_surfaces = def->surfaces.count;
    scene->model = scene_load(context, def->path, &def->robot);
    if (scene->model)
        return scene;
    free(scene);
    return NULL;
}

void check_scene_close(check_scene *scene)
{
    if (scene)
        mj_deleteModel(scene->model);
    free(scene);
}

bool check_scene_hold(check_scene *scene, pcm_config *config, check_coverage *coverage)
{
    pcm_mujoco_coverage found = {.size = sizeof found};
    if (pcm_mujoco_check(scene->context, config, scene->model, &scene->def, true, &found) != PCM_OK)
        return false;
    *coverage = (check_coverage){found.pairs, found.served, found.unassigned, found.unmatched};
    return true;
}

/* ---- One object -------------------------------------------------------------------------------------------------- */

typedef struct search {
    const char   *asked;
    check_object *found; /* the first object with the name */
    pcm_nearest   near;
    bool          is_known;
} search;

/* Appends a text to those copied before. */
static const char *keep(char **to, const char *text)
{
    const char *kept = *to;
    *to = stpcpy(*to, text) + 1;
    return kept;
}

/* Texts stay NULL if there is no memory. */
static void copy_object(const pcm_mujoco_object *object, check_object *copy)
{
    const pcm_object_def *def = object->known_as;
    const size_t          most = sizeof copy->aliases / sizeof *copy->aliases - 1;
    size_t                bytes = strlen(def->name) + strlen(def->label) + strlen(def->surface) + 3;
    for (size_t i = 0; i < most && def->aliases[i]; i++)
        bytes += strlen(def->aliases[i]) + 1;
    copy->touches = touching_of(object->type, object->size, def->radius);
    char *to = copy->texts = malloc(bytes);
    if (!to)
        return;
    copy->def = PCM_OBJECT(.name = keep(&to, def->name), .label = keep(&to, def->label),
                           .surface = keep(&to, def->surface), .aliases = copy->aliases);
    for (size_t i = 0; i < most && def->aliases[i]; i++)
        copy->aliases[i] = keep(&to, def->aliases[i]);
}

static void look_for(search *s, const pcm_mujoco_object *object)
{
    const char *const *alias = object->known_as->aliases;
    bool               known = strcmp(object->known_as->name, s->asked) == 0;
    pcm_nearest_try(&s->near, object->known_as->name);
    for (; *alias; alias++) {
        known |= strcmp(*alias, s->asked) == 0;
        pcm_nearest_try(&s->near, *alias);
    }
    if (s->is_known || !known)
        return;
    s->is_known = true;
    copy_object(object, s->found);
}

static void look_at(void *user, const pcm_mujoco_object *object)
{
    search *both = user;
    for (size_t i = 0; i < 2; i++)
        look_for(&both[i], object);
}

static bool is_found(const check_scene *scene, const search *s)
{
    if (s->found->texts)
        return true;
    if (s->is_known)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    else if (mj_name2id(scene->model, mjOBJ_GEOM, s->asked) >= 0)
        command_error(PCM_MSG_NAME_UNMATCHED, "the geom '%s' collides with nothing: its contype and conaffinity are 0",
                      s->asked);
    else
        command_error(PCM_MSG_NAME_UNMATCHED, "the scene has no object '%s'%s", s->asked,
                      pcm_nearest_hint(&s->near).text);
    return false;
}

bool check_scene_objects(check_scene *scene, pcm_config *config, const char *const asked[2], check_object *objects[2])
{
    search both[2];
    for (size_t i = 0; i < 2; i++) {
        both[i] = (search){.asked = asked[i], .found = objects[i], .near = pcm_nearest_to(asked[i])};
        *objects[i] = (check_object){0};
    }
    return pcm_mujoco_each_object(scene->context, config, scene->model, &scene->def, look_at, both) == PCM_OK &&
           is_found(scene, &both[0]) && is_found(scene, &both[1]);
}

bool check_scene_pairs(check_scene *scene, const pcm_config *config, check_visit *visit, void *user)
{
    return pcm_mujoco_pairs(scene->context, config, scene->model, &scene->def, visit, user) == PCM_OK;
}
