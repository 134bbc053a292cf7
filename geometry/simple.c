/* SPDX-License-Identifier: MIT */
/* simple.c - the contacts of balls, capsules and planes with each other and with cylinders and disks, which need of a
 * pose the place and one axis; those of boxes and hulls that stand on a corner on a plane; and of balls with boxes. */
#include "simple.h"
#include "patch.h"

/* Cores nearer to each other than this, against the size, rims that level, and axes of which the sine squared is below
 * that, are left to those who keep the last digits. */
#define NEAR   1e-3
#define ACROSS 1e-2

/* Steps of Newton's method along a rod, and the cosine to its normal at which it has arrived. */
#define STEPS_MAX 16
#define ARRIVED   1e-13

/* The middle of the gap, or of the overlap, is the point; the normal is from the a of the call. */
static inline void write(pcm_touch *to, vec point, vec n, double gap, double share, uint64_t feature)
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
static inline uint32_t touch_two(ball a, ball b, double reach, pcm_touch *out)
{
    const vec    between = sub(b.at, a.at);
    const double distance = norm(between), gap = distance - (a.radius + b.radius);
    const vec    n = distance > 0 ? scale(between, 1 / distance) : (vec){0, 0, a.radius > b.radius ? -1 : 1};
    if (!(gap <= reach))
        return 0;
    write(out, scale(add(along(a.at, n, a.radius), along(b.at, n, -b.radius)), 0.5), n, gap, 1, 0);
    return 1;
}

uint32_t balls_touch(const ball *a, const ball *b, double reach, pcm_touch *out)
{
    return touch_two(*a, *b, reach, out);
}

static inline ball ball_of(const body *b) { return (ball){b->at.at, b->geometry->radius}; }

/* From the a of the call as they are: b is never the first of two. */
static inline bool balls(const body *a, const body *b, double reach, bool swapped, pcm_touch *out, uint32_t *count)
{
    (void)swapped;
    *count = touch_two(ball_of(a), ball_of(b), reach, out);
    return true;
}

static inline bool ball_on_plane(const body *plane, const body *of, double reach, bool swapped, pcm_touch *out,
                                 uint32_t *count)
{
    const vec    n = axis_of(plane);
    const double radius = of->geometry->radius, gap = dot(n, sub(of->at.at, plane->at.at)) - radius;
    *count = gap <= reach;
    if (*count)
        write(out, along(of->at.at, n, -radius - 0.5 * gap), swapped ? negate(n) : n, gap, 1, 0);
    return true;
}

/* Both ends of a capsule, as far as they reach the plane, share the load by how far they do. */
static inline bool capsule_on_plane(const body *plane, const body *of, double reach, bool swapped, pcm_touch *out,
                                    uint32_t *found)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = axis_of(plane), from_a = swapped ? negate(n) : n;
    const double        height = dot(n, sub(of->at.at, plane->at.at)) - g->radius, rise = dot(axis_of(of), n);
    uint32_t            count = 0;
    double              here[2], sum = 0;
    for (uint32_t k = 0; k < 2; k++) {
        const double end = g->core.corners[k].z, gap = rise * end + height;
        if (!(gap <= reach))
            continue;
        here[count] = presence(0, gap, reach, g->size);
        sum += here[count];
        write(&out[count++], along(along(of->at.at, axis_of(of), end), n, -g->radius - 0.5 * gap), from_a, gap, 1, k);
    }
    for (uint32_t k = 0; k < count && count > 1; k++)
        out[k].share = here[k] / sum;
    *found = count;
    return true;
}

/* A cylinder or disk that is tilted so far that the lowest point of its rim reaches the plane alone, and has the cap's
 * third that pair_rim_points gives it and half of the side; false: others may reach it too. */
static inline bool rim_on_plane(const body *plane, const body *of, double reach, bool swapped, pcm_touch *out,
                                uint32_t *count)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = axis_of(plane);
    const double        rise = dot(axis_of(of), n), end = rise > 0 ? -g->half : g->half;
    const vec           down = along(scale(axis_of(of), rise), n, -1);
    const double        level = norm(down), drop = g->rim * level;
    const double        middle = dot(n, sub(of->at.at, plane->at.at)) - g->radius, gap = middle + rise * end - drop;
    const bool          alone = gap + 1.5 * drop > reach && (g->half <= 0 || middle - rise * end - drop > reach);
    if (!(level > NEAR && alone))
        return false;
    *count = gap <= reach;
    if (*count) {
        const vec lowest = along(along(of->at.at, axis_of(of), end), down, g->rim / level);
        write(out, along(lowest, n, -g->radius - 0.5 * gap), swapped ? negate(n) : n, gap, 1, end > 0 ? 3 : 0);
        out->area = fabs(rise) * 3.14159265358979324 * g->rim * g->rim / 3 + 2 * g->rim * g->half * level;
        out->gives = PCM_SHARE | PCM_AREA;
    }
    return true;
}

/* Two capsules always meet in the same order, so that the answer is the mirror image of itself. */
static inline bool are_reversed(const pcm_geometry *a, vec at_a, const pcm_geometry *b, vec at_b)
{
    if (a->size != b->size || a->radius != b->radius)
        return a->size != b->size ? a->size > b->size : a->radius > b->radius;
    return at_a.x != at_b.x ? at_a.x > at_b.x : at_a.y != at_b.y ? at_a.y > at_b.y : at_a.z > at_b.z;
}

static double half_of(const body *a) { return a->geometry->core.corners[1].z; }

/* A ball beside or off the end of a capsule; false: on its axis. */
static inline bool ball_on_capsule(const body *rod, const body *round, double reach, bool swapped, pcm_touch *out,
                                   uint32_t *count)
{
    const vec    u = axis_of(rod), r = sub(round->at.at, rod->at.at);
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
        write(out, along(along(rod->at.at, u, s), n, 0.5 * (sep + radius - other)), swapped ? negate(n) : n, gap, 1, 0);
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
static inline bool cross_axles(const body *a, const body *b, crossing *c)
{
    const vec    u = axis_of(a), v = axis_of(b), r = sub(b->at.at, a->at.at), m = cross(u, v);
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
static inline bool capsules_cross(const body *a, const body *b, double reach, bool swapped, pcm_touch *out,
                                  uint32_t *count)
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
    write(out, along(along(a->at.at, c.u, c.on_a), c.n, 0.5 * (c.sep + ra - rb)), swapped ? negate(c.n) : c.n, gap, 1,
          swapped ? feature_swapped(feature) : feature);
    return true;
}

/* A capsule and another one or a ball, in whichever place they face each other; false: they may touch in two. */
static bool rods(const body *a, const body *b, double reach, bool swapped, pcm_touch *out, uint32_t *count)
{
    const double ra = a->geometry->radius, rb = b->geometry->radius;
    double       sep;
    vec          n, on_a;
    uint64_t     feature;
    if (is_ball(b->geometry) ? ball_on_capsule(a, b, reach, swapped, out, count)
                             : capsules_cross(a, b, reach, swapped, out, count))
        return true;
    if (!convex_segments(a, b, &n, &on_a, &sep, &feature))
        return false;
    *count = sep - (ra + rb) <= reach;
    if (*count)
        write(out, along(add(a->at.at, on_a), n, 0.5 * (sep + ra - rb)), swapped ? negate(n) : n, sep - (ra + rb), 1,
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

/* False: so near the axis, or the edge of the rim, that rounding decides the normal. */
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

static inline bool ball_on_drum(const body *drum, const body *round, double reach, bool swapped, pcm_touch *out,
                                uint32_t *count)
{
    const double radius = drum->geometry->radius, other = round->geometry->radius;
    beside       s;
    find_beside(drum, sub(round->at.at, drum->at.at), &s);
    if (!look_out(drum, &s))
        return false;
    const double gap = s.sep - (radius + other);
    *count = gap <= reach;
    if (*count)
        write(out, along(round->at.at, s.n, -other - 0.5 * gap), swapped ? negate(s.n) : s.n, gap, 1, 0);
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

/* Whether the rest of a rod that stands on a cap with its end is out of reach: where it leaves the cap, and its other
 * end. */
static inline bool stands_alone(const beside *s, double looks, double half, double left)
{
    return smaller(-s->over_side * fabs(looks) / sqrt(1 - looks * looks), 2 * half * fabs(looks)) > left;
}

/* A capsule and a cylinder that face each other in one place, clearly: an end or what is amid the rod, and the cap, the
 * rim or what is amid the side; false: they do not, or nearly not. */
static bool capsule_on_drum(const body *rod, const body *drum, double reach, bool swapped, pcm_touch *out,
                            uint32_t *count)
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
    *count = gap <= reach;
    if (!*count)
        return true;
    const uint32_t end = on > 0, rim = RIM_NAME + (s.height > 0);
    const uint64_t feature = cap || !(beyond || amid) ? feature_of(OF_A, end, 0)
                             : !beyond                ? feature_of(OF_BOTH, 0, RIM_NAME)
                                                      : feature_of(OF_B, 0, rim);
    const vec      at = along(along(rod->at.at, axis_of(rod), on), n, -radius - 0.5 * gap);
    write(out, at, swapped ? n : negate(n), gap, 1, swapped ? feature_swapped(feature) : feature);
    return true;
}

/* ---- Boxes ------------------------------------------------------------------------------------------------------- */

/* A ball with its middle outside of a box; false: it is not, or hardly. */
static inline bool ball_on_box(const body *box, const body *round, double reach, bool swapped, pcm_touch *out,
                               uint32_t *count)
{
    const vec    half = box->geometry->core.corners[7], p = transform_back(&box->at, round->at.at);
    const vec    closest = {smaller(larger(p.x, -half.x), half.x), smaller(larger(p.y, -half.y), half.y),
                            smaller(larger(p.z, -half.z), half.z)};
    const vec    between = sub(p, closest);
    const double radius = round->geometry->radius, sep = norm(between), gap = sep - radius;
    if (!(sep > NEAR * box->geometry->size))
        return false;
    *count = gap <= reach;
    if (*count) {
        const vec n = rotate(&box->at.turn, scale(between, 1 / sep));
        write(out, along(round->at.at, n, -radius - 0.5 * gap), swapped ? negate(n) : n, gap, 1, 0);
    }
    return true;
}

/* ---- Corners on planes ------------------------------------------------------------------------------------------- */

/* A box or hull over a plane. Neither has a radius. */
typedef struct standing {
    const pcm_geometry *g;
    vec                 n, from_a, down; /* the plane's normal, that of the touches, and its opposite in g's axes */
    double              height, reach;
} standing;

static inline double gap_under(const standing *s, vec corner) { return s->height - dot(s->down, corner); }

/* One corner that reaches the plane, and its presence. */
static inline double stand_on(const standing *s, const placing *at, uint32_t corner, double gap, pcm_touch *out)
{
    const pcm_geometry *g = s->g;
    const double        area = polytope_area_along(&g->core, corner, s->down);
    write(out, along(transform(at, g->core.corners[corner]), s->n, -0.5 * gap), s->from_a, gap, 1, corner);
    out->area = area;
    out->gives = PCM_SHARE | PCM_AREA;
    return presence(area / (g->size * g->size), gap, s->reach, g->size);
}

/* The lowest corner, and how far down any other is at most. Corners of a box are numbered by the signs of their
 * coordinates: the next one up is at the other end of the edge that rises least. */
static inline uint32_t lowest_of(const standing *s, double *next)
{
    const vec down = s->down;
    if (s->g->kind != PCM_BOX)
        return polytope_peak(&s->g->core, down, next);
    const vec    half = s->g->core.corners[7];
    const double x = fabs(down.x) * half.x, y = fabs(down.y) * half.y, z = fabs(down.z) * half.z;
    *next = x + y + z - 2 * smaller(x, smaller(y, z));
    return (down.x > 0) | (uint32_t)(down.y > 0) << 1 | (uint32_t)(down.z > 0) << 2;
}

bool corners_on_plane(const body *plane, const body *of, double reach, bool swapped, pcm_touch *out, size_t room,
                      size_t *count)
{
    const pcm_geometry *g = of->geometry;
    const vec           n = axis_of(plane);
    const standing      s = {
             g,    n, swapped ? negate(n) : n, negate(rotate_back(&of->at.turn, n)), dot(n, sub(of->at.at, plane->at.at)),
             reach};
    double         next, sum = 0;
    size_t         found = 0;
    const uint32_t lowest = lowest_of(&s, &next);
    const double   least = gap_under(&s, g->core.corners[lowest]);
    if (s.height - next > reach) {
        *count = least <= reach;
        if (*count)
            (void)stand_on(&s, &of->at, lowest, least, out);
        return true;
    }
    for (uint32_t i = 0; i < g->core.n_corners; i++) {
        const double gap = gap_under(&s, g->core.corners[i]);
        if (!(gap <= reach))
            continue;
        if (found == room)
            return false;
        out[found].share = stand_on(&s, &of->at, i, gap, &out[found]);
        sum += out[found++].share;
    }
    for (size_t k = 0; k < found; k++)
        out[k].share /= sum;
    *count = found;
    return true;
}

/* ---- By kinds ---------------------------------------------------------------------------------------------------- */

/* The contacts of two kinds, the first one first; false: it is none of the clear cases. swapped: the first is the b of
 * the call. */
typedef bool meeting(const body *first, const body *second, double reach, bool swapped, pcm_touch out[2],
                     uint32_t *count);

static meeting *of_plane(const pcm_geometry *g)
{
    return is_ball(g) ? ball_on_plane : g->rim > 0 ? rim_on_plane : capsule_on_plane;
}

static meeting *of_ball(const pcm_geometry *g)
{
    return is_ball(g) ? balls : g->rim > 0 ? ball_on_drum : g->kind == PCM_BOX ? ball_on_box : rods;
}

bool simple_touch(const body *a, const body *b, double reach, pcm_touch out[2], uint32_t *count)
{
    const pcm_geometry *g = a->geometry, *h = b->geometry;
    if (g->kind == PCM_PLANE)
        return of_plane(h)(a, b, reach, false, out, count);
    if (h->kind == PCM_PLANE)
        return of_plane(g)(b, a, reach, true, out, count);
    if (is_ball(h))
        return of_ball(g)(a, b, reach, false, out, count);
    if (is_ball(g))
        return of_ball(h)(b, a, reach, true, out, count);
    if (g->rim > 0)
        return capsule_on_drum(b, a, reach, true, out, count);
    if (h->rim > 0)
        return capsule_on_drum(a, b, reach, false, out, count);
    const bool swapped = are_reversed(g, a->at.at, h, b->at.at);
    return rods(swapped ? b : a, swapped ? a : b, reach, swapped, out, count);
}

/* ---- From poses -------------------------------------------------------------------------------------------------- */

/* Whether both are what poses are but for mistakes: finite, with a quaternion somewhat like a unit. What is finite less
 * itself is 0, all else no number. */
static inline bool are_sound(const pcm_pose *a, const pcm_pose *b)
{
    const double *p = a->position, *q = b->position, sum = (p[0] + p[1] + p[2]) + (q[0] + q[1] + q[2]);
    return fabs(square_of(a->orientation) - 1) + fabs(square_of(b->orientation) - 1) + (sum - sum) < 0.5;
}

static inline body body_at(const pcm_geometry *g, const pcm_pose *pose)
{
    return (body){g, {turn_of(pose->orientation), vec_of(pose->position)}};
}

/* Where the poses are sound and the case is clear; else by what knows all. Inline, so that compilers leave out what of
 * a pose the meeting does not ask for. */
static inline __attribute__((always_inline)) pcm_status touch_by(meeting *meet, bool swapped, TOUCH_PARAMETERS)
{
    const pcm_pose *pose_1 = swapped ? pose_b : pose_a, *pose_2 = swapped ? pose_a : pose_b;
    uint32_t        found;
    if (!are_sound(pose_1, pose_2))
        return touch_anyhow(TOUCH_ARGUMENTS);
    const body first = body_at(swapped ? b : a, pose_1), second = body_at(swapped ? a : b, pose_2);
    if (!meet(&first, &second, reach, swapped, touches, &found))
        return touch_anyhow(TOUCH_ARGUMENTS);
    *count = found;
    return PCM_OK;
}

pcm_status touch_balls(TOUCH_PARAMETERS) { return touch_by(balls, false, TOUCH_ARGUMENTS); }
pcm_status touch_ball_on_plane(TOUCH_PARAMETERS) { return touch_by(ball_on_plane, is_ball(a), TOUCH_ARGUMENTS); }
pcm_status touch_ball_on_capsule(TOUCH_PARAMETERS) { return touch_by(ball_on_capsule, is_ball(a), TOUCH_ARGUMENTS); }
pcm_status touch_ball_on_drum(TOUCH_PARAMETERS) { return touch_by(ball_on_drum, is_ball(a), TOUCH_ARGUMENTS); }
pcm_status touch_ball_on_box(TOUCH_PARAMETERS) { return touch_by(ball_on_box, is_ball(a), TOUCH_ARGUMENTS); }

pcm_status touch_capsule_on_plane(TOUCH_PARAMETERS)
{
    return touch_by(capsule_on_plane, b->kind == PCM_PLANE, TOUCH_ARGUMENTS);
}

pcm_status touch_drum_on_plane(TOUCH_PARAMETERS)
{
    return touch_by(rim_on_plane, b->kind == PCM_PLANE, TOUCH_ARGUMENTS);
}

pcm_status touch_capsule_on_drum(TOUCH_PARAMETERS)
{
    return touch_by(capsule_on_drum, a->kind != PCM_CAPSULE, TOUCH_ARGUMENTS);
}

pcm_status touch_capsules(TOUCH_PARAMETERS)
{
    const bool swapped = are_reversed(a, vec_of(pose_a->position), b, vec_of(pose_b->position));
    return touch_by(capsules_cross, swapped, TOUCH_ARGUMENTS);
}

/* As touch_by. */
pcm_status touch_corners_on_plane(TOUCH_PARAMETERS)
{
    const bool swapped = b->kind == PCM_PLANE;
    if (!are_sound(pose_a, pose_b))
        return touch_anyhow(TOUCH_ARGUMENTS);
    const body first = body_at(a, pose_a), second = body_at(b, pose_b);
    return corners_on_plane(swapped ? &second : &first, swapped ? &first : &second, reach, swapped, touches, capacity,
                            count)
               ? PCM_OK
               : touch_anyhow(TOUCH_ARGUMENTS);
}
