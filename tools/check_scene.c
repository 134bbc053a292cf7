/* SPDX-License-Identifier: MIT */
#include "check.h"

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

check_scene *check_scene_open(pcm_context *context, const char *path, const option_texts *surfaces)
{
    check_scene *scene = malloc(sizeof *scene);
    if (!scene) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    *scene = (check_scene){.context = context, .def = pcm_mujoco_defaults()};
    scene->def.surfaces = surfaces->at;
    scene->def.n_surfaces = surfaces->count;
    scene->model = pcm_mujoco_load(context, path);
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

/* ---- One object ------------------------------------------------------------------------------------------------ */

typedef struct search {
    const char    *asked;
    check_object  *found; /* the first that has the name */
    pcm_suggestion near;
    char           best[96];
} search;

static void try_name(search *s, const char *name)
{
    const char *before = s->near.best;
    pcm_suggest_try(&s->near, name, strlen(name));
    if (s->near.best != before && s->near.best == name) {
        (void)snprintf(s->best, sizeof s->best, "%s", name);
        s->near.best = s->best;
    }
}

static void look_at(void *user, const pcm_mujoco_object *object)
{
    search           *s = user;
    const char *const names[] = {object->name, object->place, object->by_type, object->by_group};
    for (size_t i = 0; i < sizeof names / sizeof *names && !s->found->name; i++) {
        try_name(s, names[i]);
        if (strcmp(names[i], s->asked) == 0) {
            s->found->name = strdup(object->name);
            s->found->surface = strdup(object->surface);
        }
    }
}

bool check_scene_object(check_scene *scene, pcm_config *config, const char *asked, check_object *object)
{
    search s = {.asked = asked, .found = object, .near = pcm_suggest(asked, strlen(asked))};
    *object = (check_object){0};
    if (pcm_mujoco_each_object(scene->context, config, scene->model, &scene->def, look_at, &s) != PCM_OK)
        return false;
    if (object->name && object->surface)
        return true;
    if (object->name)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    else
        command_error(PCM_MSG_NAME_UNMATCHED, "the scene has no object '%s'%s", asked, options_hint_of(&s.near).text);
    return false;
}

bool check_scene_pairs(check_scene *scene, const pcm_config *config, check_visit *visit, void *user)
{
    return pcm_mujoco_pairs(scene->context, config, scene->model, &scene->def, visit, user) == PCM_OK;
}
