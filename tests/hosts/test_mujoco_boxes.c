/* SPDX-License-Identifier: MIT */
/* Boxes on boxes: depths equal those of the fifteen separating axes, a stack sinks to the law's depth, and the points
 * of a patch share the law's force. Also the measurements of every pair, for all shapes. */
#include "mujoco_fixture.h"

#include <stdio.h>
#include <string.h>

#define LINEAR                                                                                                         \
    "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 60; TanhRate = 1; };\n"               \
    "DefaultPair -> C;\n"

static double deepest(const fixture *f)
{
    double depth = -INFINITY;
    for (size_t i = 0; i < pcm_world_contact_count(pcm_mujoco_world(f->host)); i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f->host), i, &info), PCM_OK);
        depth = fmax(depth, info.depth);
    }
    return depth;
}

/* MuJoCo 2.2.2 returns half of this depth for aligned boxes. */
static void square_boxes_are_as_deep_as_they_overlap(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Table' type='box' size='0.1 0.1 0.1'/><body pos='0.01 0.02 0.1984'>"
                 "<freejoint/><geom name='Box' type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody>",
                 LINEAR);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(pcm_world_contact_count(pcm_mujoco_world(f.host)), 4);
    for (size_t i = 0; i < 4; i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), i, &info), PCM_OK);
        assert_near(info.depth, 1.6e-3, 1e-12);
        assert_near(info.force[2], 1e5 * 1.6e-3, 1e-9);
    }
    assert_int_equal(f.data->ncon, 4);
    for (int i = 0; i < 4; i++)
        assert_near(f.data->contact[i].dist, -1.6e-3, 1e-6); /* the listed distance is rounded to 2^-33 m */
    fixture_use_engine_pairs(&f);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_near(deepest(&f), -f.data->contact[0].dist, 1e-6);
    fixture_close(&f);
}

/* ---- Any two boxes ----------------------------------------------------------------------------------------------- */

static uint64_t seed = 1;

static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double reach_along(const mjModel *model, const mjData *data, int geom, const double n[3])
{
    const double *axes = data->geom_xmat + 9 * geom;
    double        reach = 0;
    for (int i = 0; i < 3; i++)
        reach += model->geom_size[3 * geom + i] * fabs(axes[i] * n[0] + axes[3 + i] * n[1] + axes[6 + i] * n[2]);
    return reach;
}

/* The overlap along a direction of any length; infinite for the zero vector. */
static double overlap_along(const mjModel *model, const mjData *data, const double direction[3])
{
    double n[3] = {direction[0], direction[1], direction[2]}, apart[3];
    if (mju_normalize3(n) < 1e-6)
        return INFINITY;
    mju_sub3(apart, data->geom_xpos + 3, data->geom_xpos);
    return reach_along(model, data, 0, n) + reach_along(model, data, 1, n) - fabs(mju_dot3(apart, n));
}

static double least_overlap(const mjModel *model, const mjData *data)
{
    double least = INFINITY;
    for (int i = 0; i < 9; i++) {
        const double *a = data->geom_xmat + i / 3, *b = data->geom_xmat + 9 + i % 3;
        const double  of_a[3] = {a[0], a[3], a[6]}, of_b[3] = {b[0], b[3], b[6]};
        double        cross[3];
        mju_cross(cross, of_a, of_b);
        least = fmin(least, overlap_along(model, data, of_a));
        least = fmin(least, overlap_along(model, data, of_b));
        least = fmin(least, overlap_along(model, data, cross));
    }
    return least;
}

static void any_boxes_are_as_deep_as_they_overlap(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Table' type='box' size='0.1 0.2 0.3'/><body><freejoint/>"
                 "<geom name='Box' type='box' size='0.15 0.1 0.05' mass='1'/></body></worldbody>",
                 LINEAR);
    for (int tried = 0, met = 0; met < 300; tried++) {
        assert_true(tried < 20000);
        for (int i = 0; i < 7; i++)
            f.data->qpos[i] = i < 3 ? 0.8 * (draw() - 0.5) : draw() - 0.5;
        mju_normalize4(f.data->qpos + 3);
        mj_kinematics(f.model, f.data);
        const double wanted = least_overlap(f.model, f.data);
        if (!(wanted > 1e-4 && wanted < 0.02))
            continue;
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
        assert_near(deepest(&f), wanted, 1e-9);
        met++;
    }
    fixture_close(&f);
}

/* ---- Effects on laws --------------------------------------------------------------------------------------------- */

/* Ten boxes of 1 kg on four springs each: those of box i carry 10 - i boxes. */
static void a_stack_sinks_as_the_law_says(void **state)
{
    (void)state;
    char   scene[4096] = "<option timestep='0.0005' gravity='0 0 -10'/><worldbody>"
                         "<geom name='Table' type='box' size='0.1 0.1 0.1'/>";
    double wanted = 0;
    for (int i = 0; i < 10; i++) {
        char body[256];
        (void)snprintf(body, sizeof body,
                       "<body pos='0 0 %g'><freejoint/><geom name='Box%d' type='box' size='0.1 0.1 0.05' mass='1'/>"
                       "</body>",
                       0.15 + 0.1 * i, i);
        strcat(scene, body);
        wanted += 10.0 * (10 - i) / (4 * 1e5);
    }
    strcat(scene, "</worldbody>");
    fixture f;
    fixture_open(&f, scene, LINEAR);
    fixture_step(&f, 8000);
    assert_near(1.05 - f.data->qpos[7 * 9 + 2], wanted, 1e-4); /* it still swings by that much */
    fixture_close(&f);
}

/* The whole patch has the law's stiffness, whatever its points, and its contacts last while the box slides over the
 * middle of the table. */
static void a_patch_is_shared_and_slides(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='0.001' gravity='0 0 -10'/><worldbody>"
                 "<geom name='Table' type='box' size='1 1 0.1'/><body pos='-0.3 0 0.1499' euler='0 0 20'><freejoint/>"
                 "<geom name='Box' type='box' size='0.1 0.07 0.05' mass='1'/></body></worldbody>",
                 "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 500; Friction = 0.01; "
                 "TanhRate = 100; Patch = Shared; };\nDefaultPair -> C;\n");
    f.data->qvel[0] = 1;
    fixture_step(&f, 500);
    assert_int_equal(fixture_made(&f), 4);
    assert_true(f.data->qpos[0] > 0.1);
    assert_near(0.15 - f.data->qpos[2], 10 / 1e5, 1e-2);
    fixture_close(&f);
}

/* Sizes may change after attaching. */
static void boxes_that_grow_are_seen(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Table' type='box' size='0.1 0.1 0.1'/><body pos='0 0 0.25'>"
                 "<freejoint/><geom name='Box' type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody>",
                 LINEAR);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(pcm_world_contact_count(pcm_mujoco_world(f.host)), 0);
    f.model->geom_size[5] = 0.16;
    f.model->geom_rbound[1] = 0.22;
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_true(deepest(&f) > 4e-3);
    fixture_close(&f);
}

/* ---- Measurements of every pair ---------------------------------------------------------------------------------- */

enum { PAIRS = 32 };

static pcm_sensing sensed(const fixture *f, const char *a, const char *b)
{
    pcm_sensing all[PAIRS];
    const char *first, *second;
    assert_int_equal(pcm_mujoco_sense_pairs(f->host, all, sizeof *all, PAIRS), PCM_OK);
    for (size_t i = 0; i < PAIRS && pcm_mujoco_pair_names(f->host, i, &first, &second); i++)
        if ((!strcmp(first, a) && !strcmp(second, b)) || (!strcmp(first, b) && !strcmp(second, a)))
            return all[i];
    fail_msg("%s and %s are no pair", a, b);
    return (pcm_sensing){0};
}

/* Each shape over the ground and over a table, at known distances; the mesh is a box whose centre is not at its
 * origin. */
static void pairs_are_measured_at_any_distance(void **state)
{
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "<asset><mesh name='m' vertex='1 0 0  1.2 0 0  1 .2 0  1.2 .2 0  1 0 .2  1.2 0 .2  1 .2 .2  1.2 .2 "
        ".2'/></asset>"
        "<worldbody><geom name='Ground' type='plane' size='9 9 1'/>"
        "<body name='Foot' pos='0 0 7'><freejoint/><site name='Toe' pos='0 0 -2'/><geom type='sphere' size='0.1'"
        " mass='1' contype='0' conaffinity='0'/></body>"
        "<body pos='0 0 3'><freejoint/><geom name='Ball' type='sphere' size='0.1' mass='1'/></body>"
        "<body pos='1 0 3'><freejoint/><geom name='Rod' type='capsule' size='0.1 0.3' mass='1'/></body>"
        "<body pos='2 0 3'><freejoint/><geom name='Can' type='cylinder' size='0.1 0.3' mass='1'/></body>"
        "<body pos='3 0 0.0999'><freejoint/><geom name='Box' type='box' size='0.2 0.1 0.1' mass='1'/></body>"
        "<body pos='3 0 3'><freejoint/><geom name='Mesh' type='mesh' mesh='m' mass='1'/></body>"
        "<body pos='5 0 3'><freejoint/><geom name='Egg' type='ellipsoid' size='0.1 0.2 0.3' "
        "mass='1'/></body></worldbody>",
        "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 60; TanhRate = 1; };"
        "ObjectPair Ground * \"*\" -> C; ObjectPair Ball * \"*\" -> C; ObjectPair Ground * Toe -> C;");
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_near(sensed(&f, "Ground", "Toe").separation, 5, 1e-12);
    assert_near(sensed(&f, "Ground", "Ball").separation, 2.9, 1e-12);
    assert_near(sensed(&f, "Ground", "Rod").separation, 2.6, 1e-12);
    assert_near(sensed(&f, "Ground", "Can").separation, 2.7, 1e-12);
    assert_near(sensed(&f, "Ground", "Mesh").separation, 3, 1e-6); /* corners in single precision */
    assert_near(sensed(&f, "Ball", "Mesh").separation, 3.9, 1e-6);
    assert_near(sensed(&f, "Ball", "Can").separation, 1.8, 1e-12);
    assert_true(sensed(&f, "Ball", "Egg").separation == INFINITY);
    assert_int_equal(sensed(&f, "Ground", "Ball").contact, 0);
    assert_near(sensed(&f, "Ground", "Ball").normal_load, 0, 0);
    const pcm_sensing box = sensed(&f, "Ground", "Box");
    assert_int_equal(box.contact, 1);
    assert_near(box.separation, -1e-4, 1e-12);
    assert_near(box.normal_load, 4 * 1e5 * 1e-4, 1e-6);
    assert_near(box.normal_force, box.normal_load, 0);
    pcm_sensing few[1];
    assert_int_equal(pcm_mujoco_sense_pairs(f.host, few, sizeof *few, 1), PCM_BAD_ARGUMENT);
    f.model->geom_size[3 * 2] = 0.4; /* the ball grows */
    assert_near(sensed(&f, "Ground", "Ball").separation, 2.6, 1e-12);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_boxes_are_as_deep_as_they_overlap),
        cmocka_unit_test(any_boxes_are_as_deep_as_they_overlap),
        cmocka_unit_test(a_stack_sinks_as_the_law_says),
        cmocka_unit_test(a_patch_is_shared_and_slides),
        cmocka_unit_test(boxes_that_grow_are_seen),
        cmocka_unit_test(pairs_are_measured_at_any_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
