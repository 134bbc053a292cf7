/* SPDX-License-Identifier: MIT */
#include "suggest.h"
#include "utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64, SHORTEST_PREFIX = 3, SHORTEST_PART = 4 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The edit distance of a and b, ignoring case: letters inserted, removed, replaced, or two neighbours swapped. */
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

/* The fewest edits that make a pattern match the name, ignoring case: letters inserted, removed or replaced. */
static size_t misfits(const char *pattern, size_t p_length, const char *name, size_t n_length)
{
    size_t  rows[2][LONGEST + 1];
    size_t *above = rows[0], *row = rows[1];
    for (size_t j = 0; j <= n_length; j++)
        above[j] = j;
    for (size_t i = 1; i <= p_length; i++) {
        const char   c = pattern[i - 1];
        const size_t costs = c != '*';
        row[0] = above[0] + costs;
        for (size_t j = 1; j <= n_length; j++) {
            const size_t differs = costs && c != '?' && lower(c) != lower(name[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + costs, costs ? above[j - 1] + differs : SIZE_MAX);
        }
        size_t *other = above;
        above = row, row = other;
    }
    return above[n_length];
}

/* How many edits are allowed in a word of that length. */
static size_t allowed_in(size_t letters) { return letters < 3 ? 0 : letters < 6 ? 1 : letters < 12 ? 2 : 3; }

/* Whether the word is a part of the text, ignoring case. */
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
    const size_t allowed = allowed_in(word);
    size_t       distance = edits(suggestion->word, word, candidate, length);
    if (word >= SHORTEST_PREFIX && word < length && edits(suggestion->word, word, candidate, word) == 0)
        distance = least(distance, allowed);
    const bool part =
        distance > allowed && word >= SHORTEST_PART && contains(candidate, length, suggestion->word, word);
    if (part)
        distance = allowed + 1; /* ranked after every typing error */
    if (part && distance == suggestion->distance)
        suggestion->best = NULL; /* it is a part of two names, so neither is suggested */
    if ((distance > allowed && !part) || distance >= suggestion->distance)
        return;
    suggestion->best = candidate;
    suggestion->best_length = length;
    suggestion->distance = distance;
}

/* Whether all of the text is ASCII. */
static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

pcm_suggestion_end pcm_suggest_end(const pcm_suggestion *suggestion)
{
    pcm_suggestion_end end = {""};
    size_t             at = 0;
    if (suggestion->best == NULL)
        return end;
    (void)snprintf(end.text, sizeof end.text, "'?");
    while (at < suggestion->length && (unsigned char)suggestion->word[at] < 0x80)
        at++;
    if (at >= suggestion->length || !is_plain(suggestion->best, suggestion->best_length))
        return end;
    const size_t bytes = pcm_utf8_bytes(suggestion->word + at, suggestion->length - at);
    if (bytes > 0)
        (void)snprintf(end.text, sizeof end.text, "'? (this one has the character U+%04X)",
                       (unsigned)pcm_utf8_code(suggestion->word + at, bytes));
    return end;
}

void pcm_suggest_try_pattern(pcm_suggestion *suggestion, const char *candidate, size_t length)
{
    const size_t word = suggestion->length;
    size_t       letters = 0;
    if (word == 0 || length == 0 || word > LONGEST || length > LONGEST)
        return;
    for (size_t i = 0; i < word; i++)
        letters += suggestion->word[i] != '*' && suggestion->word[i] != '?';
    const size_t distance = misfits(suggestion->word, word, candidate, length);
    if (distance > allowed_in(letters) || distance >= suggestion->distance)
        return;
    suggestion->best = candidate;
    suggestion->best_length = length;
    suggestion->distance = distance;
}

void pcm_suggest_try_any(pcm_suggestion *suggestion, const char *candidate)
{
    bool pattern = false;
    for (size_t i = 0; i < suggestion->length; i++)
        pattern |= suggestion->word[i] == '*' || suggestion->word[i] == '?';
    (pattern ? pcm_suggest_try_pattern : pcm_suggest_try)(suggestion, candidate, strlen(candidate));
}

/* ---- The most similar names ------------------------------------------------------------------------------------ */

pcm_nearest pcm_nearest_to(const char *text) { return (pcm_nearest){.slip = pcm_suggest(text, strlen(text))}; }

static size_t shared_by(const char *text, const char *name)
{
    size_t most = 0;
    for (; *text; text++)
        for (const char *at = name; *at; at++) {
            size_t length = 0;
            while (text[length] && text[length] == at[length])
                length++;
            most = length > most ? length : most;
        }
    return most;
}

static void try_slip(pcm_nearest *nearest, const char *name)
{
    pcm_suggest_try_any(&nearest->slip, name);
    if (nearest->slip.best != name)
        return;
    (void)snprintf(nearest->meant, sizeof nearest->meant, "%s", name);
    nearest->slip.best = nearest->meant;
}

void pcm_nearest_try(pcm_nearest *nearest, const char *name)
{
    const size_t shared = shared_by(nearest->slip.word, name);
    size_t       at = 0;
    if (!*name)
        return;
    try_slip(nearest, name);
    for (size_t i = 0; i < nearest->count; i++) {
        if (strncmp(nearest->names[i], name, PCM_NEAREST_NAME - 1) == 0)
            return;
        at += nearest->shared[i] >= shared;
    }
    nearest->more |= nearest->count == PCM_NEAREST;
    nearest->count += nearest->count < PCM_NEAREST;
    for (size_t i = nearest->count; i-- > at + 1;) {
        memcpy(nearest->names[i], nearest->names[i - 1], sizeof nearest->names[i]);
        nearest->shared[i] = nearest->shared[i - 1];
    }
    if (at < nearest->count) {
        (void)snprintf(nearest->names[at], sizeof nearest->names[at], "%s", name);
        nearest->shared[at] = shared;
    }
}

pcm_hint pcm_nearest_hint(const pcm_nearest *nearest)
{
    pcm_hint hint = {""};
    size_t   used = 0;
    if (nearest->slip.best)
        (void)snprintf(hint.text, sizeof hint.text, "; did you mean '%.100s'?", nearest->meant);
    for (size_t i = 0; i < nearest->count && !nearest->slip.best; i++)
        used += (size_t)snprintf(hint.text + used, sizeof hint.text - used, "%s'%.100s'",
                                 i > 0                ? ", "
                                 : nearest->count > 1 ? "; there are "
                                                      : "; there is ",
                                 nearest->names[i]);
    if (nearest->more && !nearest->slip.best)
        (void)snprintf(hint.text + used, sizeof hint.text - used, ", ...");
    return hint;
}
