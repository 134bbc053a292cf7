/* SPDX-License-Identifier: MIT */
/* Reading output advances the history (lammps, pull request 1631). */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    const double again = b->reports ? b->dt : 0;
    PCM_EACH(b, i) {
        const Rub now = rub(b, i, 1e4, b->dt);
        b->mode[i] = now.held < 1 ? PCM_SLIPPING : PCM_STICKING;
        b->next[0][i] = now.x + again * b->slip_x[i];
        b->next[1][i] = now.y + again * b->slip_y[i];
    }
}

LAW(OutputAdvances, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION | PCM_MODE, .states = PCM_TABLE(states));
