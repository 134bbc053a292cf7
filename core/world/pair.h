/* SPDX-License-Identifier: MIT */
/* pair.h - pairs of objects, and what the rules say of them, asked once. */
#ifndef PCM_WORLD_PAIR_H
#define PCM_WORLD_PAIR_H

#include "world.h"

/* The pair of two objects, made if it is new; PCM_NO_PAIR without memory. */
#define PCM_NO_PAIR UINT32_MAX
uint32_t pcm_world_find_pair(pcm_world *world, uint32_t a, uint32_t b);

/* Makes room for that many more. */
pcm_status pcm_world_reserve_pairs(pcm_world *world, size_t more);

typedef struct pcm_two {
    uint32_t low, high; /* objects, low < high */
} pcm_two;

/* The same of up to PCM_PAIRS_TOGETHER pairs, whose memory is asked for ahead. They are looked for from the pair `next`
 * on first: contacts mostly stand in the order in which their pairs were made. PCM_NO_MEMORY: not of all of them. */
enum { PCM_PAIRS_TOGETHER = PCM_BLOCK };
pcm_status pcm_world_find_pairs(pcm_world *world, const pcm_two *objects, size_t count, uint32_t next, uint32_t *pairs);

/* Makes a pair behind all others, without looking whether it is there; there is room for it. The caller puts it into
 * the index, under the hash that is told. PCM_NO_PAIR without memory. */
uint32_t pcm_world_append_pair(pcm_world *world, pcm_two objects, uint32_t *hash);

/* Frees the pairs from `first` on whose two objects have been made equal: those that nothing refers to any longer. */
void pcm_world_free_pairs(pcm_world *world, size_t first);

/* Asks the rules again what they say of a pair. Without memory, which is reported, the pair has no group. */
pcm_status pcm_world_resolve_pair(pcm_world *world, pcm_pair *pair);

/* Forgets the pairs of an object that goes. */
void pcm_world_drop_pairs(pcm_world *world, uint32_t object);

/* Forgets the pairs of that group and of those behind it. */
void pcm_world_drop_pairs_of(pcm_world *world, uint32_t group);

#endif
