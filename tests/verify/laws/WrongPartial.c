/* SPDX-License-Identifier: MIT */
/* Its partial derivative by the stiffness is in fact that by the depth. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->force_n[i] = spring(b, i);
    if (b->jacobian)
        PCM_EACH(b, i)
            b->jacobian[0][i] = b->depth[i] > 0 ? ((const Law *)b->params)->stiffness : 0;
}

static const pcm_partial partials[] = {{PCM_OUTPUT_FORCE_N, PCM_WRT_PARAM + 0}};

LAW(WrongPartial, .partials = PCM_TABLE(partials), .inputs = PCM_DEPTH);
