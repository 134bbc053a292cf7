/* SPDX-License-Identifier: MIT */
/* Laws whose force depends on what was before, step by step, and numbers that follow from laws of rough and sticky
 * surfaces: compared with tables that were made with more digits. */
#include "law.h"
#include "reference.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- ViscoelasticSphere ------------------------------------------------------------------------------------------ */

typedef struct pressing {
    law    law;
    lanes  lanes;
    double time, deepest, turn;
    bool   sine;
} pressing;

static pressing press(const reference *t, size_t row)
{
    pressing p = {.deepest = reference_at(t, row, "d0"), .turn = reference_at(t, row, "tm")};
    p.sine = strcmp(reference_word(t, row, "history"), "half_sine") == 0;
    p.law = law_open("ViscoelasticSphere",
                     "ReducedModulus = %.17g; RelaxingModulus = %.17g; RelaxationTime = %.17g; ReducedRadius = %.17g;",
                     reference_at(t, row, "E_inf"), reference_at(t, row, "E1"), reference_at(t, row, "tau"),
                     reference_at(t, row, "R"));
    p.lanes = lanes_open(1);
    return p;
}

static void press_until(pressing *p, double time, double steps)
{
    const double count = ceil((time - p->time) / p->turn * steps), begin = p->time;
    for (double k = 1; k <= count; k++) {
        const double now = begin + (time - begin) * k / count, s = now / p->turn;
        p->lanes.depth[0] = p->deepest * (p->sine ? sin(0.5 * pi * s) : s <= 1 ? s : 2 - s);
        lanes_call(&p->law, PCM_UPDATE, &p->lanes, 0, 1, now - p->time);
        lanes_commit(&p->lanes);
        p->time = now;
    }
}

static void press_close(pressing *p)
{
    lanes_close(&p->lanes);
    law_close(&p->law);
}

/* While it is pressed in, the law integrates Lee and Radok's equation; as it is let off, it keeps of the stretch over
 * the radius two numbers. */
static void sphere_is_as_lee_radok_and_ting_have_it(void **state)
{
    (void)state;
    reference t = reference_open("visco_sphere.csv");
    for (size_t r = 0; r < t.rows;) {
        pressing p = press(&t, r);
        double   most = 0, widest = 0, in = 0, out = 0, wide = 0;
        for (const double which = reference_at(&t, r, "case"); r < t.rows && reference_at(&t, r, "case") == which;
             r++) {
            press_until(&p, reference_at(&t, r, "t"), 400);
            const double off = fabs(p.lanes.force_n[0] - reference_at(&t, r, "force"));
            double      *worst = p.time <= p.turn ? &in : &out;
            *worst = fmax(*worst, off);
            wide = fmax(wide, fabs(p.lanes.more[LAW_MORE_patch_radius][0] - reference_at(&t, r, "a")));
            most = fmax(most, reference_at(&t, r, "force"));
            widest = fmax(widest, reference_at(&t, r, "a"));
        }
        assert_true(in <= 1e-4 * most && out <= 6e-3 * most && wide <= 0.02 * widest);
        press_close(&p);
    }
    reference_close(&t);
}

/* ---- RateAndState ------------------------------------------------------------------------------------------------ */

typedef struct fault {
    law    law;
    lanes  lanes;
    double time;
} fault;

/* The spring between slider and driver is that of the contact, under a load of 1 N. All runs begin with steady sliding
 * at V1 over Dc. */
static fault fault_open(const reference *t, size_t row)
{
    const double first = reference_at(t, row, "V1"), distance = reference_at(t, row, "Dc");
    fault        f = {.lanes = lanes_open(1), .time = reference_at(t, row, "t")};
    f.law = law_open("RateAndState",
                     "TangentialStiffness = %.17g; Friction = %.17g; DirectEffect = %.17g; AgeingEffect = %.17g; "
                     "ReferenceSpeed = %.17g; SlipDistance = %.17g;",
                     reference_at(t, row, "k"), reference_at(t, row, "mu0"), reference_at(t, row, "a"),
                     reference_at(t, row, "b"), reference_at(t, row, "V0"), distance);
    f.lanes.more[LAW_MORE_load_n][0] = 1;
    f.lanes.state[0][0] = reference_at(t, row, "mu") / reference_at(t, row, "k");
    f.lanes.state[2][0] = distance / first;
    return f;
}

static void drive(fault *f, double until, double speed, double dt)
{
    const double count = ceil((until - f->time) / dt), begin = f->time;
    f->lanes.slip_x[0] = speed;
    for (double k = 1; k <= count; k++) {
        const double now = begin + (until - begin) * k / count;
        lanes_call(&f->law, PCM_UPDATE, &f->lanes, 0, 1, now - f->time);
        lanes_commit(&f->lanes);
        f->time = now;
    }
}

/* The worst error of the coefficient in all runs of the table, with steps of that part of Dc over the largest speed. */
static double fault_error(const reference *t, double part)
{
    double worst = 0;
    for (size_t r = 0; r < t->rows;) {
        const size_t first = r;
        const double speed = fmax(reference_at(t, r, "V1"), reference_at(t, r, "V2"));
        const double dt = part * reference_at(t, first, "Dc") / speed;
        fault        f = fault_open(t, r);
        drive(&f, reference_at(t, r, "Dc") / reference_at(t, r, "V1"), reference_at(t, r, "V1"), dt);
        for (r++; r < t->rows && reference_at(t, r, "t") > reference_at(t, r - 1, "t"); r++) {
            /* A row has the speed of the driver that brought it there. */
            drive(&f, reference_at(t, r, "t"), reference_at(t, r, "Vl"), dt);
            worst = fmax(worst, fabs(-f.lanes.force_x[0] - reference_at(t, r, "mu")));
        }
        lanes_close(&f.lanes);
        law_close(&f.law);
    }
    return worst;
}

static void friction_follows_the_speed_as_dieterich_has_it(void **state)
{
    (void)state;
    reference    t = reference_open("rate_state.csv");
    const double coarse = fault_error(&t, 0.02), fine = fault_error(&t, 0.01);
    assert_true(fine < 2e-4);          /* of about 0.6 */
    assert_true(fine < 0.55 * coarse); /* of first order */
    reference_close(&t);
}

/* ---- Eepa -------------------------------------------------------------------------------------------------------- */

/* Along the paths of the table: loads, unloads, tears off and presses again. Forces cancel near zero, so that the
 * greatest load of the path is what counts. */
static void powder_follows_its_loops(void **state)
{
    (void)state;
    reference t = reference_open("eepa.csv");
    double    deepest = 0;
    for (size_t r = 0; r < t.rows;) {
        const double which = reference_at(&t, r, "case"), n = reference_at(&t, r, "n");
        law          l = law_open("Eepa",
                                  "LoadingStiffness = %.17g; UnloadingStiffness = %.17g; Exponent = %.17g; "
                                           "AdhesionStiffness = %.17g; "
                                           "AdhesionExponent = %.17g; ConstantForce = %.17g;",
                                  reference_at(&t, r, "k1"), reference_at(&t, r, "k2"), n, reference_at(&t, r, "k_adh"),
                                  reference_at(&t, r, "chi"), reference_at(&t, r, "f0"));
        lanes        c = lanes_open(1);
        c.more[LAW_MORE_radius][0] = reference_at(&t, r, "R");
        for (deepest = 0; r < t.rows && reference_at(&t, r, "case") == which; r++) {
            c.depth[0] = reference_at(&t, r, "overlap");
            lanes_call(&l, PCM_UPDATE, &c, 0, 1, 1);
            lanes_commit(&c);
            deepest = fmax(deepest, c.depth[0]);
            const double most = reference_at(&t, r, "k1") * pow(deepest, n);
            assert_true(fabs(c.force_n[0] - reference_at(&t, r, "force")) <= 1e-12 * most);
            if (c.depth[0] >= 0)
                assert_true(fabs(c.state[0][0] - reference_at(&t, r, "dent")) <= 1e-12 * deepest);
        }
        lanes_close(&c);
        law_close(&l);
    }
    reference_close(&t);
}

/* ---- Numbers that follow ----------------------------------------------------------------------------------------- */

static void real_areas_are_as_tabled(void **state)
{
    (void)state;
    reference t = reference_open("persson_area.csv");
    for (size_t r = 0; r < t.rows; r++) {
        law l =
            law_open("RoughContact", "Form = Persson; NominalArea = 1; ReducedModulus = %.17g; RmsGradient = %.17g;",
                     reference_at(&t, r, "Estar"), reference_at(&t, r, "rms_gradient"));
        assert_true(near(law_derived(&l, "real_area", reference_at(&t, r, "pressure"), NAN),
                         reference_at(&t, r, "relative_area"), 0, 1e-13));
        law_close(&l);
    }
    reference_close(&t);
    t = reference_open("greenwood_williamson.csv");
    for (size_t r = 0; r < t.rows; r++) {
        law l = law_open("RoughContact", "SummitRadius = %.17g; Roughness = %.17g; ReducedModulus = %.17g;",
                         reference_at(&t, r, "R"), reference_at(&t, r, "sigma_s"), reference_at(&t, r, "Estar"));
        assert_true(near(law_derived(&l, "real_area", reference_at(&t, r, "force"), NAN),
                         reference_at(&t, r, "real_area"), 0, 1e-12));
        law_close(&l);
    }
    reference_close(&t);
}

/* Pulled off in small steps; with 3/4 GPa and w = 1/pi GPa m Maugis's units are SI but for the force. */
static void pull_off_is_as_maugis_has_it(void **state)
{
    (void)state;
    reference t = reference_open("maugis_pulloff.csv");
    for (size_t r = 0; r < t.rows; r++) {
        enum { GAPS = 4000 };
        const double lambda = reference_at(&t, r, "lambda"), last = fmin(1, 1.6 * sqrt(lambda));
        law          l = law_open(
                     "Maugis", "ReducedModulus = 0.75 [GPa]; WorkOfAdhesion = %.17g; ReducedRadius = 1; CohesiveStress = %.17g;",
                     1e9 / pi, 0.5e9 * lambda);
        lanes  c = lanes_open(GAPS);
        double most = 0;
        for (size_t i = 0; i < GAPS; i++)
            c.depth[i] = -last * (double)i / GAPS;
        lanes_call(&l, PCM_UPDATE, &c, 0, GAPS, 0);
        for (size_t i = 0; i < GAPS; i++)
            most = fmax(most, -1e-9 * c.force_n[i]);
        assert_true(near(most, reference_at(&t, r, "pull_off/(pi W R)"), 0, 1e-5));
        assert_true(near(1e-9 * law_derived(&l, "pull_off_force", NAN, NAN), most, 0, 0.015));
        assert_true(c.life[0] == PCM_LIVE && c.life[GAPS - 1] == PCM_BROKEN);
        lanes_close(&c);
        law_close(&l);
    }
    reference_close(&t);
}

/* The film ends without a jump at the outer gap, and what it takes from a mass at most is the integral of its damping.
 */
static void film_stops_what_is_slower_than_it_says(void **state)
{
    (void)state;
    law          l = law_open("SqueezeFilm", "InnerGap = 1 [um]; OuterGap = 100 [um]; ReducedRadius = 5 [mm];");
    const double mass = 1e-3,
                 speed = law_asked(&l, "stopped_speed", &(pcm_load){sizeof(pcm_load), NAN, NAN, NAN, mass, NAN});
    lanes        c = lanes_open(1);
    const double dt = 1e-7;
    double       gap = 1e-4, rate = 1.001 * speed;
    c.depth[0] = -1e-4;
    c.depth_rate[0] = 1;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(c.force_n[0] == 0);
    for (int step = 0; step < 10000000 && rate > 0 && gap > 1e-6; step++) {
        c.depth[0] = -(gap - 0.5 * dt * rate);
        c.depth_rate[0] = rate;
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, dt);
        gap -= dt * rate;
        rate -= dt * c.force_n[0] / mass;
    }
    assert_true(gap <= 1e-6 && rate > 0 && rate < 0.0015 * speed);
    lanes_close(&c);
    law_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_is_as_lee_radok_and_ting_have_it),
        cmocka_unit_test(friction_follows_the_speed_as_dieterich_has_it),
        cmocka_unit_test(real_areas_are_as_tabled),
        cmocka_unit_test(pull_off_is_as_maugis_has_it),
        cmocka_unit_test(film_stops_what_is_slower_than_it_says),
        cmocka_unit_test(powder_follows_its_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
