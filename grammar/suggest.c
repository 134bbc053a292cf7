/* SPDX-License-Identifier: MIT */
#include "suggest.h"

#include <stdbool.h>
#include <stdint.h>

enum { LONGEST = 64, SHORTEST_PREFIX = 3, SHORTEST_PART = 4 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The edits that turn a into b, case aside: letters inserted, removed, replaced, or two neighbours swapped. */
static size_t edits(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t  rows[3][LONGEST + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        above[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t differs = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + differs);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = above, above = row, row = oldest;
    }
    return above[b_length];
}

/* Whether the word is a part of the text, case aside. */
static bool contains(const char *text, size_t length, const char *word, size_t word_length)
{
    for (size_t i = 0; i + word_length <= length; i++)
        if (edits(text + i, word_length, word, word_length) == 0)
            return true;
    return false;
}

pcm_suggestion pcm_suggest(const char *word, size_t length)
{
    return (pcm_suggestion){.word = word, .length = length, .distance = SIZE_MAX};
}

void pcm_suggest_try(pcm_suggestion *suggestion, const char *candidate, size_t length)
{
    const size_t word = suggestion->length;
    if (word == 0 || length == 0 || word > LONGEST || length > LONGEST)
        return;
    const size_t allowed = word < 3 ? 0 : word < 6 ? 1 : word < 12 ? 2 : 3;
    size_t       distance = edits(suggestion->word, word, candidate, length);
    if (word >= SHORTEST_PREFIX && word < length && edits(suggestion->word, word, candidate, word) == 0)
        distance = least(distance, allowed);
    const bool part =
        distance > allowed && word >= SHORTEST_PART && contains(candidate, length, suggestion->word, word);
    if (part)
        distance = allowed + 1; /* behind every slip of the keyboard */
    if (part && distance == suggestion->distance)
        suggestion->best = NULL; /* it is a part of two names: which was meant cannot be told */
    if ((distance > allowed && !part) || distance >= suggestion->distance)
        return;
    suggestion->best = candidate;
    suggestion->best_length = length;
    suggestion->distance = distance;
}
