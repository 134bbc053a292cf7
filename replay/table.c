/* SPDX-License-Identifier: MIT */
#include "table.h"
#include "format.h"

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

/* A single as an integer of the same order: one step is the least change of what is kept of it. */
static uint32_t step_of(uint32_t single)
{
    const uint32_t size = (single & 0x7fffffffu) >> PCM_REPLAY_DROPPED;
    return single >> 31 ? 0 - size : size;
}

/* Small numbers of either sign become small ones without. */
static uint32_t fold(uint32_t number) { return number << 1 ^ (0 - (number >> 31)); }

static void put_column(const pcm_replay_table *table, size_t column, uint8_t *planes)
{
    const size_t rows = table->rows;
    uint32_t     last = 0, rise = 0;
    for (size_t i = 0; i < rows; i++) {
        const uint32_t word = table->words[table->order[i] * table->columns + column];
        const uint32_t number = column < table->singles ? word : step_of(word);
        const uint32_t bend = fold(number - last - rise);
        for (size_t plane = 0; plane < 4; plane++)
            planes[plane * rows + i] = (uint8_t)(bend >> (24 - 8 * plane));
        rise = number - last;
        last = number;
    }
}

void pcm_replay_table_put(pcm_replay_table *table, size_t keys, pcm_buffer *buffer)
{
    pcm_put_u32(buffer, table->rows);
    uint8_t *planes = table->rows ? pcm_buffer_take(buffer, 4 * table->rows * table->columns) : NULL;
    if (planes && sort_rows(table, keys))
        for (size_t column = 0; column < table->columns; column++)
            put_column(table, column, planes + 4 * table->rows * column);
    else if (table->rows)
        buffer->starved = true;
    table->rows = 0;
}
