/* SPDX-License-Identifier: MIT */
/* recording.h - the page of a run, read chunk by chunk. docs/replay.md describes the file. */
#ifndef PCM_TOOLS_REPLAY_RECORDING_H
#define PCM_TOOLS_REPLAY_RECORDING_H

#include "chunks.h"
#include "format.h"

/* A list of names that grows: each as the place of its text. */
typedef struct recording_names {
    char     *text; /* an empty one, then one behind the other, each with its NUL */
    size_t    length, room;
    uint32_t *at;
    size_t    count, capacity;
} recording_names;

/* What a page may ask for, beside PCM_REPLAY_BYTES of a chunk. docs/replay.md has them. */
enum {
    RECORDING_NAMES = 1 << 20,  /* of each list */
    RECORDING_TEXT = 1 << 28,   /* bytes of each list's names */
    RECORDING_FRAMES = 1 << 22, /* of the page */
    RECORDING_GIB = 64          /* of its chunks, unpacked, with a pose for each frame in which it holds */
};

/* Rows of words: integers and the bits of singles. */
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
    chunks          page;
    size_t          chunks, damaged, frames;
    uint64_t        bytes; /* of its chunks, as RECORDING_GIB counts them */
    recording_names subjects, types, rules, quantities;
} recording;

/* Reads up to the first chunk; false, and reported: the file cannot be read, or holds none. Close it in either case. */
bool recording_open(recording *r, const char *path);
void recording_close(recording *r);

/* Calls visit for each whole chunk, once; r then has the names that it uses, and r->frames counts the frames before it.
 * Damaged ones are reported by number and skipped. False: visit returned false; or, as reported, the page is beyond a
 * limit, could not be read to its end, or there was no memory. */
typedef bool recording_visit(void *user, const recording *r, const recording_chunk *chunk);
bool         recording_read(recording *r, recording_visit *visit, void *user);

/* What is said of a contact, by its number in the chunk, and two of its words as one. */
const uint32_t *recording_contact(const recording_chunk *chunk, uint32_t number);
uint64_t        recording_pair(const uint32_t *low);

/* The frame at which the pose of that row no longer holds: another row's, or behind the last. */
size_t recording_pose_end(const recording_chunk *chunk, size_t row);

/* The time of a row of events, s. */
double recording_time(const uint32_t *row);

/* A word that holds a single. */
double recording_number(uint32_t word);

/* The name in that place, until the next chunk is read; "" where there is none. */
const char *recording_name(const recording_names *names, uint32_t index);

/* Of a row of contacts: the columns x, y and n of its contact frame. */
void recording_frame(const uint32_t *row, double axes[3][3]);

#endif
