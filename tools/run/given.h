/* SPDX-License-Identifier: MIT */
/* given.h - inputs that laws read and only the host can set, such as forces of the user's, from a table: columns
 * `time`, `a` and `b`, the objects of a pair in either order, and one per input by its name. Each row is for all
 * contacts of its pair or, where a column `point` has a number, for that point of an object that touches by points;
 * between the rows of a pair or point values are linear, before and after them they stay. */
#ifndef PCM_TOOLS_RUN_GIVEN_H
#define PCM_TOOLS_RUN_GIVEN_H

#include <pcm/mujoco.h>
#include <stdbool.h>

#include "series.h"

/* Two objects whose law reads inputs, or a point of them; a is not after b. */
typedef struct given_pair {
    const char     *a, *b; /* the attachment keeps them */
    const pcm_type *type;
    int64_t         point; /* -1: all contacts that have no rows of their own */
    series          inputs;
} given_pair;

typedef struct given {
    given_pair *pairs; /* in order of a, then b, then type, then point */
    size_t      count, capacity;
} given;

/* Reads the table for what is attached. False when it does not fit that, which has been reported; free what was read in
 * either case. */
bool given_read(given *table, const char *path, const pcm_mujoco *host);
void given_free(given *table);

/* pcm_mujoco_def.input, of a given. */
double given_value(void *table, double time, const pcm_mujoco_contact_point *place, uint32_t column);

#endif
