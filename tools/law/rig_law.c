/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "describe.h"
#include "rig.h"

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

#define MOTION(field, input)                                                                                           \
    {                                                                                                                  \
#field, input, offsetof(pcm_batch, field)                                                                      \
    }
const rig_motion rig_motions[] = {
    MOTION(depth, PCM_DEPTH),
    MOTION(depth_rate, PCM_DEPTH_RATE),
    MOTION(slip_x, PCM_SLIP),
    MOTION(slip_y, PCM_SLIP),
    MOTION(spin_x, PCM_SPIN),
    MOTION(spin_y, PCM_SPIN),
    MOTION(spin_n, PCM_SPIN),
    MOTION(x, PCM_POSITION),
    MOTION(y, PCM_POSITION),
    MOTION(z, PCM_POSITION),
    MOTION(velocity_x, PCM_VELOCITY),
    MOTION(velocity_y, PCM_VELOCITY),
    MOTION(velocity_z, PCM_VELOCITY),
    MOTION(radius, PCM_RADIUS),
    MOTION(mass, PCM_MASS),
    MOTION(load_n, PCM_LOAD),
    MOTION(load_elastic, PCM_LOAD),
    MOTION(load_adhesive, PCM_LOAD),
    MOTION(load_pull_off, PCM_LOAD),
    MOTION(contact_radius, PCM_CONTACT_RADIUS),
    MOTION(fresh, PCM_FRESH),
    MOTION(area, PCM_AREA),
    MOTION(share, PCM_SHARE),
    MOTION(base_spin_x, PCM_BODY_SPINS),
    MOTION(base_spin_y, PCM_BODY_SPINS),
    MOTION(base_spin_n, PCM_BODY_SPINS),
    MOTION(follower_spin_x, PCM_BODY_SPINS),
    MOTION(follower_spin_y, PCM_BODY_SPINS),
    MOTION(follower_spin_n, PCM_BODY_SPINS),
    MOTION(base_axis_x, PCM_AXES),
    MOTION(base_axis_y, PCM_AXES),
    MOTION(base_axis_n, PCM_AXES),
    MOTION(follower_axis_x, PCM_AXES),
    MOTION(follower_axis_y, PCM_AXES),
    MOTION(follower_axis_n, PCM_AXES),
    MOTION(loss_friction, PCM_LOSS),
    MOTION(loss_damping, PCM_LOSS),
    MOTION(load_x, PCM_LOSS),
    MOTION(load_y, PCM_LOSS),
    MOTION(curvature_1, PCM_CURVATURE),
    MOTION(curvature_2, PCM_CURVATURE),
    MOTION(curvature_x, PCM_CURVATURE_AXIS),
    MOTION(curvature_y, PCM_CURVATURE_AXIS),
    MOTION(point_part, PCM_EXTENT),
    MOTION(patch_part, PCM_EXTENT),
    MOTION(line_length, PCM_EXTENT),
    MOTION(line_curvature, PCM_EXTENT),
    MOTION(flat_area, PCM_EXTENT),
    MOTION(flat_aspect, PCM_EXTENT),
    {NULL, 0, 0},
};
enum { MOTIONS = sizeof rig_motions / sizeof *rig_motions - 1, RESULTS = 8, MARKS = 3 };

/* A block of memory from which columns are taken. */
typedef struct shelf {
    double  *columns;
    double **pointers;
} shelf;

static double *take_column(shelf *from)
{
    double *column = from->columns;
    from->columns += RIG_LANES;
    return column;
}

static double **take_columns(shelf *from, size_t count)
{
    double **pointers = from->pointers;
    from->pointers += count;
    for (size_t i = 0; i < count; i++)
        pointers[i] = take_column(from);
    return pointers;
}

static rig_column *add(rig_column *list, size_t *count, double *values, const char *name, const char *suffix,
                       const char *axis)
{
    rig_column *column = &list[(*count)++];
    column->values = values;
    column->empty = NAN;
    (void)snprintf(column->name, sizeof column->name, "%s%s%s", name, suffix, axis);
    return column;
}

static const char *axis_name(uint32_t shape, size_t i) { return shape == PCM_SCALAR ? "" : i == 0 ? "_x" : "_y"; }

static void add_motion(rig_law *law, shelf *from)
{
    for (size_t i = 0; i < MOTIONS; i++) {
        double     *values = take_column(from);
        rig_column *column = add(law->inputs, &law->n_inputs, values, rig_motions[i].name, "", "");
        memcpy((char *)&law->batch + rig_motions[i].offset, &values, sizeof values);
        column->needed = law->info->model->inputs & rig_motions[i].input;
        column->optional = rig_motions[i].input & PCM_SHAPED; /* without it: a point of bodies with a radius */
        for (size_t lane = 0; column->optional && lane < RIG_LANES; lane++)
            values[lane] = NAN;
    }
}

static void add_given(rig_law *law)
{
    const pcm_model *model = law->info->model;
    size_t           at = 0;
    for (size_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *given = pcm_model_host_input(model, i);
        const bool            needed = pcm_type_when(law->type, given->when);
        for (size_t c = 0; c < pcm_columns_of(given->shape); c++, at++) {
            const char  *axis = axis_name(given->shape, c);
            const double fallback = pcm_type_input_fallback(law->type, (uint32_t)at);
            rig_column  *column = add(law->inputs, &law->n_inputs, law->host_inputs[at], given->name, "", axis);
            column->needed = needed && isnan(fallback);
            column->empty = fallback;
            for (size_t lane = 0; lane < RIG_LANES; lane++)
                column->values[lane] = isnan(fallback) ? 0 : fallback;
        }
    }
}

/* Adds columns for the amounts of both objects, and for the flows into each. */
static void add_amounts(rig_law *law)
{
    static const char *const sides[2] = {"_base", "_follower"}, *const flows[2] = {"_flow_base", "_flow_follower"};
    const uint32_t count = law->info->model->amounts.count;
    for (uint32_t i = 0; i < 2 * count; i++) {
        const char *name = pcm_model_amount(law->info->model, i % count)->name;
        add(law->inputs, &law->n_inputs, law->amounts[i], name, sides[i / count], "")->needed = true;
        (void)add(law->outputs, &law->n_outputs, law->flows[i], name, flows[i / count], "");
    }
}

/* Names that a table may use for host inputs, whether or not this law reads them. */
static const char *const usual_given[] = {"input_n", "input_x", "input_y"};
enum { USUAL_GIVEN = sizeof usual_given / sizeof *usual_given };

static void add_usual_given(rig_law *law, shelf *from)
{
    for (size_t i = 0; i < USUAL_GIVEN; i++) {
        size_t at = 0;
        while (at < law->n_inputs && strcmp(law->inputs[at].name, usual_given[i]) != 0)
            at++;
        if (at == law->n_inputs)
            (void)add(law->inputs, &law->n_inputs, take_column(from), usual_given[i], "", "");
    }
}

/* Adds the columns of one state. A trial reads it, and writes its rate and next value; a history may read its initial
 * value from the table, and writes it. */
static void add_state(rig_law *law, shelf *from, bool trial, const pcm_state *state, size_t at)
{
    const size_t columns = pcm_columns_of(state->shape);
    for (size_t c = 0; c < columns; c++) {
        const char *axis = axis_name(state->shape, c);
        double     *start = trial ? law->state[at + c] : take_column(from);
        start[0] = NAN;
        add(law->inputs, &law->n_inputs, start, state->name, "", axis)->needed = trial;
        if (!trial)
            (void)add(law->outputs, &law->n_outputs, law->state[at + c], state->name, "", axis);
    }
    for (size_t c = 0; trial && state->role == PCM_CONTINUOUS && c < columns; c++)
        (void)add(law->outputs, &law->n_outputs, law->batch.rate[at + c], state->name, "_rate",
                  axis_name(state->shape, c));
    for (size_t c = 0; trial && c < columns; c++)
        (void)add(law->outputs, &law->n_outputs, law->batch.next[at + c], state->name, "_next",
                  axis_name(state->shape, c));
}

static void add_states(rig_law *law, shelf *from, bool trial)
{
    const pcm_model *model = law->info->model;
    size_t           at = 0;
    for (size_t i = 0; i < model->states.count; i++) {
        add_state(law, from, trial, pcm_model_state(model, i), at);
        at += pcm_columns_of(pcm_model_state(model, i)->shape);
    }
}

/* Lays out the columns of the batch itself. The memory is zeroed, so that results which a law does not declare are
 * zero. */
static void lay_out(rig_law *law, shelf *from)
{
    const pcm_type_info *info = law->info;
    pcm_batch           *b = &law->batch;
    b->size = sizeof *b;
    law->host_inputs = take_columns(from, info->n_host_inputs);
    b->host_inputs = (const double *const *)law->host_inputs;
    law->state = take_columns(from, info->n_state);
    b->state = (const double *const *)law->state;
    const uint32_t n_amounts = info->model->amounts.count;
    law->amounts = take_columns(from, 2 * n_amounts);
    law->flows = take_columns(from, 2 * n_amounts);
    b->base_amount = (const double *const *)law->amounts;
    b->follower_amount = b->base_amount + n_amounts;
    b->base_flow = law->flows;
    b->follower_flow = law->flows + n_amounts;
    b->next = take_columns(from, info->n_state);
    b->rate = take_columns(from, info->n_state);
    b->event = take_columns(from, info->model->events.count);
    double **const results[RESULTS] = {&b->force_n,  &b->force_x,  &b->force_y, &b->moment_n,
                                       &b->moment_x, &b->moment_y, &b->energy,  &b->dissipation};
    for (size_t i = 0; i < RESULTS; i++)
        *results[i] = take_column(from);
    b->life = (int64_t *)(void *)take_column(from);
    b->mode = (int64_t *)(void *)take_column(from);
    b->onset = take_column(from);
}

bool rig_law_new(rig_law *law, const pcm_type *type, bool trial)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    const size_t n_state = info->n_state, n_host_inputs = info->n_host_inputs, n_event = info->model->events.count;
    const size_t n_columns = MOTIONS + n_host_inputs + USUAL_GIVEN + 4 * n_state + n_event + RESULTS + MARKS +
                             4 * info->model->amounts.count;
    const size_t n_inputs = MOTIONS + n_host_inputs + USUAL_GIVEN + n_state + 2 * info->model->amounts.count,
                 n_outputs = 2 * n_state + n_event + 1 + 2 * info->model->amounts.count;
    *law = (rig_law){.type = type, .info = info};
    law->last = calloc(n_state + 1, sizeof *law->last);
    law->columns = calloc(n_columns, RIG_LANES * sizeof(double));
    law->pointers = calloc(n_columns, sizeof(double *));
    law->inputs = calloc(n_inputs + n_outputs, sizeof *law->inputs);
    if (!law->last || !law->columns || !law->pointers || !law->inputs) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    law->outputs = law->inputs + n_inputs;
    shelf from = {law->columns, law->pointers};
    lay_out(law, &from);
    add_motion(law, &from);
    add_given(law);
    add_amounts(law);
    add_usual_given(law, &from);
    law->starts = law->inputs + law->n_inputs;
    add_states(law, &from, trial);
    for (size_t i = 0; i < n_event; i++)
        (void)add(law->outputs, &law->n_outputs, law->batch.event[i], pcm_model_event(info->model, i)->name, "", "");
    if (info->model->outputs & PCM_DISSIPATION)
        (void)add(law->outputs, &law->n_outputs, law->batch.dissipation, "dissipation", "", "");
    return true;
}

void rig_law_free(rig_law *law)
{
    free(law->last);
    free(law->columns);
    free(law->pointers);
    free(law->inputs);
    *law = (rig_law){0};
}

bool rig_law_match(rig_law *law, const csv_reader *table)
{
    for (size_t i = 0; i < law->n_inputs; i++) {
        rig_column *column = &law->inputs[i];
        column->cell = csv_find(table, column->name);
        column->has_cell = column->cell < table->columns;
        if (!column->needed || column->optional || column->has_cell)
            continue;
        const bool is_state = column >= law->starts;
        csv_error(table, PCM_MSG_TABLE_COLUMN, table->columns, "column '%s' is missing: the law %s of %s reads it%s",
                  column->name, law->info->model->name, law->info->name,
                  is_state ? " (a state, 0 where a contact is new)" : "");
        return false;
    }
    return true;
}

bool rig_law_read(rig_law *law, const csv_reader *table, size_t lane)
{
    for (size_t i = 0; i < law->n_inputs; i++) {
        const rig_column *column = &law->inputs[i];
        if (!column->has_cell)
            continue;
        if ((!column->needed || column->optional) && table->cells[column->cell].length == 0)
            column->values[lane] = column->empty;
        else if (!csv_number(table, column->cell, &column->values[lane]))
            return false;
    }
    return true;
}

/* ---- Evaluation -------------------------------------------------------------------------------------------------- */

/* A continuous state without a step of its own is integrated from its rate, as a host does. */
static void step_continuous(rig_law *law)
{
    const pcm_model *model = law->info->model;
    size_t           at = 0;
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        const bool       steps = state->role == PCM_HISTORY || state->flags & PCM_STEPS;
        for (size_t end = at + pcm_columns_of(state->shape); at < end; at++)
            for (size_t lane = 0; !steps && lane < law->batch.count; lane++)
                law->batch.next[at][lane] = law->state[at][lane] + law->batch.dt * law->batch.rate[at][lane];
    }
}

/* The modes of a law without PCM_MODE, as in a world: a contact with a force touches. */
static void fill_modes(rig_law *law)
{
    const pcm_batch *b = &law->batch;
    for (size_t i = 0; !(law->info->model->outputs & PCM_MODE) && i < b->count; i++) {
        const bool pushes = b->force_n[i] != 0 || b->force_x[i] != 0 || b->force_y[i] != 0;
        b->mode[i] = pushes ? PCM_TOUCHING : PCM_SEPARATED;
    }
}

/* Applies the law's function per pair to lanes that are each the only contact of their pair. */
static void take_pair(rig_law *law)
{
    enum { CONTACTS, FORCE_T, PULL, ENERGY, SCALE, COLUMNS };
    const pcm_batch *b = &law->batch;
    const uint32_t   writes = law->info->model->outputs;
    const bool       stores = writes & PCM_ENERGY, ends = writes & PCM_LIFE;
    double           column[COLUMNS][RIG_LANES];
    int64_t          life[RIG_LANES];
    for (size_t i = 0; i < b->count; i++) {
        column[CONTACTS][i] = 1;
        column[FORCE_T][i] = hypot(b->force_x[i], b->force_y[i]);
        column[PULL][i] = b->force_n[i] < 0 ? -b->force_n[i] : 0;
        column[ENERGY][i] = stores ? b->energy[i] : 0;
    }
    pcm_type_call_pairs(law->type, &(pcm_pair_batch){.size = sizeof(pcm_pair_batch),
                                                     .count = b->count,
                                                     .time = b->time,
                                                     .dt = b->dt,
                                                     .contacts = column[CONTACTS],
                                                     .force_n = b->force_n,
                                                     .force_t = column[FORCE_T],
                                                     .pull = column[PULL],
                                                     .area = b->area,
                                                     .depth = b->depth,
                                                     .energy = column[ENERGY],
                                                     .scale = column[SCALE],
                                                     .life = life});
    double *const scaled[] = {b->force_n,  b->force_x,  b->force_y, b->moment_n,
                              b->moment_x, b->moment_y, b->energy,  b->dissipation};
    for (size_t i = 0; i < b->count; i++) {
        for (size_t k = 0; k < sizeof scaled / sizeof *scaled; k++)
            scaled[k][i] *= column[SCALE][i];
        const int64_t own = ends ? b->life[i] : PCM_LIVE;
        b->life[i] = life[i] > own ? life[i] : own;
    }
}

void rig_law_evaluate(rig_law *law, size_t count, double time, double dt)
{
    law->batch.count = count;
    law->batch.time = time;
    law->batch.dt = dt;
    pcm_type_call(law->type, PCM_UPDATE, &law->batch);
    take_pair(law);
    step_continuous(law);
    fill_modes(law);
}

/* ---- Invalid results --------------------------------------------------------------------------------------------- */

static bool blame(rig_failure *why, const char *of, const char *name, const char *axis, double value)
{
    if (isfinite(value))
        return false;
    (void)snprintf(why->text, sizeof why->text, "%s%s%s = %s", of, name, axis, pcm_number(value, 3).text);
    return true;
}

static bool blame_force(rig_failure *why, const pcm_batch *b, size_t lane)
{
    return blame(why, "", "force_n", "", b->force_n[lane]) || blame(why, "", "force_x", "", b->force_x[lane]) ||
           blame(why, "", "force_y", "", b->force_y[lane]) || blame(why, "", "moment_n", "", b->moment_n[lane]) ||
           blame(why, "", "moment_x", "", b->moment_x[lane]) || blame(why, "", "moment_y", "", b->moment_y[lane]);
}

static bool blame_state(rig_failure *why, const rig_law *law, size_t lane)
{
    const pcm_model *model = law->info->model;
    size_t           at = 0;
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        for (size_t c = 0; c < pcm_columns_of(state->shape); c++, at++)
            if (blame(why, "next of ", state->name, axis_name(state->shape, c), law->batch.next[at][lane]))
                return true;
    }
    return false;
}

static bool blame_flow(rig_failure *why, const rig_law *law, size_t lane)
{
    static const char *const sides[2] = {" of the base", " of the follower"};
    const uint32_t           count = law->info->model->amounts.count;
    for (uint32_t i = 0; i < 2 * count; i++)
        if (blame(why, "flow of ", pcm_model_amount(law->info->model, i % count)->name, sides[i / count],
                  law->flows[i][lane]))
            return true;
    return false;
}

bool rig_law_fails(const rig_law *law, size_t lane, rig_failure *why)
{
    if (blame_force(why, &law->batch, lane) || blame_state(why, law, lane) || blame_flow(why, law, lane))
        return true;
    const bool invalid = law->batch.life[lane] == PCM_INVALID, onset = isnan(law->batch.onset[lane]);
    (void)snprintf(why->text, sizeof why->text, "%s", invalid ? "life = PCM_INVALID" : onset ? "onset = nan" : "");
    return invalid || onset;
}

/* ---- A history --------------------------------------------------------------------------------------------------- */

/* Starts a contact: with the law's initial state, or with the one that the table gives. */
static void establish(rig_law *law)
{
    const size_t n_state = law->info->n_state;
    for (size_t i = 0; i < n_state; i++)
        law->state[i][0] = law->batch.next[i][0] = 0;
    pcm_type_call(law->type, PCM_ESTABLISH, &law->batch);
    for (size_t i = 0; i < n_state; i++) {
        const double start = law->starts[i].values[0];
        law->state[i][0] = isnan(start) ? law->batch.next[i][0] : start;
    }
}

/* Writes the results of a row without contact. */
static void write_nothing(rig_law *law)
{
    const pcm_batch *b = &law->batch;
    double *const    results[] = {b->force_n,  b->force_x,  b->force_y, b->moment_n,
                                  b->moment_x, b->moment_y, b->energy,  b->dissipation};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        results[i][0] = 0;
    for (size_t i = 0; i < law->info->n_state; i++)
        law->state[i][0] = 0;
    for (size_t i = 0; i < 2 * law->info->model->amounts.count; i++)
        law->flows[i][0] = 0;
    for (size_t i = 0; i < law->info->model->events.count; i++)
        b->event[i][0] = NAN;
    b->mode[0] = PCM_SEPARATED;
    b->life[0] = RIG_NO_CONTACT;
}

/* Whether an invalid result ends the contact. As in a world, a new contact then does not begin, and an old one breaks
 * and keeps its last states. */
static bool ends_by_failure(rig_law *law)
{
    const pcm_batch *b = &law->batch;
    rig_failure      why;
    if (!rig_law_fails(law, 0, &why))
        return false;
    law->broken = law->live;
    law->live = false;
    law->onset = isnan(b->onset[0]) ? INFINITY : b->onset[0];
    b->life[0] = PCM_INVALID;
    return true;
}

void rig_law_step(rig_law *law, double time)
{
    const pcm_batch *b = &law->batch;
    const double     dt = law->started ? time - law->time : 0;
    const double     depth = law->inputs[0].has_cell ? b->depth[0] : 0;
    law->started = true;
    law->time = law->batch.time = time;
    law->batch.dt = dt;
    law->batch.count = 1;
    law->broken = law->broken && pcm_type_begins(law->type, depth, law->onset);
    const bool begins = !law->live && !law->broken && pcm_type_can_begin(law->type, depth);
    if (begins)
        establish(law);
    b->life[0] = PCM_LIVE;
    b->onset[0] = INFINITY;
    if (begins || law->live) {
        rig_law_evaluate(law, 1, time, dt);
        if (ends_by_failure(law))
            return;
    }
    law->live = law->live || (begins && pcm_type_begins(law->type, depth, b->onset[0]));
    if (!law->live) {
        write_nothing(law);
        return;
    }
    for (size_t i = 0; i < law->info->n_state; i++)
        law->last[i] = law->state[i][0] = b->next[i][0];
    const pcm_outcome outcome = pcm_type_outcome(law->type, true, depth, b->life[0], law->last);
    law->live = outcome == PCM_OUTCOME_KEPT;
    law->broken = outcome == PCM_OUTCOME_BROKEN;
    law->onset = b->onset[0];
    if (outcome == PCM_OUTCOME_PARTED)
        b->life[0] = RIG_PARTED;
}
