/* SPDX-License-Identifier: MIT */
/* A damper that acts fully from first touch, without declaring it. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = b->depth[i] >= 0 ? spring(b, i) + 10 * pcm_ramp(b->depth_rate[i]) : 0;
    }
}

LAW(Jumps, .inputs = PCM_DEPTH | PCM_DEPTH_RATE);
