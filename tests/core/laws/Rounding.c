/* SPDX-License-Identifier: MIT */
/* A spring, in whose calls the processor learns to round upwards. */
#include <fenv.h>
#include <pcm/plugin.h>

static void update(const pcm_batch *b)
{
    fesetround(FE_UPWARD);
    PCM_EACH(b, i) {
        b->force_n[i] = 1000 * b->depth[i];
    }
}

PCM_KERNELS(update);
PCM_MODEL(Rounding, "A spring that changes how the processor rounds", .inputs = PCM_DEPTH);
