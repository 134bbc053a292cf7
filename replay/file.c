/* SPDX-License-Identifier: MIT */
/* file.c - the page as a file: the viewer's code, then chunks, each an element with its length and checksum. */
#define _GNU_SOURCE /* secure_getenv */
#include "recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void tell_unwritable(pcm_replay *replay, const char *reason)
{
    replay->failed = true;
    pcm_report(replay->context, PCM_ERROR, PCM_MSG_REPLAY_FILE, "%s: the page could not be written: %s", replay->path,
               reason);
}

static void write_bytes(pcm_replay *replay, const void *bytes, size_t count)
{
    if (replay->failed)
        return;
    if (fwrite(bytes, 1, count, replay->file) != count)
        tell_unwritable(replay, strerror(errno));
}

static FILE *open_viewer(const pcm_replay *replay, const char *given)
{
    const char *set = secure_getenv("PCM_REPLAY_VIEWER"), *viewer = given ? given : set ? set : PCM_REPLAY_INSTALLED;
    FILE       *file = fopen(viewer, "rb");
    if (!file)
        pcm_report(replay->context, PCM_ERROR, PCM_MSG_REPLAY_VIEWER,
                   "%s: the code of pages could not be read: %s; a build of PCM makes it where npm and esbuild are "
                   "installed and npm reaches its registry (`NEEDS=pages scripts/setup build`)",
                   viewer, strerror(errno));
    return file;
}

static void copy_viewer(pcm_replay *replay, FILE *from)
{
    char   part[16384];
    size_t count;
    while ((count = fread(part, 1, sizeof part, from)) > 0)
        write_bytes(replay, part, count);
}

bool pcm_page_open(pcm_replay *replay, const char *path, const char *viewer)
{
    const size_t bytes = strlen(path) + 1;
    replay->path = pcm_allocate(replay->context, bytes);
    if (!replay->path)
        return false;
    memcpy(replay->path, path, bytes);
    FILE *from = open_viewer(replay, viewer);
    if (!from)
        return false;
    replay->file = fopen(path, "wb");
    if (replay->file)
        copy_viewer(replay, from);
    else
        tell_unwritable(replay, strerror(errno));
    (void)fclose(from);
    return !replay->failed;
}

/* Compresses as gzip; the same bytes give the same result. */
static bool pack(const pcm_buffer *from, pcm_buffer *to)
{
    enum { GZIP = 16, WINDOW = 15, MEMORY = 8 };
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP + WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    const size_t room = deflateBound(&stream, (uLong)from->count);
    to->count = 0;
    stream.next_out = pcm_buffer_take(to, room);
    stream.avail_out = (uInt)room;
    stream.next_in = from->bytes;
    stream.avail_in = (uInt)from->count;
    const bool done = stream.next_out && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    to->count = done ? stream.total_out : 0;
    (void)deflateEnd(&stream);
    return done;
}

/* Seven bits a character, the highest first. Characters that an HTML reader would change or interpret are written 128
 * higher, in two bytes of UTF-8, whose lower 7 bits are those of the character. */
static size_t put_character(char *to, uint32_t bits)
{
    enum { HIGHER = 0xc2, CONTINUED = 0x80 };
    const bool plain = bits != 0 && bits != '\r' && bits != '<';
    to[0] = (char)(plain ? bits : HIGHER);
    to[1] = (char)(CONTINUED | bits);
    return plain ? 1 : 2;
}

static void write_text(pcm_replay *replay, const uint8_t *bytes, size_t count)
{
    char     text[4096];
    size_t   used = 0;
    uint32_t word = 0, left = 0; /* bits not yet written */
    for (size_t i = 0; i < count; i++) {
        word = word << 8 | bytes[i];
        for (left += 8; left >= 7; left -= 7)
            used += put_character(text + used, word >> (left - 7) & 127);
        if (used > sizeof text - 8) {
            write_bytes(replay, text, used);
            used = 0;
        }
    }
    if (left > 0)
        used += put_character(text + used, word << (7 - left) & 127);
    write_bytes(replay, text, used);
}

void pcm_page_append(pcm_replay *replay)
{
    const pcm_buffer *packed = &replay->packed;
    char              element[128];
    if (replay->failed)
        return;
    if (!pack(&replay->payload, &replay->packed)) {
        replay->lost = true;
        return;
    }
    const unsigned long crc = crc32_z(0, packed->bytes, packed->count);
    const int           length = snprintf(element, sizeof element, PCM_REPLAY_ELEMENT, packed->count, crc);
    write_bytes(replay, element, (size_t)length);
    write_text(replay, packed->bytes, packed->count);
    write_bytes(replay, PCM_REPLAY_END, strlen(PCM_REPLAY_END));
    if (!replay->failed && fflush(replay->file) != 0)
        tell_unwritable(replay, strerror(errno));
}

bool pcm_page_close(pcm_replay *replay)
{
    write_bytes(replay, "\n", 1);
    if (fclose(replay->file) != 0 && !replay->failed)
        tell_unwritable(replay, strerror(errno));
    replay->file = NULL;
    return !replay->failed;
}
