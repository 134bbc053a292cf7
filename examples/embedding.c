/* SPDX-License-Identifier: MIT */
/* embedding.c - a ball bounces in a plain loop, with libpcm alone and no simulator. The ground's material is defined in
 * embedding.pcm. Build and run:
 *
 *   cc embedding.c -o embedding $(pkg-config --cflags --libs pcm) && ./embedding embedding.pcm */
#include <pcm/pcm.h>
#include <stdio.h>

static const double mass = 1, radius = 0.1, gravity = 9.81, dt = 1e-5; /* kg, m, m/s^2, s */

typedef struct Ball {
    double height, speed; /* of its centre, m and m/s upwards */
} Ball;

static void print_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    char text[4096];
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    fputs(text, user);
}

/* The upward force of the ground on the ball at time t, or NAN if the world rejects the call. */
static double ground_force(pcm_world *world, pcm_object ground, pcm_object object, const Ball *ball, double t)
{
    const double    depth = radius - ball->height;
    const pcm_touch touch = {.point = {0, 0, -depth / 2}, .normal = {0, 0, 1}, .depth = depth};
    const pcm_pose  pose = {.position = {0, 0, ball->height}, .orientation = {1, 0, 0, 0}};
    const pcm_twist twist = {.linear = {0, 0, ball->speed}};
    pcm_wrench      wrench;

    pcm_world_move(world, object, &pose, &twist);
    if (depth >= 0)
        pcm_world_touch(world, ground, object, &touch, sizeof touch);
    if (pcm_world_update(world, t, dt) != PCM_OK || pcm_world_wrench(world, object, &wrench) != PCM_OK) {
        pcm_world_report_faults(world);
        return NAN;
    }
    return wrench.force[2];
}

/* Drops the ball and prints a line for each of its bounces. */
static int bounce(pcm_world *world, int bounces)
{
    const pcm_object ground = pcm_world_add(world, "Ground", "");
    const pcm_object object = pcm_world_add(world, "Ball", "");
    Ball             ball = {.height = radius + 1 / (2 * gravity), .speed = 0}; /* so that it arrives with 1 m/s */
    double           impact = 0, deepest = 0, hardest = 0;

    puts("  time s  impact m/s  rebound m/s  deepest mm  hardest N");
    for (long step = 0; bounces > 0; step++) {
        const double force = ground_force(world, ground, object, &ball, (double)step * dt);
        if (!(force >= 0) || pcm_world_commit(world) != PCM_OK)
            return 1;
        const double above = ball.height - radius;
        ball.speed += dt * (force / mass - gravity);
        ball.height += dt * ball.speed;
        deepest = pcm_max(deepest, -above);
        hardest = pcm_max(hardest, force);
        if (above >= 0 && ball.height < radius)
            impact = -ball.speed;
        if (above < 0 && ball.height >= radius) {
            printf("%8.4f  %10.4f  %11.4f  %10.4f  %9.2f\n", (double)step * dt, impact, ball.speed, deepest * 1e3,
                   hardest);
            deepest = hardest = 0;
            bounces--;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    pcm_context_def def = pcm_context_defaults();
    def.sink = print_diagnostic;
    def.sink_user = stderr;

    pcm_context *context = pcm_context_new(&def);
    pcm_config  *config = context ? pcm_config_load(context, argc > 1 ? argv[1] : "embedding.pcm") : NULL;
    pcm_world   *world = config ? pcm_world_new(config, NULL) : NULL;
    const int    status = world ? bounce(world, 5) : 1;

    pcm_world_free(world);
    pcm_config_release(config);
    pcm_context_free(context);
    return status;
}
