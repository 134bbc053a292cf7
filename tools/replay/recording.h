/* SPDX-License-Identifier: MIT */
/* recording.h - reads the page of a run chunk by chunk. docs/replay.md describes the file. */
#ifndef PCM_TOOLS_REPLAY_RECORDING_H
#define PCM_TOOLS_REPLAY_RECORDING_H

#include "chunks.h"
#include "format.h"

/* A growing list of names, each as an offset into the text. */
typedef struct recording_names {
    char     *text; /* an empty name, then the others one after another, each with its NUL */
    size_t    length, room;
    uint32_t *at;
    size_t    count, capacity;
} recording_names;

/* The limits of a page, apart from PCM_REPLAY_BYTES of a chunk. docs/replay.md lists them. */
enum {
    RECORDING_NAMES = 1 << 20,  /* entries of each list */
    RECORDING_TEXT = 1 << 28,   /* bytes of each list's names */
    RECORDING_FRAMES = 1 << 22, /* frames of the page */
    RECORDING_GIB = 64          /* size of its unpacked chunks, with a pose for each frame in which it is valid */
};

/* Rows of words: integers and the bits of singles. */
typedef struct recording_table {
    size_t    rows, columns;
    uint32_t *words;
} recording_table;

/* The contents of a chunk while it is visited. */
typedef struct recording_chunk {
    size_t          n_frames;
    double         *times;
    recording_table contacts, events, poses, rows, series;
} recording_chunk;

/* The part of a recording that has been read so far. */
typedef struct recording {
    const char     *path;
    chunks          page;
    size_t          chunks, damaged, frames;
    uint64_t        bytes; /* size of its chunks, as RECORDING_GIB counts it */
    recording_names subjects, types, rules, quantities;
} recording;

/* Reads up to the first chunk; false, with a report: the file cannot be read, or has no chunk. Close it in either
 * case. */
bool recording_open(recording *r, const char *path);
void recording_close(recording *r);

/* Calls visit once for each intact chunk; r then has the names that the chunk uses, and r->frames is the number of
 * frames before it. Damaged chunks are reported by number and skipped. False: visit returned false; or, with a report,
 * the page exceeds a limit, could not be read to its end, or there was no memory. */
typedef bool recording_visit(void *user, const recording *r, const recording_chunk *chunk);
bool         recording_read(recording *r, recording_visit *visit, void *user);

/* A contact by its number in the chunk, and the number that two of its words form. */
const uint32_t *recording_contact(const recording_chunk *chunk, uint32_t number);
uint64_t        recording_pair(const uint32_t *low);

/* The frame at which the pose in that row ends: that of the next row, or the end of the chunk. */
size_t recording_pose_end(const recording_chunk *chunk, size_t row);

/* The time of an event's row, s. */
double recording_time(const uint32_t *row);

/* A word that holds a single-precision number. */
double recording_number(uint32_t word);

/* The name at that index, valid until the next chunk is read; "" if there is none. */
const char *recording_name(const recording_names *names, uint32_t index);

/* The axes x, y and n of the contact frame in a contact's row. */
void recording_frame(const uint32_t *row, double axes[3][3]);

#endif
