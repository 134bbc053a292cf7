/* SPDX-License-Identifier: MIT */
/* parts.c - two parts that face each other: Newton's method turns the direction until it fits them, and their points
 * slide until they face each other. */
#include "parts.h"

#define STEPS_MAX 12

/* rad: a step this small is the last, since the error that Newton's method leaves is its square. */
#define TURNED 3e-8

/* Lines closer to parallel than this count as parallel. */
#define PARALLEL 1e-8

/* A component of a unit vector below this may be only rounding error. */
#define ROUNDED 1e-15

bool part_face_along(core_part *f, vec d, double axial)
{
    if (f->rim <= 0)
        return true;
    vec    out = across(across(d, f->axis), f->axis); /* twice: a remainder along the axis would be magnified */
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

/* The motion of a rim's point as d turns: a turn by v moves it along u by weight (around . u) (around . v). */
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

/* One step of Newton's method; returns the turn of n, or infinity where no step is possible. */
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

/* Solves for a rim and a corner outside of it, whose nearest points have a closed form, since Newton's method may
 * diverge where they nearly touch. False: the parts are others. */
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

/* Solves for a rim and a line that n is perpendicular to: Newton's method for the angle of n about the line, with u = n
 * . axis, its derivative v, and s, the length of the axis across n. */
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
bool part_turn(core_part *a, core_part *b, vec *n)
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

/* Whether a cap, if the part is one, is perpendicular to the normal: on a tilted cap the nearest point is on the
 * rim. */
static bool is_level(const core_part *f, vec n, double tolerance)
{
    return f->cap <= 0 || f->cap * norm(cross(f->axis, n)) <= tolerance;
}

/* Slides the points along their lines and faces until they face each other. */
bool part_slide(core_part *a, core_part *b, vec n, double tolerance)
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

core_part part_of_edge(const polytope *p, const edge *e)
{
    const vec    from = p->corners[e->v[0]], run = sub(p->corners[e->v[1]], from);
    const double length = norm(run);
    return (core_part){.at = from, .lines = {scale(run, 1 / length)}, .n_lines = 1, .to = length};
}

core_part part_of_face(const polytope *p, const face *f)
{
    const vec u = perpendicular(f->normal);
    return (core_part){.at = p->corners[p->loops[f->first]], .lines = {u, cross(f->normal, u)}, .n_lines = 2};
}

void part_leave_corner(const polytope *p, uint32_t corner, vec n, vec t, kink *first)
{
    for (uint32_t k = p->ring_first[corner]; k < p->ring_first[corner + 1]; k++) {
        const vec    d = sub(p->corners[corner], p->around[k].at);
        const double down = -dot(t, d);
        if (down > 0)
            kink_take(first, dot(n, d) / down, EDGE, p->ring[k]);
    }
}

void part_leave_edge(const polytope *p, const edge *e, vec n, vec t, kink *first)
{
    const vec run = sub(p->corners[e->v[1]], p->corners[e->v[0]]);
    for (int k = 0; k < 2 && e->face[k] != NO_INDEX; k++) {
        const vec    into = cross(p->faces[e->face[k]].normal, k ? negate(run) : run);
        const double up = dot(t, into);
        if (up > 0)
            kink_take(first, -dot(n, into) / up, FACE, e->face[k]);
    }
}
