/* SPDX-License-Identifier: MIT */
/* chunks.h - reads the chunks of a run's page one by one, in memory for the largest chunk. */
#ifndef PCM_TOOLS_REPLAY_CHUNKS_H
#define PCM_TOOLS_REPLAY_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum chunk_state {
    CHUNK_WHOLE,
    CHUNK_DAMAGED,
    CHUNK_LARGE,  /* larger than PCM_REPLAY_BYTES */
    CHUNK_STARVED /* no memory */
} chunk_state;

typedef struct chunks {
    FILE    *file;
    size_t   matched; /* characters of the mark that match so far */
    uint8_t *bytes;   /* the current chunk, unpacked */
    size_t   size, room;
} chunks;

/* False, with errno: the file could not be opened. Close it in either case. */
bool chunks_open(chunks *c, const char *path);
void chunks_close(chunks *c);

/* Goes to the next chunk. False: there is none, or the file could not be read: see ferror(c->file) and errno. */
bool chunks_find(chunks *c);

/* Unpacks the current chunk into c->bytes. */
chunk_state chunks_unpack(chunks *c);

#endif
