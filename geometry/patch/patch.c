/* SPDX-License-Identifier: MIT */
/* patch.c - the contact patch of two bodies along a normal: corners of one over the other's face, and crossings of
 * edges.
 *
 * A point of the patch is named by the corners or edges that make it, never by the order in which it was found. So it
 * keeps its name from step to step, even if the two parallel faces swap roles in clipping. */
#include "patch.h"

/* As a share of the size: the depth of a patch of two uneven flats is off by at most this. */
#define UNEVEN (4 * FLAT)

/* Lines at an angle below this do not cross. */
#define PARALLEL 1e-15

/* ---- Support sets ------------------------------------------------------------------------------------------------ */

/* Fills in the sides of a set, seen along n. */
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

static void take_corners(patch_builder *p)
{
    vec there;
    for (uint32_t k = 0; k < p->b->count; k++)
        if (patch_covers(p->a, p->b->points[k], p->normal, p->tolerance, &there))
            patch_take_over(p, false, p->b->corner[k], p->b->points[k], there, 1);
    for (uint32_t k = 0; k < p->a->count; k++)
        if (patch_covers(p->b, p->a->points[k], p->normal, p->tolerance, &there))
            patch_take_over(p, true, p->a->corner[k], p->a->points[k], there, 1);
}

/* Adds the crossing of side i of a and side j of b, seen along the normal. */
static void take_crossing_of(patch_builder *p, uint32_t i, uint32_t j)
{
    const support *a = p->a, *b = p->b;
    const side    *of_a = &a->sides[i], *of_b = &b->sides[j];
    const vec      pa = a->points[i], pb = b->points[j];
    const double   det = dot(of_a->left, of_b->run), lengths = of_a->length * of_b->length;
    if (!(fabs(det) > ALIGNED * lengths))
        return;
    const vec    r = sub(pb, pa);
    const double s = -dot(of_b->left, r) / det, t = -dot(of_a->left, r) / det;
    const double ea = p->tolerance / of_a->length, eb = p->tolerance / of_b->length;
    if (!(s >= -ea && s <= 1 + ea && t >= -eb && t <= 1 + eb))
        return;
    const vec da = sub(a->points[i + 1 < a->count ? i + 1 : 0], pa);
    const vec db = sub(b->points[j + 1 < b->count ? j + 1 : 0], pb);
    patch_take(p, feature_of(OF_BOTH, a->edge[i], b->edge[j]), along(pa, da, s), along(pb, db, t), 1);
}

/* Adds the crossings of the sides of two polygons or segments. */
static void take_crossings(patch_builder *p)
{
    for (uint32_t i = 0; i < p->a->n_sides; i++)
        for (uint32_t j = 0; j < p->b->n_sides; j++)
            take_crossing_of(p, i, j);
}

/* Adds the point of a set that has only one, if the other set covers it; false: it does not, or no set is a point. */
static bool take_point(patch_builder *p)
{
    const bool     is_a = p->b->count != 1;
    const support *point = is_a ? p->a : p->b, *other = is_a ? p->b : p->a;
    vec            there;
    if (point->count != 1 || !patch_covers(other, point->points[0], p->normal, p->tolerance, &there))
        return false;
    patch_take_over(p, is_a, point->corner[0], point->points[0], there, 1);
    return true;
}

/* The stretch of a segment that lies over a polygon, as shares of the segment, and the sides where it enters and leaves
 * the polygon, or NO_INDEX. */
typedef struct stretch {
    double   from, to;
    uint32_t enters, leaves;
} stretch;

/* False: rounding decides where the stretch ends, or no part lies over the polygon. */
static bool find_stretch(const patch_builder *p, const support *line, const support *polygon, stretch *c)
{
    const vec    o = line->points[0], d = sub(line->points[1], o);
    const double sense = dot(polygon->normal, p->normal) < 0 ? -1 : 1, clear = p->tolerance / TILT;
    const double length = line->sides[0].length;
    *c = (stretch){0, 1, NO_INDEX, NO_INDEX};
    for (uint32_t k = 0; k < polygon->count; k++) {
        const side  *s = &polygon->sides[k];
        const double inside = sense * dot(s->left, sub(o, polygon->points[k])), rise = sense * dot(s->left, d);
        const double least = smaller(inside, inside + rise), t = -inside / rise;
        if (least > clear * s->length)
            continue;
        if (least > -clear * s->length || !(fabs(rise) > TILT * s->length * length) ||
            fabs(t - (rise > 0 ? c->from : c->to)) * length < clear)
            return false;
        if (rise > 0 && t > c->from) {
            c->from = t;
            c->enters = k;
        } else if (rise < 0 && t < c->to) {
            c->to = t;
            c->leaves = k;
        }
    }
    return (c->to - c->from) * length > clear;
}

/* Adds the two ends of the stretch of a segment over a polygon. False: rounding decides where they are. */
static bool take_stretch(patch_builder *p)
{
    const bool     is_a = p->a->count == 2;
    const support *line = is_a ? p->a : p->b, *polygon = is_a ? p->b : p->a;
    stretch        c;
    if (line->count != 2 || polygon->count < 3 || !find_stretch(p, line, polygon, &c))
        return false;
    const uint32_t by[2] = {c.enters, c.leaves};
    for (uint32_t k = 0; k < 2; k++)
        if (by[k] == NO_INDEX)
            patch_take_over(p, is_a, line->corner[k], line->points[k],
                            support_over(polygon, line->points[k], p->normal), 1);
    for (uint32_t k = 0; k < 2; k++)
        if (by[k] != NO_INDEX)
            take_crossing_of(p, is_a ? 0 : by[k], is_a ? by[k] : 0);
    return true;
}

/* Adds the crossing of two lines that cross well inside both; it is then the whole patch. False: they do not cross
 * there. */
static bool take_crossing(patch_builder *p)
{
    const support *a = p->a, *b = p->b;
    const side    *of_a = &a->sides[0], *of_b = &b->sides[0];
    if (a->count != 2 || b->count != 2)
        return false;
    const vec    r = sub(b->points[0], a->points[0]);
    const double det = dot(of_a->left, of_b->run), s = -dot(of_b->left, r) / det, t = -dot(of_a->left, r) / det;
    const double end_a = smaller(s, 1 - s) * of_a->length, end_b = smaller(t, 1 - t) * of_b->length;
    if (!(fabs(det) > TILT * of_a->length * of_b->length && smaller(end_a, end_b) > p->tolerance / TILT))
        return false;
    patch_take(p, feature_of(OF_BOTH, a->edge[0], b->edge[0]), along(a->points[0], sub(a->points[1], a->points[0]), s),
               along(b->points[0], sub(b->points[1], b->points[0]), t), 1);
    return true;
}

/* ---- The patch --------------------------------------------------------------------------------------------------- */

static uint32_t deepest_of(const patch_builder *p)
{
    uint32_t deepest = 0;
    for (uint32_t k = 1; k < p->count; k++)
        deepest = p->patch[k].gap < p->patch[deepest].gap ? k : deepest;
    return deepest;
}

static void deepest_first(patch_builder *p)
{
    const uint32_t deepest = deepest_of(p);
    if (deepest == 0)
        return;
    const witness first = p->patch[deepest];
    p->patch[deepest] = p->patch[0];
    p->patch[0] = first;
}

static void lower(patch_builder *p, double by)
{
    for (uint32_t k = 0; k < p->count; k++) {
        p->patch[k].on_a = along(p->patch[k].on_a, p->normal, 0.5 * by);
        p->patch[k].on_b = along(p->patch[k].on_b, p->normal, -0.5 * by);
        p->patch[k].gap -= by;
    }
}

/* Makes a patch as deep as the bodies where the difference has a known reason: a corner inside a flat, or left out of
 * its outline, may stand out by the rounding of a file; corners left out of large faces may be deeper at a tilt; with
 * rims the normal may be off by the gap between the bounds. So contacts do not come and go with such differences. */
static void lower_patch(const convex_pair *pair, double over, patch_builder *p)
{
    const polytope *a = &pair->a->core, *b = &pair->b->core;
    const double    uneven = a->uneven || b->uneven ? UNEVEN * pair->size : 0;
    const double    open = pair->rims && over > 0 ? 4 * pair->closed : 0;
    if (fabs(over) <= uneven + TILT * (a->left_out + b->left_out) + open)
        lower(p, over);
}

/* Whether a patch, whose depth differs from the bodies' by `over`, counts as equally deep. It does not where rounding
 * separates parts that touch, or puts the crossing of nearly parallel lines outside both. With rims only a patch that
 * is too shallow is rejected. */
static bool is_as_deep(const convex_pair *pair, double over, double tolerance)
{
    return over <= tolerance && (pair->rims || over >= -tolerance);
}

/* Weighs the points of a part of the patch by their presence, with `weight` as their sum; false: it is not as deep as
 * the bodies, or out of reach. */
static bool weigh_part(const convex_pair *pair, double sep, double weight, patch_builder *p)
{
    const double reach = patch_reach(pair->reach, pair->size, sep);
    double       sum = 0;
    if (p->count == 0)
        return false;
    const witness *deepest = &p->patch[deepest_of(p)];
    lower_patch(pair, deepest->gap - sep, p);
    if (!is_as_deep(pair, deepest->gap - sep, p->tolerance))
        return false;
    for (uint32_t k = 0; k < p->count; k++) {
        witness *w = &p->patch[k];
        w->area = weight * w->share * p->area;
        w->share = presence(w->share, w->gap, reach, pair->size);
        sum += w->share;
    }
    for (uint32_t k = 0; k < p->count; k++)
        p->patch[k].share *= weight / sum;
    return sum > 0;
}

static void merge(patch_builder *p, const witness *w) { patch_merge(p->patch, &p->count, p->normal, p->tolerance, w); }

static bool are_polygons(const support *a, const support *b) { return a->count > 2 && b->count > 2; }

/* Adds the points of any two sets, except two polygons. */
static void take_all(patch_builder *p)
{
    take_corners(p);
    patch_rims(p);
    take_crossings(p);
}

/* Adds the points of two support sets that face each other. */
static void take_points(patch_builder *p)
{
    const support *a = p->a, *b = p->b;
    if (are_polygons(a, b)) {
        p->count = clip_polygons(a, b, p->normal, p->tolerance, p->patch, &p->area);
        return;
    }
    if (take_crossing(p) || take_point(p))
        return;
    if (!take_stretch(p))
        take_all(p);
    p->area = weigh_patch(a, b, p->normal, p->patch, p->count);
}

/* A patch while it is built from parts. */
typedef struct parts {
    convex_pair  *pair;
    patch_builder whole;
    vec           n_in_b;
    double        sep;
    uint32_t      n_parts;
} parts;

/* Makes a part of the patch from two support sets, each in its own body's axes. */
static void add_part(parts *to, support *a, support *b, double weight, void (*take)(patch_builder *))
{
    patch_builder *whole = &to->whole;
    witness        points[PATCH_MAX];
    const bool     first = whole->count == 0;
    support_place(&to->pair->b_in_a, b);
    if (!are_polygons(a, b)) {
        lay_sides(a, whole->normal);
        lay_sides(b, whole->normal);
    }
    patch_builder p = {a, b, whole->normal, whole->tolerance, whole->reach, first ? whole->patch : points, 0, 0};
    take(&p);
    if (!weigh_part(to->pair, to->sep, weight, &p))
        return;
    to->n_parts++;
    if (first)
        whole->count = p.count;
    for (uint32_t k = 0; k < p.count && !first; k++)
        merge(whole, &p.patch[k]);
}

/* Clears the members that a set without a plane lacks. */
static void clear(support *s) { s->normal = s->centre = s->axis = (vec){0, 0, 0}; }

/* Two nearly parallel lines, as intervals along their mean direction: a from 0 to `end`, b from `from` to `to`.
 * Swapping the two gives the same. */
typedef struct course {
    double end, from, to;
} course;

static course lay_course(const support *a, const support *b)
{
    const side  *of_a = &a->sides[0], *of_b = &b->sides[0];
    const vec    v = scale(of_a->run, 1 / of_a->length), w = scale(of_b->run, 1 / of_b->length);
    const vec    u = unit_or(dot(v, w) < 0 ? sub(v, w) : add(v, w), v);
    const double from = dot(u, sub(b->points[0], a->points[0]));
    return (course){dot(u, of_a->run), from, from + dot(u, of_b->run)};
}

/* The point at coordinate q where one line lies over the other. The gap includes their distance across the normal. */
static witness over_lines(const patch_builder *p, uint64_t feature, double q, const course *c)
{
    const vec   *a = p->a->points, *b = p->b->points;
    const double s = q / c->end, t = smaller(larger((q - c->from) / (c->to - c->from), 0), 1);
    const vec    on_a = along(a[0], sub(a[1], a[0]), s), on_b = along(b[0], sub(b[1], b[0]), t);
    const vec    between = sub(on_b, on_a);
    return (witness){feature, on_a, on_b, dot(p->normal, between) + norm(across(between, p->normal)), 0, 0};
}

/* Adds the ends of the common stretch of two lines, and their crossing. As the lines become parallel the crossing moves
 * off, and its share goes to the ends. Where the lines meet only at an end, within rounding, only that end counts,
 * since rounding would decide on which side of it they cross. */
static void take_lines(patch_builder *p)
{
    const support *a = p->a, *b = p->b;
    const side    *of_a = &a->sides[0], *of_b = &b->sides[0];
    const course   c = lay_course(a, b);
    const double   low = larger(0, smaller(c.from, c.to)), high = smaller(c.end, larger(c.from, c.to));
    if (!(high - low > p->tolerance))
        return;
    const bool     back = c.from > c.to;
    const uint64_t first = low > 0 ? feature_of(OF_B, 0, b->corner[back]) : feature_of(OF_A, a->corner[0], 0);
    const uint64_t last = high < c.end ? feature_of(OF_B, 0, b->corner[!back]) : feature_of(OF_A, a->corner[1], 0);
    witness        ends[2] = {over_lines(p, first, low, &c), over_lines(p, last, high, &c)};
    const double   det = dot(of_a->left, of_b->run), sine = fabs(det) / (of_a->length * of_b->length);
    const double   q = sine > PARALLEL ? -dot(of_b->left, sub(b->points[0], a->points[0])) / det * c.end : low;
    const bool     within = smaller(q - low, high - q) * sine > p->tolerance;
    const double   x = within ? (q - low) / (high - low) : 0;
    witness        amid = over_lines(p, feature_of(OF_BOTH, a->edge[0], b->edge[0]), low + x * (high - low), &c);
    const double   rest = larger(p->reach - amid.gap, p->tolerance);
    const double   run = smaller(larger(larger(ends[0].gap, ends[1].gap) - amid.gap, 0) / rest, 1);
    amid.share = 0.5 * run;
    ends[0].share = within ? 0.5 * (x + (1 - x) * (1 - run)) : 0.5;
    ends[1].share = within ? 0.5 * (1 - x + x * (1 - run)) : 0.5;
    p->patch[p->count++] = ends[0];
    p->patch[p->count++] = ends[1];
    if (within)
        p->patch[p->count++] = amid;
}

static void add_faces(parts *to, const choices *a, const choices *b, double weight)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            support of_a, of_b;
            clear(&of_a);
            clear(&of_b);
            support_take(to->pair->a, to->pair->at_a, &a->of[i], to->whole.normal, &of_a);
            support_take(to->pair->b, to->pair->at_b, &b->of[k], to->n_in_b, &of_b);
            add_part(to, &of_a, &of_b, weight * a->of[i].weight * b->of[k].weight, take_points);
        }
}

/* How nearly parallel two lines are: 1 if parallel, 0 at a turn of TILT or more. */
static double level_lines(const convex_pair *pair, const support *a, const support *b)
{
    const vec    d = sub(a->points[1], a->points[0]), e = rotate(&pair->b_in_a.turn, sub(b->points[1], b->points[0]));
    const vec    m = cross(d, e);
    const double crossed = dot(m, m), both = dot(d, d) * dot(e, e);
    return crossed < TILT * TILT * both ? support_level(sqrt(crossed / both)) : 0;
}

static void add_squares(parts *to, double weight)
{
    support a, b;
    clear(&a);
    clear(&b);
    support_square(to->pair->a, to->pair->at_a, to->whole.normal, &a);
    support_square(to->pair->b, to->pair->at_b, to->n_in_b, &b);
    add_part(to, &a, &b, weight, take_points);
}

/* Adds the part of the patch for two lines; returns its share of the weight, by how nearly parallel they are. */
static double add_lines(parts *to, const choices *a, const choices *b, double weight)
{
    support      of_a, of_b;
    const double alone = a->alone * b->alone;
    clear(&of_a);
    clear(&of_b);
    if (!(alone > 0) || !support_line(to->pair->a, a, to->whole.normal, &of_a) ||
        !support_line(to->pair->b, b, to->n_in_b, &of_b))
        return 0;
    const double level = alone * level_lines(to->pair, &of_a, &of_b);
    if (level > 0)
        add_part(to, &of_a, &of_b, weight * level, take_lines);
    return level;
}

/* The part of the faces' weight that goes to lines: all of it where a segment, or the side of a round core, lies along
 * the edge of the other body's face. There the smallest turn would change the patch from the whole line to one end. */
static double along_edge(const parts *to, const choices *a, const choices *b)
{
    const convex_pair *pair = to->pair;
    const double       alone = a->alone * b->alone;
    support            of_a, of_b;
    if (!(alone > 0) || (pair->a->core.n_faces > 0) == (pair->b->core.n_faces > 0) ||
        !support_line(pair->a, a, to->whole.normal, &of_a) || !support_line(pair->b, b, to->n_in_b, &of_b))
        return 0;
    const bool   edge_is_a = pair->a->core.n_faces > 0;
    const vec    from_a = of_a.points[0], run_a = sub(of_a.points[1], from_a);
    const vec    from_b = transform(&pair->b_in_a, of_b.points[0]);
    const vec    run_b = sub(transform(&pair->b_in_a, of_b.points[1]), from_b);
    const vec    along_it = edge_is_a ? run_a : run_b, line = edge_is_a ? run_b : run_a;
    const vec    beside = unit_or(cross(to->whole.normal, along_it), along_it), apart = sub(from_b, from_a);
    const double first = dot(beside, edge_is_a ? apart : negate(apart)), last = first + dot(beside, line);
    return alone * larger(1 - larger(fabs(first), fabs(last)) / (EDGE * norm(line)), 0);
}

/* Adds the parts of the patch that are not faces: lines, and the deepest point of the faces or, without faces, single
 * points. */
static void add_narrow(parts *to, const choices *a, const choices *b, double weight)
{
    if (to->whole.count > 0) {
        witness deepest = to->whole.patch[deepest_of(&to->whole)];
        deepest.share = weight * (1 - add_lines(to, a, b, weight));
        deepest.area = 0;
        merge(&to->whole, &deepest);
        return;
    }
    const double lines = add_lines(to, a, b, weight);
    if (lines < 1 || to->whole.count == 0)
        add_squares(to, lines < 1 ? weight * (1 - lines) : weight);
}

/* Chooses the sets of both bodies; returns the greatest level of any of them. */
static double choose_sets(const parts *to, choices *a, choices *b)
{
    support_choose(to->pair->a, to->pair->at_a, to->whole.normal, a);
    support_choose(to->pair->b, to->pair->at_b, to->n_in_b, b);
    return larger(a->level, b->level);
}

/* Scales the shares to a sum of 1: they sum to less where rounding removed a part. */
static void normalise(patch_builder *p)
{
    double sum = 0;
    for (uint32_t k = 0; k < p->count; k++)
        sum += p->patch[k].share;
    for (uint32_t k = 0; k < p->count && sum > 0; k++) {
        p->patch[k].share /= sum;
        p->patch[k].area /= sum;
    }
}

/* Builds a patch from parts whose weights change continuously as the normal turns: faces by how level they are,
 * where only the most level ones count; lines by how nearly parallel they are. Returns the number of points. */
static uint32_t build(convex_pair *pair, const convex_result *result, witness *patch)
{
    const vec n = result->normal;
    choices   a, b;
    parts     to;
    to.pair = pair;
    to.whole = (patch_builder){NULL, NULL, n, 1e-12 * pair->size, pair->reach, patch, 0, 0};
    to.n_in_b = rotate_back(&pair->b_in_a.turn, negate(n));
    to.sep = result->sep;
    to.n_parts = 0;
    if (!result->supported)
        support_of(pair, n);
    support_look(pair->a, pair->at_a, n, &a);
    support_look(pair->b, pair->at_b, to.n_in_b, &b);
    const double level = a.near || b.near ? choose_sets(&to, &a, &b) : 0;
    const double faces = level > 0 ? level * (1 - along_edge(&to, &a, &b)) : 0;
    if (faces > 0)
        add_faces(&to, &a, &b, faces);
    if (faces < 1 || to.whole.count == 0)
        add_narrow(&to, &a, &b, faces < 1 ? 1 - faces : 1);
    normalise(&to.whole);
    deepest_first(&to.whole);
    /* Where the deepest points of two parts differ, the mean of the parts is less deep than either. */
    if (to.n_parts > 1)
        lower(&to.whole, larger(patch[0].gap - result->sep, 0));
    return to.whole.count;
}

/* Returns 0 where no special case applies. */
static uint32_t patch_on_box(const convex_pair *pair, const convex_result *result, witness *patch)
{
    if (pair->b->kind != PCM_BOX)
        return 0;
    return pair->a->kind == PCM_CAPSULE ? patch_of_segment(pair, result, patch) : 0;
}

uint32_t convex_patch(convex_pair *pair, convex_result *result, witness patch[PATCH_MAX])
{
    uint32_t count = patch_on_box(pair, result, patch);
    if (count == 0)
        count = build(pair, result, patch);
    if (count == 0) {
        if (!result->witnessed)
            convex_search(pair, result);
        patch[0] = (witness){feature_of(OF_NONE, 0, 0), result->on_a, result->on_b, result->sep, 1, 0};
        count = 1;
    }
    if (!result->witnessed) {
        result->on_a = patch[0].on_a;
        result->on_b = patch[0].on_b;
        result->witnessed = true;
    }
    return count;
}
