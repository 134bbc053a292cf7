/* SPDX-License-Identifier: MIT */
/* A law treats a contact in the same way whichever of the two bodies is the base: with A and B swapped, and states
 * converted by pcm_type_swap, every shipped law gives the opposite force. */
#include "law.h"

#include <math.h>

enum { LANES = 64, STEPS = 40, STATES = 2 * LAW_COLUMNS };
static const double dt = 1e-4;

typedef struct view {
    double depth[LANES], depth_rate[LANES], slip_x[LANES], slip_y[LANES], spin_x[LANES], spin_y[LANES], spin_n[LANES];
    double radius[LANES], mass[LANES], state[STATES][LANES], next[STATES][LANES], rate[STATES][LANES];
    double force[3][LANES], moment[3][LANES];
} view;

static void call(const pcm_type *type, pcm_verb_kind verb, view *v)
{
    const double *state[STATES];
    double       *next[STATES], *rate[STATES];
    for (size_t k = 0; k < STATES; k++) {
        state[k] = v->state[k];
        next[k] = v->next[k];
        rate[k] = v->rate[k];
    }
    assert_int_equal(pcm_type_call(type, verb,
                                   &(pcm_batch){.size = sizeof(pcm_batch),
                                                .count = LANES,
                                                .dt = dt,
                                                .depth = v->depth,
                                                .depth_rate = v->depth_rate,
                                                .slip_x = v->slip_x,
                                                .slip_y = v->slip_y,
                                                .spin_x = v->spin_x,
                                                .spin_y = v->spin_y,
                                                .spin_n = v->spin_n,
                                                .radius = v->radius,
                                                .mass = v->mass,
                                                .state = state,
                                                .next = next,
                                                .rate = rate,
                                                .force_n = v->force[2],
                                                .force_x = v->force[0],
                                                .force_y = v->force[1],
                                                .moment_n = v->moment[2],
                                                .moment_x = v->moment[0],
                                                .moment_y = v->moment[1]}),
                     PCM_OK);
}

/* Motion with pressing, slip and spin, as seen from each of the two bodies. */
static void move(view *a, view *b, uint64_t *seed)
{
    for (size_t i = 0; i < LANES; i++) {
        a->depth[i] = b->depth[i] = 1e-3 * noise(seed);
        a->depth_rate[i] = b->depth_rate[i] = 0.1 * noise(seed);
        a->slip_x[i] = noise(seed);
        a->slip_y[i] = b->slip_y[i] = noise(seed);
        a->spin_x[i] = noise(seed);
        a->spin_y[i] = b->spin_y[i] = noise(seed);
        a->spin_n[i] = b->spin_n[i] = noise(seed);
        b->slip_x[i] = -a->slip_x[i];
        b->spin_x[i] = -a->spin_x[i];
        a->radius[i] = b->radius[i] = 0.1;
        a->mass[i] = b->mass[i] = 1;
    }
}

static void assert_traded(const double *a, const double *b, double factor)
{
    for (size_t i = 0; i < LANES; i++)
        if (!(fabs(a[i] - factor * b[i]) <= 1e-12 * (1 + fabs(a[i])))) /* rounding is the same except for signs */
            fail_msg("%.17g is not %g times %.17g", a[i], factor, b[i]);
}

/* The states of the swapped view, converted back, equal those of the first. */
static void assert_states(const pcm_type *type, const view *a, const view *b)
{
    const uint32_t n_state = pcm_type_get_info(type)->n_state;
    for (size_t i = 0; i < LANES; i++) {
        double state[STATES];
        for (size_t k = 0; k < n_state; k++)
            state[k] = b->next[k][i];
        pcm_type_swap(type, state);
        for (size_t k = 0; k < n_state; k++)
            if (!(fabs(state[k] - a->next[k][i]) <= 1e-12))
                fail_msg("state %zu: %.17g is not %.17g", k, state[k], a->next[k][i]);
    }
}

static void compare(const char *model)
{
    static view a, b;
    const bool  table = strcmp(model, "MeasuredTable") == 0; /* the only law without defaults */
    law         l = law_open(model, "%s", table ? "Depths = (1e-4, 4e-4); Forces = (1, 5);" : "");
    uint64_t    seed = 7;
    a = b = (view){0};
    assert_true(l.info->n_state <= STATES);
    move(&a, &b, &seed);
    call(l.type, PCM_ESTABLISH, &a);
    call(l.type, PCM_ESTABLISH, &b);
    assert_states(l.type, &a, &b);
    for (size_t step = 0; step < STEPS; step++) {
        static const double factor[] = {-1, 1, 1};
        memcpy(a.state, a.next, sizeof a.state);
        memcpy(b.state, b.next, sizeof b.state);
        call(l.type, PCM_UPDATE, &a);
        call(l.type, PCM_UPDATE, &b);
        for (size_t k = 0; k < 3; k++) {
            assert_traded(a.force[k], b.force[k], factor[k]);
            assert_traded(a.moment[k], b.moment[k], factor[k]);
        }
        assert_states(l.type, &a, &b);
        move(&a, &b, &seed);
    }
    law_close(&l);
}

static void visit(void *user, const pcm_model *model)
{
    const uint32_t known = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_SPIN | PCM_RADIUS | PCM_MASS;
    const bool     traded = !(model->flags & (PCM_HOST_CONTACT | PCM_BASE_AXES)) && !(model->inputs & ~known);
    *(size_t *)user += traded;
    if (traded)
        compare(model->name);
}

static void every_law_is_blind_to_the_order(void **state)
{
    (void)state;
    pcm_context_def def = pcm_context_defaults();
    size_t          traded = 0;
    def.plugin_path = law_plugins;
    def.flags = PCM_NO_DEFAULT_PATHS;
    pcm_context *context = pcm_context_new(&def);
    pcm_model_each(context, visit, &traded);
    pcm_context_free(context);
    assert_true(traded >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_is_blind_to_the_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
