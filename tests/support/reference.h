/* SPDX-License-Identifier: MIT */
/* reference.h - the tables of tests/reference/, for tests that compare with them. */
#ifndef PCM_TESTS_REFERENCE_H
#define PCM_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { REFERENCE_WORD = 32 };

typedef struct reference {
    char   *text; /* the header row, split into names */
    char  **names;
    double *cells;                 /* NaN for a word */
    char (*words)[REFERENCE_WORD]; /* the cells as text */
    size_t rows, columns;
} reference;

/* The table in that file; the test fails if it cannot be read or has no rows. */
reference reference_open(const char *file);
void      reference_close(reference *table);

/* A column by its name without unit; the test fails if there is none. */
size_t reference_column(const reference *table, const char *name);
double reference_at(const reference *table, size_t row, const char *column);

/* The text of a cell, truncated to REFERENCE_WORD. */
const char *reference_word(const reference *table, size_t row, const char *column);

/* |actual - expected| <= absolute + relative * |expected|. NaN never passes. */
bool near(double actual, double expected, double absolute, double relative);

#endif
