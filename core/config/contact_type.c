/* SPDX-License-Identifier: MIT */
/* contact_type.c - from the text of a ContactType to the prepared parameters of its law. */
#include "config.h"
#include "isa.h"
#include "model.h"
#include "model_search.h"
#include "suggest.h"
#include "units.h"
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>

enum { DIRECTORIES_MOST = 600 };

/* One contact type on its way. */
typedef struct pcm_resolver {
    pcm_config          *config;
    pcm_reports         *reports;
    const pcm_type_node *node;
    const pcm_model     *model;
    pcm_value           *values; /* the law's, then the base ones */
    pcm_span            *places; /* of the parameters' names, as values; length 0 where not written */
    size_t               count;
    uint32_t             errors;  /* of the reports, before this contact type */
    pcm_message         *refusal; /* by prepare */
} pcm_resolver;

static const pcm_param *param_at(const pcm_model *model, size_t index)
{
    size_t           base;
    const pcm_param *params = pcm_common_params(&base);
    return index < model->params.count ? pcm_model_param(model, index) : &params[index - model->params.count];
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

static void report_unknown_model(const pcm_resolver *resolver, const char *name, const char *searched)
{
    nearest_model nearest = {.suggestion = pcm_suggest(name, strlen(name))};
    pcm_model_names(resolver->config->context, visit_model, &nearest);
    pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_UNKNOWN_MODEL, resolver->node->model,
                   "there is no model '%s' in %s%s%s%s", name, *searched == '\0' ? "an empty search path" : searched,
                   PCM_DID_YOU_MEAN(nearest.suggestion));
}

static bool find_model(pcm_resolver *resolver)
{
    pcm_span  span = pcm_span_unquoted(&resolver->config->sources, resolver->node->model);
    char     *name = pcm_arena_text(&resolver->config->arena, span_text(resolver, span), span.length);
    char      searched[DIRECTORIES_MOST];
    pcm_found found;
    if (name == NULL) {
        resolver->reports->no_memory = true;
        return false;
    }
    if (*name == '\0') {
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_EMPTY_NAME, resolver->node->model,
                       "a name cannot be empty");
        return false;
    }
    resolver->model = pcm_model_find(resolver->config->context, name, &found, searched, sizeof searched);
    if (found == PCM_REFUSED)
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_REFUSED_MODEL, resolver->node->model,
                       "the plugin of the model '%s' was refused", name);
    else if (found == PCM_NOT_FOUND)
        report_unknown_model(resolver, name, searched);
    return resolver->model != NULL;
}

/* ---- Units ------------------------------------------------------------------------------------------------------ */

/* The unit that a number was written in; without one, SI. */
static bool read_unit(const pcm_resolver *resolver, const pcm_param *param, const pcm_param_node *node, pcm_unit *unit)
{
    pcm_span span = node->unit;
    size_t   at, bad;
    pcm_unit wanted;
    *unit = (pcm_unit){.factor = 1};
    if (span.length == 0)
        return true;
    const char    *text = span_text(resolver, span) + 1;
    size_t         length = span.length - 2u;
    pcm_unit_error error = pcm_unit_read(text, length, unit, &at, &bad);
    if (error != PCM_UNIT_OK) {
        pcm_span where = {span.offset + 1 + (uint32_t)at, (uint16_t)(bad > 0 ? bad : 1), span.source};
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, where, "%s in the unit [%.*s]",
                       error == PCM_UNIT_UNKNOWN    ? "an unknown name"
                       : error == PCM_UNIT_EXPONENT ? "an exponent that is no whole number or half"
                                                    : "a unit name, '*' or '/' is expected",
                       (int)length, text);
        return false;
    }
    pcm_unit_read(param->unit, strlen(param->unit), &wanted, &at, &bad);
    if (pcm_unit_same_dimension(unit, &wanted))
        return true;
    char has[PCM_DIMENSION_SIZE], wants[PCM_DIMENSION_SIZE];
    pcm_unit_dimension(unit, has);
    pcm_unit_dimension(&wanted, wants);
    if (strcmp(wants, "1") == 0 && strcmp(param->unit, "1") == 0)
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, span, "'%s' has no unit; [%.*s] is %s",
                       param->name, (int)length, text, has);
    else
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, span,
                       "[%.*s] is %s, but '%s' is %s: write it in [%s], for example", (int)length, text, has,
                       param->name, wants, param->unit);
    return false;
}

static bool has_no_unit(const pcm_resolver *resolver, const pcm_param *param, const pcm_param_node *node)
{
    if (node->unit.length == 0)
        return true;
    pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, node->unit, "'%s' has no unit", param->name);
    return false;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

static bool wrong_kind(const pcm_resolver *resolver, const pcm_param *param, pcm_span span)
{
    static const char *const wants[] = {
        [PCM_KIND_REAL] = "a number",         [PCM_KIND_INTEGER] = "a whole number",
        [PCM_KIND_SWITCH] = "true or false",  [PCM_KIND_CHOICE] = "one word",
        [PCM_KIND_TEXT] = "a text in quotes", [PCM_KIND_LIST] = "a list of numbers (a, b, ...)",
    };
    pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_WRONG_KIND, span, "'%s' wants %s", param->name,
                   wants[param->kind]);
    return false;
}

/* The number in SI units, within the parameter's range. */
static bool check_number(const pcm_resolver *resolver, const pcm_param *param, pcm_span span, double number)
{
    const char *unit = strcmp(param->unit, "1") == 0 ? "" : param->unit, *space = *unit == '\0' ? "" : " ";
    if (!isfinite(number)) {
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_VALUE_NOT_FINITE, span, "this is not a finite number");
        return false;
    }
    bool low = number < param->min || (number == param->min && (param->flags & PCM_OPEN_MIN));
    bool high = number > param->max || (number == param->max && (param->flags & PCM_OPEN_MAX));
    if (!low && !high)
        return true;
    const char *above = param->flags & PCM_OPEN_MIN ? "above " : "at least ";
    const char *below = param->flags & PCM_OPEN_MAX ? "below " : "at most ";
    bool        has_min = param->min > -INFINITY, has_max = param->max < INFINITY;
    pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_OUT_OF_RANGE, span,
                   "'%s' is %s%s%s, but must be %s%s%s%s%s%s%s", param->name, pcm_number(number, 0).text, space, unit,
                   has_min ? above : "", has_min ? pcm_number(param->min, 0).text : "",
                   has_min && has_max ? " and " : "", has_max ? below : "",
                   has_max ? pcm_number(param->max, 0).text : "", space, unit);
    return false;
}

static bool real_value(const pcm_resolver *resolver, const pcm_param_node *node, pcm_value *value)
{
    pcm_unit unit;
    if (node->value.kind != PCM_VALUE_NUMBER)
        return wrong_kind(resolver, value->param, node->value.span);
    if (!read_unit(resolver, value->param, node, &unit))
        return false;
    value->number = pcm_unit_to_si(&unit, node->value.number);
    return check_number(resolver, value->param, node->value.span, value->number);
}

static bool integer_value(const pcm_resolver *resolver, const pcm_param_node *node, pcm_value *value)
{
    static const double most = 9007199254740992.0; /* up to here, every whole number is a double */
    if (!has_no_unit(resolver, value->param, node))
        return false;
    value->number = node->value.number;
    if (node->value.kind != PCM_VALUE_NUMBER ||
        (isfinite(value->number) && (value->number != floor(value->number) || fabs(value->number) > most)))
        return wrong_kind(resolver, value->param, node->value.span);
    return check_number(resolver, value->param, node->value.span, value->number);
}

/* The word's place among the choices, which NULL ends. */
static bool choose(const pcm_resolver *resolver, const pcm_param_node *node, pcm_value *value,
                   const char *const *choices)
{
    pcm_span       span = pcm_span_unquoted(&resolver->config->sources, node->value.span);
    pcm_suggestion suggestion = pcm_suggest(span_text(resolver, span), span.length);
    char           list[200];
    size_t         used = 0;
    *list = '\0';
    if (!has_no_unit(resolver, value->param, node))
        return false;
    if (node->value.kind != PCM_VALUE_WORD && node->value.kind != PCM_VALUE_TEXT)
        return wrong_kind(resolver, value->param, node->value.span);
    for (size_t i = 0; choices[i] != NULL; i++) {
        if (span_is(resolver, span, choices[i])) {
            value->number = (double)i;
            value->text = choices[i];
            return true;
        }
        pcm_suggest_try(&suggestion, choices[i], strlen(choices[i]));
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_UNKNOWN_CHOICE, node->value.span, "'%s' is one of %s%s%s%s",
                   value->param->name, list, PCM_DID_YOU_MEAN(suggestion));
    return false;
}

static bool text_value(const pcm_resolver *resolver, const pcm_param_node *node, pcm_value *value)
{
    if (!has_no_unit(resolver, value->param, node))
        return false;
    if (node->value.kind != PCM_VALUE_TEXT)
        return wrong_kind(resolver, value->param, node->value.span);
    pcm_span span = pcm_span_unquoted(&resolver->config->sources, node->value.span);
    value->text = pcm_arena_text(&resolver->config->arena, span_text(resolver, span), span.length);
    resolver->reports->no_memory |= value->text == NULL;
    return value->text != NULL;
}

/* A single number is a list of one. */
static bool list_value(const pcm_resolver *resolver, const pcm_param_node *node, pcm_value *value)
{
    pcm_unit              unit;
    const pcm_value_node *list = &node->value;
    const pcm_item_node   one = {NULL, list->number};
    if (list->kind != PCM_VALUE_LIST && list->kind != PCM_VALUE_NUMBER)
        return wrong_kind(resolver, value->param, list->span);
    if (!read_unit(resolver, value->param, node, &unit))
        return false;
    size_t  count = list->kind == PCM_VALUE_LIST ? list->count : 1;
    double *numbers = pcm_arena_take(&resolver->config->arena, count * sizeof *numbers);
    if (numbers == NULL) {
        resolver->reports->no_memory = true;
        return false;
    }
    value->list = (pcm_list){numbers, count};
    for (const pcm_item_node *item = list->kind == PCM_VALUE_LIST ? list->items : &one; item != NULL;
         item = item->next) {
        *numbers = pcm_unit_to_si(&unit, item->number);
        if (!check_number(resolver, value->param, list->span, *numbers++))
            return false;
    }
    return true;
}

static bool convert(const pcm_resolver *resolver, const pcm_param_node *node, pcm_value *value)
{
    static const char *const switches[] = {"false", "true", NULL};
    switch (value->param->kind) {
    case PCM_KIND_REAL:
        return real_value(resolver, node, value);
    case PCM_KIND_INTEGER:
        return integer_value(resolver, node, value);
    case PCM_KIND_SWITCH:
        return choose(resolver, node, value, switches);
    case PCM_KIND_CHOICE:
        return choose(resolver, node, value, value->param->choices);
    case PCM_KIND_TEXT:
        return text_value(resolver, node, value);
    default:
        return list_value(resolver, node, value);
    }
}

static void set_default(pcm_value *value, const pcm_param *param)
{
    *value = (pcm_value){.param = param, .number = param->fallback};
    if (param->kind == PCM_KIND_TEXT)
        value->text = param->text == NULL ? "" : param->text;
    else if (param->kind == PCM_KIND_CHOICE)
        value->text = param->choices[(size_t)param->fallback];
    else if (param->kind == PCM_KIND_SWITCH)
        value->text = param->fallback == 0 ? "false" : "true";
}

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

/* The parameter that was meant, if it can be told, counts as written: it is not missing too. */
static void report_unknown_parameter(pcm_resolver *resolver, pcm_span name)
{
    pcm_suggestion suggestion = pcm_suggest(span_text(resolver, name), name.length);
    for (size_t i = 0; i < resolver->count; i++) {
        const char *known = param_at(resolver->model, i)->name;
        pcm_suggest_try(&suggestion, known, strlen(known));
    }
    pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_UNKNOWN_PARAMETER, name, "%s has no parameter '%.*s'%s%s%s",
                   resolver->model->name, (int)(name.length < 60 ? name.length : 60), span_text(resolver, name),
                   PCM_DID_YOU_MEAN(suggestion));
    for (size_t i = 0; i < resolver->count; i++)
        resolver->values[i].written |= param_at(resolver->model, i)->name == suggestion.best;
}

/* Whether every part of the path is a name: it then stays below the directory that it starts in. */
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

/* Worlds rely on it: a log never leaves the directory that the host gives them. */
static void check_log_file(const pcm_resolver *resolver, const pcm_value *value, pcm_span span)
{
    if (*value->text != '\0' && !stays_below(value->text))
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_LOG_OUTSIDE, span,
                       "'%s' leaves the log directory: it must be a path below it, without '..' and empty parts",
                       value->param->name);
}

static void take_parameter(pcm_resolver *resolver, const pcm_param_node *node)
{
    size_t i = 0;
    while (i < resolver->count && !span_is(resolver, node->name, param_at(resolver->model, i)->name))
        i++;
    if (i == resolver->count) {
        report_unknown_parameter(resolver, node->name);
        return;
    }
    pcm_value *value = &resolver->values[i];
    if (resolver->places[i].length > 0) {
        pcm_message *report = pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_DUPLICATE_PARAMETER, node->name,
                                             "'%s' is given already", value->param->name);
        pcm_report_note(resolver->reports, report, resolver->places[i], "first given here");
        return;
    }
    resolver->places[i] = node->name;
    value->written = true;
    value->place = pcm_span_place(&resolver->config->sources, node->value.span);
    if (convert(resolver, node, value) && i >= resolver->model->params.count &&
        value->param->offset == offsetof(pcm_common, log_file))
        check_log_file(resolver, value, node->value.span);
}

bool pcm_values_when(const pcm_model *model, const pcm_value *values, const char *when)
{
    const char *equals = when == NULL ? NULL : strchr(when, '=');
    if (equals == NULL)
        return true;
    for (size_t i = 0; i < model->params.count; i++) {
        const char *name = values[i].param->name;
        if (strlen(name) == (size_t)(equals - when) && strncmp(name, when, strlen(name)) == 0)
            return values[i].text != NULL && strcmp(values[i].text, equals + 1) == 0;
    }
    return true;
}

/* What is missing, and what is there in vain. Where something is wrong, what depends on values is left alone. */
static void check_presence(const pcm_resolver *resolver)
{
    bool wrong = resolver->reports->errors != resolver->errors;
    for (size_t i = 0; i < resolver->model->params.count; i++) {
        const pcm_value *value = &resolver->values[i];
        if (wrong && value->param->when != NULL)
            continue;
        bool matters = pcm_values_when(resolver->model, resolver->values, value->param->when);
        if (matters && !value->written && (value->param->flags & PCM_REQUIRED))
            pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_MISSING_PARAMETER, resolver->node->name,
                           "%s needs the parameter '%s' (%s)", resolver->model->name, value->param->name,
                           value->param->doc);
        if (!matters && value->written)
            pcm_report_add(resolver->reports, PCM_WARNING, PCM_MSG_NO_EFFECT, resolver->places[i],
                           "'%s' matters only with %s", value->param->name, value->param->when);
    }
}

static void write_field(void *block, const pcm_value *value)
{
    char   *field = (char *)block + value->param->offset;
    int64_t whole;
    switch (value->param->kind) {
    case PCM_KIND_REAL:
        memcpy(field, &value->number, sizeof value->number);
        break;
    case PCM_KIND_TEXT:
        memcpy(field, &value->text, sizeof value->text);
        break;
    case PCM_KIND_LIST:
        memcpy(field, &value->list, sizeof value->list);
        break;
    default:
        whole = (int64_t)value->number;
        memcpy(field, &whole, sizeof whole);
    }
}

/* ---- prepare ---------------------------------------------------------------------------------------------------- */

static void take_refusal(const pcm_setup *setup, const char *param, const char *message)
{
    pcm_resolver *resolver = setup->host;
    pcm_span      place = resolver->node->name;
    for (size_t i = 0; param != NULL && i < resolver->count; i++)
        if (strcmp(param_at(resolver->model, i)->name, param) == 0 && resolver->places[i].length > 0)
            place = resolver->places[i];
    resolver->refusal =
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REFUSED, place, "%s%s%s",
                       param == NULL ? "" : param, param == NULL ? "" : ": ", message == NULL ? "refused" : message);
}

/* The law's parameter struct, filled and prepared. */
static void *make_params(pcm_resolver *resolver)
{
    const pcm_model *model = resolver->model;
    size_t           bytes = model->params.count > 0 ? pcm_model_param(model, 0)->params_size : sizeof(double);
    void            *params = pcm_arena_take(&resolver->config->arena, bytes);
    if (params == NULL) {
        resolver->reports->no_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < model->params.count; i++)
        write_field(params, &resolver->values[i]);
    const pcm_setup setup = {sizeof setup, resolver, take_refusal};
    if (model->prepare != NULL && model->prepare(&setup, params) != 0 && resolver->refusal == NULL)
        pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REFUSED, resolver->node->name,
                       "%s refuses these parameters", model->name);
    return params;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

static void count_columns(pcm_type *type)
{
    const pcm_model *model = type->info.model;
    bool             tangent = false;
    for (size_t i = 0; i < model->states.count; i++) {
        bool pair = pcm_model_state(model, i)->shape == PCM_TANGENT;
        type->info.n_state += pair ? 2 : 1;
        tangent |= pair;
    }
    for (size_t i = 0; i < model->host_inputs.count; i++) {
        bool pair = pcm_model_host_input(model, i)->shape == PCM_TANGENT;
        type->info.n_host_inputs += pair ? 2 : 1;
        tangent |= pair && pcm_type_when(type, pcm_model_host_input(model, i)->when);
    }
    type->info.carries_frame = tangent || !(model->flags & PCM_ISOTROPIC);
}

/* The largest gap at which the law's contacts live on. */
static double reach_of(pcm_resolver *resolver, const void *params)
{
    double reach = resolver->model->reach == NULL ? 0 : resolver->model->reach(params);
    if (isfinite(reach) && reach >= 0)
        return reach;
    pcm_report_add(resolver->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REFUSED, resolver->node->name,
                   "with these parameters %s has a reach of %s m, which is no distance", resolver->model->name,
                   pcm_number(reach, 0).text);
    return 0;
}

static pcm_type *make_type(pcm_resolver *resolver)
{
    pcm_config *config = resolver->config;
    pcm_type   *type = pcm_arena_take(&config->arena, sizeof *type);
    void       *params = type == NULL ? NULL : make_params(resolver);
    if (params == NULL || resolver->reports->errors != resolver->errors)
        return NULL;
    pcm_value *base = resolver->values + resolver->model->params.count;
    for (size_t i = 0; i < PCM_COMMON_PARAMS; i++) {
        if (base[i].param->offset == offsetof(pcm_common, separation) && !base[i].written)
            base[i].number = reach_of(resolver, params);
        write_field(&type->info.common, &base[i]);
    }
    type->config = config;
    type->kernels = pcm_model_kernels(resolver->model, config->context->isa);
    type->values = resolver->values;
    type->info.model = resolver->model;
    type->info.params = params;
    type->info.place = pcm_span_place(&config->sources, resolver->node->name);
    count_columns(type);
    return resolver->reports->errors == resolver->errors ? type : NULL;
}

pcm_type *pcm_type_resolve(pcm_config *config, pcm_reports *reports, const pcm_type_node *node)
{
    pcm_resolver resolver = {.config = config, .reports = reports, .node = node, .errors = reports->errors};
    if (!find_model(&resolver))
        return NULL;
    resolver.count = resolver.model->params.count + PCM_COMMON_PARAMS;
    resolver.values = pcm_arena_take(&config->arena, resolver.count * sizeof *resolver.values);
    resolver.places = pcm_arena_take(&reports->arena, resolver.count * sizeof *resolver.places);
    if (resolver.values == NULL || resolver.places == NULL) {
        reports->no_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < resolver.count; i++)
        set_default(&resolver.values[i], param_at(resolver.model, i));
    for (const pcm_param_node *param = node->params; param != NULL; param = param->next)
        take_parameter(&resolver, param);
    if (!node->lost)
        check_presence(&resolver);
    return reports->errors == resolver.errors && !node->lost ? make_type(&resolver) : NULL;
}
