/* SPDX-License-Identifier: MIT */
/* It writes to the committed state. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const Rub now = rub(b, i, 1e4, b->dt);
        ((double *)(uintptr_t)b->state[0])[i] = now.x;
        b->next[0][i] = now.x;
        b->next[1][i] = now.y;
    }
}

LAW(WritesState, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states));
