/* SPDX-License-Identifier: MIT */
/* jacobian.h - the data of a pcm_jacobian. */
#ifndef PCM_DERIVATIVE_JACOBIAN_H
#define PCM_DERIVATIVE_JACOBIAN_H

#include "model.h"
#include "contact_type.h"
#include <pcm/jacobian.h>

enum {
    LANES = 64, /* contacts evaluated together; a word has a bit for each, set once it is settled */
    PROBES = 5, /* the point itself, forward, back, half forward, half back */
    LEVELS = 4  /* number of distances that are tried */
};
#define NO_COLUMN UINT32_MAX

typedef double pcm_probe_lanes[LANES];

/* The law's parameters with one of them moved; params NULL: the law rejects that value. */
typedef struct pcm_param_probe {
    void  *params;
    double moved;
} pcm_param_probe;

/* A variable by which partials are computed from differences. */
typedef struct pcm_cause {
    uint32_t         wrt;
    double           nominal;
    pcm_param_probe *blocks; /* for a parameter: LEVELS times PROBES blocks */
} pcm_cause;

struct pcm_jacobian {
    pcm_context    *context;
    const pcm_type *type;
    pcm_cause      *causes;
    pcm_partial    *partials;
    uint64_t       *settled; /* for each partial, a bit per lane that is settled, while its variable is moved */
    uint32_t       *own;     /* for each partial its column in the law's own table, or NO_COLUMN */
    size_t          n_partials, n_causes, own_bytes;
    bool            any_own;

    pcm_probe_lanes
                   *results; /* PROBES times n_results: forces and moments, rates, events; then the law's own columns */
    size_t          n_results, bytes;
    pcm_probe_lanes varied, moved[PROBES], nothing, unread;
    int64_t         unread_marks[LANES];
    const double   *host_inputs[PCM_MAX_COLUMNS], *state[PCM_MAX_COLUMNS];
    double         *next[PCM_MAX_COLUMNS], *rate[PCM_MAX_COLUMNS], *event[PCM_MAX_COLUMNS];
    const double   *amount[2][PCM_MAX_AMOUNTS];
    double         *flow[PCM_MAX_AMOUNTS];
    double         *own_columns[PCM_MAX_PARTIALS];
};

/* The offset of a probe for a variable of that scale. */
double pcm_probe_offset(size_t probe, size_t level, double scale);

/* Prepares the law's parameters for every probe of a variable that is a parameter. */
pcm_status pcm_cause_blocks_make(pcm_jacobian *jacobian, pcm_cause *cause);
void       pcm_cause_blocks_free(pcm_jacobian *jacobian, pcm_cause *cause);

#endif
