/* SPDX-License-Identifier: MIT */
/* Its verb per pair removes more than there is: the scale becomes negative. */
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
