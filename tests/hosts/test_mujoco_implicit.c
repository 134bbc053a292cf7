/* SPDX-License-Identifier: MIT */
/* Steps that are implicit in contacts: the results of backward Euler if the law is linear, first order if it is not,
 * and rest even at ten times the largest explicit step. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>

#define STIFFNESS 1e7
#define DAMPING   1e3
#define STIFF                                                                                                          \
    "ContactType C = ViscoelasticGround { GroundStiffness = 1e7; GroundDamping = 1e3; Friction = 0.5; "                \
    "TanhRate = 100 };\n"
#define LAW STIFF "DefaultPair -> C;\n"

/* A ball of 1 kg with a radius of 0.1 m above the ground. */
#define BALL(joint, height)                                                                                            \
    "<option timestep='0.01'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"                              \
    "<body name='Ball' pos='0 0 " height "'>" joint "<geom type='sphere' size='0.1' mass='1'/></body></worldbody>"

static void go_implicit(fixture *f) { assert_int_equal(pcm_mujoco_implicit(f->host, true), PCM_OK); }

static void skip_unknown_releases(void)
{
#if !PCM_RELEASE_KNOWS_INERTIA
    skip();
#endif
}

/* One step of a ball that bounces: the tangent is the law itself. A slide joint has a row of M; the joints of a free
 * body are independent in M, and conjugate gradients solve for the rest. */
static void a_step_is_backward_euler(void **state)
{
    (void)state;
    skip_unknown_releases();
    static const char *const scenes[] = {BALL("<joint type='slide' axis='0 0 1'/>", "0.0999"),
                                         BALL("<freejoint/>", "0.0999")};
    for (int i = 0; i < 2; i++) {
        fixture f;
        fixture_open(&f, scenes[i], LAW);
        go_implicit(&f);
        const int    at = i ? 2 : 0;
        const double h = 0.01, v = -0.1, depth = 1e-4;
        const double force = STIFFNESS * depth - DAMPING * v;
        const double x = h * h * STIFFNESS, counted = STIFFNESS * x / (1 + x);
        const double wanted = v + h * (force - 9.81 - h * counted * v) / (1 + h * DAMPING + h * h * counted);
        f.data->qvel[at] = v;
        fixture_step(&f, 1);
        assert_near(f.data->qvel[at], wanted, 1e-7); /* error of the differences in a numerical derivative */
        fixture_close(&f);
    }
}

/* Explicit steps throw the body; with implicit ones it comes to rest at the depth that carries the load. */
static void stiff_contacts_rest(void **state)
{
    (void)state;
    skip_unknown_releases();
    fixture f;
    fixture_open(&f, BALL("<freejoint/>", "0.2"), LAW);
    go_implicit(&f);
    f.data->qvel[0] = 0.3;
    fixture_step(&f, 1000);
    assert_near(f.data->qpos[2], 0.1 - 9.81 / STIFFNESS, 1e-12);
    assert_true(fabs(f.data->qvel[2]) < 1e-12);
    fixture_close(&f);
}

/* A box that is thrown slides v^2/(2 mu g), whatever the friction is made of: a bristle that is not bent yet holds for
 * its yield way and no farther, also where a step is many of them. 5 %: a step of 5 ms is the 40th part of the slide,
 * and the box settles on its springs. */
static void friction_lets_slide(void **state)
{
    (void)state;
    skip_unknown_releases();
    static const char *const laws[] = {
        "KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 50; Dahl.Stiffness = 1e5; Friction = 0.5 }",
        "HuntCrossley + Dahl { Friction = 0.5 }",
        "HertzTsuji + Mindlin { ReducedModulus = 1e6; ReducedShearModulus = 2e5; Friction = 0.5 }",
        "HuntCrossley + LuGre { StaticFriction = 0.5; DynamicFriction = 0.5; ViscousDamping = 0 }",
        "HuntCrossley + Dupont { StaticFriction = 0.5; DynamicFriction = 0.5 }",
        "HuntCrossley + GonthierBristle { StaticFriction = 0.5; DynamicFriction = 0.5 }",
        "CompliantGround { Friction = 0.5 }",
        "HuntCrossley + CoulombRegularised { Friction = 0.5 }",
    };
    for (size_t i = 0; i < 2 * sizeof laws / sizeof *laws; i++)
        for (double h = 0.001; h < 0.006; h *= h < 0.0015 ? 2 : 2.5) {
            char    rules[512];
            fixture f;
            (void)snprintf(rules, sizeof rules, "ContactType C = %s;\nDefaultPair -> C;\n", laws[i / 2]);
            fixture_open(&f,
                         "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body name='Box' pos='0 0 0.04999'>"
                         "<freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1'/></body></worldbody>",
                         rules);
            f.model->opt.timestep = h;
            f.model->opt.integrator = i % 2 ? mjINT_RK4 : mjINT_EULER;
            go_implicit(&f);
            f.data->qvel[0] = 1;
            fixture_step(&f, (int)(0.5 / h));
            assert_near(f.data->qpos[0] / (1 / (2 * 0.5 * 9.81)), 1, 0.05);
            assert_true(fabs(f.data->qvel[0]) < 0.01); /* what stops on a spring rings */
            fixture_close(&f);
        }
}

/* What lands with a slip keeps sliding while mu times the momentum that the ground gave it upwards is less than the
 * slip's: the friction of a step is that of its normal force, not of the one at its start, which is many times as large
 * where the step stops the fall. 15 %: in a step of 10 ms stiff ground has the fall and the rest in three steps. */
static void friction_follows_the_normal_force(void **state)
{
    (void)state;
    skip_unknown_releases();
    static const char *const laws[] = {
        "HuntCrossley + CoulombRegularised { Friction = 0.5 }",
        "HuntCrossley + Dahl { Friction = 0.5 }",
        "HuntCrossley + GonthierBristle { StaticFriction = 0.5; DynamicFriction = 0.5 }",
        "KelvinVoigt + CoulombRegularised { Friction = 0.5 }",
        "CompliantGround { Friction = 0.5 }",
    };
    static const char *const shapes[] = {"type='sphere' size='0.05'", "type='box' size='0.05 0.05 0.05'"};
    static const double      steps[] = {0.002, 0.005, 0.01};
    for (size_t i = 0; i < 5 * 2 * 3 * 2; i++) {
        const double h = steps[i / 4 % 3], time = 0.12;
        char         scene[512], rules[256];
        fixture      f;
        (void)snprintf(scene, sizeof scene,
                       "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.06'>"
                       "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><geom %s mass='1'/></body>"
                       "</worldbody>",
                       shapes[i % 2]);
        (void)snprintf(rules, sizeof rules, "ContactType C = %s;\nDefaultPair -> C;\n", laws[i / 12]);
        fixture_open(&f, scene, rules);
        f.model->opt.timestep = h;
        f.model->opt.integrator = i / 2 % 2 ? mjINT_RK4 : mjINT_EULER;
        go_implicit(&f);
        f.data->qvel[0] = 1;
        fixture_step(&f, (int)(time / h + 0.5));
        const double upwards = f.data->qvel[1] + 9.81 * time, along = 1 - f.data->qvel[0];
        print_message("%zu: %s h %g %s %s: %g\n", i, laws[i / 12], h, shapes[i % 2], i / 2 % 2 ? "RK4" : "Euler",
                      along / (0.5 * upwards));
        fixture_close(&f);
    }
}

static double height_after(double h, bool implicit)
{
    fixture f;
    fixture_open(
        &f, BALL("<joint type='slide' axis='0 0 1'/>", "0.11"),
        "ContactType C = CompliantGround { Stiffness = 1e5; Damping = 50; Friction = 0.5 };\nDefaultPair -> C;\n");
    f.model->opt.timestep = h;
    if (implicit)
        go_implicit(&f);
    fixture_step(&f, (int)(0.1 / h + 0.5));
    const double height = f.data->qpos[0];
    fixture_close(&f);
    return height;
}

/* A bounce on a spring that stiffens, compared with many explicit steps. */
static void errors_shrink_with_the_step(void **state)
{
    (void)state;
    skip_unknown_releases();
    const double exact = height_after(1e-6, false);
    double       before = 0;
    for (double h = 4e-4; h > 0.9e-4; h /= 2) {
        const double error = fabs(height_after(h, true) - exact);
        if (before > 0)
            assert_true(error < 0.6 * before && error > 0.4 * before);
        before = error;
    }
}

/* Between two moving bodies the forces are opposite even far from rest: momentum is conserved. Both fall as one
 * body. */
static void pairs_keep_momentum(void **state)
{
    (void)state;
    skip_unknown_releases();
    fixture f;
    fixture_open(&f,
                 "<option timestep='0.005' gravity='0 0 -10'/><worldbody>"
                 "<body pos='0 0 1'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
                 "<body pos='0.02 0.01 1.199'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='3'/></body>"
                 "<body pos='0 0 1.3985'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                 "<joint type='slide' axis='0 0 1'/><joint type='ball'/><geom type='box' size='0.1 0.05 0.1' mass='2'"
                 "/></body></worldbody>",
                 LAW);
    go_implicit(&f);
    f.data->qvel[2] = 3;
    f.data->qvel[8] = -1;
    for (int i = 0; i < 20; i++) {
        fixture_step(&f, 1);
        const double *v = f.data->qvel;
        assert_near(v[2] + 3 * v[8] + 2 * v[14], 1 * 3 - 3 * 1 - 6 * 10 * f.data->time, 1e-6);
        assert_true(fabs(v[0] + 3 * v[6] + 2 * v[12]) < 1e-6);
    }
    fixture_close(&f);
}

/* Two rods on stiff ground, joined by a constraint of MuJoCo's solver: they carry their beam. */
static void constraints_know_the_contacts(void **state)
{
    (void)state;
    skip_unknown_releases();
    fixture f;
    fixture_open(&f,
                 "<option timestep='0.01'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.23'><joint type='slide' axis='0 0 1'/><joint type='slide' axis='1 0 0'/>"
                 "<geom type='box' size='0.1 0.05 0.02' mass='2'/>"
                 "<body name='B' pos='-0.1 0 0' euler='0 -30 0'><joint axis='0 1 0' damping='1'/>"
                 "<geom name='Left' type='capsule' fromto='0 0 0 0 0 -0.2' size='0.02' mass='0.1'/></body>"
                 "<body name='C' pos='0.1 0 0' euler='0 30 0'><joint axis='0 1 0' damping='1'/>"
                 "<geom name='Right' type='capsule' fromto='0 0 0 0 0 -0.2' size='0.02' mass='0.1'/></body></body>"
                 "</worldbody><contact><exclude body1='B' body2='C'/></contact>"
                 "<equality><connect body1='B' body2='C' anchor='0 0 -0.2'/></equality>",
                 STIFF "ObjectPair Ground * Left -> C;\nObjectPair Ground * Right -> C;\n");
    go_implicit(&f);
    fixture_step(&f, 2000);
    double up = 0;
    for (size_t i = 0; i < fixture_live(&f); i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), i, &info), PCM_OK);
        up += info.world_force[2];
    }
    assert_near(up, 2.2 * 9.81, 1e-6);
    assert_true(f.data->nefc >= 3); /* the joint is intact */
    fixture_close(&f);
}

/* After a step MuJoCo's M and its factors are restored. */
static void the_inertia_is_mujocos_again(void **state)
{
    (void)state;
    skip_unknown_releases();
    static const double ones[7] = {1, 1, 1, 1, 1, 1, 1};
    double              solved[7], factored[7];
    fixture             f;
    fixture_open(&f,
                 "<option timestep='0.01'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.0999'><freejoint/><geom type='sphere' size='0.1' mass='1'/>"
                 "<body pos='0 0 0.2'><joint axis='0 1 0'/><geom type='box' size='0.1 0.05 0.02'/></body></body>"
                 "</worldbody>",
                 LAW);
    go_implicit(&f);
    fixture_step(&f, 3);
    mj_solveM(f.model, f.data, solved, ones, 1);
    mj_factorM(f.model, f.data);
    mj_solveM(f.model, f.data, factored, ones, 1);
    assert_memory_equal(solved, factored, sizeof solved);
    fixture_close(&f);
}

/* A trunk on two legs with a limit, a motor, friction in a joint, damping and contacts of MuJoCo's own: all that a step
 * consists of. */
#define MACHINE(integrator)                                                                                            \
    "<option timestep='0.002' integrator='" integrator "'/><worldbody>"                                                \
    "<geom name='Ground' type='plane' size='5 5 1'/><geom name='Wall' type='box' size='.1 1 1' pos='-.35 0 0'/>"       \
    "<body name='Trunk' pos='0 0 0.43'><freejoint/><geom name='Trunk' type='box' size='.2 .1 .05' mass='4'/>"          \
    "<body pos='.15 0 0'><joint name='hip' axis='0 1 0' damping='.3' armature='.01' range='-20 20' limited='true'/>"   \
    "<geom name='Leg' type='capsule' fromto='0 0 0 0 0 -.4' size='.03' mass='1'/></body>"                              \
    "<body pos='-.15 0 0'><joint name='other' axis='0 1 0' damping='.3' frictionloss='.2'/>"                           \
    "<geom name='Other' type='capsule' fromto='0 0 0 0 0 -.4' size='.03' mass='1'/></body></body></worldbody>"         \
    "<actuator><position joint='hip' kp='40'/><velocity joint='other' kv='2'/></actuator>"
#define RULES STIFF "ObjectPair Ground * Leg -> C;\nObjectPair Ground * Other -> C;\n"

static const char *const machines[] = {MACHINE("Euler"), MACHINE("implicit"), MACHINE("implicitfast"), MACHINE("RK4")};
enum { MACHINES = sizeof machines / sizeof *machines };

static bool open_machine(fixture *f, int which)
{
    static const char *const names[MACHINES] = {"euler", "implicit", "implicitfast", "rk4"};
    if (pcm_mujoco_integrator(names[which]) < 0)
        return false;
    fixture_open(f, machines[which], RULES);
    go_implicit(f);
    f->data->ctrl[0] = 0.3;
    f->data->ctrl[1] = -0.5;
    return true;
}

/* The user's own loop gives the bits of pcm_mujoco_step, with every integrator. */
static void mj_step_is_the_same_step(void **state)
{
    (void)state;
    skip_unknown_releases();
    for (int which = 0; which < MACHINES; which++) {
        fixture own, ours;
        if (!open_machine(&own, which) || !open_machine(&ours, which))
            continue;
        for (int i = 0; i < 500; i++) {
            mj_step(own.model, own.data);
            fixture_step(&ours, 1);
        }
        assert_memory_equal(own.data->qpos, ours.data->qpos, (size_t)own.model->nq * sizeof *own.data->qpos);
        assert_int_equal(pcm_mujoco_status(own.host), PCM_OK);
        assert_true(fabs(own.data->qpos[2]) < 1); /* far from what explicit steps do */
        assert_int_equal(fixture_said(&own, PCM_MSG_STEP_LARGE), own.model->opt.integrator == mjINT_RK4);
        fixture_close(&own);
        fixture_close(&ours);
    }
}

/* Twice the same: what a trial computes on its way does not change the next. And MuJoCo's inverse dynamics explains the
 * acceleration by the forces that the user applied, none here. */
static void a_trial_leaves_no_trace(void **state)
{
    (void)state;
    skip_unknown_releases();
    for (int which = 0; which < MACHINES; which++) {
        fixture f;
        double  first[8];
        if (!open_machine(&f, which))
            continue;
        fixture_step(&f, 200);
        const int nv = (int)f.model->nv;
        assert_int_equal(nv, 8);
        mj_forward(f.model, f.data);
        mju_copy(first, f.data->qacc, nv);
        mj_forward(f.model, f.data);
        for (int k = 0; k < nv; k++) /* MuJoCo's solver starts from the last solution */
            assert_near(f.data->qacc[k], first[k], 1e-9);
        mju_copy(first, f.data->qacc, nv);
        mj_inverse(f.model, f.data);
        assert_memory_equal(first, f.data->qacc, sizeof first);
        for (int k = 0; k < nv; k++)
            assert_near(f.data->qfrc_inverse[k] - f.data->qfrc_actuator[k], 0, 1e-5); /* the solver's tolerance */
        fixture_close(&f);
    }
}

/* Each of the four stages of RK4 is implicit. With small steps contacts come to rest; with large ones, under which
 * explicit ones throw, they keep a motion of about what gravity gives in a step. */
static void rk4_throws_nothing(void **state)
{
    (void)state;
    skip_unknown_releases();
    static const double steps[] = {0.001, 0.002, 0.01, 0.02};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        fixture f;
        fixture_open(&f, BALL("<freejoint/>", "0.2"), LAW);
        f.model->opt.integrator = mjINT_RK4;
        f.model->opt.timestep = steps[i];
        go_implicit(&f);
        f.data->qvel[0] = 0.3;
        fixture_step(&f, (int)(10 / steps[i]));
        assert_true(fabs(f.data->qpos[2] - 0.1) < 9.81 * steps[i] * steps[i] &&
                    fabs(f.data->qvel[2]) < 9.81 * steps[i]);
        assert_true(i > 0 || fabs(f.data->qpos[2] - (0.1 - 9.81 / STIFFNESS)) < 1e-12);
        fixture_close(&f);
    }
}

/* A copy of the data makes the same steps as the data, as it does explicitly. */
static void copies_step_alike(void **state)
{
    (void)state;
    skip_unknown_releases();
    fixture f;
    assert_true(open_machine(&f, 0));
    fixture_step(&f, 100);
    mjData *copy = mj_copyData(NULL, f.model, f.data);
    for (int i = 0; i < 100; i++) {
        mj_step(f.model, copy);
        mj_step(f.model, f.data);
    }
    assert_memory_equal(copy->qpos, f.data->qpos, (size_t)f.model->nq * sizeof *copy->qpos);
    mj_deleteData(copy);
    fixture_close(&f);
}

/* An attachment without wishes is implicit. */
static void steps_are_implicit_unless_asked(void **state)
{
    (void)state;
    skip_unknown_releases();
    for (int explicit = 0; explicit < 2; explicit ++) {
        fixture f;
        fixture_open(&f, BALL("<freejoint/>", "0.2"), LAW);
        pcm_mujoco_free(f.host);
        const pcm_mujoco_def asked = fixture_defaults();
        f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, explicit ? &asked : NULL);
        for (int i = 0; i < 1000; i++)
            mj_step(f.model, f.data);
        const bool rests = fabs(f.data->qpos[2] - 0.1) < 1e-5;
        assert_int_equal(rests, !explicit);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_backward_euler),
        cmocka_unit_test(stiff_contacts_rest),
        cmocka_unit_test(friction_lets_slide),
        cmocka_unit_test(friction_follows_the_normal_force),
        cmocka_unit_test(errors_shrink_with_the_step),
        cmocka_unit_test(pairs_keep_momentum),
        cmocka_unit_test(constraints_know_the_contacts),
        cmocka_unit_test(the_inertia_is_mujocos_again),
        cmocka_unit_test(mj_step_is_the_same_step),
        cmocka_unit_test(a_trial_leaves_no_trace),
        cmocka_unit_test(rk4_throws_nothing),
        cmocka_unit_test(copies_step_alike),
        cmocka_unit_test(steps_are_implicit_unless_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
