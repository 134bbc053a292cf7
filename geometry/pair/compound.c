/* SPDX-License-Identifier: MIT */
/* compound.c - compounds: each part touches the other body as a body of its own, and all contacts share one patch. */
#include "bounds.h"
#include "pair.h"

static uint32_t part_count(const body *b) { return b->geometry->kind == PCM_COMPOUND ? b->geometry->n_parts : 1; }

void compound_meet(const body *a, const body *b, double reach, part_met *met, void *user)
{
    const bounds all = bounds_of(b->geometry, &b->at);
    for (uint32_t i = 0; i < part_count(a); i++) {
        const body   of_a = pair_part(a, i);
        const bounds here = bounds_of(of_a.geometry, &of_a.at), wide = bounds_grown(here, reach);
        for (uint32_t j = 0; bounds_meet(&wide, &all) && j < part_count(b); j++) {
            const body   of_b = pair_part(b, j);
            const bounds there = bounds_of(of_b.geometry, &of_b.at);
            if (bounds_meet(&wide, &there))
                met(user, &of_a, &of_b, (uint64_t)i << 32 | j);
        }
    }
}

/* ---- Separation -------------------------------------------------------------------------------------------------- */

static void separate_parts(void *user, const body *a, const body *b, uint64_t name)
{
    pcm_separation *best = user, next = {.size = sizeof next};
    (void)name;
    pair_separate(a, b, &next);
    const double low = smaller(best->low, next.low), high = smaller(best->high, next.high);
    if (next.distance < best->distance)
        *best = next;
    best->low = low;
    best->high = high;
}

void compound_separate(const body *a, const body *b, pcm_separation *out)
{
    *out = (pcm_separation){.size = sizeof *out, .distance = INFINITY, .low = INFINITY, .high = INFINITY};
    compound_meet(a, b, INFINITY, separate_parts, out);
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* The contacts of all parts, in two passes: the first adds up their weights. The weight of a contact is its share of
 * its own part's patch times its presence. The presence is 0 at the reach, so parts come and go without a jump. */
typedef struct gathering {
    double     reach, least, most;
    double     sum;
    bool       counting;
    uint64_t   name; /* of the two parts */
    pair_take *take;
    void      *user;
} gathering;

static void gather(void *user, const pcm_touch *touch)
{
    gathering   *g = user;
    const double here = touch->share * (smaller(g->reach + touch->depth, g->most) + g->least);
    pcm_touch    named = *touch;
    if (g->counting) {
        g->sum += here;
        return;
    }
    named.share = here / g->sum;
    named.feature = compound_feature(named.feature, g->name);
    g->take(g->user, &named);
}

static void touch_parts(void *user, const body *a, const body *b, uint64_t name)
{
    gathering *g = user;
    g->name = name;
    pair_touch(a, b, g->reach, (pair_known){NULL, NULL}, gather, g);
}

void compound_touch(const body *a, const body *b, double reach, pair_take *take, void *user)
{
    const double size = larger(a->geometry->size, b->geometry->size);
    gathering    g = {
           .reach = reach, .least = 1e-12 * size, .most = ENDLESS * size, .counting = true, .take = take, .user = user};
    compound_meet(a, b, reach, touch_parts, &g);
    g.counting = false;
    if (g.sum > 0)
        compound_meet(a, b, reach, touch_parts, &g);
}
