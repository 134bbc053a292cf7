/* SPDX-License-Identifier: MIT */
/* pair.c - the separation and the contacts of any two geometries, chosen by their kinds. */
#include "simple.h"
#include "ground.h"

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
        plane_separate(&a->at, b, false, out);
    } else if (b->geometry->kind == PCM_PLANE) {
        plane_separate(&b->at, a, true, out);
    } else if (a->geometry->kind == PCM_GRID) {
        ground_separate(a, b, false, out);
    } else if (b->geometry->kind == PCM_GRID) {
        ground_separate(b, a, true, out);
    } else {
        solids_separate(a, b, out);
    }
}

enum { SIMPLE_POINTS = 32 };

/* False: the pair has no such closed form, or may touch in more points. */
static bool touch_simple(const body *a, const body *b, double reach, uint8_t *known, pair_take *take, void *user)
{
    const simple_way *way = &simple_ways[a->geometry->kind][b->geometry->kind];
    const bool        swapped = way->swapped;
    pcm_touch         touches[SIMPLE_POINTS];
    contacts          out = {touches, SIMPLE_POINTS, 0};
    const body       *first = swapped ? b : a, *second = swapped ? a : b;
    if (!way->meet || !(known && way->warm == BY_AXIS ? boxes_touch_warm(first, second, reach, known, &out)
                                                      : way->meet(first, second, reach, swapped, &out)))
        return false;
    for (size_t k = 0; k < out.count; k++)
        take(user, &touches[k]);
    return true;
}

void pair_touch(const body *a, const body *b, double reach, pair_known known, pair_take *take, void *user)
{
    if (a->geometry->seams && is_solid(b->geometry->kind)) {
        tile_touch(a, b, reach, false, known, take, user);
        return;
    }
    if (b->geometry->seams && is_solid(a->geometry->kind)) {
        tile_touch(b, a, reach, true, known, take, user);
        return;
    }
    if (touch_simple(a, b, reach, known.simple, take, user))
        return;
    if (is_pointed(b))
        cloud_contacts(a, b, reach, false, take, user);
    else if (is_pointed(a))
        cloud_contacts(b, a, reach, true, take, user);
    else if (is_compound(a) || is_compound(b))
        compound_touch(a, b, reach, take, user);
    else if (a->geometry->kind == PCM_PLANE)
        plane_contacts(a, b, reach, false, take, user);
    else if (b->geometry->kind == PCM_PLANE)
        plane_contacts(b, a, reach, true, take, user);
    else if (a->geometry->kind == PCM_GRID)
        ground_touch(a, b, reach, false, take, user);
    else if (b->geometry->kind == PCM_GRID)
        ground_touch(b, a, reach, true, take, user);
    else
        solids_touch(a, b, reach, known.convex, take, user);
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
