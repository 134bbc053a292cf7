/* SPDX-License-Identifier: MIT */
#include "controls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "csv.h"

/* The column name of an actuator: the actuator's name or, if it has none, its number from 0. */
typedef struct column_name {
    char text[128];
} column_name;

static column_name name_of(const mjModel *model, int actuator)
{
    const char *name = mj_id2name(model, mjOBJ_ACTUATOR, actuator);
    column_name made;
    if (name)
        (void)snprintf(made.text, sizeof made.text, "%s", name);
    else
        (void)snprintf(made.text, sizeof made.text, "actuator%d", actuator);
    return made;
}

/* Lists "time, hip, knee, actuator2", truncated if there is no room. */
static void list_names(const mjModel *model, char *list, size_t size)
{
    size_t at = (size_t)snprintf(list, size, "time");
    for (int i = 0; i < model->nu && at < size; i++) {
        const column_name name = name_of(model, i);
        const bool        fits = at + strlen(name.text) + sizeof ", , ..." < size;
        at += (size_t)snprintf(list + at, size - at, ", %s", fits ? name.text : "...");
        if (!fits)
            return;
    }
}

/* columns[i]: the table's column of actuator i. */
static bool find_columns(const csv_reader *reader, const mjModel *model, size_t *columns)
{
    for (int i = 0; i < model->nu; i++) {
        const column_name name = name_of(model, i);
        columns[i] = csv_find(reader, name.text);
        if (columns[i] == reader->columns) {
            char list[256];
            list_names(model, list, sizeof list);
            csv_error(reader, PCM_MSG_CONTROLS, 0, "there is no column for actuator '%s': the scene needs %s",
                      name.text, list);
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

static bool read_row(series *table, const csv_reader *reader, size_t time_column, const size_t *columns)
{
    double time;
    if (!csv_number(reader, time_column, &time))
        return false;
    if (table->rows && time <= table->times[table->rows - 1]) {
        csv_error(reader, PCM_MSG_CONTROLS, time_column, "row %zu: times must increase from row to row", reader->row);
        return false;
    }
    double *row = series_add(table, time);
    for (size_t i = 0; row && i < table->columns; i++)
        if (!csv_number(reader, columns[i], &row[i]))
            return false;
    return row;
}

static bool read_rows(series *table, csv_reader *reader, const size_t *columns)
{
    const size_t time_column = csv_find(reader, "time");
    if (time_column == reader->columns) {
        csv_error(reader, PCM_MSG_CONTROLS, 0, "there is no column 'time'");
        return false;
    }
    csv_result result;
    while ((result = csv_next(reader)) == CSV_ROW)
        if (!read_row(table, reader, time_column, columns))
            return false;
    if (result == CSV_ERROR)
        return false;
    if (!table->rows)
        csv_error(reader, PCM_MSG_CONTROLS, 0, "the table has no rows");
    return table->rows > 0;
}

bool controls_read(series *table, const char *path, const mjModel *model, uint64_t *hash)
{
    *table = (series){.columns = (size_t)model->nu};
    csv_reader reader;
    size_t    *columns = calloc((size_t)model->nu + 1, sizeof *columns);
    const bool done = columns && csv_open(&reader, path) && find_columns(&reader, model, columns) &&
                      read_rows(table, &reader, columns);
    *hash = done ? csv_hash(&reader) : 0;
    if (columns)
        csv_close(&reader);
    else
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    free(columns);
    return done;
}
