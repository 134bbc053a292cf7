/* SPDX-License-Identifier: MIT */
/* polish.c - the direction and the points of bodies with rims, to the last digit.
 *
 * Along the best direction two points face each other: their difference is parallel to it. The last facet or simplex
 * tells what they lie on - a corner, a line, a rim, a side, a flat face - and then Newton's method finds where: a line
 * keeps the direction perpendicular to it, a flat face fixes it, and on a rim the point goes round as it turns. */
#include "convex.h"

#define STEPS_MAX 12

/* Lines closer to parallel than this are one. */
#define PARALLEL 1e-8

/* What of a core faces the other body. */
typedef struct feature {
    vec    at;           /* a point of it, in a's axes */
    vec    lines[2];     /* unit directions in which it goes on */
    int    n_lines;      /* 2: flat */
    double from, to;     /* how far it goes on along a line */
    vec    centre, axis; /* of a rim */
    double rim;          /* 0: none */
} feature;

/* Whether any two points lie so far round the rim that they span a cap. */
static bool is_wide(const vec *p, int n, double rim)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (p[i].x * p[k].x + p[i].y * p[k].y < 0.99 * rim * rim)
                return true;
    return false;
}

/* The rim, side or cap of a round core that holds the points, in its own axes. */
static feature round_feature(const pcm_geometry *g, const vec *p, int n, vec mean)
{
    feature f = {.at = mean, .axis = {0, 0, 1}};
    double  low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        low = fmin(low, p[k].z);
        high = fmax(high, p[k].z);
    }
    if (is_wide(p, n, g->rim)) {
        f.n_lines = 2;
        f.lines[0] = (vec){1, 0, 0};
        f.lines[1] = (vec){0, 1, 0};
        return f;
    }
    f.rim = g->rim;
    f.centre.z = mean.z;
    if (g->half > 0 && high - low > g->half) {
        f.lines[f.n_lines++] = f.axis;
        f.from = -g->half - mean.z;
        f.to = g->half - mean.z;
    }
    return f;
}

/* The corner, edge or face of a polytope that has the points as corners. */
static feature flat_feature(const vec *p, int n, vec mean)
{
    feature f = {.at = mean};
    vec     first = p[0], second = first;
    for (int k = 1; k < n; k++) {
        const vec d = sub(p[k], first);
        if (!(dot(d, d) > 0))
            continue;
        if (f.n_lines == 0) {
            f.lines[f.n_lines++] = unit_or(d, d);
            second = p[k];
        } else if (dot(sub(p[k], second), sub(p[k], second)) > 0) {
            f.lines[f.n_lines++] = unit_or(across(d, f.lines[0]), d);
        }
    }
    if (f.n_lines == 1) {
        f.from = -dot(sub(mean, first), f.lines[0]);
        f.to = f.from + norm(sub(second, first));
    }
    return f;
}

static feature feature_of(const pcm_geometry *g, const placing *at, const simplex *s, bool of_b)
{
    vec    p[3], mean = {0, 0, 0};
    double sum = 0;
    int    n = 0;
    for (int k = 0; k < s->n; k++) {
        p[n] = unplaced(at, of_b ? s->v[k].b : s->v[k].a);
        mean = along(mean, p[n++], s->weight[k]);
        sum += s->weight[k];
    }
    mean = scale(mean, 1 / sum);
    feature f = g->rim > 0 ? round_feature(g, p, n, mean) : flat_feature(p, n, mean);
    f.at = placed(at, f.at);
    f.centre = placed(at, f.centre);
    f.axis = turned(&at->turn, f.axis);
    for (int k = 0; k < f.n_lines; k++)
        f.lines[k] = turned(&at->turn, f.lines[k]);
    return f;
}

/* Moves the point of a rim to where it faces along d; false: d is the axis. */
static bool face_along(feature *f, vec d)
{
    if (f->rim <= 0)
        return true;
    const vec    out = across(across(d, f->axis), f->axis); /* once more: what remains of the axis would be magnified */
    const double s = norm(out);
    if (!(s > 1e-9))
        return false;
    f->at = along(f->centre, out, f->rim / s);
    return true;
}

/* How fast the point of a rim goes along u as d turns along v. */
static double bend(const feature *f, vec d, vec u, vec v)
{
    if (f->rim <= 0)
        return 0;
    const vec    t = cross(f->axis, d);
    const double s2 = dot(t, t);
    return f->rim * dot(t, u) * dot(t, v) / (s2 * sqrt(s2));
}

/* The lines that keep the direction perpendicular to them; 2 fix it. */
static int constraints(const feature *a, const feature *b, vec lines[2])
{
    int n = 0;
    if (a->n_lines == 2 || b->n_lines == 2) {
        const feature *flat = a->n_lines == 2 ? a : b;
        lines[0] = flat->lines[0];
        lines[1] = flat->lines[1];
        return 2;
    }
    if (a->n_lines)
        lines[n++] = a->lines[0];
    if (b->n_lines && (n == 0 || norm(cross(lines[0], b->lines[0])) > PARALLEL))
        lines[n++] = b->lines[0];
    return n;
}

/* Turns n until the points face each other; false: the features do not fit. */
static bool turn(feature *a, feature *b, vec *n)
{
    vec       lines[2];
    const int n_lines = constraints(a, b, lines);
    if (n_lines == 2) {
        const vec m = unit_or(cross(lines[0], lines[1]), *n);
        *n = dot(m, *n) < 0 ? negate(m) : m;
        return face_along(a, *n) && face_along(b, negate(*n));
    }
    for (int i = 0; i < STEPS_MAX; i++) {
        if (n_lines == 1)
            *n = unit_or(across(*n, lines[0]), *n);
        if (!face_along(a, *n) || !face_along(b, negate(*n)))
            return false;
        const vec    p = n_lines == 1 ? cross(lines[0], *n) : perpendicular(*n), q = cross(*n, p);
        const vec    w = sub(b->at, a->at);
        const double sep = dot(*n, w), gp = dot(p, w), gq = n_lines == 1 ? 0 : dot(q, w);
        const double pp = sep + bend(a, *n, p, p) + bend(b, *n, p, p), pq = bend(a, *n, p, q) + bend(b, *n, p, q);
        const double qq = sep + bend(a, *n, q, q) + bend(b, *n, q, q), det = pp * qq - pq * pq;
        double       dp, dq = 0;
        if (n_lines == 1) {
            if (!(pp > 0))
                return false;
            dp = gp / pp;
        } else {
            if (!(pp > 0) || !(det > 0))
                return false;
            dp = (gp * qq - gq * pq) / det;
            dq = (gq * pp - gp * pq) / det;
        }
        const double length = hypot(dp, dq), shorter = length > 0.1 ? 0.1 / length : 1;
        *n = unit_or(along(along(*n, p, dp * shorter), q, dq * shorter), *n);
        if (length < 1e-15)
            break;
    }
    return face_along(a, *n) && face_along(b, negate(*n));
}

/* Moves a point along its line; false: beyond the line's end. */
static bool slide_along(feature *f, double way, double tolerance)
{
    f->at = along(f->at, f->lines[0], way);
    return way >= f->from - tolerance && way <= f->to + tolerance;
}

/* Slides the points along their lines and faces until they face each other. */
static bool slide(feature *a, feature *b, vec n, double tolerance)
{
    const vec r = across(sub(b->at, a->at), n), e = a->lines[0], f = b->lines[0];
    if (a->n_lines == 2) {
        a->at = add(a->at, r);
        return true;
    }
    if (b->n_lines == 2) {
        b->at = sub(b->at, r);
        return true;
    }
    const vec    m = cross(e, f);
    const double det = dot(m, m);
    if (a->n_lines && b->n_lines && det > PARALLEL * PARALLEL)
        return slide_along(a, dot(cross(r, f), m) / det, tolerance) &&
               slide_along(b, dot(cross(r, e), m) / det, tolerance);
    if (a->n_lines)
        return slide_along(a, dot(r, e), tolerance);
    return b->n_lines == 0 || slide_along(b, -dot(r, f), tolerance);
}

/* False: what the points lie on does not explain the result. */
static bool polish_on(convex_pair *pair, const simplex *s, convex_result *result)
{
    const placing here = placing_identity();
    feature       a = feature_of(pair->a, &here, s, false), b = feature_of(pair->b, &pair->b_in_a, s, true);
    vec           n = result->normal;
    if (!turn(&a, &b, &n))
        return false;
    if (!slide(&a, &b, n, 1e-13 * pair->size))
        return false;
    const vec    w = sub(b.at, a.at);
    const double sep = sep_along(pair, n);
    if (!(sep >= result->low - pair->closed) || !(norm(across(w, n)) <= 64 * pair->rounding) ||
        !(dot(n, w) <= sep + 64 * pair->rounding))
        return false;
    result->normal = n;
    result->on_a = a.at;
    result->on_b = b.at;
    result->sep = dot(n, w);
    result->low = fmax(result->low, sep);
    result->high = fmin(result->high, norm(w));
    return true;
}

static void drop_lightest(simplex *s)
{
    int lightest = 0;
    for (int k = 1; k < s->n; k++)
        if (s->weight[k] < s->weight[lightest])
            lightest = k;
    s->n--;
    s->v[lightest] = s->v[s->n];
    s->weight[lightest] = s->weight[s->n];
}

/* Points of hardly any weight may lie on something else. */
void convex_polish(convex_pair *pair, convex_result *result)
{
    simplex s = result->nearest;
    while (s.n > 0 && !polish_on(pair, &s, result))
        drop_lightest(&s);
}
