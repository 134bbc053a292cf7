/* SPDX-License-Identifier: MIT */
/* again.c - the separation of polytopes that overlap, on the facet where it was in the last step.
 *
 * The kept polytope lies within the difference of the bodies wherever its corners have moved. Where its surface is
 * nowhere nearer to the origin than the depth, and has not passed the origin on the way, it holds a ball of that
 * radius: no direction parts the bodies better. A facet that was at least `wide` off is farther than wide - moved now,
 * as no corner has moved by more. So the others alone need a look. */
#include "growing.h"
#include "parts.h"

bool growing_holds(const growing *g, const facet *f, double h)
{
    const vec    p = g->corners[f->v[0]].w;
    const vec    m = cross(sub(g->corners[f->v[1]].w, p), sub(g->corners[f->v[2]].w, p));
    const double d = dot(m, p);
    return d > 0 && d * d >= h * h * dot(m, m);
}

/* Whether facet f is proven to be the nearest of those in g, and what that says, without witnesses. */
static bool is_nearest(growing *g, uint16_t f, convex_result *result)
{
    convex_pair *pair = g->pair;
    const facet *at = &g->facets[f];
    set_plane(g, f);
    if (!(at->c < 0))
        return false;
    pair->at_a = g->corners[at->v[0]].at_a;
    pair->at_b = g->corners[at->v[0]].at_b;
    const double sep = sep_along(pair, at->n), least = -at->c - pair->closed;
    if (!(at->c - sep <= pair->closed))
        return false;
    for (uint16_t i = 0; i < g->n_facets; i++)
        if (i != f && !growing_holds(g, &g->facets[i], least))
            return false;
    *result = (convex_result){.sep = at->c, .low = sep, .high = at->c, .normal = at->n};
    pair->memory->normal = at->n;
    return true;
}

bool growing_settles(growing *g, uint16_t f, facet *on, simplex *s, convex_result *result)
{
    if (!is_nearest(g, f, result))
        return false;
    *on = growing_holder(g, &g->facets[f]);
    *s = growing_lay_on(g, on, result);
    return true;
}

void growing_note_near(const growing *g, double depth)
{
    convex_memory *memory = g->pair->memory;
    memory->wide = 2 * depth;
    memory->noted = g->pair->b_in_a;
    memory->near[0] = memory->best;
    memory->n_near = 1;
    for (uint16_t f = 0; f < g->n_facets; f++)
        if (f != memory->best && !growing_holds(g, &g->facets[f], memory->wide))
            memory->near[memory->n_near++] = (uint8_t)f;
}

/* The near facets where the bodies are now. */
static void recall_near(growing *g)
{
    const convex_memory *memory = g->pair->memory;
    uint32_t             known = 0; /* a bit for each corner */
    g->n_facets = memory->n_near;
    for (uint16_t f = 0; f < g->n_facets; f++) {
        g->bound[f] = 0;
        for (int k = 0; k < 3; k++) {
            const uint8_t corner = memory->v[memory->near[f]][k];
            g->facets[f].v[k] = corner;
            if (!(known >> corner & 1))
                g->corners[corner] = convex_vertex(g->pair, &memory->corners[corner]);
            known |= UINT32_C(1) << corner;
        }
    }
}

bool convex_near_again(convex_pair *pair, convex_result *result)
{
    convex_memory *memory = pair->memory;
    growing        g;
    if (!memory || memory->n_facets == 0 || memory->n_near == 0 || memory->rest == 0)
        return false;
    const double moved = convex_moved_by(pair, &memory->noted);
    if (!(moved < 0.49 * memory->wide))
        return false;
    g.pair = pair;
    recall_near(&g);
    if (!is_nearest(&g, 0, result) || !(memory->wide - moved >= -result->low))
        return false;
    memory->rest--;
    result->supported = true;
    return true;
}

/* ---- Proofs ------------------------------------------------------------------------------------------------------ */
