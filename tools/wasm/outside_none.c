/* SPDX-License-Identifier: MIT */
/* outside_none.c - stands for outside.c where a law can reach no memory but that of this one program. */
#include "outside.h"

bool outside_try(const pcm_config *config)
{
    (void)config;
    return true;
}
