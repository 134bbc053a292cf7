/* SPDX-License-Identifier: MIT */
/* kokkos.h - what the functor of docs/gpu.md uses of Kokkos, for one processor. */
#include <cstddef>
#define KOKKOS_INLINE_FUNCTION inline
struct column {
    double *at;
    int     width;
    double &operator()(int i, int k = 0) const { return at[i * width + k]; }
};
