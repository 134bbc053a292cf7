/* SPDX-License-Identifier: MIT */
/* controls.h - actuator inputs over time, from a table with a column `time` and one column per actuator, named after
 * it, in any order. */
#ifndef PCM_TOOLS_RUN_CONTROLS_H
#define PCM_TOOLS_RUN_CONTROLS_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdint.h>

#include "series.h"

/* Reads one column per actuator. hash: of the file. False, with a report: the table does not fit the model's actuators.
 * Free the series in either case. */
bool controls_read(series *table, const char *path, const mjModel *model, uint64_t *hash);

#endif
