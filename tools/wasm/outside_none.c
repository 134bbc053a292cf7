/* SPDX-License-Identifier: MIT */
/* outside_none.c - replaces outside.c where a law cannot access memory outside this program. */
#include "outside.h"

bool outside_try(const pcm_config *config)
{
    (void)config;
    return true;
}
