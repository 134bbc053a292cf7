/* SPDX-License-Identifier: MIT */
/* Each call changes its state by a fixed amount, whatever the step. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const Rub now = rub(b, i, 1e4, 1e-3);
        b->next[0][i] = now.x;
        b->next[1][i] = now.y;
    }
}

LAW(CountsSteps, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states),
    .flags = PCM_ACTIVE);
