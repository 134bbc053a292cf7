/* SPDX-License-Identifier: MIT */
/* outside_none.c - replaces outside.c where a law can access no memory but that of this program. */
#include "outside.h"

bool outside_try(const pcm_config *config)
{
    (void)config;
    return true;
}
