/* SPDX-License-Identifier: MIT */
/* grains.h - spheres in a box, without the law: one text for C and for OpenCL C, so that both compute the same. */
#ifndef GRAINS_H
#define GRAINS_H

#if defined(__OPENCL_VERSION__)
#pragma OPENCL EXTENSION   cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef long               grain_int;
#define GRAIN_LENGTH(square) sqrt(square)
#else
#include <math.h>
typedef long long grain_int;
#define GRAIN_LENGTH(square) sqrt(square)
#endif

typedef struct vector {
    double x, y, z;
} vector;

/* A sphere, or with inverse_mass 0 and curvature 0 a wall: its position is then on it, and `normal` points inwards. */
typedef struct grain {
    vector position, velocity, spin, normal;
    double curvature, inverse_mass; /* 1/m, 1/kg */
} grain;

/* A row: two grains that are near each other, the base first, and what their contact remembers as vectors in the
 * world's axes, which do not depend on the frame. */
typedef struct row {
    grain_int base, follower;
    vector    stretch, roll;
    double    circle; /* m, the law's own */
} row;

/* Where two grains touch: numbers of the law, and the contact frame. */
typedef struct touching {
    vector point, x, y, n;
    double depth, depth_rate, slip_x, slip_y, spin_x, spin_y, spin_n, radius, mass;
} touching;

/* On the follower: force and torque about the point. */
typedef struct wrench {
    vector force, torque;
} wrench;

static inline vector plus(vector a, vector b)
{
    vector c = {a.x + b.x, a.y + b.y, a.z + b.z};
    return c;
}
static inline vector minus(vector a, vector b)
{
    vector c = {a.x - b.x, a.y - b.y, a.z - b.z};
    return c;
}
static inline vector times(double s, vector a)
{
    vector c = {s * a.x, s * a.y, s * a.z};
    return c;
}
static inline double dot_of(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vector cross_of(vector a, vector b)
{
    vector c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

/* The same length, but in the tangent plane: what a spring holds turns with the contact. */
static inline vector onto_plane(vector v, vector n)
{
    const vector flat = minus(v, times(dot_of(v, n), n));
    const double was = dot_of(v, v), now = dot_of(flat, flat);
    return now > 0 ? times(GRAIN_LENGTH(was / now), flat) : flat;
}

static inline vector velocity_at(grain g, vector point)
{
    return plus(g.velocity, cross_of(g.spin, minus(point, g.position)));
}

/* The gap of two grains, m; below 0 they overlap. */
static inline double gap_of(grain a, grain b)
{
    const vector apart = minus(b.position, a.position);
    if (a.curvature == 0)
        return dot_of(apart, a.normal) - 1 / b.curvature;
    return GRAIN_LENGTH(dot_of(apart, apart)) - (1 / a.curvature + 1 / b.curvature);
}

static inline touching touch_of(grain a, grain b)
{
    touching     t;
    const vector apart = minus(b.position, a.position);
    const vector n = a.curvature == 0 ? a.normal : times(1 / GRAIN_LENGTH(dot_of(apart, apart)), apart);
    const vector aside = {n.x * n.x < 0.5 ? 1 : 0, n.x * n.x < 0.5 ? 0 : 1, 0};
    const vector across = minus(aside, times(dot_of(aside, n), n));
    t.n = n;
    t.x = times(1 / GRAIN_LENGTH(dot_of(across, across)), across);
    t.y = cross_of(n, t.x);
    t.depth = -gap_of(a, b);
    t.point = minus(b.position, times(1 / b.curvature - 0.5 * t.depth, n));
    const vector moves = minus(velocity_at(b, t.point), velocity_at(a, t.point));
    const vector turns = minus(b.spin, a.spin);
    t.depth_rate = -dot_of(moves, n);
    t.slip_x = dot_of(moves, t.x);
    t.slip_y = dot_of(moves, t.y);
    t.spin_x = dot_of(turns, t.x);
    t.spin_y = dot_of(turns, t.y);
    t.spin_n = dot_of(turns, n);
    t.radius = 1 / (a.curvature + b.curvature);
    t.mass = 1 / (a.inverse_mass + b.inverse_mass);
    return t;
}

/* The vector with these components in the frame. */
static inline vector in_world(touching t, double x, double y, double n)
{
    return plus(plus(times(x, t.x), times(y, t.y)), times(n, t.n));
}

/* A sphere after the step, under a force and a torque about its centre. */
static inline grain moved(grain g, wrench w, double gravity, double dt)
{
    const double inverse_inertia = 2.5 * g.inverse_mass * g.curvature * g.curvature;
    const vector down = {0, 0, -gravity};
    g.velocity = plus(g.velocity, times(dt, plus(times(g.inverse_mass, w.force), down)));
    g.spin = plus(g.spin, times(dt * inverse_inertia, w.torque));
    g.position = plus(g.position, times(dt, g.velocity));
    return g;
}

/* Adds a contact's wrench to one of its grains: the follower, or the base with the opposite. */
static inline wrench with_contact(wrench sum, wrench on_follower, vector point, grain g, int follower)
{
    const double side = follower ? 1 : -1;
    const vector force = times(side, on_follower.force), arm = minus(point, g.position);
    sum.force = plus(sum.force, force);
    sum.torque = plus(sum.torque, plus(times(side, on_follower.torque), cross_of(arm, force)));
    return sum;
}

#endif
