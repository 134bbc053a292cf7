/* SPDX-License-Identifier: MIT */
/* law.h - the columns of a law's batch, between Python's names and pcm_batch. */
#ifndef PCM_PYTHON_LAW_H
#define PCM_PYTHON_LAW_H

#include "extension.h"

enum { LAW_COLUMNS = 128 }; /* the most that a call takes */

/* What a call was given: the caller's arrays where they lie as columns, copies of columns where they lie as rows. */
typedef struct law_inputs {
    const module_state *module;
    pcm_batch           batch;
    bool                sized; /* batch.count is known */
    array               arrays[LAW_COLUMNS];
    size_t              n_arrays;
    double             *copies[LAW_COLUMNS];
    size_t              n_copies;
    const double       *state[LAW_COLUMNS], *host_inputs[LAW_COLUMNS];
    const double       *amount[2][LAW_COLUMNS]; /* of the base and the follower */
} law_inputs;

/* Reads the keyword arguments of a call. False: an exception. law_inputs_free in either case. */
bool law_inputs_read(const law_object *law, const char *function, PyObject *arguments, PyObject *keywords,
                     law_inputs *inputs);
void law_inputs_free(law_inputs *inputs);

#endif
