/* SPDX-License-Identifier: MIT */
/* fuzz.h - shared by the targets. A target takes any bytes; it ends the process if the library breaks a promise. */
#ifndef PCM_TESTS_FUZZ_H
#define PCM_TESTS_FUZZ_H

#include <pcm/pcm.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For libFuzzer, or for mutate.c, which needs no libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(bool condition)
{
    if (!condition)
        abort();
}

/* ---- The input, read as values ----------------------------------------------------------------------------------- */

typedef struct fuzz_input {
    const uint8_t *at, *end;
} fuzz_input;

/* After the end all bytes are 0. */
uint8_t  fuzz_byte(fuzz_input *input);
uint64_t fuzz_word(fuzz_input *input);

/* Any double, most often a special one: zero, the smallest, the largest, infinity, NaN, a few common numbers. */
double fuzz_number(fuzz_input *input);

/* Overwrites some of the bytes at `to` as the input directs: each edit has a place, a kind and a value. Returns their
 * number. */
size_t fuzz_edit(fuzz_input *input, uint8_t *to, size_t size);

/* ---- The library ------------------------------------------------------------------------------------------------- */

/* The only context; it checks and prints every message. Keeping models loaded reduces an input's time to a tenth. Sets
 * the counts of messages, by severity, to 0. */
pcm_context  *fuzz_context(const char *plugins);
extern size_t fuzz_heard[3];

/* Checks that a place is either empty or in a line of a file. */
void fuzz_check_place(const pcm_place *place);

/* The configuration of this text, which must be valid; made once. */
pcm_config *fuzz_config(const char *plugins, const char *text);

/* A file with these bytes: its path, valid until the next call. */
const char *fuzz_file(const void *bytes, size_t size);

#endif
