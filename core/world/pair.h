/* SPDX-License-Identifier: MIT */
/* pair.h - pairs of objects, with the rule of each, which is looked up once. */
#ifndef PCM_WORLD_PAIR_H
#define PCM_WORLD_PAIR_H

#include "world.h"

/* The pair of two objects, made if it is new; PCM_NO_PAIR if there is no memory. */
#define PCM_NO_PAIR UINT32_MAX
uint32_t pcm_world_find_pair(pcm_world *world, uint32_t a, uint32_t b);

/* Makes room for that many more pairs. */
pcm_status pcm_world_reserve_pairs(pcm_world *world, size_t more);

typedef struct pcm_two {
    uint32_t low, high; /* objects, low < high */
} pcm_two;

/* The same for up to PCM_PAIRS_TOGETHER pairs, with prefetching. The search starts at the pair `next`: contacts are
 * mostly in the order in which their pairs were made. PCM_NO_MEMORY: some are missing. */
enum { PCM_PAIRS_TOGETHER = PCM_BLOCK };
pcm_status pcm_world_find_pairs(pcm_world *world, const pcm_two *objects, size_t count, uint32_t next, uint32_t *pairs);

/* Appends a pair without checking whether it exists; room was reserved. The caller adds it to the index, under the
 * returned hash. PCM_NO_PAIR if there is no memory. */
uint32_t pcm_world_append_pair(pcm_world *world, pcm_two objects, uint32_t *hash);

/* Frees the pairs from `first` on whose two objects have been made equal, which marks them as unused. */
void pcm_world_free_pairs(pcm_world *world, size_t first);

/* Looks up the rule of a pair again. If there is no memory, which is reported, the pair has no group. */
pcm_status pcm_world_resolve_pair(pcm_world *world, pcm_pair *pair);

/* Removes the pairs of an object that is removed. */
void pcm_world_drop_pairs(pcm_world *world, uint32_t object);

/* Removes the pairs of that group and of later ones. */
void pcm_world_drop_pairs_of(pcm_world *world, uint32_t group);

#endif
