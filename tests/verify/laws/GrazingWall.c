/* SPDX-License-Identifier: MIT */
/* Friction at a wall that is proportional to the damped normal force even where that is negative: while the bodies part
 * fast it drives the slip. In this way grazing impacts gained energy (lammps, pull request 5007). */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double fn = spring(b, i), damped = fn * (1 + 5 * b->depth_rate[i]);
        const double v = pcm_length(b->slip_x[i], b->slip_y[i]);
        const double rub = 0.1 * damped * pcm_tanh_ratio(v);
        b->force_n[i] = fn;
        b->force_x[i] = -rub * b->slip_x[i];
        b->force_y[i] = -rub * b->slip_y[i];
    }
}

LAW(GrazingWall, .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP, .outputs = PCM_FRICTION);
