/* SPDX-License-Identifier: MIT */
/* suggest.h - "did you mean": the known word that is nearest to a mistyped one. */
#ifndef PCM_GRAMMAR_SUGGEST_H
#define PCM_GRAMMAR_SUGGEST_H

#include <stddef.h>

/* Offer words one by one; best stays NULL while none is near enough to be meant. */
typedef struct pcm_suggestion {
    const char *wanted;
    size_t      length;
    const char *best;
    size_t      distance; /* of best */
} pcm_suggestion;

/* Up to two edits are forgiven, three in words longer than eight, and never more than half of the word. An exchange of
 * neighbours is one edit, case is ignored. */
void pcm_suggest(pcm_suggestion *suggestion, const char *word);

#endif
