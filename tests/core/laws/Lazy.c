/* SPDX-License-Identifier: MIT */
/* A spring that writes only the lanes that overlap. */
#include <pcm/plugin.h>

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        if (b->depth[i] > 0) {
            b->force_n[i] = 1000 * b->depth[i];
            b->next[0][i] = b->state[0][i] + 1;
        }
    }
}

static const pcm_state states[] = {
    {.name = "steps", .unit = "1", .doc = "updates in overlap", .nominal = 1, .swap = 1}};

PCM_KERNELS(update);
PCM_MODEL(Lazy, "A spring that leaves lanes unwritten", .states = PCM_TABLE(states), .inputs = PCM_DEPTH);
