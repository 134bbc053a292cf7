/* SPDX-License-Identifier: MIT */
/* SmoothSpringDamper, compared with tables computed with 50 digits, with its documented properties of friction and with
 * closed forms. */
#include "law.h"
#include "reference.h"

#include <math.h>

/* Forces agree to 1e-14: about twenty rounding errors of 1.1e-16 in law and table together. */
static const double close_to = 1e-14;

static void onset_as_tabled(void **state)
{
    (void)state;
    static const char *const shapes[] = {"Cubic", "Quintic"}, *const columns[] = {"fn_cubic", "fn_quintic"};
    reference t = reference_open("08_simscape_smooth_spring_damper.csv");
    for (size_t r = 0; r < t.rows; r++)
        for (int shape = 0; shape < 2; shape++) {
            law l =
                law_open("SmoothSpringDamper",
                         "Stiffness = %.17g; Damping = %.17g; TransitionRegionWidth = %.17g; Smoothing = %s;",
                         reference_at(&t, r, "k"), reference_at(&t, r, "b"), reference_at(&t, r, "w"), shapes[shape]);
            lanes c = lanes_open(1);
            c.depth[0] = reference_at(&t, r, "d");
            c.depth_rate[0] = reference_at(&t, r, "ddot");
            lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
            /* Spring and damper, 1000 N each, may cancel: their rounding leaves less than 1e-12 N. */
            assert_true(near(c.force_n[0], reference_at(&t, r, columns[shape]), 1e-12, close_to));
            lanes_close(&c);
            law_close(&l);
        }
    reference_close(&t);
}

/* Friction over normal force at a slip of x critical velocities. */
static double coefficient(const law *l, double x)
{
    lanes c = lanes_open(1);
    c.depth[0] = 1;
    c.slip_x[0] = x * 0x1p-10;
    lanes_call(l, PCM_UPDATE, &c, 0, 1, 0);
    const double mu = -c.force_x[0] / c.force_n[0];
    lanes_close(&c);
    return mu;
}

static law sliding(double mu_static, double mu_dynamic)
{
    return law_open("SmoothSpringDamper",
                    "CoefficientOfStaticFriction = %.17g; CoefficientOfDynamicFriction = %.17g; CriticalVelocity = "
                    "0.0009765625; Stiffness = 1048576; Damping = 0;",
                    mu_static, mu_dynamic);
}

static void friction_as_tabled(void **state)
{
    (void)state;
    reference t = reference_open("09_stick_slip_mu.csv");
    for (size_t r = 0; r < t.rows; r++) {
        law          l = sliding(reference_at(&t, r, "mu_s"), reference_at(&t, r, "mu_d"));
        const double x = reference_at(&t, r, "v_over_vc"), mu = reference_at(&t, r, "mu_recommended_C2");
        /* Far beyond the critical velocity g - h and the exponent's argument add a few rounding errors. */
        assert_true(near(coefficient(&l, x), mu, 0, 1e-13));
        assert_true(near(coefficient(&l, -x), -mu, 0, 1e-13));
        law_close(&l);
    }
    reference_close(&t);
}

static void friction_keeps_its_promises(void **state)
{
    (void)state;
    law l = sliding(0.5, 0.3);
    assert_true(coefficient(&l, 1) == 0.5); /* exactly */
    assert_true(coefficient(&l, 0) == 0);
    const double rounding = 4e-16;
    double       before = 0.5;
    for (int i = 1; i <= 2000; i++) {
        const double below = coefficient(&l, 1 - 5e-4 * i), above = coefficient(&l, 1 + 5e-3 * i);
        assert_true(below >= 0 && below < 0.5);
        assert_true(above >= 0.3 * (1 - rounding) && above <= before * (1 + rounding));
        before = above;
    }
    assert_true(near(before, 0.3, 0, 1e-12)); /* at x = 11, h is below 1e-24 */
    assert_true(near((coefficient(&l, 1 + 1e-5) - coefficient(&l, 1 - 1e-5)) / 2e-5, 0, 1e-9, 0)); /* flat at the top */
    law_close(&l);

    l = sliding(0.2, 0.6); /* unusual, but never negative, and still exact at the critical velocity */
    assert_true(coefficient(&l, 1) == 0.2);
    for (int i = 1; i <= 3000; i++)
        assert_true(coefficient(&l, 2e-3 * i) >= 0);
    law_close(&l);
}

/* Speeds at which friction balances gravity on a slope of 1 to 4. */
static void creep_on_a_slope(void **state)
{
    (void)state;
    law   l = law_open("SmoothSpringDamper", "Damping = 0;");
    lanes c = lanes_open(1);
    c.depth[0] = 1e-3;
    c.slip_x[0] = 2.95403798080446e-4; /* printed with 15 digits */
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(near(c.force_x[0] / c.force_n[0], -0.25, 0, 5e-15));
    lanes_close(&c);
    law_close(&l);
}

static void methods_as_tabled(void **state)
{
    (void)state;
    reference t = reference_open("10_simscape_contact.csv");
    for (size_t r = 0; r < t.rows; r++) {
        law   l = law_open("SmoothSpringDamper", "NormalMethod = %s; FrictionMethod = %s;",
                           reference_word(&t, r, "normal_method"), reference_word(&t, r, "friction_method"));
        lanes c = lanes_open(1);
        c.depth[0] = reference_at(&t, r, "d");
        c.depth_rate[0] = reference_at(&t, r, "ddot");
        c.slip_x[0] = reference_at(&t, r, "vx");
        c.slip_y[0] = reference_at(&t, r, "vy");
        c.host_inputs[0][0] = reference_at(&t, r, "fn_in");
        c.host_inputs[1][0] = reference_at(&t, r, "ffx_in");
        c.host_inputs[2][0] = reference_at(&t, r, "ffy_in");
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
        assert_true(near(c.force_n[0], reference_at(&t, r, "fn"), 0, close_to));
        assert_true(near(c.force_x[0], reference_at(&t, r, "ffx"), 0, 1e-13));
        assert_true(near(c.force_y[0], reference_at(&t, r, "ffy"), 0, 1e-13));
        lanes_close(&c);
        law_close(&l);
    }
    reference_close(&t);
}

/* Inputs that a method does not read may have any values. */
static void unread_inputs_do_not_matter(void **state)
{
    (void)state;
    law   l = law_open("SmoothSpringDamper", "Damping = 0;");
    lanes c = lanes_open(1);
    c.depth[0] = 1e-3;
    c.slip_x[0] = 1;
    c.host_inputs[0][0] = c.host_inputs[1][0] = c.host_inputs[2][0] = NAN;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(near(c.force_n[0], 1000, 0, close_to) && near(c.force_x[0], -300, 0, close_to) && c.force_y[0] == 0);
    lanes_close(&c);
    law_close(&l);
}

/* ---- Closed forms ----------------------------------------------------------------------------------------------- */

static void static_depths(void **state)
{
    (void)state;
    law cubic = law_open("SmoothSpringDamper", "Smoothing = Cubic;");
    law quintic = law_open("SmoothSpringDamper", "Smoothing = Quintic;");
    assert_true(near(law_derived(&cubic, "compression", 9.81, NAN), 3.4932420382535273e-5, 0, 1e-15));
    assert_true(near(law_derived(&quintic, "compression", 9.81, NAN), 3.6920013091456458e-5, 0, 1e-15));
    assert_true(near(law_derived(&cubic, "compression", 200, NAN), 2e-4, 0, 1e-15));
    law_close(&cubic);
    law_close(&quintic);
}

/* 1 kg at 1 m/s without damping reverses where the spring has all of its energy; on the way the energy column is
 * checked to be the integral of the force. */
static void deepest_point(void **state)
{
    (void)state;
    static const char *const shapes[] = {"Cubic", "Quintic"};
    static const double      deepest[] = {0.0010014988766843426, 0.0010014275524755362};
    for (int i = 0; i < 2; i++) {
        law   l = law_open("SmoothSpringDamper", "Damping = 0; Smoothing = %s;", shapes[i]);
        lanes c = lanes_open(1);
        c.depth[0] = deepest[i];
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
        assert_true(near(c.energy[0], 0.5, 0, 1e-14));
        double work = 0;
        for (int step = 0; step < 10000; step++) { /* midpoints: their error is of order 1e-8 */
            c.depth[0] = deepest[i] * (step + 0.5) / 10000;
            lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
            work += c.force_n[0] * deepest[i] / 10000;
        }
        assert_true(near(work, 0.5, 0, 1e-6));
        lanes_close(&c);
        law_close(&l);
    }
}

static void never_pulls_and_never_hides_nan(void **state)
{
    (void)state;
    law      l = law_open("SmoothSpringDamper", "Stiffness = 1e5;");
    lanes    c = lanes_open(1);
    uint64_t seed = 7;
    for (int i = 0; i < 1000; i++) {
        c.depth[0] = 1e-3 * noise(&seed);
        c.depth_rate[0] = noise(&seed);
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
        assert_true(c.force_n[0] >= 0);
        assert_true((c.event[1][0] > 0) == (c.force_n[0] > 0));
    }
    c.depth[0] = NAN;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(isnan(c.force_n[0]));
    c.depth[0] = 1e-3;
    c.slip_x[0] = NAN;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(isnan(c.force_x[0]));
    lanes_close(&c);
    law_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onset_as_tabled),
        cmocka_unit_test(friction_as_tabled),
        cmocka_unit_test(friction_keeps_its_promises),
        cmocka_unit_test(creep_on_a_slope),
        cmocka_unit_test(methods_as_tabled),
        cmocka_unit_test(unread_inputs_do_not_matter),
        cmocka_unit_test(static_depths),
        cmocka_unit_test(deepest_point),
        cmocka_unit_test(never_pulls_and_never_hides_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
