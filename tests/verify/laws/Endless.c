/* SPDX-License-Identifier: MIT */
/* An iteration that never ends for some depths. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        volatile double x = b->depth[i];
        while (x > 1e-3)
            x = x * 1;
        b->force_n[i] = spring(b, i);
    }
}

LAW(Endless, .inputs = PCM_DEPTH);
