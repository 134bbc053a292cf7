/* SPDX-License-Identifier: MIT */
/* closed.c - the cores whose separation has a closed form: points and segments, points against boxes, hulls from
 * within, cylinders and disks, and bodies with parallel axes. */
#include "convex.h"

static bool is_point(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 1; }
static bool is_segment(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 2; }

static convex_result exact(double sep, vec normal, vec on_a, vec on_b)
{
    return (convex_result){
        .sep = sep, .low = sep, .high = sep, .normal = normal, .on_a = on_a, .on_b = on_b, .witnessed = true};
}

static double clamp(double v, double low, double high) { return smaller(larger(v, low), high); }

/* ---- Points and segments --------------------------------------------------------------------------------------- */

/* A point, or a segment from p by d. */
typedef struct rod {
    vec  p, d;
    bool is_long;
} rod;

static rod rod_of(const pcm_geometry *g, const placing *at)
{
    const vec p = transform(at, g->core.corners[0]);
    return is_segment(g) ? (rod){p, sub(transform(at, g->core.corners[1]), p), true} : (rod){p, {0, 0, 0}, false};
}

/* Where on the segment p + s d the point x is nearest. */
static double nearest_on(const rod *r, vec x)
{
    return r->is_long ? clamp(dot(sub(x, r->p), r->d) / dot(r->d, r->d), 0, 1) : 0;
}

/* The closest points p + s d and q + t e of two rods. The crossing of two lines is told from the product of their
 * courses, which keeps its digits where they are nearly parallel. */
static void rods_closest(const rod *a, const rod *b, double *s, double *t)
{
    const vec    m = cross(a->d, b->d);
    const double mm = dot(m, m), parallel = 1e-30 * dot(a->d, a->d) * dot(b->d, b->d);
    *s = mm > parallel ? clamp(dot(cross(sub(b->p, a->p), b->d), m) / mm, 0, 1) : a->is_long ? 0.5 : 0;
    *t = nearest_on(b, along(a->p, a->d, *s));
    *s = nearest_on(a, along(b->p, b->d, *t));
}

/* The direction between two rods' closest points, perpendicular to a rod that goes on there: where they nearly touch it
 * is that of the rods, not of the difference of two points that are nearly one. */
static vec rods_normal(const rod *a, const rod *b, bool inside_a, bool inside_b, vec between)
{
    const vec up = {0, 0, 1};
    if (inside_a && inside_b) {
        const vec m = cross(a->d, b->d), n = unit_or(m, up);
        if (dot(m, m) > 1e-20 * dot(a->d, a->d) * dot(b->d, b->d))
            return dot(n, between) < 0 ? negate(n) : n;
    }
    if (!inside_a && !inside_b)
        return unit_or(between, a->is_long ? perpendicular(unit_or(a->d, up)) : up);
    const vec d = unit_or(inside_a ? a->d : b->d, up), n = unit_or(across(between, d), perpendicular(d));
    return unit_or(across(n, d), n);
}

static bool rods(const convex_pair *pair, convex_result *result)
{
    const placing here = placing_identity();
    const rod     a = rod_of(pair->a, &here), b = rod_of(pair->b, &pair->b_in_a);
    double        s, t;
    rods_closest(&a, &b, &s, &t);
    const vec    on_a = along(a.p, a.d, s), between = sub(along(b.p, b.d, t), on_a);
    const vec    n = rods_normal(&a, &b, s > 0 && s<1, t> 0 && t < 1, between);
    const double sep = dot(n, between);
    *result = exact(sep, n, on_a, along(on_a, n, sep));
    return true;
}

/* ---- A point against a solid ------------------------------------------------------------------------------------- */

static outside of_points(vec p, vec closest, double size)
{
    const vec    between = sub(p, closest);
    const double distance = norm(between);
    return (outside){distance, distance > 1e-12 * size ? scale(between, 1 / distance) : (vec){0, 0, 0}, closest};
}

static outside point_box(const pcm_geometry *box, vec p)
{
    const vec h = box->core.corners[7];
    const vec c = {clamp(p.x, -h.x, h.x), clamp(p.y, -h.y, h.y), clamp(p.z, -h.z, h.z)};
    if (c.x != p.x || c.y != p.y || c.z != p.z) {
        const outside out = of_points(p, c, box->size);
        if (dot(out.normal, out.normal) > 0)
            return out;
    }
    const double over[3] = {fabs(p.x) - h.x, fabs(p.y) - h.y, fabs(p.z) - h.z};
    const int    k = over[0] >= over[1] ? (over[0] >= over[2] ? 0 : 2) : (over[1] >= over[2] ? 1 : 2);
    const double sign = (k == 0 ? p.x : k == 1 ? p.y : p.z) < 0 ? -1 : 1;
    const vec    n = {k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
    return (outside){over[k], n, along(p, n, -over[k])};
}

/* What p is over the side and over the cap are two coordinates, which know the direction where both are tiny. */
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

/* Only for points inside or on the surface: there the nearest face decides. */
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
    const rod     a = rod_of(g, &here), b = {p, {0, 0, 0}, false};
    const double  s = nearest_on(&a, p);
    const vec     on = along(a.p, a.d, s), n = rods_normal(&a, &b, s > 0 && s < 1, false, sub(p, on));
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

/* ---- Parallel axes --------------------------------------------------------------------------------------------- */

/* Cores about the z axis: cylinders, disks and segments. */
static bool   has_axis(const pcm_geometry *g) { return g->rim > 0 || is_segment(g); }
static double half_of(const pcm_geometry *g) { return g->rim > 0 ? g->half : g->core.corners[1].z; }

/* The middle of what the intervals a +- p and b +- q share, or of the gap between them. */
static double middle(double a, double p, double b, double q)
{
    return 0.5 * (larger(a - p, b - q) + smaller(a + p, b + q));
}

/* Their difference is a cylinder as wide and high as both together. */
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
    const bool         side = out.normal.x != 0 || out.normal.y != 0;
    const double       r = side ? rim_a : middle(0, rim_a, apart, rim_b);
    const vec          u = unit_or((vec){p.x, p.y, 0}, (vec){1, 0, 0});
    const double       z = out.normal.z == 0 ? middle(0, half_a, p.z, half_b) : out.normal.z < 0 ? -half_a : half_a;
    const vec          on_a = {r * u.x, r * u.y, z};
    *result = exact(out.sep, out.normal, on_a, along(on_a, out.normal, out.sep));
    return true;
}

/* ---- All of them ----------------------------------------------------------------------------------------------- */

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

/* The same with the roles exchanged. */
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
    if (is_rod(a) && is_rod(b))
        return rods(pair, result);
    if (is_point(b))
        return solid_and_point(pair, result);
    if (is_point(a))
        return point_and_solid(pair, result);
    if (a->kind == PCM_BOX && b->kind == PCM_BOX)
        return convex_boxes(pair, result);
    return parallel(pair, result);
}
