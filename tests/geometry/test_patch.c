/* SPDX-License-Identifier: MIT */
/* Contact patches: their points, the depths of these, and their names from step to step. */
#include "cases.h"
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOUCHES = 64 };

static pcm_pose upright(double x, double y, double z) { return (pcm_pose){{x, y, z}, {1, 0, 0, 0}}; }

/* A pose that is turned about the x axis. */
static pcm_pose tilted(double x, double y, double z, double angle)
{
    return (pcm_pose){{x, y, z}, {cos(angle / 2), sin(angle / 2), 0, 0}};
}

static size_t touches(const pcm_geometry *a, pcm_pose pa, const pcm_geometry *b, pcm_pose pb, double reach,
                      pcm_touch out[TOUCHES])
{
    size_t count;
    assert_int_equal(pcm_geometry_touch(a, &pa, b, &pb, reach, out, sizeof *out, TOUCHES, &count), PCM_OK);
    assert_true(count <= TOUCHES);
    for (size_t i = 0; i < count; i++) {
        const double *n = out[i].normal;
        assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-12);
        assert_true(out[i].depth >= -reach);
        for (size_t k = 0; k < i; k++)
            assert_true(out[i].feature != out[k].feature);
    }
    return count;
}

/* The contact with that feature in a list; NULL: there is none. */
static const pcm_touch *named(const pcm_touch *list, size_t count, uint64_t feature)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].feature == feature)
            return &list[i];
    return NULL;
}

/* A box on a larger one: its four corners, all equally deep, with the same names when the two are swapped. */
static void box_on_box(void **state)
{
    pcm_geometry *ground = pcm_geometry_box(context, (double[]){4, 4, 1});
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 1, 1});
    pcm_touch     t[TOUCHES];
    (void)state;
    assert_int_equal(touches(ground, upright(0, 0, -0.5), box, upright(0.3, 0.2, 0.499), 0, t), 4);
    for (int i = 0; i < 4; i++) {
        assert_near(t[i].depth, 1e-3, 1e-15);
        assert_near(t[i].normal[2], 1, 0);
        assert_near(fabs(t[i].point[0] - 0.3), 0.5, 1e-14);
        assert_near(fabs(t[i].point[1] - 0.2), 0.5, 1e-14);
        assert_near(t[i].point[2], -5e-4, 1e-15);
    }
    assert_int_equal(touches(box, upright(0.3, 0.2, 0.499), ground, upright(0, 0, -0.5), 0, t), 4);
    assert_near(t[0].normal[2], -1, 0);
    pcm_geometry_free(ground);
    pcm_geometry_free(box);
}

/* Crossed bars: the corners of their common square are crossings of edges. */
static void crossed_bars(void **state)
{
    pcm_geometry *bar = pcm_geometry_box(context, (double[]){4, 1, 1});
    pcm_pose      across = upright(0, 0, 0.99);
    pcm_touch     t[TOUCHES];
    (void)state;
    across.orientation[0] = across.orientation[3] = sqrt(0.5);
    assert_int_equal(touches(bar, upright(0, 0, 0), bar, across, 0, t), 4);
    for (int i = 0; i < 4; i++) {
        assert_near(t[i].depth, 0.01, 1e-14);
        assert_near(fabs(t[i].point[0]), 0.5, 1e-14);
        assert_near(fabs(t[i].point[1]), 0.5, 1e-14);
    }
    pcm_geometry_free(bar);
}

/* A box that rocks: the corners that rise leave the patch, the others keep their names and positions. */
static void rocking_box(void **state)
{
    pcm_geometry *ground = pcm_geometry_box(context, (double[]){4, 4, 1}), *plane = pcm_geometry_plane(context);
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 1, 1});
    pcm_touch     flat[TOUCHES], t[TOUCHES];
    (void)state;
    for (int on_plane = 0; on_plane < 2; on_plane++) {
        const pcm_geometry *under = on_plane ? plane : ground;
        const pcm_pose      at = upright(0, 0, on_plane ? 0 : -0.5);
        const size_t        four = touches(under, at, box, upright(0, 0, 0.4995), 0, flat);
        assert_int_equal(four, 4);
        for (double angle = -0.02; angle <= 0.02; angle += 5e-4) {
            const size_t count = touches(under, at, box, tilted(0, 0, 0.4995, angle), 0, t);
            /* The corner at (., y, -1/2) lies at y sin(angle) - cos(angle) / 2 + 0.4995. */
            const double low = 0.5 * cos(angle) + 0.5 * sin(fabs(angle)) - 0.4995;
            const double high = 0.5 * cos(angle) - 0.5 * sin(fabs(angle)) - 0.4995;
            assert_int_equal(count, high >= 0 ? 4 : 2);
            for (size_t i = 0; i < count; i++) {
                assert_non_null(named(flat, four, t[i].feature));
                assert_near(t[i].depth, t[i].point[1] * angle < 0 ? low : high, 1e-12);
            }
        }
    }
    pcm_geometry_free(ground);
    pcm_geometry_free(plane);
    pcm_geometry_free(box);
}

/* When a box slides and spins over another one, its corners keep their names while they stay over the face; points move
 * no farther than the body does. */
static void sliding_hull(void **state)
{
    pcm_geometry *ground = pcm_geometry_box(context, (double[]){4, 4, 1});
    double        corners[36];
    pcm_touch     before[TOUCHES], now[TOUCHES];
    size_t        n_before = 0;
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 2; k++) {
            corners[6 * i + 3 * k] = 0.5 * cos(i * 1.0471975511965976);
            corners[6 * i + 3 * k + 1] = 0.5 * sin(i * 1.0471975511965976);
            corners[6 * i + 3 * k + 2] = k - 0.5;
        }
    pcm_geometry *prism = pcm_geometry_hull(context, corners, 12);
    for (double s = -1; s <= 1; s += 0.01) {
        pcm_pose at = upright(s, 0.5 * s, 0.499);
        at.orientation[0] = cos(s);
        at.orientation[3] = sin(s);
        const size_t count = touches(ground, upright(0, 0, -0.5), prism, at, 0, now);
        assert_int_equal(count, 6);
        for (size_t i = 0; i < count && n_before > 0; i++) {
            const pcm_touch *old = named(before, n_before, now[i].feature);
            assert_non_null(old);
            assert_true(hypot(now[i].point[0] - old->point[0], now[i].point[1] - old->point[1]) < 0.03);
        }
        memcpy(before, now, sizeof now);
        n_before = count;
    }
    pcm_geometry_free(ground);
    pcm_geometry_free(prism);
}

/* A prism about z with this many sides, a radius of 0.5 and a height of 1. */
static pcm_geometry *prism_of(size_t sides)
{
    double *corners = malloc(6 * sides * sizeof *corners);
    for (size_t i = 0; i < 2 * sides; i++) {
        const double angle = 6.283185307179586 / (double)sides * (double)(i / 2);
        corners[3 * i] = 0.5 * cos(angle);
        corners[3 * i + 1] = 0.5 * sin(angle);
        corners[3 * i + 2] = i % 2 ? 0.5 : -0.5;
    }
    pcm_geometry *prism = pcm_geometry_hull(context, corners, 2 * sides);
    free(corners);
    return prism;
}

/* Prisms with more corners than can take part in a patch keep their patch while they tilt, with the right depth: its
 * area is that of their faces, and the force of a linear law decreases only as much as the tilt explains. */
static void many_sided_prisms(void **state)
{
    enum { MANY = 512 };
    static const size_t sides[] = {130, 200, 255, 1000};
    static pcm_touch    t[MANY];
    pcm_geometry       *ground = pcm_geometry_box(context, (double[]){4, 4, 1});
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        pcm_geometry *prism = prism_of(sides[i]);
        for (double tilt = 1e-11; tilt < 2e-3; tilt *= 2) {
            for (int other = 0; other < 2; other++) {
                const pcm_geometry *under = other ? prism : ground;
                const pcm_pose      at = upright(0, 0, -0.5), turn = {{0, 0, 0}, {cos(1.0), 0, 0, sin(1.0)}};
                const pcm_pose on = tilted(0, (other ? 0.2 : 0) - 0.5 * tilt, 0.49, tilt), pose = moved(&on, &turn);
                pcm_separation s = {.size = sizeof s};
                size_t         count;
                double         share = 0, area = 0, load = 0, deepest = 0;
                assert_int_equal(pcm_geometry_separate(under, &at, prism, &pose, &s), PCM_OK);
                assert_int_equal(pcm_geometry_touch(under, &at, prism, &pose, 0.02, t, sizeof *t, MANY, &count),
                                 PCM_OK);
                assert_true(count <= MANY);
                for (size_t k = 0; k < count; k++) {
                    share += t[k].share;
                    area += t[k].area;
                    load += t[k].share * t[k].depth;
                    deepest = fmax(deepest, t[k].depth);
                }
                assert_near(deepest, -s.distance, 1e-11);
                assert_near(share, 1, 1e-12);
                assert_near(load, 0.01, 0.5 * tilt);
                /* Two circles of radius 0.5 whose centres are 0.2 apart share an area of 0.58674. */
                assert_near(area, other ? 0.58674 : 0.785398, 1e-3);
            }
        }
        pcm_geometry_free(prism);
    }
    pcm_geometry_free(ground);
}

/* Two edges that cross meet in one point, halfway between them. */
static void edge_on_edge(void **state)
{
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 1, 1});
    pcm_pose      below = tilted(0, 0, 0, 0.78539816339744831), above = below;
    pcm_touch     t[TOUCHES];
    const double  turn = sqrt(0.5);
    (void)state;
    /* After the tilt, the upper one is turned about z by 90 degrees. */
    const pcm_pose quarter = {{0, 0, 2 * sqrt(0.5) - 1e-3}, {turn, 0, 0, turn}};
    above = moved(&quarter, &above);
    assert_int_equal(touches(box, below, box, above, 0, t), 1);
    assert_near(t[0].depth, 1e-3, 1e-12);
    assert_near(t[0].normal[2], 1, 1e-12);
    assert_near(hypot(t[0].point[0], t[0].point[1]), 0, 1e-9);
    assert_near(t[0].point[2], sqrt(0.5) - 5e-4, 1e-12);
    pcm_geometry_free(box);
}

/* Lying rods touch at both ends, standing ones at one point; the depth equals that of the closed form. */
static void rods(void **state)
{
    pcm_geometry *ground = pcm_geometry_box(context, (double[]){8, 8, 1}), *plane = pcm_geometry_plane(context);
    pcm_geometry *capsule = pcm_geometry_capsule(context, 0.5, 2), *cylinder = pcm_geometry_cylinder(context, 0.5, 2);
    const double  quarter = 1.5707963267948966;
    pcm_touch     t[TOUCHES];
    (void)state;
    for (int on_plane = 0; on_plane < 2; on_plane++) {
        const pcm_geometry *under = on_plane ? plane : ground;
        const pcm_pose      at = upright(0, 0, on_plane ? 0 : -0.5);
        assert_int_equal(touches(under, at, capsule, tilted(0, 0, 0.499, quarter), 0, t), 2);
        assert_near(t[0].depth, 1e-3, 1e-12);
        assert_near(t[1].depth, 1e-3, 1e-12);
        assert_near(fabs(t[0].point[1] - t[1].point[1]), 2, 1e-9);
        assert_int_equal(touches(under, at, capsule, upright(0, 0, 1.499), 0, t), 1);
        assert_near(t[0].depth, 1e-3, 1e-12);
        assert_int_equal(touches(under, at, cylinder, tilted(0, 0, 0.499, quarter), 0, t), 2);
        assert_near(t[0].depth, 1e-3, 1e-12);
        assert_near(fabs(t[0].point[1] - t[1].point[1]), 2, 1e-9);
        assert_int_equal(touches(under, at, cylinder, upright(0, 0, 0.999), 0, t), 3);
        for (int i = 0; i < 3; i++) {
            assert_near(t[i].depth, 1e-3, 1e-12);
            assert_near(hypot(t[i].point[0], t[i].point[1]), 0.5, 1e-9);
        }
    }
    pcm_geometry_free(ground);
    pcm_geometry_free(plane);
    pcm_geometry_free(capsule);
    pcm_geometry_free(cylinder);
}

/* A rolling disk keeps one contact with one name, under its middle; lying flat it has three. */
static void rolling_disk(void **state)
{
    pcm_geometry *disk = pcm_geometry_disk(context, 0.5), *plane = pcm_geometry_plane(context);
    pcm_geometry *ground = pcm_geometry_box(context, (double[]){8, 8, 1});
    pcm_touch     t[TOUCHES];
    (void)state;
    for (int on_plane = 0; on_plane < 2; on_plane++) {
        const pcm_geometry *under = on_plane ? plane : ground;
        const pcm_pose      at = upright(0, 0, on_plane ? 0 : -0.5);
        uint64_t            name = 0;
        for (int i = 0; i < 400; i++) {
            /* It stands with its axis along y, rolled by an angle about that axis. */
            const double   roll = 0.05 * i;
            const pcm_pose stand = tilted(0, 0, 0, 1.5707963267948966);
            const pcm_pose turn = {{0, 0, 0.499}, {cos(roll / 2), 0, sin(roll / 2), 0}};
            assert_int_equal(touches(under, at, disk, moved(&turn, &stand), 0, t), 1);
            assert_near(t[0].depth, 1e-3, 1e-12);
            assert_near(t[0].point[0], 0, 1e-9);
            assert_true(i == 0 || t[0].feature == name);
            name = t[0].feature;
        }
        assert_int_equal(touches(under, at, disk, upright(0, 0, -1e-3), 0, t), 3);
    }
    pcm_geometry_free(disk);
    pcm_geometry_free(plane);
    pcm_geometry_free(ground);
}

/* Caps that overlap in part: the contacts are the crossings of their rims, and points of each that lie inside the
 * other. */
static void stacked_cylinders(void **state)
{
    pcm_geometry *cylinder = pcm_geometry_cylinder(context, 0.5, 1);
    pcm_touch     t[TOUCHES];
    int           crossings = 0;
    (void)state;
    const size_t count = touches(cylinder, upright(0, 0, 0), cylinder, upright(0.3, 0.4, 0.99), 0, t);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        assert_near(t[i].depth, 0.01, 1e-12);
        assert_true(hypot(t[i].point[0], t[i].point[1]) <= 0.5 + 1e-9);
        assert_true(hypot(t[i].point[0] - 0.3, t[i].point[1] - 0.4) <= 0.5 + 1e-9);
        crossings += fabs(hypot(t[i].point[0], t[i].point[1]) - 0.5) < 1e-9 &&
                     fabs(hypot(t[i].point[0] - 0.3, t[i].point[1] - 0.4) - 0.5) < 1e-9;
    }
    assert_int_equal(crossings, 2);
    pcm_geometry_free(cylinder);
}

/* Every point of a cloud has its own contact, in the cloud's order. */
static void clouds(void **state)
{
    const double  points[15] = {0, 0, 0.1, 0, 0, -0.1, 0.4, 0.4, -0.2, 3, 0, -0.3, 0.1, 0, 0.6};
    pcm_geometry *cloud = pcm_geometry_cloud(context, points, 5), *plane = pcm_geometry_plane(context);
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 1, 1});
    pcm_touch     t[TOUCHES];
    (void)state;
    assert_int_equal(touches(plane, upright(0, 0, 0), cloud, upright(0, 0, 0), 0, t), 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(t[i].feature, i + 1);
        assert_near(t[i].depth, 0.1 * (i + 1), 1e-15);
    }
    assert_int_equal(touches(cloud, upright(0, 0, 0), box, upright(0, 0, 0), 0, t), 3);
    assert_int_equal(t[0].feature, 0);
    assert_near(t[0].depth, 0.4, 1e-15);
    assert_near(t[0].normal[2], -1, 0);
    assert_int_equal(touches(cloud, upright(0, 0, 0), box, upright(0, 0, 0), 0.1 + 1e-12, t), 4);
    pcm_geometry_free(cloud);
    pcm_geometry_free(plane);
    pcm_geometry_free(box);
}

/* The deepest point of a patch is as deep as the separation, for all bodies that overlap; for bodies apart nothing is
 * reported. */
static void deepest_point(void **state)
{
    dice          d = {2463534242};
    pcm_geometry *bodies[4] = {pcm_geometry_box(context, (double[]){1, 0.6, 0.8}),
                               pcm_geometry_cylinder(context, 0.4, 1), pcm_geometry_capsule(context, 0.3, 1),
                               pcm_geometry_disk(context, 0.6)};
    int           overlapping = 0;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        const pcm_geometry *a = bodies[i % 3], *b = bodies[i / 3 % 4];
        const pcm_pose      pa = random_pose(&d, 0.5), pb = random_pose(&d, 0.5);
        pcm_separation      s = {.size = sizeof s};
        pcm_touch           t[TOUCHES];
        assert_int_equal(pcm_geometry_separate(a, &pa, b, &pb, &s), PCM_OK);
        const size_t count = touches(a, pa, b, pb, 0, t);
        double       deepest = -INFINITY;
        for (size_t k = 0; k < count; k++)
            deepest = fmax(deepest, t[k].depth);
        assert_true((count > 0) == (s.distance <= 0));
        if (count > 0)
            assert_near(deepest, -s.distance, 1e-8);
        overlapping += count > 0;
    }
    assert_true(overlapping > 1000);
    for (int k = 0; k < 4; k++)
        pcm_geometry_free(bodies[k]);
}

static void mirrored(const pcm_touch *t, const pcm_touch *u)
{
    assert_near(t->depth, u->depth, 0);
    assert_near(t->share, u->share, 0);
    for (int k = 0; k < 3; k++) {
        assert_near(t->point[k], u->point[k], 0);
        assert_near(t->normal[k], -u->normal[k], 0);
    }
}

/* Balls, capsules and planes, and rims with any of them, have closed forms: their deepest point lies between the
 * witnesses of the separation, within rounding, and the bodies may be given in either order. */
static void measured_by_axes(void **state)
{
    static const char *const pairs[] = {"ss", "sc", "cs", "cc", "ps", "pc", "pz",
                                        "pd", "sz", "zs", "cz", "zc", "sd", "ds"};
    dice                     d = {362436069};
    (void)state;
    for (int i = 0; i < 14000; i++) {
        const char    *kinds = pairs[i % 14];
        any_body       a = random_body(context, &d, kinds[0], 1, false);
        any_body       b = random_body(context, &d, kinds[1], pow(10, uniform(&d, -3, 0)), false);
        pcm_separation s = {.size = sizeof s};
        pcm_touch      t[TOUCHES], u[TOUCHES];
        double         along = 0;
        a.pose = random_pose(&d, 1);
        b.pose = random_pose(&d, 1);
        assert_int_equal(pcm_geometry_separate(a.geometry, &a.pose, b.geometry, &b.pose, &s), PCM_OK);
        const size_t count = touches(a.geometry, a.pose, b.geometry, b.pose, s.distance + 1e-9, t);
        assert_int_equal(count, touches(b.geometry, b.pose, a.geometry, a.pose, s.distance + 1e-9, u));
        assert_int_equal(count, 1);
        mirrored(t, u);
        assert_near(t->depth, -s.distance, 1e-14);
        for (int k = 0; k < 3; k++) {
            assert_near(t->point[k], 0.5 * (s.on_a[k] + s.on_b[k]), 1e-12);
            along += t->normal[k] * s.normal[k];
        }
        assert_near(along, 1, 1e-14);
        pcm_geometry_free(a.geometry);
        pcm_geometry_free(b.geometry);
    }
}

/* A box, a hull with the same corners, and their pose. */
typedef struct twins {
    pcm_geometry *box, *hull;
    pcm_pose      pose;
} twins;

static twins twins_of(const double sides[3])
{
    twins  t = {.box = pcm_geometry_box(context, sides)};
    double corners[24];
    for (int i = 0; i < 24; i++)
        corners[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * sides[i % 3];
    t.hull = pcm_geometry_hull(context, corners, 8);
    assert_non_null(t.box);
    assert_non_null(t.hull);
    return t;
}

static twins random_twins(dice *d, double unit)
{
    const pcm_pose pose = random_pose(d, 1);
    double         sides[3];
    for (int k = 0; k < 3; k++)
        sides[k] = unit * uniform(d, 0.1, 1);
    twins t = twins_of(sides);
    t.pose = pose;
    return t;
}

static void assert_same_points(const pcm_touch *of_boxes, const pcm_touch *of_hulls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const pcm_touch *t = &of_boxes[i], *same = NULL;
        for (size_t k = 0; k < count; k++)
            if (fabs(t->point[0] - of_hulls[k].point[0]) + fabs(t->point[1] - of_hulls[k].point[1]) +
                    fabs(t->point[2] - of_hulls[k].point[2]) <
                1e-10)
                same = &of_hulls[k];
        assert_non_null(same);
        assert_near(t->depth, same->depth, 1e-12);
        assert_near(t->share, same->share, 1e-9);
        assert_near(t->area, same->area, 1e-11);
    }
}

/* The orientation of a, turned by some angle about the z axis, and tilted. */
static pcm_pose nearly_level(dice *d, const pcm_pose *a, double tilt)
{
    const double half = uniform(d, -2, 2);
    pcm_pose     b = moved(a, &(pcm_pose){{0, 0, 0}, {cos(half), 0, 0, sin(half)}});
    double       length = 0, *q = b.orientation;
    for (int k = 0; k < 4; k++) {
        q[k] += uniform(d, -1, 1) * tilt;
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(length);
    return b;
}

/* Boxes and capsules on boxes have special code where a face is level, or where an edge or a corner touches at one
 * place. Their patch equals that of a hull with the same corners, whatever the tilt, and whether or not one face covers
 * the other, or its middle. */
static void boxes_as_hulls(void **state)
{
    static const double tilts[] = {0, 1e-9, 1e-6, 1e-4, 0.01, 0.1};
    dice                d = {88675123};
    int                 points = 0;
    (void)state;
    for (int i = 0; i < (int)cases(8000); i++) {
        twins          a = random_twins(&d, 1), b = random_twins(&d, pow(10, uniform(&d, -1, 1)));
        const double   radius = uniform(&d, 0.05, 0.5), length = uniform(&d, 0.05, 1);
        pcm_geometry  *capsule = pcm_geometry_capsule(context, radius, length);
        const bool     rod = i / 2 % 2;
        pcm_separation s = {.size = sizeof s};
        pcm_touch      t[TOUCHES], u[TOUCHES];
        if (i % 2)
            b.pose = nearly_level(&d, &a.pose, tilts[i / 4 % 6]);
        if (i % 4 == 3)
            a.pose = moved(&a.pose, &(pcm_pose){{0, 0, 0}, {cos(0.7853981633974483), sin(0.7853981633974483), 0, 0}});
        assert_int_equal(pcm_geometry_separate(rod ? capsule : a.box, &a.pose, b.box, &b.pose, &s), PCM_OK);
        for (int k = 0; k < 3; k++)
            b.pose.position[k] -= (s.distance + uniform(&d, 0, 0.02)) * s.normal[k];
        const double reach = i % 3 ? 0 : 0.05;
        const size_t count = touches(rod ? capsule : a.box, a.pose, b.box, b.pose, reach, t);
        assert_int_equal(count, touches(rod ? capsule : a.hull, a.pose, b.hull, b.pose, reach, u));
        assert_same_points(t, u, count);
        points += (int)count;
        pcm_geometry_free(capsule);
        pcm_geometry_free(a.box);
        pcm_geometry_free(a.hull);
        pcm_geometry_free(b.box);
        pcm_geometry_free(b.hull);
    }
    assert_true(points > (int)cases(12000));
}

/* A box as a hull, and the same with an extra corner in the middle of one face, along -x, that hardly stands out. */
typedef struct bumped {
    pcm_geometry *plain, *bump;
    pcm_pose      pose;
} bumped;

static bumped random_bumped(dice *d, double unit)
{
    double corners[27], sides[3];
    for (int k = 0; k < 3; k++)
        sides[k] = unit * uniform(d, 0.1, 1);
    for (int i = 0; i < 24; i++)
        corners[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * sides[i % 3];
    corners[24] = -0.5 * sides[0] - 1e-7 * sides[1];
    corners[25] = corners[26] = 0;
    const bumped b = {pcm_geometry_hull(context, corners, 8), pcm_geometry_hull(context, corners, 9),
                      random_pose(d, 1)};
    assert_non_null(b.plain);
    assert_non_null(b.bump);
    return b;
}

/* The component of a direction in the world's axes along a body's -x. */
static double along_bump(const bumped *b, const double n[3])
{
    const pcm_pose there = moved(&b->pose, &(pcm_pose){{-1, 0, 0}, {1, 0, 0, 0}});
    double         along = 0;
    for (int k = 0; k < 3; k++)
        along += (there.position[k] - b->pose.position[k]) * n[k];
    return along;
}

/* If bodies have even flats, two flats or two edges that face each other alone are handled by special code; otherwise
 * they are parts of a general patch. Both give the same patch. */
static void even_and_uneven(void **state)
{
    static const double tilts[] = {0, 1e-9, 1e-6, 1e-4, 0.01, 0.1};
    dice                d = {521288629};
    int                 points = 0, pairs = 0;
    (void)state;
    for (int i = 0; i < (int)cases(8000); i++) {
        bumped         a = random_bumped(&d, 1), b = random_bumped(&d, pow(10, uniform(&d, -1, 1)));
        pcm_separation s = {.size = sizeof s};
        pcm_touch      t[TOUCHES], u[TOUCHES];
        if (i % 2)
            b.pose = nearly_level(&d, &a.pose, tilts[i / 2 % 6]);
        assert_int_equal(pcm_geometry_separate(a.plain, &a.pose, b.plain, &b.pose, &s), PCM_OK);
        const double back[3] = {-s.normal[0], -s.normal[1], -s.normal[2]};
        for (int k = 0; k < 3; k++)
            b.pose.position[k] -= (s.distance + uniform(&d, 0, 0.02)) * s.normal[k];
        if (along_bump(&a, s.normal) < 0.01 && along_bump(&b, back) < 0.01) {
            const double reach = i % 3 ? 0 : 0.05;
            const size_t count = touches(a.plain, a.pose, b.plain, b.pose, reach, t);
            assert_int_equal(count, touches(a.bump, a.pose, b.bump, b.pose, reach, u));
            assert_same_points(t, u, count);
            points += (int)count;
            pairs++;
        }
        pcm_geometry_free(a.plain);
        pcm_geometry_free(a.bump);
        pcm_geometry_free(b.plain);
        pcm_geometry_free(b.bump);
    }
    assert_true(pairs > (int)cases(2000) && points > (int)cases(4000));
}

/* Contacts of a capsule with that radius and length nearly along an edge of a box with such half sides. A hull is taken
 * before a capsule and a box after it: the order makes no difference. */
static size_t along_edge(const double capsule[2], pcm_pose pose, const double half[3], pcm_pose of_box,
                         pcm_touch t[TOUCHES])
{
    twins         b = twins_of((double[]){2 * half[0], 2 * half[1], 2 * half[2]});
    pcm_geometry *rod = pcm_geometry_capsule(context, capsule[0], capsule[1]);
    pcm_touch     u[TOUCHES];
    const size_t  count = touches(rod, pose, b.box, of_box, 0, t);
    assert_int_equal(count, touches(rod, pose, b.hull, of_box, 0, u));
    assert_same_points(t, u, count);
    pcm_geometry_free(rod);
    pcm_geometry_free(b.box);
    pcm_geometry_free(b.hull);
    return count;
}

/* The nearest points are at the edge's end: one contact, although the edge and the axis cross there within rounding. */
static void capsule_at_end_of_edge(void **state)
{
    const pcm_pose pose = {{-0.59645779398921372, -0.32147798759255797, 0.22867924490303615},
                           {-0.99550044036783558, -0.011920186613897961, 0.066330759622544297, 0.066610905311603644}};
    pcm_pose       of_box = {{-0.33091785265989282, 0.11751097154644641, -0.076493722930996488},
                             {0.99738527824440282, 0.017086443092873421, -0.070190605337911424, 0.0019847231712822665}};
    pcm_touch      t[TOUCHES], first[TOUCHES];
    (void)state;
    for (int i = 0; i < 100; i++) {
        const size_t count =
            along_edge((double[]){0.21991369406814021, 0.99309210485917221}, pose,
                       (double[]){0.046105200584198106, 0.31718848082243267, 0.09370433841307578}, of_box, t);
        assert_int_equal(count, 2);
        for (size_t k = 0; k < count && i > 0; k++)
            assert_true(t[k].feature == first[k].feature);
        memcpy(first, t, sizeof t);
        of_box.position[2] += 1e-9;
    }
}

/* The same over a face that is hardly tilted: its side and the edge's end are 4e-9 apart on the box, and at the same
 * place on the axis. */
static void capsule_along_edge_and_face(void **state)
{
    const pcm_pose pose = {{0.53746099590162144, -1.2084770319499112, -0.26169154759909308},
                           {-0.35471593650378941, 0.23027254109974679, 0.13177649407962189, 0.89654119638407492}};
    const pcm_pose of_box = {{0.10879348222014512, -0.76958462778737913, -0.54820263450773654},
                             {0.96404798306431216, -0.2097810626372785, 0.16242659688718181, -0.014865824297856883}};
    pcm_touch      t[TOUCHES];
    (void)state;
    assert_int_equal(along_edge((double[]){0.37407456280545243, 0.74814618114448195}, pose,
                                (double[]){0.35450376763087066, 0.17154311430330332, 0.21778169022912996}, of_box, t),
                     3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_box),
        cmocka_unit_test(crossed_bars),
        cmocka_unit_test(rocking_box),
        cmocka_unit_test(sliding_hull),
        cmocka_unit_test(edge_on_edge),
        cmocka_unit_test(rods),
        cmocka_unit_test(rolling_disk),
        cmocka_unit_test(stacked_cylinders),
        cmocka_unit_test(clouds),
        cmocka_unit_test(deepest_point),
        cmocka_unit_test(measured_by_axes),
        cmocka_unit_test(many_sided_prisms),
        cmocka_unit_test(boxes_as_hulls),
        cmocka_unit_test(even_and_uneven),
        cmocka_unit_test(capsule_at_end_of_edge),
        cmocka_unit_test(capsule_along_edge_and_face),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
