/* SPDX-License-Identifier: MIT */
/* Any bytes as two bodies, their poses and a step: the answer is proven by its two bounds, and the answer after the
 * step is the same with and without the cache. */
#include "fuzz.h"
#include <pcm/geometry.h>

enum { TOUCHES = 512 };

typedef struct shape {
    pcm_geometry *geometry;
    double rim, half, radius; /* for bodies that are not polytopes: a cylinder or segment, and the radius around it */
} shape;

enum { SHAPES = 9 };

static const shape *shapes(pcm_context *context)
{
    static const double corners[] = {0, 0, 0.9, 0.8, 0, -0.4, -0.5, 0.7, -0.3, -0.4, -0.6, -0.2};
    static shape        made[SHAPES];
    double              points[90];
    if (made[0].geometry)
        return made;
    for (int i = 0; i < 30; i++) {
        const double z = 1 - (2 * i + 1.0) / 30, r = sqrt(1 - z * z);
        points[3 * i] = 0.5 * r * cos(2.4 * i);
        points[3 * i + 1] = 0.7 * r * sin(2.4 * i);
        points[3 * i + 2] = 0.6 * z;
    }
    made[0] = (shape){pcm_geometry_box(context, (double[]){1, 0.5, 0.75}), 0, 0, 0};
    made[1] = (shape){pcm_geometry_box(context, (double[]){1, 1, 1e-3}), 0, 0, 0};
    made[2] = (shape){pcm_geometry_hull(context, corners, 4), 0, 0, 0};
    made[3] = (shape){pcm_geometry_hull(context, points, 30), 0, 0, 0};
    made[4] = (shape){pcm_geometry_sphere(context, 0.5), 0, 0, 0.5};
    made[5] = (shape){pcm_geometry_capsule(context, 0.25, 1), 0, 0.5, 0.25};
    made[6] = (shape){pcm_geometry_cylinder(context, 0.5, 1), 0.5, 0.5, 0};
    made[7] = (shape){pcm_geometry_cylinder(context, 0.05, 1), 0.05, 0.5, 0};
    made[8] = (shape){pcm_geometry_disk(context, 0.5), 0.5, 0, 0};
    return made;
}

/* Usually a round number, or one that is slightly off. */
static double coordinate(fuzz_input *input)
{
    const int8_t  whole = (int8_t)fuzz_byte(input);
    const uint8_t off = fuzz_byte(input);
    if (off >= 64)
        return whole / 64.0 + (double)(fuzz_word(input) >> 11) * 0x1p-58;
    return whole / 64.0 + (off ? ldexp(1, -off) : 0);
}

/* Moves a pose by a share of the input's values, and checks that it keeps an orientation. */
static void move(fuzz_input *input, pcm_pose *pose, double share)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        pose->position[k] += share * coordinate(input);
    for (int k = 0; k < 4; k++) {
        pose->orientation[k] += share * coordinate(input);
        square += pose->orientation[k] * pose->orientation[k];
    }
    if (square < 1e-6)
        pose->orientation[0] = 1;
}

/* The direction n in the body's axes, or a point of the body in world axes, by its unit quaternion. */
static void turn(const pcm_pose *pose, double sense, const double v[3], double out[3])
{
    const double *q = pose->orientation, square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double  r[3] = {sense * q[1], sense * q[2], sense * q[3]}, w = q[0];
    const double  t[3] = {2 * (r[1] * v[2] - r[2] * v[1]), 2 * (r[2] * v[0] - r[0] * v[2]),
                          2 * (r[0] * v[1] - r[1] * v[0])};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = v[k] + (w * t[k] + r[i] * t[j] - r[j] * t[i]) / square;
    }
}

/* The body's extent along n, from its definition. */
static double reach_along(const shape *s, const pcm_pose *pose, const double n[3])
{
    size_t        count;
    const double *points = pcm_geometry_points(s->geometry, &count);
    double        d[3], most = s->rim > 0 || s->radius > 0 ? 0 : -INFINITY;
    turn(pose, -1, n, d);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, points[3 * i] * d[0] + points[3 * i + 1] * d[1] + points[3 * i + 2] * d[2]);
    if (!points)
        most = s->rim * sqrt(d[0] * d[0] + d[1] * d[1]) + s->half * fabs(d[2]) + s->radius;
    return most + n[0] * pose->position[0] + n[1] * pose->position[1] + n[2] * pose->position[2];
}

static double part_along(const shape *a, const pcm_pose *at_a, const shape *b, const pcm_pose *at_b, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return -reach_along(b, at_b, back) - reach_along(a, at_a, n);
}

/* The bounds contain the distance, the direction gives it, and no direction from the input separates the bodies
 * better. */
static void check_bounds(fuzz_input *input, const shape *a, const pcm_pose *at_a, const shape *b, const pcm_pose *at_b)
{
    pcm_separation s = {.size = sizeof s};
    double         n[3], length = 0;
    demand(pcm_geometry_separate(a->geometry, at_a, b->geometry, at_b, &s) == PCM_OK);
    demand(s.low <= s.distance + 1e-11 && s.distance <= s.high + 1e-11 && s.high - s.low < 1e-3);
    demand(fabs(part_along(a, at_a, b, at_b, s.normal) - s.distance) < 1e-11);
    for (int k = 0; k < 3; k++) {
        demand(fabs(s.on_b[k] - s.on_a[k] - s.distance * s.normal[k]) < 1e-9);
        n[k] = coordinate(input);
        length += n[k] * n[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] /= sqrt(length);
    demand(!(length > 1e-6) || part_along(a, at_a, b, at_b, n) <= s.high + 1e-11);
}

static double deepest(pcm_geometry_cache *cache, const shape *a, const pcm_pose *at_a, const shape *b,
                      const pcm_pose *at_b, double reach)
{
    static pcm_touch touches[TOUCHES];
    size_t           count;
    double           depth = -INFINITY, share = 0;
    demand(pcm_geometry_touch_cached(cache, a->geometry, at_a, b->geometry, at_b, reach, touches, sizeof *touches,
                                     TOUCHES, &count) == PCM_OK &&
           count <= TOUCHES);
    for (size_t k = 0; k < count; k++) {
        demand(isfinite(touches[k].point[0] + touches[k].normal[0] + touches[k].area) && touches[k].share >= 0);
        depth = fmax(depth, touches[k].depth);
        share += touches[k].share;
    }
    demand(count == 0 || fabs(share - 1) < 1e-9);
    return depth;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input   input = {data, data + size};
    pcm_context *context = fuzz_context(NULL);
    const shape *a = shapes(context) + fuzz_byte(&input) % SHAPES, *b = shapes(context) + fuzz_byte(&input) % SHAPES;
    pcm_pose     at_a = {{0, 0, 0}, {0, 0, 0, 0}}, at_b = at_a;
    const double reach = fuzz_byte(&input) / 256.0, way = ldexp(1, -fuzz_byte(&input) / 4);
    pcm_geometry_cache *cache = pcm_geometry_cache_new(context);
    move(&input, &at_a, 1);
    move(&input, &at_b, 1);
    if (!pcm_geometry_meets(pcm_geometry_get_kind(a->geometry), pcm_geometry_get_kind(b->geometry)))
        a = shapes(context);
    for (int step = 0; step < 3; step++) {
        check_bounds(&input, a, &at_a, b, &at_b);
        const double again = deepest(cache, a, &at_a, b, &at_b, reach), anew = deepest(NULL, a, &at_a, b, &at_b, reach);
        /* The contact points of almost parallel lines have the depths that follow from the tilt. */
        demand(fabs(again - anew) < 1e-8 || fmax(again, anew) < -reach + 1e-8);
        move(&input, &at_b, way);
    }
    pcm_geometry_cache_free(cache);
    return 0;
}
