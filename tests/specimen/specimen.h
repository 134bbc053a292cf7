/* SPDX-License-Identifier: MIT */
/* specimen.h - a context for tests of configurations: finds the plugins of this folder alone, keeps what it is told as
 * text, counts its memory and refuses some of it when asked to. */
#ifndef PCM_TESTS_SPECIMEN_H
#define PCM_TESTS_SPECIMEN_H

#include <pcm/pcm.h>

enum { SPECIMEN_CODES = 900 };

typedef struct pcm_specimen {
    pcm_context *context;
    char        *told; /* every diagnostic as people read it; never NULL */
    size_t       length, capacity;
    size_t       errors, warnings;
    size_t       seen[SPECIMEN_CODES]; /* how often each code came */
    size_t       live, peak;           /* bytes */
    size_t       allocations, refused; /* the number of the allocation that fails, from 1; 0: none */
} pcm_specimen;

/* The end must give back all memory. */
void specimen_start(pcm_specimen *specimen);
void specimen_end(pcm_specimen *specimen);

/* Forgets what was told. */
void specimen_forget(pcm_specimen *specimen);

/* Parses text called "test.pcm". */
pcm_config *specimen_parse(pcm_specimen *specimen, const char *text);

/* Fails the test, showing what was told, unless the text loads without a message, and returns it. */
pcm_config *specimen_good(pcm_specimen *specimen, const char *text);

/* Fails the test unless the text is refused with exactly the codes given, 0 at the end, in this order (notes apart). */
void specimen_bad(pcm_specimen *specimen, const char *text, ...);

#endif
