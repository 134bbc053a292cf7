/* SPDX-License-Identifier: MIT */
/* Forces in MuJoCo compared with closed forms: objects that press into the ground, creep down a slope, or are handled
 * by MuJoCo. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>

static const char ground_rule[] = "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 100;\n"
                                  "                                     Friction = 0.5; TanhRate = 1000 };\n"
                                  "ObjectPair Ground * Body -> C;\n";

/* At rest n points share the weight: depth = m g / (n k). The tolerance allows for the bounce that remains after a run
 * of 3 s with damping. */
static void weight_is_shared(const char *geom, double points)
{
    char scene[512];
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                   "<body pos='0 0 0.1'><freejoint/><geom name='Body' mass='2' %s/></body></worldbody>",
                   geom);
    fixture f;
    fixture_open(&f, scene,
                 "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 100; Friction = 0 };\n"
                 "ObjectPair Ground * Body -> C;\n");
    fixture_step(&f, 3000);
    assert_int_equal(fixture_live(&f), (size_t)points);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), 0, &info), PCM_OK);
    assert_near(info.depth, 2 * 9.81 / (points * 10000), 1e-9);
    assert_int_equal(f.data->nefc, 0); /* no contact is left to MuJoCo's solver */
    fixture_close(&f);
}

static void every_shape_rests_at_its_depth(void **state)
{
    (void)state;
    weight_is_shared("type='sphere' size='0.1'", 1);
    weight_is_shared("type='box' size='0.1 0.1 0.1'", 4);
    weight_is_shared("type='capsule' size='0.05 0.1' euler='0 90 0' pos='0 0 -0.05'", 2);
    weight_is_shared("type='cylinder' size='0.1 0.1'", 3);
}

/* A box on ground with this slope, in radians. */
static void open_slope(fixture *f, double slope)
{
    char scene[512];
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='1e-4' gravity='%.17g 0 %.17g'/><worldbody>"
                   "<geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.02'><freejoint/>"
                   "<geom name='Body' type='box' size='0.1 0.1 0.02' mass='1'/></body></worldbody>",
                   9.81 * sin(slope), -9.81 * cos(slope));
    fixture_open(f, scene, ground_rule);
}

/* A brick that is tilted in its mesh, which MuJoCo turns to the brick's edges. The geom's axes are still those of the
 * file: a blade of 0.5 N*s/m glides along its x axis. */
static void axes_of_a_mesh_are_those_of_the_file(void **state)
{
    (void)state;
    if (mj_version() < 300)
        skip();
    fixture f;
    fixture_open_file(
        &f,
        "<mujoco><asset><mesh name='Brick' vertex='0.115 0.101 0.01 0.145 0.049 0.01 -0.145 -0.049 0.01 "
        "-0.115 -0.101 0.01 0.115 0.101 -0.01 0.145 0.049 -0.01 -0.145 -0.049 -0.01 -0.115 -0.101 -0.01'/>"
        "</asset><worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.005'>"
        "<freejoint/><geom name='Body' type='mesh' mesh='Brick' mass='1'/></body></worldbody></mujoco>",
        "ContactType S = Skate; ObjectPair Ground * Body -> S;");
    const int     geom = mj_name2id(f.model, mjOBJ_GEOM, "Body");
    const double *turn = f.model->geom_quat + 4 * geom;
    assert_true(fabs(turn[0]) < 0.999); /* it was turned */
    f.data->qvel[0] = 1;
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    const size_t contacts = pcm_world_contact_count(pcm_mujoco_world(f.host));
    assert_true(contacts > 0);
    for (size_t i = 0; i < contacts; i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), i, &info), PCM_OK);
        assert_near(info.world_force[0], -0.5, 1e-12);
        assert_near(info.world_force[1], 0, 1e-12);
    }
    fixture_close(&f);
}

/* A tetrahedron stands on a corner. Its contact point is reported in the axes of its vertices, and so is its origin,
 * about which the wrench is applied. */
static void a_point_of_a_mesh_is_where_the_file_has_it(void **state)
{
    (void)state;
    if (mj_version() < 300)
        skip();
    fixture f;
    fixture_open(
        &f,
        "<asset><mesh name='Tip' vertex='0.3 0.1 0  0.6 0.15 0.4  0.1 0.25 0.5  0.2 -0.3 0.45'/></asset>"
        "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0.05 0.02 -0.001' euler='3 5 40'>"
        "<freejoint/><geom name='Body' type='mesh' mesh='Tip' mass='1'/></body></worldbody>",
        ground_rule);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    pcm_world *world = pcm_mujoco_world(f.host);
    size_t     tips = 0;
    double     turning[3] = {0, 0, 0};
    for (size_t i = 0; i < pcm_world_contact_count(world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        pcm_object_info  body = {.size = sizeof body};
        double           apart[3], there[3], back[4];
        assert_int_equal(pcm_world_contact_at(world, i, &info), PCM_OK);
        assert_int_equal(pcm_world_object_info(world, info.follower, &body), PCM_OK);
        for (int k = 0; k < 3; k++) /* the body's axes are those of the file */
            assert_near(body.pose.position[k] + 1, f.data->qpos[k] + 1, 1e-7);
        mju_sub3(apart, info.point, body.pose.position);
        mju_negQuat(back, body.pose.orientation);
        mju_rotVecQuat(there, apart, back);
        double moment[3], own[3];
        mju_cross(moment, apart, info.world_force);
        mju_rotVecQuat(own, moment, back);
        mju_addTo3(turning, own);
        tips += fabs(there[0] - 0.3) < 2e-3 && fabs(there[1] - 0.1) < 2e-3 && fabs(there[2]) < 0.02;
    }
    assert_int_equal(tips, 1);
    for (int k = 0; k < 3; k++)
        assert_near(f.data->qfrc_passive[3 + k] + 1, turning[k] + 1, 1e-6);
    fixture_close(&f);
}

/* A box on a slope of 25 degrees, friction 0.5: it creeps where mu tanh(c v) = tan(25 degrees). */
static void creep_on_a_slope_is_tanhs(void **state)
{
    (void)state;
    const double slope = 25 * mjPI / 180;
    fixture      f;
    open_slope(&f, slope);
    fixture_step(&f, 20000);
    assert_near(f.data->qvel[0], 0.00167810585, 1e-8); /* the number has nine digits */
    assert_near(f.data->qvel[0], 1e-3 * atanh(tan(slope) / 0.5), 1e-10);
    fixture_close(&f);
}

/* On a slope that is too steep for friction it slides with g (sin - mu cos), once tanh is 1. */
static void steep_slope_slides(void **state)
{
    (void)state;
    const double slope = 28 * mjPI / 180;
    fixture      f;
    open_slope(&f, slope);
    fixture_step(&f, 10000);
    const double before = f.data->qvel[0];
    fixture_step(&f, 1000);
    assert_near((f.data->qvel[0] - before) / 0.1, 0.274658088, 1e-8);
    fixture_close(&f);
}

static const char one_ball[] =
    "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
    "<body pos='0 0 0.0999'><freejoint/><geom name='Body' type='sphere' size='0.1' mass='1'/>"
    "</body></worldbody>";

/* The user's values in xfrc_applied act, and are restored to the bit, whether the user keeps them, sets them again or
 * adds to them. */
static void the_users_forces_stay(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, one_ball, ground_rule);
    double *force = f.data->xfrc_applied + 6;
    force[0] = 0.1;
    force[5] = 1.0 / 3;
    fixture_step(&f, 5);
    assert_true(force[0] == 0.1 && force[2] == 0 && force[5] == 1.0 / 3);
    assert_true(f.data->qvel[0] > 0);
    force[2] = -7;
    fixture_step(&f, 3000);
    assert_true(force[2] == -7);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), 0, &info), PCM_OK);
    assert_near(info.force[2], 9.81 + 7, 1e-9);
    mj_forward(f.model, f.data);
    assert_true(force[2] == -7);
    assert_near(f.data->qfrc_passive[2], 9.81 + 7, 1e-9);
    assert_near(f.data->qacc[2], 0, 1e-8);
    fixture_close(&f);
}

/* One geom with three partners: a law of ours, a rule that leaves the pair to MuJoCo, and no rule. */
static void pairs_are_divided_not_geoms(void **state)
{
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
        "<geom name='Shelf' type='box' size='0.1 0.5 0.1' pos='0.2 0 0'/>"
        "<geom name='Step' type='box' size='0.1 0.5 0.1' pos='-0.2 0 0'/>"
        "<body pos='0 0 0.11'><freejoint/><geom name='Body' type='box' size='0.25 0.1 0.01' mass='1'/>"
        "<geom name='Keel' type='box' size='0.02 0.05 0.05' pos='0 0 -0.0601' mass='0.01'/></body></worldbody>",
        "ContactType C = ViscoelasticGround { GroundStiffness = 5000; GroundDamping = 50 };\n"
        "ContactType Own = DefaultContact;\n"
        "ObjectPair Ground * Keel -> C;\nObjectPair Shelf * Body -> Own;\n");
    fixture_step(&f, 1000);
    size_t shelf = 0, step = 0, ground = 0;
    for (int i = 0; i < f.data->ncon; i++) {
        const int first = f.data->contact[i].exclude ? -1 : f.data->contact[i].geom1;
        ground += first == 0;
        shelf += first == 1;
        step += first == 2;
    }
    assert_int_equal(ground, 0);
    assert_true(shelf > 0 && step > 0);
    assert_int_equal(fixture_live(&f), 4);
    assert_int_equal(fixture_said(&f, PCM_MSG_PAIR_UNASSIGNED), 1); /* the step, which no rule names */
    assert_string_equal(f.last, "no rule matches 'Step' and 'Body': MuJoCo handles the pair");
    pcm_rule_stats own = {.size = sizeof own};
    assert_int_equal(pcm_mujoco_rule_stats(f.host, 1, &own), PCM_OK);
    assert_int_equal(own.made, 1);
    assert_true(own.max_force > 0);
    fixture_close(&f);
}

/* A force sensor between body and foot measures the ground's force, less the foot's own weight. */
static void force_sensors_feel_the_contact(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.2'><joint type='slide' axis='0 0 1'/><geom type='sphere' size='0.05' mass='1'"
                 " contype='0' conaffinity='0'/><body pos='0 0 -0.1'><site name='ankle'/>"
                 "<geom name='Body' type='sphere' size='0.1' mass='0.25'/></body></body></worldbody>"
                 "<sensor><force site='ankle'/></sensor>",
                 ground_rule);
    fixture_step(&f, 3000);
    assert_near(fabs(f.data->sensordata[2]), 1 * 9.81, 1e-9);
    fixture_close(&f);
}

/* Names come from the geom, or else from the body; surfaces from the material, or from a pattern. */
static void names_and_surfaces_are_found(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='1e-3'/><asset><material name='Ice'/></asset>"
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1' material='Ice'/>"
                 "<body name='Sledge' pos='0 0 0.0999'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
                 "</worldbody>",
                 "ContactType C = ViscoelasticGround;\nObjectPair Ground * Sledge -> C;\n");
    fixture_step(&f, 10);
    assert_int_equal(fixture_live(&f), 1);

    const char *const texts[] = {"*=Wood", "Sled?e=Steel"};
    const char        rules[] = "ContactType C = ViscoelasticGround;\nSurfacePair Wood * Steel -> C;\n";
    pcm_mujoco_def    def = fixture_defaults();
    def.surfaces = texts;
    def.n_surfaces = 2;
    pcm_config         *config = pcm_config_parse(f.context, "rules", rules, sizeof rules - 1);
    pcm_mujoco_coverage coverage = {.size = sizeof coverage};
    assert_int_equal(pcm_mujoco_check(f.context, config, f.model, &def, true, &coverage), PCM_OK);
    assert_int_equal(coverage.pairs, 1);
    assert_int_equal(coverage.served, 1);
    assert_int_equal(coverage.unmatched, 0);
    assert_int_equal(pcm_mujoco_check(f.context, config, f.model, NULL, true, &coverage), PCM_OK);
    assert_int_equal(coverage.unassigned, 1);
    assert_int_equal(coverage.unmatched, 2);
    pcm_config_release(config);
    fixture_close(&f);
}

/* A URDF file: its geoms have no names and no materials, so the links' names are used. */
static void urdf_files_are_scenes(void **state)
{
    (void)state;
    fixture f;
    fixture_open_file(
        &f,
        "<robot name='lander'><mujoco><compiler fusestatic='false'/></mujoco><link name='Ground'><collision>"
        "<origin xyz='0 0 -0.1'/><geometry><box size='2 2 0.2'/></geometry></collision></link>"
        "<joint name='drop' type='prismatic'><parent link='Ground'/><child link='Body'/>"
        "<origin xyz='0 0 0.0999'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='0' velocity='0'/>"
        "</joint><link name='Body'><inertial><mass value='2'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01'"
        " iyz='0' izz='0.01'/></inertial><collision><geometry><sphere radius='0.1'/></geometry></collision>"
        "</link></robot>",
        ground_rule);
    f.model->opt.timestep = 1e-3;
    fixture_step(&f, 3000);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), 0, &info), PCM_OK);
    assert_string_equal(info.follower_name, "Body");
    assert_near(info.depth, 2 * 9.81 / 10000, 1e-9);
    fixture_close(&f);
}

/* A site is a point that touches planes if a rule names it. */
static void sites_are_points(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.1'><joint type='slide' axis='0 0 1'/><geom type='sphere' size='0.01' mass='1'"
                 " contype='0' conaffinity='0'/><site name='tip' pos='0 0 -0.1'/><site name='other' pos='0 0 -0.2'/>"
                 "</body></worldbody>",
                 "ContactType C = ViscoelasticGround { GroundStiffness = 10000; GroundDamping = 100 };\n"
                 "ObjectPair Ground * tip -> C;\nDefaultPair -> C;\n");
    fixture_step(&f, 3000);
    assert_int_equal(fixture_live(&f), 1);
    assert_near(0.1 - (0.1 + f.data->qpos[0]), 9.81 / 10000, 1e-9);
    fixture_close(&f);
}

/* ---- Energy ------------------------------------------------------------------------------------------------------ */

/* A ball of 1 kg falls on a spring and a damper, and bounces off. Returns the energy that it gains, J, without
 * gravity. */
static double bounce(fixture *f, const char *integrator, double step, pcm_ledger *ledger)
{
    static const char rules[] = "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 20 };\n"
                                "ObjectPair Ground * Ball -> C;\n";
    char              scene[512];
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='%.17g' integrator='%s'/><worldbody><geom name='Ground' type='plane' "
                   "size='1 1 1'/><body pos='0 0 0.3'><freejoint/><geom name='Ball' size='0.1' mass='1'/></body>"
                   "</worldbody>",
                   step, integrator);
    fixture_open(f, scene, rules);
    pcm_mujoco_def def = fixture_defaults();
    def.ledger = true;
    pcm_mujoco_free(f->host);
    f->host = pcm_mujoco_attach(f->context, f->config, f->model, f->data, &def);
    assert_non_null(f->host);
    const double *speed = &f->data->qvel[2];
    double        gravity = 0, before = 0;
    while (f->data->time < 0.28) {
        before = *speed;
        fixture_step(f, 1);
        gravity -= 9.81 * step * (before + *speed) / 2;
    }
    const pcm_type *type = pcm_config_type_at(f->config, 0);
    assert_int_equal(pcm_world_type_ledger(pcm_mujoco_world(f->host), type, ledger), PCM_OK);
    assert_int_equal(fixture_live(f), 0);
    return *speed * *speed / 2 - gravity;
}

/* This holds whether the step is small or, as the last one, so large that the ball leaves the ground with nine times
 * its energy. */
static void work_is_what_bodies_gain(void **state)
{
    (void)state;
    static const char *const integrators[] = {"Euler", "implicit", "implicitfast"}; /* the last is new */
    static const double      steps[] = {1e-5, 1e-3, 9e-3};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            if (i == 2 && pcm_mujoco_integrator(integrators[i]) < 0)
                continue;
            fixture      f;
            pcm_ledger   ledger = {.size = sizeof ledger};
            const double gained = bounce(&f, integrators[i], steps[k], &ledger);
            assert_near(ledger.work, gained, 1e-9);
            assert_int_equal(gained > 10, k == 2);
            assert_true(k < 2 || ledger.residue < -10);
            assert_int_equal(fixture_said(&f, PCM_MSG_ENERGY_CREATED), k == 2);
            fixture_close(&f);
        }
}

/* The force begins with the contact, somewhere within a step: a first-order error. */
static void work_under_rk4_settles(void **state)
{
    (void)state;
    fixture    f;
    pcm_ledger ledger = {.size = sizeof ledger};
    for (double step = 1e-4; step > 5e-6; step /= 10) {
        const double gained = bounce(&f, "RK4", step, &ledger);
        assert_near(ledger.work, gained, 100 * step);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_what_bodies_gain),
        cmocka_unit_test(work_under_rk4_settles),
        cmocka_unit_test(every_shape_rests_at_its_depth),
        cmocka_unit_test(creep_on_a_slope_is_tanhs),
        cmocka_unit_test(axes_of_a_mesh_are_those_of_the_file),
        cmocka_unit_test(a_point_of_a_mesh_is_where_the_file_has_it),
        cmocka_unit_test(steep_slope_slides),
        cmocka_unit_test(the_users_forces_stay),
        cmocka_unit_test(pairs_are_divided_not_geoms),
        cmocka_unit_test(force_sensors_feel_the_contact),
        cmocka_unit_test(names_and_surfaces_are_found),
        cmocka_unit_test(sites_are_points),
        cmocka_unit_test(urdf_files_are_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
