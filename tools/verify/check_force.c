/* SPDX-License-Identifier: MIT */
/* check_force.c - what holds for the force of a contact law. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "probe.h"

typedef struct text {
    char at[32];
} text;

/* Three digits are enough to read. */
static text say(double value)
{
    text out;
    (void)snprintf(out.at, sizeof out.at, "%s", pcm_number(value, 4).text);
    return out;
}

/* ---- finite -------------------------------------------------------------------------------------------------------
 */

/* What a motion of that kind is at its ends, denormal numbers included. */
static double extreme(const rig_motion *kind, dice *d)
{
    static const double depths[] = {0, -0.0, 5e-324, 1e-300, 1, -1e-3, PCM_FAR};
    static const double others[] = {0, -0.0, 5e-324, -5e-324, 1e-160, -1e-160, 1e3, -1e3};
    static const double loads[] = {0, 5e-324, 1e-160, 1e6};
    if (kind->input == PCM_DEPTH)
        return depths[dice_below(d, sizeof depths / sizeof *depths)];
    if (kind->input == PCM_AXES)
        return 0;
    if (kind->input & (PCM_DEPTH_RATE | PCM_SLIP | PCM_SPIN | PCM_BODY_SPINS | PCM_POSITION | PCM_VELOCITY))
        return others[dice_below(d, sizeof others / sizeof *others)];
    if (kind->input & PCM_FROM_PARTS)
        return loads[dice_below(d, sizeof loads / sizeof *loads)];
    return dice_decades(d, -3, 3);
}

static void roll_extremes(subject *s, dice *d, motion *m)
{
    static const double steps[] = {0, 1e-12, 1e-3, 10};
    motion_roll_lanes(s, d, m);
    m->dt = steps[dice_below(d, sizeof steps / sizeof *steps)];
    for (size_t lane = 0; lane < m->count; lane++) {
        for (size_t i = 0; i < s->n_motions; i++)
            if (!(rig_motions[i].input & PCM_SHAPED) && dice_below(d, 3) == 0)
                m->row[lane][i] = extreme(&rig_motions[i], d);
        motion_settle(s, m->row[lane]);
    }
}

static bool finite_fails(subject *s, const motion *m, finding *found)
{
    lanes l;
    if (!lanes_open(&l, s))
        return false;
    lanes_show(&l, m, 0);
    lanes_call(&l, s->type, PCM_UPDATE, 0, m->count);
    bool fails = false;
    for (size_t i = 0; i < l.n_outputs && !fails; i++)
        for (size_t lane = 0; lane < m->count && !fails; lane++) {
            const double value = l.outputs[i].values[lane];
            fails = !isfinite(value) && !lanes_is_sentinel(value) &&
                    finding_say(found, 1,
                                "Look for a division by what may be zero, the root of what may be below zero, and "
                                "infinity times zero; pcm_length and the kit's functions are safe.",
                                "%s is %s in a row of the table", l.outputs[i].name, say(value).at);
        }
    lanes_close(&l);
    return fails;
}

const check check_finite = {.name = "finite",
                            .doc = "finite at zero depth, far apart, at rest, without load, for huge and tiny values",
                            .weight = 750,
                            .roll = roll_extremes,
                            .fails = finite_fails};

/* ---- touch-down ----------------------------------------------------------------------------------------------------
 */

static const char *may_jump(const subject *s)
{
    return s->model->flags & PCM_JUMPS ? "it declares PCM_JUMPS" : subject_hides_force(s);
}

/* The force on a contact that begins at that depth. */
static double first_force(probe *p, double depth)
{
    double forces[PROBE_FORCES];
    p->at.row[0][MOTION_AT(depth)] = depth;
    probe_begin(p);
    probe_ask(p, forces);
    return probe_length(forces);
}

/* The largest gap at which this contact begins: of its type, or its own. Infinite where it begins at none. */
static double gap_of_onset(probe *p)
{
    const double of_type = p->subject->info->onset;
    (void)first_force(p, 0);
    const bool has_own = p->subject->model->outputs & PCM_ONSET && !lanes_is_sentinel(p->lanes.batch.onset[0]);
    return has_own ? fmin(of_type, p->lanes.batch.onset[0]) : of_type;
}

/* A force that vanishes with the way from where the contact begins, be it as its tenth root, falls when the way does.
 * After the longer way a damper may still hold it at zero. */
static bool touch_down_fails(subject *s, const motion *m, finding *found)
{
    probe p;
    if (!probe_open(&p, s, m, 0))
        return false;
    p.at.dt = 0;
    if (subject_is_sum(s)) /* a damper of the carrier would make its load grow at once */
        p.at.row[0][MOTION_AT(depth_rate)] = 0;
    const double gap = gap_of_onset(&p), way = gap == 0 ? 1e-12 : 0x1p-30 * fabs(gap);
    const double deep = first_force(&p, fabs(m->row[0][MOTION_AT(depth)])), near = first_force(&p, way - gap);
    const double nearer = first_force(&p, 0x1p-10 * way - gap), nearest = first_force(&p, 0x1p-20 * way - gap);
    const bool   fails =
        isfinite(gap) && nearer > 0.5 * near && nearest > 0.5 * nearer && nearer > 1e-6 * deep && nearer > 0;
    if (fails)
        (void)finding_say(found, 1,
                          "Let damping and friction set in with the depth (multiply them by it, or by a function that "
                          "grows from 0), or declare the jump: .flags = PCM_JUMPS.",
                          "the force jumps from 0 to %s N where the contact begins, at a gap of %s m and a depth rate "
                          "of %s m/s",
                          say(nearer).at, say(gap).at, say(m->row[0][MOTION_AT(depth_rate)]).at);
    probe_close(&p);
    return fails;
}

static void roll_two(subject *s, dice *d, motion *m)
{
    motion_roll_lanes(s, d, m);
    while (m->count < 2)
        motion_roll_lanes(s, d, m);
    m->count = 2;
}

const check check_touch_down = {.name = "touch-down",
                                .doc = "the force begins from zero where a contact begins, unless PCM_JUMPS",
                                .weight = 500,
                                .absent = may_jump,
                                .whole = true,
                                .roll = roll_two,
                                .fails = touch_down_fails};

/* ---- steady ---------------------------------------------------------------------------------------------------------
 */

static const double least_jump = 1e-11; /* N: less is rounding in what cancels */

/* Two motions at one state. Half of the time their slips are opposite, so that rest lies between them. */
static void roll_between(subject *s, dice *d, motion *m)
{
    static const size_t slips[] = {offsetof(pcm_batch, slip_x), offsetof(pcm_batch, slip_y)};
    roll_two(s, d, m);
    motion_close(m);
    m->dt = 0;
    memcpy(m->row[1] + s->n_inputs, m->row[0] + s->n_inputs, s->info->n_state * sizeof(double));
    if (dice_below(d, 2)) {
        memcpy(m->row[1], m->row[0], sizeof m->row[1]);
        for (size_t k = 0; k < 2; k++)
            m->row[1][motion_column(slips[k])] *= -1;
    }
}

/* How far apart two forces are. */
static double apart(const double *a, const double *b)
{
    double between[PROBE_FORCES];
    for (size_t i = 0; i < PROBE_FORCES; i++)
        between[i] = a[i] - b[i];
    return probe_length(between);
}

/* Halves the way from one motion to the other, towards where the force changes most. */
static double find_jump(probe *p, const motion *m, double *from, double *to, double *a, double *b)
{
    enum { HALVINGS = 60 };
    for (int i = 0; i < HALVINGS; i++) {
        double       middle[PROBE_FORCES];
        const double part = 0.5 * (*from + *to);
        motion_between(p->subject, m, part, p->at.row[0]);
        probe_ask(p, middle);
        if (apart(a, middle) > apart(middle, b)) {
            *to = part;
            memcpy(b, middle, sizeof middle);
        } else {
            *from = part;
            memcpy(a, middle, sizeof middle);
        }
    }
    return apart(a, b);
}

/* The force at a part of the way with the motion turned round. Where a damper holds a force at zero one way, a spring
 * of the size of rounding may come and go beside what the damper gives the other way, and the least change of speed
 * that parts of the way can tell may be enough for it. */
static double force_back(probe *p, const motion *m, double part)
{
    static const size_t speeds[] = {offsetof(pcm_batch, depth_rate), offsetof(pcm_batch, slip_x),
                                    offsetof(pcm_batch, slip_y)};
    double              forces[PROBE_FORCES];
    motion_between(p->subject, m, part, p->at.row[0]);
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        p->at.row[0][motion_column(speeds[i])] *= -1;
    probe_ask(p, forces);
    return probe_length(forces);
}

/* What the law makes of its states: their next values, or the rates by which a host steps them. */
static void states_after(const probe *p, double *after)
{
    const pcm_model *model = p->subject->model;
    size_t           column = 0;
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        const bool       steps = state->role == PCM_HISTORY || state->flags & PCM_STEPS;
        for (uint32_t k = 0; k < pcm_columns_of(state->shape); k++, column++)
            after[column] = (steps ? p->lanes.next : p->lanes.rate)[column][0];
    }
}

/* Whether the contact, or a state of it, breaks on the way from one part of it to the other: then its force may jump.
 */
static bool breaks_between(probe *p, const motion *m, double from, double to)
{
    const subject *s = p->subject;
    const double   parts[] = {from, to};
    double         forces[PROBE_FORCES], states[2][SUBJECT_COLUMNS];
    bool           breaks = false;
    p->at.dt = 1e-30; /* a step, so that states may change, in which nothing moves */
    for (size_t i = 0; i < 2; i++) {
        motion_between(s, m, parts[i], p->at.row[0]);
        probe_ask(p, forces);
        states_after(p, states[i]);
        breaks = breaks || (s->model->outputs & PCM_LIFE && p->lanes.batch.life[0] == PCM_BROKEN);
    }
    for (uint32_t i = 0, column = 0; i < s->model->states.count; i++)
        for (uint32_t k = pcm_columns_of(pcm_model_state(s->model, i)->shape); k > 0; k--, column++)
            breaks =
                breaks || fabs(states[1][column] - states[0][column]) > 1e-3 * pcm_model_state(s->model, i)->nominal;
    return breaks;
}

/* Whether the force of a slip so small that parts of the way cannot tell it from rest falls with it: then friction is
 * steep at rest, and does not jump. */
static bool is_steep(probe *p, const motion *m, double from, double to)
{
    static const size_t slips[] = {offsetof(pcm_batch, slip_x), offsetof(pcm_batch, slip_y)};
    const double        tiny = 1e-12, parts[] = {from, to};
    double              size[2] = {0}, smaller[2] = {0};
    bool                is_tiny = true;
    for (size_t i = 0; i < 2; i++) {
        double forces[PROBE_FORCES];
        motion_between(p->subject, m, parts[i], p->at.row[0]);
        probe_ask(p, forces);
        size[i] = hypot(forces[0], forces[1]);
        for (size_t k = 0; k < 2; k++) {
            is_tiny = is_tiny && fabs(p->at.row[0][motion_column(slips[k])]) < tiny;
            p->at.row[0][motion_column(slips[k])] *= 1e-60;
        }
        probe_ask(p, forces);
        smaller[i] = hypot(forces[0], forces[1]);
    }
    return is_tiny && fmax(smaller[0], smaller[1]) < 0.5 * fmax(size[0], size[1]);
}

static bool steady_fails(subject *s, const motion *m, finding *found)
{
    double a[PROBE_FORCES], b[PROBE_FORCES], from = 0, to = 1;
    probe  p;
    if (m->count < 2 || !probe_open(&p, s, m, 0))
        return false;
    probe_ask(&p, a);
    motion_between(s, m, 1, p.at.row[0]);
    probe_ask(&p, b);
    const double ends = probe_length(a) + probe_length(b), jump = find_jump(&p, m, &from, &to, a, b);
    const double back = force_back(&p, m, 0) + force_back(&p, m, to);
    const double whole = fmax(ends, probe_length(a) + probe_length(b)) + back; /* both ends may be without force */
    const bool   fails = jump > 1e-5 * whole && jump > least_jump && to - from < 1e-12 &&
                       !breaks_between(&p, m, from, to) && !is_steep(&p, m, from, to);
    if (fails) {
        size_t most = 0;
        for (size_t i = 1; i < PROBE_FORCES; i++)
            most = fabs(a[i] - b[i]) > fabs(a[most] - b[most]) ? i : most;
        motion_between(s, m, to, p.at.row[0]);
        const double slip = hypot(p.at.row[0][MOTION_AT(slip_x)], p.at.row[0][MOTION_AT(slip_y)]);
        (void)finding_say(
            found, 1,
            "Join the two sides, or let a state carry the change. At rest, friction mu fn v/|v| has no "
            "direction: regularise it, as mu fn tanh(c |v|) v/|v|.",
            "%s jumps from %s to %s at depth %s m, depth rate %s m/s, slip %s m/s, between the two rows of "
            "the table",
            probe_names[most], say(a[most]).at, say(b[most]).at, say(p.at.row[0][MOTION_AT(depth)]).at,
            say(p.at.row[0][MOTION_AT(depth_rate)]).at, say(slip).at);
    }
    probe_close(&p);
    return fails;
}

static const char *is_unsteady(const subject *s)
{
    const bool jumps_on_its_own = s->model->flags & PCM_BASE_AXES && s->model->flags & PCM_JUMPS;
    if (jumps_on_its_own || (subject_is_sum(s) && s->model->flags & PCM_JUMPS))
        return "it declares PCM_JUMPS";
    return subject_lacks_host(s);
}

const check check_steady = {.name = "steady",
                            .doc = "the force changes without a jump with the motion, also from mode to mode",
                            .weight = 200,
                            .absent = is_unsteady,
                            .whole = true,
                            .roll = roll_between,
                            .fails = steady_fails};

/* ---- turn -----------------------------------------------------------------------------------------------------------
 */

/* Turns the two components at x and y by an angle. */
static void turn_pair(double *x, double *y, double angle)
{
    const double old_x = *x, old_y = *y;
    *x = cos(angle) * old_x - sin(angle) * old_y;
    *y = sin(angle) * old_x + cos(angle) * old_y;
}

/* Where the first of two components of what turns with the motion is. */
static const size_t turning[] = {
    offsetof(pcm_batch, slip_x),          offsetof(pcm_batch, spin_x),      offsetof(pcm_batch, base_spin_x),
    offsetof(pcm_batch, follower_spin_x), offsetof(pcm_batch, base_axis_x), offsetof(pcm_batch, follower_axis_x),
    offsetof(pcm_batch, curvature_x),
};

/* Turns the tangent ones among values of the law's states. */
static void turn_states(const subject *s, double *values, double angle)
{
    for (size_t i = 0; i < s->model->states.count; i++) {
        const uint32_t shape = pcm_model_state(s->model, i)->shape;
        if (shape == PCM_TANGENT)
            turn_pair(&values[0], &values[1], angle);
        values += pcm_columns_of(shape);
    }
}

/* All that turns in a row of a motion. */
static void turn_row(const subject *s, double *row, double angle)
{
    double *given = row + s->n_motions;
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++) {
        double *x = row + motion_column(turning[i]);
        turn_pair(x, x + 1, angle);
    }
    for (size_t i = 0; i < s->model->host_inputs.count; i++) {
        const uint32_t shape = pcm_model_host_input(s->model, i)->shape;
        if (shape == PCM_TANGENT)
            turn_pair(&given[0], &given[1], angle);
        given += pcm_columns_of(shape);
    }
    turn_states(s, row + s->n_inputs, angle);
}

/* To how much of its size an answer turns: rounding; with states, of what terms that cancel have left. */
static double alike(const subject *s) { return s->info->n_state > 0 ? 1e-6 : 1e-9; }

/* The name of a state that is not as it was before the turn, once that is turned likewise; NULL: none. */
static const char *turned_state(const probe *p, double *was, double angle)
{
    const subject *s = p->subject;
    double         is[SUBJECT_COLUMNS];
    size_t         column = 0;
    states_after(p, is);
    turn_states(s, was, angle);
    for (size_t i = 0; i < s->model->states.count; i++) {
        const pcm_state *state = pcm_model_state(s->model, i);
        double           change = 0, size = 0;
        for (uint32_t k = 0; k < pcm_columns_of(state->shape); k++, column++) {
            change = is[column] == was[column] ? change : fmax(change, fabs(is[column] - was[column]));
            size += fabs(is[column]) + fabs(was[column]);
        }
        if (!(change <= alike(s) * (size + 1e-3 * state->nominal)))
            return state->name;
    }
    return NULL;
}

/* The largest change of a flow, of its size, since these. */
static double flows_change(const probe *p, const double *was)
{
    double change = 0;
    for (size_t i = 0; i < 2 * p->subject->model->amounts.count; i++) {
        const double is = p->lanes.flows[i][0];
        change = is == was[i] ? change : fmax(change, fabs(is - was[i]) / (fabs(is) + fabs(was[i])));
    }
    return change;
}

static bool turn_fails(subject *s, const motion *m, finding *found)
{
    const double angle = 1;
    double       was[PROBE_FORCES], is[PROBE_FORCES], flows[SUBJECT_COLUMNS], states[SUBJECT_COLUMNS];
    probe        p;
    if (!probe_open(&p, s, m, 0))
        return false;
    probe_ask(&p, was);
    states_after(&p, states);
    for (size_t i = 0; i < 2 * s->model->amounts.count; i++)
        flows[i] = p.lanes.flows[i][0];
    turn_row(s, p.at.row[0], angle);
    probe_ask(&p, is);
    turn_pair(&was[0], &was[1], angle);
    turn_pair(&was[3], &was[4], angle);
    const double least =
        s->model->inputs & PCM_LOAD ? 1e-3 * alike(s) * fabs(p.at.row[0][MOTION_AT(load_n)]) : 0; /* N */
    const bool  turns_force = apart(was, is) > alike(s) * (probe_length(was) + probe_length(is)) + least;
    const bool  turns_flow = flows_change(&p, flows) > alike(s);
    const char *state = turned_state(&p, states, angle);
    if (turns_flow)
        (void)finding_say(found, 2, "Compute flows with the length of the slip, not with its components.",
                          "with the slip turned by 1 rad a flow changes, though the law declares PCM_ISOTROPIC");
    if (state)
        (void)finding_say(found, 2,
                          "A law that prefers a direction does not declare PCM_ISOTROPIC; one that does not computes "
                          "with the lengths of slip and states, not with their components.",
                          "with slip and states turned by 1 rad its state '%s' is not the old one turned, though the "
                          "law declares PCM_ISOTROPIC",
                          state);
    if (turns_force)
        (void)finding_say(
            found, 1,
            "A law that prefers a direction does not declare PCM_ISOTROPIC; one that does not computes "
            "with the length of the slip, not with its components.",
            "with the slip turned by 1 rad the force is (%s, %s, %s) N and not (%s, %s, %s) N, the old one "
            "turned, though the law declares PCM_ISOTROPIC",
            say(is[0]).at, say(is[1]).at, say(is[2]).at, say(was[0]).at, say(was[1]).at, say(was[2]).at);
    probe_close(&p);
    return turns_force || turns_flow || state;
}

static const char *has_directions(const subject *s)
{
    if (s->model->flags & PCM_BASE_AXES || s->model->inputs & (PCM_POSITION | PCM_VELOCITY))
        return "it computes in the base's axes";
    return s->model->flags & PCM_ISOTROPIC ? NULL : "it does not declare PCM_ISOTROPIC";
}

const check check_turn = {.name = "turn",
                          .doc = "the answer of an isotropic law turns with the motion",
                          .weight = 500,
                          .absent = has_directions,
                          .roll = motion_roll_lanes,
                          .fails = turn_fails};

/* ---- swap -----------------------------------------------------------------------------------------------------------
 */

/* What is A's becomes B's, in a frame whose y and n are reversed. */
static void exchange(double *base, double *follower, bool is_vector)
{
    for (size_t i = 0; i < (is_vector ? 3 : 1); i++) {
        const double kept = base[i], sign = i == 0 ? 1 : -1;
        base[i] = sign * follower[i];
        follower[i] = sign * kept;
    }
}

/* The motion as the other body sees it. */
static void mirror(const subject *s, double *row)
{
    const size_t n_amounts = s->model->amounts.count;
    double      *amounts = row + s->n_inputs - 2 * n_amounts;
    row[MOTION_AT(slip_x)] *= -1;
    row[MOTION_AT(spin_x)] *= -1;
    exchange(row + MOTION_AT(base_spin_x), row + MOTION_AT(follower_spin_x), true);
    exchange(row + MOTION_AT(base_axis_x), row + MOTION_AT(follower_axis_x), true);
    for (size_t i = 0; i < n_amounts; i++)
        exchange(amounts + i, amounts + n_amounts + i, false);
}

/* The force of one step at the states in the row, and the states after it. */
static void step_once(probe *p, double *forces, double *next)
{
    probe_ask(p, forces);
    for (size_t i = 0; i < p->subject->info->n_state; i++)
        next[i] = p->lanes.next[i][0];
}

static bool is_mirrored(const double *a, const double *b)
{
    static const double factor[PROBE_FORCES] = {-1, 1, 1, -1, 1, 1};
    double              turned[PROBE_FORCES];
    for (size_t i = 0; i < PROBE_FORCES; i++)
        turned[i] = factor[i] * b[i];
    return apart(a, turned) <= 1e-9 * (probe_length(a) + probe_length(b));
}

/* A new contact and the same as the other body sees it, some steps on. As long as the forces agree, so must the states,
 * by the declared factors: a law that prefers a direction is not held to it. */
static bool swap_fails(subject *s, const motion *m, finding *found)
{
    double a[PROBE_FORCES], b[PROBE_FORCES], next[SUBJECT_COLUMNS], other[SUBJECT_COLUMNS];
    probe  one, two;
    bool   fails = false;
    if (!probe_open(&one, s, m, 0) || !probe_open(&two, s, m, 0))
        return false;
    mirror(s, two.at.row[0]);
    probe_begin(&one);
    probe_begin(&two);
    for (size_t i = 0; i < m->count && !fails; i++) {
        memcpy(one.at.row[0], m->row[i], s->n_inputs * sizeof(double));
        memcpy(two.at.row[0], m->row[i], s->n_inputs * sizeof(double));
        mirror(s, two.at.row[0]);
        step_once(&one, a, next);
        step_once(&two, b, other);
        if (!is_mirrored(a, b))
            break;
        memcpy(probe_states(&one), next, s->info->n_state * sizeof(double));
        memcpy(probe_states(&two), other, s->info->n_state * sizeof(double));
        pcm_type_swap(s->type, other);
        for (size_t k = 0; k < s->info->n_state && !fails; k++)
            fails =
                fabs(next[k] - other[k]) > 1e-9 * (fabs(next[k]) + fabs(other[k])) &&
                finding_say(found, 1,
                            "Change .swap of that state: -1 for a tangent vector that is relative, +1 for what both "
                            "bodies see alike (plugin.h has the other cases).",
                            "%s is %s seen from one body and, by its .swap, %s seen from the other, at equal forces",
                            lanes_input_name(s, s->n_inputs + k), say(next[k]).at, say(other[k]).at);
    }
    probe_close(&one);
    probe_close(&two);
    return fails;
}

/* Not where the axis of one body counts, which is the other's seen from there. */
static const char *may_not_swap(const subject *s)
{
    if (s->info->n_state == 0)
        return "it has no states";
    return s->model->inputs & (PCM_POSITION | PCM_VELOCITY | PCM_AXES) ? "it reads the place or the axes of one body"
                                                                       : subject_hides_force(s);
}

const check check_swap = {.name = "swap",
                          .doc = "states trade places with the two bodies as their .swap says",
                          .weight = 300,
                          .absent = may_not_swap,
                          .whole = true,
                          .roll = motion_roll_lanes,
                          .fails = swap_fails};
