/* SPDX-License-Identifier: MIT */
/* cache.c - the data that a pair caches from its last search for the warm start of the next one: directions and points
 * in the axes of their bodies, so that they move with these. */
#include "convex.h"

void convex_use_cache(convex_pair *pair, convex_cache *cache, bool swapped)
{
    pair->cache = cache;
    if (!cache || (cache->a == pair->a->number && cache->b == pair->b->number && cache->swapped == swapped))
        return;
    cache->a = pair->a->number;
    cache->b = pair->b->number;
    cache->swapped = swapped;
    cache->n_seed = cache->pause = cache->rest = 0;
}

cached_corner corner_to_cache(const convex_pair *pair, const vertex *v)
{
    const bool rim = pair->b->rim > 0;
    return (cached_corner){v->a, rim ? transform_back(&pair->b_in_a, v->b) : pair->b->core.corners[v->at_b], v->at_a,
                           v->at_b};
}

vertex corner_from_cache(const convex_pair *pair, const cached_corner *kept)
{
    const vec b = transform(&pair->b_in_a, kept->b);
    return (vertex){kept->a, b, sub(b, kept->a), kept->at_a, kept->at_b};
}

void convex_cache_simplex(const convex_pair *pair, const simplex *s, vec normal)
{
    convex_cache *cache = pair->cache;
    if (!cache)
        return;
    cache->proven = false;
    cache->n_seed = (uint8_t)(s->n < 3 ? s->n : 3);
    cache->normal = normal;
    for (int k = 0; k < cache->n_seed; k++)
        cache->seed[k] = corner_to_cache(pair, &s->v[k]);
}

bool convex_cached_simplex(const convex_pair *pair, simplex *s)
{
    const convex_cache *cache = pair->cache;
    if (!cache || cache->n_seed == 0)
        return false;
    s->n = cache->n_seed;
    for (int k = 0; k < s->n; k++)
        s->v[k] = corner_from_cache(pair, &cache->seed[k]);
    return simplex_nearest(s);
}

/* Whether the bodies are still beyond reach along the last direction. */
bool convex_still_apart(convex_pair *pair, convex_result *result)
{
    const convex_cache *cache = pair->cache;
    if (!cache || cache->n_seed == 0 || pair->reach == INFINITY)
        return false;
    pair->at_a = cache->seed[0].at_a;
    pair->at_b = cache->seed[0].at_b;
    const double sep = sep_along(pair, cache->normal);
    *result = (convex_result){.sep = sep, .low = sep, .high = INFINITY, .normal = cache->normal};
    return sep > pair->reach;
}

double convex_moved_by(const convex_pair *pair, const placing *then)
{
    const pcm_geometry *b = pair->b;
    const vec far = {larger(-b->low.x, b->high.x), larger(-b->low.y, b->high.y), larger(-b->low.z, b->high.z)};
    double square = 0; /* sum of the squared entries of the difference of two rotations; half of it bounds the squared
                          motion of a unit vector */
    for (int i = 0; i < 3; i++) {
        const vec d = sub(pair->b_in_a.turn.row[i], then->turn.row[i]);
        square += dot(d, d);
    }
    return norm(sub(pair->b_in_a.at, then->at)) + sqrt(0.5 * square * dot(far, far));
}
