/* SPDX-License-Identifier: MIT */
#include "image.h"

static const pcm_segment *segment_of(const pcm_image *image, uintptr_t address)
{
    for (uint32_t i = 0; i < image->mapping->count; i++) {
        const pcm_segment *segment = &image->mapping->segments[i];
        if (address - segment->start < segment->size)
            return segment;
    }
    return NULL;
}

/* The bytes from the address to the end of memory: the end of a plugin that is linked in is unknown. */
static uint64_t room_of_memory(uintptr_t start)
{
#if defined(__wasm__)
    const uint64_t size = (uint64_t)__builtin_wasm_memory_size(0) << 16;
    return start < size ? size - start : 0;
#else
    return UINTPTR_MAX - start;
#endif
}

/* The bytes from the address to the end of its segment. */
static uint64_t room(const pcm_image *image, const void *start)
{
    if (!image->mapping)
        return room_of_memory((uintptr_t)start);
    const pcm_segment *segment = segment_of(image, (uintptr_t)start);
    return segment && segment->readable ? segment->size - ((uintptr_t)start - segment->start) : 0;
}

bool pcm_image_holds(const pcm_image *image, const void *start, uint64_t bytes)
{
    return start && bytes <= room(image, start);
}

bool pcm_image_holds_struct(const pcm_image *image, const void *start, uint64_t bytes)
{
    return (uintptr_t)start % _Alignof(void *) == 0 && pcm_image_holds(image, start, bytes);
}

bool pcm_image_holds_code(const pcm_image *image, uintptr_t function)
{
    if (!image->mapping)
        return function != 0;
    const pcm_segment *segment = segment_of(image, function);
    return segment && segment->executable;
}

bool pcm_image_holds_text(const pcm_image *image, const char *text)
{
    const uint64_t bytes = text ? room(image, text) : 0;
    return bytes > 0 && text[0] != '\0' && memchr(text, '\0', (size_t)bytes);
}
