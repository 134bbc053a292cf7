/* SPDX-License-Identifier: MIT */
/* cloud.c - points, single or in clouds, against solids, compounds, planes and grids: each point is treated
 * separately. */
#include "pair.h"
#include "grid.h"

static const touch_part unknown = {0, 0, 0};

static contact_point cloud_point(const body *other, const body *cloud, uint32_t index, double reach);

/* The contact of a point with the part to which it is nearest or in which it is deepest, in the compound's axes. */
static contact_point compound_point(const body *other, const body *cloud, uint32_t index, double reach)
{
    contact_point best = {.gap = INFINITY, .low = INFINITY, .high = INFINITY};
    for (uint32_t i = 0; i < other->geometry->n_parts; i++) {
        const placing      *at = &other->geometry->parts[i].at;
        const body          here = pair_part(other, i);
        const contact_point s = cloud_point(&here, cloud, index, reach);
        const double        low = smaller(best.low, s.low), high = smaller(best.high, s.high);
        if (s.gap < best.gap)
            best =
                (contact_point){s.gap, 0, 0, rotate(&at->turn, s.normal), transform(at, s.on_a), transform(at, s.on_b)};
        best.low = low;
        best.high = high;
    }
    return best;
}

/* The contact of a cloud's point with a solid, plane or grid, in that body's axes, with that body as a. */
static contact_point cloud_point(const body *other, const body *cloud, uint32_t index, double reach)
{
    const pcm_geometry *g = other->geometry;
    const vec           p = transform_back(&other->at, transform(&cloud->at, cloud->geometry->core.corners[index]));
    contact_point       s = {.on_b = p};
    if (g->kind == PCM_COMPOUND)
        return compound_point(other, cloud, index, reach);
    if (g->kind == PCM_PLANE)
        return pair_over_plane(p, 0);
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
    return convex_point(&pair, &result);
}

void pair_separate_point(const body *a, const body *b, uint32_t index, pcm_separation *out)
{
    const bool          swapped = is_pointed(a);
    const body         *other = swapped ? b : a, *cloud = swapped ? a : b;
    const contact_point s = cloud_point(other, cloud, index, INFINITY);
    pair_write(&other->at, &s, swapped, out);
}

/* Whether the bounds of both show that no point of the cloud can be within reach. */
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
        /* A body below a surface always overlaps it, at any distance. */
        const bool open = k == 2 && (other->geometry->kind == PCM_GRID || other->geometry->kind == PCM_PLANE);
        if (centre[k] - extent > highs[k] + reach || (!open && centre[k] + extent < lows[k] - reach))
            return true;
    }
    return false;
}

void cloud_contacts(const body *other, const body *cloud, double reach, bool swapped, pair_take *take, void *user)
{
    if (clouds_apart(other, cloud, reach))
        return;
    for (uint32_t i = 0; i < cloud->geometry->core.n_corners; i++) {
        const contact_point s = cloud_point(other, cloud, i, reach);
        if (s.gap <= reach)
            pair_give(&other->at, &s, swapped, i, unknown, take, user);
    }
}
