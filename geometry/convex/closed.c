/* SPDX-License-Identifier: MIT */
/* closed.c - separations in closed form: points and segments; points against boxes, hulls (if inside), cylinders and
 * disks; and bodies with parallel axes. Segments follow Ericson 2004, section 5.1. */
#include "convex.h"

static bool is_point(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 1; }
static bool is_segment(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 2; }

static convex_result exact(double sep, vec normal, vec on_a, vec on_b)
{
    return (convex_result){
        .sep = sep, .low = sep, .high = sep, .normal = normal, .on_a = on_a, .on_b = on_b, .witnessed = true};
}

static double clamp(double v, double low, double high) { return smaller(larger(v, low), high); }

/* ---- Points and segments ----------------------------------------------------------------------------------------- */

/* Thresholds for squared ratios to the longer rod: the closed form does not handle rods closer than this, or rods whose
 * cross product is shorter. */
#define DOUBTFUL 1e-10

/* A point, or a segment from p to p + d. */
typedef struct rod {
    vec    p, d;
    double per; /* 1 / |d|^2; 0 for a point */
} rod;

static inline bool is_long(const rod *r) { return r->per > 0; }

/* A segment's corners are on its z axis, the lower one first. */
static inline rod rod_along(const pcm_geometry *g, vec at, vec axis)
{
    const double low = g->core.corners[0].z, length = g->core.corners[1].z - low;
    const vec    d = scale(axis, length);
    return (rod){along(at, axis, low), d, 1 / dot(d, d)};
}

static inline rod rod_of(const pcm_geometry *g, const placing *at)
{
    if (!is_segment(g))
        return (rod){transform(at, g->core.corners[0]), {0, 0, 0}, 0};
    return rod_along(g, at->at, (vec){at->turn.row[0].z, at->turn.row[1].z, at->turn.row[2].z});
}

/* The s at which the segment p + s d is nearest to x. */
static inline double nearest_on(const rod *r, vec x) { return clamp(dot(sub(x, r->p), r->d) * r->per, 0, 1); }

/* The closest points p + s d and q + t e of two rods. The cross product m of their directions gives the closest points
 * of their lines; it keeps its digits where the rods are nearly parallel. */
static inline void rods_closest(const rod *a, const rod *b, vec m, double *s, double *t)
{
    const double mm = dot(m, m);
    if (mm * a->per * b->per > 1e-30)
        *s = clamp(dot(cross(sub(b->p, a->p), b->d), m) / mm, 0, 1);
    else
        *s = is_long(a) ? 0.5 : 0;
    *t = nearest_on(b, along(a->p, a->d, *s));
    *s = nearest_on(a, along(b->p, b->d, *t));
}

/* The direction between the closest points of two rods, perpendicular to each rod whose closest point is not an end.
 * Where they nearly touch, it follows from the rods' directions, since the difference of the points has few digits. */
static inline vec rods_normal(const rod *a, const rod *b, vec m, bool inside_a, bool inside_b, vec between)
{
    const rod   *on = inside_a || !inside_b ? a : b;
    const bool   crossing = inside_a && inside_b && dot(m, m) * a->per * b->per > 1e-20, amid = inside_a || inside_b;
    const double per = (double[]){0, on->per}[amid];
    vec          n = between;
    for (int k = 0; k < 2; k++) /* the second pass removes the rounding error of the first */
        n = along(n, on->d, -dot(n, on->d) * per);
    n = ((vec[]){n, dot(m, between) < 0 ? negate(m) : m})[crossing];
    const double nn = dot(n, n);
    if (nn > 0 && (crossing || !amid || nn * on->per > 1e-32)) /* else the points coincide within rounding */
        return scale(n, 1 / sqrt(nn));
    return is_long(on) ? perpendicular(unit_or(on->d, n)) : (vec){0, 0, 1};
}

/* The best of several candidate directions between two rods that nearly touch or are nearly parallel. There rounding
 * decides whether closest points are ends, and m may not be perpendicular to both rods. */
static vec rods_settled(const rod *a, const rod *b, vec m, vec between, vec n, double *sep)
{
    const vec from_a = along(a->p, a->d, 0.5), to_b = sub(along(b->p, b->d, 0.5), from_a);
    const vec u = unit_or(a->d, n), v = unit_or(b->d, n);
    const vec tries[] = {n,       across(across(m, u), u), across(across(m, v), v),
                         between, across(between, u),      across(between, v)};
    *sep = -INFINITY;
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        const vec    t = unit_or(tries[k], n), towards = dot(t, to_b) < 0 ? negate(t) : t;
        const double apart = dot(towards, to_b) - 0.5 * (fabs(dot(t, a->d)) + fabs(dot(t, b->d)));
        if (apart > *sep) {
            *sep = apart;
            n = towards;
        }
    }
    return n;
}

/* How two rods face each other; m: the cross product of their directions. */
typedef struct facing {
    double s, t, sep;
    vec    normal, on_a;
} facing;

static inline void rods(const rod *a, const rod *b, vec m, facing *f)
{
    rods_closest(a, b, m, &f->s, &f->t);
    const vec    on_a = along(a->p, a->d, f->s), between = sub(along(b->p, b->d, f->t), on_a);
    const bool   inside_a = f->s > 0 && f->s<1, inside_b = f->t> 0 && f->t < 1;
    const vec    n = rods_normal(a, b, m, inside_a, inside_b, between);
    const double gap = dot(between, between), both = a->per * b->per;
    f->normal = n;
    f->on_a = on_a;
    f->sep = dot(n, between);
    if (both > 0 && (gap * smaller(a->per, b->per) < DOUBTFUL || dot(m, m) * both < DOUBTFUL))
        f->normal = rods_settled(a, b, m, between, n, &f->sep);
}

static inline bool is_amid(double s) { return s > ALIGNED && s < 1 - ALIGNED; }

bool convex_segments(const body *a, const body *b, vec *normal, vec *on_a, double *sep, uint64_t *feature)
{
    const vec  between = sub(b->at.at, a->at.at);
    const bool round = is_point(b->geometry);
    const rod  of_a = rod_along(a->geometry, (vec){0, 0, 0}, axis_of(a));
    const rod  of_b = round ? (rod){between, {0, 0, 0}, 0} : rod_along(b->geometry, between, axis_of(b));
    const vec  m = cross(of_a.d, of_b.d);
    facing     f;
    rods(&of_a, &of_b, m, &f);
    *normal = f.normal;
    *on_a = f.on_a;
    *sep = f.sep;
    *feature = 0;
    if (round)
        return true;
    const bool amid_a = is_amid(f.s), amid_b = is_amid(f.t), both = amid_a && amid_b;
    const bool square_a = is_square(of_a.d, f.normal), square_b = is_square(of_b.d, f.normal);
    const bool crossed = dot(m, m) * of_a.per * of_b.per > TILT * TILT;
    *feature = both     ? feature_of(OF_BOTH, 0, 0)
               : amid_b ? feature_of(OF_A, dot(of_a.d, f.normal) > 0, 0)
                        : feature_of(OF_B, 0, dot(of_b.d, f.normal) < 0);
    return crossed && ((both && square_a && square_b) || (!amid_a && amid_b && !square_a && square_b) ||
                       (!amid_b && !square_b && (!square_a || amid_a)));
}

/* ---- A point against a solid ------------------------------------------------------------------------------------- */

static outside point_box(const pcm_geometry *box, vec p)
{
    const vec    h = box->core.corners[7];
    const vec    c = {clamp(p.x, -h.x, h.x), clamp(p.y, -h.y, h.y), clamp(p.z, -h.z, h.z)};
    const vec    between = sub(p, c);
    const double distance = norm(between);
    if (distance > 1e-12 * box->size)
        return (outside){distance, scale(between, 1 / distance), c};
    const double over[3] = {fabs(p.x) - h.x, fabs(p.y) - h.y, fabs(p.z) - h.z};
    const int    k = over[0] >= over[1] ? (over[0] >= over[2] ? 0 : 2) : (over[1] >= over[2] ? 1 : 2);
    const double sign = (k == 0 ? p.x : k == 1 ? p.y : p.z) < 0 ? -1 : 1;
    const vec    n = {k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
    return (outside){over[k], n, along(p, n, -over[k])};
}

/* The heights of p over the side and over the cap: as two coordinates they give the direction even where both are
 * tiny. */
static outside point_cylinder(const pcm_geometry *g, vec p)
{
    const double rho = hypot(p.x, p.y), end = p.z < 0 ? -1 : 1;
    const vec    radial = rho > 0 ? (vec){p.x / rho, p.y / rho, 0} : (vec){1, 0, 0}, cap = {0, 0, end};
    const double over_cap = fabs(p.z) - g->half, over_side = rho - g->rim;
    if (over_cap > 0 && over_side > 0) {
        const double distance = hypot(over_cap, over_side);
        const vec    n = add(scale(radial, over_side / distance), scale(cap, over_cap / distance));
        return (outside){distance, n, add(scale(radial, g->rim), scale(cap, g->half))};
    }
    const vec n = over_cap >= over_side ? cap : radial;
    return (outside){larger(over_cap, over_side), n, along(p, n, -larger(over_cap, over_side))};
}

/* Only for points inside the hull or on its surface: for those the nearest face gives the answer. */
static bool point_within(const polytope *hull, vec p, outside *out)
{
    out->sep = -INFINITY;
    for (uint32_t f = 0; f < hull->n_faces; f++) {
        const double over = dot(hull->faces[f].normal, p) - hull->faces[f].offset;
        if (over > 0)
            return false;
        if (over > out->sep) {
            out->sep = over;
            out->normal = hull->faces[f].normal;
        }
    }
    out->closest = along(p, out->normal, -out->sep);
    return hull->n_faces > 0;
}

static outside point_segment(const pcm_geometry *g, vec p)
{
    const placing here = placing_identity();
    const rod     a = rod_of(g, &here), b = {p, {0, 0, 0}, 0};
    const double  s = nearest_on(&a, p);
    const vec     on = along(a.p, a.d, s), n = rods_normal(&a, &b, b.d, s > 0 && s < 1, false, sub(p, on));
    return (outside){dot(n, sub(p, on)), n, on};
}

bool convex_outside(const pcm_geometry *solid, vec p, outside *out)
{
    if (solid->rim > 0)
        *out = point_cylinder(solid, p);
    else if (solid->kind == PCM_BOX)
        *out = point_box(solid, p);
    else if (is_segment(solid))
        *out = point_segment(solid, p);
    else
        return point_within(&solid->core, p, out);
    return true;
}

/* ---- A segment against a box ------------------------------------------------------------------------------------- */

/* The segment from p to p + d in the box's axes: how far its points lie outside of the box. */
typedef struct crossing {
    double p[3], d[3], half[3];
} crossing;

/* How far the point at t is outside of each pair of faces; returns half of the derivative of its squared distance along
 * t, and in *bend half of the second derivative. */
static double leave(const crossing *c, double t, double over[3], double *bend)
{
    double slope = 0;
    *bend = 0;
    for (int k = 0; k < 3; k++) {
        const double x = c->p[k] + t * c->d[k];
        over[k] = x - clamp(x, -c->half[k], c->half[k]);
        slope += over[k] * c->d[k];
        *bend += over[k] != 0 ? c->d[k] * c->d[k] : 0;
    }
    return slope;
}

/* The t of the segment's point that is nearest to the box: the derivative grows along t, in at most seven linear
 * pieces. */
static double nearest_to_box(const crossing *c, double over[3])
{
    double low = 0, high = 1, t = 1, bend;
    if (leave(c, 0, over, &bend) >= 0)
        return 0;
    if (leave(c, 1, over, &bend) <= 0)
        return 1;
    for (int i = 0; i < 32; i++) {
        const double slope = leave(c, t, over, &bend), step = bend > 0 ? slope / bend : 0;
        if (slope > 0)
            high = t;
        else
            low = t;
        if (fabs(step) <= 1e-16)
            break;
        t = t - step > low && t - step < high ? t - step : 0.5 * (low + high);
    }
    return t;
}

/* The direction from the box to the segment, perpendicular to the segment unless its nearest point is an end. */
static vec leaving(const crossing *c, bool inside, const double over[3])
{
    const vec    between = {over[0], over[1], over[2]};
    const vec    d = {over[0] != 0 ? c->d[0] : 0, over[1] != 0 ? c->d[1] : 0, over[2] != 0 ? c->d[2] : 0};
    const double dd = dot(d, d);
    const vec    m = inside && dd > 0 ? along(between, d, -dot(between, d) / dd) : between;
    return scale(m, 1 / norm(m));
}

/* False: they overlap, or are so close that only a search finds the direction. */
static bool segment_and_box(const convex_pair *pair, convex_result *result)
{
    const vec      start = pair->a->core.corners[0], end = pair->a->core.corners[1], h = pair->b->core.corners[7];
    const vec      p = transform_back(&pair->b_in_a, start), d = rotate_back(&pair->b_in_a.turn, sub(end, start));
    const crossing c = {{p.x, p.y, p.z}, {d.x, d.y, d.z}, {h.x, h.y, h.z}};
    double         over[3], bend;
    const double   t = nearest_to_box(&c, over);
    leave(&c, t, over, &bend);
    const double high = sqrt(over[0] * over[0] + over[1] * over[1] + over[2] * over[2]);
    if (!(high > 1e-6 * pair->size))
        return false;
    const vec    m = leaving(&c, t > 0 && t < 1, over);
    const double low = smaller(dot(m, p), dot(m, add(p, d))) - fabs(m.x) * h.x - fabs(m.y) * h.y - fabs(m.z) * h.z;
    *result = (convex_result){.low = low, .high = high, .witnessed = true};
    result->normal = negate(rotate(&pair->b_in_a.turn, m));
    result->on_a = along(start, sub(end, start), t);
    result->on_b = along(result->on_a, result->normal, low);
    result->sep = low;
    /* Where the segment lies along a face, rounding may put its nearest point outside of the face. */
    const vec between = {over[0], over[1], over[2]};
    return high - low <= pair->closed && norm(across(between, m)) <= BESIDE * pair->size;
}

/* ---- Parallel axes ----------------------------------------------------------------------------------------------- */

/* Cores about the z axis: cylinders, disks and segments. */
static bool   has_axis(const pcm_geometry *g) { return g->rim > 0 || is_segment(g); }
static double half_of(const pcm_geometry *g) { return g->rim > 0 ? g->half : g->core.corners[1].z; }

/* The middle of the common part of the intervals a +- p and b +- q, or of the gap between them. */
static double middle(double a, double p, double b, double q)
{
    return 0.5 * (larger(a - p, b - q) + smaller(a + p, b + q));
}

/* The difference of the two cores is a cylinder, as wide and as high as both together. */
static bool parallel(const convex_pair *pair, convex_result *result)
{
    const vec axis = {pair->b_in_a.turn.row[0].z, pair->b_in_a.turn.row[1].z, pair->b_in_a.turn.row[2].z};
    if (!has_axis(pair->a) || !has_axis(pair->b) || !(axis.x * axis.x + axis.y * axis.y < 1e-30))
        return false;
    const double       rim_a = larger(pair->a->rim, 0), rim_b = larger(pair->b->rim, 0);
    const double       half_a = half_of(pair->a), half_b = half_of(pair->b);
    const pcm_geometry both = {.rim = rim_a + rim_b, .half = half_a + half_b, .size = pair->size};
    const vec          p = pair->b_in_a.at;
    const outside      out = point_cylinder(&both, p);
    const double       apart = hypot(p.x, p.y);
    const bool         beside = out.normal.x != 0 || out.normal.y != 0;
    const double       r = beside ? rim_a : middle(0, rim_a, apart, rim_b);
    const vec          u = unit_or((vec){p.x, p.y, 0}, (vec){1, 0, 0});
    const double       z = out.normal.z == 0 ? middle(0, half_a, p.z, half_b) : out.normal.z < 0 ? -half_a : half_a;
    const vec          on_a = {r * u.x, r * u.y, z};
    *result = exact(out.sep, out.normal, on_a, along(on_a, out.normal, out.sep));
    return true;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static bool is_rod(const pcm_geometry *g) { return is_point(g) || is_segment(g); }

static bool solid_and_point(const convex_pair *pair, convex_result *result)
{
    const vec p = transform(&pair->b_in_a, pair->b->core.corners[0]);
    outside   out = {0};
    if (!convex_outside(pair->a, p, &out))
        return false;
    *result = exact(out.sep, out.normal, out.closest, p);
    return true;
}

/* The same with the bodies swapped. */
static bool point_and_solid(const convex_pair *pair, convex_result *result)
{
    const placing     here = placing_identity(), inverse = placing_relative(&pair->b_in_a, &here);
    const convex_pair mirror = convex_pair_of(pair->b, pair->a, &inverse);
    if (!solid_and_point(&mirror, result))
        return false;
    const vec on_a = transform(&pair->b_in_a, result->on_b), on_b = transform(&pair->b_in_a, result->on_a);
    *result = exact(result->sep, negate(rotate(&pair->b_in_a.turn, result->normal)), on_a, on_b);
    return true;
}

bool convex_closed_form(const convex_pair *pair, convex_result *result)
{
    const pcm_geometry *a = pair->a, *b = pair->b;
    if (is_rod(a) && is_rod(b)) {
        const placing here = placing_identity();
        const rod     of_a = rod_of(a, &here), of_b = rod_of(b, &pair->b_in_a);
        facing        f;
        rods(&of_a, &of_b, cross(of_a.d, of_b.d), &f);
        *result = exact(f.sep, f.normal, f.on_a, along(f.on_a, f.normal, f.sep));
        return true;
    }
    if (is_point(b))
        return solid_and_point(pair, result);
    if (is_point(a))
        return point_and_solid(pair, result);
    if (a->kind == PCM_BOX && b->kind == PCM_BOX)
        return convex_boxes(pair, result);
    if (is_segment(a) && b->kind == PCM_BOX)
        return segment_and_box(pair, result);
    return parallel(pair, result);
}
