/* SPDX-License-Identifier: MIT */
/* memory.c - everything is allocated by the context's allocator, and freed with its size. */
#include "context.h"

void *pcm_allocate(pcm_context *context, size_t bytes)
{
    if (bytes == 0)
        return NULL;
    void *memory = context->allocator.allocate(context->allocator.user, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

void pcm_free(pcm_context *context, void *memory, size_t bytes)
{
    if (memory)
        context->allocator.release(context->allocator.user, memory, bytes);
}

void *pcm_reallocate(pcm_context *context, void *memory, size_t bytes, size_t new_bytes)
{
    void *grown = pcm_allocate(context, new_bytes);
    if (grown && memory) {
        memcpy(grown, memory, bytes < new_bytes ? bytes : new_bytes);
        pcm_free(context, memory, bytes);
    }
    return grown;
}

bool pcm_grow(pcm_context *context, void **array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void  *grown = pcm_reallocate(context, *array, *capacity * size, wanted * size);
    if (!grown)
        return false;
    *array = grown;
    *capacity = wanted;
    return true;
}
