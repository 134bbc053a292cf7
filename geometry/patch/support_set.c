/* SPDX-License-Identifier: MIT */
/* support_set.c - the parts of a body that face along a normal: flats, caps and sides that are level or nearly so,
 * lines and points.
 *
 * As the normal turns, weight moves from one set to another, so that the patch changes continuously. Two flats at an
 * edge are weighted by their tilt; all others have a weight of 0 while that edge lies in the support plane. */
#include "patch.h"
#include <string.h>

/* A face is too steep for a patch if the cosine of its angle to the normal is below this. */
#define STEEP 0.1

/* As a share of the heaviest face's weight: faces above this take part in the patch. */
#define NEARLY 0.9

/* The squared sine of a tilt up to which a face is level within rounding. */
#define LEVEL 1e-24

/* A tilt below this counts as level. */
#define STRAIGHT 1e-13

static void take_flat(const polytope *p, const face *f, support *s)
{
    s->count = outline_count(f);
    s->normal = f->normal;
    for (uint32_t k = 0; k < s->count; k++) {
        const uint32_t at = f->first + outline_corner(f, k);
        s->corner[k] = p->flat_loops[at];
        s->edge[k] = p->flat_edges[at];
        s->points[k] = p->corners[s->corner[k]];
    }
}

static void take_edge(const polytope *p, uint32_t e, support *s)
{
    s->count = 2;
    s->edge[0] = s->edge[1] = e;
    for (int k = 0; k < 2; k++) {
        s->corner[k] = p->edges[e].v[k];
        s->points[k] = p->corners[s->corner[k]];
    }
}

double support_level(double sine) { return larger(smaller(1 + STRAIGHT - sine / TILT, 1), 0); }

static const ray *rays_at(const polytope *p, uint32_t at) { return p->rays + p->ray_first[at]; }

static bool is_of(const ray *r, uint32_t flat) { return r->flat[0] == flat || r->flat[1] == flat; }

/* A sort key: the bits of a positive number, with k in its last digits. The least of several keys can be found without
 * branches, which would be mispredicted. */
static uint64_t key_of(double steep, uint32_t k)
{
    uint64_t bits;
    memcpy(&bits, &steep, sizeof bits);
    return (bits & ~(uint64_t)(RAYS_MAX - 1)) | k;
}

/* How steeply the rays of a corner leave the support plane, if there are not too many, and whether a set may be
 * level. */
static void look_at_rays(const polytope *p, uint32_t at, vec n, choices *c)
{
    const ray     *rays = rays_at(p, at);
    const uint32_t count = p->ray_first[at + 1] - p->ray_first[at];
    double         looks = -1;
    uint64_t       least = UINT64_MAX, next = UINT64_MAX;
    c->n_rays = count > 2 && count <= RAYS_MAX ? count : 0;
    for (uint32_t k = 0; k < c->n_rays; k++) {
        const double   drop = larger(-dot(n, rays[k].way), 0), steep = drop * drop;
        const uint64_t key = key_of(steep, k), more = key > least ? key : least;
        next = more < next ? more : next;
        least = key < least ? key : least;
        looks = larger(looks, dot(rays[k].normal, n));
        c->steep[k] = steep;
    }
    c->least = c->n_rays > 0 ? least % RAYS_MAX : 0;
    c->next = c->n_rays > 0 ? next % RAYS_MAX : 0;
    c->near = c->n_rays == 0 || looks * looks > 1 - 1.01 * TILT * TILT;
    if (c->n_rays > 0) {
        c->line = rays[c->least].edge;
        c->alone = c->steep[c->next] > 0 ? larger(1 - c->steep[c->least] / c->steep[c->next], 0) : 0;
    }
}

void support_look(const pcm_geometry *g, uint32_t at, vec n, choices *c)
{
    c->line = NO_INDEX;
    c->alone = g->rim > 0 ? support_level(fabs(n.z)) : g->core.n_edges == 1;
    c->near = g->rim > 0 && n.x * n.x + n.y * n.y < TILT * TILT;
    if (g->rim <= 0 && g->core.n_faces > 0)
        look_at_rays(&g->core, at, n, c);
}

/* The squared sine of a flat's tilt; infinite for a flat that faces the other way. */
static double tilt_of(vec normal, vec n)
{
    const double looks = dot(normal, n);
    return looks > 0 ? larger(1 - looks * looks, LEVEL) : INFINITY;
}

/* The weight of the flat on the left of ray k at a corner: the smaller its tilt, the greater; 0 while an edge of other
 * flats lies in the support plane. So if an edge lies in the support plane, only its two flats have a weight, and the
 * weights are the same at both ends of the edge. */
static double weight_of(const ray *rays, const choices *c, uint32_t k, double tilt)
{
    const double own = smaller(c->steep[k], c->steep[k + 1 < c->n_rays ? k + 1 : 0]);
    double       others = 1;
    for (uint32_t i = 0; i < c->n_rays; i++)
        others = smaller(others, is_of(&rays[i], rays[k].flat[0]) ? 1 : c->steep[i]);
    return others / ((own + others) * tilt);
}

static void put_choice(choices *c, uint32_t flat, double weight)
{
    if (weight > 0 && c->count < CHOICES_MAX)
        c->of[c->count++] = (choice){flat, weight};
}

/* Finds the flats of a corner that are nearly as heavy as the heaviest, so that weight moves continuously between them.
 * The tilt alone bounds the weight, so flats that are too light by their tilt are skipped. */
static void weigh_flats(const ray *rays, vec n, choices *c)
{
    double   tilts[RAYS_MAX], weights[RAYS_MAX];
    uint32_t top = 0;
    tilts[0] = tilt_of(rays[0].normal, n);
    for (uint32_t k = 1; k < c->n_rays; k++) {
        tilts[k] = tilt_of(rays[k].normal, n);
        top = tilts[k] < tilts[top] ? k : top;
    }
    double most = weights[top] = weight_of(rays, c, top, tilts[top]);
    for (uint32_t k = 0; k < c->n_rays; k++) {
        if (k != top)
            weights[k] = NEARLY * most * tilts[k] < 1 ? weight_of(rays, c, k, tilts[k]) : 0;
        most = larger(most, weights[k]);
    }
    for (uint32_t k = 0; k < c->n_rays; k++)
        put_choice(c, rays[k].flat[0], weights[k] - NEARLY * most);
}

static void choose_flats(const polytope *p, uint32_t at, vec n, choices *c)
{
    const ray *rays = rays_at(p, at), *first = &rays[c->least], *second = &rays[c->next];
    double     sum = 0;
    if (c->n_rays && c->steep[c->next] < LEVEL && (is_of(second, first->flat[0]) || is_of(second, first->flat[1]))) {
        put_choice(c, first->flat[!is_of(second, first->flat[0])], 1);
    } else if (c->n_rays && c->steep[c->least] < LEVEL) {
        const double left = 1 / tilt_of(p->flats[first->flat[0]].normal, n),
                     right = 1 / tilt_of(p->flats[first->flat[1]].normal, n);
        put_choice(c, first->flat[0], left - NEARLY * larger(left, right));
        put_choice(c, first->flat[1], right - NEARLY * larger(left, right));
    } else if (c->n_rays) {
        weigh_flats(rays, n, c);
    }
    if (c->count == 0)
        put_choice(c, p->flat_of[face_at(p, at, p->ring_first[at])], 1);
    for (uint32_t k = 0; k < c->count; k++)
        sum += c->of[k].weight;
    for (uint32_t k = 0; k < c->count; k++) {
        const vec normal = p->flats[c->of[k].flat].normal;
        c->of[k].weight /= sum;
        c->level += dot(normal, n) > 0 ? c->of[k].weight * support_level(norm(cross(normal, n))) : 0;
    }
}

static void choose_round(vec n, choices *c)
{
    const double radial2 = n.x * n.x + n.y * n.y, steep = n.z * n.z, most = larger(radial2, steep);
    const double cap = larger(steep - NEARLY * most, 0), around = larger(radial2 - NEARLY * most, 0);
    if (cap > 0)
        c->of[c->count++] = (choice){CAP, cap / (cap + around)};
    if (around > 0)
        c->of[c->count++] = (choice){SIDE, around / (cap + around)};
    c->level = cap / (cap + around) * support_level(sqrt(radial2));
}

void support_choose(const pcm_geometry *g, uint32_t at, vec n, choices *c)
{
    c->count = 0;
    c->level = 0;
    if (g->rim > 0)
        choose_round(n, c);
    else if (g->core.n_faces > 0)
        choose_flats(&g->core, at, n, c);
    else
        c->of[c->count++] = (choice){NO_INDEX, 1};
}

static void take_cap(const pcm_geometry *g, vec n, support *s)
{
    s->count = 0;
    s->axis = s->normal = (vec){0, 0, n.z < 0 ? -1 : 1};
    s->centre = scale(s->axis, g->half);
    s->rim = g->rim;
}

/* Takes the side of a round core, or the point of its rim. */
static void take_side(const pcm_geometry *g, vec n, bool whole, support *s)
{
    const double radial = sqrt(n.x * n.x + n.y * n.y);
    const vec    foot = {g->rim * n.x / radial, g->rim * n.y / radial, 0};
    s->count = whole && g->half > 0 ? 2 : 1;
    for (uint32_t k = 0; k < s->count; k++) {
        const double z = s->count == 2 ? (k == 0 ? -g->half : g->half) : (n.z < 0 ? -g->half : g->half);
        s->points[k] = (vec){foot.x, foot.y, z};
        s->corner[k] = RIM_NAME + (z < 0 ? 0 : 1);
        s->edge[k] = RIM_NAME;
    }
}

bool support_line(const pcm_geometry *g, const choices *c, vec n, support *s)
{
    if (g->rim > 0)
        take_side(g, n, true, s);
    else if (c->line != NO_INDEX || g->core.n_edges == 1)
        take_edge(&g->core, c->line == NO_INDEX ? 0 : c->line, s);
    else
        s->count = 0;
    return s->count == 2;
}

void support_square(const pcm_geometry *g, uint32_t at, vec n, support *s)
{
    const polytope *p = &g->core;
    if (g->rim > 0) {
        take_side(g, n, fabs(n.z) < ALIGNED, s);
        return;
    }
    for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1] && p->n_edges; k++)
        if (is_square(sub(p->around[k].at, p->corners[at]), n)) {
            take_edge(p, p->ring[k], s);
            return;
        }
    s->count = 1;
    s->corner[0] = at;
    s->points[0] = p->corners[at];
}

void support_take(const pcm_geometry *g, uint32_t at, const choice *of, vec n, support *s)
{
    const polytope *p = &g->core;
    if (g->rim > 0 && of->flat == CAP)
        take_cap(g, n, s);
    else if (g->rim > 0)
        take_side(g, n, true, s);
    else if (p->n_edges == 1)
        take_edge(p, 0, s);
    else if (of->flat != NO_INDEX && dot(p->flats[of->flat].normal, n) > STEEP)
        take_flat(p, &p->flats[of->flat], s);
    else
        support_square(g, at, n, s);
}
