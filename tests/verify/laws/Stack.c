/* SPDX-License-Identifier: MIT */
/* An endless recursion. */
#include "spring.h"

static double deeper(double x, volatile double *room)
{
    volatile double more[64];
    more[0] = x;
    return x > 0 ? deeper(more[0], more) + room[0] : 0;
}

static void update(const pcm_batch *b)
{
    volatile double room = 0;
    for (size_t i = 0; i < b->count; i++) {
        b->force_n[i] = spring(b, i) + deeper(b->depth[i], &room);
    }
}

LAW(Stack, .inputs = PCM_DEPTH);
