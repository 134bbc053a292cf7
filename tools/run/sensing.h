/* SPDX-License-Identifier: MIT */
/* sensing.h - a table of what can be measured of every pair that has a law: a row for each at a time, in contact or
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
    size_t       n_points;     /* of the pair that has most of them; 0: no pair touches by points */
    size_t       count, times; /* times that have rows */
    double       start, every; /* s */
} sensing_table;

/* Starts the table in the file, with rows from now on every so many seconds; 0: of each step. False, and reported,
 * where it cannot be made. Close it in either case. */
bool sensing_open(sensing_table *table, const char *path, pcm_mujoco *host, double every);

/* The same for a table that goes on behind its first bytes, with the rows of that many times, the first of them at
 * start. */
bool sensing_continue(sensing_table *table, const char *path, pcm_mujoco *host, double every, double start,
                      size_t times, uint64_t bytes);

/* After a step from that time, whose evaluation is what is measured: the rows, where they are due. False after an
 * error, which has been reported. Nothing where there is no table. */
bool sensing_rows(sensing_table *table, pcm_mujoco *host, double time);

/* False, and reported, where the table could not be written whole. */
bool sensing_close(sensing_table *table);

#endif
