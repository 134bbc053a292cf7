/* SPDX-License-Identifier: MIT */
/* checkpoint_restore.c - restores a checkpoint that has been checked. */
#include "commit.h"
#include "guard.h"
#include "mixed_groups.h"
#include "pair.h"
#include "restoring.h"
#include "settings.h"
#include "surface_velocity.h"
#include "touch.h"
#include <pcm/messages.h>

enum { AHEAD = 16 };

/* Swaps the world's data with those that the checks have made; the old data are freed with them. */
static void exchange_broken(pcm_world *world, restoring *r)
{
    pcm_broken_key *broken = world->broken;
    const size_t    capacity = world->broken_capacity;
    world->broken = r->broken;
    world->broken_capacity = r->broken_capacity;
    r->broken = broken;
    r->broken_capacity = capacity;
}

static void clear_world(pcm_world *world, restoring *r)
{
    pcm_world_drop_all(world);
    pcm_world_forget(world);
    exchange_broken(world, r);
    if (!r->other)
        pcm_surfaces_clear(world);
    pcm_near_clear(world);
    world->n_events = world->n_committed_events = 0;
    for (size_t i = 0; world->n_warned > 0; i++) {
        world->n_warned -= world->pairs[i].warned != 0;
        world->pairs[i].warned = 0;
        world->pairs[i].created = world->pairs[i].exchanged = 0;
    }
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

static void take_lines(pcm_world *world, size_t side, uint32_t object, const char *words, uint64_t hold)
{
    pcm_take_words(&world->twist[side][object], words + 8 * PCM_WORD_TWIST, PCM_TWIST_WORDS);
    pcm_take_words(&world->pose[side][object], words + 8 * PCM_WORD_POSE, PCM_POSE_WORDS);
    world->pose[side][object].hold = hold;
}

/* The back lines of a moving object matter only in the fields that a move does not write. */
static void take_motion_of(pcm_world *world, uint32_t object, const char *words, uint8_t held)
{
    const uint64_t       hold = held & ~(uint64_t)PCM_SAVED_FRESH;
    const pcm_twist_line was = world->twist[world->front][object];
    take_lines(world, world->front, object, words, hold);
    const pcm_twist_line *is = &world->twist[world->front][object];
    const bool            keeps = memcmp(&was.curvature, &is->curvature, 2 * sizeof was.curvature) == 0;
    if (hold != PCM_HOLD_FREE || !keeps)
        take_lines(world, 1 - world->front, object, words, hold);
    world->moved[object] = world->epoch - 1;
    pcm_take_words(&world->wrench[object], words + 8 * PCM_WORD_WRENCH, PCM_WRENCH_WORDS);
    world->fresh[object] = (held & PCM_SAVED_FRESH) != 0;
    world->any_fresh |= world->fresh[object];
    for (uint32_t k = 0; k < world->n_amounts; k++) {
        const uint32_t first = PCM_WORD_AMOUNTS + PCM_AMOUNT_WORDS * k;
        world->amount[object * world->n_amounts + k] =
            (pcm_amount_line){.value = pcm_saved_double(words, first),
                              .flow = pcm_saved_double(words, first + 1),
                              .inverse_capacity = pcm_saved_double(words, first + 2)};
    }
}

static pcm_status take_motion(pcm_checkpoint_walk *walk, const char *bytes)
{
    const restoring *r = walk->user;
    const size_t     size = pcm_saved_motion_size(walk->world);
    for (size_t place = 0; place < walk->count; place++, bytes += size) {
        pcm_ask_bytes(bytes + AHEAD * size, size);
        take_motion_of(walk->world, pcm_restored_object(r, place), bytes, r->held[place]);
    }
    return PCM_OK;
}

/* Another world's surfaces move by its own file. */
static pcm_status take_surface(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const restoring *r = walk->user;
    if (!r->other)
        pcm_surface_set(walk->world, pcm_restored_object(r, saved->surface.place), &saved->surface.velocity);
    return PCM_OK;
}

static pcm_status take_warned(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const restoring *r = walk->user;
    const uint32_t   pair = pcm_world_find_pair(walk->world, pcm_restored_object(r, saved->pair.place[0]),
                                                pcm_restored_object(r, saved->pair.place[1]));
    pcm_world_warn(walk->world, &walk->world->pairs[pair], (uint32_t)saved->pair.warned_or_feature);
    walk->world->pairs[pair].created = saved->pair.created;
    walk->world->pairs[pair].exchanged = saved->pair.exchanged;
    return PCM_OK;
}

static pcm_status take_broken(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    (void)saved;
    walk->world->broken[walk->world->n_broken++].held = walk->world->evaluation;
    return PCM_OK;
}

static pcm_status take_near(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const restoring *r = walk->user;
    const uint32_t   pair = pcm_world_find_pair(walk->world, pcm_restored_object(r, saved->near.base),
                                                pcm_restored_object(r, saved->near.follower));
    pcm_near_take(walk->world, pair, saved->near.feature, saved->near.numbers, saved->near.guessed);
    return PCM_OK;
}

/* Writes the identities of a block of contacts, in their new slots. */
static void take_identities(pcm_world *world, restoring *r, pcm_group *group, size_t rows, const char *bytes,
                            const uint32_t *slots)
{
    const char *objects = bytes + pcm_saved_at(rows, PCM_WORD_OBJECTS), *ids = bytes + pcm_saved_at(rows, PCM_WORD_ID);
    const char *features = bytes + pcm_saved_at(rows, PCM_WORD_FEATURE);
    const char *since = bytes + pcm_saved_at(rows, PCM_WORD_SINCE);
    const uint32_t *object = r->object, *pairs = &r->pair[r->next_contact];
    pcm_record     *record = &group->record[group->count];
    pcm_identity   *identity = &group->identity[group->count];
    for (size_t i = 0; i < rows; i++) {
        const uint64_t word = pcm_saved_word(objects, i);
        record[i] = (pcm_record){.base = object[pcm_base_place(word)], .follower = object[pcm_follower_place(word)]};
        identity[i] = (pcm_identity){.feature = pcm_saved_word(features, i),
                                     .id = pcm_saved_word(ids, i),
                                     .since = pcm_saved_double(since, i),
                                     .pair = pairs[i],
                                     .slot = slots[i]};
        world->pairs[pairs[i]].contacts++;
        if (word & PCM_FLIPPED_MASK)
            world->slots[slots[i]].flipped = true;
    }
}

/* From the first contact whose slot is not its index in the checkpoint, the list of pairs holds slots instead. */
static void note_slots(restoring *r, const uint32_t *slots, size_t count)
{
    if (r->first_moved == SIZE_MAX && slots[count - 1] == r->next_contact + count - 1)
        return; /* slots increase, so all of these match */
    for (size_t i = 0; i < count; i++) {
        if (r->first_moved == SIZE_MAX && slots[i] != r->next_contact + i)
            r->first_moved = r->next_contact + i;
        r->pair[r->next_contact + i] = slots[i];
    }
}

/* Block by block. No stamp equals the number of the next evaluation, so stamps may stay as they are. */
static pcm_status take_contacts(pcm_checkpoint_walk *walk, const char *bytes)
{
    pcm_world     *world = walk->world;
    restoring     *r = walk->user;
    pcm_group     *group = pcm_walk_group(walk);
    const size_t   size = pcm_saved_contact_size(group);
    const uint32_t columns = pcm_saved_columns(group);
    world->topology += walk->count;
    for (size_t rows; group->count < walk->count; group->count += rows, bytes += rows * size) {
        uint32_t slots[PCM_BLOCK];
        rows = pcm_saved_rows(walk->count - group->count);
        pcm_ask_bytes(bytes + rows * size, rows * size);
        pcm_world_reuse_slots(world, &r->next_slot, (uint32_t)walk->g, group->count, rows, slots);
        take_identities(world, r, group, rows, bytes, slots);
        note_slots(r, slots, rows);
        for (size_t i = 0; i < rows && group->n_patch; i++)
            *pcm_group_patch(group, PCM_ROW_SCALE, group->count + i) =
                *pcm_group_patch(group, PCM_ROW_LAST_SCALE, group->count + i) = 1;
        for (uint32_t k = 0; k < columns; k++)
            pcm_take_words(pcm_saved_column(world, group, k, group->count),
                           bytes + pcm_saved_at(rows, PCM_WORD_COLUMNS + k), rows);
        r->next_contact += rows;
    }
    return PCM_OK;
}

/* If slots of the world are used up, a contact's slot is not its index in the checkpoint. */
static void name_slots(pcm_index *keys, const restoring *r)
{
    for (size_t i = 0; r->first_moved < r->contacts && i <= keys->mask; i++) {
        uint32_t *value = &keys->slots[i].value;
        if (*value > r->first_moved && !(*value & PCM_BROKEN_KEY))
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
    ledger->brought = saved->type_end.brought;
    pcm_ledger_balance(ledger);
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
    [PCM_SAVED_CLOCK] = take_clock,       [PCM_SAVED_WARNED] = take_warned, [PCM_SAVED_BROKEN] = take_broken,
    [PCM_SAVED_TYPE_END] = take_type_end, [PCM_SAVED_STATS] = take_stats,   [PCM_SAVED_SURFACE] = take_surface,
    [PCM_SAVED_NEAR] = take_near,
};

static void take_all(pcm_world *world, pcm_reader from, restoring *r)
{
    pcm_read_bytes(&from, PCM_CHECKPOINT_HEAD);
    pcm_checkpoint_walk walk = {.world = world,
                                .side = taking,
                                .motion.read = take_motion,
                                .contacts.read = take_contacts,
                                .reads = true,
                                .version = r->version,
                                .from = from,
                                .past_texts = r->past_texts,
                                .user = r};
    pcm_checkpoint_go(&walk);
    pcm_surfaces_latch(world);
    pcm_world_leave_slots(world, r->next_slot);
    name_slots(&world->contacts, r);
    pcm_world_note_least(world);
}

static pcm_status restore(pcm_world *world, const pcm_world *other, const void *bytes, size_t size)
{
    pcm_reader from = {bytes, (const uint8_t *)bytes + size, false};
    restoring  r = {.other = other, .first_moved = SIZE_MAX};
    pcm_status status = pcm_checkpoint_check(world, from, &r);
    if (status == PCM_OK) {
        clear_world(world, &r);
        r.next_contact = 0;
        if (!other)
            pcm_settings_take(world, r.settings, r.n_settings);
        pcm_world_order_groups(world, r.mixed, r.n_mixed);
        take_all(world, from, &r);
    } else if (status == PCM_NO_MEMORY)
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to restore a checkpoint");
    pcm_index_free(world->context, &r.names);
    pcm_free(world->context, r.broken, r.broken_capacity * sizeof *r.broken);
    pcm_free(world->context, r.mixed, r.n_mixed * sizeof *r.mixed);
    pcm_free(world->context, r.settings, r.n_settings * sizeof *r.settings);
    pcm_free(world->context, r.held, r.count * sizeof *r.held);
    pcm_free(world->context, r.object, r.count * sizeof *r.object);
    pcm_free(world->context, r.serial, r.count * sizeof *r.serial);
    pcm_free(world->context, r.key, r.key_capacity * sizeof *r.key);
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
