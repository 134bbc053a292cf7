/* SPDX-License-Identifier: MIT */
/* series.h - numbers over time: rows with equal numbers of values. Values are interpolated linearly between rows, and
 * constant before the first and after the last. Initialise to zero except for `columns`. */
#ifndef PCM_TOOLS_RUN_SERIES_H
#define PCM_TOOLS_RUN_SERIES_H

#include <stddef.h>

typedef struct series {
    size_t  rows, columns, capacity;
    double *times;  /* rising */
    double *values; /* a row of `columns` values for each time */
} series;

/* Appends a row and returns its values for the caller to fill in; time must be later than that of the last row. NULL,
 * with a report: no memory. */
double *series_add(series *s, double time);
void    series_free(series *s);

/* The value of a column at that time; there must be rows. */
double series_value(const series *s, double time, size_t column);

/* Writes the values at that time, one per column. Without rows they stay unchanged. */
void series_at(const series *s, double time, double *values);

#endif
