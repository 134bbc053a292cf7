/* SPDX-License-Identifier: MIT */
/* polytope.c - convex hulls by qhull, and the tables of corners, edges and faces that the narrow phase walks. */
#include "shape.h"
#include "messages.h"
#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <string.h>

/* Below this many corners, looking at all of them beats walking. */
#define WALK_FROM 24u

void polytope_free(const pcm_allocator *allocator, polytope *p)
{
    geometry_release(allocator, p->corners, p->n_corners * sizeof *p->corners);
    geometry_release(allocator, p->edges, p->n_edges * sizeof *p->edges);
    geometry_release(allocator, p->faces, p->n_faces * sizeof *p->faces);
    geometry_release(allocator, p->loops, p->n_loops * sizeof *p->loops);
    geometry_release(allocator, p->ring_first, (p->n_corners + 1) * sizeof *p->ring_first);
    geometry_release(allocator, p->ring, 2 * p->n_edges * sizeof *p->ring);
    memset(p, 0, sizeof *p);
}

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

/* The plane of a face: Newell's sum, which weighs all corners, and the outermost corner. */
static void set_plane(const polytope *p, face *f)
{
    const uint32_t *loop = p->loops + f->first;
    const vec       origin = p->corners[loop[0]];
    vec             sum = {0, 0, 0};
    for (uint32_t k = 1; k + 1 < f->count; k++)
        sum = add(sum, cross(sub(p->corners[loop[k]], origin), sub(p->corners[loop[k + 1]], origin)));
    f->normal = unit_or(sum, (vec){0, 0, 1});
    f->offset = dot(f->normal, origin);
    for (uint32_t k = 1; k < f->count; k++)
        f->offset = fmax(f->offset, dot(f->normal, p->corners[loop[k]]));
}

/* Makes one edge of the two sides, one per face, that run between the same corners. */
static void join_edges(polytope *p)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < p->n_faces; f++) {
        const uint32_t *loop = p->loops + p->faces[f].first, count = p->faces[f].count;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t a = loop[k], b = loop[(k + 1) % count];
            if (a < b)
                p->edges[n++] = (edge){{a, b}, {f, NO_INDEX}};
        }
    }
}

/* Rings: the edges of each corner, by counting. */
static void fill_rings(polytope *p)
{
    for (uint32_t e = 0; e < p->n_edges; e++)
        for (int k = 0; k < 2; k++)
            p->ring_first[p->edges[e].v[k] + 1]++;
    for (uint32_t v = 0; v < p->n_corners; v++)
        p->ring_first[v + 1] += p->ring_first[v];
    for (uint32_t e = p->n_edges; e-- > 0;)
        for (int k = 0; k < 2; k++) {
            /* Counts down through the slots by using the ring_first of the corner as its next free place. */
            const uint32_t v = p->edges[e].v[k];
            p->ring[--p->ring_first[v + 1]] = e;
        }
    /* Each end has moved down to its own start: shift them back by one. */
    for (uint32_t v = 0; v < p->n_corners; v++)
        p->ring_first[v] = p->ring_first[v + 1];
    p->ring_first[p->n_corners] = 2 * p->n_edges;
}

/* The right-hand faces: the side that runs against an edge is found in the ring of its first corner. */
static bool fill_right_faces(polytope *p)
{
    uint32_t missing = p->n_edges;
    for (uint32_t f = 0; f < p->n_faces; f++) {
        const uint32_t *loop = p->loops + p->faces[f].first, count = p->faces[f].count;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t a = loop[k], b = loop[(k + 1) % count];
            for (uint32_t r = p->ring_first[b]; a > b && r < p->ring_first[b + 1]; r++) {
                edge *e = &p->edges[p->ring[r]];
                if (e->v[0] == b && e->v[1] == a && e->face[1] == NO_INDEX) {
                    e->face[1] = f;
                    missing--;
                }
            }
        }
    }
    return missing == 0;
}

static bool polytope_tables(const pcm_allocator *allocator, polytope *p)
{
    const uint32_t n_edges = p->n_faces ? p->n_loops / 2 : p->n_corners - 1;
    p->ring_first = geometry_allocate(allocator, (p->n_corners + 1) * sizeof *p->ring_first);
    if (!p->ring_first)
        return false;
    if (n_edges > 0) {
        p->edges = geometry_allocate(allocator, n_edges * sizeof *p->edges);
        p->ring = p->edges ? geometry_allocate(allocator, 2 * n_edges * sizeof *p->ring) : NULL;
        p->n_edges = p->edges ? n_edges : 0;
        if (!p->ring)
            return false;
    }
    if (p->n_faces == 0 && n_edges == 1)
        p->edges[0] = (edge){{0, 1}, {NO_INDEX, NO_INDEX}};
    else
        join_edges(p);
    fill_rings(p);
    return true;
}

bool polytope_finish(const pcm_allocator *allocator, polytope *p)
{
    if (!polytope_tables(allocator, p))
        return false;
    for (uint32_t f = 0; f < p->n_faces; f++)
        set_plane(p, &p->faces[f]);
    return p->n_faces == 0 || fill_right_faces(p);
}

uint32_t polytope_farthest(const polytope *p, vec d, uint32_t start)
{
    uint32_t best = start;
    double   reach = dot(p->corners[start], d);
    if (p->n_corners < WALK_FROM) {
        for (uint32_t i = 0; i < p->n_corners; i++) {
            const double r = dot(p->corners[i], d);
            if (r > reach) {
                reach = r;
                best = i;
            }
        }
        return best;
    }
    for (uint32_t at = NO_INDEX; at != best;) {
        at = best;
        for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1]; k++) {
            const edge    *e = &p->edges[p->ring[k]];
            const uint32_t v = e->v[0] == at ? e->v[1] : e->v[0];
            const double   r = dot(p->corners[v], d);
            if (r > reach) {
                reach = r;
                best = v;
            }
        }
    }
    return best;
}

/* ---- qhull ----------------------------------------------------------------------------------------------------- */

/* Counts what qhull found and gives every hull vertex a number, in its visitid. */
static void count_hull(qhT *qh, polytope *out)
{
    vertexT *vertex;
    facetT  *facet;
    out->n_corners = out->n_faces = out->n_loops = 0;
    FORALLvertices
        vertex->visitid = out->n_corners++;
    FORALLfacets {
        out->n_faces++;
        out->n_loops += (uint32_t)qh_setsize(qh, facet->vertices);
    }
}

/* Copies corners and loops; false when the facets do not close up, which wide merged facets may do. */
static bool copy_hull(qhT *qh, polytope *out)
{
    vertexT *vertex, **vertexp;
    facetT  *facet;
    uint32_t f = 0, k = 0;
    FORALLvertices
        out->corners[vertex->visitid] = vec_of(vertex->point);
    FORALLfacets {
        setT *loop = qh_facet3vertex(qh, facet);
        out->faces[f].first = k;
        FOREACHvertex_(loop) {
            if (k == out->n_loops)
                break;
            out->loops[k++] = vertex->visitid;
        }
        out->faces[f].count = k - out->faces[f].first;
        qh_settempfree(qh, &loop);
        f++;
    }
    return k == out->n_loops && (uint64_t)out->n_corners + out->n_faces == out->n_loops / 2 + 2;
}

static bool hull_tables(const pcm_geometry_def *def, qhT *qh, polytope *out)
{
    polytope p = {0}, counts;
    count_hull(qh, &counts);
    p.corners = geometry_allocate(&def->allocator, counts.n_corners * sizeof *p.corners);
    p.faces = geometry_allocate(&def->allocator, counts.n_faces * sizeof *p.faces);
    p.loops = geometry_allocate(&def->allocator, counts.n_loops * sizeof *p.loops);
    p.n_corners = p.corners ? counts.n_corners : 0;
    p.n_faces = p.faces ? counts.n_faces : 0;
    p.n_loops = p.loops ? counts.n_loops : 0;
    const bool memory = p.corners && p.faces && p.loops;
    if (memory && copy_hull(qh, &p) && polytope_finish(&def->allocator, &p)) {
        *out = p;
        return true;
    }
    polytope_free(&def->allocator, &p);
    if (memory)
        geometry_say(def, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "the hull of these points does not close up: some lie "
                                                           "so close together that rounding decides its shape");
    else
        geometry_say(def, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "the allocator gave no memory for a hull");
    return false;
}

/* qhull writes its complaints to a stream that leads nowhere. */
static FILE *silence(void) { return fopen("/dev/null", "w"); }

/* Points about the origin and of size 1, as qhull's own tolerances and output like them; false: they are one point. */
static bool normalise(const vec *points, size_t count, coordT *out, vec *centre, double *size)
{
    vec low = points[0], high = low;
    for (size_t i = 1; i < count; i++) {
        low = (vec){fmin(low.x, points[i].x), fmin(low.y, points[i].y), fmin(low.z, points[i].z)};
        high = (vec){fmax(high.x, points[i].x), fmax(high.y, points[i].y), fmax(high.z, points[i].z)};
    }
    *centre = scale(add(low, high), 0.5);
    *size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    if (!(*size > 0))
        return false;
    for (size_t i = 0; i < count; i++)
        vec_to(out + 3 * i, scale(sub(points[i], *centre), 1 / *size));
    return true;
}
