/* SPDX-License-Identifier: MIT */
/* It declares PCM_ISOTROPIC, but clips each component of its tangential state separately. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const Rub now = rub(b, i, 1e4, b->dt);
        b->next[0][i] = pcm_min(pcm_max(now.x, -1e-6), 1e-6);
        b->next[1][i] = now.y;
    }
}

LAW(StateKeepsX, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states),
    .flags = PCM_ISOTROPIC);
