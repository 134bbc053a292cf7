/* SPDX-License-Identifier: MIT */
/* flats.c - the flat parts of a hull's surface: faces that would be a single face without the rounding of a file.
 *
 * The corners of a mesh file come in single precision, or with six digits. The faces of its hull are then triangles
 * whose normals differ by 1e-7, and a body lies now on one of them, now on another. Contact patches are made of whole
 * flats; everything else uses the faces themselves, which are exact. */
#include "shape.h"
#include <stdlib.h>
#include <string.h>

typedef struct ranked {
    double   area;
    uint32_t face;
} ranked;

/* Working data. */
typedef struct maker {
    polytope *p;
    ranked   *ranks;  /* n_faces entries, the largest first */
    uint32_t *queue;  /* n_faces entries */
    uint32_t *out_of; /* n_corners entries: the place in loops where the outline leaves a corner; NO_INDEX: it does not
                         pass it */
    double within;    /* m */
} maker;

static int by_area(const void *a, const void *b)
{
    const ranked *first = a, *second = b;
    if (first->area != second->area)
        return first->area < second->area ? 1 : -1;
    return (first->face > second->face) - (first->face < second->face);
}

static uint32_t beyond(const polytope *p, uint32_t edge_index, uint32_t f)
{
    const edge *e = &p->edges[edge_index];
    return e->face[0] == f ? e->face[1] : e->face[0];
}

static bool lies_on(const maker *m, uint32_t f, const face *seed)
{
    const polytope *p = m->p;
    const face     *of = &p->faces[f];
    for (uint32_t k = 0; k < of->count; k++)
        if (!(fabs(dot(seed->normal, p->corners[p->loops[of->first + k]]) - seed->offset) <= m->within))
            return false;
    return dot(of->normal, seed->normal) > 0;
}

/* Assigns the seed, and all faces around it that lie in its plane, to flat `number`. Returns how many faces these
 * are. */
static uint32_t spread(maker *m, uint32_t seed, uint32_t number)
{
    polytope *p = m->p;
    uint32_t  count = 1;
    m->queue[0] = seed;
    p->flat_of[seed] = number;
    for (uint32_t i = 0; i < count; i++) {
        const face *f = &p->faces[m->queue[i]];
        for (uint32_t k = 0; k < f->count; k++) {
            const uint32_t next = beyond(p, p->loop_edges[f->first + k], m->queue[i]);
            if (p->flat_of[next] != NO_INDEX || !lies_on(m, next, &p->faces[seed]))
                continue;
            p->flat_of[next] = number;
            m->queue[count++] = next;
        }
    }
    return count;
}

/* Records where the outline of the faces in the queue leaves each corner. Returns how many sides it has; 0: it passes a
 * corner twice. */
static uint32_t find_sides(maker *m, uint32_t count, uint32_t *start)
{
    const polytope *p = m->p;
    uint32_t        sides = 0;
    for (uint32_t i = 0; i < count; i++) {
        const face *f = &p->faces[m->queue[i]];
        for (uint32_t k = f->first; k < f->first + f->count; k++) {
            const uint32_t other = beyond(p, p->loop_edges[k], m->queue[i]);
            if (p->flat_of[other] == p->flat_of[m->queue[i]])
                continue;
            if (m->out_of[p->loops[k]] != NO_INDEX)
                return 0;
            m->out_of[p->loops[k]] = k;
            *start = p->loops[k];
            sides++;
        }
    }
    return sides;
}

static void forget_sides(maker *m, uint32_t count)
{
    const polytope *p = m->p;
    for (uint32_t i = 0; i < count; i++) {
        const face *f = &p->faces[m->queue[i]];
        for (uint32_t k = f->first; k < f->first + f->count; k++)
            m->out_of[p->loops[k]] = NO_INDEX;
    }
}

/* Writes the outline to flat_loops; false: it is not a single loop. */
static bool follow(maker *m, uint32_t start, uint32_t sides, face *flat)
{
    polytope *p = m->p;
    uint32_t  at = start;
    for (flat->count = 0; flat->count < sides; flat->count++) {
        const uint32_t k = m->out_of[at], e = p->loop_edges[k];
        p->flat_loops[flat->first + flat->count] = at;
        p->flat_edges[flat->first + flat->count] = e;
        at = p->edges[e].v[0] == at ? p->edges[e].v[1] : p->edges[e].v[0];
        if (at == start || m->out_of[at] == NO_INDEX)
            return at == start && flat->count + 1 == sides ? (flat->count++, true) : false;
    }
    return false;
}

/* Whether the outline, seen along n, is convex: no corner is beyond a side by more than the faces deviate from the
 * plane. */
static bool is_convex(const maker *m, const face *flat, vec n)
{
    const polytope *p = m->p;
    const uint32_t *loop = p->flat_loops + flat->first;
    for (uint32_t i = 0; i < flat->count; i++) {
        const vec    from = p->corners[loop[i]], run = sub(p->corners[loop[i + 1 < flat->count ? i + 1 : 0]], from);
        const vec    left = cross(n, run);
        const double beyond = -m->within * norm(left);
        for (uint32_t k = 0; k < flat->count; k++)
            if (dot(left, sub(p->corners[loop[k]], from)) < beyond)
                return false;
    }
    return true;
}

static void unreduced(polytope *p, uint32_t f, face *flat)
{
    flat->count = p->faces[f].count;
    memcpy(p->flat_loops + flat->first, p->loops + p->faces[f].first, flat->count * sizeof *p->loops);
    memcpy(p->flat_edges + flat->first, p->loop_edges + p->faces[f].first, flat->count * sizeof *p->loops);
}

/* How far the corners that are left out of patches lie outside the outline of the others. */
static double left_out(const polytope *p, const face *flat)
{
    const uint32_t *loop = p->flat_loops + flat->first, count = outline_count(flat);
    double          most = 0;
    for (uint32_t k = 0; k < count && count < flat->count; k++) {
        const uint32_t at = outline_corner(flat, k), next = k + 1 < count ? outline_corner(flat, k + 1) : flat->count;
        const vec      from = p->corners[loop[at]], to = p->corners[loop[next < flat->count ? next : 0]];
        const vec      way = unit_or(sub(to, from), flat->normal);
        for (uint32_t i = at + 1; i < next; i++)
            most = larger(most, norm(across(sub(p->corners[loop[i]], from), way)));
    }
    return most;
}

static void make_flat(maker *m, uint32_t seed)
{
    polytope      *p = m->p;
    const uint32_t number = p->n_flats++;
    face          *flat = &p->flats[number];
    const uint32_t count = spread(m, seed, number);
    uint32_t       start = 0;
    flat->first = number ? p->flats[number - 1].first + p->flats[number - 1].count : 0;
    const uint32_t sides = count > 1 ? find_sides(m, count, &start) : 0;
    const bool     merged = sides > 2 && follow(m, start, sides, flat) && is_convex(m, flat, p->faces[seed].normal);
    forget_sides(m, count);
    if (!merged) {
        for (uint32_t i = 1; i < count; i++)
            p->flat_of[m->queue[i]] = NO_INDEX;
        unreduced(p, seed, flat);
    }
    polytope_set_plane(p, p->flat_loops, flat);
    p->uneven = p->uneven || count > 1;
    p->left_out = larger(p->left_out, left_out(p, flat));
}

static void make_all(maker *m)
{
    polytope *p = m->p;
    vec       low = p->corners[0], high = low;
    for (uint32_t i = 0; i < p->n_corners; i++) {
        const vec c = p->corners[i];
        low = (vec){fmin(low.x, c.x), fmin(low.y, c.y), fmin(low.z, c.z)};
        high = (vec){fmax(high.x, c.x), fmax(high.y, c.y), fmax(high.z, c.z)};
        m->out_of[i] = NO_INDEX;
    }
    m->within = FLAT * fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    for (uint32_t f = 0; f < p->n_faces; f++) {
        m->ranks[f] = (ranked){p->faces[f].area, f};
        p->flat_of[f] = NO_INDEX;
    }
    qsort(m->ranks, p->n_faces, sizeof *m->ranks, by_area);
    for (uint32_t i = 0; i < p->n_faces; i++)
        if (p->flat_of[m->ranks[i].face] == NO_INDEX)
            make_flat(m, m->ranks[i].face);
}

/* Room for the rays at both ends of all edges, and one more for a ray that is written but not kept. */
static size_t rays_room(const polytope *p) { return (2 * (size_t)p->n_edges + 1) * sizeof *p->rays; }

static ray ray_of(const polytope *p, uint32_t corner, uint32_t k)
{
    const edge    *e = &p->edges[p->ring[k]];
    const bool     back = e->v[0] != corner;
    const vec      way = unit_or(sub(p->around[k].at, p->corners[corner]), (vec){0, 0, 1});
    const uint32_t left = p->flat_of[e->face[back]], right = p->flat_of[e->face[!back]];
    const face    *of = &p->flats[left];
    return (ray){way, of->normal, of->area / of->count, {left, right}, p->ring[k]};
}

/* Orders the rays of a corner: after each ray comes the one on the other side of the flat to its left. */
static void order_rays(ray *rays, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t k = i + 1; k < count; k++)
            if (rays[k].flat[1] == rays[i].flat[0]) {
                const ray next = rays[k];
                rays[k] = rays[i + 1];
                rays[i + 1] = next;
                break;
            }
}

static void find_rays(polytope *p)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < p->n_corners; v++) {
        p->ray_first[v] = n;
        for (uint32_t k = p->ring_first[v]; k < p->ring_first[v + 1]; k++) {
            p->rays[n] = ray_of(p, v, k);
            n += p->rays[n].flat[0] != p->rays[n].flat[1];
        }
        order_rays(p->rays + p->ray_first[v], n - p->ray_first[v]);
    }
    p->ray_first[p->n_corners] = n;
}

/* The flats of a corner are within some angle of their sum, and all of them face every direction within the complement
 * of that angle. Up to 45 degrees, these include all directions along which the corner is the farthest. For more
 * pointed corners no such direction is known. */
static outlook outlook_of(const polytope *p, uint32_t corner)
{
    outlook of = {{0, 0, 0}, INFINITY};
    double  cosine = 1;
    for (uint32_t k = p->ray_first[corner]; k < p->ray_first[corner + 1]; k++)
        of.sum = along(of.sum, p->rays[k].normal, p->rays[k].area);
    const double length = norm(of.sum);
    for (uint32_t k = p->ray_first[corner]; k < p->ray_first[corner + 1]; k++)
        cosine = fmin(cosine, dot(of.sum, p->rays[k].normal) / length);
    if (cosine * cosine > 0.5 && cosine > 0)
        of.facing = sqrt(1 - cosine * cosine) * length;
    return of;
}

bool polytope_find_flats(pcm_context *context, polytope *p)
{
    const size_t faces = p->n_faces, corners = p->n_corners, loops = p->n_loops;
    p->flats = pcm_allocate(context, faces * sizeof *p->flats);
    p->flat_of = pcm_allocate(context, faces * sizeof *p->flat_of);
    p->flat_loops = pcm_allocate(context, loops * sizeof *p->flat_loops);
    p->flat_edges = pcm_allocate(context, loops * sizeof *p->flat_edges);
    p->ray_first = pcm_allocate(context, (corners + 1) * sizeof *p->ray_first);
    p->rays = pcm_allocate(context, rays_room(p));
    p->outlooks = pcm_allocate(context, corners * sizeof *p->outlooks);
    maker      m = {.p = p,
                    .ranks = pcm_allocate(context, faces * sizeof *m.ranks),
                    .queue = pcm_allocate(context, faces * sizeof *m.queue),
                    .out_of = pcm_allocate(context, corners * sizeof *m.out_of)};
    const bool outlines = p->flats && p->flat_of && p->flat_loops && p->flat_edges;
    const bool flats = outlines && p->ray_first && p->rays && p->outlooks;
    const bool room = flats && m.ranks && m.queue && m.out_of;
    if (room) {
        make_all(&m);
        find_rays(p);
        for (uint32_t v = 0; v < p->n_corners; v++)
            p->outlooks[v] = outlook_of(p, v);
    }
    pcm_free(context, m.ranks, faces * sizeof *m.ranks);
    pcm_free(context, m.queue, faces * sizeof *m.queue);
    pcm_free(context, m.out_of, corners * sizeof *m.out_of);
    return room;
}

void polytope_free_flats(pcm_context *context, polytope *p)
{
    pcm_free(context, p->flats, p->n_faces * sizeof *p->flats);
    pcm_free(context, p->flat_of, p->n_faces * sizeof *p->flat_of);
    pcm_free(context, p->flat_loops, p->n_loops * sizeof *p->flat_loops);
    pcm_free(context, p->flat_edges, p->n_loops * sizeof *p->flat_edges);
    pcm_free(context, p->ray_first, (p->n_corners + 1) * sizeof *p->ray_first);
    pcm_free(context, p->rays, rays_room(p));
    pcm_free(context, p->outlooks, p->n_corners * sizeof *p->outlooks);
}
