/* SPDX-License-Identifier: MIT */
/* It writes next only while it slides: otherwise next keeps the value of another contact. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const Rub now = rub(b, i, 1e4, b->dt);
        if (now.held < 1) {
            b->next[0][i] = now.x;
            b->next[1][i] = now.y;
        }
    }
}

LAW(StaleNext, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states));
