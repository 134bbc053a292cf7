/* SPDX-License-Identifier: MIT */
/* rolling.c - a coin rolls in a circle on a plane, leaning inwards. The rate at which it goes round is known in closed
 * form, so the loop can be checked; the ground's material is defined in rolling.pcm. Build and run:
 *
 *   cc rolling.c -o rolling $(pkg-config --cflags --libs pcm-geometry) -lm && ./rolling rolling.pcm rolling.csv */
#include "stage.h"

static const double radius = 0.1, mass = 0.5, lean = 1.25,
                    circle = 0.3; /* m, kg, lean in rad from the plane, m: radius of the centre's circle */
static const double dt = 2e-5, row_every = 5e-3;

/* The rate at which a thin disk rolls steadily in a circle: the moment of the contact force about the centre equals the
 * rate of change of the angular momentum, which rotates with the disk. */
static double steady_rate(void)
{
    return sqrt(GRAVITY * cos(lean) / (sin(lean) * (1.5 * circle + 0.25 * radius * cos(lean))));
}

/* At x = -circle, moving along y, leaning towards the middle. */
static Body start(void)
{
    const double rate = steady_rate(), tilt = 1.5707963267948966 - lean, spin = rate * circle / radius;
    Body         body = {.mass = mass,
                         .inertia = {mass * radius * radius / 4, mass * radius * radius / 4, mass * radius * radius / 2}};
    body.pose = (pcm_pose){{-circle, 0, radius * sin(lean)}, {1, 0, 0, 0}};
    /* Turns the disk's axis, z, to x, and then leans it. */
    body_turn(&body, (double[]){0, 1, 0}, 1.5707963267948966 + tilt);
    double m[3][3];
    body_axes(&body, m);
    /* Clockwise from above; the part along the axis follows from rolling without slip. */
    const double upright = m[2][2];
    for (int k = 0; k < 3; k++)
        body.twist.angular[k] = -spin * m[k][2] - rate * ((k == 2) - upright * m[k][2]);
    body.twist.linear[1] = rate * circle;
    return body;
}

static int roll(const Stage *stage, pcm_object ground, pcm_object object)
{
    Body         body = start();
    const double end = 2 * 3.14159265358979 / steady_rate();
    fputs(BODY_COLUMNS ",energy,px,py,pz,force,friction,slip\n", stage->table);
    for (long step = 0; (double)step * dt <= end; step++) {
        pcm_wrench  wrench;
        pcm_sensing s = {.size = sizeof s};
        if (!stage_evaluate(stage, object, &body, (double)step * dt, dt, &wrench))
            return 1;
        if (step % (long)(row_every / dt + 0.5) == 0 &&
            pcm_space_sense(stage->space, ground, object, &s, sizeof s, 1) == PCM_OK) {
            body_print(stage->table, &body, (double)step * dt);
            fprintf(stage->table, ",%.6f,%.6f,%.6f,%.6f,%.4f,%.4f,%.3e\n", body_energy(&body), s.base_translation[0],
                    s.base_translation[1], s.base_translation[2], s.normal_force, s.friction_force,
                    hypot(s.tangential_velocity[0], s.tangential_velocity[1]));
        }
        pcm_world_commit(stage->world);
        body_step(&body, &wrench, dt);
    }
    printf("rolled round %.4f m in %.4f s: back at (%.4f, %.4f) from (%.4f, 0)\n", circle, end, body.pose.position[0],
           body.pose.position[1], -circle);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: rolling rolling.pcm rolling.csv\n", stderr);
        return 2;
    }
    Stage stage;
    int   failed = 1;
    if (stage_open(&stage, argv[1], argv[2])) {
        pcm_geometry    *plane = stage.shapes[0] = pcm_geometry_plane(stage.context);
        pcm_geometry    *disk = stage.shapes[1] = pcm_geometry_disk(stage.context, radius);
        const pcm_object ground = pcm_space_add(stage.space, &PCM_OBJECT(.name = "Table", .fixed = true), plane, NULL);
        const pcm_object coin = pcm_space_add(stage.space, &PCM_OBJECT(.name = "Coin"), disk, NULL);
        failed = roll(&stage, ground, coin);
    }
    return !stage_close(&stage) || failed;
}
