/* SPDX-License-Identifier: MIT */
/* It derives half of its spring's compression. */
#include "spring.h"

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->force_n[i] = spring(b, i);
}

static double compression(const void *law, const pcm_load *load)
{
    return 0.5 * load->force / ((const Law *)law)->stiffness;
}

static const pcm_derived derived[] = {{"compression", "m", "compression under the load", compression}};

LAW(WrongDerived, .inputs = PCM_DEPTH, .derived = PCM_TABLE(derived));
