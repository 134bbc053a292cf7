/* SPDX-License-Identifier: MIT */
/* The heat flow is proportional to force over depth: where the bodies just touch, this is zero over zero. */
#include "heat.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double flow = spring(b, i) / b->depth[i] * passes(b, i);
        b->force_n[i] = spring(b, i);
        b->base_flow[0][i] = flow;
        b->follower_flow[0][i] = -flow;
    }
}

LAW(ColdFlow, .amounts = PCM_TABLE(amounts), .inputs = PCM_DEPTH, .flags = PCM_ISOTROPIC);
