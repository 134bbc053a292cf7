/* SPDX-License-Identifier: MIT */
/* A contact stays the same contact from step to step, although the order of MuJoCo's points changes. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"

static const char slide_rule[] =
    "ContactType C = CompliantGround { Stiffness = 1e6; Damping = 2000; Friction = 0.1 };\n"
    "ObjectPair Ground * Body -> C;\n";

/* A box is pushed and turned over a box for 20000 steps: four corners, four contacts, none of them new. */
static void sliding_keeps_four_contacts(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='5e-4'/><worldbody><geom name='Ground' type='box' size='5 5 0.1'/>"
                 "<body pos='0 0 0.1499'><freejoint/><geom name='Body' type='box' size='0.1 0.1 0.05' mass='1'/></body>"
                 "</worldbody>",
                 slide_rule);
    for (int i = 0; i < 20000; i++) {
        const double angle = i * 1e-3; /* the direction of the push rotates, so that the order of the list changes */
        f.data->xfrc_applied[6] = 1.5 * cos(angle);
        f.data->xfrc_applied[7] = 1.5 * sin(angle);
        f.data->xfrc_applied[11] = 0.02;
        fixture_step(&f, 1);
    }
    assert_true(fabs(f.data->qpos[0]) > 0.1 && fabs(f.data->qpos[3]) < 0.99); /* it did slide and turn */
    assert_int_equal(fixture_made(&f), 4);
    assert_int_equal(fixture_live(&f), 4);
    fixture_close(&f);
}

/* From 3.8 on MuJoCo finds several points by default. */
#if PCM_RELEASE >= 3008000
#define SINGLE_POINTS "<flag multiccd='disable'/>"
#else
#define SINGLE_POINTS
#endif

/* MuJoCo's single point of a convex pair jumps over the patch by half the body's size: it remains one contact. */
static void single_points_of_convex_pairs_are_one_contact(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='5e-4'>" SINGLE_POINTS "</option><worldbody>"
                 "<geom name='Ground' type='box' size='5 5 0.1'/>"
                 "<body pos='0 0 0.1999'><freejoint/><geom name='Body' type='cylinder' size='0.1 0.1' mass='1'/></body>"
                 "</worldbody>",
                 "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 100; Friction = 0 };\n"
                 "ObjectPair Ground * Body -> C;\n");
    fixture_use_engine_pairs(&f);
    fixture_step(&f, 2000);
    assert_int_equal(fixture_made(&f), 1);
    assert_int_equal(fixture_live(&f), 1);
    fixture_close(&f);
}

/* MuJoCo tests a plane in a static child body twice with each geom; contacts of laws are counted once. */
static void planes_in_static_bodies_count_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='1e-3'/><worldbody><body name='Floor'>"
                 "<geom name='Ground' type='plane' size='1 1 1'/></body>"
                 "<body pos='0 0 0.0999'><freejoint/><geom name='Body' type='box' size='0.1 0.1 0.1' mass='1'/></body>"
                 "</worldbody>",
                 slide_rule);
    for (int i = 0; i < 200; i++) {
        fixture_step(&f, 1);
        assert_true(fixture_live(&f) <= 4);
    }
    assert_int_equal(fixture_live(&f), 4);
    assert_int_equal(fixture_made(&f), 4);
    fixture_close(&f);
}

/* The model's maximum of contacts limits only MuJoCo's own. */
static void nconmax_is_no_limit(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<size nconmax='2'/><option timestep='1e-3'/><worldbody>"
                 "<geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.0999'><freejoint/><geom name='Body' type='box' size='0.1 0.1 0.1' mass='1'/></body>"
                 "</worldbody>",
                 slide_rule);
    fixture_step(&f, 10);
    assert_int_equal(fixture_live(&f), 4);
    fixture_close(&f);
}

/* A spring that adheres is reported over its gap until the pull breaks it, and not again before the objects have
 * separated. */
static void pulling_contacts_live_over_the_gap(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='5e-4' gravity='0 0 0'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.1'><joint type='slide' axis='0 0 1'/>"
                 "<geom name='Body' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 "ContactType C = SpringContact { K = 1000; B = 100; Z_Limit = 5 };\nObjectPair Ground * Body -> C;\n");
    double pull = 0;
    for (; fixture_live(&f) == 1 || pull == 0; pull += 1e-3) {
        f.data->xfrc_applied[8] = pull;
        fixture_step(&f, 1);
        assert_true(pull < 6);
    }
    assert_near(pull, 5, 0.05); /* the slow ramp leads the spring by the damper's lag */
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(pcm_mujoco_world(f.host), 0, &stats), PCM_OK);
    assert_int_equal(stats.made, 1);
    assert_int_equal(stats.broken, 1);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_keeps_four_contacts),
        cmocka_unit_test(single_points_of_convex_pairs_are_one_contact),
        cmocka_unit_test(planes_in_static_bodies_count_once),
        cmocka_unit_test(nconmax_is_no_limit),
        cmocka_unit_test(pulling_contacts_live_over_the_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
