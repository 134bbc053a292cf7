/* SPDX-License-Identifier: MIT */
/* checkpoint_layout.c - the contents of a checkpoint, field by field. */
#include "checkpoint.h"

/* ---- Fields ---------------------------------------------------------------------------------------------------- */

/* Consecutive numbers and doubles. */
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

static void type_end_fields(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    reals(walk, &saved->type_end.log_last, 1);
    reals(walk, &saved->type_end.work, 1);
    reals(walk, &saved->type_end.stored, 1);
    reals(walk, &saved->type_end.dissipated, 1);
    reals(walk, &saved->type_end.brought, 1);
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
    case PCM_SAVED_SETTING:
        number(walk, &saved->setting.type);
        number(walk, &saved->setting.param);
        reals(walk, &saved->setting.number, 1);
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
        number(walk, &saved->object.held);
        text(walk, &saved->object.name);
        text(walk, &saved->object.surface);
        break;
    case PCM_SAVED_SURFACE:
        number(walk, &saved->surface.place);
        reals(walk, saved->surface.velocity.angular, 3);
        reals(walk, saved->surface.velocity.linear, 3);
        break;
    case PCM_SAVED_NEAR:
        number(walk, &saved->near.base);
        number(walk, &saved->near.follower);
        number(walk, &saved->near.feature);
        number(walk, &saved->near.guessed);
        reals(walk, saved->near.numbers, PCM_NEAR_NUMBERS);
        break;
    case PCM_SAVED_WARNED:
    case PCM_SAVED_BROKEN:
        number(walk, &saved->pair.place[0]);
        number(walk, &saved->pair.place[1]);
        number(walk, &saved->pair.warned_or_feature);
        if (kind == PCM_SAVED_BROKEN)
            reals(walk, &saved->pair.onset, 1);
        else
            reals(walk, &saved->pair.created, 2);
        break;
    case PCM_SAVED_TYPE_END:
        type_end_fields(walk, saved);
        break;
    case PCM_SAVED_STATS:
        stats_fields(walk, saved);
        break;
    case PCM_SAVED_CONTACT: /* handled by rows() */
    case PCM_SAVED_KINDS:
        break;
    }
}

size_t pcm_saved_motion_size(const pcm_world *world)
{
    return sizeof(uint64_t) * (PCM_WORD_AMOUNTS + PCM_AMOUNT_WORDS * world->n_amounts);
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

enum { NEAR = 1 << 14 }; /* bytes that are still in the cache */

static pcm_status one(pcm_checkpoint_walk *walk, pcm_saved_kind kind, size_t index, pcm_saved *saved)
{
    walk->index = index;
    pcm_checkpoint_part *part = walk->side[kind];
    if (!walk->reads) {
        part(walk, saved);
        fields(walk, kind, saved);
        if (walk->to.at && walk->to.count - walk->sums.at >= NEAR)
            pcm_checkpoint_sums_go(&walk->sums, walk->to.at, walk->to.count);
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

/* There are many of these, so they are passed on together. */
static pcm_status rows(pcm_checkpoint_walk *walk, const pcm_checkpoint_rows *side, size_t row_size)
{
    const size_t size = walk->count * row_size;
    if (walk->reads) {
        const pcm_bytes_view bytes = pcm_read_bytes(&walk->from, size);
        if (walk->from.short_of)
            return PCM_BAD_CHECKPOINT;
        return side->read ? side->read(walk, bytes.text) : PCM_OK;
    }
    if (walk->to.at)
        side->write(walk, walk->to.at + walk->to.count);
    walk->to.count += size;
    return PCM_OK;
}

static pcm_status objects(pcm_checkpoint_walk *walk, pcm_saved *saved)
{
    const size_t words = 3, ends = 2; /* texts without their NULs, which the world's count includes */
    pcm_status   status = rows(walk, &walk->motion, pcm_saved_motion_size(walk->world));
    if (status != PCM_OK)
        return status;
    if (walk->reads && walk->past_texts) {
        walk->from.at = walk->past_texts;
        return PCM_OK;
    }
    if (walk->reads || walk->to.at)
        status = several(walk, PCM_SAVED_OBJECT, walk->count, saved);
    else
        walk->to.count += walk->count * (words * sizeof(uint64_t) - ends) + walk->world->text_bytes;
    walk->past_texts = walk->from.at;
    return status;
}

static pcm_status counted(pcm_checkpoint_walk *walk, pcm_saved_kind kind, pcm_saved *saved)
{
    walk->counted = kind;
    pcm_status status = one(walk, PCM_SAVED_COUNT, 0, saved);
    walk->count = (size_t)saved->count;
    if (status != PCM_OK)
        return status;
    if (kind == PCM_SAVED_OBJECT)
        return objects(walk, saved);
    return kind == PCM_SAVED_CONTACT ? rows(walk, &walk->contacts, pcm_saved_contact_size(pcm_walk_group(walk)))
                                     : several(walk, kind, walk->count, saved);
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
    if (status == PCM_OK && !(walk->reads && walk->version < PCM_CHECKPOINT_SETS))
        status = counted(walk, PCM_SAVED_SETTING, &saved);
    if (status == PCM_OK)
        status = one(walk, PCM_SAVED_CLOCK, 0, &saved);
    if (status == PCM_OK)
        status = counted(walk, PCM_SAVED_OBJECT, &saved);
    if (status == PCM_OK && !(walk->reads && walk->version < PCM_CHECKPOINT_PLACES))
        status = counted(walk, PCM_SAVED_SURFACE, &saved);
    if (status == PCM_OK)
        status = counted(walk, PCM_SAVED_WARNED, &saved);
    if (status == PCM_OK)
        status = counted(walk, PCM_SAVED_BROKEN, &saved);
    if (status == PCM_OK && !(walk->reads && walk->version < PCM_CHECKPOINT_PLACES))
        status = counted(walk, PCM_SAVED_NEAR, &saved);
    for (size_t i = 0; i < world->n_types + walk->n_mixed && status == PCM_OK; i++) {
        walk->g = i < world->n_types || !walk->groups ? i : walk->groups[i - world->n_types];
        status = counted(walk, PCM_SAVED_CONTACT, &saved);
        if (status == PCM_OK)
            status = one(walk, PCM_SAVED_TYPE_END, i, &saved);
    }
    return status == PCM_OK ? several(walk, PCM_SAVED_STATS, world->n_rules, &saved) : status;
}

/* ---- The checksum ---------------------------------------------------------------------------------------------- */

static pcm_two_words two_words_at(const uint8_t *bytes)
{
    pcm_two_words words;
    pcm_take_words(&words, bytes, 2);
    return words;
}

void pcm_checkpoint_sums_start(pcm_checkpoint_sums *sums)
{
    for (uint64_t k = 0; k < PCM_SUMS; k++)
        sums->sum[k] = (pcm_two_words){2 * k + 1, 2 * k + 2};
    sums->at = PCM_CHECKPOINT_HEAD;
}

/* The sums are independent, so that the processor can overlap them. Every step is one to one, so that a change within
 * any word changes the result. */
void pcm_checkpoint_sums_go(pcm_checkpoint_sums *sums, const uint8_t *bytes, size_t end)
{
    enum { AHEAD = 2048 };
    pcm_two_words sum[PCM_SUMS];
    size_t        at = sums->at;
    memcpy(sum, sums->sum, sizeof sum);
    for (; at + PCM_SUM_BYTES <= end; at += PCM_SUM_BYTES) {
        pcm_ask_bytes((const char *)bytes + at + AHEAD, PCM_SUM_BYTES);
#pragma GCC unroll 8
        for (size_t k = 0; k < PCM_SUMS; k++) {
            sum[k] ^= two_words_at(bytes + at + k * sizeof *sum);
            sum[k] += sum[k] << 23;
            sum[k] ^= sum[k] >> 29;
        }
    }
    memcpy(sums->sum, sum, sizeof sum);
    sums->at = at;
}

uint64_t pcm_checkpoint_sums_end(pcm_checkpoint_sums *sums, const uint8_t *bytes, size_t size)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u;
    uint64_t       sum = pcm_checksum(PCM_CHECKSUM_START, bytes, PCM_CHECKPOINT_HEAD - sizeof(uint64_t));
    pcm_checkpoint_sums_go(sums, bytes, size);
    for (size_t k = 0; k < 2 * PCM_SUMS; k++) {
        sum = (sum ^ sums->sum[k / 2][k % 2]) * odd;
        sum ^= sum >> 32;
    }
    return pcm_checksum(sum, bytes + sums->at, size - sums->at);
}

uint64_t pcm_checkpoint_sum(const uint8_t *bytes, size_t size)
{
    pcm_checkpoint_sums sums;
    pcm_checkpoint_sums_start(&sums);
    return pcm_checkpoint_sums_end(&sums, bytes, size);
}
