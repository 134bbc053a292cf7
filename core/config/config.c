/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "diagnostic.h"
#include "doubts.h"
#include "mixing.h"
#include "model.h"
#include "model_search.h"
#include "parse.h"
#include "parts.h"
#include "suggest.h"
#include <pcm/messages.h>

#include <fenv.h>
#include <math.h>

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct pcm_reading {
    pcm_config *config;
    pcm_reports reports;
    bool        incomplete; /* part of the text could not be read, and may have defined contact types and names */
    /* Contact types in the order of the text: they are made once all names are known. */
    uint32_t *types;
    size_t    n_types, capacity;
} pcm_reading;

/* The number of a contact type's name; a new name gets an entry. */
static uint32_t type_name(pcm_config *config, pcm_span span)
{
    span = pcm_span_unquoted(&config->sources, span);
    uint32_t number = pcm_names_add(&config->type_names, pcm_span_text(&config->sources, span), span.length);
    if (number == PCM_NO_NAME ||
        !pcm_grow(config->context, &config->entries, &config->entry_capacity, number + 1, sizeof *config->entries))
        return PCM_NO_NAME;
    return number;
}

static bool add_type(pcm_config *config, pcm_type *type)
{
    if (!pcm_grow(config->context, &config->types, &config->type_capacity, config->n_types + 1, sizeof *config->types))
        return false;
    type->info.index = type->number = config->n_types;
    config->types[config->n_types++] = type;
    return true;
}

static bool keep_type(pcm_reading *reading, uint32_t number)
{
    pcm_context *context = reading->config->context;
    if (!pcm_grow(context, &reading->types, &reading->capacity, reading->n_types + 1, sizeof *reading->types))
        return false;
    reading->types[reading->n_types++] = number;
    return true;
}

static bool read_type(void *user, const pcm_type_node *node)
{
    pcm_reading *reading = user;
    pcm_config  *config = reading->config;
    uint32_t     number = type_name(config, node->name);
    if (number == PCM_NO_NAME)
        return false;
    pcm_type_entry *entry = &config->entries[number];
    const char     *name = pcm_names_text(&config->type_names, number);
    if (*name == '\0')
        pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_EMPTY_NAME, node->name, "a name cannot be empty");
    if (entry->defined.length > 0) {
        pcm_message *report = pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_DUPLICATE_TYPE, node->name,
                                             "there is a contact type '%s' already", name);
        pcm_report_note(&reading->reports, report, entry->defined, "first defined here");
    } else {
        entry->defined = node->name;
    }
    if (entry->node != NULL)
        return true;
    entry->node = node;
    return keep_type(reading, number);
}

static bool read_let(void *user, const pcm_let_node *node)
{
    pcm_reading *reading = user;
    return pcm_lets_add(&reading->config->lets, &reading->reports, node);
}

static bool read_surface(void *user, const pcm_surface_node *node)
{
    pcm_reading *reading = user;
    return pcm_surfaces_add(&reading->config->surfaces, node, &reading->reports);
}

static bool read_material(void *user, const pcm_material_node *node)
{
    pcm_reading *reading = user;
    return pcm_materials_add(reading->config->context, &reading->config->materials, &reading->reports, node);
}

static bool read_rule(void *user, const pcm_rule_node *node)
{
    pcm_reading *reading = user;
    pcm_config  *config = reading->config;
    uint32_t     number = type_name(config, node->type);
    if (number == PCM_NO_NAME)
        return false;
    if (config->entries[number].uses++ == 0)
        config->entries[number].used = node->type;
    return pcm_rules_add(&config->rules, node, number, &reading->reports);
}

static void try_name(pcm_suggestion *suggestion, const char *name) { pcm_suggest_try(suggestion, name, strlen(name)); }

/* ---- Settings --------------------------------------------------------------------------------------------------- */

static void report_unknown_setting(pcm_reading *reading, pcm_span name)
{
    const pcm_config *config = reading->config;
    const pcm_span    span = pcm_span_unquoted(&config->sources, name);
    const char       *text = pcm_span_text(&config->sources, span);
    size_t            length = span.length;
    for (size_t i = span.length; i-- > 0 && length == span.length;)
        length = text[i] == '.' ? i : length;
    pcm_suggestion suggestion = pcm_suggest(text, length);
    for (uint32_t i = 0; i < config->type_names.count; i++)
        if (config->entries[i].node != NULL)
            try_name(&suggestion, pcm_names_text(&config->type_names, i));
    for (uint32_t i = 0; i < config->lets.names.count; i++)
        try_name(&suggestion, pcm_names_text(&config->lets.names, i));
    for (uint32_t i = 0; i < config->materials.names.count; i++)
        try_name(&suggestion, pcm_names_text(&config->materials.names, i));
    const bool bare = length == span.length && suggestion.best == NULL && reading->n_types > 0;
    pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_UNKNOWN_SETTING, name,
                   "a setting is Type.Parameter = value, Material.Property = value or Name = number; there is no %s "
                   "'%.*s'%s%s%s%s%s%s%.*s",
                   length < span.length ? "contact type or material" : "Let", pcm_shown(length), text,
                   PCM_DID_YOU_MEAN(suggestion), bare ? "; write " : "",
                   bare ? pcm_names_text(&config->type_names, reading->types[0]) : "", bare ? "." : "",
                   bare ? pcm_shown(length) : 0, text);
}

/* The setting of a number that a Let names. */
static bool set_let(pcm_reading *reading, const pcm_param_node *node, pcm_span name)
{
    pcm_lets      *lets = &reading->config->lets;
    const uint32_t number = pcm_names_find(&lets->names, pcm_span_text(&reading->config->sources, name), name.length);
    if (number == PCM_NO_NAME)
        return false;
    lets->list[number].node = node;
    return true;
}

/* The settings of the contact type or material of that name; NULL: there is none. If both have the name, it is the
 * material if it has the property. */
static pcm_setting **settings_of(pcm_config *config, pcm_span name, pcm_span param)
{
    const char    *text = pcm_span_text(&config->sources, name);
    const uint32_t type = pcm_names_find(&config->type_names, text, name.length);
    const uint32_t material = pcm_names_find(&config->materials.names, text, name.length);
    const bool     is_type = type != PCM_NO_NAME && config->entries[type].node != NULL;
    if (material != PCM_NO_NAME && (!is_type || pcm_material_states(&config->materials, &config->sources,
                                                                    config->materials.list[material], param)))
        return &config->materials.list[material]->settings;
    return is_type ? &config->entries[type].settings : NULL;
}

/* Splits "Type.Parameter" or "Type.Law.Parameter" at the last point before which the name of a type or material stands:
 * names may contain points too. */
static pcm_setting **find_owner(pcm_config *config, pcm_span name, pcm_span *param)
{
    const char   *text = pcm_span_text(&config->sources, name);
    pcm_setting **end = NULL;
    for (uint16_t length = name.length; length > 0 && end == NULL; length--) {
        if (text[length - 1] != '.')
            continue;
        pcm_span owner = name;
        owner.length = (uint16_t)(length - 1);
        *param = name;
        param->offset += length;
        param->length = (uint16_t)(name.length - length);
        end = settings_of(config, owner, *param);
    }
    return end;
}

static bool read_setting(void *user, const pcm_param_node *node)
{
    pcm_reading  *reading = user;
    pcm_config   *config = reading->config;
    pcm_span      param = {0};
    pcm_setting **end = find_owner(config, pcm_span_unquoted(&config->sources, node->name), &param);
    if (end == NULL) {
        if (!set_let(reading, node, pcm_span_unquoted(&config->sources, node->name)) && !reading->incomplete)
            report_unknown_setting(reading, node->name);
        return true;
    }
    pcm_setting *setting = pcm_arena_take(&reading->reports.arena, sizeof *setting);
    if (setting == NULL)
        return false;
    setting->param = *node;
    setting->param.name = param;
    while (*end != NULL)
        end = &(*end)->next;
    *end = setting;
    return true;
}

/* Reads the settings, after the file. False if there is no memory. */
static bool read_settings(pcm_reading *reading, const pcm_listener *listener, const pcm_config_def *def)
{
    pcm_sources *sources = &reading->config->sources;
    for (size_t i = 0; i < def->n_settings; i++) {
        const uint32_t index = sources->count < PCM_SOURCES_MOST ? pcm_sources_add(sources, "setting", 7) : UINT32_MAX;
        if (index == UINT32_MAX)
            return false;
        sources->list[index].setting = true;
        if (!pcm_source_open(&reading->reports, index, def->settings[i], strlen(def->settings[i])) ||
            !pcm_parse(&reading->reports, index, listener, &reading->incomplete))
            return false;
    }
    return true;
}

/* ---- Contact types ---------------------------------------------------------------------------------------------- */

/* Evaluates the properties of materials that contact types read. False if there is no memory. */
static bool resolve_materials(pcm_reading *reading, const pcm_value_reader *reader)
{
    pcm_config *config = reading->config;
    for (uint32_t i = 0; i < config->n_types; i++)
        if (config->types[i]->mixing != NULL && !pcm_mixing_register(config->types[i], &reading->reports))
            return false;
    if (!pcm_materials_read_motion(config->context, &config->materials, &reading->reports))
        return false;
    pcm_value_reader of_materials = *reader;
    of_materials.types_lost = config->n_types < reading->n_types;
    pcm_materials_finish(config, &of_materials);
    return true;
}

static void add_amounts(pcm_reading *reading, const pcm_type *type)
{
    pcm_config           *config = reading->config;
    const pcm_amount     *refused = pcm_amounts_add(&config->amounts, type);
    const uint32_t        other = refused == NULL ? 0 : pcm_amounts_find(&config->amounts, refused->name);
    const pcm_type_entry *entry =
        &config->entries[pcm_names_find(&config->type_names, type->info.name, strlen(type->info.name))];
    if (refused == NULL)
        return;
    if (other == PCM_MAX_AMOUNTS) {
        pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REJECTED, entry->defined,
                       "the laws of a file have at most %d amounts of objects", PCM_MAX_AMOUNTS);
        return;
    }
    const pcm_amount *first = config->amounts.list[other];
    pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REJECTED, entry->defined,
                   "the amount '%s' of objects is in %s, and %s of flow, to %s, but in %s and %s to '%s'",
                   refused->name, refused->unit, refused->flow_unit, type->info.model->name, first->unit,
                   first->flow_unit, config->amounts.type[other]->info.name);
}

/* Makes the contact types, and evaluates the numbers that they use. False if there is no memory. */
static bool resolve(pcm_reading *reading)
{
    pcm_config            *config = reading->config;
    const pcm_value_reader reader = {.arena = &config->arena,
                                     .reports = &reading->reports,
                                     .lets = &config->lets,
                                     .incomplete = reading->incomplete};
    for (size_t i = 0; i < reading->n_types; i++)
        pcm_type_resolve(config, &reader, reading->types[i]);
    for (size_t i = 0; i < reading->n_types && !reading->reports.no_memory; i++)
        if (config->entries[reading->types[i]].type != NULL &&
            !add_type(config, config->entries[reading->types[i]].type))
            return false;
    if (reading->reports.no_memory || !resolve_materials(reading, &reader))
        return false;
    pcm_lets_finish(&reader);
    for (uint32_t i = 0; i < config->n_types; i++)
        add_amounts(reading, config->types[i]);
    return true;
}

/* ---- Contact types that are missing or unused -------------------------------------------------------------------- */

typedef struct wanted_law {
    const char *name;
    bool        found;
} wanted_law;

static void find_law(void *user, const char *name)
{
    wanted_law *wanted = user;
    wanted->found |= strcmp(name, wanted->name) == 0;
}

static void report_undefined(pcm_reading *reading, uint32_t number)
{
    pcm_config           *config = reading->config;
    const pcm_type_entry *entry = &config->entries[number];
    const char           *name = pcm_names_text(&config->type_names, number);
    pcm_suggestion        suggestion = pcm_report_suggest(&reading->reports, name, strlen(name));
    for (uint32_t i = 0; suggestion.length > 0 && i < config->type_names.count; i++)
        if (config->entries[i].defined.length > 0)
            try_name(&suggestion, pcm_names_text(&config->type_names, i));
    wanted_law   law = {.name = name};
    pcm_message *report;
    pcm_model_names(config->context, find_law, &law);
    if (law.found)
        report = pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_UNDEFINED_TYPE, entry->used,
                                "'%s' is a law, and no contact type: write ContactType NAME = %s; and name that here",
                                name, name);
    else
        report = pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_UNDEFINED_TYPE, entry->used,
                                "there is no contact type '%s'%s%s%s%s", name, PCM_DID_YOU_MEAN(suggestion),
                                entry->uses > 1 ? " (other rules name it too)" : "");
    pcm_report_fix_case(&reading->reports, report, entry->used, &suggestion);
}

/* A law that only works after others in a sum can be a contact type for the rig, but not for a rule. */
static void check_whole(pcm_reading *reading, uint32_t number)
{
    const pcm_type_entry *entry = &reading->config->entries[number];
    const pcm_model      *model = entry->type == NULL ? NULL : entry->type->info.model;
    const char           *lacks = model == NULL ? NULL : pcm_part_lacks(model);
    if (lacks == NULL || entry->uses == 0)
        return;
    pcm_message *report = pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_PARTS, entry->used,
                                         "'%s' is not a whole law: %s %s; write it behind one, as in Hertz + %s",
                                         entry->type->info.name, model->name, lacks, model->name);
    pcm_report_note(&reading->reports, report, entry->defined, "defined here");
}

/* After an error a type may be unused only because of it. */
static void check_uses(pcm_reading *reading)
{
    pcm_config *config = reading->config;
    for (uint32_t i = 0; i < config->type_names.count && !reading->incomplete; i++)
        if (config->entries[i].defined.length == 0)
            report_undefined(reading, i);
    for (uint32_t i = 0; i < config->type_names.count; i++)
        check_whole(reading, i);
    for (uint32_t i = 0; i < config->type_names.count && reading->reports.errors == 0; i++)
        if (config->entries[i].uses == 0 && !config->entries[i].derived)
            pcm_report_add(&reading->reports, PCM_WARNING, PCM_MSG_UNUSED_TYPE, config->entries[i].defined,
                           "no rule uses the contact type '%s'", pcm_names_text(&config->type_names, i));
    if (reading->reports.errors == 0 && !reading->reports.no_memory) {
        pcm_rules_check(&config->rules, &reading->reports);
        pcm_surfaces_check(&config->surfaces, &config->rules, &config->materials.names, &reading->reports);
        pcm_materials_check(&config->materials, &config->rules, &config->surfaces, &reading->reports);
        pcm_mixed_types_check(config, &reading->reports);
        pcm_types_doubt(config, &reading->reports);
    }
}

/* ---- Loading ---------------------------------------------------------------------------------------------------- */

static void config_free(pcm_config *config)
{
    pcm_context *context = config->context;
    pcm_rules_free(&config->rules);
    pcm_names_free(&config->type_names);
    pcm_lets_free(&config->lets);
    pcm_surfaces_free(&config->surfaces);
    pcm_mixed_types_free(context, &config->mixed);
    pcm_materials_free(context, &config->materials);
    pcm_free(context, config->entries, config->entry_capacity * sizeof *config->entries);
    pcm_free(context, config->types, config->type_capacity * sizeof *config->types);
    pcm_sources_free(&config->sources);
    pcm_arena_free(&config->arena);
    pcm_free(context, config, sizeof *config);
}

static pcm_config *config_new(pcm_context *context, const char *name)
{
    pcm_config *config = pcm_allocate(context, sizeof *config);
    if (config == NULL)
        return NULL;
    config->context = context;
    atomic_init(&config->holders, 1);
    config->sources.arena.allocator = context->allocator;
    config->arena.allocator = context->allocator;
    config->type_names.allocator = context->allocator;
    config->lets.names.allocator = context->allocator;
    pcm_rules_start(&config->rules, &config->arena);
    config->surfaces.arena = &config->arena;
    config->materials.arena = &config->arena;
    config->materials.names.allocator = context->allocator;
    config->materials.properties.allocator = context->allocator;
    pcm_mixed_types_start(context, &config->mixed);
    if (pcm_sources_add(&config->sources, name, strlen(name)) == UINT32_MAX) {
        config_free(config);
        return NULL;
    }
    return config;
}

/* Returns false if there is no memory. */
static bool set_root(pcm_reading *reading, const char *root)
{
    const char *reason = NULL;
    if (root == NULL || pcm_sources_set_root(&reading->config->sources, root, &reason))
        return true;
    if (reason != NULL)
        pcm_report_add(&reading->reports, PCM_ERROR, PCM_MSG_CONFIG_DEF, (pcm_span){0},
                       "the root '%s' of the pcm_config_def is not usable: %s", root, reason);
    return reason != NULL;
}

/* Reads the text and the settings, and makes the configuration. False if there is no memory. */
static bool read_all(pcm_reading *reading, const pcm_config_def *def)
{
    if (!set_root(reading, def->root))
        return false;
    if (reading->reports.errors > 0)
        return true;
    const pcm_listener listener = {reading,      read_type,     read_rule,    read_let,
                                   read_surface, read_material, read_setting, NULL};
    if (!pcm_source_open(&reading->reports, 0, def->text, def->length))
        return !reading->reports.no_memory;
    if (!pcm_parse(&reading->reports, 0, &listener, &reading->incomplete) || !read_settings(reading, &listener, def) ||
        !resolve(reading))
        return false;
    check_uses(reading);
    return true;
}

void pcm_config_defaults_into(pcm_config_def *def, size_t size)
{
    const pcm_config_def defaults = {.size = sizeof defaults, .name = ""};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

static pcm_config *open_config(pcm_context *context, const pcm_config_def *given)
{
    pcm_config_def used = pcm_config_defaults(), *def = &used;
    if (!pcm_def_fill(context, "pcm_config_def", def, given))
        return NULL;
    if (def->name == NULL) {
        pcm_report(context, PCM_ERROR, PCM_MSG_CONFIG_DEF, "the pcm_config_def has no name: give the file's path");
        return NULL;
    }
    pcm_reading reading = {.config = config_new(context, def->name)};
    if (reading.config == NULL) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    pcm_reports_start(&reading.reports, &reading.config->sources);
    reading.reports.no_memory |= !read_all(&reading, def);
    pcm_free(context, reading.types, reading.capacity * sizeof *reading.types);
    pcm_reports_send(&reading.reports, context);
    if (reading.reports.no_memory)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "out of memory while '%s' was read", def->name);
    pcm_reports_free(&reading.reports);
    if (reading.reports.errors == 0 && !reading.reports.no_memory)
        return reading.config;
    config_free(reading.config);
    return NULL;
}

/* Reads with the default rounding mode, so that values do not depend on the host's. */
pcm_config *pcm_config_open(pcm_context *context, const pcm_config_def *def)
{
    fenv_t host;
    fegetenv(&host);
    fesetenv(FE_DFL_ENV);
    pcm_config *config = open_config(context, def);
    fesetenv(&host);
    return config;
}

pcm_config *pcm_config_load(pcm_context *context, const char *path)
{
    pcm_config_def def = pcm_config_defaults();
    def.name = path == NULL ? "" : path;
    return pcm_config_open(context, &def);
}

pcm_config *pcm_config_parse(pcm_context *context, const char *name, const char *text, size_t length)
{
    pcm_config_def def = pcm_config_defaults();
    def.name = name == NULL ? "" : name;
    def.text = text == NULL ? "" : text;
    def.length = text == NULL ? 0 : length;
    return pcm_config_open(context, &def);
}

pcm_config *pcm_config_retain(pcm_config *config)
{
    atomic_fetch_add_explicit(&config->holders, 1, memory_order_relaxed);
    return config;
}

void pcm_config_release(pcm_config *config)
{
    if (config != NULL && atomic_fetch_sub_explicit(&config->holders, 1, memory_order_acq_rel) == 1)
        config_free(config);
}

pcm_context *pcm_config_context(const pcm_config *config) { return config->context; }

/* ---- Contents --------------------------------------------------------------------------------------------------- */

size_t pcm_config_type_count(const pcm_config *config) { return config->n_types; }

const pcm_type *pcm_config_type_at(const pcm_config *config, size_t index)
{
    return index < config->n_types ? config->types[index] : NULL;
}

const pcm_type *pcm_config_type_find(const pcm_config *config, const char *name)
{
    uint32_t number = pcm_names_find(&config->type_names, name, strlen(name));
    return number == PCM_NO_NAME ? NULL : config->entries[number].type;
}

const pcm_type_info *pcm_type_get_info(const pcm_type *type) { return &type->info; }

size_t pcm_type_value_count(const pcm_type *type)
{
    return type->info.model->params.count + pcm_model_common_count(type->info.model);
}

void pcm_type_value_into(const pcm_type *type, size_t index, pcm_value *value, size_t size)
{
    const pcm_value none = {.size = sizeof none};
    pcm_info_fill(NULL, NULL, value, size, index < pcm_type_value_count(type) ? &type->values[index] : &none);
}

double pcm_type_derived(const pcm_type *type, size_t index, const pcm_load *load)
{
    pcm_load known = {.size = sizeof known};
    if (!pcm_def_fill(type->config->context, "pcm_load", &known, load))
        return NAN;
    const pcm_model *model = type->info.model;
    if (index >= model->derived.count || type->info.params == NULL)
        return NAN;
    pcm_type_call_begin(type, "derived");
    const double value = pcm_model_derive(model, index, type->info.params, &known);
    pcm_type_call_end(type);
    return value;
}

bool pcm_type_shear_into(const pcm_type *type, double force_n, pcm_shear *set, size_t size)
{
    pcm_shear known = {.size = sizeof known};
    if (!type->info.model->shear || type->info.params == NULL)
        return false;
    pcm_type_call_begin(type, "shear");
    type->info.model->shear(type->info.params, force_n, &known);
    pcm_type_call_end(type);
    pcm_info_fill(NULL, NULL, set, size, &known);
    return true;
}

static double number_of_param(const pcm_type *type, const char *param)
{
    for (size_t i = 0; i < type->info.model->params.count; i++)
        if (strcmp(type->values[i].param->name, param) == 0)
            return type->values[i].number;
    return NAN;
}

double pcm_type_input_fallback(const pcm_type *type, uint32_t column)
{
    const pcm_model *model = type->info.model;
    for (uint32_t i = 0, first = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *input = pcm_model_host_input(model, i);
        first += pcm_columns_of(input->shape);
        if (column < first)
            return input->fallback ? number_of_param(type, input->fallback) : NAN;
    }
    return NAN;
}

size_t pcm_config_let_count(const pcm_config *config) { return config->lets.names.count; }

void pcm_config_let_into(const pcm_config *config, size_t index, pcm_let_info *info, size_t size)
{
    pcm_let_info found = {.size = sizeof found};
    _Static_assert(sizeof found.unit >= PCM_DIMENSION_SIZE, "room for every dimension");
    if (index < config->lets.names.count) {
        const pcm_let *let = &config->lets.list[index];
        found.name = pcm_names_text(&config->lets.names, (uint32_t)index);
        found.number = let->quantity.number;
        found.place = pcm_span_place(&config->sources, let->name);
        if (!let->quantity.plain)
            pcm_unit_dimension(&let->quantity.unit, found.unit);
    }
    pcm_info_fill(NULL, NULL, info, size, &found);
}

size_t pcm_config_source_count(const pcm_config *config) { return config->sources.count; }

void pcm_config_source_into(const pcm_config *config, size_t index, pcm_source_info *info, size_t size)
{
    pcm_source_info found = {.size = sizeof found};
    if (index < config->sources.count) {
        const pcm_source *source = &config->sources.list[index];
        found.name = source->name;
        found.text = source->text;
        found.length = source->length;
        found.table = source->table;
    }
    pcm_info_fill(NULL, NULL, info, size, &found);
}

size_t pcm_config_surface_count(const pcm_config *config) { return config->surfaces.count; }

void pcm_config_surface_into(const pcm_config *config, size_t index, pcm_surface_info *info, size_t size)
{
    pcm_surface_info found = {.size = sizeof found};
    if (index < config->surfaces.count) {
        const pcm_surface_line *line = &config->surfaces.list[index];
        found.name = line->name;
        found.pattern = line->pattern;
        found.is_pattern = line->is_pattern;
        found.place = pcm_span_place(&config->sources, line->place);
    }
    pcm_info_fill(NULL, NULL, info, size, &found);
}

size_t pcm_config_rule_count(const pcm_config *config) { return config->rules.count; }

static pcm_rule_info rule_at(const pcm_config *config, size_t index)
{
    if (index >= config->rules.count)
        return (pcm_rule_info){.size = sizeof(pcm_rule_info)};
    const pcm_rule *rule = pcm_rules_at(&config->rules, (uint32_t)index);
    pcm_rule_kind   kind = (pcm_rule_kind)rule->kind;
    bool            sides = kind != PCM_DEFAULT_PAIR;
    return (pcm_rule_info){
        .size = sizeof(pcm_rule_info),
        .kind = kind,
        .pattern = rule->pattern,
        .a = sides ? pcm_rules_side(&config->rules, kind, rule->a) : "",
        .b = sides ? pcm_rules_side(&config->rules, kind, rule->b) : "",
        .type = pcm_config_type_of(config, rule),
        .place = pcm_span_place(&config->sources, rule->place),
    };
}

void pcm_config_rule_into(const pcm_config *config, size_t index, pcm_rule_info *info, size_t size)
{
    const pcm_rule_info found = rule_at(config, index);
    pcm_info_fill(NULL, NULL, info, size, &found);
}
