/* SPDX-License-Identifier: MIT */
/* A lane that reads its neighbour. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const size_t next = i + 1 < b->count ? i + 1 : i;
        b->force_n[i] = spring(b, i) + 0.01 * spring(b, next);
    }
}

LAW(Neighbour, .inputs = PCM_DEPTH);
