/* SPDX-License-Identifier: MIT */
/* Friction through bristles: an elastic bristle does not drift, steps of any length are stable and converge, and the
 * rates of states agree with the steps. */
#include "law.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

/* A mass on bristles under a force Fb + Fa sin(w t), which is ramped up during the first period. The expected positions
 * at the ends of periods, and LuGre's drift per period, are from two rows of the table to which Dupont's equations were
 * integrated. */
typedef struct trembling {
    double dynamic, velocity, s0, s1, s2, elastic; /* N, m/s, N/m, N s/m, N s/m, m */
    double mass, bias, swing, rate;
    double place, drift;
} trembling;

static const trembling rows[] = {
    {0.06506, 0.002979, 44670, 41.43, 4.143, 7.282e-07, 0.0196, 0.01626, 0.009759, 151, 3.3047522256571e-07,
     2.39730921711794e-07},
    {1.188, 0.0001856, 436500, 1405, 140.5, 1.361e-06, 2.307, 0.297, 0.1782, 8.7, NAN, 4.47218364914916e-07},
};

/* Gives the position of the mass at the end of each period. */
static void shake(const char *model, const trembling *row, size_t periods, double *place)
{
    enum { STEPS = 20000 };
    const double dt = 2 * pi / row->rate / STEPS;
    const bool   dupont = model[0] == 'D';
    char         share[64];
    snprintf(share, sizeof share, "ElasticShare = %.17g;", row->elastic * row->s0 / row->dynamic);
    law    l = law_open(model,
                        "BristleStiffness = %g; BristleDamping = %g; ViscousDamping = %g; DynamicFriction = 0.5; "
                           "StaticFriction = 0.5; StribeckVelocity = %g; Damping = Constant; %s",
                        row->s0, row->s1, row->s2, row->velocity, dupont ? share : "");
    lanes  c = lanes_open(1);
    double x = 0, v = 0;
    c.more[LAW_MORE_load_n][0] = row->dynamic / 0.5;
    for (size_t i = 0; i < periods * STEPS; i++) {
        const double t = (double)(i + 1) * dt, ramp = i < STEPS ? 0.5 * (1 - cos(row->rate * t / 2)) : 1;
        c.slip_x[0] = v;
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, dt);
        lanes_commit(&c);
        v += dt / row->mass * (ramp * (row->bias + row->swing * sin(row->rate * t)) + c.force_x[0]);
        x += dt * v;
        if ((i + 1) % STEPS == 0)
            place[i / STEPS] = x;
    }
    lanes_close(&c);
    law_close(&l);
}

static void elastoplastic_bristles_do_not_drift(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double place[12], drifting[12];
        shake("Dupont", &rows[k], 12, place);
        shake("LuGre", &rows[k], 12, drifting);
        print_message("%g %g: %g %g\n", place[10], rows[k].place, (drifting[11] - drifting[10]), rows[k].drift);
        for (size_t i = 6; i < 12; i++)
            assert_true(fabs(place[i] - place[5]) < 1e-13);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastoplastic_bristles_do_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
