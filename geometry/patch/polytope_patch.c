/* SPDX-License-Identifier: MIT */
/* polytope_patch.c - the patch of two polytopes where a flat of one is level, or nearly so, and one of the other faces
 * it, or where an edge of each crosses the other's.
 *
 * These are the cases of patch.c with one part. Where there may be more, or rounding decides which points there are,
 * the case is left to patch.c. */
#include "patch.h"

/* The square of the sine of what is level but for rounding. */
#define LEVEL 1e-28

/* Whether its outlines lie in the planes of its flats and have all of their corners. */
static bool is_plain(const polytope *p) { return p->n_faces > 0 && !p->uneven && p->left_out <= 0; }

/* The flat at a corner that is level; NO_INDEX: none is. */
static uint32_t level_flat(const polytope *p, uint32_t at, vec n)
{
    for (uint32_t k = p->ray_first[at], end = p->ray_first[at + 1]; k < end; k++) {
        const vec normal = p->rays[k].normal;
        if (!(dot(normal, n) > 1 - 1e-12))
            continue;
        const vec tilt = cross(normal, n);
        return dot(tilt, tilt) < LEVEL ? p->rays[k].flat[0] : NO_INDEX;
    }
    return NO_INDEX;
}

/* The one flat at a corner that faces along n; false: several do in part. */
static bool facing_flat(const pcm_geometry *g, uint32_t at, vec n, choice *to)
{
    choices c;
    support_look(g, at, n, &c);
    support_choose(g, at, n, &c);
    *to = c.of[0];
    return c.count == 1;
}

/* Gives the points of a patch their presence, and what is left of `level` to the deepest, which comes first; 0: it is
 * not as deep as the bodies, or out of reach. */
static uint32_t weigh(const convex_pair *pair, const convex_result *r, double level, double area, witness *patch,
                      uint32_t count)
{
    const double reach = patch_reach(pair->reach, pair->size, r->sep);
    double       sum = 0, deepest = INFINITY;
    uint32_t     first = 0;
    for (uint32_t k = 0; k < count; k++) {
        witness *w = &patch[k];
        first = w->gap < deepest ? k : first;
        deepest = smaller(deepest, w->gap);
        w->area = level * w->share * area;
        w->share = presence(w->share, w->gap, reach, pair->size);
        sum += w->share;
    }
    if (!(fabs(deepest - r->sep) <= 1e-12 * pair->size && sum > 0))
        return 0;
    for (uint32_t k = 0; k < count; k++)
        patch[k].share *= level / sum;
    const witness w = patch[first];
    patch[first] = patch[0];
    patch[0] = w;
    patch[0].share += 1 - level;
    return count;
}

/* The same point of the bodies named the other way round. */
static witness swapped(const witness *w)
{
    return (witness){feature_swapped(w->feature), w->on_b, w->on_a, w->gap, w->share, w->area};
}

/* The patch of two flats. */
static uint32_t meet(const convex_pair *pair, const convex_result *r, const choice *of_a, const choice *of_b,
                     vec n_in_b, double level, witness *patch)
{
    const double tolerance = 1e-12 * pair->size, reach = patch_reach(pair->reach, pair->size, r->sep);
    const vec    n = r->normal;
    support      a, b;
    double       area;
    support_take(pair->a, pair->at_a, of_a, n, &a);
    support_take(pair->b, pair->at_b, of_b, n_in_b, &b);
    if (a.count < 3 || b.count < 3)
        return 0;
    support_place(&pair->b_in_a, &b);
    const bool     less = pair->a->core.flats[of_a->flat].area < pair->b->core.flats[of_b->flat].area;
    const uint32_t count = less ? clip_clearly(&b, &a, negate(n), tolerance, reach, patch, &area)
                                : clip_clearly(&a, &b, n, tolerance, reach, patch, &area);
    for (uint32_t k = 0; k < count && less; k++)
        patch[k] = swapped(&patch[k]);
    return weigh(pair, r, level, area, patch, count);
}

static bool are_plain(const convex_pair *pair) { return is_plain(&pair->a->core) && is_plain(&pair->b->core); }

uint32_t patch_of_level(const convex_pair *pair, const convex_result *r, vec n_in_b, witness *patch)
{
    choice of_a = {NO_INDEX, 1}, of_b = {NO_INDEX, 1};
    if (!are_plain(pair))
        return 0;
    of_a.flat = level_flat(&pair->a->core, pair->at_a, r->normal);
    of_b.flat = level_flat(&pair->b->core, pair->at_b, n_in_b);
    if ((of_a.flat == NO_INDEX && of_b.flat == NO_INDEX) ||
        (of_a.flat == NO_INDEX && !facing_flat(pair->a, pair->at_a, r->normal, &of_a)) ||
        (of_b.flat == NO_INDEX && !facing_flat(pair->b, pair->at_b, n_in_b, &of_b)))
        return 0;
    return meet(pair, r, &of_a, &of_b, n_in_b, 1, patch);
}

/* Whether the lines that leave the support planes least lie along each other. */
static bool lie_along(const convex_pair *pair, vec n, vec n_in_b, const choices *a, const choices *b)
{
    support of_a, of_b;
    if (!(a->alone * b->alone > 0))
        return false;
    if (!support_line(pair->a, a, n, &of_a) || !support_line(pair->b, b, n_in_b, &of_b))
        return true;
    const vec d = sub(of_a.points[1], of_a.points[0]);
    const vec e = rotate(&pair->b_in_a.turn, sub(of_b.points[1], of_b.points[0])), m = cross(d, e);
    return dot(m, m) < TILT * TILT * dot(d, d) * dot(e, e);
}

uint32_t patch_of_tilted(const convex_pair *pair, const convex_result *r, vec n_in_b, const choices *a,
                         const choices *b, witness *patch)
{
    const double level = larger(a->level, b->level);
    if (a->count != 1 || b->count != 1 || !are_plain(pair) || (level < 1 && lie_along(pair, r->normal, n_in_b, a, b)))
        return 0;
    return meet(pair, r, &a->of[0], &b->of[0], n_in_b, level, patch);
}

/* The edge that lies square to n, where no other nearly does. */
static bool square_edge(const pcm_geometry *g, const choices *c, vec n, support *s)
{
    return !c->near && !(c->steep[c->next] < ALIGNED * ALIGNED) && support_line(g, c, n, s) &&
           is_square(sub(s->points[1], s->points[0]), n);
}

bool patch_of_edges(const convex_pair *pair, const convex_result *r, vec n_in_b, const choices *a, const choices *b,
                    witness *to)
{
    const double tolerance = 1e-12 * pair->size, room = 2 * tolerance / TILT;
    support      of_a, of_b;
    if (pair->a->core.n_faces == 0 || pair->b->core.n_faces == 0 || !square_edge(pair->a, a, r->normal, &of_a) ||
        !square_edge(pair->b, b, n_in_b, &of_b))
        return false;
    const vec    from = of_a.points[0], u = sub(of_a.points[1], from);
    const vec    other = transform(&pair->b_in_a, of_b.points[0]);
    const vec    v = rotate(&pair->b_in_a.turn, sub(of_b.points[1], of_b.points[0]));
    const vec    of_u = cross(r->normal, u), of_v = cross(r->normal, v), between = sub(other, from);
    const double det = dot(of_u, v), s = -dot(of_v, between) / det, t = -dot(of_u, between) / det;
    const double uu = dot(u, u), vv = dot(v, v), end_a = smaller(s, 1 - s), end_b = smaller(t, 1 - t);
    const vec    on_a = along(from, u, s), on_b = along(other, v, t);
    const double gap = dot(r->normal, sub(on_b, on_a));
    *to = (witness){feature_of(OF_BOTH, of_a.edge[0], of_b.edge[0]), on_a, on_b, gap, 1, 0};
    return det * det > 2 * TILT * TILT * uu * vv && end_a > 0 && end_b > 0 && end_a * end_a * uu > room * room &&
           end_b * end_b * vv > room * room && fabs(gap - r->sep) <= tolerance && gap <= pair->reach;
}
