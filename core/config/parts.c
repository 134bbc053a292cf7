/* SPDX-License-Identifier: MIT */
#include "parts.h"
#include "contact_type.h"
#include "isa.h"
#include "units.h"

#include <stdio.h>

/* ---- Compatible parts ------------------------------------------------------------------------------------------- */

const char *pcm_part_lacks(const pcm_model *model)
{
    if (model->inputs & PCM_LOAD)
        return "reads the normal load of an earlier part";
    if (model->inputs & PCM_CONTACT_RADIUS)
        return "reads the contact radius of an earlier part";
    if (model->inputs & PCM_LOSS)
        return "reads what earlier parts dissipate";
    return NULL;
}

/* The number of columns and partials of all parts together. */
static const char *too_many(const pcm_model *const *models, uint32_t count)
{
    uint32_t states = 0, inputs = 0, events = 0, amounts = 0;
    for (uint32_t p = 0; p < count; p++) {
        for (uint32_t i = 0; i < models[p]->states.count; i++)
            states += pcm_columns_of(pcm_model_state(models[p], i)->shape);
        for (uint32_t i = 0; i < models[p]->host_inputs.count; i++)
            inputs += pcm_columns_of(pcm_model_host_input(models[p], i)->shape);
        events += models[p]->events.count;
        amounts += models[p]->amounts.count;
    }
    const bool many = states > PCM_MAX_COLUMNS || inputs > PCM_MAX_COLUMNS || events > PCM_MAX_COLUMNS;
    return many                        ? "makes more than 32 columns of states, host inputs or events"
           : amounts > PCM_MAX_AMOUNTS ? "makes more than 16 amounts of objects"
                                       : NULL;
}

/* Whether a part may have a loss that it does not declare. What writes no force only reads or warms. */
static bool hides_loss(const pcm_model *model)
{
    const bool reads = model->inputs & PCM_FROM_PARTS, pushes = model->outputs & (PCM_FRICTION | PCM_MOMENT);
    return (!reads || pushes) && !(model->outputs & PCM_DISSIPATION);
}

static bool later_reads_loss(const pcm_model *const *models, uint32_t at, uint32_t count)
{
    while (++at < count)
        if (models[at]->inputs & PCM_LOSS)
            return true;
    return false;
}

const char *pcm_parts_clash(const pcm_model *const *models, uint32_t count, uint32_t *at)
{
    uint32_t given = 0;
    for (*at = 0; *at < count; ++*at) {
        const pcm_model *model = models[*at];
        if (model->flags & PCM_HOST_CONTACT)
            return "leaves the pair to the simulator and cannot be a part";
        if (model->flags & PCM_BASE_AXES)
            return "gives its force along the base's axes and cannot be a part";
        if (model->inputs & PCM_LOAD && *at == 0)
            return "reads the normal load of an earlier part, but is the first";
        if (model->inputs & PCM_LOSS && *at == 0)
            return "reads what earlier parts dissipate, but is the first";
        if (model->inputs & PCM_CONTACT_RADIUS && !(given & PCM_PATCH_RADIUS))
            return "reads the contact radius, which no earlier part gives";
        for (uint32_t p = 0; p < *at; p++)
            if (models[p] == model)
                return "is listed twice";
        given |= model->outputs;
    }
    for (*at = 0; *at + 1 < count; ++*at)
        if (hides_loss(models[*at]) && later_reads_loss(models, *at, count))
            return "does not say what it dissipates, which a later part reads; give it the output PCM_DISSIPATION, or "
                   "write that part before it";
    return too_many(models, count);
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* A table of pcm_model whose entries begin with their name. */
typedef struct table_kind {
    size_t offset, size;
    bool   shared; /* parts with an entry of the same name share it */
} table_kind;

static const table_kind tables[] = {
    {offsetof(pcm_model, params), sizeof(pcm_param), false},
    {offsetof(pcm_model, states), sizeof(pcm_state), false},
    {offsetof(pcm_model, host_inputs), sizeof(pcm_host_input), false},
    {offsetof(pcm_model, events), sizeof(pcm_event), false},
    {offsetof(pcm_model, derived), sizeof(pcm_derived), false},
    {offsetof(pcm_model, amounts), sizeof(pcm_amount), true},
};
enum { TABLES = sizeof tables / sizeof *tables };

static pcm_table *table_of(pcm_model *model, size_t kind)
{
    return (pcm_table *)(void *)((char *)model + tables[kind].offset);
}

static const pcm_table *const_table_of(const pcm_model *model, size_t kind)
{
    return (const pcm_table *)(const void *)((const char *)model + tables[kind].offset);
}

static const char *const *name_at(const pcm_table *table, uint32_t i, size_t size)
{
    return (const char *const *)(const void *)((const char *)table->entries + i * size);
}

static bool table_has(const pcm_model *model, size_t kind, const char *name)
{
    const pcm_table *table = const_table_of(model, kind);
    for (uint32_t i = 0; i < table->count; i++)
        if (strcmp(*name_at(table, i, tables[kind].size), name) == 0)
            return true;
    return false;
}

/* Whether no other part has an entry of that name in the same table. */
static bool is_unique(const pcm_parts *parts, const pcm_part *own, size_t kind, const char *name)
{
    for (uint32_t p = 0; p < parts->count; p++)
        if (&parts->part[p] != own && table_has(parts->part[p].model, kind, name))
            return false;
    return true;
}

static const char *joined(pcm_arena *arena, const char *a, const char *middle, const char *b)
{
    const size_t length = strlen(a) + strlen(middle) + strlen(b);
    char        *text = pcm_arena_take(arena, length + 1);
    if (text)
        snprintf(text, length + 1, "%s%s%s", a, middle, b);
    return text;
}

/* The name in the sum: its own if that is unique, else Part.name. */
static const char *name_in_whole(pcm_arena *arena, const pcm_parts *parts, const pcm_part *part, size_t kind,
                                 const char *name)
{
    return is_unique(parts, part, kind, name) ? name : joined(arena, part->model->name, ".", name);
}

/* A `when` text, "Name=Word", with the parameter's name in the sum. */
static bool rename_when(pcm_arena *arena, const pcm_parts *parts, const pcm_part *part, const char **when)
{
    const char *equals = *when ? strchr(*when, '=') : NULL;
    if (!equals)
        return true;
    char *name = pcm_arena_text(arena, *when, (size_t)(equals - *when));
    if (!name)
        return false;
    const char *renamed = name_in_whole(arena, parts, part, 0, name);
    *when = !renamed ? NULL : renamed == name ? *when : joined(arena, renamed, "", equals);
    return *when;
}

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

/* Appends one table of one part to the sum's, with the names that the sum uses. */
static bool append(pcm_arena *arena, pcm_parts *parts, const pcm_part *part, size_t kind)
{
    const pcm_table *from = const_table_of(part->model, kind);
    pcm_table       *to = table_of(&parts->model, kind);
    const size_t     size = tables[kind].size;
    char            *entries = (char *)(uintptr_t)to->entries + to->count * size;
    if (from->count == 0)
        return true;
    memcpy(entries, from->entries, from->count * size);
    for (uint32_t i = 0; i < from->count && !tables[kind].shared; i++) {
        const char **name = (const char **)(void *)(entries + i * size);
        if (!(*name = name_in_whole(arena, parts, part, kind, *name)))
            return false;
    }
    to->count += from->count;
    return true;
}

typedef struct unit_names {
    pcm_arena       *arena;
    const pcm_parts *parts;
    const pcm_part  *part;
} unit_names;

static const char *exponent_in_whole(void *user, const char *name, size_t length)
{
    const unit_names *names = user;
    const char       *own = pcm_arena_text(names->arena, name, length);
    return own ? name_in_whole(names->arena, names->parts, names->part, 0, own) : NULL;
}

/* A unit, "N/m^Exponent", with the parameter's name in the sum. */
static bool rename_unit(pcm_arena *arena, const pcm_parts *parts, const pcm_part *part, const char **unit)
{
    unit_names names = {arena, parts, part};
    char       text[PCM_UNIT_SIZE];
    size_t     length;
    if (!pcm_unit_exponent_name(*unit, &length))
        return true;
    *unit = pcm_unit_replace_names(*unit, exponent_in_whole, &names, text) ? pcm_arena_text(arena, text, strlen(text))
                                                                           : NULL;
    return *unit;
}

static bool place_params(pcm_arena *arena, pcm_parts *parts, const pcm_part *part)
{
    pcm_param *params = (pcm_param *)(uintptr_t)parts->model.params.entries + part->first_param;
    for (uint32_t i = 0; i < part->model->params.count; i++) {
        params[i].offset += part->params;
        if (!rename_when(arena, parts, part, &params[i].when) || !rename_unit(arena, parts, part, &params[i].unit))
            return false;
    }
    pcm_host_input *inputs = (pcm_host_input *)(uintptr_t)parts->model.host_inputs.entries;
    for (uint32_t i = parts->model.host_inputs.count - part->model->host_inputs.count;
         i < parts->model.host_inputs.count; i++) {
        const char **fallback = &inputs[i].fallback;
        if (!rename_when(arena, parts, part, &inputs[i].when) ||
            (*fallback && !(*fallback = name_in_whole(arena, parts, part, 0, *fallback))))
            return false;
    }
    return true;
}

static bool start_tables(pcm_arena *arena, pcm_parts *parts)
{
    for (size_t kind = 0; kind < TABLES; kind++) {
        uint32_t count = 0;
        for (uint32_t p = 0; p < parts->count; p++)
            count += const_table_of(parts->part[p].model, kind)->count;
        void *entries = pcm_arena_take(arena, count * tables[kind].size);
        if (count > 0 && !entries)
            return false;
        *table_of(&parts->model, kind) = (pcm_table){entries, 0, (uint32_t)tables[kind].size};
    }
    return true;
}

static bool fill_tables(pcm_arena *arena, pcm_parts *parts)
{
    for (uint32_t p = 0; p < parts->count; p++) {
        for (size_t kind = 0; kind < TABLES; kind++)
            if (!append(arena, parts, &parts->part[p], kind))
                return false;
        if (!place_params(arena, parts, &parts->part[p]))
            return false;
    }
    return true;
}

/* ---- The parts -------------------------------------------------------------------------------------------------- */

static size_t rounded_up(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

static size_t own_params_size(const pcm_model *model)
{
    return model->params.count > 0 ? pcm_model_param(model, 0)->params_size : sizeof(double);
}

static uint32_t state_columns(const pcm_model *model)
{
    uint32_t columns = 0;
    for (uint32_t i = 0; i < model->states.count; i++)
        columns += pcm_columns_of(pcm_model_state(model, i)->shape);
    return columns;
}

static uint32_t input_columns(const pcm_model *model)
{
    uint32_t columns = 0;
    for (uint32_t i = 0; i < model->host_inputs.count; i++)
        columns += pcm_columns_of(pcm_model_host_input(model, i)->shape);
    return columns;
}

/* Assigns each part its range of entries, after those of the part before it. */
static void place_parts(pcm_parts *parts, const pcm_model *const *models)
{
    pcm_part next = {.params = rounded_up(sizeof(pcm_parts_block))};
    for (uint32_t p = 0; p < parts->count; p++) {
        const pcm_model *model = models[p];
        pcm_part        *part = &parts->part[p];
        *part = next;
        part->model = model;
        part->params_size = own_params_size(model);
        part->n_state = state_columns(model);
        part->n_host_input = input_columns(model);
        for (uint32_t isa = PCM_ISA_PLAIN; isa <= PCM_ISA_AVX512; isa++)
            part->kernels[isa] = pcm_model_kernels(model, isa);
        next = (pcm_part){
            .params = part->params + rounded_up(part->params_size),
            .first_param = part->first_param + model->params.count,
            .first_derived = part->first_derived + model->derived.count,
            .state = part->state + part->n_state,
            .host_input = part->host_input + part->n_host_input,
            .event = part->event + model->events.count,
            .amount = part->amount + model->amounts.count,
        };
        parts->shares |= (model->inputs & PCM_FROM_PARTS) != 0;
        parts->losses = model->inputs & PCM_LOSS ? p : parts->losses;
    }
}

/* ---- Partial derivatives ---------------------------------------------------------------------------------------- */

/* The partial with the sum's numbers of states and parameters. */
static pcm_partial in_whole(const pcm_part *part, pcm_partial own)
{
    if (own.output >= PCM_OUTPUT_RATE)
        own.output += part->state;
    if (own.wrt >= PCM_WRT_PARAM)
        own.wrt += part->first_param;
    else if (own.wrt >= PCM_WRT_STATE)
        own.wrt += part->state;
    return own;
}

static bool is_among(uint32_t number, uint32_t first, uint32_t count) { return number - first < count; }

static bool part_writes(const pcm_part *part, uint32_t output)
{
    if (output >= PCM_OUTPUT_RATE)
        return is_among(output - PCM_OUTPUT_RATE, part->state, part->n_state);
    if (output >= PCM_OUTPUT_MOMENT_N)
        return (part->model->outputs & PCM_MOMENT) != 0;
    return output == PCM_OUTPUT_FORCE_N || (part->model->outputs & PCM_FRICTION) != 0;
}

static bool part_sees(const pcm_part *part, uint32_t wrt)
{
    if (wrt >= PCM_WRT_PARAM)
        return is_among(wrt - PCM_WRT_PARAM, part->first_param, part->model->params.count);
    if (wrt >= PCM_WRT_STATE)
        return is_among(wrt - PCM_WRT_STATE, part->state, part->n_state);
    return (part->model->inputs & pcm_wrt_input(wrt)) != 0;
}

static bool part_gives(const pcm_part *part, pcm_partial partial)
{
    for (uint32_t i = 0; i < part->model->partials.count; i++) {
        const pcm_partial own = in_whole(part, *pcm_model_partial(part->model, i));
        if (own.output == partial.output && own.wrt == partial.wrt)
            return true;
    }
    return false;
}

/* Whether the partials of the parts add up to that of the sum: every part that depends on the variable gives its own,
 * and none depends on it through the loads of earlier parts, for which no partials exist. */
static bool is_sum(const pcm_parts *parts, pcm_partial partial)
{
    bool moved = false;
    for (uint32_t p = 0; p < parts->count; p++) {
        const pcm_part *part = &parts->part[p];
        const bool      loaded = moved && part->model->inputs & PCM_FROM_PARTS;
        const bool      sees = part_sees(part, partial.wrt);
        moved |= sees;
        if (part_writes(part, partial.output) && (loaded || (sees && !part_gives(part, partial))))
            return false;
    }
    return true;
}

/* The entry of the sum, made if it does not exist and there is room. */
static uint32_t find_partial(pcm_parts *parts, pcm_partial partial)
{
    pcm_table   *table = &parts->model.partials;
    pcm_partial *entries = (pcm_partial *)(uintptr_t)table->entries;
    for (uint32_t i = 0; i < table->count; i++)
        if (entries[i].output == partial.output && entries[i].wrt == partial.wrt)
            return i;
    if (table->count == PCM_MAX_PARTIALS || !is_sum(parts, partial))
        return PCM_NO_PARTIAL;
    entries[table->count] = partial;
    return table->count++;
}

static bool make_partials(pcm_arena *arena, pcm_parts *parts)
{
    void *entries = pcm_arena_take(arena, PCM_MAX_PARTIALS * sizeof(pcm_partial));
    parts->model.partials = (pcm_table){entries, 0, sizeof(pcm_partial)};
    for (uint32_t p = 0; entries && p < parts->count; p++) {
        pcm_part      *part = &parts->part[p];
        const uint32_t count = part->model->partials.count;
        uint32_t      *numbers = pcm_arena_take(arena, count * sizeof *numbers);
        if (!numbers && count > 0)
            return false;
        for (uint32_t i = 0; i < count; i++)
            numbers[i] = find_partial(parts, in_whole(part, *pcm_model_partial(part->model, i)));
        part->partial = numbers;
    }
    return entries;
}

/* ---- Functions of the sum --------------------------------------------------------------------------------------- */

/* Passes on a part's rejection with the parameter's name in the sum. */
typedef struct refusal {
    const pcm_setup *whole;
    const pcm_parts *parts;
    const pcm_part  *part;
} refusal;

static void report_of_part(const pcm_setup *setup, const char *param, const char *message)
{
    const refusal *r = setup->host;
    for (uint32_t i = 0; param && i < r->part->model->params.count; i++)
        if (strcmp(pcm_model_param(r->part->model, i)->name, param) == 0) {
            r->whole->report(r->whole, pcm_model_param(&r->parts->model, r->part->first_param + i)->name, message);
            return;
        }
    r->whole->report(r->whole, param, message);
}

static const pcm_parts *parts_of_block(const void *params) { return ((const pcm_parts_block *)params)->parts; }

static int prepare_parts(const pcm_setup *setup, void *params)
{
    pcm_parts_block *block = params;
    const pcm_parts *parts = block->parts;
    int              refused = 0;
    for (uint32_t p = 0; p < parts->count; p++) {
        const pcm_part *part = &parts->part[p];
        refusal         r = {setup, parts, part};
        const pcm_setup own = {sizeof own, &r, report_of_part};
        void           *own_params = (char *)params + part->params;
        if (part->model->prepare && part->model->prepare(&own, own_params) != 0)
            refused = 1;
        block->onset[p] = part->model->onset ? part->model->onset(own_params) : 0;
    }
    return refused;
}

/* The larger of two gaps. An invalid one is kept, for the caller to report. */
static double larger_gap(double gap, double most) { return gap >= 0 && gap <= most ? most : gap; }

static double reach_of_parts(const void *params)
{
    const pcm_parts *parts = parts_of_block(params);
    double           most = 0;
    for (uint32_t p = 0; p < parts->count; p++) {
        const pcm_part *part = &parts->part[p];
        if (part->model->reach)
            most = larger_gap(part->model->reach((const char *)params + part->params), most);
    }
    return most;
}

/* The part that adds friction, if it is the only one and declares which forces it can transmit; else NULL. */
static const pcm_part *part_with_shear(const pcm_parts *parts)
{
    const pcm_part *found = NULL;
    for (uint32_t p = 0; p < parts->count; p++)
        if (parts->part[p].model->outputs & PCM_FRICTION) {
            if (found)
                return NULL;
            found = &parts->part[p];
        }
    return found && found->model->shear ? found : NULL;
}

static void shear_of_parts(const void *params, double force_n, pcm_shear *set)
{
    const pcm_part *part = part_with_shear(parts_of_block(params));
    part->model->shear((const char *)params + part->params, force_n, set);
}

static double onset_of_parts(const void *params)
{
    const pcm_parts_block *block = params;
    double                 most = 0;
    for (uint32_t p = 0; p < block->parts->count; p++)
        most = larger_gap(block->onset[p], most);
    return most;
}

/* ---- The sum ---------------------------------------------------------------------------------------------------- */

static const char *joined_texts(pcm_arena *arena, const pcm_parts *parts, size_t field, const char *between)
{
    const char *text = NULL;
    for (uint32_t p = 0; p < parts->count; p++) {
        const char *own;
        memcpy(&own, (const char *)parts->part[p].model + field, sizeof own);
        if (!own)
            continue;
        text = text ? joined(arena, text, between, own) : own;
        if (!text)
            return NULL;
    }
    return text ? text : "";
}

static bool fill_model(pcm_arena *arena, pcm_parts *parts)
{
    pcm_model *whole = &parts->model;
    uint32_t   isotropic = PCM_ISOTROPIC, given = 0;
    bool       pairs = false;
    for (uint32_t p = 0; p < parts->count; p++) {
        const pcm_model *model = parts->part[p].model;
        isotropic &= model->flags;
        whole->flags |= model->flags & ~(uint32_t)PCM_ISOTROPIC;
        whole->inputs |= model->inputs & ~(uint32_t)PCM_FROM_PARTS;
        given |= model->outputs;
        pairs |= parts->part[p].kernels[PCM_ISA_PLAIN]->pair != NULL;
    }
    whole->flags |= isotropic;
    whole->size = sizeof *whole;
    whole->outputs = given;
    whole->name = joined_texts(arena, parts, offsetof(pcm_model, name), " + ");
    whole->summary = joined_texts(arena, parts, offsetof(pcm_model, summary), "; ");
    whole->version = joined_texts(arena, parts, offsetof(pcm_model, version), "+");
    whole->source = joined_texts(arena, parts, offsetof(pcm_model, source), "\n");
    whole->equations = joined_texts(arena, parts, offsetof(pcm_model, equations), "\n\n");
    whole->kernels =
        (pcm_table){pairs ? pcm_parts_pair_kernels : pcm_parts_kernels, PCM_PARTS_SETS, sizeof(pcm_kernel_set)};
    whole->prepare = prepare_parts;
    whole->reach = reach_of_parts;
    whole->onset = onset_of_parts;
    whole->shear = part_with_shear(parts) ? shear_of_parts : NULL;
    return whole->name && whole->summary && whole->version && whole->source && whole->equations;
}

const pcm_parts *pcm_parts_make(pcm_arena *arena, const pcm_model *const *models, uint32_t count)
{
    pcm_parts *parts = pcm_arena_take(arena, sizeof *parts);
    if (!parts)
        return NULL;
    parts->count = count;
    place_parts(parts, models);
    return fill_model(arena, parts) && start_tables(arena, parts) && fill_tables(arena, parts) &&
                   make_partials(arena, parts)
               ? parts
               : NULL;
}

const pcm_parts *pcm_parts_of(const pcm_model *model)
{
    return model->prepare == prepare_parts
               ? (const pcm_parts *)(const void *)((const char *)model - offsetof(pcm_parts, model))
               : NULL;
}

const pcm_part *pcm_part_of_param(const pcm_parts *parts, size_t index)
{
    uint32_t p = parts->count - 1;
    if (index >= parts->model.params.count)
        return NULL;
    while (index < parts->part[p].first_param)
        p--;
    return &parts->part[p];
}

double pcm_model_derive(const pcm_model *model, size_t index, const void *params, const pcm_load *load)
{
    const pcm_parts *parts = pcm_parts_of(model);
    uint32_t         p = parts ? parts->count - 1 : 0;
    while (parts && index < parts->part[p].first_derived)
        p--;
    return pcm_model_derived(model, index)->value((const char *)params + (parts ? parts->part[p].params : 0), load);
}

size_t pcm_model_params_size(const pcm_model *model)
{
    const pcm_parts *parts = pcm_parts_of(model);
    const pcm_part  *last = parts ? &parts->part[parts->count - 1] : NULL;
    return last ? last->params + last->params_size : own_params_size(model);
}
