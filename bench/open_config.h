/* SPDX-License-Identifier: MIT */
/* open_config.h - contexts and configurations for benchmarks: errors go to standard error and end the program. */
#ifndef PCM_BENCH_OPEN_CONFIG_H
#define PCM_BENCH_OPEN_CONFIG_H

#include <pcm/pcm.h>

/* The memory that a context has allocated. */
typedef struct Account {
    size_t now, peak;
} Account;

/* account NULL: memory is not counted. The account must outlive the context. */
pcm_context *open_context(Account *account);

pcm_config *open_text(pcm_context *context, const char *text, size_t length);

/* A .pcm file, or the name of a model for one contact type with its defaults. */
pcm_config *open_word(pcm_context *context, const char *word);

/* The first contact type of a text, in a context that lives as long as the program. */
const pcm_type *open_type(const char *text);

#endif
