/* SPDX-License-Identifier: MIT */
/* polish.c - the direction and the points of bodies with rims, to the last digit.
 *
 * Along the best direction two points face each other: their difference is parallel to it. The last facet or simplex
 * tells what they lie on - a corner, a line, a rim, a side, a flat face - and then Newton's method finds where: a line
 * keeps the direction perpendicular to it, a flat face fixes it, and on a rim the point goes round as it turns. */
#include "parts.h"

#define STEPS_MAX 12

/* rad: after a step as small as this, what is left to turn is its square. */
#define TURNED 3e-8

/* Of the size: cores that are nearer than this may overlap but for rounding. */
#define NEAR 1e-6

/* Lines closer to parallel than this are one. */
#define PARALLEL 1e-8

/* A part of a unit vector that is no more than this may be all rounding. */
#define ROUNDED 1e-15

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
static core_part round_feature(const pcm_geometry *g, const vec *p, int n, vec mean, bool cap)
{
    core_part f = {.at = mean, .axis = {0, 0, 1}};
    double    low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        low = smaller(low, p[k].z);
        high = larger(high, p[k].z);
    }
    if (cap) {
        f.n_lines = 2;
        f.cap = g->rim;
        f.centre.z = mean.z;
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

static double from_line(vec x, vec p, vec q) { return norm(cross(sub(q, p), sub(x, p))) / norm(sub(q, p)); }

/* The corner, edge or face of a polytope that has the points as corners. */
static core_part flat_feature(const vec *p, int n, vec mean)
{
    core_part f = {.at = mean};
    vec       first = p[0], second = first;
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
    if (f.n_lines == 2)
        f.within =
            smaller(from_line(mean, p[0], p[1]), smaller(from_line(mean, p[1], p[2]), from_line(mean, p[2], p[0])));
    if (f.n_lines == 1) {
        f.from = -dot(sub(mean, first), f.lines[0]);
        f.to = f.from + norm(sub(second, first));
    }
    return f;
}

/* The points of one body in a simplex, in its own axes. */
typedef struct laid {
    const pcm_geometry *geometry;
    const placing      *at; /* NULL: a's axes are those of everything */
    vec                 p[3], mean;
    int                 n;
    bool                capped, level; /* they may be of a cap, and look like one */
} laid;

static void lay(const simplex *s, bool of_b, vec normal, laid *l)
{
    vec    mean = {0, 0, 0};
    double sum = 0;
    l->n = s->n;
    for (int k = 0; k < s->n; k++) {
        const vec p = of_b ? transform_back(l->at, s->v[k].b) : s->v[k].a;
        mean = along(mean, p, s->weight[k]);
        sum += s->weight[k];
        l->p[k] = p;
    }
    l->mean = scale(mean, 1 / sum);
    const vec  axis = l->at ? (vec){l->at->turn.row[0].z, l->at->turn.row[1].z, l->at->turn.row[2].z} : (vec){0, 0, 1};
    const bool round = l->geometry->rim > 0, wide = round && is_wide(l->p, l->n, l->geometry->rim);
    const bool axial = fabs(dot(axis, normal)) > 0.99;
    l->capped = round && (wide || axial);
    l->level = wide && axial;
}

static core_part feature_part(const laid *l, bool cap)
{
    const pcm_geometry *g = l->geometry;
    core_part           f = g->rim > 0 ? round_feature(g, l->p, l->n, l->mean, cap) : flat_feature(l->p, l->n, l->mean);
    if (!l->at)
        return f;
    f.at = transform(l->at, f.at);
    f.centre = transform(l->at, f.centre);
    f.axis = rotate(&l->at->turn, f.axis);
    for (int k = 0; k < f.n_lines; k++)
        f.lines[k] = rotate(&l->at->turn, f.lines[k]);
    return f;
}

bool part_face_along(core_part *f, vec d, double axial)
{
    if (f->rim <= 0)
        return true;
    vec    out = across(across(d, f->axis), f->axis); /* once more: what remains of the axis would be magnified */
    double s = norm(out);
    if (!(s > larger(axial, ROUNDED))) {
        out = across(sub(f->at, f->centre), f->axis);
        s = axial > 0 ? 0 : norm(out);
    }
    if (!(s > 0))
        return false;
    f->at = along(f->centre, out, f->rim / s);
    return true;
}

/* How the point of a rim goes as d turns: along u by weight (around . u) (around . v) where it turns along v. */
typedef struct bending {
    vec    around;
    double weight;
} bending;

static bending bending_of(const core_part *f, vec d)
{
    if (f->rim <= 0)
        return (bending){{0, 0, 0}, 0};
    const vec    around = cross(f->axis, d);
    const double s2 = dot(around, around);
    return (bending){around, f->rim / (s2 * sqrt(s2))};
}

int part_constraints(const core_part *a, const core_part *b, vec lines[2])
{
    int n = 0;
    if (a->n_lines == 2 || b->n_lines == 2) {
        const core_part *flat = a->n_lines == 2 ? a : b;
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

curvature part_curvature(const core_part *a, const core_part *b, vec n, const vec *line)
{
    curvature     c = {.p = line ? cross(*line, n) : perpendicular(n)};
    const double  sep = dot(n, sub(b->at, a->at));
    const bending of_a = bending_of(a, n), of_b = bending_of(b, n);
    c.q = cross(n, c.p);
    const double ap = dot(of_a.around, c.p), aq = dot(of_a.around, c.q);
    const double bp = dot(of_b.around, c.p), bq = dot(of_b.around, c.q);
    c.pp = sep + of_a.weight * ap * ap + of_b.weight * bp * bp;
    c.pq = of_a.weight * ap * aq + of_b.weight * bp * bq;
    c.qq = sep + of_a.weight * aq * aq + of_b.weight * bq * bq;
    return c;
}

/* One step of Newton's method; returns how far n has turned, infinity where it goes nowhere. */
static double step(const core_part *a, const core_part *b, const vec *line, vec *n)
{
    const curvature c = part_curvature(a, b, *n, line);
    const vec       w = sub(b->at, a->at);
    const double    gp = dot(c.p, w), gq = dot(c.q, w), det = c.pp * c.qq - c.pq * c.pq;
    if (!(c.pp > 0) || (!line && !(det > 0)))
        return INFINITY;
    const double dp = line ? gp / c.pp : (gp * c.qq - gq * c.pq) / det;
    const double dq = line ? 0 : (gq * c.pp - gp * c.pq) / det;
    const double length = sqrt(dp * dp + dq * dq), shorter = length > 0.1 ? 0.1 / length : 1;
    *n = unit_or(along(along(*n, c.p, dp * shorter), c.q, dq * shorter), *n);
    return length;
}

/* A rim and a corner beside it, whose nearest points follow from where they are: along the axis of a rim that they
 * nearly touch, Newton's method would go far astray. False: it is no such pair. */
static bool meet_corner(core_part *a, core_part *b, vec *n)
{
    core_part       *round = a->rim > 0 ? a : b;
    const core_part *corner = a->rim > 0 ? b : a;
    const vec        out = across(sub(corner->at, round->centre), round->axis);
    const double     s = norm(out);
    if (corner->rim > 0 || !(s > round->rim) || !(round->rim > 0))
        return false;
    round->at = along(round->centre, out, round->rim / s);
    const vec tangent = scale(cross(round->axis, out), 1 / s);
    *n = unit_or(across(sub(b->at, a->at), tangent), *n);
    return true;
}

/* A rim and a line, which n is perpendicular to: by the angle alone by which n turns about the line, from u = n . axis,
 * v = its change, and s, what of the axis is across n, along which the rim reaches. */
static bool turn_about(core_part *a, core_part *b, vec line, vec *n)
{
    const bool       a_is_round = a->rim > 0;
    const core_part *round = a_is_round ? a : b, *straight = a_is_round ? b : a;
    const vec        e = unit_or(across(*n, line), *n), f = cross(line, e), d = sub(straight->at, round->centre);
    const double     side = a_is_round ? 1 : -1, de = side * dot(e, d), df = side * dot(f, d);
    const double     ue = dot(e, round->axis), uf = dot(f, round->axis), along_line = dot(line, round->axis);
    double           c = 1, o = 0, length = 1; /* n = c e + o f */
    for (int i = 0; i < STEPS_MAX && length > TURNED; i++) {
        const double u = c * ue + o * uf, v = c * uf - o * ue, s2 = v * v + along_line * along_line, s = sqrt(s2),
                     per = round->rim / s;
        const double slope = c * df - o * de + u * v * per;
        const double bent = c * de + o * df - per * s2 + along_line * along_line * per / s2;
        if (!(s > larger(AXIAL, ROUNDED)) || !(bent > 0))
            return false;
        const double way = smaller(larger(slope / bent, -0.1), 0.1), w2 = way * way;
        const double unit = w2 < 1e-6 ? 1 - w2 * (0.5 - 0.375 * w2) : 1 / sqrt(1 + w2), x = c, y = o;
        c = unit * (x - way * y);
        o = unit * (y + way * x);
        length = fabs(way);
    }
    *n = add(scale(e, c), scale(f, o));
    return part_face_along(a, *n, AXIAL) && part_face_along(b, negate(*n), AXIAL);
}

/* Turns n until the points face each other; false: the features do not fit. */
static bool turn(core_part *a, core_part *b, vec *n)
{
    vec       lines[2];
    const int n_lines = part_constraints(a, b, lines);
    if (n_lines == 0 && meet_corner(a, b, n))
        return true;
    if (n_lines == 2) {
        const vec m = unit_or(cross(lines[0], lines[1]), *n);
        *n = dot(m, *n) < 0 ? negate(m) : m;
        return part_face_along(a, *n, 0) && part_face_along(b, negate(*n), 0);
    }
    if (n_lines == 1 && (a->rim > 0) != (b->rim > 0) && (a->rim > 0 ? a : b)->n_lines == 0)
        return turn_about(a, b, lines[0], n);
    for (double length = 1, i = 0; i < STEPS_MAX && length > TURNED; i++) {
        if (n_lines == 1)
            *n = unit_or(across(*n, lines[0]), *n);
        if (!part_face_along(a, *n, AXIAL) || !part_face_along(b, negate(*n), AXIAL))
            return false;
        length = step(a, b, n_lines == 1 ? lines : NULL, n);
        if (length == INFINITY)
            return false;
    }
    if (n_lines == 1)
        *n = unit_or(across(*n, lines[0]), *n);
    return part_face_along(a, *n, AXIAL) && part_face_along(b, negate(*n), AXIAL);
}

/* Moves a point along its line; false: beyond the line's end. */
static bool slide_along(core_part *f, double way, double tolerance)
{
    f->at = along(f->at, f->lines[0], way);
    f->within = smaller(way - f->from, f->to - way);
    return way >= f->from - tolerance && way <= f->to + tolerance;
}

/* Moves a point over its face; false: beyond the rim of a cap. */
static bool slide_over(core_part *f, vec way, double tolerance)
{
    f->at = add(f->at, way);
    f->within = f->cap > 0 ? f->cap - norm(across(sub(f->at, f->centre), f->axis)) : f->within - norm(way);
    return f->cap <= 0 || f->within >= -tolerance;
}

/* Whether a cap, if it is one, looks along the normal: of one that is tilted a point of the rim is the nearest. */
static bool is_level(const core_part *f, vec n, double tolerance)
{
    return f->cap <= 0 || f->cap * norm(cross(f->axis, n)) <= tolerance;
}

/* Slides the points along their lines and faces until they face each other. */
static bool slide(core_part *a, core_part *b, vec n, double tolerance)
{
    if (!is_level(a, n, tolerance) || !is_level(b, n, tolerance))
        return false;
    const vec r = across(sub(b->at, a->at), n), e = a->lines[0], f = b->lines[0];
    if (a->n_lines == 2 && (b->n_lines < 2 || a->cap > b->cap))
        return slide_over(a, r, tolerance);
    if (b->n_lines == 2)
        return slide_over(b, negate(r), tolerance);
    const vec    m = cross(e, f);
    const double det = dot(m, m);
    if (a->n_lines && b->n_lines && det > PARALLEL * PARALLEL)
        return slide_along(a, dot(cross(r, f), m) / det, tolerance) &&
               slide_along(b, dot(cross(r, e), m) / det, tolerance);
    if (a->n_lines)
        return slide_along(a, dot(r, e), tolerance);
    return b->n_lines == 0 || slide_along(b, -dot(r, f), tolerance);
}

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
static double least_around(const core_part *a, const core_part *b, vec n)
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
static double margin_on_line(const core_part *a, const core_part *b, vec n, vec line, double depth)
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
static double third_of(const core_part *f, vec n, double *margin)
{
    const double c = fabs(dot(f->axis, n)), s = norm(cross(f->axis, n));
    if (f->rim <= 0)
        return 0;
    *margin = smaller(*margin, s / 8);
    return f->rim * (1 + (c + 0.125) * (4 + 4 / (s * s)));
}

/* The formula below tells no more than this, in rad. */
#define NEARBY_MOST 0.5

/* How far n may turn before the bodies could be parted sooner, by what reaches beyond their points where neither is
 * flat nor both are lines: a line by `within`, and rims by their curvature. */
static double margin_nearby(const core_part *a, const core_part *b, vec n, double depth)
{
    vec             lines[2];
    const int       n_lines = part_constraints(a, b, lines);
    const curvature c = part_curvature(a, b, n, n_lines ? lines : NULL);
    double          margin = NEARBY_MOST;
    const double    third = depth + third_of(a, n, &margin) + third_of(b, n, &margin);
    if (n_lines == 0)
        return smaller(margin, 3 * (0.5 * (c.pp + c.qq) - hypot(0.5 * (c.pp - c.qq), c.pq)) / third);
    const double within = larger(a->n_lines ? a->within : 0, b->n_lines ? b->within : 0);
    margin = smaller(margin, smaller(1.5 * c.pp / third, 1.9 * within / (2 * fabs(c.pq) + c.pp + fabs(c.qq))));
    return larger(margin, margin_on_line(a, b, n, lines[0], depth));
}

/* How far to all sides flat faces, or two lines, reach beyond their points; false: there is neither. */
static bool is_flat(const core_part *a, const core_part *b, double *reach)
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
static void find_margin(const core_part *a, const core_part *b, convex_result *result)
{
    const vec    n = result->normal;
    const double depth = dot(n, sub(a->at, b->at));
    result->margin = result->bent = result->flat = 0;
    result->cosine = 1;
    if (!(depth > 0))
        return;
    const bool flat = is_flat(a, b, &result->flat);
    result->bent = least_around(a, b, n);
    /* The tangent of half of the margin. */
    const double bent = result->bent > depth ? sqrt((result->bent - depth) / depth) : 0;
    const double half = larger(bent, flat ? result->flat / depth : 0), less = 0.999 * half;
    result->margin = 2 * atan(half);
    result->cosine = (1 - less * less) / (1 + less * less);
    if (flat || !(result->margin < NEARBY_MOST))
        return;
    result->margin = larger(result->margin, margin_nearby(a, b, n, depth));
    result->cosine = cos(0.999 * result->margin);
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

/* All directions beyond the margin are nearer to the opposite one, along which either the farthest point of the
 * difference or a ball around its middle lies so deep that they part it no better. */
bool convex_alone(convex_pair *pair, const convex_result *result)
{
    const vec    n = result->normal;
    const double cosine = result->cosine, sine = sqrt(1 - cosine * cosine), depth = -result->low;
    if (!(depth > 0) || !(result->margin > 0))
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
static double rival_by(const inner_ball *ball, double depth, double bent, double flat, double margin)
{
    const double c0 = cos(0.5 * margin), s0 = sin(0.5 * margin);
    const double first = depth * c0 + 0.5 * bent * s0 * s0 + flat * s0;
    double       most = -INFINITY;
    for (double c = 0.6; c > -0.9; c -= 0.2) {
        const double s = sqrt(1 - c * c), last = depth * c + 0.5 * bent * s * s + flat * s;
        if (c < c0 && c * ball->beside < s * ball->over)
            most = larger(most, smaller(last, depth_by_ball(ball, c, s)));
    }
    return smaller(first, most);
}

double convex_rival(const convex_pair *pair, const convex_result *result)
{
    const inner_ball ball = inner_ball_of(pair, result->normal);
    return larger(rival_by(&ball, -result->low, result->bent, 0, result->margin),
                  rival_by(&ball, -result->low, 0, result->flat, result->margin));
}

/* Of a face only the triangle is known: beyond it the point must still be in the body. */
static bool is_on(const laid *on, const core_part *f, vec out, double tolerance)
{
    const vec p = along(f->at, out, -tolerance);
    outside   beyond;
    return f->n_lines < 2 || f->within >= -tolerance ||
           (f->cap <= 0 && convex_outside(on->geometry, on->at ? transform_back(on->at, p) : p, &beyond) &&
            beyond.sep <= tolerance);
}

/* Takes the parts for the answer along n; false: they do not explain the result. */
static bool explain(convex_pair *pair, const core_part *a, const core_part *b, vec n, convex_result *result)
{
    const vec    w = sub(b->at, a->at);
    const double sep = sep_along(pair, n), rounding = 64 * pair->rounding;
    if (!(sep >= result->low - pair->closed) || !(norm(across(w, n)) <= rounding) ||
        !(fabs(dot(n, w) - sep) <= rounding))
        return false;
    result->normal = n;
    result->on_a = a->at;
    result->on_b = b->at;
    result->sep = dot(n, w);
    result->low = larger(result->low, sep);
    result->high = smaller(result->high, norm(w));
    find_margin(a, b, result);
    return true;
}

static void note(const convex_pair *pair, const core_part *a, const core_part *b)
{
    convex_memory *memory = pair->memory;
    if (!memory)
        return;
    const placing here = placing_identity(), back = placing_relative(&pair->b_in_a, &here);
    memory->met[0] = *a;
    memory->met[1] = part_placed(b, &back);
    memory->polished = true;
}

/* False: what the points lie on does not explain the result. */
static bool polish_on(convex_pair *pair, const laid *on_a, const laid *on_b, bool cap_a, bool cap_b,
                      convex_result *result)
{
    const double    tolerance = 1e-13 * pair->size;
    const core_part from_a = feature_part(on_a, cap_a), from_b = feature_part(on_b, cap_b);
    core_part       a = from_a, b = from_b;
    vec             n = result->normal;
    if (!turn(&a, &b, &n) || !slide(&a, &b, n, tolerance) || !is_on(on_a, &a, n, tolerance) ||
        !is_on(on_b, &b, negate(n), tolerance) || !explain(pair, &a, &b, n, result))
        return false;
    note(pair, &from_a, &from_b);
    return true;
}

bool convex_polish_parts(convex_pair *pair, core_part a, core_part b, convex_result *result)
{
    const double    tolerance = 1e-13 * pair->size;
    const core_part from_a = a, from_b = b;
    vec             n = result->normal;
    if (!turn(&a, &b, &n) || !slide(&a, &b, n, tolerance) || (a.n_lines == 2 && !(a.within >= -tolerance)) ||
        (b.n_lines == 2 && !(b.within >= -tolerance)) || !explain(pair, &a, &b, n, result))
        return false;
    note(pair, &from_a, &from_b);
    return true;
}

void convex_align(convex_pair *pair, convex_result *result)
{
    const vec    n = result->normal, middle = scale(add(result->on_a, result->on_b), 0.5);
    const double highest = dot(n, support_a(pair, n));
    result->sep = result->low;
    result->on_a = along(middle, n, highest - dot(n, middle));
    result->on_b = along(middle, n, highest + result->low - dot(n, middle));
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

/* Points that lie far apart on a rim may span a cap or, early in a search, be points of the rim; so may one point,
 * where the normal is near the axis: a corner beside it may lie over the cap. Points of hardly any weight may lie on
 * something else. */
bool convex_polish(convex_pair *pair, simplex s, convex_result *result)
{
    laid a = {.geometry = pair->a}, b = {.geometry = pair->b, .at = &pair->b_in_a};
    for (; s.n > 0; drop_lightest(&s)) {
        lay(&s, false, result->normal, &a);
        lay(&s, true, result->normal, &b);
        for (int k = 0; k < 4; k++) {
            const bool other_a = k & 1, other_b = k & 2;
            if ((a.capped || !other_a) && (b.capped || !other_b) &&
                polish_on(pair, &a, &b, a.level != other_a, b.level != other_b, result))
                return true;
        }
    }
    return false;
}

/* ---- The same features again ------------------------------------------------------------------------------------- */

core_part part_placed(const core_part *f, const placing *at)
{
    core_part g = *f;
    g.at = transform(at, f->at);
    if (f->rim > 0 || f->cap > 0) {
        g.centre = transform(at, f->centre);
        g.axis = rotate(&at->turn, f->axis);
    }
    for (int k = 0; k < f->n_lines; k++)
        g.lines[k] = rotate(&at->turn, f->lines[k]);
    return g;
}

bool convex_polish_again(convex_pair *pair, convex_result *result)
{
    const core_part *met = pair->memory->met;
    return pair->memory->polished && convex_polish_parts(pair, met[0], part_placed(&met[1], &pair->b_in_a), result);
}

/* The face whose plane a flat part of a polytope lies in, both in its own axes; NULL: there is none. */
static const face *face_of(const polytope *p, const core_part *f, vec out, double tolerance)
{
    const face *best = NULL;
    double      most = 1 - 1e-12;
    for (uint32_t k = 0; k < p->n_faces && f->n_lines == 2 && f->cap <= 0; k++)
        if (dot(p->faces[k].normal, out) > most) {
            most = dot(p->faces[k].normal, out);
            best = &p->faces[k];
        }
    return best && fabs(dot(best->normal, f->at) - best->offset) <= tolerance ? best : NULL;
}

bool part_spreads(const polytope *p, const face *f, vec at, double wanted, double *least)
{
    const uint32_t *loop = p->loops + f->first;
    bool            enough = true;
    for (uint32_t k = 0; k < f->count; k++) {
        const vec    from = p->corners[loop[k]], run = sub(p->corners[loop[k + 1 < f->count ? k + 1 : 0]], from);
        const double inside = dot(cross(f->normal, run), sub(at, from));
        enough = enough && inside >= 0 && inside * inside >= wanted * wanted * dot(run, run);
        if (least)
            *least = smaller(*least, inside / norm(run));
    }
    return enough;
}

double convex_margin(convex_pair *pair, const convex_result *result)
{
    convex_memory *memory = pair->memory;
    const placing *at = &pair->b_in_a;
    const vec      on_b = transform_back(at, result->on_b), out = rotate_back(&at->turn, negate(result->normal));
    convex_proof  *proof = &memory->proof;
    double         within = 0, least = INFINITY;
    proof->a = memory->met[0];
    proof->b = memory->met[1];
    proof->a.face = face_of(&pair->a->core, &proof->a, result->normal, 1e-13 * pair->size);
    proof->b.face = face_of(&pair->b->core, &proof->b, out, 1e-13 * pair->size);
    if (proof->a.face && part_spreads(&pair->a->core, proof->a.face, result->on_a, 0, &least))
        within = least;
    least = INFINITY;
    if (proof->b.face && part_spreads(&pair->b->core, proof->b.face, on_b, 0, &least))
        within = larger(within, least);
    return larger(result->margin, result->sep < 0 ? 2 * atan(within / -result->sep) : 0);
}

void convex_prove(const convex_pair *pair, const convex_result *result, double rival)
{
    convex_proof *proof = &pair->memory->proof;
    proof->normal = pair->memory->normal = pair->memory->ahead = result->normal;
    proof->b_in_a = pair->b_in_a;
    proof->rival = rival;
    proof->margin = result->margin;
    proof->tangent = tan(0.375 * result->margin);
    proof->cosine = cos(0.75 * result->margin);
    pair->memory->proven = true;
    pair->memory->lasted = 0;
}

double convex_moved_by(const convex_pair *pair, const placing *then)
{
    const pcm_geometry *b = pair->b;
    const vec far = {larger(-b->low.x, b->high.x), larger(-b->low.y, b->high.y), larger(-b->low.z, b->high.z)};
    double    square = 0; /* of all entries of the difference of two rotations: twice that of its reach */
    for (int i = 0; i < 3; i++) {
        const vec d = sub(pair->b_in_a.turn.row[i], then->turn.row[i]);
        square += dot(d, d);
    }
    return norm(sub(pair->b_in_a.at, then->at)) + sqrt(0.5 * square * dot(far, far));
}

/* Whether a flat part has its point, which is given in its own axes. */
static bool holds(const polytope *p, const core_part *f, vec at)
{
    return f->n_lines < 2 || (f->face ? part_spreads(p, f->face, at, 0, NULL) : f->within >= 0);
}

/* Whether the margin about n is three quarters of what it was, at least: by the formulas of find_margin. */
static bool has_margin(const convex_pair *pair, const core_part *a, const core_part *b, vec n, double depth)
{
    const convex_proof *proof = &pair->memory->proof;
    const double        wanted = depth * proof->tangent;
    double              reach;
    if (a->face && part_spreads(&pair->a->core, a->face, a->at, wanted, NULL))
        return true;
    if (b->face && part_spreads(&pair->b->core, b->face, transform_back(&pair->b_in_a, b->at), wanted, NULL))
        return true;
    const bool flat = is_flat(a, b, &reach);
    if (flat && reach >= wanted)
        return true;
    const double least = least_around(a, b, n);
    return (least > depth && 2 * depth / least - 1 <= proof->cosine) ||
           (!flat && margin_nearby(a, b, n, depth) >= 0.75 * proof->margin);
}

/* Turns n and the parts until they face each other where the bodies are now. */
static bool face_again(const convex_pair *pair, core_part *a, core_part *b, vec *n)
{
    if (!a->face && !b->face)
        return turn(a, b, n) && slide(a, b, *n, 1e-13 * pair->size);
    *n = a->face ? a->face->normal : negate(rotate(&pair->b_in_a.turn, b->face->normal));
    return part_face_along(a, *n, 0) && part_face_along(b, negate(*n), 0) && slide(a, b, *n, 1e-13 * pair->size);
}

static bool is_proven(convex_pair *pair, convex_result *result)
{
    convex_memory      *memory = pair->memory;
    const convex_proof *proof = &memory->proof;
    if (convex_facet_again(pair, result))
        return true;
    core_part a = proof->a, b = part_placed(&proof->b, &pair->b_in_a);
    vec       n = memory->ahead;
    if (!face_again(pair, &a, &b, &n) || !holds(&pair->a->core, &a, a.at) ||
        !holds(&pair->b->core, &b, transform_back(&pair->b_in_a, b.at)))
        return false;
    const vec    w = sub(b.at, a.at), turned = sub(n, proof->normal);
    const double gap = dot(n, w), aside = 0.25 * proof->margin / 1.1;
    if (!(gap > NEAR * pair->size)) {
        const double left = proof->rival - convex_moved_by(pair, &proof->b_in_a);
        if (!(gap < 0 && -gap <= left && dot(turned, turned) <= aside * aside && has_margin(pair, &a, &b, n, -gap)))
            return false;
    }
    pair->at_a = memory->seed[0].at_a;
    pair->at_b = memory->seed[0].at_b;
    const double sep = sep_along(pair, n), rounding = pair->rims ? 64 * pair->rounding : pair->closed;
    if (!(norm(across(w, n)) <= 64 * pair->rounding) || !(fabs(gap - sep) <= rounding))
        return false;
    memory->ahead = unit_or(along(n, sub(n, memory->normal), 1), n);
    memory->normal = n;
    *result =
        (convex_result){.sep = gap, .low = sep, .high = larger(sep, gap), .normal = n, .on_a = a.at, .on_b = b.at};
    if (pair->rims && gap < 0)
        result->high = sep;
    result->supported = true;
    return true;
}

/* Where proofs do not last for two steps they are not worth their making, and made ever more seldom. */
bool convex_proven_again(convex_pair *pair, convex_result *result)
{
    convex_memory *memory = pair->memory;
    memory->proven = is_proven(pair, result);
    if (memory->proven) {
        memory->lasted = (uint8_t)(memory->lasted + (memory->lasted < 2));
        return true;
    }
    memory->pause = (uint8_t)(memory->lasted == 2 ? 0 : memory->pause < 31 ? 2 * memory->pause + 1 : 63);
    memory->rest = memory->pause;
    return false;
}
