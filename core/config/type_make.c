/* SPDX-License-Identifier: MIT */
#include "type_make.h"
#include "isa.h"
#include "kinds.h"
#include "model.h"
#include <pcm/messages.h>

#include <math.h>
#include <string.h>

void pcm_value_write(void *block, const pcm_value *value)
{
    pcm_kinds[value->param->kind].write((char *)block + value->param->offset, value);
}

bool pcm_values_when(const pcm_model *model, const pcm_value *values, const char *when)
{
    const char *equals = when == NULL ? NULL : strchr(when, '=');
    if (equals == NULL)
        return true;
    for (size_t i = 0; i < model->params.count; i++) {
        const char *name = pcm_model_param(model, i)->name;
        if (strlen(name) == (size_t)(equals - when) && strncmp(name, when, strlen(name)) == 0)
            return values[i].text != NULL && strcmp(values[i].text, equals + 1) == 0;
    }
    return true;
}

bool pcm_type_when(const pcm_type *type, const char *when)
{
    return pcm_values_when(type->info.model, type->values, when);
}

/* ---- prepare ---------------------------------------------------------------------------------------------------- */

static void note_origins(const pcm_type_maker *maker, pcm_message *report)
{
    for (size_t i = 0; i < 2; i++)
        if (maker->origins[i].place.length > 0)
            pcm_report_note(maker->reports, report, maker->origins[i].place, "%s", maker->origins[i].text);
}

static void take_refusal(const pcm_setup *setup, const char *param, const char *message)
{
    pcm_type_maker *maker = setup->host;
    const size_t    count = maker->model->params.count + PCM_COMMON_PARAMS;
    pcm_span        place = maker->name;
    for (size_t i = 0; param != NULL && maker->places != NULL && i < count; i++)
        if (strcmp(maker->values[i].param->name, param) == 0 && maker->places[i].length > 0)
            place = maker->places[i];
    maker->refusal =
        pcm_report_add(maker->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REJECTED, place, "%s%s%s",
                       param == NULL ? "" : param, param == NULL ? "" : ": ", message == NULL ? "rejected" : message);
    note_origins(maker, maker->refusal);
}

static void begin_call(const pcm_type_maker *maker, const char *function)
{
    pcm_call_begin(maker->config->context, function, maker->model->name,
                   pcm_span_text(&maker->config->sources, maker->name), maker->name.length);
}

/* The law's parameter struct, filled and prepared. */
static void *make_params(pcm_type_maker *maker)
{
    const pcm_model *model = maker->model;
    void            *params = pcm_arena_take(maker->arena, pcm_model_params_size(model));
    if (params == NULL) {
        maker->reports->no_memory = true;
        return NULL;
    }
    if (maker->parts != NULL)
        *(pcm_parts_block *)params = (pcm_parts_block){.parts = maker->parts};
    for (size_t i = 0; i < model->params.count; i++)
        pcm_value_write(params, &maker->values[i]);
    const pcm_setup setup = {sizeof setup, maker, take_refusal};
    begin_call(maker, "prepare");
    const bool refused = model->prepare != NULL && model->prepare(&setup, params) != 0;
    pcm_call_end(maker->config->context);
    if (refused && maker->refusal == NULL)
        note_origins(maker, pcm_report_add(maker->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REJECTED, maker->name,
                                           "%s rejects these parameters", model->name));
    return params;
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

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

/* The law's reach or onset for the parameters, which may not be known yet. */
static double gap_of(const pcm_type_maker *maker, const void *params, double (*of)(const void *), const char *what)
{
    begin_call(maker, strchr(what, ' ') + 1); /* skips the article */
    const double gap = of == NULL || params == NULL ? 0 : of(params);
    pcm_call_end(maker->config->context);
    if (isfinite(gap) && gap >= 0)
        return gap;
    note_origins(maker, pcm_report_add(maker->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REJECTED, maker->name,
                                       "with these parameters %s has %s of %s m, which is not a distance",
                                       maker->model->name, what, pcm_number(gap, 0).text));
    return 0;
}

/* The gaps at which contacts begin and end. A contact that begins across a gap must also live there. */
static void take_gaps(const pcm_type_maker *maker, pcm_type *type, pcm_value *separation)
{
    const double onset = gap_of(maker, type->info.params, maker->model->onset, "an onset");
    const double reach = gap_of(maker, type->info.params, maker->model->reach, "a reach");
    type->info.onset = onset;
    if (!separation->written)
        separation->number = fmax(reach, onset);
    else if (separation->number < onset)
        note_origins(maker, pcm_report_add(maker->reports, PCM_ERROR, PCM_MSG_PARAMETERS_REJECTED, maker->name,
                                           "Separation is %s m, but with these parameters contacts of %s begin at a "
                                           "gap of %s m: make it larger, or leave it out",
                                           pcm_number(separation->number, 0).text, maker->model->name,
                                           pcm_number(onset, 0).text));
}

static void fill_common(pcm_type_maker *maker, pcm_type *type)
{
    pcm_value *common = maker->values + maker->model->params.count;
    for (size_t i = 0; i < PCM_COMMON_PARAMS; i++) {
        if (common[i].param->offset == offsetof(pcm_common, separation))
            take_gaps(maker, type, &common[i]);
        pcm_value_write(&type->common, &common[i]);
    }
    type->common.size = sizeof type->common;
    type->info.common = &type->common;
}

pcm_type *pcm_type_make(pcm_type_maker *maker)
{
    pcm_config    *config = maker->config;
    const uint32_t errors = maker->reports->errors;
    pcm_type      *type = pcm_arena_take(maker->arena, sizeof *type);
    void          *params = type == NULL || maker->open ? NULL : make_params(maker);
    maker->reports->no_memory |= type == NULL;
    if (type == NULL || (params == NULL && !maker->open) || maker->reports->errors != errors)
        return NULL;
    type->info.params = params;
    fill_common(maker, type);
    type->info.size = sizeof type->info;
    type->info.model = maker->model;
    type->info.place = pcm_span_place(&config->sources, maker->name);
    type->info.written = type;
    type->config = config;
    type->kernels = pcm_model_kernels(maker->model, config->context->isa);
    type->values = maker->values;
    count_columns(type);
    return maker->reports->errors == errors ? type : NULL;
}
