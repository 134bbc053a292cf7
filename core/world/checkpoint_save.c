/* SPDX-License-Identifier: MIT */
/* checkpoint_save.c - collects the parts of a checkpoint from the world. */
#include "surface_velocity.h"
#include "guard.h"
#include "checkpoint.h"

/* A Shell sort of those that are out of order. */
uint32_t pcm_world_order(pcm_world *world)
{
    pcm_body *bodies = world->bodies;
    uint32_t  count = 0;
    if (world->in_order)
        return (uint32_t)world->n_bodies;
    for (uint32_t i = 0; i < world->n_bodies; i++)
        if (bodies[i].name)
            bodies[count++].nth = i;
    for (uint32_t gap = count / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t body = bodies[i].nth, at = i;
            for (; at >= gap && bodies[bodies[at - gap].nth].serial > bodies[body].serial; at -= gap)
                bodies[at].nth = bodies[at - gap].nth;
            bodies[at].nth = body;
        }
    return count;
}

static pcm_bytes_view view_of(const char *text) { return (pcm_bytes_view){text, strlen(text)}; }

static uint64_t place_of(const pcm_world *world, uint32_t object)
{
    return world->in_order ? object : world->bodies[object].place;
}

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
    const pcm_type  *type = walk->world->groups[walk->index].given;
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
    const pcm_type *type = walk->world->groups[walk->world->n_types + walk->index].given;
    saved->mixed.type = type->info.index;
    for (size_t side = 0; side < 2; side++)
        saved->mixed.material[side] = view_of(type->info.material[side]);
    saved->mixed.fingerprint = pcm_type_fingerprint(type);
    return PCM_OK;
}

static pcm_status save_setting(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_override *setting = &walk->world->settings[walk->index];
    saved->setting.type = setting->type;
    saved->setting.param = setting->param;
    saved->setting.number = setting->number;
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
    if (walk->counted == PCM_SAVED_OBJECT)
        saved->count = pcm_world_order(world);
    else if (walk->counted == PCM_SAVED_BROKEN)
        saved->count = world->n_broken;
    else if (walk->counted == PCM_SAVED_CONTACT)
        saved->count = pcm_walk_group(walk)->live;
    else if (walk->counted == PCM_SAVED_MIXED)
        saved->count = world->n_groups - world->n_types;
    else if (walk->counted == PCM_SAVED_SETTING)
        saved->count = world->n_settings;
    else if (walk->counted == PCM_SAVED_SURFACE)
        saved->count = pcm_surfaces_moving(world);
    else if (walk->counted == PCM_SAVED_NEAR)
        saved->count = pcm_near_number(world);
    else
        saved->count = world->n_warned;
    *(size_t *)walk->user = 0;
    return PCM_OK;
}

static size_t newest_side(const pcm_world *world, uint32_t i)
{
    return world->moved[i] == world->epoch ? 1 - world->front : world->front;
}

static void save_motion_of(const pcm_world *world, uint32_t i, uint8_t *bytes)
{
    const size_t newest = newest_side(world, i);
    const bool   committed = world->source != world->parity;
    pcm_put_words(bytes + 8 * PCM_WORD_TWIST, &world->twist[newest][i], PCM_TWIST_WORDS);
    pcm_put_words(bytes + 8 * PCM_WORD_POSE, &world->pose[newest][i], PCM_POSE_WORDS);
    if (committed)
        pcm_put_words(bytes + 8 * PCM_WORD_WRENCH, &world->wrench[i], PCM_WRENCH_WORDS);
    else
        memset(bytes + 8 * PCM_WORD_WRENCH, 0, 8 * PCM_WRENCH_WORDS);
    for (size_t k = 0; k < world->n_amounts; k++) {
        const pcm_amount_line *line = &world->amount[i * world->n_amounts + k];
        const double numbers[PCM_AMOUNT_WORDS] = {line->value, committed ? line->flow : 0, line->inverse_capacity};
        pcm_put_words(bytes + 8 * (PCM_WORD_AMOUNTS + PCM_AMOUNT_WORDS * k), numbers, PCM_AMOUNT_WORDS);
    }
}

static void save_motion(pcm_checkpoint_walk *walk, uint8_t *bytes)
{
    pcm_world   *world = walk->world;
    const size_t size = pcm_saved_motion_size(world);
    for (size_t place = 0; place < walk->count; place++, bytes += size) {
        const uint32_t i = pcm_world_nth(world, place);
        if (!world->in_order)
            world->bodies[i].place = (uint32_t)place;
        save_motion_of(world, i, bytes);
        if (place % PCM_BLOCK == PCM_BLOCK - 1)
            pcm_checkpoint_sums_go(&walk->sums, walk->to.at, (size_t)(bytes + size - walk->to.at));
    }
}

static pcm_status save_object(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_world *world = walk->world;
    const uint32_t   i = pcm_world_nth(world, walk->index);
    const pcm_body  *body = &world->bodies[i];
    saved->object.held = world->pose[newest_side(world, i)][i].hold | (world->fresh[i] ? PCM_SAVED_FRESH : 0);
    saved->object.name = (pcm_bytes_view){body->name, pcm_name_length(body)};
    saved->object.surface = (pcm_bytes_view){body->surface, pcm_surface_length(body)};
    return PCM_OK;
}

/* The side's user counts the objects visited. */
static pcm_status save_surface(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_world *world = walk->world;
    size_t          *next = walk->user;
    while (!pcm_surface_moves(world, (uint32_t)*next))
        (*next)++;
    const pcm_surface_line *line = &world->surface[*next];
    saved->surface.place = place_of(world, (uint32_t)*next);
    memcpy(saved->surface.velocity.angular, line->angular, sizeof line->angular);
    memcpy(saved->surface.velocity.linear, line->linear, sizeof line->linear);
    (*next)++;
    return PCM_OK;
}

static void save_pair(const pcm_world *world, const pcm_pair *pair, uint64_t value, pcm_saved *saved)
{
    saved->pair.place[0] = place_of(world, pair->low);
    saved->pair.place[1] = place_of(world, pair->high);
    saved->pair.warned_or_feature = value;
}

/* The side's user counts the pairs visited. */
static pcm_status save_warned(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_pair *pairs = walk->world->pairs;
    size_t         *next = walk->user;
    while (!is_warned(&pairs[*next]))
        (*next)++;
    save_pair(walk->world, &pairs[*next], pairs[*next].warned, saved);
    saved->pair.created = pairs[*next].created;
    saved->pair.exchanged = pairs[*next].exchanged;
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

/* The side's user counts the pairs visited. */
static pcm_status save_near(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_world *world = walk->world;
    size_t          *next = walk->user;
    while (walk->index >= world->near[*next].first + world->near[*next].n_kept)
        (*next)++;
    const size_t          i = *next;
    const pcm_pair       *pair = &world->pairs[world->near[i].pair];
    const pcm_near_point *kept = &world->near[i].kept[walk->index - world->near[i].first];
    saved->near.base = place_of(world, pair->base_is_high ? pair->high : pair->low);
    saved->near.follower = place_of(world, pair->base_is_high ? pair->low : pair->high);
    saved->near.feature = kept->feature;
    saved->near.guessed = kept->guessed;
    pcm_near_numbers(kept, saved->near.numbers);
    return PCM_OK;
}

static uint64_t objects_word(const pcm_world *world, const pcm_record *record, bool flipped)
{
    return place_of(world, pcm_side_object(record->base)) |
           place_of(world, pcm_side_object(record->follower)) << PCM_FOLLOWER_SHIFT | (flipped ? PCM_FLIPPED_MASK : 0);
}

/* The identities of a block's contacts. */
static void save_identities(const pcm_world *world, const pcm_group *group, size_t first, size_t rows, uint8_t *bytes)
{
    uint8_t *objects = bytes + pcm_saved_at(rows, PCM_WORD_OBJECTS), *ids = bytes + pcm_saved_at(rows, PCM_WORD_ID);
    uint8_t *features = bytes + pcm_saved_at(rows, PCM_WORD_FEATURE);
    uint8_t *since = bytes + pcm_saved_at(rows, PCM_WORD_SINCE);
    for (size_t i = 0; i < rows; i++) {
        const pcm_identity *identity = &group->identity[first + i];
        const bool          flipped = world->slots[identity->slot].flipped;
        pcm_put_word(objects + 8 * i, objects_word(world, &group->record[first + i], flipped));
        pcm_put_word(features + 8 * i, identity->feature);
        pcm_put_word(ids + 8 * i, identity->id);
        pcm_put_words(since + 8 * i, &identity->since, 1);
    }
}

static void save_contacts(pcm_checkpoint_walk *walk, uint8_t *bytes)
{
    const pcm_world *world = walk->world;
    const pcm_group *group = pcm_walk_group(walk);
    const size_t     size = pcm_saved_contact_size(group);
    const uint32_t   columns = pcm_saved_columns(group);
    for (size_t first = 0, rows; first < walk->count; first += rows, bytes += rows * size) {
        rows = pcm_saved_rows(walk->count - first);
        save_identities(world, group, first, rows, bytes);
        for (uint32_t k = 0; k < columns; k++)
            pcm_put_words(bytes + pcm_saved_at(rows, PCM_WORD_COLUMNS + k), pcm_saved_column(world, group, k, first),
                          rows);
        pcm_checkpoint_sums_go(&walk->sums, walk->to.at, (size_t)(bytes + rows * size - walk->to.at));
    }
}

static pcm_status save_type_end(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const pcm_ledger *ledger = &pcm_walk_group(walk)->ledger;
    saved->type_end.log_last = pcm_world_log(walk->world, walk->g)->last;
    saved->type_end.work = ledger->work;
    saved->type_end.stored = ledger->stored;
    saved->type_end.dissipated = ledger->dissipated;
    saved->type_end.brought = ledger->brought;
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
    [PCM_SAVED_CONFIG] = save_config,   [PCM_SAVED_TYPE] = save_type,     [PCM_SAVED_RULES] = save_rules,
    [PCM_SAVED_CLOCK] = save_clock,     [PCM_SAVED_COUNT] = save_count,   [PCM_SAVED_OBJECT] = save_object,
    [PCM_SAVED_WARNED] = save_warned,   [PCM_SAVED_BROKEN] = save_broken, [PCM_SAVED_TYPE_END] = save_type_end,
    [PCM_SAVED_STATS] = save_stats,     [PCM_SAVED_MIXED] = save_mixed,   [PCM_SAVED_SETTING] = save_setting,
    [PCM_SAVED_SURFACE] = save_surface, [PCM_SAVED_NEAR] = save_near,
};

/* Writes everything after the head into walk->to, or counts it. */
static void save(pcm_world *world, uint8_t *bytes, pcm_checkpoint_walk *walk)
{
    size_t next_pair;
    *walk = (pcm_checkpoint_walk){.world = world,
                                  .side = saving,
                                  .motion.write = save_motion,
                                  .contacts.write = save_contacts,
                                  .to = {bytes, PCM_CHECKPOINT_HEAD},
                                  .user = &next_pair};
    pcm_checkpoint_sums_start(&walk->sums);
    pcm_checkpoint_go(walk);
}

static size_t count_bytes(pcm_world *world)
{
    pcm_checkpoint_walk walk;
    save(world, NULL, &walk);
    return walk.to.count;
}

static void save_all(pcm_world *world, uint8_t *bytes, size_t size)
{
    pcm_checkpoint_walk walk;
    pcm_writer          head = {bytes, 0};
    pcm_write_u64(&head, PCM_CHECKPOINT_MARK);
    pcm_write_u64(&head, PCM_CHECKPOINT_VERSION);
    pcm_write_u64(&head, size);
    save(world, bytes, &walk);
    pcm_write_u64(&head, pcm_checkpoint_sums_end(&walk.sums, bytes, size));
}

size_t pcm_world_checkpoint_size(pcm_world *world)
{
    if (pcm_world_enter(world, true, __func__) != PCM_OK)
        return 0;
    const size_t size = count_bytes(world);
    pcm_world_leave(world);
    return size;
}

pcm_status pcm_world_checkpoint_save(pcm_world *world, void *bytes, size_t size)
{
    const pcm_status status = pcm_world_enter(world, bytes != NULL, __func__);
    if (status != PCM_OK)
        return status;
    const bool fits = size == count_bytes(world);
    if (fits)
        save_all(world, bytes, size);
    pcm_world_leave(world);
    return fits ? PCM_OK
                : pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                                   "the size is not that of pcm_world_checkpoint_size now");
}
