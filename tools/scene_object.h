/* SPDX-License-Identifier: MIT */
/* scene_object.h - finds the MuJoCo object that belongs to an object of a world, by its name. */
#ifndef PCM_TOOLS_SCENE_OBJECT_H
#define PCM_TOOLS_SCENE_OBJECT_H

#include <mujoco/mujoco.h>

#include "command.h"

/* Reads the scene, or the URDF file's robot with its surroundings; NULL, with a report: it cannot be read. */
mjModel *scene_load(pcm_context *context, const char *path, const option_robot *robot);

/* The object's origin in the world, or NULL. */
const double *scene_origin(const mjModel *model, const mjData *data, const char *name);

/* Reports that the model of that file has no such object, and suggests one. */
void scene_refuse(const mjModel *model, const char *path, const char *name);

/* Changes a name, in place, so that rules and surfaces can quote it: a character that a quoted text cannot contain
 * becomes '?', the pattern for any character. */
void scene_quotable(char *name);

#endif
