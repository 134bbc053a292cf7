/* SPDX-License-Identifier: MIT */
/* Steps that are implicit in contacts: the results of backward Euler if the law is linear, first order if it is not,
 * and rest even at ten times the largest explicit step. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

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

static void rk4_is_refused(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, BALL("<freejoint/>", "0.2"), LAW);
    f.model->opt.integrator = mjINT_RK4;
    assert_int_equal(pcm_mujoco_implicit(f.host, true), PCM_BAD_ARGUMENT);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_IMPLICIT), 1);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_backward_euler),
        cmocka_unit_test(stiff_contacts_rest),
        cmocka_unit_test(errors_shrink_with_the_step),
        cmocka_unit_test(pairs_keep_momentum),
        cmocka_unit_test(constraints_know_the_contacts),
        cmocka_unit_test(the_inertia_is_mujocos_again),
        cmocka_unit_test(rk4_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
