/* SPDX-License-Identifier: MIT */
#include "overrides.h"
#include "config.h"
#include "diagnostic.h"
#include "exponents.h"
#include "symbols.h"
#include "type_make.h"
#include "value.h"
#include <pcm/messages.h>

#include <math.h>

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static void report_no_type(const pcm_config *config, const char *name, size_t length)
{
    pcm_suggestion suggestion = pcm_suggest(name, length);
    for (uint32_t i = 0; i < config->n_types; i++)
        pcm_suggest_try(&suggestion, config->types[i]->info.name, strlen(config->types[i]->info.name));
    pcm_report(config->context, PCM_ERROR, PCM_MSG_UNKNOWN_PARAMETER,
               "cannot set '%.100s': there is no contact type '%.*s'%s%s%s: write Type.Parameter", name,
               pcm_shown(length), name, PCM_DID_YOU_MEAN(suggestion));
}

static void report_no_param(const pcm_config *config, const pcm_model *model, const char *name, const char *param)
{
    pcm_suggestion suggestion = pcm_suggest(param, strlen(param));
    pcm_symbol     symbol = pcm_symbol_of(param, strlen(param));
    for (uint32_t i = 0; i < model->params.count; i++) {
        const char *known = pcm_model_param(model, i)->name;
        pcm_suggest_try(&suggestion, known, strlen(known));
        pcm_symbol_try(&symbol, known);
    }
    pcm_symbol_suggest(&symbol, &suggestion);
    pcm_report(config->context, PCM_ERROR, PCM_MSG_UNKNOWN_PARAMETER,
               "cannot set '%.100s': %s has no parameter '%.60s' of its own%s%s%s", name, model->name, param,
               PCM_DID_YOU_MEAN(suggestion));
}

/* A parameter of a part may be called Part.Name even if Name alone is unique. */
static bool is_called(const pcm_model *model, uint32_t index, const char *name)
{
    const pcm_parts *parts = pcm_parts_of(model);
    const char      *own = pcm_model_param(model, index)->name;
    const char      *part = parts ? pcm_part_of_param(parts, index)->model->name : "";
    const size_t     length = strlen(part);
    return strcmp(name, own) == 0 || (length > 0 && strncmp(name, part, length) == 0 && name[length] == '.' &&
                                      strcmp(name + length + 1, own) == 0);
}

/* The type whose name is the longest that ends before a point. */
static const pcm_type *find_type(const pcm_config *config, const char *name, const char **param)
{
    for (size_t length = strlen(name); length > 0; length--) {
        const uint32_t number = name[length] == '.' ? pcm_names_find(&config->type_names, name, length) : PCM_NO_NAME;
        *param = name + length + 1;
        if (number != PCM_NO_NAME && config->entries[number].type)
            return config->entries[number].type;
    }
    return NULL;
}

bool pcm_override_find(const pcm_config *config, const char *name, pcm_override *found)
{
    const char     *param;
    const pcm_type *type = find_type(config, name, &param);
    if (!type) {
        report_no_type(config, name, strcspn(name, "."));
        return false;
    }
    const pcm_model *model = type->info.model;
    *found = (pcm_override){.type = type->info.index};
    while (found->param < model->params.count && !is_called(model, found->param, param))
        found->param++;
    if (found->param < model->params.count)
        return true;
    report_no_param(config, model, name, param);
    return false;
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

static bool refuse(const pcm_type *type, const pcm_param *param, uint32_t code, const char *why)
{
    pcm_report(type->config->context, PCM_ERROR, code, "cannot set '%.60s.%.60s': %s", type->info.name, param->name,
               why);
    return false;
}

/* Whether units of other parameters depend on this one. */
static bool is_exponent(const pcm_model *model, uint32_t index)
{
    for (uint32_t i = 0; i < model->params.count; i++)
        if (!pcm_unit_is_known(pcm_model_param(model, i)) &&
            pcm_exponent_param(model, pcm_model_param(model, i)) == index)
            return true;
    return false;
}

bool pcm_override_fits(const pcm_config *config, const pcm_override *given)
{
    const pcm_type  *type = config->types[given->type];
    const pcm_param *param = type->values[given->param].param;
    if (param->kind != PCM_KIND_REAL && param->kind != PCM_KIND_INTEGER)
        return refuse(type, param, PCM_MSG_WRONG_KIND, "it is not a number, so the file alone gives it");
    if (!isfinite(given->number))
        return refuse(type, param, PCM_MSG_VALUE_NOT_FINITE, "this is not a finite number");
    if (param->kind == PCM_KIND_INTEGER && given->number != floor(given->number))
        return refuse(type, param, PCM_MSG_WRONG_KIND, "it wants a whole number");
    if (is_exponent(type->info.model, given->param))
        return refuse(type, param, PCM_MSG_WRONG_UNIT,
                      "units of other parameters depend on it, so the file alone "
                      "gives it");
    if (!pcm_type_when(type, param->when))
        return refuse(type, param, PCM_MSG_NO_EFFECT, "it has no effect with the other parameters");
    const pcm_wrong wrong = pcm_number_wrong(param, given->number);
    return *wrong.text == '\0' || refuse(type, param, PCM_MSG_OUT_OF_RANGE, wrong.text);
}

/* ---- Types ------------------------------------------------------------------------------------------------------ */

static pcm_value *override_values(const pcm_type *written, const pcm_override *list, size_t count, pcm_arena *arena)
{
    pcm_value *values = pcm_type_copy_values(written, arena);
    for (size_t i = 0; values && i < count; i++)
        if (list[i].type == written->info.index) {
            values[list[i].param].number = list[i].number;
            values[list[i].param].written = true;
        }
    return values;
}

static pcm_type *make(const pcm_type *type, pcm_value *values, pcm_arena *arena, pcm_reports *reports)
{
    const pcm_type *written = type->info.written;
    if (type != written) {
        pcm_type set = *written;
        set.values = values;
        return pcm_type_mix(&set, type->material, arena, reports);
    }
    pcm_type_maker maker = {.config = type->config,
                            .arena = arena,
                            .reports = reports,
                            .model = type->info.model,
                            .parts = pcm_parts_of(type->info.model),
                            .values = values,
                            .name = pcm_type_place(type),
                            .open = type->info.params == NULL};
    maker.origins[0] = (pcm_type_origin){maker.name, "with parameters that the program has set"};
    return pcm_type_make(&maker);
}

/* Hosts look for contacts as far as the file's types reach. */
static bool reaches_no_farther(const pcm_type *made, const pcm_type *type)
{
    if (made->common.separation <= type->common.separation)
        return true;
    pcm_report(type->config->context, PCM_ERROR, PCM_MSG_PARAMETERS_REJECTED,
               "cannot set parameters of '%.60s': its contacts would reach %s m, and the file's only %s m: write the "
               "largest Separation into the file",
               type->info.name, pcm_number(made->common.separation, 6).text,
               pcm_number(type->common.separation, 6).text);
    return false;
}

static void keep_identity(pcm_type *made, const pcm_type *type)
{
    made->info.name = type->info.name;
    made->info.index = type->info.index;
    made->info.written = type->info.written;
    memcpy(made->info.material, type->info.material, sizeof made->info.material);
    memcpy(made->material, type->material, sizeof made->material);
    made->mixing = type->mixing;
    made->number = type->number;
}

/* ---- Rooms ------------------------------------------------------------------------------------------------------ */

/* A type in a piece of memory of its own, with its values and the parameters of its law behind it. */
enum { ALIGNMENT = 16 };

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

static size_t values_size(const pcm_type *type)
{
    return (type->info.model->params.count + PCM_COMMON_PARAMS) * sizeof *type->values;
}

static size_t room_size(const pcm_type *type)
{
    return aligned(sizeof *type) + aligned(values_size(type)) + pcm_model_params_size(type->info.model);
}

pcm_type *pcm_type_room(const pcm_type *type)
{
    pcm_type *room = pcm_allocate(type->config->context, room_size(type));
    if (room)
        *room = *type;
    return room;
}

void pcm_type_room_free(pcm_type *room)
{
    if (room)
        pcm_free(room->config->context, room, room_size(room));
}

void pcm_type_room_copy(pcm_type *to, const pcm_type *from)
{
    char          *values = (char *)to + aligned(sizeof *to), *params = values + aligned(values_size(from));
    const uint32_t sets = to->info.sets + 1;
    *to = *from;
    to->info.sets = sets;
    to->info.common = &to->common;
    to->values = memcpy(values, from->values, values_size(from));
    if (from->info.params)
        to->info.params = memcpy(params, from->info.params, pcm_model_params_size(from->info.model));
}

bool pcm_type_override(const pcm_type *type, const pcm_override *list, size_t count, pcm_type *room)
{
    pcm_context *context = type->config->context;
    pcm_reports  reports;
    pcm_reports_start(&reports, &type->config->sources);
    pcm_value *values = override_values(type->info.written, list, count, &reports.arena);
    pcm_type  *made = values ? make(type, values, &reports.arena, &reports) : NULL;
    if (!values || reports.no_memory)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to set parameters");
    pcm_reports_send(&reports, context);
    const bool done = made && reaches_no_farther(made, type);
    if (done) {
        keep_identity(made, type);
        pcm_type_room_copy(room, made);
    }
    pcm_reports_free(&reports);
    return done;
}
