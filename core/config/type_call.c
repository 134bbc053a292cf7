/* SPDX-License-Identifier: MIT */
#include "model.h"
#include "contact_type.h"

/* Lanes of one call of the law: what stands in for missing columns is this long, and stays in the nearest cache. */
enum { PCM_CHUNK = 256 };

#define NAN_8  NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN
#define NAN_64 NAN_8, NAN_8, NAN_8, NAN_8, NAN_8, NAN_8, NAN_8, NAN_8

/* What a law reads from a column that it did not ask for, or that the host does not give. */
static const double nothing[PCM_CHUNK] = {NAN_64, NAN_64, NAN_64, NAN_64};

/* A chunk of the host's batch as the law gets it. */
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

static const double *input(bool read, const double *column, size_t first)
{
    return read && column ? column + first : nothing;
}

/* Along y, where a planar host has nothing. */
static const double *across(bool read, const double *x, const double *y, size_t first)
{
    static const double zeros[PCM_CHUNK];
    return read && x && !y ? zeros : input(read, y, first);
}

static double *output(bool written, double *column, size_t first, double *scratch)
{
    return written && column ? column + first : scratch;
}

static int64_t *int_output(bool written, int64_t *column, size_t first, double *scratch)
{
    return written && column ? column + first : (int64_t *)(void *)scratch;
}

static void inputs(pcm_batch *to, const pcm_batch *from, uint32_t reads, size_t first)
{
    to->depth = input(reads & PCM_DEPTH, from->depth, first);
    to->depth_rate = input(reads & PCM_DEPTH_RATE, from->depth_rate, first);
    to->slip_x = input(reads & PCM_SLIP, from->slip_x, first);
    to->slip_y = across(reads & PCM_SLIP, from->slip_x, from->slip_y, first);
    to->spin_x = input(reads & PCM_SPIN, from->spin_x, first);
    to->spin_y = input(reads & PCM_SPIN, from->spin_y, first);
    to->spin_n = input(reads & PCM_SPIN, from->spin_n, first);
    to->x = input(reads & PCM_POSITION, from->x, first);
    to->y = across(reads & PCM_POSITION, from->x, from->y, first);
    to->z = input(reads & PCM_POSITION, from->z, first);
    to->velocity_x = input(reads & PCM_VELOCITY, from->velocity_x, first);
    to->velocity_y = across(reads & PCM_VELOCITY, from->velocity_x, from->velocity_y, first);
    to->velocity_z = input(reads & PCM_VELOCITY, from->velocity_z, first);
    to->radius = input(reads & PCM_RADIUS, from->radius, first);
    to->mass = input(reads & PCM_MASS, from->mass, first);
    to->load_n = input(reads & PCM_LOAD, from->load_n, first);
    to->load_elastic = input(reads & PCM_LOAD, from->load_elastic, first);
    to->load_adhesive = input(reads & PCM_LOAD, from->load_adhesive, first);
    to->load_pull_off = input(reads & PCM_LOAD, from->load_pull_off, first);
    to->contact_radius = input(reads & PCM_CONTACT_RADIUS, from->contact_radius, first);
    to->base_spin_x = input(reads & PCM_BODY_SPINS, from->base_spin_x, first);
    to->base_spin_y = input(reads & PCM_BODY_SPINS, from->base_spin_y, first);
    to->base_spin_n = input(reads & PCM_BODY_SPINS, from->base_spin_n, first);
    to->follower_spin_x = input(reads & PCM_BODY_SPINS, from->follower_spin_x, first);
    to->follower_spin_y = input(reads & PCM_BODY_SPINS, from->follower_spin_y, first);
    to->follower_spin_n = input(reads & PCM_BODY_SPINS, from->follower_spin_n, first);
    to->base_axis_x = input(reads & PCM_AXES, from->base_axis_x, first);
    to->base_axis_y = input(reads & PCM_AXES, from->base_axis_y, first);
    to->base_axis_n = input(reads & PCM_AXES, from->base_axis_n, first);
    to->follower_axis_x = input(reads & PCM_AXES, from->follower_axis_x, first);
    to->follower_axis_y = input(reads & PCM_AXES, from->follower_axis_y, first);
    to->follower_axis_n = input(reads & PCM_AXES, from->follower_axis_n, first);
    to->fresh = input(reads & PCM_FRESH, from->fresh, first);
    to->area = input(reads & PCM_AREA, from->area, first);
    to->share = input(reads & PCM_SHARE, from->share, first);
}

static void outputs(pcm_batch *to, const pcm_batch *from, uint32_t writes, size_t first, double *scratch)
{
    to->force_n = output(true, from->force_n, first, scratch);
    to->force_x = output(writes & PCM_FRICTION, from->force_x, first, scratch);
    to->force_y = output(writes & PCM_FRICTION, from->force_y, first, scratch);
    to->moment_n = output(writes & PCM_MOMENT, from->moment_n, first, scratch);
    to->moment_x = output(writes & PCM_MOMENT, from->moment_x, first, scratch);
    to->moment_y = output(writes & PCM_MOMENT, from->moment_y, first, scratch);
    to->energy = output(writes & PCM_ENERGY, from->energy, first, scratch);
    to->dissipation = output(writes & PCM_DISSIPATION, from->dissipation, first, scratch);
    to->elastic_n = output(writes & PCM_SHARES, from->elastic_n, first, scratch);
    to->adhesive_n = output(writes & PCM_SHARES, from->adhesive_n, first, scratch);
    to->pull_off = output(writes & PCM_SHARES, from->pull_off, first, scratch);
    to->patch_radius = output(writes & PCM_PATCH_RADIUS, from->patch_radius, first, scratch);
    to->onset = output(writes & PCM_ONSET, from->onset, first, scratch);
    to->life = int_output(writes & PCM_LIFE, from->life, first, scratch);
    to->mode = int_output(writes & PCM_MODE, from->mode, first, scratch);
}

/* One entry of states or given inputs: a column, or two where it is tangent. Returns how many. */
static size_t read_columns(const double **to, const double *const *from, uint32_t shape, size_t first)
{
    const double *x = from ? from[0] : NULL;
    to[0] = input(true, x, first);
    if (shape == PCM_SCALAR)
        return 1;
    to[1] = across(true, x, from ? from[1] : NULL, first);
    return 2;
}

static void read_states(const double **to, const double *const *from, const pcm_model *model, size_t first)
{
    for (size_t i = 0, column = 0; i < model->states.count; i++)
        column += read_columns(to + column, from ? from + column : NULL, pcm_model_state(model, i)->shape, first);
}

static void read_given(const double **to, const double *const *from, const pcm_model *model, size_t first)
{
    for (size_t i = 0, column = 0; i < model->host_inputs.count; i++)
        column += read_columns(to + column, from ? from + column : NULL, pcm_model_host_input(model, i)->shape, first);
}

static void read_amounts(const double **to, const double *const *from, const pcm_model *model, size_t first)
{
    for (size_t i = 0; i < model->amounts.count; i++)
        to[i] = input(true, from ? from[i] : NULL, first);
}

static void written_columns(double **to, double *const *from, size_t count, size_t first, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        to[i] = output(from, from ? from[i] : NULL, first, scratch);
}

static void fill(pcm_chunk *chunk, const pcm_type *type, pcm_verb_kind verb, const pcm_batch *from, size_t first,
                 double *scratch)
{
    const pcm_model *model = type->info.model;
    pcm_batch       *to = &chunk->batch;
    to->size = sizeof *to;
    to->event_index = from->event_index;
    to->time = from->time;
    to->dt = from->dt;
    to->params = type->info.params;
    inputs(to, from, model->inputs, first);
    outputs(to, from, model->outputs, first, scratch);
    read_given(chunk->host_inputs, from->host_inputs, model, first);
    read_states(chunk->state, from->state, model, first);
    written_columns(chunk->next, from->next, type->info.n_state, first, scratch);
    written_columns(chunk->rate, from->rate, type->info.n_state, first, scratch);
    written_columns(chunk->event, from->event, model->events.count, first, scratch);
    read_amounts(chunk->amount[0], from->base_amount, model, first);
    read_amounts(chunk->amount[1], from->follower_amount, model, first);
    written_columns(chunk->flow[0], from->base_flow, model->amounts.count, first, scratch);
    written_columns(chunk->flow[1], from->follower_flow, model->amounts.count, first, scratch);
    to->base_amount = chunk->amount[0];
    to->follower_amount = chunk->amount[1];
    to->base_flow = chunk->flow[0];
    to->follower_flow = chunk->flow[1];
    to->host_inputs = chunk->host_inputs;
    to->state = chunk->state;
    to->next = chunk->next;
    to->rate = chunk->rate;
    to->event = chunk->event;
    to->reports = verb != PCM_FORCES;
    to->jacobian = NULL;
    if (from->jacobian) {
        written_columns(chunk->jacobian, from->jacobian, model->partials.count, first, scratch);
        to->jacobian = chunk->jacobian;
    }
}

/* Whether the host gives a column for something that a law need not always report. */
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

pcm_status pcm_type_call(const pcm_type *type, pcm_verb_kind verb, const pcm_batch *batch)
{
    pcm_batch known = {.size = sizeof known};
    if (batch->size != sizeof known) {
        if (!pcm_def_fill(pcm_config_context(type->config), "pcm_batch", &known, batch))
            return PCM_BAD_ARGUMENT;
        batch = &known;
    }
    if (!type->info.params && !pcm_type_has_params(type))
        return PCM_BAD_ARGUMENT;
    if (batch->params == type->info.params) {
        kernel(type->kernels, verb)(batch);
        return PCM_OK;
    }
    if (verb == PCM_UPDATE && !wants_reports(type, batch))
        verb = PCM_FORCES;
    pcm_verb *call = kernel(type->kernels, verb);
    double    scratch[PCM_CHUNK];
    pcm_chunk chunk;
    for (size_t first = 0; first < batch->count; first += PCM_CHUNK) {
        const size_t left = batch->count - first;
        fill(&chunk, type, verb, batch, first, scratch);
        chunk.batch.count = left < PCM_CHUNK ? left : PCM_CHUNK;
        call(&chunk.batch);
    }
    return PCM_OK;
}

pcm_status pcm_type_call_pairs(const pcm_type *type, const pcm_pair_batch *batch)
{
    pcm_pair_batch known = {.size = sizeof known};
    if (!pcm_def_fill(pcm_config_context(type->config), "pcm_pair_batch", &known, batch))
        return PCM_BAD_ARGUMENT;
    known.params = type->info.params;
    for (size_t i = 0; i < known.count; i++) {
        known.scale[i] = 1;
        known.life[i] = PCM_LIVE;
    }
    if (type->kernels->pair)
        type->kernels->pair(&known);
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
