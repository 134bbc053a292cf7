/* SPDX-License-Identifier: MIT */
/* symbols.h - textbook symbols that users write for the names of properties and parameters: E, nu, mu, k, c, G, rho. */
#ifndef PCM_CONFIG_SYMBOLS_H
#define PCM_CONFIG_SYMBOLS_H

#include "suggest.h"

/* A search among known names for the one that a symbol denotes. */
typedef struct pcm_symbol {
    const char *name; /* the usual full name; NULL: the word is no symbol */
    const char *word; /* a part of the known name that is meant */
    const char *best; /* the first such name that was tried, or NULL */
} pcm_symbol;

pcm_symbol pcm_symbol_of(const char *text, size_t length);

/* Tries one known name, which must outlive the search. */
void pcm_symbol_try(pcm_symbol *symbol, const char *known);

/* Suggests the known name that the symbol denotes, unless the word is a known name with other capitals. */
void pcm_symbol_suggest(const pcm_symbol *symbol, pcm_suggestion *suggestion);

#endif
