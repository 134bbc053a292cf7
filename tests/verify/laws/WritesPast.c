/* SPDX-License-Identifier: MIT */
/* It writes one lane too many. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i <= b->count; i++) {
        b->force_n[i] = spring(b, i);
    }
}

LAW(WritesPast, .inputs = PCM_DEPTH);
