/* SPDX-License-Identifier: MIT */
/* expand.c - the depth of cores that overlap or nearly touch, by EPA (expanding polytope algorithm, van den Bergen
 * 2001).
 *
 * The polytope lies within the difference b - a: its corners are support points. For a facet, n is the unit normal that
 * points inwards and c = n . corner. Once the origin is inside, the separation is at most the greatest c of all facets,
 * and at least sep(n) for any n. So the polytope grows at the facet with the greatest c, along its normal, until the
 * two bounds meet. If the bodies are apart, some sep(n) is positive and ends the search.
 *
 * A sliver, a facet whose normal is only rounding error, is left out: its points lie on its sides, which belong to its
 * neighbours too. */
#include "convex.h"

#define AGAIN_MAX 3
#define PROVING   8
#define NO_WEIGHT 1e-13

#define GROWTH_MAX  250
#define CORNERS_MAX (GROWTH_MAX + 4)
#define FACETS_MAX  (2 * CORNERS_MAX)
#define GIVEN_BACK  UINT16_MAX

/* ---- Facets ------------------------------------------------------------------------------------------------------ */

typedef struct facet {
    uint16_t v[3];    /* counter-clockwise from outside */
    uint16_t next[3]; /* the facet beyond the side from v[k] to v[k + 1] */
    uint16_t mark;    /* the growth that visited it last, or GIVEN_BACK */
    vec      n;
    double   c;
} facet;

typedef struct growing {
    convex_pair *pair;
    vertex       corners[CORNERS_MAX];
    facet        facets[FACETS_MAX];
    double       bound[FACETS_MAX];   /* c; -infinity: a sliver, not in use, or known to hold no better direction */
    uint16_t     n_corners, n_facets; /* slots in use; free ones are in `unused` */
    uint16_t     unused[FACETS_MAX], n_unused;
} growing;

/* A triangle is a needle where the square of twice its area is below this share of the fourth power of its longest
 * side. The normal of a needle is made perpendicular to the longest side a second time. */
#define NEEDLE 1e-6

/* The normal is the cross product of the two shorter sides: that of two long, nearly parallel ones would lose
 * digits. */
static void set_plane(growing *g, uint16_t index)
{
    facet       *f = &g->facets[index];
    const vec    p = g->corners[f->v[0]].w, q = g->corners[f->v[1]].w, r = g->corners[f->v[2]].w;
    const vec    pq = sub(q, p), qr = sub(r, q), rp = sub(p, r);
    const double pq2 = dot(pq, pq), qr2 = dot(qr, qr), rp2 = dot(rp, rp), longest = larger(pq2, larger(qr2, rp2));
    const vec    m = longest == pq2 ? cross(qr, rp) : longest == qr2 ? cross(rp, pq) : cross(pq, qr);
    const vec    run = longest == pq2 ? pq : longest == qr2 ? qr : rp;
    const double area2 = dot(m, m), rounding = 4 * g->pair->rounding;
    f->c = g->bound[index] = -INFINITY;
    if (!(area2 > rounding * rounding * longest))
        return;
    f->n = scale(m, -1 / sqrt(area2));
    if (area2 < NEEDLE * longest * longest)
        f->n = along(f->n, run, -dot(f->n, run) / longest);
    f->c = g->bound[index] = dot(f->n, p);
}

static bool sees(const growing *g, const facet *f, vec w)
{
    return f->c == -INFINITY || dot(f->n, w) < f->c + g->pair->rounding;
}

/* ---- A local optimum of the directions --------------------------------------------------------------------------- */

/* A local optimum with its cone. A better direction would lie beyond a facet, and its angle to the facet's normal would
 * be less than the arc cosine of the ratio of their depths. */
typedef struct summit {
    bool          known;
    convex_result result;
    double        cosine; /* the cosine of the cone, less rounding */
    bool          alone;  /* it is the global optimum */
    simplex       on;     /* the facet that led there */
    double        tried;  /* the gap between the bounds at the last try */
} summit;

static void excuse(growing *g, const summit *top, uint16_t f)
{
    const facet *at = &g->facets[f];
    if (!(at->c < 0) || g->bound[f] <= top->result.low)
        return;
    /* The cosines of both angles, and of their sum, which is below pi. */
    const double turned = smaller(dot(at->n, top->result.normal), 1), ratio = smaller(at->c / top->result.low, 1);
    const double sines = (1 - turned * turned) * (1 - ratio * ratio);
    if (turned + ratio > 0 && turned * ratio - sqrt(larger(sines, 0)) > top->cosine)
        g->bound[f] = -INFINITY;
}

/* Whether polishing gave a local optimum for bodies that overlap. */
static bool is_summit(convex_pair *pair, bool polished, summit *top)
{
    top->known = polished && top->result.low < 0 && top->result.cone > 0;
    top->cosine = cos(0.999 * top->result.cone);
    top->alone = top->known && convex_is_global_by_ball(pair, &top->result);
    return top->known;
}

/* ---- Growth ------------------------------------------------------------------------------------------------------ */

/* A side between a facet that the new corner sees and one that it does not. */
typedef struct rim_side {
    uint16_t from, to, beyond;
} rim_side;

typedef struct horizon {
    uint16_t seen[FACETS_MAX];
    rim_side sides[FACETS_MAX];
    uint16_t n_seen, n_sides;
} horizon;

/* Finds the facets around f that are visible from w, and the rim of that region. */
static void find_horizon(growing *g, uint16_t f, vec w, horizon *h)
{
    const uint16_t mark = g->n_corners;
    h->seen[0] = f;
    h->n_seen = 1;
    h->n_sides = 0;
    g->facets[f].mark = mark;
    for (uint16_t i = 0; i < h->n_seen; i++) {
        const facet *at = &g->facets[h->seen[i]];
        for (int k = 0; k < 3; k++) {
            facet *to = &g->facets[at->next[k]];
            if (to->mark == mark)
                continue;
            if (sees(g, to, w)) {
                to->mark = mark;
                h->seen[h->n_seen++] = at->next[k];
            } else {
                h->sides[h->n_sides++] = (rim_side){at->v[k], at->v[k == 2 ? 0 : k + 1], at->next[k]};
            }
        }
    }
}

/* Orders the rim's sides so that each starts where the last one ends; false: they do not form a single ring. */
static bool order_ring(horizon *h)
{
    for (uint16_t i = 1; i < h->n_sides; i++) {
        uint16_t k = i;
        while (k < h->n_sides && h->sides[k].from != h->sides[i - 1].to)
            k++;
        if (k == h->n_sides || h->sides[i - 1].to == h->sides[0].from)
            return false;
        const rim_side found = h->sides[k];
        h->sides[k] = h->sides[i];
        h->sides[i] = found;
    }
    return h->n_sides >= 3 && h->sides[h->n_sides - 1].to == h->sides[0].from;
}

static uint16_t take_facet(growing *g) { return g->n_unused ? g->unused[--g->n_unused] : g->n_facets++; }

/* Links the facet beyond a side to its new neighbour. */
static void meet(growing *g, const rim_side *side, uint16_t fresh)
{
    facet *beyond = &g->facets[side->beyond];
    beyond->next[beyond->v[0] == side->to ? 0 : beyond->v[1] == side->to ? 1 : 2] = fresh;
}

/* Replaces the facets that a new corner sees by facets from their rim to that corner; false: there is no room, or
 * rounding broke the rim. */
static bool grow(growing *g, uint16_t f, const vertex *corner, const summit *top)
{
    horizon h;
    if (g->n_corners == CORNERS_MAX)
        return false;
    find_horizon(g, f, corner->w, &h);
    if (!order_ring(&h))
        return false;
    for (uint16_t i = 0; i < h.n_seen; i++) {
        g->bound[h.seen[i]] = -INFINITY;
        g->facets[h.seen[i]].mark = GIVEN_BACK;
        g->unused[g->n_unused++] = h.seen[i];
    }
    g->corners[g->n_corners] = *corner;
    uint16_t fresh[FACETS_MAX];
    for (uint16_t i = 0; i < h.n_sides; i++)
        fresh[i] = take_facet(g);
    for (uint16_t i = 0; i < h.n_sides; i++) {
        const rim_side *side = &h.sides[i];
        const uint16_t  after = fresh[i + 1 < h.n_sides ? i + 1 : 0], before = fresh[i > 0 ? i - 1 : h.n_sides - 1];
        facet          *t = &g->facets[fresh[i]];
        *t = (facet){.v = {side->from, side->to, g->n_corners}, .next = {side->beyond, after, before}};
        set_plane(g, fresh[i]);
        if (top->known)
            excuse(g, top, fresh[i]);
        meet(g, side, fresh[i]);
    }
    g->n_corners++;
    return true;
}

static uint16_t greatest(const growing *g)
{
    uint16_t best = 0;
    double   most = g->bound[0];
    for (uint16_t f = 1; f < g->n_facets; f++) {
        best = g->bound[f] > most ? f : best;
        most = larger(g->bound[f], most);
    }
    return best;
}

/* ---- The first four corners -------------------------------------------------------------------------------------- */

/* The distance of w from the affine hull of the corners so far. */
static double off(const growing *g, vec w)
{
    const vec r = sub(w, g->corners[0].w);
    if (g->n_corners == 1)
        return norm(r);
    const vec e = sub(g->corners[1].w, g->corners[0].w);
    if (g->n_corners == 2)
        return norm(cross(r, e)) / norm(e);
    const vec m = cross(e, sub(g->corners[2].w, g->corners[0].w));
    return fabs(dot(r, m)) / norm(m);
}

static bool take_corner(growing *g, const vertex *v)
{
    if (g->n_corners > 0 && !(off(g, v->w) > 64 * g->pair->rounding))
        return false;
    g->corners[g->n_corners++] = *v;
    return true;
}

/* A direction perpendicular to the affine hull of the corners so far. */
static vec across_corners(const growing *g)
{
    if (g->n_corners == 1)
        return unit_or(g->corners[0].w, (vec){0, 0, 1});
    const vec e = sub(g->corners[1].w, g->corners[0].w);
    if (g->n_corners == 2)
        return perpendicular(unit_or(e, (vec){0, 0, 1}));
    return unit_or(cross(e, sub(g->corners[2].w, g->corners[0].w)), (vec){0, 0, 1});
}

/* Finds four corners that span a volume, those of the simplex first; false: the difference is flat. */
static bool span(growing *g, const simplex *s)
{
    for (int k = 0; k < s->n && g->n_corners < 4; k++)
        take_corner(g, &s->v[k]);
    while (g->n_corners < 4) {
        const vec u = across_corners(g);
        /* Directions to try: four around a line; for a point, any direction and its opposite; for a plane, both
         * sides. */
        const vec side = g->n_corners == 2 ? cross(unit_or(sub(g->corners[1].w, g->corners[0].w), u), u) : u;
        const vec tries[4] = {u, negate(u), side, negate(side)};
        bool      found = false;
        for (int k = 0; k < 4 && !found; k++) {
            const vertex v = support_of(g->pair, tries[k]);
            found = take_corner(g, &v);
        }
        if (!found)
            return false;
    }
    return true;
}

static void make_tetrahedron(growing *g)
{
    static const uint16_t loops[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint16_t nexts[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    const vec             p = g->corners[0].w;
    const vec             m = cross(sub(g->corners[1].w, p), sub(g->corners[2].w, p));
    if (dot(m, sub(g->corners[3].w, p)) > 0) {
        const vertex swapped = g->corners[1];
        g->corners[1] = g->corners[2];
        g->corners[2] = swapped;
    }
    for (uint16_t f = 0; f < 4; f++) {
        g->facets[f].mark = 0;
        for (int k = 0; k < 3; k++) {
            g->facets[f].v[k] = loops[f][k];
            g->facets[f].next[k] = nexts[f][k];
        }
        set_plane(g, f);
    }
    g->n_facets = 4;
}

/* ---- The answer -------------------------------------------------------------------------------------------------- */

/* The point of a facet that is nearest to the origin, as weights; returns its distance from the origin's projection
 * onto the facet's plane. */
static double weigh(const growing *g, const facet *f, simplex *s)
{
    vec p = {0, 0, 0};
    s->n = 3;
    for (int k = 0; k < 3; k++)
        s->v[k] = g->corners[f->v[k]];
    simplex_nearest(s);
    for (int k = 0; k < s->n; k++)
        p = along(p, s->v[k].w, s->weight[k]);
    return norm(across(p, f->n));
}

/* Whether a facet lies in the plane of another one. */
static bool in_plane(const growing *g, const facet *f, const facet *plane)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(dot(plane->n, g->corners[f->v[k]].w) - plane->c) <= 4 * g->pair->closed))
            return false;
    return true;
}

static facet holder_of(const growing *g, const facet *f)
{
    simplex s;
    facet   found = *f;
    double  least = weigh(g, f, &s);
    for (uint16_t i = 0; least > 64 * g->pair->rounding && i < g->n_facets; i++) {
        if (g->bound[i] == -INFINITY || !in_plane(g, &g->facets[i], f))
            continue;
        facet other = g->facets[i];
        other.n = f->n;
        other.c = f->c;
        const double beside = weigh(g, &other, &s);
        if (beside < least) {
            least = beside;
            found = other;
        }
    }
    return found;
}

/* The weights of a narrow triangle lose digits: corrects them by the distance of its point from the line along the
 * normal. Changes nothing where the point would leave the triangle. */
static void refine(simplex *s, vec n)
{
    const vec e = sub(s->v[1].w, s->v[0].w), f = sub(s->v[2].w, s->v[0].w), m = cross(e, f);
    vec       p = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        p = along(p, s->v[k].w, s->weight[k]);
    const vec    beside = across(p, n);
    const double area2 = dot(m, m), u = dot(cross(f, beside), m) / area2, v = dot(cross(beside, e), m) / area2;
    if (!(s->weight[0] - u - v >= -NO_WEIGHT && s->weight[1] + u >= -NO_WEIGHT && s->weight[2] + v >= -NO_WEIGHT))
        return;
    s->weight[0] -= u + v;
    s->weight[1] += u;
    s->weight[2] += v;
}

/* Corners with a weight of 0 stay in the simplex: they show which feature the points lie on. */
static simplex lay_on(const growing *g, const facet *f, convex_result *out)
{
    simplex s;
    weigh(g, f, &s);
    for (int k = 0; k < 2 && s.n == 3; k++)
        refine(&s, f->n);
    simplex_points(&s, &out->on_a, &out->on_b);
    s.n = 3;
    out->normal = f->n;
    out->sep = dot(f->n, sub(out->on_b, out->on_a));
    return s;
}

static void excuse_all(growing *g, const summit *top)
{
    for (uint16_t f = 0; f < g->n_facets; f++)
        if (g->bound[f] > -INFINITY)
            excuse(g, top, f);
}

/* Searches for a local optimum from a facet, once the gap between the bounds has shrunk enough since the last try. */
static void climb(growing *g, const facet *f, double low, double gap, summit *top)
{
    if (!g->pair->rims || top->known || !(gap < smaller(0.25 * top->tried, -0.5 * low)))
        return;
    top->tried = gap;
    top->result = (convex_result){.low = low, .high = INFINITY};
    top->on = lay_on(g, f, &top->result);
    if (is_summit(g->pair, convex_polish(g->pair, top->on, &top->result), top))
        excuse_all(g, top);
}

/* If the difference is flat and contains the origin, the normals of its two sides are the best directions. */
static void try_flat(const growing *g, convex_result *result)
{
    const vec u = across_corners(g);
    for (int side = 0; side < 2; side++) {
        const vec    n = side ? negate(u) : u;
        const double sep = sep_along(g->pair, n);
        if (sep > result->low) {
            result->low = sep;
            result->normal = n;
        }
    }
    result->sep = dot(result->normal, sub(result->on_b, result->on_a));
}

/* A direction is better than the local optimum: facets that the optimum had excluded count again. */
static void forget(growing *g, summit *top)
{
    top->known = false;
    for (uint16_t f = 0; f < g->n_facets; f++)
        if (g->bound[f] == -INFINITY && g->facets[f].mark != GIVEN_BACK)
            g->bound[f] = g->facets[f].c;
}

/* Grows the polytope until the bounds meet, at the outermost facet or at a local optimum, or until the iterations are
 * used up. Returns the facet of the answer, or else the best one so far, and its lower bound in *low. */
static facet outermost(growing *g, double *low, summit *top)
{
    const convex_pair *pair = g->pair;
    facet              best = {.c = -INFINITY};
    *low = -INFINITY;
    for (int step = 0; step < GROWTH_MAX; step++) {
        const uint16_t f = greatest(g);
        if (top->known && (top->alone || g->bound[f] <= top->result.low + pair->rounding))
            break;
        const facet at = g->facets[f];
        g->pair->at_a = g->corners[at.v[0]].at_a;
        g->pair->at_b = g->corners[at.v[0]].at_b;
        const vertex v = support_of(g->pair, at.n);
        const double sep = dot(at.n, v.w);
        if (sep > *low || step == 0) {
            *low = sep;
            best = at;
        }
        if (top->known && sep > top->result.low + pair->rounding) {
            forget(g, top);
            continue;
        }
        /* A facet that misses the origin by rounding alone proves no overlap. */
        if (at.c - sep <= (at.c > 0 && sep < 0 ? pair->rounding : pair->closed))
            return at;
        if (sep > pair->reach || !grow(g, f, &v, top))
            break;
        climb(g, &best, *low, at.c - *low, top);
    }
    return best;
}

/* Rounding may have led to a neighbour of the right facet: tries to polish on the features of each neighbour. */
static void polish_beside(const growing *g, const facet *f, convex_result *result)
{
    for (int k = 0; k < 3; k++) {
        convex_result beside = *result;
        if (g->bound[f->next[k]] == -INFINITY)
            continue;
        const simplex s = lay_on(g, &g->facets[f->next[k]], &beside);
        if (convex_polish(g->pair, s, &beside)) {
            *result = beside;
            return;
        }
    }
}

/* A lower bound on the depth along all directions outside half of the cone, and in *of the facet that gives it. Every
 * direction passes through some facet, and is no closer to the cone than the facet's normal allows. */
static double outer_bound_of(const growing *g, const convex_result *result, uint16_t *of)
{
    const double cosine = cos(0.5 * result->cone), sine = sin(0.5 * result->cone);
    double       least = INFINITY;
    for (uint16_t f = 0; f < g->n_facets; f++) {
        const facet *at = &g->facets[f];
        if (at->mark == GIVEN_BACK || at->c == -INFINITY)
            continue;
        const double aligned = smaller(dot(at->n, result->normal), 1);
        const double within = aligned > cosine ? cosine * aligned + sine * sqrt(1 - aligned * aligned) : 1;
        *of = -at->c < least * within ? f : *of;
        least = smaller(least, -at->c / within);
    }
    return least;
}

/* Caches the answer as a proof for the next steps, if the parts are known. A few more corners where the polytope is
 * least deep make the proof last longer. */
static void prove(growing *g, convex_result result)
{
    const summit  none = {.known = false};
    convex_cache *cache = g->pair->cache;
    uint16_t      f = 0;
    if (!cache || !(result.low < 0))
        return;
    if (cache->rest > 0) {
        cache->rest--;
        return;
    }
    if (!(result.cone > 0))
        return;
    result.cone = convex_cone(g->pair, &result);
    double bound = outer_bound_of(g, &result, &f);
    for (int k = 0; k < PROVING && bound < 2 * -result.low; k++) {
        const facet  at = g->facets[f];
        const vertex v = support_of(g->pair, at.n);
        if (at.c - dot(at.n, v.w) < -0.1 * at.c || !grow(g, f, &v, &none))
            break;
        bound = outer_bound_of(g, &result, &f);
    }
    if (bound > -result.low)
        convex_prove(g->pair, &result, bound);
}

/* The same for polytopes, whose answer needs no polish. */
static void prove_flat(growing *g, simplex s, convex_result *result)
{
    convex_cache *cache = g->pair->cache;
    convex_result polished = *result;
    if (cache && (cache->rest > 0 || convex_polish(g->pair, s, &polished)))
        prove(g, polished);
}

/* Grows the polytope and writes the result. *s: GJK's simplex if the cores are apart; becomes the simplex of the
 * answer. */
static void answer(growing *g, simplex *s, summit *top, convex_result *result)
{
    convex_pair *pair = g->pair;
    double       low;
    const facet  best = outermost(g, &low, top);
    const double high = g->bound[greatest(g)];
    if (top->known) {
        *result = top->result;
        result->high = top->alone ? result->low : larger(result->low, high);
        *s = top->on;
        convex_cache_simplex(pair, s, result->normal);
        prove(g, *result);
        return;
    }
    const facet on = holder_of(g, &best);
    if (low >= result->low - pair->closed || s->n == 4)
        *s = lay_on(g, &on, result);
    result->low = larger(result->low, low);
    result->high = smaller(result->high, high <= 0 ? high : norm(sub(result->on_b, result->on_a)));
    convex_cache_simplex(pair, s, result->normal);
    result->cone = 0;
    if (pair->rims && !convex_polish(pair, *s, result))
        polish_beside(g, &best, result);
    if (pair->rims)
        prove(g, *result);
    else
        prove_flat(g, *s, result);
}

static bool is_open(const convex_pair *pair, const convex_result *result)
{
    return result->high - result->low > pair->closed;
}

/* Takes over a local optimum that was found earlier. */
static void take_peak(convex_pair *pair, const convex_result *peak, summit *top)
{
    top->known = true;
    top->result = *peak;
    top->cosine = cos(0.999 * peak->cone);
    top->on = (simplex){.n = 1, .v = {support_of(pair, peak->normal)}, .weight = {1}};
}

/* Grows a polytope from the corners of a simplex; false: the difference is flat. */
static bool expand_from(growing *g, simplex *s, const convex_result *peak, convex_result *result)
{
    summit top = {.tried = INFINITY};
    if (peak)
        take_peak(g->pair, peak, &top);
    g->n_corners = g->n_facets = g->n_unused = 0;
    if (!span(g, s))
        return false;
    make_tetrahedron(g);
    if (top.known)
        excuse_all(g, &top);
    answer(g, s, &top, result);
    return true;
}

/* Support points along n and along three directions away from it, 120 degrees apart and rotated by the attempt. */
static void look_around(convex_pair *pair, vec n, int attempt, simplex *s)
{
    const vec p = perpendicular(n), q = cross(n, p);
    s->n = 4;
    s->v[0] = support_of(pair, n);
    for (int k = 0; k < 3; k++) {
        const double angle = 2.0943951023931953 * k + 0.7 * attempt + 0.3;
        const vec    out = add(scale(p, cos(angle)), scale(q, sin(angle)));
        s->v[k + 1] = support_of(pair, along(scale(out, 0.94280904158206336), n, -1.0 / 3));
    }
}

void convex_expand(convex_pair *pair, const simplex *from, const convex_result *peak, convex_result *result)
{
    growing g;
    simplex s = *from;
    g.pair = pair;
    if (!expand_from(&g, &s, peak, result)) {
        try_flat(&g, result);
        return;
    }
    /* If rounding broke the polytope, tries again from other support points, around the best direction so far. */
    for (int attempt = 0; attempt < AGAIN_MAX && !pair->rims && is_open(pair, result) && result->low <= 0; attempt++) {
        convex_result again = {.low = -INFINITY, .high = INFINITY};
        look_around(pair, result->normal, attempt, &s);
        if (expand_from(&g, &s, NULL, &again) && again.high - again.low < result->high - result->low)
            *result = again;
    }
    /* If the bounds have not met, the answer is the lower one, along its normal. */
    if (is_open(pair, result))
        convex_align(pair, result);
}
