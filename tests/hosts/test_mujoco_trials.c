/* SPDX-License-Identifier: MIT */
/* Evaluations other than steps have no lasting effect; errors and other threads do no harm; orders of convergence under
 * RK4. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void trials_leave_no_trace(void **state)
{
    (void)state;
    fixture plain, tried;
    fixture_open(&plain, fixture_box_scene, fixture_box_rules);
    fixture_open(&tried, fixture_box_scene, fixture_box_rules);
    mjData   *copy = mj_makeData(tried.model);
    const int n = 2 * (int)tried.model->nv;
    double   *slope = calloc((size_t)(n * n), sizeof *slope);
    assert_non_null(slope);
    for (int i = 0; i < 400; i++) {
        fixture_push(&plain, i);
        fixture_push(&tried, i);
        mj_copyData(copy, tried.model, tried.data);
        copy->qvel[0] += 0.1;
        for (int k = 0; k < 3; k++)
            mj_step(tried.model, copy);
        mjd_transitionFD(tried.model, tried.data, 1e-6, 1, slope, NULL, NULL, NULL);
        assert_int_equal(pcm_mujoco_forward(tried.host), PCM_OK);
        mj_kinematics(plain.model, plain.data); /* normalises quaternions again, to the last bit */
        fixture_step(&plain, 1);
        fixture_step(&tried, 1);
        assert_memory_equal(plain.data->qpos, tried.data->qpos, (size_t)plain.model->nq * sizeof(double));
        assert_memory_equal(plain.data->qvel, tried.data->qvel, (size_t)plain.model->nv * sizeof(double));
        assert_memory_equal(plain.data->xfrc_applied, tried.data->xfrc_applied, 12 * sizeof(double));
    }
    assert_int_equal(fixture_made(&tried), 4);
    free(slope);
    mj_deleteData(copy);
    fixture_close(&plain);
    fixture_close(&tried);
}

/* The matrix of mjd_transitionFD is that of a step with contacts: with it the step from a nearby state is predicted. */
static void transition_matrix_has_the_contacts(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    fixture_step(&f, 400);
    const int n = 2 * (int)f.model->nv;
    double   *slope = calloc((size_t)(n * n), sizeof *slope);
    assert_non_null(slope);
    mjd_transitionFD(f.model, f.data, 1e-7, 1, slope, NULL, NULL, NULL);
    const int    z = 2;
    mjData      *copy = mj_copyData(NULL, f.model, f.data), *moved = mj_copyData(NULL, f.model, f.data);
    const double shift = 1e-7;
    moved->qpos[z] += shift;
    mj_step(f.model, copy);
    mj_step(f.model, moved);
    const double slope_of_vz = (moved->qvel[z] - copy->qvel[z]) / shift;
    assert_true(slope_of_vz < -1); /* the ground pushes back */
    assert_near(slope[(f.model->nv + z) * n + z], slope_of_vz, 1e-3);
    free(slope);
    mj_deleteData(copy);
    mj_deleteData(moved);
    fixture_close(&f);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static void fail_in_engine(const mjModel *model, mjData *data)
{
    (void)model;
    if (data->time > 0.002)
        mju_error("made up");
}

static void engine_errors_are_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    mjcb_control = fail_in_engine;
    pcm_status status = PCM_OK;
    for (int i = 0; i < 10 && status == PCM_OK; i++)
        status = pcm_mujoco_step(f.host);
    mjcb_control = NULL;
    assert_int_equal(status, PCM_BAD_HOST);
    assert_int_equal(fixture_said(&f, PCM_MSG_SIMULATOR), 1);
    assert_string_equal(f.last, "MuJoCo: made up");
    fixture_close(&f);
}

static void nothing(const mjModel *model, mjData *data)
{
    (void)model;
    (void)data;
}

static void a_lost_callback_is_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    const mjfGeneric ours = mjcb_passive;
    mjcb_passive = nothing;
    assert_int_equal(pcm_mujoco_step(f.host), PCM_BAD_HOST);
    assert_int_equal(fixture_said(&f, PCM_MSG_CALLBACK_LOST), 1);
    mjcb_passive = ours;
    fixture_close(&f);
}

static void instability_is_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    f.data->qvel[2] = NAN;
    assert_int_equal(pcm_mujoco_step(f.host), PCM_BAD_MOTION);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSTABLE), 1);
    fixture_close(&f);
}

static void scenes_that_cannot_be_read_are_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    assert_null(pcm_mujoco_load(f.context, "/nowhere/scene.xml"));
    assert_int_equal(fixture_said(&f, PCM_MSG_SCENE), 1);
    fixture_close(&f);
}

/* Loads a scene with that option; returns what was said. */
static const char *said_of_option(fixture *f, const char *option)
{
    char      path[] = "/tmp/pcm-scene-XXXXXX.xml";
    const int number = mkstemps(path, 4);
    assert_true(number >= 0);
    FILE *file = fdopen(number, "w");
    assert_non_null(file);
    fprintf(file, "<mujoco><option %s/><worldbody><geom size='1'/></worldbody></mujoco>", option);
    fclose(file);
    assert_null(pcm_mujoco_load(f->context, path));
    unlink(path);
    return f->last;
}

/* A word that this release does not know may be of a later one. */
static void unknown_words_are_laid_to_the_release(void **state)
{
    (void)state;
    fixture f;
    char    release[64];
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    (void)snprintf(release, sizeof release, "MuJoCo %s does not know it", mj_versionString());
    assert_non_null(strstr(said_of_option(&f, "integrator='splendid'"), release));
    assert_non_null(strstr(said_of_option(&f, "splendour='1'"), release));
    assert_null(strstr(said_of_option(&f, "timestep='one'"), release));
    fixture_close(&f);
}

/* ---- Order of convergence ---------------------------------------------------------------------------------------- */

/* A ball held by springs swings sideways and vertically in its dent: exact solutions of two damped oscillators. */
static double swing_error(const char *integrator, double step)
{
    char scene[512];
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='%.17g' gravity='0 0 0' integrator='%s'/><worldbody>"
                   "<geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.1'>"
                   "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
                   "<geom name='Body' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                   step, integrator);
    fixture f;
    fixture_open(
        &f, scene,
        "ContactType C = SpringContact { K = 1000; B = 10; Z_Limit = 1000 };\nObjectPair Ground * Body -> C;\n");
    /* The springs exist from the first commit on, and the displacement starts there. */
    fixture_step(&f, 1);
    f.data->qpos[0] = f.data->qpos[1] = 0;
    f.data->qvel[0] = 0.1;
    f.data->qvel[1] = 0;
    fixture_step(&f, (int)lround(0.4 / step));
    const double damping = 5, pace = sqrt(1000 - damping * damping);
    const double exact = 0.1 / pace * exp(-damping * 0.4) * sin(pace * 0.4);
    const double error = fabs(f.data->qpos[0] - exact);
    fixture_close(&f);
    return error;
}

static void rk4_is_of_order_four(void **state)
{
    (void)state;
    const double coarse = swing_error("RK4", 4e-3), fine = swing_error("RK4", 1e-3);
    assert_near(log2(coarse / fine) / 2, 4, 0.05);
    assert_true(fine < 1e-9);
}

static void euler_is_of_order_one(void **state)
{
    (void)state;
    const double coarse = swing_error("Euler", 4e-4), fine = swing_error("Euler", 1e-4);
    assert_near(log2(coarse / fine) / 2, 1, 0.1);
    const double implicit = swing_error("implicit", 4e-4), finer = swing_error("implicit", 1e-4);
    assert_near(log2(implicit / finer) / 2, 1, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trials_leave_no_trace),
        cmocka_unit_test(transition_matrix_has_the_contacts),
        cmocka_unit_test(engine_errors_are_reported),
        cmocka_unit_test(a_lost_callback_is_reported),
        cmocka_unit_test(instability_is_reported),
        cmocka_unit_test(scenes_that_cannot_be_read_are_reported),
        cmocka_unit_test(unknown_words_are_laid_to_the_release),
        cmocka_unit_test(rk4_is_of_order_four),
        cmocka_unit_test(euler_is_of_order_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
