/* SPDX-License-Identifier: MIT */
/* distance.c - support functions, and the distance of convex cores after Gilbert, Johnson and Keerthi. */
#include "convex.h"
#include <string.h>

#define ITERATIONS_MAX 64
#define STALLS_MAX     4

/* Bodies with rims are tried to be polished once their bounds are so near each other, as a share of the size, and again
 * where they are nearer by this. */
#define POLISH_FIRST 0.02
#define POLISH_AGAIN 0.3

/* A square of the distance below this share of a corner's is known badly from there. */
#define FEW_DIGITS 1e-6

/* Below this share of the size, a direction from two points loses the digits that faces and edges keep. */
#define NEAR 1e-6

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
    return transform(&pair->b_in_a, core_support(pair->b, rotate_back(&pair->b_in_a.turn, d), &pair->at_b));
}

vertex support_of(convex_pair *pair, vec n)
{
    const vec a = support_a(pair, n), b = support_b(pair, negate(n));
    return (vertex){a, b, sub(b, a), pair->at_a, pair->at_b};
}

double sep_along(convex_pair *pair, vec n) { return dot(n, support_of(pair, n).w); }

/* ---- Simplices in the difference b - a -------------------------------------------------------------------------- */

/* Corners chosen from a simplex with their weights, and the square of the distance they give. */
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

/* Seen from corner i. */
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

/* Near the origin, seen from the nearest corner, whose own way there is the shortest and loses the fewest digits. */
static choice nearest_on_triangle(const simplex *s, int i, int j, int k)
{
    const choice c = nearest_from(s, i, j, k);
    const double p = dot(s->v[i].w, s->v[i].w);
    if (c.square > FEW_DIGITS * p)
        return c;
    const double q = dot(s->v[j].w, s->v[j].w), r = dot(s->v[k].w, s->v[k].w);
    return p <= q && p <= r ? c : q <= r ? nearest_from(s, j, i, k) : nearest_from(s, k, i, j);
}

/* Whether the plane through i, j, k does not part the origin from corner l. Of a flat simplex nothing is behind. */
static bool behind(const simplex *s, int i, int j, int k, int l)
{
    const vec    n = cross(sub(s->v[j].w, s->v[i].w), sub(s->v[k].w, s->v[i].w)), to_corner = sub(s->v[l].w, s->v[i].w);
    const double origin = -dot(n, s->v[i].w), corner = dot(n, to_corner);
    if (corner * corner <= 1e-24 * dot(n, n) * dot(to_corner, to_corner))
        return false;
    return origin * corner > 0;
}

/* The corners that support the simplex's point nearest to the origin; false: the origin lies inside. */
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

/* The chosen corners come first; the others stay behind them, without weight. */
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

static vec mean(const simplex *s)
{
    vec p = {0, 0, 0};
    for (int k = 0; k < s->n; k++)
        p = along(p, s->v[k].w, s->weight[k]);
    return p;
}

/* The direction of the simplex's point v nearest to the origin, as its corners and edges know it: v itself is the
 * difference of two nearly equal points where the bodies nearly touch. */
static vec direction_of(const simplex *s, vec v)
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

/* ---- Points that face each other -------------------------------------------------------------------------------- */

/* The point of the difference nearest to the line along n, of those that are the lowest along directions turned by so
 * little from it; returns how far it is from the line. */
static double nearest_to_line(convex_pair *pair, vec n, double turn, simplex *s)
{
    double least = INFINITY;
    *s = (simplex){.n = 1, .v = {support_of(pair, n)}, .weight = {1}};
    s->v[0].w = across(s->v[0].w, n);
    for (simplex next = *s; norm(mean(&next)) < least;) {
        *s = next;
        least = norm(mean(s));
        next.v[next.n] = support_of(pair, along(n, unit_or(mean(s), n), turn));
        next.v[next.n].w = across(next.v[next.n].w, n);
        next.n++;
        if (!simplex_nearest(&next))
            break;
    }
    return least;
}

/* What the points of the least turn lie on is what the bodies face each other with; farther turns bring in what only
 * nearly does, such as the other end of a side that is hardly tilted. */
void convex_face(convex_pair *pair, convex_result *result)
{
    const vec    n = result->normal;
    const double highest = dot(n, support_a(pair, n));
    double       least = INFINITY;
    simplex      best = {.n = 0}, s;
    for (double turn = 1e-13; turn < 1e-3 && least > 64 * pair->rounding; turn *= 10) {
        const double beside = nearest_to_line(pair, n, turn, &s);
        if (pair->rims && convex_polish(pair, s, result))
            return;
        simplex_points(&s, &result->on_a, &result->on_b);
        const double off = fabs(dot(n, result->on_a) - highest) + fabs(dot(n, result->on_b) - highest - result->low);
        if (beside + off < least) {
            least = beside + off;
            best = s;
        }
    }
    simplex_points(&best, &result->on_a, &result->on_b);
    if (result->low > 0)
        result->high = smaller(result->high, larger(result->low, norm(sub(result->on_b, result->on_a))));
    convex_align(pair, result);
}

/* ---- The distance --------------------------------------------------------------------------------------------- */

/* Bodies with rims, apart, by what the points of the simplex lie on, from near the direction n: false where that is no
 * answer. */
static bool polish(convex_pair *pair, const simplex *s, vec n, convex_result *result)
{
    *result = (convex_result){.low = -INFINITY, .high = INFINITY, .normal = n};
    return convex_polish(pair, *s, result) && result->low > NEAR * pair->size &&
           result->high - result->low <= pair->closed;
}

static void copy_corners(simplex *to, const simplex *from)
{
    memcpy(to->v, from->v, (size_t)from->n * sizeof *from->v);
    memcpy(to->weight, from->weight, sizeof from->weight);
    to->n = from->n;
}

bool convex_distance(convex_pair *pair, vec start, simplex *s, convex_result *result)
{
    simplex now;
    double  least = INFINITY;
    int     stalled = 0;
    double  tried = POLISH_FIRST * pair->size;
    copy_corners(&now, s);
    *result = (convex_result){.low = -INFINITY, .high = INFINITY, .normal = start};
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        const vec    v = mean(&now);
        const double square = dot(v, v);
        /* Rounding has the last word of the distance, though the direction may still better its bound. */
        if (!(square < least) && (++stalled > STALLS_MAX || !(square <= least * (1 + 1e-15))))
            break;
        copy_corners(s, &now);
        least = square;
        result->high = sqrt(square);
        if (!(result->high > pair->rounding))
            break;
        const vec    n = direction_of(s, v);
        const vertex next = support_of(pair, n);
        const double sep = dot(n, next.w);
        if (sep >= result->low - pair->rounding) {
            result->low = larger(result->low, sep);
            result->normal = n;
        }
        const double gap = result->high - result->low;
        if (result->low > pair->reach || gap <= pair->closed)
            break;
        convex_result polished;
        if (pair->rims && result->low > 0 && gap < tried) {
            if (polish(pair, s, n, &polished)) {
                *result = polished;
                result->witnessed = true;
                return true;
            }
            tried = POLISH_AGAIN * gap;
        }
        now.v[now.n++] = next;
        if (!simplex_nearest(&now)) {
            copy_corners(s, &now);
            return false;
        }
    }
    simplex_points(s, &result->on_a, &result->on_b);
    result->sep = dot(result->normal, sub(result->on_b, result->on_a));
    const bool closed = result->high - result->low <= pair->closed;
    return result->low > 0 && (closed || (pair->rims && result->low > NEAR * pair->size));
}

/* ---- What the last search found ---------------------------------------------------------------------------------- */

void convex_remember(convex_pair *pair, convex_memory *memory, bool swapped)
{
    pair->memory = memory;
    if (!memory || (memory->a == pair->a->number && memory->b == pair->b->number && memory->swapped == swapped))
        return;
    memory->a = pair->a->number;
    memory->b = pair->b->number;
    memory->swapped = swapped;
    memory->n_seed = memory->n_facets = memory->pause = memory->rest = 0;
    memory->polished = false;
}

kept_corner convex_kept(const convex_pair *pair, const vertex *v)
{
    const bool rim = pair->b->rim > 0;
    return (kept_corner){v->a, rim ? transform_back(&pair->b_in_a, v->b) : pair->b->core.corners[v->at_b], v->at_a,
                         v->at_b};
}

vertex convex_vertex(const convex_pair *pair, const kept_corner *kept)
{
    const vec b = transform(&pair->b_in_a, kept->b);
    return (vertex){kept->a, b, sub(b, kept->a), kept->at_a, kept->at_b};
}

void convex_keep(const convex_pair *pair, const simplex *s, vec normal)
{
    convex_memory *memory = pair->memory;
    if (!memory)
        return;
    memory->n_facets = 0;
    memory->proven = false;
    memory->n_seed = (uint8_t)(s->n < 3 ? s->n : 3);
    memory->normal = normal;
    for (int k = 0; k < memory->n_seed; k++)
        memory->seed[k] = convex_kept(pair, &s->v[k]);
}

bool convex_recall(const convex_pair *pair, simplex *s)
{
    const convex_memory *memory = pair->memory;
    if (!memory || memory->n_seed == 0)
        return false;
    s->n = memory->n_seed;
    for (int k = 0; k < s->n; k++)
        s->v[k] = convex_vertex(pair, &memory->seed[k]);
    return simplex_nearest(s);
}

/* Bodies that are still beyond reach along the last direction. */
static bool apart_as_before(convex_pair *pair, convex_result *result)
{
    const convex_memory *memory = pair->memory;
    if (!memory || memory->n_seed == 0 || pair->reach == INFINITY)
        return false;
    pair->at_a = memory->seed[0].at_a;
    pair->at_b = memory->seed[0].at_b;
    const double sep = sep_along(pair, memory->normal);
    *result = (convex_result){.sep = sep, .low = sep, .high = INFINITY, .normal = memory->normal};
    return sep > pair->reach;
}

/* ---- All cores --------------------------------------------------------------------------------------------------- */

static bool search_again(convex_pair *pair, simplex *s, convex_result *result)
{
    const convex_memory *memory = pair->memory;
    if (memory && memory->n_seed && memory->proven && convex_proven_again(pair, result))
        return true;
    if (apart_as_before(pair, result) || (memory && memory->n_facets && convex_expand_again(pair, result)))
        return true;
    return convex_recall(pair, s) && pair->rims && polish(pair, s, pair->memory->normal, result);
}

/* Keeps what the bodies face each other with. */
static void prove_apart(convex_pair *pair, const simplex *s, convex_result result)
{
    if (!pair->memory || result.low > pair->reach || !convex_polish(pair, *s, &result))
        return;
    convex_margin(pair, &result);
    convex_prove(pair, &result, 0);
}

static void search(convex_pair *pair, simplex *s, convex_result *result)
{
    const pcm_geometry *a = pair->a, *b = pair->b;
    const vec           middle_a = scale(add(a->low, a->high), 0.5), middle_b = scale(add(b->low, b->high), 0.5);
    const vec           between = sub(transform(&pair->b_in_a, middle_b), middle_a);
    const vec           start = unit_or(between, (vec){0, 0, 1});
    const bool          known = pair->memory && pair->memory->n_seed;
    result->margin = 0;
    if (pair->rims ? convex_climb(pair, known ? pair->memory->normal : start, result)
                   : !known && convex_facets(pair, start, result))
        return;
    const convex_result peak = *result;
    const bool          peaks = pair->rims && peak.margin > 0 && peak.low < 0;
    if (!convex_recall(pair, s))
        *s = (simplex){.n = 1, .v = {support_of(pair, start)}, .weight = {1}};
    if (convex_distance(pair, start, s, result)) {
        convex_keep(pair, s, result->normal);
        if (pair->rims && !result->witnessed && !convex_polish(pair, *s, result))
            convex_align(pair, result);
        prove_apart(pair, s, *result);
    } else if (!(result->low > pair->reach)) {
        convex_expand(pair, s, peaks ? &peak : NULL, result);
    } else {
        convex_keep(pair, s, result->normal);
    }
}

void convex_search(convex_pair *pair, convex_result *result)
{
    simplex s;
    if (!search_again(pair, &s, result))
        search(pair, &s, result);
    result->witnessed = true;
    if (result->low > pair->reach)
        return;
    const double open = result->high - result->low;
    if (pair->rims && open > pair->closed)
        convex_cover(pair, result);
    else if (open > 64 * pair->rounding ||
             norm(across(sub(result->on_b, result->on_a), result->normal)) > BESIDE * pair->size)
        convex_face(pair, result);
    else
        return;
    result->supported = false;
}

convex_result convex_separate(convex_pair *pair)
{
    convex_result result;
    if (!convex_closed_form(pair, &result) && !convex_near_again(pair, &result))
        convex_search(pair, &result);
    return result;
}
