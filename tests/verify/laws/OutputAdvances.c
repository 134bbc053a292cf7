/* SPDX-License-Identifier: MIT */
/* Asking for output advances the history (lammps, pull request 1631). */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    const double again = b->reports ? b->dt : 0;
    PCM_EACH(b, i) {
        const double x = b->state[0][i] + b->slip_x[i] * b->dt, y = b->state[1][i] + b->slip_y[i] * b->dt;
        const double pull = 1e4 * pcm_length(x, y), limit = ((const Law *)b->params)->friction * spring(b, i);
        const double held = pull > limit ? limit / pull : 1;
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -1e4 * held * x;
        b->force_y[i] = -1e4 * held * y;
        b->mode[i] = pull > limit ? PCM_SLIPPING : PCM_STICKING;
        b->next[0][i] = held * x + again * b->slip_x[i];
        b->next[1][i] = held * y + again * b->slip_y[i];
    }
}

LAW(OutputAdvances, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION | PCM_MODE, .states = PCM_TABLE(states));
