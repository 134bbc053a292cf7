/* SPDX-License-Identifier: MIT */
/* kinds.c - which kinds of geometries may be paired, and the order in which the two bodies of a pair are taken. */
#include "pair.h"

bool pcm_geometry_meets(pcm_geometry_kind a, pcm_geometry_kind b)
{
    if (b < a)
        return pcm_geometry_meets(b, a);
    if (b == PCM_COMPOUND || is_solid(a))
        return true;
    if (a == PCM_DISK)
        return b == PCM_PLANE;
    return (a == PCM_GRID || a == PCM_PLANE) && (b == PCM_POINT || b == PCM_CLOUD);
}

const char *pcm_geometry_partners(pcm_geometry_kind kind)
{
    switch (kind) {
    case PCM_HULL:
    case PCM_SPHERE:
    case PCM_CAPSULE:
    case PCM_BOX:
    case PCM_CYLINDER:
    case PCM_COMPOUND:
        return "a solid is supported with all geometries";
    case PCM_DISK:
        return "a disk is supported with solids and planes";
    case PCM_GRID:
        return "a grid surface is supported with solids, points and point clouds";
    case PCM_PLANE:
        return "a plane is supported with solids, disks, points and point clouds";
    case PCM_POINT:
        return "a point is supported with solids, grid surfaces and planes";
    case PCM_CLOUD:
        return "a point cloud is supported with solids, grid surfaces and planes";
    }
    return "an unknown geometry is not supported";
}

/* False if the pose is invalid. A ball looks the same in every orientation. */
static bool place(body *b, const pcm_pose *pose)
{
    if (!is_ball(b->geometry))
        return placing_of(pose, &b->at);
    b->at.turn = placing_identity().turn;
    b->at.at = vec_of(pose->position);
    return has_place(pose);
}

pcm_status pair_bodies(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b, const pcm_pose *pose_b,
                       body *body_a, body *body_b)
{
    if (!a || !b || !pose_a || !pose_b || !pcm_geometry_meets(a->kind, b->kind))
        return PCM_BAD_ARGUMENT;
    body_a->geometry = a;
    body_b->geometry = b;
    return place(body_a, pose_a) && place(body_b, pose_b) ? PCM_OK : PCM_BAD_MOTION;
}

static int compare(double x, double y) { return (x > y) - (x < y); }

static int compare_shapes(const pcm_geometry *a, const pcm_geometry *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    const double of_a[] = {a->core.n_corners, a->size, a->radius, a->rim, a->half};
    const double of_b[] = {b->core.n_corners, b->size, b->radius, b->rim, b->half};
    int          order = 0;
    for (size_t k = 0; k < sizeof of_a / sizeof *of_a && order == 0; k++)
        order = compare(of_a[k], of_b[k]);
    for (uint32_t k = 0; k < a->core.n_corners && order == 0; k++) {
        const vec p = a->core.corners[k], q = b->core.corners[k];
        order = p.x != q.x ? compare(p.x, q.x) : p.y != q.y ? compare(p.y, q.y) : compare(p.z, q.z);
    }
    return order;
}

bool pair_is_reversed(const body *a, const body *b)
{
    const int order = a->geometry == b->geometry ? 0 : compare_shapes(a->geometry, b->geometry);
    const vec p = a->at.at, q = b->at.at;
    if (order != 0)
        return order > 0;
    return p.x != q.x ? p.x > q.x : p.y != q.y ? p.y > q.y : p.z > q.z;
}

body pair_part(const body *whole, uint32_t i)
{
    if (whole->geometry->kind != PCM_COMPOUND)
        return *whole;
    const compound_part *part = &whole->geometry->parts[i];
    return (body){part->geometry, placing_compose(&whole->at, &part->at)};
}
