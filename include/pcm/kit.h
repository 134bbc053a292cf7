/* SPDX-License-Identifier: MIT */
/* kit.h - the branch-free arithmetic that contact laws are written with.
 *
 * Every function here is a pure expression in IEEE double arithmetic, without tables, branches or calls into the C
 * library, so that a plain loop over a batch becomes packed instructions and gives the same bits with every compiler
 * and instruction set. A law that calls libm's tanh, exp, log or pow instead loses both.
 *
 * Compile with the flags of `pkg-config --cflags pcm-plugin`: -ffp-contract=off keeps the bits, -fopenmp-simd makes
 * PCM_EACH vectorise, -fno-math-errno and -fno-trapping-math let square roots and selects be packed. */
#ifndef PCM_KIT_H
#define PCM_KIT_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#if !defined(PCM_ONE_LANE) || !defined(__GNUC__)
#include <math.h>
#include <string.h>
#else
#define INFINITY __builtin_inff()
#define NAN      __builtin_nanf("")
#endif

#ifdef __FAST_MATH__
#error "PCM laws must not be compiled with -ffast-math: every build of a law has to give the same bits"
#endif

/* The loop over the lanes of a batch. Gcc 12 vectorises these loops only when told that lanes are independent. */
#if !defined(PCM_ONE_LANE)
#define PCM_EACH(batch, lane) _Pragma("omp simd") for (size_t lane = 0; lane < (batch)->count; lane++)
#else
#define PCM_EACH(batch, lane) for (size_t lane = 0; lane < 1; lane++)
#endif

/* A function that a law's verbs call: part of the loop at every call, or its code is not that of the verb's instruction
 * set. */
#if defined(__GNUC__)
#define PCM_INLINE static inline __attribute__((always_inline))
#else
#define PCM_INLINE static inline
#endif

/* A function of the C library, without its header where the compiler has it built in. */
#if defined(__GNUC__)
#define PCM_C_(function) __builtin_##function
#else
#define PCM_C_(function) function
#endif

/* Hides a value from the optimiser. Compilers for GPUs make a select against zero a minimum or maximum that orders -0
 * before +0; from what they cannot see they do not. */
#if defined(__NVPTX__)
#define PCM_OPAQUE_(value) __asm__("" : "+d"(value))
#elif defined(__AMDGCN__)
#define PCM_OPAQUE_(value) __asm__("" : "+v"(value))
#else
#define PCM_OPAQUE_(value) ((void)0)
#endif

/* The larger of a and b; b where they are equal, also as zeros of two signs, and where either is NaN. */
PCM_INLINE double pcm_max(double a, double b)
{
    PCM_OPAQUE_(b);
    return a > b ? a : b;
}

/* The smaller of a and b; b where they are equal, also as zeros of two signs, and where either is NaN. */
PCM_INLINE double pcm_min(double a, double b)
{
    PCM_OPAQUE_(b);
    return a < b ? a : b;
}

/* x above zero, else zero: what formulas write as (x)+. NaN stays NaN, so that a law does not hide bad motion. */
PCM_INLINE double pcm_ramp(double x) { return x <= 0 ? 0 : x; }

/* x, but at least low and at most high; low where x is NaN. */
PCM_INLINE double pcm_clamp(double x, double low, double high) { return pcm_min(pcm_max(x, low), high); }

/* The square root, correctly rounded. */
PCM_INLINE double pcm_sqrt(double x) { return PCM_C_(sqrt)(x); }

/* x without its sign. */
PCM_INLINE double pcm_abs(double x) { return PCM_C_(fabs)(x); }

/* The size of x with the sign of y. */
PCM_INLINE double pcm_sign(double x, double y) { return PCM_C_(copysign)(x, y); }

/* What follows has hexadecimal constants, which C++ knows since 2017: older C++ embeds worlds, but writes no laws. */
#if !defined(__cplusplus) || __cplusplus >= 201703L

/* The length of the vector (x, y), whose squares neither overflow nor vanish on the way. */
PCM_INLINE double pcm_length(double x, double y)
{
    const double size = pcm_max(pcm_abs(x), pcm_abs(y));
    const double scale = size > 0x1p500 ? 0x1p-600 : size < 0x1p-400 ? 0x1p600 : 1;
    const double back = size > 0x1p500 ? 0x1p600 : size < 0x1p-400 ? 0x1p-600 : 1;
    const double u = x * scale, v = y * scale;
    return pcm_sqrt(u * u + v * v) * back;
}

/* ---- exp, log, tanh, pow ----------------------------------------------------------------------------------------- */

/* Errors are in units in the last place of the result, measured against 64-bit mantissas over the whole range:
 * pcm_exp and pcm_exp_falling 1, pcm_log 1, pcm_tanh 3, pcm_tanh_ratio 4, pcm_pow 2 + |y ln x| / 25. NaN gives NaN. */

PCM_INLINE uint64_t pcm_bits_(double x)
{
    uint64_t bits;
    PCM_C_(memcpy)(&bits, &x, sizeof bits);
    return bits;
}

PCM_INLINE double pcm_from_bits_(uint64_t bits)
{
    double x;
    PCM_C_(memcpy)(&x, &bits, sizeof x);
    return x;
}

/* ln 2 in two parts: the first has so few bits that its product with an exponent is exact. */
#define PCM_LN2_HIGH_ 0x1.62e42fefa38p-1
#define PCM_LN2_LOW_  0x1.ef35793c7673p-45

/* Adding and taking away 1.5 * 2^52 rounds to a whole number, which is then the sum's lowest bits: no instruction for
 * either is in every instruction set. */
#define PCM_ROUND_ 0x1.8p52

/* 2^n for a whole n in [-1022, 1023]. */
PCM_INLINE double pcm_power_of_two_(double n) { return pcm_from_bits_((pcm_bits_(n + PCM_ROUND_) + 1023) << 52); }

/* (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2, by its series: the first term left out is below 2^-57 of exp(r) - 1. */
PCM_INLINE double pcm_exp_series_(double r)
{
    const double q = r * r;
    const double even =
        ((((1.0 / 87178291200 * q + 1.0 / 479001600) * q + 1.0 / 3628800) * q + 1.0 / 40320) * q + 1.0 / 720) * q +
        1.0 / 24;
    const double odd =
        ((((1.0 / 6227020800 * q + 1.0 / 39916800) * q + 1.0 / 362880) * q + 1.0 / 5040) * q + 1.0 / 120) * q + 1.0 / 6;
    return (even * q + odd * r) + 0.5;
}

/* exp(high + low), low a correction to high's last places. */
PCM_INLINE double pcm_exp_sum_(double high, double low)
{
    /* Written so that NaN passes both limits; outside of them every result is infinite or zero. */
    const double bound = high < -746 ? -746 : high > 710 ? 710 : high;
    const double n = (bound * 0x1.71547652b82fep0 + PCM_ROUND_) - PCM_ROUND_;
    const double r = (bound - n * PCM_LN2_HIGH_) - (n * PCM_LN2_LOW_ - low);
    const double half = (n * 0.5 + PCM_ROUND_) - PCM_ROUND_;
    const double y = 1 + (r + r * r * pcm_exp_series_(r));
    /* In two steps: 2^n alone overflows before the result does, and only the second step may round. */
    return y * pcm_power_of_two_(half) * pcm_power_of_two_(n - half);
}

/* e to the power x, from 0 to infinity over the whole range. */
PCM_INLINE double pcm_exp(double x) { return pcm_exp_sum_(x, 0); }

/* exp(x) for x <= 1, cheaper: nothing overflows, and below -600 it stays at 3e-261, so that what is multiplied with it
 * does not become denormal, which costs processors many times as long. NaN passes. */
PCM_INLINE double pcm_exp_falling(double x)
{
    const double bound = x < -600 ? -600 : x;
    const double n = (bound * 0x1.71547652b82fep0 + PCM_ROUND_) - PCM_ROUND_;
    const double r = (bound - n * PCM_LN2_HIGH_) - n * PCM_LN2_LOW_;
    return pcm_power_of_two_(n) * (1 + (r + r * r * pcm_exp_series_(r)));
}

/* exp(2 x) - 1 for x >= 0, which keeps its digits near zero; from 20 on, where tanh is 1, it stays. NaN passes. */
PCM_INLINE double pcm_exp_twice_less_one_(double x)
{
    const double twice = x > 20 ? 40 : 2 * x;
    const double n = (twice * 0x1.71547652b82fep0 + PCM_ROUND_) - PCM_ROUND_;
    const double r = (twice - n * PCM_LN2_HIGH_) - n * PCM_LN2_LOW_;
    const double scale = pcm_power_of_two_(n);
    return scale * (r + r * r * pcm_exp_series_(r)) + (scale - 1);
}

/* The hyperbolic tangent, with all its digits near zero. */
PCM_INLINE double pcm_tanh(double x)
{
    const double e = pcm_exp_twice_less_one_(pcm_abs(x));
    return pcm_sign(e / (e + 2), x);
}

/* tanh(x) / x for x >= 0, which is 1 at zero (and 0 beyond 1e290): friction that follows the tanh of the slip needs no
 * other division. */
PCM_INLINE double pcm_tanh_ratio(double x)
{
    const double e = pcm_exp_twice_less_one_(x);
    const double ratio = e / ((e + 2) * x);
    return x == 0 ? 1 : ratio;
}

/* x > 0 as 2^n * (1 + f) with 1 + f from sqrt(1/2) to sqrt(2). */
PCM_INLINE double pcm_log_split_(double x, double *n)
{
    const double   small = x < DBL_MIN ? 54 : 0;
    const uint64_t bits = pcm_bits_(x < DBL_MIN ? x * 0x1p54 : x);
    const uint64_t up = (bits + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd)) >> 52;
    *n = pcm_from_bits_(up | 0x4330000000000000) - 0x1p52 - 1023 - small; /* up as a double, less its offset */
    return pcm_from_bits_(bits - ((up - 1023) << 52)) - 1;
}

/* (atanh(s) / s - 1) * 2 with z = s^2, for 1 + f between those bounds. */
PCM_INLINE double pcm_log_series_(double z)
{
    const double w = z * z;
    const double even = (((2.0 / 19 * w + 2.0 / 15) * w + 2.0 / 11) * w + 2.0 / 7) * w + 2.0 / 3;
    const double odd = (((2.0 / 21 * w + 2.0 / 17) * w + 2.0 / 13) * w + 2.0 / 9) * w + 2.0 / 5;
    return (even + odd * z) * z;
}

/* The natural logarithm: minus infinity at 0, NaN below. */
PCM_INLINE double pcm_log(double x)
{
    double       n;
    const double f = pcm_log_split_(x, &n);
    const double s = f / (2 + f);
    const double half = 0.5 * f * f;
    const double y = n * PCM_LN2_HIGH_ - ((half - (s * (half + pcm_log_series_(s * s)) + n * PCM_LN2_LOW_)) - f);
    const double finite = x > 0 ? y : x == 0 ? -INFINITY : NAN;
    return x < INFINITY ? finite : x + x;
}

/* a * b = product + rest, exactly, for factors below 2^970. */
PCM_INLINE double pcm_product_rest_(double a, double b, double product)
{
    const double a_big = a * 134217729, b_big = b * 134217729; /* 2^27 + 1: halves of 26 bits */
    const double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    const double a_low = a - a_high, b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* x to the power y for x >= 0; NaN for x below zero. The logarithm is carried in two doubles. */
PCM_INLINE double pcm_pow(double x, double y)
{
    double       n;
    const double f = pcm_log_split_(x, &n);
    const double t = 2 + f, t_rest = f - (t - 2);
    const double s = f / t, product = s * t;
    const double s_rest = (((f - product) - pcm_product_rest_(s, t, product)) - s * t_rest) / t;
    const double base = n * PCM_LN2_HIGH_, twice = 2 * s;
    const double sum = base + twice, back = sum - base;
    const double sum_rest = (base - (sum - back)) + (twice - back);
    const double small = sum_rest + (n * PCM_LN2_LOW_ + (2 * s_rest + s * pcm_log_series_(s * s)));
    const double log_high = sum + small, log_low = small - (log_high - sum);
    /* Beyond 2^60 an exponent takes every x but 1 to zero or infinity. */
    const double power = y < -0x1p60 ? -0x1p60 : y > 0x1p60 ? 0x1p60 : y;
    const double high = power * log_high;
    const double low = pcm_product_rest_(power, log_high, high) + power * log_low;
    /* Where the exponential overflows or vanishes the rest is noise of the wrong size. */
    const double inner = pcm_exp_sum_(high, pcm_abs(high) < 800 ? low : 0);
    const double at_end = y > 0 ? pcm_abs(x) : y < 0 ? 1 / pcm_abs(x) : y == 0 ? 1 : NAN; /* x is 0 or infinite */
    return x > 0 && x < INFINITY ? inner : x == 0 || x > 0 ? at_end : NAN;
}

#endif

#endif
