/* SPDX-License-Identifier: MIT */
/* chunks.c - decodes seven-bit text to gzip, and that to bytes, in small blocks; no number in the page is trusted. */
#define _POSIX_C_SOURCE 200809L /* getc_unlocked */
#include "chunks.h"
#include "format.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char mark[] = PCM_REPLAY_MARK;

enum { MARK = sizeof mark - 1, PART = 1 << 14, FIRST_ROOM = 1 << 16 };

bool chunks_open(chunks *c, const char *path)
{
    *c = (chunks){.file = fopen(path, "rb")};
    return c->file;
}

void chunks_close(chunks *c)
{
    if (c->file)
        (void)fclose(c->file);
    free(c->bytes);
}

/* The next character of the file, which is compared with the mark. Only the mark's first character can start it, so
 * after a mismatch the comparison starts again with this character or the next. */
static int next(chunks *c)
{
    const int character = getc_unlocked(c->file);
    if (c->matched == MARK || character != (unsigned char)mark[c->matched])
        c->matched = 0;
    c->matched += character == (unsigned char)mark[c->matched];
    return character;
}

bool chunks_find(chunks *c)
{
    while (c->matched < MARK)
        if (next(c) == EOF)
            return false;
    return true;
}

/* Reads the header between the mark and the text. */
static bool read_attributes(chunks *c, size_t *length, uint32_t *crc)
{
    static const char middle[] = "\" data-crc=\"";
    char              text[64], *at;
    size_t            count = 0;
    int               character = 0;
    while (count < sizeof text - 1 && character != '>' && character != '<' && (character = next(c)) != EOF)
        text[count++] = (char)character;
    text[count] = '\0';
    *length = strtoul(text, &at, 10);
    if (strncmp(at, middle, strlen(middle)) != 0)
        return false;
    *crc = (uint32_t)strtoul(at + strlen(middle), &at, 16);
    return strcmp(at, "\">") == 0;
}

/* Bits that remain for the next byte. */
typedef struct bits {
    uint32_t word, count;
} bits;

/* Decodes up to `wanted` bytes of text; fewer at its end. */
static size_t decode(chunks *c, bits *left, uint8_t *to, size_t wanted)
{
    enum { HIGHER = 0xc2 }; /* first byte of a character whose code is 128 larger */
    size_t made = 0;
    while (made < wanted) {
        const int character = next(c);
        if (character == '<' || character == '\0' || character == EOF)
            break;
        if (character == HIGHER)
            continue;
        left->word = left->word << 7 | ((uint32_t)character & 127u);
        left->count += 7;
        if (left->count >= 8) {
            left->count -= 8;
            to[made++] = (uint8_t)(left->word >> left->count);
        }
    }
    return made;
}

/* Makes room for one byte more than a chunk may have, to detect a chunk that is too large. */
static chunk_state grow(chunks *c)
{
    const size_t most = (size_t)PCM_REPLAY_BYTES + 1, twice = c->room ? 2 * c->room : FIRST_ROOM;
    const size_t room = twice < most ? twice : most;
    if (c->size == most)
        return CHUNK_LARGE;
    uint8_t *bytes = realloc(c->bytes, room);
    if (!bytes)
        return CHUNK_STARVED;
    c->bytes = bytes;
    c->room = room;
    return CHUNK_WHOLE;
}

/* Unpacks bytes of gzip; *ended: they include its end. */
static chunk_state unpack_part(chunks *c, z_stream *stream, const uint8_t *packed, size_t count, bool *ended)
{
    int status = Z_OK;
    stream->next_in = (Bytef *)(uintptr_t)packed;
    stream->avail_in = (uInt)count;
    do {
        const chunk_state state = c->size == c->room ? grow(c) : CHUNK_WHOLE;
        if (state != CHUNK_WHOLE)
            return state;
        stream->next_out = c->bytes + c->size;
        stream->avail_out = (uInt)(c->room - c->size);
        status = inflate(stream, Z_NO_FLUSH);
        c->size = c->room - stream->avail_out;
    } while (status == Z_OK && (stream->avail_in > 0 || stream->avail_out == 0));
    *ended = status == Z_STREAM_END;
    if (status == Z_MEM_ERROR)
        return CHUNK_STARVED;
    if (*ended)
        return stream->avail_in == 0 ? CHUNK_WHOLE : CHUNK_DAMAGED;
    return status == Z_OK || status == Z_BUF_ERROR ? CHUNK_WHOLE : CHUNK_DAMAGED;
}

/* Decodes a text of that many bytes and compares its checksum. */
static chunk_state unpack_text(chunks *c, z_stream *stream, size_t length, uint32_t wanted)
{
    uint8_t     packed[PART];
    bits        left = {0};
    uLong       crc = 0;
    bool        ended = false;
    chunk_state state = CHUNK_WHOLE;
    c->size = 0;
    while (length > 0 && state == CHUNK_WHOLE) {
        const size_t part = length < PART ? length : PART, count = decode(c, &left, packed, part);
        crc = crc32_z(crc, packed, count);
        length -= count;
        if (count < part || ended)
            state = CHUNK_DAMAGED;
        else
            state = unpack_part(c, stream, packed, count, &ended);
    }
    if (state == CHUNK_WHOLE && (!ended || crc != wanted))
        return CHUNK_DAMAGED;
    return state == CHUNK_WHOLE && c->size > PCM_REPLAY_BYTES ? CHUNK_LARGE : state;
}

chunk_state chunks_unpack(chunks *c)
{
    enum { GZIP = 16, WINDOW = 15 };
    z_stream stream = {0};
    size_t   length;
    uint32_t crc;
    if (!read_attributes(c, &length, &crc))
        return CHUNK_DAMAGED;
    if (inflateInit2(&stream, GZIP + WINDOW) != Z_OK)
        return CHUNK_STARVED;
    const chunk_state state = unpack_text(c, &stream, length, crc);
    (void)inflateEnd(&stream);
    return state;
}
