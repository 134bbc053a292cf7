/* SPDX-License-Identifier: MIT */
/* Pairs of objects, with the rule of each, which is looked up once. */
#include "mixed_groups.h"
#include "pair.h"
#include "guard.h"
#include <pcm/messages.h>

/* With a secret number, like the keys of contacts. */
static uint32_t hash_pair(const pcm_world *world, uint32_t low, uint32_t high)
{
    return pcm_hash(((uint64_t)low << 32 | high) * world->secret, 0);
}

/* Reports at once, at the rule, that a law for fixed bases has a base that moves. */
static void report_moving_base(pcm_world *world, const pcm_type *type, uint32_t rule, const pcm_body *base)
{
    const pcm_rule_info info = pcm_config_rule_at(world->config, rule);
    pcm_report_at(world->context, PCM_ERROR, PCM_MSG_BASE_NOT_FIXED, &info.place,
                  "contact type '%s' (%s) needs a fixed base, but object '%s' is not fixed", type->info.name,
                  type->info.model->name, base->name);
}

pcm_status pcm_world_resolve_pair(pcm_world *world, pcm_pair *pair)
{
    bool            high_first = world->bodies[pair->high].serial < world->bodies[pair->low].serial;
    const pcm_body *first = &world->bodies[high_first ? pair->high : pair->low];
    const pcm_body *second = &world->bodies[high_first ? pair->low : pair->high];
    pcm_answer      answer = pcm_rules_resolve(world->config, &first->object_sides, &first->surface_sides,
                                               &second->object_sides, &second->surface_sides);
    pair->group = PCM_NO_GROUP;
    pair->rule = answer.type ? answer.rule : PCM_NO_RULE;
    pair->base_is_high = answer.swapped != high_first;
    if (!answer.type || answer.type->info.model->flags & PCM_HOST_CONTACT)
        return PCM_OK;
    const pcm_body *base = answer.swapped ? second : first;
    if (!(answer.type->info.model->flags & PCM_BASE_FIXED) || base->fixed)
        return pcm_world_group_between(world, answer.type, (const uint32_t[]){first->material, second->material},
                                       (const char *const[]){first->surface, second->surface}, &pair->group);
    report_moving_base(world, answer.type, answer.rule, base);
    return PCM_OK;
}

static uint32_t new_pair(pcm_world *world, uint32_t low, uint32_t high, uint32_t hash)
{
    if (pcm_index_reserve(world->context, &world->pair_index, 1) ||
        (!world->free_pairs.first &&
         !pcm_grow(world->context, &world->pairs, &world->pair_capacity, world->n_pairs + 1, sizeof *world->pairs))) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for the pair of '%s' and '%s'",
                   world->bodies[low].name, world->bodies[high].name);
        return PCM_NO_PAIR;
    }
    uint32_t index =
        pcm_free_list_take(&world->free_pairs, &world->pairs->next_free, sizeof *world->pairs, &world->n_pairs);
    world->pairs[index] = (pcm_pair){.low = low, .high = high};
    if (pcm_world_resolve_pair(world, &world->pairs[index]) != PCM_OK) {
        world->pairs[index] = (pcm_pair){0};
        pcm_free_list_put(&world->free_pairs, &world->pairs->next_free, sizeof *world->pairs, index);
        return PCM_NO_PAIR;
    }
    pcm_index_add(&world->pair_index, hash, index + 1);
    return index;
}

pcm_status pcm_world_reserve_pairs(pcm_world *world, size_t more)
{
    if (!pcm_grow(world->context, &world->pairs, &world->pair_capacity, world->n_pairs + more, sizeof *world->pairs))
        return PCM_NO_MEMORY;
    return pcm_index_reserve(world->context, &world->pair_index, more);
}

uint32_t pcm_world_append_pair(pcm_world *world, pcm_two objects, uint32_t *hash)
{
    pcm_pair *pair = &world->pairs[world->n_pairs];
    *hash = hash_pair(world, objects.low, objects.high);
    *pair = (pcm_pair){.low = objects.low, .high = objects.high};
    if (pcm_world_resolve_pair(world, pair) == PCM_OK)
        return (uint32_t)world->n_pairs++;
    *pair = (pcm_pair){0};
    return PCM_NO_PAIR;
}

void pcm_world_free_pairs(pcm_world *world, size_t first)
{
    for (size_t i = first; i < world->n_pairs; i++)
        if (world->pairs[i].low == world->pairs[i].high)
            pcm_free_list_put(&world->free_pairs, &world->pairs->next_free, sizeof *world->pairs, (uint32_t)i);
}

static inline bool is_pair(const pcm_world *world, size_t index, uint32_t low, uint32_t high)
{
    return index < world->n_pairs && world->pairs[index].low == low && world->pairs[index].high == high;
}

static uint32_t find_hashed(pcm_world *world, uint32_t low, uint32_t high, uint32_t hash)
{
    const pcm_index *index = &world->pair_index;
    if (index->count)
        for (size_t at = hash & index->mask; index->slots[at].value; at = (at + 1) & index->mask)
            if (index->slots[at].hash == hash && is_pair(world, index->slots[at].value - 1, low, high))
                return index->slots[at].value - 1;
    return new_pair(world, low, high, hash);
}

/* Hosts mostly ask for pairs in the order in which they were made, so the last one and the one after it are checked
 * first. */
uint32_t pcm_world_find_pair(pcm_world *world, uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a, last = world->last_pair;
    if (is_pair(world, last, low, high))
        return last;
    world->last_pair =
        is_pair(world, last + 1, low, high) ? last + 1 : find_hashed(world, low, high, hash_pair(world, low, high));
    return world->last_pair;
}

/* The pair of two objects, if it is `next`, the one after it, or one of the last few before it. */
static inline uint32_t guess_pair(const pcm_world *world, size_t next, uint32_t low, uint32_t high)
{
    enum { BACK = 3 };
    for (size_t i = next + 2; i-- > 0 && i + BACK >= next;)
        if (is_pair(world, i, low, high))
            return (uint32_t)i;
    return PCM_NO_PAIR;
}

pcm_status pcm_world_find_pairs(pcm_world *world, const pcm_two *objects, size_t count, uint32_t next, uint32_t *pairs)
{
    uint32_t hash[PCM_PAIRS_TOGETHER];
    for (size_t i = 0; i < count; i++) {
        const uint32_t low = objects[i].low, high = objects[i].high;
        pairs[i] = guess_pair(world, next, low, high);
        if (pairs[i] == PCM_NO_PAIR) {
            next++;
            hash[i] = hash_pair(world, low, high);
            pcm_index_ask(&world->pair_index, hash[i]);
        } else if (pairs[i] >= next)
            next = pairs[i] + 1;
    }
    for (size_t i = 0; i < count; i++)
        if (pairs[i] == PCM_NO_PAIR) {
            pairs[i] = find_hashed(world, objects[i].low, objects[i].high, hash[i]);
            if (pairs[i] == PCM_NO_PAIR)
                return PCM_NO_MEMORY;
        }
    return PCM_OK;
}

static pcm_status ask_pair(pcm_world *world, pcm_object a, pcm_object b, const pcm_type **type, bool *swapped)
{
    if (!pcm_world_has(world, a) || !pcm_world_has(world, b) || a.index == b.index)
        return PCM_BAD_HANDLE;
    uint32_t index = pcm_world_find_pair(world, a.index, b.index);
    if (index == PCM_NO_PAIR)
        return PCM_NO_MEMORY;
    const pcm_pair *pair = &world->pairs[index];
    if (pair->group == PCM_NO_GROUP)
        return PCM_OK;
    if (swapped)
        *swapped = b.index == (pair->base_is_high ? pair->high : pair->low);
    *type = world->groups[pair->group].type;
    return PCM_OK;
}

pcm_status pcm_world_pair_type(pcm_world *world, pcm_object a, pcm_object b, const pcm_type **type, bool *swapped)
{
    *type = NULL;
    pcm_status status = pcm_world_admit(world, true, __func__);
    return status == PCM_OK ? ask_pair(world, a, b, type, swapped) : status;
}

const pcm_type *pcm_world_pair(pcm_world *world, pcm_object a, pcm_object b, bool *swapped)
{
    const pcm_type *type = NULL;
    if (pcm_world_admit(world, true, __func__) == PCM_OK && ask_pair(world, a, b, &type, swapped) == PCM_NO_MEMORY)
        world->starved = true;
    return type;
}

static void drop_pair(pcm_world *world, size_t i)
{
    pcm_pair *pair = &world->pairs[i];
    pcm_index_remove(&world->pair_index, hash_pair(world, pair->low, pair->high), (uint32_t)i + 1);
    world->n_warned -= pair->warned != 0;
    *pair = (pcm_pair){0};
    pcm_free_list_put(&world->free_pairs, &world->pairs->next_free, sizeof *pair, (uint32_t)i);
}

void pcm_world_drop_pairs(pcm_world *world, uint32_t object)
{
    for (size_t i = 0; i < world->n_pairs; i++) {
        const pcm_pair *pair = &world->pairs[i];
        if (pair->low != pair->high && (pair->low == object || pair->high == object))
            drop_pair(world, i);
    }
}

void pcm_world_drop_pairs_of(pcm_world *world, uint32_t group)
{
    for (size_t i = 0; i < world->n_pairs; i++) {
        const pcm_pair *pair = &world->pairs[i];
        if (pair->low != pair->high && pair->group != PCM_NO_GROUP && pair->group >= group)
            drop_pair(world, i);
    }
}
