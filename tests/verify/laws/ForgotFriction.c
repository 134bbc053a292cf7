/* SPDX-License-Identifier: MIT */
/* Its .outputs lack PCM_FRICTION, a beginner's mistake: friction is zero. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -0.1 * spring(b, i) * pcm_tanh(b->slip_x[i]);
        b->force_y[i] = -0.1 * spring(b, i) * pcm_tanh(b->slip_y[i]);
    }
}

LAW(ForgotFriction, .inputs = PCM_DEPTH | PCM_SLIP);
