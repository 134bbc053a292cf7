/* SPDX-License-Identifier: MIT */
/* MuJoCo's sensors include the forces of laws; sensors that cannot are reported when the scene is attached. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>
#include <stdio.h>

#include <string.h>

#define WEIGHT (2 * 9.81)

/* A plate of 2 kg on a foot with a touch sensor; a second sensor is where nothing touches. */
static const char plate[] =
    "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
    "<body name='Plate' pos='0 0 0.0999'><joint type='slide' axis='0 0 1'/>"
    "<geom name='Foot' type='sphere' size='0.1' mass='2'/><site name='Zone' type='sphere' size='0.11'/>"
    "<site name='Top' type='sphere' size='0.02' pos='0 0 0.2'/></body></worldbody>"
    "<sensor><touch name='Felt' site='Zone'/><touch name='Unfelt' site='Top'/><touch site='Zone' "
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

/* With MuJoCo's own contacts the value equals that of MuJoCo's own sensor. */
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

/* In a loop of mj_step: one note, and then the user calls pcm_mujoco_sense. cfrc_ext has the torque before the
 * force. */
static void loops_ask_for_senses(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, law);
    for (int i = 0; i < 2000; i++)
        mj_step(f.model, f.data);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 1);
    assert_non_null(strstr(f.last, "('Felt', 'Unfelt', 2)"));
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

/* A scene without sensors whose user makes MuJoCo compute inner forces. */
static void loops_are_warned_of_inner_forces(void **state)
{
    (void)state;
    fixture f;
    for (int own = 0; own < 2; own++) {
        fixture_open(&f, fixture_box_scene, fixture_box_rules);
        for (int i = 0; i < 10; i++)
            own ? fixture_step(&f, 1) : mj_step(f.model, f.data);
        assert_int_equal(f.n_codes, 0); /* no call computes them */
        for (int i = 0; i < 5; i++) {
            own ? fixture_step(&f, 1) : mj_step(f.model, f.data);
            mj_rnePostConstraint(f.model, f.data);
        }
        assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 1);
        assert_non_null(strstr(f.last, "cfrc_ext"));
        assert_non_null(strstr(f.last, "pcm_mujoco_sense"));
        fixture_close(&f);
    }
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    for (int i = 0; i < 10; i++) {
        i < 5 ? mj_step(f.model, f.data) : fixture_step(&f, 1);
        assert_int_equal(pcm_mujoco_sense(f.host), PCM_OK);
    }
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

#define SENSED                                                                                                         \
    "<option timestep='1e-3'/><worldbody><geom name='Floor' type='plane' size='1 1 1'/>"                               \
    "<body pos='0 0 0.1'><freejoint/><geom name='Ball' type='sphere' size='0.1' mass='1'/><site name='Imu'/></body>"   \
    "</worldbody><sensor><accelerometer site='Imu'/></sensor>"

/* An arm on a wall presses its hand on the floor; a sensor in the wrist feels what the arm holds. */
#define ARM                                                                                                            \
    "<option timestep='1e-3' integrator='%s'/><worldbody><geom name='Floor' type='plane' size='1 1 1'/>"               \
    "<body pos='0 0 0.3'><joint axis='0 1 0' damping='1'/><geom type='capsule' size='0.02' fromto='0 0 0 0.3 0 0' "    \
    "mass='1' contype='0' conaffinity='0'/><body pos='0.3 0 0'><joint axis='0 1 0' damping='1' stiffness='20'/>"       \
    "<site name='Wrist' euler='0 30 0'/><geom name='Hand' type='sphere' size='0.05' pos='0.1 0 -0.1' mass='0.5'/>"     \
    "</body></body></worldbody><sensor><force site='Wrist'/><torque site='Wrist'/><force site='Wrist' cutoff='1'/>"    \
    "<accelerometer site='Wrist'/></sensor>"

static void open_arm(fixture *f, const char *integrator)
{
    char scene[2048];
    (void)snprintf(scene, sizeof scene, ARM, integrator);
    fixture_open(f, scene, "ContactType C = CompliantGround { Stiffness = 1e5 }; ObjectPair Floor * Hand -> C;\n");
}

static double contact_force(const fixture *f)
{
    pcm_wrench wrench = {{0}, {0}};
    pcm_world *world = pcm_mujoco_world(f->host);
    pcm_object objects[2];
    assert_int_equal(pcm_world_objects(world, objects, 2), 2);
    for (int i = 0; i < 2; i++)
        if (pcm_mujoco_body(f->host, objects[i]) > 0)
            assert_int_equal(pcm_world_wrench(world, objects[i], &wrench), PCM_OK);
    return wrench.force[2];
}

/* The wrench in cfrc_ext, about the tree's centre of mass, as xfrc_applied has it, about the body's. */
static void push_from_outside(fixture *f, int body, const double outer[6])
{
    double arm[3], torque[3], *row = f->data->xfrc_applied + 6 * body;
    mj_forward(f->model, f->data);
    mju_sub3(arm, f->data->subtree_com + 3 * f->model->body_rootid[body], f->data->xipos + 3 * body);
    mju_cross(torque, arm, outer + 3);
    mju_copy3(row, outer + 3);
    mju_add3(row + 3, outer, torque);
}

/* The bits of a step do not depend on the sensor, and it feels laws' forces in steps of ours: those that MuJoCo
 * computes when they are applied as the user's own, from outside. */
static void force_sensors_leave_the_bits(void **state)
{
    (void)state;
    static const char *const integrators[] = {"Euler", "implicit"};
    for (int k = 0; k < 2; k++) {
        fixture ours, own, outside;
        open_arm(&ours, integrators[k]);
        open_arm(&own, integrators[k]);
        open_arm(&outside, integrators[k]);
        const int hand = (int)outside.model->nbody - 1;
        pcm_mujoco_free(outside.host);
        outside.host = NULL;
        outside.model->opt.disableflags |= mjDSBL_CONTACT;
        for (int i = 0; i < 1500; i++) {
            fixture_step(&ours, 1);
            mj_step(own.model, own.data);
            assert_memory_equal(ours.data->qpos, own.data->qpos, (size_t)own.model->nq * sizeof(double));
            assert_memory_equal(ours.data->qvel, own.data->qvel, (size_t)own.model->nv * sizeof(double));
        }
        assert_true(ours.data->xfrc_applied[6 * hand + 2] == 0);
        assert_near(ours.data->sensordata[6], fmax(-1, fmin(1, ours.data->sensordata[0])), 1e-12);
        assert_near(ours.data->cfrc_ext[6 * hand + 5], own.data->cfrc_ext[6 * hand + 5] + contact_force(&ours), 1e-9);
        memcpy(outside.data->qpos, ours.data->qpos, (size_t)own.model->nq * sizeof(double));
        memcpy(outside.data->qvel, ours.data->qvel, (size_t)own.model->nv * sizeof(double));
        fixture_step(&ours, 1);
        const double *at = ours.data->cfrc_ext + 6 * hand;
        push_from_outside(&outside, hand, at);
        mj_step(outside.model, outside.data);
        for (int i = 0; i < 12; i++)
            assert_true(fabs(ours.data->sensordata[i] - outside.data->sensordata[i]) < 1e-9);
        assert_true(fabs(ours.data->sensordata[0]) > 1);
        fixture_close(&ours);
        fixture_close(&own);
        fixture_close(&outside);
    }
}

/* With an accelerometer MuJoCo computes inner forces in every step: those in a step of ours include laws' forces, and
 * those in a later call by the user do not. */
static void loops_with_an_accelerometer_are_warned(void **state)
{
    (void)state;
    for (int asks = 0; asks < 2; asks++) {
        fixture f;
        fixture_open(&f, SENSED, "ContactType C = CompliantGround { }; ObjectPair Floor * Ball -> C;\n");
        for (int i = 0; i < 600; i++) {
            fixture_step(&f, 1);
            if (asks && i > 500)
                mj_rnePostConstraint(f.model, f.data);
            if (i == 300) /* this is no step, and nothing reads its result */
                mj_forward(f.model, f.data);
            if (i == 400)
                mj_resetData(f.model, f.data);
        }
        assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), asks);
        if (!asks)
            assert_near(f.data->cfrc_ext[6 + 5], 9.81, 1);
        fixture_close(&f);
    }
}

/* If no law acts, nothing is missing, and there is no note. */
static void without_laws_nothing_is_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, "ContactType C = DefaultContact; ObjectPair Ground * Foot -> C;\n");
    for (int i = 0; i < 10; i++) {
        mj_step(f.model, f.data);
        mj_rnePostConstraint(f.model, f.data);
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 0);
    fixture_close(&f);
}

#define GLUED                                                                                                          \
    "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1' zaxis='0 0 -1'/>"               \
    "<body name='Pad' pos='0 0 -0.1'><freejoint/><geom name='Foot' type='sphere' size='0.1' mass='1'/></body>"         \
    "</worldbody><actuator><adhesion name='Glue' body='Pad' ctrlrange='0 1' gain='20'/></actuator>"

static void unserved_sensors_are_named(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, GLUED, law);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 0);
    fixture_list_contacts(&f, false);
    assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), 1);
    assert_non_null(strstr(f.last, "'Glue'"));
    fixture_close(&f);
}

/* One note names one object that has some of these parameters, and the parts of laws that replace condim 6. */
static void unknown_parameters_are_reported(void **state)
{
    (void)state;
    static const char ball[] =
        "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/>"
        "<geom name='Ball' type='sphere' size='0.1' condim='6' margin='0.01'/></body>"
        "<body pos='1 0 1'><freejoint/><geom name='Own' type='sphere' size='0.1' solref='0.1 1'/>"
        "</body></worldbody>";
    fixture f;
    fixture_open(&f, ball,
                 "ContactType C = ViscoelasticGround { GroundStiffness = 1e4 }; ContactType D = DefaultContact;\n"
                 "ObjectPair Ground * Ball -> C; ObjectPair Ground * Own -> D; ObjectPair Ball * Own -> D;\n");
    assert_int_equal(fixture_said(&f, PCM_MSG_DROPPED), 1);
    assert_non_null(strstr(f.last, "condim, margin (of 'Ball' for one)"));
    assert_non_null(strstr(f.last, "RollingResistance"));
    fixture_close(&f);
}

#if PCM_RELEASE >= 3012000
static void adhesion_is_reported(void **state)
{
    (void)state;
    static const char scene[] =
        "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 1'>"
        "<freejoint/><geom name='Ball' type='sphere' size='0.1' adhesion='3'/></body></worldbody>";
    fixture f;
    fixture_open(&f, scene, "ContactType C = ViscoelasticGround { GroundStiffness = 1e4 }; DefaultPair -> C;");
    assert_int_equal(fixture_said(&f, PCM_MSG_DROPPED), 1);
    assert_non_null(strstr(f.last, "adhesion (of "));
    fixture_close(&f);
}
#endif

/* The model's list of pairs, and parameters that override those of all contacts. */
static void parameters_of_pairs_are_reported(void **state)
{
    (void)state;
    static const char scene[] =
        "<option><flag override='enable'/></option>"
        "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/>"
        "<geom name='Ball' type='sphere' size='0.1'/></body></worldbody>"
        "<contact><pair geom1='Ground' geom2='Ball' condim='1' friction='2 1 0.005 0.0001 0.0001'/></contact>";
    fixture f;
    fixture_open(&f, scene, "ContactType C = ViscoelasticGround { GroundStiffness = 1e4 }; DefaultPair -> C;");
    assert_int_equal(fixture_said(&f, PCM_MSG_DROPPED), 1);
    assert_non_null(strstr(f.last, "condim, friction, override (of "));
    fixture_close(&f);
}

/* ---- Contacts in mjData ------------------------------------------------------------------------------------------ */

/* How far a box of 1 kg sinks into a flat height field of n by n points, in MuJoCo's narrow phase. */
static double depth_on_field(int side, const char *patch, size_t notes)
{
    char    scene[1024], rules[256];
    fixture f;
    (void)snprintf(
        scene, sizeof scene,
        "<option timestep='5e-4'/><asset><hfield name='Flat' nrow='%d' ncol='%d' size='1 1 0.1 0.1'/></asset>"
        "<worldbody><geom name='Field' type='hfield' hfield='Flat'/><body pos='0.013 0.027 0.05'><freejoint/>"
        "<geom name='Box' type='box' size='0.1 0.1 0.05' mass='1'/></body></worldbody>",
        side, side);
    (void)snprintf(
        rules, sizeof rules,
        "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 200; TanhRate = 5; %s };\n"
        "DefaultPair -> C;\n",
        patch);
    fixture_open(&f, scene, rules);
    fixture_use_engine_pairs(&f);
    assert_int_equal(fixture_said(&f, PCM_MSG_FIELD), notes);
    fixture_step(&f, 1000);
    const double depth = 0.05 - f.data->qpos[2];
    fixture_close(&f);
    return depth;
}

/* On any field, a whole patch has the law's stiffness; without patches each point has it, which a note says. */
static void fields_are_alike_at_any_resolution(void **state)
{
    (void)state;
    const double wanted = 9.81 / 1e5; /* the cells determine the points, and so the tilt of the box */
    assert_near(depth_on_field(3, "Patch = Shared;", 0), wanted, 0.1);
    assert_near(depth_on_field(41, "Patch = Shared;", 0), wanted, 0.1);
    assert_near(depth_on_field(3, "Patch = Single;", 0), depth_on_field(41, "Patch = Single;", 0), 0.5);
    assert_true(depth_on_field(3, "", 1) > 2 * depth_on_field(41, "", 1));
}

/* Contacts are listed, with the same bits of motion as without a list, and are not in MuJoCo's solver. */
static void contacts_are_listed(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, law);
    mjData *unlisted = mj_copyData(NULL, f.model, f.data);
    fixture_step(&f, 2000);
    assert_int_equal(f.data->ncon, 1);
    const mjContact *contact = &f.data->contact[0];
    assert_int_equal(contact->geom1, 0);
    assert_int_equal(contact->geom2, 1);
    assert_int_equal(contact->exclude, 1);
    assert_int_equal(contact->efc_address, -1);
    assert_int_equal(f.data->nefc, 0);
    assert_near(contact->dist, -WEIGHT / 10000, 1e-6);
    double force[6];
    assert_int_equal(pcm_mujoco_contact_force(f.host, 0, force), PCM_OK);
    assert_near(force[0], WEIGHT, 1e-9);
    assert_int_equal(pcm_mujoco_contact_force(f.host, 1, force), PCM_BAD_ARGUMENT);
    const double height = f.data->qpos[0];
    mj_copyData(f.data, f.model, unlisted);
    fixture_list_contacts(&f, false);
    fixture_step(&f, 2000);
    assert_int_equal(f.data->ncon, 0);
    assert_true(f.data->qpos[0] == height);
    mj_deleteData(unlisted);
    fixture_close(&f);
}

/* For MuJoCo's own contacts the force equals that of mj_contactForce. */
static void forces_of_both_kinds_are_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, "ContactType C = DefaultContact; ObjectPair Ground * Foot -> C;\n");
    fixture_step(&f, 100);
    double force[6], own[6];
    assert_int_equal(pcm_mujoco_contact_force(f.host, 0, force), PCM_OK);
    mj_contactForce(f.model, f.data, 0, own);
    assert_memory_equal(force, own, sizeof own);
    fixture_close(&f);
}

/* A ball under a ceiling, held by adhesion of 20 N. */
static void adhesion_holds_on(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, GLUED, law);
    f.data->ctrl[0] = 1;
    fixture_step(&f, 3000);
    assert_near(f.data->qpos[2], -0.1 + (20 - 9.81) / 10000, 1e-6);
    fixture_close(&f);
}

/* Half of the model's room for contacts is reserved for MuJoCo's own. */
static void lists_leave_room(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<size nconmax='4'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.0999'><freejoint/><geom name='Foot' type='box' size='0.1 0.1 0.1' mass='1'/></body>"
                 "</worldbody>",
                 law);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(fixture_live(&f), 4);
    assert_int_equal(f.data->ncon, 2);
    assert_int_equal(f.data->warning[mjWARN_CONTACTFULL].number, 0);
    fixture_close(&f);
}

static void pictures_show_points_and_forces(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, plate, law);
    fixture_step(&f, 2000);
    mjvScene  scene;
    mjvOption option;
    mjv_defaultScene(&scene);
    mjv_makeScene(f.model, &scene, 2);
    mjv_defaultOption(&option);
    pcm_mujoco_draw(f.host, &option, &scene);
    assert_int_equal(scene.ngeom, 0);
    option.flags[mjVIS_CONTACTPOINT] = option.flags[mjVIS_CONTACTFORCE] = 1;
    for (int i = 0; i < 2; i++)
        pcm_mujoco_draw(f.host, &option, &scene); /* the second time the scene is full */
    assert_int_equal(scene.ngeom, 2);
    assert_int_equal(scene.geoms[0].type, mjGEOM_SPHERE);
    assert_near(scene.geoms[0].pos[2], -0.5 * WEIGHT / 10000, 1e-5);
    assert_int_equal(scene.geoms[1].type, mjGEOM_ARROW);
    assert_near(scene.geoms[1].mat[8], 1, 1e-6); /* upwards */
    assert_near(scene.geoms[1].size[2], WEIGHT * f.model->vis.map.force / f.model->stat.meanmass, 1e-5);
    mjv_freeScene(&scene);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touch_sensors_feel_laws),
        cmocka_unit_test(touch_sensors_feel_both_kinds),
        cmocka_unit_test(loops_ask_for_senses),
        cmocka_unit_test(loops_are_warned_of_inner_forces),
        cmocka_unit_test(force_sensors_leave_the_bits),
        cmocka_unit_test(loops_with_an_accelerometer_are_warned),
        cmocka_unit_test(without_laws_nothing_is_reported),
        cmocka_unit_test(unserved_sensors_are_named),
        cmocka_unit_test(unknown_parameters_are_reported),
#if PCM_RELEASE >= 3012000
        cmocka_unit_test(adhesion_is_reported),
#endif
        cmocka_unit_test(parameters_of_pairs_are_reported),
        cmocka_unit_test(fields_are_alike_at_any_resolution),
        cmocka_unit_test(contacts_are_listed),
        cmocka_unit_test(forces_of_both_kinds_are_reported),
        cmocka_unit_test(adhesion_holds_on),
        cmocka_unit_test(lists_leave_room),
        cmocka_unit_test(pictures_show_points_and_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
