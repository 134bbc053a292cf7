/* SPDX-License-Identifier: MIT */
/* checkpoint_restore.c - what a checkpoint that was checked holds, taken over. */
#include "commit.h"
#include "guard.h"
#include "mixed_groups.h"
#include "pair.h"
#include "restoring.h"
#include "touch.h"
#include <pcm/messages.h>

/* Exchanges what the checks have made for what was there, which goes with them. */
static void exchange_keys(pcm_world *world, restoring *r)
{
    const pcm_index keys = world->contacts;
    pcm_broken_key *broken = world->broken;
    const size_t    capacity = world->broken_capacity;
    world->contacts = r->keys;
    world->broken = r->broken;
    world->broken_capacity = r->broken_capacity;
    r->keys = keys;
    r->broken = broken;
    r->broken_capacity = capacity;
}

static void clear_world(pcm_world *world, restoring *r)
{
    pcm_world_forget(world);
    pcm_world_drop_all(world);
    exchange_keys(world, r);
    world->n_events = world->n_committed_events = 0;
    for (size_t i = 0; i < world->n_pairs; i++)
        world->pairs[i].warned = 0;
}

static pcm_status take_clock(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world *world = walk->world;
    world->time = saved->clock.time;
    world->dt = saved->clock.dt;
    world->committed_time = saved->clock.committed_time;
    world->source = 1 - world->parity; /* the last update is committed */
    world->last_id = saved->clock.last_id;
    return PCM_OK;
}

static pcm_status take_motion(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world     *world = walk->world;
    const uint32_t object = ((const restoring *)walk->user)->object[walk->index];
    const char    *row = saved->object.read;
    pcm_take_words(&world->twist[0][object], row + 8 * PCM_WORD_TWIST, PCM_TWIST_WORDS);
    pcm_take_words(&world->pose[0][object], row + 8 * PCM_WORD_POSE, PCM_POSE_WORDS);
    world->pose[0][object].hold = pcm_saved_word(row, PCM_WORD_HOLD);
    world->twist[1][object] = world->twist[0][object];
    world->pose[1][object] = world->pose[0][object];
    pcm_take_words(&world->wrench[object], row + 8 * PCM_WORD_WRENCH, PCM_WRENCH_WORDS);
    world->moved[object] = world->epoch - 2;
    world->fresh[object] = pcm_saved_word(row, PCM_WORD_FRESH) != 0;
    world->any_fresh |= world->fresh[object];
    for (uint32_t k = 0; k < world->n_amounts; k++) {
        const uint32_t first = PCM_WORD_AMOUNTS + PCM_AMOUNT_WORDS * k;
        world->amount[object * world->n_amounts + k] =
            (pcm_amount_line){.value = pcm_saved_double(row, first),
                              .flow = pcm_saved_double(row, first + 1),
                              .inverse_capacity = pcm_saved_double(row, first + 2)};
    }
    return PCM_OK;
}

static pcm_status take_warned(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const uint32_t *object = ((const restoring *)walk->user)->object;
    const uint32_t  pair = pcm_world_find_pair(walk->world, object[saved->pair.place[0]], object[saved->pair.place[1]]);
    walk->world->pairs[pair].warned = (uint32_t)saved->pair.warned_or_feature;
    return PCM_OK;
}

static pcm_status take_broken(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    (void)saved;
    walk->world->broken[walk->world->n_broken++].held = walk->world->evaluation;
    return PCM_OK;
}

static void take_identity(pcm_world *world, restoring *r, const char *bytes)
{
    uint32_t      *pair = &r->pair[r->next_contact];
    const uint32_t slot = pcm_world_add_row(world, *pair, pcm_saved_word(bytes, PCM_WORD_FEATURE));
    pcm_identity  *identity = &world->groups[world->slots[slot].group].identity[world->slots[slot].row];
    identity->id = pcm_saved_word(bytes, PCM_WORD_ID);
    identity->since = pcm_saved_double(bytes, PCM_WORD_SINCE);
    world->slots[slot].flipped = pcm_saved_word(bytes, PCM_WORD_FLIPPED) != 0;
    r->moved |= slot != r->next_contact;
    r->next_contact++;
    *pair = slot;
}

/* A block at a time, in which the values of a column lie side by side. */
static pcm_status take_contacts(pcm_checkpoint_walk *walk, const char *bytes)
{
    pcm_world       *world = walk->world;
    const pcm_group *group = pcm_walk_group(walk);
    const size_t     size = pcm_saved_contact_size(group);
    for (size_t first = 0; first < walk->count; first += PCM_BLOCK, bytes += PCM_BLOCK * size) {
        const size_t rows = walk->count - first < PCM_BLOCK ? walk->count - first : PCM_BLOCK;
        for (size_t i = 0; i < rows; i++)
            take_identity(world, walk->user, bytes + i * size);
        for (uint32_t k = 0; k < pcm_saved_columns(group); k++) {
            double *column = pcm_saved_column(world, group, k, first);
            for (size_t i = 0; i < rows; i++)
                column[i] = pcm_saved_double(bytes + i * size, PCM_WORD_COLUMNS + k);
        }
    }
    return PCM_OK;
}

/* Where slots of the world are used up, a contact is not in the slot of its place in the checkpoint. */
static void name_slots(pcm_index *keys, const restoring *r)
{
    for (size_t i = 0; r->moved && i <= keys->mask; i++) {
        uint32_t *value = &keys->slots[i].value;
        if (*value && !(*value & PCM_BROKEN_KEY))
            *value = r->pair[*value - 1] + 1;
    }
}

static pcm_status take_type_end(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_group  *group = pcm_walk_group(walk);
    pcm_ledger *ledger = &group->ledger;
    group->live = group->count;
    pcm_world_log(walk->world, walk->g)->last = saved->type_end.log_last;
    ledger->work = saved->type_end.work;
    ledger->stored = saved->type_end.stored;
    ledger->dissipated = saved->type_end.dissipated;
    ledger->residue = -ledger->work - ledger->stored - ledger->dissipated;
    return PCM_OK;
}

static pcm_status take_stats(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_rule_stats *stats = &walk->world->stats[walk->index];
    stats->made = saved->stats.made;
    stats->parted = saved->stats.parted;
    stats->broken = saved->stats.broken;
    stats->max_depth = saved->stats.max_depth;
    stats->max_slip = saved->stats.max_slip;
    stats->max_force = saved->stats.max_force;
    return PCM_OK;
}

static pcm_checkpoint_part *const taking[PCM_SAVED_KINDS] = {
    [PCM_SAVED_CLOCK] = take_clock,   [PCM_SAVED_OBJECT] = take_motion,     [PCM_SAVED_WARNED] = take_warned,
    [PCM_SAVED_BROKEN] = take_broken, [PCM_SAVED_TYPE_END] = take_type_end, [PCM_SAVED_STATS] = take_stats,
};

static void take_all(pcm_world *world, pcm_reader from, restoring *r)
{
    pcm_read_bytes(&from, PCM_CHECKPOINT_HEAD);
    pcm_checkpoint_walk walk = {
        .world = world, .side = taking, .rows.read = take_contacts, .reads = true, .from = from, .user = r};
    pcm_checkpoint_go(&walk);
    name_slots(&world->contacts, r);
    pcm_world_note_least(world);
}

static pcm_status restore(pcm_world *world, const pcm_world *other, const void *bytes, size_t size)
{
    pcm_reader from = {bytes, (const uint8_t *)bytes + size, false};
    restoring  r = {.other = other};
    pcm_status status = pcm_checkpoint_check(world, from, &r);
    if (status == PCM_OK) {
        clear_world(world, &r);
        r.next_contact = 0;
        pcm_world_order_groups(world, r.mixed, r.n_mixed);
        take_all(world, from, &r);
    } else if (status == PCM_NO_MEMORY)
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to restore a checkpoint");
    pcm_index_free(world->context, &r.names);
    pcm_index_free(world->context, &r.keys);
    pcm_free(world->context, r.broken, r.broken_capacity * sizeof *r.broken);
    pcm_free(world->context, r.mixed, r.n_mixed * sizeof *r.mixed);
    pcm_free(world->context, r.object, r.count * sizeof *r.object);
    pcm_free(world->context, r.serial, r.count * sizeof *r.serial);
    pcm_free(world->context, r.pair, r.pair_capacity * sizeof *r.pair);
    return status;
}

pcm_status pcm_world_checkpoint_restore(pcm_world *world, const void *bytes, size_t size)
{
    pcm_status status = pcm_world_enter(world, bytes != NULL, __func__);
    if (status != PCM_OK)
        return status;
    status = restore(world, NULL, bytes, size);
    pcm_world_leave(world);
    return status;
}

pcm_status pcm_world_take_over(pcm_world *world, pcm_world *other)
{
    pcm_status status = pcm_world_enter(world, other && other != world, __func__);
    if (status != PCM_OK)
        return status;
    const size_t size = pcm_world_checkpoint_size(other);
    void        *bytes = size > 0 ? pcm_allocate(world->context, size) : NULL;
    status = !bytes && size > 0 ? PCM_NO_MEMORY : pcm_world_checkpoint_save(other, bytes, size);
    if (status == PCM_OK)
        status = restore(world, other, bytes, size);
    else if (status == PCM_NO_MEMORY)
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to take over a world");
    pcm_free(world->context, bytes, size);
    pcm_world_leave(world);
    return status;
}
