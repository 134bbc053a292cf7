/* SPDX-License-Identifier: MIT */
/* Laws that pull, behind laws that push: depths at rest and of impacts, speeds at parting, energy, and friction before
 * and behind them. */
#include "law.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void assert_near(double got, double wanted, double tolerance)
{
    if (!near(got, wanted, tolerance, 0))
        fail_msg("%.17g, expected %.17g", got, wanted);
}

/* ---- LinearCohesion --------------------------------------------------------------------------------------------- */

typedef struct body {
    law    law;
    lanes  lanes;
    double mass, depth, rate;
} body;

static double pulled(body *b, double depth)
{
    b->lanes.depth[0] = depth;
    lanes_call(&b->law, PCM_UPDATE, &b->lanes, 0, 1, 0);
    return b->lanes.force_n[0];
}

/* A step of Runge and Kutta's, of order 4. */
static void step(body *b, double dt)
{
    const double v0 = b->rate, a0 = -pulled(b, b->depth) / b->mass;
    const double v1 = v0 + 0.5 * dt * a0, a1 = -pulled(b, b->depth + 0.5 * dt * v0) / b->mass;
    const double v2 = v0 + 0.5 * dt * a1, a2 = -pulled(b, b->depth + 0.5 * dt * v1) / b->mass;
    const double v3 = v0 + dt * a2, a3 = -pulled(b, b->depth + dt * v2) / b->mass;
    b->depth += dt / 6 * (v0 + 2 * v1 + 2 * v2 + v3);
    b->rate += dt / 6 * (a0 + 2 * a1 + 2 * a2 + a3);
}

/* Spheres come to rest, and turn round, at the depths of the table. They part as fast as they met, and on the way the
 * energy stays. A step is at most 1e-4 of the way in, and passes the bend at the touch with an error of its square. */
static void cohesive_spheres_lose_nothing(void **state)
{
    (void)state;
    reference t = reference_open("linear_cohesion_spheres.csv");
    for (size_t r = 0; r < t.rows; r++) {
        const double radius = reference_at(&t, r, "radius"), k = reference_at(&t, r, "k"), c = reference_at(&t, r, "c");
        const double modulus = reference_at(&t, r, "modulus");
        const double weight = reference_at(&t, r, "weight"), rest = reference_at(&t, r, "rest");
        const double speed = reference_at(&t, r, "speed"), deepest = reference_at(&t, r, "deepest");
        body         b = {.mass = reference_at(&t, r, "mass"), .rate = speed, .lanes = lanes_open(1)};
        b.law = law_open("Hertz + LinearCohesion",
                         "ReducedModulus = %.17g; CohesionEnergyDensity = %.17g; AreaFactor = %.17g;", modulus, k, c);
        b.lanes.more[LAW_MORE_radius][0] = radius;
        assert_near(pulled(&b, rest), weight, 1e-12 * (weight + k * c * pi * radius * rest));
        const double a = 0.5 * c * pi * k / modulus,
                     parts = pow(c * pi * k, 3) * radius * radius / (12 * modulus * modulus);
        assert_near(pulled(&b, a * a * radius), -parts, 3e-12 * parts);
        const double whole = 0.5 * b.mass * speed * speed, all = whole + 0.5 * k * c * pi * radius * deepest * deepest;
        const double dt = 1e-4 * deepest / sqrt(2 * all / b.mass);
        double       most = 0;
        do {
            step(&b, dt);
            most = fmax(most, b.depth);
            (void)pulled(&b, b.depth);
            assert_near(0.5 * b.mass * b.rate * b.rate + b.lanes.energy[0], whole, 1e-8 * whole);
        } while (b.depth > 0);
        assert_near(most, deepest, 1e-8 * deepest);
        assert_near(b.rate, -speed, 1e-8 * speed);
        lanes_close(&b.lanes);
        law_close(&b.law);
    }
    reference_close(&t);
}

/* It takes k c pi R from a spring of K. */
static void a_spring_is_softer_by_the_pull(void **state)
{
    (void)state;
    const double weight = 0.02, soft = 1e4 - 2e5 * 2 * pi * 0.005;
    body         b = {.lanes = lanes_open(1)};
    b.law =
        law_open("KelvinVoigt + LinearCohesion",
                 "Stiffness = 1e4; Damping = 0; CohesionEnergyDensity = 2e5; AreaFactor = 2; ReducedRadius = 0.005;");
    assert_near(pulled(&b, weight / soft), weight, 1e-14);
    assert_near(pulled(&b, -1e-9), 0, 0);
    lanes_close(&b.lanes);
    law_close(&b.law);
    law            alone = law_open("LinearCohesion", "CohesionEnergyDensity = 2e5; AreaFactor = 2;");
    const pcm_load load = {.size = sizeof load, .depth = 1e-4, .radius = 0.005};
    assert_near(law_asked(&alone, "pull_at_depth", &load), 2e5 * 2 * pi * 0.005 * 1e-4, 1e-15);
    law_close(&alone);
}

/* ---- SquareForce ------------------------------------------------------------------------------------------------ */

/* A grain of 1 mg that flies to a fixed one and back, with steps of 10 ns. The spring is Hertz's. */
static const double pull = 1e-3, range = 1e-5, mass = 1e-6, dt = 1e-8;

typedef struct flight {
    double rate, lost; /* m/s apart at twice the range; J that ended contacts still stored */
    int    ended;
} flight;

static void hear(void *user, const pcm_ending *ending)
{
    flight *f = user;
    f->lost += ending->energy;
    f->ended++;
}

/* From twice the range at that speed until it is there again, or for 2 ms, many times around. */
static flight fly(const char *forms, double speed)
{
    static const char text[] =
        "ContactType C = Hertz + SquareForce { ReducedModulus = 1e9; Force = 1e-3; Range = 1e-5; "
        "Forms = %s; };\nObjectPair Lower * Upper -> C;\n";
    char   file[256];
    flight f = {.rate = -speed};
    law    l = law_open("Hertz", "%s", "");
    snprintf(file, sizeof file, text, forms);
    pcm_config   *config = pcm_config_parse(l.context, "grains", file, strlen(file));
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    def.ended = hear;
    def.ended_user = &f;
    pcm_world       *world = pcm_world_new(config, &def);
    const pcm_object lower = pcm_world_add_object(world, &PCM_OBJECT(.name = "Lower", .fixed = true, .radius = 1e-3));
    const pcm_object upper = pcm_world_add_object(world, &PCM_OBJECT(.name = "Upper", .radius = 1e-3, .mass = mass));
    double           depth = -2 * range;
    for (int i = 0; i < 200000 && !(f.rate > 0 && depth < -2 * range); i++) {
        const pcm_pose  pose = {.orientation = {1}};
        const pcm_twist twist = {.linear = {0, 0, f.rate}};
        pcm_wrench      wrench;
        depth -= 0.5 * dt * f.rate;
        const pcm_touch touch = {.normal = {0, 0, 1}, .depth = depth};
        assert_int_equal(pcm_world_move(world, upper, &pose, &twist), PCM_OK);
        (void)pcm_world_touch(world, lower, upper, &touch, sizeof touch);
        assert_int_equal(pcm_world_update(world, i * dt, dt), PCM_OK);
        assert_int_equal(pcm_world_wrench(world, upper, &wrench), PCM_OK);
        assert_int_equal(pcm_world_commit(world), PCM_OK);
        f.rate += dt * wrench.force[2] / mass;
        depth -= 0.5 * dt * f.rate;
    }
    f.rate = depth < -2 * range ? f.rate : 0;
    pcm_world_free(world);
    pcm_config_release(config);
    law_close(&l);
    return f;
}

/* Formed at the range, the pull takes back on the way out what it gave on the way in. Formed at the touch it takes F D
 * from the flight, and holds what is slower than sqrt(2 F D/m). A step in which the pull begins or ends is off by up to
 * its impulse, F dt: there are two such steps. */
static void grains_leave_a_square_force(void **state)
{
    (void)state;
    const double needed = sqrt(2 * pull * range / mass), error = 2 * pull * dt / mass;
    law          l = law_open("SquareForce", "Force = 1e-3; Range = 1e-5;");
    assert_near(law_asked(&l, "parting_speed", &(pcm_load){.size = sizeof(pcm_load), .mass = mass}), needed, 1e-15);
    assert_near(law_asked(&l, "bond_energy", &(pcm_load){.size = sizeof(pcm_load)}), pull * range, 1e-23);
    law_close(&l);
    for (double share = 0.2; share < 3; share *= 1.3) {
        const double speed = share * needed, left = share > 1 ? sqrt(speed * speed - needed * needed) : 0;
        const flight in_range = fly("AtRange", speed), touched = fly("AtTouch", speed);
        assert_near(in_range.rate, speed, error);
        assert_int_equal(in_range.ended, 1);
        assert_near(in_range.lost, 0, 0);
        assert_near(touched.rate, left, share > 1 ? error * speed / left : 0);
        assert_int_equal(touched.ended, share > 1);
        assert_near(touched.lost, share > 1 ? pull * range : 0, 1e-15 * pull * range);
    }
}

/* ---- Friction --------------------------------------------------------------------------------------------------- */

/* Sliding at 1 m/s with mu = 0.5 under a spring of 10 N and a pull of 4 N: limited by both together behind the pull,
 * which presses the surfaces as well, and by the spring alone before it. */
static void friction_counts_the_pulls_before_it(void **state)
{
    (void)state;
    static const struct {
        const char *before, *behind, *parameters;
    } all[] = {
        {"KelvinVoigt + LinearCohesion + CundallStrack", "KelvinVoigt + CundallStrack + LinearCohesion",
         "AreaFactor = 2; ReducedRadius = 0.01; CohesionEnergyDensity = 63661.97723675813;"},
        {"KelvinVoigt + SquareForce + CundallStrack", "KelvinVoigt + CundallStrack + SquareForce", "Force = 4;"},
        {"KelvinVoigt + SquareForce + CundallStrack", "KelvinVoigt + CundallStrack + SquareForce",
         "Force = 4; Forms = AtTouch;"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int behind = 0; behind < 2; behind++) {
            law l = law_open(behind ? all[k].behind : all[k].before,
                             "Stiffness = 1e4; KelvinVoigt.Damping = 0; Friction = 0.5; TangentialStiffness = 1e5; %s",
                             all[k].parameters);
            lanes c = lanes_open(1);
            c.depth[0] = 1e-3;
            c.slip_x[0] = 0.6;
            c.slip_y[0] = -0.8;
            c.more[LAW_MORE_mass][0] = 1;
            lanes_call(&l, PCM_UPDATE, &c, 0, 1, 1e-3);
            const double most = 0.5 * (behind ? 10 : 14);
            assert_near(c.force_n[0], 6, 6e-12);
            assert_near(c.force_x[0], -0.6 * most, 1e-12 * most);
            assert_near(c.force_y[0], 0.8 * most, 1e-12 * most);
            lanes_close(&c);
            law_close(&l);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cohesive_spheres_lose_nothing),
        cmocka_unit_test(a_spring_is_softer_by_the_pull),
        cmocka_unit_test(grains_leave_a_square_force),
        cmocka_unit_test(friction_counts_the_pulls_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
