/* SPDX-License-Identifier: MIT */
/* few.c - four points that stand for a patch of many.
 *
 * With the shares s, the points r in the tangent plane and the depths d, four points of equal share keep the sums of s,
 * s r, s r r, s d and s d r. The force, moment and energy of a law that is linear in depth and velocity depend on
 * nothing else. With C the covariance of the points and L its square root, the four lie at the centre +- sqrt(2) L e,
 * where e is either axis of a body, and they are as deep as the plane that fits the depths best. So they are named by
 * the body's axes, and move smoothly with the patch. */
#include "pair.h"

enum { MADE = 4 };

/* The longest part of a normal across that of the first point: below it all normals are equal. */
#define ASKEW 1e-12

/* The least determinant of the covariance, as a share of its squared trace: a narrower patch is a line. */
#define LINE 1e-6

/* Sums over points of s f, s f x and s f y. */
typedef struct moment {
    double sum, x, y;
} moment;

typedef struct group {
    moment one, x, y, height, depth; /* of these functions f */
    double area;
} group;

/* A patch in the axes of its first point's normal and of the body that carries the four points. */
typedef struct gathered {
    const body *carrier;
    bool        swapped; /* the carrier is a */
    double      reach;
    vec         origin, normal, u, v;
    pcm_touch   first[PAIR_FEW];
    uint32_t    count;
    bool        level; /* all normals are equal */
    uint64_t    gives; /* what all points give */
    group       of[2]; /* points that overlap, and points in the gap */
} gathered;

static void begin(gathered *g, const pcm_touch *touch)
{
    g->origin = vec_of(touch->point);
    g->normal = g->swapped ? negate(vec_of(touch->normal)) : vec_of(touch->normal);
    g->u = rotate(&g->carrier->at.turn, perpendicular(rotate_back(&g->carrier->at.turn, g->normal)));
    g->v = cross(g->normal, g->u);
    g->level = true;
    g->gives = touch->gives;
}

static void add_moment(moment *m, double weight, double x, double y)
{
    m->sum += weight;
    m->x += weight * x;
    m->y += weight * y;
}

static void gather(void *user, const pcm_touch *touch)
{
    gathered *g = user;
    if (g->count == 0)
        begin(g, touch);
    if (g->count < PAIR_FEW)
        g->first[g->count] = *touch;
    g->count++;
    const vec    n = g->swapped ? negate(vec_of(touch->normal)) : vec_of(touch->normal);
    const vec    r = sub(vec_of(touch->point), g->origin);
    const double s = touch->share, x = dot(r, g->u), y = dot(r, g->v);
    group       *to = &g->of[touch->depth < 0];
    g->level = g->level && norm(sub(n, g->normal)) <= ASKEW;
    g->gives &= touch->gives;
    add_moment(&to->one, s, x, y);
    add_moment(&to->x, s * x, x, y);
    add_moment(&to->y, s * y, x, y);
    add_moment(&to->height, s * dot(r, g->normal), x, y);
    add_moment(&to->depth, s * touch->depth, x, y);
    to->area += touch->area;
}

typedef struct symmetric {
    double xx, xy, yy;
} symmetric;

/* The mean of a function and, for each of the two axes, by how much the plane that fits it best rises to a point on
 * that axis. */
typedef struct rise {
    double mean, by[2];
} rise;

static rise rise_of(const moment *m, const group *of, const symmetric *by)
{
    const double share = of->one.sum, mean = m->sum / share;
    const double x = (m->x - mean * of->one.x) / share, y = (m->y - mean * of->one.y) / share;
    return (rise){mean, {by->xx * x + by->xy * y, by->xy * x + by->yy * y}};
}

/* sqrt(2) times the inverse of the root of the points' covariance; false: they are a line. */
static bool invert_root(const group *of, symmetric *inverse)
{
    const double share = of->one.sum, cx = of->one.x / share, cy = of->one.y / share;
    const double xx = of->x.x / share - cx * cx, xy = of->x.y / share - cx * cy, yy = of->y.y / share - cy * cy;
    const double trace = xx + yy, determinant = xx * yy - xy * xy;
    if (!(determinant > LINE * trace * trace))
        return false;
    const double root = sqrt(determinant), by = sqrt(2 / (trace + 2 * root)) / root;
    *inverse = (symmetric){by * (yy + root), -by * xy, by * (xx + root)};
    return true;
}

/* Makes the four points of a group. False: it is a line, or some of them would lie on the other side of the surface, or
 * out of reach. */
static bool make(const gathered *g, uint32_t which, pcm_touch made[MADE])
{
    const group *of = &g->of[which];
    symmetric    by;
    if (!(of->one.sum > 0) || !invert_root(of, &by))
        return false;
    const rise x = rise_of(&of->x, of, &by), y = rise_of(&of->y, of, &by);
    const rise z = rise_of(&of->height, of, &by), depth = rise_of(&of->depth, of, &by);
    for (uint32_t k = 0; k < MADE; k++) {
        const double sense = k % 2 ? -1 : 1;
        const vec    plane = add(scale(g->u, x.mean + sense * x.by[k / 2]), scale(g->v, y.mean + sense * y.by[k / 2]));
        pcm_touch   *to = &made[k];
        *to = (pcm_touch){.feature = feature_of(OF_NONE, 0x7FFFFFFF, MADE * which + k),
                          .depth = depth.mean + sense * depth.by[k / 2],
                          .area = of->area / MADE,
                          .share = of->one.sum / MADE,
                          .gives = g->gives};
        vec_to(to->point, add(g->origin, along(plane, g->normal, z.mean + sense * z.by[k / 2])));
        vec_to(to->normal, g->swapped ? negate(g->normal) : g->normal);
        if (!(which ? to->depth <= 0 && to->depth >= -g->reach : to->depth >= 0))
            return false;
    }
    return true;
}

/* Makes the points of both groups; returns their number, or 0 where no four points stand for a group. */
static uint32_t make_all(const gathered *g, pcm_touch made[2 * MADE])
{
    uint32_t count = 0;
    if (!g->level || !(g->gives & PCM_SHARE))
        return 0;
    for (uint32_t which = 0; which < 2; which++) {
        const bool some = g->of[which].one.sum > 0 || g->of[which].area > 0;
        if (some && !make(g, which, made + count))
            return 0;
        count += some ? MADE : 0;
    }
    return count;
}

void pair_touch_few(const body *a, const body *b, double reach, pair_known known, pair_take *take, void *user)
{
    const bool open_a = a->geometry->kind == PCM_PLANE || a->geometry->kind == PCM_GRID;
    const bool open_b = b->geometry->kind == PCM_PLANE || b->geometry->kind == PCM_GRID;
    gathered   g = {.reach = reach};
    pcm_touch  made[2 * MADE];
    g.swapped = open_b || (!open_a && pair_is_reversed(a, b));
    g.carrier = g.swapped ? a : b;
    pair_touch(a, b, reach, known, gather, &g);
    const uint32_t count = g.count <= PAIR_FEW ? g.count : make_all(&g, made);
    for (uint32_t k = 0; k < count; k++)
        take(user, g.count <= PAIR_FEW ? &g.first[k] : &made[k]);
    if (g.count > PAIR_FEW && count == 0)
        pair_touch(a, b, reach, known, take, user);
}
