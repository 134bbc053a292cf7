/* SPDX-License-Identifier: MIT */
/* plain_name.h - names that can be file names and names in a .pcm file: a letter or _, then letters, digits and _. */
#ifndef PCM_BASE_PLAIN_NAME_H
#define PCM_BASE_PLAIN_NAME_H

#include <stdbool.h>

/* Names of models and parameters are at most this long, which bounds the length of paths and messages. */
enum { PCM_NAME_MAX = 63 };

bool pcm_name_plain(const char *name);

#endif
