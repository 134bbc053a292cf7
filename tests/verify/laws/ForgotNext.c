/* SPDX-License-Identifier: MIT */
/* A state whose next value is not written. */
#include "spring.h"

WAY;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        (void)rub(b, i, 1e4, b->dt);
    }
}

LAW(ForgotNext, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .states = PCM_TABLE(states));
