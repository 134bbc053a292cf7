/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#include <string.h>

void pcm_buffer_free(pcm_buffer *buffer)
{
    pcm_free(buffer->context, buffer->bytes, buffer->capacity);
    *buffer = (pcm_buffer){.context = buffer->context};
}

uint8_t *pcm_buffer_take(pcm_buffer *buffer, size_t count)
{
    if (!pcm_grow(buffer->context, &buffer->bytes, &buffer->capacity, buffer->count + count, 1)) {
        buffer->starved = true;
        return NULL;
    }
    buffer->count += count;
    return buffer->bytes + buffer->count - count;
}

void pcm_put_bytes(pcm_buffer *buffer, const void *bytes, size_t count)
{
    uint8_t *at = count ? pcm_buffer_take(buffer, count) : NULL;
    if (at)
        memcpy(at, bytes, count);
}

static void put_little(pcm_buffer *buffer, uint64_t value, size_t bytes)
{
    uint8_t *at = pcm_buffer_take(buffer, bytes);
    for (size_t i = 0; at && i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

void pcm_put_u32(pcm_buffer *buffer, size_t value) { put_little(buffer, value, 4); }

void pcm_put_u64(pcm_buffer *buffer, uint64_t value) { put_little(buffer, value, 8); }

void pcm_put_double(pcm_buffer *buffer, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_little(buffer, bits, 8);
}

void pcm_put_single(pcm_buffer *buffer, double value)
{
    const float single = (float)value;
    uint32_t    bits;
    memcpy(&bits, &single, sizeof bits);
    put_little(buffer, bits, 4);
}

void pcm_put_singles(pcm_buffer *buffer, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pcm_put_single(buffer, values[i]);
}

void pcm_put_text(pcm_buffer *buffer, const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    pcm_put_u32(buffer, length);
    pcm_put_bytes(buffer, text, length);
}
