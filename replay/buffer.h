/* SPDX-License-Identifier: MIT */
/* buffer.h - a growing buffer of bytes, little-endian, in memory of a context. */
#ifndef PCM_REPLAY_BUFFER_H
#define PCM_REPLAY_BUFFER_H

#include <pcm/context.h>

typedef struct pcm_buffer {
    pcm_context *context;
    uint8_t     *bytes;
    size_t       count, capacity;
    bool         starved; /* an allocation failed: the content is incomplete */
} pcm_buffer;

void pcm_buffer_free(pcm_buffer *buffer);

/* Room for that many more bytes, for the caller to write; NULL: no memory. */
uint8_t *pcm_buffer_take(pcm_buffer *buffer, size_t count);

void pcm_put_bytes(pcm_buffer *buffer, const void *bytes, size_t count);
void pcm_put_u32(pcm_buffer *buffer, size_t value);
void pcm_put_u64(pcm_buffer *buffer, uint64_t value);
void pcm_put_double(pcm_buffer *buffer, double value);
void pcm_put_single(pcm_buffer *buffer, double value); /* all bits of a float */
void pcm_put_singles(pcm_buffer *buffer, const double *values, size_t count);
void pcm_put_text(pcm_buffer *buffer, const char *text); /* NULL reads as "" */

#endif
