/* SPDX-License-Identifier: MIT */
/* allocate.c - malloc and its family for pages, in 1 kB instead of the C library's 12 kB.
 *
 * A block has one of four sizes per power of two. A freed block goes to the list for its size and is never joined to a
 * larger one: a page requests the same sizes again for each text and each curve. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 16, PAGE = 65536, LEAST = 64, SIZES = 101 };
static const size_t most = (size_t)1 << 31;

/* Precedes the memory that is returned to the program. */
typedef struct header {
    void  *block;
    size_t size; /* index of its size */
} header;

extern unsigned char __heap_base;  /* defined by the linker */
static uintptr_t     top, end;     /* memory that was never used */
static void         *freed[SIZES]; /* the first word of each block points to the next one */

static size_t bytes_of(size_t size) { return (4 + size % 4) << (size / 4 + 4); }

/* The smallest size for this many bytes. */
static size_t size_for(size_t bytes)
{
    if (bytes <= LEAST)
        return 0;
    const size_t doubling = 31 - (size_t)__builtin_clz(bytes - 1);
    return 4 * (doubling - 6) + ((bytes - 1) >> (doubling - 2)) - 4 + 1;
}

static bool grow(size_t bytes)
{
    const size_t pages = (bytes + PAGE - 1) / PAGE;
    const size_t before = __builtin_wasm_memory_grow(0, pages);
    if (before == SIZE_MAX)
        return false;
    if (before * PAGE != end)
        top = before * PAGE;
    end = (before + pages) * PAGE;
    return true;
}

static void *new_block(size_t bytes)
{
    if (!end) {
        top = ((uintptr_t)&__heap_base + ALIGNED - 1) / ALIGNED * ALIGNED;
        end = __builtin_wasm_memory_size(0) * PAGE;
    }
    if (end - top < bytes && !grow(bytes))
        return NULL;
    void *block = (void *)top;
    top += bytes;
    return block;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    void *block = NULL;
    alignment = alignment < ALIGNED ? ALIGNED : alignment;
    if (bytes < most - alignment) {
        const size_t size = size_for(bytes + alignment);
        block = freed[size];
        if (block)
            memcpy(&freed[size], block, sizeof block);
        else
            block = new_block(bytes_of(size));
        if (block) {
            header *at = (header *)(((uintptr_t)block + alignment) / alignment * alignment) - 1;
            *at = (header){block, size};
            return at + 1;
        }
    }
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t bytes) { return aligned_alloc(ALIGNED, bytes); }

void free(void *memory)
{
    if (!memory)
        return;
    const header at = ((header *)memory)[-1];
    memcpy(at.block, &freed[at.size], sizeof(void *));
    freed[at.size] = at.block;
}

void *calloc(size_t count, size_t each)
{
    size_t     bytes;
    const bool fits = !__builtin_mul_overflow(count, each, &bytes);
    void      *memory = malloc(fits ? bytes : SIZE_MAX);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void *realloc(void *memory, size_t bytes)
{
    if (!memory)
        return malloc(bytes);
    const header at = ((header *)memory)[-1];
    const size_t room = (uintptr_t)at.block + bytes_of(at.size) - (uintptr_t)memory;
    if (bytes <= room)
        return memory;
    void *moved = malloc(bytes);
    if (moved) {
        memcpy(moved, memory, room);
        free(memory);
    }
    return moved;
}
