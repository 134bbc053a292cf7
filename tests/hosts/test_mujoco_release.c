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
    assert_non_null(strstr(f.last, "3.99.0"));
    assert_null(pcm_mujoco_load(f.context, "/nowhere"));
    pcm_mujoco_coverage coverage = {.size = sizeof coverage};
    assert_int_equal(pcm_mujoco_check(f.context, f.config, f.model, NULL, false, &coverage), PCM_BAD_HOST);
    assert_int_equal(fixture_said(&f, PCM_MSG_RELEASE), 3);
    pretended = mjVERSION_HEADER;
    fixture_close(&f);
}

static void a_later_release_is_refused_by_name(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, ball_scene, all_rule);
    pretended = PCM_RELEASE_LAST + 1;
    assert_null(pcm_mujoco_attach(f.context, f.config, f.model, f.data, NULL));
    assert_int_equal(fixture_said(&f, PCM_MSG_RELEASE), 1);
    assert_non_null(strstr(f.last, "up to " PCM_RELEASE_LAST_TEXT));
    pretended = mjVERSION_HEADER;
    fixture_close(&f);
}

#if PCM_RELEASE >= 3013000
/* A steady drop under the integrator discrete, and the word about what it cannot do. */
static void the_discrete_integrator_takes_explicit_steps(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='1e-3' integrator='discrete'/><worldbody>"
                 "<geom name='Ground' type='plane' size='1 1 1'/><body name='Leg' pos='0 0 0.5'>"
                 "<joint type='slide' axis='0 0 1' damping='3' stiffness='20'/>"
                 "<geom name='Foot' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 all_rule);
    f.data->qpos[0] = -0.4001;
    fixture_step(&f, 20000);
    assert_near(f.data->qpos[0], -0.4 + (20 * 0.4 - 9.81) / (10000 + 20), 1e-9); /* two springs and the weight */
    assert_int_equal(pcm_mujoco_implicit(f.host, true), PCM_BAD_ARGUMENT);
    assert_non_null(strstr(f.last, "under the integrator discrete"));
    f.model->opt.integrator = mjINT_EULER;
    assert_int_equal(pcm_mujoco_implicit(f.host, true), PCM_OK);
    f.model->opt.integrator = mjINT_DISCRETE; /* chosen later */
    assert_int_equal(pcm_mujoco_step(f.host), PCM_OK);
    assert_non_null(
        strstr(f.last, "steps are explicit in contacts: they cannot be implicit under the integrator discrete"));
    fixture_close(&f);
}
#endif

#if PCM_RELEASE >= 4000000
/* MuJoCo adds a contact ahead of the impact, of a pair that belongs to a law as of others. */
static void speculative_contacts_are_refused(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, ball_scene, all_rule);
    f.model->opt.enableflags |= mjENBL_SPECULATIVE;
    assert_int_equal(pcm_mujoco_step(f.host), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_step(f.host), PCM_BAD_HOST);
    assert_int_equal(fixture_said(&f, PCM_MSG_SPECULATIVE), 1);
    pcm_mujoco_free(f.host);
    f.host = NULL;
    pcm_mujoco_coverage coverage = {.size = sizeof coverage};
    assert_int_equal(pcm_mujoco_check(f.context, f.config, f.model, NULL, false, &coverage), PCM_BAD_ARGUMENT);
    for (int checks = 0; checks < 2; checks++) {
        pcm_mujoco_def def = pcm_mujoco_defaults();
        def.check_scene = checks;
        assert_null(pcm_mujoco_attach(f.context, f.config, f.model, f.data, &def));
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_SPECULATIVE), 4);
    f.model->opt.enableflags &= ~mjENBL_SPECULATIVE;
    f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, NULL);
    assert_non_null(f.host);
    fixture_step(&f, 1);
    fixture_close(&f);
    fixture_open(&f, ball_scene, "ContactType C = DefaultContact;\nDefaultPair -> C;\n"); /* without laws */
    f.model->opt.enableflags |= mjENBL_SPECULATIVE;
    fixture_step(&f, 1);
    fixture_close(&f);
}

static void fall(fixture *f, double plastic[2])
{
    mj_resetData(f->model, f->data);
    assert_true(f->data->plastic[0] == 0);
    f->data->qvel[0] = -10;
    for (int i = 0; i < 300; i++)
        mj_step(f->model, f->data);
    plastic[0] = f->data->plastic[0];
    plastic[1] = f->data->qpos[0];
}

/* A leg whose spring yields while it bounces: copies go on and resets begin again with the bits of the first run. */
static void plastic_springs_are_copied_and_reset(void **state)
{
    (void)state;
    fixture f;
    double  first[2], again[2];
    fixture_open(&f,
                 "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body name='Leg' pos='0 0 0.5'><joint type='slide' axis='0 0 1' stiffness='200' springyield='0.02'/>"
                 "<geom name='Foot' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 all_rule);
    assert_int_equal(f.model->nplastic, 1);
    fall(&f, first);
    assert_true(fabs(first[0]) > 0.1);
    fall(&f, again);
    assert_memory_equal(first, again, sizeof first);
    mjData *copy = mj_copyData(NULL, f.model, f.data);
    assert_int_equal(pcm_mujoco_fork(f.host, copy), PCM_OK);
    for (int i = 0; i < 300; i++) {
        mj_step(f.model, f.data);
        mj_step(f.model, copy);
    }
    assert_memory_equal(copy->plastic, f.data->plastic, sizeof *copy->plastic);
    assert_memory_equal(copy->qpos, f.data->qpos, sizeof *copy->qpos);
    mj_deleteData(copy);
    fixture_close(&f);
}
#endif

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
        cmocka_unit_test(a_later_release_is_refused_by_name),
#if PCM_RELEASE >= 3013000
        cmocka_unit_test(the_discrete_integrator_takes_explicit_steps),
#endif
#if PCM_RELEASE >= 4000000
        cmocka_unit_test(speculative_contacts_are_refused),
        cmocka_unit_test(plastic_springs_are_copied_and_reset),
#endif
        cmocka_unit_test(excluded_bodies_do_not_meet),
        cmocka_unit_test(native_contacts_need_no_room_in_the_model),
        cmocka_unit_test(scenes_of_today_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
