/* SPDX-License-Identifier: MIT */
/* closed.c - the cores whose separation has a closed form: points and segments, boxes that overlap, and points against
 * boxes, hulls from within, cylinders and disks. */
#include "convex.h"

static bool is_point(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 1; }
static bool is_segment(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 2; }

/* From two points that are the closest: false where they coincide and tell no direction. */
static bool result_of(const convex_pair *pair, vec on_a, vec on_b, convex_result *result)
{
    const vec    between = sub(on_b, on_a);
    const double distance = norm(between);
    if (!(distance > 1e-12 * pair->size))
        return false;
    *result = (convex_result){distance, scale(between, 1 / distance), on_a, on_b, true};
    return true;
}

/* Two points that coincide may part along any direction: the same one always. */
static void coincident(vec on_a, convex_result *result) { *result = (convex_result){0, {0, 0, 1}, on_a, on_a, true}; }

static double clamp(double v, double low, double high) { return fmin(fmax(v, low), high); }

/* The closest points of the segments p + s d, q + t e with s, t in [0, 1]. */
static void segments_closest(vec p, vec d, vec q, vec e, double *s, double *t)
{
    const vec    r = sub(p, q);
    const double a = dot(d, d), b = dot(d, e), c = dot(d, r), f = dot(e, r), g = dot(e, e);
    const double denominator = a * g - b * b;
    *s = denominator > 1e-14 * a * g ? clamp((b * f - c * g) / denominator, 0, 1) : 0.5;
    *t = (b * *s + f) / g;
    if (*t < 0 || *t > 1) {
        *t = clamp(*t, 0, 1);
        *s = clamp((b * *t - c) / a, 0, 1);
    }
}

static vec segment_point(const pcm_geometry *g, double s)
{
    return along(g->core.corners[0], sub(g->core.corners[1], g->core.corners[0]), s);
}

static bool segments(const convex_pair *pair, convex_result *result)
{
    const vec p = pair->a->core.corners[0], d = sub(pair->a->core.corners[1], p);
    const vec q = placed(&pair->b_in_a, pair->b->core.corners[0]);
    const vec e = sub(placed(&pair->b_in_a, pair->b->core.corners[1]), q);
    double    s, t;
    segments_closest(p, d, q, e, &s, &t);
    return result_of(pair, along(p, d, s), along(q, e, t), result);
}

/* ---- A point against a solid, in the solid's axes; sep, the normal out of the solid, the solid's closest point ----
 */

typedef struct outside {
    double sep;
    vec    normal, closest;
} outside;

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

static outside point_cylinder(const pcm_geometry *g, vec p)
{
    const double rho = hypot(p.x, p.y), side = p.z < 0 ? -1 : 1;
    const vec    radial = rho > 0 ? (vec){p.x / rho, p.y / rho, 0} : (vec){1, 0, 0};
    const double over_cap = fabs(p.z) - g->half, over_side = rho - g->rim;
    if (over_cap > 0 || over_side > 0) {
        const vec     c = add(scale(radial, fmin(rho, g->rim)), (vec){0, 0, clamp(p.z, -g->half, g->half)});
        const outside out = of_points(p, c, g->size);
        if (dot(out.normal, out.normal) > 0)
            return out;
    }
    const vec n = over_cap >= over_side ? (vec){0, 0, side} : radial;
    return (outside){fmax(over_cap, over_side), n, along(p, n, -fmax(over_cap, over_side))};
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

static bool point_solid(const pcm_geometry *solid, vec p, outside *out)
{
    if (solid->rim > 0)
        *out = point_cylinder(solid, p);
    else if (solid->kind == PCM_BOX)
        *out = point_box(solid, p);
    else
        return point_within(&solid->core, p, out);
    return true;
}

/* ---- Two boxes that overlap ------------------------------------------------------------------------------------ */

/* Half of a box's extent along n, which is given in its own axes. */
static double half_along(const pcm_geometry *box, vec n)
{
    const vec h = box->core.corners[7];
    return h.x * fabs(n.x) + h.y * fabs(n.y) + h.z * fabs(n.z);
}

/* The best of the fifteen directions that can be: false when one of them parts the boxes. */
static bool boxes(const convex_pair *pair, convex_result *result)
{
    static const vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const mat       *turn = &pair->b_in_a.turn;
    result->sep = -INFINITY;
    for (int k = 0; k < 15; k++) {
        const vec    of_b = k < 3 ? axes[k] : turned(turn, axes[k % 3]);
        const vec    n = k < 6 ? of_b : cross(axes[k / 3 - 2], of_b);
        const double length = norm(n);
        if (!(length > 1e-10))
            continue;
        const vec    unit = scale(n, (dot(n, pair->b_in_a.at) < 0 ? -1 : 1) / length);
        const double reach = half_along(pair->a, unit) + half_along(pair->b, unturned(turn, unit));
        const double sep = dot(unit, pair->b_in_a.at) - reach;
        if (sep > 0)
            return false;
        /* Faces come first: a pair of parallel edges is as good, but tells less of the patch. */
        if (sep > result->sep + 1e-14 * pair->size) {
            result->sep = sep;
            result->normal = unit;
        }
    }
    result->witnessed = false;
    return true;
}

bool convex_closed_form(const convex_pair *pair, convex_result *result)
{
    const pcm_geometry *a = pair->a, *b = pair->b;
    const bool          point_a = is_point(a), point_b = is_point(b);
    outside             out;
    if (point_b) {
        const vec p = placed(&pair->b_in_a, b->core.corners[0]);
        if (point_a) {
            if (!result_of(pair, a->core.corners[0], p, result))
                coincident(p, result);
            return true;
        }
        if (is_segment(a)) {
            const vec    d = sub(a->core.corners[1], a->core.corners[0]);
            const double s = clamp(dot(sub(p, a->core.corners[0]), d) / dot(d, d), 0, 1);
            return result_of(pair, segment_point(a, s), p, result);
        }
        if (!point_solid(a, p, &out))
            return false;
        *result = (convex_result){out.sep, out.normal, out.closest, p, true};
        return true;
    }
    if (point_a) {
        /* The same with the roles exchanged. */
        const placing     inverse = placing_relative(&pair->b_in_a, &(placing){placing_identity().turn, {0, 0, 0}});
        const convex_pair mirror = {b, a, inverse, pair->size, 0, 0};
        if (!convex_closed_form(&mirror, result))
            return false;
        const vec on_a = placed(&pair->b_in_a, result->on_b), on_b = placed(&pair->b_in_a, result->on_a);
        result->on_a = on_a;
        result->on_b = on_b;
        result->normal = negate(turned(&pair->b_in_a.turn, result->normal));
        return true;
    }
    if (a->kind == PCM_BOX && b->kind == PCM_BOX)
        return boxes(pair, result);
    return is_segment(a) && is_segment(b) && segments(pair, result);
}
