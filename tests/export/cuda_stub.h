/* SPDX-License-Identifier: MIT */
/* cuda_stub.h - the few words of CUDA that a header by pcm export uses, for clang without CUDA. */
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __CUDACC__
#define TWO(number, letter, name, code)                                                                                \
    static inline __device__ number name(number a, number b)                                                           \
    {                                                                                                                  \
        number r;                                                                                                      \
        __asm__(code " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b));                                           \
        return r;                                                                                                      \
    }
TWO(double, "d", __dadd_rn, "add.rn.f64")
TWO(double, "d", __dsub_rn, "sub.rn.f64")
TWO(double, "d", __dmul_rn, "mul.rn.f64")
TWO(double, "d", __ddiv_rn, "div.rn.f64")
TWO(float, "f", __fadd_rn, "add.rn.f32")
TWO(float, "f", __fsub_rn, "sub.rn.f32")
TWO(float, "f", __fmul_rn, "mul.rn.f32")
TWO(float, "f", __fdiv_rn, "div.rn.f32")
static inline __device__ double __dsqrt_rn(double a)
{
    double r;
    __asm__("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
    return r;
}
static inline __device__ float __fsqrt_rn(float a)
{
    float r;
    __asm__("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
