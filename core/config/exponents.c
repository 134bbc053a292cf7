/* SPDX-License-Identifier: MIT */
#include "exponents.h"
#include <pcm/messages.h>

#include <math.h>

bool pcm_unit_is_known(const pcm_param *param)
{
    size_t length;
    return pcm_unit_exponent_name(param->unit, &length) == NULL;
}

size_t pcm_param_find(const pcm_model *model, const char *name, size_t length)
{
    size_t i = 0;
    while (i < model->params.count && (strncmp(pcm_model_param(model, i)->name, name, length) != 0 ||
                                       pcm_model_param(model, i)->name[length] != '\0'))
        i++;
    return i;
}

size_t pcm_exponent_param(const pcm_model *model, const pcm_param *param)
{
    size_t      length;
    const char *name = pcm_unit_exponent_name(param->unit, &length);
    return pcm_param_find(model, name, length);
}

/* The values that exponents come from, and the text of the last one. */
typedef struct exponents {
    const pcm_model *model;
    const pcm_value *values;
    char             text[PCM_EXPONENT_SIZE];
} exponents;

static const char *exponent_text(void *user, const char *name, size_t length)
{
    exponents   *from = user;
    const double exponent = from->values[pcm_param_find(from->model, name, length)].number;
    pcm_exponent_write(exponent, from->text);
    return isnan(exponent) ? NULL : from->text;
}

static const pcm_param *settled(const pcm_value_reader *reader, exponents *from, const pcm_param *param, pcm_span place)
{
    char           text[PCM_UNIT_SIZE];
    pcm_unit       unit;
    pcm_unit_fault fault;
    if (!pcm_unit_replace_names(param->unit, exponent_text, from, text))
        return param;
    if (!pcm_unit_read(text, strlen(text), &unit, &fault)) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, place,
                       "'%s' is in [%s] here: an exponent of a unit is from -%d to %d", param->name, text,
                       PCM_EXPONENT_MOST, PCM_EXPONENT_MOST);
        return param;
    }
    pcm_param *copy = pcm_arena_take(reader->arena, sizeof *copy);
    char      *own = pcm_arena_text(reader->arena, text, strlen(text));
    if (copy == NULL || own == NULL) {
        reader->reports->no_memory = true;
        return param;
    }
    *copy = *param;
    copy->unit = own;
    return copy;
}

void pcm_units_settle(const pcm_value_reader *reader, const pcm_model *model, pcm_value *values, pcm_span place)
{
    exponents from = {.model = model, .values = values};
    for (size_t i = 0; i < model->params.count; i++)
        if (!pcm_unit_is_known(pcm_model_param(model, i)))
            values[i].param = settled(reader, &from, pcm_model_param(model, i), place);
}

bool pcm_units_agree(const char *a, const char *b)
{
    pcm_unit       unit_a, unit_b;
    pcm_unit_fault fault;
    return pcm_unit_read(a, strlen(a), &unit_a, &fault) && pcm_unit_read(b, strlen(b), &unit_b, &fault) &&
           pcm_unit_same_dimension(&unit_a, &unit_b);
}
