/* SPDX-License-Identifier: MIT */
/* A damper that pulls back parting bodies, without declaring it. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i) * (1 + 100 * b->depth_rate[i]);
    }
}

LAW(Pulls, .inputs = PCM_DEPTH | PCM_DEPTH_RATE);
