/* SPDX-License-Identifier: MIT */
/* Bodies that hit laws: rebound, depth and duration, integrated step by step, are compared with closed forms, and so
 * are the quantities that the laws derive from their parameters. */
#include "law.h"

#include <math.h>
#include <stdio.h>

/* Expected numbers are from tests/reference/granular.py and from tables of other programs. NaN: not known. */
typedef struct impact {
    const char *law, *parameters;
    double      mass, radius, speed;
    double      restitution, duration, deepest;
} impact;

static const impact impacts[] = {
    {"Hertz", "ReducedModulus = 1e7;", 0.05, 0.01, 0.5, 1, 0.0039574312621315892, 0.00067228359808285632},
    {"KelvinVoigt", "Stiffness = 1e4; Damping = 20; Clip = false;", 1, 1, 0.3, 0.72924761428767091,
     0.031574194169982765, NAN},
    {"KelvinVoigt", "Stiffness = 1e4; Damping = 20;", 1, 1, 0.3, 0.74407939772177969, 0.029560753247495496, NAN},
    {"KelvinVoigt", "Stiffness = 1e4; Damping = 150;", 1, 1, 3, 0.19417271847139061, 0.021853429528041429, NAN},
    {"KelvinVoigt", "Stiffness = 1e4; Damping = 400;", 1, 1, 3, 0.04776873250562019, 0.015206919926018927, NAN},
    {"GranHooke", "NormalStiffness = 1e4; NormalDamping = 20;", 1, 1, 0.3, 0.74407939772177969, 0.029560753247495496,
     NAN},
    {"GranHooke", "NormalStiffness = 1e4; NormalDamping = 20; LimitDamping = false;", 1, 1, 0.3, 0.72924761428767091,
     0.031574194169982765, NAN},
    {"HuntCrossley", "Stiffness = 1e6; Dissipation = 0.4;", 1, 1, 0.5, 0.83286979226560167, NAN, NAN},
    {"HuntCrossley", "Stiffness = 1e6; Dissipation = 0.4; Exponent = 2;", 3, 1, 2, 0.54685405065729177, NAN, NAN},
    {"HuntCrossley", "Stiffness = 1e6; Dissipation = 1e-3;", 1, 1, 0.5, 0.99950024986258119981, NAN, NAN},
    {"DrakePoint", "HuntCrossleyDissipation = 0.6;", 1, 1, 0.5, 0.83286979226560167, NAN, NAN},
    {"MeasuredTable", "Depths = (0.1, 50) [mm]; Forces = (1, 2000); Dissipation = 0.6;", 1, 1, 0.5, 0.83286979226560167,
     NAN, NAN},
    {"LankaraniNikravesh", "Restitution = 0.5; NominalRestitution = true;", 1, 1, 1, 0.72524111401019727, NAN, NAN},
    {"LankaraniNikravesh", "Restitution = 0.5; Exponent = 1;", 2, 1, 0.2, 0.5, NAN, NAN},
    {"Flores", "Restitution = 0.5; NominalRestitution = true;", 1, 1, 1, 0.47044477932673953, NAN, NAN},
    {"Flores", "Restitution = 0.2;", 2, 1, 0.2, 0.2, NAN, NAN},
    {"LudingHysteresis", "AdhesionStiffness = 0;", 2, 1, 0.5, 0.44721359549995794, NAN, 0.0022360679774997897},
    {"LudingHysteresis", "", 2, 1, 0.5, 0.27735009811261456, NAN, 0.0022360679774997897},
    {"Eepa",
     "Exponent = 1; AdhesionExponent = 1; LoadingStiffness = 1e5; UnloadingStiffness = 5e5; AdhesionStiffness = 0;", 2,
     1, 0.5, 0.44721359549995794, NAN, 0.0022360679774997897},
    {"Eepa",
     "Exponent = 1; AdhesionExponent = 1; LoadingStiffness = 1e5; UnloadingStiffness = 5e5; AdhesionStiffness = 2e4;",
     2, 1, 0.5, 0.27735009811261456, NAN, 0.0022360679774997897},
    {"WaltonBraun", "", 2, 1, 0.5, 0.70710678118654752, 0.011992108863938777, 0.0022360679774997897},
    {"WaltonBraun", "Hardening = 1000;", 2, 1, 0.5, 0.48586827175664568, 0.01043794932382211, 0.0022360679774997897},
    {"Thornton", "ReducedModulus = 1e11; YieldPressure = 1e9;", 0.002, 0.005, 1, 0.6240474314286762, NAN,
     1.1689028694374328e-5},
    {"HertzTsuji", "ReducedModulus = 1e7; Restitution = 0.2;", 0.05, 0.01, 0.5, 0.2, NAN, NAN},
    {"HertzTsuji", "ReducedModulus = 1e9; Restitution = 0.7;", 2, 0.1, 3, 0.7, NAN, NAN},
    {"HertzTsuji", "ReducedModulus = 1e7; Restitution = 0.2; Damping = ClippedNominal;", 0.05, 0.01, 0.5,
     0.3248628479544189, NAN, NAN},
    {"HertzTsuji", "ReducedModulus = 1e7; Restitution = 0.2; Damping = Unclipped;", 0.05, 0.01, 0.5, 0.2, NAN, NAN},
};
enum { IMPACTS = sizeof impacts / sizeof *impacts };

/* A body on the law: its motion, and the results. */
typedef struct fall {
    const impact *of;
    law           law;
    lanes         lanes;
    double        depth, rate, time, deepest, release;
} fall;

static double force(fall *f, double depth, double rate, double dt)
{
    f->lanes.depth[0] = depth;
    f->lanes.depth_rate[0] = rate;
    lanes_call(&f->law, PCM_UPDATE, &f->lanes, 0, 1, dt);
    return depth < 0 ? 0 : f->lanes.force_n[0];
}

/* A midpoint step, and the contact's states after it. */
static void step(fall *f, double dt)
{
    const double half = -force(f, f->depth, f->rate, 0) / f->of->mass;
    const double depth = f->depth + 0.5 * dt * f->rate, rate = f->rate + 0.5 * dt * half;
    f->rate -= dt * force(f, depth, rate, 0.5 * dt) / f->of->mass;
    f->depth += dt * rate;
    f->time += dt;
    const double last = force(f, f->depth, f->rate, dt);
    lanes_commit(&f->lanes);
    f->deepest = fmax(f->deepest, f->depth);
    if (isnan(f->release) && f->rate < 0 && last == 0)
        f->release = f->time;
}

/* A step is 1/20000 of the contact's duration. This leaves an error of 2e-5 in the rebound if the force begins as a
 * root of the depth or ends between two steps; the duration is known to a step or two. */
static fall drop(const impact *of, double dt)
{
    fall f = {.of = of, .rate = of->speed, .release = NAN};
    f.law = law_open(of->law, "%s", of->parameters);
    f.lanes = lanes_open(1);
    f.lanes.more[LAW_MORE_mass][0] = of->mass;
    f.lanes.more[LAW_MORE_radius][0] = of->radius;
    f.lanes.depth_rate[0] = f.rate;
    lanes_call(&f.law, PCM_ESTABLISH, &f.lanes, 0, 1, 0);
    lanes_commit(&f.lanes);
    while (f.time < 1e6 * dt && (f.rate > 0 || f.depth > 0))
        step(&f, dt);
    return f;
}

static void fall_close(fall *f)
{
    lanes_close(&f->lanes);
    law_close(&f->law);
}

static bool is_near(const char *what, const impact *of, double got, double wanted, double tolerance)
{
    if (isnan(wanted) || fabs(got - wanted) <= tolerance * fabs(wanted))
        return true;
    print_error("%s { %s }: %s is %.17g, expected %.17g\n", of->law, of->parameters, what, got, wanted);
    return false;
}

static void return_what_closed_forms_say(void **state)
{
    (void)state;
    bool good = true;
    for (size_t i = 0; i < IMPACTS; i++) {
        const impact *of = &impacts[i];
        fall          rough = drop(of, 1e-6 / of->speed);
        const double  dt = rough.time / 2e4;
        fall_close(&rough);
        fall f = drop(of, dt);
        good &= is_near("restitution", of, -f.rate / of->speed, of->restitution, 2e-5);
        good &= is_near("duration", of, f.release, of->duration, 2e-4);
        good &= is_near("greatest depth", of, f.deepest, of->deepest, 1e-6);
        fall_close(&f);
    }
    assert_true(good);
}

static void say_what_follows(void **state)
{
    (void)state;
    bool good = true;
    int  compared = 0;
    for (size_t i = 0; i < IMPACTS; i++) {
        const impact  *of = &impacts[i];
        law            l = law_open(of->law, "%s", of->parameters);
        const pcm_load load = {.size = sizeof load,
                               .force = NAN,
                               .depth = NAN,
                               .speed = of->speed,
                               .mass = of->mass,
                               .radius = of->radius};
        const struct {
            const char *name;
            double      value;
        } wanted[] = {{"restitution", of->restitution}, {"contact_time", of->duration}, {"impact_depth", of->deepest}};
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            const double told = law_asked(&l, wanted[k].name, &load);
            compared += !isnan(told);
            good &= isnan(told) || is_near(wanted[k].name, of, told, wanted[k].value, 1e-12);
        }
        law_close(&l);
    }
    assert_true(good && compared >= IMPACTS);
}

/* Quantities derived from a load, a mass or a radius. */
typedef struct number {
    const char *law, *parameters, *name;
    double      force, mass, radius, speed, value;
} number;

static const number numbers[] = {
    {"Hertz", "ReducedModulus = 1e7;", "compression", 20, NAN, 0.01, NAN, 0.00060822019955734002},
    {"Hertz", "ReducedModulus = 1e7; ReducedRadius = 0.01;", "contact_radius", 20, NAN, NAN, NAN,
     0.0024662120743304701},
    {"Hertz", "ReducedModulus = 1e7;", "peak_pressure", 20, NAN, 0.01, NAN, 1570039.3693704445},
    {"Hertz", "ReducedModulus = 1e7;", "largest_step", NAN, 0.05, 0.01, 0.5, 0.0019638660891238254},
    {"KelvinVoigt", "Stiffness = 1e4; Damping = 20;", "largest_step", NAN, 1, NAN, NAN, 0.018099751242241781},
    {"KelvinVoigt", "Stiffness = 1e4; Damping = 400;", "largest_step", NAN, 1, NAN, NAN, 0.004721359549995794},
    {"KelvinVoigt", "Stiffness = 1e4; Damping = 400;", "damping_ratio", NAN, 1, NAN, NAN, 2},
    {"KelvinVoigt", "Stiffness = 1e4;", "compression", 5, NAN, NAN, NAN, 5e-4},
    {"GranHertz", "NormalStiffness = 1e6;", "compression", 1000, NAN, 0.01, NAN, 0.046415888336127789},
    {"RollingResistance", "RollingFriction = 0.1;", "largest_moment", 20, NAN, 0.01, NAN, 0.02},
    {"RollingResistance", "RollingFriction = 1;", "rest_angle", NAN, NAN, NAN, NAN, 0.78539816339744831},
    {"Twisting", "Friction = 0.4;", "moment_per_radius", 10, NAN, NAN, NAN, 2.3561944901923449},
    {"Thornton", "ReducedModulus = 1e11; YieldPressure = 1e9;", "yield_force", NAN, NAN, 0.005, NAN,
     12.919281950124925},
    {"Thornton", "ReducedModulus = 1e11; YieldPressure = 1e9;", "yield_speed", NAN, 0.002, 0.005, NAN,
     0.079846165215953631},
    {"LudingHysteresis", "", "largest_step", NAN, 2, NAN, NAN, 0.004},
    {"WaltonBraun", "Hardening = 1000;", "largest_step", NAN, 2, NAN, 0.5, 0.0043457379350328036},
    {"Jkr", "", "pull_off_force", NAN, NAN, 0.01, NAN, 0.0023561944901923449},
    {"Jkr", "", "release_gap", NAN, NAN, 0.01, NAN, 4.7040780046055166e-6},
    {"Jkr", "Release = PullOff;", "release_gap", NAN, NAN, 0.01, NAN, 2.2614848269449458e-6},
    {"Jkr", "", "contact_radius", 0.01, NAN, 0.01, NAN, 0.00057617623731074669},
    {"Jkr", "", "compression", 0.01, NAN, 0.01, NAN, 1.9743868947654146e-5},
    {"Dmt", "", "pull_off_force", NAN, NAN, 0.01, NAN, 0.0031415926535897932},
    {"Dmt", "", "compression", 0.01, NAN, 0.01, NAN, 2.1337302281761262e-5},
    {"CapillaryBridge", "", "pull_off_force", NAN, NAN, 0.001, NAN, 0.00091483178072534779},
    {"CapillaryBridge", "ContactAngle = 1;", "rupture_gap", NAN, NAN, 0.001, NAN, 0.00015},
    {"ParallelBond", "", "tensile_force", NAN, NAN, NAN, NAN, 31.415926535897932},
    {"ParallelBond", "", "shear_force", NAN, NAN, NAN, NAN, 31.415926535897932},
    {"ParallelBond", "", "bending_moment", NAN, NAN, NAN, NAN, 0.0078539816339744831},
    {"ParallelBond", "", "twisting_moment", NAN, NAN, NAN, NAN, 0.015707963267948966},
    {"HuntCrossley", "Stiffness = 1e6;", "compression", 1000, NAN, NAN, NAN, 0.01},
};

static void say_what_loads_do(void **state)
{
    (void)state;
    bool good = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const number  *n = &numbers[i];
        const impact   of = {.law = n->law, .parameters = n->parameters};
        law            l = law_open(n->law, "%s", n->parameters);
        const pcm_load load = {sizeof load, n->force, NAN, n->speed, n->mass, n->radius};
        good &= is_near(n->name, &of, law_asked(&l, n->name, &load), n->value, 1e-12);
        law_close(&l);
    }
    assert_true(good);
}

/* Near e = 1, and where rebound.h changes from its series to logarithms: compared with numbers of 80 digits. */
static void near_one_nothing_cancels(void **state)
{
    (void)state;
    static const struct {
        double e, x;
    } rows[] = {{0.999, 0.0015015013512010866}, {0.99999, 1.5000150001281745e-5}, {0.9999999, 1.5000001492104796e-7}};
    static const char *const laws[] = {"Flores", "LankaraniNikravesh"};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            law   l = law_open(laws[i], "Stiffness = 1e8; LeastSpeed = 1e-6; Restitution = %.17g;", rows[k].e);
            lanes c = lanes_open(1);
            c.depth[0] = 1e-4;
            c.depth_rate[0] = c.state[0][0] = 1;
            lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
            assert_true(fabs(c.force_n[0] / (100 * (1 + rows[k].x)) - 1) < 1e-15);
            assert_true(fabs(law_derived(&l, "restitution", 1, 0) - rows[k].e) < 2e-16);
            lanes_close(&c);
            law_close(&l);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(return_what_closed_forms_say),
        cmocka_unit_test(say_what_follows),
        cmocka_unit_test(say_what_loads_do),
        cmocka_unit_test(near_one_nothing_cancels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
