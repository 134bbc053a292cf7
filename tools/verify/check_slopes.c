/* SPDX-License-Identifier: MIT */
/* check_slopes.c - derivatives and rates, against differences of what the law answers. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "probe.h"

/* ---- slopes ---------------------------------------------------------------------------------------------------------
 */

/* Where in a row a cause of a partial is; behind s->columns, the parameters. */
static size_t place_of(const subject *s, uint32_t wrt)
{
    static const size_t motions[] = {
        [PCM_WRT_DEPTH] = offsetof(pcm_batch, depth),
        [PCM_WRT_DEPTH_RATE] = offsetof(pcm_batch, depth_rate),
        [PCM_WRT_SLIP_X] = offsetof(pcm_batch, slip_x),
        [PCM_WRT_SLIP_Y] = offsetof(pcm_batch, slip_y),
        [PCM_WRT_SPIN_X] = offsetof(pcm_batch, spin_x),
        [PCM_WRT_SPIN_Y] = offsetof(pcm_batch, spin_y),
        [PCM_WRT_SPIN_N] = offsetof(pcm_batch, spin_n),
        [PCM_WRT_X] = offsetof(pcm_batch, x),
        [PCM_WRT_Y] = offsetof(pcm_batch, y),
        [PCM_WRT_Z] = offsetof(pcm_batch, z),
        [PCM_WRT_VELOCITY_X] = offsetof(pcm_batch, velocity_x),
        [PCM_WRT_VELOCITY_Y] = offsetof(pcm_batch, velocity_y),
        [PCM_WRT_VELOCITY_Z] = offsetof(pcm_batch, velocity_z),
    };
    if (wrt < sizeof motions / sizeof *motions)
        return motion_column(motions[wrt]);
    return wrt < PCM_WRT_PARAM ? s->n_inputs + (wrt - PCM_WRT_STATE) : s->columns + (wrt - PCM_WRT_PARAM);
}

/* The column that a result of a partial is in. */
static const double *result_of(const probe *p, uint32_t output)
{
    const pcm_batch    *b = &p->lanes.batch;
    const double *const columns[] = {b->force_n, b->force_x, b->force_y, b->moment_n, b->moment_x, b->moment_y};
    return output >= PCM_OUTPUT_RATE ? p->lanes.rate[output - PCM_OUTPUT_RATE] : columns[output];
}

static double *value_at(probe *p, size_t place)
{
    const size_t columns = p->subject->columns;
    return place < columns ? &p->at.row[0][place] : &p->at.params[place - columns];
}

/* NaN where the law refuses the parameter's value. */
static double ask_one(probe *p, size_t place, double value, uint32_t output)
{
    double forces[PROBE_FORCES];
    *value_at(p, place) = value;
    if (place >= p->subject->columns && !subject_set_values(p->subject, p->at.params, NULL))
        return NAN;
    probe_ask(p, forces);
    return *result_of(p, output);
}

static const char *name_of(const subject *s, size_t place)
{
    return place < s->columns ? lanes_input_name(s, place)
                              : pcm_model_param(s->model, (uint32_t)(place - s->columns))->name;
}

/* Whether differences by it can be taken: a parameter must be a number that is varied. */
static bool is_varied(const subject *s, size_t place)
{
    if (place < s->columns)
        return true;
    const pcm_param *param = pcm_model_param(s->model, (uint32_t)(place - s->columns));
    return place - s->columns < subject_param_count(s) && param->kind == PCM_KIND_REAL && !subject_is_set(s, param);
}

/* The slope by differences to both sides, and what rounding may do to it; false at a kink. */
static bool slope_between(probe *p, size_t place, double at, double size, uint32_t output, double *slope, double *noise)
{
    const double step = 1e-4 * fmax(fabs(at), 1e-2 * size);
    const double middle = ask_one(p, place, at, output);
    const double up = ask_one(p, place, at + step, output), down = ask_one(p, place, at - step, output);
    const double right = (up - middle) / step, left = (middle - down) / step;
    (void)ask_one(p, place, at, output);
    *slope = (up - down) / (2 * step);
    *noise = 1e-14 * fabs(middle) / step;
    return fabs(right - left) <= 1e-3 * (fabs(right) + fabs(left)) + *noise;
}

/* A usual size of what the column holds, for steps from zero. */
static double size_of(const motion *m, size_t place)
{
    double size = 0;
    for (size_t lane = 0; lane < m->count; lane++)
        size = fmax(size, fabs(m->row[lane][place]));
    return size > 0 ? size : 1e-3;
}

static bool slopes_fail(subject *s, const motion *m, finding *found)
{
    probe p;
    bool  fails = false;
    if (!probe_open(&p, s, m, 0))
        return false;
    for (size_t i = 0; i < s->model->partials.count && !fails; i++) {
        const pcm_partial *partial = pcm_model_partial(s->model, i);
        const size_t       place = place_of(s, partial->wrt);
        double             slope, noise, forces[PROBE_FORCES];
        if (!is_varied(s, place))
            continue;
        const double at = *value_at(&p, place), size = place < s->columns ? size_of(m, place) : fabs(at) + 1e-9;
        const bool   is_smooth_there = slope_between(&p, place, at, size, partial->output, &slope, &noise);
        *value_at(&p, place) = at;
        if (!subject_set_values(s, m->params, NULL) || !is_smooth_there)
            continue;
        probe_ask(&p, forces);
        const double told = p.lanes.jacobian[i][0];
        fails = fabs(told - slope) > 1e-3 * fabs(slope) + 1e-9 * fabs(told) + noise &&
                finding_say(found, 1 + (int)i, "Differentiate again, also what goes through next and dt.",
                            "entry %zu of .partials, by %s, is %s where differences give %s", i, name_of(s, place),
                            pcm_number(told, 6).text, pcm_number(slope, 6).text);
    }
    probe_close(&p);
    return fails;
}

static const char *has_no_partials(const subject *s)
{
    return s->model->partials.count > 0 ? NULL : "it has no .partials";
}

const check check_slopes = {.name = "slopes",
                            .doc = "the Jacobian agrees with differences",
                            .weight = 300,
                            .absent = has_no_partials,
                            .roll = motion_roll_lanes,
                            .fails = slopes_fail};

/* ---- rates ----------------------------------------------------------------------------------------------------------
 */

/* Whether hosts never step the state in that column. */
static bool is_history(const pcm_model *model, size_t column)
{
    size_t at = 0, i = 0;
    while (at + pcm_columns_of(pcm_model_state(model, i)->shape) <= column)
        at += pcm_columns_of(pcm_model_state(model, i++)->shape);
    return pcm_model_state(model, i)->role == PCM_HISTORY;
}

/* How far a state moves in a step of dt from what its rate says, per second: in the last of three, since the first may
 * have to come up with a jump of the motion, and the next with a load that the first made. What follows the depth
 * follows its rate, and histories go on, unless they are held still. */
static double rate_error(probe *p, size_t k, double dt, bool still, double *rate, double *moved)
{
    const uint32_t both = PCM_DEPTH | PCM_DEPTH_RATE;
    const size_t   n_state = p->subject->info->n_state;
    double         forces[PROBE_FORCES];
    const motion   old = p->at;
    p->at.dt = dt;
    for (int step = 0; step < 2; step++) {
        probe_ask(p, forces);
        for (size_t j = 0; j < n_state; j++)
            if (!still || !is_history(p->subject->model, j))
                probe_states(p)[j] = p->lanes.next[j][0];
    }
    const double settled = probe_states(p)[k];
    if (!still && (p->subject->model->inputs & both) == both)
        *value_at(p, place_of(p->subject, PCM_WRT_DEPTH)) +=
            dt * *value_at(p, place_of(p->subject, PCM_WRT_DEPTH_RATE));
    probe_ask(p, forces);
    p->at = old;
    *rate = p->lanes.rate[k][0];
    *moved = (p->lanes.next[k][0] - settled) / dt;
    return fabs(*moved - *rate);
}

/* The error as a share of what moves. */
static double share_of(double error, double rate, double moved)
{
    return error / pcm_max(pcm_max(fabs(rate), fabs(moved)), DBL_MIN);
}

/* Stiff states have come to rest after a long step, or are far from it after a short one: only a wrong rate is wrong
 * however short the step. */
static bool is_wrong(probe *p, const pcm_state *state, size_t k, bool still, finding *found)
{
    double       rate, moved;
    const double longest = rate_error(p, k, 1e-6, still, &rate, &moved);
    const double shortest = rate_error(p, k, 1e-12, still, &rate, &moved);
    const double least = share_of(shortest, rate, moved), error = rate_error(p, k, 1e-8, still, &rate, &moved);
    const double noise = 1e-9 * (state->nominal + fabs(probe_states(p)[k])) / 1e-8;
    return error > 1e-3 * fabs(rate) + noise && error > 0.3 * longest && shortest > 0.3 * error &&
           least > 0.3 * share_of(error, rate, moved) &&
           finding_say(found, 1, "rate is the time derivative at the state after the step; next follows from it.",
                       "the rate of %s is %s per second, but a step of 1e-8 s moves it by %s per second", state->name,
                       pcm_number(rate, 4).text, pcm_number(moved, 4).text);
}

/* Whether the normal force grows with the step: then what it bends has no rate that a step shows. */
static bool load_steps(probe *p)
{
    const double old = p->at.dt;
    double       forces[2][PROBE_FORCES];
    for (size_t i = 0; i < 2; i++) {
        p->at.dt = i == 0 ? 1e-8 : 1e-12;
        probe_ask(p, forces[i]);
    }
    p->at.dt = old;
    return fabs(forces[0][2] - forces[1][2]) > 1e-2 * fabs(forces[0][2]);
}

/* A bristle at its longest slides back in a step as the load falls, and not in its rate; at a depth that stays, and a
 * load that does not grow with a history, the two agree. */
static bool rate_is_wrong(probe *p, const pcm_state *state, size_t k, finding *found)
{
    return !(subject_is_sum(p->subject) && load_steps(p)) && is_wrong(p, state, k, true, found) &&
           is_wrong(p, state, k, false, found);
}

/* How far a second short step at the same motion moves a history state: the first may have to come up with a jump of
 * the motion, as plastic ones do. Stiff ones have come to rest after a long one. */
static double second_step(probe *p, size_t k, double dt)
{
    const size_t n_state = p->subject->info->n_state;
    double       forces[PROBE_FORCES], old[SUBJECT_COLUMNS];
    memcpy(old, probe_states(p), n_state * sizeof *old);
    p->at.dt = dt;
    for (int i = 0; i < 2; i++) {
        probe_ask(p, forces);
        for (size_t j = 0; i == 0 && j < n_state; j++)
            probe_states(p)[j] = p->lanes.next[j][0];
    }
    const double moved = fabs(p->lanes.next[k][0] - probe_states(p)[k]);
    memcpy(probe_states(p), old, n_state * sizeof *old);
    return moved;
}

static bool counts_steps(probe *p, const pcm_state *state, size_t k, finding *found)
{
    const double moved = second_step(p, k, 1e-9), less = second_step(p, k, 1e-12), least = second_step(p, k, 1e-15);
    return less > 0.5 * moved && least > 0.5 * less && less > 1e-9 * state->nominal &&
           finding_say(found, 2, "Advance states by the rate times b->dt, and never by a fixed amount per call.",
                       "a step of 1e-12 s moves %s by %s, one of 1e-9 s by %s: it counts steps, and not time",
                       state->name, pcm_number(less, 4).text, pcm_number(moved, 4).text);
}

static bool rates_fail(subject *s, const motion *m, finding *found)
{
    probe p;
    bool  fails = false;
    if (!probe_open(&p, s, m, 0))
        return false;
    for (size_t i = 0, k = 0; i < s->model->states.count; i++) {
        const pcm_state *state = pcm_model_state(s->model, i);
        for (size_t end = k + pcm_columns_of(state->shape); k < end; k++)
            fails = fails || (state->role == PCM_HISTORY ? counts_steps(&p, state, k, found)
                              : state->flags & PCM_STEPS ? rate_is_wrong(&p, state, k, found)
                                                         : false);
    }
    probe_close(&p);
    return fails;
}

static const char *has_no_steps(const subject *s)
{
    for (size_t i = 0; i < s->model->states.count; i++)
        if (pcm_model_state(s->model, i)->role == PCM_HISTORY || pcm_model_state(s->model, i)->flags & PCM_STEPS)
            return NULL;
    return s->info->n_state == 0 ? "it has no states" : "hosts step its states, by their rates";
}

const check check_rates = {.name = "rates",
                           .doc = "states move with the time, and as their rate says",
                           .weight = 300,
                           .absent = has_no_steps,
                           .roll = motion_roll_lanes,
                           .fails = rates_fail};
