/* SPDX-License-Identifier: MIT */
#include "controls.h"

#include <stdio.h>
#include <stdlib.h>
#include <pcm/messages.h>

#include "command.h"
#include "csv.h"

static bool grow(controls *table, size_t capacity)
{
    double *times = realloc(table->times, capacity * sizeof *times);
    if (times)
        table->times = times;
    double *values = realloc(table->values, (capacity * table->actuators + 1) * sizeof *values);
    if (values)
        table->values = values;
    if (!times || !values)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return times && values;
}

/* columns[i]: the table's column of actuator i. */
static bool find_columns(const csv_reader *reader, const mjModel *model, size_t *columns)
{
    for (int i = 0; i < model->nu; i++) {
        const char *name = mj_id2name(model, mjOBJ_ACTUATOR, i);
        columns[i] = name ? csv_find(reader, name) : reader->columns;
        if (columns[i] == reader->columns) {
            csv_error(reader, PCM_MSG_CONTROLS, 0, "there is no column for actuator '%s'", name ? name : "(unnamed)");
            return false;
        }
    }
    if (reader->columns > (size_t)model->nu + 1) {
        csv_error(reader, PCM_MSG_CONTROLS, 0, "the table has %zu columns; the scene needs 'time' and %d actuators",
                  reader->columns, (int)model->nu);
        return false;
    }
    return true;
}

static bool read_row(controls *table, const csv_reader *reader, size_t time_column, const size_t *columns)
{
    double *row = table->values + table->rows * table->actuators;
    if (!csv_number(reader, time_column, &table->times[table->rows]))
        return false;
    if (table->rows && table->times[table->rows] <= table->times[table->rows - 1]) {
        csv_error(reader, PCM_MSG_CONTROLS, time_column, "row %zu: times must increase from row to row", reader->row);
        return false;
    }
    for (size_t i = 0; i < table->actuators; i++)
        if (!csv_number(reader, columns[i], &row[i]))
            return false;
    table->rows++;
    return true;
}

static bool read_rows(controls *table, csv_reader *reader, const size_t *columns)
{
    const size_t time_column = csv_find(reader, "time");
    if (time_column == reader->columns) {
        csv_error(reader, PCM_MSG_CONTROLS, 0, "there is no column 'time'");
        return false;
    }
    size_t capacity = 0;
    for (;;) {
        const csv_result result = csv_next(reader);
        if (result == CSV_ERROR)
            return false;
        if (result == CSV_END)
            break;
        if (table->rows == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            if (!grow(table, capacity))
                return false;
        }
        if (!read_row(table, reader, time_column, columns))
            return false;
    }
    if (!table->rows)
        csv_error(reader, PCM_MSG_CONTROLS, 0, "the table has no rows");
    return table->rows > 0;
}

bool controls_read(controls *table, const char *path, const mjModel *model)
{
    *table = (controls){.actuators = (size_t)model->nu};
    csv_reader reader;
    size_t    *columns = calloc((size_t)model->nu + 1, sizeof *columns);
    const bool done = columns && csv_open(&reader, path) && find_columns(&reader, model, columns) &&
                      read_rows(table, &reader, columns);
    if (columns)
        csv_close(&reader);
    else
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    free(columns);
    return done;
}

void controls_free(controls *table)
{
    free(table->times);
    free(table->values);
    *table = (controls){0};
}

void controls_at(const controls *table, double time, double *values)
{
    if (!table->rows)
        return;
    size_t low = 0, high = table->rows - 1;
    while (low < high) { /* the first row at or after the time, or the last */
        const size_t middle = low + (high - low) / 2;
        if (table->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    const size_t before = low && table->times[low] >= time ? low - 1 : low;
    const double span = table->times[low] - table->times[before];
    const double part = span > 0 ? (time - table->times[before]) / span : 0;
    for (size_t i = 0; i < table->actuators; i++) {
        const double from = table->values[before * table->actuators + i],
                     to = table->values[low * table->actuators + i];
        values[i] = from + part * (to - from);
    }
}
