/* SPDX-License-Identifier: MIT */
/* A tangential spring that holds up to Coulomb's limit: it reports slipping while it holds. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    const Law *law = b->params;
    PCM_EACH(b, i) {
        const double push = spring(b, i), limit = law->friction * push;
        const double trial_x = 1e5 * (b->state[0][i] + b->dt * b->slip_x[i]);
        const double trial_y = 1e5 * (b->state[1][i] + b->dt * b->slip_y[i]);
        const double length = pcm_length(trial_x, trial_y), scale = length > limit ? limit / length : 1;
        b->force_n[i] = push;
        b->force_x[i] = -scale * trial_x;
        b->force_y[i] = -scale * trial_y;
        b->next[0][i] = 1e-5 * scale * trial_x;
        b->next[1][i] = 1e-5 * scale * trial_y;
        b->mode[i] = push <= 0 ? PCM_SEPARATED : length <= limit ? PCM_SLIPPING : PCM_STICKING;
    }
}

LAW(SlipsAtRest, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION | PCM_MODE, .flags = PCM_ACTIVE,
    .states = PCM_TABLE(states));
