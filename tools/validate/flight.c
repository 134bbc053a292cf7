/* SPDX-License-Identifier: MIT */
/* flight.c - steps an impact with the semi-implicit Euler method, so that the time of contact has the steps wanted. */
#include "flight.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "crash.h"

typedef struct body {
    pcm_object object;
    double     radius, mass, inertia; /* mass and inertia INFINITY: it does not move */
    double     x, z, turn, vx, vz, spin;
} body;

typedef struct flight {
    pcm_world *world;
    body       base, ball;
    double     reach; /* m, between the centres where they touch; a wall is a plane below z = 0 */
    bool       on_ball;
    double     time, pushed_at, force, depth;
    bool       pushed, failed;
} flight;

static body add_body(pcm_world *world, const char *name, const char *surface, double radius, double mass)
{
    const bool           fixed = isinf(mass);
    const pcm_object_def def = PCM_OBJECT(.name = name, .surface = surface, .fixed = fixed,
                                          .radius = fixed ? 0 : radius, .mass = fixed ? 0 : mass);
    return (body){.object = pcm_world_add_object(world, &def),
                  .radius = radius,
                  .mass = mass,
                  .inertia = 0.4 * mass * radius * radius};
}

static flight take_off(pcm_config *config, const impact_case *what)
{
    flight f = {.world = pcm_world_new(config, NULL), .on_ball = what->on_ball};
    if (!f.world)
        return f;
    const double share = what->on_ball ? what->partner_mass / (what->mass + what->partner_mass) : 1;
    const double vx = what->speed * sin(what->angle), vz = -what->speed * cos(what->angle);
    f.base = add_body(f.world, "Base", what->on_ball ? "Ball" : "Wall", what->on_ball ? what->partner_radius : 1,
                      what->on_ball ? what->partner_mass : INFINITY);
    f.ball = add_body(f.world, "Ball", "Ball", what->radius, what->mass);
    f.reach = what->radius + (what->on_ball ? what->partner_radius : 0);
    f.ball.z = f.reach;
    f.ball.vx = vx * share;
    f.ball.vz = vz * share;
    f.ball.spin = what->spin;
    f.base.vx = -vx * (1 - share);
    f.base.vz = -vz * (1 - share);
    f.base.spin = what->on_ball ? what->partner_spin : 0;
    return f;
}

static void move(flight *f, body *b, double dt)
{
    b->x += b->vx * dt;
    b->z += b->vz * dt;
    b->turn += b->spin * dt;
    const pcm_pose  pose = {.position = {b->x, 0, b->z}, .orientation = {cos(0.5 * b->turn), 0, sin(0.5 * b->turn), 0}};
    const pcm_twist twist = {.linear = {b->vx, 0, b->vz}, .angular = {0, b->spin, 0}};
    f->failed = f->failed || pcm_world_move(f->world, b->object, &pose, &twist) != PCM_OK;
}

static double push(flight *f, body *b, double dt)
{
    pcm_wrench wrench = {.force = {0}};
    f->failed = f->failed || pcm_world_wrench(f->world, b->object, &wrench) != PCM_OK;
    b->vx += wrench.force[0] / b->mass * dt;
    b->vz += wrench.force[2] / b->mass * dt;
    b->spin += wrench.torque[1] / b->inertia * dt;
    return hypot(wrench.force[0], wrench.force[2]);
}

/* One step; whether the bodies have parted for good. */
static bool step(flight *f, double dt)
{
    move(f, &f->base, dt);
    move(f, &f->ball, dt);
    const double    dx = f->on_ball ? f->ball.x - f->base.x : 0, dz = f->ball.z - f->base.z, far = hypot(dx, dz);
    const double    depth = f->reach - far, away = f->on_ball ? far * f->ball.radius / f->reach : far;
    const double    nx = dx / far, nz = dz / far;
    const pcm_touch touch = {
        .normal = {nx, 0, nz}, .point = {f->ball.x - nx * away, 0, f->ball.z - nz * away}, .depth = depth};
    (void)pcm_world_touch(f->world, f->base.object, f->ball.object, &touch, sizeof touch);
    f->time += dt;
    f->failed = f->failed || pcm_world_update(f->world, f->time, dt) != PCM_OK;
    (void)push(f, &f->base, dt);
    const double vz = f->ball.vz, force = push(f, &f->ball, dt), normal = f->ball.mass * fabs(f->ball.vz - vz) / dt;
    f->failed = f->failed || pcm_world_commit(f->world) != PCM_OK;
    f->force = fmax(f->force, normal);
    f->depth = fmax(f->depth, depth);
    if (force > 0 && !f->pushed) {
        f->pushed = true;
        f->pushed_at = f->time - dt;
    }
    const double apart = (f->ball.vx - f->base.vx) * nx + (f->ball.vz - f->base.vz) * nz;
    return f->pushed && force == 0 && depth < 0 && apart > 0;
}

/* J, of the relative motion and of both spins. */
static double energy_of(const flight *f)
{
    const double vx = f->ball.vx - f->base.vx, vz = f->ball.vz - f->base.vz;
    const double mass = f->on_ball ? f->ball.mass * f->base.mass / (f->ball.mass + f->base.mass) : f->ball.mass;
    const double spins = f->ball.inertia * f->ball.spin * f->ball.spin +
                         (f->on_ball ? f->base.inertia * f->base.spin * f->base.spin : 0);
    return 0.5 * (mass * (vx * vx + vz * vz) + spins);
}

/* m/s, of the ball's surface over the other one. */
static double slip_of(const flight *f)
{
    return f->ball.vx - f->base.vx - f->ball.spin * f->ball.radius - f->base.spin * f->base.radius;
}

static flight_result fly(pcm_config *config, const impact_case *what, double dt)
{
    enum { LONGEST = 100 }; /* times as many steps as wanted */
    flight        f = take_off(config, what);
    flight_result r = {.step = dt};
    const double  energy = energy_of(&f), slip = slip_of(&f);
    crash_watch_world(f.world);
    for (double k = 0; f.world && k < LONGEST * what->steps && !r.left && !f.failed; k++)
        r.left = step(&f, dt);
    r.left = r.left && !f.failed;
    r.time = f.time;
    if (r.left) {
        const double vx = f.ball.vx - f.base.vx, vz = f.ball.vz - f.base.vz;
        r.restitution = vz / (what->speed * cos(what->angle));
        r.tangential = vx / (what->speed * sin(what->angle));
        r.contact = -slip_of(&f) / slip;
        r.rebound_angle = atan2(slip_of(&f), vz);
        r.spin = f.ball.spin;
        r.duration = f.time - f.pushed_at;
        r.force = f.force;
        r.depth = f.depth;
        r.lost = 1 - energy_of(&f) / energy;
    }
    crash_watch_world(NULL);
    pcm_world_free(f.world);
    return r;
}

flight_result flight_run(pcm_config *config, const impact_case *what)
{
    double        dt = 1e-4 * what->radius / (what->speed * fmax(cos(what->angle), 1e-3));
    flight_result r = fly(config, what, dt);
    for (int round = 0; round < 8 && r.left; round++) {
        const double next = r.duration / what->steps;
        if (fabs(next / dt - 1) < 0.01)
            break;
        dt = next;
        r = fly(config, what, dt);
    }
    return r;
}

/* ---- By name ----------------------------------------------------------------------------------------------------- */

typedef struct flight_number {
    const char *name, *unit;
    size_t      offset; /* in flight_result */
} flight_number;

static const flight_number numbers[] = {
    {"restitution", "1", offsetof(flight_result, restitution)},
    {"tangential_restitution", "1", offsetof(flight_result, tangential)},
    {"contact_restitution", "1", offsetof(flight_result, contact)},
    {"rebound_angle", "rad", offsetof(flight_result, rebound_angle)},
    {"spin", "1/s", offsetof(flight_result, spin)},
    {"duration", "s", offsetof(flight_result, duration)},
    {"peak_force", "N", offsetof(flight_result, force)},
    {"peak_depth", "m", offsetof(flight_result, depth)},
    {"lost", "1", offsetof(flight_result, lost)},
};

static const flight_number *find_number(const char *name)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return &numbers[i];
    return NULL;
}

double flight_measure(const flight_result *result, const char *name)
{
    const flight_number *number = find_number(name);
    return number ? *(const double *)((const char *)result + number->offset) : NAN;
}

const char *flight_unit(const char *name)
{
    const flight_number *number = find_number(name);
    return number ? number->unit : NULL;
}
