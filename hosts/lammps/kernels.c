/* SPDX-License-Identifier: MIT */
/* kernels.c - the loops over the contacts of a block, compiled once per instruction set: PCM_LAMMPS_SET is its name.
 * Lane i depends on lane i alone, in the same operations for every set, so that all give the same bits. */
#include "step.h"

#include <math.h>
#include <string.h>

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
 * lane, so one division serves all reciprocals. Of a frame that turns, `was` is along the old normal, of that length;
 * returns 1 / (length + was.n), with n the normal. */
static inline double place(shares plan, pcm_lammps_block *b, bool turns, vec was, double length, size_t i)
{
    const vec    away = load(b->away, i);
    const double distance = sqrt(dot(away, away)), r1 = b->base_radius[i], r2 = b->follower_radius[i];
    const double m1 = b->base_mass[i], m2 = b->follower_mass[i], depth = r1 + r2 - distance;
    const double r = r1 + r2, m = m1 + m2, some = m > 0 ? m : 1, pair = r * some;
    const double turn = turns ? length * distance + dot(was, away) : 1;
    const double share = 1 / (distance * pair * turn), per_pair = share * distance * turn;
    const double both_r = r1 * r2, both_m = m1 * m2;
    const double radius = both_r * (per_pair * some), mass = both_m * (per_pair * r);
    store(b->normal, i, scaled(share * pair * turn, away));
    b->depth[i] = depth;
    b->base_arm[i] = r1 - plan.base_arm * depth;
    b->follower_arm[i] = r2 - plan.follower_arm * depth;
    b->radius[i] = both_r == 0 ? r : radius; /* 0 is flat, and immovable */
    b->mass[i] = both_m == 0 ? m : mass;
    return share * pair * distance * distance;
}

static inline void place_alone(shares plan, pcm_lammps_block *b, size_t i)
{
    (void)place(plan, b, false, (vec){0, 0, 0}, 0, i);
}

/* Where the follower was before the step, between atoms that have moved by their velocities. */
static inline vec recall(double dt, pcm_lammps_block *b, size_t i)
{
    return sum(load(b->away, i), scaled(-dt, load(b->velocity, i)));
}

/* 1 / sqrt(1 + e) to rounding where |e| is below NEARLY, without a root and a division. */
#define NEARLY 1e-4
static inline double inverse_root(double e) { return 1 + e * (-1.0 / 2 + e * (3.0 / 8 + e * (-5.0 / 16))); }

/* Carries the contact frame as everywhere in PCM: it turns about the normal with the base, or with both by halves, and
 * by the smallest turn that brings the old normal w onto the new one n: x - (x.n) (w + n) / (1 + w.n), of which the
 * part along n goes at last. `was` is along w, and per_turn 1 / (its length + was.n). */
static inline void carry(shares plan, pcm_lammps_block *b, vec was, double per_turn, size_t i)
{
    const vec    n = load(b->normal, i), x = load(b->x_axis, i);
    const double twist =
        plan.base_turn * dot(load(b->base_omega, i), n) + plan.follower_turn * dot(load(b->follower_omega, i), n);
    const vec    turned = sum(x, scaled(-dot(x, n) * per_turn, was));
    const vec    now = flattened(sum(turned, scaled(twist, cross(n, turned))), n);
    const double excess = dot(now, now) - 1;
    store(b->x_axis, i, scaled(inverse_root(excess), now));
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
    for (size_t i = 0; i < count; i++) {
        const vec was = recall(all.dt, b, i);
        b->per_turn[i] = place(all, b, true, was, sqrt(dot(was, was)), i);
    }
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        carry(all, b, recall(all.dt, b, i), b->per_turn[i], i);
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
        const vec was = load(b->was, i);
        carry(all, b, was, place(all, b, true, was, 1, i), i);
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

/* What a contact's force and moment are in the simulation's axes, and the torques on both about their centres. */
static inline void push(pcm_lammps_block *b, bool moments, size_t i)
{
    const vec n = load(b->normal, i), x = load(b->x_axis, i), y = cross(n, x);
    const vec tangent = sum(scaled(b->force_x[i], x), scaled(b->force_y[i], y));
    const vec lever = cross(n, tangent);
    store(b->force, i, sum(tangent, scaled(b->force_n[i], n)));
    store(b->base_torque, i, scaled(-b->base_arm[i], lever));
    store(b->follower_torque, i, scaled(-b->follower_arm[i], lever));
    if (!moments)
        return;
    const vec turning = sum(scaled(b->moment_x[i], x), scaled(b->moment_y[i], y));
    const vec moment = sum(turning, scaled(b->moment_n[i], n));
    store(b->moment, i, moment);
    store(b->base_torque, i, sum(load(b->base_torque, i), scaled(-1, moment)));
    store(b->follower_torque, i, sum(load(b->follower_torque, i), moment));
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

/* 0, or NaN where some force, torque or state is not finite. */
static double check(const pcm_lammps_plan *plan, const pcm_lammps_block *b, double *const *next, size_t count)
{
    double zero = 0;
#pragma omp simd reduction(+ : zero)
    for (size_t i = 0; i < count; i++)
        zero += 0 * (b->force_n[i] + b->force_x[i] + b->force_y[i]) +
                0 * (b->follower_torque[0][i] + b->follower_torque[1][i] + b->follower_torque[2][i]);
    for (uint32_t k = 0; k < plan->law->n_state; k++) {
        const double *column = next[k];
#pragma omp simd reduction(+ : zero)
        for (size_t i = 0; i < count; i++)
            zero += 0 * column[i];
    }
    return zero;
}

static double results(const pcm_lammps_plan *plan, pcm_lammps_block *b, double *const *next, size_t count)
{
    if (plan->law->model->outputs & PCM_MOMENT) {
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            push(b, true, i);
    } else {
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            push(b, false, i);
    }
    if (plan->law->model->flags & PCM_BASE_AXES && plan->pose)
        push_in_axes(plan->pose, b, count);
    return check(plan, b, next, count);
}

/* ---- To and from atoms and pairings ---------------------------------------------------------------------------- */

typedef double two __attribute__((vector_size(16)));
typedef double quad __attribute__((vector_size(32)));

enum { ROWS = PCM_LAMMPS_ROWS };

/* Rows of a table of vectors, side by side: x, y and z of four. */
static inline __attribute__((always_inline)) void load_rows(const double *table, const int32_t row[ROWS], quad v[3])
{
    const double *p[ROWS] = {table + 3 * (ptrdiff_t)row[0], table + 3 * (ptrdiff_t)row[1],
                             table + 3 * (ptrdiff_t)row[2], table + 3 * (ptrdiff_t)row[3]};
    two           xy[ROWS];
    memcpy(&xy[0], p[0], sizeof *xy);
    memcpy(&xy[1], p[1], sizeof *xy);
    memcpy(&xy[2], p[2], sizeof *xy);
    memcpy(&xy[3], p[3], sizeof *xy);
    const quad even = __builtin_shufflevector(xy[0], xy[2], 0, 1, 2, 3);
    const quad odd = __builtin_shufflevector(xy[1], xy[3], 0, 1, 2, 3);
    v[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    v[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    v[2] = (quad){p[0][2], p[1][2], p[2][2], p[3][2]};
}

static inline __attribute__((always_inline)) void store_lanes(pcm_lammps_column to[3], size_t i, const quad v[3])
{
    memcpy(to[0] + i, &v[0], sizeof *v);
    memcpy(to[1] + i, &v[1], sizeof *v);
    memcpy(to[2] + i, &v[2], sizeof *v);
}

/* What the followers have more than the bases. */
static inline __attribute__((always_inline)) void store_differences(const double *table, const int32_t base[ROWS],
                                                                    const int32_t     follower[ROWS],
                                                                    pcm_lammps_column to[3], size_t i)
{
    quad a[3], b[3];
    load_rows(table, base, a);
    load_rows(table, follower, b);
    store_lanes(to, i, (const quad[3]){b[0] - a[0], b[1] - a[1], b[2] - a[2]});
}

static void gather(const pcm_lammps_atoms *from, const pcm_lammps_pairing *pairing, const uint32_t *rows,
                   pcm_lammps_block *b, size_t count)
{
    const pcm_lammps_atoms atoms = *from;
    for (size_t i = 0; i < count; i += ROWS) {
        int32_t base[ROWS], follower[ROWS];
        quad    omega[3];
#pragma GCC unroll 4
        for (size_t l = 0; l < ROWS; l++) {
            const pcm_lammps_pairing *pair = &pairing[rows[i + l]];
            base[l] = pair->base;
            follower[l] = pair->follower;
            b->base_radius[i + l] = atoms.radius[base[l]];
            b->follower_radius[i + l] = atoms.radius[follower[l]];
            b->base_mass[i + l] = atoms.mass[base[l]];
            b->follower_mass[i + l] = atoms.mass[follower[l]];
        }
        store_differences(atoms.x, base, follower, b->away, i);
        store_differences(atoms.v, base, follower, b->velocity, i);
        load_rows(atoms.omega, base, omega);
        store_lanes(b->base_omega, i, omega);
        load_rows(atoms.omega, follower, omega);
        store_lanes(b->follower_omega, i, omega);
    }
}

static inline __attribute__((always_inline)) void add_to(double *table, int32_t row, double x, double y, double z)
{
    double *to = table + 3 * (ptrdiff_t)row;
    two     xy;
    memcpy(&xy, to, sizeof xy);
    xy += (two){x, y};
    memcpy(to, &xy, sizeof xy);
    to[2] += z;
}

static size_t scatter(const pcm_lammps_atoms *to, const pcm_lammps_pairing *pairing, const uint32_t *rows,
                      pcm_lammps_block *b, size_t count)
{
    const pcm_lammps_atoms atoms = *to;
    size_t                 sides = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t base = pairing[rows[i]].base, follower = pairing[rows[i]].follower;
        const vec     force = load(b->force, i), on_base = load(b->base_torque, i), on = load(b->follower_torque, i);
        if (base < atoms.n_local) { /* else it is another rank's, or a wall */
            add_to(atoms.force, base, -force.x, -force.y, -force.z);
            add_to(atoms.torque, base, on_base.x, on_base.y, on_base.z);
            sides++;
        }
        if (follower < atoms.n_local) {
            add_to(atoms.force, follower, force.x, force.y, force.z);
            add_to(atoms.torque, follower, on.x, on.y, on.z);
            sides++;
        }
    }
    return sides;
}

/* Four quads, transposed. */
static inline __attribute__((always_inline)) void transpose(const quad in[ROWS], quad out[ROWS])
{
    const quad even = __builtin_shufflevector(in[0], in[1], 0, 4, 2, 6);
    const quad odd = __builtin_shufflevector(in[0], in[1], 1, 5, 3, 7);
    const quad even_too = __builtin_shufflevector(in[2], in[3], 0, 4, 2, 6);
    const quad odd_too = __builtin_shufflevector(in[2], in[3], 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(even, even_too, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(odd, odd_too, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(even, even_too, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(odd, odd_too, 2, 3, 6, 7);
}

/* Columns go four at a time, for four rows; those that are left, one by one. */
static inline __attribute__((always_inline)) void recall_row(const double *from[ROWS], double *const *column, size_t n,
                                                             size_t i)
{
    size_t k = 0;
    for (; k + ROWS <= n; k += ROWS) {
        quad in[ROWS], out[ROWS];
#pragma GCC unroll 4
        for (size_t l = 0; l < ROWS; l++)
            memcpy(&in[l], from[l] + k, sizeof in[l]);
        transpose(in, out);
#pragma GCC unroll 4
        for (size_t l = 0; l < ROWS; l++)
            memcpy(column[k + l] + i, &out[l], sizeof out[l]);
    }
    for (; k < n; k++)
        memcpy(column[k] + i, &(quad){from[0][k], from[1][k], from[2][k], from[3][k]}, sizeof(quad));
}

static inline __attribute__((always_inline)) void recall_n(const double *memory, size_t width, const uint32_t *rows,
                                                           double *const *column, size_t n, size_t count)
{
    for (size_t i = 0; i < count; i += ROWS) {
        const double *from[ROWS] = {memory + rows[i] * width, memory + rows[i + 1] * width,
                                    memory + rows[i + 2] * width, memory + rows[i + 3] * width};
        recall_row(from, column, n, i);
    }
}

static inline __attribute__((always_inline)) void keep_row(double *to[ROWS], double *const *column, size_t n, size_t i)
{
    size_t k = 0;
    for (; k + ROWS <= n; k += ROWS) {
        quad in[ROWS], out[ROWS];
#pragma GCC unroll 4
        for (size_t l = 0; l < ROWS; l++)
            memcpy(&in[l], column[k + l] + i, sizeof in[l]);
        transpose(in, out);
#pragma GCC unroll 4
        for (size_t l = 0; l < ROWS; l++)
            memcpy(to[l] + k, &out[l], sizeof out[l]);
    }
    for (; k < n; k++)
        for (size_t l = 0; l < ROWS; l++)
            to[l][k] = column[k][i + l];
}

static inline __attribute__((always_inline)) void keep_n(double *memory, size_t width, const uint32_t *rows,
                                                         double *const *column, size_t n, size_t count)
{
    const size_t whole = count - count % ROWS;
    for (size_t i = 0; i < whole; i += ROWS) {
        double *to[ROWS] = {memory + rows[i] * width, memory + rows[i + 1] * width, memory + rows[i + 2] * width,
                            memory + rows[i + 3] * width};
        keep_row(to, column, n, i);
    }
    for (size_t i = whole; i < count; i++)
        for (size_t k = 0; k < n; k++)
            memory[rows[i] * width + k] = column[k][i];
}

/* A frame and the stretch of a spring along the surface are what most laws remember: their columns stay in registers.
 */
enum { COMMON = 5 };

static void recall_memory(const double *memory, size_t width, const uint32_t *rows, double *const *column, size_t n,
                          size_t count)
{
    double *const common[COMMON] = {column[0], column[1], column[2], column[3], column[4]};
    if (n == COMMON)
        recall_n(memory, width, rows, common, COMMON, count);
    else
        recall_n(memory, width, rows, column, n, count);
}

static void keep_memory(double *memory, size_t width, const uint32_t *rows, double *const *column, size_t n,
                        size_t count)
{
    double *const common[COMMON] = {column[0], column[1], column[2], column[3], column[4]};
    if (n == COMMON)
        keep_n(memory, width, rows, common, COMMON, count);
    else
        keep_n(memory, width, rows, column, n, count);
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

const pcm_lammps_kernels PCM_LAMMPS_SET = {motion, results, gather, scatter, recall_memory, keep_memory, step_states};
