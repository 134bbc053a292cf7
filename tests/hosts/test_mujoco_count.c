/* SPDX-License-Identifier: MIT */
/* Contact sensors: for MuJoCo's own contacts they have MuJoCo's values, and for contacts of laws the corresponding
 * values with the laws' forces. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

#define ALL    "found force torque dist pos normal tangent"
#define SIZE   17 /* how many numbers a contact with all fields of a sensor has */
#define WEIGHT (2 * 9.81)

/* A heap at rest on a floor: contacts of bodies with bodies, several geoms of one body, all shapes of sites. */
static const char heap[] =
    "<option timestep='2e-3'/><worldbody><geom name='Ground' type='plane' size='2 2 1'/>"
    "<body name='Plate' pos='0 0 0.06' euler='2 5 9'><freejoint/>"
    "<geom name='Slab' type='box' size='0.2 0.15 0.05' mass='2'/>"
    "<geom name='Knob' type='sphere' size='0.03' pos='0.21 0 -0.03' mass='0.1'/>"
    "<site name='Round' size='0.12' pos='0.1 0 -0.05'/><site name='Long' type='capsule' size='0.06 0.1' pos='0 0.1 0'/>"
    "<site name='Egg' type='ellipsoid' size='0.3 0.1 0.1' pos='0 -0.1 0'/>"
    "<site name='Can' type='cylinder' size='0.2 0.02' pos='0 0 0.05'/>"
    "<site name='Crate' type='box' size='0.15 0.2 0.08' pos='-0.1 0 0'/>"
    "<body name='Arm' pos='0 0 0.1'><joint type='hinge' axis='0 1 0'/>"
    "<geom name='Hand' type='capsule' size='0.04 0.1' pos='0.3 0 -0.01' mass='0.5'/></body></body>"
    "<body name='Ball' pos='0.02 0.01 0.17'><freejoint/><geom name='Skin' type='sphere' size='0.06' mass='1'/></body>"
    "<body name='Box' pos='-0.1 0.02 0.17' euler='3 2 1'><freejoint/>"
    "<geom name='Side' type='box' size='0.06 0.05 0.04' mass='0.7'/></body></worldbody>";

static const char *const objects[] = {
    "",
    "geom1='Ground'",
    "geom2='Ground'",
    "body1='Plate'",
    "body2='Plate'",
    "subtree1='Plate'",
    "subtree2='Arm'",
    "geom1='Slab' geom2='Ground'",
    "geom1='Ground' geom2='Slab'",
    "body1='Box' body2='Plate'",
    "subtree1='Plate' body2='Ball'",
    "body1='world' subtree2='Plate'",
    "subtree1='Plate' subtree2='Plate'",
    "site='Round'",
    "site='Long'",
    "site='Egg' body2='Plate'",
    "site='Can'",
    "site='Crate' geom2='Side'",
};
static const char *const chosen[] = {
    "reduce='none' num='4'",
    "reduce='mindist' num='3'",
    "reduce='maxforce' num='2'",
    "reduce='netforce' num='1'",
    "reduce='maxforce' num='1' cutoff='2'",
};
static const char *const fields[] = {ALL, "force normal", "found dist tangent", "torque pos"};
#if PCM_RELEASE >= 3016000
static const char *const motions[] = {"linvel", "found normal linvel angvel"};
#else
static const char *const motions[] = {"found", "found"};
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The heap with a sensor for every combination; the net force of contacts has no velocity. */
static void open_heap(fixture *f, const char *rules)
{
    static char file[1 << 18];
    size_t      length = (size_t)snprintf(file, sizeof file, "<mujoco>%s<sensor>", heap);
    for (size_t i = 0; i < COUNT(objects); i++)
        for (size_t k = 0; k < COUNT(chosen); k++) {
            for (size_t n = 0; n < COUNT(fields); n++)
                length += (size_t)snprintf(file + length, sizeof file - length, "<contact %s %s data='%s'/>",
                                           objects[i], chosen[k], fields[n]);
            for (size_t n = 0; n < COUNT(motions) && !strstr(chosen[k], "net"); n++)
                length += (size_t)snprintf(file + length, sizeof file - length, "<contact %s %s data='%s'/>",
                                           objects[i], chosen[k], motions[n]);
        }
    length += (size_t)snprintf(file + length, sizeof file - length, "</sensor></mujoco>");
    assert_true(length < sizeof file);
    fixture_open_file(f, file, rules);
}

static void assert_same(const fixture *f, const mjData *wanted)
{
    size_t nonzero = 0;
    for (int i = 0; i < f->model->nsensordata; i++) {
        const double own = f->data->sensordata[i], engine = wanted->sensordata[i];
        nonzero += engine != 0;
        if (!(fabs(own - engine) <= 1e-9 * fmax(1, fabs(engine))))
            fail_msg("number %d is %.17g, MuJoCo has %.17g", i, own, engine);
    }
    assert_true(nonzero > (size_t)f->model->nsensordata / 5);
}

/* All contacts are MuJoCo's own, so the values must equal MuJoCo's. */
static void own_contacts_are_measured_as_by_the_engine(void **state)
{
    (void)state;
    fixture f;
    open_heap(&f, "ContactType C = DefaultContact; DefaultPair -> C;\n");
    for (int round = 0; round < 5; round++) {
        fixture_step(&f, 60);
        mjData *copy = mj_copyData(NULL, f.model, f.data);
        mj_step(f.model, copy);
        fixture_step(&f, 1);
        assert_same(&f, copy);
        mj_deleteData(copy);
    }
    fixture_close(&f);
}

#if PCM_RELEASE >= 3016000
/* A cloth on a slope, whose vertices have no body, with each kind of cone and without friction. */
static void contacts_of_flexes_are_measured_as_by_the_engine(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"pyramidal", "3"}, {"elliptic", "3"}, {"elliptic", "1"}, {"pyramidal", "1"}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        char    scene[1024];
        fixture f;
        (void)snprintf(scene, sizeof scene,
                       "<option timestep='1e-3' cone='%s' gravity='%s 0 -9.81'/><worldbody>"
                       "<geom name='Ground' type='plane' size='2 2 1' condim='1'/>"
                       "<flexcomp name='Cloth' type='grid' count='4 4 1' spacing='0.05 0.05 0.05' mass='0.1' "
                       "radius='0.01' pos='0 0 0.02' dim='2'><contact condim='%s'/><edge equality='true'/></flexcomp>"
                       "</worldbody><sensor><contact geom1='Ground' num='6' data='found linvel angvel'/></sensor>",
                       kinds[i][0], *kinds[i][1] == '1' ? "0" : "20", kinds[i][1]);
        fixture_open(&f, scene, "ContactType C = DefaultContact; DefaultPair -> C;\n");
        fixture_step(&f, 60);
        mjData *copy = mj_copyData(NULL, f.model, f.data);
        mj_step(f.model, copy);
        fixture_step(&f, 1);
        assert_true(f.data->sensordata[0] > 0);
        for (int k = 0; k < f.model->nsensordata; k++)
            assert_near(1 + f.data->sensordata[k], 1 + copy->sensordata[k], 1e-12);
        mj_deleteData(copy);
        fixture_close(&f);
    }
}
#endif

#define PLATE                                                                                                          \
    "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"                              \
    "<body name='Plate' pos='0 0 0.0499'><freejoint/><geom name='Slab' type='box' size='0.2 0.1 0.05' mass='2'/>"      \
    "</body></worldbody>"

static const char law[] = "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 200 };\n"
                          "ObjectPair Ground * Slab -> C;\n";

static const double *sensor(const fixture *f, int index) { return f->data->sensordata + f->model->sensor_adr[index]; }

/* A slab on four corners, with and without listed contacts. */
static void laws_are_measured(void **state)
{
    (void)state;
    for (int lists = 0; lists < 2; lists++) {
        fixture f;
        fixture_open(&f,
                     PLATE "<sensor><contact geom1='Ground' num='5' data='" ALL "'/>"
                           "<contact geom2='Ground' num='1' data='" ALL "' reduce='maxforce'/>"
                           "<contact body1='Plate' num='1' data='" ALL "' reduce='netforce'/></sensor>",
                     law);
        fixture_list_contacts(&f, lists);
        assert_int_equal(f.n_codes, 0);
        fixture_step(&f, 3000);
        for (int i = 0; i < 4; i++) {
            const double *r = sensor(&f, 0) + SIZE * i;
            assert_true(r[0] == 4);
            assert_near(r[1], WEIGHT / 4, 1e-9);                  /* along the normal, on the slab */
            assert_near(r[7], -WEIGHT / 4 / 10000, 1e-9);         /* the distance */
            assert_near(fabs(r[8]), 0.2, 1e-6);                   /* a corner */
            assert_near(r[13], 1, 1e-12);                         /* the normal, upwards */
            assert_near(r[14] * r[14] + r[15] * r[15], 1, 1e-12); /* the tangent, level */
        }
        for (int i = 0; i < SIZE; i++)
            assert_true(sensor(&f, 0)[4 * SIZE + i] == 0);
        assert_true(sensor(&f, 1)[0] == 4);
        assert_near(sensor(&f, 1)[1], WEIGHT / 4, 1e-9);
        assert_near(sensor(&f, 1)[13], -1, 1e-12);    /* towards the ground */
        assert_near(sensor(&f, 2)[3], -WEIGHT, 1e-9); /* on the ground, in the world's axes */
        assert_near(sensor(&f, 2)[8] + 1, 1, 1e-6);   /* in the middle */
        assert_near(sensor(&f, 2)[9] + 1, 1, 1e-6);
        fixture_close(&f);
    }
}

#if PCM_RELEASE >= 3016000
/* A slab that slides and turns on the ground, in the contact's frame and away from the slab's middle. */
static void motions_are_measured(void **state)
{
    (void)state;
    fixture f;
    fixture_open(
        &f, PLATE "<sensor><contact geom1='Ground' num='4' data='found pos normal tangent linvel angvel'/></sensor>",
        "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 0; Friction = 0 };\n"
        "ObjectPair Ground * Slab -> C;\n");
    f.data->qvel[0] = 0.3;
    f.data->qvel[2] = -0.02;
    f.data->qvel[5] = 0.7;
    fixture_step(&f, 1);
    for (int i = 0; i < 4; i++) {
        const double *r = f.data->sensordata + 16 * i, *at = r + 1, *tangent = r + 7, *moves = r + 10, *turns = r + 13;
        const double  x = 0.3 - 0.7 * at[1], y = 0.7 * at[0]; /* of the corner */
        assert_true(r[0] == 4);
        assert_near(moves[0], -0.02, 1e-12);
        assert_near(moves[1], x * tangent[0] + y * tangent[1], 1e-12);
        assert_near(moves[2], -x * tangent[1] + y * tangent[0], 1e-12);
        assert_near(turns[0], 0.7, 1e-12);
    }
    fixture_close(&f);
}
#endif

#if PCM_RELEASE >= 3013000
/* A contact sensor counts in the hull of a site's mesh; touch sensors have no such sites. */
static void meshes_of_sites_have_an_inside(void **state)
{
    (void)state;
    fixture f;
    fixture_open_file(
        &f,
        "<mujoco><asset><mesh name='M' vertex='-0.25 -0.15 -0.1 0 -0.15 -0.1 -0.25 0.15 -0.1 0 0.15 -0.1 "
        "-0.25 -0.15 0.1 0 -0.15 0.1 -0.25 0.15 0.1 0 0.15 0.1'/></asset>"
        "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
        "<body name='Plate' pos='0 0 0.0499'><freejoint/><geom name='Slab' type='box' size='0.2 0.1 0.05' mass='2'/>"
        "<site name='Half' type='mesh' mesh='M' pos='-0.125 0 0'/></body></worldbody>"
        "<sensor><contact site='Half' num='4' data='found'/><touch name='Felt' site='Half'/></sensor></mujoco>",
        law);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 1);
    assert_non_null(strstr(f.last, "'Felt'"));
    fixture_step(&f, 10);
    assert_true(f.data->sensordata[0] == 2); /* of four corners */
    fixture_close(&f);
}
#endif

/* A loop of mj_step gets a note, once, and then has to call pcm_mujoco_sense. */
static void loops_ask_for_them(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, PLATE "<sensor><contact geom1='Ground' num='1' data='force' reduce='netforce'/></sensor>", law);
    for (int i = 0; i < 3000; i++)
        mj_step(f.model, f.data);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 1);
    assert_true(f.data->sensordata[2] == 0);
    assert_int_equal(pcm_mujoco_sense(f.host), PCM_OK);
    assert_near(f.data->sensordata[2], WEIGHT, 1e-9);
    fixture_close(&f);
}

static void switched_off_sensors_stay_as_they_are(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, PLATE "<sensor><contact geom1='Ground' num='1' data='force' reduce='netforce'/></sensor>", law);
    f.model->opt.disableflags |= mjDSBL_SENSOR;
    f.data->sensordata[0] = 7;
    fixture_step(&f, 10);
    assert_true(f.data->sensordata[0] == 7);
    fixture_close(&f);
}

#if PCM_RELEASE >= 3006000
static void late_sensors_are_named(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 PLATE "<sensor><contact name='Late' geom1='Ground' num='1' data='force' nsample='4' delay='0.002'/>"
                       "<contact name='Now' geom1='Ground' num='1' data='force'/></sensor>",
                 law);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 1);
    assert_non_null(strstr(f.last, "'Late'"));
    fixture_close(&f);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_contacts_are_measured_as_by_the_engine),
        cmocka_unit_test(laws_are_measured),
#if PCM_RELEASE >= 3016000
        cmocka_unit_test(contacts_of_flexes_are_measured_as_by_the_engine),
        cmocka_unit_test(motions_are_measured),
#endif
        cmocka_unit_test(loops_ask_for_them),
        cmocka_unit_test(switched_off_sensors_stay_as_they_are),
#if PCM_RELEASE >= 3013000
        cmocka_unit_test(meshes_of_sites_have_an_inside),
#endif
#if PCM_RELEASE >= 3006000
        cmocka_unit_test(late_sensors_are_named),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
