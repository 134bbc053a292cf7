/* SPDX-License-Identifier: MIT */
/* The shapes of contacts in scenes: points, lines and flats of geoms, a radius of the scene that wins, smooth height
 * fields, and tiles that are one ground. */
#include "mujoco_fixture.h"

#include <pcm/contact_shape.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

#define SHAPED "ContactType C = Shaped { Column = Length; };\nDefaultPair -> C;\n"

/* Puts a geom on a plane and returns the sum of its contacts' parts; *shape: of the last of them. */
static double lie(const char *geom, const char *more, pcm_contact_shape *shape, size_t *contacts)
{
    char    scene[1024];
    fixture f;
    double  sum = 0;
    (void)snprintf(scene, sizeof scene,
                   "<option gravity='0 0 0'/>%s<worldbody><geom name='Ground' type='plane' size='2 2 1'/>"
                   "<body name='B' pos='0 0 0.01999'><freejoint/><geom name='Solid' mass='1' %s/></body></worldbody>",
                   more, geom);
    fixture_open(&f, scene, SHAPED);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    pcm_world *world = pcm_mujoco_world(f.host);
    *contacts = pcm_world_contact_count(world);
    *shape = pcm_contact_shape_defaults();
    for (size_t i = 0; i < *contacts; i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(world, i, &info), PCM_OK);
        if (info.shape) {
            *shape = *info.shape;
            sum += shape->patch_part;
        }
    }
    fixture_close(&f);
    return sum;
}

static void geoms_touch_in_points_lines_and_flats(void **state)
{
    (void)state;
    pcm_contact_shape s;
    size_t            contacts;
    assert_near(lie("type='capsule' size='0.02 0.1' euler='90 0 0'", "", &s, &contacts), 1, 1e-9);
    assert_int_equal(contacts, 2);
    assert_near(s.line_length, 0.2, 1e-12);
    assert_near(s.line_curvature, 50, 1e-12);
    assert_near(lie("type='cylinder' size='0.02 0.5' euler='90 0 0'", "", &s, &contacts), 1, 1e-9);
    assert_near(s.line_length, 1, 1e-12);
    assert_near(lie("type='cylinder' size='0.01 0.02'", "", &s, &contacts), 1, 1e-9);
    assert_near(s.flat_area, pi * 1e-4, 1e-12);
    assert_near(lie("type='box' size='0.05 0.1 0.02'", "", &s, &contacts), 1, 1e-9);
    assert_int_equal(contacts, 4);
    assert_near(s.flat_area, 0.02, 1e-12);
    assert_near(s.flat_aspect, 2, 1e-12);
}

static void a_radius_of_the_scene_wins(void **state)
{
    (void)state;
    pcm_contact_shape s;
    size_t            contacts;
    (void)lie("type='capsule' size='0.02 0.1' euler='90 0 0'",
              "<custom><numeric name='pcm:radius:Solid' data='0.03'/></custom>", &s, &contacts);
    assert_int_equal(contacts, 2);
    assert_int_equal(pcm_contact_shape_kind(&s), PCM_CONTACT_UNKNOWN);
}

/* ---- Smooth fields ----------------------------------------------------------------------------------------------- */

/* The largest and the least load of a ball that is held at one depth under a sine, whose heights are 5 cm apart. */
static void roll(const char *smooth, double *least, double *most)
{
    char    rules[256];
    fixture f;
    (void)snprintf(rules, sizeof rules,
                   "ContactType C = KelvinVoigt { Stiffness = 2e4; Damping = 0; %s };\nDefaultPair -> C;\n", smooth);
    fixture_open(
        &f,
        "<option gravity='0 0 0'/><asset><hfield name='Sine' nrow='41' ncol='41' size='1 1 0.1 0.1'/></asset>"
        "<worldbody><geom name='Ground' type='hfield' hfield='Sine'/>"
        "<body pos='0 0 2'><freejoint/><geom name='Ball' type='sphere' size='0.1' mass='1'/></body></worldbody>",
        rules);
    for (int row = 0; row < 41; row++)
        for (int i = 0; i < 41; i++)
            f.model->hfield_data[41 * row + i] = (float)(0.5 + 0.5 * sin(2 * pi * (0.05 * i - 1)));
    fixture_list_contacts(&f, false);
    *least = INFINITY;
    *most = 0;
    for (double x = -0.6; x < 0.6; x += 0.007) {
        const double z = 0.05 + 0.05 * sin(2 * pi * x), slope = 0.1 * pi * cos(2 * pi * x),
                     root = sqrt(1 + slope * slope);
        const double off = 0.1 - 1e-3;
        mju_copy3(f.data->qpos, (double[]){x - off * slope / root, 0.013, z + off / root});
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
        const double *force = f.data->qfrc_passive, load = sqrt(force[0] * force[0] + force[2] * force[2]);
        *least = fmin(*least, load);
        *most = fmax(*most, load);
    }
    fixture_close(&f);
}

static void a_ball_on_a_smooth_field_feels_no_cells(void **state)
{
    (void)state;
    double least, most;
    roll("Smooth = true;", &least, &most);
    assert_near(least, 20, 0.02);
    assert_near(most, 20, 0.02);
    roll("", &least, &most);
    assert_true(most - least > 10);
}

/* ---- Tiles ------------------------------------------------------------------------------------------------------- */

/* A box that slides over tiles without friction keeps its speed. */
static void a_box_slides_over_tiles(void **state)
{
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "<option timestep='1e-3'/><worldbody>"
        "<geom name='T1' type='box' size='0.1 0.2 0.05' pos='0 0 -0.05'/>"
        "<geom name='T2' type='box' size='0.1 0.2 0.05' pos='0.2 0 -0.05'/>"
        "<geom name='T3' type='box' size='0.1 0.2 0.05' pos='0.4 0 -0.05'/>"
        "<body pos='0 0.01 0.02'><freejoint/><geom name='Box' type='box' size='0.03 0.03 0.02' mass='1'/></body>"
        "</worldbody>",
        "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; };\nDefaultPair -> C;\n");
    f.data->qvel[0] = 0.05;
    fixture_step(&f, 6000);
    assert_true(f.data->qpos[0] > 0.25);
    assert_near(f.data->qvel[0], 0.05, 0.01);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geoms_touch_in_points_lines_and_flats),
        cmocka_unit_test(a_radius_of_the_scene_wins),
        cmocka_unit_test(a_ball_on_a_smooth_field_feels_no_cells),
        cmocka_unit_test(a_box_slides_over_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
