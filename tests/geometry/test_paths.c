/* SPDX-License-Identifier: MIT */
/* usage: test_paths [STEPS]
 *
 * Bodies that move in small steps, STEPS for each two kinds (2000; a million takes an hour): a warm start from the last
 * step gives the same results as a search without it. */
#include "cases.h"
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOUCHES = 512, STRIDE = 200 };

static int               steps;
static const char *const pairs[] = {"cc", "cb", "ch", "tb", "tt", "bb", "bh", "hh", "HH",
                                    "zc", "zb", "zh", "zz", "dc", "db", "dh", "dz"};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* A body that swings about its place; `by` is a share of its size. */
typedef struct swing {
    pcm_pose middle;
    double   way[3], turn[3], pace[2];
} swing;

static swing random_swing(dice *d, const pcm_pose *middle, double way)
{
    swing s = {.middle = *middle};
    for (int k = 0; k < 3; k++) {
        s.way[k] = uniform(d, -way, way);
        s.turn[k] = uniform(d, -way, way);
    }
    for (int k = 0; k < 2; k++)
        s.pace[k] = uniform(d, 0.5, 2);
    return s;
}

static pcm_pose at_time(const swing *s, double t)
{
    pcm_pose     pose = s->middle;
    double       turn[4] = {1, 0, 0, 0}, product[4];
    const double moved = sin(s->pace[0] * t), turned = sin(s->pace[1] * t), *p = s->middle.orientation;
    for (int k = 0; k < 3; k++) {
        pose.position[k] += moved * s->way[k];
        turn[k + 1] = turned * s->turn[k];
    }
    product[0] = turn[0] * p[0] - turn[1] * p[1] - turn[2] * p[2] - turn[3] * p[3];
    product[1] = turn[0] * p[1] + turn[1] * p[0] + turn[2] * p[3] - turn[3] * p[2];
    product[2] = turn[0] * p[2] - turn[1] * p[3] + turn[2] * p[0] + turn[3] * p[1];
    product[3] = turn[0] * p[3] + turn[1] * p[2] - turn[2] * p[1] + turn[3] * p[0];
    memcpy(pose.orientation, product, sizeof product);
    return pose;
}

static double deepest(const pcm_touch *t, size_t count)
{
    double depth = -INFINITY;
    for (size_t k = 0; k < count; k++)
        depth = fmax(depth, t[k].depth);
    return depth;
}

/* The force of a linear law, the sum of shares times depths, and its moment about the origin. */
static void load(const pcm_touch *t, size_t count, double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    for (size_t k = 0; k < count; k++) {
        const double f = t[k].share * fmax(t[k].depth, 0), *n = t[k].normal, *p = t[k].point;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, m = (i + 2) % 3;
            out[i] += f * n[i];
            out[3 + i] += f * (p[j] * n[m] - p[m] * n[j]);
        }
    }
}

/* One step, with and without the last one's results. Of two equally good directions either may be found. */
static void step(const any_body *a, const any_body *b, double reach, pcm_geometry_cache *cache, int *else_where)
{
    static pcm_touch again[TOUCHES], anew[TOUCHES];
    const double     size = fmax(a->size, b->size);
    size_t           n_again, n_anew;
    double           load_again[6], load_anew[6], off = 0;
    assert_int_equal(pcm_geometry_touch_cached(cache, a->geometry, &a->pose, b->geometry, &b->pose, reach, again,
                                               sizeof *again, TOUCHES, &n_again),
                     PCM_OK);
    assert_int_equal(
        pcm_geometry_touch(a->geometry, &a->pose, b->geometry, &b->pose, reach, anew, sizeof *anew, TOUCHES, &n_anew),
        PCM_OK);
    const double depth = deepest(anew, n_anew);
    if ((n_again > 0) != (n_anew > 0)) {
        assert_near(fmax(depth, deepest(again, n_again)), -reach, 1e-12 * size);
        return;
    }
    if (n_anew == 0)
        return;
    assert_near(deepest(again, n_again), depth, 1e-12 * size);
    load(again, n_again, load_again);
    load(anew, n_anew, load_anew);
    for (int k = 0; k < 6; k++)
        off = fmax(off, fabs(load_again[k] - load_anew[k]));
    *else_where += off > 1e-7 * size * size;
}

static void follow(const char *kinds, uint64_t seed)
{
    dice d = {seed};
    int  else_where = 0;
    for (int done = 0; done < steps; done += STRIDE) {
        any_body            a = random_body(context, &d, kinds[0], 1, false);
        any_body            b = random_body(context, &d, kinds[1], 1, false);
        pcm_geometry_cache *cache = pcm_geometry_cache_new(context);
        pcm_separation      s = {.size = sizeof s};
        const double        reach = done % (2 * STRIDE) ? 0.01 : 0, depth = uniform(&d, -0.02, 0.05);
        a.pose = random_pose(&d, 1);
        b.pose = random_pose(&d, 1);
        assert_int_equal(pcm_geometry_separate(a.geometry, &a.pose, b.geometry, &b.pose, &s), PCM_OK);
        for (int k = 0; k < 3; k++)
            b.pose.position[k] -= (s.distance + depth) * s.normal[k];
        const swing by = random_swing(&d, &b.pose, 0.05), of = random_swing(&d, &a.pose, 0.05);
        for (int i = 0; i < STRIDE; i++) {
            a.pose = at_time(&of, 0.03 * i);
            b.pose = at_time(&by, 0.03 * i);
            step(&a, &b, reach, cache, &else_where);
        }
        pcm_geometry_cache_free(cache);
        pcm_geometry_free(a.geometry);
        pcm_geometry_free(b.geometry);
    }
    if (else_where > 0)
        print_message("%s: %d of %d steps have another direction that is as good\n", kinds, else_where, steps);
    assert_true(else_where <= 2 + steps / 500);
}

static void as_without_cache(void **state)
{
    (void)state;
    for (size_t p = 0; p < PAIRS; p++)
        follow(pairs[p], 88172645463325252u + p);
}

/* ---- No jumps ---------------------------------------------------------------------------------------------------- */

enum { PATH = 1000 };

/* The step of time: a body of size 1 moves by a few 1e-6 per step. Loads, which depend on depths, may change by as
 * much, and points of rims and sharp corners move a hundred times as far. */
#define PACE 1e-5
#define LEAP 1e-5

/* The contacts of a step. */
typedef struct touched {
    pcm_touch touch[TOUCHES];
    size_t    count;
    double    load[6], depth;
} touched;

static const pcm_touch *named(const touched *t, uint64_t feature)
{
    for (size_t k = 0; k < t->count; k++)
        if (t->touch[k].feature == feature)
            return &t->touch[k];
    return NULL;
}

/* The largest distance of a point from the earlier point with the same name. */
static double farthest_apart(const touched *before, const touched *now)
{
    double most = 0;
    for (size_t k = 0; k < now->count; k++) {
        const pcm_touch *t = &now->touch[k], *same = named(before, t->feature);
        double           square = 0;
        for (int i = 0; i < 3 && same; i++)
            square += (t->point[i] - same->point[i]) * (t->point[i] - same->point[i]);
        most = fmax(most, same ? sqrt(square) : 0);
    }
    return most;
}

/* Two bodies on a path, as a function of time. */
typedef struct course {
    const pcm_geometry *a, *b;
    double              reach;
    bool                named; /* points must not jump either; the points of a level rim move round it as it tilts */
    bool                turns; /* another direction out may have nearly the same normal */
    void (*place)(const void *motion, double t, pcm_pose *at_a, pcm_pose *at_b);
    const void *motion;
} course;

static void touch_at(const course *c, double t, pcm_geometry_cache *cache, touched *out)
{
    pcm_pose at_a, at_b;
    c->place(c->motion, t, &at_a, &at_b);
    assert_int_equal(pcm_geometry_touch_cached(cache, c->a, &at_a, c->b, &at_b, c->reach, out->touch,
                                               sizeof *out->touch, TOUCHES, &out->count),
                     PCM_OK);
    load(out->touch, out->count, out->load);
    out->depth = deepest(out->touch, out->count);
}

/* The change of the load or of a point, relative to the largest change that is not a jump. */
static double gone(const course *c, const touched *before, const touched *now)
{
    double off = c->named && before->count && now->count ? farthest_apart(before, now) / 100 : 0;
    for (int k = 0; k < 6; k++)
        off = fmax(off, fabs(now->load[k] - before->load[k]));
    return off / LEAP;
}

/* The squared difference of their normals. */
static double turned_by(const touched *before, const touched *now)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double off = now->touch[0].normal[k] - before->touch[0].normal[k];
        sum += off * off;
    }
    return sum;
}

/* A step with a large change is halved twenty times, and the half with the larger change is kept: for a change that is
 * only steep it becomes smaller and smaller, for a jump it does not. */
static bool is_leap(const course *c, double from, double to, touched *before, const touched *now)
{
    static touched last, middle;
    last = *now;
    for (int k = 0; k < 20; k++) {
        const double t = 0.5 * (from + to);
        touch_at(c, t, NULL, &middle);
        const bool first = gone(c, before, &middle) > gone(c, &middle, &last);
        *(first ? &to : &from) = t;
        *(first ? &last : before) = middle;
    }
    return gone(c, before, &last) > 0.25 && !(c->turns && turned_by(before, &last) > 1e-12);
}

/* If the bodies are equally deep along another direction, the load may change sides at once: the cosine of the normals
 * is then below `least`. Returns whether a step has a jump larger than `most`. */
static bool leaps_in(const course *c, const double t[2], touched *before, const touched *now, double least, double most,
                     int *turned)
{
    const double *n = now->touch[0].normal, *m = before->touch[0].normal;
    if (now->count == 0 || before->count == 0)
        return false;
    if (n[0] * m[0] + n[1] * m[1] + n[2] * m[2] < least) {
        ++*turned;
        return false;
    }
    return gone(c, before, now) > most && is_leap(c, t[0], t[1], before, now);
}

typedef struct two_swings {
    swing of, by;
} two_swings;

static void place_swings(const void *motion, double t, pcm_pose *at_a, pcm_pose *at_b)
{
    const two_swings *s = motion;
    *at_a = at_time(&s->of, t);
    *at_b = at_time(&s->by, t);
}

/* Walks that many steps, none of which may jump, or only one in a million. */
static void walk(const char *kinds, uint64_t seed, int most)
{
    static touched past, now;
    dice           d = {seed};
    int            turned = 0, leaps = 0;
    for (int done = 0; done < most; done += PATH) {
        any_body            a = random_body(context, &d, kinds[0], 1, false);
        any_body            b = random_body(context, &d, kinds[1], 1, false);
        pcm_geometry_cache *cache = pcm_geometry_cache_new(context);
        pcm_separation      s = {.size = sizeof s};
        const double        reach = done % (2 * PATH) ? 0.01 : 0, depth = uniform(&d, 0, 0.01);
        a.pose = random_pose(&d, 1);
        b.pose = random_pose(&d, 1);
        assert_int_equal(pcm_geometry_separate(a.geometry, &a.pose, b.geometry, &b.pose, &s), PCM_OK);
        for (int k = 0; k < 3; k++)
            b.pose.position[k] -= (s.distance + depth) * s.normal[k];
        const swing      by = random_swing(&d, &b.pose, 0.05), of = random_swing(&d, &a.pose, 0.05);
        const two_swings swings = {of, by};
        const course     c = {a.geometry, b.geometry, reach, true, false, place_swings, &swings};
        past.count = 0;
        for (int i = 0; i < PATH; i++) {
            touch_at(&c, PACE * i, cache, &now);
            if (now.count && past.count)
                assert_near(now.depth, past.depth, LEAP);
            leaps += leaps_in(&c, (double[]){PACE * (i - 1), PACE * i}, &past, &now, 1 - 1e-8, 1, &turned);
            past = now;
        }
        pcm_geometry_cache_free(cache);
        pcm_geometry_free(a.geometry);
        pcm_geometry_free(b.geometry);
    }
    if (turned > 0 || leaps > 0)
        print_message("%s: of %d steps %d turn to another side and %d leap\n", kinds, most, turned, leaps);
    assert_true(turned <= 2 + most / 100);
    assert_true(leaps <= most / 1000000);
}

static void without_leaps(void **state)
{
    (void)state;
    for (size_t p = 0; p < PAIRS; p++)
        walk(pairs[p], 88172645463325252u + p, steps);
}

/* A disk and the cap of a cylinder, tilted by 0.4 rad against each other: half of all steps once had a jump. */
static void rims_not_level(void **state)
{
    (void)state;
    walk("dz", 5030264137181129465u, PATH);
}

/* A corner that leaves a disk through its rim once took two thirds of the load with it. */
static void corner_through_a_rim(void **state)
{
    (void)state;
    walk("dh", 2428665043314248847u, PATH);
}

/* A side that begins to cut a disk's rim once took away the middle of the arc that it divides, and with it a tenth of
 * the load. */
static void side_over_a_rim(void **state)
{
    (void)state;
    walk("db", 18156930057164738900u, PATH);
}

/* ---- Slow tilts -------------------------------------------------------------------------------------------------- */

/* Frustums: hulls that stand on a face. */
static pcm_geometry *random_frustum(dice *d, double half)
{
    const int    sides = 3 + (int)uniform(d, 0, 5);
    const double top = uniform(d, 0.3, 1.5), radius = uniform(d, 0.2, 0.6);
    double       points[48];
    for (int i = 0; i < 2 * sides; i++) {
        const double turn = 2 * 3.14159265358979 * (i / 2 + (i % 2 ? 0.5 : uniform(d, 0.1, 0.9))) / sides;
        points[3 * i] = radius * (i % 2 ? top : 1) * cos(turn);
        points[3 * i + 1] = radius * (i % 2 ? top : 1) * sin(turn);
        points[3 * i + 2] = i % 2 ? half : -half;
    }
    return pcm_geometry_hull(context, points, 2 * (size_t)sides);
}

/* A body in a level position: a b(ox), f(rustum), z (cylinder) or d(isk) on a face, l (a cylinder) or c(apsule) on its
 * side, e (a box) on an edge. Its lowest and, except for frustums, its highest part are at half its height. */
static pcm_geometry *level_body(dice *d, char kind, double *half, pcm_pose *pose)
{
    const double r = uniform(d, 0.2, 0.6), length = uniform(d, 0.2, 1), width = uniform(d, 0.2, 1);
    const double turn = kind == 'l' || kind == 'c' ? 1.5707963267948966 : kind == 'e' ? 0.78539816339744831 : 0;
    *pose = (pcm_pose){{0, 0, 0}, {cos(turn / 2), sin(turn / 2), 0, 0}};
    *half = kind == 'd' ? 0 : kind == 'l' || kind == 'c' ? r : kind == 'e' ? width * sqrt(0.5) : length / 2;
    return kind == 'f'   ? random_frustum(d, *half)
           : kind == 'b' ? pcm_geometry_box(context, (double[]){width, r, length})
           : kind == 'e' ? pcm_geometry_box(context, (double[]){length, width, width})
           : kind == 'c' ? pcm_geometry_capsule(context, r, length)
           : kind == 'd' ? pcm_geometry_disk(context, r)
                         : pcm_geometry_cylinder(context, r, length);
}

/* Tilts from 1e-9 to 1e-2 rad, about an axis perpendicular to z and to the direction `towards`. */
enum { TILTS = 2000 };
static double tilt_of(int i) { return i > 0 ? pow(10, -9 + 7.0 * i / TILTS) : 0; }

static pcm_pose tilted(const pcm_pose *pose, double towards, double angle)
{
    const pcm_pose by = {{0, 0, 0}, {cos(angle / 2), sin(angle / 2) * cos(towards), sin(angle / 2) * sin(towards), 0}};
    pcm_pose       turned = moved(&by, pose);
    memcpy(turned.position, pose->position, sizeof turned.position);
    return turned;
}

typedef struct tilting {
    pcm_pose at_a, level;
    double   towards, sense;
} tilting;

static void place_tilted(const void *motion, double angle, pcm_pose *at_a, pcm_pose *at_b)
{
    const tilting *t = motion;
    *at_a = t->at_a;
    *at_b = tilted(&t->level, t->towards, t->sense * angle);
}

/* Tilts a body over another one, on which it lies, in part beyond its edge; returns the number of jumps. */
static int tilt(dice *d, const char *kinds, int path, int *turned)
{
    static touched past, now;
    double         half_a, half_b;
    pcm_pose       at_a, at_b;
    pcm_geometry  *a = level_body(d, kinds[0], &half_a, &at_a), *b = level_body(d, kinds[1], &half_b, &at_b);
    const double   turn = path % 3 ? uniform(d, 0, 3) : 0, towards = uniform(d, 0, 6.28), reach = path % 2 ? 0.003 : 0;
    const double   depth = pow(10, uniform(d, -4, -1.3)), sense = path % 4 < 2 ? 1 : -1;
    const pcm_pose by = {{uniform(d, -0.4, 0.4), uniform(d, -0.4, 0.4), half_a + half_b - depth},
                         {cos(turn / 2), 0, 0, sin(turn / 2)}};
    const tilting  motion = {at_a, moved(&by, &at_b), towards, sense};
    const course   c = {a, b, reach, false, false, place_tilted, &motion};
    int            leaps = 0;
    pcm_geometry_cache *cache = pcm_geometry_cache_new(context);
    past.count = 0;
    for (int i = 0; i < TILTS; i++) {
        const double angles[2] = {tilt_of(i ? i - 1 : 0), tilt_of(i)}, by_angle = angles[1] - angles[0];
        touch_at(&c, angles[1], cache, &now);
        leaps +=
            leaps_in(&c, angles, &past, &now, 1 - 1e-8 - 32 * by_angle * by_angle, 1 + 10 * by_angle / LEAP, turned);
        past = now;
    }
    pcm_geometry_cache_free(cache);
    pcm_geometry_free(a);
    pcm_geometry_free(b);
    return leaps;
}

/* Faces, rims and lines that separate: the points between them fade. */
static void tilted_slowly(void **state)
{
    static const char *const kinds[] = {"bb", "bf", "ff", "bz", "fz", "zz", "bl", "fl", "zl", "ll", "bc",
                                        "fc", "zc", "lc", "cc", "be", "fe", "ze", "ee", "bd", "fd", "zd"};
    (void)state;
    for (size_t p = 0; p < sizeof kinds / sizeof *kinds; p++) {
        dice d = {88172645463325252u + p};
        int  leaps = 0, turned = 0;
        for (int path = 0; path < 5 * steps / TILTS; path++)
            leaps += tilt(&d, kinds[p], path, &turned);
        if (leaps > 0 || turned > 0)
            print_message("%s, tilted: of %d steps %d turn to another side and %d leap\n", kinds[p], 5 * steps, turned,
                          leaps);
        assert_true(turned <= 2 + steps / 100);
        assert_int_equal(leaps, 0);
    }
}

/* A box over a cap whose lowest point is next to it: where the bounds left the normal uncertain by 1e-10 rad, the patch
 * was less deep than the bodies, and a single point replaced it. */
static void beside_a_box(void **state)
{
    dice d = {11257322720331936047u};
    int  turned = 0;
    (void)state;
    assert_int_equal(tilt(&d, "bz", 226, &turned), 0);
}

/* A cylinder whose side lies along a box's edge and which turns about its own end: on one side of the edge its whole
 * side faced the box's face, and on the other side only that end. */
static void along_an_edge(void **state)
{
    dice d = {4225701323933304431u};
    int  turned = 0;
    (void)state;
    assert_int_equal(tilt(&d, "bl", 2115, &turned), 0);
}

/* A cache from another pair, or from the same pair with the bodies swapped, is not used and does no harm. */
static void of_another_pair(void **state)
{
    dice                d = {2463534242};
    pcm_geometry_cache *cache = pcm_geometry_cache_new(context);
    int                 else_where = 0;
    (void)state;
    for (int i = 0; i < 300; i++) {
        any_body a = random_body(context, &d, "hzbt"[i % 4], 1, false), b = random_body(context, &d, 'h', 1, false);
        a.pose = random_pose(&d, 0.5);
        b.pose = random_pose(&d, 0.5);
        step(&a, &b, 0, cache, &else_where);
        step(&b, &a, 0, cache, &else_where);
        pcm_geometry_free(a.geometry);
        pcm_geometry_free(b.geometry);
    }
    assert_int_equal(else_where, 0);
    pcm_geometry_cache_free(cache);
    pcm_geometry_cache_free(NULL);
}

/* A disk moves through a plate within one step and still faces along its normal, within rounding. The point of its rim
 * once followed that rounding to the other side, and the result was a depth as large as the true distance. */
static void through_a_plate(void **state)
{
    any_body            plate = {.size = 1, .pose = {{0.28125, 0.140625, 0.09375}, {0, 0.109375, 0, 0}}};
    any_body            disk = {.rim = 0.5, .size = 1, .pose = {{0, 0.078125, 0.09375}, {-0.125, 0, 0, 0.0078125}}};
    pcm_geometry_cache *cache = pcm_geometry_cache_new(context);
    int                 else_where = 0;
    (void)state;
    plate.geometry = pcm_geometry_box(context, (double[]){1, 1, 1e-3});
    disk.geometry = pcm_geometry_disk(context, 0.5);
    step(&plate, &disk, 0.33203125, cache, &else_where);
    disk.pose.position[2] = -0.15625;
    disk.pose.orientation[0] = 0.375;
    step(&plate, &disk, 0.33203125, cache, &else_where);
    assert_int_equal(else_where, 0);
    pcm_geometry_free(plate.geometry);
    pcm_geometry_free(disk.geometry);
    pcm_geometry_cache_free(cache);
}

/* ---- Bodies that are flush --------------------------------------------------------------------------------------- */

/* Bodies of equal width: a b(ox), a z (cylinder), a d(isk), or a q (box inscribed in a circle). */
static pcm_geometry *flush_body(char kind)
{
    const double side = kind == 'q' ? sqrt(0.5) : 1;
    return kind == 'z'   ? pcm_geometry_cylinder(context, 0.5, 1)
           : kind == 'd' ? pcm_geometry_disk(context, 0.5)
                         : pcm_geometry_box(context, (double[]){side, side, 1});
}

/* Tilts a body by up to 0.04 rad over another one, `off` to its side in the direction `way`; returns the number of
 * jumps. */
static int tilt_flush(const char *kinds, double off, double way, double towards, double reach)
{
    enum { STEPS = 200 };
    static touched past, now;
    pcm_geometry  *a = flush_body(kinds[0]), *b = flush_body(kinds[1]);
    const double   height = (kinds[1] == 'd' ? 0.5 : 1) - (reach > 0 ? 1e-3 : 1e-2);
    const tilting  motion = {
         {{0, 0, 0}, {1, 0, 0, 0}}, {{off * cos(way), off * sin(way), height}, {1, 0, 0, 0}}, towards, 1};
    const course c = {a, b, reach, false, true, place_tilted, &motion};
    int          leaps = 0, turned = 0;
    past.count = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double angles[2] = {0.04 * (i - 1) / STEPS, 0.04 * i / STEPS};
        touch_at(&c, angles[1], NULL, &now);
        leaps += leaps_in(&c, angles, &past, &now, 1 - 1e-6, 1, &turned);
        past = now;
    }
    pcm_geometry_free(a);
    pcm_geometry_free(b);
    return leaps;
}

/* Stacked cans, and other bodies as wide as the one below them, or displaced by very little. The crossings of rims that
 * nearly coincide may be found anywhere; once the load jumped by up to twice its value. */
static void tilted_where_flush(void **state)
{
    static const char *const kinds[] = {"zz", "zd", "bz", "zb", "qz", "zq", "bd", "bb", "qb"};
    static const double      offs[] = {0, 1e-6, 1e-4, 1e-3, 0.02};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof offs / sizeof *offs; i++)
            for (int towards = 0; towards < 12; towards++)
                assert_int_equal(tilt_flush(kinds[k], offs[i], towards % 3 * 0.4, towards * 0.52359877559829887,
                                            towards % 2 * 0.002),
                                 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_without_cache),   cmocka_unit_test(without_leaps),        cmocka_unit_test(rims_not_level),
        cmocka_unit_test(tilted_where_flush), cmocka_unit_test(corner_through_a_rim), cmocka_unit_test(side_over_a_rim),
        cmocka_unit_test(of_another_pair),    cmocka_unit_test(tilted_slowly),        cmocka_unit_test(beside_a_box),
        cmocka_unit_test(along_an_edge),      cmocka_unit_test(through_a_plate)};
    steps = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : (int)cases(2000);
    return cmocka_run_group_tests(tests, open_context, close_context);
}
