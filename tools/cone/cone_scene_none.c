/* SPDX-License-Identifier: MIT */
/* cone_scene_none.c - replaces cone_scene.c in a build without MuJoCo. */
#include "cone.h"

#include <pcm/messages.h>

bool cone_from_scene(pcm_context *context, const cone_scene *from, pcm_config *config, cone_job *job)
{
    (void)context;
    (void)config;
    (void)job;
    command_error(PCM_MSG_NO_CONE, "%s cannot be read: this build has no MuJoCo", from->path);
    return false;
}
