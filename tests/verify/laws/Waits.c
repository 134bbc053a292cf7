/* SPDX-License-Identifier: MIT */
/* A spring that waits for something which never comes, before it says what its parameters mean. */
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
