/* SPDX-License-Identifier: MIT */
/* trial.h - one contact type in the tests of a suite, each in a process of its own. */
#ifndef PCM_TOOLS_VALIDATE_TRIAL_H
#define PCM_TOOLS_VALIDATE_TRIAL_H

#include "suite.h"

/* What a test gave. */
typedef struct trial_result {
    bool     done;         /* false: it gave no number */
    double   value, error; /* in the test's unit; error: |value - expected| */
    double   seconds;      /* that it took */
    double   simulated;    /* s, in these */
    double   step;         /* s; NaN: the suite's own rows */
    unsigned warnings;
    char     reason[200]; /* if it is not done */
} trial_result;

typedef struct trial_def {
    const suite        *suite;
    const char         *file, *type; /* the .pcm file, and a contact type in it */
    const char         *plugins;     /* NULL: none */
    const option_texts *between;     /* surfaces of the file for both bodies; count 0: Ball and Wall */
    const pcm_type     *of_file;     /* that type, as the file has it */
    option_texts        settings;    /* TYPE.PARAMETER=VALUE: trial_prepare fills them in */
    bool                starved;     /* a setting is missing, as there was no memory for it */
    const char         *folder;      /* for temporary files */
    const suite_test   *ran;         /* the last test whose scene was run; NULL: none, or the run failed */
} trial_def;

/* Finds out what the suite sets in the type. False, with the reason: the type lacks a parameter that the suite needs.
 */
bool trial_prepare(trial_def *def, char *reason, size_t size);
void trial_free(trial_def *def);

trial_result trial_run(trial_def *def, const suite_test *test);

#endif
