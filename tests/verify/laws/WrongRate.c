/* SPDX-License-Identifier: MIT */
/* Its steps decay twice as fast as its rate. */
#include "spring.h"

static const pcm_state states[] = {{.name = "heat",
                                    .unit = "1",
                                    .doc = "temperature above that of the room",
                                    .nominal = 1,
                                    .role = PCM_CONTINUOUS,
                                    .flags = PCM_STEPS,
                                    .swap = 1}};

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double heat = b->state[0][i], given = spring(b, i);
        b->force_n[i] = spring(b, i);
        b->rate[0][i] = given - heat;
        b->next[0][i] = (heat + b->dt * given) / (1 + 2 * b->dt);
    }
}

LAW(WrongRate, .inputs = PCM_DEPTH, .states = PCM_TABLE(states));
