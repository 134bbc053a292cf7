/* SPDX-License-Identifier: MIT */
/* touch.c - from a pair and a feature to the row of a contact.
 *
 * A contact is found by its key: the two objects, lower index first, and the feature (0 where the type keeps a single
 * contact for a pair). The index `contacts` maps the key to a slot, the slot refers to a group and a row, and the row's
 * identity refers back to the slot and to the pair. Invariants:
 *
 * - A slot in use has a row and a key: group->identity[slot->row].slot is the slot, and the index has its key once. A
 *   free slot has the group PCM_NO_GROUP; its generation is that of the next handle.
 * - Rows move, slots do not: to remove a row, the last one is moved into the gap, and its slot is updated.
 * - The slots of tentative rows are listed in `tentative`, in the order of touches; these rows come after the live
 *   ones.
 * - A broken feature has a key and no row: the index has 1 + its index in `broken`, with PCM_BROKEN_KEY. Moving an
 *   entry of `broken` updates its key. It is removed at the commit of an evaluation that is not the one it was `held`
 *   in.
 * - All memory is reserved before anything changes. */
#include "touch.h"
#include "guard.h"
#include "pair.h"
#include "watch.h"
#include <pcm/messages.h>

/* ---- Slots ----------------------------------------------------------------------------------------------------- */

/* A slot whose generations are used up stays empty, so that no old handle can name another contact. */
static void free_slot(pcm_world *world, uint32_t slot)
{
    world->slots[slot].group = PCM_NO_GROUP;
    if (++world->slots[slot].generation != 0)
        pcm_free_list_put(&world->free_slots, &world->slots->row, sizeof *world->slots, slot);
}

static uint32_t take_slot(pcm_world *world)
{
    uint32_t index = pcm_free_list_take(&world->free_slots, &world->slots->row, sizeof *world->slots, &world->n_slots);
    world->slots[index].generation += world->slots[index].generation == 0;
    return index;
}

/* ---- Evaluations ----------------------------------------------------------------------------------------------- */

static uint32_t row_hash(const pcm_world *world, const pcm_group *group, size_t row)
{
    const pcm_pair *pair = &world->pairs[group->identity[row].pair];
    return pcm_contact_hash(world, pair->low, pair->high, group->identity[row].feature);
}

/* Stamps have 32 bits: before they repeat, all are reset. */
static void next_evaluation(pcm_world *world)
{
    if (++world->evaluation != 0)
        return;
    world->evaluation = 1;
    for (size_t g = 0; g < world->n_groups; g++)
        pcm_group_wipe_stamps(&world->groups[g]);
    for (size_t i = 0; i < world->n_pairs; i++)
        world->pairs[i].noted = world->pairs[i].weighed = 0;
    for (size_t i = 0; i < world->n_broken; i++)
        world->broken[i].held = 0;
}

void pcm_world_forget(pcm_world *world)
{
    while (world->n_tentative > 0) {
        const uint32_t   slot = world->tentative[--world->n_tentative];
        const size_t     row = world->slots[slot].row;
        const pcm_group *group = &world->groups[world->slots[slot].group];
        pcm_index_remove(&world->contacts, row_hash(world, group, row), slot + 1);
        world->pairs[group->identity[row].pair].contacts--;
        free_slot(world, slot);
    }
    for (size_t g = 0; g < world->n_groups; g++) {
        world->topology += world->groups[g].count != world->groups[g].live;
        world->groups[g].count = world->groups[g].live;
        world->groups[g].tried = 0;
    }
    world->n_unassigned = 0;
    world->phase = PCM_IDLE;
    next_evaluation(world);
}

void pcm_world_gather(pcm_world *world)
{
    if (pcm_world_is_evaluated(world))
        pcm_world_forget(world);
    world->phase = PCM_GATHERING;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* Reserves room for one more contact of the group in all arrays. */
static bool reserve_contact(pcm_world *world, pcm_group *group)
{
    pcm_context *context = world->context;
    return pcm_group_reserve(context, group, group->count + 1) == PCM_OK &&
           pcm_index_reserve(context, &world->contacts, 1) == PCM_OK &&
           pcm_grow(context, &world->tentative, &world->tentative_capacity, world->n_tentative + 1,
                    sizeof *world->tentative) &&
           (world->free_slots.first ||
            (world->n_slots < PCM_MOST_SLOTS &&
             pcm_grow(context, &world->slots, &world->slot_capacity, world->n_slots + 1, sizeof *world->slots)));
}

static uint32_t side(const pcm_world *world, uint32_t object)
{
    return object | (world->bodies[object].fixed ? PCM_FIXED_SIDE : 0);
}

/* Adds a tentative row for a contact of the pair; room was reserved. Returns its slot. The caller adds its key. */
static uint32_t add_row(pcm_world *world, uint32_t pair_index, uint64_t feature)
{
    const pcm_pair *pair = &world->pairs[pair_index];
    pcm_group      *group = &world->groups[pair->group];
    uint32_t        slot = take_slot(world);
    size_t          row = group->count++;
    world->topology++;
    world->pairs[pair_index].contacts++;
    world->slots[slot] = (pcm_contact_slot){world->slots[slot].generation, (uint32_t)row, pair->group, false, 0};
    group->record[row] = (pcm_record){.base = side(world, pair->base_is_high ? pair->high : pair->low),
                                      .follower = side(world, pair->base_is_high ? pair->low : pair->high)};
    group->identity[row] = (pcm_identity){.feature = feature, .pair = pair_index, .slot = slot};
    group->stamp[row] = 0;
    if (group->n_state)
        group->tried_stamp[row] = 0;
    for (uint32_t k = 0; k < group->n_host_inputs; k++)
        *pcm_group_host_input(group, k, row) = group->fallback[k];
    for (uint32_t k = 0; k < group->n_ledger; k++)
        *pcm_group_ledger(group, k, row) = 0;
    if (group->n_patch)
        *pcm_group_patch(group, PCM_ROW_SCALE, row) = *pcm_group_patch(group, PCM_ROW_LAST_SCALE, row) = 1;
    return slot;
}

/* Adds a tentative contact; the caller writes its record. Returns its slot, or UINT32_MAX if there is no memory. */
static uint32_t new_contact(pcm_world *world, uint32_t pair_index, uint32_t a, uint64_t feature)
{
    const pcm_pair *pair = &world->pairs[pair_index];
    if (!reserve_contact(world, &world->groups[pair->group])) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a contact of '%s' and '%s'",
                   world->bodies[pair->low].name, world->bodies[pair->high].name);
        world->starved = true;
        return UINT32_MAX;
    }
    uint32_t slot = add_row(world, pair_index, feature);
    pcm_index_add(&world->contacts, pcm_contact_hash(world, pair->low, pair->high, feature), slot + 1);
    world->slots[slot].flipped = a != (pair->base_is_high ? pair->high : pair->low);
    world->tentative[world->n_tentative++] = slot;
    return slot;
}

/* A touch as it was reported. */
typedef struct pcm_reported {
    const double            *point, *normal;
    double                   depth;
    double                   area, share; /* NAN: not given */
    const pcm_contact_shape *shape;       /* NULL: not given */
} pcm_reported;

/* Writes the area and share of a touch. A single contact has those of the whole patch. */
static void write_patch(const pcm_world *world, pcm_group *group, size_t row, double area, double share)
{
    const bool more = group->single && group->stamp[row] == world->evaluation;
    double    *sum = pcm_group_patch(group, PCM_ROW_AREA, row);
    *sum = more ? *sum + area : area;
    *pcm_group_patch(group, PCM_ROW_SHARE, row) = group->single ? 1 : share;
}

/* Marks a row as touched. False: it was touched already at a larger depth, which a single contact keeps. */
static inline bool stamp_row(const pcm_world *world, pcm_group *group, size_t row, double depth)
{
    if (group->single && group->stamp[row] == world->evaluation && depth <= group->record[row].depth)
        return false;
    group->stamp[row] = world->evaluation;
    return true;
}

static inline void write_motion(const pcm_world *world, pcm_group *group, const pcm_contact_slot *slot, bool flipped,
                                const double *point, const double *normal, double depth)
{
    pcm_record *record = &group->record[slot->row];
    if (!stamp_row(world, group, slot->row, depth))
        return;
    memcpy(record->point, point, sizeof record->point);
    memcpy(record->normal, normal, sizeof record->normal);
    record->depth = depth;
    for (size_t k = 0; flipped && k < 3; k++)
        record->normal[k] = -record->normal[k];
}

pcm_status pcm_world_mark_broken(pcm_world *world, uint32_t pair, uint64_t feature, double onset)
{
    if (!pcm_grow(world->context, &world->broken, &world->broken_capacity, world->n_broken + 1,
                  sizeof *world->broken) ||
        pcm_index_reserve(world->context, &world->contacts, 1))
        return PCM_NO_MEMORY;
    world->broken[world->n_broken] = (pcm_broken_key){feature, pair, world->evaluation, onset};
    pcm_index_add(&world->contacts, pcm_contact_hash(world, world->pairs[pair].low, world->pairs[pair].high, feature),
                  PCM_BROKEN_KEY | (uint32_t)++world->n_broken);
    return PCM_OK;
}

void pcm_world_end_contact(pcm_world *world, uint32_t g, size_t row)
{
    pcm_group *group = &world->groups[g];
    uint32_t   slot = group->identity[row].slot;
    pcm_index_remove(&world->contacts, row_hash(world, group, row), slot + 1);
    world->pairs[group->identity[row].pair].contacts--;
    free_slot(world, slot);
    world->topology++;
    size_t last = --group->count;
    if (row == last)
        return;
    pcm_group_copy(group, row, last);
    world->slots[group->identity[row].slot].row = (uint32_t)row;
}

static uint32_t broken_hash(const pcm_world *world, size_t i)
{
    const pcm_broken_key *key = &world->broken[i];
    const pcm_pair       *pair = &world->pairs[key->pair];
    return pcm_contact_hash(world, pair->low, pair->high, key->feature);
}

static void renew_key(pcm_world *world, size_t i)
{
    pcm_index_remove(&world->contacts, broken_hash(world, i), PCM_BROKEN_KEY | ((uint32_t)i + 1));
    size_t last = --world->n_broken;
    if (i == last)
        return;
    const uint32_t hash = broken_hash(world, last);
    pcm_index_remove(&world->contacts, hash, PCM_BROKEN_KEY | ((uint32_t)last + 1));
    pcm_index_add(&world->contacts, hash, PCM_BROKEN_KEY | ((uint32_t)i + 1));
    world->broken[i] = world->broken[last];
}

void pcm_world_renew_broken(pcm_world *world)
{
    for (size_t i = world->n_broken; i-- > 0;)
        if (world->broken[i].held != world->evaluation)
            renew_key(world, i);
}

void pcm_world_drop_contacts(pcm_world *world, uint32_t object)
{
    for (uint32_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        for (size_t row = group->count; row-- > 0;) {
            const pcm_record *record = &group->record[row];
            if (pcm_side_object(record->base) != object && pcm_side_object(record->follower) != object)
                continue;
            pcm_world_end_contact(world, g, row);
        }
        group->live = group->count;
    }
    for (size_t i = world->n_broken; i-- > 0;) {
        const pcm_pair *pair = &world->pairs[world->broken[i].pair];
        if (pair->low == object || pair->high == object)
            renew_key(world, i);
    }
}

void pcm_world_index_contacts(pcm_world *world)
{
    pcm_index_clear(&world->contacts);
    for (size_t g = 0; g < world->n_groups; g++)
        for (size_t row = 0; row < world->groups[g].count; row++)
            pcm_index_add(&world->contacts, row_hash(world, &world->groups[g], row),
                          world->groups[g].identity[row].slot + 1);
    for (size_t i = 0; i < world->n_broken; i++)
        pcm_index_add(&world->contacts, broken_hash(world, i), PCM_BROKEN_KEY | ((uint32_t)i + 1));
}

void pcm_world_drop_all(pcm_world *world)
{
    world->n_tentative = 0;
    for (uint32_t g = 0; g < world->n_groups; g++) {
        world->topology += world->groups[g].count;
        world->groups[g].count = world->groups[g].live = 0;
    }
    for (size_t i = 0; i < world->n_pairs; i++)
        world->pairs[i].contacts = 0;
    world->free_slots = (pcm_free_list){0};
    world->n_broken = 0;
}

/* Frees a slot that may be in use; false: its generations are used up. */
static bool clear_slot(pcm_contact_slot *slot)
{
    slot->generation += slot->group != PCM_NO_GROUP;
    slot->group = PCM_NO_GROUP;
    return slot->generation != 0;
}

void pcm_world_reuse_slots(pcm_world *world, size_t *next, uint32_t group, size_t first_row, size_t count,
                           uint32_t *slots)
{
    pcm_contact_slot *const slot = world->slots;
    const size_t            old = world->n_slots;
    size_t                  at = *next;
    for (size_t i = 0; i < count; i++, at++) {
        while (at < old && !clear_slot(&slot[at]))
            at++;
        const uint32_t generation = at < old ? slot[at].generation : 1;
        slot[at] = (pcm_contact_slot){.generation = generation, .row = (uint32_t)(first_row + i), .group = group};
        slots[i] = (uint32_t)at;
    }
    *next = at;
    if (at > old)
        world->n_slots = at;
}

void pcm_world_leave_slots(pcm_world *world, size_t next)
{
    for (size_t i = world->n_slots; i-- > next;)
        if (clear_slot(&world->slots[i]))
            pcm_free_list_put(&world->free_slots, &world->slots->row, sizeof *world->slots, (uint32_t)i);
}

/* ---- The public calls ------------------------------------------------------------------------------------------ */

static bool is_contact(const pcm_world *world, uint32_t index, uint32_t low, uint32_t high, uint64_t feature)
{
    const pcm_contact_slot *slot = &world->slots[index];
    const pcm_group        *group = &world->groups[slot->group];
    uint32_t                base = pcm_side_object(group->record[slot->row].base);
    uint32_t                follower = pcm_side_object(group->record[slot->row].follower);
    return group->identity[slot->row].feature == feature &&
           ((base == low && follower == high) || (base == high && follower == low));
}

static bool is_broken(const pcm_world *world, uint32_t index, uint32_t low, uint32_t high, uint64_t feature)
{
    const pcm_broken_key *key = &world->broken[index];
    const pcm_pair       *pair = &world->pairs[key->pair];
    return key->feature == feature && pair->low == low && pair->high == high;
}

/* Hosts mostly report contacts in the order in which they began, so the slot after the last one is checked first. */
uint32_t pcm_find_contact(const pcm_world *world, uint32_t low, uint32_t high, uint64_t feature)
{
    const pcm_index *index = &world->contacts;
    uint32_t         guess = world->guess;
    if (guess < world->n_slots && world->slots[guess].group != PCM_NO_GROUP &&
        is_contact(world, guess, low, high, feature))
        return guess + 1;
    if (index->count == 0)
        return 0;
    uint32_t hash = pcm_contact_hash(world, low, high, feature);
    for (size_t at = hash & index->mask; index->slots[at].value; at = (at + 1) & index->mask) {
        uint32_t value = index->slots[at].value;
        if (index->slots[at].hash == hash &&
            (value & PCM_BROKEN_KEY ? is_broken(world, (value & ~PCM_BROKEN_KEY) - 1, low, high, feature)
                                    : is_contact(world, value - 1, low, high, feature)))
            return value;
    }
    return 0;
}

static pcm_contact touch_row(pcm_world *world, uint32_t slot, uint32_t a, const pcm_reported *touch)
{
    const pcm_contact_slot *found = &world->slots[slot];
    pcm_group              *group = &world->groups[found->group];
    bool                    flipped = pcm_side_object(group->record[found->row].base) != a;
    world->guess = slot + 1;
    if (group->stamp[found->row] == world->evaluation && !group->single &&
        memcmp(group->record[found->row].point, touch->point, sizeof group->record->point) != 0)
        pcm_world_tell_feature(world, group, found->row);
    if (group->n_patch)
        write_patch(world, group, found->row, touch->area, touch->share);
    if (pcm_group_wants_shape(group))
        pcm_world_take_shape(world, group, found->row, touch->shape, touch->depth);
    write_motion(world, group, found, flipped, touch->point, touch->normal, touch->depth);
    return (pcm_contact){slot, found->generation};
}

/* Records a touch of a pair that the host handles, for the report that no rule matches it. */
static void note_unruled(pcm_world *world, uint32_t index, double depth)
{
    pcm_pair *pair = &world->pairs[index];
    if (pair->rule != PCM_NO_RULE || pair->warned & PCM_WARNED_UNASSIGNED || pair->noted == world->evaluation ||
        depth < 0)
        return;
    if (pcm_grow(world->context, &world->unassigned, &world->unassigned_capacity, world->n_unassigned + 1,
                 sizeof *world->unassigned)) {
        pair->noted = world->evaluation;
        world->unassigned[world->n_unassigned++] = index;
    }
}

/* A touch of a feature whose law ended its contact. The feature stays broken while it is reported where a contact could
 * begin. */
static pcm_contact touch_broken(pcm_world *world, uint32_t value, double depth)
{
    pcm_broken_key *key = &world->broken[(value & ~PCM_BROKEN_KEY) - 1];
    if (pcm_can_begin(key->onset, depth))
        key->held = world->evaluation;
    return (pcm_contact){0, 0};
}

/* A touch whose key is not in the index. */
static pcm_contact touch_pair(pcm_world *world, uint32_t a, uint32_t b, uint64_t feature, const pcm_reported *touch)
{
    const pcm_contact none = {0, 0};
    uint32_t          index = pcm_world_find_pair(world, a, b);
    if (index == PCM_NO_PAIR) {
        world->starved = true;
        return none;
    }
    pcm_pair *pair = &world->pairs[index];
    if (pair->group == PCM_NO_GROUP) {
        note_unruled(world, index, touch->depth);
        return none;
    }
    const pcm_group *group = &world->groups[pair->group];
    if (group->single) {
        uint32_t value = pcm_find_contact(world, pair->low, pair->high, 0);
        if (value & PCM_BROKEN_KEY)
            return touch_broken(world, value, touch->depth);
        if (value)
            return touch_row(world, value - 1, a, touch);
        feature = 0;
    }
    if (!pcm_type_can_begin(group->type, touch->depth))
        return none;
    uint32_t slot = new_contact(world, index, a, feature);
    return slot == UINT32_MAX ? none : touch_row(world, slot, a, touch);
}

/* A touch of two live objects. */
static pcm_contact touch_feature(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature,
                                 const pcm_reported *touch)
{
    pcm_world_gather(world);
    uint32_t low = a.index < b.index ? a.index : b.index, high = a.index < b.index ? b.index : a.index;
    uint32_t value = pcm_find_contact(world, low, high, feature);
    if (value == 0)
        return touch_pair(world, a.index, b.index, feature, touch);
    if (!(value & PCM_BROKEN_KEY))
        return touch_row(world, value - 1, a.index, touch);
    return touch_broken(world, value, touch->depth);
}

/* Whether a touch of that size has all fields of the first version, and none that is set and not known here. */
static bool is_known_touch(const pcm_touch *touch, size_t touch_size)
{
    return touch_size == sizeof *touch || touch_size == offsetof(pcm_touch, shape) ||
           (touch_size > sizeof *touch && pcm_zero_beyond(touch, sizeof *touch, touch_size));
}

bool pcm_touch_size_known(const pcm_touch *touches, size_t touch_size, size_t count)
{
    bool known = true;
    if (touch_size == sizeof *touches)
        return true;
    for (size_t i = 0; i < count && known; i++)
        known = is_known_touch((const void *)((const char *)touches + i * touch_size), touch_size);
    return known;
}

pcm_contact pcm_touch_known(pcm_world *world, uint32_t a, uint32_t b, uint64_t feature, pcm_contact contact,
                            const pcm_touch *touch, size_t touch_size)
{
    const pcm_reported reported = {touch->point,
                                   touch->normal,
                                   touch->depth,
                                   touch->gives & PCM_AREA ? touch->area : NAN,
                                   touch->gives & PCM_SHARE ? touch->share : NAN,
                                   touch_size < sizeof *touch ? NULL : touch->shape};
    if (pcm_world_lives(world, contact))
        return touch_row(world, contact.index, a, &reported);
    return touch_feature(world, pcm_world_handle(world, a), pcm_world_handle(world, b), feature, &reported);
}

pcm_contact pcm_world_touch(pcm_world *world, pcm_object a, pcm_object b, const pcm_touch *touch, size_t touch_size)
{
    const pcm_contact none = {0, 0};
    if (pcm_world_admit(world, touch, __func__) != PCM_OK)
        return none;
    if (!is_known_touch(touch, touch_size)) {
        (void)pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                               "touch_size is not sizeof(pcm_touch), or the program was built with a later PCM");
        return none;
    }
    if (!pcm_world_has(world, a) || !pcm_world_has(world, b) || a.index == b.index)
        return none;
    return pcm_touch_known(world, a.index, b.index, touch->feature, none, touch, touch_size);
}

pcm_group *pcm_world_gather_contact(pcm_world *world, pcm_contact contact)
{
    if (!pcm_world_lives(world, contact))
        return NULL;
    pcm_world_gather(world); /* this ends contacts that were never committed */
    if (!pcm_world_lives(world, contact))
        return NULL;
    return &world->groups[world->slots[contact.index].group];
}

/* The number of entries, from the first on, that have two live objects. */
static size_t sound_pairs(const pcm_world *world, const pcm_touch_columns *columns)
{
    const size_t step_a = !columns->one_a, step_b = !columns->one_b;
    for (size_t i = 0; i < columns->count; i++) {
        const pcm_object a = columns->a[i * step_a], b = columns->b[i * step_b];
        if (!pcm_world_has(world, a) || !pcm_world_has(world, b) || a.index == b.index)
            return i;
    }
    return columns->count;
}

/* Whether a cached handle is still that of the contact of these two objects at that feature. */
static inline bool is_still(const pcm_world *world, pcm_contact kept, uint32_t a, uint32_t b, uint64_t feature)
{
    if (!pcm_world_lives(world, kept))
        return false;
    const pcm_contact_slot *slot = &world->slots[kept.index];
    const pcm_group        *group = &world->groups[slot->group];
    const uint32_t          base = pcm_side_object(group->record[slot->row].base);
    const uint32_t          follower = pcm_side_object(group->record[slot->row].follower);
    return (group->single || group->identity[slot->row].feature == feature) &&
           ((base == a && follower == b) || (base == b && follower == a));
}

static double area_of(const pcm_touch_columns *columns, size_t i) { return columns->area ? columns->area[i] : NAN; }
static double share_of(const pcm_touch_columns *columns, size_t i) { return columns->share ? columns->share[i] : NAN; }

/* Shapes may be larger or smaller than this version's. */
static const pcm_contact_shape *shape_of(const pcm_touch_columns *columns, size_t i)
{
    return columns->shape ? (const void *)((const char *)columns->shape + i * columns->shape->size) : NULL;
}

static size_t touch_pairs(pcm_world *world, const pcm_touch_columns *columns)
{
    const size_t sound = sound_pairs(world, columns);
    if (sound < columns->count)
        return sound;
    pcm_world_gather(world);
    for (size_t i = 0; i < columns->count; i++) {
        const pcm_object   a = columns->a[columns->one_a ? 0 : i], b = columns->b[columns->one_b ? 0 : i];
        const uint64_t     feature = columns->feature ? columns->feature[i] : 0;
        const pcm_contact  kept = columns->contacts ? columns->contacts[i] : (pcm_contact){0, 0};
        const pcm_reported touch = {&columns->point[3 * i], &columns->normal[3 * i], columns->depth[i],
                                    area_of(columns, i),    share_of(columns, i),    shape_of(columns, i)};
        const pcm_contact  contact = is_still(world, kept, a.index, b.index, feature)
                                         ? touch_row(world, kept.index, a.index, &touch)
                                         : touch_feature(world, a, b, feature, &touch);
        if (columns->contacts)
            columns->contacts[i] = contact;
    }
    return columns->count;
}

static size_t touch_contacts(pcm_world *world, const pcm_touch_columns *columns)
{
    const pcm_touch_columns to = *columns;
    pcm_world_gather(world);
    for (size_t i = 0; i < to.count; i++) {
        const pcm_contact contact = to.contacts[i];
        if (!pcm_world_lives(world, contact)) {
            to.contacts[i] = (pcm_contact){0, 0};
            continue;
        }
        const pcm_contact_slot *slot = &world->slots[contact.index];
        pcm_group              *group = &world->groups[slot->group];
        if (group->n_patch)
            write_patch(world, group, slot->row, area_of(&to, i), share_of(&to, i));
        if (pcm_group_wants_shape(group))
            pcm_world_take_shape(world, group, slot->row, shape_of(&to, i), to.depth[i]);
        write_motion(world, group, slot, slot->flipped, &to.point[3 * i], &to.normal[3 * i], to.depth[i]);
    }
    return to.count;
}

static size_t touch_many(pcm_world *world, const pcm_touch_columns *columns)
{
    pcm_touch_columns to = {.size = sizeof to};
    if (!pcm_def_fill(world->context, "pcm_touch_columns", &to, columns) || to.count == 0)
        return 0;
    if (!to.point || !to.normal || !to.depth || !to.a != !to.b || (!to.a && !to.contacts)) {
        (void)pcm_world_reject(world, PCM_BAD_ARGUMENT, "pcm_world_touch_many",
                               "point, normal and depth are needed, and a with b, or contacts alone");
        return 0;
    }
    return to.a ? touch_pairs(world, &to) : touch_contacts(world, &to);
}

size_t pcm_world_touch_many(pcm_world *world, const pcm_touch_columns *columns)
{
    if (pcm_world_enter(world, columns != NULL, __func__) != PCM_OK)
        return 0;
    const size_t touched = touch_many(world, columns);
    pcm_world_leave(world);
    return touched;
}

pcm_status pcm_world_set_input(pcm_world *world, pcm_contact contact, uint32_t column, double value)
{
    const pcm_status status = pcm_world_admit(world, true, __func__);
    pcm_group       *group = status == PCM_OK ? pcm_world_gather_contact(world, contact) : NULL;
    if (!group)
        return status == PCM_OK ? PCM_BAD_HANDLE : status;
    if (column >= group->n_host_inputs)
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                                "the contact's law has no host input with that column: see pcm_model_host_input");
    *pcm_group_host_input(group, column, world->slots[contact.index].row) = value;
    return PCM_OK;
}
