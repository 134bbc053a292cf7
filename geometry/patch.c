/* SPDX-License-Identifier: MIT */
/* patch.c - where two bodies face each other along a normal: corners of one over the other's face, crossings of edges,
 * points of a rim.
 *
 * A point of the patch is named by the corners or edges that make it, never by the order in which it was found, so
 * that it keeps its name from step to step, whichever of two parallel faces is clipped by the other. */
#include "patch.h"

/* Directions closer than this are one. */
#define ALIGNED 1e-6

/* A face that looks along the normal by less than this is no support for a patch: its points run away. */
#define STEEP 0.1

/* Steps to where two rims cross. */
#define RIM_STEPS 12

typedef struct patch_builder {
    const support *a, *b;
    vec            normal;
    double         tolerance;
    witness       *patch;
    uint32_t       count;
    double         area;
} patch_builder;

/* Names: what makes the point in the top two bits, then a's corner or edge, then b's. */
enum { OF_NONE, OF_A, OF_B, OF_BOTH };

/* Names of rim points and of crossings with a rim: above any corner or edge. */
#define RIM_NAME 0x7FFFFF00u

static uint64_t feature_of(uint64_t kind, uint32_t a, uint32_t b)
{
    return kind << 62 | (uint64_t)(a & 0x7FFFFFFFu) << 31 | (b & 0x7FFFFFFFu);
}

uint64_t feature_swapped(uint64_t feature)
{
    const uint64_t kind = feature >> 62, mask = 0x7FFFFFFFu;
    const uint64_t other = kind == OF_A ? OF_B : kind == OF_B ? OF_A : kind;
    return feature_of(other, (uint32_t)(feature & mask), (uint32_t)(feature >> 31 & mask));
}

/* ---- Support sets ------------------------------------------------------------------------------------------------ */

static uint32_t edge_between(const polytope *p, uint32_t v, uint32_t w)
{
    for (uint32_t k = p->ring_first[v]; k < p->ring_first[v + 1]; k++) {
        const edge *e = &p->edges[p->ring[k]];
        if ((e->v[0] == v && e->v[1] == w) || (e->v[0] == w && e->v[1] == v))
            return p->ring[k];
    }
    return NO_INDEX;
}

static void take_face(const polytope *p, uint32_t f, support *s)
{
    const uint32_t *loop = p->loops + p->faces[f].first, n = p->faces[f].count;
    s->count = n < FACE_CORNERS_MAX ? n : FACE_CORNERS_MAX;
    s->normal = p->faces[f].normal;
    for (uint32_t k = 0; k < s->count; k++) {
        s->corner[k] = loop[(uint64_t)k * n / s->count];
        s->points[k] = p->corners[s->corner[k]];
    }
    for (uint32_t k = 0; k < s->count; k++)
        s->side[k] = edge_between(p, s->corner[k], s->corner[(k + 1) % s->count]);
}

static void take_edge(const polytope *p, uint32_t e, support *s)
{
    s->count = 2;
    s->side[0] = s->side[1] = e;
    for (int k = 0; k < 2; k++) {
        s->corner[k] = p->edges[e].v[k];
        s->points[k] = p->corners[s->corner[k]];
    }
}

/* The face at corner `at` that looks most along n, and how much. */
static uint32_t best_face(const polytope *p, uint32_t at, vec n, double *most)
{
    uint32_t best = NO_INDEX;
    *most = -INFINITY;
    for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1] && p->n_faces; k++) {
        const uint32_t f = face_at(p, at, k);
        const double   looks = dot(p->faces[f].normal, n);
        if (looks > *most) {
            *most = looks;
            best = f;
        }
    }
    return best;
}

static bool is_aligned(vec a, vec b)
{
    const vec c = cross(a, b);
    return dot(a, b) > 0 && dot(c, c) < ALIGNED * ALIGNED;
}

/* Whether a face, cap or disk of the core lies square to n. */
static bool has_face(const pcm_geometry *g, uint32_t at, vec n)
{
    double most;
    if (g->rim > 0)
        return n.x * n.x + n.y * n.y < ALIGNED * ALIGNED;
    const uint32_t f = best_face(&g->core, at, n, &most);
    return f != NO_INDEX && is_aligned(g->core.faces[f].normal, n);
}

static void take_round(const pcm_geometry *g, vec n, bool lenient, support *s)
{
    const double radial = hypot(n.x, n.y);
    if (radial < ALIGNED || (lenient && radial < fabs(n.z))) {
        s->count = 0;
        s->axis = s->normal = (vec){0, 0, n.z < 0 ? -1 : 1};
        s->centre = scale(s->axis, g->half);
        s->rim = g->rim;
        return;
    }
    const vec  foot = {g->rim * n.x / radial, g->rim * n.y / radial, 0};
    const bool whole = g->half > 0 && (lenient || fabs(n.z) < ALIGNED);
    s->count = whole ? 2 : 1;
    for (uint32_t k = 0; k < s->count; k++) {
        const double z = whole ? (k == 0 ? -g->half : g->half) : (n.z < 0 ? -g->half : g->half);
        s->points[k] = (vec){foot.x, foot.y, z};
        s->corner[k] = RIM_NAME + (z < 0 ? 0 : 1);
        s->side[k] = RIM_NAME;
    }
}

/* The support set along n, in the core's own axes. lenient: the face that looks most along n even where it is tilted,
 * because the other body's face will tell how far each of its points is. */
static void take_support(const pcm_geometry *g, uint32_t at, vec n, bool lenient, support *s)
{
    const polytope *p = &g->core;
    double          most;
    if (g->rim > 0) {
        take_round(g, n, lenient, s);
        return;
    }
    const uint32_t f = best_face(p, at, n, &most);
    if (f != NO_INDEX && ((lenient && most > STEEP) || is_aligned(p->faces[f].normal, n))) {
        take_face(p, f, s);
        return;
    }
    if (p->n_edges == 1 && (lenient || fabs(dot(unit_or(sub(p->corners[1], p->corners[0]), n), n)) < ALIGNED)) {
        take_edge(p, 0, s);
        return;
    }
    for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1] && p->n_faces; k++) {
        const edge *e = &p->edges[p->ring[k]];
        if (fabs(dot(unit_or(sub(p->corners[e->v[1]], p->corners[e->v[0]]), n), n)) < ALIGNED) {
            take_edge(p, p->ring[k], s);
            return;
        }
    }
    s->count = 1;
    s->corner[0] = at;
    s->points[0] = p->corners[at];
}

static void place_support(const placing *at, support *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        s->points[k] = transform(at, s->points[k]);
    s->centre = transform(at, s->centre);
    s->axis = rotate(&at->turn, s->axis);
    s->normal = rotate(&at->turn, s->normal);
}

/* ---- Points of the patch ----------------------------------------------------------------------------------------- */

/* Of points in one place the nearer one counts; of equal ones the first. */
static void take_witness(patch_builder *p, uint64_t feature, vec on_a, vec on_b, double share)
{
    const witness here = {feature, on_a, on_b, dot(p->normal, sub(on_b, on_a)), share};
    for (uint32_t k = 0; k < p->count; k++) {
        const vec apart = across(sub(on_a, p->patch[k].on_a), p->normal);
        if (dot(apart, apart) > p->tolerance * p->tolerance)
            continue;
        const double both = p->patch[k].share + share;
        if (here.gap < p->patch[k].gap - p->tolerance)
            p->patch[k] = here;
        p->patch[k].share = both;
        return;
    }
    if (p->count < PATCH_MAX)
        p->patch[p->count++] = here;
}

vec support_over(const support *s, vec q, vec n)
{
    const double steep = dot(s->normal, n);
    const vec    origin = s->count ? s->points[0] : s->centre;
    return along(q, n, dot(s->normal, sub(origin, q)) / steep);
}

/* Whether q, seen along n, lies within the support set, and the set's own point there. */
static bool covers(const support *s, vec q, vec n, double tolerance, vec *there)
{
    if (s->count == 0) {
        *there = support_over(s, q, n);
        return norm(sub(*there, s->centre)) <= s->rim + tolerance;
    }
    if (s->count <= 2) {
        const vec    d = s->count == 2 ? across(sub(s->points[1], s->points[0]), n) : (vec){0, 0, 0};
        const vec    r = across(sub(q, s->points[0]), n);
        const double dd = dot(d, d), t = dd > 0 ? smaller(larger(dot(r, d) / dd, 0), 1) : 0;
        *there = along(s->points[0], sub(s->points[s->count - 1], s->points[0]), t);
        return norm(across(sub(q, *there), n)) <= tolerance;
    }
    const double sense = dot(s->normal, n) < 0 ? -1 : 1;
    for (uint32_t k = 0; k < s->count; k++) {
        const vec    side = across(sub(s->points[(k + 1) % s->count], s->points[k]), n);
        const double inside = sense * dot(cross(side, sub(q, s->points[k])), n);
        if (inside < -tolerance * norm(side))
            return false;
    }
    *there = support_over(s, q, n);
    return true;
}

/* How far q is inside the set, seen along n; of a polygon, from its nearest side. */
static double depth_in(const support *s, vec q, vec n)
{
    double least = INFINITY;
    if (s->count == 0)
        return larger(s->rim - norm(sub(support_over(s, q, n), s->centre)), 0);
    for (uint32_t k = 0; k < s->count && s->count > 2; k++) {
        const vec side = across(sub(s->points[(k + 1) % s->count], s->points[k]), n);
        least = smaller(least, fabs(dot(cross(side, sub(q, s->points[k])), n)) / norm(side));
    }
    return least < INFINITY ? least : 1;
}

static void take_corners(patch_builder *p)
{
    vec there;
    for (uint32_t k = 0; k < p->b->count; k++)
        if (covers(p->a, p->b->points[k], p->normal, p->tolerance, &there))
            take_witness(p, feature_of(OF_B, 0, p->b->corner[k]), there, p->b->points[k],
                         p->a->count ? 1 : depth_in(p->a, p->b->points[k], p->normal));
    for (uint32_t k = 0; k < p->a->count; k++)
        if (covers(p->b, p->a->points[k], p->normal, p->tolerance, &there))
            take_witness(p, feature_of(OF_A, p->a->corner[k], 0), p->a->points[k], there,
                         p->b->count ? 1 : depth_in(p->b, p->a->points[k], p->normal));
}

/* Sides of two polygons or segments that cross, seen along the normal. */
static void take_crossings(patch_builder *p)
{
    const support *a = p->a, *b = p->b;
    for (uint32_t i = 0; i < (a->count > 2 ? a->count : a->count / 2); i++) {
        const vec pa = a->points[i], da = sub(a->points[(i + 1) % a->count], pa), fa = across(da, p->normal);
        for (uint32_t j = 0; j < (b->count > 2 ? b->count : b->count / 2); j++) {
            const vec    pb = b->points[j], db = sub(b->points[(j + 1) % b->count], pb), fb = across(db, p->normal);
            const double det = dot(cross(fa, fb), p->normal);
            const vec    r = sub(pb, pa);
            if (!(fabs(det) > ALIGNED * norm(fa) * norm(fb)))
                continue;
            const double s = dot(cross(r, fb), p->normal) / det, t = dot(cross(r, fa), p->normal) / det;
            const double ea = p->tolerance / norm(fa), eb = p->tolerance / norm(fb);
            if (s >= -ea && s <= 1 + ea && t >= -eb && t <= 1 + eb)
                take_witness(p, feature_of(OF_BOTH, a->side[i], b->side[j]), along(pa, da, s), along(pb, db, t), 1);
        }
    }
}

/* How a set's plane rises towards the normal, across it; nothing of sets that are no plane. */
static vec rise(const support *s, vec n)
{
    const double steep = dot(s->normal, n);
    return fabs(steep) > 0 ? scale(across(s->normal, n), -1 / steep) : (vec){0, 0, 0};
}

/* The way across the normal on which the gap closes. */
static vec descent(const patch_builder *p) { return sub(rise(p->a, p->normal), rise(p->b, p->normal)); }

/* The rim of a disk against the other set's sides and, three points of it, against its inside. The first point is the
 * one that lies lowest; with the other two at 120 degrees a linear law's force and moment do not depend on which point
 * comes first, so that nothing jumps where the lowest point does. */
static void take_rim(patch_builder *p, const support *disk, const support *other, bool disk_is_a)
{
    vec lowest = across(across(descent(p), disk->axis), disk->axis); /* once more, for its last digits */
    if (norm(lowest) < 1e-12)
        lowest = perpendicular(disk->axis);
    const vec u = unit_or(lowest, disk->axis), v = cross(disk->axis, u);
    for (uint32_t k = 0; k < 3; k++) {
        static const double cosine[3] = {1, -0.5, -0.5}, sine[3] = {0, 0.86602540378443865, -0.86602540378443865};
        const vec           q = along(along(disk->centre, u, disk->rim * cosine[k]), v, disk->rim * sine[k]);
        vec                 there;
        if (covers(other, q, p->normal, p->tolerance, &there)) {
            const uint32_t name = RIM_NAME + 8 + k;
            const double   share = depth_in(other, q, p->normal);
            if (disk_is_a)
                take_witness(p, feature_of(OF_A, name, 0), q, there, share);
            else
                take_witness(p, feature_of(OF_B, 0, name), there, q, share);
        }
    }
    for (uint32_t k = 0; k < (other->count > 2 ? other->count : other->count / 2); k++) {
        const vec    o = other->points[k], d = sub(other->points[(k + 1) % other->count], o);
        const vec    foot = support_over(disk, o, p->normal), run = sub(support_over(disk, add(o, d), p->normal), foot);
        const vec    r = sub(foot, disk->centre);
        const double a = dot(run, run), b = dot(r, run), c = dot(r, r) - disk->rim * disk->rim, root = b * b - a * c;
        if (!(root > 0) || !(a > 0))
            continue;
        /* How much of the side is within the disk. */
        const double share = sqrt(a) * (smaller((-b + sqrt(root)) / a, 1) - larger((-b - sqrt(root)) / a, 0));
        for (uint32_t side = 0; side < 2; side++) {
            const double t = (-b + (side ? 1 : -1) * sqrt(root)) / a;
            const vec    on_disk = along(foot, run, t), on_other = along(o, d, t);
            if (t < 0 || t > 1)
                continue;
            if (disk_is_a)
                take_witness(p, feature_of(OF_BOTH, RIM_NAME + side, other->side[k]), on_disk, on_other, share);
            else
                take_witness(p, feature_of(OF_BOTH, other->side[k], RIM_NAME + side), on_other, on_disk, share);
        }
    }
}

/* Moves an angle round the rim of a to where the rim of b lies over it; false: nowhere near. */
static bool meet_rim(const patch_builder *p, vec u, vec v, double *angle, vec *on_a, vec *on_b)
{
    const support *a = p->a, *b = p->b;
    for (int i = 0; i < RIM_STEPS; i++) {
        const double c = a->rim * cos(*angle), s = a->rim * sin(*angle);
        *on_a = along(along(a->centre, u, c), v, s);
        *on_b = support_over(b, *on_a, p->normal);
        const vec    way = sub(scale(v, c), scale(u, s)), r = sub(*on_b, b->centre);
        const vec    run = along(way, p->normal, -dot(b->normal, way) / dot(b->normal, p->normal));
        const double off = dot(r, r) - b->rim * b->rim, slope = 2 * dot(r, run);
        if (fabs(off) <= p->tolerance * b->rim)
            return true;
        if (!(fabs(off) < fabs(slope)))
            return false;
        *angle -= off / slope;
    }
    return false;
}

/* Two disks face to face that overlap in part: where their rims cross, which is near where level ones would. */
static void take_rim_crossings(patch_builder *p)
{
    const support *a = p->a, *b = p->b;
    const vec      between = sub(support_over(a, b->centre, p->normal), a->centre);
    const double   d = norm(between);
    const double   x = d > p->tolerance ? (d * d + a->rim * a->rim - b->rim * b->rim) / (2 * d) : INFINITY;
    const double   h = a->rim * a->rim - x * x;
    if (!(h > 0))
        return;
    const vec u = scale(between, 1 / d), v = cross(a->axis, u);
    for (uint32_t side = 0; side < 2; side++) {
        vec    on_a, on_b;
        double angle = atan2((side ? 1 : -1) * sqrt(h), x);
        if (meet_rim(p, u, v, &angle, &on_a, &on_b))
            take_witness(p, feature_of(OF_BOTH, RIM_NAME + side, RIM_NAME + side), on_a, on_b, sqrt(h));
    }
}

/* ---- The patch --------------------------------------------------------------------------------------------------- */

/* The deepest point goes first. */
static void deepest_first(patch_builder *p)
{
    uint32_t deepest = 0;
    for (uint32_t k = 1; k < p->count; k++)
        if (p->patch[k].gap < p->patch[deepest].gap)
            deepest = k;
    const witness first = p->patch[deepest];
    p->patch[deepest] = p->patch[0];
    p->patch[0] = first;
}

/* The points of the two support sets that face each other, the deepest first. */
static void build(convex_pair *pair, vec n, double tolerance, patch_builder *p, witness *patch)
{
    const vec n_in_b = rotate_back(&pair->b_in_a.turn, negate(n));
    support_a(pair, n);
    support_b(pair, negate(n));
    const bool flat = has_face(pair->a, pair->at_a, n) || has_face(pair->b, pair->at_b, n_in_b);
    support    a, b;
    a.normal = b.normal = (vec){0, 0, 0};
    take_support(pair->a, pair->at_a, n, flat, &a);
    take_support(pair->b, pair->at_b, n_in_b, flat, &b);
    place_support(&pair->b_in_a, &b);
    *p = (patch_builder){&a, &b, n, tolerance * pair->size, patch, 0, 0};
    take_corners(p);
    if (a.count == 0)
        take_rim(p, &a, &b, true);
    if (b.count == 0)
        take_rim(p, &b, &a, false);
    if (a.count == 0 && b.count == 0)
        take_rim_crossings(p);
    take_crossings(p);
    deepest_first(p);
    p->area = weigh_patch(&a, &b, n, patch, p->count);
    p->a = p->b = NULL;
}

/* Whether the points found are as deep as the bodies: rounding may have parted what touches. */
static bool is_lost(const patch_builder *p, double sep)
{
    return p->count == 0 || !(p->patch[0].gap <= sep + p->tolerance);
}

uint32_t convex_patch(convex_pair *pair, convex_result *result, witness patch[PATCH_MAX], double *area)
{
    patch_builder p;
    build(pair, result->normal, 1e-12, &p, patch);
    const bool lost = is_lost(&p, result->sep);
    if (lost && !result->witnessed)
        convex_search(pair, result);
    if (lost) {
        p.count = 0;
        p.area = 0;
        take_witness(&p, feature_of(OF_NONE, 0, 0), result->on_a, result->on_b, 1);
    }
    if (!result->witnessed) {
        result->on_a = patch[0].on_a;
        result->on_b = patch[0].on_b;
        result->witnessed = true;
    }
    *area = p.area;
    return p.count;
}
