/* SPDX-License-Identifier: MIT */
/* vector.h - three-vectors and rotations one at a time. The pipeline, which takes many at once, has its own: block.c.
 */
#ifndef PCM_BASE_VECTOR_H
#define PCM_BASE_VECTOR_H

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The rotation, row-major, from body to base axes, of any quaternion but zero. */
static inline void rotation_of(const double q[4], double m[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double s = 2 / (w * w + x * x + y * y + z * z);
    m[0] = 1 - s * (y * y + z * z);
    m[1] = s * (x * y - w * z);
    m[2] = s * (x * z + w * y);
    m[3] = s * (x * y + w * z);
    m[4] = 1 - s * (x * x + z * z);
    m[5] = s * (y * z - w * x);
    m[6] = s * (x * z - w * y);
    m[7] = s * (y * z + w * x);
    m[8] = 1 - s * (x * x + y * y);
}

#endif
