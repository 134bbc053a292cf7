/* SPDX-License-Identifier: MIT */
/* bounds.h - axis-aligned bounding boxes. */
#ifndef PCM_GEOMETRY_BOUNDS_H
#define PCM_GEOMETRY_BOUNDS_H
#include "shape.h"

typedef struct bounds {
    vec low, high;
} bounds;

/* The bounds of a placed geometry; infinite for a plane. */
bounds bounds_of(const pcm_geometry *g, const placing *at);

static inline bool bounds_meet(const bounds *a, const bounds *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static inline bool bounds_hold(const bounds *outer, const bounds *inner)
{
    return outer->low.x <= inner->low.x && inner->high.x <= outer->high.x && outer->low.y <= inner->low.y &&
           inner->high.y <= outer->high.y && outer->low.z <= inner->low.z && inner->high.z <= outer->high.z;
}

static inline vec middle_of(const bounds *b) { return add(b->low, scale(sub(b->high, b->low), 0.5)); }

static inline bounds bounds_grown(bounds b, double margin)
{
    const vec m = {margin, margin, margin};
    return (bounds){sub(b.low, m), add(b.high, m)};
}

#endif
