/* SPDX-License-Identifier: MIT */
/* separate.c - the separation of any two cores: a closed form, the warm start (proof.c), a local search with a proof
 * (facets.c, climb.c), GJK (distance.c), EPA (expand.c), and branch and bound (cover.c), in this order. */
#include "convex.h"

static bool search_warm(convex_pair *pair, simplex *s, convex_result *result)
{
    const convex_cache *cache = pair->cache;
    if (cache && cache->n_seed && cache->proven && convex_warm_start(pair, result))
        return true;
    if (convex_still_apart(pair, result))
        return true;
    return convex_cached_simplex(pair, s) && pair->rims && convex_polish_apart(pair, s, pair->cache->normal, result);
}

/* Caches the features of bodies that are apart as a proof. */
static void prove_apart(convex_pair *pair, const simplex *s, convex_result result)
{
    if (!pair->cache || result.low > pair->reach || !convex_polish(pair, *s, &result))
        return;
    convex_cone(pair, &result);
    convex_prove(pair, &result, 0);
}

static void search(convex_pair *pair, simplex *s, convex_result *result)
{
    const pcm_geometry *a = pair->a, *b = pair->b;
    const vec           middle_a = scale(add(a->low, a->high), 0.5), middle_b = scale(add(b->low, b->high), 0.5);
    const vec           between = sub(transform(&pair->b_in_a, middle_b), middle_a);
    const vec           start = unit_or(between, (vec){0, 0, 1});
    const bool          known = pair->cache && pair->cache->n_seed;
    result->cone = 0;
    const vec from = known ? pair->cache->normal : start;
    if (pair->rims ? convex_climb(pair, from, result) : convex_facets(pair, from, result))
        return;
    const convex_result peak = *result;
    const bool          peaks = pair->rims && peak.cone > 0 && peak.low < 0;
    if (!convex_cached_simplex(pair, s))
        *s = (simplex){.n = 1, .v = {support_of(pair, start)}, .weight = {1}};
    if (convex_distance(pair, start, s, result)) {
        convex_cache_simplex(pair, s, result->normal);
        if (pair->rims && !result->witnessed && !convex_polish(pair, *s, result))
            convex_align(pair, result);
        prove_apart(pair, s, *result);
    } else if (!(result->low > pair->reach)) {
        convex_expand(pair, s, peaks ? &peak : NULL, result);
    } else {
        convex_cache_simplex(pair, s, result->normal);
    }
}

void convex_search(convex_pair *pair, convex_result *result)
{
    simplex s;
    if (!search_warm(pair, &s, result))
        search(pair, &s, result);
    result->witnessed = true;
    if (result->low > pair->reach)
        return;
    const double open = result->high - result->low;
    if (pair->rims && open > pair->closed)
        convex_cover(pair, result);
    else if (open > 64 * pair->rounding ||
             norm(across(sub(result->on_b, result->on_a), result->normal)) > BESIDE * pair->size)
        convex_face(pair, result);
    else
        return;
    result->supported = false;
}

convex_result convex_separate(convex_pair *pair)
{
    convex_result result;
    if (!convex_closed_form(pair, &result))
        convex_search(pair, &result);
    return result;
}
