/* SPDX-License-Identifier: MIT */
/* overlap.c - the depth of cores that overlap: the largest sep(n) over all directions n.
 *
 * Between two polytopes the best direction is the normal of a face of either or is perpendicular to an edge of each.
 * Few faces and edges are tried one and all. Of many, libccd proposes directions (by its expanding polytope and its
 * portal algorithm), and from each one the faces and edges nearby are climbed to a direction that none of its
 * neighbours betters. What libccd says of depth and place is not used: sep(n) is measured anew for every candidate, so
 * that each is a true bound, and the best is exact as soon as the right face or pair of edges is met. */
#include "convex.h"
#include <ccd/ccd.h>

/* Beyond so many pairs of edges, or edges or faces of one body, libccd is asked. */
#define ALL_MAX  4096u
#define SLAB_MAX 512u

#define CLIMB_MAX 64

/* How far apart bodies with rims are pushed to measure a direction, as a share of their size. */
#define PUSH 1e-3

/* How far along a ridge its summit is looked for, in rad. */
#define RIDGE_REACH 0.02

static bool is_round(const convex_pair *pair) { return pair->a->rim > 0 || pair->b->rim > 0; }

static bool try_normal(convex_pair *pair, vec n, convex_result *best)
{
    const double sep = sep_along(pair, n);
    if (!(sep > best->sep))
        return false;
    best->sep = sep;
    best->normal = n;
    best->witnessed = false;
    return true;
}

/* ---- Candidates ------------------------------------------------------------------------------------------------ */

static vec edge_vector(const polytope *p, const edge *e) { return sub(p->corners[e->v[1]], p->corners[e->v[0]]); }

/* An edge in the axes of a: its course and its faces' normals, those of b reversed. */
typedef struct ridge {
    vec  at, along, left, right;
    bool has_faces; /* a capsule's edge has none, and all directions */
} ridge;

static ridge ridge_of_a(const polytope *a, const edge *e)
{
    ridge r = {a->corners[e->v[0]], edge_vector(a, e), {0, 0, 0}, {0, 0, 0}, e->face[0] != NO_INDEX};
    if (r.has_faces) {
        r.left = a->faces[e->face[0]].normal;
        r.right = a->faces[e->face[1]].normal;
    }
    return r;
}

static ridge ridge_of_b(const convex_pair *pair, const edge *e)
{
    const mat *turn = &pair->b_in_a.turn;
    ridge      r = ridge_of_a(&pair->b->core, e);
    return (ridge){placed(&pair->b_in_a, r.at), turned(turn, r.along), negate(turned(turn, r.left)),
                   negate(turned(turn, r.right)), r.has_faces};
}

/* Whether an edge of a and one of b make a face of the difference: the arcs that their faces' normals span on the
 * sphere, and to which their courses are perpendicular, cross. */
static bool arcs_cross(const ridge *a, const ridge *b)
{
    if (!a->has_faces || !b->has_faces)
        return true;
    const double b_left = dot(b->left, a->along), b_right = dot(b->right, a->along);
    const double a_left = dot(a->left, b->along), a_right = dot(a->right, b->along);
    return b_left * b_right < 0 && a_left * a_right < 0 && b_left * a_right > 0;
}

/* The direction perpendicular to two edges, on n's side; false for parallel ones. */
static bool edge_normal(vec ea, vec eb, vec n, vec *normal)
{
    const vec    c = cross(ea, eb);
    const double length = norm(c);
    if (!(length > 1e-10 * norm(ea) * norm(eb)))
        return false;
    *normal = scale(c, (dot(c, n) < 0 ? -1 : 1) / length);
    return true;
}

/* Candidates that a cylinder or disk brings: its axis, and with a point or edge of the other body its side. */
static bool try_round(convex_pair *pair, vec axis, vec from_axis, const polytope *other, const mat *other_turn,
                      uint32_t at, convex_result *best)
{
    bool better = try_normal(pair, axis, best);
    better |= try_normal(pair, negate(axis), best);
    const vec side = across(from_axis, axis);
    if (norm(side) > 1e-12 * pair->size) {
        better |= try_normal(pair, unit_or(side, axis), best);
        better |= try_normal(pair, unit_or(negate(side), axis), best);
    }
    for (uint32_t k = other->n_corners ? other->ring_first[at] : 0; other->n_corners && k < other->ring_first[at + 1];
         k++) {
        vec       n;
        const vec e = turned(other_turn, edge_vector(other, &other->edges[other->ring[k]]));
        if (edge_normal(axis, e, best->normal, &n))
            better |= try_normal(pair, n, best);
    }
    return better;
}

static bool try_rounds(convex_pair *pair, convex_result *best)
{
    const mat identity = placing_identity().turn, *turn = &pair->b_in_a.turn;
    const vec axis_a = {0, 0, 1}, axis_b = turned(turn, axis_a);
    bool      better = false;
    if (pair->b->rim > 0) {
        const vec on_a = support_a(pair, best->normal);
        better |= try_round(pair, axis_b, sub(pair->b_in_a.at, on_a), &pair->a->core, &identity, pair->at_a, best);
    }
    if (pair->a->rim > 0) {
        const vec on_b = support_b(pair, negate(best->normal));
        better |= try_round(pair, axis_a, on_b, &pair->b->core, turn, pair->at_b, best);
    }
    vec n;
    if (pair->a->rim > 0 && pair->b->rim > 0 && edge_normal(axis_a, axis_b, best->normal, &n))
        better |= try_normal(pair, n, best);
    return better;
}

/* The faces and pairs of edges at the two corners that bound the bodies along the best direction so far. */
static bool try_neighbours(convex_pair *pair, convex_result *best)
{
    const polytope *a = &pair->a->core, *b = &pair->b->core;
    const mat      *turn = &pair->b_in_a.turn;
    const vec       n0 = best->normal;
    bool            better = false;
    support_a(pair, n0);
    support_b(pair, negate(n0));
    const uint32_t at_a = pair->at_a, at_b = pair->at_b;
    const uint32_t a0 = a->n_corners ? a->ring_first[at_a] : 0, a1 = a->n_corners ? a->ring_first[at_a + 1] : 0;
    const uint32_t b0 = b->n_corners ? b->ring_first[at_b] : 0, b1 = b->n_corners ? b->ring_first[at_b + 1] : 0;
    for (uint32_t i = a0; i < a1 && a->n_faces; i++)
        better |= try_normal(pair, a->faces[face_at(a, at_a, i)].normal, best);
    for (uint32_t j = b0; j < b1 && b->n_faces; j++)
        better |= try_normal(pair, negate(turned(turn, b->faces[face_at(b, at_b, j)].normal)), best);
    for (uint32_t j = b0; j < b1; j++) {
        const ridge in_b = ridge_of_b(pair, &b->edges[b->ring[j]]);
        for (uint32_t i = a0; i < a1; i++) {
            const ridge in_a = ridge_of_a(a, &a->edges[a->ring[i]]);
            vec         n;
            if (arcs_cross(&in_a, &in_b) && edge_normal(in_a.along, in_b.along, n0, &n))
                better |= try_normal(pair, n, best);
        }
    }
    if (is_round(pair))
        better |= try_rounds(pair, best);
    return better;
}

static void climb_faces(convex_pair *pair, convex_result *best)
{
    for (int i = 0; i < CLIMB_MAX && try_neighbours(pair, best); i++) {
    }
}

/* For bodies with rims, where no face or edge need give the best direction. b is pushed out along n until the bodies
 * are PUSH apart; the direction m of their distance then is none worse than n, and better unless n is a best one:
 * pushed, they are apart by PUSH at least, so that sep(m) >= PUSH - (PUSH - sep(n)) n.m >= sep(n). */
static void climb_pushing(convex_pair *pair, convex_result *best)
{
    convex_result distance;
    for (int i = 0; i < CLIMB_MAX; i++) {
        const double before = best->sep;
        convex_pair  pushed = *pair;
        pushed.b_in_a.at = along(pair->b_in_a.at, best->normal, PUSH * pair->size - best->sep);
        if (!convex_distance(&pushed, &distance) || !try_normal(pair, distance.normal, best))
            break;
        climb_faces(pair, best);
        if (best->sep - before <= 1e-9 * pair->size)
            break;
    }
}

/* How sep changes as n turns by phi from n0 towards u: its slope is that of the support points' difference. */
static double slope_at(convex_pair *pair, vec n0, vec u, double phi, vec *n)
{
    *n = add(scale(n0, cos(phi)), scale(u, sin(phi)));
    const vec tangent = sub(scale(u, cos(phi)), scale(n0, sin(phi)));
    return dot(tangent, sub(support_b(pair, negate(*n)), support_a(pair, *n)));
}

/* The best direction perpendicular to an edge e: where an edge slides along a rim, sep has a ridge there, which no step
 * to either side betters. */
static bool climb_ridge(convex_pair *pair, vec e, convex_result *best)
{
    const vec d = unit_or(e, best->normal);
    if (fabs(dot(best->normal, d)) > RIDGE_REACH)
        return false;
    const vec from = unit_or(across(best->normal, d), best->normal), u = cross(d, from);
    vec       n;
    double    low = -RIDGE_REACH, high = RIDGE_REACH;
    if (!(slope_at(pair, from, u, low, &n) > 0) || !(slope_at(pair, from, u, high, &n) < 0))
        return false;
    for (int i = 0; i < 50; i++) {
        const double middle = 0.5 * (low + high);
        *(slope_at(pair, from, u, middle, &n) > 0 ? &low : &high) = middle;
    }
    return try_normal(pair, n, best);
}

static bool climb_ridges_of(convex_pair *pair, const polytope *p, const mat *turn, uint32_t at, convex_result *best)
{
    bool better = false;
    for (uint32_t k = p->n_corners ? p->ring_first[at] : 0; p->n_corners && k < p->ring_first[at + 1]; k++)
        better |= climb_ridge(pair, turned(turn, edge_vector(p, &p->edges[p->ring[k]])), best);
    return better;
}

static bool climb_ridges(convex_pair *pair, convex_result *best)
{
    const mat identity = placing_identity().turn;
    const vec axis_a = {0, 0, 1}, axis_b = turned(&pair->b_in_a.turn, axis_a);
    support_a(pair, best->normal);
    support_b(pair, negate(best->normal));
    const uint32_t at_a = pair->at_a, at_b = pair->at_b;
    bool           better = climb_ridges_of(pair, &pair->a->core, &identity, at_a, best);
    better |= climb_ridges_of(pair, &pair->b->core, &pair->b_in_a.turn, at_b, best);
    if (pair->a->half > 0)
        better |= climb_ridge(pair, axis_a, best);
    if (pair->b->half > 0)
        better |= climb_ridge(pair, axis_b, best);
    return better;
}

/* Where both bodies are curved: up the slope, which is the support points' difference across n, in steps that grow and
 * shrink with their success. */
static bool climb_slope(convex_pair *pair, convex_result *best)
{
    bool better = false;
    for (double resistance = pair->size; resistance < 1e6 * pair->size;) {
        const vec n = best->normal, w = sub(support_b(pair, negate(n)), support_a(pair, n));
        const vec step = scale(across(w, n), 1 / resistance);
        if (!(dot(step, step) > 1e-30))
            break;
        const bool won = try_normal(pair, unit_or(add(n, step), n), best);
        resistance *= won ? 0.5 : 4;
        better |= won;
    }
    return better;
}

/* Where points of the two bodies face each other along n, n is a best direction. */
static void climb_round(convex_pair *pair, convex_result *best)
{
    if (convex_facing(pair, best))
        return;
    climb_pushing(pair, best);
    bool better = true;
    for (int i = 0; i < CLIMB_MAX && better && !convex_facing(pair, best); i++) {
        better = climb_ridges(pair, best);
        better |= climb_slope(pair, best);
    }
}

static void climb(convex_pair *pair, vec seed, convex_result *best)
{
    convex_result here = {.sep = -INFINITY};
    if (!is_finite(seed) || !try_normal(pair, unit_or(seed, (vec){0, 0, 1}), &here))
        return;
    climb_faces(pair, &here);
    /* On the way to a summit that is known. */
    if (here.sep <= best->sep && dot(here.normal, best->normal) > 1 - 1e-4)
        return;
    if (is_round(pair))
        climb_round(pair, &here);
    if (here.sep > best->sep)
        *best = here;
}

/* ---- All that can be ------------------------------------------------------------------------------------------- */

/* Of two polytopes that overlap by d along n, the best direction belongs to faces or edges that lie within 2 d of the
 * bodies' ends along n: its two facing points are at most d apart, and neither body ends later than d beyond the
 * other's end. So these few are tried one and all, and the answer is the best there is. */
typedef struct slab {
    uint32_t edges[SLAB_MAX], n_edges, n_faces;
    uint32_t faces[SLAB_MAX];
} slab;

/* What of a polytope reaches to at least `from` along d, in its own axes; false: more than a slab holds. */
static bool fill_slab(const polytope *p, vec d, double from, slab *s)
{
    s->n_edges = s->n_faces = 0;
    for (uint32_t e = 0; e < p->n_edges; e++)
        if (dot(p->corners[p->edges[e].v[0]], d) >= from || dot(p->corners[p->edges[e].v[1]], d) >= from) {
            if (s->n_edges == SLAB_MAX)
                return false;
            s->edges[s->n_edges++] = e;
        }
    for (uint32_t f = 0; f < p->n_faces; f++) {
        bool reaches = false;
        for (uint32_t k = 0; k < p->faces[f].count && !reaches; k++)
            reaches = dot(p->corners[p->loops[p->faces[f].first + k]], d) >= from;
        if (reaches && s->n_faces == SLAB_MAX)
            return false;
        if (reaches)
            s->faces[s->n_faces++] = f;
    }
    return true;
}

static void try_slabs(convex_pair *pair, const slab *in_a, const slab *in_b, convex_result *best)
{
    const polytope *a = &pair->a->core, *b = &pair->b->core;
    const mat      *turn = &pair->b_in_a.turn;
    for (uint32_t i = 0; i < in_a->n_faces; i++)
        try_normal(pair, a->faces[in_a->faces[i]].normal, best);
    for (uint32_t j = 0; j < in_b->n_faces; j++)
        try_normal(pair, negate(turned(turn, b->faces[in_b->faces[j]].normal)), best);
    for (uint32_t j = 0; j < in_b->n_edges; j++) {
        const ridge rb = ridge_of_b(pair, &b->edges[in_b->edges[j]]);
        for (uint32_t i = 0; i < in_a->n_edges; i++) {
            const ridge ra = ridge_of_a(a, &a->edges[in_a->edges[i]]);
            const vec   outward = ra.has_faces ? add(ra.left, ra.right) : best->normal;
            vec         n;
            if (!arcs_cross(&ra, &rb) || !edge_normal(ra.along, rb.along, outward, &n))
                continue;
            /* Along the normal of a face of the difference, the two edges are the ends of the bodies. */
            if (!ra.has_faces || !rb.has_faces)
                try_normal(pair, negate(n), best);
            else if (dot(n, sub(rb.at, ra.at)) <= best->sep)
                continue;
            try_normal(pair, n, best);
        }
    }
}

/* False: there are too many, and nothing has been tried. */
static bool try_all(convex_pair *pair, convex_result *best)
{
    const polytope *a = &pair->a->core, *b = &pair->b->core;
    const mat      *turn = &pair->b_in_a.turn;
    const vec       n = best->normal;
    const double    d = fmax(-best->sep, 0) + 1e-9 * pair->size;
    const double    from_a = dot(n, support_a(pair, n)) - 2 * d, to_b = dot(n, support_b(pair, negate(n))) + 2 * d;
    slab            in_a, in_b;
    if (!fill_slab(a, n, from_a, &in_a) ||
        !fill_slab(b, unturned(turn, negate(n)), dot(n, pair->b_in_a.at) - to_b, &in_b) ||
        (uint64_t)in_a.n_edges * in_b.n_edges > ALL_MAX)
        return false;
    try_slabs(pair, &in_a, &in_b, best);
    /* Beside a segment lies empty space, which decides where it meets a point or a segment in its own line. */
    if (a->n_edges == 1)
        try_normal(pair, perpendicular(unit_or(edge_vector(a, a->edges), n)), best);
    if (b->n_edges == 1)
        try_normal(pair, perpendicular(unit_or(turned(turn, edge_vector(b, b->edges)), n)), best);
    return true;
}

/* ---- libccd ---------------------------------------------------------------------------------------------------- */

/* A body as libccd sees it: the pair scaled to size 1, because libccd's tolerances are lengths. */
typedef struct ccd_body {
    convex_pair *pair;
    bool         is_b;
} ccd_body;

static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    const ccd_body *body = object;
    const vec       d = vec_of(direction->v);
    const vec       p = body->is_b ? support_b(body->pair, d) : support_a(body->pair, d);
    vec_to(point->v, scale(p, 1 / body->pair->size));
}

static void ccd_centre(const void *object, ccd_vec3_t *centre)
{
    const ccd_body     *body = object;
    const pcm_geometry *g = body->is_b ? body->pair->b : body->pair->a;
    const vec           middle = scale(add(g->low, g->high), 0.5);
    const vec           p = body->is_b ? placed(&body->pair->b_in_a, middle) : middle;
    vec_to(centre->v, scale(p, 1 / body->pair->size));
}

/* libccd's default direction makes aligned boxes degenerate. */
static void ccd_skewed(const void *a, const void *b, ccd_vec3_t *direction)
{
    (void)a;
    (void)b;
    vec_to(direction->v, (vec){0.5773, 0.5821, 0.5711});
}

static void climb_from_ccd(convex_pair *pair, convex_result *best)
{
    const ccd_body a = {pair, false}, b = {pair, true};
    ccd_t          ccd;
    CCD_INIT(&ccd);
    ccd.first_dir = ccd_skewed;
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 200;
    ccd.epa_tolerance = ccd.mpr_tolerance = ccd.dist_tolerance = 1e-10;
    ccd_real_t depth;
    ccd_vec3_t direction, place;
    if (ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &place) == 0)
        climb(pair, vec_of(direction.v), best);
    if (ccdMPRPenetration(&a, &b, &ccd, &depth, &direction, &place) == 0)
        climb(pair, vec_of(direction.v), best);
}

void convex_refine(convex_pair *pair, convex_result *result)
{
    convex_result best = {.sep = -INFINITY};
    climb(pair, result->normal, &best);
    if (best.sep > sep_along(pair, result->normal))
        *result = best;
}

/* The best of all faces and axes: bodies that just touch give the others no direction. */
static vec best_face_normal(convex_pair *pair)
{
    const polytope *a = &pair->a->core, *b = &pair->b->core;
    const mat      *turn = &pair->b_in_a.turn;
    convex_result   best = {.sep = -INFINITY, .normal = {0, 0, 1}};
    const vec       axis_a = {0, 0, 1}, axis_b = turned(turn, axis_a);
    for (uint32_t f = 0; f < a->n_faces; f++)
        try_normal(pair, a->faces[f].normal, &best);
    for (uint32_t f = 0; f < b->n_faces; f++)
        try_normal(pair, negate(turned(turn, b->faces[f].normal)), &best);
    for (int k = 0; k < 2; k++) {
        if (pair->a->rim > 0)
            try_normal(pair, k ? axis_a : negate(axis_a), &best);
        if (pair->b->rim > 0)
            try_normal(pair, k ? axis_b : negate(axis_b), &best);
    }
    return best.normal;
}

void convex_overlap(convex_pair *pair, convex_result *result)
{
    convex_result best = {.sep = -INFINITY, .normal = result->normal};
    climb(pair, result->normal, &best);
    if (is_round(pair) || !try_all(pair, &best)) {
        climb(pair, best_face_normal(pair), &best);
        climb(pair, add(pair->b_in_a.at, scale(add(pair->b->low, pair->b->high), 0.5)), &best);
        climb_from_ccd(pair, &best);
    }
    /* Polytopes that nearly touch may do so with their corners: then the direction between those is the best. With
     * rims, the distance was but an upper bound. */
    const double bound = !result->witnessed ? -INFINITY
                         : is_round(pair)   ? sep_along(pair, result->normal)
                                            : result->sep - 1e-13 * pair->size;
    if (best.sep >= bound)
        *result = best;
}
