/* SPDX-License-Identifier: MIT */
/* simple.c - contacts in closed form: balls, capsules and planes with each other and with cylinders and disks, boxes
 * and hulls on a plane, and balls with boxes. A capsule's nearest point on a cylinder is found by Newton's method. */
#include "simple.h"

/* As shares of the size. The closed forms leave three cases to the search, which keeps the last digits: cores closer to
 * each other than NEAR, rims closer to level than NEAR, and axes whose angle has a squared sine below ACROSS. */
#define NEAR   1e-3
#define ACROSS 1e-2

/* The most steps of Newton's method along a rod, and the cosine to the rod's normal at which it has converged. */
#define STEPS_MAX 16
#define ARRIVED   1e-13

/* Swapping the balls gives exactly the mirrored result, except for balls about the same centre: these separate along z,
 * the smaller one downwards. */
static inline void touch_two(ball a, ball b, double reach, contacts *out)
{
    const vec    between = sub(b.at, a.at);
    const double distance = norm(between), gap = distance - (a.radius + b.radius);
    const vec    n = distance > 0 ? scale(between, 1 / distance) : (vec){0, 0, a.radius > b.radius ? -1 : 1};
    if (gap <= reach)
        contact_write(out, scale(add(along(a.at, n, a.radius), along(b.at, n, -b.radius)), 0.5), n, gap, 1, 0);
}

uint32_t balls_touch(const ball *a, const ball *b, double reach, pcm_touch *out)
{
    contacts one = {out, 1, 0};
    touch_two(*a, *b, reach, &one);
    return (uint32_t)one.count;
}

static inline ball ball_of(const body *b) { return (ball){b->at.at, b->geometry->radius}; }

/* Spheres need no fixed order: swapping them gives exactly the mirrored result. */
static inline bool balls(const body *a, const body *b, double reach, bool swapped, contacts *out)
{
    (void)swapped;
    touch_two(ball_of(a), ball_of(b), reach, out);
    return true;
}

static inline bool ball_on_plane(const body *plane, const body *of, double reach, bool swapped, contacts *out)
{
    const vec    n = axis_of(plane);
    const double radius = of->geometry->radius, gap = dot(n, sub(of->at.at, plane->at.at)) - radius;
    if (gap <= reach)
        contact_write(out, sub(of->at.at, scale(n, radius + 0.5 * gap)), swapped ? negate(n) : n, gap, 1, 0);
    return true;
}

/* Writes the ends of a capsule that are within reach of the plane, with shares by their depth; false: there is room for
 * only one. */
static inline bool capsule_on_plane(const body *plane, const body *of, double reach, bool swapped, contacts *out)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = axis_of(plane), from_a = swapped ? negate(n) : n;
    const double        height = dot(n, sub(of->at.at, plane->at.at)) - g->radius, rise = dot(axis_of(of), n);
    double              here[2], sum = 0;
    if (out->room < 2)
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        const double end = g->core.corners[k].z, gap = rise * end + height;
        if (!(gap <= reach))
            continue;
        here[out->count] = presence(0, gap, reach, g->size);
        sum += here[out->count];
        contact_write(out, along(along(of->at.at, axis_of(of), end), n, -g->radius - 0.5 * gap), from_a, gap, 1, k);
    }
    for (size_t k = 0; k < out->count && out->count > 1; k++)
        out->touches[k].share = here[k] / sum;
    return true;
}

/* A cylinder or disk tilted so that only the lowest point of its rim is within reach of the plane; its area is as in
 * pair_rim_points. False: other points may be within reach too. */
static inline bool rim_on_plane(const body *plane, const body *of, double reach, bool swapped, contacts *out)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = axis_of(plane);
    const double        rise = dot(axis_of(of), n), end = rise > 0 ? -g->half : g->half;
    const vec           down = along(scale(axis_of(of), rise), n, -1);
    const double        square = dot(down, down), level = sqrt(square), drop = g->rim * level;
    const double        out_to = level * (g->rim / square); /* the rim over the root: `down` times this is the point */
    const double        middle = dot(n, sub(of->at.at, plane->at.at)) - g->radius, half = fabs(rise) * g->half;
    const double        gap = middle - half - drop;
    const bool          alone = gap + 1.5 * drop > reach && (g->half <= 0 || middle + half - drop > reach);
    if (!(level > NEAR && alone))
        return false;
    if (gap <= reach) {
        const vec  lowest = along(along(of->at.at, axis_of(of), end), down, out_to);
        const vec  point = along(lowest, n, -g->radius - 0.5 * gap);
        pcm_touch *to = contact_write(out, point, swapped ? negate(n) : n, gap, 1, end > 0 ? 3 : 0);
        to->area = fabs(rise) * 3.14159265358979324 * g->rim * g->rim / 3 + 2 * g->rim * g->half * level;
        to->gives = PCM_SHARE | PCM_AREA;
    }
    return true;
}

/* Whether two capsules are to be swapped: they are always taken in the same order, so that swapping them in the call
 * gives exactly the mirrored answer. */
static inline bool are_reversed(const pcm_geometry *a, vec at_a, const pcm_geometry *b, vec at_b)
{
    if (a->size != b->size || a->radius != b->radius)
        return a->size != b->size ? a->size > b->size : a->radius > b->radius;
    return at_a.x != at_b.x ? at_a.x > at_b.x : at_a.y != at_b.y ? at_a.y > at_b.y : at_a.z > at_b.z;
}

static double half_of(const body *a) { return a->geometry->core.corners[1].z; }

/* The distance and direction between the nearest points of two rods; u or v is the axis of a rod whose nearest point is
 * not an end. False: they are too close. Where the distance is below the rods' length, removes the rounding error along
 * such a rod. */
static inline bool part_rods(vec way, bool amid_a, vec u, bool amid_b, vec v, double length2, double near, vec *n,
                             double *sep)
{
    double square = dot(way, way);
    if (square < length2) {
        if (amid_a)
            way = across(way, u);
        else if (amid_b)
            way = across(way, v);
        square = dot(way, way);
        if (!(square > near * near))
            return false;
    }
    *sep = sqrt(square);
    *n = scale(way, *sep * (1 / square)); /* both divisions at once */
    return true;
}

/* A ball and a capsule; false: the ball's middle lies on the capsule's axis. */
static inline bool ball_on_capsule(const body *rod, const body *round, double reach, bool swapped, contacts *out)
{
    const vec    u = axis_of(rod), r = sub(round->at.at, rod->at.at);
    const double half = half_of(rod), radius = rod->geometry->radius, other = round->geometry->radius;
    const double s = smaller(larger(dot(r, u), -half), half);
    vec          n;
    double       sep;
    if (!part_rods(along(r, u, -s), fabs(s) < half, u, false, u, half * half, NEAR * rod->geometry->size, &n, &sep))
        return false;
    const double gap = sep - (radius + other);
    if (gap <= reach)
        contact_write(out, along(round->at.at, n, -other - 0.5 * gap), swapped ? negate(n) : n, gap, 1, 0);
    return true;
}

/* Whether the contact at `on` is well inside a rod, or at an end whose axis is not perpendicular to the normal. */
static inline bool is_clear(bool amid, double on, double half, double looks)
{
    return amid ? half - fabs(on) > 2 * ALIGNED * half : fabs(looks) > ALIGNED;
}

/* One of two rods that face each other. */
typedef struct axle {
    vec    axis;
    double half, ahead; /* coordinates along the axis: of the other rod's middle (ahead) and of the contact (on) */
    double on, beyond;  /* how far the contact is beyond an end; < 0: inside of the rod */
} axle;

static inline bool is_amid(const axle *r) { return r->beyond < 0; }

/* Whether the contact is well inside a rod or well beyond its end. */
static inline bool is_settled(const axle *r, double sep) { return fabs(r->beyond) > 2 * ALIGNED * (r->half + sep); }

/* Moves a rod's contact to the coordinate `free` along it, but no farther than its end. */
static inline void meet_at(axle *r, double free)
{
    r->beyond = fabs(free) - r->half;
    r->on = is_amid(r) ? free : free < 0 ? -r->half : r->half;
}

/* Starts at the end of rod r that is on the same side as `free`, a positive multiple of the coordinate on r at which
 * the other's line passes. */
static inline void start_at_end(axle *r, axle *other, double free, double cosine)
{
    r->on = free < 0 ? -r->half : r->half;
    meet_at(other, cosine * r->on + other->ahead);
    meet_at(r, cosine * other->on + r->ahead);
}

/* The unit normal from the first of two rods to the second, and their distance along it. */
typedef struct facing {
    vec    n;
    double sep;
} facing;

/* For contacts inside both rods. */
static inline facing across_both(const axle *a, const axle *b, vec between)
{
    const vec    m = cross(a->axis, b->axis);
    const double inverse = 1 / norm(m), high = dot(m, between);
    return (facing){scale(m, high < 0 ? -inverse : inverse), fabs(high) * inverse};
}

/* For a contact at an end of at least one rod; false: they are too close. */
static inline bool from_ends(const axle *a, const axle *b, vec between, double near, facing *f)
{
    const vec way = add(between, sub(scale(b->axis, b->on), scale(a->axis, a->on)));
    return part_rods(way, is_amid(a), a->axis, is_amid(b), b->axis, a->half * a->half + b->half * b->half, near, &f->n,
                     &f->sep);
}

/* The name of the contact. Where both rods end there, it is that of the rod that is second in the fixed order. */
static inline uint64_t name_of_rods(const body *a, const body *b, const axle *of_a, const axle *of_b)
{
    if (is_amid(of_a) && is_amid(of_b))
        return feature_of(OF_BOTH, 0, 0);
    if (is_amid(of_b) || (!is_amid(of_a) && are_reversed(a->geometry, a->at.at, b->geometry, b->at.at)))
        return feature_of(OF_A, of_a->on > 0, 0);
    return feature_of(OF_B, 0, of_b->on > 0);
}

/* Two capsules with one contact point, inside both rods or at an end that faces the other; false: the case is not
 * clear. Swapping the capsules gives exactly the mirrored result. Always inline: gcc would otherwise leave it as a
 * call. */
static inline __attribute__((always_inline)) bool capsules_cross(const body *a, const body *b, double reach,
                                                                 bool swapped, contacts *out)
{
    const double ra = a->geometry->radius, rb = b->geometry->radius;
    const double near = NEAR * larger(a->geometry->size, b->geometry->size);
    const vec    u = axis_of(a), v = axis_of(b), between = sub(b->at.at, a->at.at);
    const double cosine = dot(u, v), sine2 = 1 - cosine * cosine;
    axle         on_a = {.axis = u, .half = half_of(a), .ahead = dot(between, u)};
    axle         on_b = {.axis = v, .half = half_of(b), .ahead = -dot(between, v)};
    /* The coordinates at which the two lines are closest to each other, times sine2. */
    const double line_a = on_a.ahead + cosine * on_b.ahead, line_b = on_b.ahead + cosine * on_a.ahead;
    facing       f;
    (void)swapped;
    if (!(sine2 > ACROSS))
        return false;
    if (!(fabs(line_a) < on_a.half * sine2)) {
        start_at_end(&on_a, &on_b, line_a, cosine);
    } else if (!(fabs(line_b) < on_b.half * sine2)) {
        start_at_end(&on_b, &on_a, line_b, cosine);
    } else {
        meet_at(&on_a, line_a / sine2);
        meet_at(&on_b, line_b / sine2);
    }
    if (is_amid(&on_a) && is_amid(&on_b))
        f = across_both(&on_a, &on_b, between);
    else if (!from_ends(&on_a, &on_b, between, near, &f))
        return false;
    if (!(f.sep > near) || !is_settled(&on_a, f.sep) || !is_settled(&on_b, f.sep))
        return false;
    const double gap = f.sep - (ra + rb);
    if (gap <= reach) {
        const vec middles = add(a->at.at, b->at.at), ways = add(scale(u, on_a.on), scale(v, on_b.on));
        contact_write(out, scale(along(add(middles, ways), f.n, ra - rb), 0.5), f.n, gap, 1,
                      name_of_rods(a, b, &on_a, &on_b));
    }
    return true;
}

/* A capsule and another one or a ball, at any angle; false: there may be two contact points. */
static bool segments(const body *a, const body *b, double reach, bool swapped, contacts *out)
{
    const double ra = a->geometry->radius, rb = b->geometry->radius;
    double       sep;
    vec          n, on_a;
    uint64_t     feature;
    if (!convex_segments(a, b, &n, &on_a, &sep, &feature))
        return false;
    if (sep - (ra + rb) <= reach)
        contact_write(out, along(add(a->at.at, on_a), n, 0.5 * (sep + ra - rb)), swapped ? negate(n) : n,
                      sep - (ra + rb), 1, swapped ? feature_swapped(feature) : feature);
    return true;
}

static bool ball_beside_capsule(const body *rod, const body *round, double reach, bool swapped, contacts *out)
{
    return ball_on_capsule(rod, round, reach, swapped, out) || segments(rod, round, reach, swapped, out);
}

static bool capsules(const body *a, const body *b, double reach, bool swapped, contacts *out)
{
    const bool reversed = are_reversed(a->geometry, a->at.at, b->geometry, b->at.at);
    return capsules_cross(a, b, reach, swapped, out) ||
           segments(reversed ? b : a, reversed ? a : b, reach, reversed, out);
}

/* ---- Cylinders and disks ----------------------------------------------------------------------------------------- */

/* A point outside of a cylinder or disk. */
typedef struct beside {
    double height, out; /* coordinate along the axis from the middle, and distance from the axis */
    vec    radial;      /* unit, from the axis */
    double over_cap, over_side, sep;
    vec    n; /* unit, out of the cylinder */
} beside;

/* r: the point relative to the middle. */
static inline void find_beside(const body *drum, vec r, beside *s)
{
    const pcm_geometry *g = drum->geometry;
    s->height = dot(r, axis_of(drum));
    const vec across_axis = along(r, axis_of(drum), -s->height);
    s->out = norm(across_axis);
    s->radial = scale(across_axis, 1 / s->out);
    s->over_cap = fabs(s->height) - g->half;
    s->over_side = s->out - g->rim;
}

/* Finds the normal. False: so near the axis, or the edge of the rim, that rounding would decide it. */
static inline bool look_out(const body *drum, beside *s)
{
    const double near = NEAR * drum->geometry->size;
    const vec    up = s->height < 0 ? negate(axis_of(drum)) : axis_of(drum);
    if (s->over_cap > 0 && s->over_side > 0) {
        s->sep = sqrt(s->over_cap * s->over_cap + s->over_side * s->over_side);
        s->n = scale(along(scale(s->radial, s->over_side), up, s->over_cap), 1 / s->sep);
        return s->sep > near;
    }
    const bool cap = s->over_cap >= s->over_side;
    s->sep = cap ? s->over_cap : s->over_side;
    s->n = cap ? up : s->radial;
    return cap || s->out > near;
}

static inline bool ball_on_drum(const body *drum, const body *round, double reach, bool swapped, contacts *out)
{
    const double radius = drum->geometry->radius, other = round->geometry->radius;
    beside       s;
    find_beside(drum, sub(round->at.at, drum->at.at), &s);
    if (!look_out(drum, &s))
        return false;
    const double gap = s.sep - (radius + other);
    if (gap <= reach)
        contact_write(out, along(round->at.at, s.n, -other - 0.5 * gap), swapped ? negate(s.n) : s.n, gap, 1, 0);
    return true;
}

/* Half of the first derivative and, in *bend, half of the second derivative of the squared distance of a rod's point;
 * steep: the cosine of the angle between the rod and the drum's axis. */
static inline double leave(const beside *s, double steep, vec v, double *bend)
{
    const double up = s->height < 0 ? -steep : steep, away = dot(s->radial, v),
                 around = 1 - steep * steep - away * away;
    const double cap = larger(s->over_cap, 0), far = larger(s->over_side, 0);
    *bend = (s->over_cap > 0 ? steep * steep : 0) + (s->over_side > 0 ? away * away + far * around / s->out : 0);
    return cap * up + far * away;
}

/* The point of a rod that is nearest to a drum, by Newton's method within a shrinking bracket. False: they overlap, or
 * it did not converge. */
static inline bool nearest_to_drum(const body *drum, const body *rod, double half, double *on, beside *s)
{
    const vec    r = sub(rod->at.at, drum->at.at);
    const double steep = dot(axis_of(rod), axis_of(drum)), high = dot(r, axis_of(drum)), ahead = dot(r, axis_of(rod));
    const double cross_at = high + steep * (steep * high - ahead) / (1 - steep * steep);
    const double at_drum = smaller(larger(cross_at, -drum->geometry->half), drum->geometry->half);
    double       from = -half, to = half, t = smaller(larger(steep * at_drum - ahead, from), to);
    for (int i = 0; i < STEPS_MAX; i++) {
        double bend;
        find_beside(drum, along(r, axis_of(rod), t), s);
        const double slope = leave(s, steep, axis_of(rod), &bend), sep = larger(s->over_cap, s->over_side);
        *on = t;
        if (!(sep > 0))
            return false;
        if (fabs(slope) <= ARRIVED * sep || (slope > 0 && t <= -half) || (slope < 0 && t >= half))
            return true;
        from = slope < 0 ? t : from;
        to = slope > 0 ? t : to;
        t = smaller(larger(t - slope / bend, from), to);
    }
    return false;
}

/* For a rod that touches a cap with one end: whether the rest of it is out of reach, both at the edge of the cap and at
 * its other end. */
static inline bool stands_alone(const beside *s, double looks, double half, double left)
{
    return smaller(-s->over_side * fabs(looks) / sqrt(1 - looks * looks), 2 * half * fabs(looks)) > left;
}

/* A capsule and a cylinder with one contact point: an end or an inner point of the rod, and the cap, the rim or an
 * inner point of the side; false: the case is not clear. */
static bool capsule_on_drum(const body *rod, const body *drum, double reach, bool swapped, contacts *out)
{
    const double half = half_of(rod), wide = drum->geometry->half, cosine = dot(axis_of(rod), axis_of(drum));
    double       on;
    beside       s;
    if (!(1 - cosine * cosine > ACROSS) || !(wide > 0) || !nearest_to_drum(drum, rod, half, &on, &s) ||
        !look_out(drum, &s) || !(s.sep > NEAR * larger(rod->geometry->size, drum->geometry->size)))
        return false;
    const bool   amid = fabs(on) < half, cap = s.over_side < 0, beyond = s.over_cap >= 0;
    const vec    n = amid ? unit_or(across(s.n, axis_of(rod)), s.n) : s.n; /* from the cylinder to the rod */
    const double looks = dot(axis_of(rod), n), steep = dot(axis_of(drum), n);
    const double radius = rod->geometry->radius, gap = s.sep - radius;
    if (!is_clear(amid, on, half, looks) || (cap && (amid || !stands_alone(&s, looks, half, reach - gap))) ||
        (!cap && !(1 - steep * steep > TILT * TILT && is_clear(!beyond, s.height, wide, steep))))
        return false;
    if (!(gap <= reach))
        return true;
    const uint32_t end = on > 0, rim = RIM_NAME + (s.height > 0);
    const uint64_t feature = cap || !(beyond || amid) ? feature_of(OF_A, end, 0)
                             : !beyond                ? feature_of(OF_BOTH, 0, RIM_NAME)
                                                      : feature_of(OF_B, 0, rim);
    const vec      at = along(along(rod->at.at, axis_of(rod), on), n, -radius - 0.5 * gap);
    contact_write(out, at, swapped ? n : negate(n), gap, 1, swapped ? feature_swapped(feature) : feature);
    return true;
}

/* ---- Boxes ------------------------------------------------------------------------------------------------------- */

/* A ball whose middle is clearly outside a box; false: it is not. */
static inline bool ball_on_box(const body *box, const body *round, double reach, bool swapped, contacts *out)
{
    const vec    half = box->geometry->core.corners[7], p = transform_back(&box->at, round->at.at);
    const vec    closest = {smaller(larger(p.x, -half.x), half.x), smaller(larger(p.y, -half.y), half.y),
                            smaller(larger(p.z, -half.z), half.z)};
    const vec    between = sub(p, closest);
    const double radius = round->geometry->radius, sep = norm(between), gap = sep - radius;
    if (!(sep > NEAR * box->geometry->size))
        return false;
    if (gap <= reach) {
        const vec n = rotate(&box->at.turn, scale(between, 1 / sep));
        contact_write(out, along(round->at.at, n, -radius - 0.5 * gap), swapped ? negate(n) : n, gap, 1, 0);
    }
    return true;
}

/* ---- Corners on planes ------------------------------------------------------------------------------------------- */

/* A box or hull on a plane. Neither has a radius. */
typedef struct standing {
    const pcm_geometry *g;
    vec                 n, from_a, down; /* the plane's normal; that of the contacts; straight down in g's axes */
    double              height, reach;
} standing;

static inline double gap_under(const standing *s, vec corner) { return s->height - dot(s->down, corner); }

/* Adds a corner that is within reach of the plane; shares are set once all corners are known. False: there is no
 * room. */
static inline bool take_corner(const standing *s, const placing *at, uint32_t corner, contacts *out)
{
    const vec    p = s->g->core.corners[corner];
    const double gap = gap_under(s, p);
    if (!(gap <= s->reach))
        return true;
    if (out->count == out->room)
        return false;
    pcm_touch *to = contact_write(out, along(transform(at, p), s->n, -0.5 * gap), s->from_a, gap, 1, corner);
    to->area = polytope_area_along(&s->g->core, corner, s->down);
    to->gives = PCM_SHARE | PCM_AREA;
    return true;
}

static inline void share_by_presence(const standing *s, contacts *out)
{
    const double size = s->g->size;
    double       sum = 0;
    for (size_t k = 0; k < out->count; k++) {
        pcm_touch *of = &out->touches[k];
        of->share = presence(of->area / (size * size), -of->depth, s->reach, size);
        sum += of->share;
    }
    for (size_t k = 0; k < out->count; k++)
        out->touches[k].share /= sum;
}

/* A bit for each corner of a box that may be within reach of the plane. Corners are numbered by the signs of their
 * coordinates. The second-lowest corner is at the other end of the edge with the least slope. */
static inline uint64_t near_of_box(const standing *s)
{
    const vec    down = s->down, half = s->g->core.corners[7];
    const double x = fabs(down.x) * half.x, y = fabs(down.y) * half.y, z = fabs(down.z) * half.z;
    const double next = x + y + z - 2 * smaller(x, smaller(y, z));
    return s->height - next > s->reach ? UINT64_C(1) << ((down.x > 0) | (down.y > 0) << 1 | (down.z > 0) << 2) : 0xFF;
}

/* Whether all corners of a hull but the lowest are out of reach of the plane. */
static inline bool is_on_tip(const standing *s, uint32_t *lowest)
{
    double next;
    *lowest = polytope_peak(&s->g->core, s->down, &next);
    return s->height - next > s->reach;
}

/* The same for a hull with more corners than bits; false: there is no room. */
static bool take_many(const standing *s, const placing *at, contacts *out)
{
    const polytope *core = &s->g->core;
    uint32_t        lowest;
    if (is_on_tip(s, &lowest))
        return take_corner(s, at, lowest, out);
    for (uint32_t block = 0; block < block_count(core); block++)
        for (uint64_t near = polytope_beyond(core, block, s->down, s->height - s->reach); near; near &= near - 1)
            if (!take_corner(s, at, BLOCK * block + (uint32_t)__builtin_ctzll(near), out))
                return false;
    return true;
}

/* A box or hull on a plane; false: there are more contacts than `out` has room for. */
static inline __attribute__((always_inline)) bool corners_on_plane(const body *plane, const body *of, double reach,
                                                                   bool swapped, contacts *out)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = axis_of(plane);
    const standing      s = {
             g,    n, swapped ? negate(n) : n, negate(rotate_back(&of->at.turn, n)), dot(n, sub(of->at.at, plane->at.at)),
             reach};
    if (g->core.n_corners > BLOCK) {
        if (!take_many(&s, &of->at, out))
            return false;
    } else {
        uint64_t near = g->kind == PCM_BOX ? near_of_box(&s) : polytope_beyond(&g->core, 0, s.down, s.height - reach);
        for (; near; near &= near - 1)
            if (!take_corner(&s, &of->at, (uint32_t)__builtin_ctzll(near), out))
                return false;
    }
    if (out->count > 1)
        share_by_presence(&s, out);
    return true;
}

/* ---- From poses -------------------------------------------------------------------------------------------------- */

/* False where a pose is not valid or the case is not clear. Always inline, so that compilers drop the parts of a pose
 * that `meet` does not use. */
static inline __attribute__((always_inline)) bool touch_by(meeting *meet, bool swapped, const touch_call *call)
{
    const pcm_pose *pose_1 = swapped ? call->pose_b : call->pose_a, *pose_2 = swapped ? call->pose_a : call->pose_b;
    contacts        out = {call->touches, call->capacity, 0};
    body first = {.geometry = swapped ? call->b : call->a}, second = {.geometry = swapped ? call->a : call->b};
    if (!place_both(pose_1, pose_2, &first.at, &second.at) || !meet(&first, &second, call->reach, swapped, &out))
        return false;
    *call->count = out.count;
    return true;
}

/* ---- By kinds ---------------------------------------------------------------------------------------------------- */

/* Makes a touch_way of a meeting. swapped: the order in which the meeting takes a and b: 0, 1 or 1, 0. */
#define FROM_POSES(name, meet, swapped)                                                                                \
    static bool name(const touch_call *call) { return touch_by(meet, swapped, call); }

#define EITHER_WAY(meet)                                                                                               \
    FROM_POSES(meet##_12, meet, false)                                                                                 \
    FROM_POSES(meet##_21, meet, true)

EITHER_WAY(ball_on_plane)
EITHER_WAY(capsule_on_plane)
EITHER_WAY(rim_on_plane)
EITHER_WAY(ball_on_capsule)
EITHER_WAY(ball_on_drum)
EITHER_WAY(ball_on_box)
EITHER_WAY(corners_on_plane)
EITHER_WAY(capsule_on_drum)

FROM_POSES(touch_balls, balls, false)
FROM_POSES(touch_capsules, capsules_cross, false)
FROM_POSES(touch_boxes, boxes_touch, false)

#define WAY(clear, all, is_swapped, left) .touch = clear, .meet = all, .swapped = is_swapped, .warm = left

/* The entries for two kinds in either order: `clear` works from poses, `all` from bodies. */
#define MEETING(first, second, clear, all, left)                                                                       \
    [first][second] = {WAY(clear##_12, all, false, left)}, [second][first] = {WAY(clear##_21, all, true, left)}

const simple_way simple_ways[KINDS][KINDS] = {
    [PCM_SPHERE][PCM_SPHERE] = {WAY(touch_balls, balls, false, CLOSED_FORM)},
    [PCM_BOX][PCM_BOX] = {WAY(touch_boxes, boxes_touch, false, BY_AXIS)},
    [PCM_CAPSULE][PCM_CAPSULE] = {WAY(touch_capsules, capsules, false, CLOSED_FORM)},
    MEETING(PCM_PLANE, PCM_SPHERE, ball_on_plane, ball_on_plane, CLOSED_FORM),
    MEETING(PCM_PLANE, PCM_CAPSULE, capsule_on_plane, capsule_on_plane, CLOSED_FORM),
    MEETING(PCM_PLANE, PCM_CYLINDER, rim_on_plane, rim_on_plane, CLOSED_FORM),
    MEETING(PCM_PLANE, PCM_DISK, rim_on_plane, rim_on_plane, CLOSED_FORM),
    MEETING(PCM_PLANE, PCM_BOX, corners_on_plane, corners_on_plane, CLOSED_FORM),
    MEETING(PCM_PLANE, PCM_HULL, corners_on_plane, corners_on_plane, CLOSED_FORM),
    MEETING(PCM_CAPSULE, PCM_SPHERE, ball_on_capsule, ball_beside_capsule, CLOSED_FORM),
    MEETING(PCM_CYLINDER, PCM_SPHERE, ball_on_drum, ball_on_drum, CLOSED_FORM),
    MEETING(PCM_DISK, PCM_SPHERE, ball_on_drum, ball_on_drum, CLOSED_FORM),
    MEETING(PCM_BOX, PCM_SPHERE, ball_on_box, ball_on_box, CLOSED_FORM),
    MEETING(PCM_CAPSULE, PCM_CYLINDER, capsule_on_drum, capsule_on_drum, SEARCHED),
};
