/* SPDX-License-Identifier: MIT */
/* What MuJoCo measures of contacts knows those of laws too; what cannot is named when the scene is attached. */
#include "../../hosts/mujoco/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <string.h>

#define WEIGHT (2 * 9.81)

/* A plate of 2 kg on a foot with a touch sensor; a second sensor looks at what does not touch. */
static const char plate[] =
    "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
    "<body name='Plate' pos='0 0 0.0999'><joint type='slide' axis='0 0 1'/>"
    "<geom name='Foot' type='sphere' size='0.1' mass='2'/><site name='Zone' type='sphere' size='0.11'/>"
    "<site name='Top' type='sphere' size='0.02' pos='0 0 0.2'/></body></worldbody>"
    "<sensor><touch name='Felt' site='Zone'/><touch name='Unfelt' site='Top'/><touch name='Cut' site='Zone' "
    "cutoff='5'/></sensor>";
static const char law[] = "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 200 };\n"
                          "ObjectPair Ground * Foot -> C;\n";

static void touch_sensors_feel_laws(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, law);
    fixture_step(&f, 2000);
    assert_near(f.data->sensordata[0], WEIGHT, 1e-9);
    assert_true(f.data->sensordata[1] == 0);
    assert_true(f.data->sensordata[2] == 5);
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

/* MuJoCo's own contacts are felt as MuJoCo's own sensor feels them. */
static void touch_sensors_feel_both_kinds(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, "ContactType C = DefaultContact; ObjectPair Ground * Foot -> C;\n");
    fixture_step(&f, 2000);
    mjData *copy = mj_copyData(NULL, f.model, f.data);
    mj_step(f.model, copy);
    fixture_step(&f, 1);
    assert_true(f.data->sensordata[0] > 0.9 * WEIGHT);
    assert_memory_equal(f.data->sensordata, copy->sensordata, 3 * sizeof *copy->sensordata);
    mj_deleteData(copy);
    fixture_close(&f);
}

/* In a loop of mj_step: said once, and then asked for. cfrc_ext has torque before force. */
static void loops_ask_for_senses(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, law);
    for (int i = 0; i < 2000; i++)
        mj_step(f.model, f.data);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 1);
    assert_true(f.data->sensordata[0] == 0);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(pcm_mujoco_sense(f.host), PCM_OK);
        assert_near(f.data->sensordata[0], WEIGHT, 1e-9);
        assert_near(f.data->cfrc_ext[6 + 5], WEIGHT, 1e-9);
        assert_true(f.data->xfrc_applied[8] == 0);
    }
    mj_step(f.model, f.data);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    fixture_close(&f);
}

static void what_is_not_served_is_named(void **state)
{
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "<worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
        "<body name='Pad' pos='0 0 0.0999'><freejoint/><geom name='Foot' type='box' size='0.1 0.1 0.1'/></body>"
        "</worldbody><actuator><adhesion name='Glue' body='Pad' ctrlrange='0 1' gain='20'/></actuator>"
#if PCM_RELEASE >= 3003004
        "<sensor><contact name='Count' geom1='Ground' data='found'/></sensor>"
#endif
        ,
        law);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), PCM_RELEASE >= 3003004 ? 2 : 1);
    assert_non_null(strstr(f.last, "'Glue'"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touch_sensors_feel_laws),
        cmocka_unit_test(touch_sensors_feel_both_kinds),
        cmocka_unit_test(loops_ask_for_senses),
        cmocka_unit_test(what_is_not_served_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
