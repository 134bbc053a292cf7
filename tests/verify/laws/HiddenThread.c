/* SPDX-License-Identifier: MIT */
/* It keeps a hidden state in a thread-local variable. */
#include "spring.h"

static _Thread_local double worn;

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        b->force_n[i] = spring(b, i) * (1 + worn);
        worn += 1e-3;
    }
}

LAW(HiddenThread, .inputs = PCM_DEPTH);
