/* SPDX-License-Identifier: MIT */
/* check_heat.c - what a law turns into heat, and what it lets flow into the objects. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "history.h"
#include "probe.h"

/* A path with equal amounts on both sides: nothing then flows from one to the other. */
static void roll_even(subject *s, dice *d, motion *m)
{
    const size_t n_amounts = s->model->amounts.count, first = s->n_inputs - 2 * n_amounts;
    motion_roll_path(s, d, m);
    for (size_t i = 0; i < m->count; i++)
        memcpy(&m->row[i][first + n_amounts], &m->row[i][first], n_amounts * sizeof(double));
}

typedef struct heat {
    const subject *subject;
    double         work, put_in, lost, flowed, energy; /* J so far; energy: stored */
    double         power;                              /* W, of the step before */
    double         most_lost, fallen;                  /* J, and the most by which it fell from there */
    double         least_flow, most_flow;              /* of any amount, by its own unit */
    double         excess;                             /* J, the most by which heat was more than what was lost */
    size_t         amount;                             /* that had the least flow */
} heat;

static bool is_heat(const pcm_amount *amount) { return amount->flow_unit && strcmp(amount->flow_unit, "W") == 0; }

/* Heat, and volume that is worn off: what only grows where both sides are alike. */
static bool only_grows(const pcm_amount *amount)
{
    return is_heat(amount) || (amount->flow_unit && strcmp(amount->flow_unit, "m^3/s") == 0);
}

static void add_flows(heat *h, double dt)
{
    const subject *s = h->subject;
    const uint32_t count = s->model->amounts.count;
    double         heating = 0;
    for (uint32_t i = 0; i < 2 * count; i++) {
        const pcm_amount *amount = pcm_model_amount(s->model, i % count);
        const double      flow = s->history.flows[i][0];
        heating += is_heat(amount) ? flow : 0;
        h->most_flow = fmax(h->most_flow, fabs(flow));
        if (only_grows(amount) && flow < h->least_flow) {
            h->least_flow = flow;
            h->amount = i;
        }
    }
    h->flowed += dt * heating;
}

static void add(void *user, const motion_step *step, const history_answer *answer)
{
    heat        *h = user;
    const double power = history_power(step, answer), work = 0.5 * step->dt * (power + h->power);
    h->work += work;
    h->put_in += fmax(work, 0);
    h->lost += step->dt * answer->dissipation;
    h->most_lost = fmax(h->most_lost, h->lost);
    h->fallen = fmax(h->fallen, h->most_lost - h->lost);
    add_flows(h, step->dt);
    const double lost = h->subject->model->outputs & PCM_DISSIPATION ? h->lost : h->put_in;
    h->excess = fmax(h->excess, h->flowed - lost);
    h->power = power;
}

/* Whether the law itself makes, tells or reads what is lost: one that only heats follows the friction of another. */
static bool knows_loss(const subject *s)
{
    const pcm_model *law = s->law ? s->law : s->model;
    return law->outputs & (PCM_FRICTION | PCM_MOMENT | PCM_DISSIPATION) || law->inputs & PCM_LOSS;
}

/* A share of the work that counts: sums are as coarse as the steps. */
static const double share = 1e-3;

static bool falls(subject *s, const heat *fine, finding *found)
{
    const double gain = s->model->gain ? s->model->gain(s->info->params) : 0;
    return fine->fallen > (share + gain) * fine->put_in &&
           finding_say(found, 1, "dissipation is the power that is turned into heat: never below 0.",
                       "of what it says to have dissipated %s J come back, of %s J that were put in",
                       pcm_number(fine->fallen, 4).text, pcm_number(fine->put_in, 4).text);
}

/* Without motion nothing is lost: what flows out of one object flows into the other. */
static bool makes_at_rest(subject *s, const motion *m, finding *found)
{
    const size_t n_amounts = s->model->amounts.count, first = s->n_inputs - 2 * n_amounts;
    double       forces[PROBE_FORCES];
    probe        p;
    bool         fails = false;
    if (n_amounts == 0 || !probe_open(&p, s, m, 0))
        return false;
    for (size_t i = 0; i < s->n_motions; i++)
        if (rig_motions[i].input & (PCM_DEPTH_RATE | PCM_SLIP | PCM_SPIN | PCM_VELOCITY | PCM_BODY_SPINS))
            p.at.row[0][i] = 0;
    p.at.row[0][MOTION_AT(depth)] = fabs(m->row[1][MOTION_AT(depth)]);
    for (size_t i = 0; i < n_amounts; i++) /* unlike on both sides */
        p.at.row[0][first + i] = m->row[0][first + i] * 1.25 + 1;
    probe_begin(&p);
    probe_ask(&p, forces);
    for (size_t i = 0; i < n_amounts && !fails; i++) {
        const double base = p.lanes.flows[i][0], follower = p.lanes.flows[n_amounts + i][0];
        fails = fabs(base + follower) > 1e-9 * (fabs(base) + fabs(follower)) &&
                finding_say(found, 4, "Let one side lose what the other gains, but for what friction makes.",
                            "at rest %s %s of %s flow into the base and %s into the follower: their sum is not 0",
                            pcm_number(base, 4).text, pcm_model_amount(s->model, (uint32_t)i)->flow_unit,
                            pcm_model_amount(s->model, (uint32_t)i)->name, pcm_number(follower, 4).text);
        const double hotter = p.at.row[0][first + i] - p.at.row[0][first + n_amounts + i];
        fails = fails || (is_heat(pcm_model_amount(s->model, (uint32_t)i)) && follower * hotter < 0 &&
                          finding_say(found, 5, "Let heat flow from the hotter object to the other.",
                                      "at rest %s W flow into the follower, though the base is by %s K hotter",
                                      pcm_number(follower, 4).text, pcm_number(hotter, 4).text));
    }
    probe_close(&p);
    return fails;
}

static bool heat_fails(subject *s, const motion *m, finding *found)
{
    motion finer = *m;
    heat   h = {.subject = s}, fine = {.subject = s};
    if (makes_at_rest(s, m, found))
        return true;
    history_run(s, m, add, &h);
    if (h.least_flow < -1e-9 * h.most_flow)
        return finding_say(found, 2, "What flows into an object is above 0, into both of them.",
                           "%s flows out of an object, at %s %s, though both have the same of it",
                           pcm_model_amount(s->model, h.amount % s->model->amounts.count)->name,
                           pcm_number(-h.least_flow, 4).text,
                           pcm_model_amount(s->model, h.amount % s->model->amounts.count)->flow_unit);
    if (h.fallen <= share * h.put_in && (!knows_loss(s) || h.excess <= 2e-2 * h.put_in))
        return false;
    finer.steps *= 16;
    history_run(s, &finer, add, &fine);
    if (fine.fallen > 0.3 * h.fallen && falls(s, &fine, found))
        return true;
    return knows_loss(s) && fine.excess > 2e-2 * fine.put_in && fine.excess > 0.3 * h.excess &&
           finding_say(found, 3, "Let the flows of both sides together be what is dissipated, or a share of it.",
                       "%s J of heat flow into the objects, where %s J are lost and %s J were put in",
                       pcm_number(fine.flowed, 4).text, pcm_number(fine.lost, 4).text, pcm_number(fine.put_in, 4).text);
}

static const char *why_no_heat(const subject *s)
{
    const bool heats = s->model->outputs & PCM_DISSIPATION || s->model->amounts.count > 0;
    return heats ? subject_lacks_work(s) : "it tells no dissipation and acts on no amounts";
}

const check check_heat = {.name = "heat",
                          .doc = "nothing cools by friction, and no more heat flows than is lost",
                          .weight = 100,
                          .absent = why_no_heat,
                          .roll = roll_even,
                          .fails = heat_fails,
                          .whole = true};
