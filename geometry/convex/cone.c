/* SPDX-License-Identifier: MIT */
/* cone.c - how far a direction may turn before another one could be better: lower bounds on the depth around a local
 * optimum, from the curvature and the extent of the two parts. */
#include "parts.h"

/* Adds w (d . x)^2, x over the directions p and q, to a quadratic form. */
static void add_square(vec d, double w, vec p, vec q, double form[3])
{
    const double x = dot(d, p), y = dot(d, q);
    form[0] += w * x * x;
    form[1] += w * x * y;
    form[2] += w * y * y;
}

/* Adds a rim to a quadratic form over the directions p and q. For a direction turned from n by any angle phi, the body
 * extends beyond the plane through its point by at least half of the form times sin^2(phi). A rim of radius r and
 * tangent t adds r (t . u)^2, since sqrt(x^2 + y^2) >= x + y^2 / 2 while the root is at most 1. */
static void add_rim(const core_part *f, vec n, vec p, vec q, double form[3])
{
    if (f->rim > 0)
        add_square(unit_or(cross(f->axis, n), (vec){0, 0, 0}), f->rim, p, q, form);
}

/* The same for a line: adds twice its extent to either side. */
static void add_line(const core_part *f, vec p, vec q, double form[3])
{
    if (f->n_lines == 1)
        add_square(f->lines[0], 2 * larger(f->within, 0), p, q, form);
}

/* The least eigenvalue of that form: at an angle phi from n the separation is at most -depth cos(phi) - form sin^2(phi)
 * / 2. This excludes a wide cone if the depth is small compared with the form. */
double cone_least_depth(const core_part *a, const core_part *b, vec n)
{
    const vec p = perpendicular(n), q = cross(n, p);
    double    form[3] = {0, 0, 0};
    add_rim(a, n, p, q, form);
    add_rim(b, n, p, q, form);
    add_line(a, p, q, form);
    add_line(b, p, q, form);
    const double half = 0.5 * (form[0] - form[2]);
    return 0.5 * (form[0] + form[2]) - sqrt(half * half + form[1] * form[1]);
}

/* The cone where a line extends by w to either side, with the form of the rims. At an angle phi the separation is at
 * most -depth cos(phi) - form sin^2(phi) / 2 - w |s| sin(phi), where s is the component of the line along the turn.
 * With h = tan(phi / 2) that is no better than -depth where h (depth - form / (1 + h^2)) <= w |s|. There is an s such
 * that for turns with a smaller |s| the form alone excludes better directions, and for all others h = w s / depth
 * does. */
static double cone_on_line(const core_part *a, const core_part *b, vec n, vec line, double depth)
{
    const double most = 0.5, least = depth * (1 + most * most);
    const vec    p = cross(line, n);
    double       form[3] = {0, 0, 0};
    add_rim(a, n, p, line, form);
    add_rim(b, n, p, line, form);
    if (!(form[0] > least))
        return 0;
    const double within = larger(a->n_lines ? a->within : b->within, 0);
    const double s = (sqrt(form[1] * form[1] + form[0] * (form[0] - least)) - fabs(form[1])) / form[0];
    return 2 * atan(smaller(within * s / depth, most));
}

/* A bound on the third derivative of a rim's support value as the direction turns; *cone becomes the turn up to which
 * the bound holds. The support value is rim * s, with s = sqrt(1 - c^2) and c = axis . n, and |s'''| <= |c| (4 + 3 /
 * s^2). */
static double third_of(const core_part *f, vec n, double *cone)
{
    const double c = fabs(dot(f->axis, n)), s = norm(cross(f->axis, n));
    if (f->rim <= 0)
        return 0;
    *cone = smaller(*cone, s / 8);
    return f->rim * (1 + (c + 0.125) * (4 + 4 / (s * s)));
}

/* rad: the widest cone that the formula below gives. */
#define NEARBY_MOST 0.5

/* The cone where the parts are neither flat nor two lines, from the extent of a line and the curvature of rims. */
double cone_nearby(const core_part *a, const core_part *b, vec n, double depth)
{
    vec             lines[2];
    const int       n_lines = part_constraints(a, b, lines);
    const curvature c = part_curvature(a, b, n, n_lines ? lines : NULL);
    double          cone = NEARBY_MOST;
    const double    third = depth + third_of(a, n, &cone) + third_of(b, n, &cone);
    if (n_lines == 0)
        return smaller(cone, 3 * (0.5 * (c.pp + c.qq) - hypot(0.5 * (c.pp - c.qq), c.pq)) / third);
    const double within = larger(a->n_lines ? a->within : 0, b->n_lines ? b->within : 0);
    cone = smaller(cone, smaller(1.5 * c.pp / third, 1.9 * within / (2 * fabs(c.pq) + c.pp + fabs(c.qq))));
    return larger(cone, cone_on_line(a, b, n, lines[0], depth));
}

/* How far flat faces, or two lines, extend in every direction from their points; false: there are neither. */
bool cone_is_flat(const core_part *a, const core_part *b, double *reach)
{
    vec       lines[2];
    const int n_lines = part_constraints(a, b, lines);
    *reach = 0;
    if (a->n_lines == 2 || b->n_lines == 2)
        *reach = larger(a->n_lines == 2 ? a->within : 0, b->n_lines == 2 ? b->within : 0);
    else if (n_lines == 2)
        *reach = smaller(a->within, b->within) * norm(cross(lines[0], lines[1]));
    return n_lines == 2;
}

/* Fills in the cone of a result, and the bounds that prove it. */
void cone_find(const core_part *a, const core_part *b, convex_result *result)
{
    const vec    n = result->normal;
    const double depth = dot(n, sub(a->at, b->at));
    result->cone = result->bent = result->flat = 0;
    result->cosine = 1;
    if (!(depth > 0))
        return;
    const bool flat = cone_is_flat(a, b, &result->flat);
    result->bent = cone_least_depth(a, b, n);
    /* The tangent of half of the cone. */
    const double bent = result->bent > depth ? sqrt((result->bent - depth) / depth) : 0;
    const double half = larger(bent, flat ? result->flat / depth : 0), less = 0.999 * half;
    result->cone = 2 * atan(half);
    result->cosine = (1 - less * less) / (1 + less * less);
    if (flat || !(result->cone < NEARBY_MOST))
        return;
    result->cone = larger(result->cone, cone_nearby(a, b, n, depth));
    result->cosine = cos(0.999 * result->cone);
}

/* A ball within the difference of the cores: the coordinates of its middle along n and across n, and its radius. */
typedef struct inner_ball {
    double over, beside, radius;
} inner_ball;

static inner_ball inner_ball_of(const convex_pair *pair, vec n)
{
    const vec    between = convex_between(pair);
    const double over = dot(between, n);
    return (inner_ball){over, norm(along(between, n, -over)), pair->a->inner + pair->b->inner};
}

/* A lower bound, from the ball, on the depth along directions at an angle from n. */
static double depth_by_ball(const inner_ball *ball, double cosine, double sine)
{
    return ball->radius - cosine * ball->over - sine * ball->beside;
}

/* Directions outside the cone are closer to the opposite of the normal. Along that opposite direction the inner ball,
 * or the farthest point of the difference, may lie deep enough to exclude them all. */
bool convex_is_global_by_ball(convex_pair *pair, const convex_result *result)
{
    const vec    n = result->normal;
    const double cosine = result->cosine, sine = sqrt(1 - cosine * cosine), depth = -result->low;
    if (!(depth > 0) || !(result->cone > 0))
        return false;
    const inner_ball ball = inner_ball_of(pair, n);
    if (cosine * ball.beside < sine * ball.over && depth_by_ball(&ball, cosine, sine) > depth)
        return true;
    const vec    far = support_of(pair, negate(n)).w;
    const double over = dot(n, far), beside = norm(along(far, n, -over));
    return cosine < 0 && -cosine * over - sine * beside > depth;
}

/* A lower bound on the depth along all directions outside the cone. The parts bound it up to some angle, where the
 * minimum is at one of the two ends of the range, and the ball bounds it beyond that angle. Returns the best bound of
 * several such angles. */
static double outer_bound_by(const inner_ball *ball, double depth, double bent, double flat, double cone)
{
    const double c0 = cos(0.5 * cone), s0 = sin(0.5 * cone);
    const double first = depth * c0 + 0.5 * bent * s0 * s0 + flat * s0;
    double       most = -INFINITY;
    for (double c = 0.6; c > -0.9; c -= 0.2) {
        const double s = sqrt(1 - c * c), last = depth * c + 0.5 * bent * s * s + flat * s;
        if (c < c0 && c * ball->beside < s * ball->over)
            most = larger(most, smaller(last, depth_by_ball(ball, c, s)));
    }
    return smaller(first, most);
}

double convex_outer_bound(const convex_pair *pair, const convex_result *result)
{
    const inner_ball ball = inner_ball_of(pair, result->normal);
    return larger(outer_bound_by(&ball, -result->low, result->bent, 0, result->cone),
                  outer_bound_by(&ball, -result->low, 0, result->flat, result->cone));
}
