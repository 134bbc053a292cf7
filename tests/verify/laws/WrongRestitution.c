/* SPDX-License-Identifier: MIT */
/* It derives the restitution of a damper that it does not have. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->force_n[i] = spring(b, i);
}

static double restitution(const void *law, const pcm_load *load)
{
    (void)law, (void)load;
    return 0.8;
}

static const pcm_derived derived[] = {{"restitution", "1", "of an impact at any speed and mass", restitution}};

LAW(WrongRestitution, .inputs = PCM_DEPTH, .derived = PCM_TABLE(derived));
