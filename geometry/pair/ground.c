/* SPDX-License-Identifier: MIT */
/* ground.c - solids on a grid of heights: the places where the solid or the surface is locally deepest in the other,
 * found by branch and bound over blocks of cells.
 *
 * There are three kinds of such places: a point of the solid (a corner, the middle of a ball, a point of a rim) under
 * the surface; a corner of the surface that stands out, under a face of the solid; and an edge of the surface that
 * stands out, across an edge of the solid. Where the surface is flat nothing stands out, however small its cells are,
 * and only the points of the solid are left: the same points as on a plane, each as deep as it lies under the surface.
 * No triangle is tested as a body of its own, so neither the number of contacts nor their normals depend on the cells'
 * borders.
 *
 * A smooth surface has many small triangles, and several of them may meet these conditions. So of places NEAR each
 * other only the deepest counts, unless their normals are APART: a ball touches a hollow once, and a groove on both
 * sides. The corners of the solid always count, as on a plane. */
#include "ground.h"
#include "bounds.h"
#include "grid.h"

#define APART     0.86602540378443865 /* cosine of 30 degrees */
#define NEAR      0.125               /* of the solid's size */
#define BALL_MOST 16

/* The sine below which edges count as parallel, and the tilt of a face up to which a surface edge counts as lying on
 * it. */
#define PARALLEL 1e-6
#define LENIENT  0.03

/* Names: points of the solid have the same names as on a plane; other places have their kind in the bits above. */
#define OF_GROUND   (1ull << 62)
#define OF_CROSSING (2ull << 62)

typedef struct place {
    contact_point at; /* from the grid to the solid, in the grid's axes */
    uint64_t      feature;
    double        weight, area;
    bool          crosses;
    double        order; /* of a crossing: its coordinate along the solid's edge */
} place;

typedef struct ground {
    const grid         *g;
    const pcm_geometry *solid;
    placing             at;         /* the solid's placing in the grid's axes */
    double              reach, top; /* top: the greatest height of the grid */
    grid_region         region;     /* the part of the grid that the solid may reach */
    uint32_t            count;
    place               places[PATCH_MAX];
} ground;

static grid_region region_around(const pcm_geometry *solid, const placing *at, double reach)
{
    const bounds wide = bounds_grown(bounds_of(solid, at), reach);
    return (grid_region){wide.low, wide.high, middle_of(&wide), solid->ball + reach, true};
}

/* Adds a place. Of equal places the first stays; if there is no room, the deepest places stay. */
static void put(ground *t, const place *p)
{
    const double near = 1e-9 * t->solid->size;
    uint32_t     shallow = 0;
    for (uint32_t k = 0; k < t->count; k++) {
        const vec on_a = sub(t->places[k].at.on_a, p->at.on_a), on_b = sub(t->places[k].at.on_b, p->at.on_b);
        if (dot(on_a, on_a) <= near * near && dot(on_b, on_b) <= near * near)
            return;
        if (t->places[k].at.gap > t->places[shallow].at.gap)
            shallow = k;
    }
    if (t->count < PATCH_MAX)
        t->places[t->count++] = *p;
    else if (p->at.gap < t->places[shallow].at.gap)
        t->places[shallow] = *p;
}

static contact_point point_along(vec on_a, vec on_b, vec normal, double gap)
{
    return (contact_point){gap, gap, gap, normal, on_a, on_b};
}

/* ---- Points of the solid ----------------------------------------------------------------------------------------- */

/* The contact of a ball about p, or of the point itself, with the surface; false: out of reach. */
static bool probe(const ground *t, vec p, double radius, contact_point *s)
{
    vec on_a, n;
    if (!(p.z - radius <= t->top + t->reach))
        return false;
    const double gap = grid_closest(t->g, p, t->reach + radius, &on_a, &n) - radius;
    *s = point_along(on_a, along(p, n, -radius), n, gap);
    return gap <= t->reach;
}

static void take_corners(ground *t)
{
    const polytope *core = &t->solid->core;
    for (uint32_t i = 0; i < core->n_corners; i++) {
        place p = {.feature = i};
        if (!probe(t, transform(&t->at, core->corners[i]), 0, &p.at))
            continue;
        p.area = polytope_area_along(core, i, rotate_back(&t->at.turn, negate(p.at.normal)));
        p.weight = p.area / (t->solid->size * t->solid->size);
        put(t, &p);
    }
}

/* Adds three points of a rim, the first in the direction of the slope under the rim's middle. */
static void take_rim(ground *t, double z, uint64_t name)
{
    vec    points[3], on_a, n;
    double areas[3];
    (void)grid_closest(t->g, transform(&t->at, (vec){0, 0, z}), INFINITY, &on_a, &n);
    const vec down = rotate_back(&t->at.turn, negate(n)), lowest = pair_rim_lowest(t->solid, down);
    pair_rim_points(t->solid, (vec){lowest.x, lowest.y, z}, down, points, areas);
    for (uint32_t k = 0; k < 3; k++) {
        place p = {.feature = name + k, .area = areas[k], .weight = areas[k] / (t->solid->size * t->solid->size)};
        if (probe(t, transform(&t->at, points[k]), 0, &p.at))
            put(t, &p);
    }
}

/* ---- Balls ------------------------------------------------------------------------------------------------------- */

/* The places of the surface near the middle of a ball, the nearest first. */
typedef struct nearby {
    const ground *t;
    grid_region   region;
    bool          whole; /* includes corners and edges of the surface */
    contact_point points[BALL_MOST];
    uint32_t      count;
} nearby;

static void note(nearby *b, vec closest, vec normal)
{
    const vec    p = b->region.centre;
    const double radius = b->t->solid->radius, gap = norm(sub(p, closest)) - radius;
    if (b->count == BALL_MOST && b->points[BALL_MOST - 1].gap <= gap)
        return;
    uint32_t at = b->count < BALL_MOST ? b->count++ : BALL_MOST - 1;
    for (; at > 0 && b->points[at - 1].gap > gap; at--)
        b->points[at] = b->points[at - 1];
    b->points[at] = point_along(closest, along(p, normal, -radius), normal, gap);
}

static void look_at_cell(void *user, uint32_t i, uint32_t j, unsigned marks)
{
    nearby   *b = user;
    const vec p = b->region.centre;
    for (int which = 0; which < 2; which++) {
        vec t[3], normal;
        grid_triangle(b->t->g, i, j, which, t, &normal);
        bool         inside;
        const vec    q = grid_on_triangle(p, t, normal, &inside);
        const double height = dot(sub(p, t[0]), normal), aside = norm(across(sub(p, q), normal));
        if (height > 0 && height <= b->region.radius && (inside || aside <= 1e-5 * height))
            note(b, q, normal);
    }
    for (unsigned k = 0; k < GRID_RIDGES && b->whole; k++) {
        if (!(marks >> k & 1))
            continue;
        const grid_ridge r = grid_ridge_of(b->t->g, i, j, k);
        const vec        run = sub(r.to, r.from), q = r.di || r.dj ? grid_on_segment(p, r.from, r.to) : r.from;
        const double     along_it = dot(sub(q, r.from), run), distance = norm(sub(p, q));
        const bool       amid = along_it > 0 && along_it < dot(run, run);
        const vec        n = unit_or(sub(p, q), (vec){0, 0, 1});
        if ((amid || !(r.di || r.dj)) && distance <= b->region.radius && grid_holds(b->t->g, &r, n))
            note(b, q, n);
    }
}

/* Moves places on triangles onto the smooth surface, and drops those that are then out of reach. */
static void smoothen(nearby *b)
{
    const double radius = b->t->solid->radius;
    uint32_t     n = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        vec          at = b->points[k].on_a, normal;
        const double gap = grid_near_surface(b->t->g, b->region.centre, &at, &normal) - radius;
        if (gap > b->t->reach)
            continue;
        uint32_t to = n++;
        for (; to > 0 && b->points[to - 1].gap > gap; to--)
            b->points[to] = b->points[to - 1];
        b->points[to] = point_along(at, along(b->region.centre, normal, -radius), normal, gap);
    }
    b->count = n;
}

/* A key that orders two places in their names and does not depend on depth: floors come before walls. */
static double rank_key(vec n) { return 2 * floor(4 * n.z + 0.5) + 0.8 * n.x + 0.6 * n.y; }

/* Keeps the deepest of `points`, and those of the others whose normals are APART; returns how many are left. */
static uint32_t part_ways(contact_point *points, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++) {
        bool apart = true;
        for (uint32_t i = 0; i < n; i++)
            apart = apart && dot(points[i].normal, points[k].normal) < APART;
        if (apart)
            points[n++] = points[k];
    }
    return n;
}

/* Adds the contacts of a ball about p: the whole solid, or the end of a capsule. */
static void take_ball(ground *t, vec p, uint64_t name, bool whole)
{
    nearby b = {.t = t, .whole = whole};
    place  of = {.feature = name};
    b.region = (grid_region){.centre = p, .radius = t->solid->radius + t->reach + t->g->sag};
    const vec reach = {b.region.radius, b.region.radius, b.region.radius};
    b.region.low = sub(p, reach);
    b.region.high = add(p, reach);
    if (!probe(t, p, t->solid->radius, &of.at))
        return;
    const bool under = of.at.gap <= -t->solid->radius, smooth = grid_is_smooth(t->g);
    if (whole || under || smooth)
        b.points[b.count++] = of.at;
    if (!under)
        grid_walk(t->g, &b.region, look_at_cell, &b);
    if (smooth)
        smoothen(&b);
    b.count = part_ways(b.points, b.count);
    for (uint32_t k = 0; k < b.count; k++) {
        uint64_t rank = 0;
        for (uint32_t i = 0; i < b.count; i++)
            rank += rank_key(b.points[i].normal) > rank_key(b.points[k].normal);
        of.at = b.points[k];
        of.feature = name + (rank << 32);
        put(t, &of);
    }
}

/* ---- Corners and edges of the ground that stand out, under a polytope -------------------------------------------- */

/* The weight of a place on the solid: that of a corner of a face with four corners. It falls to 0 at the solid's own
 * corners, which have contacts of their own, except at the rim of the rectangle, where they have none outside. */
static double weight_of(const ground *t, vec down, double from_corner, bool rim)
{
    const pcm_geometry *g = t->solid;
    const double        radial = sqrt(down.x * down.x + down.y * down.y);
    double              sum = g->rim * (3.14159265358979324 * g->rim * fabs(down.z) + 4 * g->half * radial);
    for (uint32_t f = 0; f < g->core.n_flats; f++)
        sum += larger(dot(g->core.flats[f].normal, down), 0) * g->core.flats[f].area;
    return 0.25 * sum / (t->solid->size * t->solid->size) * (rim ? 1 : smaller(4 * from_corner / t->solid->size, 1));
}

/* Whether p, given in the solid's axes, is within reach of the solid. */
static bool is_within(const ground *t, vec p)
{
    const polytope *core = &t->solid->core;
    for (uint32_t k = 0; k < core->n_flats; k++)
        if (dot(core->flats[k].normal, p) - core->flats[k].offset > t->reach + 1e-12 * t->solid->size)
            return false;
    return true;
}

/* Whether p lies over a flat, and the distance to the flat's nearest corner. */
static bool lies_over(const polytope *core, const face *f, vec p, double tolerance, double *from_corner)
{
    *from_corner = INFINITY;
    for (uint32_t k = 0; k < f->count; k++) {
        const vec c = core->corners[core->flat_loops[f->first + k]];
        const vec run = sub(core->corners[core->flat_loops[f->first + (k + 1) % f->count]], c), r = sub(p, c);
        if (dot(cross(f->normal, run), r) < -tolerance * norm(run))
            return false;
        *from_corner = smaller(*from_corner, norm(across(r, f->normal)));
    }
    return true;
}

/* Adds a corner of the ground that is inside the solid, under the flat that is nearest to it. */
static void take_peak(ground *t, const grid_ridge *r)
{
    const polytope *core = &t->solid->core;
    const vec       p = transform_back(&t->at, r->from);
    const face     *best = NULL;
    double          least = -INFINITY, from_corner = 0, here;
    for (uint32_t k = 0; k < core->n_flats && is_within(t, p); k++) {
        const face  *f = &core->flats[k];
        const double over = dot(f->normal, p) - f->offset;
        if (over > least && lies_over(core, f, p, 1e-12 * t->solid->size, &here) &&
            grid_holds(t->g, r, negate(rotate(&t->at.turn, f->normal)))) {
            best = f;
            least = over;
            from_corner = here;
        }
    }
    if (!best)
        return;
    const vec n = negate(rotate(&t->at.turn, best->normal));
    place     of = {.feature = OF_GROUND | ((uint64_t)r->i * t->g->ny + r->j)};
    of.at = point_along(r->from, along(r->from, n, least), n, least);
    of.weight = weight_of(t, best->normal, from_corner, grid_is_rim(t->g, r));
    put(t, &of);
}

/* Whether the edge is where the solid is lowest along the unit vector n, which is perpendicular to that edge. */
static bool is_lowest(const polytope *core, const edge *e, vec run, vec n)
{
    const vec into[2] = {cross(core->faces[e->face[0]].normal, run), cross(run, core->faces[e->face[1]].normal)};
    return dot(into[0], n) >= -LENIENT * norm(run) && dot(into[1], n) >= -LENIENT * norm(run);
}

/* Adds the crossing of the solid's edge k with an edge of the ground, from o to o + d in the solid's axes. */
static void take_crossing(ground *t, const grid_ridge *r, vec o, vec d, uint32_t k)
{
    const polytope *core = &t->solid->core;
    const edge     *e = &core->edges[k];
    const vec       from = core->corners[e->v[0]], run = sub(core->corners[e->v[1]], from), m = cross(d, run);
    const double    mm = dot(m, m);
    if (!(mm > PARALLEL * PARALLEL * dot(d, d) * dot(run, run)))
        return;
    const vec    between = sub(from, o);
    const double at_d = dot(cross(between, run), m) / mm, at_run = dot(cross(between, d), m) / mm;
    if (!(at_d >= 0 && at_d <= 1 && at_run >= 0 && at_run <= 1))
        return;
    const vec    across_both = scale(m, 1 / sqrt(mm));
    const bool   up = rotate(&t->at.turn, across_both).z >= 0;
    const vec    n = up ? across_both : negate(across_both), upright = rotate(&t->at.turn, n);
    const double gap = dot(n, between);
    if (!(gap <= t->reach) || !is_lowest(core, e, run, n) || !is_within(t, along(o, d, at_d)) ||
        !grid_holds(t->g, r, upright))
        return;
    const vec on_a = transform(&t->at, along(o, d, at_d));
    place     of = {.feature = OF_CROSSING | (uint64_t)k << 16, .crosses = true, .order = at_run};
    of.at = point_along(on_a, along(on_a, upright, gap), upright, gap);
    of.weight = weight_of(t, negate(n), smaller(at_run, 1 - at_run) * norm(run), grid_is_rim(t->g, r));
    put(t, &of);
}

static void take_crossings(ground *t, const grid_ridge *r)
{
    const polytope *core = &t->solid->core;
    const vec       o = transform_back(&t->at, r->from), d = sub(transform_back(&t->at, r->to), o);
    for (uint32_t k = 0; k < core->n_edges; k++)
        if (core->flat_of[core->edges[k].face[0]] != core->flat_of[core->edges[k].face[1]])
            take_crossing(t, r, o, d, k);
}

/* ---- Corners and edges of the ground that stand out, under a capsule or cylinder --------------------------------- */

/* An edge of the ground as a segment on its own z axis. */
typedef struct rod {
    vec          corners[2];
    edge         only;
    uint32_t     ring_first[3], ring[2];
    neighbour    around[2];
    pcm_geometry geometry;
    placing      at;
} rod;

static void make_rod(rod *r, const grid_ridge *of)
{
    const vec    run = sub(of->to, of->from), w = unit_or(run, (vec){1, 0, 0}), u = perpendicular(w), v = cross(w, u);
    const double half = 0.5 * norm(run);
    r->corners[0] = (vec){0, 0, -half};
    r->corners[1] = (vec){0, 0, half};
    r->only = (edge){{0, 1}, {NO_INDEX, NO_INDEX}};
    r->ring_first[0] = r->ring[0] = r->ring[1] = 0;
    r->ring_first[1] = 1;
    r->ring_first[2] = 2;
    r->around[0] = (neighbour){r->corners[1], 1};
    r->around[1] = (neighbour){r->corners[0], 0};
    r->geometry = (pcm_geometry){.kind = PCM_CAPSULE,
                                 .core = {.corners = r->corners,
                                          .edges = &r->only,
                                          .ring_first = r->ring_first,
                                          .ring = r->ring,
                                          .around = r->around,
                                          .n_corners = 2,
                                          .n_edges = 1},
                                 .size = 2 * half};
    r->at = (placing){{{{u.x, v.x, w.x}, {u.y, v.y, w.y}, {u.z, v.z, w.z}}}, along(of->from, run, 0.5)};
}

/* Whether the place at z on the rod counts: it is inside the edge, or at an end that stands out. */
static bool rod_holds(const ground *t, const grid_ridge *r, double z, double half, vec n)
{
    grid_ridge end = {.i = r->i, .j = r->j, .from = r->from, .to = r->from};
    if (fabs(z) < half * (1 - 1e-9))
        return grid_holds(t->g, r, n);
    if (z > 0)
        end = (grid_ridge){.i = r->i + r->di, .j = r->j + r->dj, .from = r->to, .to = r->to};
    return grid_holds(t->g, &end, n);
}

/* Whether the lowest point of the solid passes over an edge as the normal turns from the triangle on one side to that
 * on the other. Only then is the solid lowest over the edge. */
static bool passes_over(const ground *t, const grid_ridge *r)
{
    vec normals[2];
    if (!grid_cone(t->g, r, normals))
        return true;
    const vec across_it = unit_or(cross(sub(r->to, r->from), add(normals[0], normals[1])), (vec){1, 0, 0});
    double    low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 2; k++) {
        uint32_t  corner = 0;
        const vec down = rotate_back(&t->at.turn, negate(normals[k])), deepest = core_support(t->solid, down, &corner);
        const double aside = dot(across_it, sub(transform(&t->at, deepest), r->from));
        low = smaller(low, aside);
        high = larger(high, aside);
    }
    return low <= LENIENT * t->solid->size && high >= -LENIENT * t->solid->size;
}

/* Moves a place of a capsule's side to where the capsule is nearest to the smooth surface, by turns along its axis and
 * to the surface; false: it ends out of reach, or at an end, which is a place of its own. */
static bool slide(const ground *t, contact_point *s)
{
    enum { TURNS = 60 };
    const vec    axis = {t->at.turn.row[0].z, t->at.turn.row[1].z, t->at.turn.row[2].z};
    const double radius = t->solid->radius, half = t->solid->core.corners[1].z;
    vec          on_a = s->on_a, n = s->normal;
    double       z = dot(sub(s->on_b, t->at.at), axis), gap = s->gap;
    for (int k = 0; k < TURNS; k++) {
        const vec p = along(t->at.at, axis, smaller(larger(z, -half), half));
        gap = grid_near_surface(t->g, p, &on_a, &n) - radius;
        const double next = dot(sub(on_a, t->at.at), axis);
        const bool   rests = fabs(next - z) <= 1e-12 * t->solid->size;
        z = next;
        if (rests)
            break;
    }
    *s = point_along(on_a, along(on_a, n, gap), n, gap);
    return gap <= t->reach && fabs(z) < half * (1 - 1e-9);
}

static void take_over_rod(ground *t, const grid_ridge *r)
{
    rod     along_it;
    witness patch[PATCH_MAX];
    make_rod(&along_it, r);
    const placing at = placing_relative(&along_it.at, &t->at);
    convex_pair   pair = convex_pair_of(&along_it.geometry, t->solid, &at);
    pair.reach = t->reach + t->g->sag + t->solid->radius;
    convex_result result = convex_separate(&pair);
    if (!(result.sep <= pair.reach))
        return;
    const vec      n = rotate(&along_it.at.turn, result.normal);
    const uint32_t count = n.z < -1e-9 ? 0 : convex_patch(&pair, &result, patch);
    for (uint32_t k = 0; k < count; k++) {
        const contact_point s = surface_point(&pair, &result, patch[k].on_a, patch[k].on_b, patch[k].gap);
        place               of = {.feature = OF_CROSSING, .crosses = true};
        if (!(s.gap <= t->reach + t->g->sag) || !rod_holds(t, r, patch[k].on_a.z, along_it.corners[1].z, n))
            continue;
        of.at = point_along(transform(&along_it.at, s.on_a), transform(&along_it.at, s.on_b), n, s.gap);
        if (grid_is_smooth(t->g) && !slide(t, &of.at))
            continue;
        of.order = transform_back(&t->at, of.at.on_b).z;
        of.weight = weight_of(t, rotate_back(&t->at.turn, negate(n)), INFINITY, false);
        put(t, &of);
    }
}

/* ---- Merging contact points -------------------------------------------------------------------------------------- */

/* Whether a place is a point of the solid: those have the same names as on a plane. */
static bool is_own(const place *p) { return p->feature < OF_GROUND; }

/* Whether q, which is deeper, replaces p. */
static bool stands_for(const place *q, const place *p, double near)
{
    const vec between = sub(q->at.on_a, p->at.on_a);
    return dot(between, between) <= near * near && dot(q->at.normal, p->at.normal) >= APART;
}

static void merge(ground *t)
{
    bool           merged[PATCH_MAX];
    const double   near = NEAR * t->solid->size;
    const uint32_t count = t->count;
    for (uint32_t k = 0; k < count; k++) {
        const place *p = &t->places[k];
        merged[k] = false;
        for (uint32_t i = 0; i < count && !merged[k] && !is_own(p); i++) {
            const place *q = &t->places[i];
            const bool   deeper = q->at.gap < p->at.gap || (q->at.gap == p->at.gap && i < k);
            merged[k] = deeper && stands_for(q, p, near);
        }
    }
    t->count = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!merged[k])
            t->places[t->count++] = t->places[k];
}

/* ---- All contact points ------------------------------------------------------------------------------------------ */

static void take_ridges(void *user, uint32_t i, uint32_t j, unsigned marks)
{
    ground *t = user;
    for (unsigned k = 0; k < GRID_RIDGES; k++) {
        if (!(marks >> k & 1))
            continue;
        const grid_ridge r = grid_ridge_of(t->g, i, j, k);
        const bool       is_edge = r.di || r.dj, hard = t->solid->core.n_faces > 0;
        if (hard && is_edge)
            take_crossings(t, &r);
        else if (hard)
            take_peak(t, &r);
        else if (is_edge && passes_over(t, &r))
            take_over_rod(t, &r);
    }
}

/* Numbers the crossings of each edge of the solid along that edge, whichever edges of the ground they are on. */
static void number_crossings(ground *t)
{
    uint32_t rank[PATCH_MAX];
    for (uint32_t k = 0; k < t->count; k++) {
        const place *p = &t->places[k];
        rank[k] = 0;
        for (uint32_t i = 0; i < t->count && p->crosses; i++) {
            const place *q = &t->places[i];
            rank[k] += q->feature == p->feature && (q->order < p->order || (q->order == p->order && i < k));
        }
    }
    for (uint32_t k = 0; k < t->count; k++)
        t->places[k].feature += rank[k];
}

static void find_places(ground *t, const body *field, const body *solid, double reach)
{
    const pcm_geometry *g = solid->geometry;
    t->g = &field->geometry->grid;
    t->solid = g;
    t->at = placing_relative(&field->at, &solid->at);
    t->reach = reach;
    t->top = field->geometry->high.z;
    t->region = region_around(g, &t->at, reach + t->g->sag);
    t->count = 0;
    if (t->region.low.z > t->top || t->region.low.x > field->geometry->high.x ||
        t->region.high.x < field->geometry->low.x || t->region.low.y > field->geometry->high.y ||
        t->region.high.y < field->geometry->low.y)
        return;
    if (g->rim > 0) {
        take_rim(t, -g->half, 0);
        take_rim(t, g->half, 3);
    } else if (g->radius > 0) {
        for (uint32_t k = 0; k < g->core.n_corners; k++)
            take_ball(t, transform(&t->at, g->core.corners[k]), k, g->core.n_corners == 1);
    } else {
        take_corners(t);
    }
    if (g->kind != PCM_SPHERE)
        grid_walk(t->g, &t->region, take_ridges, t);
    merge(t);
    number_crossings(t);
}

void ground_touch(const body *field, const body *solid, double reach, bool swapped, pair_take *take, void *user)
{
    const pcm_geometry *g = solid->geometry;
    ground              t;
    double              sum = 0;
    find_places(&t, field, solid, reach);
    for (uint32_t k = 0; k < t.count; k++)
        sum += presence(t.places[k].weight, t.places[k].at.gap, reach, g->size);
    for (uint32_t k = 0; k < t.count && sum > 0; k++) {
        const place     *p = &t.places[k];
        const touch_part of = part_of(presence(p->weight, p->at.gap, reach, g->size) / sum, p->area, g->radius > 0);
        pair_give(&field->at, &p->at, swapped, p->feature, of, take, user);
    }
}

/* ---- Separation -------------------------------------------------------------------------------------------------- */

/* A triangle of the surface as the core of a body. */
typedef struct tile {
    vec          corners[3];
    uint32_t     ring_first[4];
    neighbour    around[6];
    pcm_geometry geometry;
} tile;

static void make_tile(tile *t, const vec corners[3])
{
    double size = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t next = (k + 1) % 3, last = (k + 2) % 3;
        t->corners[k] = corners[k];
        t->ring_first[k] = 2 * k;
        t->around[2 * k] = (neighbour){corners[next], next};
        t->around[2 * k + 1] = (neighbour){corners[last], last};
        size = larger(size, norm(sub(corners[next], corners[k])));
    }
    t->ring_first[3] = 6;
    t->geometry = (pcm_geometry){
        .kind = PCM_HULL,
        .core = {.corners = t->corners, .ring_first = t->ring_first, .around = t->around, .n_corners = 3},
        .size = size};
}

typedef struct nearest_tile {
    const grid         *g;
    const pcm_geometry *solid;
    placing             at;
    grid_region         region;
    contact_point       best;
} nearest_tile;

static void try_cell(void *user, uint32_t i, uint32_t j, unsigned marks)
{
    nearest_tile *n = user;
    (void)marks;
    for (int which = 0; which < 2; which++) {
        vec  corners[3], normal;
        tile t;
        grid_triangle(n->g, i, j, which, corners, &normal);
        make_tile(&t, corners);
        convex_pair pair = convex_pair_of(&t.geometry, n->solid, &n->at);
        pair.reach = n->best.gap + n->solid->radius;
        convex_result r = convex_separate(&pair);
        if (!(r.sep < pair.reach))
            continue;
        n->best = convex_point(&pair, &r);
        n->region = region_around(n->solid, &n->at, larger(n->best.gap, 0));
        n->region.marked = false;
    }
}

/* The nearest triangle. The search covers the distance from the solid's middle to the nearest point of the surface. */
static contact_point nearest_surface(const body *field, const body *solid)
{
    nearest_tile n = {.g = &field->geometry->grid, .solid = solid->geometry};
    vec          on_a, normal;
    n.at = placing_relative(&field->at, &solid->at);
    const grid_region around = region_around(n.solid, &n.at, 0);
    const double      most = fabs(grid_closest(n.g, around.centre, INFINITY, &on_a, &normal));
    n.best = point_along(on_a, around.centre, normal, most);
    n.region = region_around(n.solid, &n.at, most);
    n.region.marked = false;
    grid_walk(n.g, &n.region, try_cell, &n);
    if (grid_is_smooth(n.g)) {
        const vec    on_b = n.best.on_b;
        const double gap = grid_closest(n.g, on_b, INFINITY, &on_a, &normal);
        n.best = point_along(on_a, on_b, normal, gap);
    }
    return n.best;
}

void ground_separate(const body *field, const body *solid, bool swapped, pcm_separation *out)
{
    ground   t;
    uint32_t deepest = 0;
    find_places(&t, field, solid, 0);
    for (uint32_t k = 1; k < t.count; k++)
        if (t.places[k].at.gap < t.places[deepest].at.gap)
            deepest = k;
    const contact_point s = t.count > 0 ? t.places[deepest].at : nearest_surface(field, solid);
    pair_write(&field->at, &s, swapped, out);
}
