/* SPDX-License-Identifier: MIT */
/* support.c - support functions: the point of a core that is the farthest along a direction. */
#include "convex.h"

vec core_support(const pcm_geometry *g, vec d, uint32_t *at)
{
    if (g->rim > 0) {
        const double radial = sqrt(d.x * d.x + d.y * d.y), k = radial > 0 ? g->rim / radial : 0;
        return (vec){k * d.x, k * d.y, d.z < 0 ? -g->half : g->half};
    }
    /* A box's corners are numbered by the signs of their coordinates. */
    if (g->kind == PCM_BOX)
        *at = (d.x > 0) | (uint32_t)(d.y > 0) << 1 | (uint32_t)(d.z > 0) << 2;
    else
        *at = polytope_farthest(&g->core, d, *at);
    return g->core.corners[*at];
}

vec support_a(convex_pair *pair, vec d) { return core_support(pair->a, d, &pair->at_a); }

vec support_b(convex_pair *pair, vec d)
{
    return transform(&pair->b_in_a, core_support(pair->b, rotate_back(&pair->b_in_a.turn, d), &pair->at_b));
}

vertex support_of(convex_pair *pair, vec n)
{
    const vec a = support_a(pair, n), b = support_b(pair, negate(n));
    return (vertex){a, b, sub(b, a), pair->at_a, pair->at_b};
}

double sep_along(convex_pair *pair, vec n) { return dot(n, support_of(pair, n).w); }
