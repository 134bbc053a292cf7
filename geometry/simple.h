/* SPDX-License-Identifier: MIT */
/* simple.h - pairs whose contacts mostly have a short closed form: balls, capsules and planes with each other and with
 * cylinders and disks, planes with boxes and hulls, and balls with boxes. */
#ifndef PCM_GEOMETRY_SIMPLE_H
#define PCM_GEOMETRY_SIMPLE_H

#include "pair.h"

/* A body's z axis. */
static inline vec axis_of(const body *b)
{
    return (vec){b->at.turn.row[0].z, b->at.turn.row[1].z, b->at.turn.row[2].z};
}

/* Whether simple_touch knows such a pair. */
static inline bool are_simple(const pcm_geometry *a, const pcm_geometry *b)
{
    enum { ROUND = 1 << PCM_SPHERE | 1 << PCM_CAPSULE, RIMS = 1 << PCM_CYLINDER | 1 << PCM_DISK };
    static const unsigned partners[] = {[PCM_SPHERE] = ROUND | RIMS | 1 << PCM_PLANE | 1 << PCM_BOX,
                                        [PCM_CAPSULE] = ROUND | RIMS | 1 << PCM_PLANE,
                                        [PCM_BOX] = 1 << PCM_SPHERE,
                                        [PCM_CYLINDER] = ROUND | 1 << PCM_PLANE,
                                        [PCM_DISK] = ROUND | 1 << PCM_PLANE,
                                        [PCM_PLANE] = ROUND | RIMS,
                                        [PCM_COMPOUND] = 0};
    return partners[a->kind] >> b->kind & 1;
}

/* The contacts of two of them; false: they may touch in more places or are deep in each other: rods are nearly parallel
 * or meet at an end, a rim is nearly level, cores overlap. */
bool simple_touch(const body *a, const body *b, double reach, pcm_touch out[2], uint32_t *count);

/* The separation of a capsule's segment and that of another or the middle of a ball, in axes parallel to the world's
 * about a's middle, and the name of the one place where they face each other, as convex_patch would tell; false: they
 * are nearly parallel or meet at an end, and may face each other in two. */
bool convex_segments(const body *a, const body *b, vec *normal, vec *on_a, double *sep, uint64_t *feature);

/* The contact of two balls; returns how many there are, 0 or 1. */
uint32_t balls_touch(const ball *a, const ball *b, double reach, pcm_touch *out);

/* The contacts of a box or hull and a plane; false: there are more than there is room for, of at least one. */
bool corners_on_plane(const body *plane, const body *of, double reach, bool swapped, pcm_touch *out, size_t room,
                      size_t *count);

/* ---- From poses -------------------------------------------------------------------------------------------------- */

/* The parameters of pcm_geometry_touch, which stay where they are as one function leaves all to another. */
#define TOUCH_PARAMETERS                                                                                               \
    const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b, const pcm_pose *pose_b, double reach,        \
        pcm_touch *touches, size_t touch_size, size_t capacity, size_t *count
#define TOUCH_ARGUMENTS a, pose_a, b, pose_b, reach, touches, touch_size, capacity, count

typedef pcm_status touch_way(TOUCH_PARAMETERS);

/* pcm_geometry_touch of any pair. */
touch_way touch_anyhow;

/* Of the kinds in their names, in either order, where there is room for two touches of this version's size. */
touch_way touch_balls, touch_ball_on_plane, touch_ball_on_capsule, touch_ball_on_drum, touch_ball_on_box,
    touch_capsule_on_plane, touch_capsules, touch_capsule_on_drum, touch_drum_on_plane, touch_corners_on_plane;

#endif
