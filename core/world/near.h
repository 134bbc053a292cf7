/* SPDX-License-Identifier: MIT */
/* near.h - contacts known by their place.
 *
 * For pairs that are touched by pcm_world_touch_near the world keeps, of each contact, where it lay on both bodies at
 * the last commit: `kept`, in rising order of features. A touch matches its points with these and gives each point its
 * contact's feature; `seen` has what it found, until a commit makes it the next `kept`. So a trial changes nothing that
 * another one reads. */
#ifndef PCM_WORLD_NEAR_H
#define PCM_WORLD_NEAR_H

#include "world.h"
#include <pcm/near.h>

/* A contact of such a pair. Sides: 0 the base, 1 the follower. */
typedef struct pcm_near_point {
    pcm_near_mark mark; /* first; its places are those on each side */
    uint64_t      feature;
    pcm_contact   contact;   /* its handle; none: it is found by its feature */
    double        normal[3]; /* from the base to the follower: of a kept one in the base's axes, else in the world's */
    double        depth;
    uint32_t      guessed; /* 1: it was not reported in that evaluation, but guessed from where it was */
} pcm_near_point;

/* The numbers of a kept one in a checkpoint, besides its feature: places, normal, depth. */
enum { PCM_NEAR_NUMBERS = 10 };

typedef struct pcm_near_pair {
    uint32_t        pair; /* PCM_NO_PAIR: a free entry. It does not refer back to one that was removed */
    uint32_t        next_free;
    uint32_t        evaluation; /* the one that seen belongs to */
    size_t          n_kept, n_seen, kept_capacity, seen_capacity;
    double          close;    /* a fifth of the least distance between two kept ones on either side, squared */
    size_t          first;    /* number of the first kept one in the checkpoint that is being saved */
    size_t          expected; /* number of them in the one that is being restored */
    pcm_near_point *kept;
    pcm_near_point *seen; /* in the order of the touches; then those that were guessed */
} pcm_near_pair;

/* The distance of two places, squared. */
static inline double pcm_near_squared(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* After a commit has removed what ended: seen contacts that live become the kept ones. */
void pcm_near_commit(pcm_world *world);

/* Forgets all contacts; frees the memory. */
void pcm_near_clear(pcm_world *world);
void pcm_near_free(pcm_world *world);

/* For checkpoints: numbers the kept contacts, those of a pair from its `first` on. Returns how many there are. */
size_t pcm_near_number(pcm_world *world);

/* Makes room for one more contact of a pair that is being restored. PCM_NO_MEMORY */
pcm_status pcm_near_expect(pcm_world *world, uint32_t pair);
/* Adds it, after pcm_near_clear. */
void pcm_near_take(pcm_world *world, uint32_t pair, uint64_t feature, const double numbers[PCM_NEAR_NUMBERS],
                   uint64_t guessed);
void pcm_near_numbers(const pcm_near_point *kept, double numbers[PCM_NEAR_NUMBERS]);

#endif
