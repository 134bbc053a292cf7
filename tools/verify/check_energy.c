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

static limits refine(subject *s, const motion *m, size_t steps)
{
    limits sums;
    motion finer = *m;
    finer.steps = steps;
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

static bool begins_apart(const subject *s, const motion *m)
{
    return m->row[0][MOTION_AT(depth)] < -s->info->common->separation;
}

static bool is_closed(const motion *m, const subject *s)
{
    static const size_t places[] = {offsetof(pcm_batch, depth),  offsetof(pcm_batch, slip_x),
                                    offsetof(pcm_batch, slip_y), offsetof(pcm_batch, spin_x),
                                    offsetof(pcm_batch, spin_y), offsetof(pcm_batch, spin_n)};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (m->row[0][motion_column(places[i])] != m->row[m->count - 1][motion_column(places[i])])
            return false;
    return m->count > 2 && begins_apart(s, m);
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

/* Whether the finest rows show how the force changes. */
static bool is_resolved(const limits *sums) { return sums->at[FINENESSES - 1].change < 0.2; }

static bool returns_more(const limits *sums, double share)
{
    double gains[FINENESSES];
    for (size_t i = 0; i < FINENESSES; i++)
        gains[i] = -sums->at[i].work;
    return stays_above(gains, (share + 1e-4) * sums->at[FINENESSES - 1].put_in);
}

/* A force of short range may lie between the rows: what comes back must do so with ever more of them. */
static bool energy_fails(subject *s, const motion *m, finding *found)
{
    enum { MORE = 16 };
    if (!is_closed(m, s))
        return false;
    const history_sums rough = history_sum(s, m);
    const double       share = declared_gain(s);
    if (-rough.work <= share * rough.put_in)
        return false;
    limits sums = refine(s, m, m->steps);
    if (!returns_more(&sums, share))
        return false;
    sums = refine(s, m, MORE * m->steps);
    const history_sums *last = &sums.at[FINENESSES - 1];
    const double        gain = -last->work;
    const bool          jumps = s->model->flags & PCM_JUMPS; /* then rows may never show it */
    return (jumps || is_resolved(&sums)) && returns_more(&sums, share) &&
           finding_say(
               found, 1,
               "Something gives back more than it took: a spring whose stiffness changes while it is stretched, "
               "damping or friction of the wrong sign, a force that depends on the place but not as a "
               "potential. If it is meant, declare .flags = PCM_ACTIVE, or .gain for a known artefact.",
               "a closed path returns %s J more than the %s J that were put in (a share of %s%s%s)",
               pcm_number(gain, 4).text, pcm_number(last->put_in, 4).text, pcm_number(gain / last->put_in, 3).text,
               share > 0 ? "; declared: " : "", share > 0 ? pcm_number(share, 3).text : "");
}

const check check_energy = {.name = "energy",
                            .doc = "no closed path returns more energy than it took, unless PCM_ACTIVE",
                            .weight = 400,
                            .absent = subject_lacks_work,
                            .whole = true,
                            .roll = roll_loop,
                            .fails = energy_fails};

/* Half of them slowly; of a law that may return energy as the load changes, pressed first and then moved on the spot.
 */
static void roll_told(subject *s, dice *d, motion *m)
{
    const size_t depth = MOTION_AT(depth);
    roll_path(s, d, m);
    if (!(s->model->flags & PCM_ACTIVE))
        return;
    m->count--;
    for (size_t i = 2; i < m->count; i++)
        m->row[i][depth] = m->row[1][depth];
    for (size_t i = 0; i < s->n_motions; i++)
        if (rig_motions[i].input & (PCM_SLIP | PCM_SPIN))
            m->row[1][i] = m->row[0][i];
}

/* ---- ledger ---------------------------------------------------------------------------------------------------------
 */

/* Whether a path is as roll_told makes it for a law that may return energy. */
static bool stays_pressed(const subject *s, const motion *m)
{
    bool stays = m->count > 2;
    for (size_t i = 2; i < m->count; i++)
        stays = stays && m->row[i][MOTION_AT(depth)] == m->row[1][MOTION_AT(depth)];
    for (size_t i = 0; i < s->n_motions; i++)
        if (rig_motions[i].input & (PCM_SLIP | PCM_SPIN))
            stays = stays && m->row[1][i] == m->row[0][i];
    return stays;
}

/* Which share of the work may be missing: of a contact of some steps 1 %. Where they do not show how the force changes,
 * as that of a stiff bristle that turns round, more than all of it, if no force sets in at once. */
static double tolerated_share(const subject *s, const limits *sums)
{
    enum { FEW = 32 };
    const bool jumps = s->model->flags & (PCM_JUMPS | PCM_PULLS);
    return sums->at[FINENESSES - 1].going < FEW ? INFINITY : is_resolved(sums) ? 1e-2 : jumps ? INFINITY : 2;
}

static bool ledger_fails(subject *s, const motion *m, finding *found)
{
    if (!begins_apart(s, m) || (s->model->flags & PCM_ACTIVE && !stays_pressed(s, m)))
        return false;
    const limits sums = refine(s, m, m->steps);
    double       missing[FINENESSES], regained[FINENESSES];
    for (size_t i = 0; i < FINENESSES; i++) {
        missing[i] = sums.at[i].missing;
        regained[i] = sums.at[i].regained;
    }
    const history_sums *last = &sums.at[FINENESSES - 1];
    const double        share = tolerated_share(s, &sums);
    const double        size = fmax(last->put_in, -last->work); /* a law that pulls gives more than it takes */
    if (!(s->model->outputs & PCM_DISSIPATION))
        return stays_above(regained, (declared_gain(s) + share) * size) &&
               finding_say(found, 2, "energy is what is stored now, J: no more than the work that was put in.",
                           "%s J that were put in and not stored, as the law reports it, come back later",
                           pcm_number(last->regained, 4).text);
    return stays_above(missing, (declared_gain(s) + share) * size) &&
           finding_say(
               found, 1, "energy is what is stored now, J; dissipation the power that is turned into heat, W.",
               "of the %s J that were put in, up to %s J are neither stored nor dissipated, as the law reports it, "
               "nor given back",
               pcm_number(last->put_in, 4).text, pcm_number(last->missing, 4).text);
}

/* Whether a law tells what it stores; friction without states stores nothing, and must tell what it dissipates. */
static bool tells_energy(const pcm_model *law)
{
    const bool only_adds = law->inputs & PCM_FROM_PARTS, acts = law->outputs & (PCM_FRICTION | PCM_MOMENT);
    const bool stores = law->states.count > 0 || !only_adds;
    return (only_adds && !acts) || law->outputs & (stores ? PCM_ENERGY : PCM_DISSIPATION);
}

/* Whether parts of one sum tell it alike: with what is dissipated, or without. */
static const char *keeps_no_ledger(const subject *s)
{
    size_t dissipate = 0, act = 0;
    for (size_t i = 0; i < s->n_parts; i++) {
        const pcm_model *law = s->parts[i];
        if (!tells_energy(law))
            return "it does not tell the energy that it stores";
        const bool acts = !(law->inputs & PCM_FROM_PARTS) || law->outputs & (PCM_FRICTION | PCM_MOMENT);
        act += acts;
        dissipate += acts && law->outputs & PCM_DISSIPATION;
    }
    return dissipate > 0 && dissipate < act ? "not all of its parts tell what they dissipate" : subject_is_driven(s);
}

const check check_ledger = {.name = "ledger",
                            .doc = "work is stored or dissipated, as the law reports it",
                            .weight = 20,
                            .absent = keeps_no_ledger,
                            .whole = true,
                            .roll = roll_told,
                            .fails = ledger_fails};

/* ---- step -----------------------------------------------------------------------------------------------------------
 */

/* The work of a path at steps that halve: the changes get smaller, or the law counts steps and not time. */
static bool step_fails(subject *s, const motion *m, finding *found)
{
    const limits sums = refine(s, m, m->steps);
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

static const char *has_no_states(const subject *s)
{
    const char *lacks = subject_lacks_host(s);
    return s->info->n_state == 0 ? "it has no states" : lacks;
}

const check check_step = {.name = "step",
                          .doc = "the answer settles as the step goes to zero",
                          .weight = 30,
                          .absent = has_no_states,
                          .whole = true,
                          .roll = roll_path,
                          .fails = step_fails};
