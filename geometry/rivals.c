/* SPDX-License-Identifier: MIT */
/* rivals.c - whether any direction parts cores that overlap better than one that none nearby does.
 *
 * Directions are told by where they pierce the plane across that one, a unit away: (n + s) for s in the plane. A point
 * w of the difference of the cores is passed by all that part them better, which takes from the plane what is on one
 * side of a line. What a ball within the difference leaves of the plane is cut down so, each point being found along
 * a direction that is left, until nothing is or one of those directions is better. */
#include "convex.h"

/* How often the points cut, and how many sides they leave at most. */
enum { ROUNDS_MAX = 32, SIDES_MAX = 2 * RIVAL_POINTS };

/* Directions that lean farther, by the tangent, are not looked at. */
#define LEAN_MOST 10.0

/* So much of the way that is not covered yet, a better direction is looked for beyond where that begins. */
#define BEYOND 1e-3

/* What is left of the plane, and the points that cut it: what each of them has along n, and across. */
typedef struct plane {
    vec      n, p, q;
    double   depth;
    double   x[SIDES_MAX], y[SIDES_MAX];
    double   over[RIVAL_POINTS], along_p[RIVAL_POINTS], along_q[RIVAL_POINTS];
    unsigned n_corners, n_points;
} plane;

/* By the ball; false: it leaves too much. */
static bool begin(plane *s, const convex_pair *pair)
{
    const pcm_geometry *a = pair->a, *b = pair->b;
    const vec           between = sub(transform(&pair->b_in_a, b->heart), a->heart);
    const double        over = dot(between, s->n), wide = norm(between);
    const double        cosine = (a->inner + b->inner - s->depth) / wide;
    s->p = unit_or(across(between, s->n), perpendicular(s->n));
    s->q = cross(s->n, s->p);
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
    for (unsigned k = 0; k < 8; k++) { /* eight sides around an ellipse */
        const double x = (k + 1) & 2 ? part : 1, y = (k + 1) & 2 ? 1 : part;
        s->x[k] = middle + (k > 1 && k < 6 ? -half : half) * x;
        s->y[k] = (k < 4 ? aside : -aside) * y;
    }
    s->n_corners = 8;
    return aside < LEAN_MOST;
}

static void take_point(plane *s, vec w)
{
    s->over[s->n_points] = dot(s->n, w);
    s->along_p[s->n_points] = dot(s->p, w);
    s->along_q[s->n_points] = dot(s->q, w);
    s->n_points++;
}

/* Leaves of the plane what has x * a + y * b > c. */
static void cut(plane *s, double a, double b, double c)
{
    const unsigned count = s->n_corners;
    double         over[SIDES_MAX], x[SIDES_MAX], y[SIDES_MAX], least = INFINITY;
    unsigned       n = 0;
    for (unsigned k = 0; k < count; k++) {
        over[k] = s->x[k] * a + s->y[k] * b - c;
        least = smaller(least, over[k]);
    }
    if (least > 0 || count + 2 > SIDES_MAX)
        return;
    for (unsigned k = 0; k < count; k++) {
        if (n + 2 > SIDES_MAX)
            return;
        const unsigned next = k + 1 < count ? k + 1 : 0;
        const bool     here = over[k] > 0, there = over[next] > 0;
        x[n] = s->x[k];
        y[n] = s->y[k];
        n += here;
        if (here != there) {
            const double t = over[k] / (over[k] - over[next]);
            x[n] = s->x[k] + t * (s->x[next] - s->x[k]);
            y[n++] = s->y[k] + t * (s->y[next] - s->y[k]);
        }
    }
    for (unsigned k = 0; k < n; k++) {
        s->x[k] = x[k];
        s->y[k] = y[k];
    }
    s->n_corners = n;
}

/* The length of n + s is no more than a linear function of s that is it, or more, at all corners of what is left. */
typedef struct bound {
    double base, x, y;
} bound;

static bound bound_of(const plane *s, unsigned corner, double square)
{
    const double steep = (sqrt(1 + square) - 1) / square, x = steep * s->x[corner], y = steep * s->y[corner];
    double       base = 1;
    for (unsigned k = 0; k < s->n_corners; k++)
        base = larger(base, sqrt(1 + s->x[k] * s->x[k] + s->y[k] * s->y[k]) - x * s->x[k] - y * s->y[k]);
    return (bound){base, x, y};
}

static void cut_by(plane *s, unsigned point, const bound *length)
{
    cut(s, s->along_p[point] + s->depth * length->x, s->along_q[point] + s->depth * length->y,
        -s->over[point] - s->depth * length->base);
}

/* How far the points leave no better direction on the way towards a place that is `far` off, from `within` on. A point
 * with a and b times the depth over n and against that way does from where to where a + b t is sqrt(1 + t^2) at least.
 */
static double covered(const plane *s, double x, double y, double far, double within)
{
    const double scale_by = -1 / (s->depth * far);
    double       to = within;
    for (unsigned k = 0; k < s->n_points && to < far;) {
        const double a = -s->over[k] / s->depth, b = (x * s->along_p[k] + y * s->along_q[k]) * scale_by;
        const double square = a * a + b * b - 1;
        const bool   covers = a + b * to >= sqrt(1 + to * to) && square >= 0;
        const double end = !covers ? to : b < 1 ? (a * b + sqrt(square)) / (1 - b * b) : INFINITY;
        k = end > to ? 0 : k + 1;
        to = larger(to, end);
    }
    return to;
}

/* The square of how far off the farthest corner of what is left is; -1: nothing is. */
static double farthest(const plane *s, unsigned *corner)
{
    double most = -1;
    for (unsigned k = 0; k < s->n_corners; k++) {
        const double square = s->x[k] * s->x[k] + s->y[k] * s->y[k];
        *corner = square > most ? k : *corner;
        most = larger(square, most);
    }
    return most;
}

/* A place in what is left that no point covers all the way to, or else the corner; false: there is none towards the
 * corners and the middles of the sides. */
static bool find_open(const plane *s, unsigned corner, double within, double *x, double *y)
{
    *x = s->x[corner];
    *y = s->y[corner];
    for (unsigned k = 0; k < 2 * s->n_corners; k++) {
        const unsigned at = k / 2 + corner, from = at < s->n_corners ? at : at - s->n_corners;
        const unsigned to = !(k & 1) ? from : from + 1 < s->n_corners ? from + 1 : 0;
        const double   px = 0.5 * (s->x[from] + s->x[to]), py = 0.5 * (s->y[from] + s->y[to]);
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

rivalry convex_rivals(convex_pair *pair, rivals *r)
{
    const double enough = r->within * r->within;
    plane        s;
    unsigned     corner = 0, fresh = 0; /* from this point on they have not cut what is left */
    s.n = r->n;
    s.depth = r->depth;
    s.n_points = 0;
    if (!(r->depth > 0) || !begin(&s, pair))
        return UNSETTLED;
    double far = farthest(&s, &corner);
    for (unsigned k = 0; k < r->n_points && far > enough; k++)
        take_point(&s, r->points[k]);
    for (unsigned i = 0; i < ROUNDS_MAX && far > enough; i++) {
        const double before = far;
        const bound  length = bound_of(&s, corner, far);
        double       x, y;
        for (unsigned k = fresh; k < s.n_points && s.n_corners > 0; k++)
            cut_by(&s, k, &length);
        far = farthest(&s, &corner);
        const bool all = fresh == 0;
        fresh = 0;
        if (far <= larger(0.5 * before, enough) || (!find_open(&s, corner, r->within, &x, &y) && !all))
            continue;
        if (r->n_points == RIVAL_POINTS)
            return UNSETTLED;
        const vec u = scale(along(along(r->n, s.p, x), s.q, y), 1 / sqrt(1 + x * x + y * y)), w = support_of(pair, u).w;
        if (dot(u, w) > -r->depth) {
            r->better = u;
            return BETTERED;
        }
        fresh = r->n_points;
        r->points[r->n_points++] = w;
        take_point(&s, w);
    }
    return far > enough ? UNSETTLED : UNRIVALLED;
}
