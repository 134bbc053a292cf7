/* SPDX-License-Identifier: MIT */
/* cone_scene_none.c - stands for cone_scene.c in a build without MuJoCo. */
#include "cone.h"

#include <pcm/messages.h>

#include "command.h"

bool cone_from_scene(pcm_context *context, const char *path, pcm_config *config, const char *object, double time,
                     cone_job *job)
{
    (void)context;
    (void)config;
    (void)object;
    (void)time;
    (void)job;
    command_error(PCM_MSG_NO_CONE, "%s cannot be read: this build has no MuJoCo", path);
    return false;
}
