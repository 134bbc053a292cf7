/* SPDX-License-Identifier: MIT */
/* Jacobians of every law: their integrals are compared with the law's forces, derivatives by parameters with files that
 * have other values, the law's own columns with differences, and kinks with closed forms. */
#include "budget.h"

#include <pcm/jacobian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LANES = 200, COLUMNS = 32, MOTION = PCM_WRT_VELOCITY_Z + 1 };

/* Every law, once with each setting that changes its computation. */
static const char laws[] =
    "ContactType compliant = CompliantGround { Friction=0.5; };\n"
    "ContactType frictionless = CompliantGround { Friction=0; Damping=0; };\n"
    "ContactType viscoelastic = ViscoelasticGround;\n"
    "ContactType wall = WallContact { GapLeft=(0.02); GapRight=(0.05); };\n"
    "ContactType smooth = SmoothSpringDamper { TransitionRegionWidth=1e-3; CriticalVelocity=0.02; };\n"
    "ContactType quintic = SmoothSpringDamper { Smoothing=Quintic; FrictionMethod=None; };\n"
    "ContactType given = SmoothSpringDamper { NormalMethod=ProvidedByInput; };\n"
    "ContactType spring = SpringContact { Z_Limit=20; };\n"
    "ContactType held = SpringContact { LimitMode=Saturate; X_Limit=2; Y_Limit=2; };\n"
    "ContactType sum = SpringContact + ViscoelasticGround + CompliantGround { Z_Limit=20; "
    "CompliantGround.Friction=0.5; "
    "};\n"
    "ContactType sliding = HuntCrossley + GonthierBristle { StaticFriction=0.5; DynamicFriction=0.5; };\n"
    "ContactType partly = CompliantGround + SmoothSpringDamper { CompliantGround.Friction=0.5; "
    "TransitionRegionWidth=1e-3; CriticalVelocity=0.02; };\n";

static pcm_context *context;
static pcm_config  *config;
static char         said[512];

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    snprintf(said, sizeof said, "%s", diagnostic->message);
}

static int start(void **state)
{
    (void)state;
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = TEST_PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.sink = listen;
    context = pcm_context_new(&def);
    config = context ? pcm_config_parse(context, "laws", laws, strlen(laws)) : NULL;
    if (!config)
        print_error("%s\n", said);
    return config ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    pcm_config_release(config);
    pcm_context_free(context);
    return 0;
}

/* ---- Test points ----------------------------------------------------------------------------------------------- */

/* Columns of inputs, in one block so that any of them can be varied by its number. */
typedef struct points {
    double        motion[MOTION][LANES], state[COLUMNS][LANES], given[COLUMNS][LANES];
    const double *states[COLUMNS], *givens[COLUMNS];
    double        force[6][LANES], rate[COLUMNS][LANES], next[COLUMNS][LANES], event[COLUMNS][LANES], other[2][LANES];
    double       *rates[COLUMNS], *nexts[COLUMNS], *events[COLUMNS];
    int64_t       life[LANES], mode[LANES];
    pcm_batch     batch;
} points;

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* The order of magnitude of an input in these tests. */
static double order_of(uint32_t by)
{
    if (by >= PCM_WRT_STATE)
        return 1e-3;
    return by == PCM_WRT_DEPTH ? 2e-3 : by >= PCM_WRT_X && by <= PCM_WRT_Z ? 5e-3 : 0.05;
}

static void wire(points *p, size_t count, double dt)
{
    for (size_t k = 0; k < COLUMNS; k++) {
        p->states[k] = p->state[k];
        p->givens[k] = p->given[k];
        p->rates[k] = p->rate[k];
        p->nexts[k] = p->next[k];
        p->events[k] = p->event[k];
    }
    p->batch = (pcm_batch){
        .size = sizeof p->batch,
        .count = count,
        .dt = dt,
        .depth = p->motion[PCM_WRT_DEPTH],
        .depth_rate = p->motion[PCM_WRT_DEPTH_RATE],
        .slip_x = p->motion[PCM_WRT_SLIP_X],
        .slip_y = p->motion[PCM_WRT_SLIP_Y],
        .spin_x = p->motion[PCM_WRT_SPIN_X],
        .spin_y = p->motion[PCM_WRT_SPIN_Y],
        .spin_n = p->motion[PCM_WRT_SPIN_N],
        .x = p->motion[PCM_WRT_X],
        .y = p->motion[PCM_WRT_Y],
        .z = p->motion[PCM_WRT_Z],
        .velocity_x = p->motion[PCM_WRT_VELOCITY_X],
        .velocity_y = p->motion[PCM_WRT_VELOCITY_Y],
        .velocity_z = p->motion[PCM_WRT_VELOCITY_Z],
        .host_inputs = p->givens,
        .state = p->states,
        .next = p->nexts,
        .rate = p->rates,
        .force_n = p->force[PCM_OUTPUT_FORCE_N],
        .force_x = p->force[PCM_OUTPUT_FORCE_X],
        .force_y = p->force[PCM_OUTPUT_FORCE_Y],
        .moment_n = p->force[PCM_OUTPUT_MOMENT_N],
        .moment_x = p->force[PCM_OUTPUT_MOMENT_X],
        .moment_y = p->force[PCM_OUTPUT_MOMENT_Y],
        .energy = p->other[0],
        .dissipation = p->other[1],
        .event = p->events,
        .life = p->life,
        .mode = p->mode,
    };
}

static void scatter(points *p, uint64_t seed, double dt)
{
    wire(p, LANES, dt);
    for (size_t i = 0; i < LANES; i++) {
        for (uint32_t by = 0; by < MOTION; by++)
            p->motion[by][i] = order_of(by) * uniform(&seed);
        p->motion[PCM_WRT_DEPTH][i] += 1e-3; /* three in four overlap */
        p->motion[PCM_WRT_X][i] += 0.02;     /* around an edge of the gap */
        for (size_t k = 0; k < COLUMNS; k++) {
            p->state[k][i] = order_of(PCM_WRT_STATE) * uniform(&seed);
            p->given[k][i] = 10 * uniform(&seed);
        }
    }
}

static double *cause_column(points *p, uint32_t by)
{
    return by < PCM_WRT_STATE ? p->motion[by] : p->state[by - PCM_WRT_STATE];
}

static const double *result_column(const points *p, uint32_t of)
{
    return of < PCM_OUTPUT_RATE ? p->force[of] : p->rate[of - PCM_OUTPUT_RATE];
}

/* The law's results at the points. */
static void call(const pcm_type *type, points *p)
{
    memset(p->force, 0, sizeof p->force);
    pcm_type_call(type, PCM_UPDATE, &p->batch);
}

/* All values and flags of a Jacobian at the points. */
typedef struct table {
    size_t   count;
    double  *block;
    int64_t *flag_block;
    double  *values[512];
    int64_t *flags[512];
} table;

static void table_make(table *t, const pcm_jacobian *jacobian)
{
    t->count = pcm_jacobian_count(jacobian);
    assert_in_range(t->count, 1, 512);
    t->block = calloc(t->count * LANES, sizeof *t->block);
    t->flag_block = calloc(t->count * LANES, sizeof *t->flag_block);
    assert_true(t->block && t->flag_block);
    for (size_t k = 0; k < t->count; k++) {
        t->values[k] = t->block + k * LANES;
        t->flags[k] = t->flag_block + k * LANES;
    }
}

static void table_free(table *t)
{
    free(t->block);
    free(t->flag_block);
}

/* ---- The fundamental theorem ----------------------------------------------------------------------------------- */

enum { NODES = 5 };
/* The Gauss-Lobatto rule of order 7, whose nodes include both ends, so that no kink stays unseen there; and Simpson's
 * rule on three of its nodes, which shows whether the integrand is smooth enough for the first rule. */
static const double node[NODES] = {-1, -0.6546536707079771, 0, 0.6546536707079771, 1};
static const double weight[NODES] = {0.1, 49.0 / 90, 32.0 / 45, 49.0 / 90, 0.1};
static const double weak_weight[NODES] = {1.0 / 3, 0, 4.0 / 3, 0, 1.0 / 3};

typedef struct tally {
    size_t checked, kinked;
} tally;

/* Integrates partial derivative k along its input over a hundredth of the input's size, lane by lane, and compares the
 * integral with the change in the law's result. Lanes with a kink on the way are counted separately. */
static void integrate(const pcm_type *type, pcm_jacobian *jacobian, size_t k, points *p, tally *t, table *all)
{
    static double     sum[LANES], weak[LANES], begin[LANES], end[LANES], home[LANES];
    static bool       kinked[LANES];
    const pcm_partial partial = pcm_jacobian_partial(jacobian, k);
    double           *column = cause_column(p, partial.wrt);
    const double      half = 5e-3 * order_of(partial.wrt);
    memset(sum, 0, sizeof sum);
    memset(weak, 0, sizeof weak);
    memset(kinked, 0, sizeof kinked);
    memcpy(home, column, sizeof home);
    for (size_t n = 0; n < NODES; n++) {
        for (size_t i = 0; i < LANES; i++)
            column[i] = home[i] + node[n] * half;
        pcm_jacobian_evaluate(jacobian, &p->batch, all->values, all->flags);
        for (size_t i = 0; i < LANES; i++) {
            sum[i] += half * weight[n] * all->values[k][i];
            weak[i] += half * weak_weight[n] * all->values[k][i];
            kinked[i] = kinked[i] || all->flags[k][i] & PCM_PARTIAL_ONE_SIDED;
        }
    }
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < LANES; i++)
            column[i] = home[i] + side * half;
        call(type, p);
        memcpy(side < 0 ? begin : end, result_column(p, partial.output), sizeof begin);
    }
    memcpy(column, home, sizeof home);
    for (size_t i = 0; i < LANES; i++) {
        const double change = end[i] - begin[i], largest = fmax(fabs(begin[i]), fabs(end[i]));
        if (kinked[i] || fabs(sum[i] - weak[i]) > 1e-7 * fabs(sum[i]) + 1e-10 * largest) {
            t->kinked++;
            continue;
        }
        /* For a smooth law, central differences are accurate to 1e-9; the difference of two forces loses eight of
         * sixteen digits. */
        if (!(fabs(sum[i] - change) <= 1e-7 * fabs(change) + 1e-9 * largest + 1e-15))
            fail_msg("%s: partial of %u by %u, lane %zu: %.17g, not %.17g", pcm_type_get_info(type)->name,
                     partial.output, partial.wrt, i, sum[i], change);
        t->checked++;
    }
}

static void integrals_give_the_forces_back(void **state)
{
    (void)state;
    static points p;
    for (size_t c = 0; c < pcm_config_type_count(config); c++) {
        const pcm_type *type = pcm_config_type_at(config, c);
        pcm_jacobian   *jacobian = pcm_jacobian_new(type, NULL, 0, PCM_ONLY_DIFFERENCES);
        assert_non_null(jacobian);
        table all;
        tally t = {0};
        table_make(&all, jacobian);
        for (int step = 0; step < 2; step++) {
            scatter(&p, 7 + c, step ? 1e-3 : 0);
            for (size_t k = 0; k < all.count; k++)
                integrate(type, jacobian, k, &p, &t, &all);
        }
        assert_true(t.checked > 9 * t.kinked);
        table_free(&all);
        pcm_jacobian_free(jacobian);
    }
}

/* ---- Parameters ------------------------------------------------------------------------------------------------ */

/* The forces and rates of a contact type from another file, in which one parameter has a different value. */
static void call_with(const char *name, const char *model_text, points *p)
{
    char text[512];
    snprintf(text, sizeof text, "ContactType %s = %s;\n", name, model_text);
    pcm_config *other = pcm_config_parse(context, "other", text, strlen(text));
    assert_non_null(other);
    call(pcm_config_type_at(other, 0), p);
    pcm_config_release(other);
}

typedef struct parameter_case {
    const char *type, *text; /* the text of a contact type, with %.17g for the parameter's value */
    uint32_t    entry;
    double      value;
} parameter_case;

static void parameters_act_as_in_the_file(void **state)
{
    (void)state;
    static const parameter_case cases[] = {
        {"compliant", "CompliantGround { Friction=0.5; Stiffness=%.17g; }", 0, 1e6},
        {"compliant", "CompliantGround { Friction=0.5; Damping=%.17g; }", 1,
         2000}, /* acts through numbers that prepare derives */
        {"compliant", "CompliantGround { Friction=%.17g; }", 2, 0.5},
        {"viscoelastic", "ViscoelasticGround { GroundStiffness=%.17g; }", 0, 1000},
        {"viscoelastic", "ViscoelasticGround { TanhRate=%.17g; }", 3, 50},
        {"wall", "WallContact { GapLeft=(0.02); GapRight=(0.05); Friction=%.17g; }", 4, 0.8},
        {"spring", "SpringContact { Z_Limit=20; K=%.17g; }", 0, 1000},
    };
    static points p;
    static double low[LANES], high[LANES];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const parameter_case *now = &cases[c];
        const pcm_type       *type = pcm_config_type_find(config, now->type);
        const pcm_partial     partials[] = {{PCM_OUTPUT_FORCE_N, PCM_WRT_PARAM + now->entry},
                                            {PCM_OUTPUT_FORCE_X, PCM_WRT_PARAM + now->entry}};
        pcm_jacobian         *jacobian = pcm_jacobian_new(type, partials, 2, 0);
        assert_non_null(jacobian);
        table all;
        table_make(&all, jacobian);
        scatter(&p, 99 + c, 1e-3);
        pcm_jacobian_evaluate(jacobian, &p.batch, all.values, all.flags);
        const double step = 1e-4 * now->value;
        size_t       moved = 0;
        for (size_t k = 0; k < 2; k++) {
            char text[256];
            snprintf(text, sizeof text, now->text, now->value - step);
            call_with("c", text, &p);
            memcpy(low, result_column(&p, partials[k].output), sizeof low);
            snprintf(text, sizeof text, now->text, now->value + step);
            call_with("c", text, &p);
            memcpy(high, result_column(&p, partials[k].output), sizeof high);
            size_t apart = 0;
            for (size_t i = 0; i < LANES; i++) {
                const double slope = (high[i] - low[i]) / (2 * step), value = all.values[k][i];
                /* The simple central difference has an error of 1e-8; across a kink it is no derivative at all. */
                apart += !(fabs(slope - value) <= 1e-6 * fabs(value) + 1e-11 * fabs(high[i]) / step) ? 1 : 0;
                moved += value != 0;
            }
            assert_in_range(apart, 0, LANES / 100);
        }
        if (moved <= LANES / 8)
            fail_msg("%s moves only %zu results", now->text, moved);
        table_free(&all);
        pcm_jacobian_free(jacobian);
    }
}

static void parameters_at_their_limits_are_one_sided(void **state)
{
    (void)state;
    /* Friction = 0 is the smallest allowed value: the derivative is the one-sided one, for growing friction. */
    static points     p;
    const pcm_partial partial = {PCM_OUTPUT_FORCE_X, PCM_WRT_PARAM + 2};
    const char        text[] = "ContactType C = ViscoelasticGround { Friction=0; };";
    pcm_config       *smooth = pcm_config_parse(context, "smooth", text, sizeof text - 1);
    assert_non_null(smooth);
    pcm_jacobian *jacobian = pcm_jacobian_new(pcm_config_type_at(smooth, 0), &partial, 1, 0);
    assert_non_null(jacobian);
    table all;
    table_make(&all, jacobian);
    scatter(&p, 5, 0);
    call_with("c", "ViscoelasticGround { Friction=1; }", &p);
    static double expected[LANES];
    memcpy(expected, p.force[PCM_OUTPUT_FORCE_X], sizeof expected);
    pcm_jacobian_evaluate(jacobian, &p.batch, all.values, all.flags);
    for (size_t i = 0; i < LANES; i++) {
        assert_true(fabs(all.values[0][i] - expected[i]) <=
                    1e-12 * fabs(expected[i])); /* the force is linear in friction */
        assert_int_equal(all.flags[0][i], PCM_PARTIAL_ONE_SIDED);
    }
    table_free(&all);
    pcm_jacobian_free(jacobian);
    pcm_config_release(smooth);
}

/* ---- The law's own columns ------------------------------------------------------------------------------------- */

static void own_columns_agree_with_differences(void **state)
{
    (void)state;
    static points p;
    size_t        with_columns = 0;
    for (size_t c = 0; c < pcm_config_type_count(config); c++) {
        const pcm_type  *type = pcm_config_type_at(config, c);
        const pcm_table *own = &pcm_type_get_info(type)->model->partials;
        if (own->count == 0)
            continue;
        with_columns++;
        pcm_jacobian *given = pcm_jacobian_new(type, own->entries, own->count, 0);
        pcm_jacobian *differences = pcm_jacobian_new(type, own->entries, own->count, PCM_ONLY_DIFFERENCES);
        assert_true(given && differences);
        table a, b;
        table_make(&a, given);
        table_make(&b, differences);
        scatter(&p, 1234 + c, 1e-3);
        pcm_jacobian_evaluate(given, &p.batch, a.values, a.flags);
        pcm_jacobian_evaluate(differences, &p.batch, b.values, b.flags);
        call(type, &p);
        for (size_t k = 0; k < own->count; k++)
            for (size_t i = 0; i < LANES; i++) {
                assert_true(a.flags[k][i] & PCM_PARTIAL_GIVEN);
                if (b.flags[k][i] & PCM_PARTIAL_ONE_SIDED)
                    continue;
                /* The error of fourth-order differences, and their rounding: the force's, over the smallest
                 * distance. */
                const double force = fabs(p.force[0][i]) + fabs(p.force[1][i]) + fabs(p.force[2][i]);
                assert_true(fabs(a.values[k][i] - b.values[k][i]) <= 1e-8 * fabs(a.values[k][i]) + 1e-7 * force);
            }
        table_free(&a);
        table_free(&b);
        pcm_jacobian_free(given);
        pcm_jacobian_free(differences);
    }
    assert_true(with_columns > 0);
}

static bool gives(const char *type, uint32_t output, uint32_t wrt)
{
    const pcm_table   *own = &pcm_type_get_info(pcm_config_type_find(config, type))->model->partials;
    const pcm_partial *entries = own->entries;
    for (uint32_t i = 0; i < own->count; i++)
        if (entries[i].output == output && entries[i].wrt == wrt)
            return true;
    return false;
}

/* A sum provides a derivative if each part that depends on the input does; the values are compared with differences
 * above. */
static void a_sum_gives_what_its_parts_give(void **state)
{
    (void)state;
    assert_true(gives("sum", PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH) &&
                gives("compliant", PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH));
    assert_false(gives("partly", PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH)); /* SmoothSpringDamper provides none */
    assert_true(gives("partly", PCM_OUTPUT_RATE, PCM_WRT_DEPTH) == gives("compliant", PCM_OUTPUT_RATE, PCM_WRT_DEPTH));
    assert_true(gives("partly", PCM_OUTPUT_FORCE_X, PCM_WRT_STATE) ==
                gives("compliant", PCM_OUTPUT_FORCE_X, PCM_WRT_STATE));
}

/* ---- Kinks ----------------------------------------------------------------------------------------------------- */

static void kinks_are_one_sided_and_flagged(void **state)
{
    (void)state;
    static points     p;
    const pcm_partial partials[] = {{PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH}, {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE}};
    const pcm_type   *type = pcm_config_type_find(config, "viscoelastic");
    pcm_jacobian     *jacobian = pcm_jacobian_new(type, partials, 2, PCM_ONLY_DIFFERENCES);
    assert_non_null(jacobian);
    table all;
    table_make(&all, jacobian);
    memset(&p, 0, sizeof p);
    wire(&p, 5, 0);
    /* At touch-down; just below it, just above it, well below it; at release, where the damper's pull equals the
     * spring's push. */
    const double depth[] = {0, 1e-16, -1e-16, 1e-3, 1e-3}, rate[] = {0, 0, 0, 0, -0.1};
    memcpy(p.motion[PCM_WRT_DEPTH], depth, sizeof depth);
    memcpy(p.motion[PCM_WRT_DEPTH_RATE], rate, sizeof rate);
    pcm_jacobian_evaluate(jacobian, &p.batch, all.values, all.flags);
    const double by_depth[] = {1000, 1000, 0, 1000, 1000};
    const int    sided[] = {1, 1, 1, 0, 1}, sided_rate[] = {1, 1, 0, 0, 1};
    for (size_t i = 0; i < 5; i++) {
        assert_true(fabs(all.values[0][i] - by_depth[i]) <= 1e-6 * by_depth[i]);
        assert_int_equal((all.flags[0][i] & PCM_PARTIAL_ONE_SIDED) != 0, sided[i]);
        if (i > 0)
            assert_int_equal((all.flags[1][i] & PCM_PARTIAL_ONE_SIDED) != 0, sided_rate[i]);
    }
    assert_true(fabs(all.values[1][3] - 10) <= 1e-8 && fabs(all.values[1][4] - 10) <= 1e-6);
    table_free(&all);
    pcm_jacobian_free(jacobian);
}

/* Sliding at the limit of a bristle's force, an event's indicator is 0 but for rounding, of either sign here and there:
 * both sides of a point may then seem to be beyond the event. The derivative is that of mu N all the same. */
static void an_indicator_that_only_rounds_hides_no_derivative(void **state)
{
    (void)state;
    static points     p;
    const pcm_partial partials[] = {{PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH}, {PCM_OUTPUT_FORCE_X, PCM_WRT_DEPTH}};
    pcm_jacobian     *jacobian = pcm_jacobian_new(pcm_config_type_find(config, "sliding"), partials, 2, 0);
    assert_non_null(jacobian);
    table all;
    table_make(&all, jacobian);
    memset(&p, 0, sizeof p);
    wire(&p, LANES, 0.01);
    for (size_t i = 0; i < LANES; i++) {
        p.motion[PCM_WRT_DEPTH][i] = 1e-5 * (1 + (double)i / LANES);
        p.motion[PCM_WRT_SLIP_X][i] = 0.9;
        p.state[0][i] = 1e-5;
    }
    pcm_jacobian_evaluate(jacobian, &p.batch, all.values, all.flags);
    for (size_t i = 0; i < LANES; i++) {
        const double stiffness = 1.5 * 1e8 * sqrt(p.motion[PCM_WRT_DEPTH][i]); /* of HuntCrossley */
        assert_true(fabs(all.values[0][i] - stiffness) <= 1e-6 * stiffness);
        assert_true(fabs(all.values[1][i] + 0.5 * stiffness) <= 1e-6 * stiffness);
    }
    table_free(&all);
    pcm_jacobian_free(jacobian);
}

static void non_finite_values_stay_in_their_lane(void **state)
{
    (void)state;
    static points p;
    pcm_jacobian *jacobian = pcm_jacobian_new(pcm_config_type_find(config, "compliant"), NULL, 0, 0);
    assert_non_null(jacobian);
    table sound, broken;
    table_make(&sound, jacobian);
    table_make(&broken, jacobian);
    scatter(&p, 3, 1e-3);
    pcm_jacobian_evaluate(jacobian, &p.batch, sound.values, sound.flags);
    p.motion[PCM_WRT_DEPTH][17] = NAN;
    pcm_jacobian_evaluate(jacobian, &p.batch, broken.values, NULL);
    for (size_t k = 0; k < sound.count; k++)
        for (size_t i = 0; i < LANES; i++)
            if (i != 17)
                assert_memory_equal(&sound.values[k][i], &broken.values[k][i], sizeof(double));
    for (size_t k = 0; k < sound.count; k++)
        if (pcm_jacobian_partial(jacobian, k).wrt == PCM_WRT_DEPTH)
            assert_true(isnan(broken.values[k][17]));
    table_free(&sound);
    table_free(&broken);
    pcm_jacobian_free(jacobian);
}

static void refusals_say_why(void **state)
{
    (void)state;
    const pcm_type   *type = pcm_config_type_find(config, "viscoelastic");
    const pcm_partial bad[] = {{PCM_OUTPUT_RATE, PCM_WRT_DEPTH},
                               {PCM_OUTPUT_FORCE_N, PCM_WRT_STATE},
                               {PCM_OUTPUT_FORCE_N, PCM_WRT_PARAM + 99},
                               {PCM_OUTPUT_FORCE_N, PCM_WRT_PARAM + 4}, /* a switch */
                               {77, PCM_WRT_DEPTH}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        said[0] = 0;
        assert_null(pcm_jacobian_new(type, &bad[i], 1, 0));
        assert_non_null(strstr(said, "ViscoelasticGround has no partial derivative"));
    }
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

static void a_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    budget          b = {.calls = SIZE_MAX};
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = TEST_PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.allocator = budget_allocator(&b);
    def.sink = listen;
    pcm_context      *poor = pcm_context_new(&def);
    pcm_config       *own = pcm_config_parse(poor, "laws", laws, strlen(laws));
    const pcm_partial partials[] = {{PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH}, {PCM_OUTPUT_FORCE_N, PCM_WRT_PARAM}};
    const ptrdiff_t   before = b.bytes;
    pcm_jacobian     *jacobian = NULL;
    assert_non_null(own);
    for (size_t calls = 0; !jacobian; calls++) {
        assert_in_range(calls, 0, 100);
        b.calls = calls;
        said[0] = 0;
        jacobian = pcm_jacobian_new(pcm_config_type_at(own, 0), partials, 2, 0);
        assert_true(jacobian || (strstr(said, "no memory") && b.bytes == before));
    }
    b.calls = SIZE_MAX;
    pcm_jacobian_free(jacobian);
    assert_true(b.bytes == before);
    pcm_config_release(own);
    pcm_context_free(poor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_give_the_forces_back),
        cmocka_unit_test(parameters_act_as_in_the_file),
        cmocka_unit_test(parameters_at_their_limits_are_one_sided),
        cmocka_unit_test(own_columns_agree_with_differences),
        cmocka_unit_test(a_sum_gives_what_its_parts_give),
        cmocka_unit_test(kinks_are_one_sided_and_flagged),
        cmocka_unit_test(an_indicator_that_only_rounds_hides_no_derivative),
        cmocka_unit_test(non_finite_values_stay_in_their_lane),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(a_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
