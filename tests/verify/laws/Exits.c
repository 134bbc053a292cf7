/* SPDX-License-Identifier: MIT */
/* It ends the process. */
#include "spring.h"

#include <stdlib.h>

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->depth[i] > 1e-3)
            exit(0);
        b->force_n[i] = spring(b, i);
    }
}

LAW(Exits, .inputs = PCM_DEPTH);
