/* SPDX-License-Identifier: MIT */
/* Height fields, which libpcm-geometry handles as one surface: flat ones act like planes at any resolution, and bumps
 * are where MuJoCo has them. */
#include "mujoco_fixture.h"

#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

#define LAW                                                                                                            \
    "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 500; TanhRate = 100; Friction = "     \
    "0.3; };\nDefaultPair -> C;\n"

static const char *const shapes[] = {"type='box' size='0.1 0.15 0.05'", "type='sphere' size='0.05'",
                                     "type='capsule' size='0.05 0.1' euler='90 0 20'",
                                     "type='cylinder' size='0.1 0.05'", "type='mesh' mesh='m'"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Pushes a body along ground of that kind; returns its number of contacts at the end. */
static size_t slide(const char *ground, const char *shape, double qpos[7])
{
    char    scene[2048];
    fixture f;
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='5e-4'/><asset><hfield name='Coarse' nrow='2' ncol='3' size='2 2 1 0.1'/>"
                   "<hfield name='Fine' nrow='61' ncol='80' size='2 2 1 0.1'/><mesh name='m' vertex='-.1 -.15 -.05  .1 "
                   "-.15 -.05  -.1 .15 "
                   "-.05  .1 .15 -.05  -.1 -.15 .05  .1 -.15 .05  -.1 .15 .05  .1 .15 .05'/></asset><worldbody><geom "
                   "name='Ground' "
                   "%s/><body pos='-0.5 0.013 0.04998'>"
                   "<freejoint/><geom name='Block' %s mass='1'/></body></worldbody>",
                   ground, shape);
    fixture_open(&f, scene, LAW);
    assert_int_equal(fixture_said(&f, PCM_MSG_FIELD), 0);
    f.data->qvel[0] = 1;
    f.data->qvel[1] = 0.3;
    f.data->qvel[5] = 0.5;
    fixture_step(&f, 800);
    mju_copy(qpos, f.data->qpos, 7);
    const size_t contacts = fixture_live(&f);
    fixture_close(&f);
    return contacts;
}

/* The same motion and the same contacts as on a plane, with hundreds of cells and with only two. */
static void flat_fields_are_planes(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        double       plane[7], coarse[7], fine[7];
        const size_t contacts = slide("type='plane' size='2 2 1'", shapes[i], plane);
        assert_true(plane[0] > -0.4);
        assert_int_equal(slide("type='hfield' hfield='Coarse'", shapes[i], coarse), contacts);
        assert_int_equal(slide("type='hfield' hfield='Fine'", shapes[i], fine), contacts);
        for (int k = 0; k < 7; k++) {
            assert_near(coarse[k] + 2, plane[k] + 2, 1e-6); /* MuJoCo chooses other points of a rim on a plane */
            assert_near(fine[k] + 2, coarse[k] + 2, 1e-9);
        }
    }
}

static const char bumpy[] =
    "<asset><hfield name='Bumps' nrow='7' ncol='5' size='2 3 0.4 0.1'/></asset><worldbody>"
    "<geom name='Ground' type='hfield' hfield='Bumps' pos='0.3 0 0.1' euler='5 10 30'/>"
    "<body><freejoint/><geom name='Ball' type='sphere' size='0.02' mass='1'/></body></worldbody>";

static void make_bumps(const fixture *f)
{
    for (int i = 0; i < f->model->nhfielddata; i++)
        f->model->hfield_data[i] = (float)(i * 37 % 23) / 23;
}

/* Lowers the ball at (x, y) onto MuJoCo's field, at most a centimetre deep. */
static void lower(const mjModel *model, mjData *alone, double x, double y)
{
    mju_copy3(alone->qpos, (double[]){x, y, 1});
    do {
        alone->qpos[2] -= 0.01;
        mj_forward(model, alone);
    } while (alone->ncon == 0 && alone->qpos[2] > -1);
    assert_true(alone->ncon > 0);
}

/* The deepest point is where MuJoCo's own function for balls and fields finds it. */
static void bumps_are_where_they_are(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, bumpy, LAW);
    make_bumps(&f);
    mjData *alone = mj_makeData(f.model);
    for (int i = 0; i < 200; i++) {
        double      deepest = 0;
        pcm_sensing sensed = {.size = sizeof sensed};
        lower(f.model, alone, 0.3 + cos(i), 1.5 * sin(3.0 * i));
        for (int k = 0; k < alone->ncon; k++)
            deepest = fmin(deepest, alone->contact[k].dist);
        mju_copy(f.data->qpos, alone->qpos, 7);
        mj_forward(f.model, f.data);
        assert_int_equal(pcm_mujoco_sense_pairs(f.host, &sensed, sizeof sensed, 1), PCM_OK);
        assert_near(sensed.separation + 1, deepest + 1, 1e-6);
    }
    mj_deleteData(alone);
    fixture_close(&f);
}

/* Where heights were changed after attaching, MuJoCo handles them. */
static void changed_heights_are_followed(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, bumpy, LAW);
    mju_copy3(f.data->qpos, (double[]){0.3, 0, 0.11});
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(fixture_live(&f), 1);
    const double flat = f.data->contact[0].dist;
    f.model->hfield_data[0] = 1; /* in a corner, far away */
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_true(f.data->contact[0].dist == flat);
    make_bumps(&f);
    mjData *alone = mj_makeData(f.model);
    lower(f.model, alone, 0.3, 0.1);
    mju_copy(f.data->qpos, alone->qpos, 7);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(f.data->ncon, alone->ncon);
    assert_true(f.data->contact[0].dist == alone->contact[0].dist);
    mj_deleteData(alone);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_fields_are_planes),
        cmocka_unit_test(bumps_are_where_they_are),
        cmocka_unit_test(changed_heights_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
