/* SPDX-License-Identifier: MIT */
/* series.h - numbers over time: rows of as many values each. Between rows values are interpolated linearly; before the
 * first and after the last row they stay. Start from all zero but for `columns`. */
#ifndef PCM_TOOLS_RUN_SERIES_H
#define PCM_TOOLS_RUN_SERIES_H

#include <stddef.h>

typedef struct series {
    size_t  rows, columns, capacity;
    double *times;  /* rising */
    double *values; /* rows by columns */
} series;

/* The values of a new last row, for the caller to fill in; time is after the last row's. NULL, and reported: there is
 * no memory. */
double *series_add(series *s, double time);
void    series_free(series *s);

/* The value of a column at that time; there are rows. */
double series_value(const series *s, double time, size_t column);

/* Writes the values at that time, one per column. Without rows: leaves them as they are. */
void series_at(const series *s, double time, double *values);

#endif
