/* SPDX-License-Identifier: MIT */
/* The energy ledger of a disk that rolls about its diameter, steadily: its energy is constant, its contact gives it
 * nothing. The rate of the precession is that of a thin disk, sqrt(4 g / (R sin(tilt))). */
#include "mujoco_fixture.h"

#include <stdio.h>

static const double mass = 0.4, radius = 0.075, tilt = 0.104, thick = 1e-3, stiffness = 1e5, gravity = 9.81;

static const char rules[] =
    "ContactType C = SmoothSpringDamper { Stiffness = 1e5 [N/m]; Damping = 20 [N*s/m]; TransitionRegionWidth = 1e-6;\n"
    "  CoefficientOfStaticFriction = 0.8; CoefficientOfDynamicFriction = 0.6; CriticalVelocity = 0.02 [m/s]; };\n"
    "ObjectPair Floor * Disk -> C;\n";

/* The lower rim lies in the plane of the centre of mass. */
static void open_disk(fixture *f, const char *integrator, double dt)
{
    char         scene[1024];
    const double across = mass * radius * radius / 4;
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='%g' integrator='%s'/><worldbody><geom name='Floor' type='plane' size='1 1 1'/>"
                   "<body><freejoint/><inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>"
                   "<geom name='Disk' type='cylinder' size='%.17g %g' pos='0 0 %g'/></body></worldbody>",
                   dt, integrator, mass, across, across, 2 * across, radius, thick, thick);
    fixture_open(f, scene, rules);
    fixture_keep_ledger(f);
    const double rate = sqrt(4 * gravity / (radius * sin(tilt)));
    f->data->qpos[2] = radius * sin(tilt) - mass * gravity / stiffness;
    f->data->qpos[3] = cos(tilt / 2);
    f->data->qpos[5] = sin(tilt / 2);
    f->data->qvel[3] = -rate * sin(tilt); /* along its own x, the diameter that slopes down */
}

/* Of half a second, as a share of the energy of the disk. */
static double work_of(const char *integrator, bool implicit, double dt)
{
    fixture f;
    open_disk(&f, integrator, dt);
    if (implicit)
        assert_int_equal(pcm_mujoco_implicit(f.host, true), PCM_OK);
    fixture_step(&f, (int)(0.5 / dt + 0.5));
    assert_near(f.data->qpos[2], radius * sin(tilt), 0.02);
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(pcm_mujoco_world(f.host), pcm_config_type_at(f.config, 0), &ledger), PCM_OK);
    fixture_close(&f);
    return fabs(ledger.work) / (1.5 * mass * gravity * radius * sin(tilt));
}

static void a_rolling_disk_is_given_nothing(void **state)
{
    (void)state;
    assert_true(work_of("Euler", false, 1e-4) < 1e-4); /* 8 % by the velocity at the contact points of both ends */
    assert_true(work_of("Euler", false, 5e-4) < 1e-3);
    assert_true(work_of("Euler", true, 1e-4) < 1e-3);
    if (pcm_mujoco_integrator("implicit") >= 0)
        assert_true(work_of("implicit", false, 5e-4) < 1e-3);
}

/* A leg whose hip is fixed swings over frictionless ground, presses it by 5 mm and leaves it as fast as it came. Its
 * ledger is of first order: the share of its energy that docs/embedding.md tells. */
static double credited(double dt)
{
    fixture f;
    char    scene[512];
    (void)snprintf(scene, sizeof scene,
                   "<option timestep='%g' gravity='0 0 0'/><worldbody><geom name='Floor' type='plane' size='1 1 1'/>"
                   "<body pos='0 0 0.315'><joint type='hinge' axis='0 1 0'/>"
                   "<inertial pos='0 0 -0.15' mass='1' diaginertia='0.01 0.01 0.001'/>"
                   "<geom name='Foot' type='sphere' size='0.02' pos='0 0 -0.3'/></body></worldbody>",
                   dt);
    fixture_open(&f, scene,
                 "ContactType C = KelvinVoigt { Stiffness = 1e4; Damping = 0; }; ObjectPair Floor * Foot -> C;");
    fixture_keep_ledger(&f);
    f.data->qpos[0] = -0.4;
    f.data->qvel[0] = 5;
    while (f.data->qpos[0] < 0.4)
        fixture_step(&f, 1);
    assert_near(f.data->qvel[0], 5, 1e-3);
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(pcm_mujoco_world(f.host), pcm_config_type_at(f.config, 0), &ledger), PCM_OK);
    fixture_close(&f);
    return ledger.work / (0.5 * (0.01 + 0.15 * 0.15) * 25);
}

static void a_swinging_leg_is_credited_in_first_order(void **state)
{
    (void)state;
    const double at_1_ms = credited(1e-3);
    assert_near(at_1_ms, 0.02, 0.05);
    assert_near(credited(5e-4), at_1_ms / 2, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_rolling_disk_is_given_nothing),
                                       cmocka_unit_test(a_swinging_leg_is_credited_in_first_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
