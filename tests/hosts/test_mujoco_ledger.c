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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_rolling_disk_is_given_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
