/* SPDX-License-Identifier: MIT */
/* memory.c - the context's allocator provides all memory, which is freed with its size. */
#include "context_struct.h"

void *pcm_allocate(pcm_context *context, size_t bytes)
{
    if (bytes == 0)
        return NULL;
    void *memory = context->allocator.allocate(context->allocator.user, bytes);
    if (memory && !context->zeroed)
        memset(memory, 0, bytes);
    return memory;
}

void pcm_free(pcm_context *context, void *memory, size_t bytes)
{
    if (memory)
        context->allocator.release(context->allocator.user, memory, bytes);
}

bool pcm_grow(pcm_context *context, void *array, size_t *capacity, size_t wanted, size_t size)
{
    enum { FEWEST = 16 };
    if (wanted <= *capacity)
        return true;
    size_t larger = *capacity < FEWEST / 2 ? FEWEST : 2 * *capacity;
    larger = larger < wanted ? wanted : larger;
    void *grown = larger <= SIZE_MAX / size ? pcm_allocate(context, larger * size) : NULL, *old;
    if (!grown)
        return false;
    memcpy(&old, array, sizeof old);
    if (old)
        memcpy(grown, old, *capacity * size);
    pcm_free(context, old, *capacity * size);
    memcpy(array, &grown, sizeof grown);
    *capacity = larger;
    return true;
}
