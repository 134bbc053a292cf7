/* SPDX-License-Identifier: MIT */
/* At its event it writes a force besides its state. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = spring(b, i);
        b->event[0][i] = b->force_n[i] - 100;
        b->next[0][i] = b->state[0][i];
    }
}

static void jump(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->next[0][i] = b->state[0][i] + 1;
        b->force_n[i] = 0;
    }
}

static const pcm_state states[] = {
    {.name = "worn", .unit = "1", .doc = "how often it was overloaded", .nominal = 1, .role = PCM_HISTORY, .swap = 1},
};
static const pcm_event events[] = {
    {.name = "overload", .doc = "more than 100 N", .direction = 1, .jumps = 1},
};

PCM_KERNELS(update, pcm_rest, jump);
PCM_MODEL(JumpsWrong, "Spring that counts overloads", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .events = PCM_TABLE(events), .inputs = PCM_DEPTH, .flags = PCM_ISOTROPIC);
