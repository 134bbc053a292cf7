/* SPDX-License-Identifier: MIT */
/* segment_patch.c - the patch of a segment on a box: over a face that is level, or in one point.
 *
 * These are the cases of patch.c in which all points of the patch are well apart. In the box's axes the face is a
 * rectangle. Where rounding decides which points there are, the case is left to patch.c. */
#include "box_faces.h"

/* The squared sine of a tilt up to which a face is level within rounding. */
#define LEVEL 1e-28

/* A box, and the normal in its axes. */
typedef struct looks {
    const pcm_geometry *box;
    double half[3], n[3], square[3]; /* half sides, the normal out of the box, and the squares of its coordinates */
    int    least, amid, most;        /* the axes of the least, middle and greatest of these squares */
} looks;

static inline void look(const pcm_geometry *g, vec n, looks *l)
{
    const double x = n.x * n.x, y = n.y * n.y, z = n.z * n.z;
    l->box = g;
    vec_to(l->half, g->high);
    vec_to(l->n, n);
    vec_to(l->square, (vec){x, y, z});
    const int of_two = y > x, less = y <= x;
    l->most = z > l->square[of_two] ? 2 : of_two;
    l->least = z <= l->square[less] ? 2 : less;
    l->amid = 3 - l->least - l->most;
}

/* Corners are numbered by the signs of their coordinates. */
static uint32_t bit(bool positive, int axis) { return (uint32_t)positive << axis; }

/* The corner that is farthest along the normal, and the edge. */
static uint32_t corner_along(const looks *l) { return bit(l->n[0] > 0, 0) | bit(l->n[1] > 0, 1) | bit(l->n[2] > 0, 2); }
static uint32_t edge_along(const looks *l) { return box_edge(l->box, corner_along(l), l->least); }

static bool has_face(const looks *l) { return l->square[l->amid] < LEVEL; }

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

/* A segment in the axes of a level face. */
typedef struct line {
    double x, y, z, run_x, run_y, run_z;
} line;

/* Adds an end of a segment, or the point where it crosses a side of the level face. */
static void put_end(const faces *f, const line *l, uint32_t end, const span *crossing, int over, witness *to)
{
    const double t = !crossing ? end : end ? crossing->to : crossing->from;
    const double x = l->x + t * l->run_x, y = l->y + t * l->run_y, z = l->z + t * l->run_z;
    to->feature = crossing ? feature_of(OF_BOTH, 0, faces_level_side(f, over)) : feature_of(OF_A, end, 0);
    to->gap = z;
    to->on_a = faces_at(f, x, y, z);
    to->on_b = faces_at(f, x, y, 0);
    to->area = 0;
}

/* A segment over the level face of a box: each end of the stretch over the face has half of the share. */
static uint32_t meet_segment(const convex_pair *pair, const convex_result *r, const looks *b, witness *patch)
{
    const double  reach = patch_reach(pair->reach, pair->size, r->sep);
    const placing in_a = placing_identity();
    double        x[2], y[2], z[2], least = INFINITY;
    faces         f; /* only the members for the level face are filled in */
    outlying      ends[2];
    span          s = {0, 1, NO_SIDE, NO_SIDE};
    faces_place(&f, pair->b, &pair->b_in_a, b->most, b->n[b->most] > 0, pair->a, &in_a);
    for (int end = 0; end < 2; end++) {
        const vec at = sub(pair->a->core.corners[end], f.middle);
        x[end] = dot(f.axes[0], at);
        y[end] = dot(f.axes[1], at);
        z[end] = dot(f.axes[2], at);
        ends[end] = faces_over(&f, x[end], y[end], &least);
    }
    const line   l = {x[0], y[0], z[0], x[1] - x[0], y[1] - y[0], z[1] - z[0]};
    const double run_x = fabs(l.run_x), run_y = fabs(l.run_y);
    if (!(least > f.tolerance) || (ends[0].sides & ends[1].sides) || !(run_x + run_y > 4 * f.tolerance))
        return 0;
    if ((ends[0].sides | ends[1].sides) &&
        (!faces_span(&f, &ends[0], &ends[1], run_x, run_y, 1 / run_x, 1 / run_y, &s) || s.from > s.to))
        return 0;
    put_end(&f, &l, 0, ends[0].sides ? &s : NULL, s.in, &patch[0]);
    put_end(&f, &l, 1, ends[1].sides ? &s : NULL, s.out, &patch[1]);
    const double first = presence(0.5, patch[0].gap, reach, pair->size);
    const double second = presence(0.5, patch[1].gap, reach, pair->size);
    patch[0].share = first / (first + second);
    patch[1].share = second / (first + second);
    if (!(fabs(smaller(patch[0].gap, patch[1].gap) - r->sep) <= f.tolerance && first + second > 0))
        return 0;
    deepest_first(patch, 2);
    return 2;
}

/* Where a point lies on a line: well inside (AMID), at an END, or so close to an end that rounding or a tolerance
 * decides. */
enum { AMID, END, DOUBTFUL };

static int lies(double at, double half, bool square, double tolerance)
{
    const double room = half - fabs(at);
    return square && room > tolerance / TILT ? AMID : !square && fabs(room) <= tolerance ? END : DOUBTFUL;
}

/* A patch of a single point: an end or an inner point of the segment, and a corner of the box or an inner point of its
 * edge. */
static bool meet_in_point(const convex_pair *pair, const convex_result *r, const looks *b, witness *to)
{
    const vec    low = pair->a->core.corners[0], d = sub(pair->a->core.corners[1], low), n = r->normal;
    const vec    of_b = transform_back(&pair->b_in_a, r->on_b), beside = cross(d, column(&pair->b_in_a.turn, b->least));
    const double tolerance = 1e-12 * pair->size, dd = dot(d, d), at = dot(sub(along(r->on_a, d, -0.5), low), d);
    if (!r->witnessed || !(1 - b->square[b->most] > 1.01 * TILT * TILT && dot(beside, beside) > TILT * TILT * dd))
        return false;
    const int on_a = lies(at / sqrt(dd), 0.5 * sqrt(dd), is_square(d, n), tolerance);
    const int on_b =
        lies(entry(&of_b, b->least), b->half[b->least], b->square[b->least] < ALIGNED * ALIGNED, tolerance);
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
