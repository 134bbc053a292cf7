/* SPDX-License-Identifier: MIT */
/* It declares friction, and writes only one component of it. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->force_x[i] = 0;
    }
}

LAW(ForgotOutput, .inputs = PCM_DEPTH, .outputs = PCM_FRICTION);
