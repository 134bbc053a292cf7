/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <math.h>
#include <pcm/pcm.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LONGEST_LINE = 1 << 14 };

static void take_header(reference *table, const char *line)
{
    table->text = strdup(line);
    assert_non_null(table->text);
    for (char *at = strtok(table->text, ",\n"); at; at = strtok(NULL, ",\n")) {
        table->names = realloc(table->names, (table->columns + 1) * sizeof *table->names);
        assert_non_null(table->names);
        table->names[table->columns++] = at;
    }
}

static void take_row(reference *table, const char *line)
{
    table->cells = realloc(table->cells, (table->rows + 1) * table->columns * sizeof *table->cells);
    table->words = realloc(table->words, (table->rows + 1) * table->columns * sizeof *table->words);
    assert_non_null(table->cells);
    assert_non_null(table->words);
    size_t at = table->rows++ * table->columns;
    for (size_t i = 0; i < table->columns; i++, at++) {
        const size_t length = strcspn(line, ",\n");
        snprintf(table->words[at], REFERENCE_WORD, "%.*s", (int)length, line);
        if (pcm_number_read(line, length, &table->cells[at]) != length)
            table->cells[at] = NAN;
        line += length;
        assert_int_equal(*line, i + 1 < table->columns ? ',' : '\n');
        line++;
    }
}

reference reference_open(const char *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", PCM_REFERENCE, file);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);

    static char line[LONGEST_LINE];
    reference   table = {.rows = 0};
    while (fgets(line, sizeof line, stream)) {
        if (line[0] == '#')
            continue;
        if (!table.names)
            take_header(&table, line);
        else
            take_row(&table, line);
    }
    fclose(stream);
    assert_true(table.rows > 0);
    return table;
}

void reference_close(reference *table)
{
    free(table->text);
    free(table->names);
    free(table->cells);
    free(table->words);
}

size_t reference_column(const reference *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++) {
        const size_t length = strcspn(table->names[i], "[");
        if (length == strlen(name) && strncmp(table->names[i], name, length) == 0)
            return i;
    }
    fail_msg("no column %s", name);
    return 0;
}

double reference_at(const reference *table, size_t row, const char *column)
{
    return table->cells[row * table->columns + reference_column(table, column)];
}

const char *reference_word(const reference *table, size_t row, const char *column)
{
    return table->words[row * table->columns + reference_column(table, column)];
}

bool near(double actual, double expected, double absolute, double relative)
{
    return fabs(actual - expected) <= absolute + relative * fabs(expected);
}
