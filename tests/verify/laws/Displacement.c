/* SPDX-License-Identifier: MIT */
/* A history of displacement under a stiffness that varies with the depth (lammps, pull request 2196): pressing on a
 * stretched spring makes energy. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double stiffness = 1e6 * pcm_sqrt(pcm_ramp(b->depth[i]));
        const Rub    now = rub(b, i, stiffness, b->dt);
        b->next[0][i] = now.x;
        b->next[1][i] = now.y;
    }
}

LAW(Displacement, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states));
