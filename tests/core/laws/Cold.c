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

#define LAW Cold /* as a build does with -DLAW=Cold: the law has the name that the macro stands for */

PCM_KERNELS(update);
PCM_MODEL(LAW, "Says temperature and means heat", .amounts = PCM_TABLE(amounts), .flags = PCM_ISOTROPIC);
