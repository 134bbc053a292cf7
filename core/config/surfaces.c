/* SPDX-License-Identifier: MIT */
#include "surfaces.h"
#include "config.h"
#include "pattern.h"
#include <pcm/messages.h>

static char *copy_name(pcm_surfaces *surfaces, const pcm_sources *sources, pcm_span span)
{
    span = pcm_span_unquoted(sources, span);
    return pcm_arena_text(surfaces->arena, pcm_span_text(sources, span), span.length);
}

static bool grow(pcm_surfaces *surfaces)
{
    enum { FEWEST = 16 };
    const pcm_allocator *allocator = &surfaces->arena->allocator;
    const uint32_t       old = surfaces->capacity, capacity = old == 0 ? FEWEST : 2 * old;
    pcm_surface_line    *list = allocator->allocate(allocator->user, capacity * sizeof *list);
    if (list == NULL)
        return false;
    if (old > 0) {
        memcpy(list, surfaces->list, old * sizeof *list);
        allocator->release(allocator->user, surfaces->list, old * sizeof *list);
    }
    surfaces->list = list;
    surfaces->capacity = capacity;
    return true;
}

/* A surface has a plain name; Surface "Foot*" = Rubber; is the wrong way round. */
static void check_surface_name(pcm_reports *reports, const pcm_surface_node *node, const pcm_surface_line *line)
{
    const pcm_sources *sources = reports->sources;
    if (*pcm_span_text(sources, node->name) != '"' || !pcm_is_pattern(line->name))
        return;
    pcm_message *report = pcm_report_add(
        reports, PCM_ERROR, PCM_MSG_SURFACE_NAME, node->name, "the name of a surface is no pattern%s%s%s%s%s",
        line->is_pattern ? "" : "; the surface comes first: Surface ", line->is_pattern ? "" : line->pattern,
        line->is_pattern ? "" : " = \"", line->is_pattern ? "" : line->name, line->is_pattern ? "" : "\";");
    if (line->is_pattern)
        return;
    pcm_report_add_fix(reports, report, node->name, "%.*s", (int)node->pattern.length,
                       pcm_span_text(sources, node->pattern));
    pcm_report_add_fix(reports, report, node->pattern, "%.*s", (int)node->name.length,
                       pcm_span_text(sources, node->name));
}

bool pcm_surfaces_add(pcm_surfaces *surfaces, const pcm_surface_node *node, pcm_reports *reports)
{
    const pcm_sources *sources = reports->sources;
    pcm_surface_line   line = {.name = copy_name(surfaces, sources, node->name),
                               .pattern = copy_name(surfaces, sources, node->pattern),
                               .place = node->pattern,
                               .name_place = node->name};
    if (line.name == NULL || line.pattern == NULL || (surfaces->count == surfaces->capacity && !grow(surfaces)))
        return false;
    line.is_pattern = *pcm_span_text(sources, node->pattern) == '"' && pcm_is_pattern(line.pattern);
    pcm_check_name(reports, node->name);
    pcm_check_name(reports, node->pattern);
    check_surface_name(reports, node, &line);
    surfaces->list[surfaces->count++] = line;
    return true;
}

void pcm_object_defaults_into(pcm_object_def *def, size_t size)
{
    pcm_info_fill(NULL, NULL, def, size, &PCM_OBJECT(.name = NULL));
}

const char *pcm_surfaces_find(const pcm_surfaces *surfaces, const pcm_object_def *object)
{
    for (uint32_t i = surfaces->count; i-- > 0;)
        if (pcm_object_fit(object, surfaces->list[i].pattern, surfaces->list[i].is_pattern) != PCM_FITS_NOT)
            return surfaces->list[i].name;
    return NULL;
}

const char *pcm_config_object_surface(const pcm_config *config, const pcm_object_def *object)
{
    pcm_object_def filled = pcm_object_defaults();
    if (!pcm_def_fill(config->context, "pcm_object_def", &filled, object))
        return NULL;
    const char *own = filled.name == NULL ? NULL : pcm_surfaces_find(&config->surfaces, &filled);
    return own != NULL ? own : filled.surface;
}

const char *pcm_config_surface(const pcm_config *config, const char *object, const char *surface)
{
    return pcm_config_object_surface(config, &PCM_OBJECT(.name = object, .surface = surface));
}

bool pcm_surface_is_named(const pcm_rules *rules, const char *surface, pcm_suggestion *like)
{
    const pcm_side_names *known = &rules->sides[PCM_SURFACE_PAIR];
    *like = pcm_suggest(surface, strlen(surface));
    if (pcm_names_find(&known->names, surface, strlen(surface)) != PCM_NO_NAME)
        return true;
    for (uint32_t i = 0; i < known->n_patterns; i++)
        if (pcm_name_matches(pcm_names_text(&known->names, known->patterns[i]), surface))
            return true;
    for (uint32_t i = 0; i < known->names.count; i++) {
        const char *text = pcm_names_text(&known->names, i);
        pcm_suggest_try(like, text, strlen(text));
    }
    return false;
}

static bool named_before(const pcm_surfaces *surfaces, uint32_t index)
{
    uint32_t i = 0;
    while (i < index && strcmp(surfaces->list[i].name, surfaces->list[index].name) != 0)
        i++;
    return i < index;
}

/* The first later line that gives another surface to all objects of this one; NULL: none. */
static const pcm_surface_line *covering(const pcm_surfaces *surfaces, uint32_t index)
{
    const pcm_surface_line *line = &surfaces->list[index];
    for (uint32_t i = index + 1; i < surfaces->count; i++) {
        const pcm_surface_line *later = &surfaces->list[i];
        const bool covers = !later->is_pattern ? !line->is_pattern && strcmp(later->pattern, line->pattern) == 0
                            : line->is_pattern ? pcm_pattern_covers(later->pattern, line->pattern)
                                               : pcm_name_matches(later->pattern, line->pattern);
        if (covers)
            return later;
    }
    return NULL;
}

/* Whether the list has the name. */
static bool has(const pcm_names *names, const char *name)
{
    return pcm_names_find(names, name, strlen(name)) != PCM_NO_NAME;
}

static bool is_side(const pcm_rules *rules, pcm_rule_kind kind, const char *name)
{
    return has(&rules->sides[kind].names, name);
}

/* Warns of a surface that no rule names, and says which rule probably means it. */
static void report_unused(const pcm_surface_line *line, const pcm_rules *rules, const pcm_names *materials,
                          const pcm_suggestion *like, pcm_reports *reports)
{
    const char *name = line->name, *object = line->pattern;
    if (is_side(rules, PCM_OBJECT_PAIR, name))
        pcm_report_add(
            reports, PCM_WARNING, PCM_MSG_UNUSED_SURFACE, line->name_place,
            "no SurfacePair names the surface '%s', but an ObjectPair names an object '%s': is it a SurfacePair?", name,
            name);
    else if (!line->is_pattern && (is_side(rules, PCM_SURFACE_PAIR, object) || has(materials, object)))
        pcm_report_add(
            reports, PCM_WARNING, PCM_MSG_UNUSED_SURFACE, line->name_place,
            "no SurfacePair names the surface '%s', but '%s', which is its object here: is it Surface %s = %s, or "
            "%s in the rule?",
            name, object, object, name, name);
    else
        pcm_report_add(reports, PCM_WARNING, PCM_MSG_UNUSED_SURFACE, line->name_place,
                       "no SurfacePair names the surface '%s'%s%s%s", name, PCM_DID_YOU_MEAN(*like));
}

void pcm_surfaces_check(const pcm_surfaces *surfaces, const pcm_rules *rules, const pcm_names *materials,
                        pcm_reports *reports)
{
    enum { MOST = 4096 }; /* the work grows with the square of the number of lines */
    for (uint32_t i = 0; i < surfaces->count && surfaces->count <= MOST; i++) {
        const pcm_surface_line *line = &surfaces->list[i], *later = covering(surfaces, i);
        pcm_suggestion          like;
        if (later != NULL)
            pcm_report_note(reports,
                            pcm_report_add(reports, PCM_WARNING, PCM_MSG_DEAD_SURFACE, line->place,
                                           "a later line gives all of these objects a surface"),
                            later->place, "here");
        if (!named_before(surfaces, i) && !has(materials, line->name) &&
            !pcm_surface_is_named(rules, line->name, &like))
            report_unused(line, rules, materials, &like, reports);
    }
}

void pcm_surfaces_free(pcm_surfaces *surfaces)
{
    const pcm_allocator *allocator = &surfaces->arena->allocator;
    if (surfaces->list != NULL)
        allocator->release(allocator->user, surfaces->list, surfaces->capacity * sizeof *surfaces->list);
}
