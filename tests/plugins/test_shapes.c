/* SPDX-License-Identifier: MIT */
/* Elastic laws in contacts that are no circles: points, lines and flats, whole and in parts. The rig holds their loads
 * to tables; here are energies, slopes, stiffnesses, and what must not change. */
#include "law.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct shape {
    double curvature_1, curvature_2, point_part, patch_part, line_length, line_curvature, flat_area, flat_aspect;
} shape;

static const shape unknown = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static shape ellipse(double least, double most) { return (shape){least, most, 1, 0, 0, 0, 0, 1}; }
static shape line(double part, double length, double radius)
{
    return (shape){0, 1 / radius, 1 - part, part, length, 1 / radius, 0, 1};
}
static shape flat(double part, double area, double aspect) { return (shape){0, 0, 0, part, 0, 0, area, aspect}; }

static void put(lanes *c, size_t lane, shape s)
{
    const double numbers[] = {
        s.curvature_1, s.curvature_2, 1, 0, s.point_part, s.patch_part, s.line_length, s.line_curvature,
        s.flat_area,   s.flat_aspect};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        c->more[LAW_OUTPUTS_END + k][lane] = numbers[k];
}

typedef struct answer {
    double force, circle, energy, pull;
} answer;

/* One contact with the reduced radius 0.02 m and mass 0.5 kg. */
static answer ask(const law *l, shape s, double depth, double rate)
{
    lanes c = lanes_open(1);
    c.more[LAW_MORE_radius][0] = 0.02;
    c.more[LAW_MORE_mass][0] = 0.5;
    c.depth[0] = depth;
    c.depth_rate[0] = rate;
    put(&c, 0, s);
    lanes_call(l, PCM_UPDATE, &c, 0, 1, 1e-6);
    const answer a = {c.force_n[0], c.more[LAW_MORE_patch_radius][0], c.energy[0], c.more[LAW_MORE_adhesive_n][0]};
    lanes_close(&c);
    return a;
}

static void assert_near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

static const shape shapes[] = {{50, 50, 1, 0, 0, 0, 0, 1},
                               {20, 80, 1, 0, 0, 0, 0, 1},
                               {0, 50, 0, 0.5, 0.3, 50, 0, 1},
                               {0, 0, 0, 0.25, 0, 0, 4e-4, 3},
                               {50, 50, 0.4, 0.3, 0.3, 50, 0, 1}};

/* Up to the depth of a whole radius, where a line goes on along its tangent. */
static void force_is_the_slope_of_the_energy_and_circle_of_the_force(void **state)
{
    (void)state;
    law l = law_open("Hertz", "ReducedModulus = 1e6;");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (double depth = 1e-6; depth < 0.02; depth *= 1.7) {
            const double h = 1e-5 * depth;
            const answer at = ask(&l, shapes[i], depth, 0);
            const answer more = ask(&l, shapes[i], depth + h, 0), less = ask(&l, shapes[i], depth - h, 0);
            assert_near((more.energy - less.energy) / (2 * h), at.force, 1e-6);
            assert_near((more.force - less.force) / (2 * h), 2e6 * at.circle, 1e-6);
        }
    law_close(&l);
}

static void bits_of_known_spheres_and_unknown_shapes_are_those_of_before(void **state)
{
    (void)state;
    const char *const laws[] = {"Hertz", "HertzTsuji", "Jkr", "Dmt", "Thornton"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        law l = law_open(laws[i], "ReducedModulus = 1e6;"),
            own = law_open(laws[i], "ReducedModulus = 1e6; ReducedRadius = 0.02;");
        for (double depth = 1e-7; depth < 1e-2; depth *= 1.3) {
            const answer before = ask(&l, unknown, depth, 0.1),
                         known = ask(&l, ellipse(1 / 0.02, 1 / 0.02), depth, 0.1);
            const answer wins = ask(&own, line(1, 0.3, 0.01), depth, 0.1);
            assert_memory_equal(&before, &known, sizeof before);
            assert_memory_equal(&before, &wins, sizeof before);
            const double hertz = 4.0 / 3 * 1e6 * sqrt(0.02 * depth) * depth;
            assert_true(i > 0 || before.force == hertz);
        }
        law_close(&l);
        law_close(&own);
    }
}

/* A lane's answer is the same whether others in the batch are spheres or not. */
static void neighbours_do_not_matter(void **state)
{
    (void)state;
    law   l = law_open("HertzTsuji", "ReducedModulus = 1e6;");
    lanes c = lanes_open(5);
    for (size_t i = 0; i < 5; i++) {
        c.more[LAW_MORE_radius][i] = 0.02;
        c.more[LAW_MORE_mass][i] = 0.5;
        c.depth[i] = 1e-4;
        c.depth_rate[i] = 0.1;
        put(&c, i, shapes[i]);
    }
    lanes_call(&l, PCM_UPDATE, &c, 0, 5, 1e-6);
    for (size_t i = 0; i < 5; i++)
        assert_true(c.force_n[i] == ask(&l, shapes[i], 1e-4, 0.1).force);
    lanes_close(&c);
    law_close(&l);
}

/* The corners of a flat and the ends of a line, with what damps them, are together the law of the whole once. */
static void parts_of_a_patch_add_up_to_the_whole(void **state)
{
    (void)state;
    law l = law_open("HertzTsuji", "ReducedModulus = 1e6; Restitution = 0.4; Damping = Unclipped;");
    assert_near(4 * ask(&l, flat(0.25, 4e-4, 1), 1e-4, 0.3).force, ask(&l, flat(1, 4e-4, 1), 1e-4, 0.3).force, 1e-15);
    assert_near(2 * ask(&l, line(0.5, 0.1, 0.02), 1e-4, 0).force,
                ask(&l, line(1, 0.1, 0.02), 1e-4, 0).force + ask(&l, ellipse(1e-12 / 0.02, 1 / 0.02), 1e-4, 0).force,
                1e-9);
    assert_near(ask(&l, flat(1, pi * 1e-4, 1), 1e-4, 0).force, 2 * 1e6 * 0.01 * 1e-4, 1e-15);
    law_close(&l);
}

/* 1 kg on cylinders of the radius 2 cm with E* = 1 MPa: lying, with lengths of 2 cm and of 1 m, and standing. */
static void cylinders_sink_by_their_length(void **state)
{
    (void)state;
    law          l = law_open("Hertz", "ReducedModulus = 1e6;");
    const double weight = 9.81;
    assert_near(ask(&l, line(1, 0.02, 0.02), 817.984e-6, 0).force, weight, 1e-5);
    assert_near(ask(&l, line(1, 1, 0.02), 28.5754e-6, 0).force, weight, 1e-5);
    assert_near(ask(&l, flat(1, pi * 4e-4, 1), 245.25e-6, 0).force, weight, 1e-12);
    law_close(&l);
}

/* pi k a/K by the semi-axis a, for a constriction in both bodies (Holm): Barber's analogy. */
static void heat_through_an_ellipse_is_that_of_its_constriction(void **state)
{
    (void)state;
    law   l = law_open("Hertz + HeatConduction", "ReducedModulus = 1e9; ThermalConductivity = 50;");
    lanes c = lanes_open(1);
    put(&c, 0, ellipse(200, 1000));
    c.depth[0] = 1e-6;
    c.amount[1][0][0] = 1;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    /* F = (2/3) pi p0 a b and d = p0 b K/E*, so that pi a/K = 1.5 F/(E* d). */
    assert_near(c.amount[2][0][0], 50 * 1.5 * c.force_n[0] / (1e9 * 1e-6), 1e-12);
    lanes_close(&c);
    law_close(&l);
}

/* Without adhesion Jkr is Hertz; Dmt pulls with 2 pi w/sqrt(k1 k2), whatever the spring. */
static void sticky_ellipses(void **state)
{
    (void)state;
    const shape s = ellipse(20, 80);
    law         hertz = law_open("Hertz", "ReducedModulus = 1e6;");
    law         jkr = law_open("Jkr", "ReducedModulus = 1e6; WorkOfAdhesion = 0;");
    law         dmt = law_open("Dmt", "ReducedModulus = 1e6; WorkOfAdhesion = 0.1;");
    assert_near(ask(&jkr, s, 1e-4, 0).force, ask(&hertz, s, 1e-4, 0).force, 1e-12);
    assert_near(ask(&dmt, s, 1e-4, 0).pull, -2 * pi * 0.1 / 40, 1e-14);
    law_close(&hertz);
    law_close(&jkr);
    law_close(&dmt);
}

/* Reynolds' equation is solved by the pressure c/h^2: its integral over the gap, in strips of angle. */
static void film_in_an_elliptic_gap(void **state)
{
    (void)state;
    enum { ANGLES = 720 };
    law l = law_open("SqueezeFilm", "Viscosity = 0.1; InnerGap = 1 [nm]; OuterGap = 1e9 [m]; Separation = 1e9 [m];");
    const double gap = 1e-5, k1 = 20, k2 = 80;
    double       sum = 0;
    for (int i = 0; i < ANGLES; i++) {
        const double angle = 2 * pi * i / ANGLES;
        const double k = k1 * cos(angle) * cos(angle) + k2 * sin(angle) * sin(angle);
        sum += 1 / (gap * k); /* int r dr/(gap + k r^2/2)^2 */
    }
    const double pressure = 6 * 0.1 * 0.02 / (k1 + k2); /* c, at a speed of 0.02 m/s */
    assert_near(ask(&l, ellipse(k1, k2), -gap, 0.02).force, pressure * sum * 2 * pi / ANGLES, 1e-12);
    assert_near(ask(&l, unknown, -gap, 0.02).force, 6 * pi * 0.1 * 0.02 * 0.02 * 0.02 / gap, 1e-12);
    law_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_the_slope_of_the_energy_and_circle_of_the_force),
        cmocka_unit_test(bits_of_known_spheres_and_unknown_shapes_are_those_of_before),
        cmocka_unit_test(neighbours_do_not_matter),
        cmocka_unit_test(parts_of_a_patch_add_up_to_the_whole),
        cmocka_unit_test(cylinders_sink_by_their_length),
        cmocka_unit_test(heat_through_an_ellipse_is_that_of_its_constriction),
        cmocka_unit_test(sticky_ellipses),
        cmocka_unit_test(film_in_an_elliptic_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
