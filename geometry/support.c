/* SPDX-License-Identifier: MIT */
/* support.c - what of a body faces along a normal: flats, caps and sides, level or nearly so, lines and points.
 *
 * As the normal turns, one set takes over from another by weights, so that a patch changes continuously: of two flats
 * beside an edge by how tilted they are, and of all others nothing while that edge lies in the support plane. */
#include "patch.h"

/* A face that looks along the normal by less than this is no support for a patch: its points run away. */
#define STEEP 0.1

/* Of the weight of the heaviest face: others heavier than this take part. */
#define NEARLY 0.9

/* The square of the sine of what is level but for rounding. */
#define LEVEL 1e-24

static void take_flat(const polytope *p, const face *f, support *s)
{
    const uint32_t *loop = p->flat_loops + f->first, n = f->count;
    s->count = n < FACE_CORNERS_MAX ? n : FACE_CORNERS_MAX;
    s->normal = f->normal;
    for (uint32_t k = 0; k < s->count; k++) {
        const uint32_t at = (uint32_t)((uint64_t)k * n / s->count);
        s->corner[k] = loop[at];
        s->edge[k] = p->flat_edges[f->first + at];
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

double support_level(double sine) { return larger(1 - sine / TILT, 0); }

enum { RAYS_MAX = 64 };

/* An edge that leaves a corner, between two flats, and the square of how steeply it leaves the support plane. */
typedef struct ray {
    uint32_t flat[2], edge; /* on its left and right */
    double   steep;
} ray;

static bool is_of(const ray *r, uint32_t flat) { return r->flat[0] == flat || r->flat[1] == flat; }

/* The edges of a corner that part flats, and the places of the least steep three of them, the least first; returns how
 * many there are, 0 where that is more than there is room for. */
static uint32_t find_rays(const polytope *p, uint32_t at, vec n, ray rays[RAYS_MAX], uint32_t least[3])
{
    double   steep[3] = {INFINITY, INFINITY, INFINITY};
    uint32_t count = 0;
    least[0] = least[1] = least[2] = 0;
    for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1]; k++) {
        const edge  *e = &p->edges[p->ring[k]];
        const bool   back = e->v[0] != at;
        const vec    d = sub(p->corners[at], p->around[k].at);
        const double drop = larger(dot(n, d), 0);
        const ray    r = {{p->flat_of[e->face[back]], p->flat_of[e->face[!back]]}, p->ring[k], drop * drop / dot(d, d)};
        if (r.flat[0] == r.flat[1])
            continue;
        if (count == RAYS_MAX)
            return 0;
        for (uint32_t i = 3; i-- > 0 && r.steep < steep[i];) {
            if (i < 2) {
                steep[i + 1] = steep[i];
                least[i + 1] = least[i];
            }
            steep[i] = r.steep;
            least[i] = count;
        }
        rays[count++] = r;
    }
    return count;
}

/* How heavy a flat is by its tilt. */
static double weight_by_tilt(const polytope *p, uint32_t flat, vec n)
{
    const double looks = dot(p->flats[flat].normal, n);
    return looks > 0 ? 1 / larger(1 - looks * looks, LEVEL) : 0;
}

/* How heavy the flat on the left of a ray is, at a corner: the more the less it is tilted, and nothing while an edge
 * that is not its own lies in the support plane. So all that lies there belongs to each flat that counts, and what
 * counts of two flats does not depend on which end of the edge between them is asked. */
static double weight_of(const ray *rays, uint32_t count, uint32_t k, const uint32_t least[3], double tilt)
{
    const uint32_t flat = rays[k].flat[0];
    double         own = rays[k].steep, others = 1;
    for (uint32_t i = 0; i < count; i++)
        if (rays[i].flat[1] == flat)
            own = smaller(own, rays[i].steep);
    for (uint32_t i = 3; i-- > 0;)
        if (!is_of(&rays[least[i]], flat))
            others = rays[least[i]].steep;
    return others / (own + others) * tilt;
}

static void put_choice(choices *c, uint32_t flat, double weight)
{
    if (weight > 0 && c->count < CHOICES_MAX)
        c->of[c->count++] = (choice){flat, weight};
}

/* The flats of a corner, and those nearly as heavy as the heaviest: so they take over from each other continuously.
 * None is heavier than by its tilt: one that is too light by that already is not asked for the rest. */
static void weigh_flats(const polytope *p, const ray *rays, uint32_t count, const uint32_t least[3], vec n, choices *c)
{
    double   weights[RAYS_MAX], most = 0;
    uint32_t top = 0;
    for (uint32_t k = 0; k < count; k++) {
        weights[k] = weight_by_tilt(p, rays[k].flat[0], n);
        top = weights[k] > weights[top] ? k : top;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = i == 0 ? top : i == top ? 0 : i;
        if (weights[k] > NEARLY * most)
            weights[k] = weight_of(rays, count, k, least, weights[k]);
        most = larger(most, weights[k]);
    }
    for (uint32_t k = 0; k < count; k++)
        put_choice(c, rays[k].flat[0], weights[k] - NEARLY * most);
}

static void choose_flats(const polytope *p, uint32_t at, vec n, choices *c)
{
    ray            rays[RAYS_MAX];
    uint32_t       least[3];
    double         sum = 0;
    const uint32_t count = find_rays(p, at, n, rays, least);
    const ray     *first = &rays[least[0]], *second = &rays[least[1]];
    if (count > 2 && second->steep < LEVEL && (is_of(second, first->flat[0]) || is_of(second, first->flat[1]))) {
        put_choice(c, first->flat[!is_of(second, first->flat[0])], 1);
    } else if (count > 2 && first->steep < LEVEL) {
        const double left = weight_by_tilt(p, first->flat[0], n), right = weight_by_tilt(p, first->flat[1], n);
        put_choice(c, first->flat[0], left - NEARLY * larger(left, right));
        put_choice(c, first->flat[1], right - NEARLY * larger(left, right));
    } else if (count > 2) {
        weigh_flats(p, rays, count, least, n, c);
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
    if (count > 2) {
        c->line = first->edge;
        c->alone = second->steep > 0 ? 1 - first->steep / second->steep : 0;
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
    c->alone = support_level(fabs(n.z));
}

void support_choose(const pcm_geometry *g, uint32_t at, vec n, choices *c)
{
    c->count = 0;
    c->level = 0;
    c->line = NO_INDEX;
    c->alone = g->core.n_edges == 1;
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

/* The side of a round core, or the point of its rim. */
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
