/* SPDX-License-Identifier: MIT */
/* controls.h - actuator inputs over time, from a table: a column `time` and one per actuator, by its name, in any
 * order. */
#ifndef PCM_TOOLS_RUN_CONTROLS_H
#define PCM_TOOLS_RUN_CONTROLS_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdint.h>

#include "series.h"

/* One column per actuator. hash: of the file. False, and reported, when the table does not fit the model's actuators.
 * Free the series in either case. */
bool controls_read(series *table, const char *path, const mjModel *model, uint64_t *hash);

#endif
