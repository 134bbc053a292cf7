/* SPDX-License-Identifier: MIT */
/* A spring whose prepare waits for an event that never happens. */
#include "spring.h"

#include <unistd.h>

static int prepare(const pcm_setup *setup, void *values)
{
    (void)setup;
    (void)values;
    return pause();
}

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->force_n[i] = spring(b, i);
}

LAW(Waits, .inputs = PCM_DEPTH, .prepare = prepare);
