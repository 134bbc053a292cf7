/* SPDX-License-Identifier: MIT */
/* Its tangent state says that it keeps its sign when the bodies trade places. */
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
        const double x = b->state[0][i] + b->slip_x[i] * b->dt, y = b->state[1][i] + b->slip_y[i] * b->dt;
        const double pull = 1e4 * pcm_length(x, y), limit = ((const Law *)b->params)->friction * spring(b, i);
        const double held = pull > limit ? limit / pull : 1;
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -1e4 * held * x;
        b->force_y[i] = -1e4 * held * y;
        b->next[0][i] = held * x;
        b->next[1][i] = held * y;
    }
}

LAW(WrongSwap, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states));
