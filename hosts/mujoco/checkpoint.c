/* SPDX-License-Identifier: MIT */
/* checkpoint.c - an attachment as bytes: which places are which, then the world.
 *
 * Words of 64 bits, least significant byte first: the mark, the version, the checksum of what follows it up to the
 * world, the number of pairs; pairs that have given numbers to features, with the next one; the places of the last
 * commit. */
#include "host.h"
#include <pcm/messages.h>
#include <string.h>

#define MARK 0x544E494F50434A4Du /* "MJCPOINT" */
enum { VERSION = 1, WORD = 8, HEAD = 6 * WORD, FEATURE = 2 * WORD, SPOT = 6 * WORD };

static void put(uint8_t **to, uint64_t value)
{
    for (int i = 0; i < WORD; i++)
        *(*to)++ = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t **from)
{
    uint64_t value = 0;
    for (int i = 0; i < WORD; i++)
        value |= (uint64_t) * (*from)++ << 8 * i;
    return value;
}

static void put_double(uint8_t **to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(to, bits);
}

static double get_double(const uint8_t **from)
{
    const uint64_t bits = get(from);
    double         value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Fowler, Noll and Vo's. */
static uint64_t checksum(const uint8_t *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

static size_t count_features(const pcm_mujoco *host)
{
    size_t count = 0;
    for (size_t i = 0; i < host->n_pairs; i++)
        count += host->next_feature[i] > 0;
    return count;
}

static size_t own_bytes(const pcm_mujoco *host)
{
    return HEAD + count_features(host) * FEATURE + host->kept.count * SPOT;
}

size_t pcm_checkpoint_bytes(pcm_mujoco *host) { return own_bytes(host) + pcm_world_checkpoint_size(host->world); }

static void put_spots(uint8_t **to, const pcm_spots *spots)
{
    for (size_t i = 0; i < spots->count; i++) {
        const pcm_spot *spot = &spots->items[i];
        put(to, spot->pair);
        put(to, spot->feature);
        put(to, spot->touched);
        for (int k = 0; k < 3; k++)
            put_double(to, spot->local[k]);
    }
}

pcm_status pcm_checkpoint_write(pcm_mujoco *host, uint8_t *bytes)
{
    const size_t own = own_bytes(host);
    uint8_t     *to = bytes + 3 * WORD;
    put(&to, host->n_pairs);
    put(&to, count_features(host));
    put(&to, host->kept.count);
    for (size_t i = 0; i < host->n_pairs; i++) {
        if (!host->next_feature[i])
            continue;
        put(&to, i);
        put(&to, host->next_feature[i]);
    }
    put_spots(&to, &host->kept);
    to = bytes;
    put(&to, MARK);
    put(&to, VERSION);
    put(&to, checksum(bytes + 3 * WORD, own - 3 * WORD));
    return pcm_world_checkpoint_save(host->world, bytes + own, pcm_world_checkpoint_size(host->world));
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

typedef struct layout {
    size_t features, spots;
    size_t own; /* bytes before the world's; 0 where they are damaged or not for this scene */
} layout;

/* The first word of each of count entries, which is a pair. */
static bool are_pairs(const pcm_mujoco *host, const uint8_t *bytes, size_t count, size_t entry)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from = bytes + i * entry;
        if (get(&from) >= host->n_pairs)
            return false;
    }
    return true;
}

static layout measure(const pcm_mujoco *host, const uint8_t *bytes, size_t size)
{
    layout l = {0};
    if (size < HEAD)
        return l;
    const uint8_t *from = bytes;
    const bool     known = get(&from) == MARK && get(&from) == VERSION;
    const uint64_t sum = get(&from), pairs = get(&from);
    l.features = get(&from);
    l.spots = get(&from);
    if (!known || pairs != host->n_pairs || l.features > size / FEATURE || l.spots > size / SPOT)
        return l;
    const size_t first_spot = HEAD + l.features * FEATURE, own = first_spot + l.spots * SPOT;
    if (own <= size && checksum(bytes + 3 * WORD, own - 3 * WORD) == sum &&
        are_pairs(host, bytes + HEAD, l.features, FEATURE) && are_pairs(host, bytes + first_spot, l.spots, SPOT))
        l.own = own;
    return l;
}

static void take_own(pcm_mujoco *host, const uint8_t *from, const layout *l)
{
    if (host->n_pairs)
        memset(host->next_feature, 0, host->n_pairs * sizeof *host->next_feature);
    for (size_t i = 0; i < l->features; i++) {
        const uint64_t pair = get(&from);
        host->next_feature[pair] = (uint32_t)get(&from);
    }
    host->kept.count = l->spots;
    for (size_t i = 0; i < l->spots; i++) {
        pcm_spot *spot = &host->kept.items[i];
        *spot = (pcm_spot){.pair = (uint32_t)get(&from)};
        spot->feature = (uint32_t)get(&from);
        spot->touched = get(&from);
        for (int k = 0; k < 3; k++)
            spot->local[k] = get_double(&from);
    }
}

pcm_status pcm_checkpoint_take(pcm_mujoco *host, const uint8_t *bytes, size_t size)
{
    const layout l = measure(host, bytes, size);
    if (!l.own) {
        pcm_report(host->context, PCM_ERROR, PCM_MSG_CHECKPOINT_DAMAGED,
                   "the checkpoint is damaged, or it is not of an attachment to this scene under these rules");
        return PCM_BAD_CHECKPOINT;
    }
    pcm_status status = pcm_spots_reserve(host->context, &host->kept, l.spots);
    if (status == PCM_OK)
        status = pcm_world_checkpoint_restore(host->world, bytes + l.own, size - l.own);
    if (status != PCM_OK)
        return status;
    take_own(host, bytes + HEAD, &l);
    host->seen.count = 0;
    host->restored = true;
    host->placed = false;
    host->now = NAN;
    host->next = NAN;
    host->drifted = NAN;
    host->pending = 0;
    pcm_follow_renew(host);
    return PCM_OK;
}

/* The handles of the world's contacts are new ones: looked up after its first update. */
void pcm_checkpoint_find_contacts(pcm_mujoco *host)
{
    pcm_contact_info info = {.size = sizeof info};
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK)
            continue;
        const pcm_served *a = host->by_handle[info.base.index], *b = host->by_handle[info.follower.index];
        for (size_t k = 0; k < host->kept.count; k++) {
            pcm_spot              *spot = &host->kept.items[k];
            const pcm_served_pair *pair = &host->pairs[spot->pair];
            const pcm_served      *first = &host->objects[pair->a], *second = &host->objects[pair->b];
            if (spot->feature == info.feature && ((first == a && second == b) || (first == b && second == a)))
                spot->contact = info.handle;
        }
    }
    host->restored = false;
}

/* ---- For the user ---------------------------------------------------------------------------------------------- */

size_t pcm_mujoco_checkpoint_size(pcm_mujoco *host)
{
    pcm_follow_settle(host);
    return pcm_checkpoint_bytes(host);
}

pcm_status pcm_mujoco_checkpoint_save(pcm_mujoco *host, void *bytes, size_t size)
{
    pcm_follow_settle(host);
    if (!bytes || size != pcm_checkpoint_bytes(host))
        return PCM_BAD_ARGUMENT;
    pcm_follow_lock(host);
    const pcm_status status = pcm_checkpoint_write(host, bytes);
    pcm_follow_unlock(host);
    return status;
}

pcm_status pcm_mujoco_checkpoint_restore(pcm_mujoco *host, const void *bytes, size_t size)
{
    if (!bytes)
        return PCM_BAD_ARGUMENT;
    pcm_follow_lock(host);
    const pcm_status status = pcm_checkpoint_take(host, bytes, size);
    host->overlap_told = true; /* what is restored begins nothing */
    pcm_follow_unlock(host);
    return status;
}
