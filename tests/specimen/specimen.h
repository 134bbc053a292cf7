/* SPDX-License-Identifier: MIT */
/* specimen.h - a context for tests of configurations: finds only the plugins of this folder, keeps messages as text,
 * counts its memory and makes allocations fail on request. */
#ifndef PCM_TESTS_SPECIMEN_H
#define PCM_TESTS_SPECIMEN_H

#include <pcm/pcm.h>

enum { SPECIMEN_CODES = 900 };

typedef struct pcm_specimen {
    pcm_context *context;
    char        *told; /* every diagnostic, formatted for people; never NULL */
    size_t       length, capacity;
    size_t       errors, warnings;
    size_t       seen[SPECIMEN_CODES]; /* the number of diagnostics per code */
    size_t       live, peak;           /* bytes */
    size_t       allocations, refused; /* the number of the allocation that fails, from 1; 0: none */
} pcm_specimen;

/* At the end all memory must have been freed. */
void specimen_start(pcm_specimen *specimen);
void specimen_end(pcm_specimen *specimen);

/* Clears the recorded messages. */
void specimen_forget(pcm_specimen *specimen);

/* Parses text called "test.pcm". */
pcm_config *specimen_parse(pcm_specimen *specimen, const char *text);

/* Fails the test and shows the messages unless the text loads without one; returns its configuration. */
pcm_config *specimen_good(pcm_specimen *specimen, const char *text);

/* Fails the test unless the text is rejected with exactly the given codes in this order (0 ends them; notes do not
 * count). */
void specimen_bad(pcm_specimen *specimen, const char *text, ...);

#endif
