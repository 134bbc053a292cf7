/* SPDX-License-Identifier: MIT */
/* It writes through an invalid pointer. */
#include "spring.h"

static double *volatile nowhere = (double *)16;

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        b->force_n[i] = b->depth[i] > 1e-3 ? *nowhere : spring(b, i);
    }
}

LAW(Crashes, .inputs = PCM_DEPTH);
