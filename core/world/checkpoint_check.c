/* SPDX-License-Identifier: MIT */
/* checkpoint_check.c - checks the parts of a checkpoint, and makes all that restoring will need: new pairs, groups
 * between materials, room. If the checkpoint is rejected, the groups are removed again. */
#include "mixed_groups.h"
#include "pair.h"
#include "restoring.h"
#include "settings.h"
#include "surface_velocity.h"
#include "touch.h"
#include <pcm/messages.h>

static pcm_status refuse(pcm_world *world, uint32_t code, const char *why)
{
    pcm_report(world->context, PCM_ERROR, code, "the checkpoint is rejected: %s", why);
    return PCM_BAD_CHECKPOINT;
}

static pcm_status contradicts(pcm_world *world)
{
    return refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "its contents are inconsistent, although its checksum is valid");
}

/* ---- Checks of the configuration ------------------------------------------------------------------------------- */

static pcm_status check_head(pcm_world *world, pcm_reader *from, uint64_t *layout)
{
    const uint8_t *bytes = from->at;
    size_t         size = (size_t)(from->end - from->at);
    uint64_t       mark = pcm_read_u64(from), version = pcm_read_u64(from), count = pcm_read_u64(from);
    uint64_t       sum = pcm_read_u64(from);
    if (from->short_of || mark != PCM_CHECKPOINT_MARK)
        return refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "it does not begin like a checkpoint, or it is truncated");
    *layout = version;
    if (version < PCM_CHECKPOINT_OLDEST || version > PCM_CHECKPOINT_VERSION)
        return refuse(world, PCM_MSG_CHECKPOINT_VERSION, "another version of PCM wrote it, in another layout");
    if (count != size)
        return refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "its length differs from the length that it states");
    return sum == pcm_checkpoint_sum(bytes, size)
               ? PCM_OK
               : refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "its checksum does not match: bytes have changed");
}

static pcm_status check_config(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world *world = walk->world;
    if (saved->config.ledger != world->ledger)
        return refuse(world, PCM_MSG_CHECKPOINT_CONFIG,
                      world->ledger ? "its world kept no energy ledger" : "its world kept an energy ledger");
    if (saved->config.n_types != world->n_types)
        return refuse(world, PCM_MSG_CHECKPOINT_CONFIG,
                      "it is from a configuration with another number of contact types");
    return PCM_OK;
}

/* Whether contacts of one group can continue in the other: their columns have the same meaning. */
static pcm_status check_states(pcm_world *world, const pcm_group *other, const pcm_group *group)
{
    if (other->n_state == group->n_state && other->n_frame == group->n_frame &&
        other->n_host_inputs == group->n_host_inputs && other->scales == group->scales &&
        pcm_states_fingerprint(other->given) == pcm_states_fingerprint(group->given))
        return PCM_OK;
    pcm_report(
        world->context, PCM_ERROR, PCM_MSG_TAKE_OVER,
        "nothing is taken over: model '%s' of contact type '%s' has other states, amounts, host inputs or frames "
        "than in the other world",
        group->model->name, group->type->info.name);
    return PCM_BAD_CHECKPOINT;
}

static pcm_status check_type(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world           *world = walk->world;
    const restoring     *r = walk->user;
    const pcm_type      *type = world->groups[walk->index].given;
    const pcm_type_info *info = &type->info;
    const char          *version = info->model->version ? info->model->version : "1";
    const pcm_bytes_view name = saved->type.name, model = saved->type.model;
    if (!pcm_bytes_view_is(name, info->name) || !pcm_bytes_view_is(model, info->model->name)) {
        pcm_report(
            world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_CONFIG,
            "the checkpoint is rejected: it is from another configuration, with contact type '%.*s' (%.*s) where this "
            "one has '%s' (%s)",
            (int)name.length, name.text, (int)model.length, model.text, info->name, info->model->name);
        return PCM_BAD_CHECKPOINT;
    }
    if (r->other)
        return check_states(world, &r->other->groups[walk->index], &world->groups[walk->index]);
    if (!pcm_bytes_view_is(saved->type.version, version)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_MODEL,
                   "the checkpoint is rejected: it was made with version %.*s of model '%s', which is version %s now",
                   (int)saved->type.version.length, saved->type.version.text, info->model->name, version);
        return PCM_BAD_CHECKPOINT;
    }
    if (saved->type.fingerprint == pcm_type_fingerprint(type))
        return PCM_OK;
    pcm_report(
        world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_CONFIG,
        "the checkpoint is rejected: contact type '%s' has other parameter values or states than it was made with",
        info->name);
    return PCM_BAD_CHECKPOINT;
}

static pcm_status check_rules(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    if (saved->rules.count != walk->world->n_rules ||
        saved->rules.fingerprint != pcm_rules_fingerprint(walk->world->config))
        return refuse(walk->world, PCM_MSG_CHECKPOINT_CONFIG, "it is from a configuration with other rules");
    return PCM_OK;
}

static pcm_status check_clock(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    restoring *r = walk->user;
    r->last_id = saved->clock.last_id;
    return PCM_OK;
}

static pcm_status refuse_material(pcm_world *world, const pcm_saved *saved, const char *why)
{
    const pcm_bytes_view *name = saved->mixed.material;
    pcm_report(world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_CONFIG,
               "the checkpoint is rejected: between the materials '%.*s' and '%.*s' contact type '%s' %s",
               (int)name[0].length, name[0].text, (int)name[1].length, name[1].text,
               world->groups[saved->mixed.type].type->info.name, why);
    return PCM_BAD_CHECKPOINT;
}

/* The group is made if the world has none. */
static pcm_status check_mixed(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world *world = walk->world;
    restoring *r = walk->user;
    if (saved->mixed.type >= world->n_types)
        return contradicts(world);
    const pcm_type *type = world->groups[saved->mixed.type].given;
    uint32_t        material[2];
    for (size_t side = 0; side < 2; side++) {
        const pcm_bytes_view name = saved->mixed.material[side];
        material[side] = pcm_material_find(world->config, name.text, name.length);
        if (material[side] == PCM_NO_MATERIAL && name.length > 0)
            return refuse_material(world, saved, "has no such material now");
    }
    uint32_t         group;
    const pcm_status status = pcm_world_group_between(world, type, material, (const char *const[]){"", ""}, &group);
    if (status != PCM_OK)
        return status;
    if (group == PCM_NO_GROUP || group < world->n_types ||
        (!r->other && pcm_type_fingerprint(world->groups[group].given) != saved->mixed.fingerprint))
        return refuse_material(world, saved, "has other parameter values than it was made with");
    if (world->groups[group].listed)
        return contradicts(world);
    world->groups[group].listed = true;
    r->mixed[walk->index] = group;
    walk->groups = r->mixed;
    return r->other ? check_states(world, &r->other->groups[r->other->n_types + walk->index], &world->groups[group])
                    : PCM_OK;
}

/* ---- Checks of settings ---------------------------------------------------------------------------------------- */

static pcm_status expect_settings(pcm_world *world, restoring *r, uint64_t count)
{
    r->n_settings = (size_t)count;
    r->settings = pcm_allocate(world->context, r->n_settings * sizeof *r->settings);
    return r->settings || !count ? PCM_OK : PCM_NO_MEMORY;
}

static pcm_status check_setting(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world     *world = walk->world;
    restoring     *r = walk->user;
    const uint64_t type = saved->setting.type, param = saved->setting.param;
    if (type >= world->n_types || param >= world->groups[type].model->params.count)
        return contradicts(world);
    r->settings[walk->index] = (pcm_override){(uint32_t)type, (uint32_t)param, saved->setting.number};
    return r->other || pcm_override_fits(world->config, &r->settings[walk->index]) ? PCM_OK : PCM_BAD_CHECKPOINT;
}

/* ---- Checks of objects ----------------------------------------------------------------------------------------- */

/* The objects of the checkpoint are usually those of the world, in the same order. From the first that differs, objects
 * of equal name and surface form a chain in the order of registration: the index of names leads to the first,
 * pcm_body.place to 1 + the next. */

enum { AHEAD = 16 };

/* Prefetches a name that is read later. */
static void ask_name(const pcm_world *world, const restoring *r, size_t place)
{
    if (place < r->present)
        __builtin_prefetch(world->bodies[pcm_world_nth(world, place)].name);
    if (place + AHEAD < r->present) {
        const pcm_body *later = &world->bodies[pcm_world_nth(world, place + AHEAD)];
        __builtin_prefetch(later);
        __builtin_prefetch(&later->fixed);
    }
}

static bool is_called(const pcm_body *body, pcm_bytes_view name, pcm_bytes_view surface)
{
    return name.length == pcm_name_length(body) && surface.length == pcm_surface_length(body) &&
           memcmp(name.text, body->name, name.length) == 0 && memcmp(surface.text, body->surface, surface.length) == 0;
}

/* With a secret number, like the keys of contacts. */
static uint32_t hash_name(const pcm_world *world, pcm_bytes_view name, pcm_bytes_view surface)
{
    const uint64_t sum =
        pcm_checksum(pcm_checksum(world->secret, name.text, name.length), surface.text, surface.length);
    return (uint32_t)(sum * world->secret >> 32);
}

/* The entry of the index for the chain of that name and surface; NULL: none. */
static pcm_slot *find_chain(const pcm_world *world, const pcm_index *names, uint32_t hash, pcm_bytes_view name,
                            pcm_bytes_view surface)
{
    for (size_t at = hash & names->mask; names->count && names->slots[at].value; at = (at + 1) & names->mask)
        if (names->slots[at].hash == hash && is_called(&world->bodies[names->slots[at].value - 1], name, surface))
            return &names->slots[at];
    return NULL;
}

/* Called at the first object whose place differs: those before it are matched. */
static pcm_status index_names(pcm_world *world, restoring *r, size_t place)
{
    r->serial = pcm_allocate(world->context, r->count * sizeof *r->serial);
    if (!r->serial || pcm_index_reserve(world->context, &r->names, r->present))
        return PCM_NO_MEMORY;
    for (uint32_t i = r->present; i-- > 0;) {
        const uint32_t object = pcm_world_nth(world, i);
        pcm_body      *body = &world->bodies[object];
        body->taken = i < place;
        if (body->taken)
            continue;
        const pcm_bytes_view name = {body->name, pcm_name_length(body)};
        const pcm_bytes_view surface = {body->surface, pcm_surface_length(body)};
        const uint32_t       hash = hash_name(world, name, surface);
        pcm_slot            *chain = find_chain(world, &r->names, hash, name, surface);
        body->place = chain ? chain->value : 0;
        if (chain)
            chain->value = object + 1;
        else
            pcm_index_add(&r->names, hash, object + 1);
    }
    return PCM_OK;
}

static pcm_status expect_mixed(pcm_world *world, restoring *r, uint64_t count)
{
    r->n_mixed = (size_t)count;
    r->mixed = pcm_allocate(world->context, r->n_mixed * sizeof *r->mixed);
    for (size_t g = 0; g < world->n_groups; g++)
        world->groups[g].listed = false;
    return r->mixed || !count ? PCM_OK : PCM_NO_MEMORY;
}

static pcm_status expect_objects(pcm_world *world, restoring *r, uint64_t count)
{
    r->count = (size_t)count;
    r->object = pcm_allocate(world->context, r->count * sizeof *r->object);
    r->held = pcm_allocate(world->context, r->count * sizeof *r->held);
    r->present = pcm_world_order(world);
    return (r->object && r->held) || !count ? PCM_OK : PCM_NO_MEMORY;
}

/* The world's object of that name and surface that no earlier object of the checkpoint matches; PCM_NO_OBJECT: none. */
static pcm_status find_object(pcm_world *world, restoring *r, size_t place, pcm_bytes_view name, pcm_bytes_view surface,
                              uint32_t *object)
{
    *object = place < r->present ? pcm_world_nth(world, place) : PCM_NO_OBJECT;
    if (!r->shuffled && *object != PCM_NO_OBJECT && is_called(&world->bodies[*object], name, surface))
        return PCM_OK;
    if (!r->shuffled && index_names(world, r, place) != PCM_OK)
        return PCM_NO_MEMORY;
    r->shuffled = true;
    pcm_slot *chain = find_chain(world, &r->names, hash_name(world, name, surface), name, surface);
    *object = chain && !world->bodies[chain->value - 1].taken ? chain->value - 1 : PCM_NO_OBJECT;
    if (*object != PCM_NO_OBJECT && world->bodies[*object].place)
        chain->value = world->bodies[*object].place;
    return PCM_OK;
}

static pcm_status check_object(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world           *world = walk->world;
    restoring           *r = walk->user;
    const pcm_bytes_view name = saved->object.name, surface = saved->object.surface;
    const uint64_t       hold = saved->object.held & ~(uint64_t)PCM_SAVED_FRESH;
    const bool           moves = hold == PCM_HOLD_FREE;
    uint32_t             object;
    ask_name(world, r, walk->index + AHEAD);
    if (hold > PCM_HOLD_PLACED)
        return contradicts(world);
    if (find_object(world, r, walk->index, name, surface, &object) != PCM_OK)
        return PCM_NO_MEMORY;
    if (object != PCM_NO_OBJECT && world->bodies[object].fixed != moves) {
        if (r->shuffled)
            world->bodies[object].taken = true;
        r->object[walk->index] = object | (moves ? 0 : PCM_FIXED_SIDE);
        r->held[walk->index] = (uint8_t)saved->object.held;
        return PCM_OK;
    }
    pcm_report(world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_OBJECT,
               "the checkpoint is rejected: this world has no %sobject '%.*s' with surface '%.*s' for it",
               moves ? "moving " : "fixed ", (int)name.length, name.text, (int)surface.length, surface.text);
    return PCM_BAD_CHECKPOINT;
}

static pcm_status check_surface(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const restoring *r = walk->user;
    return saved->surface.place < r->count ? PCM_OK : contradicts(walk->world);
}

/* Gives the objects serials in the checkpoint's order, or restores the old ones. Which object of a pair is the base may
 * depend on it. */
static pcm_status exchange_serials(pcm_world *world, restoring *r)
{
    pcm_status status = PCM_OK;
    bool       changed = false;
    for (size_t i = 0; i < r->count; i++) {
        uint64_t *serial = &world->bodies[pcm_restored_object(r, i)].serial, given = r->serial[i];
        changed |= *serial != given;
        r->serial[i] = *serial;
        *serial = given;
    }
    world->in_order = world->in_order && !changed;
    for (size_t i = 0; changed && i < world->n_pairs; i++)
        if (world->pairs[i].low != world->pairs[i].high && pcm_world_resolve_pair(world, &world->pairs[i]) != PCM_OK)
            status = PCM_NO_MEMORY;
    return status;
}

/* The serials of the objects that were found, in rising order. */
static void list_serials(const pcm_world *world, restoring *r)
{
    for (size_t i = 0, taken = 0; taken < r->count; i++) {
        const pcm_body *body = &world->bodies[pcm_world_nth(world, i)];
        if (body->taken)
            r->serial[taken++] = body->serial;
    }
}

/* ---- Checks of pairs and contacts ------------------------------------------------------------------------------ */

static pcm_status expect_contacts(pcm_checkpoint_walk *walk, uint64_t count)
{
    restoring *r = walk->user;
    if (count > (uint64_t)(walk->from.end - walk->from.at) / pcm_saved_contact_size(pcm_walk_group(walk)))
        return contradicts(walk->world);
    r->group_first = r->contacts;
    r->contacts += (size_t)count;
    r->group_end = r->contacts;
    if (r->contacts + r->unusable > PCM_MOST_SLOTS ||
        !pcm_grow(walk->world->context, &r->pair, &r->pair_capacity, r->contacts, sizeof *r->pair))
        return PCM_NO_MEMORY;
    return pcm_index_reserve(walk->world->context, &walk->world->contacts, (size_t)count);
}

static pcm_status expect_broken(pcm_checkpoint_walk *walk, uint64_t count)
{
    restoring *r = walk->user;
    if (count >= PCM_BROKEN_KEY ||
        !pcm_grow(walk->world->context, &r->broken, &r->broken_capacity, (size_t)count, sizeof *r->broken))
        return PCM_NO_MEMORY;
    pcm_index_clear(&walk->world->contacts);
    r->indexed = true;
    return pcm_index_reserve(walk->world->context, &walk->world->contacts, (size_t)count);
}

static pcm_status expect_places(pcm_world *world)
{
    for (size_t i = 0; i < world->n_near; i++)
        world->near[i].expected = 0;
    return PCM_OK;
}

static pcm_status check_count(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    restoring *r = walk->user;
    if (saved->count > (uint64_t)(walk->from.end - walk->from.at))
        return contradicts(walk->world);
    if (walk->counted == PCM_SAVED_MIXED)
        return expect_mixed(walk->world, r, saved->count);
    if (walk->counted == PCM_SAVED_SETTING)
        return expect_settings(walk->world, r, saved->count);
    if (walk->counted == PCM_SAVED_OBJECT)
        return expect_objects(walk->world, r, saved->count);
    if (walk->counted == PCM_SAVED_SURFACE)
        return saved->count == 0 || pcm_surfaces_reserve(walk->world) ? PCM_OK : PCM_NO_MEMORY;
    if (walk->counted == PCM_SAVED_NEAR)
        return expect_places(walk->world);
    if (walk->counted == PCM_SAVED_CONTACT)
        return expect_contacts(walk, saved->count);
    if (walk->counted == PCM_SAVED_BROKEN)
        return expect_broken(walk, saved->count);
    if (r->shuffled && !r->exchanged) {
        list_serials(walk->world, r);
        r->exchanged = true;
        return exchange_serials(walk->world, r);
    }
    return PCM_OK;
}

/* The pair in the world of two objects of the checkpoint. */
static pcm_status find_pair(pcm_checkpoint_walk *walk, const uint64_t place[2], uint32_t *pair)
{
    const restoring *r = walk->user;
    if (place[0] >= r->count || place[1] >= r->count || place[0] == place[1])
        return contradicts(walk->world);
    *pair = pcm_world_find_pair(walk->world, pcm_restored_object(r, place[0]), pcm_restored_object(r, place[1]));
    return *pair == PCM_NO_PAIR ? PCM_NO_MEMORY : PCM_OK;
}

static pcm_status check_pair(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    enum { ALL = 2 * PCM_WARNED_NOT_YET - 1 };
    uint32_t pair;
    if (saved->pair.warned_or_feature == 0 || saved->pair.warned_or_feature > ALL)
        return contradicts(walk->world);
    return find_pair(walk, saved->pair.place, &pair);
}

static pcm_status check_near(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    uint32_t         pair;
    const uint64_t   place[2] = {saved->near.base, saved->near.follower};
    const pcm_status status = find_pair(walk, place, &pair);
    if (status != PCM_OK)
        return status;
    const pcm_pair *found = &walk->world->pairs[pair];
    const uint32_t  base = found->base_is_high ? found->high : found->low;
    if (base != pcm_restored_object(walk->user, place[0]) || saved->near.guessed > 1)
        return contradicts(walk->world);
    return pcm_near_expect(walk->world, pair);
}

static uint32_t hash_key(const pcm_world *world, uint32_t pair, uint64_t feature)
{
    return pcm_contact_hash(world, world->pairs[pair].low, world->pairs[pair].high, feature);
}

static pcm_status check_broken(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    restoring       *r = walk->user;
    pcm_broken_key  *broken = &r->broken[walk->index];
    const pcm_status status = find_pair(walk, saved->pair.place, &broken->pair);
    if (status != PCM_OK)
        return status;
    broken->feature = saved->pair.warned_or_feature;
    broken->onset = saved->pair.onset;
    const uint32_t hash = hash_key(walk->world, broken->pair, broken->feature);
    const uint32_t value = PCM_BROKEN_KEY | (uint32_t)(walk->index + 1);
    return pcm_add_key(walk->world, r, &walk->world->contacts, pcm_same_contact, hash, value)
               ? PCM_OK
               : contradicts(walk->world);
}

/* Checks a block of contacts whose pairs are known. */
static bool check_keys(pcm_checkpoint_walk *walk, const char *bytes, size_t count, const pcm_two *objects,
                       const bool *base_is_high, pcm_sorted_keys *keys)
{
    restoring      *r = walk->user;
    const uint32_t *pairs = &r->pair[r->next_contact];
    const char     *features = bytes + pcm_saved_at(count, PCM_WORD_FEATURE);
    const char     *ids = bytes + pcm_saved_at(count, PCM_WORD_ID);
    bool            sound = true;
    for (size_t i = 0; i < count && sound; i++, r->next_contact++) {
        const pcm_pair *pair = &walk->world->pairs[pairs[i]];
        const uint32_t  hash =
            pcm_contact_hash(walk->world, objects[i].low, objects[i].high, pcm_saved_word(features, i));
        sound = pair->group == walk->g && pair->base_is_high == base_is_high[i] &&
                pcm_saved_word(ids, i) - 1 < r->last_id && /* 0: tentative */
                pcm_sort_key(walk->world, r, keys, hash, (uint32_t)r->next_contact + 1);
    }
    return sound;
}

/* Block by block, so that the memory accesses of many contacts overlap. */
static pcm_status check_contacts(pcm_checkpoint_walk *walk, const char *bytes)
{
    pcm_world      *world = walk->world;
    restoring      *r = walk->user;
    pcm_status      status = PCM_OK;
    bool            sound = true;
    uint32_t        next = 0;
    pcm_sorted_keys keys;
    r->rows = bytes;
    r->row_size = pcm_saved_contact_size(pcm_walk_group(walk));
    if (pcm_sort_keys(world, r, &keys, &world->contacts, pcm_same_contact, walk->count) != PCM_OK)
        return PCM_NO_MEMORY;
    if (r->meets)
        status = pcm_meet_pairs(walk, bytes, &sound);
    for (size_t left = walk->count, count; status == PCM_OK && sound && left > 0;
         left -= count, bytes += count * r->row_size) {
        pcm_two   objects[PCM_BLOCK];
        bool      base_is_high[PCM_BLOCK];
        uint32_t *pairs = r->pair + r->next_contact;
        count = pcm_saved_rows(left);
        pcm_ask_bytes(bytes + count * r->row_size, pcm_saved_at(count, PCM_WORD_SINCE));
        sound = pcm_restored_objects(r, bytes, count, objects, base_is_high);
        if (sound && !r->meets)
            status = pcm_world_find_pairs(world, objects, count, next, pairs);
        next = pairs[count - 1] + 1;
        sound = sound && status == PCM_OK && check_keys(walk, bytes, count, objects, base_is_high, &keys);
    }
    if (status != PCM_OK)
        return status;
    return sound && pcm_add_sorted_keys(world, r, &keys) ? PCM_OK : contradicts(world);
}

static pcm_status check_type_end(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    (void)saved;
    return pcm_group_reserve(walk->world->context, pcm_walk_group(walk), walk->count);
}

static pcm_checkpoint_part *const checks[PCM_SAVED_KINDS] = {
    [PCM_SAVED_CONFIG] = check_config, [PCM_SAVED_TYPE] = check_type,         [PCM_SAVED_RULES] = check_rules,
    [PCM_SAVED_COUNT] = check_count,   [PCM_SAVED_OBJECT] = check_object,     [PCM_SAVED_WARNED] = check_pair,
    [PCM_SAVED_BROKEN] = check_broken, [PCM_SAVED_TYPE_END] = check_type_end, [PCM_SAVED_MIXED] = check_mixed,
    [PCM_SAVED_CLOCK] = check_clock,   [PCM_SAVED_SETTING] = check_setting,   [PCM_SAVED_SURFACE] = check_surface,
    [PCM_SAVED_NEAR] = check_near,
};

/* Slots that are used up, or will be once their contacts end. */
static size_t unusable_slots(const pcm_world *world)
{
    size_t spent = 0;
    for (size_t i = 0; i < world->n_slots; i++)
        spent += world->slots[i].generation == 0 || world->slots[i].generation == UINT32_MAX;
    return spent;
}

pcm_status pcm_checkpoint_check(pcm_world *world, pcm_reader from, restoring *r)
{
    const size_t groups = world->n_groups;
    pcm_status   status = check_head(world, &from, &r->version);
    if (status != PCM_OK)
        return status;
    if (!pcm_grow(world->context, &r->broken, &r->broken_capacity, world->broken_capacity, sizeof *r->broken))
        return PCM_NO_MEMORY; /* reserves as much room as before, so that repeated restores allocate nothing */
    r->unusable = unusable_slots(world);
    r->meets = world->n_pairs == 0;
    pcm_checkpoint_walk walk = {.world = world,
                                .side = checks,
                                .contacts.read = check_contacts,
                                .reads = true,
                                .version = r->version,
                                .from = from,
                                .user = r};
    status = pcm_checkpoint_go(&walk);
    r->past_texts = walk.past_texts;
    if (walk.from.short_of || (status == PCM_OK && walk.from.at != walk.from.end))
        status = contradicts(world);
    if (status == PCM_OK && !r->other)
        status = pcm_settings_prepare(world, r->settings, r->n_settings);
    if (status == PCM_OK && !pcm_grow(world->context, &world->slots, &world->slot_capacity, r->contacts + r->unusable,
                                      sizeof *world->slots))
        status = PCM_NO_MEMORY;
    if (status == PCM_OK)
        return PCM_OK;
    if (r->indexed)
        pcm_world_index_contacts(world);
    if (r->exchanged)
        exchange_serials(world, r); /* exchanges them back, while the groups of these pairs still exist */
    pcm_world_forget_groups(world, groups);
    return status;
}
