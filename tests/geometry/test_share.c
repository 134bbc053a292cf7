/* SPDX-License-Identifier: MIT */
/* The share of each point of a patch: shares sum to 1, areas sum to the patch's, and the force and moment of a linear
 * law do not jump on paths of small steps, whatever points come and go. */
#include "context.h"
#include "fixture.h"
#include "pair.h"
#include <math.h>
#include <string.h>

/* The sum over all contacts of a pair, with a spring of stiffness 1 times the share at each. */
typedef struct load {
    int    count;
    double share, area, force, moment[3], depth;
} load;

static void add_contact(void *user, const pcm_touch *c)
{
    load        *l = user;
    const double force = c->share * c->depth;
    assert_true(c->share >= 0 && c->area >= 0);
    l->count++;
    l->share += c->share;
    l->area += c->area;
    l->force += force;
    for (int k = 0; k < 3; k++)
        l->moment[k] += force * c->point[k];
    l->depth = fmax(l->depth, c->depth);
}

/* A body that is turned about the x axis. */
static body placed_at(const pcm_geometry *g, double x, double y, double z, double angle)
{
    const pcm_pose pose = {{x, y, z}, {cos(angle / 2), sin(angle / 2), 0, 0}};
    body           b = {.geometry = g};
    assert_true(placing_of(&pose, &b.at));
    return b;
}

static load load_of(const body *a, const body *b)
{
    load l = {0};
    pair_touch(a, b, 0, (pair_known){NULL, NULL}, add_contact, &l);
    if (l.count > 0)
        assert_near(l.share, 1, 1e-12);
    return l;
}

static const double pi = 3.14159265358979324;

static double lens(double r, double d) { return 2 * r * r * acos(d / (2 * r)) - 0.5 * d * sqrt(4 * r * r - d * d); }

/* Areas in closed form: a box and a cylinder on a box, also over its edge, and two cylinders side by side. */
static void areas(void **state)
{
    pcm_geometry *ground = pcm_geometry_box(context, (double[]){2, 2, 1});
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 0.5, 1});
    pcm_geometry *cylinder = pcm_geometry_cylinder(context, 0.5, 1);
    const body    under = placed_at(ground, 0, 0, -0.5, 0), low = placed_at(cylinder, 0, 0, -0.5, 0);
    body          over = placed_at(box, 0.2, 0.1, 0.499, 0);
    (void)state;
    assert_near(load_of(&under, &over).area, 0.5, 1e-12);
    over = placed_at(box, 0.9, 0, 0.499, 0);
    assert_near(load_of(&under, &over).area, 0.3, 1e-12);
    over = placed_at(cylinder, 0.2, 0.1, 0.499, 0);
    assert_near(load_of(&under, &over).area, 0.25 * pi, 1e-12);
    over = placed_at(cylinder, 1, 0.1, 0.499, 0);
    assert_near(load_of(&under, &over).area, 0.125 * pi, 1e-12);
    over = placed_at(cylinder, 0.6, 0, 0.499, 0);
    assert_near(load_of(&low, &over).area, lens(0.5, 0.6), 1e-12);
    pcm_geometry_free(ground);
    pcm_geometry_free(box);
    pcm_geometry_free(cylinder);
}

/* A flat contact is as stiff as one at a single point, however the body is turned. */
static void stack_keeps_its_stiffness(void **state)
{
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 1, 1});
    (void)state;
    for (int i = 0; i < 50; i++) {
        const double   turn = i * 1e-4;
        const pcm_pose pose = {{0, 0, 0.999}, {cos(turn / 2), 0, 0, sin(turn / 2)}};
        const body     a = placed_at(box, 0, 0, 0, 0);
        body           b = {.geometry = box};
        assert_true(placing_of(&pose, &b.at));
        const load l = load_of(&a, &b);
        assert_near(l.force, 1e-3, 1e-14);
        assert_near(l.moment[0], 0, 1e-14);
        assert_near(l.moment[1], 0, 1e-14);
    }
    pcm_geometry_free(box);
}

/* A prism about z whose sides are at a distance r from it, the first of them in the direction `turn`. */
static pcm_geometry *prism(int sides, double r, double turn)
{
    double    corners[2 * 12 * 3];
    const int n = 2 * sides;
    for (int i = 0; i < n; i++) {
        const double at = turn + (i / 2 + 0.5) * 2 * pi / sides, out = r / cos(pi / sides);
        memcpy(corners + 3 * i, (double[]){out * cos(at), out * sin(at), i % 2 ? 0.5 : -0.5}, 3 * sizeof(double));
    }
    return pcm_geometry_hull(context, corners, (size_t)n);
}

/* The centre of the load of a can with radius r, relative to its axis, on a prism with the same inner radius, after the
 * can has moved by `off` in the direction `turn`: the centroid of a disk without the segments that the sides cut
 * off. */
static void middle_on_prism(int sides, double r, double turn, double off, double middle[2])
{
    double area = pi * r * r, moment[2] = {0, 0};
    for (int k = 0; k < sides; k++) {
        const double at = 2 * pi * k / sides, away = r - off * cos(at), half = sqrt(fmax(r * r - away * away, 0));
        area -= away < r ? r * r * atan2(half, away) - away * half : 0;
        moment[0] -= away < r ? 2.0 / 3 * half * half * half * cos(turn + at) : 0;
        moment[1] -= away < r ? 2.0 / 3 * half * half * half * sin(turn + at) : 0;
    }
    middle[0] = moment[0] / area;
    middle[1] = moment[1] / area;
}

/* A can that is as wide as the prism below it, level or nearly so, and beyond its sides by 1e-12 to 1e-2: whichever
 * points of its rim are at a side, the load is centred on the common area. It was once off by half of the radius. */
static void cans_as_wide_as_their_feet(void **state)
{
    static const int    sides[] = {3, 4, 5, 6, 8, 12};
    static const double turns[] = {0, 0.3, 0.5 * 3.14159265358979324, -0.5 * 3.14159265358979324};
    const double        r = 0.5, depth = 0.05;
    pcm_geometry       *can = pcm_geometry_cylinder(context, r, 1);
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
            pcm_geometry *foot = prism(sides[i], r, turns[k]);
            const body    under = placed_at(foot, 0, 0, 0, 0);
            for (int step = 0; step < 100; step++) {
                const double off = step > 0 ? pow(10, -12 + 0.1 * step) : 0, tilt = (step % 5 - 2) * 1e-9;
                const double x = off * cos(turns[k]), y = off * sin(turns[k]);
                const body   over = placed_at(can, x, y, 1 - depth, tilt);
                const load   of = load_of(&under, &over);
                const double near = 1e-11 + 10 * fabs(tilt); /* a tilt loads few points, and not a whole area evenly */
                double       middle[2];
                middle_on_prism(sides[i], r, turns[k], off, middle);
                assert_near(of.force, depth, 1e-8);
                assert_near(of.moment[0] / of.force - x, middle[0], near);
                assert_near(of.moment[1] / of.force - y, middle[1], near);
            }
            pcm_geometry_free(foot);
        }
    pcm_geometry_free(can);
}

typedef struct path {
    const pcm_geometry *a, *b;
    double              height;
} path;

/* way: 0 slides, 1 tilts by up to 0.3 rad, 2 tilts by up to 1e-5 rad. */
static body along_path(const path *p, int way, double t)
{
    if (way == 0)
        return placed_at(p->b, -0.9 + 1.8 * t, 0.07, p->height, 0);
    return placed_at(p->b, 0.13, 0.07, p->height, (way == 1 ? 0.6 : 2e-5) * (t - 0.5));
}

/* In one step the body moves by less than 2 / steps, and the forces on its points change by no more than a few times
 * that. */
static void no_leaps(void **state)
{
    pcm_geometry *cylinder = pcm_geometry_cylinder(context, 0.5, 1), *disk = pcm_geometry_disk(context, 0.3);
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 1, 1}), *plane = pcm_geometry_plane(context);
    pcm_geometry *ground = pcm_geometry_box(context, (double[]){2, 2, 1});
    const path    paths[] = {{ground, box, 0.999},  {box, box, 0.999},         {cylinder, cylinder, 0.999},
                             {plane, box, 0.499},   {ground, cylinder, 0.999}, {plane, cylinder, 0.499},
                             {ground, disk, 0.499}, {plane, disk, -1e-3}};
    const int     steps = 20000;
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (int way = 0; way < 3; way++) {
            const body fixed = placed_at(paths[i].a, 0, 0, 0, 0);
            load       last = {0};
            for (int s = 0; s <= steps; s++) {
                const body   moving = along_path(&paths[i], way, (double)s / steps);
                const load   now = load_of(&fixed, &moving);
                const double most = way == 1 ? 5e-5 : 2e-7; /* turned by 3e-5, or moved by 9e-5, at a depth of 1e-3 */
                if (s > 0) {
                    assert_near(now.force, last.force, most);
                    for (int k = 0; k < 3; k++)
                        assert_near(now.moment[k], last.moment[k], most);
                }
                last = now;
            }
        }
    pcm_geometry_free(cylinder);
    pcm_geometry_free(disk);
    pcm_geometry_free(box);
    pcm_geometry_free(plane);
    pcm_geometry_free(ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(areas), cmocka_unit_test(stack_keeps_its_stiffness),
                                       cmocka_unit_test(no_leaps), cmocka_unit_test(cans_as_wide_as_their_feet)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
