/* SPDX-License-Identifier: MIT */
/* Only slip along x produces heat, though the law declares that it prefers no direction. */
#include "heat.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double rubbed = spring(b, i) * pcm_abs(b->slip_x[i]);
        b->force_n[i] = spring(b, i);
        b->base_flow[0][i] = rubbed + passes(b, i);
        b->follower_flow[0][i] = rubbed - passes(b, i);
    }
}

LAW(OneWay, .amounts = PCM_TABLE(amounts), .inputs = PCM_DEPTH | PCM_SLIP, .flags = PCM_ISOTROPIC);
