/* SPDX-License-Identifier: MIT */
/* restoring.h - data that the two walks over a checkpoint share while it is restored. */
#ifndef PCM_WORLD_RESTORING_H
#define PCM_WORLD_RESTORING_H

#include "checkpoint.h"
#include "pair.h"
#include "world.h"

#define PCM_NO_OBJECT UINT32_MAX

/* The result of the checks: the checkpoint's objects and contacts in the world, and the data that will replace the
 * world's own. All zero initially, except `other`. */
typedef struct restoring {
    const pcm_world *other;      /* the world to copy, whose values and versions may differ; NULL: a checkpoint */
    uint32_t        *object;     /* for each object of the checkpoint, its index in the world, as in pcm_record */
    uint64_t        *serial;     /* for each object of the checkpoint, its serial, if their order differs */
    uint8_t         *held;       /* for each object of the checkpoint, how it is held: PCM_HOLD_... */
    const uint8_t   *past_texts; /* see pcm_checkpoint_walk */
    size_t           count;
    uint32_t         present;  /* number of objects in the world */
    pcm_index        names;    /* of the objects from the first... */
    bool             shuffled; /* ...whose order differs, if there is one */
    uint32_t        *mixed;    /* the groups of the types between materials, in the order of the checkpoint */
    size_t           n_mixed;
    uint64_t         version; /* of the layout */
    pcm_override    *settings;
    size_t           n_settings;
    uint64_t         last_id;
    bool             exchanged; /* the world's objects have the checkpoint's serials at present */
    bool            indexed; /* the index of contacts has the checkpoint's contacts, as 1 + their number in its order */
    bool            meets;   /* the world has no pairs yet, so each pair is new */
    pcm_broken_key *broken;
    size_t          broken_capacity;
    size_t          unusable; /* number of used-up slots in the world */
    size_t          contacts;
    uint32_t       *pair; /* the pair of each contact, in the order of the checkpoint; from first_moved on its slot */
    size_t          pair_capacity, next_contact;
    pcm_slot       *key; /* see pcm_sorted_keys */
    size_t          key_capacity;
    size_t          next_slot, first_moved; /* the first contact whose slot is not its index in the checkpoint */
    size_t          group_first, group_end; /* contacts of the group being walked */
    const char     *rows;                   /* their bytes */
    size_t          row_size;
} restoring;

static inline uint32_t pcm_restored_object(const restoring *r, uint64_t place)
{
    return pcm_side_object(r->object[place]);
}

static inline uint64_t pcm_base_place(uint64_t word) { return word & PCM_PLACE_MASK; }
static inline uint64_t pcm_follower_place(uint64_t word) { return word >> PCM_FOLLOWER_SHIFT & PCM_PLACE_MASK; }

/* Whether two values, one in the index and one to be added, have the same key. */
typedef bool pcm_same_key(pcm_world *world, const restoring *r, uint32_t known, uint32_t value);

/* In the index of contacts a value is PCM_BROKEN_KEY | 1 + a broken feature, or 1 + a contact in the order of the
 * checkpoint. The second value is a broken feature or a contact of the group being walked: a pair is in one group only.
 */
pcm_same_key pcm_same_contact;

/* Adds a key to an index that has room for it. False: it exists already. */
bool pcm_add_key(pcm_world *world, const restoring *r, pcm_index *index, pcm_same_key *same, uint32_t hash,
                 uint32_t value);

/* The keys of a group, sorted by parts of an index before they are inserted: those of part i are restoring.key[i * room
 * ...], and `count` has their number. Keys without room are inserted at once. */
enum { PCM_KEY_PARTS = 2048 };
typedef struct pcm_sorted_keys {
    pcm_index    *index;
    pcm_same_key *same;
    uint32_t      shift;       /* shift that gives the part of a slot */
    size_t        parts, room; /* keys for which each part has room; 0: sorting gains nothing */
    uint32_t      count[PCM_KEY_PARTS];
} pcm_sorted_keys;

/* Starts with room for that many keys, for which the index has room; adds one key; inserts all into the index, after
 * which `restoring.key` may be reused. False: a key exists already, and is not added. */
pcm_status pcm_sort_keys(pcm_world *world, restoring *r, pcm_sorted_keys *keys, pcm_index *index, pcm_same_key *same,
                         size_t count);
bool       pcm_sort_key(pcm_world *world, const restoring *r, pcm_sorted_keys *keys, uint32_t hash, uint32_t value);
bool       pcm_add_sorted_keys(pcm_world *world, const restoring *r, const pcm_sorted_keys *keys);

/* The objects of a block of contacts, from the first of their words; false: some are invalid. */
bool pcm_restored_objects(const restoring *r, const char *words, size_t count, pcm_two *objects, bool *base_is_high);

/* Makes the pairs of a group of contacts, in a world that has none yet, in restoring.pair. `sound` is false if objects
 * are invalid. */
pcm_status pcm_meet_pairs(pcm_checkpoint_walk *walk, const char *bytes, bool *sound);

/* Does everything that can fail. On success the objects are left in the order of the checkpoint. */
pcm_status pcm_checkpoint_check(pcm_world *world, pcm_reader from, restoring *r);

#endif
