/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <pcm/mujoco.h>
#include <stdlib.h>
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

bool check_scene_pairs(check_scene *scene, const pcm_config *config, check_visit *visit, void *user)
{
    return pcm_mujoco_pairs(scene->context, config, scene->model, &scene->def, visit, user) == PCM_OK;
}
