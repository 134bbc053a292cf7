/* SPDX-License-Identifier: MIT */
/* table.h - rows of words, gathered in the order of time and written in the order of their subjects. */
#ifndef PCM_REPLAY_TABLE_H
#define PCM_REPLAY_TABLE_H

#include "buffer.h"

/* The first column names the row's subject: a number below `keys`. */
typedef struct pcm_replay_table {
    pcm_context *context;
    size_t       columns;
    uint32_t    *words; /* row by row */
    size_t       rows, capacity;
    uint32_t    *order, *misses, *starts; /* while it is written */
    size_t       order_capacity, miss_capacity, start_capacity;
} pcm_replay_table;

void pcm_replay_table_free(pcm_replay_table *table);

/* A new row of the table; NULL: no memory. */
uint32_t *pcm_replay_table_add(pcm_replay_table *table);

/* The integer that encodes a value: see format.h. */
uint32_t pcm_replay_step(double value, int linear);

/* Four columns for a rotation, a unit quaternion with the scalar first; of the two, the one whose scalar is 0 or
 * more. */
void pcm_replay_put_turn(uint32_t *row, const double quaternion[4]);

/* Writes the number of rows, then column by column: a byte, the order of prediction (0 to 2: how many words above it
 * uses), and the residuals as four planes of bytes, the highest first. Empties the table. Rows with the same key keep
 * their order. */
void pcm_replay_table_put(pcm_replay_table *table, size_t keys, pcm_buffer *buffer);

#endif
