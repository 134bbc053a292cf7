/* SPDX-License-Identifier: MIT */
/* sweep.c - sweep and prune. Balls are sorted by their lower ends along the longest axis of the scene, so that balls
 * that overlap along it are close to each other in the list. Across that axis the scene is cut into strips no narrower
 * than the largest ball, so that a ball can only overlap balls in its own strip and the two adjacent ones. If the balls
 * lie in a plane, the work is proportional to their number. */
#include "sweep.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- Sorting ----------------------------------------------------------------------------------------------------- */

/* More bits per digit would need fewer passes, but each pass loops over all values of a digit, however few the
 * items. */
enum { DIGIT_BITS = 6, DIGIT_VALUES = 1 << DIGIT_BITS };

static uint32_t digit_of(uint64_t key, int shift) { return (uint32_t)(key >> shift) & (DIGIT_VALUES - 1); }

/* Radix sort, the least significant digit first; digits that are equal in all keys are skipped. */
void pcm_sort_keyed(pcm_keyed *items, pcm_keyed *spare, size_t count)
{
    pcm_keyed *from = items, *to = spare;
    uint64_t   differ = 0;
    for (size_t i = 1; i < count; i++)
        differ |= items[i].key ^ items[0].key;
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (!digit_of(differ, shift))
            continue;
        size_t place[DIGIT_VALUES] = {0};
        for (size_t i = 0; i < count; i++)
            place[digit_of(from[i].key, shift)]++;
        for (size_t value = 0, before = 0; value < DIGIT_VALUES; value++) {
            const size_t here = place[value];
            place[value] = before;
            before += here;
        }
        for (size_t i = 0; i < count; i++)
            to[place[digit_of(from[i].key, shift)]++] = from[i];
        pcm_keyed *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

/* ---- The sweep --------------------------------------------------------------------------------------------------- */

/* A number in single precision as an integer; the integers have the same order as the numbers. */
static uint32_t ordered(double value)
{
    const float single = (float)value;
    uint32_t    bits;
    memcpy(&bits, &single, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

typedef struct layout {
    int    along, across; /* axes */
    double first, width;  /* m, of the strips */
} layout;

static layout lay_out(const pcm_ball *balls, uint32_t count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, extent[3], largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], balls[i].centre[k]);
            high[k] = fmax(high[k], balls[i].centre[k]);
        }
        largest = fmax(largest, balls[i].radius);
    }
    for (int k = 0; k < 3; k++)
        extent[k] = high[k] - low[k];
    const int    along = extent[0] >= extent[1] && extent[0] >= extent[2] ? 0 : extent[1] >= extent[2] ? 1 : 2;
    const int    next = (along + 1) % 3, last = (along + 2) % 3, across = extent[next] >= extent[last] ? next : last;
    const double least = 2.01 * largest; /* slightly more than a ball's diameter, because quotients round */
    return (layout){along, across, low[across], fmax(least, extent[across] / sqrt(count))};
}

static uint64_t strip_of(const layout *l, const pcm_ball *ball)
{
    return l->width > 0 ? (uint64_t)((ball->centre[l->across] - l->first) / l->width) : 0;
}

static uint64_t strip_at(const pcm_sweep *s, uint32_t i) { return s->order[i].key >> 32; }
static uint32_t low_at(const pcm_sweep *s, uint32_t i) { return (uint32_t)s->order[i].key; }

static void visit_within(const pcm_sweep *s, uint32_t first, uint32_t end, pcm_sweep_visit *visit, void *user)
{
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = i + 1; k < end && low_at(s, k) <= s->high[i]; k++)
            visit(user, s->order[i].item, s->order[k].item);
}

/* Visits the overlaps between one strip, from first to middle, and the next one, from middle to end. */
static void visit_between(const pcm_sweep *s, uint32_t first, uint32_t middle, uint32_t end, pcm_sweep_visit *visit,
                          void *user)
{
    uint32_t a = first, b = middle;
    while (a < middle && b < end) {
        const bool     a_begins = low_at(s, a) <= low_at(s, b);
        const uint32_t begun = a_begins ? a++ : b++, stop = a_begins ? end : middle;
        for (uint32_t k = a_begins ? b : a; k < stop && low_at(s, k) <= s->high[begun]; k++)
            visit(user, s->order[begun].item, s->order[k].item);
    }
}

static uint32_t strip_end(const pcm_sweep *s, uint32_t first, uint32_t count)
{
    uint32_t end = first;
    while (end < count && strip_at(s, end) == strip_at(s, first))
        end++;
    return end;
}

void pcm_sweep_balls(const pcm_sweep *sweep, const pcm_ball *balls, uint32_t count, pcm_sweep_visit *visit, void *user)
{
    const layout l = lay_out(balls, count);
    for (uint32_t i = 0; i < count; i++) {
        const double low = balls[i].centre[l.along] - balls[i].radius;
        sweep->order[i] = (pcm_keyed){strip_of(&l, &balls[i]) << 32 | ordered(low), i};
    }
    pcm_sort_keyed(sweep->order, sweep->spare, count);
    for (uint32_t i = 0; i < count; i++) {
        const pcm_ball *ball = &balls[sweep->order[i].item];
        sweep->high[i] = ordered(ball->centre[l.along] + ball->radius);
    }
    for (uint32_t first = 0, end; first < count; first = end) {
        end = strip_end(sweep, first, count);
        visit_within(sweep, first, end, visit, user);
        if (end < count && strip_at(sweep, end) == strip_at(sweep, first) + 1)
            visit_between(sweep, first, end, strip_end(sweep, end, count), visit, user);
    }
}
