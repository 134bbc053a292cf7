/* SPDX-License-Identifier: MIT */
/* Friction laws whose bristles are differential equations, under solvers, compared with integrations of the papers'
 * equations that use no code of the laws or hosts. A mass of 1 kg is pressed with 10 N and pulled along. */
#include "mujoco_fixture.h"

#include <pcm/cvode.h>
#include <pcm/messages.h>
#include <stdio.h>

enum { DAHL, LUGRE, GONTHIER, DUPONT, LAWS };
static const struct {
    const char *name, *parameters;
} laws[LAWS] = {
    {"Dahl", "Dahl.Stiffness = 1e4; Friction = 0.3;"},
    {"LuGre", "BristleStiffness = 1e4; BristleDamping = 10; ViscousDamping = 2; DynamicFriction = 0.3; "
              "StaticFriction = 0.5; StribeckVelocity = 0.02;"},
    {"GonthierBristle", "BristleStiffness = 500; BristleDamping = 5; DynamicFriction = 0.3; StaticFriction = 0.5; "
                        "StribeckVelocity = 0.15; DwellTime = 0.1;"},
    {"Dupont", "BristleStiffness = 1e4; BristleDamping = 10; ViscousDamping = 2; DynamicFriction = 0.3; "
               "StaticFriction = 0.5; StribeckVelocity = 0.02; ElasticShare = 0;"},
};
static const double sigma = 1e4, dynamic = 3, fixed = 5, start = 0.03, pull = 4, end = 0.04;

typedef struct motion {
    double x, v, z, w; /* position, speed, deflection of the bristles, and Gonthier's dwell variable */
} motion;

/* The time derivative of the motion, for speeds above 0. */
static motion derivative(int law, const motion *m)
{
    const double vs = law == GONTHIER ? 0.15 : 0.02, s = exp(-(m->v / vs) * (m->v / vs)),
                 g = dynamic + (fixed - dynamic) * s;
    double rate = m->v - sigma * m->v * m->z / (law == DAHL ? dynamic : g), force = sigma * m->z;
    if (law == DUPONT) {
        const double most = g / sigma, alpha = 0.5 + 0.5 * sin(mjPI * (m->z - 0.5 * most) / most);
        rate = m->v * (1 - (m->z <= 0 ? 0 : m->z < most ? alpha : 1) * m->z / most);
    }
    if (law == LUGRE || law == DUPONT)
        force += 10 * rate + 2 * m->v;
    if (law == GONTHIER) {
        rate = s * m->v + (1 - s) * (dynamic - 500 * m->z) / 5;
        force = fmin(500 * m->z + 5 * rate, dynamic + (fixed - dynamic) * m->w);
    }
    return (motion){m->v, pull - force, rate, s > m->w ? (s - m->w) / 0.1 : (s - m->w) * 100};
}

static motion beyond(const motion *m, double dt, const motion *by)
{
    return (motion){m->x + dt * by->x, m->v + dt * by->v, m->z + dt * by->z, m->w + dt * by->w};
}

/* Runge-Kutta steps of 1/400000 of the time; where Gonthier's force has corners they are of second order. */
static motion integrate(int law, double speed, double time)
{
    enum { STEPS = 400000 };
    const double dt = time / STEPS;
    motion       m = {.v = speed};
    for (int i = 0; i < STEPS; i++) {
        const motion a = derivative(law, &m), p = beyond(&m, dt / 2, &a), b = derivative(law, &p);
        const motion q = beyond(&m, dt / 2, &b), c = derivative(law, &q), r = beyond(&m, dt, &c),
                     d = derivative(law, &r);
        m = beyond(&m, dt / 6, &a), m = beyond(&m, dt / 3, &b), m = beyond(&m, dt / 3, &c), m = beyond(&m, dt / 6, &d);
    }
    return m;
}

static void open(fixture *f, int law, const char *option)
{
    char scene[512], text[512];
    (void)snprintf(scene, sizeof scene,
                   "<option gravity='4 0 0' %s/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                   "<body pos='0 0 0.099'><joint type='slide' axis='1 0 0'/>"
                   "<geom name='Body' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                   option);
    (void)snprintf(
        text, sizeof text,
        "ContactType C = KelvinVoigt + %s { KelvinVoigt.Stiffness = 1e4; %s };\nObjectPair Ground * Body -> C;\n",
        laws[law].name, laws[law].parameters);
    fixture_open(f, scene, text);
    f->data->qvel[0] = start;
}

static void solvers_integrate_to_their_tolerance(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        const motion  wanted = integrate(law, start, end);
        fixture       f;
        pcm_cvode_def def = pcm_cvode_defaults();
        open(&f, law, "");
        def.rtol = 1e-11;
        def.atol = 1e-14;
        pcm_cvode *solver = pcm_cvode_new(f.context, f.host, &def);
        assert_non_null(solver);
        assert_int_equal(pcm_cvode_advance(solver, end), PCM_OK);
        assert_near(f.data->qpos[0], wanted.x, 1e-8);
        assert_near(f.data->qvel[0], wanted.v, 1e-8);
        assert_int_equal(fixture_said(&f, PCM_MSG_HISTORY_STEPS), 0);
        pcm_cvode_free(solver);
        fixture_close(&f);
    }
}

/* A contact has states only from its first commit on, so a step of zero length comes before the others. */
static double miss(int law, double step, int steps, const motion *wanted)
{
    fixture f;
    open(&f, law, "integrator='RK4' timestep='1e-13'");
    fixture_step(&f, 1);
    f.model->opt.timestep = step;
    fixture_step(&f, steps);
    const double miss = fabs(f.data->qpos[0] / wanted->x - 1);
    fixture_close(&f);
    return miss;
}

static void runge_and_kutta_keep_their_order(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        const motion wanted = integrate(law, start, end);
        const double coarse = miss(law, end / 40, 40, &wanted), fine = miss(law, end / 160, 160, &wanted);
        const double order = 0.5 * log(coarse / fine) / log(2);
        assert_true(coarse < 1e-6);
        assert_true(order > 3.7 && order < 4.5);
    }
}

/* At 1 m/s the bristles' stretch settles in 0.3 ms, Gonthier's in 10 ms. RK4, which is explicit in it, is unstable in
 * steps of four times as much: the laws step it, to first order. The change of speed to 5 %. */
static void long_steps_leave_bristles_to_their_laws(void **state)
{
    (void)state;
    static const double decay[LAWS] = {3e-4, 3e-4, 1e-2, 3e-4};
    enum { STEPS = 60 };
    for (int law = 0; law < LAWS; law++)
        for (double step = decay[law]; step < 50 * decay[law]; step *= 4) {
            const motion wanted = integrate(law, 1, STEPS * step);
            fixture      f;
            open(&f, law, "integrator='RK4' timestep='1e-13'");
            f.data->qvel[0] = 1;
            fixture_step(&f, 1);
            f.model->opt.timestep = step;
            fixture_step(&f, STEPS);
            assert_near(f.data->qvel[0], wanted.v, 0.05 * fabs(wanted.v - 1));
            assert_int_equal(fixture_said(&f, PCM_MSG_STEP_LARGE), 0);
            fixture_close(&f);
        }
}

/* ---- Soil ------------------------------------------------------------------------------------------------------- */

/* A plate of 10 kg and 0.01 m^2 on dry sand, 2 mm deep; it sinks and is pulled along. */
typedef struct plate {
    double x, v, depth, rate, deepest, u; /* u: the fraction of the shear strength that is mobilised */
} plate;

static plate plate_derivative(const plate *m)
{
    const double k = 990 / 0.1 + 1528430, area = 0.01, mass = 10, slope = tan(0.4887), length = 0.025;
    const bool   sinks = m->rate > 0 && m->depth >= m->deepest;
    const double bearing = k * pow(m->deepest, 1.1), p = bearing - 2e8 * (m->deepest - m->depth);
    const double rises = fmax(0, m->rate) * (sinks ? 1.1 * bearing / m->deepest : 2e8);
    const double strength = 1040 + slope * p, turned = m->u * slope * rises / strength;
    return (plate){m->v,
                   2 - area * strength * m->u / mass,
                   m->rate,
                   9.81 - area * p / mass,
                   sinks ? m->rate : 0,
                   (m->v - m->v * m->u) / length - turned};
}

static plate plate_beyond(const plate *m, double dt, const plate *by)
{
    return (plate){m->x + dt * by->x,
                   m->v + dt * by->v,
                   m->depth + dt * by->depth,
                   m->rate + dt * by->rate,
                   m->deepest + dt * by->deepest,
                   m->u + dt * by->u};
}

static plate plate_integrate(double time)
{
    enum { STEPS = 400000 };
    const double dt = time / STEPS;
    plate        m = {.v = 0.1, .depth = 0.002, .deepest = 0.002};
    for (int i = 0; i < STEPS; i++) {
        const plate a = plate_derivative(&m), p = plate_beyond(&m, dt / 2, &a), b = plate_derivative(&p);
        const plate q = plate_beyond(&m, dt / 2, &b), c = plate_derivative(&q), r = plate_beyond(&m, dt, &c);
        const plate d = plate_derivative(&r);
        m = plate_beyond(&m, dt / 6, &a), m = plate_beyond(&m, dt / 3, &b);
        m = plate_beyond(&m, dt / 3, &c), m = plate_beyond(&m, dt / 6, &d);
        m.deepest = fmax(m.deepest, m.depth);
    }
    return m;
}

static void open_plate(fixture *f, const char *option)
{
    char scene[512];
    (void)snprintf(
        scene, sizeof scene,
        "<option gravity='2 0 -9.81' %s/><worldbody><geom name='Ground' type='box' size='1 1 1' pos='0 0 -1'/>"
        "<body pos='0 0 0.048'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
        "<geom name='Plate' type='box' size='0.05 0.05 0.05' mass='10'/></body></worldbody>",
        option);
    fixture_open(f, scene, "ContactType C = BekkerWong { };\nObjectPair Ground * Plate -> C;\n");
    f->data->qvel[0] = 0.1;
}

static void soil_is_integrated_to_its_tolerance(void **state)
{
    (void)state;
    static const double times[] = {0.06, 0.1}; /* while it still sinks, and on its way back */
    for (size_t k = 0; k < 2; k++) {
        const plate   wanted = plate_integrate(times[k]);
        fixture       f;
        pcm_cvode_def def = pcm_cvode_defaults();
        open_plate(&f, "");
        def.rtol = 1e-10;
        def.atol = 1e-13;
        pcm_cvode *solver = pcm_cvode_new(f.context, f.host, &def);
        assert_non_null(solver);
        assert_int_equal(pcm_cvode_advance(solver, times[k]), PCM_OK);
        assert_near(f.data->qpos[0], wanted.x, 1e-8);
        assert_near(f.data->qpos[1], 0.002 - wanted.depth, 1e-8);
        assert_int_equal(f.n_codes, 0);
        pcm_cvode_free(solver);
        fixture_close(&f);
    }
}

static void soil_keeps_the_order_of_runge_and_kutta(void **state)
{
    (void)state;
    const plate wanted = plate_integrate(0.06);
    double      miss[2];
    for (int k = 0; k < 2; k++) {
        const int steps = 20 << 2 * k;
        fixture   f;
        open_plate(&f, "integrator='RK4' timestep='1e-13'");
        fixture_step(&f, 1);
        f.model->opt.timestep = 0.06 / steps;
        fixture_step(&f, steps);
        miss[k] = fabs(f.data->qpos[1] / (0.002 - wanted.depth) - 1);
        fixture_close(&f);
    }
    assert_true(miss[0] < 2e-6);
    assert_near(0.5 * log(miss[0] / miss[1]) / log(2), 4, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_integrate_to_their_tolerance),
        cmocka_unit_test(runge_and_kutta_keep_their_order),
        cmocka_unit_test(long_steps_leave_bristles_to_their_laws),
        cmocka_unit_test(soil_is_integrated_to_its_tolerance),
        cmocka_unit_test(soil_keeps_the_order_of_runge_and_kutta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
