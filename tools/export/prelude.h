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

enum { PCMX_LIVE, PCMX_BROKEN, PCMX_INVALID };         /* values of life */
enum { PCMX_SEPARATED, PCMX_STICKING, PCMX_SLIPPING }; /* values of mode */
enum { PCMX_UNASSIGNED = -1, PCMX_NATIVE = -2 };       /* no type: no rule, or a rule for the engine's own contacts */

/* In front of a table inside of a function; define it before you include the header to have something else. */
#ifndef PCMX_DATA_
#if defined(__OPENCL_VERSION__)
#define PCMX_DATA_ const
#else
#define PCMX_DATA_ static const
#endif
#endif

/* No contraction into fused operations: pragmas, and under CUDA functions that are never fused. */
#if defined(__OPENCL_VERSION__)
#define PCMX_EXACT_ _Pragma("OPENCL FP_CONTRACT OFF")
#elif defined(__clang__)
#define PCMX_EXACT_ _Pragma("clang fp contract(off)")
#else
#define PCMX_EXACT_
#endif

#if defined(__CUDA_ARCH__) && defined(__clang__)
/* Clang takes __dadd_rn and its kin for plain operators, and fuses them with -ffp-contract=fast, its default. */
#define PCMX_PTX_(number, letter, name, code)                                                                          \
    PCM_FN number name(number a, number b)                                                                             \
    {                                                                                                                  \
        number r;                                                                                                      \
        __asm__(code " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b));                                           \
        return r;                                                                                                      \
    }
PCMX_PTX_(double, "d", PCMX_ADD_, "add.rn.f64")
PCMX_PTX_(double, "d", PCMX_SUB_, "sub.rn.f64")
PCMX_PTX_(double, "d", PCMX_MUL_, "mul.rn.f64")
PCMX_PTX_(double, "d", PCMX_DIV_, "div.rn.f64")
PCMX_PTX_(float, "f", PCMXF_ADD_, "add.rn.f32")
PCMX_PTX_(float, "f", PCMXF_SUB_, "sub.rn.f32")
PCMX_PTX_(float, "f", PCMXF_MUL_, "mul.rn.f32")
PCMX_PTX_(float, "f", PCMXF_DIV_, "div.rn.f32")
PCM_FN double PCMX_SQRT_(double a)
{
    double r;
    __asm__("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
    return r;
}
PCM_FN float PCMXF_SQRT_(float a)
{
    float r;
    __asm__("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
#elif defined(__CUDA_ARCH__)
#define PCMX_ADD_(a, b)  __dadd_rn(a, b)
#define PCMX_SUB_(a, b)  __dsub_rn(a, b)
#define PCMX_MUL_(a, b)  __dmul_rn(a, b)
#define PCMX_DIV_(a, b)  __ddiv_rn(a, b)
#define PCMX_SQRT_(a)    __dsqrt_rn(a)
#define PCMXF_ADD_(a, b) __fadd_rn(a, b)
#define PCMXF_SUB_(a, b) __fsub_rn(a, b)
#define PCMXF_MUL_(a, b) __fmul_rn(a, b)
#define PCMXF_DIV_(a, b) __fdiv_rn(a, b)
#define PCMXF_SQRT_(a)   __fsqrt_rn(a)
#else
#define PCMX_ADD_(a, b)  ((a) + (b))
#define PCMX_SUB_(a, b)  ((a) - (b))
#define PCMX_MUL_(a, b)  ((a) * (b))
#define PCMX_DIV_(a, b)  ((a) / (b))
#define PCMXF_ADD_(a, b) ((a) + (b))
#define PCMXF_SUB_(a, b) ((a) - (b))
#define PCMXF_MUL_(a, b) ((a) * (b))
#define PCMXF_DIV_(a, b) ((a) / (b))
#if defined(__OPENCL_VERSION__) || defined(__HIPCC__)
#define PCMX_SQRT_(a)  sqrt(a)
#define PCMXF_SQRT_(a) sqrt(a)
#else
#define PCMX_SQRT_(a)  __builtin_sqrt(a)
#define PCMXF_SQRT_(a) __builtin_sqrtf(a)
#endif
#endif

#if defined(__OPENCL_VERSION__)
#define PCMX_ABS_(a)      fabs(a)
#define PCMX_SIGN_(a, b)  copysign(a, b)
#define PCMXF_ABS_(a)     fabs(a)
#define PCMXF_SIGN_(a, b) copysign(a, b)
#elif defined(__GNUC__)
#define PCMX_ABS_(a)      __builtin_fabs(a)
#define PCMX_SIGN_(a, b)  __builtin_copysign(a, b)
#define PCMXF_ABS_(a)     __builtin_fabsf(a)
#define PCMXF_SIGN_(a, b) __builtin_copysignf(a, b)
#else
#define PCMX_ABS_(a)      fabs(a)
#define PCMX_SIGN_(a, b)  copysign(a, b)
#define PCMXF_ABS_(a)     fabsf(a)
#define PCMXF_SIGN_(a, b) copysignf(a, b)
#endif

/* Hides one side of a select from compilers for GPUs, which would make a minimum of a select against zero: that orders
 * -0 before 0. */
#if defined(__CUDA_ARCH__) || defined(__NVPTX__)
PCM_FN double pcmx_hidden(double x)
{
    __asm__("" : "+d"(x));
    return x;
}
PCM_FN float pcmxf_hidden(float x)
{
    __asm__("" : "+f"(x));
    return x;
}
#define PCMX_HIDDEN_(x)  pcmx_hidden(x)
#define PCMXF_HIDDEN_(x) pcmxf_hidden(x)
#elif defined(__AMDGCN__)
PCM_FN double              pcmx_hidden(double x)
{
    __asm__("" : "+v"(x));
    return x;
}
PCM_FN float pcmxf_hidden(float x)
{
    __asm__("" : "+v"(x));
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
