/* SPDX-License-Identifier: MIT */
/* law_call.h - the steps before and after every call of a law's kernel. */
#ifndef PCM_BASE_LAW_CALL_H
#define PCM_BASE_LAW_CALL_H

#include "arithmetic.h"
#include <pcm/plugin.h>
#include <string.h>

/* Clears the outputs that the law declares, so that a lane that it does not write has no force and stays alive. */
static inline void pcm_clear_outputs(const pcm_batch *b, uint32_t outputs)
{
    const size_t bytes = b->count * sizeof(double);
    memset(b->force_n, 0, bytes);
    if (outputs & PCM_FRICTION) {
        memset(b->force_x, 0, bytes);
        memset(b->force_y, 0, bytes);
    }
    if (outputs & PCM_MOMENT) {
        memset(b->moment_n, 0, bytes);
        memset(b->moment_x, 0, bytes);
        memset(b->moment_y, 0, bytes);
    }
    if (outputs & PCM_LIFE)
        memset(b->life, 0, bytes);
    if (outputs & PCM_MODE)
        memset(b->mode, 0, bytes);
    if (outputs & PCM_ENERGY && b->reports)
        memset(b->energy, 0, bytes);
    if (outputs & PCM_DISSIPATION && b->reports)
        memset(b->dissipation, 0, bytes);
    if (outputs & PCM_SHARES) {
        memset(b->elastic_n, 0, bytes);
        memset(b->adhesive_n, 0, bytes);
        memset(b->pull_off, 0, bytes);
    }
    if (outputs & PCM_PATCH_RADIUS)
        memset(b->patch_radius, 0, bytes);
    if (outputs & PCM_ONSET)
        memset(b->onset, 0, bytes);
}

/* Calls a kernel, and restores the processor's arithmetic afterwards. */
static inline void pcm_call_kernel(pcm_verb *kernel, const pcm_batch *b)
{
    const uint64_t arithmetic = pcm_arithmetic();
    kernel(b);
    pcm_arithmetic_keep(arithmetic);
}

#endif
