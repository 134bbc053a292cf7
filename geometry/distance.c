/* SPDX-License-Identifier: MIT */
/* distance.c - support functions, and the distance of convex cores after Gilbert, Johnson and Keerthi. libccd's own
 * gives no witness points. */
#include "convex.h"

#define ITERATIONS_MAX 200

convex_pair convex_pair_of(const pcm_geometry *a, const pcm_geometry *b, const placing *b_in_a)
{
    return (convex_pair){a, b, *b_in_a, fmax(a->size, b->size), 0, 0};
}

vec core_support(const pcm_geometry *g, vec d, uint32_t *at)
{
    if (g->rim > 0) {
        const double radial = sqrt(d.x * d.x + d.y * d.y), k = radial > 0 ? g->rim / radial : 0;
        return (vec){k * d.x, k * d.y, d.z < 0 ? -g->half : g->half};
    }
    /* A box's corners are numbered by the signs of their coordinates. */
    if (g->kind == PCM_BOX)
        *at = (d.x > 0) | (uint32_t)(d.y > 0) << 1 | (uint32_t)(d.z > 0) << 2;
    else
        *at = polytope_farthest(&g->core, d, *at);
    return g->core.corners[*at];
}

vec support_a(convex_pair *pair, vec d) { return core_support(pair->a, d, &pair->at_a); }

vec support_b(convex_pair *pair, vec d)
{
    return placed(&pair->b_in_a, core_support(pair->b, unturned(&pair->b_in_a.turn, d), &pair->at_b));
}

double sep_along(convex_pair *pair, vec n) { return dot(n, sub(support_b(pair, negate(n)), support_a(pair, n))); }

/* ---- Simplices in the difference b - a -------------------------------------------------------------------------- */

typedef struct simplex {
    vec    a[4], b[4], w[4]; /* w = b - a */
    double weight[4];        /* of the point nearest to the origin */
    int    n;
} simplex;

/* Corners chosen from a simplex with their weights, and the square of the distance they give. */
typedef struct choice {
    int    index[3], n;
    double weight[3], square;
} choice;

static vec choice_point(const simplex *s, const choice *c)
{
    vec p = {0, 0, 0};
    for (int k = 0; k < c->n; k++)
        p = along(p, s->w[c->index[k]], c->weight[k]);
    return p;
}

static choice nearest_on_segment(const simplex *s, int i, int j)
{
    const vec    d = sub(s->w[j], s->w[i]);
    const double dd = dot(d, d), t = dd > 0 ? -dot(s->w[i], d) / dd : 0;
    choice       c = {{i, j, 0}, 2, {1 - t, t, 0}, 0};
    if (t <= 0)
        c = (choice){{i, 0, 0}, 1, {1, 0, 0}, 0};
    else if (t >= 1)
        c = (choice){{j, 0, 0}, 1, {1, 0, 0}, 0};
    const vec p = choice_point(s, &c);
    c.square = dot(p, p);
    return c;
}

static choice nearest_on_triangle(const simplex *s, int i, int j, int k)
{
    const vec    e = sub(s->w[j], s->w[i]), f = sub(s->w[k], s->w[i]), o = negate(s->w[i]), n = cross(e, f);
    const double area = dot(n, n);
    if (area > 0) {
        const double u = dot(cross(o, f), n) / area, v = dot(cross(e, o), n) / area;
        if (u >= 0 && v >= 0 && u + v <= 1) {
            const double height = dot(o, n);
            return (choice){{i, j, k}, 3, {1 - u - v, u, v}, height * height / area};
        }
    }
    choice       best = nearest_on_segment(s, i, j);
    const choice second = nearest_on_segment(s, j, k), third = nearest_on_segment(s, k, i);
    if (second.square < best.square)
        best = second;
    return third.square < best.square ? third : best;
}

/* Whether the plane through i, j, k does not part the origin from corner l. Of a flat simplex nothing is behind. */
static bool behind(const simplex *s, int i, int j, int k, int l)
{
    const vec    n = cross(sub(s->w[j], s->w[i]), sub(s->w[k], s->w[i])), to_corner = sub(s->w[l], s->w[i]);
    const double origin = -dot(n, s->w[i]), corner = dot(n, to_corner);
    if (corner * corner <= 1e-24 * dot(n, n) * dot(to_corner, to_corner))
        return false;
    return origin * corner > 0;
}

/* Reduces the simplex to what supports its point nearest to the origin; false: the origin lies inside. */
static bool reduce(simplex *s)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    choice           best = {{0, 0, 0}, 1, {1, 0, 0}, INFINITY};
    if (s->n == 2)
        best = nearest_on_segment(s, 0, 1);
    else if (s->n == 3)
        best = nearest_on_triangle(s, 0, 1, 2);
    else if (s->n == 4) {
        bool inside = true;
        for (int f = 0; f < 4; f++) {
            const int *q = faces[f];
            if (behind(s, q[0], q[1], q[2], q[3]))
                continue;
            inside = false;
            const choice c = nearest_on_triangle(s, q[0], q[1], q[2]);
            if (c.square < best.square)
                best = c;
        }
        if (inside)
            return false;
    }
    simplex reduced = {.n = best.n};
    for (int k = 0; k < best.n; k++) {
        const int i = best.index[k];
        reduced.a[k] = s->a[i];
        reduced.b[k] = s->b[i];
        reduced.w[k] = s->w[i];
        reduced.weight[k] = best.weight[k];
    }
    *s = reduced;
    return true;
}

static void combine(const simplex *s, vec *on_a, vec *on_b)
{
    *on_a = *on_b = (vec){0, 0, 0};
    for (int k = 0; k < s->n; k++) {
        *on_a = along(*on_a, s->a[k], s->weight[k]);
        *on_b = along(*on_b, s->b[k], s->weight[k]);
    }
}

static bool already(const simplex *s, vec w)
{
    for (int k = 0; k < s->n; k++)
        if (s->w[k].x == w.x && s->w[k].y == w.y && s->w[k].z == w.z)
            return true;
    return false;
}

bool convex_distance(convex_pair *pair, convex_result *result)
{
    const double tiny = 1e-15 * (pair->size + norm(pair->b_in_a.at));
    simplex      s = {.n = 0};
    vec          v = pair->b_in_a.at;
    double       least = INFINITY;
    if (!(norm(v) > tiny))
        v = (vec){0.5773, 0.5821, 0.5711};
    result->normal = unit_or(v, (vec){0, 0, 1});
    result->witnessed = false;
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        const vec    a = support_a(pair, v), b = support_b(pair, negate(v)), w = sub(b, a);
        const double length = norm(v);
        if (s.n > 0 && (already(&s, w) || length - dot(v, w) / length <= tiny))
            break;
        simplex next = s;
        next.a[next.n] = a;
        next.b[next.n] = b;
        next.w[next.n++] = w;
        next.weight[0] = 1;
        if (!reduce(&next))
            return false;
        vec p, q;
        combine(&next, &p, &q);
        const vec    closer = sub(q, p);
        const double square = dot(closer, closer);
        if (s.n > 0 && !(square < least))
            break; /* rounding has the last word */
        s = next;
        v = closer;
        least = square;
        if (!(sqrt(square) > 10 * tiny))
            return false;
        result->normal = scale(v, 1 / sqrt(square));
    }
    combine(&s, &result->on_a, &result->on_b);
    result->sep = norm(v);
    result->witnessed = true;
    return true;
}

convex_result convex_separate(convex_pair *pair)
{
    /* Below this, a direction from two points loses the digits that candidates from faces and edges keep. */
    const double  near = 1e-6 * pair->size;
    convex_result result;
    if (convex_closed_form(pair, &result))
        return result;
    if (!convex_distance(pair, &result) || result.sep < near)
        convex_overlap(pair, &result);
    else if (sep_along(pair, result.normal) < result.sep - 1e-12 * pair->size)
        convex_refine(pair, &result);
    return result;
}
