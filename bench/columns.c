/* SPDX-License-Identifier: MIT */
#include "columns.h"

#include "bench.h"

#include <stdlib.h>

/* The number of columns that the law writes beyond force_n, and the range of random values in those that it reads. */
typedef enum Use { READ, WANTED, OFFERED } Use; /* an output that a stepping host wants in part */

typedef struct Field {
    size_t   offset; /* offset of the pointer in pcm_batch */
    uint32_t bit;
    Use      use;
    double   low, high;
} Field;

#define INPUT(name, bit, low, high)                                                                                    \
    {                                                                                                                  \
        offsetof(pcm_batch, name), bit, READ, low, high                                                                \
    }
#define OUTPUT(name, bit, use)                                                                                         \
    {                                                                                                                  \
        offsetof(pcm_batch, name), bit, use, 0, 0                                                                      \
    }

static const Field fields[] = {
    INPUT(depth, PCM_DEPTH, 1e-4, 1e-3),
    INPUT(depth_rate, PCM_DEPTH_RATE, -0.1, 0.1),
    INPUT(slip_x, PCM_SLIP, -0.1, 0.1),
    INPUT(slip_y, PCM_SLIP, -0.1, 0.1),
    INPUT(spin_x, PCM_SPIN, -1, 1),
    INPUT(spin_y, PCM_SPIN, -1, 1),
    INPUT(spin_n, PCM_SPIN, -1, 1),
    INPUT(x, PCM_POSITION, -0.1, 0.1),
    INPUT(y, PCM_POSITION, -0.1, 0.1),
    INPUT(z, PCM_POSITION, -0.1, 0),
    INPUT(velocity_x, PCM_VELOCITY, -0.1, 0.1),
    INPUT(velocity_y, PCM_VELOCITY, -0.1, 0.1),
    INPUT(velocity_z, PCM_VELOCITY, -0.1, 0.1),
    INPUT(radius, PCM_RADIUS, 0.01, 0.1),
    INPUT(mass, PCM_MASS, 0.1, 1),
    INPUT(load_n, PCM_LOAD, 1, 100),
    INPUT(load_elastic, PCM_LOAD, 1, 100),
    INPUT(load_adhesive, PCM_LOAD, 0, 0),
    INPUT(load_pull_off, PCM_LOAD, 0, 0),
    INPUT(contact_radius, PCM_CONTACT_RADIUS, 1e-4, 1e-3),
    INPUT(loss_friction, PCM_LOSS, 0, 10),
    INPUT(loss_damping, PCM_LOSS, 0, 10),
    INPUT(load_x, PCM_LOSS, -10, 10),
    INPUT(load_y, PCM_LOSS, -10, 10),
    INPUT(fresh, PCM_FRESH, 1, 1),
    INPUT(area, PCM_AREA, 1e-4, 1e-3),
    INPUT(share, PCM_SHARE, 0.1, 1),
    INPUT(base_spin_x, PCM_BODY_SPINS, -1, 1),
    INPUT(base_spin_y, PCM_BODY_SPINS, -1, 1),
    INPUT(base_spin_n, PCM_BODY_SPINS, -1, 1),
    INPUT(follower_spin_x, PCM_BODY_SPINS, -1, 1),
    INPUT(follower_spin_y, PCM_BODY_SPINS, -1, 1),
    INPUT(follower_spin_n, PCM_BODY_SPINS, -1, 1),
    INPUT(base_axis_x, PCM_AXES, -1, 1),
    INPUT(base_axis_y, PCM_AXES, -1, 1),
    INPUT(base_axis_n, PCM_AXES, -1, 1),
    INPUT(follower_axis_x, PCM_AXES, -1, 1),
    INPUT(follower_axis_y, PCM_AXES, -1, 1),
    INPUT(follower_axis_n, PCM_AXES, -1, 1),
    INPUT(curvature_1, PCM_CURVATURE, NAN, NAN),
    INPUT(curvature_2, PCM_CURVATURE, NAN, NAN),
    INPUT(curvature_x, PCM_CURVATURE_AXIS, 1, 1),
    INPUT(curvature_y, PCM_CURVATURE_AXIS, 0, 0),
    INPUT(point_part, PCM_EXTENT, 1, 1),
    INPUT(patch_part, PCM_EXTENT, 0, 0),
    INPUT(line_length, PCM_EXTENT, 0, 0),
    INPUT(line_curvature, PCM_EXTENT, 0, 0),
    INPUT(flat_area, PCM_EXTENT, 0, 0),
    INPUT(flat_aspect, PCM_EXTENT, 1, 1),
    OUTPUT(force_x, PCM_FRICTION, WANTED),
    OUTPUT(force_y, PCM_FRICTION, WANTED),
    OUTPUT(moment_n, PCM_MOMENT, WANTED),
    OUTPUT(moment_x, PCM_MOMENT, WANTED),
    OUTPUT(moment_y, PCM_MOMENT, WANTED),
    OUTPUT(energy, PCM_ENERGY, OFFERED),
    OUTPUT(dissipation, PCM_DISSIPATION, OFFERED),
    OUTPUT(life, PCM_LIFE, WANTED),
    OUTPUT(mode, PCM_MODE, OFFERED),
    OUTPUT(elastic_n, PCM_SHARES, OFFERED),
    OUTPUT(adhesive_n, PCM_SHARES, OFFERED),
    OUTPUT(pull_off, PCM_SHARES, OFFERED),
    OUTPUT(patch_radius, PCM_PATCH_RADIUS, OFFERED),
    OUTPUT(onset, PCM_ONSET, WANTED),
    OUTPUT(force_n, 0, WANTED),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

/* The pointer of a batch's column, whatever its type. */
static double **pointer(pcm_batch *batch, size_t offset) { return (double **)(void *)((char *)batch + offset); }

static bool has(const pcm_model *model, const Field *field, bool everything)
{
    if (field->use == OFFERED && !everything)
        return false;
    return field->bit == 0 || ((field->use == READ ? model->inputs : model->outputs) & field->bit);
}

/* Doubles from one column to the next: whole pages and 25 cache lines. If a load and an unfinished store have the same
 * last twelve address bits, a processor takes them for the same address and waits. If columns were a page and one line
 * apart, every load would collide with the previous step's store to the next column. At this distance the first such
 * store is five steps old, to the thirteenth column after it. */
static size_t pitch(size_t count)
{
    enum { LINE = 8, PAGE = 512, BEYOND = 25 * LINE };
    const size_t pages = count > BEYOND ? (count - BEYOND + PAGE - 1) / PAGE : 0;
    return pages * PAGE + BEYOND;
}

static double *take(Columns *columns, double low, double high)
{
    const size_t count = columns->batch.count;
    double      *column = columns->memory + columns->n_taken++ * pitch(count);
    for (size_t i = 0; i < count; i++)
        column[i] = low < high ? bench_random(low, high) : low;
    return column;
}

static void point_to_tables(Columns *columns)
{
    columns->batch.host_inputs = columns->host_inputs;
    columns->batch.state = columns->state;
    columns->batch.next = columns->next;
    columns->batch.rate = columns->rate;
    columns->batch.event = columns->event;
    columns->batch.base_amount = columns->amount[0];
    columns->batch.follower_amount = columns->amount[1];
    columns->batch.base_flow = columns->flow[0];
    columns->batch.follower_flow = columns->flow[1];
}

/* A stepping host wants the states that the law steps itself, and the rates of those that the host integrates. */
static void take_states(Columns *columns, const pcm_model *model, bool everything)
{
    const pcm_state *states = model->states.entries;
    size_t           column = 0;
    for (uint32_t i = 0; i < model->states.count; i++) {
        const bool rate_alone = states[i].role == PCM_CONTINUOUS && !(states[i].flags & PCM_STEPS);
        for (uint32_t k = 0; k < pcm_columns_of(states[i].shape); k++, column++) {
            columns->state[column] = take(columns, -1e-5, 1e-5);
            if (everything || !rate_alone)
                columns->next[column] = take(columns, 0, 0);
            if (everything || rate_alone)
                columns->rate[column] = take(columns, 0, 0);
        }
    }
}

Columns *columns_new(const pcm_type *type, size_t count, bool everything)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    const uint32_t       n_events = info->model->events.count;
    const uint32_t       n_amounts = info->model->amounts.count;
    const size_t         most = N_FIELDS + 3 * info->n_state + info->n_host_inputs + n_events + 4 * n_amounts;
    Columns             *columns = bench_allocate(sizeof *columns);

    if (info->n_state > MAX_STATES || info->n_host_inputs > MAX_STATES || n_events > MAX_STATES)
        bench_fail("the law has more columns than are measured here");
    columns->type = type;
    columns->memory = bench_allocate(most * pitch(count) * sizeof(double));
    columns->batch.size = sizeof columns->batch;
    columns->batch.count = count;
    columns->batch.params = everything ? info->params : NULL;
    columns->batch.time = columns->batch.dt = 1e-4;
    point_to_tables(columns);
    for (size_t i = 0; i < N_FIELDS; i++)
        if (has(info->model, &fields[i], everything))
            *pointer(&columns->batch, fields[i].offset) = take(columns, fields[i].low, fields[i].high);
    for (uint32_t i = 0; i < info->n_host_inputs; i++)
        columns->host_inputs[i] = take(columns, 0, 1);
    for (uint32_t i = 0; everything && i < n_events; i++)
        columns->event[i] = take(columns, 0, 0);
    for (uint32_t i = 0; i < 2 * n_amounts; i++) {
        columns->amount[i % 2][i / 2] = take(columns, 1, 2);
        columns->flow[i % 2][i / 2] = take(columns, 0, 0);
    }
    take_states(columns, info->model, everything);
    columns->bytes = 8 * (double)columns->n_taken;
    return columns;
}

void columns_free(Columns *columns)
{
    free(columns->memory);
    free(columns);
}

void columns_slice(const Columns *from, size_t first, size_t count, Columns *to)
{
    *to = *from;
    to->batch.count = count;
    point_to_tables(to);
    for (size_t i = 0; i < N_FIELDS; i++) {
        double **column = pointer(&to->batch, fields[i].offset);
        *column = *column ? *column + first : NULL;
    }
    for (size_t i = 0; i < MAX_STATES; i++) {
        to->host_inputs[i] = from->host_inputs[i] ? from->host_inputs[i] + first : NULL;
        to->state[i] = from->state[i] ? from->state[i] + first : NULL;
        to->next[i] = from->next[i] ? from->next[i] + first : NULL;
        to->rate[i] = from->rate[i] ? from->rate[i] + first : NULL;
        to->event[i] = from->event[i] ? from->event[i] + first : NULL;
    }
    for (size_t i = 0; i < 2 * MAX_AMOUNTS; i++) {
        to->amount[i % 2][i / 2] = from->amount[i % 2][i / 2] ? from->amount[i % 2][i / 2] + first : NULL;
        to->flow[i % 2][i / 2] = from->flow[i % 2][i / 2] ? from->flow[i % 2][i / 2] + first : NULL;
    }
}

void columns_call(void *work)
{
    const Columns *columns = work;
    if (pcm_type_call(columns->type, PCM_UPDATE, &columns->batch) != PCM_OK)
        bench_fail("the law cannot be called");
}
