/* SPDX-License-Identifier: MIT */
/* Geoms whose surface moves: by the file's material, by a call, and by the model. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <string.h>

#define RULES                                                                                                          \
    "ContactType Carry = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e4; Damping = 100; Dahl.Stiffness = 1e4; "      \
    "Friction = 0.6; };\nObjectPair Belt * Parcel -> Carry;\n"
#define CONVEYOR RULES "Material Conveyor { SurfaceVelocity = (0.3, 0, 0) [m/s]; };\nSurface Conveyor = Belt;\n"

/* A parcel at rest on a fixed belt. belt: further attributes of its geom. */
static void open_belt(fixture *f, const char *belt, const char *rules)
{
    char scene[2048];
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='0.0005'/><worldbody>"
                   "<geom name='Belt' type='box' size='3 1 0.02' pos='0 0 -0.02' %s/>"
                   "<body name='Parcel' pos='0 0 0.0495'><freejoint/>"
                   "<geom name='Parcel' type='box' size='0.1 0.1 0.05' mass='2'/></body></worldbody>",
                   belt);
    fixture_open(f, scene, rules);
}

static void steps(fixture *f, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(pcm_mujoco_step(f->host), PCM_OK);
}

/* Of the parcel's centre over the belt: sliding at first, then with it, v t - v^2 / (2 mu g). */
static void a_belt_carries_a_parcel(void **state)
{
    (void)state;
    for (int implicit = 0; implicit < 2; implicit++) {
        fixture f;
        open_belt(&f, "", CONVEYOR);
        if (implicit)
            assert_int_equal(pcm_mujoco_implicit(f.host, true), PCM_OK);
        steps(&f, 2000);
        assert_near(f.data->qvel[0], 0.3, 1e-3);
        assert_near(f.data->qpos[0], 0.3 - 0.3 * 0.3 / (2 * 0.6 * 9.81), 3e-3); /* settling, and the bristles' stroke */
        assert_near(f.data->qpos[2], 0.05, 0.02);
        assert_int_equal(fixture_said(&f, PCM_MSG_DROPPED), 0);
        fixture_close(&f);
    }
}

/* The spin of a turntable is that of what lies on its axis. */
static void a_turntable_turns_a_parcel(void **state)
{
    (void)state;
    fixture         f;
    const pcm_twist spins = {{0, 0, 2}, {0}};
    open_belt(&f, "", RULES);
    assert_int_equal(pcm_mujoco_set_surface_velocity(f.host, "Belt", &spins), PCM_OK);
    steps(&f, 2000);
    assert_near(f.data->qvel[5], 2, 1e-2); /* it swings about that on its bristles, which have no dampers */
    assert_near(f.data->qvel[0] * f.data->qvel[0] + f.data->qvel[1] * f.data->qvel[1], 0, 1e-6);
    fixture_close(&f);
}

/* A call acts from the next evaluation on, a reset keeps it, and a checkpoint has it. */
static void a_call_changes_the_speed(void **state)
{
    (void)state;
    fixture         f;
    const pcm_twist faster = {{0}, {0.5, 0, 0}}, slower = {{0}, {0.1, 0, 0}};
    open_belt(&f, "", CONVEYOR);
    steps(&f, 1000);
    assert_int_equal(pcm_mujoco_set_surface_velocity(f.host, "B*", &faster), PCM_OK);
    steps(&f, 1000);
    assert_near(f.data->qvel[0], 0.5, 1e-3);
    mj_resetData(f.model, f.data);
    steps(&f, 2000);
    assert_near(f.data->qvel[0], 0.5, 1e-3);

    const size_t size = pcm_mujoco_checkpoint_size(f.host);
    void        *bytes = test_malloc(size);
    assert_int_equal(pcm_mujoco_checkpoint_save(f.host, bytes, size), PCM_OK);
    assert_int_equal(pcm_mujoco_set_surface_velocity(f.host, "Belt", &slower), PCM_OK);
    steps(&f, 2000);
    assert_near(f.data->qvel[0], 0.1, 1e-3);
    assert_int_equal(pcm_mujoco_checkpoint_restore(f.host, bytes, size), PCM_OK);
    steps(&f, 2000);
    assert_near(f.data->qvel[0], 0.5, 1e-3);
    test_free(bytes);
    fixture_close(&f);
}

static void a_copy_has_the_belts_of_its_source(void **state)
{
    (void)state;
    fixture         f;
    const pcm_twist faster = {{0}, {0.5, 0, 0}};
    open_belt(&f, "", CONVEYOR);
    assert_int_equal(pcm_mujoco_set_surface_velocity(f.host, "Belt", &faster), PCM_OK);
    steps(&f, 200);
    mjData *copy = mj_copyData(NULL, f.model, f.data);
    for (int i = 0; i < 200; i++) {
        mj_step(f.model, copy);
        mj_step(f.model, f.data);
    }
    assert_memory_equal(copy->qpos, f.data->qpos, (size_t)f.model->nq * sizeof *copy->qpos);
    mj_deleteData(copy);
    fixture_close(&f);
}

static void an_object_that_no_rule_serves_is_rejected(void **state)
{
    (void)state;
    fixture         f;
    const pcm_twist faster = {{0}, {0.5, 0, 0}}, bad = {{NAN, 0, 0}, {0}};
    open_belt(&f, "", CONVEYOR);
    assert_int_equal(pcm_mujoco_set_surface_velocity(f.host, "Bel", &faster), PCM_BAD_ARGUMENT);
    assert_int_equal(fixture_said(&f, PCM_MSG_BELT), 1);
    assert_non_null(strstr(f.last, "a surface velocity for 'Bel': no object is called that; did you mean 'Belt'?"));
    assert_int_equal(pcm_mujoco_set_surface_velocity(f.host, "Belt", &bad), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_mujoco_set_surface_velocity(f.host, NULL, &faster), PCM_BAD_ARGUMENT);
    fixture_close(&f);
}

#if PCM_RELEASE >= 3012000
/* The model's surfacevel acts like a call, and so does a change of it; a material of the file precedes it. */
static void the_model_moves_surfaces(void **state)
{
    (void)state;
    fixture f;
    open_belt(&f, "surfacevel='0.3 0 0 0 0 0'", RULES);
    steps(&f, 1000);
    assert_near(f.data->qvel[0], 0.3, 1e-3);
    f.model->geom_surfacevel[6 * mj_name2id(f.model, mjOBJ_GEOM, "Belt")] = -0.2;
    steps(&f, 1000);
    assert_near(f.data->qvel[0], -0.2, 1e-3);
    fixture_close(&f);
    open_belt(&f, "surfacevel='0 0.3 0 0 0 0'", CONVEYOR);
    steps(&f, 1000);
    assert_near(f.data->qvel[0], 0.3, 1e-3);
    assert_near(f.data->qvel[1], 0, 1e-9);
    fixture_close(&f);
}

/* The axes of a mesh's file are not those that MuJoCo gives its geom, in which surfacevel stands. */
static void the_surface_of_a_mesh_moves_in_its_geom(void **state)
{
    (void)state;
    static const char scene[] =
        "<option timestep='0.0005'/><asset><mesh name='slab' vertex='-1 -3 0 1 -3 0 1 3 0 -1 3 0 -1 -3 .04 1 -3 .04 1 "
        "3 "
        ".04 -1 3 .04'/></asset><worldbody><geom name='Belt' type='mesh' mesh='slab' pos='0 0 -0.02' %s/>"
        "<body name='Parcel' pos='0 0 %s'><freejoint/><geom name='Parcel' type='sphere' size='0.05' mass='2'/></body>"
        "</worldbody>";
    char    text[1024];
    fixture f;
    (void)snprintf(text, sizeof text, scene, "surfacevel='0.1 0.2 0.3 0.4 0.5 0.6'", "0.069");
    fixture_open(&f, text, RULES);
    const int     geom = mj_name2id(f.model, mjOBJ_GEOM, "Belt");
    const double *xmat = f.data->geom_xmat + 9 * geom, *surface = f.model->geom_surfacevel + 6 * geom;
    steps(&f, 1);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), 0, &info), PCM_OK);
    double linear[3], angular[3], arm[3], turned[3], slip[2] = {0};
    mju_mulMatVec(linear, xmat, surface, 3, 3);
    mju_mulMatVec(angular, xmat, surface + 3, 3, 3);
    mju_sub3(arm, info.point, f.data->geom_xpos + 3 * geom);
    mju_cross(turned, angular, arm);
    for (int k = 0; k < 3; k++) /* the sphere is at rest */
        for (int i = 0; i < 2; i++)
            slip[i] -= info.frame[3 * k + i] * (linear[k] + turned[k]);
    assert_near(info.slip[0], slip[0], 1e-9);
    assert_near(info.slip[1], slip[1], 1e-9);
    fixture_close(&f);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_carries_a_parcel),
        cmocka_unit_test(a_turntable_turns_a_parcel),
        cmocka_unit_test(a_call_changes_the_speed),
        cmocka_unit_test(a_copy_has_the_belts_of_its_source),
        cmocka_unit_test(an_object_that_no_rule_serves_is_rejected),
#if PCM_RELEASE >= 3012000
        cmocka_unit_test(the_model_moves_surfaces),
        cmocka_unit_test(the_surface_of_a_mesh_moves_in_its_geom),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
