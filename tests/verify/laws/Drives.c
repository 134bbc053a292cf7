/* SPDX-License-Identifier: MIT */
/* Friction of the wrong sign. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->force_x[i] = 0.05 * spring(b, i) * pcm_tanh(b->slip_x[i]);
        b->force_y[i] = 0.05 * spring(b, i) * pcm_tanh(b->slip_y[i]);
    }
}

LAW(Drives, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION);
