/* SPDX-License-Identifier: MIT */
/* near_match.c - which points of now are points of before, by their places. */
#include "near.h"

#include <math.h>
#include <string.h>

static pcm_near_mark *mark_at(pcm_near_marks among, size_t i)
{
    return (void *)((char *)among.first + i * among.stride);
}

/* How far two points lie from one another, squared: on the body where that is less, and on the other. */
typedef struct apart {
    double less, more;
} apart;

static apart apart_of(const pcm_near_mark *one, const pcm_near_mark *other)
{
    const double first = pcm_near_squared(one->place[0], other->place[0]);
    const double second = pcm_near_squared(one->place[1], other->place[1]);
    return first < second ? (apart){first, second} : (apart){second, first};
}

/* Of two at equal distances their places decide. */
static bool is_nearer(apart a, const pcm_near_mark *one, apart b, const pcm_near_mark *other)
{
    if (a.less != b.less || !other)
        return a.less < b.less;
    return a.more < b.more || (a.more == b.more && memcmp(one->place, other->place, sizeof one->place) < 0);
}

/* The nearest of the points without a partner, within the reach of the older of the two; the count: there is none. */
static size_t nearest(pcm_near_marks among, const pcm_near_mark *to, bool to_is_older)
{
    const pcm_near_mark *best = NULL;
    apart                least = {INFINITY, INFINITY};
    size_t               index = among.count;
    for (size_t i = 0; i < among.count; i++) {
        const pcm_near_mark *mark = mark_at(among, i);
        if (mark->partner)
            continue;
        const apart  here = apart_of(mark, to);
        const double reach = to_is_older ? to->reach : mark->reach;
        if (reach > 0 && here.less < reach * reach && is_nearer(here, mark, least, best)) {
            least = here;
            best = mark;
            index = i;
        }
    }
    return index;
}

/* Closest first: two that are each other's nearest match whatever the others do, so a round or two suffice. */
size_t pcm_near_match(pcm_near_marks now, pcm_near_marks before)
{
    size_t pairs = 0;
    for (bool matches = true; matches && pairs < now.count && pairs < before.count;) {
        matches = false;
        for (size_t i = 0; i < before.count; i++) {
            pcm_near_mark *old = mark_at(before, i);
            const size_t   k = old->partner ? now.count : nearest(now, old, true);
            if (k == now.count || nearest(before, mark_at(now, k), false) != i)
                continue;
            mark_at(now, k)->partner = (uint32_t)i + 1;
            old->partner = (uint32_t)k + 1;
            matches = true;
            pairs++;
        }
    }
    return pairs;
}
