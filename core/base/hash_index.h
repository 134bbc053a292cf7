/* SPDX-License-Identifier: MIT */
/* hash_index.h - open addressing from a 32-bit hash to a number, for keys that live elsewhere. */
#ifndef PCM_BASE_HASH_INDEX_H
#define PCM_BASE_HASH_INDEX_H

#include "context_struct.h"

typedef struct pcm_slot {
    uint32_t hash, value; /* value 0: empty */
} pcm_slot;

/* Starts as all zero. A probe for a key runs from slots[hash & mask] to the first empty slot, and compares the keys of
 * those entries whose hash is equal. */
typedef struct pcm_index {
    pcm_slot *slots; /* NULL until the first reserve */
    size_t    mask;  /* number of slots - 1, the number a power of two */
    size_t    count;
} pcm_index;

static inline uint32_t pcm_hash(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(h >> 32);
}

/* A random odd number that cannot be guessed. */
uint64_t pcm_hash_secret(void);

/* Prefetches the slot where a probe begins. */
static inline void pcm_index_ask(const pcm_index *index, uint32_t hash)
{
    if (index->slots)
        __builtin_prefetch(&index->slots[hash & index->mask], 1);
}

/* Reserves room for that many more entries. */
pcm_status pcm_index_reserve(pcm_context *context, pcm_index *index, size_t more);

/* Adds an entry whose key is not present. Room must have been reserved. */
void pcm_index_add(pcm_index *index, uint32_t hash, uint32_t value);

/* Removes the entry with this hash and value, which must be present. */
void pcm_index_remove(pcm_index *index, uint32_t hash, uint32_t value);

/* Removes all entries. */
void pcm_index_clear(pcm_index *index);

void pcm_index_free(pcm_context *context, pcm_index *index);

#endif
