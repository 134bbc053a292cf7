/* SPDX-License-Identifier: MIT */
/* columns.h - contacts of one contact type, as a host stores them if it calls laws on columns of its own. */
#ifndef PCM_BENCH_COLUMNS_H
#define PCM_BENCH_COLUMNS_H

#include <pcm/pcm.h>

enum { MAX_STATES = 32, MAX_AMOUNTS = 16 };

typedef struct Columns {
    const pcm_type *type;
    pcm_batch       batch; /* of all contacts */
    const double   *host_inputs[MAX_STATES], *state[MAX_STATES];
    double         *next[MAX_STATES], *rate[MAX_STATES], *event[MAX_STATES];
    const double   *amount[2][MAX_AMOUNTS];
    double         *flow[2][MAX_AMOUNTS]; /* of the base, then of the follower */
    double         *memory;
    size_t          n_taken; /* columns in memory */
    double          bytes;   /* doubles that the law reads and writes per contact */
} Columns;

/* Fills the columns that the law reads with random motion of contacts that overlap. A host that steps contacts wants
 * forces, next states and life; with `everything` there are columns for all other outputs too, and the law is called
 * directly. */
Columns *columns_new(const pcm_type *type, size_t count, bool everything);
void     columns_free(Columns *columns);

/* `count` contacts of `from`, starting at `first`, as a batch of their own. */
void columns_slice(const Columns *from, size_t first, size_t count, Columns *to);

/* The whole batch through the public call. */
void columns_call(void *columns);

#endif
