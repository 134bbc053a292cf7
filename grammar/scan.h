/* SPDX-License-Identifier: MIT */
/* scan.h - strspn, strcspn and strncmp for places in a long text. They read no further than their answer needs; those
 * of sanitizers read the text to its end in each call. */
#ifndef PCM_GRAMMAR_SCAN_H
#define PCM_GRAMMAR_SCAN_H

#include <stdbool.h>
#include <string.h>

/* The number of characters from `text` on that are in the set. */
static inline size_t scan_over(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] != '\0' && strchr(set, text[length]) != NULL)
        length++;
    return length;
}

/* The number of characters in front of the first one of the set, or of the end. */
static inline size_t scan_to(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] != '\0' && strchr(set, text[length]) == NULL)
        length++;
    return length;
}

/* Whether the first `length` characters of both are the same; a text that ends before has no more. */
static inline bool scan_same(const char *text, const char *other, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] != other[i])
            return false;
        if (text[i] == '\0')
            return true;
    }
    return true;
}

#endif
