/* SPDX-License-Identifier: MIT */
/* A spring with the wrong sign. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = -spring(b, i);
    }
}

LAW(Backwards, .inputs = PCM_DEPTH);
