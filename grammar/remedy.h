/* SPDX-License-Identifier: MIT */
/* remedy.h - what was probably meant where the text is not a statement, and the change that makes it one. */
#ifndef PCM_GRAMMAR_REMEDY_H
#define PCM_GRAMMAR_REMEDY_H

#include "scanner.h"

enum { PCM_REMEDY_FIXES = 4 };

typedef struct pcm_remedy {
    char hint[200]; /* the end of a message, from its "; " on; "": nothing is known */
    struct {
        pcm_span span; /* length 0: insert before the byte */
        char     text[80];
    } fixes[PCM_REMEDY_FIXES]; /* none: not certain */
    size_t n_fixes;
    bool   names_lost; /* the text defines names that later text may use */
} pcm_remedy;

/* The token that is wrong, a code of parser.h, is the parser's current one. expected: in words, what may stand here. */
void pcm_remedy_find(const pcm_parser *parser, pcm_span span, const char *expected, pcm_remedy *found);

#endif
