/* SPDX-License-Identifier: MIT */
/* trajectory.h - a table of time, all of qpos and all of qvel, the depth of the contacts and the energy; the header
 * names each joint and component. */
#ifndef PCM_TOOLS_RUN_TRAJECTORY_H
#define PCM_TOOLS_RUN_TRAJECTORY_H

#include <mujoco/mujoco.h>

#include "csv.h"

/* Starts the table in the file; false, with a report: it cannot be created. csv_finish ends it. */
bool trajectory_create(csv_writer *table, const char *path, const mjModel *model, bool depth, bool energy);
/* energy: NULL: the table has none. */
void trajectory_row(csv_writer *table, const mjModel *model, const mjData *data, bool depth, const double *energy);

#endif
