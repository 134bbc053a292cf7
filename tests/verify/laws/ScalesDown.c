/* SPDX-License-Identifier: MIT */
/* The verb per pair takes off more than there is: its scale falls below zero. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->force_n[i] = spring(b, i);
}

static void pair(const pcm_pair_batch *b)
{
    PCM_EACH(b, i) {
        b->scale[i] = 1 - 2 / b->contacts[i];
        b->life[i] = PCM_LIVE;
    }
}

PCM_PAIR_KERNELS(pair, update);
PCM_MODEL(ScalesDown, "Spring of a whole foot", .params = PCM_TABLE(params), .inputs = PCM_DEPTH,
          .flags = PCM_ISOTROPIC);
