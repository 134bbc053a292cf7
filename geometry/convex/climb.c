/* SPDX-License-Identifier: MIT */
/* climb.c - the separation of bodies with rims that overlap a little, by a local search from part to part.
 *
 * Each core stands on a part: a corner, an edge or a face, or a rim, a side or a cap. For two parts Newton's method
 * gives the direction of greatest separation. On the way to it a part grows where a neighbouring point of the core
 * reaches as far (a corner becomes an edge). At that direction a part shrinks where the other core's point lies beyond
 * its end. A pair of parts that neither grows nor shrinks is a local optimum. It is the answer once no direction
 * outside its cone is better (cone.c, optimum.c). */
#include "parts.h"

#define STEPS_MAX 24

/* The most local optima that a search visits. */
#define CLIMBS_MAX 8

/* The most points that represent the extent of a part. */
#define PART_ENDS 4u

/* rad: with a narrower cone the test would need many points. */
#define CONE_LEAST 0.02

/* rad: the widest cone for which the test is run. */
#define LEAN_MOST 1.4

/* rad: the longest turn in one step; the turn below which the iteration has converged and the ends of parts are
 * checked; and the angle to its axis below which a direction turns a rim into its cap. */
#define TURN_MOST 0.7
#define ARRIVED   0.02
#define CAPTURE   0.15

/* The part that a core stands on. */
typedef struct stance {
    const pcm_geometry *geometry;
    const placing      *at; /* NULL: the core's axes are a's */
    core_part           part;
    stand               on;
    uint32_t            index; /* the number of the corner, edge or face */
    double              end;   /* side of the rim or cap: 1 or -1 */
    bool                left;  /* it has left a cap that was too small */
} stance;

typedef struct climb {
    convex_pair *pair;
    stance       a, b;
    vec          n;
} climb;

/* A direction or a turn, given in a's axes, in the core's own axes and with the core's sign: b faces the opposite
 * way. */
static vec own(const stance *f, vec d) { return f->at ? rotate_back(&f->at->turn, negate(d)) : d; }

/* ---- Footings ---------------------------------------------------------------------------------------------------- */

static core_part round_part(const pcm_geometry *g, stand on, double end)
{
    core_part f = {.axis = {0, 0, 1}, .centre = {0, 0, on == SIDE ? 0 : end * g->half}};
    f.at = f.centre;
    if (on == CAP) {
        f.cap = g->rim;
        f.n_lines = 2;
        f.lines[0] = (vec){1, 0, 0};
        f.lines[1] = (vec){0, 1, 0};
        return f;
    }
    f.rim = g->rim;
    if (on == SIDE) {
        f.n_lines = 1;
        f.lines[0] = f.axis;
        f.from = -g->half;
        f.to = g->half;
    }
    return f;
}

static void stand_on(stance *f, stand on, uint32_t index)
{
    const polytope *p = &f->geometry->core;
    f->on = on;
    f->index = index;
    f->part = on == CORNER ? (core_part){.at = p->corners[index]}
              : on == EDGE ? part_of_edge(p, &p->edges[index])
              : on == FACE ? part_of_face(p, &p->faces[index])
                           : round_part(f->geometry, on, f->end);
    if (f->at)
        f->part = part_placed(&f->part, f->at);
}

/* Stands on the corner or rim that is the farthest along the direction. */
static void stand_farthest(stance *f, uint32_t corner, vec n)
{
    f->end = own(f, n).z < 0 ? -1 : 1;
    stand_on(f, f->geometry->rim > 0 ? RIM : CORNER, corner);
}

static void stand_along(climb *c, vec n)
{
    const vertex v = support_of(c->pair, n);
    c->n = n;
    stand_farthest(&c->a, v.at_a, n);
    stand_farthest(&c->b, v.at_b, n);
}

/* ---- Turns that make parts grow ---------------------------------------------------------------------------------- */

static void leave_rim(const stance *f, vec n, vec t, kink *first)
{
    const double across2 = t.x * t.x + t.y * t.y, nearest = -(n.x * t.x + n.y * t.y) / across2;
    if (f->geometry->half > 0 && t.z * f->end < 0)
        kink_take(first, -n.z / t.z, SIDE, 0);
    if (f->left || !(across2 > 0))
        return;
    const double when = smaller(larger(nearest, 0), 1);
    const double x = n.x + when * t.x, y = n.y + when * t.y;
    if (x * x + y * y < CAPTURE * CAPTURE)
        kink_take(first, smaller(when, 0.999999), CAP, 0);
}

/* The share of the turn t at which a core first stands on a larger part, and which. */
static kink first_kink(const stance *f, vec n, vec t)
{
    const polytope *p = &f->geometry->core;
    const vec       m = own(f, n), turn = own(f, t);
    kink            first = {1, f->on, 0};
    if (f->on == CORNER)
        part_leave_corner(p, f->index, m, turn, &first);
    else if (f->on == EDGE)
        part_leave_edge(p, &p->edges[f->index], m, turn, &first);
    else if (f->on == RIM)
        leave_rim(f, m, turn, &first);
    return first;
}

/* Turns the direction by t, or as far as the first core that stands on a larger part; false: no core does. */
static bool move(climb *c, vec t)
{
    const kink of_a = first_kink(&c->a, c->n, t), of_b = first_kink(&c->b, c->n, t);
    const bool first = of_a.when <= of_b.when;
    const kink k = first ? of_a : of_b;
    stance    *f = first ? &c->a : &c->b, *other = first ? &c->b : &c->a;
    c->n = unit_or(along(c->n, t, k.when), c->n);
    if (!(k.when < 1))
        return false;
    stand_on(f, k.on, k.index);
    if (k.on == CAP) {
        const vec up = {0, 0, f->end};
        c->n = f->at ? negate(rotate(&f->at->turn, up)) : up;
        const vertex v = support_of(c->pair, c->n);
        stand_farthest(other, first ? v.at_b : v.at_a, c->n);
    }
    return true;
}

/* The turn to the maximum of a separation whose first derivative is g and whose second derivative is -bend; at most
 * TURN_MOST. */
static double rise_of(double g, double bend)
{
    const double way = bend > 0 ? fabs(g) / bend : g != 0 ? TURN_MOST : 0;
    return copysign(smaller(way, TURN_MOST), g);
}

/* The turn towards the maximum for two parts, along the principal directions of its curvature. */
static vec ascent(const climb *c, const vec *line)
{
    const curvature k = part_curvature(&c->a.part, &c->b.part, c->n, line);
    const vec       w = sub(c->b.part.at, c->a.part.at);
    if (line)
        return scale(k.p, rise_of(dot(k.p, w), k.pp));
    const double half = 0.5 * (k.pp - k.qq), root = sqrt(half * half + k.pq * k.pq), mean = 0.5 * (k.pp + k.qq);
    const double cosine = root > 0 ? sqrt(0.5 * (1 + half / root)) : 1;
    const double sine = cosine > 0 && root > 0 ? k.pq / (2 * root * cosine) : root > 0;
    const vec    u = along(scale(k.p, cosine), k.q, sine), v = along(scale(k.q, cosine), k.p, -sine);
    return along(scale(u, rise_of(dot(u, w), mean + root)), v, rise_of(dot(v, w), mean - root));
}

/* ---- Shrinking parts --------------------------------------------------------------------------------------------- */

typedef enum arrival { SETTLED, SHRUNK, LOST } arrival;

/* Moves to the end of a line where the other core's point lies beyond it; that point is `way` from the part's own. */
static arrival end_line(stance *f, double way)
{
    if (way >= f->part.from && way <= f->part.to)
        return SETTLED;
    const bool low = way < f->part.from;
    f->end = low ? -1 : 1;
    if (f->on == SIDE)
        stand_on(f, RIM, 0);
    else
        stand_on(f, CORNER, f->geometry->core.edges[f->index].v[!low]);
    return SHRUNK;
}

/* Moves from a cap to its rim where the other core's point lies beyond the rim, and turns the direction towards that
 * point. */
static arrival end_cap(climb *c, stance *f, const stance *other, vec foot)
{
    const double out = hypot(foot.x, foot.y), over = out - f->geometry->rim;
    if (over <= 0)
        return SETTLED;
    const vec  away = {foot.x / out, foot.y / out, 0};
    const vec  t = f->at ? negate(rotate(&f->at->turn, away)) : away;
    curvature  k;
    core_part  point = {.at = f->part.at};
    const bool first = !f->at;
    k = first ? part_curvature(&point, &other->part, c->n, NULL) : part_curvature(&other->part, &point, c->n, NULL);
    const double x = dot(t, k.p), y = dot(t, k.q), bend = k.pp * x * x + 2 * k.pq * x * y + k.qq * y * y;
    f->left = true;
    stand_on(f, RIM, 0);
    if (other->part.n_lines > 0)
        return LOST;
    move(c, scale(t, bend > 0 ? smaller(over / bend, TURN_MOST) : TURN_MOST));
    return SHRUNK;
}

/* Moves from a face to the side that the other core's point is farthest beyond. */
static arrival end_face(stance *f, vec foot)
{
    const polytope *p = &f->geometry->core;
    const face     *on = &p->faces[f->index];
    double          least = INFINITY;
    uint32_t        side = 0;
    for (uint32_t k = on->first; k < on->first + on->count; k++) {
        const vec    from = p->corners[p->loops[k]];
        const vec    to = p->corners[p->loops[k + 1 < on->first + on->count ? k + 1 : on->first]], run = sub(to, from);
        const double inside = dot(cross(on->normal, run), sub(foot, from)) / norm(run);
        side = inside < least ? k : side;
        least = smaller(least, inside);
    }
    if (least < 0) {
        stand_on(f, EDGE, p->loop_edges[side]);
        return SHRUNK;
    }
    f->part.at = f->at ? transform(f->at, foot) : foot;
    f->part.within = least;
    return SETTLED;
}

static arrival end_flat(climb *c, stance *f, const stance *other)
{
    const vec at = along(other->part.at, c->n, -dot(c->n, sub(other->part.at, f->part.at)));
    const vec foot = f->at ? transform_back(f->at, at) : at;
    return f->on == CAP ? end_cap(c, f, other, foot) : end_face(f, foot);
}

/* Checks whether the points that face each other lie on the parts, and shrinks a part where they do not. */
static arrival arrive(climb *c)
{
    const core_part *a = &c->a.part, *b = &c->b.part;
    if (a->n_lines == 2)
        return end_flat(c, &c->a, &c->b);
    if (b->n_lines == 2)
        return end_flat(c, &c->b, &c->a);
    const vec r = across(sub(b->at, a->at), c->n), e = a->lines[0], f = b->lines[0];
    if (a->n_lines + b->n_lines == 2) {
        const vec     m = cross(e, f);
        const double  det = dot(m, m);
        const arrival of_a = end_line(&c->a, dot(cross(r, f), m) / det);
        return of_a == SETTLED ? end_line(&c->b, dot(cross(r, e), m) / det) : of_a;
    }
    return a->n_lines ? end_line(&c->a, dot(r, e)) : b->n_lines ? end_line(&c->b, -dot(r, f)) : SETTLED;
}

/* Whether the search has reached a local optimum. */
static bool rest(climb *c)
{
    for (int i = 0; i < STEPS_MAX; i++) {
        core_part *a = &c->a.part, *b = &c->b.part;
        vec        lines[2];
        const int  n_lines = part_constraints(a, b, lines);
        double     length = 0;
        if (n_lines == 2) {
            const vec m = unit_or(cross(lines[0], lines[1]), c->n);
            c->n = dot(m, c->n) < 0 ? negate(m) : m;
        } else if (n_lines == 1) {
            c->n = unit_or(across(c->n, lines[0]), c->n);
        }
        if (!part_face_along(a, c->n, AXIAL) || !part_face_along(b, negate(c->n), AXIAL))
            return false;
        if (n_lines < 2) {
            const vec t = ascent(c, n_lines ? lines : NULL);
            length = norm(t);
            if (move(c, t))
                continue;
        }
        if (length > ARRIVED)
            continue;
        const arrival now = arrive(c);
        if (now != SHRUNK)
            return now == SETTLED;
    }
    return false;
}

/* ---- The answer -------------------------------------------------------------------------------------------------- */

/* A direction to start from, and the part that one of the cores stands on there: FACE, CAP or SIDE; CORNER: not
 * known. */
typedef struct heading {
    vec   n;
    stand on;
    bool  of_b;
} heading;

static vec ahead(vec n, vec between) { return dot(n, between) < 0 ? negate(n) : n; }

/* Tries the directions along the axis of a rim, and across it. */
static unsigned try_round(heading *t, vec axis, bool sides, bool of_b, vec between)
{
    const vec beside = across(between, axis);
    t[0] = (heading){ahead(axis, between), CAP, of_b};
    t[1] = (heading){unit_or(beside, between), SIDE, of_b};
    return sides && dot(beside, beside) > 0 ? 2 : 1;
}

/* Tries the normals of a box's faces. */
static unsigned try_box(heading *t, const mat *turn, bool of_b, vec between)
{
    const vec *r = turn->row;
    const vec  axes[3] = {{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}};
    for (int k = 0; k < 3; k++)
        t[k] = (heading){ahead(axes[k], between), FACE, of_b};
    return 3;
}

static uint32_t face_along(const polytope *p, vec n)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < p->n_faces; k++)
        best = dot(p->faces[k].normal, n) > dot(p->faces[best].normal, n) ? k : best;
    return best;
}

static bool is_symmetric(const pcm_geometry *g) { return g->rim > 0 || g->kind == PCM_BOX; }

/* How far a core that is symmetric about its origin extends along d, in its own axes. */
static inline double reach_of(const pcm_geometry *g, vec d)
{
    const vec h = g->high;
    return g->rim > 0 ? g->half * fabs(d.z) + g->rim * sqrt(d.x * d.x + d.y * d.y)
                      : fabs(d.x) * h.x + fabs(d.y) * h.y + fabs(d.z) * h.z;
}

/* The separation along a direction. */
static inline double parted(convex_pair *pair, bool symmetric, vec n)
{
    if (!symmetric)
        return sep_along(pair, n);
    return dot(n, pair->b_in_a.at) - reach_of(pair->a, n) - reach_of(pair->b, rotate_back(&pair->b_in_a.turn, n));
}

/* Starts along the best of a few directions: from middle to middle, along and across the axes of rims, and along the
 * normals of boxes. False: the cores are apart along one of them. */
static bool start(climb *c, vec between)
{
    convex_pair  *pair = c->pair;
    const placing here = placing_identity();
    heading       tries[1 + 2 * 3] = {{between, CORNER, false}};
    unsigned      n = 1;
    for (int k = 0; k < 2; k++) {
        const pcm_geometry *g = k ? pair->b : pair->a;
        const mat          *turn = k ? &pair->b_in_a.turn : &here.turn;
        if (g->rim > 0)
            n += try_round(tries + n, (vec){turn->row[0].z, turn->row[1].z, turn->row[2].z}, g->half > 0, k, between);
        else if (g->kind == PCM_BOX)
            n += try_box(tries + n, turn, k, between);
    }
    const bool     symmetric = is_symmetric(pair->a) && is_symmetric(pair->b);
    double         best = -INFINITY;
    const heading *t = tries;
    for (unsigned k = 0; k < n; k++) {
        const double sep = parted(pair, symmetric, tries[k].n);
        if (sep > 0)
            return false;
        t = sep > best ? &tries[k] : t;
        best = larger(sep, best);
    }
    stand_along(c, t->n);
    stance *f = t->of_b ? &c->b : &c->a;
    if (t->on != CORNER)
        stand_on(f, t->on, t->on == FACE ? face_along(&f->geometry->core, own(f, t->n)) : 0);
    return true;
}

/* Whether the core has tables of corners and edges; triangles of a grid have none. */
static bool is_known(const pcm_geometry *g) { return g->rim > 0 || g->core.n_edges > 0; }

/* The separation of a point from a core, in the core's axes; 0 where there is no closed form. */
static double outside_of(const pcm_geometry *core, vec p)
{
    outside out;
    return convex_outside(core, p, &out) ? out.sep : 0;
}

/* Whether one point of a core is as deep in the other core as the whole core is: then no direction can be better. */
static bool is_as_deep(const climb *c, convex_result *result)
{
    const convex_pair *pair = c->pair;
    double             most = 0;
    if (c->a.part.n_lines == 2 || (c->a.on == SIDE && c->b.on == CORNER))
        most = smaller(most, outside_of(pair->a, result->on_b));
    if (c->b.part.n_lines == 2 || (c->b.on == SIDE && c->a.on == CORNER))
        most = smaller(most, outside_of(pair->b, transform_back(&pair->b_in_a, result->on_a)));
    result->high = larger(most, result->low);
    return result->low < 0 && result->high - result->low <= pair->closed;
}

/* The ends of a part; for a rim also two points next to the lowest one, for a cap four points of its rim. */
static unsigned ends_of(const stance *f, vec ends[PART_ENDS])
{
    const core_part *part = &f->part;
    ends[0] = part->at;
    if (part->n_lines == 1) {
        ends[0] = along(part->at, part->lines[0], part->from);
        ends[1] = along(part->at, part->lines[0], part->to);
        return 2;
    }
    if (f->on == FACE) {
        const polytope *p = &f->geometry->core;
        const face     *of = &p->faces[f->index];
        const uint32_t  n = of->count < PART_ENDS ? of->count : PART_ENDS;
        for (uint32_t k = 0; k < n; k++) {
            const vec corner = p->corners[p->loops[of->first + (uint32_t)((uint64_t)k * of->count / n)]];
            ends[k] = f->at ? transform(f->at, corner) : corner;
        }
        return n;
    }
    if (f->on != RIM && f->on != CAP)
        return 1;
    const vec axis = part->axis, u = f->on == CAP ? scale(perpendicular(axis), part->cap) : sub(part->at, part->centre);
    const vec v = cross(axis, u);
    if (f->on == CAP) {
        for (unsigned k = 0; k < PART_ENDS; k++)
            ends[k] = add(part->centre, k == 0 ? u : k == 1 ? v : k == 2 ? negate(u) : negate(v));
        return PART_ENDS;
    }
    ends[1] = add(part->centre, along(scale(u, 0.8), v, 0.6));
    ends[2] = add(part->centre, along(scale(u, 0.8), v, -0.6));
    return 3;
}

/* Gives the optimality test the points of the difference at the ends of both parts. */
static void take_ends(const climb *c, optimum *r)
{
    vec            of_a[PART_ENDS], of_b[PART_ENDS];
    const unsigned n_a = ends_of(&c->a, of_a), n_b = ends_of(&c->b, of_b);
    r->n_points = 0;
    for (unsigned i = 0; i < n_a; i++)
        for (unsigned k = 0; k < n_b; k++)
            r->points[r->n_points++] = sub(of_b[k], of_a[i]);
}

/* Tests whether points exclude all other directions; BEATEN: one of those is better, and the search continues from
 * it. */
static verdict ask_points(climb *c, const convex_result *result)
{
    optimum r = {.n = result->normal, .depth = -result->low - c->pair->rounding};
    if (!(result->cone > CONE_LEAST))
        return UNDECIDED;
    take_ends(c, &r);
    r.within = tan(smaller(0.999 * result->cone, LEAN_MOST));
    const verdict now = convex_is_global(c->pair, &r);
    if (now == BEATEN) {
        stand_along(c, r.better);
        c->a.left = c->b.left = true;
    }
    return now;
}

/* Caches the answer with a proof for the next steps: by the parts alone or else, if a new proof is due, by points. */
static void keep(const climb *c, convex_result result)
{
    convex_pair  *pair = c->pair;
    convex_cache *cache = pair->cache;
    optimum       r;
    const simplex s = {.n = 1, .v = {support_of(pair, result.normal)}, .weight = {1}};
    convex_cache_simplex(pair, &s, result.normal);
    result.cone = convex_cone(pair, &result);
    const double bound = convex_outer_bound(pair, &result);
    if (bound > -result.low) {
        cache->rest = 0;
        convex_prove(pair, &result, bound);
    } else if (cache->rest > 0) {
        cache->rest--;
    } else {
        take_ends(c, &r);
        convex_prove_by_points(pair, result, &r);
    }
}

/* Tests whether a local optimum is the answer; BEATEN: the search continues from a better direction. */
static verdict settle(climb *c, convex_result *result)
{
    convex_result here = {.low = -INFINITY, .high = INFINITY, .normal = c->n};
    if (!convex_polish_parts(c->pair, c->a.part, c->b.part, &here))
        return UNDECIDED;
    *result = here;
    if (convex_is_global_by_ball(c->pair, result)) {
        result->high = result->low;
        return GLOBAL;
    }
    return is_as_deep(c, result) ? GLOBAL : ask_points(c, result);
}

bool convex_climb(convex_pair *pair, vec from, convex_result *result)
{
    climb   c = {.pair = pair, .a = {.geometry = pair->a}, .b = {.geometry = pair->b, .at = &pair->b_in_a}};
    verdict now = BEATEN;
    if (!is_known(pair->a) || !is_known(pair->b) || !start(&c, from))
        return false;
    for (int i = 0; i < CLIMBS_MAX && now == BEATEN; i++)
        now = rest(&c) ? settle(&c, result) : UNDECIDED;
    if (now != GLOBAL)
        return false;
    result->high = larger(result->low, smaller(result->high, result->low + pair->rounding));
    if (pair->cache)
        keep(&c, *result);
    return true;
}
