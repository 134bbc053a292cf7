/* SPDX-License-Identifier: MIT */
/* pattern.h - quoted names with * and ?. */
#ifndef PCM_CORE_PATTERN_H
#define PCM_CORE_PATTERN_H

#include <pcm/pcm.h>

static inline bool pcm_is_pattern(const char *text) { return strpbrk(text, "*?") != NULL; }

/* Whether every name that matches `pattern` also matches `cover`. May say false if both contain * and ? side by side in
 * different orders. */
bool pcm_pattern_covers(const char *cover, const char *pattern);

/* The part of a quoted name that looks like a regular expression, which rules do not have: "[", ".*", "^", "$" or "|".
 * NULL: none. */
const char *pcm_pattern_regex_sign(const char *text);

#endif
