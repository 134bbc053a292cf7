/* SPDX-License-Identifier: MIT */
/* Damping of the wrong sign. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i) * pcm_max(1 - 0.1 * b->depth_rate[i], 0);
    }
}

LAW(EnergyGain, .inputs = PCM_DEPTH | PCM_DEPTH_RATE);
