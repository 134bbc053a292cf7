/* SPDX-License-Identifier: MIT */
/* restoring.h - what the two walks over a checkpoint that is restored have in common. */
#ifndef PCM_WORLD_RESTORING_H
#define PCM_WORLD_RESTORING_H

#include "checkpoint.h"
#include "pair.h"
#include "world.h"

#define PCM_NO_OBJECT UINT32_MAX

/* What the checks find out: the checkpoint's objects and contacts in the world, and what is to take the place of the
 * world's own. All zero to begin with, but for `other`. */
typedef struct restoring {
    const pcm_world *other;      /* whose contacts are taken over: values and versions may differ; NULL: a checkpoint */
    uint32_t        *object;     /* by place in the checkpoint, as pcm_record has them */
    uint64_t        *serial;     /* likewise: that puts them in the order of the checkpoint, where another is theirs */
    uint8_t         *held;       /* likewise: how */
    const uint8_t   *past_texts; /* see pcm_checkpoint_walk */
    size_t           count;
    uint32_t         present;  /* objects of the world */
    pcm_index        names;    /* of those that were not taken before... */
    bool             shuffled; /* ...the first that is in another place */
    uint32_t        *mixed;    /* the groups of the types between materials, in the order of the checkpoint */
    size_t           n_mixed;
    uint64_t         last_id;
    bool             exchanged; /* the objects have the serials of the checkpoint */
    bool             indexed;   /* the index of contacts is for those of the checkpoint: 1 + place in its order */
    bool             meets;     /* the world has met no pair before */
    pcm_broken_key  *broken;
    size_t           broken_capacity;
    size_t           unusable; /* slots of the world */
    size_t           contacts;
    uint32_t   *pair; /* in the world, of each contact in the order of the checkpoint; its slot from first_moved on */
    size_t      pair_capacity, next_contact;
    pcm_slot   *key; /* see pcm_sorted_keys */
    size_t      key_capacity;
    size_t      next_slot, first_moved; /* the first contact whose slot is not its place in the checkpoint */
    size_t      group_first, group_end; /* contacts of the group that is walked over */
    const char *rows;                   /* these */
    size_t      row_size;
} restoring;

static inline uint32_t pcm_restored_object(const restoring *r, uint64_t place)
{
    return pcm_side_object(r->object[place]);
}

static inline uint64_t pcm_base_place(uint64_t word) { return word & PCM_PLACE_MASK; }
static inline uint64_t pcm_follower_place(uint64_t word) { return word >> PCM_FOLLOWER_SHIFT & PCM_PLACE_MASK; }

/* Whether two values of an index stand for one key: one that is there, and one that is to go there. */
typedef bool pcm_same_key(pcm_world *world, const restoring *r, uint32_t known, uint32_t value);

/* In the index of contacts a value is PCM_BROKEN_KEY | 1 + a broken feature, or 1 + a contact in the order of the
 * checkpoint. The second is of a broken feature or of a contact of the group that is walked over: the pair of another
 * is in no other group. */
pcm_same_key pcm_same_contact;

/* Adds a key to an index that has room for it. False: it is there. */
bool pcm_add_key(pcm_world *world, const restoring *r, pcm_index *index, pcm_same_key *same, uint32_t hash,
                 uint32_t value);

/* The keys of a group on their way into an index, sorted by the parts of it that they go to: those of the part i are
 * restoring.key[i * room ...], as many as count says. Those that find no room go into the index at once. */
enum { PCM_KEY_PARTS = 2048 };
typedef struct pcm_sorted_keys {
    pcm_index    *index;
    pcm_same_key *same;
    uint32_t      shift;       /* of a slot to the part that it is in */
    size_t        parts, room; /* keys for which each part has room; 0: they gain nothing */
    uint32_t      count[PCM_KEY_PARTS];
} pcm_sorted_keys;

/* Room for so many keys, for which there is room in the index; one of them; all of them into the index, of which
 * `restoring.key` then is free for others. False: a key is there, and not added. */
pcm_status pcm_sort_keys(pcm_world *world, restoring *r, pcm_sorted_keys *keys, pcm_index *index, pcm_same_key *same,
                         size_t count);
bool       pcm_sort_key(pcm_world *world, const restoring *r, pcm_sorted_keys *keys, uint32_t hash, uint32_t value);
bool       pcm_add_sorted_keys(pcm_world *world, const restoring *r, const pcm_sorted_keys *keys);

/* The objects of a block of contacts, from the first of their words; false: there are no such two. */
bool pcm_restored_objects(const restoring *r, const char *words, size_t count, pcm_two *objects, bool *base_is_high);

/* The pairs of a group of contacts, in a world that had met none before: as restoring.pair has them. False in `sound`:
 * there are no such two objects. */
pcm_status pcm_meet_pairs(pcm_checkpoint_walk *walk, const char *bytes, bool *sound);

/* Everything that can fail. The objects are left in the order of the checkpoint where nothing does. */
pcm_status pcm_checkpoint_check(pcm_world *world, pcm_reader from, restoring *r);

#endif
