/* SPDX-License-Identifier: MIT */
/* checkpoint.c - an attachment as bytes: its contact points, then the world.
 *
 * The format has 64-bit words, the least significant byte first: the mark, the version, the checksum of all that
 * follows up to the world; the numbers of pairs, of numbered pairs and of points; each pair that has numbered features,
 * with the next number; the contact points of the last commit. */
#include "life.h"
#include <pcm/messages.h>
#include <string.h>

#define MARK 0x544E494F50434A4Du /* "MJCPOINT" */
enum { VERSION = 1, WORD = 8, HEAD = 6 * WORD, FEATURE = 2 * WORD, POINT = 6 * WORD };

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

/* The hash of Fowler, Noll and Vo (FNV-1a). */
static uint64_t checksum(const uint8_t *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static size_t count_features(const pcm_mujoco *host)
{
    size_t count = 0;
    for (size_t i = 0; i < host->detection->n_pairs; i++)
        count += host->detection->next_feature[i] > 0;
    return count;
}

static size_t own_bytes(const pcm_mujoco *host)
{
    return HEAD + count_features(host) * FEATURE + host->detection->kept.count * POINT;
}

size_t pcm_checkpoint_bytes(pcm_mujoco *host) { return own_bytes(host) + pcm_world_checkpoint_size(host->world); }

static void put_points(uint8_t **to, const pcm_contact_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        const pcm_contact_point *point = &points->items[i];
        put(to, point->pair);
        put(to, point->feature);
        put(to, point->touched);
        for (int k = 0; k < 3; k++)
            put_double(to, point->mark.place[0][k]);
    }
}

pcm_status pcm_checkpoint_write(pcm_mujoco *host, uint8_t *bytes)
{
    pcm_detection *d = host->detection;
    const size_t   own = own_bytes(host);
    uint8_t       *to = bytes + 3 * WORD;
    put(&to, d->n_pairs);
    put(&to, count_features(host));
    put(&to, d->kept.count);
    for (size_t i = 0; i < d->n_pairs; i++) {
        if (!d->next_feature[i])
            continue;
        put(&to, i);
        put(&to, d->next_feature[i]);
    }
    put_points(&to, &d->kept);
    to = bytes;
    put(&to, MARK);
    put(&to, VERSION);
    put(&to, checksum(bytes + 3 * WORD, own - 3 * WORD));
    return pcm_world_checkpoint_save(host->world, bytes + own, pcm_world_checkpoint_size(host->world));
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct layout {
    size_t features, points;
    size_t own; /* number of bytes before the world's; 0: they are damaged, or belong to another scene */
} layout;

/* Whether each of count entries begins with the index of a pair. */
static bool are_pairs(const pcm_mujoco *host, const uint8_t *bytes, size_t count, size_t entry)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from = bytes + i * entry;
        if (get(&from) >= host->detection->n_pairs)
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
    l.points = get(&from);
    if (!known || pairs != host->detection->n_pairs || l.features > size / FEATURE || l.points > size / POINT)
        return l;
    const size_t first_point = HEAD + l.features * FEATURE, own = first_point + l.points * POINT;
    if (own <= size && checksum(bytes + 3 * WORD, own - 3 * WORD) == sum &&
        are_pairs(host, bytes + HEAD, l.features, FEATURE) && are_pairs(host, bytes + first_point, l.points, POINT))
        l.own = own;
    return l;
}

static void take_own(pcm_mujoco *host, const uint8_t *from, const layout *l)
{
    pcm_detection *d = host->detection;
    if (d->n_pairs)
        memset(d->next_feature, 0, d->n_pairs * sizeof *d->next_feature);
    for (size_t i = 0; i < l->features; i++) {
        const uint64_t pair = get(&from);
        d->next_feature[pair] = (uint32_t)get(&from);
    }
    d->kept.count = l->points;
    for (size_t i = 0; i < l->points; i++) {
        pcm_contact_point *point = &d->kept.items[i];
        *point = (pcm_contact_point){.pair = (uint32_t)get(&from)};
        point->feature = (uint32_t)get(&from);
        point->touched = get(&from);
        for (int k = 0; k < 3; k++)
            point->mark.place[0][k] = point->mark.place[1][k] = get_double(&from);
    }
}

pcm_status pcm_checkpoint_take(pcm_mujoco *host, const uint8_t *bytes, size_t size)
{
    pcm_detection *d = host->detection;
    pcm_life      *life = host->life;
    const layout   l = measure(host, bytes, size);
    if (!l.own) {
        pcm_report(host->context, PCM_ERROR, PCM_MSG_CHECKPOINT_DAMAGED,
                   "the checkpoint is damaged, or it is not of an attachment to this scene under these rules");
        return PCM_BAD_CHECKPOINT;
    }
    pcm_status status = pcm_contact_points_reserve(host->context, &d->kept, l.points);
    if (status == PCM_OK)
        status = pcm_world_checkpoint_restore(host->world, bytes + l.own, size - l.own);
    if (status != PCM_OK)
        return status;
    take_own(host, bytes + HEAD, &l);
    d->seen.count = 0;
    d->restored = true;
    host->evaluation->placed = false;
    life->now = NAN;
    life->next = NAN;
    life->drifted = NAN;
    host->evaluation->pending = 0;
    pcm_history_renew(host);
    return PCM_OK;
}
