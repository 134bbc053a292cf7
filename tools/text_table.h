/* SPDX-License-Identifier: MIT */
/* text_table.h - tables with aligned columns, for people to read. */
#ifndef PCM_TOOLS_TEXT_TABLE_H
#define PCM_TOOLS_TEXT_TABLE_H

#include <stddef.h>

enum { GRID_COLUMNS = 9 };

typedef struct grid {
    size_t columns;
    size_t rows, room;
    char *(*cells)[GRID_COLUMNS];
} grid;

/* Adds a row of `columns` texts, which are copied; NULL counts as empty. */
void grid_add(grid *g, const char *const *texts);

/* Prints the rows to standard output, indented, two blanks between columns, and empties the grid. */
void grid_print(grid *g, int indent);

/* The same as a Markdown table whose first row is the header. */
void grid_print_markdown(grid *g);

/* Empties the grid. */
void grid_clear(grid *g);

#define GRID_ADD(g, ...) grid_add((g), (const char *const[GRID_COLUMNS]){__VA_ARGS__})

#endif
