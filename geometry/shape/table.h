/* SPDX-License-Identifier: MIT */
/* table.h - a hash table from 64-bit keys to 32-bit values. An empty table is all zero. */
#ifndef PCM_GEOMETRY_TABLE_H
#define PCM_GEOMETRY_TABLE_H

#include <pcm/pcm.h>

typedef struct table_slot {
    uint64_t key_plus_one; /* 0: free */
    uint32_t value;
} table_slot;

typedef struct table {
    table_slot *slots;
    size_t      capacity; /* a power of two, or 0 */
    size_t      count;
} table;

/* The value of a key, or NULL; valid until the next change. key must not be UINT64_MAX. */
uint32_t *table_find(const table *t, uint64_t key);

/* The value of a key; a new one starts at 0. NULL: out of memory. */
uint32_t *table_put(pcm_context *context, table *t, uint64_t key);

/* Removes everything and keeps the allocation. */
void table_clear(table *t);

void table_remove(table *t, uint64_t key);
void table_free(pcm_context *context, table *t);

#endif
