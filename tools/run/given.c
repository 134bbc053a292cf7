/* SPDX-License-Identifier: MIT */
#include "given.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "csv.h"

/* ---- The pairs whose laws read inputs ---------------------------------------------------------------------------- */

static int by_names(const void *a, const void *b)
{
    const given_pair *first = a, *second = b;
    const int         order = strcmp(first->a, second->a);
    return order ? order : strcmp(first->b, second->b);
}

/* Sorts by all members; types may be in any order. */
static int by_all(const void *a, const void *b)
{
    const given_pair *first = a, *second = b;
    const int         order = by_names(a, b);
    if (order)
        return order;
    if (first->type != second->type)
        return (uintptr_t)first->type > (uintptr_t)second->type ? 1 : -1;
    return (first->point > second->point) - (first->point < second->point);
}

static given_pair *find(const given *table, const char *a, const char *b, const pcm_type *type, int64_t point,
                        int (*order)(const void *, const void *))
{
    const bool       swapped = strcmp(a, b) > 0;
    const given_pair key = {.a = swapped ? b : a, .b = swapped ? a : b, .type = type, .point = point};
    return table->count ? bsearch(&key, table->pairs, table->count, sizeof key, order) : NULL;
}

static bool add(given *table, const char *a, const char *b, const pcm_type *type, int64_t point)
{
    const bool swapped = strcmp(a, b) > 0;
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 16;
        given_pair  *pairs = realloc(table->pairs, capacity * sizeof *pairs);
        if (!pairs)
            return false;
        table->pairs = pairs;
        table->capacity = capacity;
    }
    table->pairs[table->count++] = (given_pair){
        swapped ? b : a, swapped ? a : b, type, point, {.columns = pcm_type_get_info(type)->n_host_inputs}};
    return true;
}

/* Drops duplicates: objects may share a name, and their pairs of one type count as one. */
static void drop_doubles(given *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++)
        if (kept == 0 || by_all(&table->pairs[kept - 1], &table->pairs[i]) != 0)
            table->pairs[kept++] = table->pairs[i];
    table->count = kept;
}

static bool list_pairs(given *table, const pcm_mujoco *host)
{
    const char *a, *b;
    for (size_t i = 0; pcm_mujoco_pair_names(host, i, &a, &b); i++) {
        const pcm_type *type = pcm_mujoco_pair_type(host, i);
        const int64_t   points = (int64_t)pcm_mujoco_pair_points(host, i);
        for (int64_t point = -1; point < points && pcm_type_get_info(type)->n_host_inputs > 0; point++)
            if (!add(table, a, b, type, point)) {
                command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
                return false;
            }
    }
    if (table->count)
        qsort(table->pairs, table->count, sizeof *table->pairs, by_all);
    drop_doubles(table);
    return true;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

typedef struct reading {
    given     *table;
    csv_reader reader;
    size_t     time, a, b, point; /* columns; `point` may be missing */
} reading;

static bool find_columns(reading *r)
{
    static const char *const names[] = {"time", "a", "b"};
    size_t *const            columns[] = {&r->time, &r->a, &r->b};
    for (int i = 0; i < 3; i++) {
        *columns[i] = csv_find(&r->reader, names[i]);
        if (*columns[i] == r->reader.columns) {
            csv_error(&r->reader, PCM_MSG_GIVEN, 0, "there is no column '%s'", names[i]);
            return false;
        }
    }
    r->point = csv_find(&r->reader, "point");
    return true;
}

static char *copy(const char *text, size_t length)
{
    char *made = malloc(length + 1);
    if (made) {
        memcpy(made, text, length);
        made[length] = '\0';
    }
    return made;
}

/* The first of the pairs with these names; each has a different type. */
static given_pair *find_pairs(const reading *r)
{
    const csv_cell *a = &r->reader.cells[r->a], *b = &r->reader.cells[r->b];
    char           *first = copy(a->text, a->length), *second = copy(b->text, b->length);
    given_pair     *pair = first && second ? find(r->table, first, second, NULL, -1, by_names) : NULL;
    while (pair && pair > r->table->pairs && by_names(pair - 1, pair) == 0)
        pair--;
    if (!first || !second)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    else if (!pair)
        csv_error(&r->reader, PCM_MSG_GIVEN, r->a,
                  "row %zu: '%s' and '%s' are not a pair of the scene whose law reads inputs", r->reader.row, first,
                  second);
    free(first);
    free(second);
    return pair;
}

/* Reads the inputs of a row. An input that the law reads needs a column; other inputs keep their value if there is no
 * column. */
static bool read_inputs(const reading *r, const given_pair *pair, double *values)
{
    const pcm_type_info *info = pcm_type_get_info(pair->type);
    for (uint32_t i = 0, at = 0; i < info->model->host_inputs.count; i++) {
        const pcm_host_input *input = pcm_model_host_input(info->model, i);
        const bool            tangent = input->shape == PCM_TANGENT;
        for (int k = 0; k < (tangent ? 2 : 1); k++, at++) {
            char name[128];
            (void)snprintf(name, sizeof name, "%s%s", input->name, !tangent ? "" : k ? "_y" : "_x");
            const size_t column = csv_find(&r->reader, name);
            values[at] = NAN;
            if (column < r->reader.columns && !csv_number(&r->reader, column, &values[at]))
                return false;
            if (column == r->reader.columns && !input->fallback && pcm_type_when(pair->type, input->when)) {
                csv_error(&r->reader, PCM_MSG_GIVEN, r->a, "row %zu: there is no column '%s', which '%s' reads",
                          r->reader.row, name, info->name);
                return false;
            }
        }
    }
    return true;
}

static bool read_row_of(const reading *r, given_pair *pair, double time)
{
    if (pair->inputs.rows && time <= pair->inputs.times[pair->inputs.rows - 1]) {
        csv_error(&r->reader, PCM_MSG_GIVEN, r->time, "row %zu: the times of a pair must increase from row to row",
                  r->reader.row);
        return false;
    }
    double *values = series_add(&pair->inputs, time);
    return values && read_inputs(r, pair, values);
}

/* Reads the point of the row; -1 if the row names none. */
static bool read_point(const reading *r, double *point)
{
    *point = -1;
    if (r->point == r->reader.columns || r->reader.cells[r->point].length == 0)
        return true;
    if (!csv_number(&r->reader, r->point, point))
        return false;
    if (*point >= 0)
        return true;
    csv_error(&r->reader, PCM_MSG_GIVEN, r->point, "row %zu: points are counted from 0", r->reader.row);
    return false;
}

static bool read_row(const reading *r)
{
    double            time, point;
    given_pair *const first = find_pairs(r), *const end = r->table->pairs + r->table->count;
    bool found = false, good = first && csv_number(&r->reader, r->time, &time) && read_point(r, &point);
    for (given_pair *pair = first; good && pair < end && by_names(first, pair) == 0; pair++)
        if ((double)pair->point == point) {
            found = true;
            good = read_row_of(r, pair, time);
        }
    if (good && !found)
        csv_error(&r->reader, PCM_MSG_GIVEN, r->point, "row %zu: the pair has no point of that number", r->reader.row);
    return good && found;
}

static bool read_rows(reading *r)
{
    csv_result result;
    while ((result = csv_next(&r->reader)) == CSV_ROW)
        if (!read_row(r))
            return false;
    if (result == CSV_END && r->reader.row == 0)
        csv_error(&r->reader, PCM_MSG_GIVEN, 0, "the table has no rows");
    return result == CSV_END && r->reader.row > 0;
}

bool given_read(given *table, const char *path, const pcm_mujoco *host, uint64_t *hash)
{
    reading r = {.table = table};
    if (!list_pairs(table, host))
        return false;
    const bool done = csv_open(&r.reader, path) && find_columns(&r) && read_rows(&r);
    *hash = done ? csv_hash(&r.reader) : 0;
    csv_close(&r.reader);
    return done;
}

void given_free(given *table)
{
    for (size_t i = 0; i < table->count; i++)
        series_free(&table->pairs[i].inputs);
    free(table->pairs);
    *table = (given){0};
}

double given_value(void *table, double time, const pcm_mujoco_contact_point *place, uint32_t column)
{
    const given_pair *pair = find(table, place->a, place->b, place->type, place->feature, by_all);
    if (!pair || !pair->inputs.rows)
        pair = find(table, place->a, place->b, place->type, -1, by_all);
    return pair && pair->inputs.rows ? series_value(&pair->inputs, time, column) : NAN;
}
