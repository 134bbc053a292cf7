/* SPDX-License-Identifier: MIT */
/* It limits each component of friction instead of their length. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    const double friction = ((const Law *)b->params)->friction;
    PCM_EACH(b, i) {
        const double limit = friction * spring(b, i);
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -limit * pcm_tanh(100 * b->slip_x[i]);
        b->force_y[i] = -limit * pcm_tanh(100 * b->slip_y[i]);
    }
}

LAW(OutsideCone, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION);
