/* SPDX-License-Identifier: MIT */
/* param_probes.c - prepares a law's parameters with one of them moved. */
#include "jacobian.h"

/* If the law rejects the value, the difference is taken on the other side. */
static void ignore_refusal(const pcm_setup *setup, const char *param, const char *message)
{
    (void)setup;
    (void)param;
    (void)message;
}

/* The struct filled with the file's numbers: prepare may have changed the type's own. */
static void restore_numbers(const pcm_type *type, char *params)
{
    for (size_t i = 0; i < type->info.model->params.count; i++) {
        const pcm_param *param = pcm_model_param(type->info.model, i);
        if (param->kind == PCM_KIND_REAL)
            memcpy(params + param->offset, &type->values[i].number, sizeof(double));
    }
}

static bool in_range(const pcm_param *param, double value)
{
    return (param->flags & PCM_OPEN_MIN ? value > param->min : value >= param->min) &&
           (param->flags & PCM_OPEN_MAX ? value < param->max : value <= param->max);
}

static pcm_status make_probe(pcm_jacobian *j, const pcm_cause *cause, size_t probe, size_t level,
                             pcm_param_probe *there)
{
    const pcm_model *model = j->type->info.model;
    const size_t     entry = cause->wrt - PCM_WRT_PARAM;
    const pcm_param *param = pcm_model_param(model, entry);
    const double     value = j->type->values[entry].number;
    const double     moved = value + pcm_probe_offset(probe, level, value != 0 ? fabs(value) : cause->nominal);
    if (!in_range(param, moved))
        return PCM_OK;
    there->params = pcm_allocate(j->context, pcm_model_params_size(model));
    if (!there->params)
        return PCM_NO_MEMORY;
    there->moved = moved - value;
    memcpy(there->params, j->type->info.params, pcm_model_params_size(model));
    restore_numbers(j->type, there->params);
    memcpy((char *)there->params + param->offset, &moved, sizeof moved);
    const pcm_setup setup = {sizeof setup, NULL, ignore_refusal};
    pcm_type_call_begin(j->type, "prepare");
    const bool refused = model->prepare && model->prepare(&setup, there->params) != 0;
    pcm_type_call_end(j->type);
    if (refused) {
        pcm_free(j->context, there->params, pcm_model_params_size(model));
        there->params = NULL;
    }
    return PCM_OK;
}

pcm_status pcm_cause_blocks_make(pcm_jacobian *jacobian, pcm_cause *cause)
{
    cause->blocks = pcm_allocate(jacobian->context, LEVELS * PROBES * sizeof *cause->blocks);
    if (!cause->blocks)
        return PCM_NO_MEMORY;
    pcm_status status = PCM_OK;
    for (size_t level = 0; status == PCM_OK && level < LEVELS; level++)
        for (size_t probe = 1; status == PCM_OK && probe < PROBES; probe++)
            status = make_probe(jacobian, cause, probe, level, &cause->blocks[level * PROBES + probe]);
    return status;
}

void pcm_cause_blocks_free(pcm_jacobian *jacobian, pcm_cause *cause)
{
    if (!cause->blocks)
        return;
    for (size_t i = 0; i < LEVELS * PROBES; i++)
        if (cause->blocks[i].params)
            pcm_free(jacobian->context, cause->blocks[i].params, pcm_model_params_size(jacobian->type->info.model));
    pcm_free(jacobian->context, cause->blocks, LEVELS * PROBES * sizeof *cause->blocks);
}
