/* SPDX-License-Identifier: MIT */
/* growing.h - the polytope around the origin, as expand.c grows it and again.c finds it in the next step. */
#ifndef PCM_GEOMETRY_GROWING_H
#define PCM_GEOMETRY_GROWING_H

#include "convex.h"

#define GROWTH_MAX  250
#define CORNERS_MAX (GROWTH_MAX + 4)
#define FACETS_MAX  (2 * CORNERS_MAX)
#define GIVEN_BACK  UINT16_MAX

typedef struct facet {
    uint16_t v[3];    /* counter-clockwise from outside */
    uint16_t next[3]; /* the facet beyond the side from v[k] to v[k + 1] */
    uint16_t mark;    /* the growth that saw it last, or GIVEN_BACK */
    vec      n;
    double   c;
} facet;

typedef struct growing {
    convex_pair *pair;
    vertex       corners[CORNERS_MAX];
    facet        facets[FACETS_MAX];
    double       bound[FACETS_MAX];   /* c; -infinity: a sliver, not in use, or known to bound no better */
    uint16_t     n_corners, n_facets; /* places taken; those given back are in `unused` */
    uint16_t     unused[FACETS_MAX], n_unused;
    uint16_t     n_kept; /* corners of a kept polytope that has not grown yet and need not be convex any more; else 0 */
} growing;

/* The square of twice the area, by that of the longest side's square: below it the product of two sides is not as well
 * across the longest as can be. */
#define NEEDLE 1e-6

/* The normal from the two shorter sides: the product of two long ones that are nearly parallel would lose its digits.
 */
static inline void set_plane(growing *g, uint16_t index)
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

/* Of the facets in the plane of f, that which holds the foot of the origin. */
facet growing_holder(const growing *g, const facet *f);

/* The simplex of a facet's corners, and the points and separation of the bodies there. */
simplex growing_lay_on(const growing *g, const facet *f, convex_result *out);

/* Whether the origin is inside of a facet, by at least h. */
bool growing_holds(const growing *g, const facet *f, double h);

/* The answer on facet f, where that is proven to be the nearest of those in g; what it lies on in *on and *s. */
bool growing_settles(growing *g, uint16_t f, facet *on, simplex *s, convex_result *result);

/* Notes which facets are not farther than twice the depth, for convex_near_again. */
void growing_note_near(const growing *g, double depth);

#endif
