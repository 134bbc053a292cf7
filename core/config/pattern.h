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

enum { PCM_SHOWN_MOST = 4 };

/* How many of a name's first bytes are shown as one piece: a character, or \xNN for one byte that is invalid, a control
 * character or part of one that changes direction. *shown: the bytes of the piece. */
size_t pcm_show_piece(const char *name, size_t length, char piece[PCM_SHOWN_MOST], size_t *shown);

#endif
