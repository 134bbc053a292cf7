/* SPDX-License-Identifier: MIT */
/* scene_object.h - what of a MuJoCo model an object of a world is, by its name. */
#ifndef PCM_TOOLS_SCENE_OBJECT_H
#define PCM_TOOLS_SCENE_OBJECT_H

#include <mujoco/mujoco.h>

#include "command.h"

/* The scene, or the URDF file's robot in its surroundings; NULL: it cannot be read, which has been reported. */
mjModel *scene_load(pcm_context *context, const char *path, const option_robot *robot);

/* The object's origin in the world, or NULL. */
const double *scene_origin(const mjModel *model, const mjData *data, const char *name);

/* Says that the model of that file has no such object, and which one may be meant. */
void scene_refuse(const mjModel *model, const char *path, const char *name);

/* A name as rules and surfaces can quote it, in place of it: what a quoted text cannot hold becomes '?', which stands
 * for any character. */
void scene_quotable(char *name);

#endif
