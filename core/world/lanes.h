/* SPDX-License-Identifier: MIT */
/* lanes.h - vectors of one number for several contacts, and their conversion from and to lines of eight numbers for one
 * contact or object. Included by block.c only, which is compiled for several widths. */
#ifndef PCM_WORLD_LANES_H
#define PCM_WORLD_LANES_H

#include "pipeline.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define PCM_LANES 8
#elif defined(__AVX__)
#define PCM_LANES 4
#else
#define PCM_LANES 2
#endif

typedef double  pcm_lanes __attribute__((vector_size(8 * PCM_LANES), may_alias));
typedef int64_t pcm_mask __attribute__((vector_size(8 * PCM_LANES), may_alias)); /* -1 or 0 */

/* The same at any address that suits a double. */
typedef double pcm_loose_lanes __attribute__((vector_size(8 * PCM_LANES), aligned(8), may_alias));

/* ---- Arithmetic ------------------------------------------------------------------------------------------------ */

PCM_INLINE pcm_lanes load(const double *column) { return *(const pcm_loose_lanes *)column; }
PCM_INLINE void      store(double *column, pcm_lanes value) { *(pcm_loose_lanes *)column = value; }
/* Subtracting zero keeps -0; adding it would not. */
PCM_INLINE pcm_lanes broadcast(double value) { return value - (pcm_lanes){0}; }

PCM_INLINE pcm_lanes pick(pcm_mask which, pcm_lanes yes, pcm_lanes no)
{
    return (pcm_lanes)(((pcm_mask)yes & which) | ((pcm_mask)no & ~which));
}

/* The numbers in the lanes of `which`, and 0 in others. */
PCM_INLINE pcm_lanes only(pcm_mask which, pcm_lanes value) { return (pcm_lanes)((pcm_mask)value & which); }

/* The first `count` lanes. */
PCM_INLINE pcm_mask first_lanes(size_t count)
{
    pcm_mask lanes;
    for (size_t k = 0; k < PCM_LANES; k++)
        lanes[k] = k < count ? -1 : 0;
    return lanes;
}

PCM_INLINE pcm_mask is_finite(pcm_lanes value) { return value * 0.0 == 0.0; }

/* True for infinite numbers too. */
PCM_INLINE pcm_mask is_number(pcm_lanes value) { return value == value; }

PCM_INLINE pcm_lanes absolute(pcm_lanes value) { return (pcm_lanes)((pcm_mask)value & INT64_MAX); }

/* 1 with the sign of value. */
PCM_INLINE pcm_lanes sign(pcm_lanes value)
{
    return (pcm_lanes)(((pcm_mask)value & INT64_MIN) | (pcm_mask)broadcast(1));
}

/* Operations that C lacks: a square root per lane, the larger of two per lane (`most` if value is NaN), and whether any
 * lane is set. */
#if defined(__AVX512F__)
PCM_INLINE pcm_lanes square_root(pcm_lanes value) { return (pcm_lanes)_mm512_sqrt_pd((__m512d)value); }
PCM_INLINE pcm_lanes larger(pcm_lanes value, pcm_lanes most)
{
    return (pcm_lanes)_mm512_max_pd((__m512d)value, (__m512d)most);
}
PCM_INLINE bool any(pcm_mask which) { return _mm512_test_epi64_mask((__m512i)which, (__m512i)which) != 0; }
#elif defined(__AVX__)
PCM_INLINE pcm_lanes square_root(pcm_lanes value) { return (pcm_lanes)_mm256_sqrt_pd((__m256d)value); }
PCM_INLINE pcm_lanes larger(pcm_lanes value, pcm_lanes most)
{
    return (pcm_lanes)_mm256_max_pd((__m256d)value, (__m256d)most);
}
PCM_INLINE bool any(pcm_mask which) { return !_mm256_testz_si256((__m256i)which, (__m256i)which); }
#elif defined(__SSE2__)
PCM_INLINE pcm_lanes square_root(pcm_lanes value) { return (pcm_lanes)_mm_sqrt_pd((__m128d)value); }
PCM_INLINE pcm_lanes larger(pcm_lanes value, pcm_lanes most)
{
    return (pcm_lanes)_mm_max_pd((__m128d)value, (__m128d)most);
}
PCM_INLINE bool any(pcm_mask which) { return _mm_movemask_pd((__m128d)which) != 0; }
#else
PCM_INLINE pcm_lanes square_root(pcm_lanes value) { return (pcm_lanes){sqrt(value[0]), sqrt(value[1])}; }
PCM_INLINE pcm_lanes larger(pcm_lanes value, pcm_lanes most) { return pick(value > most, value, most); }
PCM_INLINE bool      any(pcm_mask which) { return (which[0] | which[1]) != 0; }
#endif

/* ---- Vectors and turns ----------------------------------------------------------------------------------------- */

typedef struct vec {
    pcm_lanes x, y, z;
} vec;

PCM_INLINE vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PCM_INLINE pcm_lanes dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PCM_INLINE vec       scaled(pcm_lanes s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
PCM_INLINE vec       sum(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
PCM_INLINE vec       pick_vec(pcm_mask which, vec yes, vec no)
{
    return (vec){pick(which, yes.x, no.x), pick(which, yes.y, no.y), pick(which, yes.z, no.z)};
}
PCM_INLINE vec only_vec(pcm_mask which, vec a) { return (vec){only(which, a.x), only(which, a.y), only(which, a.z)}; }

PCM_INLINE vec load_vec(const pcm_column *column, size_t i)
{
    return (vec){load(&column[0][i]), load(&column[1][i]), load(&column[2][i])};
}
PCM_INLINE void store_vec(pcm_column *column, size_t i, vec v)
{
    store(&column[0][i], v.x);
    store(&column[1][i], v.y);
    store(&column[2][i], v.z);
}

/* Unit quaternions: a scalar and a vector part. */
typedef struct quat {
    pcm_lanes w;
    vec       u;
} quat;

PCM_INLINE quat conjugate(quat q) { return (quat){q.w, {-q.u.x, -q.u.y, -q.u.z}}; }

PCM_INLINE quat quat_product(quat a, quat b)
{
    return (quat){a.w * b.w - dot(a.u, b.u), sum(sum(scaled(a.w, b.u), scaled(b.w, a.u)), cross(a.u, b.u))};
}

PCM_INLINE quat normalised(quat q)
{
    pcm_lanes scale = 1.0 / square_root(q.w * q.w + dot(q.u, q.u));
    return (quat){scale * q.w, scaled(scale, q.u)};
}

PCM_INLINE vec rotate(quat q, vec v)
{
    vec t = scaled(broadcast(2), cross(q.u, v));
    return sum(sum(v, scaled(q.w, t)), cross(q.u, t));
}

/* The rotated axes. */
PCM_INLINE vec x_axis(quat q)
{
    return (vec){1.0 - 2.0 * (q.u.y * q.u.y + q.u.z * q.u.z), 2.0 * (q.u.x * q.u.y + q.w * q.u.z),
                 2.0 * (q.u.x * q.u.z - q.w * q.u.y)};
}
PCM_INLINE vec y_axis(quat q)
{
    return (vec){2.0 * (q.u.x * q.u.y - q.w * q.u.z), 1.0 - 2.0 * (q.u.x * q.u.x + q.u.z * q.u.z),
                 2.0 * (q.u.y * q.u.z + q.w * q.u.x)};
}
PCM_INLINE vec z_axis(quat q)
{
    return (vec){2.0 * (q.u.x * q.u.z + q.w * q.u.y), 2.0 * (q.u.y * q.u.z - q.w * q.u.x),
                 1.0 - 2.0 * (q.u.x * q.u.x + q.u.y * q.u.y)};
}

/* ---- Lines ----------------------------------------------------------------------------------------------------- */

enum { PCM_PARTS = 8 / PCM_LANES }; /* number of vectors in a line */

/* The n-th PCM_LANES numbers of a line. */
PCM_INLINE pcm_lanes part(const void *line, size_t n) { return ((const pcm_lanes *)line)[n]; }

PCM_INLINE void set_part(void *line, size_t n, pcm_lanes value) { ((pcm_lanes *)line)[n] = value; }

/* A square of numbers, rows for columns. */
PCM_INLINE void transpose_square(pcm_lanes m[PCM_LANES])
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

/* Converts between lines and vectors: m[n * PCM_LANES + k] is the n-th part of lane k's line, and m[c] holds number c
 * of every lane. */
PCM_INLINE void transpose(pcm_lanes m[8])
{
    for (size_t n = 0; n < PCM_PARTS; n++)
        transpose_square(m + n * PCM_LANES);
}

/* The last number of a record, which packs its two objects. */
PCM_INLINE bool some_fixed(pcm_lanes objects)
{
    const int64_t fixed = (int64_t)((uint64_t)PCM_FIXED_SIDE << 32 | PCM_FIXED_SIDE);
    return any(((pcm_mask)objects & fixed) != 0);
}

PCM_INLINE void gather_records(const pcm_record *record, pcm_lanes m[8])
{
    for (size_t n = 0; n < PCM_PARTS; n++)
        for (size_t k = 0; k < PCM_LANES; k++)
            m[n * PCM_LANES + k] = part(record + k, n);
    transpose(m);
}

/* The follower's line minus the base's. */
PCM_INLINE void gather_motion(const pcm_record *record, const pcm_twist_line *line, pcm_lanes m[8])
{
    for (size_t n = 0; n < PCM_PARTS; n++)
        for (size_t k = 0; k < PCM_LANES; k++)
            m[n * PCM_LANES + k] =
                part(line + pcm_side_object(record[k].follower), n) - part(line + pcm_side_object(record[k].base), n);
    transpose(m);
}

/* The line of the base, or of the follower. */
PCM_INLINE void gather_pose(const pcm_record *record, const pcm_pose_line *line, bool follower, pcm_lanes m[8])
{
    for (size_t n = 0; n < PCM_PARTS; n++)
        for (size_t k = 0; k < PCM_LANES; k++)
            m[n * PCM_LANES + k] = part(line + pcm_side_object(follower ? record[k].follower : record[k].base), n);
    transpose(m);
}

/* ---- Wrenches to objects --------------------------------------------------------------------------------------- */

/* The sum over a run of contacts with one fixed object, before it is added to the object's line. Runs depend only on
 * the order of rows and the block, not on the width of vectors, so that the bits agree. Contacts with the ground are
 * mostly consecutive: their sum stays in registers instead of going through memory each time. */
typedef struct run_sum {
    uint32_t  object; /* the object, with PCM_FIXED_SIDE; 0: none yet */
    pcm_lanes sum[PCM_PARTS];
} run_sum;

/* Where a block's wrenches go. */
typedef struct scatter {
    pcm_wrench_line *wrench;
    pcm_deferral    *deferral;
    run_sum          follower, base;
} scatter;

/* Adds to an object's line, or defers the addition. */
PCM_INLINE void add_object(const scatter *to, uint32_t side, const pcm_lanes value[PCM_PARTS])
{
    uint32_t         object = pcm_side_object(side);
    pcm_wrench_line *line = to->wrench + object;
    if (to->deferral && pcm_is_shared(to->deferral->shared, side)) {
        line = &to->deferral->line[to->deferral->count++];
        for (size_t n = 0; n < PCM_PARTS; n++)
            set_part(line, n, value[n]);
        line->object = object;
        return;
    }
    for (size_t n = 0; n < PCM_PARTS; n++)
        set_part(line, n, part(line, n) + value[n]);
}

PCM_INLINE void flush_run(const scatter *to, const run_sum *run)
{
    if (run->object)
        add_object(to, run->object, run->sum);
}

PCM_INLINE void add_side(const scatter *to, uint32_t side, const pcm_lanes value[PCM_PARTS], run_sum *run)
{
    if (!(side & PCM_FIXED_SIDE)) {
        add_object(to, side, value);
        return;
    }
    if (run->object != side) {
        flush_run(to, run);
        *run = (run_sum){.object = side};
    }
    for (size_t n = 0; n < PCM_PARTS; n++)
        run->sum[n] += value[n];
}

/* Adds a wrench to its contact's follower and subtracts it from the base. */
PCM_INLINE void add_wrench(scatter *to, const pcm_record *record, const pcm_wrench_line *line)
{
    pcm_lanes follower[PCM_PARTS], base[PCM_PARTS];
    for (size_t n = 0; n < PCM_PARTS; n++) {
        follower[n] = part(line, n);
        base[n] = -follower[n];
    }
    add_side(to, record->follower, follower, &to->follower);
    add_side(to, record->base, base, &to->base);
}

/* Adds the wrenches of the first `count` lanes to their objects, in the order of rows. Usually the vector is full, all
 * objects are free and nothing is deferred: the lines then go from registers to objects. */
PCM_INLINE void add_wrenches(scatter *to, const pcm_record *record, size_t count, bool fixed, vec force, vec torque)
{
    pcm_lanes m[8] = {force.x, force.y, force.z, torque.x, torque.y, torque.z, {0}, {0}};
    transpose(m);
    if (count >= PCM_LANES && !fixed && !to->deferral) {
#pragma GCC unroll 8 /* otherwise m would be kept in memory */
        for (size_t k = 0; k < PCM_LANES; k++) {
            pcm_wrench_line *follower = to->wrench + record[k].follower, *base = to->wrench + record[k].base;
            for (size_t n = 0; n < PCM_PARTS; n++)
                set_part(follower, n, part(follower, n) + m[n * PCM_LANES + k]);
            for (size_t n = 0; n < PCM_PARTS; n++)
                set_part(base, n, part(base, n) - m[n * PCM_LANES + k]);
        }
        return;
    }
    pcm_wrench_line line[PCM_LANES];
#pragma GCC unroll 8 /* otherwise m would be kept in memory */
    for (size_t k = 0; k < PCM_LANES; k++)
        for (size_t n = 0; n < PCM_PARTS; n++)
            set_part(line + k, n, m[n * PCM_LANES + k]);
    for (size_t k = 0; k < count && k < PCM_LANES; k++)
        add_wrench(to, record + k, line + k);
}

#endif
