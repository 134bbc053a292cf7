/* SPDX-License-Identifier: MIT */
/* simple.h - pairs whose contacts mostly have a short closed form: balls, capsules and planes with each other and with
 * cylinders and disks, planes with boxes and hulls, balls with boxes, and two boxes. */
#ifndef PCM_GEOMETRY_SIMPLE_H
#define PCM_GEOMETRY_SIMPLE_H

#include "pair.h"

/* A body's z axis. */
static inline vec axis_of(const body *b)
{
    return (vec){b->at.turn.row[0].z, b->at.turn.row[1].z, b->at.turn.row[2].z};
}

/* The separation of a capsule's segment and that of another or the middle of a ball, in axes parallel to the world's
 * about a's middle, and the name of the one place where they face each other, as convex_patch would tell; false: they
 * are nearly parallel or meet at an end, and may face each other in two. */
bool convex_segments(const body *a, const body *b, vec *normal, vec *on_a, double *sep, uint64_t *feature);

/* The contact of two balls; returns how many there are, 0 or 1. */
uint32_t balls_touch(const ball *a, const ball *b, double reach, pcm_touch *out);

/* ---- From poses -------------------------------------------------------------------------------------------------- */

/* The parameters of pcm_geometry_touch, which stay where they are as one function leaves all to another. */
#define TOUCH_PARAMETERS                                                                                               \
    const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b, const pcm_pose *pose_b, double reach,        \
        pcm_touch *touches, size_t touch_size, size_t capacity, size_t *count
#define TOUCH_ARGUMENTS a, pose_a, b, pose_b, reach, touches, touch_size, capacity, count

typedef pcm_status touch_way(TOUCH_PARAMETERS);

/* pcm_geometry_touch of any pair. */
touch_way touch_anyhow;

/* The parameters of pcm_geometry_touch_many. */
typedef struct touch_row {
    const pcm_geometry        *a;
    const pcm_pose            *pose_a;
    const pcm_geometry *const *b;
    const pcm_pose            *poses_b;
    double                     reach;
    pcm_touch                 *touches;
    size_t                     touch_size, capacity;
    size_t                    *counts;
} touch_row;

/* Pairs `from` to `end` of a row, of which all b are of one kind; returns the first that is left to touch_anyhow, or
 * `end`. */
typedef size_t row_way(const touch_row *row, size_t from, size_t end);

/* ---- By kinds ---------------------------------------------------------------------------------------------------- */

/* Where the contacts of a pair go: there is room for one at least. */
typedef struct contacts {
    pcm_touch *touches;
    size_t     room, count;
} contacts;

/* The middle of the gap, or of the overlap, is the point; the normal is from the a of the call. */
static inline pcm_touch *contact_write(contacts *out, vec point, vec n, double gap, double share, uint64_t feature)
{
    pcm_touch *to = &out->touches[out->count++];
    to->feature = feature;
    vec_to(to->point, point);
    vec_to(to->normal, n);
    to->depth = -gap;
    to->area = 0;
    to->share = share;
    to->gives = PCM_SHARE;
    return to;
}

/* The contacts of two kinds, the first one first; false: they may touch in more places or are deep in each other: rods
 * are nearly parallel or meet at an end, a rim is nearly level, cores overlap, or there are more contacts than there is
 * room for. swapped: the first is the b of the call. */
typedef bool meeting(const body *first, const body *second, double reach, bool swapped, contacts *out);

/* The same by what is known of the last contacts, which is proven before it is used, so that any number is right. */
typedef bool       meeting_again(const body *first, const body *second, double reach, uint8_t *known, contacts *out);
typedef pcm_status touch_again_way(uint8_t *known, TOUCH_PARAMETERS);

/* How two kinds meet that have a short way; all empty: they have none. */
typedef struct simple_way {
    touch_way *touch; /* where there is room for touches of this version's size */
    row_way   *many;  /* the same of many at once */
    meeting   *meet;
    bool       swapped;  /* the first of the meeting is the second here */
    bool       searches; /* for what `meet` leaves, from what a memory knows */
    /* NULL: the last contacts tell nothing of the next. */
    touch_again_way *touch_again;
    meeting_again   *meet_again;
} simple_way;

enum { KINDS = PCM_COMPOUND + 1 };

/* Two boxes that overlap, in any order. */
meeting boxes_touch;

/* The same by the direction of the last contacts (boxes.h), 0 where it is not known; tells that of the next. */
meeting_again boxes_touch_again;

extern const simple_way simple_ways[KINDS][KINDS];

#endif
