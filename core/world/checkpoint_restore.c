/* SPDX-License-Identifier: MIT */
/* A checkpoint is read twice: first everything is checked and all memory reserved, then the world takes it over. */
#include "checkpoint.h"
#include "commit.h"
#include "pair.h"
#include "touch.h"
#include <pcm/messages.h>

/* The checkpoint's objects in the world. */
typedef struct object_map {
    uint32_t *object; /* by place in the checkpoint */
    uint64_t *serial; /* likewise: that puts them in the order of the checkpoint */
    size_t    count;
} object_map;

static pcm_status refuse(pcm_world *world, uint32_t code, const char *why)
{
    pcm_report(world->context, PCM_ERROR, code, "the checkpoint is refused: %s", why);
    return PCM_BAD_CHECKPOINT;
}

static pcm_status cut_short(pcm_world *world)
{
    return refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "it contradicts itself, though its checksum is right");
}

/* ---- Checks ---------------------------------------------------------------------------------------------------- */

static pcm_status check_head(pcm_world *world, pcm_reader *from)
{
    const uint8_t *bytes = from->at;
    size_t         size = (size_t)(from->end - from->at);
    uint64_t       mark = pcm_read_u64(from), version = pcm_read_u64(from), count = pcm_read_u64(from);
    uint64_t       sum = pcm_read_u64(from);
    if (from->short_of || mark != PCM_CHECKPOINT_MARK)
        return refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "it does not begin as one, or is cut short");
    if (version != PCM_CHECKPOINT_VERSION)
        return refuse(world, PCM_MSG_CHECKPOINT_VERSION, "another version of PCM wrote it, in another layout");
    if (count != size)
        return refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "it is longer or shorter than it says");
    uint64_t expected = pcm_checksum(PCM_CHECKSUM_START, bytes, PCM_CHECKPOINT_HEAD - 8);
    expected = pcm_checksum(expected, bytes + PCM_CHECKPOINT_HEAD, size - PCM_CHECKPOINT_HEAD);
    return sum == expected ? PCM_OK
                           : refuse(world, PCM_MSG_CHECKPOINT_DAMAGED, "its checksum says that bytes have changed");
}

static pcm_status check_type(pcm_world *world, pcm_reader *from, const pcm_type *type)
{
    const pcm_type_info *info = &type->info;
    const char          *version = info->model->version ? info->model->version : "1";
    pcm_bytes_view       name = pcm_read_text(from), model = pcm_read_text(from), saved = pcm_read_text(from);
    uint64_t             print = pcm_read_u64(from);
    if (!pcm_bytes_view_is(name, info->name) || !pcm_bytes_view_is(model, info->model->name)) {
        pcm_report(
            world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_CONFIG,
            "the checkpoint is refused: it is from another configuration, with contact type '%.*s' (%.*s) where this "
            "one has '%s' (%s)",
            (int)name.length, name.text, (int)model.length, model.text, info->name, info->model->name);
        return PCM_BAD_CHECKPOINT;
    }
    if (!pcm_bytes_view_is(saved, version)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_MODEL,
                   "the checkpoint is refused: it was made with version %.*s of model '%s', which is version %s now",
                   (int)saved.length, saved.text, info->model->name, version);
        return PCM_BAD_CHECKPOINT;
    }
    if (print == pcm_type_fingerprint(type))
        return PCM_OK;
    pcm_report(
        world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_CONFIG,
        "the checkpoint is refused: contact type '%s' has other parameter values or states than it was made with",
        info->name);
    return PCM_BAD_CHECKPOINT;
}

static pcm_status check_config(pcm_world *world, pcm_reader *from)
{
    if (pcm_read_u64(from) != world->ledger)
        return refuse(world, PCM_MSG_CHECKPOINT_CONFIG,
                      world->ledger ? "its world kept no energy ledger" : "its world kept an energy ledger");
    if (pcm_read_u64(from) != world->n_groups)
        return refuse(world, PCM_MSG_CHECKPOINT_CONFIG,
                      "it is from a configuration with another number of contact types");
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_status status = check_type(world, from, world->groups[g].type);
        if (status != PCM_OK)
            return status;
    }
    uint64_t rules = pcm_read_u64(from), print = pcm_read_u64(from);
    if (rules != world->n_rules || print != pcm_rules_fingerprint(world->config))
        return refuse(world, PCM_MSG_CHECKPOINT_CONFIG, "it is from a configuration with other rules");
    return PCM_OK;
}

/* The world's object of that name and surface which no earlier object of the checkpoint has taken; UINT32_MAX: none. */
static uint32_t take_object(pcm_world *world, const pcm_index *names, pcm_bytes_view name, pcm_bytes_view surface)
{
    uint32_t hash = (uint32_t)pcm_checksum(PCM_CHECKSUM_START, name.text, name.length);
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

enum { OBJECT_DOUBLES = 21 }; /* of an object, after its texts and its hold */

static pcm_status map_objects(pcm_world *world, pcm_reader *from, const pcm_index *names, object_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        pcm_bytes_view name = pcm_read_text(from), surface = pcm_read_text(from);
        uint64_t       hold = pcm_read_u64(from);
        pcm_read_bytes(from, OBJECT_DOUBLES * sizeof(double));
        if (from->short_of)
            return cut_short(world);
        map->object[i] = take_object(world, names, name, surface);
        if (map->object[i] == UINT32_MAX || (hold != PCM_HOLD_FREE) != world->bodies[map->object[i]].fixed) {
            pcm_report(world->context, PCM_ERROR, PCM_MSG_CHECKPOINT_OBJECT,
                       "the checkpoint is refused: this world has no %sobject '%.*s' with surface '%.*s' for it",
                       hold == PCM_HOLD_FREE ? "moving " : "fixed ", (int)name.length, name.text, (int)surface.length,
                       surface.text);
            return PCM_BAD_CHECKPOINT;
        }
    }
    return PCM_OK;
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
        pcm_index_add(names, (uint32_t)pcm_checksum(PCM_CHECKSUM_START, body->name, strlen(body->name)), object + 1);
    }
    return PCM_OK;
}

/* Gives the checkpoint's objects their serials in its order, or takes them back. Which object of a pair is the base may
 * depend on it. */
static void exchange_serials(pcm_world *world, object_map *map)
{
    bool changed = false;
    for (size_t i = 0; i < map->count; i++) {
        uint64_t *serial = &world->bodies[map->object[i]].serial, given = map->serial[i];
        changed |= *serial != given;
        map->serial[i] = *serial;
        *serial = given;
    }
    for (size_t i = 0; changed && i < world->n_pairs; i++)
        if (world->pairs[i].low != world->pairs[i].high)
            pcm_world_resolve_pair(world, &world->pairs[i]);
}

static pcm_status check_objects(pcm_world *world, pcm_reader *from, object_map *map)
{
    uint64_t count = pcm_read_u64(from);
    if (count > (uint64_t)(from->end - from->at))
        return cut_short(world);
    map->count = (size_t)count;
    map->object = pcm_allocate(world->context, map->count * sizeof *map->object);
    map->serial = pcm_allocate(world->context, map->count * sizeof *map->serial);
    if ((!map->object || !map->serial) && count)
        return PCM_NO_MEMORY;
    uint32_t   objects = pcm_world_order(world);
    pcm_index  names = {0};
    pcm_status status = index_names(world, objects, &names);
    if (status == PCM_OK)
        status = map_objects(world, from, &names, map);
    pcm_index_free(world->context, &names);
    if (status != PCM_OK)
        return status;
    for (size_t i = 0, taken = 0; i < objects; i++) {
        const pcm_body *body = &world->bodies[world->bodies[i].nth];
        if (body->taken)
            map->serial[taken++] = body->serial;
    }
    return PCM_OK;
}

/* Reads two objects and gives their pair in the world. */
static pcm_status read_pair(pcm_world *world, pcm_reader *from, const object_map *map, uint32_t objects[2],
                            uint32_t *pair)
{
    *pair = PCM_NO_PAIR;
    for (size_t k = 0; k < 2; k++) {
        uint64_t place = pcm_read_u64(from);
        if (place >= map->count)
            return cut_short(world);
        objects[k] = map->object[place];
    }
    if (objects[0] == objects[1])
        return cut_short(world);
    *pair = pcm_world_find_pair(world, objects[0], objects[1]);
    return *pair == PCM_NO_PAIR ? PCM_NO_MEMORY : PCM_OK;
}

/* Pairs or broken features: each is a pair and one number. */
static pcm_status check_pairs(pcm_world *world, pcm_reader *from, const object_map *map, uint64_t *count)
{
    *count = pcm_read_u64(from);
    for (uint64_t i = 0; i < *count && !from->short_of; i++) {
        uint32_t   objects[2], pair;
        pcm_status status = read_pair(world, from, map, objects, &pair);
        if (status != PCM_OK)
            return status;
        pcm_read_u64(from);
    }
    return from->short_of ? cut_short(world) : PCM_OK;
}

static pcm_status check_contacts(pcm_world *world, pcm_reader *from, const object_map *map, uint32_t g, uint64_t *total)
{
    pcm_group *group = &world->groups[g];
    size_t     doubles = 4 + group->n_state + group->n_frame + group->n_host_inputs + group->n_ledger;
    uint64_t   count = pcm_read_u64(from);
    for (uint64_t i = 0; i < count && !from->short_of; i++) {
        uint32_t   objects[2], index;
        pcm_status status = read_pair(world, from, map, objects, &index);
        if (status != PCM_OK)
            return status;
        pcm_read_bytes(from, doubles * sizeof(double));
        const pcm_pair *pair = &world->pairs[index];
        if (pair->group != g || objects[0] != (pair->base_is_high ? pair->high : pair->low))
            return cut_short(world);
    }
    pcm_read_bytes(from, 4 * sizeof(double)); /* the log's clock and the type's ledger */
    if (from->short_of)
        return cut_short(world);
    *total += count;
    return pcm_group_reserve(world->context, group, (size_t)count);
}

static pcm_status reserve(pcm_world *world, uint64_t contacts, uint64_t broken)
{
    pcm_context *context = world->context;
    if (!pcm_grow(context, &world->slots, &world->slot_capacity, (size_t)contacts, sizeof *world->slots) ||
        !pcm_grow(context, &world->broken, &world->broken_capacity, (size_t)broken, sizeof *world->broken))
        return PCM_NO_MEMORY;
    return pcm_index_reserve(context, &world->contacts, (size_t)(contacts + broken));
}

/* All that follows the objects. */
static pcm_status check_rest(pcm_world *world, pcm_reader *from, const object_map *map)
{
    uint64_t   contacts = 0, told = 0, broken = 0;
    pcm_status status = check_pairs(world, from, map, &told);
    if (status == PCM_OK)
        status = check_pairs(world, from, map, &broken);
    for (uint32_t g = 0; g < world->n_groups && status == PCM_OK; g++)
        status = check_contacts(world, from, map, g, &contacts);
    if (status != PCM_OK)
        return status;
    pcm_read_bytes(from, world->n_rules * 6 * 8);
    if (from->short_of || from->at != from->end)
        return cut_short(world);
    return reserve(world, contacts, broken);
}

/* Everything that can fail. The objects are left in the order of the checkpoint where nothing does. */
static pcm_status check(pcm_world *world, pcm_reader from, object_map *map)
{
    pcm_status status = check_head(world, &from);
    if (status == PCM_OK)
        status = check_config(world, &from);
    pcm_read_bytes(&from, 4 * 8);
    if (status == PCM_OK)
        status = check_objects(world, &from, map);
    if (status != PCM_OK)
        return status;
    exchange_serials(world, map);
    status = check_rest(world, &from, map);
    if (status != PCM_OK)
        exchange_serials(world, map);
    return status;
}

/* ---- Taking over ----------------------------------------------------------------------------------------------- */

static void clear_world(pcm_world *world)
{
    pcm_world_forget(world);
    pcm_world_drop_all(world);
    for (size_t i = 0; i < world->n_pairs; i++)
        world->pairs[i].warned_motion = world->pairs[i].warned_input = world->pairs[i].warned_unassigned =
            world->pairs[i].warned_energy = world->pairs[i].warned_overlap = false;
}

static void read_doubles(pcm_reader *from, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = pcm_read_double(from);
}

static void take_objects(pcm_world *world, pcm_reader *from, const object_map *map)
{
    pcm_read_u64(from);
    for (size_t i = 0; i < map->count; i++) {
        uint32_t         object = map->object[i];
        pcm_twist_line  *twist = &world->twist[world->front][object];
        pcm_pose_line   *pose = &world->pose[world->front][object];
        pcm_wrench_line *wrench = &world->wrench[object];
        pcm_read_text(from);
        pcm_read_text(from);
        pose->hold = pcm_read_u64(from);
        read_doubles(from, twist->linear, 3);
        read_doubles(from, twist->angular, 3);
        twist->curvature = pcm_read_double(from);
        twist->inverse_mass = pcm_read_double(from);
        read_doubles(from, pose->position, 3);
        read_doubles(from, pose->orientation, 4);
        read_doubles(from, wrench->force, 3);
        read_doubles(from, wrench->torque, 3);
        world->twist[1 - world->front][object] = *twist;
        world->pose[1 - world->front][object] = *pose;
        world->moved[object] = world->epoch - 2;
    }
}

static void take_pairs(pcm_world *world, pcm_reader *from, const object_map *map)
{
    uint32_t objects[2], index;
    uint64_t told = pcm_read_u64(from);
    for (uint64_t i = 0; i < told; i++) {
        read_pair(world, from, map, objects, &index);
        pcm_pair *pair = &world->pairs[index];
        uint64_t  flags = pcm_read_u64(from);
        pair->warned_motion = flags & PCM_WARNED_MOTION;
        pair->warned_input = flags & PCM_WARNED_INPUT;
        pair->warned_unassigned = flags & PCM_WARNED_UNASSIGNED;
        pair->warned_energy = flags & PCM_WARNED_ENERGY;
        pair->warned_overlap = flags & PCM_WARNED_OVERLAP;
    }
    uint64_t broken = pcm_read_u64(from);
    for (uint64_t i = 0; i < broken; i++) {
        read_pair(world, from, map, objects, &index);
        pcm_world_mark_broken(world, index, pcm_read_u64(from));
    }
}

static void take_contacts(pcm_world *world, pcm_reader *from, const object_map *map, uint32_t g)
{
    pcm_group *group = &world->groups[g];
    uint64_t   count = pcm_read_u64(from);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t objects[2], pair;
        read_pair(world, from, map, objects, &pair);
        uint64_t feature = pcm_read_u64(from);
        size_t   row = group->count;
        pcm_world_add_row(world, pair, feature);
        pcm_identity *identity = &group->identity[row];
        identity->id = pcm_read_u64(from);
        identity->since = pcm_read_double(from);
        world->slots[identity->slot].flipped = pcm_read_u64(from) != 0;
        for (uint32_t k = 0; k < group->n_state; k++)
            *pcm_group_state(group, world->parity, k, row) = pcm_read_double(from);
        for (uint32_t k = 0; k < group->n_frame; k++)
            *pcm_group_frame(group, world->parity, k, row) = pcm_read_double(from);
        for (uint32_t k = 0; k < group->n_host_inputs; k++)
            *pcm_group_host_input(group, k, row) = pcm_read_double(from);
        for (uint32_t k = 0; k < group->n_ledger; k++)
            *pcm_group_ledger(group, k, row) = pcm_read_double(from);
    }
    group->live = group->count;
    world->logs[g].last = pcm_read_double(from);
    pcm_ledger *ledger = &group->ledger;
    ledger->work = pcm_read_double(from);
    ledger->stored = pcm_read_double(from);
    ledger->dissipated = pcm_read_double(from);
    ledger->residue = -ledger->work - ledger->stored - ledger->dissipated;
}

static void take_over(pcm_world *world, pcm_reader from, const object_map *map)
{
    pcm_read_bytes(&from, PCM_CHECKPOINT_HEAD);
    check_config(world, &from);
    world->time = pcm_read_double(&from);
    world->dt = pcm_read_double(&from);
    world->committed_time = pcm_read_double(&from);
    world->source = 1 - world->parity; /* the last update is committed */
    world->last_id = pcm_read_u64(&from);
    take_objects(world, &from, map);
    take_pairs(world, &from, map);
    for (uint32_t g = 0; g < world->n_groups; g++)
        take_contacts(world, &from, map, g);
    for (size_t i = 0; i < world->n_rules; i++) {
        pcm_rule_stats *stats = &world->stats[i];
        stats->made = pcm_read_u64(&from);
        stats->parted = pcm_read_u64(&from);
        stats->broken = pcm_read_u64(&from);
        stats->max_depth = pcm_read_double(&from);
        stats->max_slip = pcm_read_double(&from);
        stats->max_force = pcm_read_double(&from);
    }
    pcm_world_note_least(world);
}

pcm_status pcm_world_checkpoint_restore(pcm_world *world, const void *bytes, size_t size)
{
    if (!bytes)
        return PCM_BAD_ARGUMENT;
    pcm_reader from = {bytes, (const uint8_t *)bytes + size, false};
    object_map map = {0};
    pcm_status status = check(world, from, &map);
    if (status == PCM_OK) {
        clear_world(world);
        take_over(world, from, &map);
    } else if (status == PCM_NO_MEMORY)
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to restore a checkpoint");
    pcm_free(world->context, map.object, map.count * sizeof *map.object);
    pcm_free(world->context, map.serial, map.count * sizeof *map.serial);
    return status;
}
