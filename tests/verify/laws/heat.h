/* SPDX-License-Identifier: MIT */
/* heat.h - a law with a heat flow from one body to the other. */
#ifndef PCM_TESTS_VERIFY_HEAT_H
#define PCM_TESTS_VERIFY_HEAT_H

#include "spring.h"

static const pcm_amount amounts[] = {
    {.name = "temperature", .unit = "K", .flow_unit = "W", .doc = "of the body", .initial = 293.15},
};

/* Heat flow from B to A, W. */
PCM_INLINE double passes(const pcm_batch *b, size_t i)
{
    return 0.5 * (b->follower_amount[0][i] - b->base_amount[0][i]);
}

#endif
