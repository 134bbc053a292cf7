/* SPDX-License-Identifier: MIT */
#include "lacks.h"
#include <pcm/messages.h>

#include <stdio.h>

/* Limits: the surfaces named in a report on all that lack the same properties, and the different reports among which
 * these are searched. */
enum { NAMED = 3, GROUPS = 64, SUGGESTED = 1000 /* materials among which a similar name is searched */ };

pcm_lacks pcm_lacks_start(pcm_context *context, pcm_reports *reports)
{
    return (pcm_lacks){.reports = reports, .surfaces.allocator = context->allocator};
}

void pcm_lacks_free(pcm_context *context, pcm_lacks *lacks)
{
    pcm_names_free(&lacks->surfaces);
    pcm_free(context, lacks->list, lacks->capacity * sizeof *lacks->list);
}

/* The entry of a surface, made if it is new; NULL: no memory. */
static pcm_lack *lack_of(pcm_lacks *lacks, const pcm_meeting *meeting, size_t side, const pcm_param *param)
{
    const pcm_config *config = meeting->type->config;
    const char       *name = meeting->name[side];
    const uint32_t    known = lacks->surfaces.count;
    const uint32_t    number = pcm_names_add(&lacks->surfaces, name, strlen(name));
    if (number == PCM_NO_NAME ||
        !pcm_grow(config->context, &lacks->list, &lacks->capacity, number + 1, sizeof *lacks->list))
        return NULL;
    pcm_lack *lack = &lacks->list[number];
    if (number < known)
        return lack;
    *lack = (pcm_lack){.surface = pcm_names_text(&lacks->surfaces, number),
                       .material = meeting->side[side],
                       .type = meeting->type,
                       .param = param,
                       .rule = meeting->rule};
    lack->property =
        pcm_arena_take(&lacks->reports->arena, config->materials.properties.count * sizeof *lack->property);
    return lack->property == NULL ? NULL : lack;
}

void pcm_lacks_add(pcm_lacks *lacks, const pcm_meeting *meeting, size_t side, const pcm_param *property,
                   const pcm_param *param)
{
    pcm_lack *lack = lacks->reports->no_memory ? NULL : lack_of(lacks, meeting, side, param);
    if (lack == NULL) {
        lacks->reports->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < lack->count; i++)
        if (strcmp(lack->property[i]->name, property->name) == 0)
            return;
    lack->property[lack->count++] = property;
}

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

typedef struct line {
    char   text[600];
    size_t used;
} line;

static void append(line *to, const char *before, const char *text, const char *after)
{
    const int wrote = snprintf(to->text + to->used, sizeof to->text - to->used, "%s%s%s", before, text, after);
    to->used =
        wrote < 0 || to->used + (size_t)wrote >= sizeof to->text ? sizeof to->text - 1 : to->used + (size_t)wrote;
}

static line list_properties(const pcm_lack *lack)
{
    line list = {.used = 0};
    for (uint32_t i = 0; i < lack->count; i++) {
        append(&list, i == 0 ? "'" : i + 1 < lack->count ? ", '" : " and '", lack->property[i]->name, "' (");
        append(&list, lack->property[i]->doc, ")", "");
    }
    return list;
}

static bool lacks_same(const pcm_lack *a, const pcm_lack *b)
{
    bool same = a->type == b->type && (a->material == NULL) == (b->material == NULL) && a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++)
        same = strcmp(a->property[i]->name, b->property[i]->name) == 0;
    return same;
}

/* "; so do 'B', 'C' and 2 others": later surfaces that lack the same properties. */
static line list_others(pcm_lacks *lacks, uint32_t number)
{
    line     list = {.used = 0};
    char     more[32];
    uint32_t count = 0;
    for (uint32_t i = number + 1; i < lacks->surfaces.count; i++) {
        if (lacks->list[i].counted || !lacks_same(&lacks->list[number], &lacks->list[i]))
            continue;
        lacks->list[i].counted = true;
        if (++count <= NAMED)
            append(&list, count == 1 ? "; the same goes for '" : ", '", lacks->list[i].surface, "'");
    }
    (void)snprintf(more, sizeof more, "%u", count > NAMED ? count - NAMED : 0);
    if (count > NAMED)
        append(&list, " and ", more, count == NAMED + 1 ? " other" : " others");
    return list;
}

static void report_unmade(pcm_lacks *lacks, const pcm_lack *lack, const char *properties, const char *others)
{
    const pcm_names *materials = &lack->type->config->materials.names;
    pcm_suggestion   like = pcm_suggest(lack->surface, strlen(lack->surface));
    for (uint32_t i = 0; i < materials->count && materials->count <= SUGGESTED; i++)
        pcm_suggest_try(&like, pcm_names_text(materials, i), strlen(pcm_names_text(materials, i)));
    const bool   known = *lack->surface != '\0', instead = lack->param != NULL && !(lack->param->flags & PCM_REQUIRED);
    pcm_message *message =
        pcm_report_add(lacks->reports, PCM_ERROR, PCM_MSG_MISSING_PROPERTY, pcm_type_place(lack->type),
                       "%s%s%s has no Material%s%s%s, and %s needs %s of both%s%s%s%s",
                       known ? "the surface '" : "an object without a surface", lack->surface, known ? "'" : "",
                       like.best != NULL ? " (there is '" : "", like.best != NULL ? like.best : "",
                       like.best != NULL ? "')" : "", lack->type->info.model->name, properties, instead ? ", or '" : "",
                       instead ? lack->param->name : "", instead ? "' here" : "", others);
    if (lack->rule.length > 0)
        pcm_report_note(lacks->reports, message, lack->rule, "the rule");
}

static void report_lacking(pcm_lacks *lacks, const pcm_lack *lack, const char *properties, const char *others)
{
    pcm_message *message = pcm_report_add(lacks->reports, PCM_ERROR, PCM_MSG_MISSING_PROPERTY, lack->material->place,
                                          "the material '%s' lacks %s, which %s needs%s", lack->surface, properties,
                                          lack->type->info.model->name, others);
    pcm_report_note(lacks->reports, message, pcm_type_place(lack->type), "the contact type '%s'",
                    lack->type->info.name);
    if (lack->rule.length > 0)
        pcm_report_note(lacks->reports, message, lack->rule, "the rule");
}

/* Skips the surfaces that were reported before. One without a name is always new. */
static void leave_out_told(pcm_lacks *lacks)
{
    for (uint32_t i = 0; lacks->told != NULL && i < lacks->surfaces.count; i++) {
        const char    *surface = lacks->list[i].surface;
        const uint32_t known = lacks->told->count;
        if (*surface != '\0' && pcm_names_add(lacks->told, surface, strlen(surface)) < known)
            lacks->list[i].counted = true;
    }
}

void pcm_lacks_report(pcm_lacks *lacks)
{
    static const line none = {.used = 0};
    if (!lacks->reports->no_memory)
        leave_out_told(lacks);
    for (uint32_t i = 0, groups = 0; i < lacks->surfaces.count && !lacks->reports->no_memory; i++) {
        if (lacks->list[i].counted)
            continue;
        const pcm_lack *lack = &lacks->list[i];
        const line      properties = list_properties(lack), others = groups++ < GROUPS ? list_others(lacks, i) : none;
        if (lack->material != NULL)
            report_lacking(lacks, lack, properties.text, others.text);
        else
            report_unmade(lacks, lack, properties.text, others.text);
    }
}
