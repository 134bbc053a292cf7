/* SPDX-License-Identifier: MIT */
/* SpringContact, compared with a table and with its documented limits; and DefaultContact. */
#include "law.h"
#include "reference.h"

#include <math.h>

/* The table's e is the foot's position relative to its anchor, z outward: positive when pulled off. */
static void as_tabled(void **state)
{
    (void)state;
    reference t = reference_open("11_rise_springcontact.csv");
    law       l = law_open("SpringContact", "K = 1000; B = 10; X_Limit = 1000; Y_Limit = 1000; Z_Limit = 5;");
    lanes     c = lanes_open(1);
    for (size_t r = 0; r < t.rows; r++) {
        const double fx = reference_at(&t, r, "fx");
        c.state[0][0] = reference_at(&t, r, "ex");
        c.state[1][0] = reference_at(&t, r, "ey");
        c.depth[0] = -reference_at(&t, r, "ez");
        c.slip_x[0] = reference_at(&t, r, "vx");
        c.slip_y[0] = reference_at(&t, r, "vy");
        c.depth_rate[0] = -reference_at(&t, r, "vz");
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
        assert_true(near(c.force_x[0], fx, 0, 1e-15));
        assert_true(near(c.force_y[0], reference_at(&t, r, "fy"), 0, 1e-15));
        assert_true(near(c.force_n[0], reference_at(&t, r, "fz"), 0, 1e-15));
        if (fabs(fabs(fx) - 1000) > 1e-9) /* rounding decides there */
            assert_int_equal(c.life[0], reference_at(&t, r, "break") != 0 ? PCM_BROKEN : PCM_LIVE);
    }
    lanes_close(&c);
    law_close(&l);
    reference_close(&t);
}

/* The gap at which it breaks when pulled off from first touch: Z_Limit / K if slow, less by B v / K at 0.1 m/s. */
static double pull_off(const law *l, double speed, double *force)
{
    lanes        c = lanes_open(1);
    const double dt = 1e-6 / fmax(speed, 1e-3), first = 2e-4;
    c.depth[0] = first;
    lanes_call(l, PCM_ESTABLISH, &c, 0, 1, 0);
    lanes_commit(&c);
    c.depth_rate[0] = -speed;
    while (c.life[0] == PCM_LIVE) {
        c.depth[0] -= 1e-6;
        lanes_call(l, PCM_UPDATE, &c, 0, 1, dt);
        lanes_commit(&c);
    }
    *force = c.force_n[0];
    const double gap = first - c.depth[0];
    lanes_close(&c);
    return gap;
}

static void breaks_where_it_must(void **state)
{
    (void)state;
    double force;
    law    l = law_open("SpringContact", "K = 1000; B = 10; Z_Limit = 5;");
    assert_true(near(pull_off(&l, 0, &force), 5e-3, 1.1e-6, 0)); /* within a step of a micrometre */
    assert_true(force < -5 && force > -5.0011);                  /* the row that breaks has the force that broke it */
    assert_true(near(pull_off(&l, 0.1, &force), 4e-3, 1.1e-6, 0));
    assert_true(force < -5 && force > -5.0011);
    assert_true(near(law_derived(&l, "pull_off_gap", NAN, NAN), 5e-3, 0, 1e-15));
    assert_true(l.info->common->separation >
                5e-3); /* otherwise the host would stop reporting a contact that is about to break */
    law_close(&l);
}

static void saturates_instead(void **state)
{
    (void)state;
    law   l = law_open("SpringContact", "K = 1000; B = 0; X_Limit = 2; Z_Limit = 5; LimitMode = Saturate;");
    law   both = law_open("SpringContact", "K = 1000; B = 0; Z_Limit = 5; LimitMode = Saturate; SymmetricZ = true;");
    lanes c = lanes_open(1);
    c.depth[0] = -0.02;
    c.state[0][0] = -0.01;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(c.force_n[0] == -5 && c.force_x[0] == 2);
    assert_int_equal(c.life[0], PCM_LIVE);
    assert_int_equal(c.mode[0], PCM_SLIPPING);
    c.depth[0] = 0.02; /* pushing has no limit unless it is symmetric */
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(near(c.force_n[0], 20, 0, 1e-15));
    lanes_call(&both, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(c.force_n[0] == 5);
    lanes_close(&c);
    law_close(&l);
    law_close(&both);
}

/* The anchor is at first touch; the stretch is the slip since then, and the force is that at the end of the step. */
static void remembers_the_first_touch(void **state)
{
    (void)state;
    law   l = law_open("SpringContact", "K = 1000; B = 0;");
    lanes c = lanes_open(1);
    c.depth[0] = 3e-3;
    lanes_call(&l, PCM_ESTABLISH, &c, 0, 1, 0);
    lanes_commit(&c);
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 1e-3);
    assert_true(c.force_n[0] == 0 && c.force_x[0] == 0);
    c.slip_x[0] = 0.2;
    for (int i = 0; i < 10; i++) {
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, 1e-3);
        lanes_commit(&c);
    }
    assert_true(near(c.force_x[0], -2, 0, 1e-14));
    assert_true(near(c.energy[0], 0.5 * 1000 * 2e-3 * 2e-3, 0, 1e-14));
    assert_true(c.rate[0][0] == 0.2 && c.state[2][0] == 3e-3);
    lanes_close(&c);
    law_close(&l);
}

static void nan_is_never_hidden(void **state)
{
    (void)state;
    static const char *const modes[] = {"Break", "Saturate"};
    for (int i = 0; i < 2; i++) {
        law   l = law_open("SpringContact", "LimitMode = %s;", modes[i]);
        lanes c = lanes_open(3);
        c.depth[0] = c.depth_rate[1] = c.slip_y[2] = NAN;
        lanes_call(&l, PCM_UPDATE, &c, 0, 3, 0);
        assert_true(isnan(c.force_n[0]) && isnan(c.force_n[1]) && isnan(c.force_y[2]));
        lanes_close(&c);
        law_close(&l);
    }
}

static void default_contact_leaves_the_pair_to_the_host(void **state)
{
    (void)state;
    law   l = law_open("DefaultContact", "Error = 1e-3;");
    lanes c = lanes_open(1);
    c.depth[0] = 1;
    c.force_n[0] = 7;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(c.force_n[0] == 0);
    assert_true(l.info->model->flags & PCM_HOST_CONTACT);
    assert_true(l.info->common->separation == 1e-3);
    lanes_close(&c);
    law_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_tabled),           cmocka_unit_test(breaks_where_it_must),
        cmocka_unit_test(saturates_instead),   cmocka_unit_test(remembers_the_first_touch),
        cmocka_unit_test(nan_is_never_hidden), cmocka_unit_test(default_contact_leaves_the_pair_to_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
