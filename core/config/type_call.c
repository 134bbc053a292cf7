/* SPDX-License-Identifier: MIT */
#include "arithmetic.h"
#include "model.h"
#include "config.h"
#include "parts.h"
#include <pcm/bond.h>
#include <pcm/messages.h>

#include <string.h>

/* Lanes of one call of the law. Columns that replace missing ones have this length, and stay in the first-level cache.
 */
enum { PCM_CHUNK = 256 };

#define NAN_8  NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN
#define NAN_64 NAN_8, NAN_8, NAN_8, NAN_8, NAN_8, NAN_8, NAN_8, NAN_8

/* The value that a law reads from a column that it did not declare, or that the host does not give. */
static const double nothing[PCM_CHUNK] = {NAN_64, NAN_64, NAN_64, NAN_64};

/* The value along y, if a planar host leaves it out. */
static const double zeros[PCM_CHUNK];

/* A chunk of the host's batch, as it is passed to the law. */
typedef struct pcm_chunk {
    pcm_batch     batch;
    const double *host_inputs[PCM_MAX_COLUMNS];
    const double *state[PCM_MAX_COLUMNS];
    double       *next[PCM_MAX_COLUMNS];
    double       *rate[PCM_MAX_COLUMNS];
    double       *event[PCM_MAX_COLUMNS];
    double       *jacobian[PCM_MAX_PARTIALS];
    const double *amount[2][PCM_MAX_AMOUNTS];
    double       *flow[2][PCM_MAX_AMOUNTS];
} pcm_chunk;

/* The chunk, and which of its columns are the host's own: these advance with each chunk, replacements do not. */
typedef struct pcm_filling {
    pcm_chunk chunk;
    double    scratch[PCM_CHUNK]; /* for outputs that the host does not want */
    size_t    n_given;
    uint32_t  given[sizeof(pcm_chunk) / sizeof(void *)]; /* their offsets in the chunk, in bytes */
} pcm_filling;

/* Consecutive columns of a batch: those of one bit of a model's inputs or outputs, in the order of these bits. */
typedef struct pcm_columns {
    size_t first, count;
} pcm_columns;

#define COLUMNS(name, n)                                                                                               \
    {                                                                                                                  \
        offsetof(pcm_batch, name), n                                                                                   \
    }

static const pcm_columns input_columns[] = {
    COLUMNS(depth, 1),       COLUMNS(depth_rate, 1),     COLUMNS(slip_x, 2),      COLUMNS(spin_x, 3),
    COLUMNS(x, 3),           COLUMNS(velocity_x, 3),     COLUMNS(radius, 1),      COLUMNS(mass, 1),
    COLUMNS(load_n, 4),      COLUMNS(contact_radius, 1), COLUMNS(fresh, 1),       COLUMNS(area, 1),
    COLUMNS(share, 1),       COLUMNS(base_spin_x, 6),    COLUMNS(base_axis_x, 6), COLUMNS(loss_friction, 4),
    COLUMNS(curvature_1, 2), COLUMNS(curvature_x, 2),    COLUMNS(point_part, 6),
};

static const pcm_columns output_columns[] = {
    COLUMNS(force_x, 2), COLUMNS(moment_n, 3),  COLUMNS(energy, 1),       COLUMNS(dissipation, 1), COLUMNS(life, 1),
    COLUMNS(mode, 1),    COLUMNS(elastic_n, 3), COLUMNS(patch_radius, 1), COLUMNS(onset, 1),
};

/* Columns of all types are accessed as bytes: pointers to them have the same size. */
static const void *column_at(const void *table, size_t place)
{
    const void *column;
    memcpy(&column, (const char *)table + place, sizeof column);
    return column;
}

static void put(pcm_filling *f, size_t place, const void *column)
{
    memcpy((char *)&f->chunk + place, &column, sizeof column);
}

/* The host's column, or its replacement. */
static void give(pcm_filling *f, size_t place, const void *column, const void *instead)
{
    put(f, place, column ? column : instead);
    if (column)
        f->given[f->n_given++] = (uint32_t)place;
}

/* The batch's own columns that the model reads or writes; the others stay as they are. */
static void give_columns(pcm_filling *f, const pcm_batch *from, const pcm_columns *columns, size_t n, uint32_t wanted,
                         const void *instead)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; wanted >> i & 1 && k < columns[i].count; k++) {
            const size_t place = columns[i].first + k * sizeof(double *);
            give(f, place, column_at(from, place), instead);
        }
}

static void inputs(pcm_filling *f, const pcm_batch *from, uint32_t reads)
{
    static const struct {
        uint32_t bit;
        size_t   x, y;
    } planar[] = {
        {PCM_SLIP, offsetof(pcm_batch, slip_x), offsetof(pcm_batch, slip_y)},
        {PCM_POSITION, offsetof(pcm_batch, x), offsetof(pcm_batch, y)},
        {PCM_VELOCITY, offsetof(pcm_batch, velocity_x), offsetof(pcm_batch, velocity_y)},
    };
    give_columns(f, from, input_columns, sizeof input_columns / sizeof *input_columns, reads, nothing);
    for (size_t i = 0; i < sizeof planar / sizeof *planar; i++)
        if (reads & planar[i].bit && column_at(from, planar[i].x) && !column_at(from, planar[i].y))
            put(f, planar[i].y, zeros);
}

#define PLACE(table) offsetof(pcm_chunk, table)

/* Entries of states or host inputs: one column each, or two for a tangent one. */
static void read_columns(pcm_filling *f, size_t table, const double *const *from, size_t *column, uint32_t shape)
{
    const double *x = from ? from[*column] : NULL;
    give(f, table + (*column)++ * sizeof x, x, nothing);
    if (shape != PCM_SCALAR) {
        give(f, table + *column * sizeof x, from ? from[*column] : NULL, x ? zeros : nothing);
        ++*column;
    }
}

static void give_table(pcm_filling *f, size_t table, const void *from, size_t count, const void *instead)
{
    for (size_t i = 0; i < count; i++)
        give(f, table + i * sizeof(double *), from ? column_at(from, i * sizeof(double *)) : NULL, instead);
}

static void tables(pcm_filling *f, const pcm_type *type, const pcm_batch *from)
{
    const pcm_model *model = type->info.model;
    size_t           column = 0;
    for (size_t i = 0; i < model->host_inputs.count; i++)
        read_columns(f, PLACE(host_inputs), from->host_inputs, &column, pcm_model_host_input(model, i)->shape);
    column = 0;
    for (size_t i = 0; i < model->states.count; i++)
        read_columns(f, PLACE(state), from->state, &column, pcm_model_state(model, i)->shape);
    give_table(f, PLACE(next), from->next, type->info.n_state, f->scratch);
    give_table(f, PLACE(rate), from->rate, type->info.n_state, f->scratch);
    give_table(f, PLACE(event), from->event, model->events.count, f->scratch);
    give_table(f, PLACE(amount[0]), from->base_amount, model->amounts.count, nothing);
    give_table(f, PLACE(amount[1]), from->follower_amount, model->amounts.count, nothing);
    give_table(f, PLACE(flow[0]), from->base_flow, model->amounts.count, f->scratch);
    give_table(f, PLACE(flow[1]), from->follower_flow, model->amounts.count, f->scratch);
    if (from->jacobian)
        give_table(f, PLACE(jacobian), from->jacobian, model->partials.count, f->scratch);
}

/* All consecutive columns from one to another. */
static void stand_in(pcm_filling *f, size_t first, size_t last, const void *column)
{
    for (size_t place = first; place <= last; place += sizeof column)
        put(f, place, column);
}

#define STAND_IN(from, to, column) stand_in(f, offsetof(pcm_batch, from), offsetof(pcm_batch, to), column)

static void fill(pcm_filling *f, const pcm_type *type, pcm_verb_kind verb, const pcm_batch *from)
{
    const pcm_model *model = type->info.model;
    pcm_chunk       *chunk = &f->chunk;
    f->n_given = 0;
    STAND_IN(depth, mass, nothing);
    STAND_IN(force_n, dissipation, f->scratch);
    STAND_IN(life, mode, f->scratch);
    STAND_IN(load_n, contact_radius, nothing);
    STAND_IN(elastic_n, patch_radius, f->scratch);
    STAND_IN(fresh, fresh, nothing);
    STAND_IN(onset, onset, f->scratch);
    STAND_IN(area, share, nothing);
    STAND_IN(base_spin_x, flat_aspect, nothing);
    inputs(f, from, model->inputs);
    give(f, offsetof(pcm_batch, force_n), from->force_n, f->scratch);
    give_columns(f, from, output_columns, sizeof output_columns / sizeof *output_columns, model->outputs, f->scratch);
    tables(f, type, from);
    chunk->batch.size = sizeof chunk->batch;
    chunk->batch.event_index = from->event_index;
    chunk->batch.time = from->time;
    chunk->batch.dt = from->dt;
    chunk->batch.params = type->info.params;
    chunk->batch.host_inputs = chunk->host_inputs;
    chunk->batch.state = chunk->state;
    chunk->batch.next = chunk->next;
    chunk->batch.rate = chunk->rate;
    chunk->batch.event = chunk->event;
    chunk->batch.jacobian = from->jacobian ? chunk->jacobian : NULL;
    chunk->batch.base_amount = chunk->amount[0];
    chunk->batch.follower_amount = chunk->amount[1];
    chunk->batch.base_flow = chunk->flow[0];
    chunk->batch.follower_flow = chunk->flow[1];
    chunk->batch.reports = verb != PCM_FORCES;
}

/* Advances the host's columns to the next chunk. */
static void go_on(pcm_filling *f)
{
    for (size_t i = 0; i < f->n_given; i++)
        put(f, f->given[i], (const double *)column_at(&f->chunk, f->given[i]) + f->chunk.batch.count);
}

/* Whether the host gives a column for a report that a law may leave out. */
static bool wants_reports(const pcm_type *type, const pcm_batch *batch)
{
    const pcm_model *model = type->info.model;
    bool             wants = batch->energy || batch->dissipation || batch->mode || batch->jacobian;
    for (size_t i = 0; batch->event && i < model->events.count; i++)
        wants = wants || batch->event[i];
    for (size_t i = 0, column = 0; batch->rate && i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        for (size_t end = column + pcm_columns_of(state->shape); column < end; column++)
            wants = wants || (state->flags & PCM_STEPS && batch->rate[column]);
    }
    return wants;
}

void pcm_type_call_begin(const pcm_type *type, const char *function)
{
    const char *name = type->info.name;
    pcm_call_begin(type->config->context, function, type->info.model->name, name, strlen(name));
}

void pcm_type_call_end(const pcm_type *type) { pcm_call_end(type->config->context); }

static const char *const verb_names[] = {[PCM_ESTABLISH] = "establish",
                                         [PCM_UPDATE] = "update",
                                         [PCM_JUMP] = "jump",
                                         [PCM_TERMINATE] = "terminate",
                                         [PCM_FORCES] = "update"};

static pcm_verb *kernel(const pcm_kernel_set *set, pcm_verb_kind verb)
{
    switch (verb) {
    case PCM_ESTABLISH:
        return set->establish;
    case PCM_JUMP:
        return set->jump;
    case PCM_TERMINATE:
        return set->terminate;
    case PCM_FORCES:
        return set->forces ? set->forces : set->update;
    case PCM_UPDATE:
        break;
    }
    return set->update;
}

bool pcm_type_has_params(const pcm_type *type)
{
    if (type->info.params == NULL)
        pcm_report(type->config->context, PCM_ERROR, PCM_MSG_NEEDS_MATERIALS,
                   "the parameters of the contact type '%s' come from two materials: ask for the type between them",
                   type->info.name);
    return type->info.params != NULL;
}

static pcm_status call_type(const pcm_type *type, pcm_verb_kind verb, const pcm_batch *batch)
{
    if (!type->info.params && !pcm_type_has_params(type))
        return PCM_BAD_ARGUMENT;
    if (batch->params == type->info.params) {
        kernel(type->kernels, verb)(batch);
        return PCM_OK;
    }
    if (verb == PCM_UPDATE && !wants_reports(type, batch))
        verb = PCM_FORCES;
    pcm_verb   *call = kernel(type->kernels, verb);
    pcm_filling filling;
    size_t     *count = &filling.chunk.batch.count;
    fill(&filling, type, verb, batch);
    for (size_t left = batch->count; left > 0; left -= *count) {
        if (left < batch->count)
            go_on(&filling);
        *count = left < PCM_CHUNK ? left : PCM_CHUNK;
        call(&filling.chunk.batch);
    }
    return PCM_OK;
}

pcm_status pcm_type_call(const pcm_type *type, pcm_verb_kind verb, const pcm_batch *batch)
{
    const uint64_t arithmetic = pcm_arithmetic();
    pcm_batch      known = {.size = sizeof known};
    const bool     whole = batch->size == sizeof *batch;
    if (!whole && !pcm_def_fill(type->config->context, "pcm_batch", &known, batch))
        return PCM_BAD_ARGUMENT;
    pcm_type_call_begin(type, verb_names[verb]);
    const pcm_status status = call_type(type, verb, whole ? batch : &known);
    pcm_type_call_end(type);
    pcm_arithmetic_keep(arithmetic);
    return status;
}

pcm_status pcm_type_call_pairs(const pcm_type *type, const pcm_pair_batch *batch)
{
    pcm_pair_batch known = {.size = sizeof known};
    if (!pcm_def_fill(type->config->context, "pcm_pair_batch", &known, batch))
        return PCM_BAD_ARGUMENT;
    known.params = type->info.params;
    for (size_t i = 0; i < known.count; i++) {
        known.scale[i] = 1;
        known.life[i] = PCM_LIVE;
    }
    const uint64_t arithmetic = pcm_arithmetic();
    pcm_type_call_begin(type, "pair");
    if (type->kernels->pair)
        type->kernels->pair(&known);
    pcm_type_call_end(type);
    pcm_arithmetic_keep(arithmetic);
    return PCM_OK;
}

/* ---- Bonds ------------------------------------------------------------------------------------------------------- */

/* States that establish would give contacts between bodies that are not new. */
enum { PCM_BOND_CHUNK = 32 };
typedef struct unbonded {
    double column[PCM_MAX_COLUMNS][PCM_BOND_CHUNK];
} unbonded;

static void establish(const pcm_batch *chunk, pcm_verb *verb, const double *fresh, double *const *next, size_t n_state)
{
    pcm_batch first = *chunk;
    first.fresh = fresh;
    first.next = next;
    for (size_t k = 0; k < n_state; k++)
        memset(next[k], 0, chunk->count * sizeof **next);
    verb(&first);
}

/* Keeps the states of contacts that `fresh` does not change, or that have what it decides already. Sets `made` in the
 * lanes of the others. columns: those of a law, or of a part of a sum. */
static void keep_states(const pcm_batch *b, const unbonded *without, size_t first, size_t columns, bool bonds,
                        bool *made)
{
    for (size_t i = 0; i < b->count; i++) {
        bool decides = false, has = true;
        for (size_t k = first; bonds && k < first + columns; k++)
            if (b->next[k][i] != without->column[k][i]) {
                decides = true;
                has = has && b->state[k][i] == b->next[k][i];
            }
        const bool takes = decides && !has;
        for (size_t k = first; !takes && k < first + columns; k++)
            b->next[k][i] = b->state[k][i];
        made[i] = made[i] || takes;
    }
}

static size_t bond_chunk(const pcm_type *type, const pcm_batch *b)
{
    const pcm_model *model = type->info.model;
    const pcm_parts *parts = pcm_parts_of(model);
    pcm_verb        *verb = kernel(type->kernels, PCM_ESTABLISH);
    unbonded         without;
    double          *next[PCM_MAX_COLUMNS];
    bool             made[PCM_BOND_CHUNK] = {0};
    size_t           count = 0;
    for (size_t k = 0; k < type->info.n_state; k++)
        next[k] = without.column[k];
    establish(b, verb, zeros, next, type->info.n_state);
    establish(b, verb, b->fresh, b->next, type->info.n_state);
    for (uint32_t p = 0; parts && p < parts->count; p++)
        keep_states(b, &without, parts->part[p].state, parts->part[p].n_state, parts->part[p].model->inputs & PCM_FRESH,
                    made);
    if (!parts)
        keep_states(b, &without, 0, type->info.n_state, model->inputs & PCM_FRESH, made);
    for (size_t i = 0; i < b->count; i++)
        count += made[i];
    return count;
}

pcm_status pcm_type_bond(const pcm_type *type, const pcm_batch *batch, size_t *bonded)
{
    const uint64_t arithmetic = pcm_arithmetic();
    pcm_batch      known = {.size = sizeof known};
    pcm_filling    filling;
    size_t        *count = &filling.chunk.batch.count;
    *bonded = 0;
    if (!pcm_def_fill(type->config->context, "pcm_batch", &known, batch) || !pcm_type_has_params(type))
        return PCM_BAD_ARGUMENT;
    pcm_type_call_begin(type, verb_names[PCM_ESTABLISH]);
    fill(&filling, type, PCM_ESTABLISH, &known);
    for (size_t left = known.count; left > 0; left -= *count) {
        if (left < known.count)
            go_on(&filling);
        *count = left < PCM_BOND_CHUNK ? left : PCM_BOND_CHUNK;
        *bonded += bond_chunk(type, &filling.chunk.batch);
    }
    pcm_type_call_end(type);
    pcm_arithmetic_keep(arithmetic);
    return PCM_OK;
}

void pcm_type_swap(const pcm_type *type, double *state)
{
    const pcm_model *model = type->info.model;
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *entry = pcm_model_state(model, i);
        *state++ *= entry->swap;
        if (entry->shape == PCM_TANGENT)
            *state++ *= -entry->swap;
    }
}
