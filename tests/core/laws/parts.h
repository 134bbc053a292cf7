/* SPDX-License-Identifier: MIT */
/* parts.h - the formulas of the test laws Elastic, Drag and Roll, and of Whole, which combines the three by hand. */
#ifndef PCM_TESTS_PARTS_H
#define PCM_TESTS_PARTS_H

#include <pcm/plugin.h>

PCM_INLINE double elastic_force(double stiffness, double depth) { return pcm_max(stiffness * depth, 0); }

/* The radius of the contact circle of a sphere with a radius of 0.1 m. */
PCM_INLINE double elastic_radius(double depth) { return pcm_sqrt(pcm_max(depth, 0) * 0.1); }

/* The stretch of a tangential spring, limited so that it pulls no more than friction allows. */
PCM_INLINE double drag_scale(double pull, double bound) { return pull > bound ? bound / pull : 1; }

PCM_INLINE double roll_moment(double friction, double load, double radius, double spin)
{
    return -friction * load * radius * pcm_tanh(100 * spin);
}

#endif
