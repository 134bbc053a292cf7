/* SPDX-License-Identifier: MIT */
#include "materials.h"
#include "config.h"
#include "exponents.h"
#include "kinds.h"
#include "pattern.h"
#include "symbols.h"
#include "value.h"
#include <pcm/messages.h>

/* ---- Statements ------------------------------------------------------------------------------------------------- */

static const char *span_text(const pcm_reports *reports, pcm_span span)
{
    return pcm_span_text(reports->sources, span);
}

/* A material belongs to one surface: with patterns an object could have several. */
static void check_name(pcm_reports *reports, pcm_span name, const char *text)
{
    pcm_check_name(reports, name);
    if (*span_text(reports, name) == '"' && pcm_is_pattern(text))
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_MATERIAL_NAME, name,
                       "a material belongs to the surface of its name, which is no pattern: write a Surface line for "
                       "the objects");
}

bool pcm_materials_add(pcm_context *context, pcm_materials *materials, pcm_reports *reports,
                       const pcm_material_node *node)
{
    const pcm_span span = pcm_span_unquoted(reports->sources, node->name);
    const uint32_t known = materials->names.count;
    const uint32_t number = pcm_names_add(&materials->names, span_text(reports, span), span.length);
    if (number == PCM_NO_NAME)
        return false;
    const char *name = pcm_names_text(&materials->names, number);
    if (number < known) {
        pcm_message *report =
            pcm_report_add(reports, PCM_ERROR, PCM_MSG_DUPLICATE_MATERIAL, node->name,
                           "there is a Material '%s' already; write all of its properties in one", name);
        pcm_report_note(reports, report, materials->list[number]->place, "first defined here");
        return true;
    }
    check_name(reports, node->name, name);
    pcm_material *material = pcm_arena_take(materials->arena, sizeof *material);
    if (material == NULL ||
        !pcm_grow(context, &materials->list, &materials->capacity, number + 1, sizeof *materials->list))
        return false;
    *material = (pcm_material){.node = node, .place = node->name};
    materials->list[number] = material;
    return true;
}

void pcm_materials_free(pcm_context *context, pcm_materials *materials)
{
    pcm_free(context, materials->list, materials->capacity * sizeof *materials->list);
    pcm_free(context, materials->readers, materials->reader_capacity * sizeof *materials->readers);
    pcm_names_free(&materials->names);
    pcm_names_free(&materials->properties);
}

/* ---- Properties ------------------------------------------------------------------------------------------------- */

static void report_units(pcm_reports *reports, const pcm_reader_of *first, const pcm_reader_of *reader)
{
    pcm_message *report =
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_PROPERTY_UNITS, reader->type,
                       "%s reads the property '%s' of materials in [%s], and %s reads it in [%s]", reader->model->name,
                       reader->param->name, reader->param->unit, first->model->name, first->param->unit);
    pcm_report_note(reports, report, first->type, "the other contact type");
}

uint32_t pcm_materials_read_by(pcm_context *context, pcm_materials *materials, pcm_reports *reports,
                               const pcm_reader_of *reader)
{
    const char    *name = reader->param->name;
    const uint32_t number = pcm_names_add(&materials->properties, name, strlen(name));
    if (number == PCM_NO_NAME ||
        !pcm_grow(context, &materials->readers, &materials->reader_capacity, number + 1, sizeof *materials->readers))
        return PCM_NO_NAME;
    pcm_reader_of **end = &materials->readers[number];
    if (*end != NULL && !pcm_units_agree((*end)->param->unit, reader->param->unit))
        report_units(reports, *end, reader);
    for (; *end != NULL; end = &(*end)->next)
        if ((*end)->param == reader->param)
            return number;
    pcm_reader_of *added = pcm_arena_take(materials->arena, sizeof *added);
    if (added == NULL)
        return PCM_NO_NAME;
    *added = *reader;
    *end = added;
    return number;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* A word is one if a Let has its name. */
static bool is_number(const pcm_value_reader *reader, const pcm_value_node *value)
{
    bool exists = true;
    if (value->kind == PCM_VALUE_WORD)
        (void)pcm_lets_find(reader, value->span, &exists);
    return exists &&
           (value->kind == PCM_VALUE_NUMBER || value->kind == PCM_VALUE_EXPRESSION || value->kind == PCM_VALUE_WORD);
}

/* Adds a note of the first contact type that has a parameter of the property's name for itself. */
static void note_param(const pcm_config *config, pcm_reports *reports, pcm_message *report, pcm_span property)
{
    const char *text = span_text(reports, property);
    for (uint32_t i = 0; i < config->n_types; i++) {
        const pcm_type_info *type = &config->types[i]->info;
        if (pcm_param_find(type->model, text, property.length) == type->model->params.count)
            continue;
        pcm_report_note(reports, report, pcm_type_place(config->types[i]),
                        "%s does not take its parameter '%.*s' from materials: set it in '%s', or in one contact type "
                        "for each pair of materials",
                        type->model->name, pcm_shown(property.length), text, type->name);
        return;
    }
}

/* A misspelt name of a property that the material lacks is an error. Other properties that no contact type here reads
 * may serve other files. */
static void report_unread(const pcm_config *config, const pcm_value_reader *reader, const pcm_material *material,
                          const pcm_param_node *node, bool again)
{
    const pcm_materials *materials = &config->materials;
    const char          *text = span_text(reader->reports, node->name);
    pcm_suggestion       suggestion = pcm_suggest(text, node->name.length);
    pcm_symbol           symbol = pcm_symbol_of(text, node->name.length);
    pcm_quantity         quantity;
    for (uint32_t i = 0; i < materials->properties.count; i++) {
        const char *known = pcm_names_text(&materials->properties, i);
        if (material->stated[i].value.written && !again)
            continue;
        pcm_suggest_try(&suggestion, known, strlen(known));
        pcm_symbol_try(&symbol, known);
    }
    pcm_symbol_suggest(&symbol, &suggestion);
    if ((is_number(reader, &node->value) && !pcm_param_quantity(reader, node, &quantity)) || reader->incomplete ||
        reader->types_lost)
        return;
    const bool   slip = suggestion.best != NULL;
    pcm_message *report = pcm_report_add(reader->reports, slip ? PCM_ERROR : PCM_WARNING,
                                         slip ? PCM_MSG_UNKNOWN_PROPERTY : PCM_MSG_UNREAD_PROPERTY, node->name,
                                         "no contact type of this file reads the property '%.*s' of materials%s%s%s",
                                         pcm_shown(node->name.length), text, PCM_DID_YOU_MEAN(suggestion));
    if (!slip && symbol.name != NULL)
        pcm_report_note(reader->reports, report, node->name, "laws call it '%s'", symbol.name);
    else if (!slip)
        note_param(config, reader->reports, report, node->name);
    pcm_report_fix_case(reader->reports, report, node->name, &suggestion);
}

/* Evaluates the node, and checks it against the ranges of all laws that read the property. */
static void take(const pcm_materials *materials, const pcm_value_reader *reader, pcm_stated *stated,
                 const pcm_param_node *node, uint32_t number)
{
    const pcm_reader_of *law = materials->readers[number];
    pcm_value            value = pcm_kind_default(law->param);
    if (!pcm_value_read(reader, node, &value))
        return;
    for (law = law->next; law != NULL; law = law->next) {
        pcm_value other = pcm_kind_default(law->param);
        if (!pcm_value_read(reader, node, &other))
            return;
    }
    value.written = true;
    value.place = pcm_span_place(reader->reports->sources, node->value.span);
    *stated = (pcm_stated){value, node->value.span};
}

static void read_property(const pcm_config *config, const pcm_value_reader *reader, pcm_material *material,
                          const pcm_param_node *node, bool again)
{
    const pcm_materials *materials = &config->materials;
    const uint32_t       number =
        pcm_names_find(&materials->properties, span_text(reader->reports, node->name), node->name.length);
    if (number == PCM_NO_NAME) {
        report_unread(config, reader, material, node, again);
        return;
    }
    pcm_stated *stated = &material->stated[number];
    if (stated->value.written && !again) {
        pcm_message *report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_DUPLICATE_PARAMETER, node->name,
                                             "'%s' is set already", stated->value.param->name);
        pcm_report_note(reader->reports, report, stated->place, "first set here");
        return;
    }
    take(materials, reader, stated, node, number);
}

/* The material that a statement names; NULL: there is none. */
static pcm_material *find_material(const pcm_materials *materials, const pcm_sources *sources, pcm_span name)
{
    const pcm_span span = pcm_span_unquoted(sources, name);
    const uint32_t number = pcm_names_find(&materials->names, pcm_span_text(sources, span), span.length);
    return number == PCM_NO_NAME ? NULL : materials->list[number];
}

bool pcm_material_states(const pcm_materials *materials, const pcm_sources *sources, const pcm_material *material,
                         pcm_span property)
{
    const char *text = pcm_span_text(sources, property);
    for (int depth = 0; material != NULL && depth < PCM_DEFINITIONS_DEEP; depth++) {
        for (const pcm_param_node *node = material->node->params; node != NULL; node = node->next)
            if (node->name.length == property.length &&
                memcmp(pcm_span_text(sources, node->name), text, property.length) == 0)
                return true;
        const pcm_span base = material->node->base;
        material = base.length == 0 ? NULL : find_material(materials, sources, base);
    }
    return false;
}

static void report_no_base(const pcm_materials *materials, const pcm_value_reader *reader, pcm_span base)
{
    const pcm_span span = pcm_span_unquoted(reader->reports->sources, base);
    const char    *text = span_text(reader->reports, span);
    pcm_suggestion suggestion = pcm_suggest(text, span.length);
    const bool     pattern = memchr(text, '*', span.length) != NULL || memchr(text, '?', span.length) != NULL;
    for (uint32_t i = 0; i < materials->names.count; i++)
        pcm_suggest_try(&suggestion, pcm_names_text(&materials->names, i),
                        strlen(pcm_names_text(&materials->names, i)));
    if (reader->incomplete)
        return;
    pcm_message *report = pcm_report_add(
        reader->reports, PCM_ERROR, PCM_MSG_UNKNOWN_MATERIAL, base, "there is no Material '%.*s'%s%s%s%s",
        pcm_shown(span.length), text, PCM_DID_YOU_MEAN(suggestion),
        pattern ? "; objects get the surface of that name by: Surface NAME = \"...\";" : "");
    pcm_report_fix_case(reader->reports, report, base, &suggestion);
}

static void read_material(const pcm_config *config, const pcm_value_reader *reader, pcm_material *material);

/* The material that this one is made from, once its properties are known; NULL: none, or an error, which is reported.
 */
static const pcm_material *read_base(const pcm_config *config, const pcm_value_reader *reader,
                                     const pcm_material *material)
{
    const pcm_materials *materials = &config->materials;
    const pcm_span       name = material->node->base;
    pcm_material        *base = name.length == 0 ? NULL : find_material(materials, reader->reports->sources, name);
    pcm_value_reader     deeper = *reader;
    deeper.depth++;
    if (name.length == 0)
        return NULL;
    if (base == NULL) {
        report_no_base(materials, reader, name);
        return NULL;
    }
    base->derived = true;
    if (base->state == PCM_MATERIAL_OPEN) {
        pcm_message *report =
            pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_CYCLE, name, "'%.*s' is made from itself",
                           pcm_shown(name.length), span_text(reader->reports, name));
        pcm_report_note(reader->reports, report, base->place, "it is made here");
        return NULL;
    }
    if (base->state == PCM_MATERIAL_UNREAD && reader->depth == PCM_DEFINITIONS_DEEP) {
        pcm_report_too_deep(reader, name);
        return NULL;
    }
    read_material(config, &deeper, base);
    return base;
}

/* A property that neither the statement nor a setting gives is that of the material that this one is made from. */
static void read_material(const pcm_config *config, const pcm_value_reader *reader, pcm_material *material)
{
    const pcm_materials *materials = &config->materials;
    if (material->state != PCM_MATERIAL_UNREAD)
        return;
    material->state = PCM_MATERIAL_OPEN;
    material->stated = pcm_arena_take(materials->arena, (materials->properties.count + 1) * sizeof *material->stated);
    if (material->stated == NULL) {
        reader->reports->no_memory = true;
        return;
    }
    for (const pcm_param_node *node = material->node->params; node != NULL; node = node->next)
        read_property(config, reader, material, node, false);
    for (const pcm_setting *setting = material->settings; setting != NULL; setting = setting->next)
        read_property(config, reader, material, &setting->param, true);
    const pcm_material *base = read_base(config, reader, material);
    for (uint32_t i = 0; base != NULL && base->stated != NULL && i < materials->properties.count; i++)
        if (!material->stated[i].value.written)
            material->stated[i] = base->stated[i];
    material->state = PCM_MATERIAL_DONE;
}

/* ---- Surfaces that move on their bodies -------------------------------------------------------------------------- */

/* Properties that worlds read, not laws. */
enum { VELOCITY, SPIN, MOTIONS };
#define MOTION(name_, unit_, doc_)                                                                                     \
    {                                                                                                                  \
        .name = (name_), .unit = (unit_), .doc = (doc_), .min = -INFINITY, .max = INFINITY, .kind = PCM_KIND_LIST      \
    }
static const pcm_param motions[MOTIONS] = {
    [VELOCITY] = MOTION("SurfaceVelocity", "m/s", "velocity of the surface on its body, in the body's axes"),
    [SPIN] = MOTION("SurfaceSpin", "rad/s", "angular velocity of the surface on its body, about the body's origin"),
};
static const pcm_model worlds = {.name = "PCM"};

bool pcm_materials_read_motion(pcm_context *context, pcm_materials *materials, pcm_reports *reports)
{
    for (size_t i = 0; i < MOTIONS && materials->names.count > 0; i++) {
        const pcm_reader_of reader = {.param = &motions[i], .model = &worlds, .type = materials->list[0]->place};
        if (pcm_materials_read_by(context, materials, reports, &reader) == PCM_NO_NAME)
            return false;
    }
    return true;
}

static const pcm_stated *motion_of(const pcm_config *config, uint32_t material, size_t which)
{
    const pcm_materials *materials = &config->materials;
    const char          *name = motions[which].name;
    const uint32_t       number =
        material == PCM_NO_NAME ? PCM_NO_NAME : pcm_names_find(&materials->properties, name, strlen(name));
    const pcm_stated *stated = number == PCM_NO_NAME ? NULL : &materials->list[material]->stated[number];
    return stated != NULL && stated->value.written && stated->value.list.count == 3 ? stated : NULL;
}

bool pcm_material_moves(const pcm_config *config, uint32_t material)
{
    return motion_of(config, material, VELOCITY) != NULL || motion_of(config, material, SPIN) != NULL;
}

pcm_twist pcm_material_velocity(const pcm_config *config, uint32_t material)
{
    const pcm_stated *velocity = motion_of(config, material, VELOCITY);
    const pcm_stated *spin = motion_of(config, material, SPIN);
    pcm_twist         twist = {{0}, {0}};
    for (size_t k = 0; k < 3; k++) {
        twist.linear[k] = velocity == NULL ? 0 : velocity->value.list.values[k];
        twist.angular[k] = spin == NULL ? 0 : spin->value.list.values[k];
    }
    return twist;
}

/* A vector has three numbers. */
static void check_motion(pcm_reports *reports, const pcm_param *motion, const pcm_stated *stated)
{
    if (stated->value.written && stated->value.param == motion && stated->value.list.count != 3)
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_WRONG_KIND, stated->place,
                       "'%s' must be a list of three numbers, along x, y and z of the body: (0.5, 0, 0) [%s]",
                       motion->name, motion->unit);
}

void pcm_materials_finish(const pcm_config *config, const pcm_value_reader *reader)
{
    const pcm_materials *materials = &config->materials;
    for (uint32_t i = 0; i < materials->names.count && !reader->reports->no_memory; i++)
        read_material(config, reader, materials->list[i]);
    for (uint32_t i = 0; i < materials->names.count && !reader->reports->no_memory; i++)
        for (size_t k = 0; k < MOTIONS; k++)
            check_motion(reader->reports, &motions[k],
                         &materials->list[i]->stated[pcm_names_find(&materials->properties, motions[k].name,
                                                                    strlen(motions[k].name))]);
}

/* ---- Materials of surfaces -------------------------------------------------------------------------------------- */

static bool is_surface_of_file(const pcm_surfaces *surfaces, const char *name, pcm_suggestion *like)
{
    for (uint32_t i = 0; i < surfaces->count; i++) {
        if (strcmp(surfaces->list[i].name, name) == 0)
            return true;
        pcm_suggest_try(like, surfaces->list[i].name, strlen(surfaces->list[i].name));
    }
    return false;
}

/* The simulator's surfaces are not known here. Without a rule for surfaces, or with one for all objects, any surface
 * may exist, so only a name that resembles another is reported. */
static void check_use(const pcm_material *material, const char *name, const pcm_rules *rules,
                      const pcm_surfaces *surfaces, pcm_reports *reports)
{
    pcm_suggestion like;
    const bool     named = pcm_surface_is_named(rules, name, &like);
    if (named || material->derived || is_surface_of_file(surfaces, name, &like))
        return;
    const bool any = rules->default_rule != 0 || rules->sides[PCM_OBJECT_PAIR].names.count > 0;
    if (like.best != NULL || !any)
        pcm_report_add(reports, PCM_WARNING, PCM_MSG_UNUSED_MATERIAL, material->place,
                       "no rule and no Surface line names a surface '%s'%s%s%s", name, PCM_DID_YOU_MEAN(like));
}

/* Two lines for the same objects. Elsewhere the later one wins, but two materials for one object are a mistake. */
static void check_double(const pcm_materials *materials, const pcm_surfaces *surfaces, uint32_t index,
                         pcm_reports *reports)
{
    const pcm_surface_line *line = &surfaces->list[index];
    for (uint32_t i = 0; i < index; i++) {
        const pcm_surface_line *first = &surfaces->list[i];
        const bool same = strcmp(first->pattern, line->pattern) == 0 && strcmp(first->name, line->name) != 0;
        if (!same || pcm_names_find(&materials->names, first->name, strlen(first->name)) == PCM_NO_NAME)
            continue;
        pcm_message *report = pcm_report_add(reports, PCM_ERROR, PCM_MSG_TWO_MATERIALS, line->place,
                                             "'%s' has the material '%s' already; it cannot have '%s' too",
                                             line->pattern, first->name, line->name);
        pcm_report_note(reports, report, first->place, "first given here");
        return;
    }
}

void pcm_materials_check(const pcm_materials *materials, const pcm_rules *rules, const pcm_surfaces *surfaces,
                         pcm_reports *reports)
{
    enum { MOST = 4096 }; /* the work grows with the square of the number of lines */
    for (uint32_t i = 0; i < materials->names.count && materials->names.count <= MOST; i++)
        check_use(materials->list[i], pcm_names_text(&materials->names, i), rules, surfaces, reports);
    for (uint32_t i = 0; i < surfaces->count && surfaces->count <= MOST; i++)
        if (pcm_names_find(&materials->names, surfaces->list[i].name, strlen(surfaces->list[i].name)) != PCM_NO_NAME)
            check_double(materials, surfaces, i, reports);
}
