/* SPDX-License-Identifier: MIT */
/* It has a grain along x, but declares PCM_ISOTROPIC. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -0.06 * spring(b, i) * pcm_tanh(b->slip_x[i]);
        b->force_y[i] = -0.05 * spring(b, i) * pcm_tanh(b->slip_y[i]);
    }
}

LAW(NotIsotropic, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .flags = PCM_ISOTROPIC);
