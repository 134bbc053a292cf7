/* SPDX-License-Identifier: MIT */
/* sweep.h - which of many balls meet, found without comparing all with all: a sweep along an axis, in strips. */
#ifndef PCM_MUJOCO_SWEEP_H
#define PCM_MUJOCO_SWEEP_H

#include <stddef.h>
#include <stdint.h>

typedef struct pcm_keyed {
    uint64_t key;
    uint32_t item;
} pcm_keyed;

/* Sorts by key, equal ones in the order in which they were, in linear time. spare has as much room. */
void pcm_sort_keyed(pcm_keyed *items, pcm_keyed *spare, size_t count);

typedef struct pcm_ball {
    double centre[3], radius; /* m; a radius that is infinite meets all */
} pcm_ball;

/* What the sweep works in: room for all balls in each. */
typedef struct pcm_sweep {
    pcm_keyed *order, *spare;
    uint32_t  *high; /* where a ball ends, in the order of those where they begin */
} pcm_sweep;

/* Calls visit for every two balls that meet, once, and for some that do not; in no particular order. Centres are finite
 * and no farther than PCM_SWEEP_FARTHEST. */
#define PCM_SWEEP_FARTHEST 1e15
typedef void pcm_sweep_visit(void *user, uint32_t a, uint32_t b);
void pcm_sweep_balls(const pcm_sweep *sweep, const pcm_ball *balls, uint32_t count, pcm_sweep_visit *visit, void *user);

#endif
