/* SPDX-License-Identifier: MIT */
/* table.c - a hash table with open addressing and linear probing (Knuth, volume 3, 6.4), at most half full. Removal
 * closes the gap, so a table whose number of entries stays the same never grows. */
#include "table.h"
#include <string.h>

static size_t home(const table *t, uint64_t key_plus_one)
{
    uint64_t h = key_plus_one * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    return (size_t)(h * 0xD6E8FEB86659FD93u >> 20) & (t->capacity - 1);
}

/* The slot that holds the key, or the free slot where it would go. */
static table_slot *slot_of(const table *t, uint64_t key_plus_one)
{
    size_t i = home(t, key_plus_one);
    while (t->slots[i].key_plus_one != 0 && t->slots[i].key_plus_one != key_plus_one)
        i = (i + 1) & (t->capacity - 1);
    return &t->slots[i];
}

uint32_t *table_find(const table *t, uint64_t key)
{
    if (t->capacity == 0)
        return NULL;
    table_slot *slot = slot_of(t, key + 1);
    return slot->key_plus_one != 0 ? &slot->value : NULL;
}

static bool grow(pcm_context *context, table *t)
{
    table larger = {.capacity = t->capacity ? 2 * t->capacity : 64, .count = t->count};
    larger.slots = pcm_allocate(context, larger.capacity * sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->slots[i].key_plus_one != 0)
            *slot_of(&larger, t->slots[i].key_plus_one) = t->slots[i];
    table_free(context, t);
    *t = larger;
    return true;
}

uint32_t *table_put(pcm_context *context, table *t, uint64_t key)
{
    uint32_t *found = table_find(t, key);
    if (found)
        return found;
    if (2 * (t->count + 1) > t->capacity && !grow(context, t))
        return NULL;
    table_slot *slot = slot_of(t, key + 1);
    *slot = (table_slot){key + 1, 0};
    t->count++;
    return &slot->value;
}

void table_clear(table *t)
{
    if (t->count > 0)
        memset(t->slots, 0, t->capacity * sizeof *t->slots);
    t->count = 0;
}

void table_remove(table *t, uint64_t key)
{
    if (!table_find(t, key))
        return;
    size_t hole = (size_t)(slot_of(t, key + 1) - t->slots);
    for (size_t i = hole;;) {
        i = (i + 1) & (t->capacity - 1);
        if (t->slots[i].key_plus_one == 0)
            break;
        /* An entry after the hole moves into it, unless its home slot lies between the two. */
        const size_t from_home = (i - home(t, t->slots[i].key_plus_one)) & (t->capacity - 1);
        if (from_home >= ((i - hole) & (t->capacity - 1))) {
            t->slots[hole] = t->slots[i];
            hole = i;
        }
    }
    t->slots[hole] = (table_slot){0, 0};
    t->count--;
}

void table_free(pcm_context *context, table *t)
{
    pcm_free(context, t->slots, t->capacity * sizeof *t->slots);
    *t = (table){0};
}
