/* SPDX-License-Identifier: MIT */
/* Its modes are swapped. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->mode[i] = b->force_n[i] > 0 ? PCM_SEPARATED : PCM_STICKING;
    }
}

LAW(WrongMode, .inputs = PCM_DEPTH, .outputs = PCM_MODE);
