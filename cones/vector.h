/* SPDX-License-Identifier: MIT */
/* vector.h - three-vectors for cones. */
#ifndef PCM_CONES_VECTOR_H
#define PCM_CONES_VECTOR_H

#include <pcm/spatial.h>
#include <math.h>

/* Overflows only if the length itself does. */
static inline double norm(const double a[3]) { return hypot(hypot(a[0], a[1]), a[2]); }

static inline bool finite3(const double a[3]) { return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]); }

/* a + s b */
static inline void add_scaled(const double a[3], double s, const double b[3], double out[3])
{
    for (size_t i = 0; i < 3; i++)
        out[i] = a[i] + s * b[i];
}

/* False, with out unchanged, if a has no direction. */
static inline bool normalise(const double a[3], double out[3])
{
    const double length = norm(a);
    if (!(length > 0) || !isfinite(length))
        return false;
    for (size_t i = 0; i < 3; i++)
        out[i] = a[i] / length;
    return true;
}

#endif
