/* SPDX-License-Identifier: MIT */
/* kit_float.h - functions of kit.h in single precision. kit_float.c defines them; there `double` means float. */
#ifndef PCM_TESTS_KIT_FLOAT_H
#define PCM_TESTS_KIT_FLOAT_H

float kit_float_exp(float x), kit_float_exp_falling(float x), kit_float_log(float x), kit_float_tanh(float x);
float kit_float_tanh_ratio(float x), kit_float_cbrt(float x), kit_float_sin(float x), kit_float_cos(float x);
float kit_float_log1p(float x), kit_float_asinh(float x);
float kit_float_erf(float x), kit_float_sqrt(float x), kit_float_abs(float x), kit_float_ramp(float x);
float kit_float_pow(float x, float y), kit_float_atan2(float y, float x), kit_float_length(float x, float y);
float kit_float_max(float x, float y), kit_float_min(float x, float y), kit_float_sign(float x, float y);

#endif
