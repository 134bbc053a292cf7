/* SPDX-License-Identifier: MIT */
/* bytes.h - numbers and texts as bytes that mean the same everywhere: little-endian, doubles by their bits. */
#ifndef PCM_BASE_BYTES_H
#define PCM_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Where the next byte goes. With at NULL, bytes are only counted. */
typedef struct pcm_writer {
    uint8_t *at;
    size_t   count;
} pcm_writer;

static inline void pcm_write_bytes(pcm_writer *writer, const void *bytes, size_t count)
{
    if (writer->at && count)
        memcpy(writer->at + writer->count, bytes, count);
    writer->count += count;
}

/* A number as eight bytes; compilers make one store of it. */
static inline void pcm_put_word(uint8_t *at, uint64_t word)
{
    at[0] = (uint8_t)word;
    at[1] = (uint8_t)(word >> 8);
    at[2] = (uint8_t)(word >> 16);
    at[3] = (uint8_t)(word >> 24);
    at[4] = (uint8_t)(word >> 32);
    at[5] = (uint8_t)(word >> 40);
    at[6] = (uint8_t)(word >> 48);
    at[7] = (uint8_t)(word >> 56);
}

/* Consecutive words of memory to bytes; pcm_take_words is the inverse. */
static inline void pcm_put_words(uint8_t *at, const void *words, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(at, words, 8 * count);
#else
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, (const char *)words + 8 * i, sizeof word);
        pcm_put_word(at + 8 * i, word);
    }
#endif
}

static inline void pcm_write_u64(pcm_writer *writer, uint64_t value)
{
    uint8_t bytes[8];
    pcm_put_word(bytes, value);
    pcm_write_bytes(writer, bytes, 8);
}

static inline void pcm_write_double(pcm_writer *writer, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    pcm_write_u64(writer, bits);
}

/* The bytes left to read. Past the end everything reads as zero, and `short_of` is set. */
typedef struct pcm_reader {
    const uint8_t *at, *end;
    bool           short_of;
} pcm_reader;

typedef struct pcm_bytes_view {
    const char *text; /* not NUL-terminated */
    size_t      length;
} pcm_bytes_view;

static inline pcm_bytes_view pcm_read_bytes(pcm_reader *reader, size_t count)
{
    if (count > (size_t)(reader->end - reader->at)) {
        reader->short_of = true;
        reader->at = reader->end;
        return (pcm_bytes_view){NULL, 0};
    }
    pcm_bytes_view span = {(const char *)reader->at, count};
    reader->at += count;
    return span;
}

/* Eight bytes as a number; compilers make one load of it. */
static inline uint64_t pcm_word_at(const void *bytes)
{
    const uint8_t *at = bytes;
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

static inline void pcm_take_words(void *words, const void *bytes, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(words, bytes, 8 * count);
#else
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = pcm_word_at((const char *)bytes + 8 * i);
        memcpy((char *)words + 8 * i, &word, sizeof word);
    }
#endif
}

static inline uint64_t pcm_read_u64(pcm_reader *reader)
{
    const pcm_bytes_view span = pcm_read_bytes(reader, 8);
    return span.text ? pcm_word_at(span.text) : 0;
}

static inline pcm_bytes_view pcm_read_text(pcm_reader *reader)
{
    uint64_t length = pcm_read_u64(reader);
    return pcm_read_bytes(reader, length > SIZE_MAX ? SIZE_MAX : (size_t)length);
}

static inline bool pcm_bytes_view_is(pcm_bytes_view span, const char *text)
{
    return span.length == strlen(text) && (span.length == 0 || memcmp(span.text, text, span.length) == 0);
}

/* FNV-1a. Every step is one to one, so a change of any single byte changes the result. */
static inline uint64_t pcm_checksum(uint64_t start, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++)
        start = (start ^ at[i]) * 0x100000001b3u;
    return start;
}
#define PCM_CHECKSUM_START 0xcbf29ce484222325u

#endif
