/* SPDX-License-Identifier: MIT */
/* Uses the name temperature with a different meaning from another law. */
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

#define LAW Cold /* as by a build with -DLAW=Cold: the law gets the macro's value as its name */

PCM_KERNELS(update);
PCM_MODEL(LAW, "Says temperature and means heat", .amounts = PCM_TABLE(amounts), .flags = PCM_ISOTROPIC);
