/* SPDX-License-Identifier: MIT */
/* distance.c - the distance of convex cores by GJK (Gilbert, Johnson and Keerthi 1988), with bounds from both sides. */
#include "parts.h"
#include <string.h>

#define ITERATIONS_MAX 64
#define STALLS_MAX     4

/* The gap between the bounds, as a share of the size, at which bodies with rims are first polished, and the factor by
 * which the gap has to shrink before the next try. */
#define POLISH_FIRST 0.02
#define POLISH_AGAIN 0.3

/* ---- Points that face each other --------------------------------------------------------------------------------- */

/* Of the support points along directions turned by `turn` from n, finds the point nearest to the line along n; returns
 * its distance from the line. */
static double nearest_to_line(convex_pair *pair, vec n, double turn, simplex *s)
{
    double least = INFINITY;
    *s = (simplex){.n = 1, .v = {support_of(pair, n)}, .weight = {1}};
    s->v[0].w = across(s->v[0].w, n);
    for (simplex next = *s; norm(simplex_mean(&next)) < least;) {
        *s = next;
        least = norm(simplex_mean(s));
        next.v[next.n] = support_of(pair, along(n, unit_or(simplex_mean(s), n), turn));
        next.v[next.n].w = across(next.v[next.n].w, n);
        next.n++;
        if (!simplex_nearest(&next))
            break;
    }
    return least;
}

/* The points for the smallest turn lie on the features that face each other. Larger turns also find features that
 * nearly face the other body, such as the other end of a side with a small tilt. */
void convex_face(convex_pair *pair, convex_result *result)
{
    const vec    n = result->normal;
    const double highest = dot(n, support_a(pair, n));
    double       least = INFINITY;
    simplex      best = {.n = 0}, s;
    for (double turn = 1e-13; turn < 1e-3 && least > 64 * pair->rounding; turn *= 10) {
        const double beside = nearest_to_line(pair, n, turn, &s);
        if (pair->rims && convex_polish(pair, s, result))
            return;
        simplex_points(&s, &result->on_a, &result->on_b);
        const double off = fabs(dot(n, result->on_a) - highest) + fabs(dot(n, result->on_b) - highest - result->low);
        if (beside + off < least) {
            least = beside + off;
            best = s;
        }
    }
    simplex_points(&best, &result->on_a, &result->on_b);
    if (result->low > 0)
        result->high = smaller(result->high, larger(result->low, norm(sub(result->on_b, result->on_a))));
    convex_align(pair, result);
}

/* ---- The distance ------------------------------------------------------------------------------------------------ */

/* Polishes bodies with rims that are apart, on the features of the simplex's points, starting near the direction n.
 * False: that gives no answer. */
bool convex_polish_apart(convex_pair *pair, const simplex *s, vec n, convex_result *result)
{
    *result = (convex_result){.low = -INFINITY, .high = INFINITY, .normal = n};
    return convex_polish(pair, *s, result) && result->low > NEAR * pair->size &&
           result->high - result->low <= pair->closed;
}

static void copy_corners(simplex *to, const simplex *from)
{
    memcpy(to->v, from->v, (size_t)from->n * sizeof *from->v);
    memcpy(to->weight, from->weight, sizeof from->weight);
    to->n = from->n;
}

bool convex_distance(convex_pair *pair, vec start, simplex *s, convex_result *result)
{
    simplex now;
    double  least = INFINITY;
    int     stalled = 0;
    double  tried = POLISH_FIRST * pair->size;
    copy_corners(&now, s);
    *result = (convex_result){.low = -INFINITY, .high = INFINITY, .normal = start};
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        const vec    v = simplex_mean(&now);
        const double square = dot(v, v);
        /* The distance is as precise as rounding allows, though the direction may still improve the lower bound. */
        if (!(square < least) && (++stalled > STALLS_MAX || !(square <= least * (1 + 1e-15))))
            break;
        copy_corners(s, &now);
        least = square;
        result->high = sqrt(square);
        if (!(result->high > pair->rounding))
            break;
        const vec    n = simplex_direction(s, v);
        const vertex next = support_of(pair, n);
        const double sep = dot(n, next.w);
        if (sep >= result->low - pair->rounding) {
            result->low = larger(result->low, sep);
            result->normal = n;
        }
        const double gap = result->high - result->low;
        if (result->low > pair->reach || gap <= pair->closed)
            break;
        convex_result polished;
        if (pair->rims && result->low > 0 && gap < tried) {
            if (convex_polish_apart(pair, s, n, &polished)) {
                *result = polished;
                result->witnessed = true;
                return true;
            }
            tried = POLISH_AGAIN * gap;
        }
        now.v[now.n++] = next;
        if (!simplex_nearest(&now)) {
            copy_corners(s, &now);
            return false;
        }
    }
    simplex_points(s, &result->on_a, &result->on_b);
    result->sep = dot(result->normal, sub(result->on_b, result->on_a));
    const bool closed = result->high - result->low <= pair->closed;
    return result->low > 0 && (closed || (pair->rims && result->low > NEAR * pair->size));
}
