/* SPDX-License-Identifier: MIT */
/* check_batch.c - what a law does with the columns that it is given, and with nothing else. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "child.h"
#include "lanes.h"

/* Where the answers of two calls differ. */
typedef struct difference {
    const lanes_output *output; /* NULL: nowhere */
    size_t              lane;
    double              was, is;
} difference;

/* The answers of a call, to be compared with. */
static double *keep(const lanes *l)
{
    double *kept = malloc(l->doubles * sizeof *kept);
    if (kept)
        memcpy(kept, l->memory, l->doubles * sizeof *kept);
    return kept;
}

static double kept_at(const lanes *l, const double *kept, const lanes_output *output, size_t lane)
{
    return kept[output->values - l->memory + (ptrdiff_t)lane];
}

/* The first lane from `first` on whose answers are not the kept ones; what was not written is not compared. */
static difference compare(const lanes *l, const double *kept, bool with_reports, size_t first, size_t count)
{
    for (size_t i = 0; kept && i < l->n_outputs; i++) {
        const lanes_output *output = &l->outputs[i];
        for (size_t lane = first; lane < first + count; lane++) {
            const double was = kept_at(l, kept, output, lane), is = output->values[lane];
            const bool   open = lanes_is_sentinel(was) || (output->is_report && !with_reports);
            if (!open && !lanes_same(was, is))
                return (difference){output, lane, was, is};
        }
    }
    return (difference){0};
}

static void ask(lanes *l, const motion *m)
{
    lanes_show(l, m, 0);
    lanes_call(l, l->subject->type, PCM_UPDATE, 0, m->count);
}

/* ---- survives -----------------------------------------------------------------------------------------------------
 */

static const pcm_verb_kind verbs[] = {PCM_UPDATE, PCM_FORCES, PCM_ESTABLISH, PCM_TERMINATE};
enum { VERBS = sizeof verbs / sizeof *verbs };

/* What is found here ends the child. */
static bool survives_fails(subject *s, const motion *m, finding *found)
{
    lanes l;
    (void)found;
    if (!lanes_open(&l, s))
        return false;
    for (size_t i = 0; i < VERBS; i++) {
        lanes_show(&l, m, 0);
        lanes_call(&l, s->type, verbs[i], 0, m->count);
    }
    lanes_close(&l);
    return false;
}

const check check_survives = {.name = "survives",
                              .doc = "comes back from every call: no crash, endless loop or way out",
                              .weight = 200,
                              .roll = motion_roll_lanes,
                              .fails = survives_fails};

/* ---- columns ------------------------------------------------------------------------------------------------------
 */

enum { OVERRUN = 1, SPOILT, UNWRITTEN, UNDECLARED, READ_BACK, READ_UNDECLARED };

static bool writes_outside(const lanes *l, finding *found)
{
    const char *overrun = lanes_overrun(l), *spoilt = lanes_spoilt_input(l);
    if (overrun)
        return finding_say(found, OVERRUN,
                           "Write lane i of every column, in PCM_EACH(b, i), and nothing behind b->count.",
                           "it writes %s outside of the batch's %zu lanes", overrun, l->shown->count);
    if (spoilt)
        return finding_say(found, SPOILT, "Inputs and states are the host's: write next, not state.",
                           "it writes to or beside its input %s", spoilt);
    return false;
}

static bool writes_params(lanes *l, finding *found)
{
    return !lanes_keeps_params(l) &&
           finding_say(found, SPOILT, "Parameters are the host's: compute what follows from them in prepare.",
                       "it writes to or beside its parameters");
}

static bool misses_column(const lanes *l, bool with_reports, finding *found)
{
    for (size_t i = 0; i < l->n_outputs; i++) {
        const lanes_output *output = &l->outputs[i];
        for (size_t lane = 0; lane < l->shown->count; lane++) {
            const bool written = !lanes_is_sentinel(output->values[lane]);
            if (output->duty == LANES_MUST && !written && (with_reports || !output->is_report))
                return finding_say(
                    found, UNWRITTEN,
                    "Write it in every lane of update; what holds only under some condition is a select.",
                    "it does not write %s%s (lane %zu)", output->name,
                    with_reports ? "" : " when no reports are asked for", lane);
            const bool first = !lanes_is_sentinel(output->values[0]);
            if (output->duty == LANES_MAY && written != first && !output->is_report)
                return finding_say(
                    found, UNWRITTEN,
                    "Write it in every lane of update; what holds only under some condition is a select.",
                    "it writes %s in some lanes, but not in others (lane %zu)", output->name, written ? 0 : lane);
            if (output->duty == LANES_MUST_NOT && written)
                return finding_say(found, UNDECLARED, "Name it in .outputs, or do not write it.",
                                   "it writes %s, but its .outputs lack %s: hosts take it as zero", output->name,
                                   output->flag);
        }
    }
    return false;
}

static bool reads_back(lanes *l, const motion *m, const double *kept, finding *found)
{
    for (size_t i = 0; i < l->n_outputs; i++) {
        lanes_show(l, m, 0);
        for (size_t lane = 0; lane < m->count; lane++)
            l->outputs[i].values[lane] = 0.5;
        lanes_call(l, l->subject->type, PCM_UPDATE, 0, m->count);
        const difference other = compare(l, kept, true, 0, m->count);
        if (other.output)
            return finding_say(found, READ_BACK, "Keep what is needed twice in a variable of the loop.",
                               "it reads its output %s: %s depends on what stood there", l->outputs[i].name,
                               other.output->name);
    }
    return false;
}

/* Answers with numbers in the columns that the law does not declare; `other`, one of them, has another. */
static void ask_with_numbers(lanes *l, const motion *m, size_t other)
{
    const subject *s = l->subject;
    lanes_show(l, m, 0);
    for (size_t i = 0; i < s->n_motions; i++)
        for (size_t lane = 0; lane < m->count && !(s->model->inputs & rig_motions[i].input); lane++)
            l->inputs[i][lane] = i == other ? 0.75 : 0.5;
    lanes_call(l, s->type, PCM_UPDATE, 0, m->count);
}

static bool reads_undeclared(lanes *l, const motion *m, finding *found)
{
    const subject *s = l->subject;
    ask_with_numbers(l, m, s->n_motions);
    double    *kept = keep(l);
    difference other = {0};
    for (size_t i = 0; i < s->n_motions && !other.output; i++) {
        ask_with_numbers(l, m, i);
        other = compare(l, kept, true, 0, m->count);
        if (other.output)
            (void)finding_say(found, READ_UNDECLARED, "Name the column's flag in .inputs: without it hosts give NaN.",
                              "it reads %s, which its .inputs do not declare: %s depends on it", rig_motions[i].name,
                              other.output->name);
    }
    free(kept);
    return other.output;
}

static bool columns_fail(subject *s, const motion *m, finding *found)
{
    lanes l;
    if (!lanes_open(&l, s))
        return false;
    lanes_show(&l, m, 0);
    lanes_call(&l, s->type, PCM_FORCES, 0, m->count);
    bool fails = writes_outside(&l, found) || misses_column(&l, false, found);
    ask(&l, m);
    fails = fails || writes_outside(&l, found) || misses_column(&l, true, found);
    double *kept = keep(&l);
    fails = fails || writes_params(&l, found);
    fails = fails || reads_back(&l, m, kept, found) || reads_undeclared(&l, m, found);
    free(kept);
    lanes_close(&l);
    return fails;
}

const check check_columns = {.name = "columns",
                             .doc = "writes what it declares, in its lanes alone, and reads nothing else",
                             .weight = 200,
                             .roll = motion_roll_lanes,
                             .fails = columns_fail};

/* ---- lanes --------------------------------------------------------------------------------------------------------
 */

static const char lanes_advice[] = "The answer of a lane follows from that lane's inputs alone: index columns by i "
                                   "only, carry nothing from lane to lane, "
                                   "and compile with the flags of `pkg-config --cflags pcm-plugin`.";

static bool lanes_differ(const lanes *l, const double *kept, size_t first, size_t count, const char *when,
                         finding *found)
{
    const difference other = compare(l, kept, true, first, count);
    return other.output && finding_say(found, 1, lanes_advice, "%s of lane %zu is %s in one batch of %zu, and %s %s",
                                       other.output->name, other.lane, pcm_number(other.was, 0).text, l->shown->count,
                                       pcm_number(other.is, 0).text, when);
}

/* Batches of other sizes that begin elsewhere. */
static bool parts_differ(lanes *l, const motion *m, const double *kept, finding *found)
{
    for (size_t size = 1; size < m->count; size += size < 4 ? 1 : 5) {
        lanes_show(l, m, 0);
        for (size_t first = 0; first < m->count; first += size)
            lanes_call(l, l->subject->type, PCM_UPDATE, first, size < m->count - first ? size : m->count - first);
        char when[64];
        (void)snprintf(when, sizeof when, "in batches of %zu", size);
        if (lanes_differ(l, kept, 0, m->count, when, found))
            return true;
    }
    return false;
}

/* One lane among others. */
static bool neighbours_matter(lanes *l, const motion *m, const double *kept, finding *found)
{
    const double strange[] = {NAN, 1e300, 0};
    for (size_t k = 0; k < sizeof strange / sizeof *strange; k++) {
        const size_t kept_lane = k % m->count;
        lanes_show(l, m, 0);
        for (size_t i = 0; i < l->n_inputs; i++)
            for (size_t lane = 0; lane < m->count; lane++)
                l->inputs[i][lane] = lane == kept_lane ? l->inputs[i][lane] : strange[k];
        lanes_call(l, l->subject->type, PCM_UPDATE, 0, m->count);
        if (lanes_differ(l, kept, kept_lane, 1, "beside other contacts", found))
            return true;
    }
    return false;
}

static bool sets_differ(lanes *l, const motion *m, const double *kept, finding *found)
{
    static const char *const names[] = {"with plain instructions", "with AVX2", "with AVX-512"};
    for (size_t i = 0; i + 1 < l->subject->n_sets; i++) {
        lanes_show(l, m, 0);
        lanes_call(l, l->subject->sets[i].type, PCM_UPDATE, 0, m->count);
        if (lanes_differ(l, kept, 0, m->count, names[i], found))
            return true;
    }
    return false;
}

static bool lanes_fail(subject *s, const motion *m, finding *found)
{
    lanes l;
    if (!lanes_open(&l, s))
        return false;
    ask(&l, m);
    double    *kept = keep(&l);
    const bool fails =
        parts_differ(&l, m, kept, found) || neighbours_matter(&l, m, kept, found) || sets_differ(&l, m, kept, found);
    free(kept);
    lanes_close(&l);
    return fails;
}

const check check_lanes = {.name = "lanes",
                           .doc = "same bits in any batch, place and company, and with every instruction set",
                           .weight = 300,
                           .roll = motion_roll_lanes,
                           .fails = lanes_fail};

/* ---- pure ---------------------------------------------------------------------------------------------------------
 */

static bool pure_fails(subject *s, const motion *m, finding *found)
{
    lanes l;
    if (!lanes_open(&l, s))
        return false;
    motion turned = *m;
    for (size_t i = 0; i < m->count; i++)
        memcpy(turned.row[i], m->row[m->count - 1 - i], sizeof turned.row[i]);
    turned.dt = 2 * m->dt;
    ask(&l, m);
    double *kept = keep(&l);
    ask(&l, &turned);
    ask(&l, m);
    const difference other = compare(&l, kept, true, 0, m->count);
    free(kept);
    if (other.output)
        (void)finding_say(
            found, 1,
            "Keep nothing between calls: what a contact remembers is a state, written to next. A simulator "
            "may try a step and throw it away.",
            "%s is %s at first and %s when the same is asked again", other.output->name, pcm_number(other.was, 0).text,
            pcm_number(other.is, 0).text);
    lanes_close(&l);
    return other.output;
}

const check check_pure = {.name = "pure",
                          .doc = "the same question has the same answer, whatever was tried in between",
                          .weight = 300,
                          .roll = motion_roll_lanes,
                          .fails = pure_fails,
                          .is_base = true};

/* ---- reports ------------------------------------------------------------------------------------------------------
 */

static bool reports_fail(subject *s, const motion *m, finding *found)
{
    lanes l;
    if (!lanes_open(&l, s))
        return false;
    ask(&l, m);
    double *kept = keep(&l);
    lanes_show(&l, m, 0);
    lanes_call(&l, s->type, PCM_FORCES, 0, m->count);
    const difference other = compare(&l, kept, false, 0, m->count);
    free(kept);
    if (other.output)
        (void)finding_say(found, 1, "Under `if (b->reports)` write reports alone: energy, dissipation, mode, events.",
                          "%s is %s with reports and %s without: asking for output changes the motion",
                          other.output->name, pcm_number(other.was, 0).text, pcm_number(other.is, 0).text);
    lanes_close(&l);
    return other.output;
}

const check check_reports = {.name = "reports",
                             .doc = "asking for energy, mode or events changes neither forces nor states",
                             .weight = 300,
                             .roll = motion_roll_lanes,
                             .fails = reports_fail};

/* ---- calls, static ------------------------------------------------------------------------------------------------
 */

/* What is found here ends the child too. */
static bool call_verbs(subject *s, const motion *m, bool trapped)
{
    lanes l;
    if (!lanes_open(&l, s))
        return false;
    child_protect(s->model->name);
    for (size_t i = 0; i < VERBS; i++) {
        lanes_show(&l, m, 0);
        if (trapped)
            child_trap();
        lanes_call(&l, s->type, verbs[i], 0, m->count);
        child_untrap();
    }
    lanes_close(&l);
    return false;
}

static bool calls_fail(subject *s, const motion *m, finding *found)
{
    (void)found;
    return call_verbs(s, m, true);
}

static bool static_fails(subject *s, const motion *m, finding *found)
{
    (void)found;
    return call_verbs(s, m, false);
}

/* The data of a sum's plugins are not those of one. */
static const char *is_a_sum(const subject *s)
{
    return subject_is_sum(s) ? "tried of each law alone: pcm verify LAW" : NULL;
}

const check check_calls = {.name = "calls",
                           .doc = "calls nothing from outside: no allocation, lock, errno, or function of libm",
                           .weight = 100,
                           .absent = is_a_sum,
                           .roll = motion_roll_lanes,
                           .fails = calls_fail};
const check check_static = {.name = "static",
                            .doc = "writes no static data",
                            .weight = 100,
                            .absent = is_a_sum,
                            .roll = motion_roll_lanes,
                            .fails = static_fails,
                            .is_base = true};
