/* SPDX-License-Identifier: MIT */
/* cuda_stub.h - the few words of CUDA that a header by pcm export uses, for clang without CUDA. */
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __CUDACC__
static inline __device__ double __dmul_rn(double a, double b)
{
    double product;
    __asm__("mul.rn.f64 %0, %1, %2;" : "=d"(product) : "d"(a), "d"(b));
    return product;
}
static inline __device__ double __ddiv_rn(double a, double b) { return a / b; }
static inline __device__ double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
static inline __device__ double fabs(double a) { return __builtin_fabs(a); }
static inline __device__ double copysign(double a, double b) { return __builtin_copysign(a, b); }
