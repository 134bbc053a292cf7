/* SPDX-License-Identifier: MIT */
/* A spring whose sign is wrong. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = -spring(b, i);
    }
}

LAW(Backwards, .inputs = PCM_DEPTH);
