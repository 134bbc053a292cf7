/* SPDX-License-Identifier: MIT */
/* chunks.h - the chunks of the page of a run, one after the other, in the memory of the largest. */
#ifndef PCM_TOOLS_REPLAY_CHUNKS_H
#define PCM_TOOLS_REPLAY_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum chunk_state {
    CHUNK_WHOLE,
    CHUNK_DAMAGED,
    CHUNK_LARGE,  /* beyond PCM_REPLAY_BYTES */
    CHUNK_STARVED /* no memory */
} chunk_state;

typedef struct chunks {
    FILE    *file;
    size_t   matched; /* characters of the mark before the next one of the file */
    uint8_t *bytes;   /* of the last chunk, unpacked */
    size_t   size, room;
} chunks;

/* False: the file could not be opened, as errno says. Close it in either case. */
bool chunks_open(chunks *c, const char *path);
void chunks_close(chunks *c);

/* On to the next chunk; false: there is none, or the file could not be read, as ferror(c->file) and errno say. */
bool chunks_find(chunks *c);

/* Unpacks the chunk that was found into c->bytes. */
chunk_state chunks_unpack(chunks *c);

#endif
