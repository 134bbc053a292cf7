/* SPDX-License-Identifier: MIT */
/* csv.h - reads and writes tables; every command uses it.
 *
 * A table is a header row and rows with the same number of cells, separated by commas, or by semicolons or tabs if the
 * header has no comma. Behind semicolons numbers may have a decimal comma. Lines that start with # and empty lines are
 * skipped. A cell may be in double quotes, where "" is one quote; lines may end with CR LF. Blanks around a cell are
 * not part of it. */
#ifndef PCM_TOOLS_CSV_H
#define PCM_TOOLS_CSV_H

#include <pcm/pcm.h>
#include <stdio.h>

typedef struct csv_cell {
    const char *text; /* not NUL-terminated; for a quoted cell, the text between the quotes, with "" unchanged */
    size_t      length;
    size_t      offset; /* in the file, for messages */
    bool        quoted;
} csv_cell;

typedef struct csv_reader {
    const char *path;
    char       *text; /* the whole file */
    size_t      length, at;
    uint32_t    line; /* line number of the current row */
    uint32_t    next_line;
    size_t      row_start;               /* bytes before the row's line */
    size_t      header_start, first_row; /* bytes before the header's line and before the line after it */
    uint32_t    header_line, first_line; /* the numbers of these lines */
    size_t      row;                     /* number of rows read, without the header: the number of the current row */
    size_t      columns;
    char        separator;     /* between cells */
    csv_cell   *names, *cells; /* `columns` each; cells are those of the current row */
} csv_reader;

/* Opens the file ("-": standard input) and reads its header row. False, with a report, on failure; close the reader in
 * either case. */
bool csv_open(csv_reader *reader, const char *path);
void csv_close(csv_reader *reader);

typedef enum csv_result { CSV_ROW, CSV_END, CSV_ERROR } csv_result;

/* Reads the next row into reader->cells. CSV_ERROR has been reported. */
csv_result csv_next(csv_reader *reader);

/* A hash of the file's bytes. */
uint64_t csv_hash(const csv_reader *reader);

/* Returns to the position before the first row. */
void csv_rewind(csv_reader *reader);

/* Whether the cell equals that text. */
bool csv_is(const csv_cell *cell, const char *text);

/* The column of that name, or reader->columns. */
size_t csv_find(const csv_reader *reader, const char *name);

/* The cell of the current row as a finite number; false, with a report of row and column: it is not a number. */
bool csv_number(const csv_reader *reader, size_t column, double *value);

/* Reports an error in a cell of the current row or, before the first row, of the header; format as for printf. */
void csv_error(const csv_reader *reader, uint32_t code, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

typedef struct csv_writer {
    const char *path;
    FILE       *file;
    bool        in_row, failed, told_formula;
    char       *buffer;
    size_t      used, whole, room; /* bytes in the buffer, and bytes of complete rows, the only ones that are written */
    uint64_t    written;           /* bytes written to the file */
} csv_writer;

/* Starts a table in the file (NULL: standard output); false, with a report: it cannot be created. */
bool csv_create(csv_writer *writer, const char *path);

/* Continues a table after its first `bytes` bytes and drops the rest; false, with a report: it has fewer bytes. */
bool csv_continue(csv_writer *writer, const char *path, uint64_t bytes);

/* Flushes all rows to the disk; false, with a report: they could not be written. */
bool csv_sync(csv_writer *writer);

/* Control characters become \xNN. The first text of a table that spreadsheets take for a formula is warned of. */
void csv_put_text(csv_writer *writer, const char *text);
void csv_put_number(csv_writer *writer, double value); /* 17 significant digits */
void csv_end_row(csv_writer *writer);

/* Ends the table; false, with a report: some of it could not be written. */
bool csv_finish(csv_writer *writer);

#endif
