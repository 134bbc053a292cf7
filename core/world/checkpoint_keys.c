/* SPDX-License-Identifier: MIT */
/* checkpoint_keys.c - the keys of a checkpoint's contacts and pairs, put into the world's indices.
 *
 * A large index does not fit into a cache, and a key may belong anywhere. The keys of a group are therefore sorted by
 * parts of the index that fit into a cache, and inserted part by part. */
#include "restoring.h"

enum { PART_SHIFT = 15 }; /* 1 << this: slots of a part */

/* ---- One key --------------------------------------------------------------------------------------------------- */

static uint64_t feature_of(const restoring *r, size_t contact)
{
    const size_t in_group = contact - r->group_first, lane = in_group % PCM_BLOCK, first = in_group - lane;
    const size_t rows = pcm_saved_rows(r->group_end - r->group_first - first);
    return pcm_saved_word(r->rows + first * r->row_size + pcm_saved_at(rows, PCM_WORD_FEATURE), lane);
}

bool pcm_same_contact(pcm_world *world, const restoring *r, uint32_t a, uint32_t b)
{
    (void)world;
    const pcm_broken_key *broken[2] = {NULL, NULL};
    const uint32_t        value[2] = {a, b};
    uint32_t              pair[2];
    for (size_t i = 0; i < 2; i++) {
        if (value[i] & PCM_BROKEN_KEY)
            broken[i] = &r->broken[(value[i] & ~PCM_BROKEN_KEY) - 1];
        pair[i] = broken[i] ? broken[i]->pair : r->pair[value[i] - 1];
    }
    return pair[0] == pair[1] && (broken[0] ? broken[0]->feature : feature_of(r, a - 1)) ==
                                     (broken[1] ? broken[1]->feature : feature_of(r, b - 1));
}

bool pcm_add_key(pcm_world *world, const restoring *r, pcm_index *index, pcm_same_key *same, uint32_t hash,
                 uint32_t value)
{
    size_t at = hash & index->mask;
    for (; index->slots[at].value; at = (at + 1) & index->mask)
        if (index->slots[at].hash == hash && same(world, r, index->slots[at].value, value))
            return false;
    index->slots[at] = (pcm_slot){hash, value};
    index->count++;
    return true;
}

/* ---- The keys of a group --------------------------------------------------------------------------------------- */

pcm_status pcm_sort_keys(pcm_world *world, restoring *r, pcm_sorted_keys *keys, pcm_index *index, pcm_same_key *same,
                         size_t count)
{
    const size_t slots = index->mask + 1;
    *keys = (pcm_sorted_keys){.index = index, .same = same, .shift = PART_SHIFT};
    while (slots >> keys->shift > PCM_KEY_PARTS)
        keys->shift++;
    keys->parts = slots >> keys->shift;
    if (keys->parts < 2 || count < slots / PCM_BLOCK) /* fits into a cache, or has few keys that are close together */
        return PCM_OK;
    const size_t mean = count / keys->parts;
    keys->room = mean + mean / 8 + PCM_BLOCK;
    if (!pcm_grow(world->context, &r->key, &r->key_capacity, keys->parts * keys->room, sizeof *r->key))
        return PCM_NO_MEMORY;
    return PCM_OK;
}

bool pcm_sort_key(pcm_world *world, const restoring *r, pcm_sorted_keys *keys, uint32_t hash, uint32_t value)
{
    const size_t part = (hash & keys->index->mask) >> keys->shift;
    if (keys->count[part] >= keys->room)
        return pcm_add_key(world, r, keys->index, keys->same, hash, value);
    r->key[part * keys->room + keys->count[part]++] = (pcm_slot){hash, value};
    return true;
}

bool pcm_add_sorted_keys(pcm_world *world, const restoring *r, const pcm_sorted_keys *keys)
{
    const size_t slots = (size_t)1 << keys->shift;
    bool new = true;
    for (size_t part = 0; part < keys->parts; part++) {
        const pcm_slot *key = &r->key[part * keys->room], *end = key + keys->count[part];
        if (key < end)
            pcm_ask_bytes((const char *)&keys->index->slots[part * slots], slots * sizeof(pcm_slot));
        for (; key < end; key++)
            new &= pcm_add_key(world, r, keys->index, keys->same, key->hash, key->value);
    }
    return new;
}
