/* SPDX-License-Identifier: MIT */
/* shapes.c - geoms as shapes of libpcm-geometry, and the pairs of them that it looks at in place of MuJoCo.
 *
 * MuJoCo's function for two boxes takes half the overlap for the depth where they lie square on each other, and is off
 * by up to half of it elsewhere. Its general one, for meshes and cylinders, is off by more than 1e-6 of the size in one
 * pair of ten or more, and has a single point, which wanders, where flat lies on flat. Ours is proven to rounding, and
 * tells what each point is of the patch. Balls, and capsules and cylinders on planes, MuJoCo has exactly and at once.
 */
#include "host.h"
#include <string.h>

#ifdef PCM_MUJOCO_GEOMETRY
#include <pcm/geometry.h>

/* The corners of the mesh that MuJoCo takes the hull of: those of its hull, where it has made one. */
static size_t corners_of(const mjModel *model, int mesh, const int **corners)
{
    const int    address = model->mesh_graphadr[mesh];
    const int   *graph = model->mesh_graph + (address < 0 ? 0 : address);
    const size_t on_hull = address < 0 ? 0 : (size_t)graph[0];
    *corners = on_hull ? graph + 2 + on_hull : NULL;
    return on_hull ? on_hull : (size_t)model->mesh_vertnum[mesh];
}

static pcm_geometry *hull_of(pcm_context *context, const mjModel *model, int mesh)
{
    const int   *corners;
    const size_t count = corners_of(model, mesh, &corners);
    const float *places = model->mesh_vert + 3 * (size_t)model->mesh_vertadr[mesh];
    double      *points = pcm_allocate(context, 3 * count * sizeof *points);
    for (size_t i = 0; points && i < count; i++) {
        const float *place = places + 3 * (corners ? (size_t)corners[i] : i);
        for (int k = 0; k < 3; k++)
            points[3 * i + (size_t)k] = place[k];
    }
    pcm_geometry *hull = points ? pcm_geometry_hull(context, points, count) : NULL;
    pcm_free(context, points, 3 * count * sizeof *points);
    return hull;
}

pcm_geometry *pcm_shape_of(pcm_context *context, const mjModel *model, int geom)
{
    if (geom < 0)
        return pcm_geometry_point(context);
    const double *size = model->geom_size + 3 * (size_t)geom;
    switch (model->geom_type[geom]) {
    case mjGEOM_PLANE:
        return pcm_geometry_plane(context);
    case mjGEOM_SPHERE:
        return pcm_geometry_sphere(context, size[0]);
    case mjGEOM_CAPSULE:
        return pcm_geometry_capsule(context, size[0], 2 * size[1]);
    case mjGEOM_CYLINDER:
        return pcm_geometry_cylinder(context, size[0], 2 * size[1]);
    case mjGEOM_BOX:
        return pcm_geometry_box(context, (double[]){2 * size[0], 2 * size[1], 2 * size[2]});
    case mjGEOM_MESH:
        return hull_of(context, model, model->geom_dataid[geom]);
    default:
        return NULL;
    }
}

pcm_pose pcm_shape_place(const mjData *data, const pcm_served *served)
{
    pcm_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    if (served->geom < 0) {
        mju_copy3(pose.position, data->site_xpos + 3 * (size_t)served->site);
        return pose;
    }
    mju_copy3(pose.position, data->geom_xpos + 3 * (size_t)served->geom);
    mju_mat2Quat(pose.orientation, data->geom_xmat + 9 * (size_t)served->geom);
    return pose;
}

/* ---- Pairs ----------------------------------------------------------------------------------------------------- */

/* A mesh of which MuJoCo has made no hull may be flat, and is left to it. */
static bool has_shape(const mjModel *model, int geom)
{
    const int type = model->geom_type[geom];
    return type == mjGEOM_MESH ? model->mesh_graphadr[model->geom_dataid[geom]] >= 0
                               : type == mjGEOM_PLANE || type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE ||
                                     type == mjGEOM_CYLINDER || type == mjGEOM_BOX;
}

bool pcm_shapes_serve(const pcm_mujoco *host, int geom_a, int geom_b)
{
    const mjModel *model = host->model;
    const int      a = model->geom_type[geom_a], b = model->geom_type[geom_b];
    if (a == mjGEOM_BOX && b == mjGEOM_BOX)
        return host->own_boxes;
    return host->own_convex && has_shape(model, geom_a) && has_shape(model, geom_b) &&
           (pcm_process_convex(a, b) || a == mjGEOM_MESH || b == mjGEOM_MESH);
}

/* The shape of an object of such a pair; NULL: there is no memory for it, and MuJoCo's function answers. */
static pcm_geometry *take(pcm_mujoco *host, uint32_t object)
{
    pcm_served *served = &host->objects[object];
    mju_copy3(served->size, host->model->geom_size + 3 * (size_t)served->geom);
    if (!served->shape)
        served->shape = pcm_shape_of(host->context, host->model, served->geom);
    return served->shape;
}

void pcm_shapes_take(pcm_mujoco *host)
{
    for (size_t i = 0; i < host->n_pairs; i++) {
        pcm_served_pair *pair = &host->pairs[i];
        pair->ours = pair->ours && take(host, pair->a) && take(host, pair->b);
    }
}

void pcm_shapes_free(pcm_mujoco *host)
{
    for (size_t i = 0; i < host->n_objects; i++)
        pcm_geometry_free(host->objects[i].shape);
}

/* Guests in other threads share the shape, so that it stays as it is. */
static bool has_its_size(const pcm_mujoco *host, const pcm_served *served)
{
    return memcmp(served->size, host->model->geom_size + 3 * (size_t)served->geom, sizeof served->size) == 0;
}

int pcm_shapes_find(const pcm_mujoco *host, const mjData *data, uint32_t index, int geom_a, pcm_point *points)
{
    const pcm_served_pair *pair = &host->pairs[index];
    const bool             turned = host->objects[pair->a].geom != geom_a;
    const pcm_served      *a = &host->objects[turned ? pair->b : pair->a];
    const pcm_served      *b = &host->objects[turned ? pair->a : pair->b];
    if (!has_its_size(host, a) || !has_its_size(host, b))
        return -1;
    const pcm_pose pose_a = pcm_shape_place(data, a), pose_b = pcm_shape_place(data, b);
    pcm_touch      touches[mjMAXCONPAIR];
    size_t         count = 0;
    if (pcm_geometry_touch(a->shape, &pose_a, b->shape, &pose_b, pcm_near_margin(host, pair), touches, sizeof *touches,
                           mjMAXCONPAIR, &count) != PCM_OK)
        return -1;
    count = count < mjMAXCONPAIR ? count : mjMAXCONPAIR;
    for (size_t i = 0; i < count; i++) {
        const pcm_touch *t = &touches[i];
        points[i] = (pcm_point){.depth = t->depth, .area = t->area, .share = t->share, .gives = t->gives};
        memcpy(points[i].at, t->point, sizeof t->point);
        memcpy(points[i].normal, t->normal, sizeof t->normal);
    }
    return (int)count;
}

#else

bool pcm_shapes_serve(const pcm_mujoco *host, int geom_a, int geom_b)
{
    (void)host, (void)geom_a, (void)geom_b;
    return false;
}
void pcm_shapes_take(pcm_mujoco *host) { (void)host; }
void pcm_shapes_free(pcm_mujoco *host) { (void)host; }
int  pcm_shapes_find(const pcm_mujoco *host, const mjData *data, uint32_t index, int geom_a, pcm_point *points)
{
    (void)host, (void)data, (void)index, (void)geom_a, (void)points;
    return -1;
}

#endif
