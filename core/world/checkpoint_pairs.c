/* SPDX-License-Identifier: MIT */
/* checkpoint_pairs.c - the pairs of a checkpoint's contacts, in a world that has no pairs yet.
 *
 * Looking up each in the index of pairs, which does not fit into a cache, would take longer than everything else. Since
 * most pairs are new, each is made at once; duplicates are found when the sorted keys are inserted into the index. */
#include "restoring.h"

bool pcm_restored_objects(const restoring *r, const char *words, size_t count, pcm_two *objects, bool *base_is_high)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = pcm_saved_word(words, i), base = pcm_base_place(word),
                       follower = pcm_follower_place(word);
        if (base >= r->count || follower >= r->count || base == follower)
            return false;
        const uint32_t a = pcm_restored_object(r, base), b = pcm_restored_object(r, follower);
        base_is_high[i] = a > b;
        objects[i] = a < b ? (pcm_two){a, b} : (pcm_two){b, a};
    }
    return true;
}

/* The upper bound of pairs: consecutive contacts of a block often share one. */
static size_t count_pairs(const restoring *r, const char *bytes)
{
    size_t pairs = 0;
    for (size_t at = r->group_first, count; at < r->group_end; at += count) {
        uint64_t last = 0; /* a value that no two objects have */
        count = pcm_saved_rows(r->group_end - at);
        pcm_ask_bytes(bytes + count * r->row_size, 8 * count);
        for (size_t i = 0; i < count; i++) {
            const uint64_t word = pcm_saved_word(bytes, i) & ~PCM_FLIPPED_MASK;
            pairs += word != last;
            last = word;
        }
        bytes += count * r->row_size;
    }
    return pairs;
}

/* A duplicate is no longer a pair, and refers to the first. */
static bool merge(pcm_world *world, const restoring *r, uint32_t known, uint32_t value)
{
    (void)r;
    const pcm_pair *first = &world->pairs[known - 1];
    pcm_pair       *second = &world->pairs[value - 1];
    if (first->low != second->low || first->high != second->high)
        return false;
    *second = (pcm_pair){.next_free = known};
    return true;
}

enum { BACK = 4 };

/* The distance to an earlier contact of the same two objects; 0: none among the last few. */
static inline size_t steps_back(const pcm_two *objects)
{
    for (size_t back = 1; back <= BACK; back++)
        if ((objects - back)->low == objects->low && (objects - back)->high == objects->high)
            return back;
    return 0;
}

/* Makes the pairs of a block of contacts; BACK others precede it in memory. */
static pcm_status append_pairs(pcm_world *world, restoring *r, const pcm_two *objects, size_t count, uint32_t *pair,
                               pcm_sorted_keys *keys, bool *merged)
{
    for (const pcm_two *end = objects + count; objects < end; objects++, pair++) {
        const size_t back = steps_back(objects);
        uint32_t     hash;
        *pair = back ? *(pair - back) : pcm_world_append_pair(world, *objects, &hash);
        if (*pair == PCM_NO_PAIR)
            return PCM_NO_MEMORY;
        if (!back)
            *merged |= !pcm_sort_key(world, r, keys, hash, *pair + 1);
    }
    return PCM_OK;
}

/* Gives contacts with a duplicate pair the first one. */
static void follow_merged(const pcm_world *world, restoring *r)
{
    for (size_t i = r->group_first; i < r->group_end; i++) {
        const pcm_pair *pair = &world->pairs[r->pair[i]];
        if (pair->low == pair->high)
            r->pair[i] = pair->next_free - 1;
    }
}

/* Makes the pairs of a group; `merged`: there were duplicates. */
static pcm_status append_all(pcm_checkpoint_walk *walk, const char *bytes, pcm_sorted_keys *keys, bool *sound,
                             bool *merged)
{
    restoring *r = walk->user;
    pcm_two    objects[BACK + PCM_BLOCK] = {{0, 0}};
    pcm_status status = PCM_OK;
    for (size_t at = r->group_first, count; status == PCM_OK && at < r->group_end; at += count) {
        bool base_is_high[PCM_BLOCK];
        count = pcm_saved_rows(r->group_end - at);
        *sound = pcm_restored_objects(r, bytes, count, objects + BACK, base_is_high);
        if (!*sound)
            return PCM_OK;
        status = append_pairs(walk->world, r, objects + BACK, count, &r->pair[at], keys, merged);
        memmove(objects, objects + count, BACK * sizeof *objects);
        bytes += count * r->row_size;
        pcm_ask_bytes(bytes, 8 * count);
    }
    return status;
}

pcm_status pcm_meet_pairs(pcm_checkpoint_walk *walk, const char *bytes, bool *sound)
{
    pcm_world      *world = walk->world;
    restoring      *r = walk->user;
    const size_t    first = world->n_pairs, count = count_pairs(r, bytes);
    bool            merged = false;
    pcm_sorted_keys keys;
    if (pcm_world_reserve_pairs(world, count) != PCM_OK ||
        pcm_sort_keys(world, r, &keys, &world->pair_index, merge, count) != PCM_OK)
        return PCM_NO_MEMORY;
    const pcm_status status = append_all(walk, bytes, &keys, sound, &merged);
    merged |= !pcm_add_sorted_keys(world, r, &keys); /* stays after a rejected checkpoint too */
    if (merged && status == PCM_OK && *sound)
        follow_merged(world, r);
    if (merged)
        pcm_world_free_pairs(world, first);
    return status;
}
