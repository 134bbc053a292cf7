/* SPDX-License-Identifier: MIT */
/* It reads the slip without declaring it: hosts give NaN. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double v = pcm_length(b->slip_x[i], b->slip_y[i]);
        b->force_n[i] = spring(b, i) * (1 + pcm_min(v, 1));
    }
}

LAW(ForgotInput, .inputs = PCM_DEPTH, .flags = PCM_ACTIVE);
