/* SPDX-License-Identifier: MIT */
/* planar.c - a sledge slides to rest: a planar body, points on a line, and contacts that the program itself stores. The
 * law is spatial; its second tangential direction simply stays at rest. Build and run:
 *
 *   cc planar.c -o planar $(pkg-config --cflags --libs pcm) && ./planar planar.pcm */
#include <math.h>
#include <pcm/spatial.h>
#include <stdio.h>

enum { POINTS = 5 };

static const double mass = 1, inertia = 0.0036, gravity = 9.81, dt = 1e-4; /* kg, kg*m^2, m/s^2, s */

/* The runner's points in the sledge's own axes, x forward and y up, m. */
static const double   runner[2 * POINTS] = {-0.1, -0.03, -0.05, -0.03, 0, -0.03, 0.05, -0.03, 0.1, -0.03};
static const uint32_t sledge_of[POINTS] = {0};

typedef struct Sledge {
    double position[2], angle; /* of its centre of mass, m; rad */
    double velocity[2], spin;
    double stretch_x[POINTS], stretch_y[POINTS]; /* stretch of the ground at each point, m */
} Sledge;

static void print_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    char text[4096];
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    fputs(text, user);
}

/* The planar force (moment about the origin, x, y) of the ground on the sledge; the stretch advances to its next
 * values. */
static void ground_force(const pcm_type *ground, Sledge *sledge, double force[3])
{
    const double *c = sledge->position;
    const double  velocity[3] = {sledge->spin, sledge->velocity[0] + sledge->spin * c[1],
                                 sledge->velocity[1] - sledge->spin * c[0]};
    double        motion[4 * POINTS], forces[2 * POINTS], planar[3 * POINTS], point[2 * POINTS];
    double        depth[POINTS], depth_rate[POINTS], slip[POINTS], no_slip[POINTS] = {0};
    double        push[POINTS], friction[POINTS], none[POINTS], next_x[POINTS], next_y[POINTS];

    pcm_planar_points(c, sledge->angle, velocity, POINTS, runner, motion);
    for (size_t i = 0; i < POINTS; i++) {
        depth[i] = -motion[4 * i + 1];
        slip[i] = motion[4 * i + 2];
        depth_rate[i] = -motion[4 * i + 3];
    }
    const double *const state[] = {sledge->stretch_x, sledge->stretch_y};
    double *const       next[] = {next_x, next_y};
    const pcm_batch     batch = {.size = sizeof batch,
                                 .count = POINTS,
                                 .dt = dt,
                                 .depth = depth,
                                 .depth_rate = depth_rate,
                                 .slip_x = slip,
                                 .slip_y = no_slip,
                                 .state = state,
                                 .next = next,
                                 .force_n = push,
                                 .force_x = friction,
                                 .force_y = none};
    pcm_type_call(ground, PCM_UPDATE, &batch);
    memcpy(sledge->stretch_x, next_x, sizeof next_x);
    memcpy(sledge->stretch_y, next_y, sizeof next_y);

    for (size_t i = 0; i < POINTS; i++) {
        point[2 * i] = motion[4 * i];
        point[2 * i + 1] = motion[4 * i + 1];
        forces[2 * i] = friction[i];
        forces[2 * i + 1] = push[i];
    }
    force[0] = force[1] = force[2] = 0;
    pcm_planar_forces(POINTS, point, forces, planar);
    pcm_planar_sum(POINTS, sledge_of, planar, force);
}

static void step(const pcm_type *ground, Sledge *sledge)
{
    double force[3];
    ground_force(ground, sledge, force);
    const double moment = force[0] - (sledge->position[0] * force[2] - sledge->position[1] * force[1]);
    sledge->spin += dt * moment / inertia;
    sledge->velocity[0] += dt * force[1] / mass;
    sledge->velocity[1] += dt * (force[2] / mass - gravity);
    sledge->angle += dt * sledge->spin;
    for (size_t k = 0; k < 2; k++)
        sledge->position[k] += dt * sledge->velocity[k];
}

/* Puts it on the ground at 1 m/s, and prints when and where it first stops, and how deep it comes to rest. */
static void slide(const pcm_type *ground)
{
    Sledge sledge = {.position = {0, 0.03}, .velocity = {1, 0}};
    long   steps = 0;
    for (; sledge.velocity[0] > 0; steps++)
        step(ground, &sledge);
    printf("stands after %.4f s and %.6f m\n", (double)steps * dt, sledge.position[0]);
    for (long end = steps + 10000; steps < end; steps++)
        step(ground, &sledge);
    printf("rests %.6f mm deep, tilted by %.1e rad\n", (0.03 - sledge.position[1]) * 1e3, fabs(sledge.angle));
}

int main(int argc, char **argv)
{
    pcm_context_def def = pcm_context_defaults();
    def.sink = print_diagnostic;
    def.sink_user = stderr;

    pcm_context    *context = pcm_context_new(&def);
    pcm_config     *config = context ? pcm_config_load(context, argc > 1 ? argv[1] : "planar.pcm") : NULL;
    const pcm_type *ground = config ? pcm_config_type_find(config, "Snow") : NULL;
    if (ground)
        slide(ground);
    pcm_config_release(config);
    pcm_context_free(context);
    return ground ? 0 : 1;
}
