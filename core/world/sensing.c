/* SPDX-License-Identifier: MIT */
/* sensing.c - measurements of a contact: status, distance, forces, velocities and frames. */
#include "sensing.h"
#include "guard.h"
#include <pcm/spatial.h>

#include <math.h>

/* The contact frame and its origin in a body's axes. */
static void place_frame(const pcm_pose_line *body, const pcm_contact_info *info, double rotation[9],
                        double translation[3])
{
    double axes[9];
    pcm_rotation(body->orientation, axes);
    for (size_t row = 0; row < 3; row++) {
        translation[row] = 0;
        for (size_t k = 0; k < 3; k++)
            translation[row] += axes[3 * k + row] * (info->point[k] - body->position[k]);
        for (size_t column = 0; column < 3; column++) {
            rotation[3 * row + column] = 0;
            for (size_t k = 0; k < 3; k++)
                rotation[3 * row + column] += axes[3 * k + row] * info->frame[3 * k + column];
        }
    }
}

void pcm_world_measure(const pcm_world *world, const pcm_contact_info *info, pcm_sensing *sensing)
{
    const pcm_pose_line *pose = world->pose[world->front];
    *sensing = (pcm_sensing){.size = sizeof *sensing, .separation = info->depth == PCM_FAR ? INFINITY : -info->depth};
    for (size_t k = 0; k < 9; k += 4)
        sensing->base_rotation[k] = sensing->follower_rotation[k] = 1;
    const bool touches = info->depth >= 0, acts = info->force[0] != 0 || info->force[1] != 0 || info->force[2] != 0;
    if (info->depth == PCM_FAR || !(touches || acts))
        return;
    sensing->contact = touches;
    sensing->depth = touches ? info->depth : 0;
    sensing->normal_force = fabs(info->force[2]);
    sensing->normal_load = info->force[2];
    sensing->friction_force = sqrt(info->force[0] * info->force[0] + info->force[1] * info->force[1]);
    sensing->normal_velocity = -info->depth_rate;
    memcpy(sensing->tangential_velocity, info->slip, sizeof info->slip);
    place_frame(&pose[info->base.index], info, sensing->base_rotation, sensing->base_translation);
    place_frame(&pose[info->follower.index], info, sensing->follower_rotation, sensing->follower_translation);
}

pcm_status pcm_world_sense(pcm_world *world, pcm_contact contact, pcm_sensing *sensing)
{
    pcm_contact_info info = {.size = sizeof info};
    pcm_sensing      known;
    pcm_status       status = pcm_world_admit(world, sensing != NULL, __func__);
    if (status == PCM_OK)
        status = pcm_world_contact_info(world, contact, &info);
    if (status != PCM_OK)
        return status;
    pcm_world_measure(world, &info, &known);
    return pcm_info_fill(world->context, "pcm_sensing", sensing, sensing->size, &known);
}
