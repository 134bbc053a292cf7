/* SPDX-License-Identifier: MIT */
#include "baseline_scalar.h"

#include <math.h>

/* Everything is inlined here, so that the baseline is as fast as hand-written code. */
#define INLINE static inline __attribute__((always_inline))

INLINE double length(double x, double y) { return sqrt(x * x + y * y); }

/* Friction per metre per second of slip. */
INLINE double viscoelastic_drag(double normal, double speed)
{
    const double friction = 0.8, rate = 50;
    return speed > 0 ? friction * normal * tanh(rate * speed) / speed : 0;
}

INLINE double viscoelastic_normal(double depth, double depth_rate)
{
    const double stiffness = 1e4, damping = 10, normal = stiffness * depth + damping * depth_rate;
    return depth > 0 && normal > 0 ? normal : 0;
}

LawForce law_viscoelastic(const LawMotion *motion, const double *state, double *next, double dt)
{
    (void)state, (void)next, (void)dt;
    const double normal = viscoelastic_normal(motion->depth, motion->depth_rate);
    const double drag = viscoelastic_drag(normal, length(motion->slip_x, motion->slip_y));
    return (LawForce){.normal = normal, .x = -drag * motion->slip_x, .y = -drag * motion->slip_y};
}

INLINE LawForce compliant(const LawMotion *motion, const double *state, double *next, double dt)
{
    const double stiffness = 1e6, damping = 2000, friction = 0.5;
    const double grip = stiffness * motion->depth + damping * motion->depth_rate;
    if (!(motion->depth > 0 && grip > 0)) {
        next[0] = state[0] * exp(-stiffness / damping * dt);
        next[1] = state[1] * exp(-stiffness / damping * dt);
        return (LawForce){0};
    }
    const double root = sqrt(motion->depth), limit = friction * grip;
    next[0] = state[0] + motion->slip_x * dt;
    next[1] = state[1] + motion->slip_y * dt;
    double       x = stiffness * next[0] + damping * motion->slip_x, y = stiffness * next[1] + damping * motion->slip_y;
    const double pull = length(x, y);
    if (pull > limit) {
        const double decay = exp(-stiffness / damping * dt);
        x *= limit / pull;
        y *= limit / pull;
        next[0] = state[0] * decay + (1 - decay) / stiffness * x;
        next[1] = state[1] * decay + (1 - decay) / stiffness * y;
    }
    return (LawForce){.normal = root * grip, .x = -root * x, .y = -root * y};
}

LawForce law_compliant(const LawMotion *motion, const double *state, double *next, double dt)
{
    return compliant(motion, state, next, dt);
}

INLINE double smooth_normal(double depth, double depth_rate)
{
    const double stiffness = 1e6, damping = 1e3, width = 1e-4, t = depth < width ? depth / width : 1;
    const double normal = t * t * (3 - 2 * t) * (stiffness * depth + damping * depth_rate);
    return depth > 0 && normal > 0 ? normal : 0;
}

INLINE double smooth_drag(double normal, double speed)
{
    const double mu_s = 0.5, mu_d = 0.3, critical = 1e-3;
    const double x = speed / critical, x2 = x * x, h = x * exp((1 - x2) / 2);
    const double g = x < 1 ? x * (15 - 10 * x2 + 3 * x2 * x2) / 8 : 1;
    return speed > 0 ? (mu_s * h + mu_d * (g - h)) * normal / speed : 0;
}

LawForce law_smooth(const LawMotion *motion, const double *state, double *next, double dt)
{
    (void)state, (void)next, (void)dt;
    const double normal = smooth_normal(motion->depth, motion->depth_rate);
    const double drag = smooth_drag(normal, length(motion->slip_x, motion->slip_y));
    return (LawForce){.normal = normal, .x = -drag * motion->slip_x, .y = -drag * motion->slip_y};
}

LawForce law_spring(const LawMotion *motion, const double *state, double *next, double dt)
{
    const double stiffness = 1000, damping = 10, limit_x = 1000, limit_y = 1000, limit_pull = 5;
    next[0] = state[0] + motion->slip_x * dt;
    next[1] = state[1] + motion->slip_y * dt;
    next[2] = state[2];
    LawForce force = {.normal = -stiffness * (state[2] - motion->depth) + damping * motion->depth_rate,
                      .x = -stiffness * next[0] - damping * motion->slip_x,
                      .y = -stiffness * next[1] - damping * motion->slip_y};
    force.broken = fabs(force.x) > limit_x || fabs(force.y) > limit_y || force.normal < -limit_pull;
    return force;
}

INLINE double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

INLINE void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The velocity of b's point relative to a's. */
INLINE void relative_velocity(const Body *a, const Body *b, const double point[3], double v[3])
{
    double arm[3], va[3], vb[3];
    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - a->position[k];
    cross(a->angular, arm, va);
    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - b->position[k];
    cross(b->angular, arm, vb);
    for (int k = 0; k < 3; k++)
        v[k] = b->linear[k] + vb[k] - a->linear[k] - va[k];
}

/* The force on b at the point, and its opposite on a. */
INLINE void apply(Body *a, Body *b, const double point[3], const double force[3])
{
    double arm[3], torque[3];
    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - b->position[k];
    cross(arm, force, torque);
    for (int k = 0; k < 3; k++) {
        b->force[k] += force[k];
        b->torque[k] += torque[k];
        arm[k] = point[k] - a->position[k];
    }
    cross(arm, force, torque);
    for (int k = 0; k < 3; k++) {
        a->force[k] -= force[k];
        a->torque[k] -= torque[k];
    }
}

INLINE void clear_wrenches(Scene *scene)
{
    for (size_t i = 0; i < scene->n_bodies; i++)
        for (int k = 0; k < 3; k++)
            scene->bodies[i].force[k] = scene->bodies[i].torque[k] = 0;
}

/* A law whose friction opposes the slip needs no frame: its loop works with vectors. */
typedef double normal_function(double depth, double depth_rate);
typedef double drag_function(double normal, double speed);

INLINE void frameless(Scene *scene, normal_function *normal_of, drag_function *drag_of)
{
    clear_wrenches(scene);
    for (size_t i = 0; i < scene->n_contacts; i++) {
        const Contact *c = &scene->contacts[i];
        Body          *a = &scene->bodies[c->a], *b = &scene->bodies[c->b];
        double         v[3], slip[3], force[3];

        relative_velocity(a, b, c->point, v);
        const double vn = dot(v, c->normal);
        for (int k = 0; k < 3; k++)
            slip[k] = v[k] - vn * c->normal[k];
        const double normal = normal_of(c->depth, -vn), drag = drag_of(normal, sqrt(dot(slip, slip)));
        for (int k = 0; k < 3; k++)
            force[k] = normal * c->normal[k] - drag * slip[k];
        apply(a, b, c->point, force);
    }
}

void by_hand_viscoelastic(void *scene) { frameless(scene, viscoelastic_normal, viscoelastic_drag); }
void by_hand_smooth(void *scene) { frameless(scene, smooth_normal, smooth_drag); }

void by_hand_compliant(void *work)
{
    Scene *scene = work;
    clear_wrenches(scene);
    for (size_t i = 0; i < scene->n_contacts; i++) {
        Contact *c = &scene->contacts[i];
        Body    *a = &scene->bodies[c->a], *b = &scene->bodies[c->b];
        double   v[3], x[3], y[3], force[3];

        relative_velocity(a, b, c->point, v);
        /* The axis follows the normal by the smallest rotation; here it is projected and normalised. */
        const double off = dot(c->axis, c->normal);
        for (int k = 0; k < 3; k++)
            x[k] = c->axis[k] - off * c->normal[k];
        const double size = sqrt(dot(x, x));
        for (int k = 0; k < 3; k++)
            x[k] /= size;
        cross(c->normal, x, y);

        const LawMotion motion = {c->depth, -dot(v, c->normal), dot(v, x), dot(v, y)};
        const LawForce  law = compliant(&motion, c->stretch, c->next_stretch, scene->dt);
        for (int k = 0; k < 3; k++)
            force[k] = law.normal * c->normal[k] + law.x * x[k] + law.y * y[k];
        apply(a, b, c->point, force);
    }
}
