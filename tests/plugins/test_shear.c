/* SPDX-License-Identifier: MIT */
/* The sets of tangential forces that laws declare: none of a law's forces is outside its set, and slip in the right
 * directions reaches every limit. */
#include "law.h"

#include <math.h>
#include <stdio.h>
#include <pcm/cone.h>

static const double dt = 1e-4;

typedef struct reached {
    double outside; /* N, the greatest distance of a force outside its set */
    double least, most, across;
} reached;

/* 20000 contacts, each with its own motion, stretch and axis. The shares of the limits that they reach count only if
 * the set has room for at least 1 mN. */
static reached reach(const law *l, bool pulled, const char *axis_of)
{
    enum { CONTACTS = 20000 };
    lanes    c = lanes_open(CONTACTS);
    uint64_t seed = 7;
    for (size_t i = 0; i < CONTACTS; i++) {
        const double turn = 3.2 * noise(&seed);
        c.depth[i] = (pulled ? 5e-3 : 1e-3) * noise(&seed);
        c.depth_rate[i] = 0.1 * noise(&seed);
        c.slip_x[i] = noise(&seed);
        c.slip_y[i] = noise(&seed);
        c.state[0][i] = 0.01 * noise(&seed);
        c.state[1][i] = 0.01 * noise(&seed);
        c.more[LAW_MORE_load_n][i] = 10 * noise(&seed);
        c.more[axis_of[0] == 'b' ? LAW_MORE_base_axis_x : LAW_MORE_follower_axis_x][i] = cos(turn);
        c.more[axis_of[0] == 'b' ? LAW_MORE_base_axis_y : LAW_MORE_follower_axis_y][i] = sin(turn);
    }
    lanes_call(l, PCM_UPDATE, &c, 0, CONTACTS, dt);
    reached r = {0};
    for (size_t i = 0; i < CONTACTS; i++) {
        const bool   base = axis_of[0] == 'b';
        const double ex = c.more[base ? LAW_MORE_base_axis_x : LAW_MORE_follower_axis_x][i];
        const double ey = c.more[base ? LAW_MORE_base_axis_y : LAW_MORE_follower_axis_y][i];
        const double along = ex * c.force_x[i] + ey * c.force_y[i], across = ex * c.force_y[i] - ey * c.force_x[i];
        const bool   part = l->info->model->inputs & PCM_LOAD;
        pcm_shear    set = {.size = sizeof set};
        assert_true(pcm_type_shear(l->type, part ? c.more[LAW_MORE_load_n][i] : c.force_n[i], &set));
        assert_int_equal(set.axis, base ? PCM_SHEAR_BASE : PCM_SHEAR_FOLLOWER);
        r.outside = fmax(r.outside, -pcm_shear_margin(&set, along, across));
        if (set.most > 1e-3)
            r.most = fmax(r.most, along / set.most);
        if (set.least < -1e-3)
            r.least = fmax(r.least, along / set.least);
        if (set.across > 1e-3)
            r.across = fmax(r.across, fabs(across) / set.across);
    }
    lanes_close(&c);
    return r;
}

static void assert_reached(reached r)
{
    if (!(r.outside < 1e-13 && r.most > 0.999 && r.least > 0.999 && r.across > 0.999))
        fail_msg("outside by %g N; reached %g, %g and %g of the limits", r.outside, r.least, r.most, r.across);
}

static void ellipses(void **state)
{
    (void)state;
    static const char *const rules[] = {"Associated", "Collinear"};
    static const char *const sides[] = {"Follower", "Base"};
    for (size_t i = 0; i < 2; i++) {
        law l = law_open("AnisotropicFriction", "SlidingRule = %s; Side = %s;", rules[i], sides[i]);
        assert_reached(reach(&l, false, i == 1 ? "base" : "follower"));
        pcm_shear set = {.size = sizeof set};
        assert_true(pcm_type_shear(l.type, 10, &set));
        assert_true(set.least == -2 && set.most == 5 && set.across == 7 && set.shape == PCM_SHEAR_ELLIPSE);
        law_close(&l);
    }
}

/* 10 N of shear allow 10 tan 30 degrees of pull; half that pull needs half the shear. */
static void toes(void **state)
{
    (void)state;
    law l = law_open("FrictionalAdhesion", "Damping = 5;");
    assert_reached(reach(&l, true, "follower"));
    const double most = law_derived(&l, "pull_off", 0, 0);
    pcm_shear    set = {.size = sizeof set};
    assert_true(pcm_type_shear(l.type, -0.5 * most, &set));
    assert_true(fabs(set.most + 5) < 1e-14 && set.least == -10 && set.across == 0);
    assert_true(pcm_type_shear(l.type, -1.001 * most, &set) && set.least > set.most);
    assert_true(pcm_type_shear(l.type, 100, &set));
    assert_true(set.least == -50 && set.most == 50 && set.across == 50 && set.shape == PCM_SHEAR_BOX);
    law_close(&l);
}

static void round_cones_have_none(void **state)
{
    (void)state;
    law       l = law_open("CompliantGround", " ");
    pcm_shear set = {.size = sizeof set, .most = 3};
    assert_false(pcm_type_shear(l.type, 10, &set));
    assert_true(set.most == 3);
    law_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipses),
        cmocka_unit_test(toes),
        cmocka_unit_test(round_cones_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
