/* SPDX-License-Identifier: MIT */
/* Mindlin's spring behind laws that damp and adhere: a sliding contact has full friction, friction never pushes along
 * the slip, and no energy is gained. The test does the steps and the sums itself. */
#include "law.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

static const char *const histories[] = {"Displacement", "Force", "Rescale", "RescaleForce"};

/* A steel ball of 1 cm on a plane, which does not rotate: a depth, a rate and a slip. */
typedef struct ball {
    law    law;
    lanes  lanes;
    double mass, depth, rate, slip;
    double turns;                      /* slip gained per impulse over mass: 1; for a rolling ball 7/2 */
    double impulse, work, heat, worst; /* of friction; of both forces; dissipated; greatest power along the slip, W */
    double coldest;                    /* W, the smallest dissipation */
} ball;

static ball ball_open(const char *laws, const char *parameters, double mass)
{
    ball b = {.law = law_open(laws, "%s", parameters), .lanes = lanes_open(1), .mass = mass, .turns = 1};
    b.lanes.more[LAW_MORE_mass][0] = mass;
    b.lanes.more[LAW_MORE_radius][0] = 0.01;
    return b;
}

static void ball_close(ball *b)
{
    lanes_close(&b->lanes);
    law_close(&b->law);
}

/* A step evaluated at its midpoint; work and heat are summed at the ends of steps, where forces are known. */
static void step(ball *b, double dt)
{
    b->depth += 0.5 * dt * b->rate;
    b->lanes.depth[0] = b->depth;
    b->lanes.depth_rate[0] = b->rate;
    b->lanes.slip_x[0] = b->slip;
    lanes_call(&b->law, PCM_UPDATE, &b->lanes, 0, 1, dt);
    lanes_commit(&b->lanes);
    const double normal = b->lanes.force_n[0], along = b->lanes.force_x[0];
    const double rate = b->rate - dt * normal / b->mass, slip = b->slip + dt * along * b->turns / b->mass;
    b->impulse -= dt * along;
    b->work += dt * 0.5 * (normal * (b->rate + rate) - along * (b->slip + slip));
    b->heat += dt * b->lanes.dissipation[0];
    b->coldest = fmin(b->coldest, b->lanes.dissipation[0]);
    b->worst = fmax(b->worst, along * b->slip);
    b->rate = rate;
    b->slip = slip;
    b->depth += 0.5 * dt * b->rate;
}

static double mass_of_ball(void) { return 7850 * 4.0 / 3 * pi * 1e-6; }

/* The duration of an elastic impact at 1 m/s. */
static double duration(void) { return 2.943275 * pow(15 * mass_of_ball() / (16 * 1.1e11 * 0.1), 0.4); }

static void impact(ball *b, double rate, double slip, double dt)
{
    b->rate = rate;
    b->slip = slip;
    do
        step(b, dt);
    while (b->depth > 0);
}

/* Friction's impulse is mu (1 + e) m v, whatever the damper and the history: tangential motion is 20 times as fast as
 * normal motion, steps are 1/20000 of the impact. The versions that keep the stretch as LAMMPS does lag behind. */
static void sliding_contacts_get_full_friction(void **state)
{
    (void)state;
    static const double returned[] = {0.5, 0.3, 0.1}, lagging[] = {0.90, 0.67, 0.01};
    char                text[256];
    for (size_t k = 0; k < 3; k++)
        for (size_t h = 0; h < 8; h++) {
            const bool lammps = h >= 4;
            snprintf(text, sizeof text,
                     "HertzTsuji.Restitution = %g; Mindlin.Restitution = %g; History = %s; AsLammps = %s;", returned[k],
                     returned[k], histories[h % 4], lammps ? "true" : "false");
            ball b = ball_open("HertzTsuji + Mindlin", text, mass_of_ball());
            impact(&b, 1, 20, duration() / 20000);
            const double share = b.impulse / (0.5 * (1 + returned[k]) * b.mass);
            if (!lammps) {
                assert_true(fabs(share - 1) < 1e-4);
                assert_true(b.worst <= 0);
            } else if (h % 4 == 0 || h % 4 == 2)
                assert_true(fabs(share - lagging[k]) < 0.01);
            ball_close(&b);
        }
}

/* A grain of 1 g on a sticky plane oscillates by 1 um about zero depth while it is drawn along at 0.1 mm/s. The loads
 * are from Jkr, so that the bound mu |f + 2 fc| is known, and so is the greatest energy that a spring of 8 G* a can
 * store under it, bound^2/(16 G* a). */
static void a_shaken_grain_is_never_pushed_along(void **state)
{
    (void)state;
    for (size_t h = 0; h < 4; h++) {
        law   jkr = law_open("Jkr", "ReducedModulus = 1e7; WorkOfAdhesion = 0.5;");
        law   l = law_open("Mindlin", "ReducedShearModulus = 2e6; Friction = 0.5; Restitution = 0.5; History = %s;",
                           histories[h]);
        lanes normal = lanes_open(1), c = lanes_open(1);
        normal.more[LAW_MORE_radius][0] = 0.005;
        c.more[LAW_MORE_mass][0] = 1e-3;
        c.slip_x[0] = 1e-4;
        double largest = 0;
        for (int i = 1; i <= 20000; i++) {
            c.depth[0] = normal.depth[0] = 1e-6 * sin(2 * pi * i / 1000.0) + (i % 1000 == 0 ? 1e-15 : 0);
            lanes_call(&jkr, PCM_UPDATE, &normal, 0, 1, 1e-5);
            assert_int_equal(normal.life[0], PCM_LIVE);
            const double a = normal.more[LAW_MORE_patch_radius][0], off = normal.more[LAW_MORE_pull_off][0];
            c.more[LAW_MORE_load_n][0] = normal.force_n[0];
            c.more[LAW_MORE_load_elastic][0] = normal.more[LAW_MORE_elastic_n][0];
            c.more[LAW_MORE_load_adhesive][0] = normal.more[LAW_MORE_adhesive_n][0];
            c.more[LAW_MORE_load_pull_off][0] = off;
            c.more[LAW_MORE_contact_radius][0] = a;
            lanes_call(&l, PCM_UPDATE, &c, 0, 1, 1e-5);
            lanes_commit(&c);
            const double bound = 0.5 * fabs(normal.force_n[0] + 2 * off);
            assert_true(c.force_x[0] <= 0);
            assert_true(fabs(c.force_x[0]) <= bound * (1 + 1e-15));
            assert_true(c.energy[0] <= bound * bound / (16 * 2e6 * a) * (1 + 1e-14));
            assert_true(c.dissipation[0] >= 0);
            largest = fmax(largest, -c.force_x[0] / bound);
        }
        assert_true(largest > 0.99); /* it does slide */
        lanes_close(&c), lanes_close(&normal);
        law_close(&l), law_close(&jkr);
    }
}

/* At any angle, with the history that only loses energy, an impact leaves less energy than it received; and the work
 * equals what is stored and dissipated, to the order of the step. */
static void oblique_impacts_lose(void **state)
{
    (void)state;
    static const char *const laws[] = {"HertzTsuji + Mindlin", "Jkr + Mindlin", "Dmt + Mindlin", "Thornton + Mindlin"};
    for (size_t k = 0; k < 4; k++)
        for (int degrees = 5; degrees <= 85; degrees += 10) {
            double apart[2];
            for (int half = 0; half < 2; half++) {
                ball         b = ball_open(laws[k],
                                   k == 0   ? "HertzTsuji.Restitution = 0.5; Mindlin.Restitution = 0.5;"
                                           : k == 3 ? "Restitution = 0.5;"
                                                    : "Restitution = 0.5; ReducedModulus = 1.1e11; WorkOfAdhesion = 10;",
                                           mass_of_ball());
                const double rate = cos(degrees * pi / 180), slip = sin(degrees * pi / 180);
                b.depth = k == 1 || k == 2 ? 1e-12 : 0;
                impact(&b, rate, slip, duration() / (4000 << half));
                assert_true(b.rate * b.rate + b.slip * b.slip <= 1 + 1e-9);
                apart[half] = (b.work - b.lanes.energy[0] - b.heat) / (0.5 * b.mass);
                ball_close(&b);
            }
            assert_true(fabs(apart[0]) < 4e-4);
            assert_true(fabs(apart[0] / apart[1] - 2) < 0.25);
        }
}

/* The spring of these grains stiffens with the load and loses its energy when the load decreases, and the slip reverses
 * on the way: dissipation is never negative, and the work equals what is stored and dissipated, to the order of the
 * step. */
static void grains_tell_what_they_store(void **state)
{
    (void)state;
    static const struct {
        const char *laws, *parameters;
    } all[] = {
        {"GranHertz", ""},
        {"GranHertz", "NormalDamping = 1e4; TangentialDamping = 5e4; LimitDamping = false;"},
        {"GranHertz", "NormalDamping = 0; TangentialDamping = 0; Friction = 0.2;"},
        {"HertzTsuji + Mindlin", "ReducedModulus = 7.5e7; ReducedShearModulus = 2e7; Mindlin.Restitution = 0.3;"},
        {"Hertz + Mindlin", "ReducedModulus = 7.5e7; ReducedShearModulus = 2e7; Friction = 0.2;"},
        {"HertzTsuji + CundallStrack", "ReducedModulus = 7.5e7; Restitution = 0.3; TangentialDamping = 1e3;"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int degrees = 5; degrees <= 85; degrees += 10) {
            double apart[2];
            for (int half = 0; half < 2; half++) {
                ball b = ball_open(all[k].laws, all[k].parameters, 0.005);
                b.turns = 3.5;
                impact(&b, cos(degrees * pi / 180), sin(degrees * pi / 180), 1e-6 / (1 + half));
                apart[half] = (b.work - b.lanes.energy[0] - b.heat) / (0.5 * b.mass);
                assert_true(b.coldest >= -1e-12);
                ball_close(&b);
            }
            assert_true(fabs(apart[0]) < 2e-3);
            assert_true(fabs(apart[0] / apart[1] - 2) < 0.25);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_contacts_get_full_friction),
        cmocka_unit_test(a_shaken_grain_is_never_pushed_along),
        cmocka_unit_test(oblique_impacts_lose),
        cmocka_unit_test(grains_tell_what_they_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
