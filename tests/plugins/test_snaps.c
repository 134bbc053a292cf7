/* SPDX-License-Identifier: MIT */
/* The heat of springs that snap while the contact lives on: dragging at a steady slip is compared with closed forms,
 * and at every step the work with stored and dissipated energy. */
#include "law.h"

#include <math.h>

static const double dt = 1e-4, slip = 0.01, axis[2] = {0.6, -0.8};

typedef struct pull {
    law    law;
    lanes  lanes;
    double put_in, lost, worst; /* J; worst: the largest error in any step */
} pull;

/* A contact pressed by 10 N or 1 mm, with the follower's axis along `axis`. */
static pull pull_open(const char *model, const char *parameters)
{
    pull p = {.law = law_open(model, "%s", parameters), .lanes = lanes_open(1)};
    p.lanes.depth[0] = 1e-3;
    p.lanes.more[LAW_MORE_load_n][0] = 10;
    p.lanes.more[LAW_MORE_follower_axis_x][0] = axis[0];
    p.lanes.more[LAW_MORE_follower_axis_y][0] = axis[1];
    p.lanes.more[LAW_MORE_fresh][0] = 1;
    lanes_call(&p.law, PCM_ESTABLISH, &p.lanes, 0, 1, 0);
    lanes_commit(&p.lanes);
    return p;
}

/* Drags that many steps along the axis at that speed. */
static void drag(pull *p, int steps, double speed)
{
    lanes *c = &p->lanes;
    c->slip_x[0] = speed * axis[0];
    c->slip_y[0] = speed * axis[1];
    for (int i = 0; i < steps; i++) {
        lanes_call(&p->law, PCM_UPDATE, c, 0, 1, dt);
        lanes_commit(c);
        p->put_in -= dt * (c->force_x[0] * c->slip_x[0] + c->force_y[0] * c->slip_y[0]);
        p->lost += dt * c->dissipation[0];
        p->worst = fmax(p->worst, fabs(p->put_in - p->lost - c->energy[0]));
        assert_true(c->life[0] == PCM_LIVE && c->dissipation[0] >= 0);
    }
}

static void pull_close(pull *p)
{
    lanes_close(&p->lanes);
    law_close(&p->law);
}

/* Steps are 1 um: a spring of k N/m snaps within one of them, so the error is one step's work there, and at most k
 * times the square of a step elsewhere. */
static void near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%.9g, expected %.9g", got, wanted);
}

/* Snaps from 50 N at 2.5 mm to 10 N at 0.5 mm, twice: 0.06 J each time. Dragged back over the teeth it has nothing to
 * lose. */
static void claw_clicks(void **state)
{
    (void)state;
    pull p = pull_open("RatchetClaw", "ClawStiffness = 2e4; ClawDamping = 0; Pitch = 0.002; Strength = 50;");
    drag(&p, 5000, slip);
    near(p.lost, 2 * 0.06, 1e-4);
    near(p.lanes.energy[0], 0.5 * 2e4 * 1e-6, 1e-7);
    drag(&p, 5000, -slip);
    near(p.lost, 2 * 0.06, 1e-4);
    near(p.lanes.energy[0], 0, 0);
    near(p.worst, 0, 2e-4);
    drag(&p, 2500, slip);
    const double held = p.lanes.energy[0], before = p.lost;
    p.lanes.more[LAW_MORE_load_n][0] = 0; /* lifted */
    drag(&p, 1, 0);
    assert_true(held > 0.001);
    near(p.lost - before, held, 1e-15);
    pull_close(&p);
}

/* Breaks at 2 N and 4 mm, and catches again 1 mm further on. The energy of pressing stays stored. */
static void spine_slips(void **state)
{
    (void)state;
    pull         p = pull_open("Microspine", "Stiffness = 500; Damping = 0; AsperitySpacing = 0.001;");
    const double pressed = 0.5 * 500 * 1e-6, snap = 0.5 * 500 * 16e-6;
    p.lanes.host_inputs[0][0] = 2;
    p.put_in = pressed;
    drag(&p, 12000, slip);
    near(p.lost, 2 * snap, 5e-6);
    near(p.worst, 0, 5e-6);
    near(p.lanes.energy[0], pressed + 0.5 * 500 * 4e-6, 5e-6);
    pull_close(&p);
}

/* Sheared off at ShearStrength A while it is pressed: the energy is half of force times distance. */
static void cement_snaps(void **state)
{
    (void)state;
    pull         p = pull_open("ParallelBond", "ShearStiffness = 1e9; ShearStrength = 2e6; BondRadius = 1e-3;");
    const double area = 3.14159265358979323846e-6, snap = 0.5 * (2e6 * area) * 2e-3;
    drag(&p, 4000, slip);
    near(p.lost, snap, 2e-3 * snap);
    near(p.worst, 0, 2e-3 * snap);
    near(p.lanes.energy[0], 0, 0);
    pull_close(&p);
}

/* Slides at Fmax: k s^2/2 is stored before that, and all further work is heat. */
static void toe_slides(void **state)
{
    (void)state;
    pull p = pull_open("FrictionalAdhesion", "MaxShear = 2; Stiffness = 1000; Damping = 0; Friction = 0.5;");
    p.put_in = 0.5 * 1000 * 1e-6;
    drag(&p, 5000, slip);
    near(p.lost, 2 * 3e-3, 5e-6);
    near(p.worst, 0, 5e-6);
    near(p.lanes.energy[0], 0.5 * 1000 * (1e-6 + 4e-6), 1e-15);
    pull_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claw_clicks),
        cmocka_unit_test(spine_slips),
        cmocka_unit_test(cement_snaps),
        cmocka_unit_test(toe_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
