/* SPDX-License-Identifier: MIT */
/* sweep.h - finds the overlaps among many balls, by a sweep along an axis in strips. */
#ifndef PCM_MUJOCO_SWEEP_H
#define PCM_MUJOCO_SWEEP_H

#include <stddef.h>
#include <stdint.h>

typedef struct pcm_keyed {
    uint64_t key;
    uint32_t item;
} pcm_keyed;

/* Radix sort by key: stable, in linear time. spare has as many elements as items. */
void pcm_sort_keyed(pcm_keyed *items, pcm_keyed *spare, size_t count);

typedef struct pcm_ball {
    double centre[3], radius; /* m; a ball of infinite radius overlaps all others */
} pcm_ball;

/* Scratch of the sweep, each with room for all balls. */
typedef struct pcm_sweep {
    pcm_keyed *order, *spare;
    uint32_t  *high; /* the upper end of each ball, in the order of the lower ends */
} pcm_sweep;

/* Calls visit once for every two balls that overlap, and for some others, in no particular order. Centres are finite
 * and no farther than PCM_SWEEP_FARTHEST. */
#define PCM_SWEEP_FARTHEST 1e15
typedef void pcm_sweep_visit(void *user, uint32_t a, uint32_t b);
void pcm_sweep_balls(const pcm_sweep *sweep, const pcm_ball *balls, uint32_t count, pcm_sweep_visit *visit, void *user);

#endif
