/* SPDX-License-Identifier: MIT */
/* join.c - tiles that lie side by side: which sides of each are covered by others that are flush with it.
 *
 * A tile keeps, for every side of every flat, how deep below that side the flat is covered by other tiles. At a side
 * that is covered all along, the two flats next to it continue in the other tile's: nothing can touch there. */
#include "bounds.h"
#include "shape.h"
#include <pcm/messages.h>

/* The sine of an angle, and a share of the size, that count as rounding of a scene's file. */
#define EVEN  1e-6
#define FLUSH 1e-6

enum { COVERS = 32 }; /* tiles at one side */

/* A side of a flat in the world's axes: from `from` along `run`, between the flat that may be covered and the next. */
typedef struct seam {
    vec    from, run, flat, next; /* run: unit; the others are the normals of the two flats */
    double length, tolerance;
} seam;

/* The stretches of a side that other tiles cover, and how deep. */
typedef struct covers {
    double   from[COVERS], to[COVERS], deep[COVERS];
    uint32_t count;
} covers;

static bool are_opposite(vec a, vec b) { return dot(a, b) < 0 && norm(cross(a, b)) < EVEN; }
static bool are_equal(vec a, vec b) { return dot(a, b) > 0 && norm(cross(a, b)) < EVEN; }

static vec corner_of(const body *b, const face *f, uint32_t k)
{
    const polytope *p = &b->geometry->core;
    return transform(&b->at, p->corners[p->flat_loops[f->first + k % f->count]]);
}

/* The flat on the other side of a flat's side k. */
static uint32_t beside(const polytope *p, const face *f, uint32_t k)
{
    const edge    *e = &p->edges[p->flat_edges[f->first + k]];
    const uint32_t own = (uint32_t)(f - p->flats), first = p->flat_of[e->face[0]];
    return first == own ? p->flat_of[e->face[1]] : first;
}

static seam seam_of(const body *b, const face *f, uint32_t k)
{
    const polytope *p = &b->geometry->core;
    const vec       from = corner_of(b, f, k), way = sub(corner_of(b, f, k + 1), from);
    return (seam){.from = from,
                  .run = unit_or(way, (vec){1, 0, 0}),
                  .flat = rotate(&b->at.turn, f->normal),
                  .next = rotate(&b->at.turn, p->flats[beside(p, f, k)].normal),
                  .length = norm(way),
                  .tolerance = FLUSH * b->geometry->size};
}

/* Adds what a flat of another tile covers of the side. */
static void cover(const seam *s, const body *other, const face *f, covers *to)
{
    const polytope *p = &other->geometry->core;
    const vec       down = unit_or(across(negate(s->next), s->flat), negate(s->next));
    double          deep = 0;
    if (!are_opposite(rotate(&other->at.turn, f->normal), s->flat) ||
        !(fabs(dot(s->flat, sub(corner_of(other, f, 0), s->from))) <= s->tolerance))
        return;
    for (uint32_t k = 0; k < f->count; k++)
        deep = larger(deep, dot(down, sub(corner_of(other, f, k), s->from)));
    for (uint32_t k = 0; k < f->count && to->count < COVERS; k++) {
        const vec    a = sub(corner_of(other, f, k), s->from), b = sub(corner_of(other, f, k + 1), s->from);
        const double from = dot(s->run, a), end = dot(s->run, b);
        if (!are_equal(rotate(&other->at.turn, p->flats[beside(p, f, k)].normal), s->next) ||
            !(fabs(dot(s->next, a)) <= s->tolerance))
            continue;
        to->from[to->count] = smaller(from, end);
        to->to[to->count] = larger(from, end);
        to->deep[to->count++] = deep;
    }
}

/* How deep the stretches together cover the whole side; 0: they leave some of it free. */
static double depth_of(const seam *s, const covers *c)
{
    double reached = 0, deep = INFINITY;
    for (uint32_t round = 0; round <= c->count && reached < s->length - s->tolerance; round++) {
        uint32_t best = NO_INDEX;
        for (uint32_t k = 0; k < c->count; k++)
            if (c->from[k] <= reached + s->tolerance && c->to[k] > reached &&
                (best == NO_INDEX || c->to[k] > c->to[best]))
                best = k;
        if (best == NO_INDEX)
            return 0;
        reached = c->to[best];
        deep = smaller(deep, c->deep[best]);
    }
    return reached >= s->length - s->tolerance ? deep : 0;
}

/* Whether some side of tile i is covered; writes all of them. */
static bool find_seams(const body *tiles, const bounds *boxes, size_t count, size_t i, double *seams)
{
    const polytope *p = &tiles[i].geometry->core;
    const bounds    near = bounds_grown(boxes[i], 2 * FLUSH * tiles[i].geometry->size);
    bool            some = false;
    for (uint32_t f = 0; f < p->n_flats; f++)
        for (uint32_t k = 0; k < p->flats[f].count; k++) {
            const seam s = seam_of(&tiles[i], &p->flats[f], k);
            covers     c = {.count = 0};
            for (size_t j = 0; j < count; j++)
                for (uint32_t g = 0; j != i && bounds_meet(&near, &boxes[j]) && g < tiles[j].geometry->core.n_flats;
                     g++)
                    cover(&s, &tiles[j], &tiles[j].geometry->core.flats[g], &c);
            seams[p->flats[f].first + k] = depth_of(&s, &c);
            some = some || seams[p->flats[f].first + k] > 0;
        }
    return some;
}

static bool join_one(pcm_context *context, const body *tiles, const bounds *boxes, size_t count, size_t i,
                     pcm_geometry **joined)
{
    const pcm_geometry *g = tiles[i].geometry;
    const size_t        sides = polytope_sides(&g->core);
    double             *seams = pcm_allocate(context, sides * sizeof *seams);
    if (!seams)
        return false;
    if (!find_seams(tiles, boxes, count, i, seams)) {
        pcm_free(context, seams, sides * sizeof *seams);
        return true;
    }
    *joined = geometry_like(context, g);
    if (*joined)
        (*joined)->seams = seams;
    else
        pcm_free(context, seams, sides * sizeof *seams);
    return *joined != NULL;
}

static void separate_all(pcm_geometry **joined, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pcm_geometry_free(joined[i]);
        joined[i] = NULL;
    }
}

bool tiles_join(pcm_context *context, const body *tiles, size_t count, pcm_geometry **joined)
{
    bounds *boxes = pcm_allocate(context, (count + 1) * sizeof *boxes);
    bool    good = boxes != NULL;
    for (size_t i = 0; i < count; i++)
        joined[i] = NULL;
    for (size_t i = 0; i < count && good; i++)
        boxes[i] = bounds_of(tiles[i].geometry, &tiles[i].at);
    for (size_t i = 0; i < count && good; i++)
        good = join_one(context, tiles, boxes, count, i, &joined[i]);
    pcm_free(context, boxes, (count + 1) * sizeof *boxes);
    if (!good)
        separate_all(joined, count);
    return good;
}

/* Puts what is no tile, or has no place, out of reach of everything else: its list of flats is empty. */
pcm_status pcm_geometry_join(pcm_context *context, const pcm_geometry *const *tiles, const pcm_pose *poses,
                             size_t count, pcm_geometry **joined)
{
    static const pcm_geometry nothing = {.kind = PCM_HULL};
    body                     *bodies = pcm_allocate(context, (count + 1) * sizeof *bodies);
    bool                      good = bodies != NULL;
    for (size_t i = 0; i < count && good; i++) {
        bodies[i] = (body){tiles[i], placing_identity()};
        if (!is_tile(tiles[i]) || !placing_of(&poses[i], &bodies[i].at))
            bodies[i].geometry = &nothing;
    }
    good = good && tiles_join(context, bodies, count, joined);
    pcm_free(context, bodies, (count + 1) * sizeof *bodies);
    for (size_t i = 0; i < count && !bodies; i++)
        joined[i] = NULL;
    if (!good)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for tiles that lie side by side");
    return good ? PCM_OK : PCM_NO_MEMORY;
}
