/* SPDX-License-Identifier: MIT */
/* checkpoint_layout.c - what stands in a checkpoint, field by field. */
#include "checkpoint.h"

/* ---- Fields ---------------------------------------------------------------------------------------------------- */

/* Numbers and doubles that lie beside each other. */
static void words(pcm_checkpoint_walk *walk, void *values, size_t count)
{
    if (walk->reads) {
        const pcm_bytes_view view = pcm_read_bytes(&walk->from, 8 * count);
        if (view.text)
            pcm_take_words(values, view.text, count);
        else
            memset(values, 0, 8 * count);
        return;
    }
    if (walk->to.at)
        pcm_put_words(walk->to.at + walk->to.count, values, count);
    walk->to.count += 8 * count;
}

static void number(pcm_checkpoint_walk *walk, uint64_t *value) { words(walk, value, 1); }

static void reals(pcm_checkpoint_walk *walk, double *values, size_t count) { words(walk, values, count); }

static void text(pcm_checkpoint_walk *walk, pcm_bytes_view *view)
{
    if (walk->reads) {
        *view = pcm_read_text(&walk->from);
        return;
    }
    pcm_write_u64(&walk->to, view->length);
    pcm_write_bytes(&walk->to, view->text, view->length);
}

/* ---- Parts ----------------------------------------------------------------------------------------------------- */

static void object_fields(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const size_t count = PCM_WORD_AMOUNTS + PCM_AMOUNT_WORDS * walk->world->n_amounts;
    text(walk, &saved->object.name);
    text(walk, &saved->object.surface);
    if (walk->reads)
        saved->object.read = pcm_read_bytes(&walk->from, 8 * count).text;
    else
        words(walk, saved->object.written, count);
}

static void type_end_fields(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    reals(walk, &saved->type_end.log_last, 1);
    reals(walk, &saved->type_end.work, 1);
    reals(walk, &saved->type_end.stored, 1);
    reals(walk, &saved->type_end.dissipated, 1);
}

static void stats_fields(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    number(walk, &saved->stats.made);
    number(walk, &saved->stats.parted);
    number(walk, &saved->stats.broken);
    reals(walk, &saved->stats.max_depth, 1);
    reals(walk, &saved->stats.max_slip, 1);
    reals(walk, &saved->stats.max_force, 1);
}

static void fields(pcm_checkpoint_walk *walk, pcm_saved_kind kind, pcm_saved *saved)
{
    switch (kind) {
    case PCM_SAVED_CONFIG:
        number(walk, &saved->config.ledger);
        number(walk, &saved->config.n_types);
        break;
    case PCM_SAVED_TYPE:
        text(walk, &saved->type.name);
        text(walk, &saved->type.model);
        text(walk, &saved->type.version);
        number(walk, &saved->type.fingerprint);
        break;
    case PCM_SAVED_RULES:
        number(walk, &saved->rules.count);
        number(walk, &saved->rules.fingerprint);
        break;
    case PCM_SAVED_MIXED:
        number(walk, &saved->mixed.type);
        text(walk, &saved->mixed.material[0]);
        text(walk, &saved->mixed.material[1]);
        number(walk, &saved->mixed.fingerprint);
        break;
    case PCM_SAVED_CLOCK:
        reals(walk, &saved->clock.time, 1);
        reals(walk, &saved->clock.dt, 1);
        reals(walk, &saved->clock.committed_time, 1);
        number(walk, &saved->clock.last_id);
        break;
    case PCM_SAVED_COUNT:
        number(walk, &saved->count);
        break;
    case PCM_SAVED_OBJECT:
        object_fields(walk, saved);
        break;
    case PCM_SAVED_WARNED:
    case PCM_SAVED_BROKEN:
        number(walk, &saved->pair.place[0]);
        number(walk, &saved->pair.place[1]);
        number(walk, &saved->pair.warned_or_feature);
        if (kind == PCM_SAVED_BROKEN)
            reals(walk, &saved->pair.onset, 1);
        break;
    case PCM_SAVED_TYPE_END:
        type_end_fields(walk, saved);
        break;
    case PCM_SAVED_STATS:
        stats_fields(walk, saved);
        break;
    case PCM_SAVED_CONTACT: /* see contacts */
    case PCM_SAVED_KINDS:
        break;
    }
}

uint32_t pcm_saved_columns(const pcm_group *group)
{
    return group->n_state + group->n_frame + group->n_host_inputs + group->n_ledger + group->scales;
}

size_t pcm_saved_contact_size(const pcm_group *group)
{
    return sizeof(uint64_t) * (PCM_WORD_COLUMNS + pcm_saved_columns(group));
}

double *pcm_saved_column(const pcm_world *world, const pcm_group *group, uint32_t k, size_t row)
{
    if (k < group->n_state)
        return pcm_group_state(group, world->parity, k, row);
    k -= group->n_state;
    if (k < group->n_frame)
        return pcm_group_frame(group, world->parity, k, row);
    k -= group->n_frame;
    if (k < group->n_host_inputs)
        return pcm_group_host_input(group, k, row);
    k -= group->n_host_inputs;
    return k < group->n_ledger ? pcm_group_ledger(group, k, row) : pcm_group_patch(group, PCM_ROW_LAST_SCALE, row);
}

/* ---- The order of the parts ------------------------------------------------------------------------------------ */

static pcm_status one(pcm_checkpoint_walk *walk, pcm_saved_kind kind, size_t index, pcm_saved *saved)
{
    walk->index = index;
    pcm_checkpoint_part *part = walk->side[kind];
    if (!walk->reads) {
        part(walk, saved);
        fields(walk, kind, saved);
        return PCM_OK;
    }
    fields(walk, kind, saved);
    if (walk->from.short_of)
        return PCM_BAD_CHECKPOINT;
    return part ? part(walk, saved) : PCM_OK;
}

static pcm_status several(pcm_checkpoint_walk *walk, pcm_saved_kind kind, size_t count, pcm_saved *saved)
{
    pcm_status status = PCM_OK;
    for (size_t i = 0; i < count && status == PCM_OK; i++)
        status = one(walk, kind, i, saved);
    return status;
}

/* They are many: all of a group are handed on together. */
static pcm_status contacts(pcm_checkpoint_walk *walk)
{
    const size_t size = walk->count * pcm_saved_contact_size(pcm_walk_group(walk));
    if (walk->reads) {
        const pcm_bytes_view rows = pcm_read_bytes(&walk->from, size);
        return walk->from.short_of ? PCM_BAD_CHECKPOINT : walk->rows.read(walk, rows.text);
    }
    if (walk->to.at)
        walk->rows.write(walk, walk->to.at + walk->to.count);
    walk->to.count += size;
    return PCM_OK;
}

static pcm_status counted(pcm_checkpoint_walk *walk, pcm_saved_kind kind, pcm_saved *saved)
{
    walk->counted = kind;
    pcm_status status = one(walk, PCM_SAVED_COUNT, 0, saved);
    walk->count = (size_t)saved->count;
    if (status != PCM_OK)
        return status;
    return kind == PCM_SAVED_CONTACT ? contacts(walk) : several(walk, kind, walk->count, saved);
}

pcm_status pcm_checkpoint_go(pcm_checkpoint_walk *walk)
{
    pcm_world *world = walk->world;
    pcm_saved  saved;
    pcm_status status = one(walk, PCM_SAVED_CONFIG, 0, &saved);
    if (status == PCM_OK)
        status = several(walk, PCM_SAVED_TYPE, world->n_types, &saved);
    if (status == PCM_OK)
        status = one(walk, PCM_SAVED_RULES, 0, &saved);
    if (status == PCM_OK)
        status = counted(walk, PCM_SAVED_MIXED, &saved);
    walk->n_mixed = walk->count;
    if (status == PCM_OK)
        status = one(walk, PCM_SAVED_CLOCK, 0, &saved);
    if (status == PCM_OK)
        status = counted(walk, PCM_SAVED_OBJECT, &saved);
    if (status == PCM_OK)
        status = counted(walk, PCM_SAVED_WARNED, &saved);
    if (status == PCM_OK)
        status = counted(walk, PCM_SAVED_BROKEN, &saved);
    for (size_t i = 0; i < world->n_types + walk->n_mixed && status == PCM_OK; i++) {
        walk->g = i < world->n_types || !walk->groups ? i : walk->groups[i - world->n_types];
        status = counted(walk, PCM_SAVED_CONTACT, &saved);
        if (status == PCM_OK)
            status = one(walk, PCM_SAVED_TYPE_END, i, &saved);
    }
    return status == PCM_OK ? several(walk, PCM_SAVED_STATS, world->n_rules, &saved) : status;
}

/* Four sums beside each other, each of every fourth word, which no processor waits for. Every step is one to one, so
 * that a change within any word changes the result. */
uint64_t pcm_checkpoint_sum(const uint8_t *bytes, size_t size)
{
    enum { LANES = 4, STRIDE = LANES * sizeof(uint64_t) };
    const uint64_t odd = 0x9E3779B97F4A7C15u;
    uint64_t       lane[LANES] = {1, 2, 3, 4};
    size_t         at = PCM_CHECKPOINT_HEAD;
    for (; at + STRIDE <= size; at += STRIDE)
#pragma GCC unroll 4
        for (size_t k = 0; k < LANES; k++) {
            lane[k] = (lane[k] ^ pcm_word_at(bytes + at + 8 * k)) * odd;
            lane[k] ^= lane[k] >> 32;
        }
    uint64_t sum = pcm_checksum(PCM_CHECKSUM_START, bytes, PCM_CHECKPOINT_HEAD - sizeof(uint64_t));
    for (size_t k = 0; k < LANES; k++)
        sum = (sum ^ lane[k]) * odd;
    return pcm_checksum(sum, bytes + at, size - at);
}
