/* SPDX-License-Identifier: MIT */
/* check_units.c - what an answer may not depend on: the size of the units, and, of a law without states, the step. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "lanes.h"
#include "units.h"

/* ---- clock --------------------------------------------------------------------------------------------------------
 */

/* The first output of which a lane has another value; NULL: none. States themselves go on with the time. */
static const lanes_output *differs(const lanes *a, const lanes *b, size_t count, size_t *lane)
{
    for (size_t i = 0; i < a->n_outputs; i++)
        for (*lane = 0; *lane < count; ++*lane)
            if (!lanes_same(a->outputs[i].values[*lane], b->outputs[i].values[*lane]))
                return &a->outputs[i];
    return NULL;
}

static void ask(lanes *l, const subject *s, const motion *m, double time)
{
    lanes_show(l, m, 0);
    l->time = time;
    lanes_call(l, s->type, PCM_UPDATE, 0, m->count);
}

static bool clock_fails(subject *s, const motion *m, finding *found)
{
    lanes  a, b;
    motion other = *m;
    size_t lane = 0;
    bool   fails = false;
    if (lanes_open(&a, s) && lanes_open(&b, s)) {
        ask(&a, s, m, 1);
        ask(&b, s, m, 7.25);
        const lanes_output *by_time = differs(&a, &b, m->count, &lane);
        fails = by_time && finding_say(found, 1, "A law computes with b->dt and its states, and not with the time.",
                                       "%s depends on the time at which it is asked", by_time->name);
        other.dt = m->dt > 0 ? 0 : 1e-3;
        ask(&b, s, &other, 1);
        const lanes_output *by_step = s->info->n_state > 0 || fails ? NULL : differs(&a, &b, m->count, &lane);
        fails = by_step
                    ? finding_say(found, 2, "Use the motion of now: depth_rate and the slip are speeds already.",
                                  "it has no states, but %s depends on the step: %s with dt = %s s, %s with dt = "
                                  "%s s",
                                  by_step->name, pcm_number(by_step->values[lane], 4).text, pcm_number(m->dt, 4).text,
                                  pcm_number(b.outputs[by_step - a.outputs].values[lane], 4).text,
                                  pcm_number(other.dt, 4).text)
                    : fails;
        lanes_close(&b);
    }
    lanes_close(&a);
    return fails;
}

static const char *is_active(const subject *s)
{
    return s->model->flags & PCM_ACTIVE ? "it declares PCM_ACTIVE" : NULL;
}

const check check_clock = {.name = "clock",
                           .doc = "the answer depends on no clock, nor on the step where there are no states",
                           .weight = 100,
                           .absent = is_active,
                           .roll = motion_roll_lanes,
                           .fails = clock_fails};

/* ---- units --------------------------------------------------------------------------------------------------------
 */

/* By which powers of two numbers grow when metre, kilogram and second get so much smaller. */
typedef struct scale {
    int length, mass, time, current, temperature;
} scale;

/* The factor of what has that unit; NaN: the unit cannot be read. */
static double factor(const char *text, scale by)
{
    pcm_unit       unit;
    pcm_unit_fault fault;
    if (!pcm_unit_read(text, strlen(text), &unit, &fault))
        return NAN;
    return exp2(by.length * unit.length + by.mass * unit.mass + by.time * unit.time + by.current * unit.current +
                by.temperature * unit.temperature);
}

/* The unit of a column of a row. */
static const char *input_unit(const subject *s, size_t at)
{
    const pcm_model *model = s->model;
    size_t           k = s->n_motions;
    if (at < s->n_motions)
        return lanes_motion_unit(&rig_motions[at]);
    for (uint32_t i = 0; i < model->host_inputs.count; i++)
        if (at < (k += pcm_columns_of(pcm_model_host_input(model, i)->shape)))
            return pcm_model_host_input(model, i)->unit;
    if (at < s->n_inputs)
        return pcm_model_amount(model, (uint32_t)(at - k) % model->amounts.count)->unit;
    k = s->n_inputs;
    for (uint32_t i = 0; i < model->states.count; i++)
        if (at < (k += pcm_columns_of(pcm_model_state(model, i)->shape)))
            return pcm_model_state(model, i)->unit;
    return "1";
}

/* The same lanes and values in the other units; false where a unit cannot be read. */
static bool rescale(const subject *s, const motion *m, scale by, motion *scaled)
{
    bool known = true;
    *scaled = *m;
    scaled->dt = m->dt * factor("s", by);
    for (size_t i = 0; i < subject_param_count(s); i++) {
        const pcm_param *param = pcm_type_value_at(s->type, i).param;
        const double     by_unit = factor(param->unit, by);
        const bool       counts = param->kind == PCM_KIND_REAL || param->kind == PCM_KIND_LIST;
        scaled->params[i] *= counts ? by_unit : 1;
        known = known && (!counts || (!isnan(by_unit) && (by_unit == 1 || !subject_is_set(s, param))));
    }
    for (size_t i = 0; i < s->columns; i++) {
        const double by_unit = factor(input_unit(s, i), by);
        known = known && !isnan(by_unit);
        for (size_t lane = 0; lane < m->count; lane++)
            scaled->row[lane][i] *= by_unit;
    }
    return known;
}

/* Numbers of which one rounds as the other does; of events the sign counts. */
static bool scales(const lanes_output *output, double was, double is, double by_unit)
{
    const double expected = was * by_unit;
    if (output->is_mark || lanes_is_sentinel(was) || !isfinite(was) || !isfinite(is))
        return output->is_mark ? lanes_same(was, is) : true;
    if (!output->unit)
        return (was > 0) == (is > 0) || fabs(was) < 1e-9 || fabs(is) < 1e-9;
    return fabs(is - expected) <= 1e-6 * fmax(fabs(is), fabs(expected)) || fabs(expected) < 1e-200;
}

static bool keeps_units(subject *s, const motion *m, scale by, lanes *a, finding *found)
{
    motion scaled;
    lanes  b = {0};
    bool   fails = false;
    if (rescale(s, m, by, &scaled) && subject_set_values(s, scaled.params, NULL) && lanes_open(&b, s)) {
        lanes_show(&b, &scaled, 0);
        b.time = factor("s", by);
        lanes_call(&b, s->type, PCM_UPDATE, 0, m->count);
        for (size_t i = 0; i < b.n_outputs && !fails; i++)
            for (size_t lane = 0; lane < m->count && !fails; lane++) {
                const lanes_output *output = &a->outputs[i];
                const double        by_unit = output->unit ? factor(output->unit, by) : 1;
                const double        was = output->values[lane], is = b.outputs[i].values[lane];
                fails = !isnan(by_unit) && !scales(output, was, is, by_unit) &&
                        finding_say(found, 1,
                                    "Look for an exponent that is not that of its unit, for terms of different units "
                                    "in one sum, and for numbers in the code that have one: they are parameters.",
                                    "in units of 2^%d kg, 2^%d m and 2^%d s %s is %s of the new units where it should "
                                    "be %s (lane %zu)",
                                    -by.mass, -by.length, -by.time, output->name, pcm_number(is, 6).text,
                                    pcm_number(was * by_unit, 6).text, lane);
            }
    }
    lanes_close(&b);
    return fails;
}

static bool units_fail(subject *s, const motion *m, finding *found)
{
    static const scale scaled[] = {{12, 0, 0, 0, 0}, {0, 12, 0, 0, 0}, {0, 0, 12, 0, 0}, {-12, 12, -12, 0, 0}};
    static const scale nature[] = {{.current = 24}, {.current = -24}, {.temperature = 24}, {.temperature = -24}};
    lanes              a;
    bool               fails = false;
    if (!lanes_open(&a, s))
        return false;
    lanes_show(&a, m, 0);
    lanes_call(&a, s->type, PCM_UPDATE, 0, m->count);
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled && !fails; i++)
        fails = subject_set_values(s, m->params, NULL) && keeps_units(s, m, scaled[i], &a, found);
    /* A constant of nature, as that of the electric field, has units of charge or temperature as well. */
    for (size_t i = 0; i < sizeof nature / sizeof *nature && fails; i++) {
        finding other;
        fails = subject_set_values(s, m->params, NULL) && !keeps_units(s, m, nature[i], &a, &other);
    }
    (void)subject_set_values(s, m->params, NULL);
    lanes_close(&a);
    return fails;
}

static const char *has_no_values(const subject *s)
{
    return s->law ? NULL : "its values stay as the file has them; of each law: pcm verify LAW";
}

const check check_units = {.name = "units",
                           .doc = "the answer does not depend on the size of metre, kilogram and second",
                           .weight = 20,
                           .absent = has_no_values,
                           .roll = motion_roll_lanes,
                           .fails = units_fail};
