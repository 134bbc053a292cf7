/* SPDX-License-Identifier: MIT */
/* proof.c - the warm start: solves on the features of the last step, with a proof that is still valid.
 *
 * The proof of an overlap is a lower bound on the depth along all directions outside a cone about the normal. That
 * bound falls by no more than the bodies have moved. As long as it exceeds the depth, and the direction stays in the
 * cone, the local optimum on the same features is the answer. */
#include "parts.h"

/* The face in whose plane a flat part of a polytope lies, both in its own axes; NULL: there is none. */
static const face *face_of(const polytope *p, const core_part *f, vec out, double tolerance)
{
    const face *best = NULL;
    double      most = 1 - 1e-12;
    for (uint32_t k = 0; k < p->n_faces && f->n_lines == 2 && f->cap <= 0; k++)
        if (dot(p->faces[k].normal, out) > most) {
            most = dot(p->faces[k].normal, out);
            best = &p->faces[k];
        }
    return best && fabs(dot(best->normal, f->at) - best->offset) <= tolerance ? best : NULL;
}

double convex_cone(convex_pair *pair, const convex_result *result)
{
    convex_cache  *cache = pair->cache;
    const placing *at = &pair->b_in_a;
    const vec      on_b = transform_back(at, result->on_b), out = rotate_back(&at->turn, negate(result->normal));
    convex_proof  *proof = &cache->proof;
    double         within = 0, least = INFINITY;
    proof->a = cache->met[0];
    proof->b = cache->met[1];
    proof->a.face = face_of(&pair->a->core, &proof->a, result->normal, 1e-13 * pair->size);
    proof->b.face = face_of(&pair->b->core, &proof->b, out, 1e-13 * pair->size);
    if (proof->a.face && part_spreads(&pair->a->core, proof->a.face, result->on_a, 0, &least))
        within = least;
    least = INFINITY;
    if (proof->b.face && part_spreads(&pair->b->core, proof->b.face, on_b, 0, &least))
        within = larger(within, least);
    return larger(result->cone, result->sep < 0 ? 2 * atan(within / -result->sep) : 0);
}

void convex_prove(const convex_pair *pair, const convex_result *result, double bound)
{
    convex_proof *proof = &pair->cache->proof;
    proof->normal = pair->cache->normal = pair->cache->ahead = result->normal;
    proof->b_in_a = pair->b_in_a;
    proof->bound = bound;
    proof->cone = result->cone;
    proof->tangent = tan(0.375 * result->cone);
    proof->cosine = cos(0.75 * result->cone);
    pair->cache->proven = true;
    pair->cache->lasted = 0;
}

/* The most bounds that are tried. */
#define BOUNDS_MAX 2

void convex_prove_by_points(convex_pair *pair, convex_result result, optimum *r)
{
    const double depth = -result.low;
    result.cone = convex_cone(pair, &result);
    r->n = result.normal;
    r->within = tan(0.5 * result.cone);
    /* At that angle the parts alone prove no more than half of depth times (1 + root). */
    double bound = smaller(2 * depth, 0.5 * depth * (1 + sqrt(1 + r->within * r->within)));
    for (int i = 0; i < BOUNDS_MAX && bound > depth; i++) {
        r->depth = bound;
        const verdict now = convex_is_global(pair, r);
        if (now == GLOBAL)
            convex_prove(pair, &result, bound - pair->rounding);
        if (now != BEATEN)
            return;
        bound = depth + 0.7 * (-sep_along(pair, r->better) - depth);
    }
}

/* The least squared sine of the angle between two edges that count as crossing. */
#define ACROSS 1e-4

/* The point of a facet of the difference over the origin: the normal, and the points on both bodies. */
typedef struct facet_point {
    vec    n, on_a, on_b;
    double sep;
} facet_point;

/* Solves for a face of one body over a corner of the other; false: the parts are others. */
static bool over_corner(const convex_pair *pair, facet_point *to)
{
    const convex_proof *proof = &pair->cache->proof;
    const bool          is_a = proof->a.face;
    const core_part    *corner = is_a ? &proof->b : &proof->a;
    const face         *f = is_a ? proof->a.face : proof->b.face;
    if (!f || corner->n_lines > 0 || corner->rim > 0)
        return false;
    const placing  *at = &pair->b_in_a;
    const polytope *p = is_a ? &pair->a->core : &pair->b->core;
    to->n = is_a ? f->normal : negate(rotate(&at->turn, f->normal));
    to->on_a = proof->a.at;
    to->on_b = transform(at, proof->b.at);
    to->sep = dot(to->n, sub(to->on_b, to->on_a));
    if (is_a)
        to->on_a = along(to->on_b, to->n, -to->sep);
    else
        to->on_b = along(to->on_a, to->n, to->sep);
    const vec foot = is_a ? to->on_a : transform_back(at, to->on_b);
    return to->sep < 0 && part_spreads(p, f, foot, -to->sep * proof->tangent, NULL);
}

/* Solves for two edges that cross; false: the parts are others. */
static bool over_edges(const convex_pair *pair, facet_point *to)
{
    const convex_proof *proof = &pair->cache->proof;
    const core_part    *a = &proof->a, *b = &proof->b;
    if (a->n_lines != 1 || b->n_lines != 1)
        return false;
    const vec    from = transform(&pair->b_in_a, b->at), w = sub(from, a->at);
    const vec    u = a->lines[0], v = rotate(&pair->b_in_a.turn, b->lines[0]), m = cross(u, v);
    const double det = dot(m, m), s = dot(cross(w, v), m) / det, t = dot(cross(w, u), m) / det, height = sqrt(det);
    const double on_u = smaller(s - a->from, a->to - s), on_v = smaller(t - b->from, b->to - t);
    to->n = scale(m, (dot(m, pair->cache->ahead) < 0 ? -1 : 1) / height);
    to->on_a = along(a->at, u, s);
    to->on_b = along(from, v, t);
    to->sep = dot(to->n, sub(to->on_b, to->on_a));
    return det > ACROSS && to->sep < 0 && smaller(on_u, on_v) * height >= -to->sep * proof->tangent;
}

bool convex_facet_warm(convex_pair *pair, convex_result *result)
{
    convex_cache       *cache = pair->cache;
    const convex_proof *proof = &cache->proof;
    facet_point         on;
    if (pair->rims || (!over_corner(pair, &on) && !over_edges(pair, &on)))
        return false;
    const vec    turned = sub(on.n, proof->normal);
    const double aside = 0.25 * proof->cone / 1.1, left = proof->bound - convex_moved_by(pair, &proof->b_in_a);
    if (!(-on.sep <= left && dot(turned, turned) <= aside * aside))
        return false;
    pair->at_a = cache->seed[0].at_a;
    pair->at_b = cache->seed[0].at_b;
    const double low = sep_along(pair, on.n);
    if (!(fabs(on.sep - low) <= pair->closed))
        return false;
    cache->ahead = unit_or(along(on.n, sub(on.n, cache->normal), 1), on.n);
    cache->normal = on.n;
    *result = (convex_result){.sep = on.sep,
                              .low = low,
                              .high = larger(low, on.sep),
                              .normal = on.n,
                              .on_a = on.on_a,
                              .on_b = on.on_b,
                              .supported = true};
    return true;
}

/* Whether a flat part contains its point, which is given in its own axes. */
static bool holds(const polytope *p, const core_part *f, vec at)
{
    return f->n_lines < 2 || (f->face ? part_spreads(p, f->face, at, 0, NULL) : f->within >= 0);
}

/* Whether the cone about n is at least three quarters of the proof's cone, by the formulas of cone_find. */
static bool has_cone(const convex_pair *pair, const core_part *a, const core_part *b, vec n, double depth)
{
    const convex_proof *proof = &pair->cache->proof;
    const double        wanted = depth * proof->tangent;
    double              reach;
    if (a->face && part_spreads(&pair->a->core, a->face, a->at, wanted, NULL))
        return true;
    if (b->face && part_spreads(&pair->b->core, b->face, transform_back(&pair->b_in_a, b->at), wanted, NULL))
        return true;
    const bool flat = cone_is_flat(a, b, &reach);
    if (flat && reach >= wanted)
        return true;
    const double least = cone_least_depth(a, b, n);
    return (least > depth && 2 * depth / least - 1 <= proof->cosine) ||
           (!flat && cone_nearby(a, b, n, depth) >= 0.75 * proof->cone);
}

/* Turns n and the parts until they face each other at the bodies' present placings. */
static bool face_warm(const convex_pair *pair, core_part *a, core_part *b, vec *n)
{
    if (!a->face && !b->face)
        return part_turn(a, b, n) && part_slide(a, b, *n, 1e-13 * pair->size);
    *n = a->face ? a->face->normal : negate(rotate(&pair->b_in_a.turn, b->face->normal));
    return part_face_along(a, *n, 0) && part_face_along(b, negate(*n), 0) && part_slide(a, b, *n, 1e-13 * pair->size);
}

static bool is_proven(convex_pair *pair, convex_result *result)
{
    convex_cache       *cache = pair->cache;
    const convex_proof *proof = &cache->proof;
    if (convex_facet_warm(pair, result))
        return true;
    core_part a = proof->a, b = part_placed(&proof->b, &pair->b_in_a);
    vec       n = cache->ahead;
    if (!face_warm(pair, &a, &b, &n) || !holds(&pair->a->core, &a, a.at) ||
        !holds(&pair->b->core, &b, transform_back(&pair->b_in_a, b.at)))
        return false;
    const vec    w = sub(b.at, a.at), turned = sub(n, proof->normal);
    const double gap = dot(n, w), aside = 0.25 * proof->cone / 1.1;
    if (!(gap > NEAR * pair->size)) {
        const double left = proof->bound - convex_moved_by(pair, &proof->b_in_a);
        if (!(gap < 0 && -gap <= left && dot(turned, turned) <= aside * aside && has_cone(pair, &a, &b, n, -gap)))
            return false;
    }
    pair->at_a = cache->seed[0].at_a;
    pair->at_b = cache->seed[0].at_b;
    const double sep = sep_along(pair, n), rounding = pair->rims ? 64 * pair->rounding : pair->closed;
    if (!(norm(across(w, n)) <= 64 * pair->rounding) || !(fabs(gap - sep) <= rounding))
        return false;
    cache->ahead = unit_or(along(n, sub(n, cache->normal), 1), n);
    cache->normal = n;
    *result =
        (convex_result){.sep = gap, .low = sep, .high = larger(sep, gap), .normal = n, .on_a = a.at, .on_b = b.at};
    if (pair->rims && gap < 0)
        result->high = sep;
    result->supported = true;
    return true;
}

/* Proofs that do not last for two steps cost more than they save, so they are made less and less often. */
bool convex_warm_start(convex_pair *pair, convex_result *result)
{
    convex_cache *cache = pair->cache;
    cache->proven = is_proven(pair, result);
    if (cache->proven) {
        cache->lasted = (uint8_t)(cache->lasted + (cache->lasted < 2));
        return true;
    }
    cache->pause = (uint8_t)(cache->lasted == 2 ? 0 : cache->pause < 31 ? 2 * cache->pause + 1 : 63);
    cache->rest = cache->pause;
    return false;
}
