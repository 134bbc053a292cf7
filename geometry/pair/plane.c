/* SPDX-License-Identifier: MIT */
/* plane.c - bodies on a plane: each point is treated by its height. */
#include "pair.h"

contact_point pair_over_plane(vec p, double radius)
{
    const double height = p.z - radius;
    return (contact_point){height, height, height, {0, 0, 1}, {p.x, p.y, 0}, {p.x, p.y, height}};
}

void plane_separate(const placing *plane, const body *other, bool swapped, pcm_separation *out)
{
    const placing       at = placing_relative(plane, &other->at);
    const pcm_geometry *g = other->geometry;
    uint32_t            corner = 0;
    const vec           down = rotate_back(&at.turn, (vec){0, 0, -1});
    const contact_point s = pair_over_plane(transform(&at, core_support(g, down, &corner)), g->radius);
    pair_write(plane, &s, swapped, out);
}

/* A point of a body within reach of a plane. */
typedef struct plane_point {
    vec      at; /* in the body's axes */
    double   gap;
    uint64_t feature;
    double   here, area; /* its presence, and the part of the body's surface that belongs to it, seen from the plane */
} plane_point;

/* The points that are kept while their weights are added up; a body with more of them needs a second pass. */
enum { PLANE_POINTS = 256 };

typedef struct plane_touch {
    vec         normal, up; /* the plane's normal, in the world's axes and in the body's */
    double      height;     /* the height of the body's origin, less the body's radius */
    double      size, reach;
    double      sum; /* the sum of all points' presence */
    plane_point kept[PLANE_POINTS];
    uint32_t    n;
    bool        again; /* this is the second pass, for points that did not fit */
    const body *other;
    /* where the points go */
    bool       swapped;
    pair_take *take;
    void      *user;
} plane_touch;

static double gap_over_plane(const plane_touch *t, vec point) { return dot(t->up, point) + t->height; }

static bool reaches_plane(const plane_touch *t, vec point) { return gap_over_plane(t, point) <= t->reach; }

static void give_over_plane(const plane_touch *t, const plane_point *p)
{
    const double     radius = t->other->geometry->radius;
    const touch_part of = part_of(p->here / t->sum, p->area, radius > 0);
    if (p->gap <= t->reach)
        pair_give_there(along(transform(&t->other->at, p->at), t->normal, -radius - 0.5 * p->gap), t->normal, p->gap,
                        t->swapped, p->feature, of, t->take, t->user);
}

/* Adds a point that reaches the plane, with its part of the body's surface seen from there. */
static void take_over_plane(plane_touch *t, vec point, uint64_t feature, double area)
{
    const double gap = gap_over_plane(t, point);
    const double here = presence(area / (t->size * t->size), gap, t->reach, t->size);
    plane_point  beyond, *p = !t->again && t->n < PLANE_POINTS ? &t->kept[t->n] : &beyond;
    p->at = point;
    p->gap = gap;
    p->feature = feature;
    p->here = here;
    p->area = area;
    if (t->again && t->n >= PLANE_POINTS)
        give_over_plane(t, p);
    t->sum += t->again ? 0 : here;
    t->n++;
}

static void take_corners_over_plane(plane_touch *t, const pcm_geometry *g, vec down)
{
    const polytope *core = &g->core;
    for (uint32_t block = 0; block < block_count(core); block++)
        for (uint64_t near = polytope_beyond(core, block, down, t->height - t->reach); near; near &= near - 1) {
            const uint32_t i = BLOCK * block + (uint32_t)__builtin_ctzll(near);
            if (reaches_plane(t, core->corners[i]))
                take_over_plane(t, core->corners[i], i, polytope_area_along(core, i, down));
        }
}

vec pair_rim_lowest(const pcm_geometry *g, vec down)
{
    const double radial = sqrt(down.x * down.x + down.y * down.y);
    return radial > 1e-12 ? (vec){g->rim / radial * down.x, g->rim / radial * down.y, 0} : (vec){g->rim, 0, 0};
}

void pair_rim_points(const pcm_geometry *g, vec lowest, vec down, vec points[3], double areas[3])
{
    const double x = lowest.x, y = lowest.y, z = lowest.z, half = 0.5, root = 0.86602540378443865;
    const double cap = (g->half > 0 && z * down.z < 0 ? 0 : fabs(down.z)) * 3.14159265358979324 * g->rim * g->rim / 3;
    points[0] = lowest;
    points[1] = (vec){-half * x - root * y, root * x - half * y, z};
    points[2] = (vec){-half * x + root * y, -root * x - half * y, z};
    areas[0] = cap + 2 * g->rim * g->half * sqrt(down.x * down.x + down.y * down.y);
    areas[1] = areas[2] = cap;
}

static void take_rim_over_plane(plane_touch *t, vec lowest, vec down, uint64_t name)
{
    vec    points[3];
    double areas[3];
    if (!reaches_plane(t, lowest))
        return;
    pair_rim_points(t->other->geometry, lowest, down, points, areas);
    for (uint32_t k = 0; k < 3; k++)
        if (reaches_plane(t, points[k]))
            take_over_plane(t, points[k], name + k, areas[k]);
}

static void take_rims_over_plane(plane_touch *t, const pcm_geometry *g, vec down)
{
    const vec lowest = pair_rim_lowest(g, down);
    take_rim_over_plane(t, (vec){lowest.x, lowest.y, -g->half}, down, 0);
    if (g->half > 0)
        take_rim_over_plane(t, (vec){lowest.x, lowest.y, g->half}, down, 3);
}

static void take_all_over_plane(plane_touch *t, const pcm_geometry *g)
{
    const vec down = negate(t->up);
    t->n = 0;
    take_corners_over_plane(t, g, down);
    if (g->rim > 0)
        take_rims_over_plane(t, g, down);
}

void plane_contacts(const body *plane, const body *other, double reach, bool swapped, pair_take *take, void *user)
{
    const pcm_geometry *g = other->geometry;
    const vec           n = axis_of(plane);
    const double        height = dot(n, sub(other->at.at, plane->at.at)) - g->radius;
    plane_touch         t; /* large, and mostly not initialised */
    t.normal = n;
    t.up = rotate_back(&other->at.turn, n);
    t.height = height;
    t.size = g->size;
    t.reach = reach;
    t.sum = 0;
    t.again = false;
    t.other = other;
    t.swapped = swapped;
    t.take = take;
    t.user = user;
    take_all_over_plane(&t, g);
    const uint32_t kept = t.n < PLANE_POINTS ? t.n : PLANE_POINTS;
    for (uint32_t k = 0; k < kept && t.sum > 0; k++)
        give_over_plane(&t, &t.kept[k]);
    t.again = true;
    if (t.n > kept && t.sum > 0)
        take_all_over_plane(&t, g);
}
