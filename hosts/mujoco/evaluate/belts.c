/* SPDX-License-Identifier: MIT */
/* belts.c - geoms whose surface moves on them: by the model's geom_surfacevel, by the user's call, or by the material
 * of the file. Whichever was changed last counts. */
#include "evaluation.h"
#include <pcm/messages.h>
#include <string.h>

enum { NUMBERS = 6 }; /* of a geom's surface velocity in the model: linear, angular, in the geom's axes */

static size_t seen_bytes(const pcm_mujoco *host) { return host->detection->n_objects * NUMBERS * sizeof(double); }
static size_t kept_bytes(const pcm_mujoco *host) { return host->detection->n_objects * sizeof(pcm_twist); }

/* In the axes of the object, which are those of a mesh's file. */
static pcm_twist velocity_of(const mjModel *model, const pcm_served *object, const double *surface)
{
    pcm_twist twist = {{0}, {0}};
    double    at[3], turn[4], turned[3];
    mju_copy3(twist.linear, surface);
    mju_copy3(twist.angular, surface + 3);
    if (object->mesh < 0 || !pcm_release_mesh_place(model, object->mesh, at, turn))
        return twist;
    mju_rotVecQuat(twist.linear, surface, turn);
    mju_rotVecQuat(twist.angular, surface + 3, turn);
    mju_cross(turned, twist.angular, at);
    mju_subFrom3(twist.linear, turned);
    return twist;
}

static const double *surface_of(const mjModel *model, const pcm_served *object)
{
    return object->geom >= 0 ? pcm_release_surface_velocity(model, object->geom) : NULL;
}

static bool moves(const double linear[3], const double angular[3])
{
    return linear[0] != 0 || linear[1] != 0 || linear[2] != 0 || angular[0] != 0 || angular[1] != 0 || angular[2] != 0;
}

/* What the model says of surfaces, unless the file's material says it. */
static pcm_status take_model(pcm_mujoco *host)
{
    pcm_status status = PCM_OK;
    for (size_t i = 0; i < host->detection->n_objects && status == PCM_OK; i++) {
        const pcm_served *object = &host->detection->objects[i];
        const double     *surface = surface_of(host->model, object);
        pcm_twist         now;
        if (!surface)
            continue;
        memcpy(host->evaluation->surfaces + NUMBERS * i, surface, NUMBERS * sizeof *surface);
        status = pcm_world_surface_velocity(host->world, object->handle, &now);
        if (status != PCM_OK || !moves(surface, surface + 3) || moves(now.linear, now.angular))
            continue;
        now = velocity_of(host->model, object, surface);
        status = pcm_world_set_surface_velocity(host->world, object->handle, &now);
    }
    return status;
}

pcm_status pcm_belts_start(pcm_mujoco *host)
{
    pcm_evaluation *e = host->evaluation;
    e->surfaces = pcm_allocate(host->context, seen_bytes(host));
    e->belts = pcm_allocate(host->context, kept_bytes(host));
    if (host->detection->n_objects && (!e->surfaces || !e->belts))
        return pcm_host_no_memory(host->context);
    if (!host->source)
        return take_model(host);
    if (host->detection->n_objects)
        memcpy(e->surfaces, host->source->evaluation->surfaces, seen_bytes(host));
    return PCM_OK;
}

void pcm_belts_free(pcm_mujoco *host)
{
    pcm_free(host->context, host->evaluation->surfaces, seen_bytes(host));
    pcm_free(host->context, host->evaluation->belts, kept_bytes(host));
}

pcm_status pcm_belts_follow(pcm_mujoco *host)
{
    const size_t moving = pcm_release_surfaces_move(host->model) ? host->detection->n_objects : 0;
    pcm_status   status = PCM_OK;
    for (size_t i = 0; i < moving && status == PCM_OK; i++) {
        const pcm_served *object = &host->detection->objects[i];
        double           *seen = host->evaluation->surfaces + NUMBERS * i;
        const double     *surface = surface_of(host->model, object);
        if (!surface || memcmp(seen, surface, NUMBERS * sizeof *seen) == 0)
            continue;
        memcpy(seen, surface, NUMBERS * sizeof *seen);
        const pcm_twist now = velocity_of(host->model, object, surface);
        status = pcm_world_set_surface_velocity(host->world, object->handle, &now);
    }
    return status;
}

void pcm_belts_keep(pcm_mujoco *host, const pcm_mujoco *from)
{
    for (size_t i = 0; i < host->detection->n_objects; i++)
        (void)pcm_world_surface_velocity(from->world, host->detection->objects[i].handle, &host->evaluation->belts[i]);
}

pcm_status pcm_belts_return(pcm_mujoco *host)
{
    pcm_status status = PCM_OK;
    for (size_t i = 0; i < host->detection->n_objects && status == PCM_OK; i++)
        status = pcm_world_set_surface_velocity(host->world, host->detection->objects[i].handle,
                                                &host->evaluation->belts[i]);
    return status;
}

pcm_status pcm_belts_set(pcm_mujoco *host, const char *object, const pcm_twist *velocity)
{
    pcm_status status = PCM_OK;
    bool       found = false;
    for (size_t i = 0; i < host->detection->n_objects && status == PCM_OK; i++)
        if (pcm_scene_fits(host->detection->objects[i].object, object)) {
            found = true;
            status = pcm_world_set_surface_velocity(host->world, host->detection->objects[i].handle, velocity);
        }
    if (found)
        return status;
    pcm_served_report_unknown(host, PCM_MSG_BELT, "a surface velocity", object);
    return PCM_BAD_ARGUMENT;
}
