/* SPDX-License-Identifier: MIT */
/* rims.c - the points that rims add to a patch: their lowest point, their crossings with sides and with each other, and
 * the middles of the arcs between crossings. */
#include "patch.h"

/* As a share of a disk's radius: shorter chords count as hardly cutting it. */
#define SHORT 0.1

#define PI 3.14159265358979324

/* The most iterations for the crossing of two rims, and the angle that counts as far from the crossing of level
 * rims. */
#define RIM_STEPS  12
#define MOVED_MOST 0.25

/* The slope of a set's plane against the normal, as a vector perpendicular to it; zero for sets without a plane. */
static vec rise(const support *s, vec n)
{
    const double steep = dot(s->normal, n);
    return fabs(steep) > 0 ? scale(across(s->normal, n), -1 / steep) : (vec){0, 0, 0};
}

/* The direction across the normal in which the gap closes. */
static vec descent(const patch_builder *p) { return sub(rise(p->a, p->normal), rise(p->b, p->normal)); }

/* Adds a point of a disk's rim on a side: where the side crosses the rim, or at an end of the arc that it cuts off. */
static void take_on_side(patch_builder *p, bool disk_is_a, uint32_t name, uint32_t of_side, vec on_disk, vec on_other,
                         double share)
{
    if (disk_is_a)
        patch_take(p, feature_of(OF_BOTH, name, of_side), on_disk, on_other, share);
    else
        patch_take(p, feature_of(OF_BOTH, of_side, name), on_other, on_disk, share);
}

/* How much a chord cuts a disk: 0 where it just touches the rim, 1 where it is not short. */
static double cuts(const support *disk, double chord) { return smaller(chord / (SHORT * disk->rim), 1); }

/* The part of a disk that the line of a polygon's side leaves uncut: 1 where the line misses the disk, 0 where it cuts
 * off half of the disk or more. */
static double spares(const support *disk, const support *polygon, uint32_t of, double sense, vec n)
{
    const side  *s = &polygon->sides[of];
    const vec    o = polygon->points[of];
    const vec    foot = support_over(disk, o, n), run = sub(support_over(disk, add(o, s->run), n), foot);
    const vec    r = sub(foot, disk->centre);
    const double a = dot(run, run), b = dot(r, run), root = b * b - a * (dot(r, r) - disk->rim * disk->rim);
    if (sense * dot(s->left, sub(disk->centre, o)) < 0)
        return 0;
    return root > 0 ? 1 - cuts(disk, 2 * sqrt(root / a)) : 1;
}

/* The weight of a point q of a disk's rim over a polygon, and in *there the polygon's point over it; 0: none. On a side
 * that cuts the rim the weight is 0, since the crossing replaces the point. Where a side hardly cuts the rim the point
 * keeps most of its weight, and if it is beyond that side, the nearest point of the side replaces it. */
static double keep_over_polygon(const patch_builder *p, const support *disk, const support *polygon, vec *q, vec *there)
{
    const vec    n = p->normal;
    const double sense = dot(polygon->normal, n) < 0 ? -1 : 1;
    double       kept = 1, nearest = INFINITY;
    for (uint32_t k = 0; k < polygon->count && kept > 0; k++) {
        const side  *s = &polygon->sides[k];
        const vec    begin = polygon->points[k], end = polygon->points[k + 1 < polygon->count ? k + 1 : 0];
        const vec    from = sub(*q, begin);
        const double within = sense * dot(s->left, from), fading = s->length * EDGE * disk->rim;
        if (within >= fading)
            continue;
        kept = smaller(kept, larger(larger(within / fading, 0), spares(disk, polygon, k, sense, n)));
        if (within >= 0)
            continue;
        const double t = smaller(larger(dot(s->run, from) / (s->length * s->length), 0), 1);
        const vec    on = along(begin, sub(end, begin), t), beside = across(sub(*q, on), n);
        if (dot(beside, beside) < nearest) {
            nearest = dot(beside, beside);
            *there = on;
        }
    }
    if (nearest < INFINITY)
        *q = support_over(disk, *there, n);
    else
        *there = support_over(polygon, *q, n);
    return kept;
}

/* Moves a point beyond a disk's rim onto the rim, and the other body's point with it; returns how far inside the rim
 * the point was. */
static double keep_within(const support *disk, const support *other, vec n, vec *on_other, vec *on_disk)
{
    *on_disk = support_over(disk, *on_other, n);
    const vec    out = sub(*on_disk, disk->centre);
    const double away = norm(out);
    if (away > disk->rim) {
        *on_disk = along(disk->centre, out, disk->rim / away);
        *on_other = support_over(other, *on_disk, n);
    }
    return disk->rim - away;
}

/* The part of a disk that another disk's rim leaves uncut, as for the side of a polygon. */
static double rim_cuts(const support *disk, const support *other, double between)
{
    return cuts(disk, sqrt(8 * disk->rim * larger(between + disk->rim - other->rim, 0)));
}

/* The same weight over another disk. */
static double keep_over_disk(const patch_builder *p, const support *disk, const support *other, vec *q, vec *there)
{
    const double between = norm(sub(support_over(disk, other->centre, p->normal), disk->centre));
    const double within = keep_within(other, disk, p->normal, q, there) / (EDGE * disk->rim);
    return smaller(larger(larger(within, 0), 1 - rim_cuts(disk, other, between)), 1);
}

/* The same weight over any other set. */
static double keep_over(const patch_builder *p, const support *disk, const support *other, vec *q, vec *there)
{
    if (other->count == 0)
        return keep_over_disk(p, disk, other, q, there);
    if (other->count > 2)
        return keep_over_polygon(p, disk, other, q, there);
    return patch_covers(other, *q, p->normal, p->tolerance, there) ? 1 : 0;
}

/* Adds three points of a rim, the lowest and two at 120 degrees from it. The force and moment of a linear law then do
 * not depend on which point is the lowest, so nothing jumps where the lowest point moves to the other side. */
static void take_rim_points(patch_builder *p, const support *disk, const support *other, bool disk_is_a)
{
    vec lowest = across(across(descent(p), disk->axis), disk->axis); /* twice, against rounding */
    if (norm(lowest) < 1e-12)
        lowest = perpendicular(disk->axis);
    const vec u = unit_or(lowest, disk->axis), v = cross(disk->axis, u);
    for (uint32_t k = 0; k < 3; k++) {
        static const double cosine[3] = {1, -0.5, -0.5}, sine[3] = {0, 0.86602540378443865, -0.86602540378443865};
        vec                 q = along(along(disk->centre, u, disk->rim * cosine[k]), v, disk->rim * sine[k]), there;
        const double        kept = keep_over(p, disk, other, &q, &there);
        if (kept > 0)
            patch_take_over(p, disk_is_a, RIM_NAME + 8 + k, q, there, kept);
    }
}

/* The weight of an arc: 0 for wide arcs, which surround the disk. */
static double wide(double arc) { return smaller(larger(4 - 3 * arc / PI, 0), 1); }

/* A crossing of a side with a rim, at x and y from the rim's middle. order: grows with the angle. end: which of the
 * side's two crossings it is. cuts: how much the side's whole line cuts the disk; by the whole line, so that an arc
 * does not change where the side's end passes through the rim. */
typedef struct crossing {
    double   x, y, order, cuts;
    uint32_t edge, end;
} crossing;

/* Grows from -2 to 2 as the angle of a direction grows from -180 to 180 degrees. */
static double order_of(double x, double y)
{
    const double share = y / (fabs(x) + fabs(y));
    return x >= 0 ? share : copysign(2, y) - share;
}

/* The crossings of a disk's rim with the other set's sides, ordered by angle; returns their number. */
static uint32_t take_rim_sides(patch_builder *p, const support *disk, const support *other, bool disk_is_a, vec u,
                               vec v, crossing crossings[2 * FACE_CORNERS_MAX])
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < other->n_sides; k++) {
        const uint32_t to = (k + 1) % other->count;
        /* Two adjacent faces run along their common side in opposite directions. */
        const uint32_t back = other->corner[k] > other->corner[to];
        const vec      o = other->points[k], d = sub(other->points[to], o);
        const vec    foot = support_over(disk, o, p->normal), run = sub(support_over(disk, add(o, d), p->normal), foot);
        const vec    r = sub(foot, disk->centre);
        const double a = dot(run, run), b = dot(r, run), c = dot(r, r) - disk->rim * disk->rim, root = b * b - a * c;
        if (!(root > 0) || !(a > 0))
            continue;
        const double half = sqrt(root), first = (-b - half) / a, last = (-b + half) / a;
        const double chord = sqrt(a) * (smaller(last, 1) - larger(first, 0)), whole = 2 * half / sqrt(a);
        for (uint32_t end = 0; end < 2; end++) {
            const double t = end ? last : first;
            if (t < 0 || t > 1)
                continue;
            const vec      q = along(foot, run, t), from = sub(q, disk->centre);
            const double   x = dot(u, from), y = dot(v, from);
            const crossing here = {x, y, order_of(x, y), cuts(disk, whole), other->edge[k], end ^ back};
            uint32_t       i = n++;
            take_on_side(p, disk_is_a, RIM_NAME + here.end, here.edge, q, along(o, d, t), cuts(disk, chord));
            for (; i > 0 && crossings[i - 1].order > here.order; i--)
                crossings[i] = crossings[i - 1];
            crossings[i] = here;
        }
    }
    return n;
}

/* An arc from one crossing to another, and its middle. */
typedef struct rim_arc {
    double wide; /* how much it counts (wide()) */
    vec    out;  /* direction from the disk's middle */
} rim_arc;

/* The arc's angle matters only where it is longer than half of the rim. */
static rim_arc arc_of(const support *disk, vec u, vec v, const crossing *from, const crossing *to)
{
    const double r = disk->rim, inner = from->x * to->x + from->y * to->y, turn = from->x * to->y - from->y * to->x;
    const double angle = turn >= 0 ? 0 : 2 * PI + atan2(turn, inner);
    /* The bisector: along the sum of both, or perpendicular to their difference, whichever has more digits. */
    const bool   near = inner > 0;
    const double x = near ? from->x + to->x : to->y - from->y, y = near ? from->y + to->y : from->x - to->x;
    const double scaled = (near && turn < 0 ? -r : r) / sqrt(x * x + y * y);
    return (rim_arc){wide(angle), along(scale(u, scaled * x), v, scaled * y)};
}

/* Adds the points of a disk's rim: its own three, its crossings with the other set's sides, and the middles of the arcs
 * between crossings, without which the points would not surround the patch. Where a side hardly cuts the disk, the
 * undivided arc keeps most of its weight; its middle is moved inwards so that it lies in both sets. */
static void take_rim(patch_builder *p, const support *disk, const support *other, bool disk_is_a)
{
    const vec u = perpendicular(disk->axis), v = cross(disk->axis, u);
    crossing  at[2 * FACE_CORNERS_MAX];
    vec       there;
    take_rim_points(p, disk, other, disk_is_a);
    const uint32_t n = take_rim_sides(p, disk, other, disk_is_a, u, v, at);
    for (uint32_t k = 0; k < n && n > 1 && other->count > 2; k++) {
        const crossing *from = &at[k], *to = &at[(k + 1) % n], *last = &at[(k + 3) % n];
        const bool      parted = n > 3 && to->edge == at[(k + 2) % n].edge;
        const rim_arc   part = arc_of(disk, u, v, from, to);
        const vec       q = add(disk->centre, part.out);
        const double    share = from->cuts * to->cuts * part.wide;
        if (!patch_covers(other, q, p->normal, p->tolerance, &there))
            continue;
        if (share > 0)
            take_on_side(p, disk_is_a, parted ? RIM_NAME + 4 + to->end : RIM_NAME + 2 + from->end,
                         parted ? to->edge : from->edge, q, there, share);
        if (parted && to->cuts < 1) {
            const rim_arc whole = arc_of(disk, u, v, from, last);
            const double  chord = 0.5 * SHORT * to->cuts, rest = (1 - to->cuts) * from->cuts * last->cuts * whole.wide;
            const vec     within = along(disk->centre, whole.out, sqrt(1 - chord * chord));
            if (rest > 0)
                take_on_side(p, disk_is_a, RIM_NAME + 2 + from->end, from->edge, within,
                             support_over(other, within, p->normal), rest);
        }
    }
}

/* The weight of a crossing of two rims, by the sine of the angle at which they cross: less where they hardly cross, and
 * 0 where the crossing is also far from that of level rims, since it soon vanishes. */
static double is_met(double sine, double moved)
{
    const double clear = sine * sine / (SHORT * SHORT), near = 1 - fabs(moved) / MOVED_MOST;
    return smaller(smaller(8 * sine / (SHORT * SHORT), larger(near, clear)), 1);
}

/* Finds the crossing of the rims of b and a near a given angle on a; returns its weight. */
static double meet_rim(const patch_builder *p, vec u, vec v, double from, vec *on_a, vec *on_b)
{
    const support *a = p->a, *b = p->b;
    double         angle = from;
    for (int i = 0; i < RIM_STEPS; i++) {
        const double c = a->rim * cos(angle), s = a->rim * sin(angle);
        *on_a = along(along(a->centre, u, c), v, s);
        *on_b = support_over(b, *on_a, p->normal);
        const vec    way = sub(scale(v, c), scale(u, s)), r = sub(*on_b, b->centre);
        const vec    run = along(way, p->normal, -dot(b->normal, way) / dot(b->normal, p->normal));
        const double off = dot(r, r) - b->rim * b->rim, slope = 2 * dot(r, run);
        if (fabs(off) <= p->tolerance * b->rim)
            return is_met(fabs(slope) / (2 * b->rim * norm(run)), angle - from);
        if (!(fabs(off) < fabs(slope)))
            return 0;
        angle -= off / slope;
    }
    return 0;
}

/* Adds the points of two disks that face each other and overlap in part: the crossings of their rims, near those of
 * level rims, and the middles of the arcs between. Disks that nearly coincide hardly cut each other: their crossings
 * run round the rims as the disks turn, and come and go with a weight of 0, where the rims only touch. */
static void take_rim_crossings(patch_builder *p)
{
    const support *a = p->a, *b = p->b, *least = a->rim < b->rim ? a : b;
    const vec      between = sub(support_over(a, b->centre, p->normal), a->centre);
    const double   d = norm(between);
    const double   x = d > p->tolerance ? (d * d + a->rim * a->rim - b->rim * b->rim) / (2 * d) : INFINITY;
    const double   h = a->rim * a->rim - x * x;
    if (!(h > 0))
        return;
    const vec    u = scale(between, 1 / d), v = cross(a->axis, u);
    const double half = sqrt(h), cut = smaller(cuts(least, 2 * half), rim_cuts(least, least == a ? b : a, d));
    for (uint32_t end = 0; end < 2; end++) {
        vec          on_a, on_b;
        const double met = meet_rim(p, u, v, atan2(end ? half : -half, x), &on_a, &on_b);
        if (met > 0)
            patch_take(p, feature_of(OF_BOTH, RIM_NAME + end, RIM_NAME + end), on_a, on_b, smaller(cut, met));
    }
    for (uint32_t k = 0; k < 2; k++) {
        const support *disk = k ? b : a, *other = k ? a : b;
        const vec      way = support_over(disk, add(disk->centre, k ? negate(u) : u), p->normal);
        const double   share = cut * wide(2 * atan2(half, k ? d - x : x));
        vec            q = along(disk->centre, unit_or(sub(way, disk->centre), u), disk->rim), there;
        if (share > 0) {
            keep_within(other, disk, p->normal, &q, &there);
            patch_take_over(p, k == 0, RIM_NAME + 11, q, there, share);
        }
    }
}

void patch_rims(patch_builder *p)
{
    if (p->a->count == 0)
        take_rim(p, p->a, p->b, true);
    if (p->b->count == 0)
        take_rim(p, p->b, p->a, false);
    if (p->a->count == 0 && p->b->count == 0)
        take_rim_crossings(p);
}
