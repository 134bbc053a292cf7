/* SPDX-License-Identifier: MIT */
/* What another law means by a temperature. */
#include <pcm/plugin.h>

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = 0;
        b->base_flow[0][i] = 0;
        b->follower_flow[0][i] = 0;
    }
}

static const pcm_amount amounts[] = {{"temperature", "J", "heat, called wrongly", "W", 0, 1}};

PCM_KERNELS(update);
PCM_MODEL(Cold, "Says temperature and means heat", .amounts = PCM_TABLE(amounts), .flags = PCM_ISOTROPIC);
