/* SPDX-License-Identifier: MIT */
/* suggest.h - "did you mean": the known name that a mistyped one is nearest to. */
#ifndef PCM_GRAMMAR_SUGGEST_H
#define PCM_GRAMMAR_SUGGEST_H

#include <stddef.h>

typedef struct pcm_suggestion {
    const char *word;
    size_t      length;
    const char *best; /* the nearest candidate so far, or NULL; points into what was tried */
    size_t      best_length;
    size_t      distance;
} pcm_suggestion;

/* Starts a search for a word, which must outlive it. */
pcm_suggestion pcm_suggest(const char *word, size_t length);

/* Tries one candidate. Only slips of the keyboard count: one edit in a short word, two in a longer one, three
 * in a long one (letters swapped, missing, added or wrong), any change of case, a word that breaks off, and one that is
 * a part of this candidate alone. */
void pcm_suggest_try(pcm_suggestion *suggestion, const char *candidate, size_t length);

/* The same where the word is a pattern: its * and ? fit what they fit, and slips are counted in the rest. */
void pcm_suggest_try_pattern(pcm_suggestion *suggestion, const char *candidate, size_t length);

/* Whichever of the two the word asks for. */
void pcm_suggest_try_any(pcm_suggestion *suggestion, const char *candidate);

/* "; did you mean 'X'?", or nothing: three arguments for "%s%s%s". */
#define PCM_DID_YOU_MEAN(suggestion)                                                                                   \
    (suggestion).best == NULL ? "" : "; did you mean '", (suggestion).best == NULL ? "" : (suggestion).best,           \
        (suggestion).best == NULL ? "" : "'?"

#endif
