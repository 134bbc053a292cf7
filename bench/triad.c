/* SPDX-License-Identifier: MIT */
#include "triad.h"

#include "bench.h"

#include <stdlib.h>

Triad triad_new(size_t bytes)
{
    Triad triad = {.count = bytes / (3 * sizeof(double))};
    triad.x = bench_allocate(triad.count * sizeof(double));
    triad.y = bench_allocate(triad.count * sizeof(double));
    triad.z = bench_allocate(triad.count * sizeof(double));
    return triad;
}

void triad_free(Triad *triad)
{
    free(triad->x);
    free(triad->y);
    free(triad->z);
}

#if defined(__x86_64__) && !defined(__clang__)
__attribute__((target_clones("default", "avx2", "avx512f")))
#endif
void triad_run(void *work)
{
    const Triad *triad = work;
    double *restrict x = triad->x;
    const double *y = triad->y, *z = triad->z;
#pragma omp simd
    for (size_t i = 0; i < triad->count; i++)
        x[i] = y[i] + 3 * z[i];
}
