/* SPDX-License-Identifier: MIT */
/* recording.h - the page of a run, read chunk by chunk. docs/replay.md describes the file. */
#ifndef PCM_TOOLS_REPLAY_RECORDING_H
#define PCM_TOOLS_REPLAY_RECORDING_H

#include "format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A list of names that grows. */
typedef struct recording_names {
    char **at;
    size_t count;
} recording_names;

/* Rows of words, in the order of their first column: integers and the bits of singles. */
typedef struct recording_table {
    size_t    rows, columns;
    uint32_t *words;
} recording_table;

/* What a chunk holds, while it is visited. */
typedef struct recording_chunk {
    size_t          n_frames;
    double         *times;
    recording_table contacts, events, poses, rows, series;
} recording_chunk;

/* A recording as far as it has been read. */
typedef struct recording {
    const char     *path;
    uint8_t        *bytes; /* the whole file, and a NUL */
    size_t          size, chunks, damaged, frames;
    recording_names subjects, types, rules, quantities;
} recording;

/* Reads the file; false, and reported: it cannot be read, or holds no chunk. Close it in either case. */
bool recording_open(recording *r, const char *path);
void recording_close(recording *r);

/* Calls visit for each whole chunk; r then has the names that it uses, and r->frames counts the frames before it.
 * Damaged ones are reported by number and skipped. False: visit returned false, or there was no memory, as reported. */
typedef bool recording_visit(void *user, const recording *r, const recording_chunk *chunk);
bool         recording_read(recording *r, recording_visit *visit, void *user);

/* What is said of a contact, by its number in the chunk, and two of its words as one. */
const uint32_t *recording_contact(const recording_chunk *chunk, uint32_t number);
uint64_t        recording_pair(const uint32_t *low);

/* The time of a row of events, s. */
double recording_time(const uint32_t *row);

/* A word that holds a single. */
double recording_number(uint32_t word);

/* The name in that place; "" where there is none. */
const char *recording_name(const recording_names *names, uint32_t index);

/* Of a row of contacts: the columns x, y and n of its contact frame. */
void recording_frame(const uint32_t *row, double axes[3][3]);

#endif
