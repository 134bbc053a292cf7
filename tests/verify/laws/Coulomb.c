/* SPDX-License-Identifier: MIT */
/* Friction that is undefined at rest. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], v = pcm_length(vx, vy);
        const double rub = v > 1e-100 ? 0.1 * spring(b, i) / v : 0;
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -rub * vx;
        b->force_y[i] = -rub * vy;
    }
}

LAW(Coulomb, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION);
