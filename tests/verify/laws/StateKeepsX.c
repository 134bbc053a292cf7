/* SPDX-License-Identifier: MIT */
/* It declares PCM_ISOTROPIC, and clips the components of its tangent state, each on its own. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double x = b->state[0][i] + b->slip_x[i] * b->dt, y = b->state[1][i] + b->slip_y[i] * b->dt;
        const double pull = 1e4 * pcm_length(x, y), limit = ((const Law *)b->params)->friction * spring(b, i);
        const double held = pull > limit ? limit / pull : 1;
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -1e4 * held * x;
        b->force_y[i] = -1e4 * held * y;
        b->next[0][i] = pcm_min(pcm_max(held * x, -1e-6), 1e-6);
        b->next[1][i] = held * y;
    }
}

LAW(StateKeepsX, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states),
    .flags = PCM_ISOTROPIC);
