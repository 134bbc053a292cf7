/* SPDX-License-Identifier: MIT */
/* The kit in single precision, from the same text. */
#define PCM_ONE_LANE
#define PCM_FLOAT
#include <pcm/kit.h>

#include "kit_float.h"

#define ONE(name)                                                                                                      \
    float kit_float_##name(float x) { return pcm_##name(x); }
#define TWO(name)                                                                                                      \
    float kit_float_##name(float x, float y) { return pcm_##name(x, y); }

ONE(exp)
ONE(exp_falling)
ONE(log)
ONE(log1p)
ONE(asinh)
ONE(tanh)
ONE(tanh_ratio)
ONE(cbrt)
ONE(sin)
ONE(cos)
ONE(erf)
ONE(sqrt)
ONE(abs)
ONE(ramp)
TWO(pow)
TWO(atan2)
TWO(length)
TWO(max)
TWO(min)
TWO(sign)
