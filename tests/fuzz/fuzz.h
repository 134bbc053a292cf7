/* SPDX-License-Identifier: MIT */
/* fuzz.h - what the targets share. A target takes any bytes; it ends the process where the library breaks a promise. */
#ifndef PCM_TESTS_FUZZ_H
#define PCM_TESTS_FUZZ_H

#include <pcm/pcm.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For libFuzzer, or for mutate.c, which runs without it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(bool condition)
{
    if (!condition)
        abort();
}

/* ---- The input, read as values ---------------------------------------------------------------------------------- */

typedef struct fuzz_input {
    const uint8_t *at, *end;
} fuzz_input;

/* Beyond the end all bytes are 0. */
uint8_t  fuzz_byte(fuzz_input *input);
uint64_t fuzz_word(fuzz_input *input);

/* Any double, mostly of those that matter: zeros, the smallest, the largest, infinite ones, NaN, a few usual ones. */
double fuzz_number(fuzz_input *input);

/* Writes over some of the bytes at `to`, as the input says: each edit is a place, a kind and a value. Returns how many
 * there were. */
size_t fuzz_edit(fuzz_input *input, uint8_t *to, size_t size);

/* ---- The library ------------------------------------------------------------------------------------------------ */

/* The one context, whose messages are all checked and written out. With models that stay loaded an input takes a tenth
 * of the time. Sets the counts of messages, by severity, to 0. */
pcm_context  *fuzz_context(const char *plugins);
extern size_t fuzz_heard[3];

/* A place is nowhere, or in a line of a file. */
void fuzz_check_place(const pcm_place *place);

/* The one configuration of this text, which must be sound. */
pcm_config *fuzz_config(const char *plugins, const char *text);

/* A file of these bytes: its path, good until the next call. */
const char *fuzz_file(const void *bytes, size_t size);

#endif
