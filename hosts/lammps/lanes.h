/* SPDX-License-Identifier: MIT */
/* lanes.h - the operations on one lane of a block: for kernels.c and exchange.c, whose loops over lanes compilers
 * vectorise. */
#ifndef PCM_LAMMPS_LANES_H
#define PCM_LAMMPS_LANES_H

#include "step.h"

#include <math.h>

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

/* Pointers to the columns of a stored vector. Loops take it by value, since compilers do not see that pointers in a
 * block stay constant. */
typedef struct columns {
    double *x, *y, *z;
} columns;

static inline columns columns_of(double *const v[3]) { return (columns){v[0], v[1], v[2]}; }
static inline vec     load_at(columns v, size_t i) { return (vec){v.x[i], v.y[i], v.z[i]}; }
static inline void    store_at(columns to, size_t i, vec v)
{
    to.x[i] = v.x;
    to.y[i] = v.y;
    to.z[i] = v.z;
}

static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec    sum(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec    scaled(double s, vec v) { return (vec){s * v.x, s * v.y, s * v.z}; }
static inline vec    cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec unit(vec v) { return scaled(1 / sqrt(dot(v, v)), v); }

/* v without its component along the unit vector n. */
static inline vec flattened(vec v, vec n) { return sum(v, scaled(-dot(v, n), n)); }

/* Data that the lanes of a block share. */
typedef struct shares {
    double  dt, base_arm, follower_arm; /* s; parts of the depth by which the arms are shorter than the radii */
    double  base_turn; /* s: weight of the base's spin in the frame's turn per step, or of both sides' spins */
    columns old_axis, x_axis;
} shares;

static shares share_out(const pcm_lammps_plan *plan, const pcm_lammps_block *b)
{
    const double base_arm = plan->native ? 0 : plan->law->base_arm;
    return (shares){plan->dt,
                    base_arm,
                    plan->native ? 0 : 1 - base_arm,
                    plan->dt * (plan->law->shared ? 0.5 : 1),
                    columns_of(b->old_axis),
                    columns_of(b->x_axis)};
}

/* The data of both atoms that `place` needs. */
typedef struct sides {
    double base_radius, follower_radius, base_mass, follower_mass;
} sides;

/* Computes normal, depth, lever arms and, if wanted, reduced mass and radius. Divisions take the longest time of all
 * operations on a lane, so one division serves all reciprocals. */
INLINE void place(shares plan, pcm_lammps_block *b, bool reduced, sides of, size_t i)
{
    const vec    away = load(b->away, i);
    const double distance = sqrt(dot(away, away)), r1 = of.base_radius, r2 = of.follower_radius, r = r1 + r2;
    const double m = of.base_mass + of.follower_mass, some = m > 0 ? m : 1;
    const double depth = r - distance, both = reduced ? r * some : 1, share = 1 / (distance * both);
    const double per_distance = share * both, per_both = share * distance;
    store(b->normal, i, scaled(per_distance, away));
    b->per_distance[i] = per_distance;
    b->depth[i] = depth;
    b->base_arm[i] = r1 - plan.base_arm * depth;
    b->follower_arm[i] = r2 - plan.follower_arm * depth;
    if (reduced) { /* 0: flat, or immovable */
        const double both_r = r1 * r2, both_m = of.base_mass * of.follower_mass;
        b->radius[i] = both_r == 0 ? r : both_r * (per_both * some);
        b->mass[i] = both_m == 0 ? m : both_m * (per_both * r);
    }
}

/* The force on the follower, and the torques on both about their centres. */
typedef struct wrench {
    vec force, on_base, on_follower;
} wrench;

INLINE wrench push(pcm_lammps_block *b, columns axis, bool moments, size_t i)
{
    const vec    n = load(b->normal, i), x = load_at(axis, i), y = load(b->y_axis, i);
    const double along_x = b->force_x[i], along_y = b->force_y[i];
    const vec    force = sum(sum(scaled(along_x, x), scaled(along_y, y)), scaled(b->force_n[i], n));
    const vec    lever = sum(scaled(along_y, x), scaled(-along_x, y)); /* tangential force x n */
    wrench       w = {force, scaled(b->base_arm[i], lever), scaled(b->follower_arm[i], lever)};
    if (moments) {
        const vec turning = sum(scaled(b->moment_x[i], x), scaled(b->moment_y[i], y));
        const vec moment = sum(turning, scaled(b->moment_n[i], n));
        store(b->moment, i, moment);
        w.on_base = sum(w.on_base, scaled(-1, moment));
        w.on_follower = sum(w.on_follower, moment);
    }
    return w;
}

/* 0, or NaN where something is not finite. */
INLINE double check(wrench w)
{
    const vec all = sum(w.force, w.on_follower);
    return 0 * (all.x + all.y + all.z);
}

#endif
