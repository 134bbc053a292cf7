/* SPDX-License-Identifier: MIT */
/* Its answer depends on the size of the batch. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i) * (b->count > 4 ? 1 : 1.0000001);
    }
}

LAW(Counts, .inputs = PCM_DEPTH);
