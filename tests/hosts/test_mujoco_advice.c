/* SPDX-License-Identifier: MIT */
/* Warnings that are given once: objects that overlap at the start, and explicit steps that are too large. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <string.h>

#define BALL(height)                                                                                                   \
    "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><body name='Ball' pos='0 0 " height                      \
    "'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body></worldbody>"
#define LAW "ContactType C = CompliantGround { Stiffness = 1e6; Damping = 100; }; DefaultPair -> C;"

static void an_overlap_is_reported_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, BALL("0.05"), LAW);
    mj_forward(f.model, f.data);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0); /* it could still be eased */
    for (int episode = 0; episode < 2; episode++) {
        for (int i = 0; i < 20; i++)
            mj_step(f.model, f.data);
        mj_resetData(f.model, f.data);
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 1);
    assert_non_null(strstr(f.last, "'Floor' and 'Ball' overlap by 0.05 m"));
    fixture_close(&f);
}

static void small_overlaps_are_not_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, BALL("0.05"), LAW); /* eased */
    assert_int_equal(pcm_mujoco_ease(f.host, 0.1), PCM_OK);
    fixture_step(&f, 100);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0);
    fixture_close(&f);
    fixture_open(&f, BALL("0.09999"), LAW); /* at rest */
    fixture_step(&f, 100);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0);
    fixture_close(&f);
    fixture_open(&f, BALL("1"), LAW); /* a later impact */
    fixture_step(&f, 500);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0);
    fixture_close(&f);
}

/* A ball of 1 kg on a spring of 1e5 N/m and a damper of 20 N s/m. */
#define SPRUNG                                                                                                         \
    "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 20; Friction = 0; }; DefaultPair -> " \
    "C;"

/* During easing the depth grows while the ball rises. This gives energy to the ball, and no law is blamed; later faults
 * are reported. */
static void eased_contacts_are_not_warned_of(void **state)
{
    (void)state;
    for (int ledger = 0; ledger < 2; ledger++) {
        fixture        f;
        pcm_mujoco_def def = fixture_defaults();
        def.ledger = ledger;
        def.advise_step = false;
        fixture_open(&f, "<option timestep='5e-4'/>" BALL("0.09"), SPRUNG);
        pcm_mujoco_free(f.host);
        f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, &def);
        assert_int_equal(pcm_mujoco_ease(f.host, 0.1), PCM_OK);
        fixture_step(&f, 1000);
        assert_true(f.data->qpos[2] > 0.0997);
        assert_int_equal(f.n_codes, 0);
        f.data->qpos[2] = 0.2;
        f.model->opt.timestep = 0.009;
        fixture_step(&f, 100);
        assert_true(fixture_said(&f, PCM_MSG_ENERGY_CREATED) == 1 || !ledger);
        fixture_close(&f);
    }
}

static void the_stable_step_is_asked_for(void **state)
{
    (void)state;
    fixture              f;
    pcm_mujoco_stability found = {.size = sizeof found};
    fixture_open(&f, "<option timestep='1e-4'/>" BALL("1"), SPRUNG);
    fixture_step(&f, 1);
    assert_int_equal(pcm_mujoco_stable_step(f.host, NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_mujoco_stable_step(f.host, &found), PCM_OK);
    assert_true(isinf(found.step) && !found.a && !found.b && !found.type);
    f.data->qpos[2] = 0.0999;
    fixture_step(&f, 1);
    assert_int_equal(pcm_mujoco_stable_step(f.host, &found), PCM_OK);
    assert_near(found.step, 4 / (20 + sqrt(20 * 20 + 4e5)), 1e-6);
    assert_string_equal(found.a, "Floor");
    assert_string_equal(found.b, "Ball");
    assert_string_equal(pcm_type_get_info(found.type)->name, "C");
    f.model->opt.integrator = mjINT_RK4;
    assert_int_equal(pcm_mujoco_stable_step(f.host, &found), PCM_OK);
    assert_near(found.step, 1.39 * 4 / (20 + sqrt(20 * 20 + 4e5)), 1e-6);
    fixture_close(&f);
}

/* The slope of sqrt(depth) is infinite where a contact begins, but that does not limit the whole step. */
static void a_touch_that_begins_asks_for_no_short_step(void **state)
{
    (void)state;
    fixture              f;
    pcm_mujoco_stability found = {.size = sizeof found};
    fixture_open(&f, "<option timestep='1e-4'/>" BALL("0.0999999999"),
                 "ContactType C = CompliantGround { Stiffness = 1e6; Damping = 1e4; }; DefaultPair -> C;");
    f.data->qvel[2] = -1;
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(pcm_mujoco_stable_step(f.host, &found), PCM_OK);
    assert_string_equal(found.b, "Ball");
    assert_true(found.step > 0.01);
    fixture_close(&f);
}

/* In a loop of mj_step and with pcm_mujoco_step, before anything is thrown. */
static void a_large_step_is_reported_once(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        fixture f;
        fixture_open(&f, "<option timestep='0.007'/>" BALL("0.1"), SPRUNG);
        for (int i = 0; i < 20; i++) {
            own ? fixture_step(&f, 1) : mj_step(f.model, f.data);
            if (f.n_codes == 1) { /* before the energy shows it */
                assert_non_null(strstr(f.last, "the step of 0.007 s is too large"));
                assert_non_null(strstr(f.last, "'Floor' and 'Ball' (C)"));
                assert_non_null(strstr(f.last, "is stable up to 0.00613 s"));
            }
        }
        assert_int_equal(fixture_said(&f, PCM_MSG_STEP_LARGE), 1);
        assert_true(fabs(f.data->qpos[2]) < 1);
        fixture_close(&f);
    }
}

#if PCM_RELEASE >= 3013000
#define INTEGRATORS "Euler", "RK4", "discrete"
#else
#define INTEGRATORS "Euler", "RK4"
#endif

/* The warning suggests only what is possible: discrete has no implicit steps. */
static void the_advice_can_be_followed(void **state)
{
    (void)state;
    static const char *const integrators[] = {INTEGRATORS};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        char    scene[512];
        fixture f;
        (void)snprintf(scene, sizeof scene, "<option timestep='0.01' integrator='%s'/>" BALL("0.1"), integrators[i]);
        fixture_open(&f, scene, SPRUNG);
        for (int step = 0; step < 5 && f.n_codes == 0; step++)
            mj_step(f.model, f.data);
        assert_int_equal(fixture_said(&f, PCM_MSG_STEP_LARGE), 1);
        const bool advised = strstr(f.last, "call pcm_mujoco_implicit");
        const bool changes = strstr(f.last, "choose an integrator");
        assert_int_equal(pcm_mujoco_implicit(f.host, true) == PCM_OK, advised);
        assert_int_equal(changes, PCM_RELEASE_KNOWS_INERTIA && i == 2);
        f.model->opt.integrator = mjINT_EULER;
        assert_int_equal(pcm_mujoco_implicit(f.host, true) == PCM_OK, advised || changes);
        fixture_close(&f);
    }
}

static void a_good_step_is_not_told(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "<option timestep='0.006'/>" BALL("0.1"), SPRUNG);
    fixture_step(&f, 2000);
    assert_int_equal(fixture_said(&f, PCM_MSG_STEP_LARGE), 0);
    f.model->opt.timestep = 0.007; /* from now on */
    pcm_mujoco_def def = fixture_defaults();
    def.advise_step = false;
    pcm_mujoco_free(f.host);
    f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, &def);
    fixture_step(&f, 5);
    assert_int_equal(fixture_said(&f, PCM_MSG_STEP_LARGE), 0);
    fixture_close(&f);
    fixture_open(&f, "<option timestep='0.007'/>" BALL("0.1"), SPRUNG);
    if (pcm_mujoco_implicit(f.host, true) == PCM_OK)
        fixture_step(&f, 20);
    assert_int_equal(fixture_said(&f, PCM_MSG_STEP_LARGE), 0);
    fixture_close(&f);
}

/* Each of sixteen feet presses with a few weights; all together throw the body. */
static void contacts_of_a_body_are_judged_together(void **state)
{
    (void)state;
    char   scene[4096] = "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><body name='Table' pos='0 0 0.19'>"
                         "<freejoint/><geom type='box' size='1 1 0.05' pos='0 0 0.2' mass='1'/>";
    size_t used = strlen(scene);
    for (int i = 0; i < 16; i++)
        used += (size_t)snprintf(scene + used, sizeof scene - used,
                                 "<geom name='Foot%d' type='sphere' size='0.1' pos='%g %g -0.1' mass='1e-6'/>", i,
                                 0.5 * (i % 4), 0.5 * (i / 4));
    (void)snprintf(scene + used, sizeof scene - used, "</body></worldbody>");
    for (int strong = 0; strong < 2; strong++) { /* 16 contacts with 1 and with 4 times the weight */
        char    law[128];
        fixture f;
        (void)snprintf(law, sizeof law,
                       "ContactType C = KelvinVoigt { Stiffness = %g; Damping = 0; }; DefaultPair -> C;",
                       strong ? 4e3 : 1e3);
        fixture_open(&f, scene, law);
        fixture_step(&f, 2);
        assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), strong);
        fixture_close(&f);
    }
}

/* With pcm_mujoco_def.ease every start is eased, from the state in which it is first stepped. */
static void every_start_is_eased(void **state)
{
    (void)state;
    fixture        f;
    pcm_mujoco_def def = fixture_defaults();
    def.advise_step = false;
    def.ease = 0.1;
    fixture_open(&f, "<option timestep='5e-4'/>" BALL("0.3"), SPRUNG);
    pcm_mujoco_free(f.host);
    f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, &def);
    for (int episode = 0; episode < 3; episode++) {
        double highest = 0;
        mj_resetData(f.model, f.data);
        f.data->qpos[2] = 0.07; /* an evaluation before the positions are set */
        mj_forward(f.model, f.data);
        f.data->qpos[2] = episode == 1 ? 0.05 : 0.09;
        for (int i = 0; i < 1000; i++) {
            mj_step(f.model, f.data);
            highest = fmax(highest, f.data->qpos[2]);
        }
        assert_true(f.data->qpos[2] > 0.0997 && highest < 0.102);
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overlap_is_reported_once),
        cmocka_unit_test(small_overlaps_are_not_reported),
        cmocka_unit_test(contacts_of_a_body_are_judged_together),
        cmocka_unit_test(every_start_is_eased),
        cmocka_unit_test(eased_contacts_are_not_warned_of),
        cmocka_unit_test(the_stable_step_is_asked_for),
        cmocka_unit_test(a_touch_that_begins_asks_for_no_short_step),
        cmocka_unit_test(a_large_step_is_reported_once),
        cmocka_unit_test(the_advice_can_be_followed),
        cmocka_unit_test(a_good_step_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
