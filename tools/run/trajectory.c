/* SPDX-License-Identifier: MIT */
#include "trajectory.h"

#include <math.h>
#include <stdio.h>

/* The coordinates of one type of joint in qpos and qvel. */
typedef struct joint_columns {
    int         n_position, n_velocity;
    const char *position[7], *velocity[6];
} joint_columns;

static const joint_columns columns_of[] = {
    [mjJNT_FREE] = {7, 6, {"x", "y", "z", "qw", "qx", "qy", "qz"}, {"vx", "vy", "vz", "wx", "wy", "wz"}},
    [mjJNT_BALL] = {4, 3, {"qw", "qx", "qy", "qz"}, {"wx", "wy", "wz"}},
    [mjJNT_SLIDE] = {1, 1, {"position"}, {"velocity"}},
    [mjJNT_HINGE] = {1, 1, {"angle"}, {"rate"}},
};

static void put_names(csv_writer *table, const mjModel *model, bool velocity)
{
    for (int joint = 0; joint < model->njnt; joint++) {
        const joint_columns *columns = &columns_of[model->jnt_type[joint]];
        const char          *name = mj_id2name(model, mjOBJ_JOINT, joint);
        if (!name)
            name = mj_id2name(model, mjOBJ_BODY, model->jnt_bodyid[joint]);
        char unnamed[24];
        (void)snprintf(unnamed, sizeof unnamed, "joint%d", joint);
        const int count = velocity ? columns->n_velocity : columns->n_position;
        for (int i = 0; i < count; i++) {
            char text[256];
            (void)snprintf(text, sizeof text, "%s.%s", name ? name : unnamed,
                           velocity ? columns->velocity[i] : columns->position[i]);
            csv_put_text(table, text);
        }
    }
}

bool trajectory_create(csv_writer *table, const char *path, const mjModel *model, bool depth, bool energy)
{
    if (!csv_create(table, path))
        return false;
    csv_put_text(table, "time");
    put_names(table, model, false);
    put_names(table, model, true);
    if (depth)
        csv_put_text(table, "depth");
    if (energy)
        csv_put_text(table, "energy");
    csv_end_row(table);
    return true;
}

/* m: the root of the sum of the squared depths of all contacts. */
static double depth_of(const mjData *data)
{
    double squares = 0;
    for (int i = 0; i < data->ncon; i++)
        squares += data->contact[i].dist < 0 ? data->contact[i].dist * data->contact[i].dist : 0;
    return sqrt(squares);
}

void trajectory_row(csv_writer *table, const mjModel *model, const mjData *data, bool depth, const double *energy)
{
    csv_put_number(table, data->time);
    for (int i = 0; i < model->nq; i++)
        csv_put_number(table, data->qpos[i]);
    for (int i = 0; i < model->nv; i++)
        csv_put_number(table, data->qvel[i]);
    if (depth)
        csv_put_number(table, depth_of(data));
    if (energy)
        csv_put_number(table, *energy);
    csv_end_row(table);
}
