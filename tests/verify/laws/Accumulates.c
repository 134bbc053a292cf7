/* SPDX-License-Identifier: MIT */
/* It keeps a sum in a static variable, as beginners do. */
#include "spring.h"

static double worn;

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        b->force_n[i] = spring(b, i) * (1 + worn);
        worn += 1e-3 * pcm_ramp(b->depth[i]);
    }
}

LAW(Accumulates, .inputs = PCM_DEPTH);
