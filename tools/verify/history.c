/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <math.h>

void history_begin(subject *s)
{
    s->history.live = s->history.broken = s->history.started = false;
    s->history.inputs[MOTION_AT(depth)].has_cell = true;
}

history_answer history_step(subject *s, const motion_step *step)
{
    rig_law         *law = &s->history;
    const pcm_batch *b = &law->batch;
    for (size_t i = 0; i < s->n_inputs; i++)
        law->inputs[i].values[0] = step->row[i];
    rig_law_step(law, step->time);
    const bool live = b->life[0] != RIG_NO_CONTACT;
    return (history_answer){
        .live = live,
        .ended = live && !law->live,
        .force = {b->force_x[0], b->force_y[0], b->force_n[0]},
        .moment = {b->moment_x[0], b->moment_y[0], b->moment_n[0]},
        .energy = law->live ? b->energy[0] : 0, /* what ended has nothing that comes back */
        .dissipation = live ? b->dissipation[0] : 0,
    };
}

void history_run(subject *s, const motion *m, history_visit *visit, void *user)
{
    history_begin(s);
    for (size_t i = 0; i < motion_step_count(m); i++) {
        const motion_step    step = motion_step_at(s, m, i);
        const history_answer answer = history_step(s, &step);
        visit(user, &step, &answer);
    }
}

double history_power(const motion_step *step, const history_answer *answer)
{
    static const size_t ways[] = {offsetof(pcm_batch, slip_x), offsetof(pcm_batch, slip_y)};
    static const size_t spins[] = {offsetof(pcm_batch, spin_x), offsetof(pcm_batch, spin_y),
                                   offsetof(pcm_batch, spin_n)};
    double              power = answer->force[2] * step->row[MOTION_AT(depth_rate)];
    for (size_t k = 0; k < 2; k++)
        power -= answer->force[k] * step->row[motion_column(ways[k])];
    for (size_t k = 0; k < 3; k++)
        power -= answer->moment[k] * step->row[motion_column(spins[k])];
    return power;
}

typedef struct adder {
    history_sums sums;
    double       depth, push, power, energy; /* of the step before; push: the normal force */
    double       lost;                       /* J, the most so far */
    double       force[3], most, change;     /* N: of the step before; the most so far */
    bool         live;                       /* before the step */
} adder;

/* The work of a step: by the trapezoid, or, where a pull begins or ends with the touch, over the part of the step that
 * it lasts: it would else give and take what one step happens to cut off. */
static double work_of(const adder *a, double dt, double depth, double push, double power)
{
    const bool   pulls = power == 0 ? a->push < 0 : a->power == 0 && push < 0;
    const double touching = power == 0 ? a->depth : depth;
    if (pulls && (depth < 0) != (a->depth < 0))
        return dt * (power + a->power) * touching / fabs(depth - a->depth);
    return 0.5 * dt * (power + a->power);
}

static void add_change(adder *a, const motion_step *step, const history_answer *answer)
{
    double change = 0, size = 0;
    for (size_t k = 0; k < 3; k++) {
        change = hypot(change, answer->force[k] - a->force[k]);
        size = hypot(size, answer->force[k]);
        a->force[k] = answer->force[k];
    }
    a->most = fmax(a->most, size);
    const bool goes_on = a->live && !answer->ended && step->dt > 0;
    a->change = goes_on ? fmax(a->change, change) : a->change;
    a->sums.going += goes_on;
    a->live = answer->live && !answer->ended;
    a->sums.change = a->most > 0 ? a->change / a->most : 0;
}

static void add(void *user, const motion_step *step, const history_answer *answer)
{
    adder       *a = user;
    const double depth = step->row[MOTION_AT(depth)], power = history_power(step, answer);
    const double push = answer->force[2], work = work_of(a, step->dt, depth, push, power);
    add_change(a, step, answer);
    a->sums.work += work;
    a->sums.put_in += fmax(work, 0);
    a->sums.dissipated += step->dt * answer->dissipation;
    if (step->dt == 0 && !answer->ended) /* what a jump of the motion loses has no time to be told */
        a->sums.dissipated += fmax(a->energy - answer->energy, 0);
    if (answer->ended) /* what it had and does not tell is lost with it */
        a->sums.dissipated += fmax(a->energy + work - step->dt * answer->dissipation, 0);
    a->sums.stored = answer->energy;
    a->sums.missing = fmax(a->sums.missing, fabs(a->sums.work - a->sums.stored - a->sums.dissipated));
    a->lost = fmax(a->lost, a->sums.work - a->sums.stored);
    a->sums.regained = fmax(a->sums.regained, a->lost - (a->sums.work - a->sums.stored));
    a->depth = depth;
    a->push = push;
    a->power = power;
    a->energy = answer->energy;
}

history_sums history_sum(subject *s, const motion *m)
{
    adder a = {0};
    history_run(s, m, add, &a);
    return a.sums;
}
