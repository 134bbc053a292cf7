/* SPDX-License-Identifier: MIT */
/* sensing.h - a table of the measurable quantities of every pair with a law: at each time a row for each pair, in
 * contact or not, or for each of its points. Its columns are `time`, `a` and `b`, the objects of the pair, and those of
 * logs with Sensing = true; and last, if some pair touches by points, `point`. */
#ifndef PCM_TOOLS_RUN_SENSING_H
#define PCM_TOOLS_RUN_SENSING_H

#include <pcm/mujoco.h>
#include <stdbool.h>

#include "csv.h"

typedef struct sensing_table {
    csv_writer   writer;
    pcm_sensing *pairs;        /* room for a row of all pairs; NULL: there is no table */
    pcm_sensing *points;       /* room for the points of one pair */
    size_t       n_points;     /* the largest number of points of a pair; 0: no pair touches by points */
    size_t       count, times; /* number of times written so far */
    double       start, every; /* s */
} sensing_table;

/* Starts the table in the file, with rows at this interval in seconds from now on; 0: at each step. False, with a
 * report: it cannot be created. Close it in either case. */
bool sensing_open(sensing_table *table, const char *path, pcm_mujoco *host, double every);

/* The same for a table that continues after its first bytes, with the rows of that many times, the first of which is
 * `start`. */
bool sensing_continue(sensing_table *table, const char *path, pcm_mujoco *host, double every, double start,
                      size_t times, uint64_t bytes);

/* After a step from that time, whose evaluation is measured: writes rows if they are due. False after an error, which
 * has been reported. Does nothing without a table. */
bool sensing_rows(sensing_table *table, pcm_mujoco *host, double time);

/* False, with a report: the table could not be written completely. */
bool sensing_close(sensing_table *table);

#endif
