/* SPDX-License-Identifier: MIT */
/* checkpoint_restore.c - the parts of a checkpoint, checked, and then taken over. */
#include "guard.h"
#include "checkpoint.h"
#include "commit.h"
#include "mixed_groups.h"
#include "pair.h"
#include "touch.h"
#include <pcm/messages.h>

/* What the checks find out: the checkpoint's objects in the world, and how much there is. */
typedef struct restoring {
    const pcm_world *other;  /* whose contacts are taken over: values and versions may differ; NULL: a checkpoint */
    uint32_t        *object; /* by place in the checkpoint */
    uint64_t        *serial; /* likewise: that puts them in the order of the checkpoint */
    size_t           count;
    pcm_index        names; /* of the world's objects */
    uint32_t        *mixed; /* the groups of the types between materials, in the order of the checkpoint */
    size_t           n_mixed;
    bool             exchanged; /* the objects have the serials of the checkpoint */
    uint64_t         contacts, broken;
    uint32_t        *pair; /* in the world, of each contact in the order of the checkpoint */
    size_t           pair_capacity, next_contact;
} restoring;

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

static pcm_status check_head(pcm_world *world, pcm_reader *from)
{
    const uint8_t *bytes = from->at;
    size_t         size = (size_t)(from->end - from->at);
    uint64_t       mark = pcm_read_u64(from), version = pcm_read_u64(from), count = pcm_read_u64(from);
    uint64_t       sum = pcm_read_u64(from);
    if (from->short_of || mark != PCM_CHECKPOINT_MARK)
        return refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "it does not begin like a checkpoint, or it is truncated");
    if (version != PCM_CHECKPOINT_VERSION)
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

/* The contacts of one group can go on as those of the other: their columns mean the same. */
static pcm_status check_states(pcm_world *world, const pcm_group *other, const pcm_group *group)
{
    if (other->n_state == group->n_state && other->n_frame == group->n_frame &&
        other->n_host_inputs == group->n_host_inputs && other->scales == group->scales &&
        pcm_states_fingerprint(other->type) == pcm_states_fingerprint(group->type))
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
    const pcm_type      *type = world->groups[walk->index].type;
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

static pcm_status refuse_material(pcm_world *world, const pcm_saved *saved, const char *why)
{
    const pcm_bytes_view *name = saved->mixed.material;
    pcm_report(world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_CONFIG,
               "the checkpoint is rejected: between the materials '%.*s' and '%.*s' contact type '%s' %s",
               (int)name[0].length, name[0].text, (int)name[1].length, name[1].text,
               world->groups[saved->mixed.type].type->info.name, why);
    return PCM_BAD_CHECKPOINT;
}

/* The group is made where the world has none. */
static pcm_status check_mixed(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world *world = walk->world;
    restoring *r = walk->user;
    if (saved->mixed.type >= world->n_types)
        return contradicts(world);
    const pcm_type *type = world->groups[saved->mixed.type].type;
    uint32_t        material[2];
    for (size_t side = 0; side < 2; side++) {
        const pcm_bytes_view name = saved->mixed.material[side];
        material[side] = pcm_material_find(world->config, name.text, name.length);
        if (material[side] == PCM_NO_MATERIAL && name.length > 0)
            return refuse_material(world, saved, "has no such material now");
    }
    uint32_t         group;
    const pcm_status status = pcm_world_group_between(world, type, material[0], material[1], &group);
    if (status != PCM_OK)
        return status;
    if (group == PCM_NO_GROUP || group < world->n_types ||
        (!r->other && pcm_type_fingerprint(world->groups[group].type) != saved->mixed.fingerprint))
        return refuse_material(world, saved, "has other parameter values than it was made with");
    r->mixed[walk->index] = group;
    walk->groups = r->mixed;
    return r->other ? check_states(world, &r->other->groups[r->other->n_types + walk->index], &world->groups[group])
                    : PCM_OK;
}

/* ---- Checks of objects ----------------------------------------------------------------------------------------- */

/* With a number that nobody knows, as the keys of contacts. */
static uint32_t hash_name(const pcm_world *world, const char *name, size_t length)
{
    return (uint32_t)(pcm_checksum(world->secret, name, length) * world->secret >> 32);
}

/* Indexes the names of the world's objects; of equal names, those registered first are found first. */
static pcm_status index_names(pcm_world *world, uint32_t count, pcm_index *names)
{
    if (pcm_index_reserve(world->context, names, count))
        return PCM_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t  object = world->bodies[i].nth;
        pcm_body *body = &world->bodies[object];
        body->taken = false;
        pcm_index_add(names, hash_name(world, body->name, strlen(body->name)), object + 1);
    }
    return PCM_OK;
}

static pcm_status expect_mixed(pcm_world *world, restoring *r, uint64_t count)
{
    r->n_mixed = (size_t)count;
    r->mixed = pcm_allocate(world->context, r->n_mixed * sizeof *r->mixed);
    return r->mixed || !count ? PCM_OK : PCM_NO_MEMORY;
}

static pcm_status expect_objects(pcm_world *world, restoring *r, uint64_t count)
{
    r->count = (size_t)count;
    r->object = pcm_allocate(world->context, r->count * sizeof *r->object);
    r->serial = pcm_allocate(world->context, r->count * sizeof *r->serial);
    if ((!r->object || !r->serial) && count)
        return PCM_NO_MEMORY;
    return index_names(world, pcm_world_order(world), &r->names);
}

/* The world's object of that name and surface which no earlier object of the checkpoint has taken; UINT32_MAX: none. */
static uint32_t take_object(pcm_world *world, const pcm_index *names, pcm_bytes_view name, pcm_bytes_view surface)
{
    uint32_t hash = hash_name(world, name.text, name.length);
    for (size_t at = hash & names->mask; names->count && names->slots[at].value; at = (at + 1) & names->mask) {
        pcm_body *body = &world->bodies[names->slots[at].value - 1];
        if (names->slots[at].hash != hash || body->taken || !pcm_bytes_view_is(name, body->name))
            continue;
        if (pcm_bytes_view_is(surface, body->surface)) {
            body->taken = true;
            return names->slots[at].value - 1;
        }
    }
    return UINT32_MAX;
}

static pcm_status check_object(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    restoring           *r = walk->user;
    const pcm_bytes_view name = saved->object.name, surface = saved->object.surface;
    const bool           moves = saved->object.pose.hold == PCM_HOLD_FREE;
    const uint32_t       object = r->object[walk->index] = take_object(walk->world, &r->names, name, surface);
    if (object != UINT32_MAX && walk->world->bodies[object].fixed != moves)
        return PCM_OK;
    pcm_report(walk->world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_OBJECT,
               "the checkpoint is rejected: this world has no %sobject '%.*s' with surface '%.*s' for it",
               moves ? "moving " : "fixed ", (int)name.length, name.text, (int)surface.length, surface.text);
    return PCM_BAD_CHECKPOINT;
}

/* Gives the checkpoint's objects their serials in its order, or takes them back. Which object of a pair is the base may
 * depend on it. */
static pcm_status exchange_serials(pcm_world *world, restoring *r)
{
    pcm_status status = PCM_OK;
    bool       changed = false;
    for (size_t i = 0; i < r->count; i++) {
        uint64_t *serial = &world->bodies[r->object[i]].serial, given = r->serial[i];
        changed |= *serial != given;
        r->serial[i] = *serial;
        *serial = given;
    }
    for (size_t i = 0; changed && i < world->n_pairs; i++)
        if (world->pairs[i].low != world->pairs[i].high && pcm_world_resolve_pair(world, &world->pairs[i]) != PCM_OK)
            status = PCM_NO_MEMORY;
    return status;
}

/* The serials of the objects that were found, in rising order. */
static void list_serials(const pcm_world *world, restoring *r)
{
    for (size_t i = 0, taken = 0; taken < r->count; i++) {
        const pcm_body *body = &world->bodies[world->bodies[i].nth];
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
    r->contacts += count;
    const bool room = pcm_grow(walk->world->context, &r->pair, &r->pair_capacity, (size_t)r->contacts, sizeof *r->pair);
    return room ? PCM_OK : PCM_NO_MEMORY;
}

static pcm_status check_count(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    restoring *r = walk->user;
    if (saved->count > (uint64_t)(walk->from.end - walk->from.at))
        return contradicts(walk->world);
    if (walk->counted == PCM_SAVED_MIXED)
        return expect_mixed(walk->world, r, saved->count);
    if (walk->counted == PCM_SAVED_OBJECT)
        return expect_objects(walk->world, r, saved->count);
    if (walk->counted == PCM_SAVED_CONTACT)
        return expect_contacts(walk, saved->count);
    if (walk->counted == PCM_SAVED_BROKEN)
        r->broken = saved->count;
    if (!r->exchanged) {
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
    *pair = pcm_world_find_pair(walk->world, r->object[place[0]], r->object[place[1]]);
    return *pair == PCM_NO_PAIR ? PCM_NO_MEMORY : PCM_OK;
}

static pcm_status check_pair(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    uint32_t pair;
    return find_pair(walk, saved->pair.place, &pair);
}

static pcm_status check_contact(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    restoring *r = walk->user;
    uint32_t   found;
    pcm_status status = find_pair(walk, saved->contact.place, &found);
    if (status != PCM_OK)
        return status;
    r->pair[r->next_contact++] = found;
    const pcm_pair *pair = &walk->world->pairs[found];
    const uint32_t  base = pair->base_is_high ? pair->high : pair->low;
    const bool      fits = pair->group == walk->g;
    return fits && r->object[saved->contact.place[0]] == base ? PCM_OK : contradicts(walk->world);
}

static pcm_status check_type_end(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    (void)saved;
    return pcm_group_reserve(walk->world->context, pcm_walk_group(walk), walk->count);
}

static pcm_checkpoint_part *const checks[PCM_SAVED_KINDS] = {
    [PCM_SAVED_CONFIG] = check_config, [PCM_SAVED_TYPE] = check_type,       [PCM_SAVED_RULES] = check_rules,
    [PCM_SAVED_COUNT] = check_count,   [PCM_SAVED_OBJECT] = check_object,   [PCM_SAVED_WARNED] = check_pair,
    [PCM_SAVED_BROKEN] = check_pair,   [PCM_SAVED_CONTACT] = check_contact, [PCM_SAVED_TYPE_END] = check_type_end,
    [PCM_SAVED_MIXED] = check_mixed,
};

/* Slots that are not used again, or will not be once what they hold is dropped. */
static size_t spent_slots(const pcm_world *world)
{
    size_t spent = 0;
    for (size_t i = 0; i < world->n_slots; i++)
        spent += world->slots[i].generation == 0 || world->slots[i].generation == UINT32_MAX;
    return spent;
}

static pcm_status reserve(pcm_world *world, uint64_t contacts, uint64_t broken)
{
    pcm_context *context = world->context;
    const size_t slots = (size_t)contacts + spent_slots(world);
    if (slots > PCM_MOST_SLOTS ||
        !pcm_grow(context, &world->slots, &world->slot_capacity, slots, sizeof *world->slots) ||
        !pcm_grow(context, &world->broken, &world->broken_capacity, (size_t)broken, sizeof *world->broken))
        return PCM_NO_MEMORY;
    return pcm_index_reserve(context, &world->contacts, (size_t)(contacts + broken));
}

/* Everything that can fail. The objects are left in the order of the checkpoint where nothing does. */
static pcm_status check(pcm_world *world, pcm_reader from, restoring *r)
{
    pcm_status status = check_head(world, &from);
    if (status != PCM_OK)
        return status;
    pcm_checkpoint_walk walk = {.world = world, .side = checks, .reads = true, .from = from, .user = r};
    status = pcm_checkpoint_go(&walk);
    if (walk.from.short_of || (status == PCM_OK && walk.from.at != walk.from.end))
        status = contradicts(world);
    if (status == PCM_OK)
        status = reserve(world, r->contacts, r->broken);
    if (status != PCM_OK && r->exchanged)
        exchange_serials(world, r); /* back: the groups of these pairs are there */
    return status;
}

/* ---- Taking over ----------------------------------------------------------------------------------------------- */

static void clear_world(pcm_world *world)
{
    pcm_world_forget(world);
    pcm_world_drop_all(world);
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
    const double  *f = saved->object.wrench.force, *t = saved->object.wrench.torque;
    for (size_t side = 0; side < 2; side++) {
        world->twist[side][object] = saved->object.twist;
        world->pose[side][object] = saved->object.pose;
    }
    memcpy(world->wrench[object].force, f, sizeof saved->object.wrench.force);
    memcpy(world->wrench[object].torque, t, sizeof saved->object.wrench.torque);
    world->moved[object] = world->epoch - 2;
    world->fresh[object] = saved->object.fresh != 0;
    world->any_fresh |= world->fresh[object];
    for (size_t k = 0; k < world->n_amounts; k++) {
        const double *numbers = &saved->object.amount[3 * k];
        world->amount[object * world->n_amounts + k] =
            (pcm_amount_line){.value = numbers[0], .flow = numbers[1], .inverse_capacity = numbers[2]};
    }
    return PCM_OK;
}

static pcm_status take_warned(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    uint32_t   pair;
    pcm_status status = find_pair(walk, saved->pair.place, &pair);
    if (status == PCM_OK)
        walk->world->pairs[pair].warned = (uint32_t)saved->pair.warned_or_feature;
    return status;
}

static pcm_status take_broken(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    uint32_t   pair;
    pcm_status status = find_pair(walk, saved->pair.place, &pair);
    return status == PCM_OK ? pcm_world_mark_broken(walk->world, pair, saved->pair.warned_or_feature, saved->pair.onset)
                            : status;
}

static pcm_status take_contact(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_world     *world = walk->world;
    restoring     *r = walk->user;
    const uint32_t slot = pcm_world_add_row(world, r->pair[r->next_contact++], saved->contact.feature);
    const size_t   row = world->slots[slot].row;
    pcm_group     *group = pcm_walk_group(walk);
    group->identity[row].id = saved->contact.id;
    group->identity[row].since = saved->contact.since;
    world->slots[slot].flipped = saved->contact.flipped != 0;
    for (uint32_t k = 0; k < pcm_saved_columns(group); k++)
        *pcm_saved_column(world, group, k, row) = saved->contact.column[k];
    return PCM_OK;
}

static pcm_status take_type_end(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    pcm_group  *group = pcm_walk_group(walk);
    pcm_ledger *ledger = &group->ledger;
    group->live = group->count;
    pcm_world_index_rows(walk->world, group);
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
    [PCM_SAVED_CLOCK] = take_clock,   [PCM_SAVED_OBJECT] = take_motion,   [PCM_SAVED_WARNED] = take_warned,
    [PCM_SAVED_BROKEN] = take_broken, [PCM_SAVED_CONTACT] = take_contact, [PCM_SAVED_TYPE_END] = take_type_end,
    [PCM_SAVED_STATS] = take_stats,
};

static void take_all(pcm_world *world, pcm_reader from, restoring *r)
{
    pcm_read_bytes(&from, PCM_CHECKPOINT_HEAD);
    pcm_checkpoint_walk walk = {.world = world, .side = taking, .reads = true, .from = from, .user = r};
    pcm_checkpoint_go(&walk);
    pcm_world_note_least(world);
}

static pcm_status restore(pcm_world *world, const pcm_world *other, const void *bytes, size_t size)
{
    pcm_reader from = {bytes, (const uint8_t *)bytes + size, false};
    restoring  r = {.other = other};
    pcm_status status = check(world, from, &r);
    if (status == PCM_OK) {
        clear_world(world);
        r.next_contact = 0;
        pcm_world_order_groups(world, r.mixed, r.n_mixed);
        take_all(world, from, &r);
    } else if (status == PCM_NO_MEMORY)
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to restore a checkpoint");
    pcm_index_free(world->context, &r.names);
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
