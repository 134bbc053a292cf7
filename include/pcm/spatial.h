/* SPDX-License-Identifier: MIT */
/* spatial.h - between the points that a contact law sees and the bodies that spatial-vector dynamics moves.
 *
 * Three steps around a law, in space and in the plane: positions and velocities of points from the motion of their
 * bodies, spatial forces from the forces at points, their sum per body. Everything is in world axes, and everything
 * spatial refers to the world origin:
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

/* ---- Space ----------------------------------------------------------------------------------------------------- */

/* A twist of pcm.h, which is about the object's origin, as a spatial velocity at the world origin, and back. */
PCM_EXPORT void pcm_spatial_from_twist(const double position[3], const pcm_twist *twist, double velocity[6]);
PCM_EXPORT void pcm_spatial_to_twist(const double position[3], const double velocity[6], pcm_twist *twist);

/* Motion (6 per point) of n points at `local` (3 per point, m) in the axes of the body at `pose`, which moves with the
 * spatial velocity. The quaternion is normalised on use. */
PCM_EXPORT void pcm_spatial_points(const pcm_pose *pose, const double velocity[6], size_t n, const double *local,
                                   double *motion);

/* Spatial forces (6 per point) of n forces (3 per point, N) that act at `points` (3 per point, m). */
PCM_EXPORT void pcm_spatial_forces(size_t n, const double *points, const double *forces, double *spatial);

/* Adds spatial forces (6 per point) to those of their bodies (6 per body): body[i] is the index of point i's. */
PCM_EXPORT void pcm_spatial_sum(size_t n, const uint32_t *body, const double *spatial, double *bodies);

/* gcontact's third output, of n contacts of a CompliantGround: how much of what friction can hold the point asks for,
 * at most 2, and 2 off contact. From the depths, the law's normal forces and its indicator `stick_slip`, which is what
 * friction can hold less what is asked for, with its coefficient of friction, which is above 0. */
PCM_EXPORT void pcm_spatial_fcone(size_t n, double friction, const double *depth, const double *force_n,
                                  const double *stick_slip, double *fcone);

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
