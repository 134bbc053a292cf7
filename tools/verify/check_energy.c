/* SPDX-License-Identifier: MIT */
/* check_energy.c - what paths of motion take from a contact law, and what it says of its energy. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "history.h"

/* Sums of a path at ever smaller steps; what they tend to counts, not the error of the sum. */
enum { FINENESSES = 4 };

typedef struct limits {
    history_sums at[FINENESSES];
} limits;

static limits refine(subject *s, const motion *m)
{
    limits sums;
    motion finer = *m;
    for (size_t i = 0; i < FINENESSES; i++, finer.steps *= 4)
        sums.at[i] = history_sum(s, &finer);
    return sums;
}

/* Whether a size that depends on the step stays above a limit as the step goes to zero. Where a force jumps at the
 * touch the sums scatter by what one step takes, and two of them may agree by chance. */
static bool stays_above(const double *sizes, double limit)
{
    const double last = sizes[FINENESSES - 1], before = sizes[FINENESSES - 2], first = sizes[FINENESSES - 3];
    const double change = fabs(last - before), earlier = fabs(before - first);
    return last - 3 * change > limit && fmin(before, first) > limit && change <= 0.8 * earlier + 1e-9 * fabs(last);
}

static bool is_closed(const motion *m, const subject *s)
{
    static const size_t places[] = {offsetof(pcm_batch, depth),  offsetof(pcm_batch, slip_x),
                                    offsetof(pcm_batch, slip_y), offsetof(pcm_batch, spin_x),
                                    offsetof(pcm_batch, spin_y), offsetof(pcm_batch, spin_n)};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (m->row[0][motion_column(places[i])] != m->row[m->count - 1][motion_column(places[i])])
            return false;
    return m->count > 2 && m->row[0][MOTION_AT(depth)] < -s->info->common->separation;
}

/* Half of them slowly: beside dampers springs show. */
static void roll_path(subject *s, dice *d, motion *m)
{
    motion_roll_path(s, d, m);
    m->dt *= dice_below(d, 2) ? dice_decades(d, 0, 4) : 1;
}

/* A rectangle of depth and way, slowly, either way round: it shows a force without a potential that a random path hides
 * behind its friction. Half of the time any path. */
static void roll_loop(subject *s, dice *d, motion *m)
{
    static const int deeper[] = {0, 0, 1, 1}, further[] = {0, 1, 1, 0};
    enum { CORNERS = sizeof deeper / sizeof *deeper };
    motion_roll_path(s, d, m);
    if (dice_below(d, 2))
        return;
    const size_t depth = MOTION_AT(depth), way = MOTION_AT(slip_x);
    const double deep = dice_decades(d, -5, -2), shallow = deep * dice_unit(d), far = deep * dice_decades(d, -2, 1);
    const bool   turned = dice_below(d, 2);
    double       apart[SUBJECT_COLUMNS];
    memcpy(apart, m->row[0], sizeof apart);
    m->count = CORNERS + 3;
    m->dt = dice_decades(d, -1, 2);
    for (size_t i = 0; i < m->count; i++) {
        const size_t corner = (i - 1) % CORNERS;
        memcpy(m->row[i], apart, sizeof apart);
        if (i == 0 || i + 1 == m->count)
            continue;
        m->row[i][depth] = (turned ? further : deeper)[corner] ? deep : shallow;
        m->row[i][way] = (turned ? deeper : further)[corner] ? far : 0;
    }
}

/* ---- energy ---------------------------------------------------------------------------------------------------------
 */

/* The share of the work that may come back, as declared. */
static double declared_gain(const subject *s) { return s->model->gain ? s->model->gain(s->info->params) : 0; }

static bool energy_fails(subject *s, const motion *m, finding *found)
{
    if (!is_closed(m, s))
        return false;
    const history_sums rough = history_sum(s, m);
    const double       share = declared_gain(s);
    if (-rough.work <= share * rough.put_in)
        return false;
    const limits        sums = refine(s, m);
    const history_sums *last = &sums.at[FINENESSES - 1];
    double              gains[FINENESSES];
    for (size_t i = 0; i < FINENESSES; i++)
        gains[i] = -sums.at[i].work;
    return stays_above(gains, (share + 1e-4) * last->put_in) &&
           finding_say(
               found, 1,
               "Something gives back more than it took: a spring whose stiffness changes while it is stretched, "
               "damping or friction of the wrong sign, a force that depends on the place but not as a "
               "potential. If it is meant, declare .flags = PCM_ACTIVE, or .gain for a known artefact.",
               "a closed path returns %s J more than the %s J that were put in (a share of %s%s%s)",
               pcm_number(gains[FINENESSES - 1], 4).text, pcm_number(last->put_in, 4).text,
               pcm_number(gains[FINENESSES - 1] / last->put_in, 3).text, share > 0 ? "; declared: " : "",
               share > 0 ? pcm_number(share, 3).text : "");
}

static bool is_passive(const subject *s) { return !(s->model->flags & PCM_ACTIVE) && !subject_is_driven(s); }

const check check_energy = {.name = "energy",
                            .doc = "no closed path returns more energy than it took, unless PCM_ACTIVE",
                            .weight = 400,
                            .applies = is_passive,
                            .roll = roll_loop,
                            .fails = energy_fails};

/* ---- ledger ---------------------------------------------------------------------------------------------------------
 */

static bool ledger_fails(subject *s, const motion *m, finding *found)
{
    const limits sums = refine(s, m);
    double       missing[FINENESSES];
    for (size_t i = 0; i < FINENESSES; i++)
        missing[i] = sums.at[i].missing;
    const history_sums *last = &sums.at[FINENESSES - 1];
    return stays_above(missing, (declared_gain(s) + 1e-2) * last->put_in) &&
           finding_say(
               found, 1, "energy is what is stored now, J; dissipation the power that is turned into heat, W.",
               "of the %s J that were put in, up to %s J are neither stored nor dissipated, as the law reports it, "
               "nor given back",
               pcm_number(last->put_in, 4).text, pcm_number(last->missing, 4).text);
}

static bool keeps_ledger(const subject *s)
{
    const uint32_t both = PCM_ENERGY | PCM_DISSIPATION;
    return is_passive(s) && (s->model->outputs & both) == both;
}

const check check_ledger = {.name = "ledger",
                            .doc = "work is stored or dissipated, as the law reports it",
                            .weight = 20,
                            .applies = keeps_ledger,
                            .roll = roll_path,
                            .fails = ledger_fails};

/* ---- step -----------------------------------------------------------------------------------------------------------
 */

/* The work of a path at steps that halve: the changes get smaller, or the law counts steps and not time. */
static bool step_fails(subject *s, const motion *m, finding *found)
{
    const limits sums = refine(s, m);
    double       change[FINENESSES - 1], size = 0;
    for (size_t i = 0; i + 1 < FINENESSES; i++)
        change[i] = fabs(sums.at[i + 1].work - sums.at[i].work);
    for (size_t i = 0; i < FINENESSES; i++)
        size = fmax(size, sums.at[i].put_in);
    const bool grows = change[2] > 0.95 * change[1] && change[1] > 0.95 * change[0];
    return grows && change[2] > 1e-2 * size && change[0] > 1e-2 * size &&
           finding_say(
               found, 1, "Advance states by the rate times b->dt, and never by a fixed amount per call.",
               "the work on a path does not settle as the step gets smaller: %s J, %s J, %s J, %s J at steps that "
               "halve",
               pcm_number(sums.at[0].work, 4).text, pcm_number(sums.at[1].work, 4).text,
               pcm_number(sums.at[2].work, 4).text, pcm_number(sums.at[3].work, 4).text);
}

static bool has_states(const subject *s) { return s->info->n_state > 0 && !subject_is_driven(s); }

const check check_step = {.name = "step",
                          .doc = "the answer settles as the step goes to zero",
                          .weight = 20,
                          .applies = has_states,
                          .roll = roll_path,
                          .fails = step_fails};
