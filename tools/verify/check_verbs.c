/* SPDX-License-Identifier: MIT */
/* check_verbs.c - the verbs that not every law has: jump at an event, and the verb per pair. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "lanes.h"

/* ---- jump -----------------------------------------------------------------------------------------------------------
 */

/* As worlds call it: next begins as the state. */
static void ask_jump(lanes *l, const motion *m, const pcm_type *type, size_t event, size_t size)
{
    const size_t n_state = l->subject->info->n_state;
    lanes_show(l, m, 0);
    for (size_t k = 0; k < n_state; k++)
        memcpy(l->next[k], l->state[k], m->count * sizeof(double));
    l->batch.event_index = event;
    for (size_t first = 0; first < m->count; first += size)
        lanes_call(l, type, PCM_JUMP, first, size < m->count - first ? size : m->count - first);
}

static const char *first_written(const lanes *l)
{
    for (size_t i = 0; i < l->n_outputs; i++) {
        const lanes_output *output = &l->outputs[i];
        for (size_t lane = 0; lane < l->shown->count; lane++)
            if (!lanes_is_sentinel(output->values[lane]) && strncmp(output->name, "next of ", 8) != 0)
                return output->name;
    }
    return NULL;
}

/* One call for all lanes, against one for each and against plain instructions. */
static bool jump_differs(lanes *l, const motion *m, size_t event, finding *found)
{
    const subject *s = l->subject;
    for (size_t k = 0; k < s->info->n_state; k++) {
        double all[MOTION_ROWS], each[MOTION_ROWS], plain[MOTION_ROWS];
        ask_jump(l, m, s->type, event, m->count);
        memcpy(all, l->next[k], sizeof all);
        ask_jump(l, m, s->type, event, 1);
        memcpy(each, l->next[k], sizeof each);
        ask_jump(l, m, s->sets[0].type, event, m->count);
        memcpy(plain, l->next[k], sizeof plain);
        for (size_t lane = 0; lane < m->count; lane++) {
            const char *name = lanes_input_name(s, s->n_inputs + k);
            if (!lanes_same(all[lane], each[lane]) || !lanes_same(all[lane], plain[lane]))
                return finding_say(found, 2, "The jump of a lane follows from that lane's inputs alone.",
                                   "jump makes %s %s in a batch of %zu, and %s alone or with plain instructions", name,
                                   pcm_number(all[lane], 0).text, m->count, pcm_number(each[lane], 0).text);
            if (!isfinite(all[lane]))
                return finding_say(found, 3, "Look for a division by what may be zero.", "jump makes %s %s", name,
                                   pcm_number(all[lane], 4).text);
        }
    }
    return false;
}

static bool jump_fails(subject *s, const motion *m, finding *found)
{
    lanes l;
    bool  fails = false;
    if (!lanes_open(&l, s))
        return false;
    for (size_t e = 0; e < s->model->events.count && !fails; e++) {
        if (!pcm_model_event(s->model, (uint32_t)e)->jumps)
            continue;
        ask_jump(&l, m, s->type, e, m->count);
        const char *outside = lanes_overrun(&l), *spoilt = lanes_spoilt_input(&l), *other = first_written(&l);
        const char *wrong = outside ? outside : spoilt ? spoilt : other;
        fails = (wrong && finding_say(found, 1, "jump writes the columns of next, in its lanes, and nothing else.",
                                      "jump writes %s%s", wrong, outside ? " outside of its lanes" : "")) ||
                jump_differs(&l, m, e, found);
    }
    lanes_close(&l);
    return fails;
}

static const char *has_no_jump(const subject *s)
{
    for (uint32_t i = 0; i < s->model->events.count; i++)
        if (pcm_model_event(s->model, i)->jumps && s->info->n_state > 0)
            return NULL;
    return "no event of it makes its states jump";
}

const check check_jump = {.name = "jump",
                          .doc = "jump writes next alone, finite, with the same bits in any batch",
                          .weight = 300,
                          .absent = has_no_jump,
                          .roll = motion_roll_lanes,
                          .fails = jump_fails};

/* ---- pair -----------------------------------------------------------------------------------------------------------
 */

/* Pairs of one contact each, whose sums are what update gave; with a sentinel behind each answer. */
typedef struct pairs {
    double contacts[MOTION_ROWS], force_n[MOTION_ROWS], force_t[MOTION_ROWS], pull[MOTION_ROWS], area[MOTION_ROWS],
        depth[MOTION_ROWS], energy[MOTION_ROWS];
    double  scale[MOTION_ROWS + 1];
    int64_t life[MOTION_ROWS + 1];
} pairs;
enum { UNWRITTEN_LIFE = -77 };
static const double unwritten = -77;

static double or_zero(double value) { return isfinite(value) ? value : 0; }

/* What update gives, summed over one contact; a part of a law has the load of the parts before it. */
static bool sum_pairs(subject *s, const motion *m, pairs *p)
{
    lanes l;
    *p = (pairs){0};
    if (!lanes_open(&l, s))
        return false;
    lanes_show(&l, m, 0);
    lanes_call(&l, s->type, PCM_UPDATE, 0, m->count);
    for (size_t i = 0; i < m->count; i++) {
        const pcm_batch *b = &l.batch;
        const bool       is_part = s->model->inputs & PCM_LOAD;
        p->contacts[i] = 1;
        p->force_n[i] = or_zero(b->force_n[i]) + (is_part ? m->row[i][MOTION_AT(load_n)] : 0);
        p->force_t[i] = hypot(or_zero(b->force_x[i]), or_zero(b->force_y[i]));
        p->pull[i] = fmax(-p->force_n[i], 0);
        p->area[i] = s->model->inputs & PCM_AREA ? m->row[i][MOTION_AT(area)] : NAN;
        p->depth[i] = m->row[i][MOTION_AT(depth)];
        p->energy[i] = or_zero(b->energy[i]);
    }
    lanes_close(&l);
    return true;
}

static void ask_pairs(pairs *p, const pcm_type *type, double dt, size_t count, size_t size)
{
    for (size_t i = 0; i <= MOTION_ROWS; i++) {
        p->scale[i] = unwritten;
        p->life[i] = UNWRITTEN_LIFE;
    }
    for (size_t at = 0; at < count; at += size)
        (void)pcm_type_call_pairs(type, &(pcm_pair_batch){.size = sizeof(pcm_pair_batch),
                                                          .count = size < count - at ? size : count - at,
                                                          .time = 1,
                                                          .dt = dt,
                                                          .contacts = p->contacts + at,
                                                          .force_n = p->force_n + at,
                                                          .force_t = p->force_t + at,
                                                          .pull = p->pull + at,
                                                          .area = p->area + at,
                                                          .depth = p->depth + at,
                                                          .energy = p->energy + at,
                                                          .scale = p->scale + at,
                                                          .life = p->life + at});
}

static bool pairs_are_bad(const pairs *p, size_t count, finding *found)
{
    for (size_t i = 0; i < count; i++) {
        const bool says_invalid = p->life[i] == PCM_INVALID;
        if (!says_invalid && !(p->scale[i] >= 0 && isfinite(p->scale[i])))
            return finding_say(found, 2, "scale is at least 0 and finite; what cannot be is PCM_INVALID in life.",
                               "the verb per pair gives the scale %s", pcm_number(p->scale[i], 4).text);
    }
    if (p->scale[count] != unwritten || p->life[count] != UNWRITTEN_LIFE)
        return finding_say(found, 3, "Write lane i, in PCM_EACH(b, i), and nothing behind b->count.",
                           "the verb per pair writes behind its %zu lanes", count);
    return false;
}

static bool pairs_differ(const pairs *a, const pairs *b, size_t count, const char *when, finding *found)
{
    for (size_t i = 0; i < count; i++)
        if (!lanes_same(a->scale[i], b->scale[i]) || a->life[i] != b->life[i])
            return finding_say(found, 4, "The answer of a pair follows from that pair's sums alone.",
                               "the verb per pair gives the scale %s in one batch of %zu, and %s %s",
                               pcm_number(a->scale[i], 0).text, count, pcm_number(b->scale[i], 0).text, when);
    return false;
}

static bool pair_fails(subject *s, const motion *m, finding *found)
{
    pairs all;
    if (!sum_pairs(s, m, &all))
        return false;
    pairs each = all, plain = all;
    ask_pairs(&all, s->type, m->dt, m->count, m->count);
    ask_pairs(&each, s->type, m->dt, m->count, 1);
    ask_pairs(&plain, s->sets[0].type, m->dt, m->count, m->count);
    return pairs_are_bad(&all, m->count, found) || pairs_differ(&all, &each, m->count, "alone", found) ||
           pairs_differ(&all, &plain, m->count, "with plain instructions", found);
}

static const char *has_no_pair_verb(const subject *s)
{
    const pcm_table      *kernels = &s->model->kernels;
    const pcm_kernel_set *first = kernels->entries;
    return kernels->count > 0 && kernels->size >= sizeof *first && first->pair ? NULL : "it has no verb per pair";
}

const check check_pair = {.name = "pair",
                          .doc = "the verb per pair gives a scale and a life, with the same bits in any batch",
                          .weight = 300,
                          .absent = has_no_pair_verb,
                          .roll = motion_roll_lanes,
                          .fails = pair_fails};
