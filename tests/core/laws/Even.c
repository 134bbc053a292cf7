/* SPDX-License-Identifier: MIT */
/* A tangential spring between equal bodies: its frame does not depend on which of them is the base. */
#include <pcm/plugin.h>

enum { X, Y };

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->next[X][i] = b->state[X][i] + b->dt * b->slip_x[i];
        b->next[Y][i] = b->state[Y][i] + b->dt * b->slip_y[i];
        b->force_n[i] = pcm_max(1000 * b->depth[i], 0);
        b->force_x[i] = -1000 * b->next[X][i];
        b->force_y[i] = -1000 * b->next[Y][i];
    }
}

static const pcm_state states[] = {
    {.name = "stretch", .unit = "m", .doc = "way", .nominal = 1e-4, .shape = PCM_TANGENT, .swap = -1},
};

PCM_KERNELS(update);
PCM_MODEL(Even, "A tangent spring between equals", .states = PCM_TABLE(states), .inputs = PCM_DEPTH | PCM_SLIP,
          .outputs = PCM_FRICTION, .flags = PCM_FRAME_SHARED);
