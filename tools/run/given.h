/* SPDX-License-Identifier: MIT */
/* given.h - inputs of laws that only the host can set, such as user-defined forces, from a table with the columns
 * `time`, `a` and `b`, the objects of a pair in either order, and one column per input, named after it. Each row
 * applies to all contacts of its pair or, if a column `point` has a number, to that point of an object that touches by
 * points. Values are interpolated linearly between the rows of a pair or point, and constant before and after them. */
#ifndef PCM_TOOLS_RUN_GIVEN_H
#define PCM_TOOLS_RUN_GIVEN_H

#include <pcm/mujoco.h>
#include <stdbool.h>
#include <stdint.h>

#include "series.h"

/* Two objects whose law reads inputs, or a point of such a pair; a <= b. */
typedef struct given_pair {
    const char     *a, *b; /* owned by the attachment */
    const pcm_type *type;
    int64_t         point; /* -1: all contacts without rows of their own */
    series          inputs;
} given_pair;

typedef struct given {
    given_pair *pairs; /* sorted by a, b, type, point */
    size_t      count, capacity;
} given;

/* Reads the table for the attachment. hash: of the file. False, with a report: it does not fit. Free it in either
 * case. */
bool given_read(given *table, const char *path, const pcm_mujoco *host, uint64_t *hash);
void given_free(given *table);

/* For pcm_mujoco_def.input; `table` is a given. */
double given_value(void *table, double time, const pcm_mujoco_contact_point *place, uint32_t column);

#endif
