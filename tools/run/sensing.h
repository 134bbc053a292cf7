/* SPDX-License-Identifier: MIT */
/* sensing.h - a table of the measurable quantities of every pair with a law: a row for each at each time, in contact or
 * not, or for each of its points. Its columns are `time`, `a` and `b`, the objects of the pair, and those of logs with
 * Sensing = true; last, where some pair touches by points, `point`. */
#ifndef PCM_TOOLS_RUN_SENSING_H
#define PCM_TOOLS_RUN_SENSING_H

#include <pcm/mujoco.h>
#include <stdbool.h>

#include "csv.h"

typedef struct sensing_table {
    csv_writer   writer;
    pcm_sensing *pairs;        /* room for a row of all pairs; NULL: there is no table */
    pcm_sensing *points;       /* for those of one pair */
    size_t       n_points;     /* the largest number of points of a pair; 0: no pair touches by points */
    size_t       count, times; /* times written so far */
    double       start, every; /* s */
} sensing_table;

/* Starts the table in the file, with rows every this many seconds from now on; 0: at each step. False, and reported,
 * where it cannot be created. Close it in either case. */
bool sensing_open(sensing_table *table, const char *path, pcm_mujoco *host, double every);

/* The same for a table that continues after its first bytes, with the rows of that many times, of which the first was
 * at start. */
bool sensing_continue(sensing_table *table, const char *path, pcm_mujoco *host, double every, double start,
                      size_t times, uint64_t bytes);

/* After a step from that time, whose evaluation is measured: writes rows where they are due. False after an error,
 * which has been reported. Does nothing without a table. */
bool sensing_rows(sensing_table *table, pcm_mujoco *host, double time);

/* False, and reported, where the table could not be written whole. */
bool sensing_close(sensing_table *table);

#endif
