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

static void add(void *user, const motion_step *step, const history_answer *answer)
{
    adder       *a = user;
    const double depth = step->row[MOTION_AT(depth)], power = history_power(step, answer);
    const double push = answer->force[2], work = work_of(a, step->dt, depth, push, power);
    a->sums.work += work;
    a->sums.put_in += fmax(work, 0);
    a->sums.dissipated += step->dt * answer->dissipation;
    if (answer->ended)
        a->sums.dissipated += a->energy;
    a->sums.stored = answer->energy;
    a->sums.missing = fmax(a->sums.missing, fabs(a->sums.work - a->sums.stored - a->sums.dissipated));
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
