/* SPDX-License-Identifier: MIT */
/* exchange.c - moves data from atoms to a block and back; compiled once per instruction set, named by PCM_LAMMPS_SET.
 * Vectors have at most four lanes (AVX2), since rows of atoms are handled four at a time. */
#include "lanes.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* Rows of a table are transposed into columns several at a time, x and y in one load. For four rows all addresses fit
 * the registers. */
typedef double two __attribute__((vector_size(16)));
#if defined(__AVX2__)
enum { LANES = 4 };
typedef double lanes __attribute__((vector_size(32)));
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define ODD(a, b)  __builtin_shufflevector(a, b, 1, 5, 3, 7)
#else
enum { LANES = 2 };
typedef two lanes;
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2)
#define ODD(a, b)  __builtin_shufflevector(a, b, 1, 3)
#endif

/* Two adjacent numbers from every other row, as one vector. Uses intrinsics, since compilers do not merge such
 * loads. */
INLINE lanes join(const double *const row[LANES])
{
#if defined(__AVX2__)
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(row[0])), _mm_loadu_pd(row[2]), 1);
#else
    lanes all;
    memcpy(&all, row[0], sizeof all);
    return all;
#endif
}

/* One number from each row. */
INLINE lanes pick(const double *table, const ptrdiff_t row[LANES])
{
#if defined(__AVX2__)
    return (lanes){table[row[0]], table[row[1]], table[row[2]], table[row[3]]};
#else
    return (lanes){table[row[0]], table[row[1]]};
#endif
}

/* Loads rows of a table of vectors: x and y of the even rows, x and y of the odd rows, then y and z likewise. */
INLINE void load_rows(const double *table, const ptrdiff_t at[LANES], lanes v[4])
{
    const double *xy[LANES + 1], *yz[LANES + 1];
#pragma GCC unroll 4
    for (size_t l = 0; l < LANES; l++) {
        xy[l] = table + at[l];
        yz[l] = xy[l] + 1;
    }
    v[0] = join(xy);
    v[1] = join(xy + 1);
    v[2] = join(yz);
    v[3] = join(yz + 1);
}

INLINE void store_lanes(pcm_lammps_column to[3], size_t i, const lanes v[4])
{
    const lanes x = EVEN(v[0], v[1]), y = ODD(v[0], v[1]), z = ODD(v[2], v[3]);
    memcpy(to[0] + i, &x, sizeof x);
    memcpy(to[1] + i, &y, sizeof y);
    memcpy(to[2] + i, &z, sizeof z);
}

/* Stores followers' values minus bases' values. */
INLINE void store_differences(const double *table, const ptrdiff_t base[LANES], const ptrdiff_t follower[LANES],
                              pcm_lammps_column to[3], size_t i)
{
    lanes a[4], b[4];
    load_rows(table, base, a);
    load_rows(table, follower, b);
    store_lanes(to, i, (const lanes[4]){b[0] - a[0], b[1] - a[1], b[2] - a[2], b[3] - a[3]});
}

INLINE void store_vectors(const double *table, const ptrdiff_t at[LANES], pcm_lammps_column to[3], size_t i)
{
    lanes v[4];
    load_rows(table, at, v);
    store_lanes(to, i, v);
}

INLINE void pick_numbers(const double *table, const ptrdiff_t row[LANES], double to[LANES])
{
    const lanes v = pick(table, row);
    memcpy(to, &v, sizeof v);
}

/* Loads some lanes from the atoms and computes their geometry. The processor divides for some lanes while it loads
 * others. */
INLINE void gather_lanes(shares plan, const pcm_lammps_atoms *atoms, const pcm_lammps_pairing *pairing,
                         pcm_lammps_block *b, bool reduced, size_t i)
{
    ptrdiff_t base[LANES], follower[LANES];
    double    r1[LANES], r2[LANES], m1[LANES] = {0}, m2[LANES] = {0};
#pragma GCC unroll 4
    for (size_t l = 0; l < LANES; l++) {
        base[l] = pairing[i + l].base;
        follower[l] = pairing[i + l].follower;
    }
    pick_numbers(atoms->radius, base, r1);
    pick_numbers(atoms->radius, follower, r2);
    if (reduced) {
        pick_numbers(atoms->mass, base, m1);
        pick_numbers(atoms->mass, follower, m2);
    }
#pragma GCC unroll 4
    for (size_t l = 0; l < LANES; l++) {
        base[l] *= 3;
        follower[l] *= 3;
    }
    store_differences(atoms->x, base, follower, b->away, i);
    store_differences(atoms->v, base, follower, b->velocity, i);
    store_vectors(atoms->omega, base, b->base_omega, i);
    store_vectors(atoms->omega, follower, b->follower_omega, i);
#pragma omp simd
    for (size_t l = 0; l < LANES; l++)
        place(plan, b, reduced, (sides){r1[l], r2[l], m1[l], m2[l]}, i + l);
}

/* Prefetches the data of the next block that corresponds to these lanes; prefetching the whole block at once would
 * stall. Of the two atoms, the one that is later in memory is less likely to be in the cache. */
INLINE void fetch_ahead(const pcm_lammps_plan *plan, const pcm_lammps_atoms *atoms, bool reduced, size_t i)
{
    enum { LINE = 64 }; /* bytes of a cache line */
    const char *memory = (const char *)(plan->memory + i * plan->width), *pairing = (const char *)(plan->pairing + i);
    for (size_t k = 0; k < plan->width * LANES * sizeof *plan->memory; k += LINE)
        __builtin_prefetch(memory + k, 1);
    __builtin_prefetch(pairing, 1);
    for (size_t l = 0; l < LANES; l++) {
        const int32_t   base = plan->pairing[i + l].base, follower = plan->pairing[i + l].follower;
        const ptrdiff_t atom = base > follower ? base : follower, other = 3 * atom;
        __builtin_prefetch(atoms->radius + atom);
        if (reduced)
            __builtin_prefetch(atoms->mass + atom);
        __builtin_prefetch(atoms->x + other);
        __builtin_prefetch(atoms->v + other);
        __builtin_prefetch(atoms->omega + other);
        __builtin_prefetch(atoms->force + other, 1);
        __builtin_prefetch(atoms->torque + other, 1);
    }
}

INLINE void gather_all(const pcm_lammps_plan *ahead, shares plan, const pcm_lammps_atoms *from,
                       const pcm_lammps_pairing *pairing, pcm_lammps_block *b, bool reduced, size_t count)
{
    const pcm_lammps_atoms atoms = *from;
    for (size_t i = 0; i < count; i += LANES) {
        fetch_ahead(ahead, &atoms, reduced, i);
        gather_lanes(plan, &atoms, pairing, b, reduced, i);
    }
}

static void gather(const pcm_lammps_plan *plan, const pcm_lammps_atoms *from, const pcm_lammps_pairing *pairing,
                   pcm_lammps_block *block, size_t count)
{
    const shares all = share_out(plan, block);
    if (plan->law->model->inputs & (PCM_RADIUS | PCM_MASS | PCM_CURVATURE))
        gather_all(plan, all, from, pairing, block, true, count);
    else
        gather_all(plan, all, from, pairing, block, false, count);
}

/* A vector for several lanes, with x and y interleaved: the even lanes, then the odd ones. */
typedef struct paired {
    lanes         xy[2];
    const double *z;
} paired;

INLINE paired pair_up(const double *x, const double *y, const double *z)
{
    lanes all_x, all_y;
    memcpy(&all_x, x, sizeof all_x);
    memcpy(&all_y, y, sizeof all_y);
    return (paired){{EVEN(all_x, all_y), ODD(all_x, all_y)}, z};
}

/* Adds lane l to a row, or subtracts it. */
INLINE void add_to(double *to, const paired *v, size_t l, bool off)
{
    two xy, more;
    memcpy(&xy, to, sizeof xy);
    memcpy(&more, (const double *)&v->xy[l % 2] + l / 2 * 2, sizeof more);
    xy = off ? xy - more : xy + more;
    memcpy(to, &xy, sizeof xy);
    to[2] = off ? to[2] - v->z[l] : to[2] + v->z[l];
}

/* Where forces are added. own: all sides are atoms of the rank; otherwise sides that are not are left out. */
typedef struct target {
    double *force, *torque;
    int     n_local;
    bool    own;
} target;

/* Adds the forces and torques of n lanes to the atoms. */
INLINE void add_lanes(target to, const pcm_lammps_pairing *pairing, paired force, paired on_base, paired on, size_t n)
{
#pragma GCC unroll 4
    for (size_t l = 0; l < n; l++) {
        const ptrdiff_t base = pairing[l].base, follower = pairing[l].follower;
        if (to.own || base < to.n_local) {
            add_to(to.force + 3 * base, &force, l, true);
            add_to(to.torque + 3 * base, &on_base, l, false);
        }
        if (to.own || follower < to.n_local) {
            add_to(to.force + 3 * follower, &force, l, false);
            add_to(to.torque + 3 * follower, &on, l, false);
        }
    }
}

static void scatter(const pcm_lammps_atoms *to, const pcm_lammps_pairing *pairing, pcm_lammps_block *b, size_t count)
{
    const target atoms = {to->force, to->torque, to->n_local, false};
    for (size_t i = 0; i < count; i += LANES) {
        const paired force = pair_up(b->force[0] + i, b->force[1] + i, b->force[2] + i);
        const paired on_base = pair_up(b->base_torque[0] + i, b->base_torque[1] + i, b->base_torque[2] + i);
        const paired on = pair_up(b->follower_torque[0] + i, b->follower_torque[1] + i, b->follower_torque[2] + i);
        add_lanes(atoms, pairing + i, force, on_base, on, count - i < LANES ? count - i : LANES);
    }
}

/* Computes the results of n lanes from i on and adds them to the atoms at once: the processor computes some while it
 * waits for the memory of others. Adds the value of check to `zero`. */
INLINE void spread_lanes(target to, const pcm_lammps_pairing *pairing, pcm_lammps_block *b, columns axis, bool moments,
                         size_t i, size_t n, double zero[LANES])
{
    double force[3][LANES], on_base[3][LANES], on[3][LANES];
#pragma omp simd
    for (size_t l = 0; l < LANES; l++) {
        const wrench w = push(b, axis, moments, i + l);
        force[0][l] = w.force.x, force[1][l] = w.force.y, force[2][l] = w.force.z;
        on_base[0][l] = w.on_base.x, on_base[1][l] = w.on_base.y, on_base[2][l] = w.on_base.z;
        on[0][l] = w.on_follower.x, on[1][l] = w.on_follower.y, on[2][l] = w.on_follower.z;
        zero[l] += l < n ? check(w) : 0;
    }
    add_lanes(to, pairing + i, pair_up(force[0], force[1], force[2]), pair_up(on_base[0], on_base[1], on_base[2]),
              pair_up(on[0], on[1], on[2]), n);
}

INLINE double spread_all(target to, const pcm_lammps_pairing *pairing, pcm_lammps_block *b, bool moments, size_t count)
{
    const columns axis = columns_of(b->x_axis);
    const size_t  whole = count - count % LANES;
    double        zero[LANES] = {0}, all = 0;
    for (size_t i = 0; i < whole; i += LANES)
        spread_lanes(to, pairing, b, axis, moments, i, LANES, zero);
    if (whole < count)
        spread_lanes(to, pairing, b, axis, moments, whole, count - whole, zero);
    for (size_t l = 0; l < LANES; l++)
        all += zero[l];
    return all;
}

static double spread(const pcm_lammps_plan *plan, const pcm_lammps_atoms *to, const pcm_lammps_pairing *pairing,
                     pcm_lammps_block *b, bool own, size_t count)
{
    const target all = {to->force, to->torque, to->n_local, true}, some = {to->force, to->torque, to->n_local, false};
    if (plan->law->model->outputs & PCM_MOMENT)
        return spread_all(some, pairing, b, true, count);
    return own ? spread_all(all, pairing, b, false, count) : spread_all(some, pairing, b, false, count);
}

const pcm_lammps_exchange PCM_LAMMPS_SET = {gather, scatter, spread};
