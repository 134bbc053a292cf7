/* SPDX-License-Identifier: MIT */
/* cuda.h - what docs/gpu.md uses of CUDA, for clang without CUDA. */
#include "cuda_stub.h"
typedef struct double3 {
    double x, y, z;
} double3;
typedef struct index3 {
    int x, y, z;
} index3;
extern __device__ const index3 threadIdx, blockIdx, blockDim;
