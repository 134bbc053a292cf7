/* SPDX-License-Identifier: MIT */
/* polish.c - refines the direction and the points of bodies with rims to full precision, by Newton's method.
 *
 * Along the best direction, the difference of two points of the bodies is parallel to that direction. The last facet or
 * simplex shows which features the points lie on: a corner, a line, a rim, a side or a flat face. A line keeps the
 * direction perpendicular to itself, a flat face determines it, and on a rim the point moves round as the direction
 * turns. */
#include "parts.h"

/* Whether two of the points are so far apart on the rim that they span a cap. */
static bool is_wide(const vec *p, int n, double rim)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (p[i].x * p[k].x + p[i].y * p[k].y < 0.99 * rim * rim)
                return true;
    return false;
}

/* The rim, side or cap of a round core that contains the points, in its own axes. */
static core_part round_feature(const pcm_geometry *g, const vec *p, int n, vec mean, bool cap)
{
    core_part f = {.at = mean, .axis = {0, 0, 1}};
    double    low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        low = smaller(low, p[k].z);
        high = larger(high, p[k].z);
    }
    if (cap) {
        f.n_lines = 2;
        f.cap = g->rim;
        f.centre.z = mean.z;
        f.lines[0] = (vec){1, 0, 0};
        f.lines[1] = (vec){0, 1, 0};
        return f;
    }
    f.rim = g->rim;
    f.centre.z = mean.z;
    if (g->half > 0 && high - low > g->half) {
        f.lines[f.n_lines++] = f.axis;
        f.from = -g->half - mean.z;
        f.to = g->half - mean.z;
    }
    return f;
}

static double from_line(vec x, vec p, vec q) { return norm(cross(sub(q, p), sub(x, p))) / norm(sub(q, p)); }

/* The corner, edge or face of a polytope that has the points as corners. */
static core_part flat_feature(const vec *p, int n, vec mean)
{
    core_part f = {.at = mean};
    vec       first = p[0], second = first;
    for (int k = 1; k < n; k++) {
        const vec d = sub(p[k], first);
        if (!(dot(d, d) > 0))
            continue;
        if (f.n_lines == 0) {
            f.lines[f.n_lines++] = unit_or(d, d);
            second = p[k];
        } else if (dot(sub(p[k], second), sub(p[k], second)) > 0) {
            f.lines[f.n_lines++] = unit_or(across(d, f.lines[0]), d);
        }
    }
    if (f.n_lines == 2)
        f.within =
            smaller(from_line(mean, p[0], p[1]), smaller(from_line(mean, p[1], p[2]), from_line(mean, p[2], p[0])));
    if (f.n_lines == 1) {
        f.from = -dot(sub(mean, first), f.lines[0]);
        f.to = f.from + norm(sub(second, first));
    }
    return f;
}

/* The points of a simplex that belong to one body, in its own axes. */
typedef struct laid {
    const pcm_geometry *geometry;
    const placing      *at; /* NULL: the body's axes are a's */
    vec                 p[3], mean;
    int                 n;
    bool                capped, level; /* whether they may lie on a cap, and whether their shape suggests it */
} laid;

static void lay(const simplex *s, bool of_b, vec normal, laid *l)
{
    vec    mean = {0, 0, 0};
    double sum = 0;
    l->n = s->n;
    for (int k = 0; k < s->n; k++) {
        const vec p = of_b ? transform_back(l->at, s->v[k].b) : s->v[k].a;
        mean = along(mean, p, s->weight[k]);
        sum += s->weight[k];
        l->p[k] = p;
    }
    l->mean = scale(mean, 1 / sum);
    const vec  axis = l->at ? (vec){l->at->turn.row[0].z, l->at->turn.row[1].z, l->at->turn.row[2].z} : (vec){0, 0, 1};
    const bool round = l->geometry->rim > 0, wide = round && is_wide(l->p, l->n, l->geometry->rim);
    const bool axial = fabs(dot(axis, normal)) > 0.99;
    l->capped = round && (wide || axial);
    l->level = wide && axial;
}

static core_part feature_part(const laid *l, bool cap)
{
    const pcm_geometry *g = l->geometry;
    core_part           f = g->rim > 0 ? round_feature(g, l->p, l->n, l->mean, cap) : flat_feature(l->p, l->n, l->mean);
    if (!l->at)
        return f;
    f.at = transform(l->at, f.at);
    f.centre = transform(l->at, f.centre);
    f.axis = rotate(&l->at->turn, f.axis);
    for (int k = 0; k < f.n_lines; k++)
        f.lines[k] = rotate(&l->at->turn, f.lines[k]);
    return f;
}

/* Only one triangle of the face is known: outside of that triangle the point must still lie in the body. */
static bool is_on(const laid *on, const core_part *f, vec out, double tolerance)
{
    const vec p = along(f->at, out, -tolerance);
    outside   beyond;
    return f->n_lines < 2 || f->within >= -tolerance ||
           (f->cap <= 0 && convex_outside(on->geometry, on->at ? transform_back(on->at, p) : p, &beyond) &&
            beyond.sep <= tolerance);
}

/* Writes the result for these parts; false: the parts do not yield it. */
static bool explain(convex_pair *pair, const core_part *a, const core_part *b, vec n, convex_result *result)
{
    const vec    w = sub(b->at, a->at);
    const double sep = sep_along(pair, n), rounding = 64 * pair->rounding;
    if (!(sep >= result->low - pair->closed) || !(norm(across(w, n)) <= rounding) ||
        !(fabs(dot(n, w) - sep) <= rounding))
        return false;
    result->normal = n;
    result->on_a = a->at;
    result->on_b = b->at;
    result->sep = dot(n, w);
    result->low = larger(result->low, sep);
    result->high = smaller(result->high, norm(w));
    cone_find(a, b, result);
    return true;
}

static void note(const convex_pair *pair, const core_part *a, const core_part *b)
{
    convex_cache *cache = pair->cache;
    if (!cache)
        return;
    const placing here = placing_identity(), back = placing_relative(&pair->b_in_a, &here);
    cache->met[0] = *a;
    cache->met[1] = part_placed(b, &back);
}

/* False: these features do not yield the result. */
static bool polish_on(convex_pair *pair, const laid *on_a, const laid *on_b, bool cap_a, bool cap_b,
                      convex_result *result)
{
    const double    tolerance = 1e-13 * pair->size;
    const core_part from_a = feature_part(on_a, cap_a), from_b = feature_part(on_b, cap_b);
    core_part       a = from_a, b = from_b;
    vec             n = result->normal;
    if (!part_turn(&a, &b, &n) || !part_slide(&a, &b, n, tolerance) || !is_on(on_a, &a, n, tolerance) ||
        !is_on(on_b, &b, negate(n), tolerance) || !explain(pair, &a, &b, n, result))
        return false;
    note(pair, &from_a, &from_b);
    return true;
}

bool convex_polish_parts(convex_pair *pair, core_part a, core_part b, convex_result *result)
{
    const double    tolerance = 1e-13 * pair->size;
    const core_part from_a = a, from_b = b;
    vec             n = result->normal;
    if (!part_turn(&a, &b, &n) || !part_slide(&a, &b, n, tolerance) || (a.n_lines == 2 && !(a.within >= -tolerance)) ||
        (b.n_lines == 2 && !(b.within >= -tolerance)) || !explain(pair, &a, &b, n, result))
        return false;
    note(pair, &from_a, &from_b);
    return true;
}

void convex_align(convex_pair *pair, convex_result *result)
{
    const vec    n = result->normal, middle = scale(add(result->on_a, result->on_b), 0.5);
    const double highest = dot(n, support_a(pair, n));
    result->sep = result->low;
    result->on_a = along(middle, n, highest - dot(n, middle));
    result->on_b = along(middle, n, highest + result->low - dot(n, middle));
}

static void drop_lightest(simplex *s)
{
    int lightest = 0;
    for (int k = 1; k < s->n; k++)
        if (s->weight[k] < s->weight[lightest])
            lightest = k;
    s->n--;
    s->v[lightest] = s->v[s->n];
    s->weight[lightest] = s->weight[s->n];
}

/* Points far apart on a rim may span a cap or, early in a search, lie on the rim. A single point may lie on either
 * where the normal is near the axis. Points with little weight may lie on another feature and are dropped one by
 * one. */
bool convex_polish(convex_pair *pair, simplex s, convex_result *result)
{
    laid a = {.geometry = pair->a}, b = {.geometry = pair->b, .at = &pair->b_in_a};
    for (; s.n > 0; drop_lightest(&s)) {
        lay(&s, false, result->normal, &a);
        lay(&s, true, result->normal, &b);
        for (int k = 0; k < 4; k++) {
            const bool other_a = k & 1, other_b = k & 2;
            if ((a.capped || !other_a) && (b.capped || !other_b) &&
                polish_on(pair, &a, &b, a.level != other_a, b.level != other_b, result))
                return true;
        }
    }
    return false;
}
