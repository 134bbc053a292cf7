/* SPDX-License-Identifier: MIT */
/* check_scene_none.c - replaces check_scene.c in a build without MuJoCo. */
#include "check.h"

#include <pcm/messages.h>

check_scene *check_scene_open(pcm_context *context, const check_scene_def *def)
{
    (void)context;
    command_error(PCM_MSG_NO_SCENES, "%s cannot be read: this build has no MuJoCo", def->path);
    return NULL;
}

void check_scene_close(check_scene *scene) { (void)scene; }

bool check_scene_hold(check_scene *scene, pcm_config *config, check_coverage *coverage)
{
    (void)scene;
    (void)config;
    (void)coverage;
    return false;
}

bool check_scene_objects(check_scene *scene, pcm_config *config, const char *const asked[2], check_object *objects[2])
{
    (void)scene;
    (void)config;
    (void)asked;
    (void)objects;
    return false;
}

bool check_scene_pairs(check_scene *scene, const pcm_config *config, check_visit *visit, void *user)
{
    (void)scene;
    (void)config;
    (void)visit;
    (void)user;
    return false;
}
