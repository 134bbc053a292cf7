/* SPDX-License-Identifier: MIT */
#include "table.h"
#include "format.h"

#include <math.h>
#include <string.h>

void pcm_replay_table_free(pcm_replay_table *table)
{
    pcm_free(table->context, table->words, table->capacity * sizeof *table->words);
    pcm_free(table->context, table->order, table->order_capacity * sizeof *table->order);
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

/* table->order gets the rows by key. */
static bool sort_rows(pcm_replay_table *table, size_t keys)
{
    if (!pcm_grow(table->context, &table->order, &table->order_capacity, table->rows, sizeof *table->order) ||
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

uint32_t pcm_replay_step(double value, int linear)
{
    enum { KEPT = 36, BIAS = 1022 }; /* bits of a double below the steps; its exponent of numbers from 1/2 to 1 */
    const double   size = ldexp(fabs(value), -linear);
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
    step = step < PCM_REPLAY_INFINITE ? step : PCM_REPLAY_INFINITE; /* as singles overflow */
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

/* Small numbers of either sign become small ones without. */
static uint32_t fold(uint32_t number) { return number << 1 ^ (0 - (number >> 31)); }

static size_t width_of(uint32_t number) { return number ? 32 - (size_t)__builtin_clz(number) : 0; }

enum { ORDERS = 3 };

/* A word of a column and those above it. The line through two of them begins anew with each key; among keys there is
 * none. */
typedef struct place {
    uint32_t number, last, rise;
} place;

static void go_on(place *at, const pcm_replay_table *table, size_t i, size_t column)
{
    const uint32_t *row = table->words + table->order[i] * table->columns;
    const bool      same = i > 0 && column > 0 && row[0] == table->words[table->order[i - 1] * table->columns];
    at->rise = same ? at->number - at->last : 0;
    at->last = at->number;
    at->number = row[column];
}

static uint32_t miss(const place *at, size_t order)
{
    return fold(at->number - (order > 0 ? at->last : 0) - (order > 1 ? at->rise : 0));
}

/* The order whose misses have the fewest bits. */
static size_t best_order(const pcm_replay_table *table, size_t column)
{
    size_t bits[ORDERS] = {0}, best = 0;
    place  at = {0};
    for (size_t i = 0; i < table->rows; i++) {
        go_on(&at, table, i, column);
        for (size_t order = 0; order < ORDERS; order++)
            bits[order] += width_of(miss(&at, order));
    }
    for (size_t order = 1; order < ORDERS; order++)
        best = bits[order] < bits[best] ? order : best;
    return best;
}

static void put_column(const pcm_replay_table *table, size_t column, uint8_t *to)
{
    const size_t rows = table->rows, order = best_order(table, column);
    place        at = {0};
    to[0] = (uint8_t)order;
    for (size_t i = 0; i < rows; i++) {
        go_on(&at, table, i, column);
        const uint32_t missed = miss(&at, order);
        for (size_t plane = 0; plane < 4; plane++)
            to[1 + plane * rows + i] = (uint8_t)(missed >> (24 - 8 * plane));
    }
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
