/* SPDX-License-Identifier: MIT */
/* prelude.h - the first lines of every header that `pcm export` writes. */
#if defined(__FAST_MATH__) || defined(__FAST_RELAXED_MATH__) || defined(__ASSOCIATIVE_MATH__) ||                       \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "contact laws must not be compiled with fast-math: every build has to give the same bits"
#endif
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ + 0 == 2)
#error "contact laws need arithmetic in double itself, as SSE2 has: with -mfpmath=387 they give other bits"
#endif

#ifndef PCMX_PRELUDE
#define PCMX_PRELUDE

/* In front of every function; define it before you include the header to have something else. */
#ifndef PCM_FN
#if defined(__CUDACC__) || defined(__HIPCC__)
#define PCM_FN static __device__ inline
#else
#define PCM_FN static inline
#endif
#endif

#if defined(__OPENCL_VERSION__)
typedef long  pcmx_int;
typedef ulong pcmx_word;
#else
typedef long long          pcmx_int;
typedef unsigned long long pcmx_word;
#endif

enum { PCMX_LIVE, PCMX_BROKEN, PCMX_INVALID };                        /* values of life */
enum { PCMX_SEPARATED, PCMX_STICKING, PCMX_SLIPPING, PCMX_TOUCHING }; /* values of mode */
enum { PCMX_UNASSIGNED = -1, PCMX_NATIVE = -2 }; /* no type: no rule, or a rule for the engine's own contacts */

/* In front of a table inside of a function; define it before you include the header to have something else. */
#ifndef PCMX_DATA_
#if defined(__OPENCL_VERSION__)
#define PCMX_DATA_ const
#else
#define PCMX_DATA_ static const
#endif
#endif

/* No contraction of a product and a sum into one operation: pragmas, and under CUDA products that are never fused. */
#if defined(__OPENCL_VERSION__)
#define PCMX_EXACT_ _Pragma("OPENCL FP_CONTRACT OFF")
#elif defined(__clang__)
#define PCMX_EXACT_ _Pragma("clang fp contract(off)")
#else
#define PCMX_EXACT_
#endif

#if defined(__CUDA_ARCH__) && !defined(__clang__)
#define PCMX_MUL_(a, b)   __dmul_rn(a, b)
#define PCMX_DIV_(a, b)   __ddiv_rn(a, b)
#define PCMX_SQRT_(a)     __dsqrt_rn(a)
#define PCMX_ABS_(a)      fabs(a)
#define PCMX_SIGN_(a, b)  copysign(a, b)
#define PCMXF_MUL_(a, b)  __fmul_rn(a, b)
#define PCMXF_DIV_(a, b)  __fdiv_rn(a, b)
#define PCMXF_SQRT_(a)    __fsqrt_rn(a)
#define PCMXF_ABS_(a)     fabsf(a)
#define PCMXF_SIGN_(a, b) copysignf(a, b)
#else
#if defined(__CUDA_ARCH__)
/* Clang takes __dmul_rn for a plain product, and fuses it with -ffp-contract=fast, its default. */
PCM_FN double PCMX_MUL_(double a, double b)
{
    double product;
    __asm__("mul.rn.f64 %0, %1, %2;" : "=d"(product) : "d"(a), "d"(b));
    return product;
}
PCM_FN float PCMXF_MUL_(float a, float b)
{
    float product;
    __asm__("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
    return product;
}
#else
#define PCMX_MUL_(a, b)  ((a) * (b))
#define PCMXF_MUL_(a, b) ((a) * (b))
#endif
#define PCMX_DIV_(a, b)  ((a) / (b))
#define PCMXF_DIV_(a, b) ((a) / (b))
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPENCL_VERSION__)
#define PCMX_SQRT_(a)     __builtin_sqrt(a)
#define PCMX_ABS_(a)      __builtin_fabs(a)
#define PCMX_SIGN_(a, b)  __builtin_copysign(a, b)
#define PCMXF_SQRT_(a)    __builtin_sqrtf(a)
#define PCMXF_ABS_(a)     __builtin_fabsf(a)
#define PCMXF_SIGN_(a, b) __builtin_copysignf(a, b)
#else
#define PCMX_SQRT_(a)     sqrt(a)
#define PCMX_ABS_(a)      fabs(a)
#define PCMX_SIGN_(a, b)  copysign(a, b)
#define PCMXF_SQRT_(a)    sqrt(a)
#define PCMXF_ABS_(a)     fabs(a)
#define PCMXF_SIGN_(a, b) copysign(a, b)
#endif
#endif

/* NVRTC knows the word of C++ alone. */
#if defined(__CUDACC_RTC__)
#define PCMX_ASM_ asm
#else
#define PCMX_ASM_ __asm__
#endif

/* Hides one side of a select from compilers for GPUs, which would make a minimum of a select against zero: that orders
 * -0 before 0. */
#if defined(__CUDA_ARCH__) || defined(__NVPTX__)
PCM_FN double pcmx_hidden(double x)
{
    PCMX_ASM_("" : "+d"(x));
    return x;
}
PCM_FN float pcmxf_hidden(float x)
{
    PCMX_ASM_("" : "+f"(x));
    return x;
}
#define PCMX_HIDDEN_(x)  pcmx_hidden(x)
#define PCMXF_HIDDEN_(x) pcmxf_hidden(x)
#elif defined(__AMDGCN__)
PCM_FN double pcmx_hidden(double x)
{
    PCMX_ASM_("" : "+v"(x));
    return x;
}
PCM_FN float pcmxf_hidden(float x)
{
    PCMX_ASM_("" : "+v"(x));
    return x;
}
#define PCMX_HIDDEN_(x)  pcmx_hidden(x)
#define PCMXF_HIDDEN_(x) pcmxf_hidden(x)
#else
#define PCMX_HIDDEN_(x)  (x)
#define PCMXF_HIDDEN_(x) (x)
#endif

/* The bits of a number, and back. */
#if defined(__OPENCL_VERSION__)
PCM_FN pcmx_word    pcmx_bits(double x) { return as_ulong(x); }
PCM_FN double       pcmx_from_bits(pcmx_word x) { return as_double(x); }
PCM_FN unsigned int pcmxf_bits(float x) { return as_uint(x); }
PCM_FN float        pcmxf_from_bits(unsigned int x) { return as_float(x); }
#else
PCM_FN pcmx_word pcmx_bits(double x)
{
    union {
        double    number;
        pcmx_word bits;
    } as;
    as.number = x;
    return as.bits;
}
PCM_FN double pcmx_from_bits(pcmx_word x)
{
    union {
        double    number;
        pcmx_word bits;
    } as;
    as.bits = x;
    return as.number;
}
PCM_FN unsigned int pcmxf_bits(float x)
{
    union {
        float        number;
        unsigned int bits;
    } as;
    as.number = x;
    return as.bits;
}
PCM_FN float pcmxf_from_bits(unsigned int x)
{
    union {
        float        number;
        unsigned int bits;
    } as;
    as.bits = x;
    return as.number;
}
#endif
#endif

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#endif
