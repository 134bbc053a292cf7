/* SPDX-License-Identifier: MIT */
/* notation.h - numbers and signs as other languages, spreadsheets and typesetters write them. */
#ifndef PCM_GRAMMAR_NOTATION_H
#define PCM_GRAMMAR_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

enum { PCM_NOTATION_SIZE = 64 };

/* A number in another notation. */
typedef struct pcm_notation {
    const char *why;                      /* the rule that it breaks */
    size_t      length;                   /* bytes of the text */
    double      number;                   /* its probable value */
    char        plain[PCM_NOTATION_SIZE]; /* what to write instead; "": unknown */
    bool        certain;                  /* it cannot mean anything else */
} pcm_notation;

/* Examines the number at the start of a text, whose first `length` bytes are one in the notation of .pcm files. listed:
 * commas around it separate the items of a list. False: it is that number and nothing more. */
bool pcm_notation_read(const char *text, size_t length, bool listed, pcm_notation *found);

/* Whether the value ends at the text, or its unit follows, rather than a name before '='. */
bool pcm_value_ends(const char *text);

/* A sign of typography, at the start of a text: a minus that is no '-', a sign of multiplication ... */
typedef struct pcm_typeset {
    const char *text;    /* in UTF-8 */
    const char *code;    /* "U+2212" */
    char        instead; /* the sign that .pcm files have; '\0': none */
} pcm_typeset;

/* NULL: there is none. */
const pcm_typeset *pcm_typeset_at(const char *text);

#endif
