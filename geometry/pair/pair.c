/* SPDX-License-Identifier: MIT */
/* pair.c - which geometries meet, and how each pair is measured: convex bodies, planes, grids and clouds. */
#include "simple.h"
#include "grid.h"
#include "ground.h"
#include <pcm/messages.h>

/* ---- Who meets whom ---------------------------------------------------------------------------------------------- */

bool pcm_geometry_meets(pcm_geometry_kind a, pcm_geometry_kind b)
{
    if (b < a)
        return pcm_geometry_meets(b, a);
    if (b == PCM_COMPOUND || is_solid(a))
        return true;
    if (a == PCM_DISK)
        return b == PCM_PLANE;
    return (a == PCM_GRID || a == PCM_PLANE) && (b == PCM_POINT || b == PCM_CLOUD);
}

const char *pcm_geometry_partners(pcm_geometry_kind kind)
{
    switch (kind) {
    case PCM_HULL:
    case PCM_SPHERE:
    case PCM_CAPSULE:
    case PCM_BOX:
    case PCM_CYLINDER:
    case PCM_COMPOUND:
        return "a solid is supported with all geometries";
    case PCM_DISK:
        return "a disk is supported with solids and planes";
    case PCM_GRID:
        return "a grid surface is supported with solids, points and point clouds";
    case PCM_PLANE:
        return "a plane is supported with solids, disks, points and point clouds";
    case PCM_POINT:
        return "a point is supported with solids, grid surfaces and planes";
    case PCM_CLOUD:
        return "a point cloud is supported with solids, grid surfaces and planes";
    }
    return "an unknown geometry is not supported";
}

/* False where the pose is none. A ball looks the same however it is turned. */
static bool place(body *b, const pcm_pose *pose)
{
    if (!is_ball(b->geometry))
        return placing_of(pose, &b->at);
    b->at.turn = placing_identity().turn;
    b->at.at = vec_of(pose->position);
    return has_place(pose);
}

pcm_status pair_bodies(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b, const pcm_pose *pose_b,
                       body *body_a, body *body_b)
{
    if (!a || !b || !pose_a || !pose_b || !pcm_geometry_meets(a->kind, b->kind))
        return PCM_BAD_ARGUMENT;
    body_a->geometry = a;
    body_b->geometry = b;
    return place(body_a, pose_a) && place(body_b, pose_b) ? PCM_OK : PCM_BAD_MOTION;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

void pair_write(const placing *axes, const spot *s, bool swapped, pcm_separation *out)
{
    const vec n = rotate(&axes->turn, s->normal), on_a = transform(axes, s->on_a), on_b = transform(axes, s->on_b);
    out->size = sizeof *out;
    out->distance = s->gap;
    out->low = s->low;
    out->high = s->high;
    vec_to(out->normal, swapped ? negate(n) : n);
    vec_to(out->on_a, swapped ? on_b : on_a);
    vec_to(out->on_b, swapped ? on_a : on_b);
}

static const touch_part whole = {1, 0, PCM_SHARE}, unknown = {0, 0, 0};

touch_part part_of(double share, double area, bool round)
{
    return round ? (touch_part){share, 0, PCM_SHARE} : (touch_part){share, area, PCM_SHARE | PCM_AREA};
}

/* Of a point and a normal in the world's axes. */
static void give_there(vec point, vec n, double gap, bool swapped, uint64_t feature, touch_part of, pair_take *take,
                       void *user)
{
    pcm_touch contact = {.feature = feature, .depth = -gap, .area = of.area, .share = of.share, .gives = of.gives};
    vec_to(contact.point, point);
    vec_to(contact.normal, swapped ? negate(n) : n);
    take(user, &contact);
}

void pair_give(const placing *axes, const spot *s, bool swapped, uint64_t feature, touch_part of, pair_take *take,
               void *user)
{
    give_there(transform(axes, scale(add(s->on_a, s->on_b), 0.5)), rotate(&axes->turn, s->normal), s->gap, swapped,
               feature, of, take, user);
}

/* ---- Convex bodies ----------------------------------------------------------------------------------------------- */

static int compare(double x, double y) { return (x > y) - (x < y); }

static int compare_shapes(const pcm_geometry *a, const pcm_geometry *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    const double of_a[] = {a->core.n_corners, a->size, a->radius, a->rim, a->half};
    const double of_b[] = {b->core.n_corners, b->size, b->radius, b->rim, b->half};
    int          order = 0;
    for (size_t k = 0; k < sizeof of_a / sizeof *of_a && order == 0; k++)
        order = compare(of_a[k], of_b[k]);
    for (uint32_t k = 0; k < a->core.n_corners && order == 0; k++) {
        const vec p = a->core.corners[k], q = b->core.corners[k];
        order = p.x != q.x ? compare(p.x, q.x) : p.y != q.y ? compare(p.y, q.y) : compare(p.z, q.z);
    }
    return order;
}

bool pair_is_reversed(const body *a, const body *b)
{
    const int order = a->geometry == b->geometry ? 0 : compare_shapes(a->geometry, b->geometry);
    const vec p = a->at.at, q = b->at.at;
    if (order != 0)
        return order > 0;
    return p.x != q.x ? p.x > q.x : p.y != q.y ? p.y > q.y : p.z > q.z;
}

spot grown_spot(const convex_pair *pair, const convex_result *r, vec on_a, vec on_b, double gap)
{
    const double radii = pair->a->radius + pair->b->radius;
    return (spot){gap - radii,
                  r->low - radii,
                  r->high - radii,
                  r->normal,
                  along(on_a, r->normal, pair->a->radius),
                  along(on_b, r->normal, -pair->b->radius)};
}

spot convex_spot(convex_pair *pair, convex_result *r)
{
    witness patch[PATCH_MAX];
    if (!r->witnessed)
        convex_patch(pair, r, patch);
    return grown_spot(pair, r, r->on_a, r->on_b, r->sep);
}

static ball ball_of(const body *b) { return (ball){b->at.at, b->geometry->radius}; }

/* In the world's axes: nothing of spheres needs turning. */
static spot ball_spot(const ball *a, const ball *b)
{
    const vec    between = sub(b->at, a->at), n = unit_or(between, (vec){0, 0, 1});
    const double gap = norm(between) - (a->radius + b->radius);
    return (spot){gap, gap, gap, n, along(a->at, n, a->radius), along(b->at, n, -b->radius)};
}

void pair_touch_balls(const ball *a, const ball *b, double reach, pair_take *take, void *user)
{
    pcm_touch contact;
    if (balls_touch(a, b, reach, &contact))
        take(user, &contact);
}

/* A ball and another solid, in the other's axes; false: it has no closed form for the ball's place. */
static bool ball_on_solid(const body *solid, const body *round, spot *s)
{
    const vec    p = transform_back(&solid->at, round->at.at);
    const double r = solid->geometry->radius, q = round->geometry->radius;
    outside      out;
    if (!convex_outside(solid->geometry, p, &out))
        return false;
    const double gap = out.sep - (r + q);
    *s = (spot){gap, gap, gap, out.normal, along(out.closest, out.normal, r), along(p, out.normal, -q)};
    return true;
}

/* The solid of a pair with one ball, in *swapped whether it is b; NULL: both are balls, or none is. */
static const body *beside_ball(const body *a, const body *b, bool *swapped)
{
    *swapped = is_ball(a->geometry);
    return is_ball(a->geometry) == is_ball(b->geometry) ? NULL : *swapped ? b : a;
}

static void separate_convex(const body *a, const body *b, pcm_separation *out)
{
    bool        beside;
    const body *solid = beside_ball(a, b, &beside);
    spot        found;
    if (solid && ball_on_solid(solid, solid == a ? b : a, &found)) {
        pair_write(&solid->at, &found, beside, out);
        return;
    }
    const bool    swapped = pair_is_reversed(a, b);
    const body   *first = swapped ? b : a, *second = swapped ? a : b;
    const placing world = placing_identity();
    if (is_ball(a->geometry) && is_ball(b->geometry)) {
        const ball in_front = ball_of(first), behind = ball_of(second);
        const spot s = ball_spot(&in_front, &behind);
        pair_write(&world, &s, swapped, out);
        return;
    }
    const placing relative = placing_relative(&first->at, &second->at);
    convex_pair   pair = convex_pair_of(first->geometry, second->geometry, &relative);
    convex_result result = convex_separate(&pair);
    const spot    s = convex_spot(&pair, &result);
    pair_write(&first->at, &s, swapped, out);
}

static bool is_round(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 1; }

static bool is_convex(const pcm_geometry *g) { return is_solid(g->kind) || g->kind == PCM_DISK; }
static bool is_capsule(const pcm_geometry *g) { return g->kind == PCM_CAPSULE; }
static bool is_box(const pcm_geometry *g) { return g->kind == PCM_BOX; }

bool pair_searches(const pcm_geometry *a, const pcm_geometry *b)
{
    return is_convex(a) && is_convex(b) && !is_ball(a) && !is_ball(b) && !(is_capsule(a) && is_capsule(b)) &&
           !(is_box(a) && is_box(b));
}

/* A ball and a solid that has a closed form for it; false: this is none. */
static bool touch_ball(const body *a, const body *b, double reach, pair_take *take, void *user)
{
    bool        swapped;
    const body *solid = beside_ball(a, b, &swapped);
    spot        s;
    if (!solid || !ball_on_solid(solid, solid == a ? b : a, &s))
        return false;
    if (s.gap <= reach)
        pair_give(&solid->at, &s, swapped, 0, whole, take, user);
    return true;
}

static void touch_convex(const body *a, const body *b, double reach, convex_memory *memory, pair_take *take, void *user)
{
    if (touch_ball(a, b, reach, take, user))
        return;
    const bool    swapped = pair_is_reversed(a, b);
    const body   *first = swapped ? b : a, *second = swapped ? a : b;
    const placing relative = placing_relative(&first->at, &second->at);
    convex_pair   pair = convex_pair_of(first->geometry, second->geometry, &relative);
    const double  radii = first->geometry->radius + second->geometry->radius;
    witness       patch[PATCH_MAX];
    pair.reach = reach + radii;
    convex_remember(&pair, memory, swapped);
    convex_result result = convex_separate(&pair);
    if (!(result.low <= pair.reach) || !(result.sep <= pair.reach))
        return;
    if (is_round(a->geometry) || is_round(b->geometry)) {
        const spot s = convex_spot(&pair, &result);
        pair_give(&first->at, &s, swapped, 0, whole, take, user);
        return;
    }
    const uint32_t count = convex_patch(&pair, &result, patch);
    for (uint32_t k = 0; k < count; k++) {
        const witness *w = &patch[k];
        if (!(w->gap <= pair.reach))
            continue;
        const spot     s = grown_spot(&pair, &result, w->on_a, w->on_b, w->gap);
        const uint64_t feature = swapped ? feature_swapped(w->feature) : w->feature;
        pair_give(&first->at, &s, swapped, feature, part_of(w->share, w->area, radii > 0), take, user);
    }
}

/* ---- Planes: everything is measured by its height over the plane ------------------------------------------------- */

static spot plane_spot(vec p, double radius)
{
    const double height = p.z - radius;
    return (spot){height, height, height, {0, 0, 1}, {p.x, p.y, 0}, {p.x, p.y, height}};
}

static void separate_plane(const placing *plane, const body *other, bool swapped, pcm_separation *out)
{
    const placing       at = placing_relative(plane, &other->at);
    const pcm_geometry *g = other->geometry;
    uint32_t            corner = 0;
    const vec           down = rotate_back(&at.turn, (vec){0, 0, -1});
    const spot          s = plane_spot(transform(&at, core_support(g, down, &corner)), g->radius);
    pair_write(plane, &s, swapped, out);
}

/* A point of a body within reach of a plane. */
typedef struct plane_point {
    vec      at; /* in the body's axes */
    double   gap;
    uint64_t feature;
    double   here, area; /* its presence, and what it stands for of the body's surface, seen from the plane */
} plane_point;

/* Points that are kept while they are summed; bodies with more are gone through twice. */
enum { PLANE_POINTS = 32 };

typedef struct plane_touch {
    vec         normal, up; /* of the plane, in the world's axes and in the body's */
    double      height;     /* of the body's origin, less its radius */
    double      size, reach;
    double      sum; /* of all points' presence */
    plane_point kept[PLANE_POINTS];
    uint32_t    n;
    bool        again; /* giving what did not fit */
    const body *other;
    /* where the points go */
    bool       swapped;
    pair_take *take;
    void      *user;
} plane_touch;

static double gap_over_plane(const plane_touch *t, vec point) { return dot(t->up, point) + t->height; }

static bool reaches_plane(const plane_touch *t, vec point) { return gap_over_plane(t, point) <= t->reach; }

static void give_over_plane(const plane_touch *t, const plane_point *p)
{
    const double     radius = t->other->geometry->radius;
    const touch_part of = part_of(p->here / t->sum, p->area, radius > 0);
    if (p->gap <= t->reach)
        give_there(along(transform(&t->other->at, p->at), t->normal, -radius - 0.5 * p->gap), t->normal, p->gap,
                   t->swapped, p->feature, of, t->take, t->user);
}

/* A point that reaches the plane and stands for so much of the body's surface, seen from there. */
static void take_over_plane(plane_touch *t, vec point, uint64_t feature, double area)
{
    const double gap = gap_over_plane(t, point);
    const double here = presence(area / (t->size * t->size), gap, t->reach, t->size);
    plane_point  beyond, *p = !t->again && t->n < PLANE_POINTS ? &t->kept[t->n] : &beyond;
    p->at = point;
    p->gap = gap;
    p->feature = feature;
    p->here = here;
    p->area = area;
    if (t->again && t->n >= PLANE_POINTS)
        give_over_plane(t, p);
    t->sum += t->again ? 0 : here;
    t->n++;
}

static void take_corners_over_plane(plane_touch *t, const pcm_geometry *g, vec down)
{
    const polytope *core = &g->core;
    for (uint32_t i = 0; i < core->n_corners; i++)
        if (reaches_plane(t, core->corners[i]))
            take_over_plane(t, core->corners[i], i, polytope_area_along(core, i, down));
}

vec pair_rim_lowest(const pcm_geometry *g, vec down)
{
    const double radial = sqrt(down.x * down.x + down.y * down.y);
    return radial > 1e-12 ? (vec){g->rim / radial * down.x, g->rim / radial * down.y, 0} : (vec){g->rim, 0, 0};
}

void pair_rim_points(const pcm_geometry *g, vec lowest, vec down, vec points[3], double areas[3])
{
    const double x = lowest.x, y = lowest.y, z = lowest.z, half = 0.5, root = 0.86602540378443865;
    const double cap = (g->half > 0 && z * down.z < 0 ? 0 : fabs(down.z)) * 3.14159265358979324 * g->rim * g->rim / 3;
    points[0] = lowest;
    points[1] = (vec){-half * x - root * y, root * x - half * y, z};
    points[2] = (vec){-half * x + root * y, -root * x - half * y, z};
    areas[0] = cap + 2 * g->rim * g->half * sqrt(down.x * down.x + down.y * down.y);
    areas[1] = areas[2] = cap;
}

static void take_rim_over_plane(plane_touch *t, vec lowest, vec down, uint64_t name)
{
    vec    points[3];
    double areas[3];
    if (!reaches_plane(t, lowest))
        return;
    pair_rim_points(t->other->geometry, lowest, down, points, areas);
    for (uint32_t k = 0; k < 3; k++)
        if (reaches_plane(t, points[k]))
            take_over_plane(t, points[k], name + k, areas[k]);
}

static void take_rims_over_plane(plane_touch *t, const pcm_geometry *g, vec down)
{
    const vec lowest = pair_rim_lowest(g, down);
    take_rim_over_plane(t, (vec){lowest.x, lowest.y, -g->half}, down, 0);
    if (g->half > 0)
        take_rim_over_plane(t, (vec){lowest.x, lowest.y, g->half}, down, 3);
}

static void take_all_over_plane(plane_touch *t, const pcm_geometry *g)
{
    const vec down = negate(t->up);
    t->n = 0;
    take_corners_over_plane(t, g, down);
    if (g->rim > 0)
        take_rims_over_plane(t, g, down);
}

static void touch_plane(const body *plane, const body *other, double reach, bool swapped, pair_take *take, void *user)
{
    const pcm_geometry *g = other->geometry;
    const vec           n = axis_of(plane);
    const double        height = dot(n, sub(other->at.at, plane->at.at)) - g->radius;
    plane_touch         t; /* of which few points are ever filled in */
    t.normal = n;
    t.up = rotate_back(&other->at.turn, n);
    t.height = height;
    t.size = g->size;
    t.reach = reach;
    t.sum = 0;
    t.again = false;
    t.other = other;
    t.swapped = swapped;
    t.take = take;
    t.user = user;
    take_all_over_plane(&t, g);
    const uint32_t kept = t.n < PLANE_POINTS ? t.n : PLANE_POINTS;
    for (uint32_t k = 0; k < kept && t.sum > 0; k++)
        give_over_plane(&t, &t.kept[k]);
    t.again = true;
    if (t.n > kept && t.sum > 0)
        take_all_over_plane(&t, g);
}

/* ---- Points against solids, compounds and grids ------------------------------------------------------------------ */

static spot point_spot(const body *other, const body *cloud, uint32_t index, double reach);

/* The spot of the part that the point is nearest to or deepest in, in the compound's axes. */
static spot compound_spot(const body *other, const body *cloud, uint32_t index, double reach)
{
    spot best = {.gap = INFINITY, .low = INFINITY, .high = INFINITY};
    for (uint32_t i = 0; i < other->geometry->n_parts; i++) {
        const placing *at = &other->geometry->parts[i].at;
        const body     here = pair_part(other, i);
        const spot     s = point_spot(&here, cloud, index, reach);
        const double   low = smaller(best.low, s.low), high = smaller(best.high, s.high);
        if (s.gap < best.gap)
            best = (spot){s.gap, 0, 0, rotate(&at->turn, s.normal), transform(at, s.on_a), transform(at, s.on_b)};
        best.low = low;
        best.high = high;
    }
    return best;
}

/* The spot of point p of a cloud against a solid, plane or grid, in the other's axes; normal and on_a are its. */
static spot point_spot(const body *other, const body *cloud, uint32_t index, double reach)
{
    const pcm_geometry *g = other->geometry;
    const vec           p = transform_back(&other->at, transform(&cloud->at, cloud->geometry->core.corners[index]));
    spot                s = {.on_b = p};
    if (g->kind == PCM_COMPOUND)
        return compound_spot(other, cloud, index, reach);
    if (g->kind == PCM_PLANE)
        return plane_spot(p, 0);
    if (g->kind == PCM_GRID) {
        s.gap = s.low = s.high = grid_closest(&g->grid, p, reach, &s.on_a, &s.normal);
        return s;
    }
    /* A point is a polytope of one corner without edges. */
    vec                corner[1] = {{0, 0, 0}};
    uint32_t           ring_first[2] = {0, 0};
    const pcm_geometry point = {.kind = PCM_POINT,
                                .core = {.corners = corner, .n_corners = 1, .ring_first = ring_first}};
    const placing      at = {placing_identity().turn, p};
    convex_pair        pair = convex_pair_of(g, &point, &at);
    convex_result      result = convex_separate(&pair);
    return convex_spot(&pair, &result);
}

static bool is_compound(const body *b) { return b->geometry->kind == PCM_COMPOUND; }
static bool is_pointed(const body *b) { return b->geometry->kind == PCM_CLOUD || b->geometry->kind == PCM_POINT; }

void pair_separate_point(const body *a, const body *b, uint32_t index, pcm_separation *out)
{
    const bool  swapped = is_pointed(a);
    const body *other = swapped ? b : a, *cloud = swapped ? a : b;
    const spot  s = point_spot(other, cloud, index, INFINITY);
    pair_write(&other->at, &s, swapped, out);
}

/* Whether no point of the cloud can be within reach: by the bounds of both. */
static bool clouds_apart(const body *other, const body *cloud, double reach)
{
    const placing at = placing_relative(&other->at, &cloud->at);
    const vec     low = other->geometry->low, high = other->geometry->high;
    const vec     half = scale(sub(cloud->geometry->high, cloud->geometry->low), 0.5);
    const vec     c = transform(&at, add(cloud->geometry->low, half));
    const double  centre[3] = {c.x, c.y, c.z}, lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    for (int k = 0; k < 3; k++) {
        const vec    row = at.turn.row[k];
        const double extent = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
        /* Below a surface everything overlaps it. */
        const bool open = k == 2 && (other->geometry->kind == PCM_GRID || other->geometry->kind == PCM_PLANE);
        if (centre[k] - extent > highs[k] + reach || (!open && centre[k] + extent < lows[k] - reach))
            return true;
    }
    return false;
}

static void touch_points(const body *other, const body *cloud, double reach, bool swapped, pair_take *take, void *user)
{
    if (clouds_apart(other, cloud, reach))
        return;
    for (uint32_t i = 0; i < cloud->geometry->core.n_corners; i++) {
        const spot s = point_spot(other, cloud, i, reach);
        if (s.gap <= reach)
            pair_give(&other->at, &s, swapped, i, unknown, take, user);
    }
}

/* ---- All pairs --------------------------------------------------------------------------------------------------- */

void pair_separate(const body *a, const body *b, pcm_separation *out)
{
    if (is_pointed(a) || is_pointed(b)) {
        const body    *cloud = is_pointed(a) ? a : b;
        pcm_separation next = {.size = sizeof next};
        pair_separate_point(a, b, 0, out);
        for (uint32_t i = 1; i < cloud->geometry->core.n_corners; i++) {
            pair_separate_point(a, b, i, &next);
            const double low = smaller(out->low, next.low), high = smaller(out->high, next.high);
            if (next.distance < out->distance)
                *out = next;
            out->low = low;
            out->high = high;
        }
    } else if (is_compound(a) || is_compound(b)) {
        compound_separate(a, b, out);
    } else if (a->geometry->kind == PCM_PLANE) {
        separate_plane(&a->at, b, false, out);
    } else if (b->geometry->kind == PCM_PLANE) {
        separate_plane(&b->at, a, true, out);
    } else if (a->geometry->kind == PCM_GRID) {
        ground_separate(a, b, false, out);
    } else if (b->geometry->kind == PCM_GRID) {
        ground_separate(b, a, true, out);
    } else {
        separate_convex(a, b, out);
    }
}

/* False: these are none, or may touch in more places. */
static bool touch_simple(const body *a, const body *b, double reach, uint8_t *known, pair_take *take, void *user)
{
    const simple_way *way = &simple_ways[a->geometry->kind][b->geometry->kind];
    const bool        swapped = way->swapped;
    pcm_touch         touches[PLANE_POINTS];
    contacts          out = {touches, PLANE_POINTS, 0};
    const body       *first = swapped ? b : a, *second = swapped ? a : b;
    if (!way->meet || !(known && way->again == KNOWS ? boxes_touch_again(first, second, reach, known, &out)
                                                     : way->meet(first, second, reach, swapped, &out)))
        return false;
    for (size_t k = 0; k < out.count; k++)
        take(user, &touches[k]);
    return true;
}

void pair_touch(const body *a, const body *b, double reach, pair_known known, pair_take *take, void *user)
{
    if (touch_simple(a, b, reach, known.simple, take, user))
        return;
    if (is_pointed(b))
        touch_points(a, b, reach, false, take, user);
    else if (is_pointed(a))
        touch_points(b, a, reach, true, take, user);
    else if (is_compound(a) || is_compound(b))
        compound_touch(a, b, reach, take, user);
    else if (a->geometry->kind == PCM_PLANE)
        touch_plane(a, b, reach, false, take, user);
    else if (b->geometry->kind == PCM_PLANE)
        touch_plane(b, a, reach, true, take, user);
    else if (a->geometry->kind == PCM_GRID)
        ground_touch(a, b, reach, false, take, user);
    else if (b->geometry->kind == PCM_GRID)
        ground_touch(b, a, reach, true, take, user);
    else
        touch_convex(a, b, reach, known.convex, take, user);
}

/* ---- The public calls -------------------------------------------------------------------------------------------- */

pcm_status pcm_geometry_separate(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                 const pcm_pose *pose_b, pcm_separation *separation)
{
    body             body_a, body_b;
    pcm_separation   known = {.size = sizeof known};
    const pcm_status status = pair_bodies(a, pose_a, b, pose_b, &body_a, &body_b);
    if (status != PCM_OK)
        return status;
    pair_separate(&body_a, &body_b, &known);
    return pcm_info_fill(NULL, "pcm_separation", separation, separation->size, &known);
}

pcm_status pcm_geometry_separate_point(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                       const pcm_pose *pose_b, size_t index, pcm_separation *separation)
{
    body             body_a, body_b;
    pcm_separation   known = {.size = sizeof known};
    const pcm_status status = pair_bodies(a, pose_a, b, pose_b, &body_a, &body_b);
    if (status != PCM_OK)
        return status;
    const body *cloud = is_pointed(&body_a) ? &body_a : &body_b;
    if (!is_pointed(cloud) || index >= cloud->geometry->core.n_corners)
        return PCM_BAD_ARGUMENT;
    pair_separate_point(&body_a, &body_b, (uint32_t)index, &known);
    return pcm_info_fill(NULL, "pcm_separation", separation, separation->size, &known);
}
