/* SPDX-License-Identifier: MIT */
/* facets.c - the depth of polytopes that overlap, by a local search over the facets of their Minkowski difference (hill
 * climbing on the Gauss map; compare Gregorius 2013) with a proof that the optimum is global.
 *
 * A facet is made of a face of one body and a corner of the other, or of an edge of each. From a corner of each body
 * the direction turns until one corner becomes an edge and then a face, or both become edges. Where the origin's
 * projection lies outside that facet, the search moves across the side that the projection is beyond. If a local
 * optimum is not proven global (optimum.c), the search continues from a better direction. */
#include "parts.h"

#define STEPS_MAX  32
#define CLIMBS_MAX 6

/* The most corners of a face that are passed to the proof. */
enum { FACET_ENDS = 6 };

/* rad: the longest turn at once. */
#define TURN_MOST 0.7

/* Edges whose sine is less than this are parallel. */
#define PARALLEL 1e-8

/* The part that a body stands on: a corner, an edge or a face. */
typedef struct foothold {
    const polytope *core;
    const placing  *at; /* NULL: the body's axes are a's */
    stand           on;
    uint32_t        index;
    vec             from, run; /* in a's axes: a corner of the part and, for an edge, the vector to its other end */
} foothold;

typedef struct ascent {
    convex_pair *pair;
    foothold     a, b;
    vec          n;
    vec          on_a, on_b; /* the facet's points on both bodies */
    double       reach;      /* a lower bound on how far the facet extends in every direction */
} ascent;

static vec placed(const foothold *f, vec p) { return f->at ? transform(f->at, p) : p; }
static vec turned(const foothold *f, vec d) { return f->at ? rotate(&f->at->turn, d) : d; }

/* From a's axes into a body's own: the direction in which the body faces, or a turn of it. */
static vec own(const foothold *f, vec d) { return f->at ? rotate_back(&f->at->turn, negate(d)) : d; }

/* A corner of the part. */
static uint32_t corner_of(const foothold *f)
{
    const polytope *p = f->core;
    return f->on == CORNER ? f->index : f->on == EDGE ? p->edges[f->index].v[0] : p->loops[p->faces[f->index].first];
}

static void hold(foothold *f, stand on, uint32_t index)
{
    const polytope *p = f->core;
    f->on = on;
    f->index = index;
    f->from = placed(f, p->corners[corner_of(f)]);
    if (on == EDGE)
        f->run = sub(placed(f, p->corners[p->edges[index].v[1]]), f->from);
}

static void hold_farthest(ascent *c)
{
    const vertex v = support_of(c->pair, c->n);
    hold(&c->a, CORNER, v.at_a);
    hold(&c->b, CORNER, v.at_b);
}

static kink first_kink(const foothold *f, vec n, vec t)
{
    kink first = {1, f->on, 0};
    if (f->on == CORNER)
        part_leave_corner(f->core, f->index, own(f, n), own(f, t), &first);
    else
        part_leave_edge(f->core, &f->core->edges[f->index], own(f, n), own(f, t), &first);
    return first;
}

/* Turns the direction until a body first stands on a larger part, or by TURN_MOST; false: no turn increases the
 * separation. */
static bool turn_on(ascent *c)
{
    const bool   lined = c->a.on == EDGE || c->b.on == EDGE;
    const vec    w = sub(c->b.from, c->a.from), line = c->a.on == EDGE ? c->a.run : c->b.run;
    const vec    way = lined ? cross(line, c->n) : across(w, c->n);
    const double length = norm(way), most = dot(way, w) < 0 ? -TURN_MOST : TURN_MOST;
    if (!(length > 0))
        return false;
    const vec  t = scale(way, most / length);
    const kink of_a = first_kink(&c->a, c->n, t), of_b = first_kink(&c->b, c->n, t);
    const bool first = of_a.when <= of_b.when;
    const kink k = first ? of_a : of_b;
    foothold  *f = first ? &c->a : &c->b;
    c->n = unit_or(along(c->n, t, k.when), c->n);
    if (k.when < 1)
        hold(f, k.on, k.index);
    return true;
}

/* Whether the other body's point lies over the face; if not, the body moves to the side that the point is farthest
 * beyond. */
static bool over_face(ascent *c, foothold *f, const foothold *other)
{
    const polytope *p = f->core;
    const face     *on = &p->faces[f->index];
    const vec       normal = f->at ? negate(turned(f, on->normal)) : on->normal;
    const double    sep = dot(normal, sub(other->from, f->from));
    const vec       foot = along(other->from, normal, -sep), q = f->at ? transform_back(f->at, foot) : foot;
    double          least = INFINITY;
    uint32_t        side = 0;
    for (uint32_t k = on->first, last = on->first + on->count - 1; k <= last; k++) {
        const vec from = p->corners[p->loops[k]], run = sub(p->corners[p->loops[k < last ? k + 1 : on->first]], from);
        const double inside = dot(cross(on->normal, run), sub(q, from)) / norm(run);
        side = inside < least ? k : side;
        least = smaller(least, inside);
    }
    c->n = normal;
    c->reach = least;
    c->on_a = f->at ? other->from : foot;
    c->on_b = f->at ? foot : other->from;
    if (least >= 0)
        return true;
    hold(f, EDGE, p->loop_edges[side]);
    return false;
}

/* Whether two edges cross; if not, the body whose edge misses by more moves to that edge's end. */
static bool over_edges(ascent *c)
{
    const vec    u = c->a.run, v = c->b.run, m = cross(u, v), r = sub(c->b.from, c->a.from);
    const double det = dot(m, m), s = dot(cross(r, v), m) / det, t = dot(cross(r, u), m) / det;
    const double height = sqrt(det), end_s = smaller(s, 1 - s), end_t = smaller(t, 1 - t);
    c->n = scale(m, (dot(m, c->n) < 0 ? -1 : 1) / height);
    c->reach = smaller(end_s * height / norm(v), end_t * height / norm(u));
    c->on_a = along(c->a.from, u, s);
    c->on_b = along(c->b.from, v, t);
    if (end_s >= 0 && end_t >= 0)
        return true;
    foothold *f = end_s < end_t ? &c->a : &c->b;
    hold(f, CORNER, f->core->edges[f->index].v[(end_s < end_t ? s : t) > 0.5]);
    return false;
}

static bool are_parallel(const ascent *c)
{
    const vec m = cross(c->a.run, c->b.run);
    return !(dot(m, m) > PARALLEL * PARALLEL * dot(c->a.run, c->a.run) * dot(c->b.run, c->b.run));
}

/* Whether the search is at a local optimum: a facet that contains the origin's projection. */
static bool rest(ascent *c)
{
    for (int i = 0; i < STEPS_MAX; i++) {
        if (c->a.on == FACE || c->b.on == FACE) {
            if (c->a.on == FACE ? over_face(c, &c->a, &c->b) : over_face(c, &c->b, &c->a))
                return true;
        } else if (c->a.on == EDGE && c->b.on == EDGE) {
            if (are_parallel(c))
                return false;
            if (over_edges(c))
                return true;
        } else if (!turn_on(c)) {
            return false;
        }
    }
    return false;
}

/* ---- The answer -------------------------------------------------------------------------------------------------- */

static unsigned ends_of(const foothold *f, vec ends[FACET_ENDS])
{
    const polytope *p = f->core;
    ends[0] = f->from;
    if (f->on == EDGE)
        ends[1] = add(f->from, f->run);
    if (f->on != FACE)
        return f->on == EDGE ? 2 : 1;
    const face    *of = &p->faces[f->index];
    const uint32_t n = of->count < FACET_ENDS ? of->count : FACET_ENDS;
    for (uint32_t k = 1; k < n; k++)
        ends[k] = placed(f, p->corners[p->loops[of->first + (uint32_t)((uint64_t)k * of->count / n)]]);
    return n;
}

/* The corners of the facet. */
static void take_facet(const ascent *c, optimum *r)
{
    vec            of_a[FACET_ENDS], of_b[FACET_ENDS];
    const unsigned n_a = ends_of(&c->a, of_a), n_b = ends_of(&c->b, of_b);
    r->n_points = 0;
    for (unsigned i = 0; i < n_a; i++)
        for (unsigned k = 0; k < n_b && r->n_points < OPTIMUM_POINTS; k++)
            r->points[r->n_points++] = sub(of_b[k], of_a[i]);
}

/* Writes the result along the facet's normal; false: rounding decides where the points lie. */
static bool explain(const ascent *c, convex_result *result)
{
    convex_pair *pair = c->pair;
    const vec    n = c->n, w = sub(c->on_b, c->on_a);
    *result = (convex_result){.sep = dot(n, w), .normal = n, .on_a = c->on_a, .on_b = c->on_b, .supported = true};
    pair->at_a = corner_of(&c->a);
    pair->at_b = corner_of(&c->b);
    result->low = sep_along(pair, n);
    result->high = result->low + pair->closed;
    return fabs(result->sep - result->low) <= pair->closed && norm(across(w, n)) <= BESIDE * pair->size;
}

/* The part that a body stands on, in a's axes, with the point that faces the other body. */
static core_part part_of(const foothold *f, vec at, double within)
{
    const polytope *p = f->core;
    core_part       part = f->on == CORNER ? (core_part){.at = p->corners[f->index]}
                           : f->on == EDGE ? part_of_edge(p, &p->edges[f->index])
                                           : part_of_face(p, &p->faces[f->index]);
    if (f->at)
        part = part_placed(&part, f->at);
    if (f->on == FACE) {
        part.at = at;
        part.within = within;
    }
    return part;
}

/* Caches the answer, with a proof for the next steps unless proofs are pausing. */
static void keep(const ascent *c, const convex_result *result, optimum *r)
{
    convex_cache *cache = c->pair->cache;
    convex_result polished = *result;
    const simplex s = {.n = 1, .v = {support_of(c->pair, result->normal)}, .weight = {1}};
    convex_cache_simplex(c->pair, &s, result->normal);
    if (cache->rest > 0) {
        cache->rest--;
        return;
    }
    if (convex_polish_parts(c->pair, part_of(&c->a, c->on_a, c->reach), part_of(&c->b, c->on_b, c->reach), &polished))
        convex_prove_by_points(c->pair, polished, r);
}

bool convex_facets(convex_pair *pair, vec from, convex_result *result)
{
    ascent c = {.pair = pair, .a = {&pair->a->core, NULL, CORNER, 0, from, from}, .n = from};
    c.b = (foothold){&pair->b->core, &pair->b_in_a, CORNER, 0, from, from};
    if (pair->a->core.n_faces == 0 || pair->b->core.n_faces == 0)
        return false;
    for (int i = 0; i < CLIMBS_MAX; i++) {
        optimum r;
        hold_farthest(&c);
        if (dot(c.n, sub(c.b.from, c.a.from)) >= 0 || !rest(&c) || !explain(&c, result) || !(result->low < 0))
            return false;
        const uint32_t at_a = pair->at_a, at_b = pair->at_b;
        const double   spare = 0.5 * pair->closed, half = smaller(c.reach / -result->low, 0.9);
        r.n = c.n;
        r.depth = -result->low - spare;
        r.within = 2 * half / (1 - half * half);
        take_facet(&c, &r);
        const verdict now = convex_is_global(pair, &r);
        result->cone = now == UNDECIDED ? 2 * atan(c.reach / -result->low) : 0;
        result->cosine = cos(0.999 * result->cone);
        const bool settled = now == GLOBAL || (now == UNDECIDED && convex_is_global_by_ball(pair, result));
        c.n = r.better;
        if (settled && pair->cache)
            keep(&c, result, &r);
        pair->at_a = at_a;
        pair->at_b = at_b;
        if (settled || now != BEATEN)
            return settled;
    }
    return false;
}
