/* SPDX-License-Identifier: MIT */
/* boxes.c - the contacts of two boxes straight from their placings, by the separating axis theorem: along the best axis
 * of the last step if that is still proven to be the best, else along the axis that box.c finds.
 *
 * An axis is a facet of the boxes' Minkowski difference. Where the facet contains a large enough disk about the
 * origin's projection, no other axis can be better, and none is tested. */
#include "boxes.h"
#include "simple.h"
#include "box_faces.h"

/* Cross products of edges at smaller angles (the sine) are left to box.c. */
#define CROSSED 0.1

typedef struct boxes {
    const body *a, *b;
    double      reach, size, tolerance;
    bool        best;     /* whether the direction is known to be the best */
    bool        reversed; /* whether a is the b of the call */
    contacts   *out;
} boxes;

/* Whether no direction is better than n, along which the bodies are `depth` deep. The facet contains a disk of this
 * radius about the origin's projection. At an angle t from n the disk alone gives a depth of depth cos t + radius sin
 * t. That is less than `depth` only so close to -n that the middle of the difference, `deep` below the facet and
 * sqrt(apart) from the origin, gives more. Bodies that are apart along n are not farther apart along any other
 * direction. */
static inline bool disk_proves(double depth, double radius, double deep, double apart)
{
    const double above = radius * radius - depth * depth, both = radius * radius + depth * depth;
    const double over = deep * above - depth * both, beside = larger(apart - deep * deep, 0);
    return radius > 0 &&
           (depth <= 0 || (above > 0 && over > 0 && over * over > 4 * beside * (depth * depth) * (radius * radius)));
}

static bool is_best(const boxes *p, unsigned axis, double sep, double radius, double deep, double apart)
{
    return p->best || disk_proves(p->tolerance - sep, radius, deep, apart) || boxes_none_better(p->a, p->b, axis, sep);
}

/* n points from a to b. */
static inline void write_touch(const boxes *p, vec at, vec n, double gap, double share, uint64_t feature, double area)
{
    pcm_touch *to = contact_write(p->out, at, p->reversed ? negate(n) : n, gap, share,
                                  p->reversed ? feature_swapped(feature) : feature);
    to->area = area;
    to->gives = PCM_SHARE | PCM_AREA;
}

/* ---- Edge across edge -------------------------------------------------------------------------------------------- */

/* The middle of an edge has the box's greatest or least coordinates along the normal, and 0 along the edge. The closest
 * points of the lines are at s from a's middle and t from b's. */
static bool touch_edges(const boxes *p, int i, int j)
{
    const pcm_geometry *a = p->a->geometry, *b = p->b->geometry;
    const placing      *at_a = &p->a->at, *at_b = &p->b->at;
    const int           i1 = after[i], i2 = before[i], j1 = after[j], j2 = before[j];
    const vec           u = column(&at_a->turn, i), u1 = column(&at_a->turn, i1), u2 = column(&at_a->turn, i2);
    const vec           v = column(&at_b->turn, j), d = sub(at_b->at, at_a->at);
    const double        d0 = dot(u, d), d1 = dot(u1, d), d2 = dot(u2, d);
    const double        c = dot(u, v), v1 = dot(u1, v), v2 = dot(u2, v);
    const double        w1 = dot(u, column(&at_b->turn, j1)), w2 = dot(u, column(&at_b->turn, j2));
    const double        square = v1 * v1 + v2 * v2, sine = sqrt(square), per = 1 / sine;
    const double        towards = v1 * d2 - v2 * d1, to = copysign(1, towards);
    /* The normal along u1 and u2 and along b's axes; its length is the sine. */
    const double n1 = -v2 * to, n2 = v1 * to, m1 = w2 * to, m2 = -w1 * to;
    const double a1 = copysign(entry(&a->high, i1), n1), a2 = copysign(entry(&a->high, i2), n2);
    const double b1 = copysign(entry(&b->high, j1), m1), b2 = copysign(entry(&b->high, j2), m2);
    const double between = d0 - b1 * w1 - b2 * w2, t = (v1 * a1 + v2 * a2 + c * between - dot(v, d)) / square;
    const double s = between + c * t;
    const double room = smaller(entry(&a->high, i) - fabs(s), entry(&b->high, j) - fabs(t));
    const double steepest = larger(larger(n1 * n1, n2 * n2), larger(m1 * m1, m2 * m2));
    const double gap = (fabs(towards) - (a1 * n1 + a2 * n2 + (b1 * m1 + b2 * m2))) * per;
    if (!(square > CROSSED * CROSSED && room > p->tolerance / TILT && steepest < (1 - 1.01 * TILT * TILT) * square &&
          is_best(p, boxes_edges(i, j), gap, room * sine, fabs(towards) * per, dot(d, d))))
        return false;
    if (!(gap <= p->reach))
        return true;
    const uint32_t of_a = (uint32_t)(n1 > 0) << i1 | (uint32_t)(n2 > 0) << i2;
    const uint32_t of_b = (uint32_t)(m1 < 0) << j1 | (uint32_t)(m2 < 0) << j2;
    const vec      normal = scale(add(scale(u1, n1), scale(u2, n2)), per);
    const vec      amid = along(along(along(along(at_a->at, u, s), u1, a1), u2, a2), normal, 0.5 * gap);
    write_touch(p, amid, normal, gap, 1, feature_of(OF_BOTH, box_edge(a, of_a, i), box_edge(b, of_b, j)), 0);
    return true;
}

/* ---- Face on face ------------------------------------------------------------------------------------------------ */

/* Writes the points within reach, the deepest first; false: there is no room, or the deepest is not as deep as the
 * boxes. */
static bool write_points(const boxes *p, const faces *f, bool level_is_a, double sep, double area)
{
    const vec    from_a = level_is_a ? f->axes[2] : negate(f->axes[2]);
    const double within = patch_reach(p->reach, p->size, sep);
    const size_t first = p->out->count;
    int          deepest = 0, n = 0;
    double       sum = 0;
    for (int k = 0; k < f->count; k++) {
        deepest = f->points[k].z < f->points[deepest].z ? k : deepest;
        n += f->points[k].z <= within;
    }
    if (!(fabs(f->points[deepest].z - sep) <= p->tolerance))
        return false;
    for (int k = 0; k < f->count; k++) {
        const int         i = k == 0 ? deepest : k == deepest ? 0 : k;
        const face_point *q = &f->points[i];
        if (!(q->z <= within))
            continue;
        if (p->out->count == p->out->room)
            return p->out->count = first, false;
        const double own = faces_area_of(f, i), share = n == 1 ? 1 : presence(own / area, q->z, within, p->size);
        write_touch(p, faces_at(f, q->x, q->y, 0.5 * q->z), from_a, q->z, share, faces_name(f, q, level_is_a), own);
        sum += share;
    }
    for (size_t k = first; k < p->out->count && n > 1; k++)
        p->out->touches[k].share /= sum;
    return true;
}

static bool touch_faces(const boxes *p, bool level_is_a, int axis)
{
    const body *level = level_is_a ? p->a : p->b, *other = level_is_a ? p->b : p->a;
    const vec   between = sub(p->b->at.at, p->a->at.at), out = column(&level->at.turn, axis);
    const bool  towards_b = !(dot(out, between) < 0);
    faces       f; /* large, and mostly not initialised */
    double      weights[3], x, y;
    faces_place(&f, level->geometry, &level->at, axis, level_is_a == towards_b, other->geometry, &other->at);
    const double sep = faces_lowest(&f, &x, &y), room = smaller(f.half[0] - fabs(x), f.half[1] - fabs(y));
    if (!is_best(p, boxes_face(level_is_a, axis), sep, room, f.at[2] + f.half[2], dot(between, between)))
        return false;
    if (!(sep <= p->reach))
        return true;
    const int heaviest = faces_weigh(&f, weights);
    if (weights[heaviest] < 1)
        return false;
    const double area = faces_share(&f, heaviest);
    return area > 0 && write_points(p, &f, level_is_a, sep, area);
}

/* ---- Either case ------------------------------------------------------------------------------------------------- */

/* False: the direction is not proven, or the patch is of another kind. */
static bool touch_along(const boxes *p, unsigned way)
{
    return boxes_are_faces(way) ? touch_faces(p, boxes_face_is_of_a(way), boxes_axis(way))
                                : touch_edges(p, boxes_edge_of_a(way), boxes_edge_of_b(way));
}

/* Uses the general patch of two bodies. Not inline: it needs much stack. */
static __attribute__((noinline)) bool touch_by_patch(const boxes *p, convex_pair *pair, convex_result *result)
{
    witness        patch[PATCH_MAX];
    const placing *axes = &p->a->at;
    const uint32_t count = convex_patch(pair, result, patch);
    const vec      normal = rotate(&axes->turn, result->normal);
    if (count > p->out->room)
        return false;
    for (const witness *w = patch; w < patch + count; w++)
        if (w->gap <= p->reach)
            write_touch(p, transform(axes, scale(add(w->on_a, w->on_b), 0.5)), normal, w->gap, w->share, w->feature,
                        w->area);
    return true;
}

/* Along the direction that box.c finds. */
static bool touch_by_search(boxes *p, uint8_t *known)
{
    convex_result result;
    unsigned      found;
    /* Initialised in place: copying a struct that was just written would stall. */
    convex_pair pair = {.a = p->a->geometry, .b = p->b->geometry, .reach = p->reach, .size = p->size};
    pair.b_in_a = placing_relative(&p->a->at, &p->b->at);
    pair.rounding = pair.closed = ROUNDING * convex_extent(pair.a, pair.b, pair.b_in_a.at);
    if (!boxes_separate(&pair, &result, &found))
        return false;
    *known = (uint8_t)found;
    p->best = true;
    return !(result.sep <= p->reach) || touch_along(p, found) || touch_by_patch(p, &pair, &result);
}

bool boxes_touch_warm(const body *a, const body *b, double reach, uint8_t *known, contacts *out)
{
    const bool   reversed = pair_is_reversed(a, b);
    const double size = larger(a->geometry->size, b->geometry->size);
    boxes        p = {.a = reversed ? b : a,
                      .b = reversed ? a : b,
                      .reach = reach,
                      .size = size,
                      .tolerance = 1e-12 * size,
                      .reversed = reversed,
                      .out = out};
    return (*known != 0 && touch_along(&p, *known)) || touch_by_search(&p, known);
}

bool boxes_touch(const body *a, const body *b, double reach, bool swapped, contacts *out)
{
    uint8_t known = 0;
    (void)swapped;
    return boxes_touch_warm(a, b, reach, &known, out);
}

bool touch_boxes_warm(const touch_call *call, uint8_t *known)
{
    contacts out = {call->touches, call->capacity, 0};
    body     a = {.geometry = call->a}, b = {.geometry = call->b};
    if (!place_both(call->pose_a, call->pose_b, &a.at, &b.at) || !boxes_touch_warm(&a, &b, call->reach, known, &out))
        return false;
    *call->count = out.count;
    return true;
}
