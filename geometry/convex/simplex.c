/* SPDX-License-Identifier: MIT */
/* simplex.c - the point of a simplex that is nearest to the origin, as GJK needs it (Gilbert, Johnson and Keerthi
 * 1988), by cases (Ericson 2004, section 9.5). */
#include "convex.h"
#include <string.h>

/* A point whose squared distance is below this share of a corner's loses digits when it is computed from that
 * corner. */
#define FEW_DIGITS 1e-6

/* Corners chosen from a simplex with their weights, and the squared distance of the point that these give. */
typedef struct choice {
    int    index[3], n;
    double weight[3], square;
} choice;

static choice nearest_on_segment(const simplex *s, int i, int j)
{
    const vec    p = s->v[i].w, d = sub(s->v[j].w, p);
    const double dd = dot(d, d), t = dd > 0 ? -dot(p, d) / dd : 0;
    if (t <= 0)
        return (choice){{i, 0, 0}, 1, {1, 0, 0}, dot(p, p)};
    if (t >= 1)
        return (choice){{j, 0, 0}, 1, {1, 0, 0}, dot(s->v[j].w, s->v[j].w)};
    const vec q = along(p, d, t);
    return (choice){{i, j, 0}, 2, {1 - t, t, 0}, dot(q, q)};
}

/* The point of a triangle that is nearest to the origin, computed from corner i. */
static choice nearest_from(const simplex *s, int i, int j, int k)
{
    const vec    e = sub(s->v[j].w, s->v[i].w), f = sub(s->v[k].w, s->v[i].w), o = negate(s->v[i].w), n = cross(e, f);
    const double area = dot(n, n);
    if (area > 0) {
        const double u = dot(cross(o, f), n) / area, v = dot(cross(e, o), n) / area;
        if (u >= 0 && v >= 0 && u + v <= 1) {
            const double height = dot(o, n);
            return (choice){{i, j, k}, 3, {1 - u - v, u, v}, height * height / area};
        }
    }
    choice       best = nearest_on_segment(s, i, j);
    const choice second = nearest_on_segment(s, i, k), third = nearest_on_segment(s, j, k);
    if (second.square < best.square)
        best = second;
    return third.square < best.square ? third : best;
}

/* Near the origin the point is computed from the nearest corner, which loses the fewest digits. */
static choice nearest_on_triangle(const simplex *s, int i, int j, int k)
{
    const choice c = nearest_from(s, i, j, k);
    const double p = dot(s->v[i].w, s->v[i].w);
    if (c.square > FEW_DIGITS * p)
        return c;
    const double q = dot(s->v[j].w, s->v[j].w), r = dot(s->v[k].w, s->v[k].w);
    return p <= q && p <= r ? c : q <= r ? nearest_from(s, j, i, k) : nearest_from(s, k, i, j);
}

/* Whether the origin lies on the same side of the plane through i, j, k as corner l; false where the simplex is
 * flat. */
static bool behind(const simplex *s, int i, int j, int k, int l)
{
    const vec    n = cross(sub(s->v[j].w, s->v[i].w), sub(s->v[k].w, s->v[i].w)), to_corner = sub(s->v[l].w, s->v[i].w);
    const double origin = -dot(n, s->v[i].w), corner = dot(n, to_corner);
    if (corner * corner <= 1e-24 * dot(n, n) * dot(to_corner, to_corner))
        return false;
    return origin * corner > 0;
}

/* Finds the corners that span the simplex's point nearest to the origin; false: the origin lies inside. */
static bool nearest(const simplex *s, choice *best)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    *best = (choice){{0, 0, 0}, 1, {1, 0, 0}, dot(s->v[0].w, s->v[0].w)};
    if (s->n == 2)
        *best = nearest_on_segment(s, 0, 1);
    else if (s->n == 3)
        *best = nearest_on_triangle(s, 0, 1, 2);
    else if (s->n == 4) {
        bool inside = true;
        best->square = INFINITY;
        for (int f = 0; f < 4; f++) {
            const int *q = faces[f];
            if (behind(s, q[0], q[1], q[2], q[3]))
                continue;
            inside = false;
            const choice c = nearest_on_triangle(s, q[0], q[1], q[2]);
            if (c.square < best->square)
                *best = c;
        }
        return !inside;
    }
    return true;
}

/* Puts the chosen corners first; the others stay behind them, with a weight of 0. */
static void keep(simplex *s, const choice *c)
{
    bool in_order = true, chosen[4] = {false};
    for (int k = 0; k < c->n; k++) {
        in_order = in_order && c->index[k] == k;
        chosen[c->index[k]] = true;
    }
    if (!in_order) {
        vertex kept[4];
        int    n = c->n;
        for (int k = 0; k < c->n; k++)
            kept[k] = s->v[c->index[k]];
        for (int i = 0; i < s->n; i++)
            if (!chosen[i])
                kept[n++] = s->v[i];
        memcpy(s->v, kept, (size_t)n * sizeof *kept);
    }
    for (int k = 0; k < 4; k++)
        s->weight[k] = k < c->n ? c->weight[k] : 0;
    s->n = c->n;
}

bool simplex_nearest(simplex *s)
{
    choice c;
    if (!nearest(s, &c))
        return false;
    keep(s, &c);
    return true;
}

vec simplex_mean(const simplex *s)
{
    vec p = {0, 0, 0};
    for (int k = 0; k < s->n; k++)
        p = along(p, s->v[k].w, s->weight[k]);
    return p;
}

/* The direction of v, from corners and edges: where the bodies nearly touch, v is the difference of two nearly equal
 * points and has few correct digits. */
vec simplex_direction(const simplex *s, vec v)
{
    vec n = unit_or(v, (vec){0, 0, 1});
    if (s->n == 2) {
        const vec e = unit_or(sub(s->v[1].w, s->v[0].w), n);
        n = unit_or(across(n, e), n);
        n = unit_or(across(n, e), n);
    } else if (s->n == 3) {
        const vec m = unit_or(cross(sub(s->v[1].w, s->v[0].w), sub(s->v[2].w, s->v[0].w)), n);
        n = dot(m, n) < 0 ? negate(m) : m;
    }
    return n;
}

void simplex_points(const simplex *s, vec *on_a, vec *on_b)
{
    *on_a = *on_b = (vec){0, 0, 0};
    for (int k = 0; k < s->n; k++) {
        *on_a = along(*on_a, s->v[k].a, s->weight[k]);
        *on_b = along(*on_b, s->v[k].b, s->weight[k]);
    }
}
