/* SPDX-License-Identifier: MIT */
/* body.h - shared by the examples with their own loop: one rigid body, stepped under gravity and a wrench. */
#ifndef PCM_EXAMPLES_BODY_H
#define PCM_EXAMPLES_BODY_H

#include <pcm/pcm.h>
#include <math.h>
#include <stdio.h>

#define GRAVITY 9.81 /* m/s^2 */

/* Origin at the centre of mass, axes along the principal axes. */
typedef struct Body {
    double    mass, inertia[3]; /* kg, kg*m^2 */
    pcm_pose  pose;
    pcm_twist twist;
} Body;

/* The rows are the world's axes, the columns the body's. */
static inline void body_axes(const Body *body, double m[3][3])
{
    const double *q = body->pose.orientation, w = q[0], x = q[1], y = q[2], z = q[3];
    const double  rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = rows[i][k];
}

/* sign = +1: the angular momentum of an angular velocity; -1: the inverse. */
static inline void body_inertia(const Body *body, const double in[3], double out[3], int sign)
{
    double m[3][3];
    body_axes(body, m);
    for (int i = 0; i < 3; i++)
        out[i] = 0;
    for (int k = 0; k < 3; k++) {
        const double along = m[0][k] * in[0] + m[1][k] * in[1] + m[2][k] * in[2];
        const double scaled = sign > 0 ? along * body->inertia[k] : along / body->inertia[k];
        for (int i = 0; i < 3; i++)
            out[i] += m[i][k] * scaled;
    }
}

/* Rotates the body by an angular velocity over dt. */
static inline void body_turn(Body *body, const double w[3], double dt)
{
    const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = rate * dt / 2;
    const double s = rate > 0 ? sin(half) / rate : 0, p[4] = {cos(half), s * w[0], s * w[1], s * w[2]};
    double      *q = body->pose.orientation;
    const double r[4] = {
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int k = 0; k < 4; k++)
        q[k] = r[k] / length;
}

/* Momentum first, then the position with the new velocity; the rotation with the angular velocity halfway through
 * it. */
static inline void body_step(Body *body, const pcm_wrench *wrench, double dt)
{
    double momentum[3], w[3];
    body_inertia(body, body->twist.angular, momentum, 1);
    for (int k = 0; k < 3; k++) {
        momentum[k] += dt * wrench->torque[k];
        body->twist.linear[k] += dt * (wrench->force[k] / body->mass - (k == 2 ? GRAVITY : 0));
        body->pose.position[k] += dt * body->twist.linear[k];
    }
    Body half = *body;
    body_inertia(&half, momentum, w, -1);
    body_turn(&half, w, dt / 2);
    body_inertia(&half, momentum, w, -1);
    body_turn(body, w, dt);
    body_inertia(body, momentum, body->twist.angular, -1);
}

/* Kinetic and potential energy. */
static inline double body_energy(const Body *body)
{
    const double *v = body->twist.linear, *w = body->twist.angular;
    double        momentum[3];
    body_inertia(body, w, momentum, 1);
    return 0.5 * body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
           0.5 * (w[0] * momentum[0] + w[1] * momentum[1] + w[2] * momentum[2]) +
           body->mass * GRAVITY * body->pose.position[2];
}

/* The first columns of every example's table: time, position, and the body's axes in world axes. */
#define BODY_COLUMNS "t,x,y,z,ax,ay,az,bx,by,bz,cx,cy,cz"

static inline void body_print(FILE *file, const Body *body, double t)
{
    double m[3][3];
    body_axes(body, m);
    fprintf(file, "%.4f,%.6f,%.6f,%.6f", t, body->pose.position[0], body->pose.position[1], body->pose.position[2]);
    for (int k = 0; k < 3; k++)
        fprintf(file, ",%.6f,%.6f,%.6f", m[0][k], m[1][k], m[2][k]);
}

#endif
