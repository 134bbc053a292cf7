/* SPDX-License-Identifier: MIT */
/* Differences between MuJoCo's releases: the library itself, exclusions, room for contacts, elements of scenes. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <string.h>

/* Overrides the function of MuJoCo's library. */
static int     pretended = mjVERSION_HEADER;
PCM_EXPORT int mj_version(void) { return pretended; }

static const char ball_scene[] = "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                                 "<body name='Ball' pos='0 0 0.0999'><freejoint/><geom type='sphere' size='0.1' "
                                 "mass='1'/></body></worldbody>";
static const char all_rule[] = "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 100;\n"
                               "                                     Friction = 0.5; TanhRate = 1000 };\n"
                               "DefaultPair -> C;\n";

static void the_library_of_another_release_is_refused(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, ball_scene, all_rule);
    pretended = 3099000;
    assert_null(pcm_mujoco_attach(f.context, f.config, f.model, f.data, NULL));
    assert_int_equal(fixture_said(&f, PCM_MSG_RELEASE), 1);
    assert_non_null(strstr(f.last, "3099000"));
    assert_null(pcm_mujoco_load(f.context, "/nowhere"));
    pcm_mujoco_coverage coverage = {.size = sizeof coverage};
    assert_int_equal(pcm_mujoco_check(f.context, f.config, f.model, NULL, false, &coverage), PCM_BAD_HOST);
    assert_int_equal(fixture_said(&f, PCM_MSG_RELEASE), 3);
    pretended = mjVERSION_HEADER;
    fixture_close(&f);
}

/* Exclusions are numbered differently from 3.0 on. */
static void excluded_bodies_do_not_meet(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body name='A' pos='0 0 0.1'><freejoint/><geom type='sphere' size='0.1'/></body>"
                 "<body name='B' pos='0.15 0 0.1'><freejoint/><geom type='sphere' size='0.1'/></body>"
                 "<body name='C' pos='0.3 0 0.1'><freejoint/><geom type='sphere' size='0.1'/></body></worldbody>"
                 "<contact><exclude body1='A' body2='B'/><exclude body1='C' body2='B'/></contact>",
                 all_rule);
    pcm_mujoco_coverage coverage = {.size = sizeof coverage};
    assert_int_equal(pcm_mujoco_check(f.context, f.config, f.model, NULL, false, &coverage), PCM_OK);
    assert_int_equal(coverage.pairs, 4); /* three with the ground, and A with C */
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(fixture_live(&f), 3);
    assert_int_equal(f.data->nefc, 0); /* MuJoCo has no contact either */
    fixture_close(&f);
}

/* From 2.3 on the model does not give its maximum of contacts. */
static void native_contacts_need_no_room_in_the_model(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, ball_scene, "ContactType C = DefaultContact;\nDefaultPair -> C;\n");
    fixture_step(&f, 10);
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_mujoco_rule_stats(f.host, 0, &stats), PCM_OK);
    assert_int_equal(stats.made, 1);
    fixture_close(&f);
}

/* Frames, replicas, the fast implicit integrator, and a soft body nearby. */
static void scenes_of_today_run(void **state)
{
    (void)state;
#if PCM_RELEASE < 3002000
    skip();
#endif
    fixture f;
    fixture_open(
        &f,
        "<option timestep='1e-3' integrator='implicitfast'/><worldbody>"
        "<geom name='Ground' type='plane' size='5 5 1'/>"
        "<frame pos='0 0 0.0999'><body name='Ball'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body></frame>"
        "<replicate count='3' offset='0.3 0 0'><body name='Box' pos='0.5 0 0.0999'><freejoint/>"
        "<geom name='Side' type='box' size='0.1 0.1 0.1' mass='1'/></body></replicate>"
        "<flexcomp name='Cloth' type='grid' count='4 4 1' spacing='0.05 0.05 0.05' mass='0.1' radius='0.01' "
        "pos='0 2 0.1' dim='2'/></worldbody>",
        "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 100; Friction = 0 };\n"
        "ObjectPair Ground * Ball -> C;\nObjectPair Ground * \"Side*\" -> C;\n");
    fixture_step(&f, 2000);
    assert_int_equal(fixture_live(&f), 1 + 3 * 4);
    assert_near(f.data->qpos[2], 0.1 - 9.81 / 10000, 1e-6);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_of_another_release_is_refused),
        cmocka_unit_test(excluded_bodies_do_not_meet),
        cmocka_unit_test(native_contacts_need_no_room_in_the_model),
        cmocka_unit_test(scenes_of_today_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
