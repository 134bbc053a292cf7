/* SPDX-License-Identifier: MIT */
/* A tangential spring that keeps its stretch while its stiffness varies with the depth (lammps, pull request 2196):
 * pressing on a stretched spring creates energy. */
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
