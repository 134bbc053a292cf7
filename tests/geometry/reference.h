/* SPDX-License-Identifier: MIT */
/* reference.h - shared by the tests of geometry: random bodies, and the separation by brute force. */
#ifndef PCM_TESTS_GEOMETRY_REFERENCE_H
#define PCM_TESTS_GEOMETRY_REFERENCE_H

#include <pcm/geometry.h>
#include <stdint.h>

/* Random numbers, the same on every run. */
typedef struct dice {
    uint64_t state;
} dice;

double   uniform(dice *d, double low, double high);
void     direction(dice *d, double out[3]);
pcm_pose random_pose(dice *d, double spread);

void rotate(const double q[4], const double v[3], double out[3]);
void transform(const pcm_pose *pose, const double v[3], double out[3]);

/* The pose `pose`, moved by the rigid motion `by`. */
pcm_pose moved(const pcm_pose *by, const pcm_pose *pose);

/* The signed separation of the hulls of two point sets: the distance of the origin from the hull of all differences,
 * which qhull makes; n_a * n_b must stay below 1e5. NaN if qhull gives up. */
double minkowski_separation(const double *a, size_t n_a, const double *b, size_t n_b);

/* The corners of a hull or box in the world's axes; the caller frees them. */
double *world_corners(const pcm_geometry *g, const pcm_pose *pose, size_t *count);

/* A body made by random_body: a polytope, a point or a cylinder about z, each grown by a radius, or the half space
 * below a plane. */
typedef struct any_body {
    pcm_geometry *geometry;
    double        rim, half, radius;
    bool          endless; /* it is the half space below z = 0 */
    double        size;
    pcm_pose      pose;
} any_body;

/* Points on an ellipsoid: a hull of which all points are corners. */
pcm_geometry *random_hull(pcm_context *context, dice *d, size_t corners);
pcm_geometry *random_box(pcm_context *context, dice *d);

/* A body of kind s(phere), c(apsule), z (cylinder), d(isk), b(ox), t(etrahedron), h(ull of 30), H(ull of 100), p(lane)
 * or o (point), of about unit size; thin: some of its sides may be as small as 1e-6 of that. */
any_body random_body(pcm_context *context, dice *d, char kind, double unit, bool thin);

/* How far the body reaches along a unit vector: the support function, from the shape's definition. */
double reach_along(const any_body *b, const double n[3]);

/* The separation along n, which is never greater than the true one. */
double sep_along(const any_body *a, const any_body *b, const double n[3]);

#endif
