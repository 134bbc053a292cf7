/* SPDX-License-Identifier: MIT */
/* tumbling.c - a box tumbles down a hilly slope. The points of its surface form a cloud, each with its own contact; its
 * material is defined in tumbling.pcm. A third file gets the run as a page. Build and run:
 *
 *   cc tumbling.c -o tumbling $(pkg-config --cflags --libs pcm-geometry pcm-replay) -lm
 *   ./tumbling tumbling.pcm tumbling.csv tumbling.html */
#include "stage.h"
#include <pcm/replay.h>

static const double sides[3] = {0.5, 0.3, 0.2}; /* m */
static const double dt = 1e-4, end = 2.2, row_every = 0.01;

enum { LINES = 101, POINTS = 26 };

static double hill(double x, double y) { return 0.07 * sin(3 * x) * cos(y) - 0.35 * x + 0.25 * y * y; }

/* The slope from x = -1 to 5, three metres wide. */
static pcm_geometry *make_slope(pcm_context *context)
{
    static double x[LINES], y[LINES], heights[LINES * LINES];
    for (int i = 0; i < LINES; i++) {
        x[i] = -1 + 6.0 * i / (LINES - 1);
        y[i] = -1.5 + 3.0 * i / (LINES - 1);
    }
    for (int i = 0; i < LINES; i++)
        for (int j = 0; j < LINES; j++)
            heights[i * LINES + j] = hill(x[i], y[j]);
    return pcm_geometry_grid(context, x, LINES, y, LINES, heights);
}

/* The corners, the middles of the edges and the middles of the sides. */
static pcm_geometry *make_surface_points(pcm_context *context)
{
    double points[3 * POINTS];
    int    n = 0;
    for (int i = 0; i < 27; i++) {
        const int at[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        for (int k = 0; k < 3 && i != 13; k++)
            points[n++] = 0.5 * sides[k] * at[k];
    }
    return pcm_geometry_cloud(context, points, POINTS);
}

/* The page with both shapes; NULL if it failed, which has been reported. */
static pcm_replay *record(const Stage *stage, pcm_object ground, pcm_object box, const char *path)
{
    static double points[3 * LINES * LINES];
    for (int i = 0; i < LINES * LINES; i++) {
        double *at = points + 3L * i;
        at[0] = -1 + 6.0 * (i / LINES) / (LINES - 1);
        at[1] = -1.5 + 3.0 * (i % LINES) / (LINES - 1);
        at[2] = hill(at[0], at[1]);
    }
    const pcm_shape slope = {.size = sizeof slope,
                             .kind = PCM_SHAPE_GRID,
                             .points = points,
                             .n_points = LINES * LINES,
                             .columns = LINES,
                             .color = {0.55, 0.6, 0.5, 1}};
    const pcm_shape body = {.size = sizeof body,
                            .kind = PCM_SHAPE_BOX,
                            .dimensions = {sides[0], sides[1], sides[2]},
                            .color = {0.8, 0.6, 0.3, 0.8}};
    pcm_replay_def  def = pcm_replay_defaults();
    def.path = path;
    def.title = "a box that tumbles down a slope";
    def.every = row_every;
    pcm_replay *replay = pcm_replay_new(stage->world, &def);
    if (replay) {
        pcm_replay_shape(replay, ground, &slope);
        pcm_replay_shape(replay, box, &body);
    }
    return replay;
}

static int tumble(const Stage *stage, pcm_object ground, pcm_object object, pcm_replay *replay)
{
    Body body = {.mass = 5, .pose = {{-0.4, 0, 0.75}, {0.96, 0, 0.28, 0}}, .twist = {{0, 6, 0.5}, {1.5, 0, 0}}};
    for (int k = 0; k < 3; k++)
        body.inertia[k] =
            body.mass / 12 * (sides[(k + 1) % 3] * sides[(k + 1) % 3] + sides[(k + 2) % 3] * sides[(k + 2) % 3]);
    fputs(BODY_COLUMNS ",energy,contacts,deepest,force\n", stage->table);
    for (long step = 0; (double)step * dt <= end; step++) {
        pcm_wrench  wrench;
        pcm_sensing points[POINTS];
        if (!stage_evaluate(stage, object, &body, (double)step * dt, dt, &wrench))
            return 1;
        if (step % (long)(row_every / dt + 0.5) == 0 &&
            pcm_space_sense(stage->space, ground, object, points, sizeof *points, POINTS) == PCM_OK) {
            double deepest = 0, force = 0;
            int    contacts = 0;
            for (int i = 0; i < POINTS; i++) {
                contacts += (int)points[i].contact;
                deepest = fmax(deepest, points[i].depth);
                force += points[i].normal_force;
            }
            body_print(stage->table, &body, (double)step * dt);
            fprintf(stage->table, ",%.6f,%d,%.3e,%.4f\n", body_energy(&body), contacts, deepest, force);
        }
        pcm_world_commit(stage->world);
        if (replay)
            pcm_replay_frame(replay);
        body_step(&body, &wrench, dt);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        fputs("usage: tumbling tumbling.pcm tumbling.csv [tumbling.html]\n", stderr);
        return 2;
    }
    Stage stage;
    int   failed = 1;
    if (stage_open(&stage, argv[1], argv[2])) {
        pcm_geometry    *slope = stage.shapes[0] = make_slope(stage.context);
        pcm_geometry    *points = stage.shapes[1] = make_surface_points(stage.context);
        const pcm_object ground = pcm_space_add(stage.space, &PCM_OBJECT(.name = "Slope", .fixed = true), slope, NULL);
        const pcm_object box = pcm_space_add(stage.space, &PCM_OBJECT(.name = "Box"), points, NULL);
        pcm_replay      *replay = argc == 4 ? record(&stage, ground, box, argv[3]) : NULL;
        failed = (argc == 4 && !replay) || tumble(&stage, ground, box, replay);
        failed |= pcm_replay_close(replay) != PCM_OK;
    }
    return !stage_close(&stage) || failed;
}
