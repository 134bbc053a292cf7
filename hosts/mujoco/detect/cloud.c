/* SPDX-License-Identifier: MIT */
/* cloud.c - objects that touch by points that the user gives, instead of by their shape. */
#include "detection.h"
#include <pcm/messages.h>
#include <string.h>

#ifdef PCM_MUJOCO_GEOMETRY
#include <pcm/geometry.h>

/* The reason why an object cannot touch by points; NULL: it can. */
static const char *obstacle(const mjModel *model, int geom)
{
    double at[3], turn[4];
    if (geom < 0)
        return "it is a site, which is a point itself";
    if (model->geom_type[geom] == mjGEOM_PLANE || model->geom_type[geom] == mjGEOM_HFIELD)
        return "it is the ground: give points to what lies on it";
    if (model->geom_type[geom] == mjGEOM_MESH && !pcm_release_mesh_place(model, model->geom_dataid[geom], at, turn))
        return "MuJoCo before 3.0 does not say where it has put the axes of a mesh: give points to another geom of its "
               "body";
    return NULL;
}

/* Transforms points from the axes of a mesh's file to those that MuJoCo gives the mesh. */
static void turn_to_mesh(const mjModel *model, int mesh, double *points, size_t count)
{
    double at[3], turn[4], back[4], apart[3];
    if (!pcm_release_mesh_place(model, mesh, at, turn))
        return;
    mju_negQuat(back, turn);
    for (size_t i = 0; i < count; i++) {
        mju_sub3(apart, points + 3 * i, at);
        mju_rotVecQuat(points + 3 * i, apart, back);
    }
}

static double radius_about_middle(const double *points, size_t count)
{
    double radius = 0;
    for (size_t i = 0; i < count; i++)
        radius = fmax(radius, mju_norm3(points + 3 * i));
    return radius;
}

static void drop_points(pcm_served *served)
{
    pcm_geometry_free(served->cloud);
    served->cloud = NULL;
    served->n_points = 0;
    served->bound = 0;
}

/* Returns false if there is no memory. */
static bool give_points(pcm_mujoco *host, pcm_served *served, const double *points, size_t count)
{
    const mjModel *model = host->model;
    const size_t   bytes = 3 * count * sizeof(double);
    double        *own = pcm_allocate(host->context, bytes);
    if (!own)
        return false;
    memcpy(own, points, bytes);
    if (model->geom_type[served->geom] == mjGEOM_MESH)
        turn_to_mesh(model, model->geom_dataid[served->geom], own, count);
    pcm_geometry *cloud = pcm_geometry_cloud(host->context, own, count);
    if (cloud) {
        drop_points(served);
        served->cloud = cloud;
        served->n_points = count;
        served->bound = radius_about_middle(own, count);
    }
    pcm_free(host->context, own, bytes);
    return cloud;
}

/* Whether libpcm-geometry can test the geom against clouds. */
static bool meets_cloud(const mjModel *model, int geom)
{
    return model->geom_type[geom] == mjGEOM_HFIELD ? pcm_scene_is_grid(model, geom) : pcm_scene_has_shape(model, geom);
}

/* A cloud touches only shapes, not other clouds: points have no inside. False: no memory. */
static bool take_pairs(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    bool           made = true;
    for (size_t i = 0; i < d->n_pairs; i++) {
        pcm_served_pair *pair = &d->pairs[i];
        const bool       first = d->objects[pair->a].cloud, second = d->objects[pair->b].cloud;
        const uint32_t   other = first ? pair->b : pair->a;
        pair->cloud = 0;
        if (first == second || !meets_cloud(host->model, d->objects[other].geom))
            continue;
        if (pcm_shapes_make(host, other)) {
            pair->cloud = 1 + (first ? pair->a : pair->b);
            pair->ours = true;
        } else {
            made = false;
        }
    }
    return made;
}

/* Whether some object matches, and all that match can touch by points; if not, reports an error. */
static bool can_take(const pcm_mujoco *host, const char *object)
{
    bool found = false;
    for (size_t i = 0; i < host->detection->n_objects; i++) {
        const pcm_served *served = &host->detection->objects[i];
        const char       *why = NULL;
        if (pcm_scene_fits(served->object, object)) {
            found = true;
            why = obstacle(host->model, served->geom);
        }
        if (why) {
            pcm_report(host->context, PCM_ERROR, PCM_MSG_CLOUD, "'%.150s' cannot touch by points: %s", served->name,
                       why);
            return false;
        }
    }
    if (!found)
        pcm_served_report_unknown(host, PCM_MSG_CLOUD, "points", object);
    return found;
}

static bool are_numbers(const pcm_mujoco *host, const char *object, const double *points, size_t count)
{
    const double largest = 1e9; /* m, the largest length in libpcm-geometry */
    for (size_t i = 0; i < 3 * count; i++)
        if (!(fabs(points[i]) <= largest)) {
            pcm_report(host->context, PCM_ERROR, PCM_MSG_CLOUD,
                       "point %zu for '%.150s' has a coordinate that is not a number of at most 1e9 m", i / 3, object);
            return false;
        }
    return true;
}

static pcm_status give_all(pcm_mujoco *host, const char *object, const double *points, size_t count)
{
    pcm_detection *d = host->detection;
    bool           given = true;
    for (size_t i = 0; i < d->n_objects && given; i++)
        if (pcm_scene_fits(d->objects[i].object, object))
            given = give_points(host, &d->objects[i], points, count);
    if (take_pairs(host) && given)
        return PCM_OK;
    for (size_t i = 0; i < d->n_objects; i++)
        if (pcm_scene_fits(d->objects[i].object, object))
            drop_points(&d->objects[i]);
    (void)take_pairs(host);
    return pcm_host_no_memory(host->context);
}

pcm_status pcm_mujoco_cloud(pcm_mujoco *host, const char *object, const double *points, size_t count)
{
    if (!object || !points || count == 0 || count > UINT32_MAX / 8)
        return PCM_BAD_ARGUMENT;
    if (host->copies || host->detection->kept.count > 0) {
        pcm_report(host->context, PCM_ERROR, PCM_MSG_CLOUD,
                   "points for '%.150s': they are given before the first step and before copies", object);
        return PCM_BAD_ARGUMENT;
    }
    return can_take(host, object) && are_numbers(host, object, points, count) ? give_all(host, object, points, count)
                                                                              : PCM_BAD_ARGUMENT;
}

#else

pcm_status pcm_mujoco_cloud(pcm_mujoco *host, const char *object, const double *points, size_t count)
{
    (void)points, (void)count;
    pcm_report(host->context, PCM_ERROR, PCM_MSG_CLOUD,
               "points for '%.150s': PCM is built without libpcm-geometry, which needs qhull", object ? object : "");
    return PCM_BAD_ARGUMENT;
}

#endif
