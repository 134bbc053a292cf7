/* SPDX-License-Identifier: MIT */
/* bounds.c - the axis-aligned bounding box of a geometry. */
#include "bounds.h"
#include <math.h>

bounds bounds_of(const pcm_geometry *g, const placing *at)
{
    if (g->kind == PCM_PLANE)
        return (bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    if (g->kind == PCM_SPHERE)
        return bounds_grown((bounds){at->at, at->at}, g->radius);
    const vec half = scale(sub(g->high, g->low), 0.5), middle = transform(at, add(g->low, half));
    double    extent[3];
    for (int k = 0; k < 3; k++) {
        const vec row = at->turn.row[k];
        extent[k] = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
    }
    const vec e = vec_of(extent);
    return (bounds){sub(middle, e), add(middle, e)};
}
