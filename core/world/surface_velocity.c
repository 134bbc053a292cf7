/* SPDX-License-Identifier: MIT */
#include "surface_velocity.h"
#include "guard.h"
#include <pcm/setting.h>
#include <pcm/spatial.h>

bool pcm_surfaces_reserve(pcm_world *world)
{
    if (!world->surface)
        world->surface = pcm_allocate(world->context, world->body_capacity * sizeof *world->surface);
    return world->surface != NULL;
}

void pcm_surface_set(pcm_world *world, uint32_t object, const pcm_twist *velocity)
{
    pcm_surface_line *line = &world->surface[object];
    memcpy(line->linear, velocity->linear, sizeof line->linear);
    memcpy(line->angular, velocity->angular, sizeof line->angular);
}

void pcm_surface_start(pcm_world *world, uint32_t object)
{
    if (!world->surface)
        return;
    const pcm_twist velocity = pcm_material_velocity(world->config, world->bodies[object].material);
    world->surface[object] = (pcm_surface_line){0};
    pcm_surface_set(world, object, &velocity);
}

void pcm_surfaces_clear(pcm_world *world)
{
    if (world->surface)
        memset(world->surface, 0, world->body_capacity * sizeof *world->surface);
}

void pcm_surfaces_latch(pcm_world *world)
{
    for (size_t i = 0; world->surface && i < world->n_bodies; i++) {
        pcm_surface_line *line = &world->surface[i];
        memcpy(line->seen_linear, line->linear, sizeof line->linear);
        memcpy(line->seen_angular, line->angular, sizeof line->angular);
    }
}

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

bool pcm_surface_moves(const pcm_world *world, uint32_t object)
{
    const pcm_surface_line *line = world->surface ? &world->surface[object] : NULL;
    return line && !(is_zero(line->linear) && is_zero(line->angular));
}

size_t pcm_surfaces_moving(const pcm_world *world)
{
    size_t count = 0;
    for (uint32_t i = 0; world->surface && i < world->n_bodies; i++)
        count += pcm_surface_moves(world, i);
    return count;
}

void pcm_surface_add(const pcm_world *world, uint32_t side, const double point[3], const double normal[3],
                     double linear[3], double angular[3])
{
    const uint32_t          object = pcm_side_object(side);
    const pcm_surface_line *line = world->surface ? &world->surface[object] : NULL;
    if (!line || (is_zero(line->seen_linear) && is_zero(line->seen_angular)))
        return;
    const pcm_pose_line *pose = &world->pose[world->front][object];
    double               axes[9], v[3], w[3], arm[3];
    pcm_rotation(pose->orientation, axes);
    for (size_t k = 0; k < 3; k++) {
        w[k] = pcm_dot(axes + 3 * k, line->seen_angular);
        arm[k] = point[k] - pose->position[k];
    }
    pcm_cross(w, arm, v);
    for (size_t k = 0; k < 3; k++)
        v[k] += pcm_dot(axes + 3 * k, line->seen_linear);
    const double along = pcm_dot(normal, v);
    for (size_t k = 0; k < 3; k++) {
        linear[k] += v[k] - along * normal[k];
        angular[k] += w[k];
    }
}

void pcm_surface_relative(const pcm_world *world, const pcm_record *record, const double point[3], double velocity[6])
{
    double base[6] = {0};
    memset(velocity, 0, sizeof base);
    pcm_surface_add(world, record->base, point, record->normal, base + 3, base);
    pcm_surface_add(world, record->follower, point, record->normal, velocity + 3, velocity);
    for (size_t k = 0; k < 6; k++)
        velocity[k] -= base[k];
}

/* ---- For hosts -------------------------------------------------------------------------------------------------- */

pcm_status pcm_world_set_surface_velocity(pcm_world *world, pcm_object object, const pcm_twist *velocity)
{
    pcm_status status = pcm_world_admit(world, velocity != NULL, __func__);
    if (status != PCM_OK)
        return status;
    for (size_t k = 0; k < 3; k++)
        if (!isfinite(velocity->linear[k]) || !isfinite(velocity->angular[k]))
            return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__, "the velocity of a surface is finite");
    if (!pcm_world_has(world, object))
        return PCM_BAD_HANDLE;
    if (!world->surface && is_zero(velocity->linear) && is_zero(velocity->angular))
        return PCM_OK;
    if (!pcm_surfaces_reserve(world))
        return PCM_NO_MEMORY;
    pcm_surface_set(world, object.index, velocity);
    return PCM_OK;
}

pcm_status pcm_world_surface_velocity(const pcm_world *world, pcm_object object, pcm_twist *velocity)
{
    const pcm_status status = pcm_world_admit(world, velocity != NULL, __func__);
    if (status != PCM_OK)
        return status;
    if (!pcm_world_has(world, object))
        return PCM_BAD_HANDLE;
    *velocity = (pcm_twist){0};
    if (world->surface) {
        memcpy(velocity->linear, world->surface[object.index].linear, sizeof velocity->linear);
        memcpy(velocity->angular, world->surface[object.index].angular, sizeof velocity->angular);
    }
    return PCM_OK;
}
