/* SPDX-License-Identifier: MIT */
#include "arena.h"

typedef struct pcm_arena_block {
    struct pcm_arena_block *older;
    size_t                  bytes; /* size of a block, including this header */
} pcm_arena_block;

enum {
    SMALLEST_BLOCK = 4096,
    LARGEST_BLOCK = 1 << 15,
    LARGE = SMALLEST_BLOCK / 4, /* larger pieces would waste the rest of a block */
    ALIGNMENT = 16,
    HEADER = ALIGNMENT * ((sizeof(pcm_arena_block) + ALIGNMENT - 1) / ALIGNMENT)
};

static pcm_arena_block *block_new(pcm_arena *arena, size_t bytes)
{
    pcm_arena_block *block = arena->allocator.allocate(arena->allocator.user, bytes);
    if (block != NULL)
        *block = (pcm_arena_block){NULL, bytes};
    return block;
}

/* Blocks double in size, so that a small file needs little memory and a large one few calls. */
static bool start_block(pcm_arena *arena)
{
    size_t           bytes = arena->blocks == NULL ? SMALLEST_BLOCK : 2 * arena->blocks->bytes;
    pcm_arena_block *block = block_new(arena, bytes > LARGEST_BLOCK ? LARGEST_BLOCK : bytes);
    if (block == NULL)
        return false;
    block->older = arena->blocks;
    arena->blocks = block;
    arena->free = (char *)block + HEADER;
    arena->end = (char *)block + block->bytes;
    return true;
}

/* A large piece gets its own block, listed after the newest, which continues to be filled. */
static void *take_large(pcm_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - HEADER || (arena->blocks == NULL && !start_block(arena)))
        return NULL;
    pcm_arena_block *block = block_new(arena, bytes + HEADER);
    if (block == NULL)
        return NULL;
    block->older = arena->blocks->older;
    arena->blocks->older = block;
    return (char *)block + HEADER;
}

/* Makes room for that many bytes in the newest block. */
static bool has_room(pcm_arena *arena, size_t bytes)
{
    return (size_t)(arena->end - arena->free) >= bytes || start_block(arena);
}

void *pcm_arena_take(pcm_arena *arena, size_t bytes)
{
    void *memory;
    if (bytes > LARGE) {
        memory = take_large(arena, bytes);
    } else {
        size_t whole = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
        memory = has_room(arena, whole) ? arena->free : NULL;
        if (memory != NULL)
            arena->free += whole;
    }
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

/* Texts need no alignment: they are allocated from the end of the block. */
char *pcm_arena_text(pcm_arena *arena, const char *text, size_t length)
{
    char *copy;
    if (length >= LARGE)
        copy = take_large(arena, length + 1);
    else
        copy = has_room(arena, length + 1) ? (arena->end -= length + 1) : NULL;
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
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
