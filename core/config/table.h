/* SPDX-License-Identifier: MIT */
/* table.h - columns of CSV files, which lists may come from.
 *
 * A table is a header row and rows of as many cells, separated by commas. Empty lines and lines that start with # are
 * skipped, cells may stand in double quotes, lines may end with CR LF. A header cell is a name, and a unit in brackets
 * behind it where the numbers are not in SI units. */
#ifndef PCM_CONFIG_TABLE_H
#define PCM_CONFIG_TABLE_H

#include "quantity.h"

enum { PCM_TABLE_ROWS_MOST = 1000000 };

/* A column on its way through the rows. */
typedef struct pcm_table_column {
    pcm_span unit;      /* in the header, its brackets included; length 0: none */
    size_t   rows_most; /* no more rows follow */
    bool     wrong;     /* something was, which has been reported */
    /* Of the module alone. */
    uint32_t source, number, cells; /* its place among the cells of a row, and how many there are */
    size_t   at, rows;              /* the next line's first byte; rows read */
} pcm_table_column;

/* Finds a column by file and name, which may be quoted; the file is read unless it has been. False where there is none,
 * which is reported. */
bool pcm_table_find(const pcm_value_reader *reader, pcm_span file, pcm_span name, pcm_table_column *column);

/* The cell of the next row, without quotes; false at the end. */
bool pcm_table_next(const pcm_value_reader *reader, pcm_table_column *column, pcm_span *cell);

#endif
