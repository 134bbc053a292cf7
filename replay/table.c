/* SPDX-License-Identifier: MIT */
#include "table.h"
#include "format.h"

#include <math.h>
#include <string.h>

enum { ORDERS = 3 }; /* the orders of prediction for a column */

void pcm_replay_table_free(pcm_replay_table *table)
{
    pcm_free(table->context, table->words, table->capacity * sizeof *table->words);
    pcm_free(table->context, table->order, table->order_capacity * sizeof *table->order);
    pcm_free(table->context, table->misses, table->miss_capacity * sizeof *table->misses);
    pcm_free(table->context, table->starts, table->start_capacity * sizeof *table->starts);
}

uint32_t *pcm_replay_table_add(pcm_replay_table *table)
{
    const size_t used = table->rows * table->columns;
    if (!pcm_grow(table->context, &table->words, &table->capacity, used + table->columns, sizeof *table->words))
        return NULL;
    table->rows++;
    return memset(table->words + used, 0, table->columns * sizeof *table->words);
}

/* Sorts the rows by key into table->order, and makes room for the residuals of a column. */
static bool sort_rows(pcm_replay_table *table, size_t keys)
{
    if (!pcm_grow(table->context, &table->order, &table->order_capacity, table->rows, sizeof *table->order) ||
        !pcm_grow(table->context, &table->misses, &table->miss_capacity, ORDERS * table->rows, sizeof *table->misses) ||
        !pcm_grow(table->context, &table->starts, &table->start_capacity, keys + 1, sizeof *table->starts))
        return false;
    uint32_t *starts = table->starts;
    memset(starts, 0, (keys + 1) * sizeof *starts);
    for (size_t row = 0; row < table->rows; row++)
        starts[table->words[row * table->columns] + 1]++;
    for (size_t key = 0; key < keys; key++)
        starts[key + 1] += starts[key];
    for (size_t row = 0; row < table->rows; row++)
        table->order[starts[table->words[row * table->columns]]++] = (uint32_t)row;
    return true;
}

/* ---- Numbers --------------------------------------------------------------------------------------------------- */

/* Of a normal number. */
static double power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double         power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

uint32_t pcm_replay_step(double value, int linear)
{
    enum { KEPT = 36, BIAS = 1022 }; /* bits of a double below a step; exponent field from 1/2 to 1 */
    const double   size = fabs(value) * power_of_two(-linear);
    const uint64_t half = (uint64_t)1 << (KEPT - 1);
    uint64_t       bits;
    uint32_t       step;
    memcpy(&bits, &size, sizeof bits);
    if (isnan(value))
        return PCM_REPLAY_INFINITE + PCM_REPLAY_STEPS / 2;
    if (size < 1)
        step = (uint32_t)(size * PCM_REPLAY_STEPS + 0.5);
    else
        step = (uint32_t)((bits + half) >> KEPT) - BIAS * PCM_REPLAY_STEPS;
    step = step < PCM_REPLAY_INFINITE ? step : PCM_REPLAY_INFINITE; /* floats overflow here */
    return value < 0 ? 0 - step : step;
}

void pcm_replay_put_turn(uint32_t *row, const double quaternion[4])
{
    const double sign = quaternion[0] < 0 ? -1 : 1;
    for (size_t k = 0; k < 4; k++)
        row[k] = pcm_replay_step(sign * quaternion[k], PCM_REPLAY_LINEAR_TURN);
    row[0] -= pcm_replay_scalar(row + 1);
}

/* ---- Columns --------------------------------------------------------------------------------------------------- */

/* Maps small numbers of either sign to small unsigned ones. */
static uint32_t fold(uint32_t number) { return number << 1 ^ (0 - (number >> 31)); }

static size_t width_of(uint32_t number) { return number ? 32 - (size_t)__builtin_clz(number) : 0; }

/* Fills table->misses with the residuals of a column for each order of prediction. The line through two words starts
 * again with each key; there is none across keys. Returns the order whose residuals have the fewest bits. */
static size_t find_misses(pcm_replay_table *table, size_t column)
{
    const size_t rows = table->rows;
    size_t       bits[ORDERS] = {0}, best = 0;
    uint32_t     last = 0, rise = 0, key = 0;
    for (size_t i = 0; i < rows; i++) {
        const uint32_t *row = table->words + table->order[i] * table->columns;
        const bool      goes_on = i > 0 && column > 0 && row[0] == key;
        const uint32_t  step = row[column] - last, miss[ORDERS] = {row[column], step, step - (goes_on ? rise : 0)};
        for (size_t order = 0; order < ORDERS; order++) {
            table->misses[order * rows + i] = fold(miss[order]);
            bits[order] += width_of(table->misses[order * rows + i]);
        }
        key = row[0];
        last = row[column];
        rise = step;
    }
    for (size_t order = 1; order < ORDERS; order++)
        best = bits[order] < bits[best] ? order : best;
    return best;
}

static void put_column(pcm_replay_table *table, size_t column, uint8_t *to)
{
    const size_t    rows = table->rows, order = find_misses(table, column);
    const uint32_t *missed = table->misses + order * rows;
    to[0] = (uint8_t)order;
    for (size_t plane = 0; plane < 4; plane++)
        for (size_t i = 0; i < rows; i++)
            to[1 + plane * rows + i] = (uint8_t)(missed[i] >> (24 - 8 * plane));
}

void pcm_replay_table_put(pcm_replay_table *table, size_t keys, pcm_buffer *buffer)
{
    pcm_put_u32(buffer, table->rows);
    const size_t bytes = 1 + 4 * table->rows; /* of a column */
    uint8_t     *to = table->rows ? pcm_buffer_take(buffer, bytes * table->columns) : NULL;
    if (to && sort_rows(table, keys))
        for (size_t column = 0; column < table->columns; column++)
            put_column(table, column, to + bytes * column);
    else if (table->rows)
        buffer->starved = true;
    table->rows = 0;
}
