/* SPDX-License-Identifier: MIT */
/* Heat that leaves one body is lost: the flow into the other is not written. */
#include "heat.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->base_flow[0][i] = passes(b, i);
    }
}

LAW(ForgotFlow, .amounts = PCM_TABLE(amounts), .inputs = PCM_DEPTH, .flags = PCM_ISOTROPIC);
