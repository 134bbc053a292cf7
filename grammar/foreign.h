/* SPDX-License-Identifier: MIT */
/* foreign.h - lines of other languages where a statement of a .pcm file is expected. */
#ifndef PCM_GRAMMAR_FOREIGN_H
#define PCM_GRAMMAR_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum pcm_foreign_kind {
    PCM_FOREIGN_LINES,   /* of another language */
    PCM_FOREIGN_COMMENT, /* a comment to the end of the line; length: its mark */
    PCM_FOREIGN_NUMBER,  /* "mu = 0.6", "const double mu = 0.6": a Let in another language */
    PCM_FOREIGN_MEMBER   /* "Floor.Stiffness = 1e6": a parameter outside of its contact type */
} pcm_foreign_kind;

typedef struct pcm_foreign {
    pcm_foreign_kind kind;
    const char      *language, *says; /* of lines: whose they are, and how a .pcm file says it */
    size_t           length;          /* of the text to underline */
    size_t           end;             /* bytes up to the next statement */
    size_t           name, name_length, sign, sign_length, value, value_length; /* of a Let: where its parts begin */
} pcm_foreign;

/* Examines the text where a statement begins, which is no blank. False: a statement or nothing known. */
bool pcm_foreign_read(const char *text, pcm_foreign *found);

#endif
