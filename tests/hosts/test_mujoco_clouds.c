/* SPDX-License-Identifier: MIT */
/* Objects that touch by points that the user gives: each point is a contact with its own feature, whatever the other
 * shape. */
#include "mujoco_fixture.h"

#include <pcm/messages.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAW(patch)                                                                                                     \
    "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 500; Friction = 0.5; "                \
    "Patch = " patch "; };\n"
#define WEIGHT (2 * 9.81)

static const char pad[] = "<option timestep='1e-3'/><worldbody><geom name='Floor' type='plane' size='1 1 1'/>"
                          "<body name='Robot' pos='0 0 0.0499'><freejoint/>"
                          "<geom name='Sole' type='box' size='0.1 0.04 0.05' mass='2'/></body></worldbody>";

/* A grid of n by n points over the sole's lower face; the caller frees it. */
static double *grid(size_t n, double scale)
{
    double *points = calloc(3 * n * n, sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < n * n; i++) {
        points[3 * i] = scale * 0.1 * (2.0 * (double)(i / n) / (double)(n - 1) - 1);
        points[3 * i + 1] = scale * 0.04 * (2.0 * (double)(i % n) / (double)(n - 1) - 1);
        points[3 * i + 2] = -0.05;
    }
    return points;
}

static void give_grid(fixture *f, size_t n, double scale)
{
    double *points = grid(n, scale);
    assert_int_equal(pcm_mujoco_cloud(f->host, "Sole", points, n * n), PCM_OK);
    free(points);
}

/* With its four corners as points, a box moves as with its shape. */
static void corners_are_the_box(void **state)
{
    (void)state;
    fixture f;
    double  wanted[6];
    for (int cloud = 0; cloud < 2; cloud++) {
        fixture_open(&f, pad, LAW("Points") "ObjectPair Floor * Sole -> C;\n");
        f.data->qpos[3] = 0.999;
        f.data->qpos[4] = 0.002;
        if (cloud)
            give_grid(&f, 2, 1);
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
        for (int i = 0; i < 6; i++)
            if (cloud)
                assert_near(f.data->qfrc_passive[i], wanted[i], 1e-9);
        mju_copy(wanted, f.data->qfrc_passive, 6);
        fixture_close(&f);
    }
    assert_true(wanted[2] > WEIGHT);
}

/* More points than MuJoCo allows in a pair: each is a contact with its share of the load, and remains the same contact
 * while the pad is pushed over the floor. */
static void every_point_is_a_contact(void **state)
{
    (void)state;
    enum { N = 15 };
    fixture f;
    fixture_open(&f, pad, LAW("Shared") "ObjectPair Floor * Sole -> C;\n");
    give_grid(&f, N, 1);
    assert_int_equal(pcm_mujoco_pair_points(f.host, 0), N * N);
    fixture_step(&f, 500);
    assert_near(0.05 - f.data->qpos[2], WEIGHT / 1e5, 1e-3);
    assert_int_equal(fixture_live(&f), N * N);
    bool seen[N * N] = {0};
    for (size_t i = 0; i < N * N; i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), i, &info), PCM_OK);
        assert_true(info.feature < N * N && !seen[info.feature]);
        seen[info.feature] = true;
        assert_near(info.world_force[2], WEIGHT / (N * N), 1e-2);
        assert_near(info.point[0], 0.1 * (2.0 * (double)(info.feature / N) / (N - 1) - 1), 1e-6);
    }
    for (int i = 0; i < 300; i++) {
        f.data->xfrc_applied[6] = 15;
        fixture_step(&f, 1);
    }
    assert_true(f.data->qpos[0] > 0.05);
    assert_int_equal(fixture_made(&f), N * N);
    fixture_close(&f);
}

/* Different grounds under the pad, with their tops at z = 0, and how the pad's points are measured against them. */
static void lies_on_all(void **state)
{
    (void)state;
    static const char *const grounds[] = {
        "<geom name='Floor' type='plane' size='1 1 1'/>",
        "<geom name='Floor' type='box' size='1 1 0.5' pos='0 0 -0.5'/>",
        "<geom name='Floor' type='mesh' mesh='slab' pos='0 0 -0.5'/>",
        "<geom name='Floor' type='cylinder' size='2 0.5' pos='0 0 -0.5'/>",
        "<geom name='Floor' type='hfield' hfield='field' pos='0 0 -0.1'/>",
    };
    for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
        char scene[2048];
        (void)snprintf(scene, sizeof scene,
                       "<option timestep='1e-3'/><asset><mesh name='slab' vertex='-1 -1 -.5 1 -1 -.5 -1 1 -.5 1 1 -.5 "
                       "-1 -1 .5 1 -1 .5 -1 1 .5 1 1 .5'/><hfield name='field' nrow='9' ncol='9' size='1 1 0.1 "
                       "0.1'/></asset><worldbody>%s<body name='Robot' pos='0 0 0.0499'><freejoint/>"
                       "<geom name='Sole' type='box' size='0.1 0.04 0.05' mass='2'/></body></worldbody>",
                       grounds[i]);
        fixture f;
        fixture_open(&f, scene, LAW("Shared") "ObjectPair Floor * Sole -> C;\n");
        for (int k = 0; i == 4 && k < 81; k++)
            f.model->hfield_data[k] = 1;
        if (i == 4) { /* attached again, to the present heights */
            pcm_mujoco_free(f.host);
            f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, NULL);
            assert_non_null(f.host);
        }
        give_grid(&f, 3, 1);
        fixture_step(&f, 500);
        assert_near(0.05 - f.data->qpos[2], WEIGHT / 1e5, 1e-3);
        assert_int_equal(fixture_live(&f), 9);
        pcm_sensing one = {.size = sizeof one}, all[9] = {{.size = sizeof one}};
        assert_int_equal(pcm_mujoco_sense_pairs(f.host, &one, sizeof one, 1), PCM_OK);
        assert_near(one.normal_load, WEIGHT, 1e-3);
        assert_int_equal(pcm_mujoco_sense_points(f.host, 0, all, sizeof *all, 8), PCM_BAD_ARGUMENT);
        assert_int_equal(pcm_mujoco_sense_points(f.host, 0, all, sizeof *all, 9), PCM_OK);
        for (int k = 0; k < 9; k++)
            assert_near(all[k].normal_load, WEIGHT / 9, 1e-2);
        fixture_close(&f);
    }
}

/* Only the points count, wherever the geom's own surface is: whiskers that extend far beyond it touch at their tips,
 * and without contact each has its distance. */
static void points_reach_beyond_the_geom(void **state)
{
    (void)state;
    static const double whiskers[] = {0, 0, -0.3, 0.5, 0, 0};
    fixture             f;
    pcm_sensing         felt[2] = {{.size = sizeof *felt}};
    fixture_open(&f,
                 "<option gravity='0 0 0'/><worldbody><geom name='Floor' type='plane' size='1 1 1'/>"
                 "<geom name='Wall' type='box' size='0.1 1 1' pos='0.6 0 0'/>"
                 "<body pos='0 0 0.4'><freejoint/><geom name='Head' type='sphere' size='0.02' mass='1'/></body>"
                 "</worldbody>",
                 LAW("Points") "ObjectPair Floor * Head -> C; ObjectPair Wall * Head -> C;\n");
    assert_int_equal(pcm_mujoco_cloud(f.host, "He*", whiskers, 2), PCM_OK);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    for (size_t pair = 0; pair < 2; pair++) {
        const char *a, *b;
        assert_true(pcm_mujoco_pair_names(f.host, pair, &a, &b));
        assert_int_equal(pcm_mujoco_sense_points(f.host, pair, felt, sizeof *felt, 2), PCM_OK);
        const bool floor = strcmp(a, "Floor") == 0;
        assert_near(felt[0].separation, floor ? 0.1 : 0.5, 1e-12);
        assert_near(felt[1].separation, floor ? 0.4 : 0, 1e-12);
    }
    f.data->qpos[0] = 0.01;
    f.data->qpos[2] = 0.29;
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_near(f.data->qfrc_passive[2], 1e5 * 0.01, 1e-9);
    assert_near(f.data->qfrc_passive[0], -1e5 * 0.01, 1e-9);
    fixture_close(&f);
}

/* Two clouds touch by their shapes, and so does a cloud with an ellipsoid; a plane touches points. */
static void shapes_stay_where_points_do_not_meet(void **state)
{
    (void)state;
    static const double tips[] = {0, 0, 1};
    fixture             f;
    fixture_open(&f,
                 "<worldbody><geom name='Egg' type='ellipsoid' size='.1 .1 .2' pos='1 0 0'/>"
                 "<body pos='0 0 0.3'><freejoint/><geom name='Sole1' size='0.1'/></body>"
                 "<body pos='0 0.19 0.3'><freejoint/><geom name='Sole2' size='0.1'/></body></worldbody>",
                 LAW("Points") "DefaultPair -> C;\n");
    assert_int_equal(pcm_mujoco_cloud(f.host, "Sole?", tips, 1), PCM_OK);
    for (size_t i = 0; i < pcm_mujoco_pair_count(f.host); i++)
        assert_int_equal(pcm_mujoco_pair_points(f.host, i), 0);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(fixture_live(&f), 1);
    fixture_close(&f);
}

/* Copies and saved states have the points too; a reset keeps them. */
static void copies_touch_by_points(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, pad, "ContactType C = CompliantGround { Friction = 0.5; }; ObjectPair Floor * Sole -> C;\n");
    give_grid(&f, 9, 0.9);
    f.data->qvel[0] = 0.5;
    for (int i = 0; i < 100; i++)
        mj_step(f.model, f.data);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    mjData *copy = mj_copyData(NULL, f.model, f.data);
    for (int i = 0; i < 100; i++)
        mj_step(f.model, copy);
    for (int i = 0; i < 100; i++)
        mj_step(f.model, f.data);
    assert_memory_equal(f.data->qpos, copy->qpos, (size_t)f.model->nq * sizeof *copy->qpos);
    mj_deleteData(copy);
    assert_int_equal(fixture_made(&f), 81);
    double end[7];
    mju_copy(end, f.data->qpos, 7);
    mj_resetData(f.model, f.data);
    f.data->qvel[0] = 0.5;
    for (int i = 0; i < 200; i++)
        mj_step(f.model, f.data);
    assert_memory_equal(f.data->qpos, end, sizeof end);
    fixture_close(&f);
}

/* Points of a mesh are given in its file's axes, if MuJoCo stores how it has moved the mesh. */
static void meshes_keep_their_file(void **state)
{
    (void)state;
    static const double corners[] = {2, 1, 3, 2.2, 1, 3, 2, 1.1, 3, 2.2, 1.1, 3};
    fixture             f;
    fixture_open(&f,
                 "<option gravity='0 0 0'/><asset><mesh name='m' vertex='2 1 3 2.2 1 3 2 1.1 3 2.2 1.1 3 2 1 3.6 2.2 1 "
                 "3.6 2 1.1 3.6 2.2 1.1 3.6'/></asset><worldbody><geom name='Floor' type='plane' size='1 1 1'/><body "
                 "pos='-2 -1 -3.001'><freejoint/><geom name='Block' type='mesh' mesh='m' mass='1'/></body></worldbody>",
                 LAW("Points") "DefaultPair -> C;\n");
    const pcm_status status = pcm_mujoco_cloud(f.host, "Block", corners, 4);
    if (mj_version() < 300) {
        assert_int_equal(status, PCM_BAD_ARGUMENT);
        assert_non_null(strstr(f.last, "axes of a mesh"));
    } else {
        assert_int_equal(status, PCM_OK);
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
        assert_near(f.data->qfrc_passive[2], 4 * 1e5 * 0.001, 1e-5); /* vertices are single precision */
    }
    fixture_close(&f);
}

static void refuse(fixture *f, const char *object, const double *points, size_t count, const char *why)
{
    const size_t said = f->n_codes;
    assert_int_equal(pcm_mujoco_cloud(f->host, object, points, count), PCM_BAD_ARGUMENT);
    if (why) {
        assert_int_equal(f->n_codes, said + 1);
        assert_non_null(strstr(f->last, why));
    }
}

static void bad_points_are_refused(void **state)
{
    (void)state;
    const double good[] = {0, 0, -0.05}, bad[] = {0, 0, NAN};
    fixture      f;
    fixture_open(&f,
                 "<worldbody><geom name='Floor' type='plane' size='1 1 1'/><site name='Tip'/>"
                 "<geom name='Post' pos='1 0 0' size='0.1'/><body name='Robot' pos='0 0 0.0499'><freejoint/>"
                 "<geom name='Sole' type='box' size='0.1 0.04 0.05' mass='2'/><site name='Toe'/></body></worldbody>",
                 LAW("Points") "ObjectPair Floor * Sole -> C; ObjectPair Floor * Toe -> C;\n");
    refuse(&f, "Soel", good, 1, "did you mean 'Sole'?");
    refuse(&f, "Floor", good, 1, "it is the ground");
    refuse(&f, "Toe", good, 1, "it is a site");
    refuse(&f, "*", good, 1, "cannot touch by points");
    refuse(&f, "Post", good, 1, "no rule gives it a law");
    refuse(&f, "Sole", bad, 1, "point 0");
    refuse(&f, "Sole", good, 0, NULL);
    refuse(&f, "Sole", NULL, 1, NULL);
    refuse(&f, NULL, good, 1, NULL);
    assert_int_equal(pcm_mujoco_pair_points(f.host, 0), 0);
    assert_int_equal(pcm_mujoco_pair_points(f.host, 99), 0);
    fixture_step(&f, 1);
    refuse(&f, "Sole", good, 1, "before the first step");
    fixture_close(&f);
}

/* Whichever allocation fails, the object touches either by its shape or by all its points. */
static void memory_may_run_out(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, pad, LAW("Points") "ObjectPair Floor * Sole -> C;\n");
    double    *points = grid(20, 1);
    pcm_status status = PCM_NO_MEMORY;
    for (size_t calls = 0; status != PCM_OK; calls++) {
        assert_true(calls < 100);
        f.memory.calls = calls;
        status = pcm_mujoco_cloud(f.host, "Sole", points, 400);
        f.memory.calls = SIZE_MAX;
        assert_int_equal(pcm_mujoco_pair_points(f.host, 0), status == PCM_OK ? 400 : 0);
    }
    free(points);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(fixture_live(&f), 400);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_the_box),
        cmocka_unit_test(every_point_is_a_contact),
        cmocka_unit_test(lies_on_all),
        cmocka_unit_test(points_reach_beyond_the_geom),
        cmocka_unit_test(shapes_stay_where_points_do_not_meet),
        cmocka_unit_test(copies_touch_by_points),
        cmocka_unit_test(meshes_keep_their_file),
        cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
