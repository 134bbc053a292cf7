/* SPDX-License-Identifier: MIT */
/* kernels.c - the loops over the contacts of a block, compiled once per instruction set, named by PCM_LAMMPS_SET. Lane
 * i depends on lane i alone, by the same operations for every set, so all sets give the same bits. */
#include "lanes.h"

#include <math.h>

static void place_all(const pcm_lammps_plan *plan, pcm_lammps_block *b, size_t count)
{
    const shares all = share_out(plan, b);
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        place(all, b, true, (sides){b->base_radius[i], b->follower_radius[i], b->base_mass[i], b->follower_mass[i]}, i);
}

/* The follower's position relative to the base before the step, between atoms that have moved by their velocities. */
static inline vec recall(double dt, pcm_lammps_block *b, size_t i)
{
    return sum(load(b->away, i), scaled(-dt, load(b->velocity, i)));
}

/* 1 / sqrt(1 + e) within rounding if |e| is below NEARLY, without a root and a division. */
#define NEARLY 1e-4
static inline double inverse_root(double e) { return 1 - 0.5 * e + e * e * (3.0 / 8 - 5.0 / 16 * e); }

/* Computes the motion in the contact frame; v is the velocity of the centres, `approach` its component along the
 * normal. Returns the y axis. */
INLINE vec measure(pcm_lammps_block *b, vec n, vec x, vec v, double approach, size_t i)
{
    const vec y = cross(n, x), turning = sum(scaled(b->base_arm[i], load(b->base_omega, i)),
                                             scaled(b->follower_arm[i], load(b->follower_omega, i)));
    const vec velocity = sum(v, cross(n, turning));
    store(b->y_axis, i, y);
    b->depth_rate[i] = -approach;
    b->slip_x[i] = dot(velocity, x);
    b->slip_y[i] = dot(velocity, y);
    return y;
}

/* Turns the frame's x axis, which has already followed the normal, about the normal with the base, or with the mean of
 * both sides; then computes the motion. */
INLINE void twist(shares plan, pcm_lammps_block *b, bool shared, vec n, vec x, vec v, double approach, size_t i)
{
    const vec    base = load(b->base_omega, i), follower = load(b->follower_omega, i);
    const double angle = plan.base_turn * dot(shared ? sum(base, follower) : base, n);
    const vec    turned = sum(x, scaled(angle, cross(n, x)));
    const double excess = dot(turned, turned) - 1;
    const vec    now = scaled(inverse_root(excess), turned);
    b->excess[i] = excess;
    store_at(plan.x_axis, i, now);
    measure(b, n, now, v, approach, i);
}

/* Carries the contact frame as everywhere in PCM, between atoms that have moved by their velocities. The smallest turn
 * that brings the old normal w onto the new one n maps x to x - (x.n) (w + n) / (1 + w.n). Without its component along
 * n that is x + (x.n) tan(a/2) e, where a is the angle and e the direction in which n has moved. tan(a/2) is
 * approximated by sin(a)/2, half the step along e divided by the old distance; the error of x is of order a^4. */
INLINE void carry(shares plan, pcm_lammps_block *b, bool shared, size_t i)
{
    const vec    n = load(b->normal, i), v = load(b->velocity, i), x = load_at(plan.old_axis, i);
    const double along = dot(x, n), approach = dot(v, n), step = plan.dt * b->per_distance[i];
    const double part = 0.5 * along * step * (1 + step * approach);
    const vec    flat = sum(sum(x, scaled(part, v)), scaled(-(along + part * approach), n));
    twist(plan, b, shared, n, flat, v, approach, i);
}

/* The same at a wall, where the old normal is stored. */
INLINE void carry_on_wall(shares plan, pcm_lammps_block *b, bool shared, size_t i)
{
    const vec    n = load(b->normal, i), v = load(b->velocity, i), x = load_at(plan.old_axis, i);
    const vec    was = load(b->was, i);
    const double part = dot(x, n) / (1 + dot(was, n));
    twist(plan, b, shared, n, sum(x, scaled(-part, sum(was, n))), v, dot(v, n), i);
}

/* What the components x and y of a vector v in the new tangent plane are multiplied with: so that it keeps its length,
 * or 1. */
static inline double kept(bool keeps, vec v, double x, double y)
{
    const double flat = x * x + y * y;
    return keeps && flat > 0 ? sqrt(dot(v, v) / flat) : 1;
}

/* Carries the frame as LAMMPS does: vectors lose their component out of the tangent plane, and do not turn about the
 * normal. */
static void project(const pcm_lammps_plan *plan, pcm_lammps_block *b, double *const *state, size_t count)
{
    const columns    axis = columns_of(b->x_axis);
    const pcm_model *model = plan->law->model;
    const bool       keeps = plan->granular;
    size_t           column = 0;
    for (size_t i = 0; !plan->pose && i < count; i++)
        store(b->was, i, unit(recall(plan->dt, b, i)));
    for (size_t s = 0; s < model->states.count; s++) {
        double *along_x = state[column], *along_y = state[column + 1];
        column += pcm_columns_of(pcm_model_state(model, s)->shape);
        if (pcm_model_state(model, s)->shape != PCM_TANGENT)
            continue;
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            const vec    n = load(b->normal, i), x = load_at(axis, i);
            const vec    was = load(b->was, i);
            const vec    v = sum(scaled(along_x[i], x), scaled(along_y[i], cross(was, x)));
            const vec    now = unit(flattened(x, n));
            const double to_x = dot(v, now), to_y = dot(v, cross(n, now)), by = kept(keeps, v, to_x, to_y);
            along_x[i] = by * to_x;
            along_y[i] = by * to_y;
        }
    }
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const vec n = load(b->normal, i), v = load(b->velocity, i), x = unit(flattened(load_at(axis, i), n));
        store_at(axis, i, x);
        measure(b, n, x, v, dot(v, n), i);
    }
}

/* A contact frame. */
typedef struct frame {
    vec n, x, y;
} frame;

/* For a law without a preferred direction: a tangent that depends on the normal n alone. With s the sign of n.z and
 * a = -1 / (s + n.z) it is (1 + s n.x n.x a, s n.x n.y a, -s n.x). */
static inline frame choose(pcm_lammps_block *b, columns axis, size_t i)
{
    const vec    n = load(b->normal, i), v = load(b->velocity, i);
    const double s = n.z < 0 ? -1 : 1, a = -1 / (s + n.z);
    const vec    x = {1 + s * n.x * n.x * a, s * n.x * n.y * a, -s * n.x};
    store_at(axis, i, x);
    return (frame){n, x, measure(b, n, x, v, dot(v, n), i)};
}

static void move_chosen(pcm_lammps_block *b, size_t count)
{
    const columns axis = columns_of(b->x_axis);
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        (void)choose(b, axis, i);
}

/* How stored vectors turn with the contact in a step: by the smallest turn that brings the old normal onto the new one,
 * and then about it with the base, or with the mean of both sides. See carry. */
typedef struct turning {
    double angle, tilt;
} turning;

INLINE turning find_turn(shares plan, pcm_lammps_block *b, vec n, bool shared, bool on_wall, size_t i)
{
    const vec    base = load(b->base_omega, i), follower = load(b->follower_omega, i);
    const double step = plan.dt * b->per_distance[i], approach = -b->depth_rate[i];
    b->turn[i] = plan.base_turn * dot(shared ? sum(base, follower) : base, n);
    b->tilt[i] = on_wall ? -1 / (1 + dot(load(b->was, i), n)) : 0.5 * step * (1 + step * approach);
    return (turning){b->turn[i], b->tilt[i]};
}

/* A stored vector. */
typedef struct turned {
    columns from, lean; /* the vector after the last step; the direction in which its normal component moves */
    double *x, *y;      /* out: components along the axes of this step */
} turned;

/* Returns 1 if the length of the vector changes by more than rounding. */
INLINE double turn_lane(turned v, frame now, turning by, size_t i)
{
    const vec    from = load_at(v.from, i);
    const vec    flat = sum(from, scaled(by.tilt * dot(from, now.n), load_at(v.lean, i)));
    const double along_x = dot(flat, now.x), along_y = dot(flat, now.y);
    const double share = inverse_root(by.angle * by.angle), square = dot(from, from);
    const double x = share * (along_x - by.angle * along_y), y = share * (along_y + by.angle * along_x);
    v.x[i] = x;
    v.y[i] = y;
    return fabs(x * x + y * y - square) <= 1e-13 * square ? 0 : 1;
}

/* Computes frames and turns for all lanes, and turns the first vector while they are in registers. Returns the number
 * of lanes whose vectors change in length. */
INLINE double choose_all(shares all, pcm_lammps_block *b, turned first, bool shared, bool on_wall, size_t count)
{
    const columns axis = columns_of(b->x_axis);
    double        far = 0;
#pragma omp simd reduction(+ : far)
    for (size_t i = 0; i < count; i++) {
        const frame   now = choose(b, axis, i);
        const turning by = find_turn(all, b, now.n, shared, on_wall, i);
        far += turn_lane(first, now, by, i);
    }
    return far;
}

/* Turns a further vector. */
static double turn_vector(turned v, pcm_lammps_block *b, size_t count)
{
    const columns axis = columns_of(b->x_axis);
    double        far = 0;
#pragma omp simd reduction(+ : far)
    for (size_t i = 0; i < count; i++) {
        const frame now = {load(b->normal, i), load_at(axis, i), load(b->y_axis, i)};
        far += turn_lane(v, now, (turning){b->turn[i], b->tilt[i]}, i);
    }
    return far;
}

/* Restores the lengths of vectors that a large turn has changed. */
static void stretch(turned v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const vec    from = load_at(v.from, i);
        const double square = dot(from, from), now = v.x[i] * v.x[i] + v.y[i] * v.y[i];
        if (!(fabs(now - square) <= 1e-13 * square)) {
            const double share = now > 0 ? sqrt(square / now) : 0;
            v.x[i] *= share;
            v.y[i] *= share;
        }
    }
}

/* As LAMMPS does: drops the component out of the tangent plane. */
static void project_vector(turned v, pcm_lammps_block *b, bool keeps, size_t count)
{
    const columns axis = columns_of(b->x_axis);
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const vec    from = load_at(v.from, i);
        const double x = dot(from, load_at(axis, i)), y = dot(from, load(b->y_axis, i)), by = kept(keeps, from, x, y);
        v.x[i] = by * x;
        v.y[i] = by * y;
    }
}

/* Turns the first vector, and computes the frames with it. */
static double turn_first(const pcm_lammps_plan *plan, shares all, pcm_lammps_block *b, turned v, size_t count)
{
    if (plan->law->shared)
        return plan->pose ? choose_all(all, b, v, true, true, count) : choose_all(all, b, v, true, false, count);
    return plan->pose ? choose_all(all, b, v, false, true, count) : choose_all(all, b, v, false, false, count);
}

/* For a law without a preferred direction: a frame that depends on the normal alone, and vectors in that frame. */
static void move_turning(const pcm_lammps_plan *plan, shares all, pcm_lammps_block *b, double *const *vector,
                         double *const *state, size_t count)
{
    const pcm_model *model = plan->law->model;
    double *const    was[] = {b->was[0], b->was[1], b->was[2]};
    double *const    velocity[] = {b->velocity[0], b->velocity[1], b->velocity[2]};
    bool             first = true;
    if (plan->native)
        move_chosen(b, count);
    for (size_t s = 0; s < model->states.count; s++) {
        const uint32_t shape = pcm_model_state(model, s)->shape;
        const turned   v = {columns_of(vector), columns_of(plan->pose ? was : velocity), state[0], state[1]};
        state += pcm_columns_of(shape);
        if (shape != PCM_TANGENT)
            continue;
        vector += 3;
        if (plan->native)
            project_vector(v, b, plan->granular, count);
        else if ((first ? turn_first(plan, all, b, v, count) : turn_vector(v, b, count)) > 0)
            stretch(v, count);
        first = false;
    }
}

/* Corrects frames that turned by a large angle about their normals in one step. */
static void mend(pcm_lammps_block *b, size_t count)
{
    int64_t far = 0;
#pragma omp simd reduction(+ : far)
    for (size_t i = 0; i < count; i++)
        far += b->excess[i] < NEARLY && b->excess[i] > -NEARLY ? 0 : 1;
    for (size_t i = 0; far > 0 && i < count; i++)
        if (!(b->excess[i] < NEARLY && b->excess[i] > -NEARLY)) {
            const vec n = load(b->normal, i), v = load(b->velocity, i), x = unit(load_at(columns_of(b->x_axis), i));
            store_at(columns_of(b->x_axis), i, x);
            measure(b, n, x, v, dot(v, n), i);
        }
}

static void move_carried(const pcm_lammps_plan *plan, shares all, pcm_lammps_block *b, size_t count)
{
    if (plan->law->shared) {
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            carry(all, b, true, i);
    } else {
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            carry(all, b, false, i);
    }
    mend(b, count);
}

static void move_on_wall(const pcm_lammps_plan *plan, shares all, pcm_lammps_block *b, size_t count)
{
    const bool shared = plan->law->shared;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        carry_on_wall(all, b, shared, i);
    mend(b, count);
}

/* Transforms a spin to the contact frame. */
static void turn(pcm_lammps_block *b, pcm_lammps_column omega[3], pcm_lammps_column spin[3], size_t count)
{
    const columns axis = columns_of(b->x_axis);
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const vec w = load(omega, i);
        store(spin, i, (vec){dot(w, load_at(axis, i)), dot(w, load(b->y_axis, i)), dot(w, load(b->normal, i))});
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

/* Transforms a vector to the wall's axes, and back. */
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

/* The position of the contact point on a wall that is the base, and its velocity. */
static void locate(const pcm_lammps_pose *w, pcm_lammps_block *b, size_t count)
{
    const vec at = {w->at[0], w->at[1], w->at[2]}, pivot = {w->pivot[0], w->pivot[1], w->pivot[2]};
    for (size_t i = 0; i < count; i++) {
        const vec n = load(b->normal, i), x = load_at(columns_of(b->x_axis), i), y = load(b->y_axis, i);
        const vec point = sum(load(b->centre, i), scaled(-b->follower_arm[i], n));
        const vec tangent = sum(scaled(b->slip_x[i], x), scaled(b->slip_y[i], y));
        store(b->position, i, sum(into(w, sum(point, scaled(-1, at))), pivot));
        store(b->base_velocity, i, into(w, sum(tangent, scaled(-b->depth_rate[i], n))));
    }
}

/* The lever arms of torques between spheres where those of velocities are whole radii. */
static void shorten_arms(pcm_lammps_block *b, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        b->base_arm[i] -= 0.5 * b->depth[i];
        b->follower_arm[i] -= 0.5 * b->depth[i];
    }
}

static size_t motion(const pcm_lammps_plan *plan, pcm_lammps_block *block, double *const *vector, double *const *state,
                     size_t count)
{
    const double least = -plan->law->separation;
    const shares all = share_out(plan, block);
    size_t       apart = 0;
    if (plan->law->turns)
        move_turning(plan, all, block, vector, state, count);
    else if (!plan->law->carries)
        move_chosen(block, count);
    else if (plan->native)
        project(plan, block, state, count);
    else if (plan->pose)
        move_on_wall(plan, all, block, count);
    else
        move_carried(plan, all, block, count);
    if (plan->granular && !plan->pose)
        shorten_arms(block, count);
    if (plan->law->reads_spin)
        measure_spins(block, count);
    if (plan->law->on_base && plan->pose)
        locate(plan->pose, block, count);
#pragma omp simd reduction(+ : apart)
    for (size_t i = 0; i < count; i++)
        apart += block->depth[i] < least ? 1 : 0;
    return apart;
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

static double results(const pcm_lammps_plan *plan, pcm_lammps_block *b, size_t count)
{
    const columns axis = columns_of(b->x_axis);
    const bool    moments = plan->law->model->outputs & PCM_MOMENT;
    double        zero = 0;
#pragma omp simd reduction(+ : zero)
    for (size_t i = 0; i < count; i++) {
        const wrench w = push(b, axis, moments, i);
        store(b->force, i, w.force);
        store(b->base_torque, i, w.on_base);
        store(b->follower_torque, i, w.on_follower);
        zero += check(w);
    }
    if (plan->law->model->flags & PCM_BASE_AXES && plan->pose)
        push_in_axes(plan->pose, b, count);
    return zero;
}

static double check_states(const pcm_lammps_plan *plan, double *const *next, size_t count)
{
    double zero = 0;
    for (uint32_t k = 0; k < plan->law->n_state; k++) {
        const double *column = next[k];
#pragma omp simd reduction(+ : zero)
        for (size_t i = 0; i < count; i++)
            zero += 0 * column[i];
    }
    return zero;
}

static void keep(const pcm_lammps_plan *plan, pcm_lammps_block *b, double *const *next, double *const *vector,
                 size_t count)
{
    const columns axis = columns_of(b->x_axis);
    for (size_t s = 0; s < plan->law->model->states.count; s++) {
        const uint32_t shape = pcm_model_state(plan->law->model, s)->shape;
        const double  *x = next[0], *y = next[1];
        next += pcm_columns_of(shape);
        if (shape != PCM_TANGENT)
            continue;
        const columns to = columns_of(vector);
        vector += 3;
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            store_at(to, i, sum(scaled(x[i], load_at(axis, i)), scaled(y[i], load(b->y_axis, i))));
    }
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

static double stray(const double *now, const float *held, const float *pace, double steps, size_t count)
{
    double most = 0;
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < count; i++) {
        const double by = fabs(now[i] - ((double)held[i] + steps * (double)pace[i]));
        most = by > most ? by : most;
    }
    return most;
}

const pcm_lammps_kernels PCM_LAMMPS_SET = {place_all, motion, step_states, results, check_states, keep, stray};
