/* SPDX-License-Identifier: MIT */
/* suggest.h - "did you mean": the known name nearest to a mistyped one, or else those that share most with it. */
#ifndef PCM_GRAMMAR_SUGGEST_H
#define PCM_GRAMMAR_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pcm_suggestion {
    const char *word;
    size_t      length;
    const char *best; /* the nearest candidate so far, or NULL; points to the caller's text */
    size_t      best_length;
    size_t      distance;
} pcm_suggestion;

/* Starts a search for a word, which must outlive it. */
pcm_suggestion pcm_suggest(const char *word, size_t length);

/* Tries one candidate. It fits if it differs by a typing error: one edit in a short word, two in a longer one, three in
 * a long one (letters swapped, missing, added or wrong), any change of case, a truncated word, or a word that is a part
 * of this candidate only. */
void pcm_suggest_try(pcm_suggestion *suggestion, const char *candidate, size_t length);

/* The same for a pattern: its * and ? match as usual, and edits are counted in the rest. */
void pcm_suggest_try_pattern(pcm_suggestion *suggestion, const char *candidate, size_t length);

/* One of the two, depending on whether the word is a pattern. */
void pcm_suggest_try_any(pcm_suggestion *suggestion, const char *candidate);

typedef struct pcm_suggestion_end {
    char text[48];
} pcm_suggestion_end;

/* The end of "did you mean 'X'?". Where the word has a character that X lacks, and may look the same, it is named. */
pcm_suggestion_end pcm_suggest_end(const pcm_suggestion *suggestion);

/* "; did you mean 'X'?", or nothing: three arguments for "%s%s%s". */
#define PCM_DID_YOU_MEAN(suggestion)                                                                                   \
    (suggestion).best == NULL ? "" : "; did you mean '", (suggestion).best == NULL ? "" : (suggestion).best,           \
        pcm_suggest_end(&(suggestion)).text

enum { PCM_NEAREST = 3, PCM_NEAREST_NAME = 104 };

/* A search for the correct spelling of a name, or else for those that share the longest run of letters with it. */
typedef struct pcm_nearest {
    pcm_suggestion slip;
    char           meant[PCM_NEAREST_NAME];              /* the correct name; long names are cut */
    char           names[PCM_NEAREST][PCM_NEAREST_NAME]; /* those that share most come first */
    size_t         shared[PCM_NEAREST], count;
    bool           more; /* whether more names than these were tried */
} pcm_nearest;

typedef struct pcm_hint {
    char text[384];
} pcm_hint;

/* Starts a search for a name or pattern, which must outlive it. */
pcm_nearest pcm_nearest_to(const char *text);

/* Tries one name, which need not outlive the call; "" is none. */
void pcm_nearest_try(pcm_nearest *nearest, const char *name);

/* "; did you mean 'X'?", or else "; there are 'X', 'Y', 'Z', ..."; "": no name was tried. */
pcm_hint pcm_nearest_hint(const pcm_nearest *nearest);

#endif
