/* SPDX-License-Identifier: MIT */
#include "suggest.h"

#include <string.h>

enum { LONGEST = 64 }; /* no name that is looked up is longer */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Edits that turn a into b: insert, delete, replace a byte, or swap two neighbours. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b_length];
}

void pcm_suggest(pcm_suggestion *suggestion, const char *word)
{
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST || suggestion->length == 0 || suggestion->length > LONGEST)
        return;
    size_t forgiven = least(suggestion->length > 8 ? 3 : 2, suggestion->length / 2);
    size_t gap = length > suggestion->length ? length - suggestion->length : suggestion->length - length;
    if (gap > forgiven)
        return;
    size_t distance = edit_distance(suggestion->wanted, suggestion->length, word, length);
    if (distance <= forgiven && (suggestion->best == NULL || distance < suggestion->distance)) {
        suggestion->best = word;
        suggestion->distance = distance;
    }
}
