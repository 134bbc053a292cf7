/* SPDX-License-Identifier: MIT */
/* axles.c - the contacts of balls, capsules and planes with each other and with cylinders and disks: of a pose they
 * need the place and one axis. */
#include "pair.h"
#include "patch.h"

/* Cores nearer to each other than this, against the size, rims that level, and axes of which the sine squared is below
 * that, are left to those who keep the last digits. */
#define NEAR   1e-3
#define ACROSS 1e-2

/* Steps of Newton's method along a rod, and the cosine to its normal at which it has arrived. */
#define STEPS_MAX 16
#define ARRIVED   1e-13

axle axle_of_body(const body *b)
{
    const vec *row = b->at.turn.row;
    return (axle){b->geometry, b->at.at, {row[0].z, row[1].z, row[2].z}};
}

/* The middle of the gap, or of the overlap, is the point; the normal is from the a of the call. */
static void write(pcm_touch *to, vec point, vec n, double gap, double share, uint64_t feature)
{
    to->feature = feature;
    vec_to(to->point, point);
    vec_to(to->normal, n);
    to->depth = -gap;
    to->area = 0;
    to->share = share;
    to->gives = PCM_SHARE;
}

/* Every step is the mirror image of itself, but that balls about one centre part along z, the smaller one downwards. */
uint32_t balls_touch(const ball *a, const ball *b, double reach, pcm_touch *out)
{
    const vec    between = sub(b->at, a->at);
    const double distance = norm(between), gap = distance - (a->radius + b->radius);
    const vec    n = distance > 0 ? scale(between, 1 / distance) : (vec){0, 0, a->radius > b->radius ? -1 : 1};
    if (!(gap <= reach))
        return 0;
    write(out, scale(add(along(a->at, n, a->radius), along(b->at, n, -b->radius)), 0.5), n, gap, 1, 0);
    return 1;
}

static uint32_t ball_on_plane(const axle *plane, const axle *of, double reach, bool swapped, pcm_touch *out)
{
    const vec    n = plane->axis;
    const double radius = of->geometry->radius, gap = dot(n, sub(of->at, plane->at)) - radius;
    if (!(gap <= reach))
        return 0;
    write(out, along(of->at, n, -radius - 0.5 * gap), swapped ? negate(n) : n, gap, 1, 0);
    return 1;
}

/* Both ends of a capsule, as far as they reach the plane, share the load by how far they do. */
static uint32_t capsule_on_plane(const axle *plane, const axle *of, double reach, bool swapped, pcm_touch *out)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = plane->axis, from_a = swapped ? negate(n) : n;
    const double        height = dot(n, sub(of->at, plane->at)) - g->radius, rise = dot(of->axis, n);
    uint32_t            count = 0;
    double              here[2], sum = 0;
    for (uint32_t k = 0; k < 2; k++) {
        const double end = g->core.corners[k].z, gap = rise * end + height;
        if (!(gap <= reach))
            continue;
        here[count] = presence(0, gap, reach, g->size);
        sum += here[count];
        write(&out[count++], along(along(of->at, of->axis, end), n, -g->radius - 0.5 * gap), from_a, gap, 1, k);
    }
    for (uint32_t k = 0; k < count && count > 1; k++)
        out[k].share = here[k] / sum;
    return count;
}

/* A cylinder or disk that is tilted so far that the lowest point of its rim reaches the plane alone, and has the cap's
 * third that pair_rim_points gives it and half of the side; false: others may reach it too. */
static bool rim_on_plane(const axle *plane, const axle *of, double reach, bool swapped, pcm_touch *out, uint32_t *count)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = plane->axis;
    const double        rise = dot(of->axis, n), end = rise > 0 ? -g->half : g->half;
    const vec           down = along(scale(of->axis, rise), n, -1);
    const double        level = norm(down), drop = g->rim * level;
    const double        middle = dot(n, sub(of->at, plane->at)) - g->radius, gap = middle + rise * end - drop;
    const bool          alone = gap + 1.5 * drop > reach && (g->half <= 0 || middle - rise * end - drop > reach);
    if (!(level > NEAR && alone))
        return false;
    *count = gap <= reach;
    if (*count) {
        const vec lowest = along(along(of->at, of->axis, end), down, g->rim / level);
        write(out, along(lowest, n, -g->radius - 0.5 * gap), swapped ? negate(n) : n, gap, 1, end > 0 ? 3 : 0);
        out->area = fabs(rise) * 3.14159265358979324 * g->rim * g->rim / 3 + 2 * g->rim * g->half * level;
        out->gives = PCM_SHARE | PCM_AREA;
    }
    return true;
}

/* Two capsules always meet in the same order, so that the answer is the mirror image of itself. */
static bool capsules_are_reversed(const axle *a, const axle *b)
{
    const double of_a[] = {a->geometry->size, a->geometry->radius, a->at.x, a->at.y, a->at.z};
    const double of_b[] = {b->geometry->size, b->geometry->radius, b->at.x, b->at.y, b->at.z};
    int          k = 0;
    while (k < 4 && of_a[k] == of_b[k])
        k++;
    return of_a[k] > of_b[k];
}

static double half_of(const axle *a) { return a->geometry->core.corners[1].z; }

/* A ball beside or off the end of a capsule; false: on its axis. */
static bool ball_on_capsule(const axle *rod, const axle *round, double reach, bool swapped, pcm_touch *out,
                            uint32_t *count)
{
    const vec    u = rod->axis, r = sub(round->at, rod->at);
    const double half = half_of(rod), radius = rod->geometry->radius, other = round->geometry->radius;
    const double s = smaller(larger(dot(r, u), -half), half);
    const vec    between = along(r, u, -s);
    const double beside = (double[]){0, 1}[fabs(s) < half];
    const vec    v = along(between, u, -dot(between, u) * beside);
    const double sep = norm(v), gap = sep - (radius + other);
    if (!(sep > NEAR * rod->geometry->size))
        return false;
    const vec n = scale(v, 1 / sep);
    *count = gap <= reach;
    if (*count)
        write(out, along(along(rod->at, u, s), n, 0.5 * (sep + radius - other)), swapped ? negate(n) : n, gap, 1, 0);
    return true;
}

/* Where two segments face each other: as a way along each axis u, v from its middle, and the unit normal. */
typedef struct crossing {
    vec    u, v, r, n; /* r: from a's middle to b's */
    double half_a, half_b, on_a, on_b, sep;
    bool   amid_a, amid_b;
} crossing;

/* The nearest points, of which one is at an end at least. */
static inline void meet_at_end(crossing *c, double start)
{
    const double cosine = dot(c->u, c->v), on_a = smaller(larger(start, -c->half_a), c->half_a);
    c->on_b = smaller(larger(cosine * on_a - dot(c->r, c->v), -c->half_b), c->half_b);
    c->on_a = smaller(larger(cosine * c->on_b + dot(c->r, c->u), -c->half_a), c->half_a);
    c->amid_a = fabs(c->on_a) < c->half_a;
    c->amid_b = fabs(c->on_b) < c->half_b;
    const vec between = sub(along(c->r, c->v, c->on_b), scale(c->u, c->on_a));
    vec       way = between;
    if (c->amid_a)
        way = along(between, c->u, -dot(between, c->u));
    else if (c->amid_b)
        way = along(between, c->v, -dot(between, c->v));
    c->sep = norm(way);
    c->n = scale(way, 1 / c->sep);
}

/* False: so nearly parallel that rounding has a say. */
static inline bool cross_axles(const axle *a, const axle *b, crossing *c)
{
    const vec    u = a->axis, v = b->axis, r = sub(b->at, a->at), m = cross(u, v);
    const double sine2 = dot(m, m), cosine = dot(u, v), on_u = dot(r, u), on_v = dot(r, v), high = dot(m, r);
    const double on_a = (on_u - cosine * on_v) / sine2, on_b = (cosine * on_u - on_v) / sine2;
    *c = (crossing){.u = u, .v = v, .r = r, .half_a = half_of(a), .half_b = half_of(b)};
    if (!(sine2 > ACROSS))
        return false;
    if (fabs(on_a) < c->half_a && fabs(on_b) < c->half_b) {
        const double inverse = 1 / sqrt(sine2);
        c->n = scale(m, high < 0 ? -inverse : inverse);
        c->sep = fabs(high) * inverse;
        c->on_a = on_a;
        c->on_b = on_b;
        c->amid_a = c->amid_b = true;
    } else
        meet_at_end(c, on_a);
    return true;
}

/* Whether a rod that is met at `on` is met well amid it, or at an end that looks along the normal. */
static inline bool is_clear(bool amid, double on, double half, double looks)
{
    return amid ? half - fabs(on) > 2 * ALIGNED * half : fabs(looks) > ALIGNED;
}

/* Two capsules that face each other in one place: amid them, or at an end that looks there; false: they do not, or
 * nearly not. */
static bool capsules_cross(const axle *a, const axle *b, double reach, bool swapped, pcm_touch *out, uint32_t *count)
{
    crossing     c;
    const double ra = a->geometry->radius, rb = b->geometry->radius;
    if (!cross_axles(a, b, &c) || !(c.sep > NEAR * larger(a->geometry->size, b->geometry->size)))
        return false;
    const double looks_a = dot(c.u, c.n), looks_b = dot(c.v, c.n), gap = c.sep - (ra + rb);
    if (!is_clear(c.amid_a, c.on_a, c.half_a, looks_a) || !is_clear(c.amid_b, c.on_b, c.half_b, looks_b))
        return false;
    *count = gap <= reach;
    if (!*count)
        return true;
    const uint64_t feature = c.amid_a && c.amid_b ? feature_of(OF_BOTH, 0, 0)
                             : c.amid_b           ? feature_of(OF_A, looks_a > 0, 0)
                                                  : feature_of(OF_B, 0, looks_b < 0);
    write(out, along(along(a->at, c.u, c.on_a), c.n, 0.5 * (c.sep + ra - rb)), swapped ? negate(c.n) : c.n, gap, 1,
          swapped ? feature_swapped(feature) : feature);
    return true;
}

/* A capsule and another one or a ball; false: they may touch in two places. */
static bool touch_rods(const axle *a, const axle *b, double reach, pcm_touch *out, uint32_t *count)
{
    const bool   round = is_ball(a->geometry) || is_ball(b->geometry);
    const bool   swapped = round ? is_ball(a->geometry) : capsules_are_reversed(a, b);
    const axle  *first = swapped ? b : a, *second = swapped ? a : b;
    const double ra = first->geometry->radius, rb = second->geometry->radius;
    double       sep;
    vec          n, on_a;
    uint64_t     feature;
    if (round ? ball_on_capsule(first, second, reach, swapped, out, count)
              : capsules_cross(first, second, reach, swapped, out, count))
        return true;
    if (!convex_segments(first, second, &n, &on_a, &sep, &feature))
        return false;
    *count = sep - (ra + rb) <= reach;
    if (*count)
        write(out, along(add(first->at, on_a), n, 0.5 * (sep + ra - rb)), swapped ? negate(n) : n, sep - (ra + rb), 1,
              swapped ? feature_swapped(feature) : feature);
    return true;
}

/* ---- Cylinders and disks ----------------------------------------------------------------------------------------- */

/* A point beside a cylinder or disk. */
typedef struct beside {
    double height, out; /* along the axis from the middle, and from the axis */
    vec    radial;      /* unit, from the axis */
    double over_cap, over_side, sep;
    vec    n; /* unit, out of the cylinder */
} beside;

/* r: from the middle. */
static inline void find_beside(const axle *drum, vec r, beside *s)
{
    const pcm_geometry *g = drum->geometry;
    s->height = dot(r, drum->axis);
    const vec across_axis = along(r, drum->axis, -s->height);
    s->out = norm(across_axis);
    s->radial = scale(across_axis, 1 / s->out);
    s->over_cap = fabs(s->height) - g->half;
    s->over_side = s->out - g->rim;
}

/* False: so near the axis, or the edge of the rim, that rounding decides the normal. */
static inline bool look_out(const axle *drum, beside *s)
{
    const double near = NEAR * drum->geometry->size;
    const vec    up = s->height < 0 ? negate(drum->axis) : drum->axis;
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

static bool ball_on_drum(const axle *drum, const axle *round, double reach, bool swapped, pcm_touch *out,
                         uint32_t *count)
{
    const double radius = drum->geometry->radius, other = round->geometry->radius;
    beside       s;
    find_beside(drum, sub(round->at, drum->at), &s);
    if (!look_out(drum, &s))
        return false;
    const double gap = s.sep - (radius + other);
    *count = gap <= reach;
    if (*count)
        write(out, along(round->at, s.n, -other - 0.5 * gap), swapped ? negate(s.n) : s.n, gap, 1, 0);
    return true;
}

/* Half the slope of the square of a rod's distance, `steep` being how fast it goes along the drum's axis, and in *bend
 * half of its second derivative. */
static inline double leave(const beside *s, double steep, vec v, double *bend)
{
    const double up = s->height < 0 ? -steep : steep, away = dot(s->radial, v),
                 around = 1 - steep * steep - away * away;
    const double cap = larger(s->over_cap, 0), far = larger(s->over_side, 0);
    *bend = (s->over_cap > 0 ? steep * steep : 0) + (s->over_side > 0 ? away * away + far * around / s->out : 0);
    return cap * up + far * away;
}

/* Where on a rod its point nearest to a drum is, by Newton's method within what is left: the slope grows along it.
 * False: they overlap, or it did not arrive. */
static inline bool nearest_to_drum(const axle *drum, const axle *rod, double half, double *on, beside *s)
{
    const vec    r = sub(rod->at, drum->at);
    const double steep = dot(rod->axis, drum->axis), high = dot(r, drum->axis), ahead = dot(r, rod->axis);
    const double cross_at = high + steep * (steep * high - ahead) / (1 - steep * steep);
    const double at_drum = smaller(larger(cross_at, -drum->geometry->half), drum->geometry->half);
    double       from = -half, to = half, t = smaller(larger(steep * at_drum - ahead, from), to);
    for (int i = 0; i < STEPS_MAX; i++) {
        double bend;
        find_beside(drum, along(r, rod->axis, t), s);
        const double slope = leave(s, steep, rod->axis, &bend), sep = larger(s->over_cap, s->over_side);
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

/* Whether the rest of a rod that stands on a cap with its end is out of reach: where it leaves the cap, and its other
 * end. */
static inline bool stands_alone(const beside *s, double looks, double half, double left)
{
    return smaller(-s->over_side * fabs(looks) / sqrt(1 - looks * looks), 2 * half * fabs(looks)) > left;
}

/* A capsule and a cylinder that face each other in one place, clearly: an end or what is amid the rod, and the cap, the
 * rim or what is amid the side; false: they do not, or nearly not. */
static bool capsule_on_drum(const axle *rod, const axle *drum, double reach, bool swapped, pcm_touch *out,
                            uint32_t *count)
{
    const double half = half_of(rod), wide = drum->geometry->half, cosine = dot(rod->axis, drum->axis);
    double       on;
    beside       s;
    if (!(1 - cosine * cosine > ACROSS) || !(wide > 0) || !nearest_to_drum(drum, rod, half, &on, &s) ||
        !look_out(drum, &s) || !(s.sep > NEAR * larger(rod->geometry->size, drum->geometry->size)))
        return false;
    const bool   amid = fabs(on) < half, cap = s.over_side < 0, beyond = s.over_cap >= 0;
    const vec    n = amid ? unit_or(across(s.n, rod->axis), s.n) : s.n; /* from the cylinder to the rod */
    const double looks = dot(rod->axis, n), steep = dot(drum->axis, n);
    const double radius = rod->geometry->radius, gap = s.sep - radius;
    if (!is_clear(amid, on, half, looks) || (cap && (amid || !stands_alone(&s, looks, half, reach - gap))) ||
        (!cap && !(1 - steep * steep > TILT * TILT && is_clear(!beyond, s.height, wide, steep))))
        return false;
    *count = gap <= reach;
    if (!*count)
        return true;
    const uint32_t end = on > 0, rim = RIM_NAME + (s.height > 0);
    const uint64_t feature = cap || !(beyond || amid) ? feature_of(OF_A, end, 0)
                             : !beyond                ? feature_of(OF_BOTH, 0, RIM_NAME)
                                                      : feature_of(OF_B, 0, rim);
    const vec      at = along(along(rod->at, rod->axis, on), n, -radius - 0.5 * gap);
    write(out, at, swapped ? n : negate(n), gap, 1, swapped ? feature_swapped(feature) : feature);
    return true;
}

/* A cylinder or disk and a capsule or a ball. */
static bool touch_drum(const axle *a, const axle *b, double reach, pcm_touch *out, uint32_t *count)
{
    const bool  first = a->geometry->rim > 0;
    const axle *drum = first ? a : b, *other = first ? b : a;
    return is_ball(other->geometry) ? ball_on_drum(drum, other, reach, !first, out, count)
                                    : capsule_on_drum(other, drum, reach, first, out, count);
}

bool axles_touch(const axle *a, const axle *b, double reach, pcm_touch out[2], uint32_t *count)
{
    const bool  swapped = b->geometry->kind == PCM_PLANE;
    const axle *plane = swapped ? b : a, *other = swapped ? a : b;
    if (plane->geometry->kind == PCM_PLANE && other->geometry->rim > 0)
        return rim_on_plane(plane, other, reach, swapped, out, count);
    if (plane->geometry->kind == PCM_PLANE) {
        *count = is_ball(other->geometry) ? ball_on_plane(plane, other, reach, swapped, out)
                                          : capsule_on_plane(plane, other, reach, swapped, out);
        return true;
    }
    if (a->geometry->rim > 0 || b->geometry->rim > 0)
        return touch_drum(a, b, reach, out, count);
    if (!is_ball(a->geometry) || !is_ball(b->geometry))
        return touch_rods(a, b, reach, out, count);
    const ball ball_a = {a->at, a->geometry->radius}, ball_b = {b->at, b->geometry->radius};
    *count = balls_touch(&ball_a, &ball_b, reach, out);
    return true;
}
