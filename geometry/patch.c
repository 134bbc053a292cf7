/* SPDX-License-Identifier: MIT */
/* patch.c - where two bodies face each other along a normal: corners of one over the other's face, crossings of edges,
 * points of a rim.
 *
 * A point of the patch is named by the corners or edges that make it, never by the order in which it was found, so
 * that it keeps its name from step to step, whichever of two parallel faces is clipped by the other. */
#include "patch.h"

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

/* Names of rim points and of crossings with a rim: above any corner or edge. */
#define RIM_NAME 0x7FFFFF00u

uint64_t feature_swapped(uint64_t feature)
{
    const uint64_t kind = feature >> 62, mask = 0x7FFFFFFFu;
    const uint64_t other = kind == OF_A ? OF_B : kind == OF_B ? OF_A : kind;
    return feature_of(other, (uint32_t)(feature & mask), (uint32_t)(feature >> 31 & mask));
}

/* ---- Support sets ------------------------------------------------------------------------------------------------ */

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

/* The face at a corner that looks most along a direction, and how much. */
typedef struct looking {
    uint32_t face; /* NO_INDEX: none */
    double   most;
} looking;

static looking best_face(const polytope *p, uint32_t at, vec n)
{
    looking best = {NO_INDEX, -INFINITY};
    if (p->n_faces == 0)
        return best;
    for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1]; k++) {
        const uint32_t f = face_at(p, at, k);
        const double   looks = dot(p->faces[f].normal, n);
        if (looks > best.most)
            best = (looking){f, looks};
    }
    return best;
}

static bool is_aligned(vec a, vec b)
{
    const vec c = cross(a, b);
    return dot(a, b) > 0 && dot(c, c) < ALIGNED * ALIGNED;
}

/* Whether a face, cap or disk of the core lies square to n. */
static bool has_face(const pcm_geometry *g, const looking *at, vec n)
{
    if (g->rim > 0)
        return n.x * n.x + n.y * n.y < ALIGNED * ALIGNED;
    return at->face != NO_INDEX && is_aligned(g->core.faces[at->face].normal, n);
}

static void take_round(const pcm_geometry *g, vec n, bool lenient, support *s)
{
    const double radial = sqrt(n.x * n.x + n.y * n.y);
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
        s->edge[k] = RIM_NAME;
    }
}

/* The support set along n, in the core's own axes. lenient: the face that looks most along n even where it is tilted,
 * because the other body's face will tell how far each of its points is. */
static void take_support(const pcm_geometry *g, uint32_t at, const looking *up, vec n, bool lenient, support *s)
{
    const polytope *p = &g->core;
    if (g->rim > 0) {
        take_round(g, n, lenient, s);
        return;
    }
    if (up->face != NO_INDEX && ((lenient && up->most > STEEP) || has_face(g, up, n))) {
        take_flat(p, &p->flats[p->flat_of[up->face]], s);
        return;
    }
    if (p->n_edges == 1 && (lenient || is_square(sub(p->corners[1], p->corners[0]), n))) {
        take_edge(p, 0, s);
        return;
    }
    for (uint32_t k = p->ring_first[at]; k < p->ring_first[at + 1] && p->n_faces; k++)
        if (is_square(sub(p->around[k].at, p->corners[at]), n)) {
            take_edge(p, p->ring[k], s);
            return;
        }
    s->count = 1;
    s->corner[0] = at;
    s->points[0] = p->corners[at];
}

/* Turns a support set into a's axes. */
static void place_support(const placing *at, support *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        s->points[k] = transform(at, s->points[k]);
    s->centre = transform(at, s->centre);
    s->axis = rotate(&at->turn, s->axis);
    s->normal = rotate(&at->turn, s->normal);
}

/* What the sides of a set are, seen along n. */
static void lay_sides(support *s, vec n)
{
    s->n_sides = s->count > 2 ? s->count : s->count / 2;
    for (uint32_t k = 0; k < s->n_sides; k++) {
        side *to = &s->sides[k];
        to->run = across(sub(s->points[k + 1 < s->count ? k + 1 : 0], s->points[k]), n);
        to->left = cross(n, to->run);
        to->length = norm(to->run);
    }
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
    for (uint32_t k = 0; k < s->count; k++)
        if (sense * dot(s->sides[k].left, sub(q, s->points[k])) < -tolerance * s->sides[k].length)
            return false;
    *there = support_over(s, q, n);
    return true;
}

/* How far q is inside the set, seen along n; of a polygon, from its nearest side. */
static double depth_in(const support *s, vec q, vec n)
{
    double least = INFINITY;
    if (s->count == 0)
        return larger(s->rim - norm(sub(support_over(s, q, n), s->centre)), 0);
    for (uint32_t k = 0; k < s->count && s->count > 2; k++)
        least = smaller(least, fabs(dot(s->sides[k].left, sub(q, s->points[k]))) / s->sides[k].length);
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
    for (uint32_t i = 0; i < a->n_sides; i++) {
        const side *of_a = &a->sides[i];
        const vec   pa = a->points[i];
        for (uint32_t j = 0; j < b->n_sides; j++) {
            const side  *of_b = &b->sides[j];
            const double det = dot(of_a->left, of_b->run), lengths = of_a->length * of_b->length;
            if (!(fabs(det) > ALIGNED * lengths))
                continue;
            const vec    pb = b->points[j], r = sub(pb, pa);
            const double s = -dot(of_b->left, r) / det, t = -dot(of_a->left, r) / det;
            const double ea = p->tolerance / of_a->length, eb = p->tolerance / of_b->length;
            if (!(s >= -ea && s <= 1 + ea && t >= -eb && t <= 1 + eb))
                continue;
            const vec da = sub(a->points[i + 1 < a->count ? i + 1 : 0], pa);
            const vec db = sub(b->points[j + 1 < b->count ? j + 1 : 0], pb);
            take_witness(p, feature_of(OF_BOTH, a->edge[i], b->edge[j]), along(pa, da, s), along(pb, db, t), 1);
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
    for (uint32_t k = 0; k < other->n_sides; k++) {
        const vec    o = other->points[k], d = sub(other->points[(k + 1) % other->count], o);
        const vec    foot = support_over(disk, o, p->normal), run = sub(support_over(disk, add(o, d), p->normal), foot);
        const vec    r = sub(foot, disk->centre);
        const double a = dot(run, run), b = dot(r, run), c = dot(r, r) - disk->rim * disk->rim, root = b * b - a * c;
        if (!(root > 0) || !(a > 0))
            continue;
        /* How much of the side is within the disk. */
        const double share = sqrt(a) * (smaller((-b + sqrt(root)) / a, 1) - larger((-b - sqrt(root)) / a, 0));
        for (uint32_t end = 0; end < 2; end++) {
            const double t = (-b + (end ? 1 : -1) * sqrt(root)) / a;
            const vec    on_disk = along(foot, run, t), on_other = along(o, d, t);
            if (t < 0 || t > 1)
                continue;
            if (disk_is_a)
                take_witness(p, feature_of(OF_BOTH, RIM_NAME + end, other->edge[k]), on_disk, on_other, share);
            else
                take_witness(p, feature_of(OF_BOTH, other->edge[k], RIM_NAME + end), on_other, on_disk, share);
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
    for (uint32_t end = 0; end < 2; end++) {
        vec    on_a, on_b;
        double angle = atan2((end ? 1 : -1) * sqrt(h), x);
        if (meet_rim(p, u, v, &angle, &on_a, &on_b))
            take_witness(p, feature_of(OF_BOTH, RIM_NAME + end, RIM_NAME + end), on_a, on_b, sqrt(h));
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
    const looking face_a = best_face(&pair->a->core, pair->at_a, n);
    const looking face_b = best_face(&pair->b->core, pair->at_b, n_in_b);
    const bool    flat = has_face(pair->a, &face_a, n) || has_face(pair->b, &face_b, n_in_b);
    support       a, b;
    a.normal = b.normal = (vec){0, 0, 0};
    take_support(pair->a, pair->at_a, &face_a, n, flat, &a);
    take_support(pair->b, pair->at_b, &face_b, n_in_b, flat, &b);
    place_support(&pair->b_in_a, &b);
    lay_sides(&a, n);
    lay_sides(&b, n);
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

/* A corner amid a flat, or left out of its outline, may stand out of it by the rounding of a file. The patch stays what
 * it is, so that contacts do not come and go with that, and is as deep as the deepest corner. */
static void lower_patch(const convex_pair *pair, double sep, patch_builder *p)
{
    const bool   uneven = pair->a->core.uneven || pair->b->core.uneven;
    const double over = p->count ? p->patch[0].gap - sep : INFINITY;
    if (!uneven || !(over > 0 && over <= FLAT * pair->size))
        return;
    for (uint32_t k = 0; k < p->count; k++) {
        p->patch[k].on_a = along(p->patch[k].on_a, p->normal, 0.5 * over);
        p->patch[k].on_b = along(p->patch[k].on_b, p->normal, -0.5 * over);
        p->patch[k].gap -= over;
    }
}

uint32_t convex_patch(convex_pair *pair, convex_result *result, witness patch[PATCH_MAX], double *area)
{
    patch_builder p;
    build(pair, result->normal, 1e-12, &p, patch);
    lower_patch(pair, result->sep, &p);
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
