/* SPDX-License-Identifier: MIT */
/* kit.h - the branch-free arithmetic that contact laws are written with.
 *
 * Every function here is a pure expression in IEEE double arithmetic, without tables, branches or calls into the C
 * library, so that a plain loop over a batch becomes packed instructions and gives the same bits with every compiler
 * and instruction set. A law that calls libm's tanh, exp, log or pow instead loses both.
 *
 * Compile with the flags of `pkg-config --cflags pcm`: -ffp-contract=off keeps the bits, -fopenmp-simd makes PCM_EACH
 * vectorise, -fno-math-errno and -fno-trapping-math let square roots and selects be packed. */
#ifndef PCM_KIT_H
#define PCM_KIT_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "PCM laws must not be compiled with -ffast-math: every build of a law has to give the same bits"
#endif

/* The loop over the lanes of a batch. Gcc 12 vectorises these loops only when told that lanes are independent. */
#define PCM_EACH(batch, lane) _Pragma("omp simd") for (size_t lane = 0; lane < (batch)->count; lane++)

/* The larger of a and b, b where either is NaN. */
static inline double pcm_max(double a, double b) { return a > b ? a : b; }

/* The smaller of a and b, b where either is NaN. */
static inline double pcm_min(double a, double b) { return a < b ? a : b; }

static inline double pcm_clamp(double x, double low, double high) { return pcm_min(pcm_max(x, low), high); }

static inline double pcm_sqrt(double x) { return sqrt(x); }

static inline double pcm_abs(double x) { return fabs(x); }

#endif
