/* SPDX-License-Identifier: MIT */
#include "hash_index.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PCM_FIRST_SLOTS = 64 };

uint64_t pcm_hash_secret(void)
{
    uint64_t secret;
    if (getentropy(&secret, sizeof secret) != 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        secret = ((uint64_t)now.tv_nsec << 32 ^ (uint64_t)(uintptr_t)&now) * 0xD6E8FEB86659FD93u;
    }
    return secret | 1;
}

static size_t slots_of(const pcm_index *index) { return index->slots ? index->mask + 1 : 0; }

pcm_status pcm_index_reserve(pcm_context *context, pcm_index *index, size_t more)
{
    size_t slots = slots_of(index);
    if (2 * (index->count + more) <= slots)
        return PCM_OK;
    size_t wanted = slots ? slots : PCM_FIRST_SLOTS;
    while (wanted < 2 * (index->count + more))
        wanted *= 2;
    pcm_index grown = {pcm_allocate(context, wanted * sizeof(pcm_slot)), wanted - 1, 0};
    if (!grown.slots)
        return PCM_NO_MEMORY;
    for (size_t i = 0; i < slots; i++)
        if (index->slots[i].value)
            pcm_index_add(&grown, index->slots[i].hash, index->slots[i].value);
    pcm_index_free(context, index);
    *index = grown;
    return PCM_OK;
}

void pcm_index_add(pcm_index *index, uint32_t hash, uint32_t value)
{
    size_t at = hash & index->mask;
    while (index->slots[at].value)
        at = (at + 1) & index->mask;
    index->slots[at] = (pcm_slot){hash, value};
    index->count++;
}

void pcm_index_remove(pcm_index *index, uint32_t hash, uint32_t value)
{
    size_t mask = index->mask, hole = hash & mask;
    while (index->slots[hole].hash != hash || index->slots[hole].value != value)
        hole = (hole + 1) & mask;
    /* Later entries that a probe would no longer reach because of the hole move into it. */
    for (size_t at = (hole + 1) & mask; index->slots[at].value; at = (at + 1) & mask) {
        size_t home = index->slots[at].hash & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            index->slots[hole] = index->slots[at];
            hole = at;
        }
    }
    index->slots[hole] = (pcm_slot){0, 0};
    index->count--;
}

void pcm_index_clear(pcm_index *index)
{
    if (index->count)
        memset(index->slots, 0, slots_of(index) * sizeof *index->slots);
    index->count = 0;
}

void pcm_index_free(pcm_context *context, pcm_index *index)
{
    pcm_free(context, index->slots, slots_of(index) * sizeof(pcm_slot));
    *index = (pcm_index){0};
}
