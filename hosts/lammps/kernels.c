/* SPDX-License-Identifier: MIT */
/* kernels.c - the loops over the contacts of a block, compiled once per instruction set: PCM_LAMMPS_SET is its name.
 * Lane i depends on lane i alone, in the same operations for every set, so that all give the same bits. */
#include "step.h"

#include <math.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef struct vec {
    double x, y, z;
} vec;

static inline vec  load(pcm_lammps_column v[3], size_t i) { return (vec){v[0][i], v[1][i], v[2][i]}; }
static inline void store(pcm_lammps_column to[3], size_t i, vec v)
{
    to[0][i] = v.x;
    to[1][i] = v.y;
    to[2][i] = v.z;
}
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec    sum(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec    scaled(double s, vec v) { return (vec){s * v.x, s * v.y, s * v.z}; }
static inline vec    cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec unit(vec v) { return scaled(1 / sqrt(dot(v, v)), v); }

/* v without its part along the unit vector n. */
static inline vec flattened(vec v, vec n) { return sum(v, scaled(-dot(v, n), n)); }

/* What the lanes of a block share. */
typedef struct shares {
    double dt, base_arm, follower_arm; /* s; the parts of the depth by which the arms are shorter than the radii */
    double base_turn, follower_turn;   /* s: what the frame takes of either spin in a step */
} shares;

static shares share_out(const pcm_lammps_plan *plan)
{
    const double base_arm = plan->native ? 0 : plan->law->base_arm;
    const double base_turn = plan->dt * (plan->law->shared ? 0.5 : 1);
    return (shares){plan->dt, base_arm, plan->native ? 0 : 1 - base_arm, base_turn, plan->dt - base_turn};
}

/* Normal, depth, reduced mass and radius, and where the point is. Dividing takes longest of all that is done with a
 * lane, so one division serves all reciprocals.
 * Of a frame that turns, `was` is along the old normal w: x - (x.n) tilt is then x after the smallest turn that brings
 * w onto the new normal n, x - (x.n) (w + n) / (1 + w.n), without its part along n. |was| is was.n + t^2 / (2 was.n)
 * but for t^4, where t is the part of `was` across n, which is short since it is the motion in a step: that spares a
 * root.
 */
static inline void place(shares plan, pcm_lammps_block *b, bool turns, vec was, size_t i)
{
    const vec    away = load(b->away, i);
    const double square = dot(away, away), distance = sqrt(square), r1 = b->base_radius[i], r2 = b->follower_radius[i];
    const double m1 = b->base_mass[i], m2 = b->follower_mass[i], depth = r1 + r2 - distance;
    const double r = r1 + r2, m = m1 + m2, some = m > 0 ? m : 1, pair = r * some;
    const double along = dot(was, away), both = turns ? 3 * along * along + square * dot(was, was) : 1;
    const double share = 1 / (distance * pair * both), per_distance = share * pair * both;
    const double both_r = r1 * r2, both_m = m1 * m2, per_pair = share * distance * both;
    const double radius = both_r * (per_pair * some), mass = both_m * (per_pair * r);
    const vec    n = scaled(per_distance, away);
    store(b->normal, i, n);
    b->depth[i] = depth;
    b->base_arm[i] = r1 - plan.base_arm * depth;
    b->follower_arm[i] = r2 - plan.follower_arm * depth;
    b->radius[i] = both_r == 0 ? r : radius; /* 0 is flat, and immovable */
    b->mass[i] = both_m == 0 ? m : mass;
    if (turns) {
        const double per_turn = share * pair * square * (2 * along);
        store(b->tilt, i, sum(scaled(per_turn, was), scaled(1 - per_turn * along * per_distance, n)));
    }
}

static inline void place_alone(shares plan, pcm_lammps_block *b, size_t i) { place(plan, b, false, (vec){0, 0, 0}, i); }

/* Where the follower was before the step, between atoms that have moved by their velocities. */
static inline vec recall(double dt, pcm_lammps_block *b, size_t i)
{
    return sum(load(b->away, i), scaled(-dt, load(b->velocity, i)));
}

/* 1 / sqrt(1 + e) to rounding where |e| is below NEARLY, without a root and a division. */
#define NEARLY 1e-4
static inline double inverse_root(double e) { return 1 - 0.5 * e + e * e * (3.0 / 8 - 5.0 / 16 * e); }

/* Carries the contact frame as everywhere in PCM: it turns with the normal, and about it with the base, or with both by
 * halves. */
static inline void carry(shares plan, pcm_lammps_block *b, size_t i)
{
    const vec    n = load(b->normal, i), x = {b->old_axis[0][i], b->old_axis[1][i], b->old_axis[2][i]};
    const vec    flat = sum(x, scaled(-dot(x, n), load(b->tilt, i)));
    const double twist =
        plan.base_turn * dot(load(b->base_omega, i), n) + plan.follower_turn * dot(load(b->follower_omega, i), n);
    const double excess = dot(flat, flat) * (1 + twist * twist) - 1;
    store(b->x_axis, i, scaled(inverse_root(excess), sum(flat, scaled(twist, cross(n, flat)))));
    b->excess[i] = excess;
}

/* Carries the frame as LAMMPS does: vectors lose what no longer lies in the tangent plane, and do not turn about the
 * normal. */
static void project(const pcm_lammps_plan *plan, pcm_lammps_block *b, double *const *state, size_t count)
{
    const pcm_model *model = plan->law->model;
    const shares     all = share_out(plan);
    size_t           column = 0;
    if (plan->pose) {
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            place_alone(all, b, i);
    } else {
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            place_alone(all, b, i);
            store(b->was, i, unit(recall(all.dt, b, i)));
        }
    }
    for (size_t s = 0; s < model->states.count; s++) {
        double *along_x = state[column], *along_y = state[column + 1];
        column += pcm_columns_of(pcm_model_state(model, s)->shape);
        if (pcm_model_state(model, s)->shape != PCM_TANGENT)
            continue;
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            const vec n = load(b->normal, i), x = load(b->x_axis, i);
            const vec was = load(b->was, i);
            const vec v = sum(scaled(along_x[i], x), scaled(along_y[i], cross(was, x)));
            const vec now = unit(flattened(x, n));
            along_x[i] = dot(v, now);
            along_y[i] = dot(v, cross(n, now));
        }
    }
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const vec n = load(b->normal, i);
        store(b->x_axis, i, unit(flattened(load(b->x_axis, i), n)));
    }
}

/* For a law without a preferred direction: a tangent that depends on the normal n alone. With s the sign of n.z and
 * a = -1 / (s + n.z) it is (1 + s n.x n.x a, s n.x n.y a, -s n.x). */
static inline void choose(pcm_lammps_block *b, size_t i)
{
    const vec    n = load(b->normal, i);
    const double s = n.z < 0 ? -1 : 1, a = -1 / (s + n.z);
    store(b->x_axis, i, (vec){1 + s * n.x * n.x * a, s * n.x * n.y * a, -s * n.x});
}

static inline void measure(pcm_lammps_block *b, size_t i)
{
    const vec n = load(b->normal, i), x = load(b->x_axis, i), y = cross(n, x);
    const vec turning =
        sum(scaled(b->base_arm[i], load(b->base_omega, i)), scaled(b->follower_arm[i], load(b->follower_omega, i)));
    const vec velocity = sum(load(b->velocity, i), cross(n, turning));
    b->depth_rate[i] = -dot(velocity, n);
    b->slip_x[i] = dot(velocity, x);
    b->slip_y[i] = dot(velocity, y);
}

static void move_chosen(const pcm_lammps_plan *plan, pcm_lammps_block *b, size_t count)
{
    const shares all = share_out(plan);
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        place_alone(all, b, i);
        choose(b, i);
        measure(b, i);
    }
}

/* Frames that turned by far about their normals in one step. */
static void mend(pcm_lammps_block *b, size_t count)
{
    int64_t far = 0;
#pragma omp simd reduction(+ : far)
    for (size_t i = 0; i < count; i++)
        far += b->excess[i] < NEARLY && b->excess[i] > -NEARLY ? 0 : 1;
    for (size_t i = 0; far > 0 && i < count; i++)
        if (!(b->excess[i] < NEARLY && b->excess[i] > -NEARLY)) {
            store(b->x_axis, i, unit(load(b->x_axis, i)));
            measure(b, i);
        }
}

/* In loops of their own, so that the processor has several lanes under way while a root or a division takes its time.
 */
static void move_carried(const pcm_lammps_plan *plan, pcm_lammps_block *b, size_t count)
{
    const shares all = share_out(plan);
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        place(all, b, true, recall(all.dt, b, i), i);
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        carry(all, b, i);
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        measure(b, i);
    mend(b, count);
}

static void move_on_wall(const pcm_lammps_plan *plan, pcm_lammps_block *b, size_t count)
{
    const shares all = share_out(plan);
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        place(all, b, true, load(b->was, i), i);
        carry(all, b, i);
        measure(b, i);
    }
    mend(b, count);
}

static void move_projected(const pcm_lammps_plan *plan, pcm_lammps_block *b, double *const *state, size_t count)
{
    project(plan, b, state, count);
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        measure(b, i);
}

/* A spin in the contact frame. */
static void turn(pcm_lammps_block *b, pcm_lammps_column omega[3], pcm_lammps_column spin[3], size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const vec n = load(b->normal, i), x = load(b->x_axis, i), w = load(omega, i);
        store(spin, i, (vec){dot(w, x), dot(w, cross(n, x)), dot(w, n)});
    }
}

static void measure_spins(pcm_lammps_block *b, size_t count)
{
    turn(b, b->base_omega, b->base_spin, count);
    turn(b, b->follower_omega, b->follower_spin, count);
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        b->spin_x[i] = b->follower_spin[0][i] - b->base_spin[0][i];
        b->spin_y[i] = b->follower_spin[1][i] - b->base_spin[1][i];
        b->spin_n[i] = b->follower_spin[2][i] - b->base_spin[2][i];
    }
}

/* A vector in the wall's axes, and back. */
static inline vec into(const pcm_lammps_pose *w, vec v)
{
    return (vec){w->turn[0][0] * v.x + w->turn[1][0] * v.y + w->turn[2][0] * v.z,
                 w->turn[0][1] * v.x + w->turn[1][1] * v.y + w->turn[2][1] * v.z,
                 w->turn[0][2] * v.x + w->turn[1][2] * v.y + w->turn[2][2] * v.z};
}
static inline vec out_of(const pcm_lammps_pose *w, vec v)
{
    return (vec){w->turn[0][0] * v.x + w->turn[0][1] * v.y + w->turn[0][2] * v.z,
                 w->turn[1][0] * v.x + w->turn[1][1] * v.y + w->turn[1][2] * v.z,
                 w->turn[2][0] * v.x + w->turn[2][1] * v.y + w->turn[2][2] * v.z};
}

/* Where the point is on a wall that is the base, and its velocity. */
static void locate(const pcm_lammps_pose *w, pcm_lammps_block *b, size_t count)
{
    const vec at = {w->at[0], w->at[1], w->at[2]}, pivot = {w->pivot[0], w->pivot[1], w->pivot[2]};
    for (size_t i = 0; i < count; i++) {
        const vec n = load(b->normal, i), x = load(b->x_axis, i), y = cross(n, x);
        const vec point = sum(load(b->centre, i), scaled(-b->follower_arm[i], n));
        const vec tangent = sum(scaled(b->slip_x[i], x), scaled(b->slip_y[i], y));
        store(b->position, i, sum(into(w, sum(point, scaled(-1, at))), pivot));
        store(b->base_velocity, i, into(w, sum(tangent, scaled(-b->depth_rate[i], n))));
    }
}

static size_t motion(const pcm_lammps_plan *plan, pcm_lammps_block *block, double *const *state, size_t count)
{
    const double least = -plan->law->separation;
    size_t       apart = 0;
    if (!plan->law->carries)
        move_chosen(plan, block, count);
    else if (plan->native)
        move_projected(plan, block, state, count);
    else if (plan->pose)
        move_on_wall(plan, block, count);
    else
        move_carried(plan, block, count);
    if (plan->law->reads_spin)
        measure_spins(block, count);
    if (plan->law->on_base && plan->pose)
        locate(plan->pose, block, count);
#pragma omp simd reduction(+ : apart)
    for (size_t i = 0; i < count; i++)
        apart += block->depth[i] < least ? 1 : 0;
    return apart;
}

/* What a contact's force and moment are in the simulation's axes, and the torques on both about their centres. Returns
 * 0, or NaN where something is not finite. */
static inline double push(pcm_lammps_block *b, bool moments, size_t i)
{
    const vec n = load(b->normal, i), x = load(b->x_axis, i), y = cross(n, x);
    const vec tangent = sum(scaled(b->force_x[i], x), scaled(b->force_y[i], y));
    const vec force = sum(tangent, scaled(b->force_n[i], n)), lever = cross(n, tangent);
    vec       on_base = scaled(-b->base_arm[i], lever), on_follower = scaled(-b->follower_arm[i], lever);
    if (moments) {
        const vec turning = sum(scaled(b->moment_x[i], x), scaled(b->moment_y[i], y));
        const vec moment = sum(turning, scaled(b->moment_n[i], n));
        store(b->moment, i, moment);
        on_base = sum(on_base, scaled(-1, moment));
        on_follower = sum(on_follower, moment);
    }
    store(b->force, i, force);
    store(b->base_torque, i, on_base);
    store(b->follower_torque, i, on_follower);
    return 0 * (force.x + force.y + force.z + on_follower.x + on_follower.y + on_follower.z);
}

/* The same with a force in the wall's own axes. */
static void push_in_axes(const pcm_lammps_pose *w, pcm_lammps_block *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const vec force = out_of(w, (vec){b->force_x[i], b->force_y[i], b->force_n[i]});
        const vec lever = cross(load(b->normal, i), force), moment = load(b->moment, i);
        store(b->force, i, force);
        store(b->base_torque, i, sum(scaled(-b->base_arm[i], lever), scaled(-1, moment)));
        store(b->follower_torque, i, sum(scaled(-b->follower_arm[i], lever), moment));
    }
}

static double results(const pcm_lammps_plan *plan, pcm_lammps_block *b, double *const *next, size_t count)
{
    double zero = 0;
    if (plan->law->model->outputs & PCM_MOMENT) {
#pragma omp simd reduction(+ : zero)
        for (size_t i = 0; i < count; i++)
            zero += push(b, true, i);
    } else {
#pragma omp simd reduction(+ : zero)
        for (size_t i = 0; i < count; i++)
            zero += push(b, false, i);
    }
    if (plan->law->model->flags & PCM_BASE_AXES && plan->pose)
        push_in_axes(plan->pose, b, count);
    for (uint32_t k = 0; k < plan->law->n_state; k++) {
        const double *column = next[k];
#pragma omp simd reduction(+ : zero)
        for (size_t i = 0; i < count; i++)
            zero += 0 * column[i];
    }
    return zero;
}

/* ---- To and from atoms ----------------------------------------------------------------------------------------- */

/* Rows of a table go to columns together, x and y as one load. Four fit the registers that hold their places. */
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

/* Two numbers each of every other row, side by side; by name, since compilers do not join what they load. */
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

/* A number each of all rows. */
INLINE lanes pick(const double *table, const ptrdiff_t row[LANES])
{
#if defined(__AVX2__)
    return (lanes){table[row[0]], table[row[1]], table[row[2]], table[row[3]]};
#else
    return (lanes){table[row[0]], table[row[1]]};
#endif
}

/* Rows of a table of vectors: x and y of even rows, of odd ones, y and z likewise. */
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

/* What the followers have more than the bases. */
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

INLINE void store_numbers(const double *table, const ptrdiff_t row[LANES], pcm_lammps_column to, size_t i)
{
    const lanes v = pick(table, row);
    memcpy(to + i, &v, sizeof v);
}

static void gather(const pcm_lammps_atoms *from, const pcm_lammps_pairing *pairing, pcm_lammps_block *b, size_t count)
{
    const pcm_lammps_atoms atoms = *from;
    for (size_t i = 0; i < count; i += LANES) {
        ptrdiff_t base[LANES], follower[LANES];
#pragma GCC unroll 4
        for (size_t l = 0; l < LANES; l++) {
            base[l] = pairing[i + l].base;
            follower[l] = pairing[i + l].follower;
        }
        store_numbers(atoms.radius, base, b->base_radius, i);
        store_numbers(atoms.radius, follower, b->follower_radius, i);
        store_numbers(atoms.mass, base, b->base_mass, i);
        store_numbers(atoms.mass, follower, b->follower_mass, i);
#pragma GCC unroll 4
        for (size_t l = 0; l < LANES; l++) {
            base[l] *= 3;
            follower[l] *= 3;
        }
        store_differences(atoms.x, base, follower, b->away, i);
        store_differences(atoms.v, base, follower, b->velocity, i);
        store_vectors(atoms.omega, base, b->base_omega, i);
        store_vectors(atoms.omega, follower, b->follower_omega, i);
    }
}

/* Columns of vectors, of which x and y lie side by side: even lanes, then odd ones. */
typedef struct paired {
    lanes         xy[2];
    const double *z;
} paired;

INLINE paired pair_up(pcm_lammps_column v[3], size_t i)
{
    lanes x, y;
    memcpy(&x, v[0] + i, sizeof x);
    memcpy(&y, v[1] + i, sizeof y);
    return (paired){{EVEN(x, y), ODD(x, y)}, v[2] + i};
}

/* Adds lane l to a row, or takes it off. */
INLINE void add_to(double *to, const paired *v, size_t l, bool off)
{
    two xy, more;
    memcpy(&xy, to, sizeof xy);
    memcpy(&more, (const double *)&v->xy[l % 2] + l / 2 * 2, sizeof more);
    xy = off ? xy - more : xy + more;
    memcpy(to, &xy, sizeof xy);
    to[2] = off ? to[2] - v->z[l] : to[2] + v->z[l];
}

/* Adds up n lanes from i on; `own`: all sides are atoms of the rank, else those are left out that are not. */
INLINE void add_lanes(const pcm_lammps_atoms *atoms, const pcm_lammps_pairing *pairing, pcm_lammps_block *b, size_t i,
                      size_t n, bool own)
{
    const paired force = pair_up(b->force, i), on_base = pair_up(b->base_torque, i),
                 on = pair_up(b->follower_torque, i);
#pragma GCC unroll 4
    for (size_t l = 0; l < n; l++) {
        const ptrdiff_t base = pairing[i + l].base, follower = pairing[i + l].follower;
        if (own || base < atoms->n_local) {
            add_to(atoms->force + 3 * base, &force, l, true);
            add_to(atoms->torque + 3 * base, &on_base, l, false);
        }
        if (own || follower < atoms->n_local) {
            add_to(atoms->force + 3 * follower, &force, l, false);
            add_to(atoms->torque + 3 * follower, &on, l, false);
        }
    }
}

INLINE void add_all(const pcm_lammps_atoms *to, const pcm_lammps_pairing *pairing, pcm_lammps_block *b, size_t count,
                    bool own)
{
    const pcm_lammps_atoms atoms = *to;
    const size_t           whole = count - count % LANES;
    for (size_t i = 0; i < whole; i += LANES)
        add_lanes(&atoms, pairing, b, i, LANES, own);
    add_lanes(&atoms, pairing, b, whole, count - whole, own);
}

static size_t scatter(const pcm_lammps_atoms *to, const pcm_lammps_pairing *pairing, pcm_lammps_block *b, size_t count)
{
    size_t sides = 0;
    for (size_t i = 0; i < count; i++)
        sides += (size_t)(pairing[i].base < to->n_local) + (size_t)(pairing[i].follower < to->n_local);
    if (sides == 2 * count)
        add_all(to, pairing, b, count, true);
    else
        add_all(to, pairing, b, count, false);
    return sides;
}

static void step_states(const pcm_lammps_plan *plan, double *const *state, double *const *rate, double *const *next,
                        size_t count)
{
    for (uint32_t k = 0; k < plan->law->n_state; k++) {
        double       *to = next[k];
        const double *from = state[k], *by = rate[k], dt = plan->dt;
        if (!plan->law->steps[k])
            continue;
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            to[i] = from[i] + dt * by[i];
    }
}

const pcm_lammps_kernels PCM_LAMMPS_SET = {motion, results, gather, scatter, step_states};
