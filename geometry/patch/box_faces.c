/* SPDX-License-Identifier: MIT */
/* box_faces.c - where the face of one box lies over that of another: clips a parallelogram by a rectangle. */
#include "box_faces.h"

/* As a share of the heaviest face's weight: faces above this take part in the patch (support_set.c). */
#define NEARLY 0.9

/* The signs of x and y at a rectangle's corners. */
static const double east[4] = {-1, 1, 1, -1}, north[4] = {-1, -1, 1, 1};

void faces_place(faces *f, const pcm_geometry *level, const placing *at_level, int axis, bool positive,
                 const pcm_geometry *other, const placing *at_other)
{
    const int    i = after[axis], j = before[axis];
    const double sign = positive ? 1 : -1;
    const vec    axes[3] = {column(&at_level->turn, i), scale(column(&at_level->turn, j), sign),
                            scale(column(&at_level->turn, axis), sign)};
    const double out = entry(&level->high, axis);
    const vec    between = sub(at_other->at, at_level->at);
    f->level = level;
    f->other = other;
    f->of_level = axis;
    f->positive = positive;
    f->tolerance = 1e-12 * larger(level->size, other->size);
    f->middle = along(at_level->at, axes[2], out);
    f->half[0] = entry(&level->high, i);
    f->half[1] = entry(&level->high, j);
    f->half[2] = out;
    vec_to(f->wide, other->high);
    for (int m = 0; m < 3; m++) {
        f->axes[m] = axes[m];
        f->at[m] = dot(axes[m], between);
        vec_to(f->turn[m], rotate_back(&at_other->turn, axes[m]));
    }
    f->at[2] -= out;
}

double faces_lowest(const faces *f, double *x, double *y)
{
    double z = f->at[2];
    *x = f->at[0];
    *y = f->at[1];
    for (int m = 0; m < 3; m++) {
        const double down = copysign(f->wide[m], -f->turn[2][m]);
        *x += down * f->turn[0][m];
        *y += down * f->turn[1][m];
        z += down * f->turn[2][m];
    }
    return z;
}

int faces_weigh(const faces *f, double weights[3])
{
    double    square[3];
    const int of_two = fabs(f->turn[2][1]) > fabs(f->turn[2][0]), less = !of_two;
    for (int m = 0; m < 3; m++)
        square[m] = f->turn[2][m] * f->turn[2][m];
    const int    most = square[2] > square[of_two] ? 2 : of_two, least = square[2] <= square[less] ? 2 : less;
    const int    amid = 3 - least - most;
    const double x = square[most], y = square[amid], z = square[least];
    weights[most] = 1;
    weights[amid] = weights[least] = 0;
    if (y * (z + x) * (1 - x) <= NEARLY * x * (z + y) * (1 - y))
        return most;
    const double heaviest = x / ((z + x) * (1 - x)), second = y / ((z + y) * (1 - y)), third = z / ((y + z) * (1 - z));
    const double first = (1 - NEARLY) * heaviest, next = second - NEARLY * heaviest;
    const double last = larger(third - NEARLY * heaviest, 0);
    weights[most] = first / (first + next + last);
    weights[amid] = next / (first + next + last);
    weights[least] = last / (first + next + last);
    return most;
}

/* ---- The corners ------------------------------------------------------------------------------------------------- */

static inline void lay_out(faces *f, int k)
{
    const int    i = after[k], j = before[k];
    const double out = copysign(1, -f->turn[2][k]);
    double       middle[3], e[3], g[3];
    for (int m = 0; m < 3; m++) {
        middle[m] = f->at[m] + out * f->wide[k] * f->turn[m][k];
        e[m] = f->wide[i] * f->turn[m][i];
        g[m] = -out * f->wide[j] * f->turn[m][j];
    }
    f->of_other = k;
    f->count = 0;
    for (int c = 0; c < 4; c++) {
        f->x[c] = middle[0] + east[c] * e[0] + north[c] * g[0];
        f->y[c] = middle[1] + east[c] * e[1] + north[c] * g[1];
        f->z[c] = middle[2] + east[c] * e[2] + north[c] * g[2];
    }
    f->run_x[0] = 2 * e[0], f->run_x[1] = 2 * g[0];
    f->run_y[0] = 2 * e[1], f->run_y[1] = 2 * g[1];
    f->run_z[0] = 2 * e[2], f->run_z[1] = 2 * g[2];
    for (int s = 0; s < 2; s++) {
        f->per_x[s] = 1 / fabs(f->run_x[s]);
        f->per_y[s] = 1 / fabs(f->run_y[s]);
    }
}

static inline void put_corner(faces *f, int c)
{
    f->points[f->count++] = (face_point){f->x[c], f->y[c], f->z[c], OF_B, 0, (uint8_t)c};
}

static inline void put_crossing(faces *f, int of_level, int c, double t)
{
    const double way = c < 2 ? t : -t;
    f->points[f->count++] = (face_point){f->x[c] + way * f->run_x[c & 1],
                                         f->y[c] + way * f->run_y[c & 1],
                                         f->z[c] + way * f->run_z[c & 1],
                                         OF_BOTH,
                                         (uint8_t)of_level,
                                         (uint8_t)c};
}

/* Adds the level face's corners between one of its sides and another. */
static inline void put_level_corners(faces *f, int from, int to)
{
    const int    k = f->of_other;
    const double rise_x = -f->turn[0][k] / f->turn[2][k], rise_y = -f->turn[1][k] / f->turn[2][k];
    while (from != to) {
        from = quarter[from + 1];
        const double x = east[from] * f->half[0], y = north[from] * f->half[1];
        f->points[f->count++] =
            (face_point){x, y, f->z[0] + rise_x * (x - f->x[0]) + rise_y * (y - f->y[0]), OF_A, (uint8_t)from, 0};
    }
}

bool faces_span(const faces *f, const outlying *here, const outlying *there, double run_x, double run_y, double per_x,
                double per_y, span *s)
{
    const double in_x = here->x * per_x, in_y = here->y * per_y, out_x = there->x * per_x, out_y = there->y * per_y;
    const bool   enters = here->sides != 0, leaves = there->sides != 0, x_in = in_x > in_y, x_out = out_x > out_y;
    const double length = run_x + run_y, run_in = x_in ? run_x : run_y, run_out = x_out ? run_x : run_y;
    const double least = 2 * ALIGNED * length, alike = 4 * f->tolerance;
    s->from = enters ? larger(in_x, in_y) : 0;
    s->to = leaves ? 1 - larger(out_x, out_y) : 1;
    s->in = x_in ? (here->sides & EAST ? 1 : 3) : (here->sides & NORTH ? 2 : 0);
    s->out = x_out ? (there->sides & EAST ? 1 : 3) : (there->sides & NORTH ? 2 : 0);
    return (!enters || (fabs(in_x - in_y) * length > alike && run_in > least)) &&
           (!leaves || (fabs(out_x - out_y) * length > alike && run_out > least)) &&
           (!enters || !leaves || fabs(s->to - s->from) * length > alike);
}

/* Whether the other face covers the middle of the level one. */
static bool holds_middle(const faces *f)
{
    bool within = true;
    for (int c = 0; c < 4; c++) {
        const int to = quarter[c + 1];
        within = within && f->x[c] * (f->y[to] - f->y[c]) > f->y[c] * (f->x[to] - f->x[c]);
    }
    return within;
}

/* Finds the corners of the common area, in their order; false: rounding decides which corners there are. */
static inline bool go_round(faces *f)
{
    outlying corners[4];
    double   least = INFINITY;
    int      left = NO_SIDE, first = NO_SIDE; /* the sides through which the outline last went out, and first came in */
    for (int c = 0; c < 4; c++)
        corners[c] = faces_over(f, f->x[c], f->y[c], &least);
    if (!(least > f->tolerance))
        return false;
    for (int c = 0; c < 4; c++) {
        const int      k = c & 1, to = quarter[c + 1];
        const unsigned here = corners[c].sides, there = corners[to].sides;
        span           s = {0, 1, NO_SIDE, NO_SIDE};
        if (here & there)
            continue;
        if ((here | there) && !faces_span(f, &corners[c], &corners[to], fabs(f->run_x[k]), fabs(f->run_y[k]),
                                          f->per_x[k], f->per_y[k], &s))
            return false;
        if (here && there && s.from > s.to)
            continue;
        if (here == 0)
            put_corner(f, c);
        else if (left == NO_SIDE)
            first = s.in;
        else
            put_level_corners(f, left, s.in);
        if (here)
            put_crossing(f, s.in, c, s.from);
        if (there)
            put_crossing(f, left = s.out, c, s.to);
    }
    if (left != NO_SIDE && first != NO_SIDE)
        put_level_corners(f, left, first);
    if (f->count == 0 && holds_middle(f))
        for (int c = 0; c < 4; c++)
            put_level_corners(f, c, quarter[c + 1]);
    return f->count > 2;
}

/* The area and its centroid; 0 where two points coincide. */
static inline double measure(faces *f)
{
    const face_point *p = f->points;
    double            whole = 0, cx = 0, cy = 0, px = 0, py = 0, least = INFINITY;
    for (int k = 1; k < f->count; k++) {
        const double qx = p[k].x - p[0].x, qy = p[k].y - p[0].y, twice = px * qy - py * qx;
        least = smaller(least, larger(fabs(qx - px), fabs(qy - py)));
        whole += twice;
        cx += twice * (px + qx);
        cy += twice * (py + qy);
        px = qx;
        py = qy;
    }
    const double per = 1 / (3 * whole);
    f->centre_x = p[0].x + cx * per;
    f->centre_y = p[0].y + cy * per;
    return whole > 0 && smaller(least, larger(fabs(px), fabs(py))) > f->tolerance ? 0.5 * whole : 0;
}

/* Twice the area of the triangle between the centroid and two points. */
static inline double triangle(const faces *f, const face_point *p, const face_point *q)
{
    const double px = p->x - f->centre_x, py = p->y - f->centre_y, qx = q->x - f->centre_x, qy = q->y - f->centre_y;
    return larger(px * qy - py * qx, 0);
}

double faces_area_of(const faces *f, int k)
{
    const face_point *p = f->points, *before_it = &p[k > 0 ? k - 1 : f->count - 1];
    const face_point *after_it = &p[k + 1 < f->count ? k + 1 : 0];
    return 0.25 * (triangle(f, before_it, &p[k]) + triangle(f, &p[k], after_it));
}

double faces_share(faces *f, int of_other)
{
    lay_out(f, of_other);
    return go_round(f) ? measure(f) : 0;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

uint32_t box_edge(const pcm_geometry *box, uint32_t corner, int axis)
{
    const polytope  *p = &box->core;
    const uint32_t   first = p->ring_first[corner], to = corner ^ 1u << axis;
    const neighbour *around = p->around + first;
    return p->ring[first + (around[1].corner == to) + 2u * (around[2].corner == to)];
}

/* Corners are numbered by the signs of their coordinates. */
static inline uint32_t bit(bool positive, int axis) { return (uint32_t)positive << axis; }

/* The number of a corner of the face perpendicular to axis k, on that axis's positive side if `out`, else on its
 * negative side. */
static inline uint32_t corner_of(int k, bool out, bool level, int c)
{
    return bit(out, k) | bit(east[c] > 0, after[k]) | bit((north[c] > 0) == (out == level), before[k]);
}

static inline uint32_t side_of(const pcm_geometry *g, int k, bool out, bool level, int c)
{
    return box_edge(g, corner_of(k, out, level, c), c % 2 == 0 ? after[k] : before[k]);
}

uint32_t faces_level_side(const faces *f, int of_level)
{
    return side_of(f->level, f->of_level, f->positive, true, of_level);
}

uint64_t faces_name(const faces *f, const face_point *p, bool level_is_a)
{
    const bool out = f->turn[2][f->of_other] < 0;
    const int  kind = p->kind, k = f->of_other;
    uint32_t   of_level = 0, of_other = 0;
    if (kind == OF_BOTH) {
        of_level = faces_level_side(f, p->of_level);
        of_other = side_of(f->other, k, out, false, p->of_other);
    } else if (kind == OF_A) {
        of_level = corner_of(f->of_level, f->positive, true, p->of_level);
    } else {
        of_other = corner_of(k, out, false, p->of_other);
    }
    if (level_is_a)
        return feature_of((uint64_t)kind, of_level, of_other);
    return feature_of(kind == OF_BOTH ? OF_BOTH : kind == OF_A ? OF_B : OF_A, of_other, of_level);
}
