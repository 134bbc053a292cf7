/* SPDX-License-Identifier: MIT */
/* Few contacts for a patch of many: the sums that linear laws need, names from step to step, and patches that keep all
 * their points. */
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <pcm/geometry.h>
#include <math.h>
#include <string.h>

enum { ROOM = 1024, SIDES = 400 };

typedef struct found {
    pcm_touch touch[ROOM];
    size_t    count;
} found;

/* A body and its place. */
typedef struct placed {
    const pcm_geometry *shape;
    pcm_pose            at;
} placed;

static void find(const placed *a, const placed *b, double reach, bool few, found *out)
{
    assert_int_equal((few ? pcm_geometry_touch_few : pcm_geometry_touch)(
                         a->shape, &a->at, b->shape, &b->at, reach, out->touch, sizeof *out->touch, ROOM, &out->count),
                     PCM_OK);
    assert_true(out->count <= ROOM);
}

/* A prism 0.1 m high whose base is a convex polygon in an ellipse. rough: throws how unevenly its corners are spread.
 */
static pcm_geometry *prism(int sides, double wide, double narrow, dice *rough)
{
    double points[2 * SIDES][3];
    for (int k = 0; k < sides; k++) {
        const double turn = 2 * 3.14159265358979324 * (k + (rough ? uniform(rough, -0.4, 0.4) : 0)) / sides;
        for (int top = 0; top < 2; top++) {
            double *p = points[2 * k + top];
            p[0] = wide * cos(turn);
            p[1] = narrow * sin(turn);
            p[2] = top ? 0.05 : -0.05;
        }
    }
    pcm_geometry *shape = pcm_geometry_hull(context, points[0], 2 * (size_t)sides);
    assert_non_null(shape);
    return shape;
}

/* A pose turned by a rotation vector, with its lowest face `depth` under z = 0 at the middle. */
static pcm_pose pose_of(double x, double y, double depth, double tilt_x, double tilt_y, double turn)
{
    const double angle = sqrt(tilt_x * tilt_x + tilt_y * tilt_y), half = angle > 0 ? sin(angle / 2) / angle : 0.5;
    const double c = cos(turn / 2), s = sin(turn / 2), w = cos(angle / 2), a = half * tilt_x, b = half * tilt_y;
    return (pcm_pose){{x, y, 0.05 - depth}, {w * c, a * c + b * s, b * c - a * s, w * s}};
}

/* The sums over contacts on which a linear law depends: shares and areas; shares times points and their products;
 * depths and their squares; depths times points. */
enum { SUMS = 16 };
static void sum_of(const found *f, const double from[3], double sums[SUMS])
{
    memset(sums, 0, SUMS * sizeof *sums);
    for (size_t i = 0; i < f->count; i++) {
        const pcm_touch *t = &f->touch[i];
        double           p[3], *sum = sums;
        assert_true(t->share > 0 && t->area >= 0 && t->gives & PCM_SHARE);
        *sum++ += t->share;
        *sum++ += t->area;
        for (int k = 0; k < 3; k++) {
            p[k] = t->point[k] - from[k];
            *sum++ += t->share * p[k];
        }
        for (int k = 0; k < 3; k++)
            for (int m = k; m < 3; m++)
                *sum++ += t->share * p[k] * p[m];
        *sum++ += t->share * t->depth;
        for (int k = 0; k < 3; k++)
            *sum++ += t->share * t->depth * p[k];
        *sum++ += t->share * t->depth * t->depth;
    }
}

/* Lengths are of the order of 1 m, depths of 1 mm. */
static void assert_same_sums(const found *all, const found *few, const double from[3])
{
    double wanted[SUMS], sums[SUMS];
    sum_of(all, from, wanted);
    sum_of(few, from, sums);
    for (int k = 0; k < SUMS; k++)
        assert_near(sums[k], wanted[k], k < 11 ? 1e-12 : 1e-15);
}

static placed ground_of(int which, pcm_geometry *const shapes[2])
{
    return (placed){shapes[which], {{0, 0, which ? -0.5 : 0}, {1, 0, 0, 0}}};
}

/* Polygons at random, on a plane and on a box, named first and second, with and without a gap that counts. */
static void sums_are_kept(void **state)
{
    (void)state;
    enum { CASES = 400 };
    pcm_geometry *ground[2] = {pcm_geometry_plane(context), pcm_geometry_box(context, (double[]){9, 9, 1})};
    static found  all, few;
    int           reduced = 0;
    dice          d = {7};
    for (int i = 0; i < CASES; i++) {
        const int     sides = 17 + (int)uniform(&d, 0, 100);
        pcm_geometry *shape = prism(sides, uniform(&d, 0.3, 1), uniform(&d, 0.1, 1), &d);
        const placed  under = ground_of(i % 2, ground);
        const placed  body = {shape, pose_of(uniform(&d, -1, 1), uniform(&d, -1, 1), uniform(&d, 1e-4, 2e-3),
                                             uniform(&d, -1e-3, 1e-3), uniform(&d, -1e-3, 1e-3), uniform(&d, -3, 3))};
        const double  reach = i % 4 < 2 ? 0 : 1e-3;
        const placed *a = i % 8 < 4 ? &under : &body, *b = i % 8 < 4 ? &body : &under;
        find(a, b, reach, false, &all);
        find(a, b, reach, true, &few);
        assert_same_sums(&all, &few, body.at.position);
        if (all.count <= 16)
            assert_int_equal(few.count, all.count);
        reduced += few.count < all.count;
        assert_true(few.count <= 8 || few.count == all.count);
        pcm_geometry_free(shape);
    }
    assert_true(reduced > CASES / 2);
    pcm_geometry_free(ground[0]);
    pcm_geometry_free(ground[1]);
}

/* A disc that lies flat has four contacts, each a quarter of it. */
static void a_disc_has_four(void **state)
{
    (void)state;
    static const int sides[] = {17, 128, 256, 400};
    pcm_geometry    *plane = pcm_geometry_plane(context);
    const placed     under = {plane, {{0}, {1, 0, 0, 0}}};
    static found     few;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        pcm_geometry *disc = prism(sides[i], 0.1, 0.1, NULL);
        const placed  body = {disc, pose_of(0.3, 0, 1e-3, 0, 0, 0.2)};
        find(&under, &body, 0, true, &few);
        assert_int_equal(few.count, 4);
        for (size_t k = 0; k < 4; k++) {
            const pcm_touch *t = &few.touch[k];
            assert_near(t->share, 0.25, 1e-14);
            assert_near(t->depth, 1e-3, 1e-15);
            assert_near(hypot(t->point[0] - 0.3, t->point[1]), 0.1, 1e-12);
        }
        pcm_geometry_free(disc);
    }
    pcm_geometry_free(plane);
}

/* Names stay as a body slides, turns and rocks in small steps, and each point stays in its place on the body. */
static void names_stay(void **state)
{
    (void)state;
    pcm_geometry *plane = pcm_geometry_plane(context), *shape = prism(128, 0.2, 0.1, NULL);
    const placed  under = {plane, {{0}, {1, 0, 0, 0}}};
    static found  before, now;
    double        last = 0;
    for (int i = 0; i < 2000; i++) {
        const double turn = 0.01 * i, tilt = 1e-3 * sin(0.02 * i);
        const placed body = {shape, pose_of(0.001 * i, 0, 1e-3, tilt, 0.3 * tilt, turn)};
        find(&under, &body, 0, true, &now);
        assert_int_equal(now.count, 4);
        for (size_t k = 0; i > 0 && k < 4; k++) {
            const pcm_touch *t = &now.touch[k], *was = &before.touch[k];
            const double     x = t->point[0] - 0.001 * i, y = t->point[1];
            const double     p = was->point[0] - 0.001 * (i - 1), q = was->point[1];
            assert_true(t->feature == was->feature);
            assert_near(cos(turn) * x + sin(turn) * y, cos(last) * p + sin(last) * q, 1e-3);
            assert_near(cos(turn) * y - sin(turn) * x, cos(last) * q - sin(last) * p, 1e-3);
        }
        before = now;
        last = turn;
    }
    pcm_geometry_free(shape);
    pcm_geometry_free(plane);
}

/* Four points cannot stand for a line. */
static void some_keep_all(void **state)
{
    (void)state;
    pcm_geometry *plane = pcm_geometry_plane(context), *strip = prism(64, 1, 1e-4, NULL);
    const placed  under = {plane, {{0}, {1, 0, 0, 0}}};
    const placed  body = {strip, pose_of(0, 0, 1e-3, 0, 0, 0)};
    static found  few;
    find(&under, &body, 0, true, &few);
    assert_int_equal(few.count, 64);
    pcm_geometry_free(strip);
    pcm_geometry_free(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_kept),
        cmocka_unit_test(a_disc_has_four),
        cmocka_unit_test(names_stay),
        cmocka_unit_test(some_keep_all),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
