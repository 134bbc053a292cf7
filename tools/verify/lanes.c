/* SPDX-License-Identifier: MIT */
#include "lanes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 16, STRIDE = MOTION_ROWS + 2 * GUARD };

/* NaN with a mark that no computation gives. */
static double sentinel_of(int kind)
{
    const uint64_t bits = 0x7ff8dead5e471e00u + (uint64_t)kind;
    double         value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

bool lanes_is_sentinel(double value)
{
    return bits_of(value) == bits_of(sentinel_of(0)) || bits_of(value) == bits_of(sentinel_of(1));
}

bool lanes_same(double a, double b) { return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b)); }

/* ---- Columns ------------------------------------------------------------------------------------------------------
 */

typedef struct declared {
    const char *name, *flag;
    uint32_t    bit; /* of pcm_model.outputs; 0: declared always */
    size_t      offset;
    bool        is_report;
    const char *unit; /* NULL: it is a mark */
} declared;

#define DECLARED(field, bit, is_report, unit)                                                                          \
    {                                                                                                                  \
#field, #bit, bit, offsetof(pcm_batch, field), is_report, unit                                                 \
    }
static const declared results[] = {
    {"force_n", NULL, 0, offsetof(pcm_batch, force_n), false, "N"},
    DECLARED(force_x, PCM_FRICTION, false, "N"),
    DECLARED(force_y, PCM_FRICTION, false, "N"),
    DECLARED(moment_n, PCM_MOMENT, false, "N*m"),
    DECLARED(moment_x, PCM_MOMENT, false, "N*m"),
    DECLARED(moment_y, PCM_MOMENT, false, "N*m"),
    DECLARED(energy, PCM_ENERGY, true, "J"),
    DECLARED(dissipation, PCM_DISSIPATION, true, "W"),
    DECLARED(life, PCM_LIFE, false, NULL),
    DECLARED(mode, PCM_MODE, true, NULL),
    DECLARED(elastic_n, PCM_SHARES, false, "N"),
    DECLARED(adhesive_n, PCM_SHARES, false, "N"),
    DECLARED(pull_off, PCM_SHARES, false, "N"),
    DECLARED(patch_radius, PCM_PATCH_RADIUS, false, "m"),
    DECLARED(onset, PCM_ONSET, false, "m"),
};
enum { RESULTS = sizeof results / sizeof *results };

static double *take(double **from)
{
    double *column = *from + GUARD;
    *from += STRIDE;
    return column;
}

static lanes_output *add_output(lanes *l, double **from, const char *name, lanes_duty duty, bool is_report)
{
    lanes_output *output = &l->outputs[l->n_outputs++];
    *output = (lanes_output){.values = take(from), .duty = duty, .is_report = is_report};
    (void)snprintf(output->name, sizeof output->name, "%s", name);
    return output;
}

static void add_results(lanes *l, double **from)
{
    const pcm_model *model = l->subject->model;
    for (size_t i = 0; i < RESULTS; i++) {
        const declared *r = &results[i];
        const uint32_t  between = subject_is_sum(l->subject) ? PCM_SHARES | PCM_PATCH_RADIUS : 0; /* of its parts */
        const bool      may_leave =
            r->bit ? r->bit & model->outputs & (PCM_ONSET | between) : model->inputs & PCM_FROM_PARTS;
        const bool    says_so = !r->bit || model->outputs & r->bit;
        lanes_output *output = add_output(l, from, r->name,
                                          may_leave ? LANES_MAY
                                          : says_so ? LANES_MUST
                                                    : LANES_MUST_NOT,
                                          r->is_report);
        output->flag = r->flag;
        output->unit = r->unit;
        output->is_mark = !r->unit;
        memcpy((char *)&l->batch + r->offset, &output->values, sizeof output->values);
    }
}

/* next and rate of a state's columns from `at` on. */
static void add_state(lanes *l, double **from, const pcm_state *state, size_t at)
{
    const bool steps = state->role == PCM_HISTORY || state->flags & PCM_STEPS;
    const bool moves = state->role == PCM_CONTINUOUS;
    for (size_t c = 0; c < pcm_columns_of(state->shape); c++) {
        const char *axis = state->shape == PCM_SCALAR ? "" : c ? "_y" : "_x";
        char        name[LANES_NAME];
        (void)snprintf(name, sizeof name, "next of %.64s%s", state->name, axis);
        lanes_output *next = add_output(l, from, name, steps ? LANES_MUST : LANES_MAY, false);
        next->unit = state->unit;
        l->next[at + c] = next->values;
        (void)snprintf(name, sizeof name, "rate of %.64s%s", state->name, axis);
        lanes_output *rate = add_output(l, from, name, moves ? LANES_MUST : LANES_MAY, moves && steps);
        (void)snprintf(rate->unit_text, sizeof rate->unit_text, "%.64s/s", state->unit);
        rate->unit = rate->unit_text;
        l->rate[at + c] = rate->values;
    }
}

static void add_tables(lanes *l, double **from)
{
    const pcm_model *model = l->subject->model;
    for (size_t i = 0, at = 0; i < model->states.count; at += pcm_columns_of(pcm_model_state(model, i++)->shape))
        add_state(l, from, pcm_model_state(model, i), at);
    char name[LANES_NAME];
    for (size_t i = 0; i < model->events.count; i++) {
        (void)snprintf(name, sizeof name, "event %.64s", pcm_model_event(model, i)->name);
        l->event[i] = add_output(l, from, name, LANES_MUST, true)->values;
    }
    for (size_t i = 0; i < model->partials.count; i++) {
        (void)snprintf(name, sizeof name, "partial %zu", i);
        l->jacobian[i] = add_output(l, from, name, LANES_MUST, true)->values;
    }
    const uint32_t n_amounts = model->amounts.count;
    for (uint32_t i = 0; i < 2 * n_amounts; i++) {
        const char *side = i < n_amounts ? "base_flow" : "follower_flow";
        (void)snprintf(name, sizeof name, "%s of %.64s", side, pcm_model_amount(model, i % n_amounts)->name);
        lanes_output *flow = add_output(l, from, name, LANES_MUST, false);
        flow->unit = pcm_model_amount(model, i % n_amounts)->flow_unit;
        l->flows[i] = flow->values;
    }
}

static void add_inputs(lanes *l, double **from)
{
    const subject *s = l->subject;
    const size_t   before_amounts = s->n_motions + s->info->n_host_inputs;
    for (size_t i = 0; i < s->columns; i++) {
        l->inputs[i] = take(from);
        if (i < s->n_motions)
            memcpy((char *)&l->batch + rig_motions[i].offset, &l->inputs[i], sizeof l->inputs[i]);
        else if (i < before_amounts)
            l->host_inputs[i - s->n_motions] = l->inputs[i];
        else if (i < s->n_inputs)
            l->amounts[i - before_amounts] = l->inputs[i];
        else
            l->state[i - s->n_inputs] = l->inputs[i];
    }
}

bool lanes_open(lanes *l, const subject *s)
{
    const pcm_model *model = s->model;
    const size_t     n_state = s->info->n_state, n_event = model->events.count, n_partial = model->partials.count;
    const size_t     n_amounts = 2 * model->amounts.count;
    const size_t     n_outputs = RESULTS + 2 * n_state + n_event + n_partial + n_amounts;
    const size_t n_pointers = s->columns + s->n_inputs - s->n_motions + 3 * n_state + n_event + n_partial + n_amounts;
    *l = (lanes){.subject = s, .n_inputs = s->columns, .doubles = (s->columns + n_outputs) * STRIDE};
    l->memory = calloc(l->doubles, sizeof *l->memory);
    l->pointers = calloc(n_pointers + 1, sizeof *l->pointers);
    l->outputs = calloc(n_outputs, sizeof *l->outputs);
    if (!l->memory || !l->pointers || !l->outputs)
        return false;
    double ***const lists[] = {&l->inputs, &l->host_inputs, &l->amounts, &l->flows,   &l->state,
                               &l->next,   &l->rate,        &l->event,   &l->jacobian};
    const size_t    sizes[] = {
           s->columns, s->info->n_host_inputs, n_amounts, n_amounts, n_state, n_state, n_state, n_event, n_partial};
    double **pointers = l->pointers, *from = l->memory;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; pointers += sizes[i++])
        *lists[i] = pointers;
    add_inputs(l, &from);
    add_results(l, &from);
    add_tables(l, &from);
    return true;
}

void lanes_close(lanes *l)
{
    free(l->memory);
    free(l->pointers);
    free(l->outputs);
    *l = (lanes){0};
}

/* ---- Lanes --------------------------------------------------------------------------------------------------------
 */

const char *lanes_input_name(const subject *s, size_t at)
{
    return (at < s->n_inputs ? &s->trial.inputs[at] : &s->trial.starts[at - s->n_inputs])->name;
}

const char *lanes_motion_unit(const rig_motion *kind)
{
    switch (kind->input) {
    case PCM_DEPTH:
    case PCM_POSITION:
    case PCM_RADIUS:
    case PCM_CONTACT_RADIUS:
        return "m";
    case PCM_DEPTH_RATE:
    case PCM_SLIP:
    case PCM_VELOCITY:
        return "m/s";
    case PCM_SPIN:
    case PCM_BODY_SPINS:
        return "1/s";
    case PCM_MASS:
        return "kg";
    case PCM_LOAD:
        return "N";
    case PCM_LOSS:
        return kind->offset <= offsetof(pcm_batch, loss_damping) ? "W" : "N";
    case PCM_AREA:
        return "m^2";
    case PCM_CURVATURE:
        return "1/m";
    case PCM_EXTENT:
        return kind->offset == offsetof(pcm_batch, line_length)      ? "m"
               : kind->offset == offsetof(pcm_batch, line_curvature) ? "1/m"
               : kind->offset == offsetof(pcm_batch, flat_area)      ? "m^2"
                                                                     : "1";
    default:
        return "1";
    }
}

static bool is_declared(const subject *s, size_t at)
{
    return at >= s->n_motions || s->model->inputs & rig_motions[at].input;
}

/* What stands around the lanes of an input: a number, or what is computed from it would read as a sentinel. */
static const double outside = 0.25;

void lanes_show(lanes *l, const motion *m, int sentinel)
{
    l->shown = m;
    l->time = 1;
    for (size_t column = 0; column < l->doubles / STRIDE; column++) {
        const double value = column < l->n_inputs ? outside : sentinel_of(sentinel);
        double      *rows = l->memory + column * STRIDE;
        for (size_t k = 0; k < STRIDE; k++)
            rows[k] = value;
    }
    for (size_t i = 0; i < l->n_inputs; i++) {
        const bool is_given = is_declared(l->subject, i);
        double    *rows = l->inputs[i];
        for (size_t lane = 0; lane < m->count; lane++)
            rows[lane] = is_given ? m->row[lane][i] : NAN;
    }
}

/* Whether a column holds something else before or behind its lanes. */
static bool is_spoilt_around(const lanes *l, const double *column, bool (*is_kept)(double))
{
    bool kept = true;
    for (ptrdiff_t k = -GUARD; k < MOTION_ROWS + GUARD; k++)
        kept = kept && ((k >= 0 && k < (ptrdiff_t)l->shown->count) || is_kept(column[k]));
    return !kept;
}

static bool is_outside(double value) { return value == outside; }

const char *lanes_overrun(const lanes *l)
{
    for (size_t i = 0; i < l->n_outputs; i++)
        if (is_spoilt_around(l, l->outputs[i].values, lanes_is_sentinel))
            return l->outputs[i].name;
    return NULL;
}

const char *lanes_spoilt_input(const lanes *l)
{
    for (size_t i = 0; i < l->n_inputs; i++) {
        bool spoilt = is_spoilt_around(l, l->inputs[i], is_outside);
        for (size_t lane = 0; is_declared(l->subject, i) && lane < l->shown->count; lane++)
            spoilt = spoilt || !lanes_same(l->inputs[i][lane], l->shown->row[lane][i]);
        if (spoilt)
            return lanes_input_name(l->subject, i);
    }
    return NULL;
}

static void shift(double **columns, size_t count, ptrdiff_t by)
{
    for (size_t i = 0; i < count; i++)
        columns[i] += by;
}

/* The batch as of those lanes: every column begins at the first. */
static void shift_all(lanes *l, ptrdiff_t by)
{
    const subject *s = l->subject;
    for (size_t i = 0; i < s->n_motions; i++) {
        const double *column = l->inputs[i] + by;
        memcpy((char *)&l->batch + rig_motions[i].offset, &column, sizeof column);
    }
    for (size_t i = 0; i < RESULTS; i++) {
        double *column = l->outputs[i].values + by;
        memcpy((char *)&l->batch + results[i].offset, &column, sizeof column);
    }
    const size_t   n_state = s->info->n_state, n_amounts = 2 * s->model->amounts.count;
    double **const lists[] = {l->host_inputs, l->amounts, l->flows, l->state, l->next, l->rate, l->event, l->jacobian};
    const size_t   sizes[] = {
          s->info->n_host_inputs,  n_amounts, n_amounts, n_state, n_state, n_state, s->model->events.count,
          s->model->partials.count};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        shift(lists[i], sizes[i], by);
}

static void fill_batch(lanes *l, const pcm_type *type, pcm_verb_kind verb, size_t count)
{
    pcm_batch *b = &l->batch;
    b->size = sizeof *b;
    b->count = count;
    b->time = l->time;
    b->dt = l->shown->dt;
    b->params = pcm_type_get_info(type)->params;
    b->host_inputs = (const double *const *)l->host_inputs;
    b->base_amount = (const double *const *)l->amounts;
    b->follower_amount = b->base_amount + l->subject->model->amounts.count;
    b->base_flow = l->flows;
    b->follower_flow = l->flows + l->subject->model->amounts.count;
    b->state = (const double *const *)l->state;
    b->next = l->next;
    b->rate = l->rate;
    b->event = l->event;
    b->jacobian = verb == PCM_UPDATE && l->subject->model->partials.count > 0 ? l->jacobian : NULL;
    b->reports = verb == PCM_UPDATE;
}

void lanes_call(lanes *l, const pcm_type *type, pcm_verb_kind verb, size_t first, size_t count)
{
    shift_all(l, (ptrdiff_t)first);
    fill_batch(l, type, verb, count);
    (void)pcm_type_call(type, verb, &l->batch);
    shift_all(l, -(ptrdiff_t)first);
}

bool lanes_keeps_params(lanes *l)
{
    const pcm_model *model = l->subject->model;
    const bool       is_sum = strchr(model->name, '+');
    const size_t     size = model->params.count > 0 && !is_sum ? pcm_model_param(model, 0)->params_size : 0;
    const size_t     guard = GUARD * sizeof(double), all = size + 2 * guard;
    char            *is = malloc(2 * all);
    if (!is || size == 0) {
        free(is);
        return true;
    }
    memset(is, 0x5a, 2 * all);
    memcpy(is + guard, pcm_type_get_info(l->subject->type)->params, size);
    memcpy(is + all, is, all);
    fill_batch(l, l->subject->type, PCM_UPDATE, l->shown->count);
    l->batch.params = is + guard;
    ((const pcm_kernel_set *)model->kernels.entries)->update(&l->batch);
    const bool keeps = memcmp(is, is + all, all) == 0;
    free(is);
    return keeps;
}
