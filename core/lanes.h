/* SPDX-License-Identifier: MIT */
/* lanes.h - between lines and columns: eight doubles per contact or object in memory, a vector of contacts per number
 * in the pipeline. Included by block.c alone, which is compiled for several widths. */
#ifndef PCM_CORE_LANES_H
#define PCM_CORE_LANES_H

#include "block.h"

#if defined(__AVX512F__)
#define PCM_LANES 8
#elif defined(__AVX__)
#define PCM_LANES 4
#else
#define PCM_LANES 2
#endif

typedef double pcm_lanes __attribute__((vector_size(8 * PCM_LANES), may_alias));

/* The n-th PCM_LANES doubles of a line. */
static inline pcm_lanes part(const void *line, size_t n) { return ((const pcm_lanes *)line)[n]; }

static inline void set_part(void *line, size_t n, pcm_lanes value) { ((pcm_lanes *)line)[n] = value; }

/* A square of numbers, rows for columns. */
static inline void transpose(pcm_lanes m[PCM_LANES])
{
#if PCM_LANES == 8
    pcm_lanes t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        t[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = i; j < i + 2; j++) {
            u[j] = __builtin_shufflevector(t[j], t[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            u[j + 2] = __builtin_shufflevector(t[j], t[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int j = 0; j < 4; j++) {
        m[j] = __builtin_shufflevector(u[j], u[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        m[j + 4] = __builtin_shufflevector(u[j], u[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#elif PCM_LANES == 4
    pcm_lanes t[4];
    for (int i = 0; i < 4; i += 2) {
        t[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 4, 2, 6);
        t[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 5, 3, 7);
    }
    for (int j = 0; j < 2; j++) {
        m[j] = __builtin_shufflevector(t[j], t[j + 2], 0, 1, 4, 5);
        m[j + 2] = __builtin_shufflevector(t[j], t[j + 2], 2, 3, 6, 7);
    }
#else
    pcm_lanes t = m[0];
    m[0] = __builtin_shufflevector(t, m[1], 0, 2);
    m[1] = __builtin_shufflevector(t, m[1], 1, 3);
#endif
}

/* Sends the columns of a square that are among the first `used` to their places. */
static inline void store_columns(const pcm_lanes m[PCM_LANES], size_t n, size_t used, pcm_column *columns, size_t i)
{
    for (size_t k = 0; k < PCM_LANES; k++)
        if (n * PCM_LANES + k < used)
            *(pcm_lanes *)&columns[n * PCM_LANES + k][i] = m[k];
}

/* Records of `count` rows, rounded up to whole vectors, into columns. */
static inline void gather_records(const pcm_record *record, size_t count, pcm_column *columns)
{
    for (size_t i = 0; i < count; i += PCM_LANES)
        for (size_t n = 0; n < 8 / PCM_LANES; n++) {
            pcm_lanes m[PCM_LANES];
            for (size_t k = 0; k < PCM_LANES; k++)
                m[k] = part(record + i + k, n);
            transpose(m);
            store_columns(m, n, 7, columns, i);
        }
}

/* The follower's line less the base's. */
static inline void gather_motion(const pcm_record *record, size_t count, const pcm_twist_line *line,
                                 pcm_column *columns)
{
    for (size_t i = 0; i < count; i += PCM_LANES)
        for (size_t n = 0; n < 8 / PCM_LANES; n++) {
            pcm_lanes m[PCM_LANES];
            for (size_t k = 0; k < PCM_LANES; k++)
                m[k] = part(line + (record[i + k].follower & ~PCM_FIXED_SIDE), n) -
                       part(line + (record[i + k].base & ~PCM_FIXED_SIDE), n);
            transpose(m);
            store_columns(m, n, 6, columns, i);
        }
}

/* The base's line. */
static inline void gather_pose(const pcm_record *record, size_t count, const pcm_pose_line *line, pcm_column *columns)
{
    for (size_t i = 0; i < count; i += PCM_LANES)
        for (size_t n = 0; n < 8 / PCM_LANES; n++) {
            pcm_lanes m[PCM_LANES];
            for (size_t k = 0; k < PCM_LANES; k++)
                m[k] = part(line + (record[i + k].base & ~PCM_FIXED_SIDE), n);
            transpose(m);
            store_columns(m, n, 7, columns, i);
        }
}

/* What the contacts with one fixed object sum to, before it goes into the object's line. Most contacts with the ground
 * follow one another: their sum stays in registers, and does not wait for the line to come back from memory. */
typedef struct run_sum {
    uint32_t  object; /* with PCM_FIXED_SIDE; 0: none yet */
    pcm_lanes sum[8 / PCM_LANES];
} run_sum;

/* Adds to an object's line, or sets aside what is to be added later. */
static inline void add_object(uint32_t side, const pcm_lanes value[8 / PCM_LANES], pcm_wrench_line *wrench,
                              pcm_deferral *deferral)
{
    uint32_t         object = side & ~PCM_FIXED_SIDE;
    pcm_wrench_line *line = wrench + object;
    if (deferral && pcm_is_shared(deferral->shared, side)) {
        line = &deferral->line[deferral->count++];
        for (size_t n = 0; n < 8 / PCM_LANES; n++)
            set_part(line, n, value[n]);
        line->object = object;
        return;
    }
    for (size_t n = 0; n < 8 / PCM_LANES; n++)
        set_part(line, n, part(line, n) + value[n]);
}

static inline void flush_run(const run_sum *run, pcm_wrench_line *wrench, pcm_deferral *deferral)
{
    if (run->object)
        add_object(run->object, run->sum, wrench, deferral);
}

static inline void add_side(uint32_t side, const pcm_lanes value[8 / PCM_LANES], run_sum *run, pcm_wrench_line *wrench,
                            pcm_deferral *deferral)
{
    if (!(side & PCM_FIXED_SIDE)) {
        add_object(side, value, wrench, deferral);
        return;
    }
    if (run->object != side) {
        flush_run(run, wrench, deferral);
        *run = (run_sum){.object = side};
    }
    for (size_t n = 0; n < 8 / PCM_LANES; n++)
        run->sum[n] += value[n];
}

/* Adds a lane's wrench to its follower and takes it from its base. */
static inline void add_lane(const pcm_record *record, pcm_lanes m[8 / PCM_LANES][PCM_LANES], size_t k, run_sum runs[2],
                            pcm_wrench_line *wrench, pcm_deferral *deferral)
{
    pcm_lanes follower[8 / PCM_LANES], base[8 / PCM_LANES];
    for (size_t n = 0; n < 8 / PCM_LANES; n++) {
        follower[n] = m[n][k];
        base[n] = -m[n][k];
    }
    add_side(record[k].follower, follower, &runs[0], wrench, deferral);
    add_side(record[k].base, base, &runs[1], wrench, deferral);
}

/* Every lane's wrench to its objects, in the order of rows. */
static inline void scatter_wrenches(const pcm_record *record, size_t count, pcm_column *columns,
                                    pcm_wrench_line *wrench, pcm_deferral *deferral)
{
    run_sum runs[2] = {{0}, {0}};
    for (size_t i = 0; i < count; i += PCM_LANES) {
        pcm_lanes m[8 / PCM_LANES][PCM_LANES];
        for (size_t n = 0; n < 8 / PCM_LANES; n++) {
            for (size_t k = 0; k < PCM_LANES; k++)
                m[n][k] = *(pcm_lanes *)&columns[n * PCM_LANES + k][i];
            transpose(m[n]);
        }
        if (count - i >= PCM_LANES)
#pragma GCC unroll 8
            for (size_t k = 0; k < PCM_LANES; k++)
                add_lane(record + i, m, k, runs, wrench, deferral);
        else
            for (size_t k = 0; k < count - i; k++)
                add_lane(record + i, m, k, runs, wrench, deferral);
    }
    flush_run(&runs[0], wrench, deferral);
    flush_run(&runs[1], wrench, deferral);
}

#endif
