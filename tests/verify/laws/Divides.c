/* SPDX-License-Identifier: MIT */
/* Zero over zero at rest. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], v = pcm_length(vx, vy);
        const double rub = 0.1 * spring(b, i) * pcm_tanh(v) / v;
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -rub * vx;
        b->force_y[i] = -rub * vy;
    }
}

LAW(Divides, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .flags = PCM_ISOTROPIC);
