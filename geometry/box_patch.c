/* SPDX-License-Identifier: MIT */
/* box_patch.c - the patch of two boxes where a face of one is level, or an edge of each crosses the other's; and that
 * of a segment on a level face.
 *
 * That is what patch.c puts together from parts, where all points of a part are well apart. In the axes of a box its
 * face is a rectangle, and one of the other's a parallelogram: they share no more than eight points, in their order.
 * Wherever it depends on rounding which points there are, patch.c is asked. */
#include "patch.h"

/* Of the weight of the heaviest face: others heavier than this take part (support.c). */
#define NEARLY 0.9

/* The square of the sine of what is level but for rounding. */
#define LEVEL 1e-28

enum { POINTS_MAX = 8, NO_SIDE = -1 };

/* A box as the normal sees it. */
typedef struct looks {
    const polytope *core;
    double          half[3], n[3], square[3]; /* the normal out of it in its axes, and the squares of its coordinates */
    int             least, amid, most;        /* the order of these */
} looks;

static inline void look(const pcm_geometry *g, vec n, looks *l)
{
    const double x = n.x * n.x, y = n.y * n.y, z = n.z * n.z;
    l->core = &g->core;
    vec_to(l->half, g->core.corners[7]); /* of the greatest coordinates */
    vec_to(l->n, n);
    vec_to(l->square, (vec){x, y, z});
    const int of_two = y > x, less = y <= x;
    l->most = z > l->square[of_two] ? 2 : of_two;
    l->least = z <= l->square[less] ? 2 : less;
    l->amid = 3 - l->least - l->most;
}

/* Corners are numbered by the signs of their coordinates. */
static uint32_t bit(bool positive, int axis) { return (uint32_t)positive << axis; }

static uint32_t edge_from(const polytope *p, uint32_t corner, int axis)
{
    const uint32_t   first = p->ring_first[corner], to = corner ^ 1u << axis;
    const neighbour *around = p->around + first;
    return p->ring[first + (around[1].corner == to) + 2u * (around[2].corner == to)];
}

/* ---- Edge across edge -------------------------------------------------------------------------------------------- */

/* An edge square to the normal, and no face that is nearly so. */
static bool has_edge(const looks *l)
{
    return l->square[l->least] < LEVEL && 1 - l->square[l->most] > 1.01 * TILT * TILT;
}

/* What depends on the axis is looked up: a branch by it would be guessed wrong from pair to pair. */
static double along_axis(vec a, int k)
{
    double of[3];
    vec_to(of, a);
    return of[k];
}

static vec column(const mat *m, int k)
{
    return (vec){along_axis(m->row[0], k), along_axis(m->row[1], k), along_axis(m->row[2], k)};
}

/* The corner and the edge that are the farthest along the normal. */
static uint32_t corner_along(const looks *l) { return bit(l->n[0] > 0, 0) | bit(l->n[1] > 0, 1) | bit(l->n[2] > 0, 2); }
static uint32_t edge_along(const looks *l) { return edge_from(l->core, corner_along(l), l->least); }

/* The middle of that edge. */
static vec middle_of(const looks *l)
{
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = k == l->least ? 0 : copysign(l->half[k], l->n[k]);
    return vec_of(at);
}

/* Edges that cross well amid them both. */
static bool cross_edges(const convex_pair *pair, const convex_result *r, const looks *a, const looks *b, witness *to)
{
    const double tolerance = 1e-12 * pair->size;
    const vec    u = {a->least == 0, a->least == 1, a->least == 2}, v = column(&pair->b_in_a.turn, b->least);
    const vec    from = middle_of(a), other = transform(&pair->b_in_a, middle_of(b)), between = sub(other, from);
    const vec    of_u = cross(r->normal, u), of_v = cross(r->normal, v);
    const double det = dot(of_u, v), s = -dot(of_v, between) / det, t = -dot(of_u, between) / det;
    const double room = smaller(a->half[a->least] - fabs(s), b->half[b->least] - fabs(t));
    const vec    on_a = along(from, u, s), on_b = along(other, v, t);
    const double gap = dot(r->normal, sub(on_b, on_a));
    const bool   as_deep = fabs(gap - r->sep) <= tolerance && gap <= pair->reach;
    if (!(fabs(det) > TILT && room > tolerance / TILT && as_deep))
        return false;
    const uint64_t name = feature_of(OF_BOTH, edge_along(a), edge_along(b));
    *to = (witness){name, on_a, on_b, gap, 1, 0};
    return true;
}

/* ---- Face on face ------------------------------------------------------------------------------------------------ */

/* A point of the patch, over the level face: made by a corner or side of that, and by one of the other. */
typedef struct point {
    double x, y, z;
    int    kind; /* OF_A: the level face's corner, OF_B: the other's, OF_BOTH: their sides */
    int    of_level, of_other;
} point;

/* The faces in the axes of the one that is square to the normal: x and y along its sides, z up from its middle. Both
 * are gone round counter-clockwise as it looks, and a side has the number of the corner that it leaves. */
typedef struct faces {
    const looks *level, *other;
    int          of_level, of_other; /* the axes across them */
    double       turn[3][3], at[3];  /* of the other box in the level one's axes */
    bool         level_is_a;
    double       sign;             /* of the level face's side */
    double       p, q;             /* the level face's half sides */
    double       x[4], y[4], z[4]; /* the other's corners */
    double       rise_x, rise_y;   /* of its plane, which is over the middle at rise */
    double       rise, tolerance;
    point        points[2 * POINTS_MAX];
    int          count;
} faces;

static const int after[3] = {1, 2, 0}, before[3] = {2, 0, 1}, quarter[5] = {0, 1, 2, 3, 0};

/* The sides that a rectangle's corners are on. */
static const double east[4] = {-1, 1, 1, -1}, north[4] = {-1, -1, 1, 1};

static void lay_out(faces *f)
{
    const looks *l = f->level, *o = f->other;
    const int    k = f->of_other, i = after[k], j = before[k];
    const int    rows[3] = {after[f->of_level], before[f->of_level], f->of_level};
    const double out = copysign(1, o->n[k]), signs[3] = {1, f->sign, f->sign};
    double       middle[3], e[3], g[3];
    for (int m = 0; m < 3; m++) {
        const double *row = f->turn[rows[m]];
        middle[m] = signs[m] * (f->at[rows[m]] + out * o->half[k] * row[k]);
        e[m] = signs[m] * o->half[i] * row[i];
        g[m] = -out * signs[m] * o->half[j] * row[j];
    }
    middle[2] -= l->half[f->of_level];
    const double det = e[0] * g[1] - e[1] * g[0];
    f->p = l->half[rows[0]];
    f->q = l->half[rows[1]];
    f->rise_x = (e[2] * g[1] - g[2] * e[1]) / det;
    f->rise_y = (g[2] * e[0] - e[2] * g[0]) / det;
    f->rise = middle[2] - f->rise_x * middle[0] - f->rise_y * middle[1];
    for (int c = 0; c < 4; c++) {
        f->x[c] = middle[0] + east[c] * e[0] + north[c] * g[0];
        f->y[c] = middle[1] + east[c] * e[1] + north[c] * g[1];
        f->z[c] = middle[2] + east[c] * e[2] + north[c] * g[2];
    }
}

static void put_corner(faces *f, int c) { f->points[f->count++] = (point){f->x[c], f->y[c], f->z[c], OF_B, 0, c}; }

static void put_crossing(faces *f, int of_level, int c, double t)
{
    const int to = quarter[c + 1];
    f->points[f->count++] = (point){f->x[c] + t * (f->x[to] - f->x[c]),
                                    f->y[c] + t * (f->y[to] - f->y[c]),
                                    f->z[c] + t * (f->z[to] - f->z[c]),
                                    OF_BOTH,
                                    of_level,
                                    c};
}

/* The level face's corners on the way from one of its sides to another. */
static void put_level_corners(faces *f, int from, int to)
{
    while (from != to) {
        from = quarter[from + 1];
        const double x = east[from] * f->p, y = north[from] * f->q;
        f->points[f->count++] = (point){x, y, f->rise + f->rise_x * x + f->rise_y * y, OF_A, from, 0};
    }
}

/* Which sides of the level face a corner of the other is beyond; false: it is on one but for rounding. */
static bool find_sides(const faces *f, int corners, unsigned beyond[])
{
    double least = INFINITY;
    for (int c = 0; c < corners; c++) {
        const double over_x = fabs(f->x[c]) - f->p, over_y = fabs(f->y[c]) - f->q;
        beyond[c] = (unsigned)(over_x > 0) << (f->x[c] > 0) | (unsigned)(over_y > 0) << (2 + (f->y[c] > 0));
        least = smaller(least, smaller(fabs(over_x), fabs(over_y)));
    }
    return least > f->tolerance;
}

/* Where a side of the other face comes in over the level one and goes out, in shares of its course. */
typedef struct span {
    double from, to;
    int    in, out; /* over which sides of the level face */
} span;

/* False: it passes a corner or along a side so closely that rounding decides. */
static bool find_span(const faces *f, int c, span *s)
{
    const int    to = quarter[c + 1];
    const double x = f->x[c], y = f->y[c], dx = f->x[to] - x, dy = f->y[to] - y, length = fabs(dx) + fabs(dy);
    const double p = copysign(f->p, dx), q = copysign(f->q, dy), per_x = 1 / dx, per_y = 1 / dy;
    const double in_x = (-p - x) * per_x, out_x = (p - x) * per_x, in_y = (-q - y) * per_y, out_y = (q - y) * per_y;
    const bool   x_in = in_x > in_y, x_out = out_x < out_y;
    s->from = larger(in_x, in_y);
    s->to = smaller(out_x, out_y);
    s->in = x_in ? (dx > 0 ? 3 : 1) : (dy > 0 ? 0 : 2);
    s->out = x_out ? (dx > 0 ? 1 : 3) : (dy > 0 ? 2 : 0);
    const double run_in = s->from > 0 ? fabs(x_in ? dx : dy) : length;
    const double run_out = s->to < 1 ? fabs(x_out ? dx : dy) : length;
    const double room = smaller(fabs(s->to - s->from), smaller(fabs(in_x - in_y), fabs(out_x - out_y)));
    return room * length > 4 * f->tolerance && smaller(run_in, run_out) > 2 * ALIGNED * length;
}

/* Whether the other face is over the middle of the level one. */
static bool holds_middle(const faces *f)
{
    bool within = true;
    for (int c = 0; c < 4; c++) {
        const int to = quarter[c + 1];
        within = within && f->x[c] * (f->y[to] - f->y[c]) > f->y[c] * (f->x[to] - f->x[c]);
    }
    return within;
}

/* The corners of what the faces share, in their order; false: rounding decides which there are. */
static bool go_round(faces *f)
{
    unsigned beyond[4];
    int      left = NO_SIDE, first = NO_SIDE; /* the sides over which the outline went out last and came in first */
    if (!find_sides(f, 4, beyond))
        return false;
    for (int c = 0; c < 4; c++) {
        const unsigned here = beyond[c], there = beyond[quarter[c + 1]];
        span           s = {0, 1, NO_SIDE, NO_SIDE};
        if (here & there)
            continue;
        if ((here | there) && !find_span(f, c, &s))
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

/* What each point stands for, as in clip.c; returns the area, 0 where two points are one. */
static double share(const faces *f, double shares[])
{
    const point *p = f->points;
    const int    n = f->count;
    double       area = 0, cx = 0, cy = 0, sum = 0;
    for (int k = 2; k < n; k++) {
        const double px = p[k - 1].x - p[0].x, py = p[k - 1].y - p[0].y, qx = p[k].x - p[0].x, qy = p[k].y - p[0].y;
        const double twice = px * qy - py * qx;
        area += 0.5 * twice;
        cx += twice * (px + qx);
        cy += twice * (py + qy);
    }
    cx = p[0].x + cx / (6 * area);
    cy = p[0].y + cy / (6 * area);
    double px = p[n - 1].x - cx, py = p[n - 1].y - cy, least = INFINITY;
    shares[0] = 0;
    for (int k = 0; k < n; k++) {
        const double qx = p[k].x - cx, qy = p[k].y - cy, triangle = larger(px * qy - py * qx, 0);
        least = smaller(least, larger(fabs(qx - px), fabs(qy - py)));
        shares[k] = triangle;
        sum += 2 * triangle;
        px = qx;
        py = qy;
    }
    const double first = shares[0];
    for (int k = 0; k < n; k++)
        shares[k] = (shares[k] + (k + 1 < n ? shares[k + 1] : first)) / sum;
    return area > 0 && least > f->tolerance ? area : 0;
}

/* The number of a corner of the face across axis k. */
static uint32_t corner_of(const looks *l, int k, bool level, int c)
{
    const bool out = l->n[k] > 0;
    return bit(out, k) | bit(east[c] > 0, after[k]) | bit((north[c] > 0) == (out == level), before[k]);
}

static uint32_t side_of(const looks *l, int k, bool level, int c)
{
    return edge_from(l->core, corner_of(l, k, level, c), c % 2 == 0 ? after[k] : before[k]);
}

static uint64_t name_of(const faces *f, const point *p)
{
    uint32_t of_level = 0, of_other = 0;
    int      kind = p->kind;
    if (kind == OF_BOTH) {
        of_level = side_of(f->level, f->of_level, true, p->of_level);
        of_other = side_of(f->other, f->of_other, false, p->of_other);
    } else if (kind == OF_A) {
        of_level = corner_of(f->level, f->of_level, true, p->of_level);
    } else {
        of_other = corner_of(f->other, f->of_other, false, p->of_other);
    }
    if (f->level_is_a)
        return feature_of((uint64_t)kind, of_level, of_other);
    return feature_of(kind == OF_BOTH ? OF_BOTH : kind == OF_A ? OF_B : OF_A, of_other, of_level);
}

/* At z over the level face, in its box's axes. */
static vec place_of(const faces *f, const point *p, double z)
{
    const int k = f->of_level;
    double    at[3];
    at[after[k]] = p->x;
    at[before[k]] = f->sign * p->y;
    at[k] = f->sign * (f->level->half[k] + z);
    return vec_of(at);
}

static void put_witness(const faces *f, const convex_pair *pair, const point *p, witness *to)
{
    const vec on_level = place_of(f, p, 0), on_other = place_of(f, p, p->z);
    to->feature = name_of(f, p);
    to->gap = p->z;
    to->on_a = f->level_is_a ? on_level : transform(&pair->b_in_a, on_other);
    to->on_b = f->level_is_a ? on_other : transform(&pair->b_in_a, on_level);
}

/* The points of the faces, which make so much of the patch; all, or those within reach. 0: they are not as deep as the
 * boxes, or two of them are one. */
static uint32_t put_points(const faces *f, const convex_pair *pair, const convex_result *r, double weight,
                           witness *points)
{
    const double reach = patch_reach(pair, r->sep);
    double       shares[2 * POINTS_MAX], sum = 0, lowest = INFINITY;
    const double area = share(f, shares);
    uint32_t     n = 0;
    for (int k = 0; k < f->count; k++) {
        const point *p = &f->points[k];
        lowest = smaller(lowest, p->z);
        if (!(p->z <= reach) && weight == 1)
            continue;
        witness *w = &points[n++];
        put_witness(f, pair, p, w);
        w->area = weight * shares[k] * area;
        w->share = presence(shares[k], p->z, reach, pair->size);
        sum += w->share;
    }
    for (uint32_t k = 0; k < n; k++)
        points[k].share *= weight / sum;
    return area > 0 && fabs(lowest - r->sep) <= f->tolerance && sum > 0 ? n : 0;
}

static bool has_face(const looks *l) { return l->square[l->amid] < LEVEL; }

/* How much of the patch goes by each face of a box (support.c); all by one where no other is nearly as heavy. */
static void weigh(const looks *l, double weights[3])
{
    const double x = l->square[l->most], y = l->square[l->amid], z = l->square[l->least];
    weights[l->most] = 1;
    weights[l->amid] = weights[l->least] = 0;
    if (y * (z + x) * (1 - x) <= NEARLY * x * (z + y) * (1 - y))
        return;
    const double most = x / ((z + x) * (1 - x)), amid = y / ((z + y) * (1 - y)), least = z / ((y + z) * (1 - z));
    const double heavy = (1 - NEARLY) * most, next = amid - NEARLY * most, last = larger(least - NEARLY * most, 0);
    weights[l->most] = heavy / (heavy + next + last);
    weights[l->amid] = next / (heavy + next + last);
    weights[l->least] = last / (heavy + next + last);
}

static void deepest_first(witness *patch, uint32_t count)
{
    uint32_t deepest = 0;
    for (uint32_t k = 1; k < count; k++)
        deepest = patch[k].gap < patch[deepest].gap ? k : deepest;
    if (deepest == 0)
        return;
    const witness first = patch[deepest];
    patch[deepest] = patch[0];
    patch[0] = first;
}

static uint32_t meet_faces(const convex_pair *pair, const convex_result *r, const looks *a, const looks *b,
                           witness *patch)
{
    const vec *row = pair->b_in_a.turn.row, at = pair->b_in_a.at;
    faces      f; /* of which few points are ever filled in */
    double     weights[3];
    uint32_t   count = 0;
    f.level_is_a = has_face(a);
    f.level = f.level_is_a ? a : b;
    f.other = f.level_is_a ? b : a;
    f.of_level = f.level->most;
    f.sign = copysign(1, f.level->n[f.of_level]);
    f.tolerance = 1e-12 * pair->size;
    vec_to(f.at, f.level_is_a ? at : negate(rotate_back(&pair->b_in_a.turn, at)));
    for (int m = 0; m < 3; m++)
        vec_to(f.turn[m], f.level_is_a ? row[m] : column(&pair->b_in_a.turn, m));
    weigh(f.other, weights);
    for (f.of_other = 0; f.of_other < 3; f.of_other++) {
        const double weight = weights[f.of_other];
        witness      points[2 * POINTS_MAX];
        if (!(weight > 0))
            continue;
        f.count = 0;
        lay_out(&f);
        const uint32_t n = go_round(&f) ? put_points(&f, pair, r, weight, weight == 1 ? patch : points) : 0;
        if (n == 0)
            return 0;
        if (weight == 1)
            count = n;
        for (uint32_t k = 0; k < n && weight < 1; k++)
            patch_merge(patch, &count, r->normal, f.tolerance, &points[k]);
    }
    deepest_first(patch, count);
    return count;
}

/* An end of a segment, or where it crosses a side of the level face. */
static void put_end(const faces *f, const convex_pair *pair, uint32_t end, const span *crossing, int over, witness *to)
{
    const double t = !crossing ? end : end ? crossing->to : crossing->from;
    const point  p = {.x = f->x[0] + t * (f->x[1] - f->x[0]),
                      .y = f->y[0] + t * (f->y[1] - f->y[0]),
                      .z = f->z[0] + t * (f->z[1] - f->z[0])};
    to->feature =
        crossing ? feature_of(OF_BOTH, 0, side_of(f->level, f->of_level, true, over)) : feature_of(OF_A, end, 0);
    to->gap = p.z;
    to->on_a = transform(&pair->b_in_a, place_of(f, &p, p.z));
    to->on_b = transform(&pair->b_in_a, place_of(f, &p, 0));
    to->area = 0;
}

/* A segment over the level face of a box: each end of what lies over the face has half. */
static uint32_t meet_segment(const convex_pair *pair, const convex_result *r, const looks *b, witness *patch)
{
    const double reach = patch_reach(pair, r->sep);
    const int    k = b->most, i = after[k], j = before[k];
    faces        f; /* of which only the ends are filled in */
    unsigned     beyond[2];
    span         s = {0, 1, NO_SIDE, NO_SIDE};
    f.level = b;
    f.of_level = k;
    f.sign = copysign(1, b->n[k]);
    f.tolerance = 1e-12 * pair->size;
    f.p = b->half[i];
    f.q = b->half[j];
    for (int end = 0; end < 2; end++) {
        double at[3];
        vec_to(at, transform_back(&pair->b_in_a, pair->a->core.corners[end]));
        f.x[end] = at[i];
        f.y[end] = f.sign * at[j];
        f.z[end] = f.sign * at[k] - b->half[k];
    }
    const double run = fabs(f.x[1] - f.x[0]) + fabs(f.y[1] - f.y[0]);
    if (!find_sides(&f, 2, beyond) || (beyond[0] & beyond[1]) || !(run > 4 * f.tolerance))
        return 0;
    if ((beyond[0] | beyond[1]) && (!find_span(&f, 0, &s) || s.from > s.to))
        return 0;
    put_end(&f, pair, 0, beyond[0] ? &s : NULL, s.in, &patch[0]);
    put_end(&f, pair, 1, beyond[1] ? &s : NULL, s.out, &patch[1]);
    const double first = presence(0.5, patch[0].gap, reach, pair->size);
    const double second = presence(0.5, patch[1].gap, reach, pair->size);
    patch[0].share = first / (first + second);
    patch[1].share = second / (first + second);
    if (!(fabs(smaller(patch[0].gap, patch[1].gap) - r->sep) <= f.tolerance && first + second > 0))
        return 0;
    deepest_first(patch, 2);
    return 2;
}

/* Where a place along a line is: AMID it, at an END, or where rounding or a tolerance decides. */
enum { AMID, END, DOUBTFUL };

static int lies(double at, double half, bool square, double tolerance)
{
    const double room = half - fabs(at);
    return square && room > tolerance / TILT ? AMID : !square && fabs(room) <= tolerance ? END : DOUBTFUL;
}

/* An end or a place amid a segment that faces a corner or a place amid an edge of a box, and nothing else. */
static bool meet_in_point(const convex_pair *pair, const convex_result *r, const looks *b, witness *to)
{
    const vec    low = pair->a->core.corners[0], d = sub(pair->a->core.corners[1], low), n = r->normal;
    const vec    of_b = transform_back(&pair->b_in_a, r->on_b), beside = cross(d, column(&pair->b_in_a.turn, b->least));
    const double tolerance = 1e-12 * pair->size, dd = dot(d, d), at = dot(sub(along(r->on_a, d, -0.5), low), d);
    if (!r->witnessed || !(1 - b->square[b->most] > 1.01 * TILT * TILT && dot(beside, beside) > TILT * TILT * dd))
        return false;
    const int on_a = lies(at / sqrt(dd), 0.5 * sqrt(dd), is_square(d, n), tolerance);
    const int on_b =
        lies(along_axis(of_b, b->least), b->half[b->least], b->square[b->least] < ALIGNED * ALIGNED, tolerance);
    if (on_a == DOUBTFUL || on_b == DOUBTFUL || !(r->sep <= pair->reach))
        return false;
    const uint64_t name = on_b == END    ? feature_of(OF_B, 0, corner_along(b))
                          : on_a == AMID ? feature_of(OF_BOTH, 0, edge_along(b))
                                         : feature_of(OF_A, dot(d, n) > 0, 0);
    *to = (witness){name, r->on_a, r->on_b, r->sep, 1, 0};
    return true;
}

uint32_t patch_of_segment(const convex_pair *pair, const convex_result *result, witness *patch)
{
    looks b;
    look(pair->b, negate(rotate_back(&pair->b_in_a.turn, result->normal)), &b);
    return has_face(&b) ? meet_segment(pair, result, &b, patch) : meet_in_point(pair, result, &b, patch);
}

uint32_t patch_of_boxes(const convex_pair *pair, const convex_result *result, witness *patch)
{
    const vec n = result->normal;
    looks     a, b;
    look(pair->a, n, &a);
    look(pair->b, negate(rotate_back(&pair->b_in_a.turn, n)), &b);
    if (has_face(&a) || has_face(&b))
        return meet_faces(pair, result, &a, &b, patch);
    return has_edge(&a) && has_edge(&b) ? cross_edges(pair, result, &a, &b, patch) : 0;
}
