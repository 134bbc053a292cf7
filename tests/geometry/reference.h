/* SPDX-License-Identifier: MIT */
/* reference.h - what the tests of geometry share: random bodies, and the separation by brute force. */
#ifndef PCM_TESTS_GEOMETRY_REFERENCE_H
#define PCM_TESTS_GEOMETRY_REFERENCE_H

#include <pcm/geometry.h>
#include <stdint.h>

/* The same numbers on every run. */
typedef struct dice {
    uint64_t state;
} dice;

double   uniform(dice *d, double low, double high);
void     direction(dice *d, double out[3]);
pcm_pose random_pose(dice *d, double spread);

void rotate(const double q[4], const double v[3], double out[3]);
void transform(const pcm_pose *pose, const double v[3], double out[3]);

/* pose, moved by the rigid motion `by`. */
pcm_pose moved(const pcm_pose *by, const pcm_pose *pose);

/* The separation of the hulls of two point sets, signed: the distance of the origin from the hull of all differences,
 * which qhull makes; n_a * n_b stays below 1e5. NaN where qhull gives up. */
double minkowski_separation(const double *a, size_t n_a, const double *b, size_t n_b);

/* The corners of a hull or box where its pose has put them; the caller frees them. */
double *world_corners(const pcm_geometry *g, const pcm_pose *pose, size_t *count);

#endif
