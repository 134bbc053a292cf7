/* SPDX-License-Identifier: MIT */
/* scene_object.h - finds the MuJoCo object that an object of a world stands for, by its name. */
#ifndef PCM_TOOLS_SCENE_OBJECT_H
#define PCM_TOOLS_SCENE_OBJECT_H

#include <mujoco/mujoco.h>

#include "command.h"

/* The scene, or the URDF file's robot in its surroundings; NULL, and reported: it cannot be read. */
mjModel *scene_load(pcm_context *context, const char *path, const option_robot *robot);

/* The object's origin in the world, or NULL. */
const double *scene_origin(const mjModel *model, const mjData *data, const char *name);

/* Reports that the model of that file has no such object, and suggests one. */
void scene_refuse(const mjModel *model, const char *path, const char *name);

/* Changes a name, in place, to one that rules and surfaces can quote: what a quoted text cannot hold becomes '?', the
 * pattern for any character. */
void scene_quotable(char *name);

#endif
