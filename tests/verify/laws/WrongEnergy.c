/* SPDX-License-Identifier: MIT */
/* It reports twice the energy that it stores. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->energy[i] = spring(b, i) * pcm_ramp(b->depth[i]);
        b->dissipation[i] = 0;
    }
}

LAW(WrongEnergy, .inputs = PCM_DEPTH, .outputs = PCM_ENERGY | PCM_DISSIPATION);
