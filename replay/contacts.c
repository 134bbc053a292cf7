/* SPDX-License-Identifier: MIT */
/* contacts.c - the contacts of a chunk, numbered in the order of their first appearance. */
#include "recorder.h"

static size_t hash(const pcm_contact_key *key)
{
    uint64_t h = key->a * 0x9e3779b97f4a7c15u ^ key->b * 0xc2b2ae3d27d4eb4fu ^ key->feature * 0x165667b19e3779f9u;
    return (size_t)(h ^ h >> 32);
}

static bool same(const pcm_contact_key *a, const pcm_contact_key *b)
{
    return a->a == b->a && a->b == b->b && a->feature == b->feature;
}

/* The slot that holds the key, or where it would go. */
static pcm_contact_place *place_of(const pcm_replay *replay, const pcm_contact_key *key)
{
    const size_t mask = replay->n_places - 1;
    size_t       i = hash(key) & mask;
    while (replay->places[i].chunk == replay->chunk && !same(&replay->places[i].key, key))
        i = (i + 1) & mask;
    return &replay->places[i];
}

/* Doubles the slots and re-enters the contacts of this chunk. */
static bool grow(pcm_replay *replay)
{
    const size_t       old = replay->n_places, wanted = old ? 2 * old : 256;
    pcm_contact_place *places = replay->places, *grown = pcm_allocate(replay->context, wanted * sizeof *replay->places);
    if (!grown)
        return false;
    replay->places = grown;
    replay->n_places = wanted;
    for (size_t i = 0; i < old; i++)
        if (places[i].chunk == replay->chunk)
            *place_of(replay, &places[i].key) = places[i];
    pcm_free(replay->context, places, old * sizeof *places);
    return true;
}

uint32_t pcm_contact_number(pcm_replay *replay, const pcm_contact_key *key, bool *is_new)
{
    const uint32_t count = (uint32_t)replay->contacts.rows;
    *is_new = false;
    if (2 * (count + 1) > replay->n_places && !grow(replay))
        return PCM_REPLAY_NONE;
    pcm_contact_place *place = place_of(replay, key);
    *is_new = place->chunk != replay->chunk;
    if (*is_new)
        *place = (pcm_contact_place){*key, replay->chunk, count};
    return place->number;
}
