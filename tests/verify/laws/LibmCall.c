/* SPDX-License-Identifier: MIT */
/* It calls the C library's tanh in the loop. */
#include "spring.h"

#include <math.h>

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -0.05 * spring(b, i) * tanh(b->slip_x[i]);
        b->force_y[i] = 0;
    }
}

LAW(LibmCall, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION);
