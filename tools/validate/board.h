/* SPDX-License-Identifier: MIT */
/* board.h - the results of contact types in suites, and how they are shown. */
#ifndef PCM_TOOLS_VALIDATE_BOARD_H
#define PCM_TOOLS_VALIDATE_BOARD_H

#include "trial.h"

/* A contact type in a suite. */
typedef struct board_row {
    const suite  *suite;
    char          type[96];
    char          unfit[200]; /* the reason why none of its tests ran; else "" */
    trial_result *results;    /* one per test of the suite; NULL: unfit */
} board_row;

typedef struct board {
    suite     *suites;
    size_t     n_suites;
    board_row *rows; /* those of a suite in a row */
    size_t     n_rows;
} board;

/* The sum of a row. */
typedef struct board_score {
    size_t   done, failed, within; /* tests that gave a number, that did not, and that are within their tolerance */
    double   mean; /* of error / uncertainty, or of error / tolerance where none is known; NaN: nothing done */
    double   seconds;
    unsigned warnings;
    size_t   worst; /* the test with the largest error over its tolerance */
} board_score;

board_score board_score_of(const board_row *row);

/* The test that misses its tolerance by most, as computed and as expected, of a row that ran. */
void board_worst(const board_row *row, char *text, size_t size);

/* Whether no row of its suite has a lower mean, among those without a failed test. */
bool board_is_best(const board *b, const board_row *row);

void board_print(const board *b);                        /* a table per suite */
void board_print_tests(const board *b);                  /* every test */
void board_print_markdown(const board *b);               /* the tables of a page */
void board_print_json(const board *b);                   /* everything */
bool board_write_page(const board *b, const char *path); /* false, with a report: it could not be written */

#endif
