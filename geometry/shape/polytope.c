/* SPDX-License-Identifier: MIT */
/* polytope.c - the tables of corners, edges and faces that the narrow phase walks. */
#include "shape.h"
#include <string.h>

/* How far a corner in single precision may be off along a unit vector, as a share of its largest coordinate: ten
 * roundings of 6e-8 in a sum of up to 1.8 of that. */
#define COARSE 1.2e-6

static size_t all_quartets(const polytope *p) { return ((size_t)p->n_corners + 3) / 4; }

void polytope_free(pcm_context *context, polytope *p)
{
    polytope_free_flats(context, p);
    pcm_free(context, p->corners, p->n_corners * sizeof *p->corners);
    pcm_free(context, p->edges, p->n_edges * sizeof *p->edges);
    pcm_free(context, p->faces, p->n_faces * sizeof *p->faces);
    pcm_free(context, p->loops, p->n_loops * sizeof *p->loops);
    pcm_free(context, p->loop_edges, p->n_loops * sizeof *p->loop_edges);
    pcm_free(context, p->ring_first, (p->n_corners + 1) * sizeof *p->ring_first);
    pcm_free(context, p->ring, 2 * p->n_edges * sizeof *p->ring);
    pcm_free(context, p->around, 2 * p->n_edges * sizeof *p->around);
    pcm_free(context, p->quartets, all_quartets(p) * sizeof *p->quartets);
    memset(p, 0, sizeof *p);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

void polytope_set_plane(const polytope *p, const uint32_t *loops, face *f)
{
    const uint32_t *loop = loops + f->first;
    const vec       origin = p->corners[loop[0]];
    vec             sum = {0, 0, 0};
    for (uint32_t k = 1; k + 1 < f->count; k++)
        sum = add(sum, cross(sub(p->corners[loop[k]], origin), sub(p->corners[loop[k + 1]], origin)));
    f->normal = unit_or(sum, (vec){0, 0, 1});
    f->area = 0.5 * norm(sum);
    f->offset = dot(f->normal, origin);
    for (uint32_t k = 1; k < f->count; k++)
        f->offset = fmax(f->offset, dot(f->normal, p->corners[loop[k]]));
}

/* Joins two sides, one per face, that run between the same corners into one edge; false: more sides run one way than
 * there are edges, so the faces do not close up. */
static bool join_edges(polytope *p)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < p->n_faces; f++) {
        const uint32_t *loop = p->loops + p->faces[f].first, count = p->faces[f].count;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t a = loop[k], b = loop[(k + 1) % count];
            if (a > b)
                continue;
            if (n == p->n_edges)
                return false;
            p->loop_edges[p->faces[f].first + k] = n;
            p->edges[n++] = (edge){{a, b}, {f, NO_INDEX}};
        }
    }
    return true;
}

/* Builds the rings, the edges of each corner, by a counting sort. */
static void fill_rings(polytope *p)
{
    for (uint32_t e = 0; e < p->n_edges; e++)
        for (int k = 0; k < 2; k++)
            p->ring_first[p->edges[e].v[k] + 1]++;
    for (uint32_t v = 0; v < p->n_corners; v++)
        p->ring_first[v + 1] += p->ring_first[v];
    for (uint32_t e = p->n_edges; e-- > 0;)
        for (int k = 0; k < 2; k++) {
            const uint32_t v = p->edges[e].v[k];
            p->ring[--p->ring_first[v + 1]] = e;
        }
    /* Slot v + 1 was counted down from the end of corner v's ring to its start, which belongs into slot v. */
    for (uint32_t v = 0; v < p->n_corners; v++)
        p->ring_first[v] = p->ring_first[v + 1];
    p->ring_first[p->n_corners] = 2 * p->n_edges;
    for (uint32_t v = 0; v < p->n_corners; v++)
        for (uint32_t k = p->ring_first[v]; k < p->ring_first[v + 1]; k++) {
            const edge    *e = &p->edges[p->ring[k]];
            const uint32_t other = e->v[0] == v ? e->v[1] : e->v[0];
            p->around[k] = (neighbour){p->corners[other], other};
        }
}

/* Fills in the right-hand faces: the side that runs in the opposite direction of an edge is found in the ring of its
 * first corner. */
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
                    p->loop_edges[p->faces[f].first + k] = p->ring[r];
                    missing--;
                }
            }
        }
    }
    return missing == 0;
}

static bool polytope_tables(pcm_context *context, polytope *p)
{
    const uint32_t n_edges = p->n_faces ? p->n_loops / 2 : p->n_corners - 1;
    p->ring_first = pcm_allocate(context, (p->n_corners + 1) * sizeof *p->ring_first);
    p->loop_edges = p->n_loops ? pcm_allocate(context, p->n_loops * sizeof *p->loop_edges) : NULL;
    if (!p->ring_first || (p->n_loops && !p->loop_edges))
        return false;
    if (n_edges > 0) {
        p->edges = pcm_allocate(context, n_edges * sizeof *p->edges);
        p->ring = p->edges ? pcm_allocate(context, 2 * n_edges * sizeof *p->ring) : NULL;
        p->around = p->ring ? pcm_allocate(context, 2 * n_edges * sizeof *p->around) : NULL;
        p->n_edges = p->edges ? n_edges : 0;
        if (!p->around)
            return false;
    }
    if (p->n_faces == 0 && n_edges == 1)
        p->edges[0] = (edge){{0, 1}, {NO_INDEX, NO_INDEX}};
    else if (!join_edges(p))
        return false;
    fill_rings(p);
    return true;
}

/* Walks from corner to corner as long as a neighbour is farther along d. *next: how far the farthest neighbour of the
 * last corner is. */
static inline uint32_t walk(const polytope *p, vec d, uint32_t best, double *next)
{
    double reach = dot(p->corners[best], d);
    for (uint32_t at = NO_INDEX; at != best;) {
        at = best;
        *next = -INFINITY;
        for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1]; k++) {
            const double r = dot(p->around[k].at, d);
            best = r > reach ? p->around[k].corner : best;
            reach = larger(r, reach);
            *next = larger(r, *next);
        }
    }
    return best;
}

/* The sector of a direction: by its signs and the order of its coordinates' sizes. */
static uint32_t sector_of(vec d)
{
    const double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    return (d.x > 0) | (uint32_t)(d.y > 0) << 1 | (uint32_t)(d.z > 0) << 2 | (uint32_t)(x > y) << 3 |
           (uint32_t)(y > z) << 4 | (uint32_t)(z > x) << 5;
}

static void find_starts(polytope *p)
{
    static const double shares[3] = {0.2, 0.5, 0.84}; /* sizes of a sector's middle direction */
    for (uint32_t k = 0; k < SECTORS; k++) {
        const bool xy = k & 8, yz = k & 16, zx = k & 32;
        const vec  size = {shares[xy + !zx], shares[yz + !xy], shares[zx + !yz]};
        const vec  d = {k & 1 ? size.x : -size.x, k & 2 ? size.y : -size.y, k & 4 ? size.z : -size.z};
        double     next;
        p->starts[k] = walk(p, d, 0, &next);
    }
}

static bool fill_quartets(pcm_context *context, polytope *p)
{
    double far = 0;
    p->quartets = p->n_corners > 0 ? pcm_allocate(context, all_quartets(p) * sizeof *p->quartets) : NULL;
    for (uint32_t block = 0; block < block_count(p) && p->quartets; block++) {
        const uint32_t n = quartet_count(p, block);
        for (uint32_t k = 0; k < 4 * n; k++) {
            const uint32_t i = BLOCK * block + k;
            const vec      c = i < p->n_corners ? p->corners[i] : (vec){NAN, NAN, NAN};
            quartet       *q = &p->quartets[BLOCK / 4 * block + k % n];
            q->x[k / n] = (float)c.x;
            q->y[k / n] = (float)c.y;
            q->z[k / n] = (float)c.z;
            far = fmax(far, fmax(fabs(c.x), fmax(fabs(c.y), fabs(c.z))));
        }
    }
    p->coarse = COARSE * far;
    return p->n_corners == 0 || p->quartets;
}

bool polytope_finish(pcm_context *context, polytope *p)
{
    if (!polytope_tables(context, p))
        return false;
    for (uint32_t f = 0; f < p->n_faces; f++)
        polytope_set_plane(p, p->loops, &p->faces[f]);
    p->closed = fill_right_faces(p);
    if (p->n_faces > 0 && !(p->closed && polytope_find_flats(context, p)))
        return false;
    if (p->n_corners >= WALK_FROM)
        find_starts(p);
    return fill_quartets(context, p);
}

uint32_t polytope_peak(const polytope *p, vec d, double *around)
{
    return walk(p, d, p->n_corners >= WALK_FROM ? p->starts[sector_of(d)] : 0, around);
}

/* Whether no neighbour of a corner is farther along d. */
static bool is_farthest(const polytope *p, vec d, uint32_t corner)
{
    double around = -INFINITY;
    for (uint32_t k = p->ring_first[corner], end = p->ring_first[corner + 1]; k < end; k++)
        around = larger(around, dot(p->around[k].at, d));
    return around <= dot(p->corners[corner], d);
}

uint32_t polytope_farthest(const polytope *p, vec d, uint32_t start)
{
    if (p->n_corners >= WALK_FROM) {
        if (is_farthest(p, d, start))
            return start;
        const uint32_t other = p->starts[sector_of(d)];
        double         next;
        return walk(p, d, dot(p->corners[other], d) > dot(p->corners[start], d) ? other : start, &next);
    }
    double reach = dot(p->corners[start], d);
    for (uint32_t i = 0; i < p->n_corners; i++) {
        const double r = dot(p->corners[i], d);
        if (r > reach) {
            reach = r;
            start = i;
        }
    }
    return start;
}
