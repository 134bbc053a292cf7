/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "csv.h"

typedef struct table {
    csv_reader   reader;
    picture     *picture;
    size_t       first; /* the first of the picture's curves that belongs to it */
    const char  *path;  /* the prefix of names; "": none */
    size_t       time, contact, base, follower, end;
    option_texts columns;
} table;

/* The column of that name, whether or not a unit in brackets follows it. */
static size_t find(const csv_reader *reader, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < reader->columns; i++) {
        const csv_cell *cell = &reader->names[i];
        if (cell->length >= length && strncmp(cell->text, name, length) == 0 &&
            (cell->length == length || (cell->length > length + 1 && strncmp(cell->text + length, " [", 2) == 0)))
            return i;
    }
    return reader->columns;
}

static bool has_columns(const table *t)
{
    const csv_reader *reader = &t->reader;
    if (t->time == reader->columns) {
        csv_error(reader, PCM_MSG_TABLE_COLUMN, reader->columns,
                  "column 't' or 'time' is missing: there is no time axis");
        return false;
    }
    for (size_t i = 0; i < t->columns.count; i++) {
        if (find(reader, t->columns.at[i]) < reader->columns)
            continue;
        pcm_suggestion near = pcm_suggest(t->columns.at[i], strlen(t->columns.at[i]));
        for (size_t k = 0; k < reader->columns; k++)
            pcm_suggest_try(&near, reader->names[k].text, reader->names[k].length);
        csv_error(reader, PCM_MSG_TABLE_COLUMN, reader->columns, "there is no column '%s'%s", t->columns.at[i],
                  options_hint_of(&near).text);
        return false;
    }
    return true;
}

/* Names the column with its unit: tables of pcm rig omit SI units of common columns. */
static void name_column(const csv_reader *reader, size_t column, char *name, size_t size)
{
    static const struct {
        const char *begin, *unit;
    } units[] = {{"force_", "N"}, {"moment_", "N*m"}, {"energy", "J"}, {"dissipation", "W"}};
    const csv_cell *cell = &reader->names[column];
    const char     *unit = NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units && cell->text[cell->length - 1] != ']'; i++)
        if (cell->length >= strlen(units[i].begin) && strncmp(cell->text, units[i].begin, strlen(units[i].begin)) == 0)
            unit = units[i].unit;
    (void)snprintf(name, size, unit ? "%.*s [%s]" : "%.*s", (int)cell->length, cell->text, unit);
}

/* Names a curve by the row's contact and the column. */
static void name_curve(const table *t, size_t column, char *name, size_t size)
{
    char what[PICTURE_TEXT / 2];
    name_column(&t->reader, column, what, sizeof what);
    const csv_reader *r = &t->reader;
    const csv_cell   *cells = r->cells, none = {.text = ""};
    const bool        by_names = t->base < r->columns && t->follower < r->columns;
    const csv_cell    a = by_names ? cells[t->base] : t->contact < r->columns ? cells[t->contact] : none;
    const csv_cell    b = by_names ? cells[t->follower] : none;
    (void)snprintf(name, size, "%s%s%.*s%s%.*s%s%s", t->path, t->path[0] ? ": " : "", (int)a.length, a.text,
                   by_names ? " and " : "", (int)b.length, b.text, a.length ? ", " : "", what);
}

/* The curve of that name; NULL, with a report: there are too many. */
static picture_curve *curve_of(const table *t, size_t column)
{
    picture *p = t->picture;
    char     name[PICTURE_TEXT];
    name_curve(t, column, name, sizeof name);
    for (size_t i = t->first; i < p->n_curves; i++)
        if (strcmp(p->curves[i].name, name) == 0)
            return &p->curves[i];
    if (p->n_curves < PICTURE_CURVES)
        return picture_add(p, "%s", name);
    csv_error(&t->reader, PCM_MSG_NOT_PLOTTED, t->reader.columns,
              "these are more than %d curves: leave out contacts or columns", PICTURE_CURVES);
    return NULL;
}

/* Adds a row. Cells that are empty, or nan where there is no contact, are gaps. */
static bool add_row(table *t)
{
    const csv_reader *r = &t->reader;
    double            time;
    if (!csv_number(r, t->time, &time))
        return false;
    for (size_t i = 0; i < t->columns.count; i++) {
        const size_t   column = find(r, t->columns.at[i]);
        picture_curve *curve = curve_of(t, column);
        const bool     is_gap = r->cells[column].length == 0 || csv_is(&r->cells[column], "nan");
        double         value = NAN;
        if (!curve || (!is_gap && !csv_number(r, column, &value)))
            return false;
        picture_point(t->picture, curve, time, value);
        if (t->end < r->columns && r->cells[t->end].length > 0)
            picture_point(t->picture, curve, time, NAN);
    }
    return true;
}

static bool add_rows(table *t)
{
    csv_result result;
    while ((result = csv_next(&t->reader)) == CSV_ROW)
        if (!add_row(t))
            return false;
    if (result == CSV_END && t->reader.row == 0)
        csv_error(&t->reader, PCM_MSG_NOT_PLOTTED, t->reader.columns, "the table has no rows");
    return result == CSV_END && t->reader.row > 0;
}

/* Labels the axis: with one column, by that column; with several, the names of the curves label them. */
static void label_axis(const table *t)
{
    char *label = t->picture->y_label;
    if (t->columns.count == 1)
        name_column(&t->reader, find(&t->reader, t->columns.at[0]), label, sizeof t->picture->y_label);
}

bool table_add(picture *p, const char *path, const option_texts *columns, bool prefixed)
{
    const char *usual[] = {"force_n"};
    table       t = {.picture = p, .first = p->n_curves, .path = prefixed ? path : "", .columns = *columns};
    if (columns->count == 0)
        t.columns = (option_texts){usual, 1};
    bool added = csv_open(&t.reader, path);
    if (added) {
        const csv_reader *r = &t.reader;
        t.time = find(r, "t") < r->columns ? find(r, "t") : find(r, "time");
        t.contact = find(r, "contact");
        t.base = find(r, "A");
        t.follower = find(r, "B");
        t.end = find(r, "end");
        added = has_columns(&t);
        if (added)
            label_axis(&t);
        added = added && add_rows(&t);
    }
    csv_close(&t.reader);
    return added;
}
