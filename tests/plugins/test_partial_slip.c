/* SPDX-License-Identifier: MIT */
/* PartialSlip behind Hertz' pressure: eight histories of load, shear, unloading and turning round, its two limits, and
 * what it loses. */
#include "law.h"

#include <math.h>
#include <stdio.h>
#include <reference.h>

static const double radius = 0.005, modulus = 37142857.14285714, shear = 7647058.823529412;

enum { STEPS = 20 }; /* of a row of the table; within a step the order of load and shift is lost */

typedef struct path {
    law    law;
    lanes  lanes;
    double depth, shift, work, heat, coldest;
} path;

static path path_open(int springs, double friction, double laid)
{
    const char *form = "ReducedShearModulus = %.17g; Springs = %d; Friction = %.17g; LayoutDepth = %.17g;";
    return (path){.law = law_open("PartialSlip", form, shear, springs, friction, laid), .lanes = lanes_open(1)};
}

static void path_close(path *p)
{
    lanes_close(&p->lanes);
    law_close(&p->law);
}

static double load_at(double depth) { return 4.0 / 3 * modulus * sqrt(radius) * pow(fmax(depth, 0), 1.5); }

/* To that depth, shifted along x and y, in steps of 1 s. */
static void go(path *p, double depth, double x, double y)
{
    const double down = (depth - p->depth) / STEPS;
    for (int k = 0; k < STEPS; k++) {
        p->depth = k + 1 < STEPS ? p->depth + down : depth;
        p->lanes.depth[0] = p->depth;
        p->lanes.slip_x[0] = x / STEPS;
        p->lanes.slip_y[0] = y / STEPS;
        p->lanes.more[LAW_MORE_contact_radius][0] = sqrt(radius * fmax(p->depth, 0));
        p->lanes.more[LAW_MORE_load_n][0] = load_at(p->depth);
        lanes_call(&p->law, PCM_UPDATE, &p->lanes, 0, 1, 1);
        lanes_commit(&p->lanes);
        p->work -= (p->lanes.force_x[0] * x + p->lanes.force_y[0] * y) / STEPS;
        p->heat += p->lanes.dissipation[0];
        p->coldest = fmin(p->coldest, p->lanes.dissipation[0]);
    }
}

/* The rows of the table's history from `first`: greatest error as a share of mu times the largest load. */
static double worst_of(const reference *t, size_t first, size_t end, int springs, double turned)
{
    double deepest = 0, worst = 0, shift = 0;
    for (size_t i = first; i < end; i++)
        deepest = fmax(deepest, reference_at(t, i, "depth"));
    const double friction = reference_at(t, first, "mu"), most = friction * load_at(deepest);
    path         p = path_open(springs, friction, deepest);
    for (size_t i = first; i < end; i++) {
        const double along = reference_at(t, i, "shift") - shift;
        shift += along;
        go(&p, reference_at(t, i, "depth"), cos(turned) * along, sin(turned) * along);
        const double held = -cos(turned) * p.lanes.force_x[0] - sin(turned) * p.lanes.force_y[0];
        const double across = sin(turned) * p.lanes.force_x[0] - cos(turned) * p.lanes.force_y[0];
        const double off = fabs(held - reference_at(t, i, "force_t")) / most;
        assert_true(
            near(p.lanes.more[LAW_MORE_load_n][0], reference_at(t, i, "force_n"), 1e-16, 1e-9)); /* it has 1e-10 */
        assert_true(fabs(across) <= 1e-12 * most && off <= 1);
        worst = fmax(worst, off);
    }
    assert_true(p.coldest >= 0);
    assert_true(near(p.work, p.heat + p.lanes.energy[0], 1e-9 * most * radius, 1e-9) || p.work > p.heat);
    path_close(&p);
    return worst;
}

static double worst_with(int springs, double turned)
{
    reference t = reference_open("partial_slip_histories.csv");
    double    worst = 0;
    for (size_t i = 0, end; i < t.rows; i = end) {
        for (end = i; end < t.rows && reference_at(&t, end, "history") == reference_at(&t, i, "history");)
            end++;
        worst = fmax(worst, worst_of(&t, i, end, springs, turned));
    }
    reference_close(&t);
    return worst;
}

static void follows_histories_that_turn_round(void **state)
{
    (void)state;
    const double eight = worst_with(8, 0), twelve = worst_with(12, 0), one = worst_with(1, 0);
    print_message("of mu N: 8 springs %.2g, 12 springs %.2g, one spring %.2g\n", eight, twelve, one);
    assert_true(eight < 0.006);
    assert_true(twelve < 0.0025);
    assert_true(one > 0.1);
    assert_true(near(worst_with(8, 0.7), eight, 1e-12, 0));
}

/* 8 G* a at the first touch of slip, mu N in the end, in any direction and number of springs, deeper than laid out too.
 */
static void begins_and_ends_as_spheres_do(void **state)
{
    (void)state;
    static const int    springs[] = {1, 2, 8, 12};
    static const double depths[] = {1e-7, 1e-6, 3e-6};
    for (size_t k = 0; k < 4; k++)
        for (size_t d = 0; d < 3; d++) {
            path         p = path_open(springs[k], 0.3, 1e-6);
            const double stiffness = 8 * shear * sqrt(radius * depths[d]), most = 0.3 * load_at(depths[d]);
            const double small = 1e-6 * most / stiffness;
            go(&p, depths[d], 0, 0);
            go(&p, depths[d], 0.6 * small, -0.8 * small);
            assert_true(near(-p.lanes.force_x[0], 0.6 * stiffness * small, 0, 1e-9));
            assert_true(near(p.lanes.force_y[0], 0.8 * stiffness * small, 0, 1e-9));
            go(&p, depths[d], 1e-3, 1e-3);
            assert_true(near(-p.lanes.force_x[0], most * sqrt(0.5), 0, 1e-6));
            assert_int_equal(p.lanes.mode[0], PCM_SLIPPING);
            go(&p, 0, 0, 0);
            assert_true(p.lanes.force_x[0] == 0 && p.lanes.energy[0] == 0);
            path_close(&p);
        }
}

/* A way that shakes load and shift at random and comes back never gives more than it took. */
static void never_gains_energy(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int k = 0; k < 50; k++) {
        path p = path_open(1 + k % 12, 0.5, 1e-6);
        for (int i = 0; i < 200; i++)
            go(&p, 1e-6 * (1 + noise(&seed)), 1e-7 * noise(&seed), 1e-7 * noise(&seed));
        go(&p, 0, 0, 0);
        assert_true(p.work > 0 && p.coldest >= 0);
        path_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_histories_that_turn_round),
        cmocka_unit_test(begins_and_ends_as_spheres_do),
        cmocka_unit_test(never_gains_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
