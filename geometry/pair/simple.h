/* SPDX-License-Identifier: MIT */
/* simple.h - pairs whose contacts mostly have a short closed form: balls, capsules and planes with each other and with
 * cylinders and disks, planes with boxes and hulls, balls with boxes, and boxes with boxes. */
#ifndef PCM_GEOMETRY_SIMPLE_H
#define PCM_GEOMETRY_SIMPLE_H

#include "pair.h"

/* The contact of two balls; returns how many there are, 0 or 1. */
uint32_t balls_touch(const ball *a, const ball *b, double reach, pcm_touch *out);

/* ---- From poses -------------------------------------------------------------------------------------------------- */

/* The parameters of pcm_geometry_touch. */
typedef struct touch_call {
    const pcm_geometry *a, *b;
    const pcm_pose     *pose_a, *pose_b;
    double              reach;
    pcm_touch          *touches;
    size_t              capacity, *count;
} touch_call;

/* The contacts of a pair; false: the poses alone do not give them, and the call is left to the search. */
typedef bool touch_way(const touch_call *call);

static inline vec firsts(two x, two y, two z) { return (vec){x[0], y[0], z[0]}; }
static inline vec seconds(two x, two y, two z) { return (vec){x[1], y[1], z[1]}; }

/* Computes the same rotations as turn_of, two at once. */
static inline void turn_both(two s, two w, two x, two y, two z, mat *first, mat *second)
{
    const two xx = 1 - s * (y * y + z * z), xy = s * (x * y - w * z), xz = s * (x * z + w * y);
    const two yx = s * (x * y + w * z), yy = 1 - s * (x * x + z * z), yz = s * (y * z - w * x);
    const two zx = s * (x * z - w * y), zy = s * (y * z + w * x), zz = 1 - s * (x * x + y * y);
    *first = (mat){{firsts(xx, xy, xz), firsts(yx, yy, yz), firsts(zx, zy, zz)}};
    *second = (mat){{seconds(xx, xy, xz), seconds(yx, yy, yz), seconds(zx, zy, zz)}};
}

/* The placings of two poses that are finite and have quaternions of roughly unit length; false: they do not. x - x is 0
 * for a finite x, else NaN. */
static inline bool place_both(const pcm_pose *a, const pcm_pose *b, placing *first, placing *second)
{
    const double *p = a->orientation, *q = b->orientation;
    const two     w = {p[0], q[0]}, x = {p[1], q[1]}, y = {p[2], q[2]}, z = {p[3], q[3]};
    const two     n2 = w * w + x * x + y * y + z * z, beyond = n2 - 1;
    first->at = vec_of(a->position);
    second->at = vec_of(b->position);
    const vec    r = sub(second->at, first->at);
    const double sum = r.x + r.y + r.z, off = fabs(beyond[0]) + fabs(beyond[1]) + (sum - sum);
    if (off < NEARLY_UNIT)
        turn_both(4 - 2 * n2, w, x, y, z, &first->turn, &second->turn);
    else
        turn_both((two){twice_inverse(n2[0]), twice_inverse(n2[1])}, w, x, y, z, &first->turn, &second->turn);
    return off < 0.5;
}

/* ---- By kinds ---------------------------------------------------------------------------------------------------- */

/* Where the contacts of a pair are written; there is room for at least one. */
typedef struct contacts {
    pcm_touch *touches;
    size_t     room, count;
} contacts;

/* The contact point is the middle of the gap or overlap; the normal points out of the a of the call. */
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
    to->shape = NULL;
    return to;
}

/* The contacts of bodies of two kinds, in this order. False: the closed form does not cover the case (rods nearly
 * parallel or meeting at an end, a rim that is nearly level, overlapping cores, or more contacts than there is room
 * for). swapped: `first` is the b of the call. */
typedef bool meeting(const body *first, const body *second, double reach, bool swapped, contacts *out);

enum { CLOSED_FORM, SEARCHED, BY_AXIS };

/* The closed form for two kinds; all members are zero where there is none. */
typedef struct simple_way {
    touch_way *touch; /* works from poses; needs touches of this version's size */
    meeting   *meet;
    bool       swapped; /* `meet` takes the second body first */
    uint8_t    warm;    /* use of a cache: none, for the cases that `meet` leaves, or for the direction of two boxes */
} simple_way;

enum { KINDS = PCM_COMPOUND + 1 };

/* Two boxes, in either order. */
meeting boxes_touch;

/* The same with a warm start: *known is the direction of the last contacts (boxes.h), 0 for none, and becomes that of
 * the new ones. It is proven before it is used, so any number is allowed. */
bool boxes_touch_warm(const body *a, const body *b, double reach, uint8_t *known, contacts *out);
bool touch_boxes_warm(const touch_call *call, uint8_t *known);

extern const simple_way simple_ways[KINDS][KINDS];

#endif
