/* SPDX-License-Identifier: MIT */
/* contact_type.c - from the text of a ContactType to the prepared parameters of its law. */
#include "config.h"
#include "exponents.h"
#include "kinds.h"
#include "model.h"
#include "model_search.h"
#include "mixing.h"
#include "parts.h"
#include "suggest.h"
#include "symbols.h"
#include "type_make.h"
#include "value.h"
#include <pcm/materials.h>
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>

enum { DIRECTORIES_MOST = 600 };

/* A part whose values are those of another contact type. */
typedef struct part_origin {
    const pcm_type_entry *entry; /* NULL: the part is a law */
    size_t                first; /* index of the part's first value in that contact type */
} part_origin;

/* One contact type while it is made. */
typedef struct pcm_resolver {
    pcm_config             *config;
    pcm_reports            *reports;
    const pcm_value_reader *reader;
    const pcm_type_node    *node;
    const pcm_setting      *settings;
    const pcm_type_entry   *base; /* the contact type that this one is made from; NULL: none */
    const pcm_model        *model;
    const pcm_parts        *parts;                  /* NULL: the model is a plugin's */
    part_origin             origins[PCM_PARTS_MAX]; /* of its parts */
    pcm_value              *values;                 /* parameters of the law, then the common ones */
    pcm_span               *places; /* places of the parameters' names, indexed like values; length 0 if not written */
    size_t                  count;
    uint32_t                errors; /* number of errors before this contact type */
} pcm_resolver;

static const pcm_param *param_at(const pcm_model *model, size_t index)
{
    const pcm_table common = pcm_common_params();
    return index < model->params.count ? pcm_model_param(model, index)
                                       : pcm_table_entry(&common, index - model->params.count);
}

static const char *span_text(const pcm_resolver *resolver, pcm_span span)
{
    return pcm_span_text(&resolver->config->sources, span);
}

static bool span_is(const pcm_resolver *resolver, pcm_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span_text(resolver, span), text, span.length) == 0;
}

/* ---- Models ----------------------------------------------------------------------------------------------------- */

typedef struct nearest_model {
    pcm_suggestion suggestion;
    char           best[PCM_MODEL_NAME_SIZE]; /* names live only while they are visited */
} nearest_model;

static void visit_model(void *user, const char *name)
{
    nearest_model *nearest = user;
    pcm_suggest_try(&nearest->suggestion, name, strlen(name));
    if (nearest->suggestion.best == name) {
        memcpy(nearest->best, name, strlen(name) + 1);
        nearest->suggestion.best = nearest->best;
    }
}

/* Suggests a model or another contact type. */
static void report_unknown_model(const pcm_resolver *resolver, pcm_span place, const char *name, const char *searched)
{
    const pcm_config *config = resolver->config;
    nearest_model     nearest = {.suggestion = pcm_report_suggest(resolver->reports, name, strlen(name))};
    if (nearest.suggestion.length > 0)
        pcm_model_names(config->context, visit_model, &nearest);
    for (uint32_t i = 0; nearest.suggestion.length > 0 && i < config->type_names.count; i++)
        if (config->entries[i].node != NULL && config->entries[i].node != resolver->node)
            pcm_suggest_try(&nearest.suggestion, pcm_names_text(&config->type_names, i),
                            strlen(pcm_names_text(&config->type_names, i)));
    pcm_message *report = pcm_report_add(
        resolver->reports, PCM_ERROR, PCM_MSG_UNKNOWN_MODEL, place, "there is no model '%s' in %s%s%s%s", name,
        *searched == '\0' ? "an empty search path" : searched, PCM_DID_YOU_MEAN(nearest.suggestion));
    pcm_report_fix_case(resolver->reports, report, place, &nearest.suggestion);
}

static void report_cycle(const pcm_resolver *resolver, pcm_span place, const pcm_type_entry *entry)
{
    pcm_message *report =
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_CYCLE, place, "'%.*s' is made from itself",
                       pcm_shown(place.length), span_text(resolver, place));
    pcm_report_note(resolver->reports, report, entry->node->model, "it is made here");
}

/* Sets the contact type of that name as the base, once it is made. False: there is none. */
static bool find_base(pcm_resolver *resolver, pcm_span place, const char *name)
{
    const uint32_t  number = pcm_names_find(&resolver->config->type_names, name, strlen(name));
    pcm_type_entry *entry = number == PCM_NO_NAME ? NULL : &resolver->config->entries[number];
    if (entry == NULL || entry->node == NULL)
        return false;
    entry->derived = true;
    resolver->base = entry;
    if (entry->state == PCM_ENTRY_OPEN) {
        report_cycle(resolver, place, entry);
        return true;
    }
    if (entry->state == PCM_ENTRY_UNREAD && resolver->reader->depth == PCM_DEFINITIONS_DEEP) {
        pcm_report_too_deep(resolver->reader, place);
        return true;
    }
    pcm_value_reader deeper = *resolver->reader;
    deeper.depth++;
    pcm_type_resolve(resolver->config, &deeper, number);
    resolver->model = entry->model;
    resolver->parts = entry->parts;
    return true;
}

/* The model of that name; NULL: there is none, but perhaps a contact type, which is then resolver->base. */
static const pcm_model *find_model(pcm_resolver *resolver, pcm_span place)
{
    pcm_span  span = pcm_span_unquoted(&resolver->config->sources, place);
    char     *name = pcm_arena_text(&resolver->config->arena, span_text(resolver, span), span.length);
    char      searched[DIRECTORIES_MOST];
    pcm_found found;
    if (name == NULL) {
        resolver->reports->no_memory = true;
        return NULL;
    }
    if (*name == '\0') {
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_EMPTY_NAME, place, "a name cannot be empty");
        return NULL;
    }
    const pcm_model *model = pcm_model_find(resolver->config->context, name, &found, searched, sizeof searched);
    if (found == PCM_REJECTED)
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_REJECTED_MODEL, place,
                       "the plugin of the model '%s' was rejected", name);
    else if (found == PCM_NOT_FOUND && !find_base(resolver, place, name))
        report_unknown_model(resolver, place, name, searched);
    return model;
}

/* The parts of a sum while they are collected: models[i] is named at places[i]. */
typedef struct part_list {
    const pcm_model *models[PCM_PARTS_MAX];
    pcm_span         places[PCM_PARTS_MAX];
    uint32_t         count;
} part_list;

/* False, which is reported: there are too many. */
static bool add_part(pcm_resolver *resolver, part_list *list, pcm_span place, const pcm_model *model,
                     part_origin origin)
{
    if (list->count == PCM_PARTS_MAX) {
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_PARTS, place, "a contact type has at most %d parts",
                       PCM_PARTS_MAX);
        return false;
    }
    resolver->origins[list->count] = origin;
    list->places[list->count] = place;
    list->models[list->count++] = model;
    return true;
}

/* A contact type as a part: its law, or each of its parts, with its values. */
static bool add_base(pcm_resolver *resolver, part_list *list, pcm_span place, const pcm_type_entry *entry)
{
    const pcm_parts *parts = entry->parts;
    bool             good = entry->model != NULL;
    if (parts == NULL)
        return good && add_part(resolver, list, place, entry->model, (part_origin){entry, 0});
    for (uint32_t p = 0; good && p < parts->count; p++)
        good = add_part(resolver, list, place, parts->part[p].model, (part_origin){entry, parts->part[p].first_param});
    return good;
}

/* The parts of `Hertz + Mindlin`, all that can be found. */
static void find_parts(pcm_resolver *resolver, part_list *list)
{
    const pcm_name_node first = {resolver->node->parts, resolver->node->model};
    bool                good = true;
    for (const pcm_name_node *node = &first; node != NULL && good; node = node->next) {
        resolver->base = NULL;
        const pcm_model *model = find_model(resolver, node->span);
        if (model != NULL)
            good = add_part(resolver, list, node->span, model, (part_origin){NULL, 0});
        else if (resolver->base != NULL)
            (void)add_base(resolver, list, node->span, resolver->base);
    }
}

static bool find_law(pcm_resolver *resolver)
{
    part_list list = {.count = 0};
    uint32_t  at;
    if (resolver->node->parts == NULL) {
        const pcm_model *model = find_model(resolver, resolver->node->model);
        resolver->model = model != NULL ? model : resolver->model;
        return resolver->model != NULL;
    }
    find_parts(resolver, &list);
    resolver->base = NULL;
    resolver->model = NULL;
    if (resolver->reports->errors != resolver->errors || resolver->reports->no_memory || list.count == 0)
        return false;
    const char *clash = pcm_parts_clash(list.models, list.count, &at);
    if (clash != NULL) {
        const bool  first = strstr(clash, "is the first") != NULL;
        const char *other = first && list.count > 1 ? list.models[1]->name : NULL;
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_PARTS, list.places[at], "%s %s%s%s%s%s",
                       list.models[at]->name, clash, other == NULL ? "" : "; write ", other == NULL ? "" : other,
                       other == NULL ? "" : " + ", other == NULL ? "" : list.models[at]->name);
        return false;
    }
    resolver->parts = pcm_parts_make(&resolver->config->arena, list.models, list.count);
    resolver->reports->no_memory |= resolver->parts == NULL;
    resolver->model = resolver->parts == NULL ? NULL : &resolver->parts->model;
    return resolver->model != NULL;
}

/* The contact types whose values this one has: NULL at the end. */
static const pcm_type_entry *entry_of(const pcm_resolver *resolver, uint32_t part)
{
    if (resolver->base != NULL)
        return resolver->base;
    return resolver->parts == NULL ? NULL : resolver->origins[part].entry;
}

/* The value that another contact type writes for a parameter of this one; NULL: none does. *from gets that contact
 * type. Common parameters are those of the first part that writes them. */
static const pcm_value *value_taken_over(const pcm_resolver *resolver, size_t index, const pcm_type_entry **from)
{
    const size_t    own = resolver->model->params.count;
    const bool      sum = resolver->base == NULL && resolver->parts != NULL;
    const pcm_part *part = sum && index < own ? pcm_part_of_param(resolver->parts, index) : NULL;
    const uint32_t  first = part == NULL ? 0 : (uint32_t)(part - resolver->parts->part);
    const uint32_t  last = part != NULL || !sum ? first + 1 : resolver->parts->count;
    for (uint32_t p = first; p < last; p++) {
        const pcm_type_entry *entry = entry_of(resolver, p);
        const pcm_type       *type = entry == NULL ? NULL : entry->type;
        if (type == NULL)
            continue;
        const size_t at = part != NULL ? resolver->origins[p].first + index - part->first_param
                          : sum        ? type->info.model->params.count + index - own
                                       : index;
        *from = entry;
        if (type->values[at].written)
            return &type->values[at];
    }
    return NULL;
}

/* The value of a parameter that is not written: that of the contact type that this one is made from, or the default. */
static pcm_value value_unwritten(const pcm_resolver *resolver, size_t index)
{
    const pcm_type_entry *from;
    const pcm_value      *before = value_taken_over(resolver, index, &from);
    pcm_value             value = before != NULL ? *before : pcm_kind_default(param_at(resolver->model, index));
    value.param = param_at(resolver->model, index);
    return value;
}

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

typedef struct name_list {
    char text[400];
} name_list;

/* "; it has K, B, ...": the law's own parameters. */
static name_list list_parameters(const pcm_model *model)
{
    name_list list = {""};
    size_t    used = 0;
    for (size_t i = 0; i < model->params.count && used < sizeof list.text; i++)
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s", i == 0 ? "; it has " : ", ",
                                 pcm_model_param(model, i)->name);
    return list;
}

/* Whether the law, with no values of a contact type given, may read the property from materials. */
static bool reads_property(const pcm_model *model, const char *name)
{
    enum { MOST = 64 };
    const pcm_param *properties[MOST];
    const size_t     count = pcm_model_properties(model, properties, MOST);
    for (size_t i = 0; i < count && i < MOST; i++)
        if (strcmp(properties[i]->name, name) == 0)
            return true;
    return false;
}

/* "; write Hertz.Damping or LuGre.Damping": parts that have a parameter of that name. */
static name_list list_of_parts(const pcm_resolver *resolver, pcm_span name)
{
    name_list list = {""};
    size_t    used = 0;
    for (size_t i = 0; i < resolver->model->params.count && resolver->parts != NULL; i++) {
        const char *known = param_at(resolver->model, i)->name, *own = strrchr(known, '.');
        if (own != NULL && span_is(resolver, name, own + 1) && used < sizeof list.text)
            used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s",
                                     used == 0 ? "; several parts have one: write " : " or ", known);
    }
    return list;
}

/* The parameter that was probably meant counts as written, so that it is not also reported as missing. */
static void report_unknown_parameter(pcm_resolver *resolver, pcm_span name)
{
    pcm_suggestion suggestion = pcm_suggest(span_text(resolver, name), name.length);
    pcm_symbol     symbol = pcm_symbol_of(span_text(resolver, name), name.length);
    for (size_t i = 0; i < resolver->count; i++) {
        const char *known = param_at(resolver->model, i)->name;
        pcm_suggest_try(&suggestion, known, strlen(known));
        pcm_symbol_try(&symbol, known);
    }
    pcm_symbol_suggest(&symbol, &suggestion);
    name_list list = list_of_parts(resolver, name);
    if (list.text[0] != '\0')
        suggestion.best = NULL;
    else
        list = list_parameters(resolver->model);
    pcm_message *report = pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_UNKNOWN_PARAMETER, name,
                                         "%s has no parameter '%.*s'%s%s%s%s", resolver->model->name,
                                         (int)(name.length < 60 ? name.length : 60), span_text(resolver, name),
                                         PCM_DID_YOU_MEAN(suggestion), suggestion.best == NULL ? list.text : "");
    pcm_report_fix_case(resolver->reports, report, name, &suggestion);
    char       *own = pcm_arena_text(&resolver->reports->arena, span_text(resolver, name), name.length);
    const char *property = symbol.name != NULL ? symbol.name : own;
    resolver->reports->no_memory |= own == NULL;
    if (property != NULL && reads_property(resolver->model, property))
        pcm_report_note(resolver->reports, report, name,
                        "'%s' is a property of a Material: Material NAME { %s = ...; }", property, property);
    for (size_t i = 0; i < resolver->count; i++)
        resolver->values[i].written |= param_at(resolver->model, i)->name == suggestion.best;
}

/* Whether every part of the path is a name. It then stays below the directory that it starts in. */
static bool stays_below(const char *path)
{
    for (;; path++) {
        size_t length = strcspn(path, "/");
        if (length == 0 || (length == 2 && memcmp(path, "..", 2) == 0))
            return false;
        path += length;
        if (*path == '\0')
            return true;
    }
}

/* Worlds rely on this: a log never leaves the directory that the host gives them. */
static void check_log_file(const pcm_resolver *resolver, const pcm_value *value, pcm_span span)
{
    if (*value->text != '\0' && !stays_below(value->text))
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_LOG_OUTSIDE, span,
                       "'%s' is outside the log directory: it must be a path below it, without '..' or empty parts",
                       value->param->name);
}

/* A parameter of a part may be written Part.Name even if Name alone is unique. */
static bool is_param(const pcm_resolver *resolver, pcm_span name, size_t index)
{
    const pcm_param *param = param_at(resolver->model, index);
    if (span_is(resolver, name, param->name))
        return true;
    const pcm_part *part = resolver->parts == NULL ? NULL : pcm_part_of_param(resolver->parts, index);
    const size_t    length = part == NULL ? 0 : strlen(part->model->name);
    if (length == 0 || name.length <= length || span_text(resolver, name)[length] != '.')
        return false;
    const pcm_span own = {name.offset + (uint32_t)length + 1, (uint16_t)(name.length - length - 1), name.source};
    return memcmp(span_text(resolver, name), part->model->name, length) == 0 && span_is(resolver, own, param->name);
}

static size_t find_param(const pcm_resolver *resolver, pcm_span name)
{
    size_t i = 0;
    while (i < resolver->count && !is_param(resolver, name, i))
        i++;
    return i;
}

/* Reads a value. If the unit is wrong and an exponent has decided which one is right, a note says so. */
static bool read_value(const pcm_resolver *resolver, const pcm_param_node *node, size_t index)
{
    pcm_value_reader reader = *resolver->reader;
    const pcm_param *param = param_at(resolver->model, index);
    if (!pcm_unit_is_known(param))
        reader.exponent = resolver->places[pcm_exponent_param(resolver->model, param)];
    return pcm_value_read(&reader, node, &resolver->values[index]);
}

static void take_parameter(pcm_resolver *resolver, const pcm_param_node *node)
{
    size_t i = find_param(resolver, node->name);
    if (i == resolver->count) {
        report_unknown_parameter(resolver, node->name);
        return;
    }
    pcm_value *value = &resolver->values[i];
    if (resolver->places[i].length > 0) {
        pcm_message *report = pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_DUPLICATE_PARAMETER, node->name,
                                             "'%s' is set already", value->param->name);
        pcm_report_note(resolver->reports, report, resolver->places[i], "first set here");
        return;
    }
    resolver->places[i] = node->name;
    value->written = true;
    value->place = pcm_span_place(&resolver->config->sources, node->value.span);
    if (!pcm_unit_is_known(value->param)) /* the exponent is wrong */
        return;
    if (!read_value(resolver, node, i))
        value->number = NAN;
    else if (i >= resolver->model->params.count && value->param->offset == offsetof(pcm_common, log_file))
        check_log_file(resolver, value, node->value.span);
}

/* Replaces the value that was written, if any, by a setting. */
static void take_setting(pcm_resolver *resolver, const pcm_param_node *node)
{
    const size_t i = find_param(resolver, node->name);
    if (i < resolver->count)
        resolver->places[i] = (pcm_span){0, 0, 0};
    take_parameter(resolver, node);
}

/* Whether the unit of the parameter of that name depends on no other parameter. True for unknown names too. */
static bool unit_is_own(const pcm_resolver *resolver, pcm_span name)
{
    const size_t i = find_param(resolver, name);
    return i == resolver->count || pcm_unit_is_known(param_at(resolver->model, i));
}

static bool is_set(const pcm_resolver *resolver, pcm_span name)
{
    const pcm_setting *setting = resolver->settings;
    while (setting != NULL && find_param(resolver, setting->param.name) != find_param(resolver, name))
        setting = setting->next;
    return setting != NULL;
}

/* Reads the written values and settings of the parameters whose unit depends on no other, or else of the others. In the
 * second case a written value that a setting replaces is skipped, since another setting may have changed its unit. */
static void take_values(pcm_resolver *resolver, bool own_unit)
{
    for (const pcm_param_node *param = resolver->node->params; param != NULL; param = param->next)
        if (unit_is_own(resolver, param->name) == own_unit && (own_unit || !is_set(resolver, param->name)))
            take_parameter(resolver, param);
    for (const pcm_setting *setting = resolver->settings; setting != NULL; setting = setting->next)
        if (unit_is_own(resolver, setting->param.name) == own_unit)
            take_setting(resolver, &setting->param);
}

/* A number inherited from another contact type means something else under another exponent. */
static void check_taken_over(const pcm_resolver *resolver)
{
    for (size_t i = 0; i < resolver->model->params.count; i++) {
        const pcm_type_entry *from = NULL;
        const pcm_value      *before = value_taken_over(resolver, i, &from);
        const pcm_param      *param = resolver->values[i].param;
        if (before == NULL || resolver->places[i].length > 0 || !pcm_unit_is_known(param) ||
            pcm_units_agree(param->unit, before->param->unit))
            continue;
        pcm_message *report = pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, resolver->node->name,
                                             "'%s' is in [%s] here, but is taken over in [%s]: write it here too",
                                             param->name, param->unit, before->param->unit);
        pcm_report_note(resolver->reports, report, from->node->name, "it is taken over from this");
    }
}

/* Warns of axes that are written although the law does not read them. */
static void check_axes(const pcm_resolver *resolver)
{
    for (size_t i = resolver->model->params.count + pcm_model_common_count(resolver->model); i < resolver->count; i++)
        if (resolver->places[i].length > 0)
            pcm_report_add(resolver->reports, PCM_WARNING, PCM_MSG_NO_EFFECT, resolver->places[i],
                           "'%s' has no effect: %s does not go by axes of the bodies", resolver->values[i].param->name,
                           resolver->model->name);
}

/* Reports parameters that are missing or have no effect. After an error, checks that depend on values are skipped. */
static void check_presence(const pcm_resolver *resolver)
{
    bool wrong = resolver->reports->errors != resolver->errors;
    for (size_t i = 0; i < resolver->model->params.count; i++) {
        const pcm_value *value = &resolver->values[i];
        if (wrong && value->param->when != NULL)
            continue;
        bool       matters = pcm_values_when(resolver->model, resolver->values, value->param->when);
        const bool required = value->param->flags & PCM_REQUIRED && value->param->mix == PCM_MIX_NONE;
        if (matters && !value->written && required)
            pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_MISSING_PARAMETER, resolver->node->name,
                           "%s needs the parameter '%s' (%s)", resolver->model->name, value->param->name,
                           value->param->doc);
        if (!matters && resolver->places[i].length > 0)
            pcm_report_add(resolver->reports, PCM_WARNING, PCM_MSG_NO_EFFECT, resolver->places[i],
                           "'%s' has an effect only with %s", value->param->name, value->param->when);
    }
}

/* The index among the values of the common parameter at that offset of pcm_common. */
static size_t common_index(const pcm_resolver *resolver, size_t offset)
{
    size_t i = resolver->model->params.count;
    while (resolver->values[i].param->offset != offset)
        i++;
    return i;
}

static void set_word(pcm_value *value, size_t word)
{
    value->number = (double)word;
    value->text = pcm_kind_words(value->param)[word];
}

/* Single = true is the older spelling of Patch = Single. If they differ, what this type writes takes precedence over
 * what it inherits. */
static void agree_on_patch(const pcm_resolver *resolver)
{
    const size_t one = common_index(resolver, offsetof(pcm_common, single));
    const size_t other = common_index(resolver, offsetof(pcm_common, patch));
    pcm_value   *single = &resolver->values[one], *patch = &resolver->values[other];
    const bool   single_here = resolver->places[one].length > 0, patch_here = resolver->places[other].length > 0;
    if ((single->number != 0) == (patch->number == PCM_PATCH_SINGLE))
        return;
    if (single_here && patch_here) {
        pcm_message *report =
            pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_PATCH, resolver->places[other],
                           "'Patch = %s' and 'Single = %s' do not go together", patch->text, single->text);
        pcm_report_note(resolver->reports, report, resolver->places[one], "'Single = true' means 'Patch = Single'");
    } else if (patch_here || (!single_here && patch->written)) {
        set_word(single, patch->number == PCM_PATCH_SINGLE);
    } else {
        set_word(patch, single->number != 0 ? PCM_PATCH_SINGLE : PCM_PATCH_POINTS);
    }
}

/* ---- The contact type ------------------------------------------------------------------------------------------- */

/* Whether a parameter that the type does not write comes from two materials. */
static bool waits_for_materials(const pcm_resolver *resolver, const pcm_value *value)
{
    return value->param->mix != PCM_MIX_NONE && !value->written &&
           pcm_values_when(resolver->model, resolver->values, value->param->when);
}

static pcm_type *make_type(pcm_resolver *resolver)
{
    pcm_type_maker maker = {.config = resolver->config,
                            .arena = &resolver->config->arena,
                            .reports = resolver->reports,
                            .model = resolver->model,
                            .parts = resolver->parts,
                            .values = resolver->values,
                            .name = resolver->node->name,
                            .places = resolver->places};
    bool           mixes = false;
    for (size_t i = 0; i < resolver->model->params.count; i++) {
        const bool waits = waits_for_materials(resolver, &resolver->values[i]);
        mixes |= waits;
        maker.open |= waits && pcm_needs_materials(resolver->config, resolver->values[i].param);
    }
    for (uint32_t p = 0, count = 0; p < (resolver->parts == NULL ? 1 : resolver->parts->count) && count < 2; p++) {
        const pcm_type_entry *entry = entry_of(resolver, p);
        if (entry != NULL && (count == 0 || entry != entry_of(resolver, p - 1)))
            maker.origins[count++] = (pcm_type_origin){entry->node->name, "the other parameters are those of this"};
    }
    pcm_type *type = pcm_type_make(&maker);
    for (const pcm_param_node *node = resolver->node->params; maker.refusal != NULL && node != NULL; node = node->next)
        if (node->name.offset == maker.refusal->span.offset && node->name.source == maker.refusal->span.source)
            pcm_column_note(resolver->reader, node, maker.refusal);
    if (type != NULL && mixes)
        pcm_mixing_start(type, resolver->reports);
    return type;
}

/* Reads the parameters and makes the type. NULL on an error, which is reported. */
static pcm_type *read_parameters(pcm_resolver *resolver)
{
    pcm_reports *reports = resolver->reports;
    bool         lost = resolver->node->lost;
    for (uint32_t p = 0; p < (resolver->parts == NULL ? 1 : resolver->parts->count); p++)
        lost |= entry_of(resolver, p) != NULL && entry_of(resolver, p)->type == NULL;
    resolver->count = resolver->model->params.count + PCM_COMMON_PARAMS;
    resolver->values = pcm_arena_take(&resolver->config->arena, resolver->count * sizeof *resolver->values);
    resolver->places = pcm_arena_take(&reports->arena, resolver->count * sizeof *resolver->places);
    if (resolver->values == NULL || resolver->places == NULL) {
        reports->no_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < resolver->count; i++)
        resolver->values[i] = value_unwritten(resolver, i);
    take_values(resolver, true);
    pcm_units_settle(resolver->reader, resolver->model, resolver->values, resolver->node->name);
    take_values(resolver, false);
    check_taken_over(resolver);
    if (!lost) {
        check_presence(resolver);
        check_axes(resolver);
    }
    agree_on_patch(resolver);
    return reports->errors == resolver->errors && !lost ? make_type(resolver) : NULL;
}

void pcm_type_resolve(pcm_config *config, const pcm_value_reader *reader, uint32_t number)
{
    pcm_type_entry *entry = &config->entries[number];
    pcm_resolver    resolver = {.config = config,
                                .reports = reader->reports,
                                .reader = reader,
                                .node = entry->node,
                                .settings = entry->settings,
                                .errors = reader->reports->errors};
    if (entry->state != PCM_ENTRY_UNREAD)
        return;
    entry->state = PCM_ENTRY_OPEN;
    if (entry->node->model.length > 0 && find_law(&resolver)) {
        resolver.errors = reader->reports->errors; /* the base reports its own */
        entry->model = resolver.model;
        entry->parts = resolver.parts;
        entry->type = read_parameters(&resolver);
    }
    if (entry->type != NULL)
        entry->type->info.name = pcm_names_text(&config->type_names, number);
    entry->state = PCM_ENTRY_DONE;
}
