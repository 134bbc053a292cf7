/* SPDX-License-Identifier: MIT */
#include "doubts.h"
#include "mixing.h"
#include "type_make.h"
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>

typedef struct line {
    char text[400];
} line;

/* ---- Moduli ----------------------------------------------------------------------------------------------------- */

static bool is_modulus(const pcm_param *param) { return param->mix == PCM_MIX_MODULUS || param->mix == PCM_MIX_SHEAR; }

/* Warns if a modulus has its default and the file has no Material: the default is that of one material, and probably
 * not of the user's. */
static void doubt_moduli(const pcm_type *type, pcm_reports *reports)
{
    line   list = {""};
    size_t used = 0, count = 0;
    for (size_t i = 0; i < type->info.model->params.count; i++) {
        const pcm_value *value = &type->values[i];
        if (!is_modulus(value->param) || value->param->flags & PCM_REQUIRED || value->written ||
            !pcm_type_when(type, value->param->when) || used >= sizeof list.text)
            continue;
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s'%s' of %s Pa", count++ ? " and " : "",
                                 value->param->name, pcm_number(value->number, 6).text);
    }
    if (count > 0)
        pcm_report_add(reports, PCM_WARNING, PCM_MSG_DEFAULT_MODULUS, pcm_type_place(type),
                       "'%s' has %s, %s default%s, as the file has no Material: write %s here, or Materials with "
                       "YoungModulus and PoissonRatio",
                       type->info.name, list.text, count > 1 ? "their" : "its", count > 1 ? "s" : "",
                       count > 1 ? "them" : "it");
}

/* ---- Friction --------------------------------------------------------------------------------------------------- */

static double friction_of(const pcm_type *type, const pcm_model *model, uint32_t first, bool *found)
{
    double most = 0;
    *found = false;
    for (uint32_t i = 0; i < model->params.count; i++) {
        const pcm_value *value = &type->values[first + i];
        if (!(value->param->flags & PCM_CONE) ||
            !pcm_values_when(model, type->values + first, pcm_model_param(model, i)->when))
            continue;
        most = *found ? fmax(most, value->number) : value->number;
        *found = true;
    }
    return most;
}

bool pcm_type_friction(const pcm_type *type, double *friction)
{
    const pcm_parts *parts = pcm_parts_of(type->info.model);
    double           sum = 0;
    bool             any = false;
    for (uint32_t p = 0; p < (parts == NULL ? 1 : parts->count); p++) {
        bool found;
        sum += parts == NULL ? friction_of(type, type->info.model, 0, &found)
                             : friction_of(type, parts->part[p].model, parts->part[p].first_param, &found);
        any |= found;
    }
    if (any)
        *friction = sum;
    return any;
}

/* Whether materials may give the part another coefficient later. */
static bool is_open(const pcm_type *type, const pcm_part *part)
{
    bool open = false;
    for (uint32_t i = 0; i < part->model->params.count; i++) {
        const pcm_value *value = &type->values[part->first_param + i];
        open |= value->param->flags & PCM_CONE && value->param->mix != PCM_MIX_NONE && !value->written;
    }
    return open && type->config->materials.names.count > 0;
}

/* Warns if several parts have friction: their forces add up. */
static void doubt_friction(const pcm_type *type, pcm_reports *reports)
{
    const pcm_parts *parts = pcm_parts_of(type->info.model);
    line             list = {""};
    size_t           used = 0, count = 0;
    for (uint32_t p = 0; parts != NULL && p < parts->count; p++) {
        const pcm_part *part = &parts->part[p];
        bool            found;
        const double    own = friction_of(type, part->model, part->first_param, &found);
        const bool      open = found && is_open(type, part);
        if (!found || (own == 0 && !open) || used >= sizeof list.text)
            continue;
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s of %s", count++ ? " and " : "",
                                 open ? "that of materials" : pcm_number(own, 6).text, part->model->name);
    }
    if (count > 1)
        pcm_report_add(reports, PCM_WARNING, PCM_MSG_TWO_FRICTIONS, pcm_type_place(type),
                       "parts of '%s' add up their friction: %s; leave one of them out, or set its coefficient to 0",
                       type->info.name, list.text);
}

/* ---- Reach ------------------------------------------------------------------------------------------------------ */

/* Warns of a large reach: if it follows from a wrong strength or stiffness it is wrong too, and every pair within it
 * becomes a contact. */
static void doubt_reach(const pcm_type *type, pcm_reports *reports)
{
    static const double usual = 1; /* m */
    const pcm_value    *common = type->values + type->info.model->params.count;
    for (size_t i = 0; i < PCM_COMMON_PARAMS; i++)
        if (common[i].param->offset == offsetof(pcm_common, separation) && !common[i].written &&
            type->info.params != NULL && common[i].number > usual)
            pcm_report_add(reports, PCM_WARNING, PCM_MSG_UNUSUAL, pcm_type_place(type),
                           "contacts of '%s' live on up to a gap of %s m, the reach of %s with these values: check "
                           "them, or write Separation = %s [m]",
                           type->info.name, pcm_number(common[i].number, 6).text, type->info.model->name,
                           pcm_number(common[i].number, 6).text);
}

void pcm_types_doubt(const pcm_config *config, pcm_reports *reports)
{
    for (uint32_t i = 0; i < config->type_names.count; i++) {
        const pcm_type_entry *entry = &config->entries[i];
        if (entry->type == NULL)
            continue;
        if (entry->uses > 0 && config->materials.names.count == 0)
            doubt_moduli(entry->type, reports);
        doubt_friction(entry->type, reports);
        doubt_reach(entry->type, reports);
    }
}
