/* SPDX-License-Identifier: MIT */
/* law.h - the columns of a law's batch: from Python's names to pcm_batch. */
#ifndef PCM_PYTHON_LAW_H
#define PCM_PYTHON_LAW_H

#include "extension.h"

enum { LAW_COLUMNS = 128 }; /* the largest number of arguments */

/* The arguments of a call: the caller's arrays if they are stored as columns, copies if they are stored as rows. */
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

/* Reads the keyword arguments of a call. False: an exception is set. Call law_inputs_free in either case. */
bool law_inputs_read(const law_object *law, const char *function, PyObject *arguments, PyObject *keywords,
                     law_inputs *inputs);
void law_inputs_free(law_inputs *inputs);

#endif
