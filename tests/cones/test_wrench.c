/* SPDX-License-Identifier: MIT */
/* Wrench cones, compared with the closed form of a rectangular sole and with a table computed with 50 digits. */
#include "budget.h"
#include "reference.h"

#include <pcm/cone.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const double half_x = 0.112, half_y = 0.065, friction = 0.7;

static pcm_context *context;
static char         said[512];

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    snprintf(said, sizeof said, "%s", diagnostic->message);
}

static int start(void **state)
{
    (void)state;
    pcm_context_def def = pcm_context_defaults();
    def.sink = listen;
    context = pcm_context_new(&def);
    return context ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    pcm_context_free(context);
    return 0;
}

/* ---- The closed form --------------------------------------------------------------------------------------------- */

static pcm_wrench wrench_at(const reference *table, size_t row)
{
    return (pcm_wrench){
        {reference_at(table, row, "taux"), reference_at(table, row, "tauy"), reference_at(table, row, "tauz")},
        {reference_at(table, row, "fx"), reference_at(table, row, "fy"), reference_at(table, row, "fz")}};
}

static void sole_faces_as_the_table(void **state)
{
    (void)state;
    reference table = reference_open("13_wrench_cone.csv");
    for (size_t row = 0; row < table.rows; row++) {
        const double x = reference_at(&table, row, "X"), y = reference_at(&table, row, "Y"),
                     mu = reference_at(&table, row, "mu");
        const pcm_wrench w = wrench_at(&table, row);
        double           faces[16][6], min, max;
        assert_int_equal(pcm_sole_faces(context, x, y, mu, faces), PCM_OK);
        pcm_sole_yaw(x, y, mu, &w, &min, &max);
        const pcm_wrench_rows rows = {(const double(*)[6])faces, 16, 0};
        /* The rounding error of sums of six products of up to 300 N and N*m. */
        assert_true(near(pcm_wrench_margin(rows, &w), reference_at(&table, row, "min_margin"), 1e-12, 0));
        assert_true(near(min, reference_at(&table, row, "tau_min"), 1e-12, 0));
        assert_true(near(max, reference_at(&table, row, "tau_max"), 1e-12, 0));
        /* If the closed form and the table's linear program differ, by 1e-50, the wrench is on the boundary. */
        assert_int_equal(pcm_wrench_inside(rows, &w, 1e-12), (int)reference_at(&table, row, "member_LP_float"));
    }
    reference_close(&table);
}

static void a_sole_carries_the_known_extremes(void **state)
{
    (void)state;
    double     min, max;
    pcm_wrench w = {{0, 0, 0}, {0, 0, 400}};
    pcm_sole_yaw(half_x, half_y, friction, &w, &min, &max);
    assert_true(near(max, 49.56, 1e-13, 0) && near(min, -49.56, 1e-13, 0));
    w.force[0] = 140;
    pcm_sole_yaw(half_x, half_y, friction, &w, &min, &max);
    assert_true(near(max, 40.46, 1e-13, 0));
}

/* ---- Cones of points --------------------------------------------------------------------------------------------- */

static void corners(pcm_cone_point points[4])
{
    for (size_t i = 0; i < 4; i++)
        points[i] = (pcm_cone_point){{i < 2 ? half_x : -half_x, i % 2 ? half_y : -half_y, 0}, {0, 0, 1}, friction};
}

/* Outer pyramids of 4 sides whose faces are normal to x and y: |fx|, |fy| <= friction * fz. */
static pcm_wrench_cone_def square(void)
{
    pcm_wrench_cone_def def = pcm_wrench_cone_defaults();
    def.kind = PCM_PYRAMID_OUTER;
    def.first[1] = 1;
    return def;
}

static pcm_wrench_cone *cone_of(const pcm_cone_point *points, size_t count, const pcm_wrench_cone_def *def)
{
    pcm_wrench_cone *cone = pcm_wrench_cone_new(context, points, count, def);
    assert_non_null(cone);
    return cone;
}

static void assert_shape(const pcm_wrench_cone *cone, size_t faces, size_t equalities, size_t rays, size_t lines)
{
    const pcm_wrench_rows f = pcm_wrench_cone_faces(cone), r = pcm_wrench_cone_rays(cone);
    assert_int_equal(f.count, faces);
    assert_int_equal(f.linear, equalities);
    assert_int_equal(r.count, rays);
    assert_int_equal(r.linear, lines);
}

static void four_corners_have_the_16_faces(void **state)
{
    (void)state;
    pcm_cone_point points[4];
    corners(points);
    const pcm_wrench_cone_def def = square();
    pcm_wrench_cone          *cone = cone_of(points, 4, &def);
    assert_shape(cone, 16, 0, 16, 0);
    const double arm = pcm_wrench_cone_arm(cone);
    assert_true(near(arm, hypot(half_x, half_y), 1e-16, 0));

    double expected[16][6];
    bool   taken[16] = {false};
    assert_int_equal(pcm_sole_faces(context, half_x, half_y, friction, expected), PCM_OK);
    const pcm_wrench_rows faces = pcm_wrench_cone_faces(cone);
    for (size_t i = 0; i < 16; i++) {
        double length = 0;
        for (size_t k = 0; k < 6; k++)
            length += expected[i][k] * expected[i][k] * (k < 3 ? arm * arm : 1);
        size_t matches = 0;
        for (size_t f = 0; f < 16; f++) {
            double apart = 0;
            for (size_t k = 0; k < 6; k++)
                apart = fmax(apart, fabs(faces.rows[f][k] - expected[i][k] / sqrt(length)));
            if (apart < 1e-13 && !taken[f]) { /* the double description loses a few digits to 16 pivots */
                taken[f] = true;
                matches++;
            }
        }
        assert_int_equal(matches, 1);
    }
    pcm_wrench_cone_free(cone);
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* The sole at another pose: the cone of its moved corners, about the world's origin, contains exactly the wrenches that
 * the closed form contains in the sole's own axes. */
static void tilted_soles_are_the_same_sole(void **state)
{
    (void)state;
    uint64_t seed = 11;
    size_t   held = 0;
    double   closed[16][6];
    assert_int_equal(pcm_sole_faces(context, half_x, half_y, friction, closed), PCM_OK);
    const pcm_wrench_rows closed_rows = {(const double(*)[6])closed, 16, 0};
    for (int trial = 0; trial < 20; trial++) {
        double       q[4] = {uniform(&seed), uniform(&seed), uniform(&seed), uniform(&seed)};
        const double at[3] = {uniform(&seed), uniform(&seed), uniform(&seed)};
        const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (size_t i = 0; i < 4; i++)
            q[i] /= size;
        const double m[3][3] = {
            {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]), 2 * (q[1] * q[3] + q[0] * q[2])},
            {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1])},
            {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
        pcm_cone_point      points[4], moved[4];
        pcm_wrench_cone_def def = square();
        corners(points);
        memcpy(moved, points, sizeof moved);
        for (size_t i = 0; i < 3; i++) {
            def.first[i] = m[i][0] + m[i][1];
            for (size_t p = 0; p < 4; p++) {
                moved[p].position[i] = at[i] + m[i][0] * points[p].position[0] + m[i][1] * points[p].position[1];
                moved[p].normal[i] = m[i][2];
            }
        }
        pcm_wrench_cone *cone = cone_of(moved, 4, &def);
        for (int probe = 0; probe < 200; probe++) {
            const double fz = 1 + uniform(&seed);
            pcm_wrench   own = {{0.08 * fz * uniform(&seed), 0.12 * fz * uniform(&seed), 0.1 * fz * uniform(&seed)},
                                {0.7 * fz * uniform(&seed), 0.7 * fz * uniform(&seed), fz}};
            pcm_wrench   world = {{0}, {0}};
            for (size_t i = 0; i < 3; i++)
                for (size_t k = 0; k < 3; k++) {
                    world.force[i] += m[i][k] * own.force[k];
                    world.torque[i] += m[i][k] * own.torque[k];
                }
            for (size_t i = 0; i < 3; i++)
                world.torque[i] +=
                    at[(i + 1) % 3] * world.force[(i + 2) % 3] - at[(i + 2) % 3] * world.force[(i + 1) % 3];
            const double margin = pcm_wrench_margin(closed_rows, &own);
            if (fabs(margin) < 1e-9) /* so close to a face that rounding decides */
                continue;
            assert_int_equal(pcm_wrench_inside(pcm_wrench_cone_faces(cone), &world, 1e-12), margin > 0);
            held += margin > 0;
        }
        pcm_wrench_cone_free(cone);
    }
    assert_in_range(held, 100, 3900);
}

static void sides_and_inner_points_add_what_they_should(void **state)
{
    (void)state;
    pcm_cone_point points[6];
    corners(points);
    points[4] = (pcm_cone_point){{0, 0, 0}, {0, 0, 2}, friction};           /* within the sole */
    points[5] = (pcm_cone_point){{half_x, half_y, 0}, {0, 0, 1}, friction}; /* a corner again */
    pcm_wrench_cone_def def = square();
    pcm_wrench_cone    *cone = cone_of(points, 6, &def);
    assert_shape(cone, 16, 0, 16, 0);
    pcm_wrench_cone_free(cone);

    def = pcm_wrench_cone_defaults();
    def.sides = 8;
    cone = cone_of(points, 4, &def);
    assert_shape(cone, 132, 0, 32, 0);
    pcm_wrench_cone_free(cone);
}

static void degenerate_sets_have_equalities_and_lines(void **state)
{
    (void)state;
    /* One point: the torques follow from the force. */
    const pcm_cone_point one = {{0.3, -0.2, 0.1}, {0, 0, 1}, 0.5};
    pcm_wrench_cone     *cone = cone_of(&one, 1, NULL);
    assert_shape(cone, 3 + 4, 3, 4, 0);
    pcm_wrench w = {{-0.2 * 10, -0.3 * 10 + 0.1 * 1, 0.2 * 1}, {1, 0, 10}};
    assert_true(pcm_wrench_inside(pcm_wrench_cone_faces(cone), &w, 1e-12));
    w.torque[2] += 0.01;
    assert_false(pcm_wrench_inside(pcm_wrench_cone_faces(cone), &w, 1e-12));
    pcm_wrench_cone_free(cone);

    /* Two points resist no torque about the line through them. */
    const pcm_cone_point two[2] = {{{0.1, 0, 0}, {0, 0, 1}, 0.5}, {{-0.1, 0, 0}, {0, 0, 1}, 0.5}};
    cone = cone_of(two, 2, NULL);
    assert_int_equal(pcm_wrench_cone_faces(cone).linear, 1);
    assert_true(near(fabs(pcm_wrench_cone_faces(cone).rows[0][0]), 1 / pcm_wrench_cone_arm(cone), 1e-12, 0));
    pcm_wrench_cone_free(cone);

    /* A frictionless point is one ray; two facing points are a line. */
    const pcm_cone_point smooth[2] = {{{0, 0, 0.1}, {0, 0, -1}, 0}, {{0, 0, -0.1}, {0, 0, 1}, 0}};
    cone = cone_of(smooth, 1, NULL);
    assert_shape(cone, 5 + 1, 5, 1, 0);
    pcm_wrench_cone_free(cone);
    cone = cone_of(smooth, 2, NULL);
    assert_shape(cone, 5, 5, 1, 1);
    pcm_wrench_cone_free(cone);

    /* A body that is held from six sides with friction resists every wrench. */
    pcm_cone_point held[6] = {{{0}, {0}, 0}};
    for (size_t i = 0; i < 6; i++) {
        held[i].position[i / 2] = i % 2 ? 0.1 : -0.1;
        held[i].normal[i / 2] = i % 2 ? -1 : 1;
        held[i].friction = 0.5;
    }
    cone = cone_of(held, 6, NULL);
    assert_shape(cone, 0, 0, 6, 6);
    assert_true(pcm_wrench_inside(pcm_wrench_cone_faces(cone), &w, 0));
    assert_true(isinf(pcm_wrench_margin(pcm_wrench_cone_faces(cone), &w)));
    w.force[0] = NAN;
    assert_false(pcm_wrench_inside(pcm_wrench_cone_faces(cone), &w, 0));
    pcm_wrench_cone_free(cone);
}

static void non_finite_forces_are_never_inside(void **state)
{
    (void)state;
    double faces[16][6];
    assert_int_equal(pcm_sole_faces(context, half_x, half_y, friction, faces), PCM_OK);
    const pcm_wrench_rows rows = {(const double(*)[6])faces, 16, 0};
    const double          bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < 18; k++) {
        pcm_wrench w = {{0, 0, 0}, {0, 0, 400}};
        *(k % 6 < 3 ? &w.torque[k % 3] : &w.force[k % 3]) = bad[k / 6];
        assert_true(isnan(pcm_wrench_margin(rows, &w)));
        assert_false(pcm_wrench_inside(rows, &w, 1e300));
    }
    const pcm_wrench fine = {{0, 0, 0}, {0, 0, 400}};
    assert_false(pcm_wrench_inside(rows, &fine, NAN));
}

static void refused(const pcm_cone_point *points, size_t count, const pcm_wrench_cone_def *def, const char *part)
{
    said[0] = 0;
    assert_null(pcm_wrench_cone_new(context, points, count, def));
    assert_non_null(strstr(said, part));
}

static void refusals_say_why(void **state)
{
    (void)state;
    pcm_cone_point      points[4], bad[4];
    pcm_wrench_cone_def def = pcm_wrench_cone_defaults();
    corners(points);
    refused(points, 0, NULL, "at least one point");
    refused(points, 1000, NULL, "at most");
    memcpy(bad, points, sizeof bad);
    bad[2].position[1] = NAN;
    refused(bad, 4, NULL, "point 3 is not finite");
    memcpy(bad, points, sizeof bad);
    bad[1].normal[2] = 0;
    refused(bad, 4, NULL, "(0, 0, 0) has none");
    bad[1] = points[1];
    bad[1].friction = -1;
    refused(bad, 4, NULL, "friction");
    def.sides = 2;
    refused(points, 4, &def, "3 to 64 sides");
    def = (pcm_wrench_cone_def){.sides = 4};
    refused(points, 4, &def, "has no size");
    def = pcm_wrench_cone_defaults();
    def.about[0] = INFINITY;
    refused(points, 4, &def, "torques are taken about");
    assert_null(pcm_wrench_cone_new(NULL, points, 4, NULL));

    double faces[16][6];
    assert_int_equal(pcm_sole_faces(context, 0, 1, 1, faces), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_sole_faces(context, 1, 1, NAN, faces), PCM_BAD_ARGUMENT);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void a_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    budget          b = {.calls = SIZE_MAX};
    pcm_context_def def = pcm_context_defaults();
    pcm_cone_point  points[4];
    corners(points);
    def.allocator = budget_allocator(&b);
    def.sink = listen;
    pcm_context *poor = pcm_context_new(&def);
    assert_non_null(poor);
    const ptrdiff_t  before = b.bytes;
    pcm_wrench_cone *cone = NULL;
    for (size_t calls = 0; !cone; calls++) {
        assert_in_range(calls, 0, 100);
        b.calls = calls;
        said[0] = 0;
        cone = pcm_wrench_cone_new(poor, points, 4, NULL);
        assert_true(cone || (strstr(said, "no memory") && b.bytes == before));
    }
    b.calls = SIZE_MAX;
    pcm_wrench_cone_free(cone);
    assert_true(b.bytes == before);
    pcm_context_free(poor);
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

static void *build_many(void *same)
{
    pcm_cone_point      points[4];
    pcm_wrench_cone_def def = square();
    pcm_context        *own = pcm_context_new(NULL);
    bool                all = own != NULL;
    corners(points);
    pcm_wrench_cone *first = own ? pcm_wrench_cone_new(own, points, 4, &def) : NULL;
    for (int i = 0; all && first && i < 100; i++) {
        def.sides = i % 2 ? 4 : 8;
        pcm_wrench_cone *cone = pcm_wrench_cone_new(own, points, 4, &def);
        all = cone != NULL;
        if (cone && def.sides == 4)
            all = memcmp(pcm_wrench_cone_faces(cone).rows, pcm_wrench_cone_faces(first).rows, 16 * sizeof(double[6])) ==
                  0;
        pcm_wrench_cone_free(cone);
    }
    *(bool *)same = all && first;
    pcm_wrench_cone_free(first);
    pcm_context_free(own);
    return NULL;
}

static void threads_take_turns(void **state)
{
    (void)state;
    pthread_t threads[4];
    bool      same[4] = {false};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, build_many, &same[i]), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 4; i++)
        assert_true(same[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sole_faces_as_the_table),
        cmocka_unit_test(a_sole_carries_the_known_extremes),
        cmocka_unit_test(four_corners_have_the_16_faces),
        cmocka_unit_test(tilted_soles_are_the_same_sole),
        cmocka_unit_test(sides_and_inner_points_add_what_they_should),
        cmocka_unit_test(degenerate_sets_have_equalities_and_lines),
        cmocka_unit_test(non_finite_forces_are_never_inside),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(a_failed_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(threads_take_turns),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
