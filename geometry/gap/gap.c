/* SPDX-License-Identifier: MIT */
/* gap.c - the shapes of a pair's contacts, from how both bodies look there.
 *
 * Lines and flats carry by how much of them presses: `level` is 1 while all of it does, and the part of a tipped side
 * or flat that is in the other body. The rest of a tipped line's force is that of the point. A tipped flat becomes the
 * smaller flat that presses, down to an edge or a corner, so that nothing leaps as a body tips. */
#include "gap.h"

/* A tilt up to this, as a sine, is none: the depths of a body that has come to lie differ by rounding. */
#define LYING 1e-6

/* Above this tilt a line no longer counts, by parts from half of it on. */
#define STEEP 0.5

#define PI 3.14159265358979324

/* The contacts of a pair as they would be at any depth: the extent of a line or flat that is bounded by both bodies. */
typedef struct whole {
    uint32_t count;
    double   area, aspect;
    vec      points[PATCH_MAX];
    double   areas[PATCH_MAX], shares[PATCH_MAX];
} whole;

/* A line or flat that the bodies may share. */
typedef struct extent {
    vec    direction;
    double length, curvature; /* of a line; else 0 */
    double area, aspect;      /* of a flat; else 0 */
    double level;
    double stiff; /* m, the radius of the circle that is as stiff as the part of a single contact */
} extent;

typedef struct pair_look {
    const body *a, *b;
    vec         n;     /* from a to b */
    double      depth; /* of the deepest contact */
    look        of_a, of_b;
    bool        bounded; /* neither is a plane or a grid: `all` is filled in */
    bool        ground;  /* one of them is a grid */
    whole      *all;
} pair_look;

static double clamp(double x) { return smaller(larger(x, 0), 1); }

/* ---- Curvatures -------------------------------------------------------------------------------------------------- */

/* The relative curvatures of two surfaces. The smaller one is the determinant over the larger one, which keeps its
 * digits where two axes are nearly parallel. It is below 0 where one surface is more hollow than the other is round. */
static void add_curvatures(const look *a, const look *b, vec n, pcm_contact_shape *to)
{
    const vec    u = perpendicular(n), v = cross(n, u);
    const double sum = a->curvature + b->curvature, less_a = a->less, less_b = b->less;
    const double ax = dot(a->flattest, u), ay = dot(a->flattest, v), bx = dot(b->flattest, u), by = dot(b->flattest, v);
    const double turn = ax * by - ay * bx;
    const double xx = sum - less_a * ax * ax - less_b * bx * bx, yy = sum - less_a * ay * ay - less_b * by * by;
    const double xy = -less_a * ax * ay - less_b * bx * by, half = 0.5 * (xx - yy);
    const double radius = sqrt(half * half + xy * xy), most = 0.5 * (xx + yy) + radius;
    const double both = sum * (sum - less_a - less_b) + less_a * less_b * turn * turn;
    to->curvature[0] = most > 0 ? smaller(both / most, most) : xx + yy - most;
    to->curvature[1] = most;
    /* The smaller curvature's direction, from the double angle of the larger one's. */
    const double c = radius > 0 ? half / radius : 1, s = radius > 0 ? xy / radius : 0;
    const double x = sqrt(0.5 * (1 - smaller(c, 1))), y = sqrt(0.5 * (1 + larger(c, -1)));
    vec_to(to->direction, along(scale(u, s > 0 ? -x : x), v, y));
}

/* A round place of a solid on an uneven one counts by its own radius, as before there were shapes. */
static void curve(const pair_look *p, pcm_contact_shape *to)
{
    look       a = p->of_a, b = p->of_b;
    const bool solid_a = a.is_round && !isinf(a.area), solid_b = b.is_round && !isinf(b.area);
    if (!solid_a && !solid_b)
        return;
    if (!a.is_round)
        b.less = 0;
    else if (!b.is_round)
        a.less = 0;
    add_curvatures(&a, &b, p->n, to);
}

/* ---- Lines and flats --------------------------------------------------------------------------------------------- */

static void take_whole(void *user, const pcm_touch *touch)
{
    whole         *w = user;
    const uint32_t k = w->count < PATCH_MAX ? w->count++ : PATCH_MAX - 1;
    w->points[k] = vec_of(touch->point);
    w->areas[k] = touch->gives & PCM_AREA ? touch->area : 0;
    w->shares[k] = touch->share;
    w->area += w->areas[k];
}

static void find_whole(const pair_look *p)
{
    p->all->count = 0;
    p->all->area = 0;
    pair_touch(p->a, p->b, INFINITY, (pair_known){NULL, NULL}, take_whole, p->all);
    p->all->aspect = p->all->area > 0 ? gap_aspect(p->all->points, p->all->areas, p->all->count, p->n) : 1;
}

static double reach_along(const whole *w, vec direction)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < w->count; k++) {
        low = smaller(low, dot(direction, w->points[k]));
        high = larger(high, dot(direction, w->points[k]));
    }
    return larger(high - low, 0);
}

/* How much of something presses whose ends differ in depth by `drop`, and which is `wide`. */
static double level_of(const pair_look *p, double drop, double wide)
{
    const double deep = larger(p->depth, 0) + LYING * wide;
    return drop > deep ? deep / drop : 1;
}

static void offer(extent *best, const extent *e)
{
    if (e->stiff > best->stiff)
        *best = *e;
}

static void offer_line(const pair_look *p, const look *straight, double curvature, double leans, double bow,
                       extent *best)
{
    const double length = p->bounded ? reach_along(p->all, straight->axis) : straight->length;
    const double level =
        level_of(p, length * leans + bow * length * length / 8, length) * clamp(2 * (1 - leans / STEEP));
    offer(best, &(extent){.direction = straight->axis,
                          .length = length,
                          .curvature = curvature,
                          .level = level,
                          .stiff = PI / 16 * length * level});
}

/* A side on a flat, or on smooth ground that is bowed along it. */
static void lay_side(const pair_look *p, const look *straight, const look *flat, extent *best)
{
    const double aligned = dot(straight->axis, flat->flattest), bow = flat->curvature - flat->less * aligned * aligned;
    if (straight->length > 0 && flat->area > 0)
        offer_line(p, straight, straight->round, straight->leans + flat->tilt, isinf(flat->area) ? larger(bow, 0) : 0,
                   best);
}

/* Two sides that are nearly parallel: where they cross, the gap opens from the crossing on. */
static void lay_sides(const pair_look *p, extent *best)
{
    const look  *a = &p->of_a, *b = &p->of_b;
    const double turn = norm(cross(a->axis, b->axis)), sum = a->round + b->round;
    if (a->length > 0 && b->length > 0 && turn < TILT)
        offer_line(p, a, sum, a->leans + b->leans, a->round * b->round * turn * turn / sum, best);
}

/* A flat on a flat: the smaller one, or what they have in common while they are level. */
static void lay_flats(const pair_look *p, extent *best)
{
    const look  *a = &p->of_a, *b = &p->of_b, *less = b->area < a->area ? b : a;
    const double tilt = a->tilt + b->tilt, level = level_of(p, tilt * less->wide, less->wide);
    const double lies = p->bounded && p->all->area > 0 ? clamp(1 - tilt / TILT) : 0;
    const double area = level * (lies > 0 ? lies * p->all->area + (1 - lies) * less->area : less->area);
    if (!(a->area > 0 && b->area > 0 && isfinite(area)))
        return;
    offer(best, &(extent){.area = area,
                          .aspect = lies > 0 ? p->all->aspect : less->aspect,
                          .level = 1,
                          .stiff = sqrt(area / PI) / larger(less->corners, 1)});
}

static void find_extent(const pair_look *p, extent *best)
{
    *best = (extent){.stiff = 0};
    lay_side(p, &p->of_a, &p->of_b, best);
    lay_side(p, &p->of_b, &p->of_a, best);
    lay_sides(p, best);
    lay_flats(p, best);
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

static uint32_t nearest(const whole *w, vec point)
{
    uint32_t best = 0;
    double   least = INFINITY;
    for (uint32_t k = 0; k < w->count; k++) {
        const vec between = sub(w->points[k], point);
        if (dot(between, between) < least) {
            least = dot(between, between);
            best = k;
        }
    }
    return best;
}

/* The contact's part of a line or flat that presses as a whole. Places on a ground are as deep as the ground is high
 * there, and count by their presence. */
static double part_of_whole(const pair_look *p, const extent *e, const pcm_touch *touch)
{
    const vec      point = vec_of(touch->point);
    const look    *less = p->of_b.area < p->of_a.area ? &p->of_b : &p->of_a;
    const uint32_t corners = less->area > 0 && isfinite(less->area) ? less->corners : p->of_a.corners + p->of_b.corners;
    if (p->ground && touch->gives & PCM_SHARE)
        return clamp(touch->share);
    if (e->length > 0 && !p->bounded)
        return 0.5;
    if (e->length > 0)
        return clamp(p->all->shares[nearest(p->all, point)]);
    const double even = corners > 0 ? 1.0 / corners : 1, tilt = p->of_a.tilt + p->of_b.tilt;
    if (!p->bounded || !(p->all->area > 0))
        return even;
    const double lies = clamp(1 - tilt / TILT);
    return lies * p->all->areas[nearest(p->all, point)] / p->all->area + (1 - lies) * even;
}

static void shape_contact(pair_look *p, const pcm_touch *touch, pcm_contact_shape *to)
{
    const vec point = vec_of(touch->point);
    extent    best;
    p->n = vec_of(touch->normal);
    vec_to(to->direction, perpendicular(p->n));
    gap_look(p->a, point, p->n, &p->of_a);
    gap_look(p->b, point, negate(p->n), &p->of_b);
    curve(p, to);
    find_extent(p, &best);
    if (!(best.stiff > 0))
        return;
    to->patch_part = best.level * part_of_whole(p, &best, touch);
    to->point_part = to->curvature[1] > 0 ? 1 - best.level : 0;
    to->line_length = best.length;
    to->line_curvature = best.curvature;
    to->flat_area = best.area;
    to->flat_aspect = best.area > 0 ? best.aspect : 1;
    if (best.length > 0)
        vec_to(to->direction, unit_or(across(best.direction, p->n), perpendicular(p->n)));
}

static bool is_bounded(const body *b)
{
    return b->geometry->kind != PCM_PLANE && b->geometry->kind != PCM_GRID && !b->geometry->seams;
}

/* Whether the two may touch along a line or on a flat. */
static bool may_lie(const body *a, const body *b) { return !is_ball(a->geometry) && !is_ball(b->geometry); }

void gap_shapes(const body *a, const body *b, const pcm_touch *const *touches, size_t count,
                pcm_contact_shape *const *shapes)
{
    const bool lies = may_lie(a, b), ground = a->geometry->kind == PCM_GRID || b->geometry->kind == PCM_GRID;
    whole      all; /* large, and mostly not initialised */
    pair_look  p = {.a = a,
                    .b = b,
                    .depth = -INFINITY,
                    .bounded = lies && is_bounded(a) && is_bounded(b),
                    .ground = ground,
                    .all = &all};
    if (count == 0 || is_pointed(a) || is_pointed(b))
        return;
    for (size_t k = 0; k < count; k++)
        p.depth = larger(p.depth, touches[k]->depth);
    p.n = vec_of(touches[0]->normal);
    if (p.bounded)
        find_whole(&p);
    for (size_t k = 0; k < count; k++)
        shape_contact(&p, touches[k], shapes[k]);
}
