/* SPDX-License-Identifier: MIT */
/* Nothing is wrong with this one. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
    }
}

LAW(Sound, .inputs = PCM_DEPTH);
