/* SPDX-License-Identifier: MIT */
/* optimum.c - whether a locally best direction n of cores that overlap is the global best, by a cutting-plane search.
 *
 * A direction is given by the point s at which n + s meets the plane perpendicular to n at distance 1. Each point w of
 * the difference of the cores excludes the directions along which it lies deep enough; these form a convex part of the
 * plane. A ball within the difference leaves only an ellipse. Support points along directions that are not yet excluded
 * cut that ellipse down, until nothing is left, or one of those directions is better. */
#include "convex.h"

/* Iterations of the inner search. */
#define NEARINGS 1

/* The most cuts, and the most sides of the part that is left. */
enum { ROUNDS_MAX = 32, SIDES_MAX = 2 * OPTIMUM_POINTS };

/* The tangent of the largest angle to n that the test can handle. */
#define LEAN_MOST 10.0

/* A new direction is chosen this far into the uncovered part of a line, as a share of that part. */
#define BEYOND 0.01

/* A point s of the plane, and the length of n + s. */
typedef struct place {
    double x, y, length;
} place;

/* The part of the plane that is left, and the points that cut it: each point's coordinates along -n and across n,
 * divided by the depth. */
typedef struct plane {
    vec      n, p, q;
    double   depth;
    place    corners[2][SIDES_MAX], *left; /* two buffers; left: the one in use */
    double   below[OPTIMUM_POINTS], along_p[OPTIMUM_POINTS], along_q[OPTIMUM_POINTS];
    unsigned n_corners, n_points;
} plane;

static bool plays(const pcm_geometry *g) { return g->play.x + g->play.y + g->play.z > 0; }

static vec held_in(const pcm_geometry *g, vec p)
{
    const vec r = sub(p, g->heart), h = g->play;
    return add(g->heart, (vec){smaller(larger(r.x, -h.x), h.x), smaller(larger(r.y, -h.y), h.y),
                               smaller(larger(r.z, -h.z), h.z)});
}

vec convex_between(const convex_pair *pair)
{
    const bool any = plays(pair->a) || plays(pair->b);
    vec        of_a = pair->a->heart, of_b = transform(&pair->b_in_a, pair->b->heart);
    for (int i = 0; i < NEARINGS && any; i++) {
        of_a = held_in(pair->a, of_b);
        of_b = transform(&pair->b_in_a, held_in(pair->b, transform_back(&pair->b_in_a, of_a)));
    }
    return sub(of_b, of_a);
}

static place place_at(double x, double y) { return (place){x, y, sqrt(1 + x * x + y * y)}; }

/* A unit vector perpendicular to n, towards `a` if it leans from n by more than rounding. */
static vec lean_of(vec a, vec n, double rounding)
{
    const vec    beside = across(a, n);
    const double length = norm(beside);
    return length > rounding ? unit_or(across(scale(beside, 1 / length), n), beside) : perpendicular(n);
}

/* Starts with the part that the inner ball leaves; false: that part is too large. */
static bool begin(plane *s, const convex_pair *pair)
{
    const vec    between = convex_between(pair);
    const double over = dot(between, s->n), wide = norm(between);
    const double cosine = (pair->a->inner + pair->b->inner - s->depth) / wide;
    s->p = lean_of(between, s->n, 1e-12 * wide);
    s->q = cross(s->n, s->p);
    s->left = s->corners[0];
    s->n_corners = 0;
    if (cosine >= 1)
        return true;
    if (!(cosine > 0) || !(over > 0))
        return false;
    const double sine = sqrt(1 - cosine * cosine), t = dot(between, s->p) / over, u = sine / cosine;
    const double lean = over / wide, square = cosine * cosine - (1 - lean * lean);
    if (!(square > 0 && t + u < LEAN_MOST * (1 - t * u)))
        return false;
    const double low = (t - u) / (1 + t * u), high = (t + u) / (1 - t * u), aside = sine / sqrt(square);
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low), part = 0.41421356237309505;
    for (unsigned k = 0; k < 8; k++) { /* eight sides around the ellipse */
        const double x = (k + 1) & 2 ? part : 1, y = (k + 1) & 2 ? 1 : part;
        s->left[k] = place_at(middle + (k > 1 && k < 6 ? -half : half) * x, (k < 4 ? aside : -aside) * y);
    }
    s->n_corners = 8;
    return aside < LEAN_MOST;
}

static void take_point(plane *s, vec w)
{
    const double share = 1 / s->depth;
    s->below[s->n_points] = -share * dot(s->n, w);
    s->along_p[s->n_points] = share * dot(s->p, w);
    s->along_q[s->n_points] = share * dot(s->q, w);
    s->n_points++;
}

/* Where a point's exclusion ends on the line from a corner that it excludes to one that it does not. It excludes s
 * where the length of n + s is at most a linear function of s, which is `most` at the first corner and `next` at the
 * other. That function may be so steep that the discriminant keeps its digits only as a difference of squares of two
 * vectors. */
static place rule_end(const place *from, const place *to, double most, double next)
{
    const double x = to->x - from->x, y = to->y - from->y, more = next - most, turn = x * from->y - y * from->x;
    const double u = most * x - more * from->x, v = most * y - more * from->y, square = x * x + y * y;
    const double a = square - more * more, b = from->x * x + from->y * y - most * more;
    const double c = (from->length - most) * (from->length + most);
    const double root = sqrt(larger(u * u + v * v + more * more - square - turn * turn, 0));
    const double t = b > 0 ? -c / (b + root) : a > 0 ? (root - b) / a : 1;
    const double near = smaller(t, 1) * (1 - 1e-15); /* so that rounding excludes nothing wrongly */
    return place_at(from->x + near * x, from->y + near * y);
}

/* Removes the part that a point excludes. It is convex: it contains the excluded corners and ends on the sides next to
 * them. */
static void cut(plane *s, unsigned point)
{
    const unsigned count = s->n_corners;
    const place   *of = s->left;
    place         *to = s->corners[of == s->corners[0]];
    double         most[SIDES_MAX];
    unsigned       n = 0, n_out = 0;
    for (unsigned k = 0; k < count; k++) {
        most[k] = s->below[point] - s->along_p[point] * of[k].x - s->along_q[point] * of[k].y;
        n_out += of[k].length <= most[k];
    }
    if (n_out == 0)
        return;
    for (unsigned k = 0; k < count; k++) {
        const unsigned next = k + 1 < count ? k + 1 : 0;
        const bool     out = of[k].length <= most[k], out_next = of[next].length <= most[next];
        if (n + 2 > SIDES_MAX)
            return;
        if (!out)
            to[n++] = of[k];
        if (out && !out_next)
            to[n++] = rule_end(&of[k], &of[next], most[k], most[next]);
        else if (!out && out_next)
            to[n++] = rule_end(&of[next], &of[k], most[next], most[k]);
    }
    s->left = to;
    s->n_corners = n;
}

/* How far, starting at `within`, the points exclude all directions on the line towards a corner at distance `far`. A
 * point with the coordinates a along n and b against that line, divided by the depth, does so where a + b t >= sqrt(1 +
 * t^2). */
static double covered(const plane *s, double x, double y, double far, double within)
{
    const double ux = -x / far, uy = -y / far;
    double       to = within, length = sqrt(1 + to * to);
    for (unsigned k = 0; k < s->n_points && to < far;) {
        const double a = s->below[k], b = ux * s->along_p[k] + uy * s->along_q[k];
        const double square = a * a + b * b - 1;
        const bool   covers = a + b * to >= length && square >= 0;
        const double end = !covers ? to : b < 1 ? (a * b + sqrt(square)) / (1 - b * b) : INFINITY;
        k = end > to ? 0 : k + 1;
        if (end > to) {
            to = end;
            length = sqrt(1 + to * to);
        }
    }
    return to;
}

/* The squared distance of the farthest corner of the part that is left; -1: nothing is left. */
static double farthest(const plane *s, unsigned *corner)
{
    double most = -1;
    for (unsigned k = 0; k < s->n_corners; k++) {
        const double square = s->left[k].x * s->left[k].x + s->left[k].y * s->left[k].y;
        *corner = square > most ? k : *corner;
        most = larger(square, most);
    }
    return most;
}

/* Finds a place in the part that is left such that the points do not cover the whole line to it; else returns the
 * corner. False: the lines to all corners and middles of sides are covered. */
static bool find_open(const plane *s, unsigned corner, double within, double *x, double *y)
{
    *x = s->left[corner].x;
    *y = s->left[corner].y;
    for (unsigned k = 0; k < 2 * s->n_corners; k++) {
        const unsigned at = k / 2 + corner, from = at < s->n_corners ? at : at - s->n_corners;
        const unsigned to = !(k & 1) ? from : from + 1 < s->n_corners ? from + 1 : 0;
        const double   px = 0.5 * (s->left[from].x + s->left[to].x), py = 0.5 * (s->left[from].y + s->left[to].y);
        const double   off = sqrt(px * px + py * py), end = off > within ? covered(s, px, py, off, within) : off;
        if (off > end) {
            const double share = (end + BEYOND * (off - end)) / off;
            *x = share * px;
            *y = share * py;
            return true;
        }
    }
    return false;
}

verdict convex_is_global(convex_pair *pair, optimum *r)
{
    const double enough = r->within * r->within;
    plane        s;
    unsigned     corner = 0, fresh = 0; /* points from this one on have not been used for a cut yet */
    s.n = r->n;
    s.depth = r->depth;
    s.n_points = 0;
    if (!(r->depth > 0) || !begin(&s, pair))
        return UNDECIDED;
    double far = farthest(&s, &corner);
    for (unsigned k = 0; k < r->n_points && far > enough; k++)
        take_point(&s, r->points[k]);
    for (unsigned i = 0; i < ROUNDS_MAX && far > enough; i++) {
        const bool all = fresh == 0;
        double     x, y;
        for (unsigned k = fresh; k < s.n_points && s.n_corners > 0; k++)
            cut(&s, k);
        far = farthest(&s, &corner);
        fresh = 0;
        if (far <= enough || (!find_open(&s, corner, r->within, &x, &y) && !all))
            continue;
        if (r->n_points == OPTIMUM_POINTS)
            return UNDECIDED;
        const vec u = scale(along(along(r->n, s.p, x), s.q, y), 1 / place_at(x, y).length), w = support_of(pair, u).w;
        if (dot(u, w) > -r->depth) {
            r->better = u;
            return BEATEN;
        }
        fresh = r->n_points;
        r->points[r->n_points++] = w;
        take_point(&s, w);
    }
    return far > enough ? UNDECIDED : GLOBAL;
}
