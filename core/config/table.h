/* SPDX-License-Identifier: MIT */
/* table.h - columns of CSV files, which lists may come from.
 *
 * A table is a header row and rows with the same number of cells, separated by commas, or by semicolons or tabs if the
 * header has no comma. Behind semicolons numbers may have a decimal comma. Empty lines and lines that start with # are
 * skipped, cells may be in double quotes, lines may end with CR LF. A header cell is a name, followed by a unit in
 * brackets if the numbers are not in SI units. */
#ifndef PCM_CONFIG_TABLE_H
#define PCM_CONFIG_TABLE_H

#include "quantity.h"

enum { PCM_TABLE_ROWS_MOST = 1000000 };

/* A column while its rows are read. */
typedef struct pcm_table_column {
    pcm_span unit;      /* in the header, its brackets included; length 0: none */
    size_t   rows_most; /* limit on the number of rows */
    bool     wrong;     /* there was an error, which has been reported */
    /* Private to table.c. */
    uint32_t source, number, cells; /* number: its cell's index in a row; cells: in a row */
    size_t   at, rows;              /* the first byte of the next line; rows read so far */
    char     separator, point;      /* between cells; of the decimals read so far, '\0': none */
} pcm_table_column;

/* Finds a column by file and name, which may be quoted; the file is read at the first call. False if there is none,
 * which is reported. */
bool pcm_table_find(const pcm_value_reader *reader, pcm_span file, pcm_span name, pcm_table_column *column);

/* The number in a cell; an error is reported. */
bool pcm_table_number(const pcm_value_reader *reader, pcm_table_column *column, pcm_span cell, double *number);

/* The cell of the next row, without quotes; false at the end. */
bool pcm_table_next(const pcm_value_reader *reader, pcm_table_column *column, pcm_span *cell);

#endif
