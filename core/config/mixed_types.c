/* SPDX-License-Identifier: MIT */
#include "mixed_types.h"
#include "diagnostic.h"
#include "lacks.h"
#include "model.h"
#include "type_make.h"
#include <pcm/materials.h>
#include <pcm/messages.h>

#include <stdio.h>

void pcm_mixed_types_start(pcm_context *context, pcm_mixed_types *mixed)
{
    pcm_lock_start(&mixed->lock);
    mixed->told.allocator = context->allocator;
}

static void free_failure(pcm_context *context, pcm_type *type)
{
    if (type->failure == NULL)
        return;
    pcm_reports_free(type->failure);
    pcm_free(context, type->failure, sizeof *type->failure);
}

void pcm_mixed_types_free(pcm_context *context, pcm_mixed_types *mixed)
{
    for (size_t i = 0; i < mixed->count; i++)
        free_failure(context, mixed->list[i]);
    pcm_free(context, mixed->list, mixed->capacity * sizeof *mixed->list);
    pcm_index_free(context, &mixed->index);
    pcm_names_free(&mixed->told);
    pcm_lock_end(&mixed->lock);
}

uint32_t pcm_material_find(const pcm_config *config, const char *surface, size_t length)
{
    _Static_assert(PCM_NO_MATERIAL == PCM_NO_NAME, "a name that is not there is no material");
    return pcm_names_find(&config->materials.names, surface, length);
}

static uint32_t material_of(const pcm_config *config, const char *surface)
{
    return surface == NULL ? PCM_NO_MATERIAL : pcm_material_find(config, surface, strlen(surface));
}

/* ---- Making ----------------------------------------------------------------------------------------------------- */

static pcm_meeting meeting_of(const pcm_type *type, uint32_t a, uint32_t b)
{
    const pcm_materials *materials = &type->config->materials;
    const uint32_t       side[2] = {a, b};
    pcm_meeting          meeting = {.type = type, .name = {"", ""}};
    for (size_t i = 0; i < 2; i++)
        if (side[i] != PCM_NO_MATERIAL) {
            meeting.side[i] = materials->list[side[i]];
            meeting.name[i] = pcm_names_text(&materials->names, side[i]);
        }
    return meeting;
}

pcm_value *pcm_type_copy_values(const pcm_type *type, pcm_arena *arena)
{
    const size_t count = type->info.model->params.count + PCM_COMMON_PARAMS;
    pcm_value   *values = pcm_arena_take(arena, count * sizeof *values);
    if (values != NULL)
        memcpy(values, type->values, count * sizeof *values);
    return values;
}

pcm_type *pcm_type_mix(const pcm_type *written, const uint32_t material[2], pcm_arena *arena, pcm_reports *reports)
{
    const pcm_meeting meeting = meeting_of(written, material[0], material[1]);
    pcm_config       *config = written->config;
    pcm_type_maker    maker = {.config = config,
                               .arena = arena,
                               .reports = reports,
                               .model = written->info.model,
                               .parts = pcm_parts_of(written->info.model),
                               .values = pcm_type_copy_values(written, arena),
                               .name = pcm_type_place(written)};
    reports->no_memory |= maker.values == NULL;
    if (reports->no_memory)
        return NULL;
    pcm_lacks lacks = pcm_lacks_start(config->context, reports);
    pcm_meeting_mix(&meeting, maker.values, reports, &lacks);
    pcm_lacks_report(&lacks);
    pcm_lacks_free(config->context, &lacks);
    for (size_t i = 0; i < 2; i++)
        if (meeting.side[i] != NULL)
            maker.origins[i] = (pcm_type_origin){meeting.side[i]->place, "with this material"};
    return reports->errors == 0 && !reports->no_memory ? pcm_type_make(&maker) : NULL;
}

/* A placeholder for a type that could not be made, with the reports that say why; NULL if there is no memory. */
static pcm_type *make_failed(const pcm_type *written, pcm_reports *reports)
{
    pcm_context *context = written->config->context;
    pcm_type    *type = pcm_arena_take(&written->config->arena, sizeof *type);
    pcm_reports *kept = pcm_allocate(context, sizeof *kept);
    if (type == NULL || kept == NULL) {
        pcm_free(context, kept, sizeof *kept);
        return NULL;
    }
    *type = *written;
    type->info.params = NULL;
    pcm_reports_sort(reports);
    *kept = *reports;
    *reports = (pcm_reports){.sources = kept->sources};
    type->failure = kept;
    return type;
}

/* Call it with the lock held. */
static pcm_type *mix(const pcm_type *written, uint32_t a, uint32_t b)
{
    const pcm_meeting meeting = meeting_of(written, a, b);
    const uint32_t    material[2] = {a, b};
    pcm_reports       reports;
    pcm_reports_start(&reports, &written->config->sources);
    pcm_type *type = pcm_type_mix(written, material, &written->config->arena, &reports);
    if (type == NULL && !reports.no_memory)
        type = make_failed(written, &reports);
    pcm_reports_free(&reports);
    if (type == NULL)
        return NULL;
    type->info.name = written->info.name;
    type->info.index = written->info.index;
    type->info.written = written;
    type->info.material[0] = meeting.name[0];
    type->info.material[1] = meeting.name[1];
    type->mixing = written->mixing;
    type->material[0] = a;
    type->material[1] = b;
    return type;
}

/* ---- The store -------------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const pcm_type *written, uint32_t a, uint32_t b)
{
    return pcm_hash((uint64_t)a << 32 | b, written->info.index);
}

static pcm_type *find(const pcm_mixed_types *mixed, const pcm_type *written, uint32_t a, uint32_t b)
{
    const pcm_index *index = &mixed->index;
    const uint32_t   hash = hash_of(written, a, b);
    for (size_t at = hash & index->mask; index->count && index->slots[at].value; at = (at + 1) & index->mask) {
        pcm_type *type = mixed->list[index->slots[at].value - 1];
        if (index->slots[at].hash == hash && type->info.written == written && type->material[0] == a &&
            type->material[1] == b)
            return type;
    }
    return NULL;
}

static pcm_type *add(pcm_mixed_types *mixed, const pcm_type *written, uint32_t a, uint32_t b)
{
    pcm_config *config = written->config;
    if (!pcm_grow(config->context, &mixed->list, &mixed->capacity, mixed->count + 1, sizeof *mixed->list) ||
        pcm_index_reserve(config->context, &mixed->index, 1))
        return NULL;
    pcm_type *type = mix(written, a, b);
    if (type == NULL)
        return NULL;
    type->number = (uint32_t)(config->n_types + mixed->count);
    mixed->list[mixed->count++] = type;
    pcm_index_add(&mixed->index, hash_of(written, a, b), (uint32_t)mixed->count);
    return type;
}

const pcm_type *pcm_type_mixed(const pcm_type *type, uint32_t a, uint32_t b)
{
    const pcm_type *written = type->info.written;
    if (written->mixing == NULL)
        return written;
    const pcm_meeting meeting = meeting_of(written, a, b);
    if (!pcm_meeting_matters(&meeting))
        return written;
    pcm_mixed_types *mixed = &written->config->mixed;
    const uint32_t   low = a < b ? a : b, high = a < b ? b : a;
    pcm_lock_take(&mixed->lock);
    const pcm_type *found = find(mixed, written, low, high);
    if (found == NULL)
        found = add(mixed, written, low, high);
    pcm_lock_give(&mixed->lock);
    return found;
}

/* The materials of a mixed type; a side without a material gets the name of its surface. */
static pcm_meeting meeting_of_surfaces(const pcm_type *type, const char *const surface[2])
{
    pcm_meeting meeting = meeting_of(type->info.written, type->material[0], type->material[1]);
    const bool  first = material_of(type->config, surface[0]) == PCM_NO_MATERIAL;
    if (meeting.side[0] == NULL)
        meeting.name[0] = surface[first ? 0 : 1];
    if (meeting.side[1] == NULL)
        meeting.name[1] = surface[meeting.side[0] == NULL || !first ? 1 : 0];
    return meeting;
}

void pcm_type_tell_failure(const pcm_type *type, const char *const surface[2], pcm_names *told, bool first)
{
    pcm_config       *config = type->config;
    const char *const name[2] = {surface[0] == NULL ? "" : surface[0], surface[1] == NULL ? "" : surface[1]};
    const pcm_meeting meeting = meeting_of_surfaces(type, name);
    pcm_reports       reports;
    pcm_reports_start(&reports, &config->sources);
    pcm_lacks  lacks = pcm_lacks_start(config->context, &reports);
    pcm_value *values = pcm_type_copy_values(type->info.written, &reports.arena);
    lacks.told = told;
    if (values != NULL)
        pcm_meeting_mix(&meeting, values, &reports, &lacks);
    const bool lacking = lacks.surfaces.count > 0;
    pcm_lacks_report(&lacks);
    pcm_lacks_free(config->context, &lacks);
    if (lacking)
        pcm_reports_send(&reports, config->context);
    else if (first)
        pcm_reports_send_sorted(type->failure, config->context);
    pcm_reports_free(&reports);
}

/* Whether pcm_type_between was called with these before: then it reports everything again. */
static bool is_asked_before(pcm_names *told, const pcm_type *type, const char *const surface[2])
{
    char           key[512];
    const uint32_t known = told->count;
    const int      length = snprintf(key, sizeof key, "%s\n%s\n%s", type->info.name, surface[0] ? surface[0] : "",
                                surface[1] ? surface[1] : "");
    const uint32_t number = pcm_names_add(told, key, length < (int)sizeof key ? (size_t)length : sizeof key - 1);
    return number < known || number == PCM_NO_NAME;
}

/* ---- Contents --------------------------------------------------------------------------------------------------- */

const pcm_type *pcm_type_between(const pcm_type *type, const char *a, const char *b)
{
    const pcm_config *config = type->config;
    const pcm_type   *found = pcm_type_mixed(type, material_of(config, a), material_of(config, b));
    if (found == NULL)
        pcm_report(config->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to mix two materials");
    if (found == NULL || found->failure == NULL)
        return found;
    const char *const surface[2] = {a, b};
    pcm_mixed_types  *mixed = &type->config->mixed;
    pcm_lock_take(&mixed->lock);
    const bool asked = is_asked_before(&mixed->told, type, surface);
    pcm_type_tell_failure(found, surface, asked ? NULL : &mixed->told, true);
    pcm_lock_give(&mixed->lock);
    return NULL;
}

size_t pcm_type_property_count(const pcm_type *type) { return type->mixing == NULL ? 0 : type->mixing->count; }

void pcm_type_property_into(const pcm_type *type, size_t index, size_t side, pcm_value *value, size_t size)
{
    pcm_value known = {.size = sizeof known};
    if (index < pcm_type_property_count(type) && side < 2) {
        const pcm_meeting meeting = type == type->info.written
                                        ? (pcm_meeting){.type = type}
                                        : meeting_of(type->info.written, type->material[0], type->material[1]);
        known = pcm_meeting_side(&meeting, index, side);
    }
    pcm_info_fill(NULL, NULL, value, size, &known);
}

size_t pcm_config_material_count(const pcm_config *config) { return config->materials.names.count; }

void pcm_config_material_into(const pcm_config *config, size_t index, pcm_material_info *info, size_t size)
{
    pcm_material_info found = {.size = sizeof found};
    if (index < config->materials.names.count) {
        found.name = pcm_names_text(&config->materials.names, (uint32_t)index);
        found.place = pcm_span_place(&config->sources, config->materials.list[index]->place);
    }
    pcm_info_fill(NULL, NULL, info, size, &found);
}

size_t pcm_config_property_count(const pcm_config *config) { return config->materials.properties.count; }

void pcm_config_property_into(const pcm_config *config, size_t material, size_t index, pcm_value *value, size_t size)
{
    const pcm_materials *materials = &config->materials;
    pcm_value            known = {.size = sizeof known};
    if (material < materials->names.count && index < materials->properties.count)
        known = materials->list[material]->stated[index].value;
    known.size = sizeof known;
    pcm_info_fill(NULL, NULL, value, size, &known);
}

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

/* Checks a rule between two named surfaces, whose types are known before they meet. The values are only needed for the
 * reports. */
static void check_rule(pcm_config *config, const pcm_rule *rule, pcm_lacks *lacks)
{
    const pcm_type *type = pcm_config_type_of(config, rule);
    const char     *a = pcm_rules_side(&config->rules, PCM_SURFACE_PAIR, rule->a);
    const char     *b = pcm_rules_side(&config->rules, PCM_SURFACE_PAIR, rule->b);
    if (type == NULL || type->mixing == NULL)
        return;
    pcm_meeting meeting = meeting_of(type, material_of(config, a), material_of(config, b));
    if (!pcm_meeting_matters(&meeting))
        return;
    pcm_value *values = pcm_type_copy_values(type, &lacks->reports->arena);
    meeting.name[0] = a;
    meeting.name[1] = b;
    meeting.rule = rule->place;
    lacks->reports->no_memory |= values == NULL;
    if (values != NULL)
        pcm_meeting_mix(&meeting, values, lacks->reports, lacks);
}

void pcm_mixed_types_check(pcm_config *config, pcm_reports *reports)
{
    pcm_lacks lacks = pcm_lacks_start(config->context, reports);
    for (uint32_t i = 0; i < config->rules.count; i++) {
        const pcm_rule *rule = pcm_rules_at(&config->rules, i);
        if (rule->kind == PCM_SURFACE_PAIR && !rule->pattern)
            check_rule(config, rule, &lacks);
    }
    pcm_lacks_report(&lacks);
    pcm_lacks_free(config->context, &lacks);
}
