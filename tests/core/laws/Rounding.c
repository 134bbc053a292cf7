/* SPDX-License-Identifier: MIT */
/* A spring whose calls leave the processor rounding upwards. */
#include <fenv.h>
#include <pcm/plugin.h>

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = 1000 * b->depth[i];
    }
    fesetround(FE_UPWARD);
}

PCM_KERNELS(update);
PCM_MODEL(Rounding, "A spring that changes how the processor rounds", .inputs = PCM_DEPTH);
