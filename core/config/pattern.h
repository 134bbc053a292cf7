/* SPDX-License-Identifier: MIT */
/* pattern.h - quoted names that hold * and ?. */
#ifndef PCM_CORE_PATTERN_H
#define PCM_CORE_PATTERN_H

#include <pcm/pcm.h>

static inline bool pcm_is_pattern(const char *text) { return strpbrk(text, "*?") != NULL; }

/* Whether every name that matches `pattern` also matches `cover`. May miss it where both hold "*?" in another order. */
bool pcm_pattern_covers(const char *cover, const char *pattern);

/* What in a quoted name looks like a regular expression, which rules do not know: "[", ".*", "^", "$" or "|". NULL:
 * nothing. */
const char *pcm_pattern_regex_sign(const char *text);

#endif
