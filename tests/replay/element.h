/* SPDX-License-Identifier: MIT */
/* element.h - chunks as a page stores them, with a correct checksum for any content. */
#ifndef PCM_TESTS_REPLAY_ELEMENT_H
#define PCM_TESTS_REPLAY_ELEMENT_H

#include "format.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static inline void element_put_character(FILE *to, uint32_t bits)
{
    const bool plain = bits != 0 && bits != '\r' && bits != '<';
    if (!plain)
        (void)fputc(0xc2, to);
    (void)fputc((int)(plain ? bits : bits | 128), to);
}

static inline void element_put_text(FILE *to, const uint8_t *bytes, size_t count)
{
    uint32_t word = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        word = word << 8 | bytes[i];
        for (left += 8; left >= 7; left -= 7)
            element_put_character(to, word >> (left - 7) & 127);
    }
    if (left > 0)
        element_put_character(to, word << (7 - left) & 127);
}

/* False: no memory. */
static inline bool element_put(FILE *to, const void *bytes, size_t count)
{
    enum { GZIP = 16, WINDOW = 15, MEMORY = 8 };
    z_stream stream = {0};
    if (deflateInit2(&stream, 1, Z_DEFLATED, GZIP + WINDOW, MEMORY, Z_RLE) != Z_OK)
        return false;
    const size_t room = deflateBound(&stream, (uLong)count);
    uint8_t     *packed = malloc(room);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    const bool   done = packed && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    const size_t size = stream.total_out;
    (void)deflateEnd(&stream);
    if (done) {
        (void)fprintf(to, PCM_REPLAY_ELEMENT, size, crc32_z(0, packed, size));
        element_put_text(to, packed, size);
        (void)fputs(PCM_REPLAY_END, to);
    }
    free(packed);
    return done;
}

#endif
