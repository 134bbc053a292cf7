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

/* Adds to a quadratic form over the directions p and q: by half of it, times sin^2, at least, a body reaches beyond the
 * plane through its point across a direction that is turned from n by an angle, whatever that is. A rim of radius r
 * does by r (t . u)^2 for its tangent t, as the root of x^2 + y^2 is at least x + y^2 / 2 up to a root of 1. */
static void add_rim(const core_part *f, vec n, vec p, vec q, double form[3])
{
    if (f->rim > 0)
        add_square(unit_or(cross(f->axis, n), (vec){0, 0, 0}), f->rim, p, q, form);
}

/* The same of a line: by twice what it goes on to either side. */
static void add_line(const core_part *f, vec p, vec q, double form[3])
{
    if (f->n_lines == 1)
        add_square(f->lines[0], 2 * larger(f->within, 0), p, q, form);
}

/* How deep bodies stay by what they reach at any angle, which goes far where the depth is small against it: by the
 * angle phi the separation becomes -depth cos(phi) - form sin^2(phi) / 2 or less. */
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

/* How far n may turn where there is a line, by what that goes on to either side, w, and by the form of the rims: by the
 * angle phi the separation becomes -depth cos(phi) - form sin^2(phi) / 2 - w |s| sin(phi) or less, s being the share of
 * the line in the way that n turns. With h = tan(phi / 2), that is no better where h (depth - form / (1 + h^2)) is at
 * most w |s|. Of ways with less of the line than some s the form alone is enough; of all others, h of w s / depth. */
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

/* A bound on the third derivative of a rim's reach along directions that turn, and how far they may turn for it:
 * that reach is rim * s, s = sqrt(1 - c^2) with c = axis . n, and |s'''| <= |c| (4 + 3 / s^2). */
static double third_of(const core_part *f, vec n, double *cone)
{
    const double c = fabs(dot(f->axis, n)), s = norm(cross(f->axis, n));
    if (f->rim <= 0)
        return 0;
    *cone = smaller(*cone, s / 8);
    return f->rim * (1 + (c + 0.125) * (4 + 4 / (s * s)));
}

/* The formula below tells no more than this, in rad. */
#define NEARBY_MOST 0.5

/* How far n may turn before the bodies could be parted sooner, by what reaches beyond their points where neither is
 * flat nor both are lines: a line by `within`, and rims by their curvature. */
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

/* How far to all sides flat faces, or two lines, reach beyond their points; false: there is neither. */
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

/* Fills in how far the direction may turn, and by what that is known. */
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

/* A ball within the difference of the cores: how far its middle is along n and beside that, and its radius. */
typedef struct inner_ball {
    double over, beside, radius;
} inner_ball;

static inner_ball inner_ball_of(const convex_pair *pair, vec n)
{
    const vec    between = convex_between(pair);
    const double over = dot(between, n);
    return (inner_ball){over, norm(along(between, n, -over)), pair->a->inner + pair->b->inner};
}

/* The least depth along a direction at an angle from n, by the ball. */
static double depth_by_ball(const inner_ball *ball, double cosine, double sine)
{
    return ball->radius - cosine * ball->over - sine * ball->beside;
}

/* All directions beyond the cone are nearer to the opposite one, along which either the farthest point of the
 * difference or a ball around its middle lies so deep that they part it no better. */
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

/* What is known of parts tells it up to an angle, where it is the least at either end; beyond that the ball does.
 * Whichever angle is the best for both. */
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
