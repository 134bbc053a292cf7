/* SPDX-License-Identifier: MIT */
/* share.c - the share of a patch that belongs to each of its points.
 *
 * Shares change continuously as the bodies move: a point comes and goes with a share of 0, or at the place of another
 * point. The mean of the points, weighted by shares, is the patch's centroid, as under an even pressure. A corner of a
 * polygon (clip.c) has half of each of the two triangles that it spans with its neighbours and the centroid. The region
 * within a rim is round; an affine factor corrects its area and centroid. */
#include "patch.h"

/* As a share of the squared radius: the centroid of a smaller area is only rounding error. */
#define SLIVER 1e-8

/* The plane in which a patch is laid out. */
typedef struct layout {
    vec    origin, u, v;
    double x[PATCH_MAX], y[PATCH_MAX];
    double area, cx, cy;
} layout;

static void lay(layout *l, uint32_t k, vec p)
{
    const vec r = sub(p, l->origin);
    l->x[k] = dot(r, l->u);
    l->y[k] = dot(r, l->v);
}

static void share_evenly(witness *patch, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        patch[k].share = 1.0 / count;
}

/* Shares of points along a line: each has half of the way to each neighbour, so two points at one place count as
 * one. */
static void share_along(vec line, witness *patch, uint32_t count)
{
    uint32_t order[PATCH_MAX];
    double   x[PATCH_MAX];
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = k;
        x[k] = dot(line, sub(patch[k].on_a, patch[0].on_a));
        for (; at > 0 && x[order[at - 1]] > x[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    const double length = count > 0 ? x[order[count - 1]] - x[order[0]] : 0;
    if (!(length > 0)) {
        share_evenly(patch, count);
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        const double before = x[order[k > 0 ? k - 1 : 0]], after = x[order[k + 1 < count ? k + 1 : k]];
        patch[order[k]].share = 0.5 * (after - before) / length;
    }
}

/* Makes the shares non-negative, with a sum of 1. */
static void normalise(witness *patch, uint32_t count)
{
    double sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += patch[k].share = larger(patch[k].share, 0);
    if (!(sum > 0)) {
        share_evenly(patch, count);
        return;
    }
    for (uint32_t k = 0; k < count; k++)
        patch[k].share /= sum;
}

/* ---- Polygons ---------------------------------------------------------------------------------------------------- */

/* Sorts the points by their angle around (cx, cy). */
static void sort_around(const layout *l, uint32_t count, double cx, double cy, uint32_t order[PATCH_MAX])
{
    double angle[PATCH_MAX];
    for (uint32_t k = 0; k < count; k++) {
        /* A number that grows with the angle. */
        const double dx = l->x[k] - cx, dy = l->y[k] - cy, cosine = dx / larger(fabs(dx) + fabs(dy), 1e-300);
        const double here = dy < 0 ? cosine - 1 : 1 - cosine;
        uint32_t     at = k;
        for (; at > 0 && angle[at - 1] > here; at--) {
            angle[at] = angle[at - 1];
            order[at] = order[at - 1];
        }
        angle[at] = here;
        order[at] = k;
    }
}

static double triangle(const layout *l, uint32_t i, uint32_t k, double cx, double cy)
{
    return 0.5 * ((l->x[i] - cx) * (l->y[k] - cy) - (l->x[k] - cx) * (l->y[i] - cy));
}

/* Gives every point half of each of the two triangles that it spans with its neighbours and a centre. A point whose
 * weight is below 1 counts only with that weight. */
static void fan(const layout *l, witness *patch, uint32_t count, double cx, double cy)
{
    uint32_t order[PATCH_MAX];
    double   there[PATCH_MAX];
    sort_around(l, count, cx, cy, order);
    for (uint32_t k = 0; k < count; k++) {
        there[k] = smaller(patch[k].share, 1);
        patch[k].share = 0;
    }
    for (uint32_t k = 0; k < count; k++) {
        double rest = there[order[k]];
        for (uint32_t m = 1; m < count && rest > 0; m++) {
            const uint32_t i = order[k], j = order[(k + m) % count];
            const double   half = 0.5 * rest * there[j] * larger(triangle(l, i, j, cx, cy), 0);
            patch[i].share += half;
            patch[j].share += half;
            rest *= 1 - there[j];
        }
    }
}

/* Shares about the centroid, which does not move as points come and go at the place of another one. The centroid of a
 * sliver is only rounding error; there the weighted mean of the points replaces it. */
static void fan_amid(const layout *l, double rim, witness *patch, uint32_t count)
{
    const double sliver = SLIVER * rim * rim, known = l->area / (l->area + sliver);
    double       sum = 0, mx = 0, my = 0;
    for (uint32_t k = 0; k < count; k++) {
        sum += patch[k].share;
        mx += patch[k].share * l->x[k];
        my += patch[k].share * l->y[k];
    }
    const double rest = sum > 0 ? (1 - known) / sum : 0;
    fan(l, patch, count, known * l->cx + rest * mx, known * l->cy + rest * my);
}

/* ---- Rims: area and centroid of the region that a disk about the origin shares with another set ------------------ */

/* Adds the triangle between the origin and a side that lies within the disk. */
static void add_triangle(layout *l, double px, double py, double qx, double qy)
{
    const double part = 0.5 * (px * qy - qx * py);
    l->area += part;
    l->cx += part * (px + qx) / 3;
    l->cy += part * (py + qy) / 3;
}

/* A sum of angles modulo 360 degrees, each given by its cosine and sine times any factor. */
typedef struct angles {
    double x, y, turns;
} angles;

static void add_angle(angles *sum, double cosine, double sine)
{
    const double least = fabs(cosine) + fabs(sine), c = cosine / larger(least, 1e-300),
                 s = sine / larger(least, 1e-300);
    const double x = sum->x * c - sum->y * s, y = sum->x * s + sum->y * c;
    if (s > 0 && sum->y >= 0 && y < 0)
        sum->turns++;
    else if (s < 0 && sum->y < 0 && y >= 0)
        sum->turns--;
    sum->x = x;
    sum->y = y;
}

static double angle_of(const angles *sum) { return atan2(sum->y, sum->x) + 2 * 3.14159265358979324 * sum->turns; }

/* Adds the contribution of a sector's start or end on the rim to the moment of the disk's sectors. */
static void add_sector_end(layout *l, double r, double x, double y, double sign)
{
    l->cx += sign * r * r / 3 * y;
    l->cy -= sign * r * r / 3 * x;
}

/* Adds the common area of the disk and the triangle from the origin to the side from p to q. For sectors it adds only
 * the angle, since they continue from one side to the next. */
static void add_side(layout *l, angles *sectors, double r, double px, double py, double qx, double qy)
{
    const double dx = qx - px, dy = qy - py, a = dx * dx + dy * dy, b = px * dx + py * dy;
    const double root = b * b - a * (px * px + py * py - r * r);
    if (!(a > 0))
        return;
    const double half = root > 0 ? sqrt(root) : 0;
    const double from = root > 0 ? larger((-b - half) / a, 0) : 1, to = root > 0 ? smaller((-b + half) / a, 1) : 1;
    if (!(from < to)) {
        add_angle(sectors, px * qx + py * qy, px * qy - qx * py);
        return;
    }
    const double sx = px + from * dx, sy = py + from * dy, tx = px + to * dx, ty = py + to * dy;
    if (from > 0) {
        add_angle(sectors, px * sx + py * sy, px * sy - sx * py);
        add_sector_end(l, r, sx, sy, 1);
    }
    add_triangle(l, sx, sy, tx, ty);
    if (to < 1) {
        add_angle(sectors, tx * qx + ty * qy, tx * qy - qx * ty);
        add_sector_end(l, r, tx, ty, -1);
    }
}

/* The part of the disk within a polygon, whichever way round the polygon runs. */
static void disk_and_polygon(layout *l, const support *disk, const support *other, vec n)
{
    const vec last = sub(support_over(disk, other->points[other->count - 1], n), l->origin);
    angles    sectors = {1, 0, 0};
    double    px = dot(last, l->u), py = dot(last, l->v);
    for (uint32_t k = 0; k < other->count; k++) {
        const vec    here = sub(support_over(disk, other->points[k], n), l->origin);
        const double qx = dot(here, l->u), qy = dot(here, l->v);
        add_side(l, &sectors, disk->rim, px, py, qx, qy);
        px = qx;
        py = qy;
    }
    l->area += 0.5 * disk->rim * disk->rim * angle_of(&sectors);
    if (l->area < 0) {
        l->area = -l->area;
        l->cx = -l->cx;
        l->cy = -l->cy;
    }
}

/* The segment of a disk of radius r beyond a chord at x from its middle: its area, and its moment about the middle. */
static void add_segment(layout *l, double r, double x, double middle, double sense)
{
    const double c = smaller(larger(x / r, -1), 1), s = sqrt(1 - c * c);
    const double part = r * r * (acos(c) - c * s), moment = 2.0 / 3 * r * r * r * s * s * s;
    l->area += part;
    l->cx += middle * part + sense * moment;
}

/* Two disks whose middles are d apart, the second along x. */
static void disk_and_disk(layout *l, double r, double q, double d)
{
    const double x = d > 0 ? (d * d + r * r - q * q) / (2 * d) : 0;
    if (d <= fabs(r - q)) {
        const double least = smaller(r, q);
        l->area = 3.14159265358979324 * least * least;
        l->cx = q < r ? d * l->area : 0;
        return;
    }
    add_segment(l, r, x, 0, 1);
    add_segment(l, q, d - x, d, -1);
}

/* Multiplies the weights w by c0 + c1 x + c2 y, solved by elimination, so that they sum to the area and have no moment
 * about the centroid; negative ones become 0. */
static void fit(const layout *l, witness *patch, uint32_t count)
{
    double m[3][4] = {{0, 0, 0, l->area}};
    for (uint32_t k = 0; k < count; k++) {
        const double f[3] = {1, l->x[k] - l->cx, l->y[k] - l->cy};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m[i][j] += patch[k].share * f[i] * f[j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (j == i || !(m[i][i] > 0))
                continue;
            const double factor = m[j][i] / m[i][i];
            for (int c = 0; c < 4; c++)
                m[j][c] -= factor * m[i][c];
        }
    for (uint32_t k = 0; k < count; k++) {
        const double f[3] = {1, l->x[k] - l->cx, l->y[k] - l->cy};
        double       factor = 0;
        for (int i = 0; i < 3; i++)
            factor += m[i][i] > 0 ? f[i] * m[i][3] / m[i][i] : 0;
        patch[k].share *= factor;
    }
    normalise(patch, count);
}

static void share_round(layout *l, const support *disk, const support *other, vec n, witness *patch, uint32_t count)
{
    if (other->count == 0) {
        const vec    between = sub(support_over(disk, other->centre, n), l->origin);
        const double d = norm(between), x = d > 0 ? dot(between, l->u) / d : 1, y = d > 0 ? dot(between, l->v) / d : 0;
        disk_and_disk(l, disk->rim, other->rim, d);
        l->cy = l->cx * y;
        l->cx *= x;
    } else {
        disk_and_polygon(l, disk, other, n);
    }
    if (!(l->area > 0)) {
        share_evenly(patch, count);
        return;
    }
    l->cx /= l->area;
    l->cy /= l->area;
    fan_amid(l, disk->rim, patch, count);
    fit(l, patch, count);
}

double weigh_patch(const support *a, const support *b, vec n, witness *patch, uint32_t count)
{
    const support *line = a->count == 2 ? a : b->count == 2 ? b : NULL;
    if (line && a->count != 1 && b->count != 1) {
        share_along(sub(line->points[1], line->points[0]), patch, count);
        return 0;
    }
    if (count < 3 || a->count == 1 || b->count == 1) {
        share_evenly(patch, count);
        return 0;
    }
    const support *disk = a->count == 0 ? a : b;
    layout         l; /* large, and mostly not initialised */
    l.origin = disk->centre;
    l.u = perpendicular(disk->axis);
    l.v = cross(disk->axis, l.u);
    l.area = l.cx = l.cy = 0;
    for (uint32_t k = 0; k < count; k++)
        lay(&l, k, disk == b ? patch[k].on_b : patch[k].on_a);
    share_round(&l, disk, disk == a ? b : a, n, patch, count);
    return l.area;
}
