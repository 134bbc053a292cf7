/* SPDX-License-Identifier: MIT */
/* Laws that depend on how a contact began and how long it has lasted: a restitution that depends on the approach speed,
 * with the heat it produces, and friction that grows with the age. */
#include "fixture.h"
#include <pcm/amount.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- Restitution ------------------------------------------------------------------------------------------------ */

typedef struct fall {
    double mass, stiffness, restitution; /* kg, N/m; the law's value at that speed of approach */
    double speed;                        /* m/s, after the bounce */
    double heat;                         /* J, of both bodies */
} fall;

/* A ball of that mass hits a fixed plate without gravity, integrated by leapfrog: velocities change half a step before
 * and after positions. */
static fall bounce(double approach)
{
    static const double mass = 0.5, stiffness = 1e5, dt = 1e-7, capacity = 3;
    fixture             f;
    fixture_open(&f, "ContactType C = Rebound { Restitution = 0.9; }; DefaultPair -> C;", NULL);
    const pcm_object plate = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "plate", .fixed = true));
    const pcm_object ball = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ball", .mass = mass));
    assert_int_equal(pcm_world_set_capacity(f.world, plate, 0, capacity), PCM_OK);
    assert_int_equal(pcm_world_set_capacity(f.world, ball, 0, capacity), PCM_OK);
    double depth = 0, speed = approach, time = 0; /* into the plate */
    do {
        place(f.world, ball, 0, 0, 0, 0, 0, -speed);
        touch(f.world, plate, ball, 0, 0, 0, depth);
        assert_int_equal(pcm_world_update(f.world, time, dt), PCM_OK);
        speed -= dt * wrench_of(f.world, ball).force[2] / mass;
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        depth += dt * speed;
        time += dt;
    } while (depth > 0);
    pcm_amount_info plate_heat = {.size = sizeof plate_heat}, ball_heat = plate_heat;
    assert_int_equal(pcm_world_amount(f.world, plate, 0, &plate_heat), PCM_OK);
    assert_int_equal(pcm_world_amount(f.world, ball, 0, &ball_heat), PCM_OK);
    assert_near(plate_heat.value, ball_heat.value, 1e-12);
    fixture_close(&f);
    return (fall){mass, stiffness, 0.9 * pow(1 + approach, -0.25), -speed,
                  capacity * (plate_heat.value + ball_heat.value - 2 * 293.15)};
}

/* The restitution of a clipped spring and dashpot with the damping that gives f->restitution without clipping: it lets
 * go early, which loses less (Schwager and Poeschel 2007). */
static double clipped(const fall *f)
{
    const double log_e = log(f->restitution), free = sqrt(f->stiffness / f->mass);
    const double ratio = -log_e / sqrt(pi * pi + log_e * log_e), decay = ratio * free;
    const double omega = free * sqrt(1 - ratio * ratio);
    return exp(-decay / omega * (pi - atan(2 * decay * omega / (omega * omega - decay * decay))));
}

/* Tolerances: ten times the error of 1e5 first-order steps per collision. */
static void restitution_falls_with_the_speed_of_approach(void **state)
{
    (void)state;
    static const double speeds[] = {0.1, 1, 5};
    double              last = 1;
    for (size_t i = 0; i < 3; i++) {
        const fall   f = bounce(speeds[i]);
        const double e = f.speed / speeds[i];
        assert_near(e, clipped(&f), 2e-4);
        assert_true(e < last);
        last = e;
        const double lost = 0.5 * f.mass * (speeds[i] * speeds[i] - f.speed * f.speed);
        assert_near(f.heat, lost, 1e-3 * lost);
    }
}

/* ---- Age -------------------------------------------------------------------------------------------------------- */

/* One step of a contact of that age: gives the age after the step, and friction over normal force before it. */
static double step_age(const fixture *f, double age, double slip, double dt, double *friction)
{
    const double    depth = 1e-3, still = 0;
    double          force_n, force_x, force_y, next;
    const double   *states[] = {&age};
    double         *nexts[] = {&next};
    const pcm_type *type = pcm_config_type_at(f->config, 0);
    assert_int_equal(pcm_type_call(type, PCM_UPDATE,
                                   &(pcm_batch){.size = sizeof(pcm_batch),
                                                .count = 1,
                                                .dt = dt,
                                                .depth = &depth,
                                                .slip_x = &slip,
                                                .slip_y = &still,
                                                .state = states,
                                                .next = nexts,
                                                .force_n = &force_n,
                                                .force_x = &force_x,
                                                .force_y = &force_y}),
                     PCM_OK);
    *friction = -force_x / force_n;
    return next;
}

/* mu0 + B ln(1 + t/A) after a rest of t; mu0 + B ln(1 + L/(A v)) in steady sliding; in between the age is L/v + (age0 -
 * L/v) exp(-v t/L), for any number of steps. */
static void friction_grows_with_the_age(void **state)
{
    (void)state;
    fixture f;
    double  friction;
    fixture_open(&f, "ContactType C = Ageing; DefaultPair -> C;", NULL);
    double age = 0;
    for (int i = 0; i < 1000; i++)
        age = step_age(&f, age, 0, 0.1, &friction);
    assert_near(age, 100, 1e-11);
    (void)step_age(&f, age, 1e-4, 0, &friction);
    assert_near(friction, 0.6 + 0.02 * log(101), 1e-14);
    const double slip = 1e-4, settled = 1e-5 / slip;
    for (int steps = 1; steps <= 1000; steps *= 10) {
        double now = age;
        for (int i = 0; i < steps; i++)
            now = step_age(&f, now, slip, 0.25 / steps, &friction);
        assert_near(now, settled + (age - settled) * exp(-0.25 / settled), 1e-11);
    }
    age = step_age(&f, age, slip, 1e3, &friction); /* for steps of any length the age stays above 0 */
    (void)step_age(&f, age, slip, 0, &friction);
    assert_near(friction, 0.6 + 0.02 * log(1.1), 1e-14);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitution_falls_with_the_speed_of_approach),
        cmocka_unit_test(friction_grows_with_the_age),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
