/* SPDX-License-Identifier: MIT */
/* Friction cones and pyramids, compared with a table computed with 50 digits and with closed forms. */
#include "reference.h"
#include <pcm/spatial.h>

#include <pcm/cone.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const double pi = 3.14159265358979323846;
static const double down[3] = {0, -1, 0}; /* the ground's normal in a frame with y along gravity */
static const double x_axis[3] = {1, 0, 0}, z_axis[3] = {0, 0, 1};

static char said[512];

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    snprintf(said, sizeof said, "%s", diagnostic->message);
}

static pcm_context *listening(void)
{
    pcm_context_def def = pcm_context_defaults();
    def.sink = listen;
    pcm_context *context = pcm_context_new(&def);
    assert_non_null(context);
    return context;
}

static pcm_cone cone_of(const double normal[3], double friction)
{
    pcm_cone cone;
    assert_int_equal(pcm_cone_make(NULL, normal, friction, &cone), PCM_OK);
    return cone;
}

static pcm_pyramid pyramid_of(const pcm_cone *cone, pcm_pyramid_kind kind, uint32_t sides, const double first[3])
{
    pcm_pyramid pyramid;
    assert_int_equal(pcm_pyramid_make(NULL, cone, kind, sides, first, &pyramid), PCM_OK);
    return pyramid;
}

/* A handful of rounding errors of forces near 20 N. */
static const double rounding = 1e-14;

static void measures_as_the_table(void **state)
{
    (void)state;
    reference table = reference_open("12_friction_cone_seedframe.csv");
    for (size_t row = 0; row < table.rows; row++) {
#define AT(column) reference_at(&table, row, column)
        const double          force[3] = {AT("fx"), AT("fy"), AT("fz")};
        const pcm_cone        cone = cone_of(down, AT("mu"));
        const pcm_cone_report r = pcm_cone_measure(&cone, force);
        assert_int_equal(r.inside, (int)AT("in_closed_cone"));
        /* The table's strict answer omits f.a > 0 if the force is zero. */
        assert_int_equal(r.stable, AT("contact_stable_strict") == 1 && r.normal > 0);
        assert_true(near(r.normal, AT("fn"), rounding, 0));
        assert_true(near(r.tangential, AT("ft"), rounding, 0));
        assert_true(near(r.margin, AT("margin_N"), rounding, 0));
        assert_true(near(r.angle, AT("margin_angle_rad"), rounding, 0));
        const double apart = AT("proj_dist");
        assert_true(near(r.distance, apart > 0 ? -apart : AT("signed_distance_N"), rounding, 0));
        const double expected[3] = {AT("proj_x"), AT("proj_y"), AT("proj_z")};
        for (size_t i = 0; i < 3; i++)
            assert_true(near(r.projection[i], expected[i], rounding, 0));
    }
    reference_close(&table);
}

static void pyramids_hold_what_the_table_says(void **state)
{
    (void)state;
    const double diagonal[3] = {1, 0, 1};
    reference    table = reference_open("12_friction_cone_seedframe.csv");
    for (size_t row = 0; row < table.rows; row++) {
        const double      force[3] = {AT("fx"), AT("fy"), AT("fz")};
        const pcm_cone    cone = cone_of(down, AT("mu"));
        const pcm_pyramid seed = pyramid_of(&cone, PCM_PYRAMID_INNER, 4, x_axis);
        const pcm_pyramid inner = pyramid_of(&cone, PCM_PYRAMID_INNER, 4, diagonal);
        const pcm_pyramid outer = pyramid_of(&cone, PCM_PYRAMID_OUTER, 4, diagonal);
        /* On a face, rounding decides whether the force is inside. */
        assert_int_equal(pcm_pyramid_margin(&seed, force) >= -rounding, (int)AT("in_seed_pyramid"));
        assert_int_equal(pcm_pyramid_margin(&inner, force) >= -rounding, (int)AT("in_pymanoid_inner_pyramid"));
        assert_int_equal(pcm_pyramid_margin(&outer, force) >= -rounding, (int)AT("in_outer_pyramid"));
    }
    reference_close(&table);
}

static void weights_are_those_of_the_table(void **state)
{
    (void)state;
    reference table = reference_open("12_friction_cone_seedframe.csv");
    size_t    borne = 0;
    for (size_t row = 0; row < table.rows; row++) {
        const double force[3] = {AT("fx"), AT("fy"), AT("fz")};
        /* The table's order: +x, -x, +z, -z; -1 means none. */
        const double expected[4] = {AT("lambda1"), AT("lambda3"), AT("lambda2"), AT("lambda4")};
        if (expected[0] == -1)
            continue;
        const pcm_cone    cone = cone_of(down, AT("mu"));
        const pcm_pyramid seed = pyramid_of(&cone, PCM_PYRAMID_INNER, 4, x_axis);
        double            weights[4];
        /* A force on a face (to 1e-50, says the table) may be rounded to the outside. Then the call rejects it, and
         * must not return wrong weights. */
        if (!pcm_pyramid_weights(&seed, force, weights)) {
            assert_true(fabs(pcm_pyramid_margin(&seed, force)) <= rounding);
            continue;
        }
        for (size_t i = 0; i < 4; i++)
            assert_true(near(weights[i], expected[i], 2 * rounding, 0));
        borne++;
    }
    assert_true(borne > 4);
    reference_close(&table);
#undef AT
}

static void four_edges_are_those_of_the_document(void **state)
{
    (void)state;
    const double      mu = 0.6, theta = atan(mu), s = sin(theta), c = cos(theta);
    const double      expected[4][3] = {{s, -c, 0}, {0, -c, s}, {-s, -c, 0}, {0, -c, -s}};
    const pcm_cone    cone = cone_of(down, mu);
    const pcm_pyramid pyramid = pyramid_of(&cone, PCM_PYRAMID_INNER, 4, x_axis);
    for (uint32_t k = 0; k < 4; k++) {
        double edge[3];
        pcm_pyramid_edge(&pyramid, k, edge);
        for (size_t i = 0; i < 3; i++)
            assert_true(near(edge[i], expected[k][i], 2e-16, 0));
    }
}

/* The pyramid's cross-section over the cone's. */
static double area_ratio(pcm_pyramid_kind kind, uint32_t sides)
{
    const pcm_cone    cone = cone_of(z_axis, 0.7);
    const pcm_pyramid pyramid = pyramid_of(&cone, kind, sides, x_axis);
    double            area = 0;
    for (uint32_t k = 0; k < sides; k++) {
        double a[3], b[3];
        pcm_pyramid_edge(&pyramid, k, a);
        pcm_pyramid_edge(&pyramid, k + 1, b);
        area += (a[0] * b[1] - a[1] * b[0]) / (2 * a[2] * b[2]);
    }
    return area / (pi * 0.7 * 0.7);
}

static void areas_are_those_of_polygons(void **state)
{
    (void)state;
    assert_true(near(area_ratio(PCM_PYRAMID_INNER, 4), 0.6366197724, 5e-11, 0)); /* all printed digits */
    assert_true(near(area_ratio(PCM_PYRAMID_INNER, 8), 0.9003163162, 5e-11, 0));
    assert_true(near(area_ratio(PCM_PYRAMID_INNER, 16), 0.9744953584, 5e-11, 0));
    for (uint32_t n = 3; n <= PCM_PYRAMID_SIDES; n++) {
        assert_true(near(area_ratio(PCM_PYRAMID_EQUAL, n), 1, 1e-14, 0));
        assert_true(near(area_ratio(PCM_PYRAMID_OUTER, n), n * tan(pi / n) / pi, 0, 1e-14));
    }
}

static void faces_and_edges_describe_one_pyramid(void **state)
{
    (void)state;
    const double   normal[3] = {0.3, -2, 1.1}, first[3] = {1, 0.2, -0.4};
    const pcm_cone cone = cone_of(normal, 0.45);
    for (uint32_t n = 3; n <= PCM_PYRAMID_SIDES; n++) {
        for (int kind = PCM_PYRAMID_INNER; kind <= PCM_PYRAMID_EQUAL; kind++) {
            const pcm_pyramid pyramid = pyramid_of(&cone, (pcm_pyramid_kind)kind, n, first);
            double            middle[3] = {0};
            for (uint32_t k = 0; k < n; k++) {
                double edge[3], next[3], face[3];
                pcm_pyramid_edge(&pyramid, k, edge);
                pcm_pyramid_edge(&pyramid, k + 1, next);
                pcm_pyramid_face(&pyramid, k, face);
                assert_true(near(pcm_dot(edge, edge), 1, 1e-15, 0) && near(pcm_dot(face, face), 1, 1e-15, 0));
                assert_true(near(pcm_dot(face, edge), 0, 1e-15, 0) && near(pcm_dot(face, next), 0, 1e-15, 0));
                assert_true(pcm_dot(face, cone.axis) > 0);
                const pcm_cone_report r = pcm_cone_measure(&cone, edge);
                if (kind == PCM_PYRAMID_INNER)
                    assert_true(near(r.margin, 0, 1e-15, 0));
                for (size_t i = 0; i < 3; i++)
                    middle[i] += edge[i] * (1 + k);
            }
            double weights[PCM_PYRAMID_SIDES], sum[3] = {0};
            assert_true(pcm_pyramid_weights(&pyramid, middle, weights));
            for (uint32_t k = 0; k < n; k++) {
                double edge[3];
                pcm_pyramid_edge(&pyramid, k, edge);
                assert_true(weights[k] >= 0);
                for (size_t i = 0; i < 3; i++)
                    sum[i] += weights[k] * edge[i];
            }
            for (size_t i = 0; i < 3; i++)
                assert_true(near(sum[i], middle[i], 1e-14 * n * n, 0)); /* n weights up to n, added up */
        }
    }
}

static void outer_pyramids_touch_the_cone(void **state)
{
    (void)state;
    const pcm_cone    cone = cone_of(z_axis, 0.7);
    const pcm_pyramid pyramid = pyramid_of(&cone, PCM_PYRAMID_OUTER, 7, x_axis);
    double            least = INFINITY;
    for (int i = 0; i < 7000; i++) {
        const double angle = 2 * pi * i / 7000, force[3] = {0.7 * cos(angle), 0.7 * sin(angle), 1};
        const double margin = pcm_pyramid_margin(&pyramid, force);
        assert_true(margin >= -1e-15);
        least = fmin(least, margin);
    }
    assert_true(least <= 1e-15); /* 7000 directions include the middles of the 7 faces */
}

static void non_finite_forces_are_never_inside(void **state)
{
    (void)state;
    const pcm_cone    cone = cone_of(z_axis, 0.7);
    const pcm_pyramid pyramid = pyramid_of(&cone, PCM_PYRAMID_OUTER, 4, x_axis);
    const double      bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < 3; i++) {
            double force[3] = {0, 0, 1}, weights[4] = {7, 7, 7, 7};
            force[i] = bad[k];
            const pcm_cone_report r = pcm_cone_measure(&cone, force);
            assert_false(r.inside || r.stable);
            assert_true(isnan(r.margin) && isnan(r.distance) && isnan(r.angle) && isnan(r.projection[2]));
            assert_true(isnan(pcm_pyramid_margin(&pyramid, force)));
            assert_false(pcm_pyramid_weights(&pyramid, force, weights));
            assert_true(weights[0] == 7);
        }
    }
}

static void zero_force_is_inside_but_not_stable(void **state)
{
    (void)state;
    const pcm_cone        cone = cone_of(z_axis, 0.7);
    const pcm_cone_report r = pcm_cone_measure(&cone, (const double[3]){0});
    assert_true(r.inside && !r.stable);
    assert_true(r.margin == 0 && r.distance == 0);
}

static void frictionless_cones_are_rays(void **state)
{
    (void)state;
    const pcm_cone cone = cone_of((const double[]){0, 0, 5}, 0);
    assert_true(pcm_cone_measure(&cone, (const double[]){0, 0, 2}).stable);
    const pcm_cone_report r = pcm_cone_measure(&cone, (const double[]){3, 4, 2});
    assert_true(!r.inside && r.margin == -5 && r.distance == -5);
    assert_true(r.projection[0] == 0 && r.projection[1] == 0 && r.projection[2] == 2);
}

/* A circular ellipse is the cone cut at that normal force. */
static void a_circle_is_the_cone(void **state)
{
    (void)state;
    const pcm_cone  cone = cone_of(z_axis, 0.5);
    const pcm_shear circle = {.size = sizeof circle, .least = -5, .most = 5, .across = 5};
    for (int i = 0; i < 40; i++) {
        const double along = 0.3 * i * cos(i), across = 0.3 * i * sin(i), force[3] = {along, across, 10};
        assert_true(fabs(pcm_shear_margin(&circle, along, across) - pcm_cone_measure(&cone, force).margin) < rounding);
    }
    assert_true(isnan(pcm_shear_margin(&circle, NAN, 0)) && isnan(pcm_shear_margin(&circle, 0, INFINITY)));
}

static void margins_of_sets(void **state)
{
    (void)state;
    const pcm_shear halves = {.least = -2, .most = 6, .across = 3}, none = {.shape = PCM_SHEAR_ELLIPSE};
    const pcm_shear box = {.least = -10, .most = -4, .across = 1, .shape = PCM_SHEAR_BOX};
    const pcm_shear empty = {.least = -10, .most = -11, .shape = PCM_SHEAR_BOX};
    assert_true(pcm_shear_margin(&halves, 4, 0) == 2 && pcm_shear_margin(&halves, -4, 0) == -2);
    assert_true(pcm_shear_margin(&halves, 0, -1) == 2 && pcm_shear_margin(&halves, 0, 0) == 2);
    assert_true(fabs(pcm_shear_margin(&halves, 3, 1.5) - hypot(3, 1.5) * (sqrt(2) - 1)) < rounding);
    assert_true(pcm_shear_margin(&none, 0, 0) == 0 && pcm_shear_margin(&none, 3, 4) == -5);
    assert_true(pcm_shear_margin(&box, -5, 0.25) == 0.75 && pcm_shear_margin(&box, -4.5, 0) == 0.5);
    assert_true(pcm_shear_margin(&box, 0, 0) == -4 && pcm_shear_margin(&empty, -10.5, 0) == -0.5);
}

static void polygons_of_sets(void **state)
{
    (void)state;
    const pcm_shear halves = {.least = -2, .most = 6, .across = 3};
    const pcm_shear box = {.least = -10, .most = -4, .across = 1, .shape = PCM_SHEAR_BOX};
    const pcm_shear empty = {.least = 1, .most = 0};
    double          corners[8][2];
    assert_int_equal(pcm_shear_polygon(&halves, 8, corners), 8);
    for (int k = 0; k < 8; k++)
        assert_true(fabs(pcm_shear_margin(&halves, corners[k][0], corners[k][1])) < rounding);
    assert_true(corners[0][0] == 6 && corners[4][0] == -2 && fabs(corners[2][1] - 3) < rounding);
    assert_int_equal(pcm_shear_polygon(&box, 8, corners), 4);
    assert_true(corners[0][0] == -4 && corners[0][1] == 1 && corners[1][0] == -10 && corners[1][1] == 1);
    assert_true(corners[2][0] == -10 && corners[2][1] == -1 && corners[3][0] == -4 && corners[3][1] == -1);
    assert_int_equal(pcm_shear_polygon(&empty, 8, corners), 0);
}

static void refusals_say_why(void **state)
{
    (void)state;
    pcm_context   *context = listening();
    const double   none[3] = {0, 0, 0}, broken[3] = {0, NAN, 1}, infinite[3] = {INFINITY, 0, 0};
    const pcm_cone good = cone_of(z_axis, 0.5), smooth = cone_of(z_axis, 0);
    pcm_cone       cone = good;
    pcm_pyramid    pyramid;
    memset(&pyramid, 0, sizeof pyramid);
    const pcm_pyramid untouched = pyramid;

#define REFUSED(call, part)                                                                                            \
    do {                                                                                                               \
        said[0] = 0;                                                                                                   \
        assert_int_equal(call, PCM_BAD_ARGUMENT);                                                                      \
        assert_non_null(strstr(said, part));                                                                           \
    } while (0)
    REFUSED(pcm_cone_make(context, none, 0.5, &cone), "direction");
    REFUSED(pcm_cone_make(context, broken, 0.5, &cone), "(0, nan, 1)");
    REFUSED(pcm_cone_make(context, infinite, 0.5, &cone), "direction");
    REFUSED(pcm_cone_make(context, z_axis, -0.1, &cone), "-0.1");
    REFUSED(pcm_cone_make(context, z_axis, NAN, &cone), "nan");
    REFUSED(pcm_cone_make(context, z_axis, INFINITY, &cone), "inf");
    REFUSED(pcm_pyramid_make(context, &good, PCM_PYRAMID_INNER, 2, x_axis, &pyramid), "3 to 64 sides, not 2");
    REFUSED(pcm_pyramid_make(context, &good, PCM_PYRAMID_INNER, 65, x_axis, &pyramid), "not 65");
    REFUSED(pcm_pyramid_make(context, &good, (pcm_pyramid_kind)3, 4, x_axis, &pyramid), "kind");
    REFUSED(pcm_pyramid_make(context, &good, PCM_PYRAMID_INNER, 4, z_axis, &pyramid), "not along its axis");
    REFUSED(pcm_pyramid_make(context, &good, PCM_PYRAMID_INNER, 4, broken, &pyramid), "not along its axis");
    REFUSED(pcm_pyramid_make(context, &good, PCM_PYRAMID_INNER, 4, none, &pyramid), "not along its axis");
    REFUSED(pcm_pyramid_make(context, &smooth, PCM_PYRAMID_INNER, 4, x_axis, &pyramid), "above 0");
    assert_memory_equal(&cone, &good, sizeof cone);
    assert_memory_equal(&pyramid, &untouched, sizeof pyramid);
    pcm_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_as_the_table),
        cmocka_unit_test(pyramids_hold_what_the_table_says),
        cmocka_unit_test(weights_are_those_of_the_table),
        cmocka_unit_test(four_edges_are_those_of_the_document),
        cmocka_unit_test(areas_are_those_of_polygons),
        cmocka_unit_test(faces_and_edges_describe_one_pyramid),
        cmocka_unit_test(outer_pyramids_touch_the_cone),
        cmocka_unit_test(non_finite_forces_are_never_inside),
        cmocka_unit_test(zero_force_is_inside_but_not_stable),
        cmocka_unit_test(frictionless_cones_are_rays),
        cmocka_unit_test(a_circle_is_the_cone),
        cmocka_unit_test(margins_of_sets),
        cmocka_unit_test(polygons_of_sets),
        cmocka_unit_test(refusals_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
