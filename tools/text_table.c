/* SPDX-License-Identifier: MIT */
#include "text_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"

void grid_add(grid *g, const char *const *texts)
{
    if (g->rows == g->room) {
        const size_t room = g->room ? 2 * g->room : 16;
        void        *cells = realloc(g->cells, room * sizeof *g->cells);
        if (!cells) {
            command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory: a row is missing");
            return;
        }
        g->cells = cells;
        g->room = room;
    }
    for (size_t i = 0; i < GRID_COLUMNS; i++) {
        g->cells[g->rows][i] = i < g->columns ? strdup(texts[i] ? texts[i] : "") : NULL;
        if (i < g->columns && !g->cells[g->rows][i])
            command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory: a cell is missing");
    }
    g->rows++;
}

static const char *cell(const grid *g, size_t row, size_t column)
{
    return g->cells[row][column] ? g->cells[row][column] : "";
}

/* Width in characters, not bytes: continuation bytes of UTF-8 count as zero. */
static size_t width(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

void grid_clear(grid *g)
{
    for (size_t i = 0; i < g->rows; i++)
        for (size_t j = 0; j < g->columns; j++)
            free(g->cells[i][j]);
    free(g->cells);
    *g = (grid){.columns = g->columns};
}

void grid_print(grid *g, int indent)
{
    size_t widths[GRID_COLUMNS] = {0};
    for (size_t i = 0; i < g->rows; i++)
        for (size_t j = 0; j < g->columns; j++)
            if (width(cell(g, i, j)) > widths[j])
                widths[j] = width(cell(g, i, j));
    for (size_t i = 0; i < g->rows; i++) {
        size_t last = g->columns;
        while (last > 0 && *cell(g, i, last - 1) == '\0')
            last--;
        (void)printf("%*s", indent, "");
        for (size_t j = 0; j < last; j++) {
            const char  *text = cell(g, i, j);
            const size_t gap = j + 1 < last ? widths[j] - width(text) + (widths[j] > 0 ? 2 : 0) : 0;
            (void)printf("%s%*s", text, (int)gap, "");
        }
        (void)putchar('\n');
    }
    grid_clear(g);
}

/* Escapes a bar, which would end the cell. */
static void print_escaped(const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            (void)putchar('\\');
        (void)putchar(*text);
    }
}

void grid_print_markdown(grid *g)
{
    for (size_t i = 0; i < g->rows; i++) {
        for (size_t j = 0; j < g->columns; j++) {
            (void)fputs(j == 0 ? "| " : " | ", stdout);
            print_escaped(cell(g, i, j));
        }
        (void)puts(" |");
        for (size_t j = 0; i == 0 && j < g->columns; j++)
            (void)fputs(j + 1 < g->columns ? "|---" : "|---|\n", stdout);
    }
    grid_clear(g);
}
