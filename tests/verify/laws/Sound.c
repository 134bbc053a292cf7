/* SPDX-License-Identifier: MIT */
/* A correct law. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
    }
}

LAW(Sound, .inputs = PCM_DEPTH);
