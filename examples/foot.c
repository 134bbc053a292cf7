/* SPDX-License-Identifier: MIT */
/* foot.c - a robot's foot with an arch, read from a mesh file, is dropped on the floor, stands there and is removed.
 * The time of landing is found between two steps, from the signed distance that foot.pcm asks for. Build and run:
 *
 *   cc foot.c -o foot $(pkg-config --cflags --libs pcm-geometry) -lm && ./foot foot.pcm foot.obj foot.csv */
#include "stage.h"

static const double mass = 1.5, drop = 0.1; /* kg, m */
static const double dt = 1e-4, end = 0.8, row_every = 0.01;

/* The time between two steps at which the distance passes zero; 0: it does not. */
static double landing(double before, double now, double t)
{
    return before > 0 && now <= 0 ? t - dt * now / (now - before) : 0;
}

static int stand(const Stage *stage, pcm_object floor, pcm_object foot, Body *body)
{
    double before = 0, landed = 0;
    fputs("t,z,distance,force\n", stage->table);
    for (long step = 0; (double)step * dt <= end; step++) {
        const double   t = (double)step * dt;
        pcm_wrench     wrench;
        pcm_separation gap = {.size = sizeof gap}; /* at any distance */
        double         watched;                    /* only of near pairs whose contact type has ZeroCrossings */
        if (!stage_evaluate(stage, foot, body, t, dt, &wrench) ||
            pcm_space_separate(stage->space, floor, foot, &gap) != PCM_OK)
            return 1;
        if (pcm_space_crossings(stage->space, &watched, 1) == 1) {
            landed = landed > 0 ? landed : landing(before, watched, t);
            before = watched;
        }
        if (step % (long)(row_every / dt + 0.5) == 0)
            fprintf(stage->table, "%.4f,%.6f,%.6f,%.4f\n", t, body->pose.position[2], gap.distance, wrench.force[2]);
        pcm_world_commit(stage->world);
        body_step(body, &wrench, dt);
    }
    pcm_sensing felt;
    if (pcm_space_sense(stage->space, floor, foot, &felt, sizeof felt, 1) != PCM_OK)
        return 1;
    printf("landed after %.5f s, stands %.4f mm deep under %.4f N\n", landed, 1e3 * felt.depth, felt.normal_force);
    const size_t near = pcm_space_pair_count(stage->space);
    if (pcm_space_remove(stage->space, foot) != PCM_OK || pcm_space_touch(stage->space) != PCM_OK)
        return 1;
    printf("near pairs: %zu, and %zu once it is taken away\n", near, pcm_space_pair_count(stage->space));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: foot foot.pcm foot.obj foot.csv\n", stderr);
        return 2;
    }
    Stage stage;
    int   failed = 1;
    if (stage_open(&stage, argv[1], argv[3])) {
        pcm_geometry    *ground = stage.shapes[0] = pcm_geometry_plane(stage.context);
        pcm_geometry    *arch = stage.shapes[1] = pcm_geometry_compound_file(stage.context, argv[2], 0.001);
        const pcm_pose   sole = {{-0.01, 0, -0.04}, {1, 0, 0, 0}}; /* pose of the file's axes in the body's */
        Body             body = {.mass = mass,
                                 .inertia = {2e-3, 6e-3, 7e-3},
                                 .pose = {{0, 0, drop + 0.04}, {1, 0, 0, 0}},
                                 .twist = {{0, 0, 0}, {0, 0, 0}}};
        const pcm_object floor = pcm_space_add(stage.space, &PCM_OBJECT(.name = "Ground", .fixed = true), ground, NULL);
        const pcm_object foot = pcm_space_add(stage.space, &PCM_OBJECT(.name = "Foot"), arch, &sole);
        failed = stand(&stage, floor, foot, &body);
    }
    return !stage_close(&stage) || failed;
}
