/* SPDX-License-Identifier: MIT */
/* A history of displacement under a stiffness that varies with the depth (lammps, pull request 2196): pressing on a
 * stretched spring makes energy. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double stiffness = 1e6 * pcm_sqrt(pcm_ramp(b->depth[i]));
        const double x = b->state[0][i] + b->slip_x[i] * b->dt, y = b->state[1][i] + b->slip_y[i] * b->dt;
        const double pull = stiffness * pcm_length(x, y), limit = ((const Law *)b->params)->friction * spring(b, i);
        const double held = pull > limit ? limit / pull : 1;
        b->force_n[i] = spring(b, i);
        b->force_x[i] = -stiffness * held * x;
        b->force_y[i] = -stiffness * held * y;
        b->next[0][i] = held * x;
        b->next[1][i] = held * y;
    }
}

LAW(Displacement, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states));
