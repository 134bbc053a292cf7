/* SPDX-License-Identifier: MIT */
/* clip.c - the common region of two polygons, seen along a normal, by Sutherland and Hodgman's clipping (1974): b is
 * cut at each side of a in turn.
 *
 * The corners of the region come in order. The two sides that meet at a corner show its kind: both of b, a corner of b;
 * both of a, a corner of a; one of each, a crossing. */
#include "patch.h"

/* The sides of both polygons, and two more that a cut may add temporarily. */
enum { SIDES_MAX = 2 * FACE_CORNERS_MAX + 2 };

/* The region after the cuts so far, in the plane perpendicular to the normal. */
typedef struct region {
    double   x[SIDES_MAX], y[SIDES_MAX];
    uint32_t side[SIDES_MAX]; /* the side that starts at the corner: a's by its number, b's by FACE_CORNERS_MAX plus its
                                 number */
    uint32_t count;
} region;

typedef struct clipping {
    const support *a, *b;
    vec            normal, u, v;
    double         tolerance;
    double         ax[FACE_CORNERS_MAX], ay[FACE_CORNERS_MAX], bx[FACE_CORNERS_MAX], by[FACE_CORNERS_MAX];
    double         steep_a, steep_b; /* 1 over the cosine of the angle between each polygon's normal and the patch's */
} clipping;

static bool is_of_b(uint32_t of) { return of >= FACE_CORNERS_MAX; }

static uint32_t after(const support *s, uint32_t k) { return k + 1 < s->count ? k + 1 : 0; }

static void lay_out(const clipping *c, const support *s, double x[], double y[])
{
    for (uint32_t k = 0; k < s->count; k++) {
        const vec r = sub(s->points[k], c->a->points[0]);
        x[k] = dot(r, c->u);
        y[k] = dot(r, c->v);
    }
}

/* Cuts off the part of the region beyond side i of a. A part that is beyond it only by rounding stays. */
static const region *cut(clipping *c, uint32_t i, const region *from, region *to)
{
    const uint32_t j = after(c->a, i);
    const double   px = c->ax[i], py = c->ay[i], dx = c->ax[j] - px, dy = c->ay[j] - py;
    const double   beside = -c->tolerance * (fabs(dx) + fabs(dy));
    double         over[SIDES_MAX], least = INFINITY;
    uint32_t       n = 0;
    for (uint32_t k = 0; k < from->count; k++) {
        over[k] = dx * (from->y[k] - py) - dy * (from->x[k] - px);
        least = smaller(least, over[k]);
    }
    if (least >= beside)
        return from;
    for (uint32_t k = 0; k < from->count && n + 2 <= SIDES_MAX; k++) {
        const uint32_t next = k + 1 < from->count ? k + 1 : 0;
        const bool     here = over[k] >= beside, there = over[next] >= beside;
        const double   in = here ? larger(over[k], 0) : over[k], out = there ? larger(over[next], 0) : over[next];
        const double   t = here != there ? in / (in - out) : 0;
        to->x[n] = from->x[k];
        to->y[n] = from->y[k];
        to->side[n] = from->side[k];
        n += here;
        if (here != there) {
            to->x[n] = from->x[k] + t * (from->x[next] - from->x[k]);
            to->y[n] = from->y[k] + t * (from->y[next] - from->y[k]);
            to->side[n] = here ? i : from->side[k];
            n++;
        }
    }
    to->count = n;
    return to;
}

/* How far a point of a side's line is beyond the side's ends, as a share of the side. */
static double off_ends(double t) { return larger(larger(-t, t - 1), 0); }

/* The crossing of side i of a and side k of b; false: they are nearly parallel or cross only by rounding, so that the
 * adjacent corners are enough. */
static bool cross_sides(const clipping *c, uint32_t i, uint32_t k, witness *to)
{
    const uint32_t i1 = after(c->a, i), k1 = after(c->b, k);
    const double   ax = c->ax[i1] - c->ax[i], ay = c->ay[i1] - c->ay[i], bx = c->bx[k1] - c->bx[k];
    const double   by = c->by[k1] - c->by[k], rx = c->bx[k] - c->ax[i], ry = c->by[k] - c->ay[i];
    const double   det = ax * by - ay * bx, aa = ax * ax + ay * ay, bb = bx * bx + by * by;
    const double   s = (rx * by - ry * bx) / det, t = (rx * ay - ry * ax) / det;
    const double   beside = larger(off_ends(s) * off_ends(s) * aa, off_ends(t) * off_ends(t) * bb);
    if (!(det * det > ALIGNED * ALIGNED * aa * bb && beside <= c->tolerance * c->tolerance))
        return false;
    const vec pa = c->a->points[i], pb = c->b->points[k];
    to->feature = feature_of(OF_BOTH, c->a->edge[i], c->b->edge[k]);
    to->on_a = along(pa, sub(c->a->points[i1], pa), s);
    to->on_b = along(pb, sub(c->b->points[k1], pb), t);
    return true;
}

/* The point of a support set's plane over q, along the normal. */
static vec over(const clipping *c, const support *s, double steep, vec q)
{
    return along(q, c->normal, dot(s->normal, sub(s->points[0], q)) * steep);
}

/* The point where two sides of a meet at a corner of the region. Mostly that is a's own corner; a flat of many faces
 * may have an outline that is not quite convex, by the rounding of a file, and then sides that are not neighbours
 * meet. */
static void meet_sides(const clipping *c, uint32_t before, uint32_t beyond, double x, double y, witness *to)
{
    const vec amid = along(along(c->a->points[0], c->u, x), c->v, y);
    to->feature = feature_of(OF_A, c->a->corner[before], 0);
    to->on_a = after(c->a, beyond) == before ? c->a->points[before] : over(c, c->a, c->steep_a, amid);
    to->on_b = over(c, c->b, c->steep_b, to->on_a);
}

/* Fills in the point at corner k of the region; false: it does not belong to the patch. */
static bool name_corner(const clipping *c, const region *r, uint32_t k, witness *to)
{
    const uint32_t beyond = r->side[k], before = r->side[k > 0 ? k - 1 : r->count - 1];
    if (is_of_b(beyond) != is_of_b(before)) {
        if (!cross_sides(c, is_of_b(beyond) ? before : beyond, (is_of_b(beyond) ? beyond : before) - FACE_CORNERS_MAX,
                         to))
            return false;
    } else if (is_of_b(beyond)) {
        to->feature = feature_of(OF_B, 0, c->b->corner[beyond - FACE_CORNERS_MAX]);
        to->on_b = c->b->points[beyond - FACE_CORNERS_MAX];
        to->on_a = over(c, c->a, c->steep_a, to->on_b);
    } else {
        meet_sides(c, before, beyond, r->x[k], r->y[k], to);
    }
    to->gap = dot(c->normal, sub(to->on_b, to->on_a));
    to->share = 1;
    to->area = 0;
    return true;
}

static bool is_same(const region *r, uint32_t i, uint32_t k, const witness *of_i, const witness *of_k, double tolerance)
{
    const double dx = r->x[i] - r->x[k], dy = r->y[i] - r->y[k];
    return of_i->feature == of_k->feature || dx * dx + dy * dy <= tolerance * tolerance;
}

/* Of points at the same place the one with the smaller gap counts; of equal ones a corner counts before a crossing, and
 * b's corner before a's. */
static bool counts_before(const witness *first, const witness *second, double tolerance)
{
    if (fabs(first->gap - second->gap) > tolerance)
        return first->gap < second->gap;
    const bool crossing = first->feature >> 62 == OF_BOTH;
    return crossing == (second->feature >> 62 == OF_BOTH) ? first->feature >> 62 >= second->feature >> 62 : !crossing;
}

/* Writes the points of the patch, and reduces the region to them. */
static uint32_t name_all(const clipping *c, region *r, witness *patch)
{
    const double tolerance = c->tolerance;
    uint32_t     n = 0, at[SIDES_MAX];
    for (uint32_t k = 0; k < r->count; k++) {
        if (!name_corner(c, r, k, &patch[n]))
            continue;
        at[n] = k;
        if (n > 0 && is_same(r, at[n - 1], k, &patch[n - 1], &patch[n], tolerance)) {
            if (counts_before(&patch[n], &patch[n - 1], tolerance))
                patch[n - 1] = patch[n];
        } else {
            n++;
        }
    }
    if (n > 1 && is_same(r, at[0], at[n - 1], &patch[0], &patch[n - 1], tolerance)) {
        n--;
        if (counts_before(&patch[n], &patch[0], tolerance))
            patch[0] = patch[n];
    }
    for (uint32_t k = 0; k < n; k++) {
        r->x[k] = r->x[at[k]];
        r->y[k] = r->y[at[k]];
    }
    return n;
}

/* The share of each corner of a polygon: half of each of the two triangles that it spans with its neighbours and the
 * centroid. Returns the area. */
static double share_region(const region *r, uint32_t count, double shares[])
{
    double area = 0, cx = 0, cy = 0, sum = 0;
    for (uint32_t k = 2; k < count; k++) {
        const double px = r->x[k - 1] - r->x[0], py = r->y[k - 1] - r->y[0], qx = r->x[k] - r->x[0];
        const double qy = r->y[k] - r->y[0], twice = py * qx - px * qy;
        area += 0.5 * twice;
        cx += twice * (px + qx);
        cy += twice * (py + qy);
    }
    for (uint32_t k = 0; k < count; k++)
        shares[k] = area > 0 ? 0 : 1.0 / count;
    if (!(area > 0))
        return 0;
    cx = r->x[0] + cx / (6 * area);
    cy = r->y[0] + cy / (6 * area);
    double px = r->x[count - 1] - cx, py = r->y[count - 1] - cy;
    for (uint32_t k = 0, before = count - 1; k < count; before = k++) {
        const double qx = r->x[k] - cx, qy = r->y[k] - cy, triangle = larger(py * qx - px * qy, 0);
        shares[before] += triangle;
        shares[k] += triangle;
        sum += 2 * triangle;
        px = qx;
        py = qy;
    }
    for (uint32_t k = 0; k < count; k++)
        shares[k] = sum > 0 ? shares[k] / sum : 1.0 / count;
    return area;
}

/* Clips two polygons against each other; returns the one of the two buffers that holds the common region. */
static region *clip(clipping *c, const support *a, const support *b, vec n, double tolerance, region regions[2])
{
    /* Two directions perpendicular to n. */
    const double  sign = n.z < 0 ? -1 : 1, p = -1 / (sign + n.z), q = n.x * n.y * p;
    const region *now = &regions[0];
    c->a = a;
    c->b = b;
    c->normal = n;
    c->u = (vec){1 + sign * n.x * n.x * p, sign * q, -sign * n.x};
    c->v = (vec){q, sign + n.y * n.y * p, -n.y};
    c->tolerance = tolerance;
    c->steep_a = 1 / dot(a->normal, n);
    c->steep_b = 1 / dot(b->normal, n);
    lay_out(c, a, c->ax, c->ay);
    lay_out(c, b, c->bx, c->by);
    for (uint32_t k = 0; k < b->count; k++) {
        regions[0].x[k] = c->bx[k];
        regions[0].y[k] = c->by[k];
        regions[0].side[k] = FACE_CORNERS_MAX + k;
    }
    regions[0].count = b->count;
    for (uint32_t i = 0; i < a->count && now->count > 0; i++)
        now = cut(c, i, now, &regions[now == &regions[0]]);
    return &regions[now == &regions[1]];
}

uint32_t clip_polygons(const support *a, const support *b, vec n, double tolerance, witness *patch, double *area)
{
    clipping       c;
    region         regions[2], *shared = clip(&c, a, b, n, tolerance, regions);
    double         shares[SIDES_MAX];
    const uint32_t count = name_all(&c, shared, patch);
    *area = share_region(shared, count, shares);
    for (uint32_t k = 0; k < count; k++)
        patch[k].share = shares[k];
    return count;
}
