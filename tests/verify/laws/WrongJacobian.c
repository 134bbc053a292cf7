/* SPDX-License-Identifier: MIT */
/* Its Jacobian lacks the ramp's factor. */
#include "spring.h"

static const pcm_partial partials[] = {{PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH}};

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        if (b->jacobian)
            b->jacobian[0][i] = 0.5 * ((const Law *)b->params)->stiffness;
    }
}

LAW(WrongJacobian, .inputs = PCM_DEPTH, .partials = PCM_TABLE(partials));
