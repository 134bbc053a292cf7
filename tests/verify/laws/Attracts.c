/* SPDX-License-Identifier: MIT */
/* It attracts without declaring it. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i) - 1000 * b->depth[i] * pcm_exp_falling(-b->depth[i]) -
                        1e-3 * pcm_exp_falling(1 - 1e9 * b->depth[i]);
    }
}

LAW(Attracts, .inputs = PCM_DEPTH, .flags = PCM_JUMPS);
