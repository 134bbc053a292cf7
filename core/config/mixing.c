/* SPDX-License-Identifier: MIT */
#include "mixing.h"
#include "kinds.h"
#include "lacks.h"
#include "type_make.h"
#include <pcm/materials.h>
#include <pcm/messages.h>

#include <math.h>

/* ---- Properties of a model -------------------------------------------------------------------------------------- */

enum { BEHIND_MODULUS = 2 };

static const pcm_param elastic[BEHIND_MODULUS] = {
    {.name = "YoungModulus",
     .unit = "Pa",
     .doc = "elastic modulus in tension",
     .max = INFINITY,
     .flags = PCM_REQUIRED | PCM_OPEN_MIN},
    {.name = "PoissonRatio",
     .unit = "1",
     .doc = "transverse contraction over extension in tension",
     .min = -1,
     .max = 0.5,
     .flags = PCM_REQUIRED | PCM_OPEN_MIN},
};

/* The properties that a standard mixing rule reads for a parameter; *count of them. */
static const pcm_param *properties_behind(const pcm_param *param, size_t *count)
{
    const bool modulus = param->mix == PCM_MIX_MODULUS || param->mix == PCM_MIX_SHEAR;
    *count = param->mix == PCM_MIX_NONE || param->mix == PCM_MIX_BY_LAW ? 0 : modulus ? BEHIND_MODULUS : 1;
    return modulus ? elastic : param;
}

/* One law: the only one of a model, or one of its parts. */
typedef struct pcm_piece {
    const pcm_model *model;
    size_t           params; /* where its parameters begin in the parameter block of the sum */
    uint32_t         first_param;
} pcm_piece;

static uint32_t piece_count(const pcm_model *model)
{
    const pcm_parts *parts = pcm_parts_of(model);
    return parts == NULL ? 1 : parts->count;
}

static pcm_piece piece_at(const pcm_model *model, uint32_t index)
{
    const pcm_parts *parts = pcm_parts_of(model);
    const pcm_part  *part = parts == NULL ? NULL : &parts->part[index];
    return part == NULL ? (pcm_piece){model, 0, 0} : (pcm_piece){part->model, part->params, part->first_param};
}

/* Selects reads: all that a model may make, or, with the values of a contact type, those that it needs. */
typedef struct pcm_reads {
    const pcm_model *model;
    const pcm_value *values; /* of the model's parameters; NULL: all reads are wanted */
} pcm_reads;

/* Whether the condition `when` of a part's parameter holds. */
static bool holds(const pcm_reads *reads, const pcm_piece *piece, const char *when)
{
    return reads->values == NULL || pcm_values_when(piece->model, reads->values + piece->first_param, when);
}

/* Whether the contact type gives a part's parameter no value. */
static bool waits(const pcm_reads *reads, const pcm_piece *piece, uint32_t i)
{
    const pcm_param *param = pcm_model_param(piece->model, i);
    return param->mix != PCM_MIX_NONE && holds(reads, piece, param->when) &&
           (reads->values == NULL || !reads->values[piece->first_param + i].written);
}

static bool waits_for_law(const pcm_reads *reads, const pcm_piece *piece)
{
    for (uint32_t i = 0; i < piece->model->params.count; i++)
        if (pcm_model_param(piece->model, i)->mix == PCM_MIX_BY_LAW && waits(reads, piece, i))
            return true;
    return false;
}

/* Read number *n of a part, or NULL, and then *n is reduced by the number of its reads. */
static const pcm_param *read_of_piece(const pcm_reads *reads, const pcm_piece *piece, size_t *n)
{
    for (uint32_t i = 0; waits_for_law(reads, piece) && i < piece->model->sides.count; i++) {
        const pcm_param *side = pcm_table_entry(&piece->model->sides, i);
        if (holds(reads, piece, side->when) && (*n)-- == 0)
            return side;
    }
    for (uint32_t i = 0; i < piece->model->params.count; i++) {
        size_t           count;
        const pcm_param *behind = properties_behind(pcm_model_param(piece->model, i), &count);
        count = waits(reads, piece, i) ? count : 0;
        if (*n < count)
            return &behind[*n];
        *n -= count;
    }
    return NULL;
}

/* Read number n; a property may occur several times. NULL: there are fewer. */
static const pcm_param *read_at(const pcm_reads *reads, size_t n)
{
    const pcm_param *found = NULL;
    for (uint32_t p = 0; p < piece_count(reads->model) && found == NULL; p++) {
        const pcm_piece piece = piece_at(reads->model, p);
        found = read_of_piece(reads, &piece, &n);
    }
    return found;
}

static bool is_read_before(const pcm_reads *reads, size_t n)
{
    const char *name = read_at(reads, n)->name;
    size_t      i = 0;
    while (i < n && strcmp(read_at(reads, i)->name, name) != 0)
        i++;
    return i < n;
}

/* Lists each property once. */
static size_t list_properties(const pcm_reads *reads, const pcm_param **properties, size_t capacity)
{
    size_t           count = 0;
    const pcm_param *read;
    for (size_t n = 0; (read = read_at(reads, n)) != NULL; n++) {
        if (is_read_before(reads, n))
            continue;
        if (count < capacity)
            properties[count] = read;
        count++;
    }
    return count;
}

size_t pcm_model_properties(const pcm_model *model, const pcm_param **properties, size_t capacity)
{
    return list_properties(&(pcm_reads){model, NULL}, properties, capacity);
}

/* ---- Properties of a contact type ------------------------------------------------------------------------------- */

static pcm_reads reads_of(const pcm_type *type) { return (pcm_reads){type->info.model, type->values}; }

void pcm_mixing_start(pcm_type *type, pcm_reports *reports)
{
    const pcm_reads reads = reads_of(type);
    const size_t    count = list_properties(&reads, NULL, 0);
    pcm_arena      *arena = &type->config->arena;
    pcm_mixing     *mixing = pcm_arena_take(arena, sizeof *mixing);
    if (mixing != NULL) {
        mixing->properties = pcm_arena_take(arena, count * sizeof *mixing->properties);
        mixing->numbers = pcm_arena_take(arena, count * sizeof *mixing->numbers);
    }
    if (mixing == NULL || mixing->properties == NULL || mixing->numbers == NULL) {
        reports->no_memory = true;
        return;
    }
    mixing->count = (uint32_t)list_properties(&reads, mixing->properties, count);
    type->mixing = mixing;
}

/* Every read counts, since laws may have different ranges for one property. */
bool pcm_mixing_register(pcm_type *type, pcm_reports *reports)
{
    pcm_config     *config = type->config;
    const pcm_reads reads = reads_of(type);
    pcm_reader_of   reader = {.model = type->info.model, .type = pcm_type_place(type)};
    for (size_t n = 0; (reader.param = read_at(&reads, n)) != NULL; n++)
        if (pcm_materials_read_by(config->context, &config->materials, reports, &reader) == PCM_NO_NAME)
            return false;
    for (uint32_t i = 0; i < type->mixing->count; i++) {
        const char *name = type->mixing->properties[i]->name;
        type->mixing->numbers[i] = pcm_names_find(&config->materials.properties, name, strlen(name));
    }
    return true;
}

/* ---- Sides ------------------------------------------------------------------------------------------------------ */

static const pcm_stated *stated_by(const pcm_meeting *meeting, size_t index, size_t side)
{
    const pcm_stated *stated =
        meeting->side[side] == NULL ? NULL : &meeting->side[side]->stated[meeting->type->mixing->numbers[index]];
    return stated != NULL && stated->value.written ? stated : NULL;
}

static bool is_stated(const pcm_meeting *meeting, size_t index)
{
    return stated_by(meeting, index, 0) != NULL || stated_by(meeting, index, 1) != NULL;
}

bool pcm_needs_materials(const pcm_config *config, const pcm_param *param)
{
    const bool modulus = param->mix == PCM_MIX_MODULUS || param->mix == PCM_MIX_SHEAR;
    return param->flags & PCM_REQUIRED || (modulus && config->materials.names.count > 0);
}

bool pcm_meeting_matters(const pcm_meeting *meeting)
{
    bool matters = meeting->type->info.params == NULL;
    for (uint32_t i = 0; i < meeting->type->mixing->count && !matters; i++)
        matters = is_stated(meeting, i);
    return matters;
}

pcm_value pcm_meeting_side(const pcm_meeting *meeting, size_t index, size_t side)
{
    const pcm_param  *property = meeting->type->mixing->properties[index];
    const pcm_stated *stated = stated_by(meeting, index, side);
    pcm_value         value = stated == NULL ? pcm_kind_default(property) : stated->value;
    value.param = property;
    if (stated == NULL && property->flags & PCM_REQUIRED)
        value.number = NAN;
    return value;
}

static size_t index_of(const pcm_mixing *mixing, const char *name)
{
    size_t i = 0;
    while (strcmp(mixing->properties[i]->name, name) != 0)
        i++;
    return i;
}

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

/* One mixing while it is evaluated. */
typedef struct pcm_mixer {
    const pcm_meeting *meeting;
    pcm_reads          reads;
    pcm_value         *values;
    pcm_reports       *reports;
    pcm_lacks         *lacks;
    pcm_message       *refusal;
} pcm_mixer;

static const char *model_name(const pcm_mixer *mixer) { return mixer->meeting->type->info.model->name; }

/* The other places that a report about both sides mentions in notes. */
static void note_sides(const pcm_mixer *mixer, pcm_message *report)
{
    const pcm_meeting *meeting = mixer->meeting;
    for (size_t side = 0; side < 2; side++)
        if (meeting->side[side] != NULL && (side == 0 || meeting->side[1] != meeting->side[0]))
            pcm_report_note(mixer->reports, report, meeting->side[side]->place, "the material '%s'",
                            meeting->name[side]);
    if (meeting->rule.length > 0)
        pcm_report_note(mixer->reports, report, meeting->rule, "the rule");
}

static void report_number(const pcm_mixer *mixer, const pcm_param *param, double number, const char *why)
{
    const pcm_meeting *meeting = mixer->meeting;
    const bool         bare = strcmp(param->unit, "1") == 0;
    pcm_message       *report = pcm_report_add(mixer->reports, PCM_ERROR, PCM_MSG_MIXING, pcm_type_place(meeting->type),
                                               "between '%s' and '%s', '%s' of %s comes to %s%s%s, which is %s",
                                               meeting->name[0], meeting->name[1], param->name, model_name(mixer),
                                               pcm_number(number, 9).text, bare ? "" : " ", bare ? "" : param->unit, why);
    note_sides(mixer, report);
}

/* ---- Mixing ----------------------------------------------------------------------------------------------------- */

static bool in_range(const pcm_param *param, double number)
{
    const bool low = number < param->min || (number == param->min && param->flags & PCM_OPEN_MIN);
    const bool high = number > param->max || (number == param->max && param->flags & PCM_OPEN_MAX);
    return !low && !high;
}

static void take_number(const pcm_mixer *mixer, pcm_value *value, double number)
{
    value->number = number;
    value->mixed = true;
    if (!isfinite(number))
        report_number(mixer, value->param, number, "not a finite number");
    else if (!in_range(value->param, number))
        report_number(mixer, value->param, number, "out of its range");
}

/* The value of a property on a side; the parameter needs it or, if that is NULL, the whole law. */
static bool find_number(pcm_mixer *mixer, const char *property, size_t side, const pcm_param *param, double *number)
{
    const pcm_mixing *mixing = mixer->meeting->type->mixing;
    const size_t      index = index_of(mixing, property);
    *number = pcm_meeting_side(mixer->meeting, index, side).number;
    if (isnan(*number))
        pcm_lacks_add(mixer->lacks, mixer->meeting, side, mixing->properties[index], param);
    return !isnan(*number);
}

static double mix_usual(uint32_t mix, const double a[BEHIND_MODULUS], const double b[BEHIND_MODULUS])
{
    switch (mix) {
    case PCM_MIX_MEAN:
        return pcm_mean(a[0], b[0]);
    case PCM_MIX_GEOMETRIC:
        return pcm_geometric_mean(a[0], b[0]);
    case PCM_MIX_HARMONIC:
        return pcm_harmonic_mean(a[0], b[0]);
    case PCM_MIX_MINIMUM:
        return pcm_min(a[0], b[0]);
    case PCM_MIX_MAXIMUM:
        return pcm_max(a[0], b[0]);
    case PCM_MIX_MODULUS:
        return pcm_reduced_modulus(a[0], a[1], b[0], b[1]);
    default: /* PCM_MIX_SHEAR */
        return pcm_reduced_shear_modulus(a[0], a[1], b[0], b[1]);
    }
}

/* A parameter keeps its default if neither material has the property, unless its value must come from materials. */
static void mix_param(pcm_mixer *mixer, const pcm_piece *piece, uint32_t i)
{
    const pcm_param *param = pcm_model_param(piece->model, i);
    size_t           count;
    const pcm_param *behind = properties_behind(param, &count);
    double           number[2][BEHIND_MODULUS] = {{0}};
    bool             wanted = pcm_needs_materials(mixer->meeting->type->config, param), complete = true;
    for (size_t k = 0; k < count; k++)
        wanted |= is_stated(mixer->meeting, index_of(mixer->meeting->type->mixing, behind[k].name));
    for (size_t k = 0; wanted && k < 2 * count; k++)
        complete &= find_number(mixer, behind[k / 2].name, k % 2, param, &number[k % 2][k / 2]);
    if (count > 0 && wanted && complete)
        take_number(mixer, &mixer->values[piece->first_param + i], mix_usual(param->mix, number[0], number[1]));
}

/* ---- Mixing by the law ------------------------------------------------------------------------------------------ */

static void take_refusal(const pcm_setup *setup, const char *param, const char *message)
{
    pcm_mixer *mixer = setup->host;
    mixer->refusal =
        pcm_report_add(mixer->reports, PCM_ERROR, PCM_MSG_MIXING, pcm_type_place(mixer->meeting->type),
                       "%s%s%s, between '%s' and '%s'", param == NULL ? "" : param, param == NULL ? "" : ": ",
                       message == NULL ? "rejected" : message, mixer->meeting->name[0], mixer->meeting->name[1]);
    note_sides(mixer, mixer->refusal);
}

/* The property struct of one side; NULL: something is missing. */
static void *fill_side(pcm_mixer *mixer, const pcm_piece *piece, size_t side)
{
    const pcm_table *table = &piece->model->sides;
    void            *block = pcm_arena_take(&mixer->reports->arena, ((const pcm_param *)table->entries)->params_size);
    bool             complete = block != NULL;
    mixer->reports->no_memory |= block == NULL;
    for (uint32_t i = 0; block != NULL && i < table->count; i++) {
        const pcm_param *property = pcm_table_entry(table, i);
        pcm_value        value = pcm_kind_default(property);
        if (holds(&mixer->reads, piece, property->when))
            complete &= find_number(mixer, property->name, side, NULL, &value.number);
        pcm_value_write(block, &value);
    }
    return complete ? block : NULL;
}

/* The parameters of the sum, with those that the law mixes from the two sides in the given order; NULL: rejected. */
static const char *mixed_params(pcm_mixer *mixer, const pcm_piece *piece, const void *a, const void *b)
{
    char           *params = pcm_arena_take(&mixer->reports->arena, pcm_model_params_size(mixer->reads.model));
    const pcm_setup setup = {sizeof setup, mixer, take_refusal};
    mixer->reports->no_memory |= params == NULL;
    for (uint32_t i = 0; params != NULL && i < piece->model->params.count; i++)
        pcm_value_write(params, &mixer->values[piece->first_param + i]);
    if (params == NULL)
        return NULL;
    const pcm_type *type = mixer->meeting->type;
    pcm_type_call_begin(type, "mix");
    const bool refused = piece->model->mix(&setup, params + piece->params, a, b) != 0;
    pcm_type_call_end(type);
    if (!refused)
        return params;
    if (mixer->refusal == NULL)
        take_refusal(&setup, NULL, "the law rejects these materials");
    return NULL;
}

static double field_of(const char *params, const pcm_value *value)
{
    double number;
    memcpy(&number, params + value->param->offset, sizeof number);
    return number;
}

static bool is_even(double straight, double swapped)
{
    static const double rounding = 1e-12;
    return straight == swapped || !(fabs(straight - swapped) > rounding * fabs(straight));
}

static void take_mixed(pcm_mixer *mixer, const pcm_piece *piece, const char *straight, const char *swapped)
{
    for (uint32_t i = 0; i < piece->model->params.count; i++) {
        pcm_value *value = &mixer->values[piece->first_param + i];
        if (value->param->mix != PCM_MIX_BY_LAW || !waits(&mixer->reads, piece, i))
            continue;
        take_number(mixer, value, field_of(straight, value));
        if (!is_even(value->number, field_of(swapped, value)))
            report_number(mixer, value->param, field_of(swapped, value),
                          "not what it comes to when they trade places: the law's mix is wrong");
    }
}

/* Whether a material has a property of the part, or a parameter has no default. */
static bool law_is_wanted(const pcm_mixer *mixer, const pcm_piece *piece)
{
    bool wanted = false;
    for (uint32_t i = 0; i < piece->model->params.count; i++) {
        const pcm_param *param = pcm_model_param(piece->model, i);
        wanted |= param->mix == PCM_MIX_BY_LAW && param->flags & PCM_REQUIRED && waits(&mixer->reads, piece, i);
    }
    for (uint32_t i = 0; i < piece->model->sides.count && !wanted; i++) {
        const pcm_param *property = pcm_table_entry(&piece->model->sides, i);
        wanted = holds(&mixer->reads, piece, property->when) &&
                 is_stated(mixer->meeting, index_of(mixer->meeting->type->mixing, property->name));
    }
    return wanted;
}

static void mix_by_law(pcm_mixer *mixer, const pcm_piece *piece)
{
    if (!waits_for_law(&mixer->reads, piece) || !law_is_wanted(mixer, piece))
        return;
    const void *a = fill_side(mixer, piece, 0), *b = fill_side(mixer, piece, 1);
    if (a == NULL || b == NULL)
        return;
    const char *straight = mixed_params(mixer, piece, a, b);
    const char *swapped = straight == NULL ? NULL : mixed_params(mixer, piece, b, a);
    if (swapped != NULL)
        take_mixed(mixer, piece, straight, swapped);
}

void pcm_meeting_mix(const pcm_meeting *meeting, pcm_value *values, pcm_reports *reports, pcm_lacks *lacks)
{
    pcm_mixer mixer = {
        .meeting = meeting, .reads = reads_of(meeting->type), .values = values, .reports = reports, .lacks = lacks};
    for (uint32_t p = 0; p < piece_count(meeting->type->info.model); p++) {
        const pcm_piece piece = piece_at(meeting->type->info.model, p);
        for (uint32_t i = 0; i < piece.model->params.count; i++)
            if (waits(&mixer.reads, &piece, i))
                mix_param(&mixer, &piece, i);
        mix_by_law(&mixer, &piece);
    }
}
