/* SPDX-License-Identifier: MIT */
/* controls.h - actuator inputs over time, from a table: a column `time` and one per actuator, by its name, in any
 * order. Between rows values are interpolated linearly; before the first and after the last row they stay. */
#ifndef PCM_TOOLS_RUN_CONTROLS_H
#define PCM_TOOLS_RUN_CONTROLS_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct controls {
    size_t  rows, actuators;
    double *times;  /* rising */
    double *values; /* rows by actuators */
} controls;

/* False when the table does not fit the model's actuators, which has been reported. Free in either case. */
bool controls_read(controls *table, const char *path, const mjModel *model);
void controls_free(controls *table);

/* Writes the values at that time, one per actuator. Without rows: leaves them as they are. */
void controls_at(const controls *table, double time, double *values);

#endif
