/* SPDX-License-Identifier: MIT */
#include "arena.h"

enum { SMALLEST_BLOCK = 4096, LARGEST_BLOCK = 1 << 18, ALIGNMENT = 16 };

typedef struct pcm_arena_block {
    struct pcm_arena_block *older;
    size_t                  bytes; /* this header included */
} pcm_arena_block;

/* Blocks double, so that a small file costs little and a large one few calls. */
static bool arena_grow(pcm_arena *arena, size_t bytes)
{
    size_t size = arena->blocks == NULL ? SMALLEST_BLOCK : 2 * arena->blocks->bytes;
    size = size > LARGEST_BLOCK ? LARGEST_BLOCK : size;
    if (bytes > SIZE_MAX - ALIGNMENT - sizeof(pcm_arena_block))
        return false;
    if (size < bytes + ALIGNMENT + sizeof(pcm_arena_block))
        size = bytes + ALIGNMENT + sizeof(pcm_arena_block);
    pcm_arena_block *block = arena->allocator.allocate(arena->allocator.user, size);
    if (block == NULL)
        return false;
    *block = (pcm_arena_block){arena->blocks, size};
    arena->blocks = block;
    arena->free = (char *)block + ALIGNMENT * ((sizeof *block + ALIGNMENT - 1) / ALIGNMENT);
    arena->end = (char *)block + size;
    return true;
}

void *pcm_arena_take(pcm_arena *arena, size_t bytes)
{
    size_t whole = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (whole < bytes)
        return NULL;
    if ((size_t)(arena->end - arena->free) < whole && !arena_grow(arena, whole))
        return NULL;
    void *memory = arena->free;
    arena->free += whole;
    return memset(memory, 0, bytes);
}

char *pcm_arena_text(pcm_arena *arena, const char *text, size_t length)
{
    char *copy = pcm_arena_take(arena, length + 1);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

void pcm_arena_free(pcm_arena *arena)
{
    for (pcm_arena_block *block = arena->blocks, *older; block != NULL; block = older) {
        older = block->older;
        arena->allocator.release(arena->allocator.user, block, block->bytes);
    }
    arena->blocks = NULL;
    arena->free = arena->end = NULL;
}
