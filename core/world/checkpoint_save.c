/* SPDX-License-Identifier: MIT */
/* checkpoint_save.c - the parts of a checkpoint, taken from the world. */
#include "guard.h"
#include "checkpoint.h"

/* A Shell sort: unless objects have been removed they are in order already. */
uint32_t pcm_world_order(pcm_world *world)
{
    pcm_body *bodies = world->bodies;
    uint32_t  count = 0;
    uint64_t  last = 0;
    bool      ordered = true;
    for (uint32_t i = 0; i < world->n_bodies; i++)
        if (bodies[i].name) {
            ordered = ordered && bodies[i].serial > last;
            last = bodies[i].serial;
            bodies[count++].nth = i;
        }
    for (uint32_t gap = ordered ? 0 : count / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t body = bodies[i].nth, at = i;
            for (; at >= gap && bodies[bodies[at - gap].nth].serial > bodies[body].serial; at -= gap)
                bodies[at].nth = bodies[at - gap].nth;
            bodies[at].nth = body;
        }
    return count;
}

static pcm_bytes_view view_of(const char *text) { return (pcm_bytes_view){text, strlen(text)}; }

static uint64_t place_of(const pcm_world *world, uint32_t object) { return world->bodies[object].place; }

static bool is_warned(const pcm_pair *pair) { return pair->low != pair->high && pair->warned; }

/* ---- The configuration ----------------------------------------------------------------------------------------- */

static pcm_status save_config(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    saved->config.ledger = walk->world->ledger;
    saved->config.n_types = walk->world->n_types;
    return PCM_OK;
}

static pcm_status save_type(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_type  *type = walk->world->groups[walk->index].type;
    const pcm_model *model = type->info.model;
    saved->type.name = view_of(type->info.name);
    saved->type.model = view_of(model->name);
    saved->type.version = view_of(model->version ? model->version : "1");
    saved->type.fingerprint = pcm_type_fingerprint(type);
    return PCM_OK;
}

static pcm_status save_rules(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    saved->rules.count = walk->world->n_rules;
    saved->rules.fingerprint = pcm_rules_fingerprint(walk->world->config);
    return PCM_OK;
}

static pcm_status save_mixed(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_type *type = walk->world->groups[walk->world->n_types + walk->index].type;
    saved->mixed.type = type->info.index;
    for (size_t side = 0; side < 2; side++)
        saved->mixed.material[side] = view_of(type->info.material[side]);
    saved->mixed.fingerprint = pcm_type_fingerprint(type);
    return PCM_OK;
}

/* ---- The world ------------------------------------------------------------------------------------------------- */

static pcm_status save_clock(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_world *world = walk->world;
    saved->clock.time = world->time;
    saved->clock.dt = world->dt;
    saved->clock.committed_time = world->committed_time;
    saved->clock.last_id = world->last_id;
    return PCM_OK;
}

static pcm_status save_count(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world *world = walk->world;
    saved->count = 0;
    if (walk->counted == PCM_SAVED_OBJECT)
        saved->count = pcm_world_order(world);
    else if (walk->counted == PCM_SAVED_BROKEN)
        saved->count = world->n_broken;
    else if (walk->counted == PCM_SAVED_CONTACT)
        saved->count = pcm_walk_group(walk)->live;
    else if (walk->counted == PCM_SAVED_MIXED)
        saved->count = world->n_groups - world->n_types;
    else
        for (size_t i = 0; i < world->n_pairs; i++)
            saved->count += is_warned(&world->pairs[i]);
    *(size_t *)walk->user = 0;
    return PCM_OK;
}

static pcm_status save_object(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world     *world = walk->world;
    const uint32_t i = world->bodies[walk->index].nth;
    const size_t   newest = world->moved[i] == world->epoch ? 1 - world->front : world->front;
    const bool     committed = world->source != world->parity;
    world->bodies[i].place = (uint32_t)walk->index;
    saved->object.name = view_of(world->bodies[i].name);
    saved->object.surface = view_of(world->bodies[i].surface);
    uint64_t *words = saved->object.written;
    words[PCM_WORD_HOLD] = world->pose[newest][i].hold;
    memcpy(words + PCM_WORD_TWIST, &world->twist[newest][i], PCM_TWIST_WORDS * sizeof *words);
    memcpy(words + PCM_WORD_POSE, &world->pose[newest][i], PCM_POSE_WORDS * sizeof *words);
    memset(words + PCM_WORD_WRENCH, 0, PCM_WRENCH_WORDS * sizeof *words);
    if (committed)
        memcpy(words + PCM_WORD_WRENCH, &world->wrench[i], PCM_WRENCH_WORDS * sizeof *words);
    words[PCM_WORD_FRESH] = world->fresh[i];
    for (size_t k = 0; k < world->n_amounts; k++) {
        const pcm_amount_line *line = &world->amount[i * world->n_amounts + k];
        const double numbers[PCM_AMOUNT_WORDS] = {line->value, committed ? line->flow : 0, line->inverse_capacity};
        memcpy(words + PCM_WORD_AMOUNTS + PCM_AMOUNT_WORDS * k, numbers, sizeof numbers);
    }
    return PCM_OK;
}

static void save_pair(const pcm_world *world, const pcm_pair *pair, uint64_t value, pcm_saved *saved)
{
    saved->pair.place[0] = place_of(world, pair->low);
    saved->pair.place[1] = place_of(world, pair->high);
    saved->pair.warned_or_feature = value;
}

/* The side's user counts the pairs that were looked at. */
static pcm_status save_warned(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_pair *pairs = walk->world->pairs;
    size_t         *next = walk->user;
    while (!is_warned(&pairs[*next]))
        (*next)++;
    save_pair(walk->world, &pairs[*next], pairs[*next].warned, saved);
    (*next)++;
    return PCM_OK;
}

static pcm_status save_broken(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_broken_key *key = &walk->world->broken[walk->index];
    save_pair(walk->world, &walk->world->pairs[key->pair], key->feature, saved);
    saved->pair.onset = key->onset;
    return PCM_OK;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void save_identity(const pcm_world *world, const pcm_group *group, size_t row, uint8_t *bytes)
{
    const pcm_identity *identity = &group->identity[row];
    const uint64_t      words[PCM_WORD_COLUMNS] = {
             [PCM_WORD_BASE] = place_of(world, pcm_side_object(group->record[row].base)),
             [PCM_WORD_FOLLOWER] = place_of(world, pcm_side_object(group->record[row].follower)),
             [PCM_WORD_FEATURE] = identity->feature,
             [PCM_WORD_ID] = identity->id,
             [PCM_WORD_SINCE] = bits_of(identity->since),
             [PCM_WORD_FLIPPED] = world->slots[identity->slot].flipped,
    };
    for (size_t i = 0; i < PCM_WORD_COLUMNS; i++)
        pcm_put_word(bytes + 8 * i, words[i]);
}

/* A block at a time, in which the values of a column lie side by side. */
static void save_contacts(pcm_checkpoint_walk *walk, uint8_t *bytes)
{
    const pcm_world *world = walk->world;
    const pcm_group *group = pcm_walk_group(walk);
    const size_t     size = pcm_saved_contact_size(group);
    for (size_t first = 0; first < walk->count; first += PCM_BLOCK, bytes += PCM_BLOCK * size) {
        const size_t rows = walk->count - first < PCM_BLOCK ? walk->count - first : PCM_BLOCK;
        for (size_t i = 0; i < rows; i++)
            save_identity(world, group, first + i, bytes + i * size);
        for (uint32_t k = 0; k < pcm_saved_columns(group); k++) {
            const double *column = pcm_saved_column(world, group, k, first);
            for (size_t i = 0; i < rows; i++)
                pcm_put_word(bytes + i * size + 8 * (PCM_WORD_COLUMNS + k), bits_of(column[i]));
        }
    }
}

static pcm_status save_type_end(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_ledger *ledger = &pcm_walk_group(walk)->ledger;
    saved->type_end.log_last = pcm_world_log(walk->world, walk->g)->last;
    saved->type_end.work = ledger->work;
    saved->type_end.stored = ledger->stored;
    saved->type_end.dissipated = ledger->dissipated;
    return PCM_OK;
}

static pcm_status save_stats(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_rule_stats *stats = &walk->world->stats[walk->index];
    saved->stats.made = stats->made;
    saved->stats.parted = stats->parted;
    saved->stats.broken = stats->broken;
    saved->stats.max_depth = stats->max_depth;
    saved->stats.max_slip = stats->max_slip;
    saved->stats.max_force = stats->max_force;
    return PCM_OK;
}

static pcm_checkpoint_part *const saving[PCM_SAVED_KINDS] = {
    [PCM_SAVED_CONFIG] = save_config, [PCM_SAVED_TYPE] = save_type,     [PCM_SAVED_RULES] = save_rules,
    [PCM_SAVED_CLOCK] = save_clock,   [PCM_SAVED_COUNT] = save_count,   [PCM_SAVED_OBJECT] = save_object,
    [PCM_SAVED_WARNED] = save_warned, [PCM_SAVED_BROKEN] = save_broken, [PCM_SAVED_TYPE_END] = save_type_end,
    [PCM_SAVED_STATS] = save_stats,   [PCM_SAVED_MIXED] = save_mixed,
};

/* Writes all that follows the head, or counts it; returns the count of all bytes. */
static size_t save(pcm_world *world, uint8_t *bytes)
{
    size_t              next_pair;
    pcm_checkpoint_walk walk = {.world = world,
                                .side = saving,
                                .rows.write = save_contacts,
                                .to = {bytes, PCM_CHECKPOINT_HEAD},
                                .user = &next_pair};
    pcm_checkpoint_go(&walk);
    return walk.to.count;
}

size_t pcm_world_checkpoint_size(pcm_world *world)
{
    if (pcm_world_enter(world, true, __func__) != PCM_OK)
        return 0;
    const size_t size = save(world, NULL);
    pcm_world_leave(world);
    return size;
}

pcm_status pcm_world_checkpoint_save(pcm_world *world, void *bytes, size_t size)
{
    const pcm_status status = pcm_world_enter(world, bytes != NULL, __func__);
    if (status != PCM_OK)
        return status;
    const bool fits = size == save(world, NULL);
    if (fits)
        save(world, bytes);
    pcm_world_leave(world);
    if (!fits)
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                                "the size is not that of pcm_world_checkpoint_size now");
    pcm_writer head = {bytes, 0};
    pcm_write_u64(&head, PCM_CHECKPOINT_MARK);
    pcm_write_u64(&head, PCM_CHECKPOINT_VERSION);
    pcm_write_u64(&head, size);
    pcm_write_u64(&head, pcm_checkpoint_sum(bytes, size));
    return PCM_OK;
}
