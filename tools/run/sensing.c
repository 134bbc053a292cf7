/* SPDX-License-Identifier: MIT */
#include "sensing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"

static void put_frame_names(csv_writer *writer, const char *body)
{
    char name[64];
    for (int i = 0; i < 9; i++) {
        (void)snprintf(name, sizeof name, "%s_rotation_%d%d", body, i / 3 + 1, i % 3 + 1);
        csv_put_text(writer, name);
    }
    for (int i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "%s_translation_%c [m]", body, 'x' + i);
        csv_put_text(writer, name);
    }
}

static void put_header(csv_writer *writer, bool by_points)
{
    static const char *const names[] = {"time [s]",
                                        "a",
                                        "b",
                                        "contact_signal",
                                        "penetration_depth [m]",
                                        "separation_distance [m]",
                                        "normal_force_magnitude [N]",
                                        "friction_force_magnitude [N]",
                                        "relative_normal_velocity [m/s]",
                                        "relative_tangential_velocity_x [m/s]",
                                        "relative_tangential_velocity_y [m/s]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        csv_put_text(writer, names[i]);
    put_frame_names(writer, "base");
    put_frame_names(writer, "follower");
    csv_put_text(writer, "normal_load [N]");
    if (by_points)
        csv_put_text(writer, "point");
    csv_end_row(writer);
}

static bool begin(sensing_table *table, pcm_mujoco *host, double every, double start)
{
    if (pcm_mujoco_model(host)->opt.integrator == mjINT_RK4) {
        command_error(PCM_MSG_SOLVER,
                      "--sense is for solvers that evaluate a step once: euler, implicit, implicitfast");
        return false;
    }
    table->start = start;
    table->every = every;
    table->count = pcm_mujoco_pair_count(host);
    table->pairs = calloc(table->count + 1, sizeof *table->pairs);
    for (size_t i = 0; i < table->count; i++) {
        const size_t points = pcm_mujoco_pair_points(host, i);
        table->n_points = points > table->n_points ? points : table->n_points;
    }
    table->points = calloc(table->n_points + 1, sizeof *table->points);
    if (!table->pairs || !table->points) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    return true;
}

bool sensing_open(sensing_table *table, const char *path, pcm_mujoco *host, double every)
{
    if (!begin(table, host, every, pcm_mujoco_data(host)->time) || !csv_create(&table->writer, path))
        return false;
    put_header(&table->writer, table->n_points > 0);
    return true;
}

bool sensing_continue(sensing_table *table, const char *path, pcm_mujoco *host, double every, double start,
                      size_t times, uint64_t bytes)
{
    table->times = times;
    return begin(table, host, every, start) && csv_continue(&table->writer, path, bytes);
}

static void put_cells(csv_writer *writer, double time, const char *a, const char *b, const pcm_sensing *s)
{
    csv_put_number(writer, time);
    csv_put_text(writer, a);
    csv_put_text(writer, b);
    csv_put_number(writer, (double)s->contact);
    csv_put_number(writer, s->depth);
    csv_put_number(writer, s->separation);
    csv_put_number(writer, s->normal_force);
    csv_put_number(writer, s->friction_force);
    csv_put_number(writer, s->normal_velocity);
    csv_put_number(writer, s->tangential_velocity[0]);
    csv_put_number(writer, s->tangential_velocity[1]);
    for (int i = 0; i < 9; i++)
        csv_put_number(writer, s->base_rotation[i]);
    for (int i = 0; i < 3; i++)
        csv_put_number(writer, s->base_translation[i]);
    for (int i = 0; i < 9; i++)
        csv_put_number(writer, s->follower_rotation[i]);
    for (int i = 0; i < 3; i++)
        csv_put_number(writer, s->follower_translation[i]);
    csv_put_number(writer, s->normal_load);
}

/* Writes the row of a pair. The cell `point` is empty for a pair that touches by its shapes, if other pairs have
 * points. */
static void put_pair(sensing_table *table, double time, const char *a, const char *b, const pcm_sensing *s)
{
    put_cells(&table->writer, time, a, b, s);
    if (table->n_points)
        csv_put_text(&table->writer, "");
    csv_end_row(&table->writer);
}

static bool put_points(sensing_table *table, pcm_mujoco *host, double time, size_t pair, const char *a, const char *b)
{
    const size_t count = pcm_mujoco_pair_points(host, pair);
    if (pcm_mujoco_sense_points(host, pair, table->points, sizeof *table->points, count) != PCM_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        put_cells(&table->writer, time, a, b, &table->points[i]);
        csv_put_number(&table->writer, (double)i);
        csv_end_row(&table->writer);
    }
    return true;
}

bool sensing_rows(sensing_table *table, pcm_mujoco *host, double time)
{
    const char *a, *b;
    if (!table->pairs || time < table->start + (double)table->times * table->every - 1e-9 * table->every)
        return true;
    if (pcm_mujoco_sense_pairs(host, table->pairs, sizeof *table->pairs, table->count) != PCM_OK)
        return false;
    for (size_t i = 0; i < table->count && pcm_mujoco_pair_names(host, i, &a, &b); i++)
        if (!pcm_mujoco_pair_points(host, i))
            put_pair(table, time, a, b, &table->pairs[i]);
        else if (!put_points(table, host, time, i, a, b))
            return false;
    table->times++;
    return true;
}

bool sensing_close(sensing_table *table)
{
    const bool done = !table->writer.file || csv_finish(&table->writer);
    free(table->pairs);
    free(table->points);
    *table = (sensing_table){0};
    return done;
}
