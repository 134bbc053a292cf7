/* SPDX-License-Identifier: MIT */
/* spatial.h - from the points that a contact law sees to the bodies that spatial-vector dynamics moves, and back.
 *
 * For programs that own their contacts: three vector functions, and the three steps around a law in space and in the
 * plane. These give positions and velocities of points from the motion of their bodies, spatial forces from the forces
 * at points, and their sum per body. Everything is in world axes, and everything spatial refers to the world origin:
 *
 *            space                                       plane
 *   velocity (wx, wy, wz, vx, vy, vz), 6 numbers         (w, vx, vy), 3 numbers, w from x to y
 *   force    (nx, ny, nz, fx, fy, fz), 6 numbers         (n, fx, fy), 3 numbers, n from x to y
 *   motion   (px, py, pz, px', py', pz'), 6 numbers      (px, py, px', py'), 4 numbers, of one point
 *
 * v is the velocity of that point of the body which is currently at the world origin: v = r' - w x r for a body whose
 * own origin is at r; it is neither the velocity of the body's origin nor of its centre of mass. n is the moment about
 * the world origin. Arrays hold one item after the other: read as matrices stored by columns, column i is point or body
 * i, as Spatial_v2 (R. Featherstone) has them.
 *
 * All are [hot], never fail, and propagate NaN. */
#ifndef PCM_SPATIAL_H
#define PCM_SPATIAL_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Vectors --------------------------------------------------------------------------------------------------- */

/* The scalar product of two vectors. */
static inline double pcm_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The vector product of a and b; `product` must be neither of them. */
static inline void pcm_cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* The rotation of a quaternion, scalar first, of any length but zero: row-major 3 by 3, from the body's axes to the
 * world's. Its columns are the body's axes. */
static inline void pcm_rotation(const double quaternion[4], double rotation[9])
{
    const double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    const double s = 2 / (w * w + x * x + y * y + z * z);
    rotation[0] = 1 - s * (y * y + z * z);
    rotation[1] = s * (x * y - w * z);
    rotation[2] = s * (x * z + w * y);
    rotation[3] = s * (x * y + w * z);
    rotation[4] = 1 - s * (x * x + z * z);
    rotation[5] = s * (y * z - w * x);
    rotation[6] = s * (x * z - w * y);
    rotation[7] = s * (y * z + w * x);
    rotation[8] = 1 - s * (x * x + y * y);
}

/* ---- Space ----------------------------------------------------------------------------------------------------- */

/* Motion (6 per point) of n points at `local` (3 per point, m) in the axes of the body at `pose`, which moves with the
 * spatial velocity. The quaternion is normalised on use. */
PCM_EXPORT void pcm_spatial_points(const pcm_pose *pose, const double velocity[6], size_t n, const double *local,
                                   double *motion);

/* Spatial forces (6 per point) of n forces (3 per point, N) that act at `points` (3 per point, m). */
PCM_EXPORT void pcm_spatial_forces(size_t n, const double *points, const double *forces, double *spatial);

/* Adds spatial forces (6 per point) to those of their bodies (6 per body): body[i] is the index of point i's. */
PCM_EXPORT void pcm_spatial_sum(size_t n, const uint32_t *body, const double *spatial, double *bodies);

/* ---- The plane ------------------------------------------------------------------------------------------------- */

/* The same for a body whose origin is at `position` and whose axes are rotated by `angle`, rad from x to y: local has 2
 * numbers per point, motion 4. */
PCM_EXPORT void pcm_planar_points(const double position[2], double angle, const double velocity[3], size_t n,
                                  const double *local, double *motion);

/* Planar forces (3 per point) of n forces (2 per point) that act at `points` (2 per point). */
PCM_EXPORT void pcm_planar_forces(size_t n, const double *points, const double *forces, double *planar);

/* Adds planar forces (3 per point) to those of their bodies (3 per body). */
PCM_EXPORT void pcm_planar_sum(size_t n, const uint32_t *body, const double *planar, double *bodies);

#ifdef __cplusplus
}
#endif
#endif
