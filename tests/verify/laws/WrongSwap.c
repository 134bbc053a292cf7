/* SPDX-License-Identifier: MIT */
/* It declares that its tangential state keeps its sign when the bodies are swapped. */
#include "spring.h"

static const pcm_state states[] = {{.name = "way",
                                    .unit = "m",
                                    .doc = "way since the first touch",
                                    .nominal = 1e-3,
                                    .shape = PCM_TANGENT,
                                    .role = PCM_HISTORY,
                                    .swap = 1}};

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const Rub now = rub(b, i, 1e4, b->dt);
        b->next[0][i] = now.x;
        b->next[1][i] = now.y;
    }
}

LAW(WrongSwap, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states));
