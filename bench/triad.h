/* SPDX-License-Identifier: MIT */
/* triad.h - the measure of memory bandwidth: x = y + s z over as many bytes as a law moves. */
#ifndef PCM_BENCH_TRIAD_H
#define PCM_BENCH_TRIAD_H

#include <stddef.h>

typedef struct Triad {
    double *x, *y, *z;
    size_t  count;
} Triad;

/* bytes: of the three together. */
Triad triad_new(size_t bytes);
void  triad_free(Triad *triad);
void  triad_run(void *triad);

#endif
