/* SPDX-License-Identifier: MIT */
/* ring.c - a ring, represented by a cloud of points, is thrown over a pyramid, a convex hull, and settles where it
 * fits. The force at each of its points is measured; the pyramid's material is defined in ring.pcm. Build and run:
 *
 *   cc ring.c -o ring $(pkg-config --cflags --libs pcm-geometry) -lm && ./ring ring.pcm ring.csv ring-points.csv */
#include "stage.h"

static const double base = 0.2, height = 0.5, radius = 0.1; /* of the pyramid's corners and of the ring, m */
static const double dt = 1e-4, end = 1.5, row_every = 0.01;

enum { SIDES = 6, POINTS = 72 };

static pcm_geometry *make_pyramid(pcm_context *context)
{
    double points[3 * (SIDES + 1)] = {0, 0, height};
    for (int i = 1; i <= SIDES; i++) {
        points[3 * i] = base * cos(2 * 3.14159265358979 * i / SIDES);
        points[3 * i + 1] = base * sin(2 * 3.14159265358979 * i / SIDES);
        points[3 * i + 2] = 0;
    }
    return pcm_geometry_hull(context, points, SIDES + 1);
}

static pcm_geometry *make_ring(pcm_context *context)
{
    double points[3 * POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[3 * i] = radius * cos(2 * 3.14159265358979 * i / POINTS);
        points[3 * i + 1] = radius * sin(2 * 3.14159265358979 * i / POINTS);
        points[3 * i + 2] = 0;
    }
    return pcm_geometry_cloud(context, points, POINTS);
}

/* The final position of each point, and the force on it. */
static int print_points(const Body *body, const pcm_geometry *cloud, const pcm_sensing *felt, const char *path)
{
    FILE         *table = fopen(path, "w");
    size_t        count;
    const double *points = pcm_geometry_points(cloud, &count);
    double        m[3][3];
    if (!table)
        return 1;
    body_axes(body, m);
    fputs("point,x,y,z,contact,depth,separation,force,friction\n", table);
    for (size_t i = 0; i < count; i++) {
        fprintf(table, "%zu", i);
        for (int k = 0; k < 3; k++)
            fprintf(table, ",%.6f",
                    body->pose.position[k] + m[k][0] * points[3 * i] + m[k][1] * points[3 * i + 1] +
                        m[k][2] * points[3 * i + 2]);
        fprintf(table, ",%d,%.3e,%.6f,%.4f,%.4f\n", (int)felt[i].contact, felt[i].depth, felt[i].separation,
                felt[i].normal_force, felt[i].friction_force);
    }
    return fclose(table) != 0;
}

static int settle(const Stage *stage, pcm_object post, pcm_object object, Body *body, pcm_sensing felt[POINTS])
{
    fputs(BODY_COLUMNS ",energy,contacts,force\n", stage->table);
    for (long step = 0; (double)step * dt <= end; step++) {
        pcm_wrench wrench;
        if (!stage_evaluate(stage, object, body, (double)step * dt, dt, &wrench))
            return 1;
        if (step % (long)(row_every / dt + 0.5) == 0 &&
            pcm_space_sense(stage->space, post, object, felt, sizeof *felt, POINTS) == PCM_OK) {
            double force = 0;
            int    contacts = 0;
            for (int i = 0; i < POINTS; i++) {
                contacts += (int)felt[i].contact;
                force += felt[i].normal_force;
            }
            body_print(stage->table, body, (double)step * dt);
            fprintf(stage->table, ",%.6f,%d,%.4f\n", body_energy(body), contacts, force);
        }
        pcm_world_commit(stage->world);
        body_step(body, &wrench, dt);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: ring ring.pcm ring.csv ring-points.csv\n", stderr);
        return 2;
    }
    Stage stage;
    int   failed = 1;
    if (stage_open(&stage, argv[1], argv[2])) {
        const double     mass = 0.3, flat = mass * radius * radius / 2;
        Body             body = {.mass = mass,
                                 .inertia = {flat, flat, 2 * flat},
                                 .pose = {{0.03, 0.01, 0.6}, {1, 0.17, 0.1, 0}},
                                 .twist = {{1, -2, 3}, {0, 0, 0}}};
        pcm_sensing      felt[POINTS];
        pcm_geometry    *pyramid = stage.shapes[0] = make_pyramid(stage.context);
        pcm_geometry    *ring = stage.shapes[1] = make_ring(stage.context);
        const pcm_object post =
            pcm_space_add(stage.space, &PCM_OBJECT(.name = "Pyramid", .fixed = true), pyramid, NULL);
        const pcm_object thrown = pcm_space_add(stage.space, &PCM_OBJECT(.name = "Ring"), ring, NULL);
        failed = settle(&stage, post, thrown, &body, felt) || print_points(&body, ring, felt, argv[3]);
        printf("settled at %.4f m; a circle fits round the corners at %.4f m\n", body.pose.position[2],
               height * (1 - radius / base));
    }
    return !stage_close(&stage) || failed;
}
