/* SPDX-License-Identifier: MIT */
/* kit.h - branch-free arithmetic for contact laws.
 *
 * Every function here is a pure expression in IEEE double arithmetic, without tables, branches or calls into the C
 * library. So a plain loop over a batch becomes packed instructions and gives the same bits with every compiler and
 * instruction set. With libm's tanh, exp, log or pow a law loses both.
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

/* With PCM_FLOAT and PCM_ONE_LANE a law computes in single precision, for GPUs that are slow in double: double then
 * means float, here and in the law. The compiler has to read constants likewise: gcc -fsingle-precision-constant, clang
 * -Xclang -cl-single-precision-constant. Each function has one text; where a number depends on the format, both stand
 * side by side. A law that is used like this has no constant outside of 1e-37 to 1e38. */
#if defined(PCM_FLOAT)
#if !defined(PCM_ONE_LANE)
#error "PCM_FLOAT is for single lanes (PCM_ONE_LANE): the columns of a plugin are in double precision"
#endif
#define double float
#define PCM_OF_(of_double, of_float) of_float
#undef DBL_MIN
#undef DBL_MAX
#undef DBL_EPSILON
#define DBL_MIN     FLT_MIN
#define DBL_MAX     FLT_MAX
#define DBL_EPSILON FLT_EPSILON
typedef char PCM_FLOAT_needs_constants_in_single_precision[sizeof 0.5 == sizeof(float) ? 1 : -1];
#else
#define PCM_OF_(of_double, of_float) of_double
#endif

/* Smaller than any number that matters, and the reciprocal of its cube is finite: for a denominator that may be zero.
 */
#define PCM_TINY PCM_OF_(1e-100, 1e-12)

#ifdef __FAST_MATH__
#error "PCM laws must not be compiled with -ffast-math: every build of a law has to give the same bits"
#endif

/* The loop over the lanes of a batch. Gcc 12 vectorises such loops only if a pragma says that lanes are independent. */
#if !defined(PCM_ONE_LANE)
#define PCM_EACH(batch, lane) _Pragma("omp simd") for (size_t lane = 0; lane < (batch)->count; lane++)
#else
#define PCM_EACH(batch, lane) for (size_t lane = 0; lane < 1; lane++)
#endif

/* The lanes of an array in which a law keeps numbers from one PCM_EACH to the next: see MeasuredTable.c. */
#if !defined(PCM_ONE_LANE)
#define PCM_BLOCK_LANES 128
#else
#define PCM_BLOCK_LANES 1
#endif

/* Before a loop over columns with a constant end: one lane gets a straight line of code, so that GPUs keep the columns'
 * addresses out of memory. */
#if defined(PCM_ONE_LANE) && defined(__clang__)
#define PCM_EACH_COLUMN _Pragma("clang loop unroll(full)")
#else
#define PCM_EACH_COLUMN
#endif

/* A function that a law's verbs call: it is inlined into the loop, so that it is compiled for the verb's instruction
 * set. */
#if defined(__GNUC__)
#define PCM_INLINE static inline __attribute__((always_inline))
#else
#define PCM_INLINE static inline
#endif

/* A function that a law's code may also call: with PCM_KIT_CALLS it stays a call, for `pcm export`, which prints these
 * functions once. */
#if defined(PCM_KIT_CALLS)
#define PCM_KIT_FUNCTION __attribute__((weak, noinline, const))
#else
#define PCM_KIT_FUNCTION PCM_INLINE
#endif

/* A function of the C library; where the compiler has it built in, no header is needed. */
#if defined(__GNUC__)
#define PCM_C_(function) __builtin_##function
#else
#define PCM_C_(function) function
#endif

/* Hides a value from the optimiser. Compilers for GPUs turn a select against zero into a minimum or maximum, which
 * orders -0 before +0; they do not if the value is hidden. */
#if defined(__NVPTX__)
#define PCM_OPAQUE_(value) __asm__("" : PCM_OF_("+d", "+f")(value))
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

/* x above zero, else zero: (x)+ in formulas. NaN stays NaN, so that a law does not hide bad motion. */
PCM_INLINE double pcm_ramp(double x) { return x <= 0 ? 0 : x; }

/* x, but at least low and at most high; low where x is NaN. */
PCM_INLINE double pcm_clamp(double x, double low, double high) { return pcm_min(pcm_max(x, low), high); }

/* The square root, correctly rounded. */
PCM_INLINE double pcm_sqrt(double x) { return PCM_OF_(PCM_C_(sqrt), PCM_C_(sqrtf))(x); }

/* x without its sign. */
PCM_INLINE double pcm_abs(double x) { return PCM_OF_(PCM_C_(fabs), PCM_C_(fabsf))(x); }

/* The size of x with the sign of y. */
PCM_INLINE double pcm_sign(double x, double y) { return PCM_OF_(PCM_C_(copysign), PCM_C_(copysignf))(x, y); }

/* As wide as a number. */
typedef PCM_OF_(uint64_t, uint32_t) pcm_word_;

PCM_INLINE pcm_word_ pcm_bits_(double x)
{
    pcm_word_ bits;
    PCM_C_(memcpy)(&bits, &x, sizeof bits);
    return bits;
}

PCM_INLINE double pcm_from_bits_(pcm_word_ bits)
{
    double x;
    PCM_C_(memcpy)(&x, &bits, sizeof x);
    return x;
}

/* a where the condition holds, else b, bit for bit: for conditions on parameters alone, which are the same for every
 * lane. Gcc 12 does not vectorise some loops in which such a condition is written with ? and :. */
PCM_INLINE double pcm_choose(int condition, double a, double b)
{
    const pcm_word_ mask = condition ? ~(pcm_word_)0 : 0;
    return pcm_from_bits_((pcm_bits_(a) & mask) | (pcm_bits_(b) & ~mask));
}

/* ---- Mixing ------------------------------------------------------------------------------------------------------ */

/* The value for a pair from the values of its two sides. Each function gives the same bits when the sides are swapped,
 * and keeps a value that is equal on both sides. */

/* The arithmetic mean. */
PCM_INLINE double pcm_mean(double a, double b) { return 0.5 * a + 0.5 * b; }

/* The geometric mean, with the sign of both; NaN where one is below zero and the other above. */
PCM_INLINE double pcm_geometric_mean(double a, double b) { return pcm_sign(pcm_sqrt(a * b), a + b); }

/* The harmonic mean 2 / (1/a + 1/b); 0 where both are 0. */
PCM_INLINE double pcm_harmonic_mean(double a, double b)
{
    const double low = pcm_min(a, b), high = pcm_max(a, b);
    const double mean = low * (2 * high / (low + high));
    return low == 0 && high == 0 ? 0 : mean;
}

/* E* of two elastic bodies from their elastic moduli and Poisson's ratios: 1/E* = (1 - va^2)/Ea + (1 - vb^2)/Eb. */
PCM_INLINE double pcm_reduced_modulus(double modulus_a, double poisson_a, double modulus_b, double poisson_b)
{
    return 1 / ((1 - poisson_a * poisson_a) / modulus_a + (1 - poisson_b * poisson_b) / modulus_b);
}

/* G* of the same: 1/G* = (2 - va)/Ga + (2 - vb)/Gb with G = E / (2 (1 + v)). */
PCM_INLINE double pcm_reduced_shear_modulus(double modulus_a, double poisson_a, double modulus_b, double poisson_b)
{
    return 1 / (2 * (1 + poisson_a) * (2 - poisson_a) / modulus_a + 2 * (1 + poisson_b) * (2 - poisson_b) / modulus_b);
}

/* The rest has hexadecimal constants, which C++ has since 2017. Hosts in older C++ do not need it; laws are written in
 * C. */
#if !defined(__cplusplus) || __cplusplus >= 201703L

/* The length of the vector (x, y), without overflow or underflow of the squares. */
PCM_KIT_FUNCTION double pcm_length(double x, double y)
{
    const double size = pcm_max(pcm_abs(x), pcm_abs(y));
    const double most = PCM_OF_(0x1p500, 0x1p60), least = PCM_OF_(0x1p-400, 0x1p-50);
    const double scale = size > most ? PCM_OF_(0x1p-600, 0x1p-80) : size < least ? PCM_OF_(0x1p600, 0x1p100) : 1;
    const double back = size > most ? PCM_OF_(0x1p600, 0x1p80) : size < least ? PCM_OF_(0x1p-600, 0x1p-100) : 1;
    const double u = x * scale, v = y * scale;
    return pcm_sqrt(u * u + v * v) * back;
}

/* ---- exp, log, asinh, tanh, pow ---------------------------------------------------------------------------------- */

/* Errors are in units in the last place of the result, measured against 64-bit mantissas over the whole range:
 * pcm_exp and pcm_exp_falling 1, pcm_log 1, pcm_log1p 2, pcm_asinh 3, pcm_tanh 3, pcm_tanh_ratio 4, pcm_pow
 * 2 + |y ln x| / 12, pcm_cbrt, pcm_sin and pcm_cos 1, pcm_atan2 and pcm_erf 2; with PCM_FLOAT the same, but
 * pcm_atan2 3. NaN gives NaN. */

/* ln 2 in two parts: the first has so few bits that its product with an exponent is exact. */
#define PCM_LN2_HIGH_ PCM_OF_(0x1.62e42fefa38p-1, 0x1.62e4p-1)
#define PCM_LN2_LOW_  PCM_OF_(0x1.ef35793c7673p-45, 0x1.7f7d1cp-20)

/* Adding and subtracting 1.5 * 2^PCM_FRACTION_ rounds to a whole number, which is then in the sum's lowest bits: not
 * every instruction set has instructions for this. */
#define PCM_ROUND_ PCM_OF_(0x1.8p52, 0x1.8p23)

/* The bits of a number's fraction, and the offset of its exponent. */
#define PCM_FRACTION_ PCM_OF_(52, 23)
#define PCM_OFFSET_   PCM_OF_(1023, 127)

/* 2^n for a whole n in [-1022, 1023], as a float in [-126, 127]. */
PCM_INLINE double pcm_power_of_two_(double n)
{
    return pcm_from_bits_((pcm_bits_(n + PCM_ROUND_) + PCM_OFFSET_) << PCM_FRACTION_);
}

/* (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2, by its series: the first term left out is below 2^-57 of exp(r) - 1. */
PCM_INLINE double pcm_exp_series_(double r)
{
    const double q = r * r;
    const double even =
        ((((1.0 / 87178291200.0 * q + 1.0 / 479001600.0) * q + 1.0 / 3628800) * q + 1.0 / 40320) * q + 1.0 / 720) * q +
        1.0 / 24;
    const double odd =
        ((((1.0 / 6227020800.0 * q + 1.0 / 39916800.0) * q + 1.0 / 362880) * q + 1.0 / 5040) * q + 1.0 / 120) * q +
        1.0 / 6;
    return (even * q + odd * r) + 0.5;
}

/* exp(high + low), low a correction to high's last places. */
PCM_INLINE double pcm_exp_sum_(double high, double low)
{
    /* Written so that NaN passes both limits; outside of them every result is infinite or zero. */
    const double least = PCM_OF_(-746, -104), most = PCM_OF_(710, 89);
    const double bound = high < least ? least : high > most ? most : high;
    const double n = (bound * 0x1.71547652b82fep0 + PCM_ROUND_) - PCM_ROUND_;
    const double r = (bound - n * PCM_LN2_HIGH_) - (n * PCM_LN2_LOW_ - low);
    const double half = (n * 0.5 + PCM_ROUND_) - PCM_ROUND_;
    const double y = 1 + (r + r * r * pcm_exp_series_(r));
    /* In two steps: 2^n alone overflows before the result does, and only the second step may round. */
    return y * pcm_power_of_two_(half) * pcm_power_of_two_(n - half);
}

/* e to the power x, over the whole range. */
PCM_KIT_FUNCTION double pcm_exp(double x) { return pcm_exp_sum_(x, 0); }

/* exp(x) for x <= 1, cheaper: nothing overflows, and below -600 it stays at 3e-261 (float: below -60 at 9e-27), so that
 * products with it do not become denormal, which is many times slower. NaN gives NaN. */
PCM_KIT_FUNCTION double pcm_exp_falling(double x)
{
    const double least = PCM_OF_(-600, -60), bound = x < least ? least : x;
    const double n = (bound * 0x1.71547652b82fep0 + PCM_ROUND_) - PCM_ROUND_;
    const double r = (bound - n * PCM_LN2_HIGH_) - n * PCM_LN2_LOW_;
    return pcm_power_of_two_(n) * (1 + (r + r * r * pcm_exp_series_(r)));
}

/* exp(2 x) - 1 for x >= 0, accurate near zero; constant from 20 on, where tanh is 1. NaN gives NaN. */
PCM_INLINE double pcm_exp_twice_less_one_(double x)
{
    const double twice = x > 20 ? 40 : 2 * x;
    const double n = (twice * 0x1.71547652b82fep0 + PCM_ROUND_) - PCM_ROUND_;
    const double r = (twice - n * PCM_LN2_HIGH_) - n * PCM_LN2_LOW_;
    const double scale = pcm_power_of_two_(n);
    return scale * (r + r * r * pcm_exp_series_(r)) + (scale - 1);
}

/* The hyperbolic tangent, accurate near zero. */
PCM_KIT_FUNCTION double pcm_tanh(double x)
{
    const double e = pcm_exp_twice_less_one_(pcm_abs(x));
    return pcm_sign(e / (e + 2), x);
}

/* tanh(x) / x for x >= 0: 1 at zero, 0 beyond 1e290. Friction by the tanh of the slip then needs no other division. */
PCM_KIT_FUNCTION double pcm_tanh_ratio(double x)
{
    const double e = pcm_exp_twice_less_one_(x);
    const double ratio = e / ((e + 2) * x);
    return x == 0 ? 1 : ratio;
}

/* x > 0 as 2^n * (1 + f) with 1 + f from sqrt(1/2) to sqrt(2). */
PCM_INLINE double pcm_log_split_(double x, double *n)
{
    const double    small = x < DBL_MIN ? 54 : 0;
    const pcm_word_ bits = pcm_bits_(x < DBL_MIN ? x * 0x1p54 : x);
    const pcm_word_ one = PCM_OF_(0x3ff0000000000000, 0x3f800000);
    const pcm_word_ root_half = PCM_OF_(0x3fe6a09e667f3bcd, 0x3f3504f3);
    const pcm_word_ whole = PCM_OF_(0x4330000000000000, 0x4b000000); /* 2^PCM_FRACTION_: up as a number is above it */
    const pcm_word_ up = (bits + (one - root_half)) >> PCM_FRACTION_;
    *n = pcm_from_bits_(up | whole) - PCM_OF_(0x1p52, 0x1p23) - PCM_OFFSET_ - small;
    return pcm_from_bits_(bits - ((up - PCM_OFFSET_) << PCM_FRACTION_)) - 1;
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
PCM_KIT_FUNCTION double pcm_log(double x)
{
    double       n;
    const double f = pcm_log_split_(x, &n);
    const double s = f / (2 + f);
    const double half = 0.5 * f * f;
    const double y = n * PCM_LN2_HIGH_ - ((half - (s * (half + pcm_log_series_(s * s)) + n * PCM_LN2_LOW_)) - f);
    const double finite = x > 0 ? y : x == 0 ? -INFINITY : NAN;
    return x < INFINITY ? finite : x + x;
}

/* The rounding error of sum = a + b. */
PCM_INLINE double pcm_sum_rest_(double a, double b, double sum)
{
    const double back = sum - a;
    return (a - (sum - back)) + (b - back);
}

/* The natural logarithm of 1 + x, accurate near zero: minus infinity at -1, NaN below. */
PCM_KIT_FUNCTION double pcm_log1p(double x)
{
    const double sum = 1 + x, y = pcm_log(sum) + pcm_sum_rest_(1, x, sum) / sum;
    const double finite = x == 0 ? x : x > -1 ? y : pcm_log(sum);
    return x < INFINITY ? finite : x + x;
}

/* The inverse hyperbolic sine, accurate near zero. */
PCM_KIT_FUNCTION double pcm_asinh(double x)
{
    const double size = pcm_abs(x), square = size * size;
    const double near = size + square / (1 + pcm_sqrt(1 + square));
    const double y = pcm_log1p(size < 0x1p60 ? near : size);
    return pcm_sign(size < 0x1p60 ? y : y + (PCM_LN2_HIGH_ + PCM_LN2_LOW_), x);
}

/* a * b = product + rest, exactly, for factors below 2^970 (float: 2^114). */
PCM_INLINE double pcm_product_rest_(double a, double b, double product)
{
    const double split = PCM_OF_(134217729, 4097); /* 2^27 + 1, 2^12 + 1: halves of 26 and 12 bits */
    const double a_big = a * split, b_big = b * split;
    const double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    const double a_low = a - a_high, b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* x to the power y for x >= 0; NaN for x below zero. The logarithm is carried in two doubles. */
PCM_KIT_FUNCTION double pcm_pow(double x, double y)
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
    /* Conditions on y alone are the same for every lane, and gcc 12 leaves loops with such selects scalar. */
    const double high = y * log_high;
    const double low = pcm_product_rest_(y, log_high, high) + y * log_low;
    /* Where the exponential overflows or vanishes the rest is meaningless. */
    const double inner = pcm_exp_sum_(high, pcm_abs(high) < PCM_OF_(800, 110) ? low : 0);
    const double at_one = y * x == y * x ? 1 : NAN;
    const double turned = y * (x > 0 ? INFINITY : -INFINITY); /* y ln x where x is 0 or infinite; NaN: y is 0 or NaN */
    const double at_end = turned > 0 ? INFINITY : turned < 0 ? 0 : 1 + y;
    const double finite = x == 1 ? at_one : inner;
    const double above_zero = x < INFINITY ? finite : at_end;
    const double at_zero = x < 0 ? NAN : at_end;
    return x > 0 ? above_zero : x == x ? at_zero : x;
}

/* ---- cbrt, sin, cos, atan2, erf ---------------------------------------------------------------------------------- */

/* The polynomials are least-squares fits at Chebyshev nodes, weighted by the error of the result. */

/* cbrt(1 + f) for 1 + f from sqrt(1/2) to sqrt(2), within 2^-25. */
PCM_INLINE double pcm_cbrt_guess_(double f)
{
    const double q = f * f;
    const double even = ((-0x1.ad7d3cc6605f7p-6 * q - 0x1.4ff5239051821p-5) * q - 0x1.c71f0b86d77f4p-4) * q;
    const double odd =
        ((0x1.f9f857a393b30p-7 * q + 0x1.fc355eed2a575p-6) * q + 0x1.f953a5953f468p-5) * q + 0x1.5555783ee1821p-2;
    return (even + odd * f) + 0x1.000000226848cp+0;
}

/* The cube root, also of negative numbers. */
PCM_KIT_FUNCTION double pcm_cbrt(double x)
{
    double       n;
    const double size = pcm_abs(x), f = pcm_log_split_(size, &n);
    const double third = (n * (1.0 / 3) + PCM_ROUND_) - PCM_ROUND_, left = n - 3 * third;
    const double scale = left > 0 ? 2 : left < 0 ? 0.5 : 1;
    const double root_of_scale = left > 0 ? 0x1.428a2f98d728bp+0 : left < 0 ? 0x1.965fea53d6e3dp-1 : 1;
    const double m = (1 + f) * scale;
    /* Cut to 26 or 12 bits, so that its square is exact; then one step of Halley's method. */
    const pcm_word_ cut = PCM_OF_(0x7ffffff, 0xfff);
    const double    t = pcm_from_bits_(pcm_bits_(pcm_cbrt_guess_(f) * root_of_scale) & ~cut);
    const double    r = m / (t * t);
    const double    y = (t + t * ((r - t) / (2 * t + r))) * pcm_power_of_two_(third);
    const double    finite = size > 0 ? y : x;
    return size < INFINITY ? pcm_sign(finite, x) : x;
}

/* x less the nearest whole number of quarter turns, as the sum of two doubles; turns holds that number in its lowest
 * bits. pi/2 is split into parts whose products with that number are exact. */
PCM_INLINE double pcm_quarter_rest_(double x, double *rest, pcm_word_ *turns)
{
    const double shifted = x * 0x1.45f306dc9c883p-1 + PCM_ROUND_, n = shifted - PCM_ROUND_;
    const double a = x - n * PCM_OF_(0x1.921fb54p+0, 0x1.92p+0);
    const double p2 = -n * PCM_OF_(0x1.10b461p-30, 0x1.fb4p-12), b = a + p2;
    const double p3 = -n * PCM_OF_(0x1.a62633p-58, 0x1.444p-24), c = b + p3;
    const double p4 = -n * PCM_OF_(0x1.45c06ep-86, 0x1.68cp-39), d = c + p4;
    const double left = n * PCM_OF_(0x1.cd129024e088ap-115, 0x1.1a6264p-54);
    const double lost = (pcm_sum_rest_(a, p2, b) + pcm_sum_rest_(b, p3, c)) + (pcm_sum_rest_(c, p4, d) - left);
    const double r = d + lost;
    *rest = (d - r) + lost;
    *turns = pcm_bits_(shifted);
    return r;
}

/* The sine of x plus that many quarter turns. */
PCM_INLINE double pcm_sin_ahead_(double x, pcm_word_ quarters)
{
    double          rest;
    pcm_word_       turns;
    const double    r = pcm_quarter_rest_(x, &rest, &turns), z = r * r, w = z * z;
    const double    s_even = (-0x1.ae5e60589a892p-26 * w - 0x1.a01a019c05de8p-13) * w - 0x1.5555555555548p-3;
    const double    s_odd = (0x1.5d917c64e2a9fp-33 * w + 0x1.71de356f192bfp-19) * w + 0x1.111111110f806p-7;
    const double    c_even = (0x1.1ee9cf155455cp-29 * w + 0x1.a01a019c6e728p-16) * w + 0x1.555555555554ap-5;
    const double    c_odd = (-0x1.8fa082986d4e5p-37 * w - 0x1.27e4f7dcbce4bp-22) * w - 0x1.6c16c16c14e8fp-10;
    const double    half = 0.5 * z, one_less = 1 - half;
    const double    sine = r + (r * z * (s_even + s_odd * z) + rest * one_less);
    const double    cosine = one_less + (((1 - one_less) - half) + (w * (c_even + c_odd * z) - r * rest));
    const pcm_word_ q = turns + quarters;
    const double    value = q & 1 ? cosine : sine;
    return pcm_abs(x) <= PCM_OF_(1e8, 1e4) ? pcm_from_bits_(pcm_bits_(value) ^ (q & 2) << PCM_OF_(62, 30)) : NAN;
}

/* The sine of an angle in rad, from -1e8 to 1e8 (float: 1e4); NaN beyond, where the spacing of numbers is too wide for
 * an angle. */
PCM_KIT_FUNCTION double pcm_sin(double x)
{
    const double y = pcm_sin_ahead_(x, 0);
    return x == 0 ? x : y;
}

/* The cosine, for the same angles. */
PCM_KIT_FUNCTION double pcm_cos(double x) { return pcm_sin_ahead_(x, 1); }

/* (atan(t) / t - 1) / z with z = t^2, for |t| <= tan(pi/8). */
PCM_INLINE double pcm_atan_series_(double z)
{
    const double w = z * z;
    const double even =
        ((((-0x1.250c814854275p-6 * w - 0x1.9cbfe9ea9595fp-5) * w - 0x1.10eb644fdd271p-4) * w - 0x1.745cf85e6c3a5p-4) *
             w -
         0x1.249249229f1e4p-3) *
            w -
        0x1.555555555553bp-2;
    const double odd =
        (((0x1.37a87b5e38324p-5 * w + 0x1.df0ad812160b2p-5) * w + 0x1.3b11111dbba7bp-4) * w + 0x1.c71c70e12e92ep-4) *
            w +
        0x1.99999999955b9p-3;
    return even + odd * z;
}

/* The angle of the vector (x, y) from the x axis, in (-pi, pi]; signs of zero count as in C. */
PCM_KIT_FUNCTION double pcm_atan2(double y, double x)
{
    const double up = pcm_abs(y), along = pcm_abs(x);
    const double large = up > along ? up : along, small = up > along ? along : up;
    const double scale = large > PCM_OF_(0x1p1000, 0x1p110) ? PCM_OF_(0x1p-100, 0x1p-20) : 1;
    /* Zero and infinite vectors by the limits along their axes and diagonals. */
    const double below = large < INFINITY ? small * scale : small == INFINITY ? 1 : small * 0;
    const double bound = large < INFINITY ? large * scale : 1;
    const double b = bound == 0 ? 1 : bound, a = large == large ? below : large;
    const double steep = a > 0x1.a827999fcef32p-2 * b ? 1 : 0; /* above pi/8 from the nearest axis: count from pi/4 */
    const double t = (a - steep * b) / (b + steep * a), z = t * t;
    const double part = t * z * pcm_atan_series_(z);
    const double left = pcm_sign(1, x) < 0 ? 1 : 0, upright = up > along ? 1 : 0;
    /* angle = eighths * pi/4 + sense * (t + part) */
    const double sense = left == upright ? 1 : -1;
    const double eighths = (upright > 0 ? 2 : left * 4) + sense * steep;
    const double angle =
        eighths * 0x1.921fb54442d18p-1 + (sense * t + (sense * part + eighths * 0x1.1a62633145c07p-55));
    return pcm_sign(angle, y);
}

/* erf(x) / x - 1 with z = x^2, for |x| <= 1. */
PCM_INLINE double pcm_erf_series_(double z)
{
    const double w = z * z;
    const double even = ((((0x1.d7762664cab44p-27 * w + 0x1.b9821ff8573ffp-20) * w + 0x1.f9a2bed2c678dp-14) * w +
                          0x1.565bccfa6b6acp-8) *
                             w +
                         0x1.ce2f21a040fb8p-4) *
                            w +
                        0x1.06eba8214db68p-3;
    const double odd = ((((-0x1.acb5cf8e82c42p-31 * w - 0x1.5c14c1674a4a0p-23) * w - 0x1.f4ca8b25df317p-17) * w -
                         0x1.c02db06c0eb04p-11) *
                            w -
                        0x1.b82ce31204b47p-6) *
                           w -
                       0x1.812746b0379c1p-2;
    return even + odd * z;
}

/* exp(x^2) erfc(x) with u = 1 / (x + 2), for x from 1 to 6. */
PCM_INLINE double pcm_erfc_scaled_(double u)
{
    const double q = u * u;
    const double even = (((((-0x1.aa2877543358fp+7 * q - 0x1.216d983c17c58p+10) * q - 0x1.00b6eeb3af554p+9) * q -
                           0x1.4bcb8ff9af228p+5) *
                              q +
                          0x1.e235f0392af92p+0) *
                             q +
                         0x1.1f85a8a5a9d5cp+0) *
                        q;
    const double odd =
        ((((0x1.77907ff63e9dbp+9 * q + 0x1.f385d8622ea82p+9) * q + 0x1.44b667d2659e7p+7) * q + 0x1.3f0c680bd2315p+3) *
             q +
         0x1.07b2c0a770030p+1) *
            q +
        0x1.20f6e9ca5dcfdp-1;
    return (even + odd * u) - 0x1.b720bd83e14d3p-19;
}

/* The error function. */
PCM_KIT_FUNCTION double pcm_erf(double x)
{
    const double size = pcm_abs(x), far = size > 6 ? 6 : size; /* erf(6) rounds to 1; NaN passes */
    const double inner = size + size * pcm_erf_series_(far * far);
    const double outer = 1 - pcm_exp_falling(-far * far) * pcm_erfc_scaled_(1 / (far + 2));
    return pcm_sign(size < 1 ? inner : outer, x);
}

/* ---- Hertz's contacts -------------------------------------------------------------------------------------------- */

/* The complete elliptic integral of the first kind with the complementary parameter b = 1 - m from 0 to 1, within
 * 4e-12 of it; fall is -ln b, which callers know. */
PCM_INLINE double pcm_elliptic_k_(double b, double fall)
{
    const double q = b * b;
    const double even = ((0x1.675ad891230c5p-9 * q + 0x1.4c84b404f46a0p-6) * q + 0x1.fbaa40cbedb6bp-6) * q;
    const double odd = (0x1.0f73d4ea22d04p-6 * q + 0x1.1c0df075344b7p-6) * q + 0x1.8b914ff61f3ecp-4;
    const double log_even = ((0x1.6f398e0741313p-11 * q + 0x1.eac081b0fed12p-6) * q + 0x1.1fe8b40373de8p-4) * q;
    const double log_odd = (0x1.41196662e299bp-7 * q + 0x1.8917c1381c034p-5) * q + 0x1.ffffebc012ec3p-4;
    return ((even + odd * b) + 0x1.62e42fefd3d2fp+0) + fall * ((log_even + log_odd * b) + 0x1.fffffffff5847p-2);
}

/* The radius R of the sphere on a plane that carries as much at every depth as an elliptic contact does whose gap has
 * the principal curvatures least and most, 0 < least <= most: 4/3 E* sqrt(R) d^1.5, within 3e-10 of Hertz's integrals;
 * 1 / most where they are equal. sqrt(R d) is the radius of the circle of the same stiffness. Below 1e-12 the ratio of
 * the curvatures counts as 1e-12.
 *
 * Any ellipse near that of the contact gives its stiffness but for the square of what it is off, as the true one
 * maximises the force at a given depth. So a plain fit of its axes is enough. */
PCM_KIT_FUNCTION double pcm_hertz_radius(double least, double most)
{
    const double low = pcm_max(least, 1e-12 * most), way = -pcm_log(low / most);
    const double up =
        ((0x1.8f6600dc78ccp-9 * way + 0x1.095c0c81dd15dp-4) * way + 0x1.cd6cd52913adbp-3) * way + 0x1.55342db109391p+0;
    const double down = ((0x1.8b9caffdf584p-9 * way + 0x1.b82387b191f4p-5) * way + 0x1.58552de9a2c91p-3) * way + 1;
    const double fall = way * (up / down), b = pcm_exp_falling(-fall); /* b: the square of the ratio of the axes */
    const double k = pcm_elliptic_k_(b, fall), radius = 0x1.3bd3cc9be45dep+2 / (k * k * (low + b * most));
    return low < most ? radius : 1 / most;
}

/* The radius of the circular punch that is as stiff as an elliptic one of that area and ratio of its axes, aspect >= 1;
 * within 4e-12. */
PCM_KIT_FUNCTION double pcm_punch_radius(double area, double aspect)
{
    const double circle = pcm_sqrt(area * 0x1.45f306dc9c883p-2), inverse = 1 / aspect;
    const double k = pcm_elliptic_k_(inverse * inverse, 2 * pcm_log(aspect));
    return aspect > 1 ? circle * pcm_sqrt(aspect) * (0x1.921fb54442d18p+0 / k) : circle;
}

/* The number w >= 2 of a line contact, at the share y = depth / (4 R) from 0 to 2 exp(-3): the force per length is
 * pi E* depth / w, its slope pi E* / (w - 1) and its work the force times depth (1/2 - 1/(4 w)). It solves
 * y = w exp(-1 - w), which is depth = P'/(pi E*) (2 ln(4 R/b) - 1) with b = sqrt(4 P' R/(pi E*)), P' the force per
 * length. */
PCM_KIT_FUNCTION double pcm_hertz_line(double y)
{
    const double s = -1 - pcm_log(pcm_max(y, DBL_MIN)), over = s - 1; /* w - ln w = s */
    const double first = 1 + pcm_sqrt(2 * over) + over * (0.7 + over * (0.3 / (over + 12)));
    const double second = first * ((over + pcm_log(first)) / (first - 1));
    const double third = second * ((over + pcm_log(second)) / (second - 1));
    return third * ((over + pcm_log(third)) / (third - 1));
}

#endif

#endif
