/* SPDX-License-Identifier: MIT */
/* jacobian.c - partial derivatives of laws: the law's own, or differences. */
#include "arithmetic.h"
#include "jacobian.h"
#include <pcm/messages.h>

/* ---- Variables ------------------------------------------------------------------------------------------------- */

/* When a distance is chosen, a variable smaller than this counts as zero. SI units. */
static double nominal_of(const pcm_type *type, uint32_t by)
{
    static const double motion[] = {
        [PCM_WRT_DEPTH] = 1e-7,     [PCM_WRT_DEPTH_RATE] = 1e-2, [PCM_WRT_SLIP_X] = 1e-3,
        [PCM_WRT_SLIP_Y] = 1e-3,    [PCM_WRT_SPIN_X] = 1e-2,     [PCM_WRT_SPIN_Y] = 1e-2,
        [PCM_WRT_SPIN_N] = 1e-2,    [PCM_WRT_X] = 1e-4,          [PCM_WRT_Y] = 1e-4,
        [PCM_WRT_Z] = 1e-4,         [PCM_WRT_VELOCITY_X] = 1e-3, [PCM_WRT_VELOCITY_Y] = 1e-3,
        [PCM_WRT_VELOCITY_Z] = 1e-3};
    if (by < PCM_WRT_STATE)
        return motion[by];
    if (by >= PCM_WRT_PARAM)
        return 1;
    size_t column = by - PCM_WRT_STATE;
    for (size_t i = 0; i < type->info.model->states.count; i++) {
        const pcm_state *state = pcm_model_state(type->info.model, i);
        const size_t     columns = pcm_columns_of(state->shape);
        if (column < columns)
            return state->nominal;
        column -= columns;
    }
    return 1;
}

static bool cause_exists(const pcm_type *type, uint32_t by)
{
    if (by <= PCM_WRT_VELOCITY_Z)
        return true;
    if (by >= PCM_WRT_PARAM)
        return by - PCM_WRT_PARAM < type->info.model->params.count &&
               pcm_model_param(type->info.model, by - PCM_WRT_PARAM)->kind == PCM_KIND_REAL;
    return by >= PCM_WRT_STATE && by - PCM_WRT_STATE < type->info.n_state;
}

static bool is_read(const pcm_type *type, uint32_t by)
{
    return by >= PCM_WRT_STATE || (type->info.model->inputs & pcm_wrt_input(by)) != 0;
}

static bool result_exists(const pcm_type *type, uint32_t of)
{
    return of <= PCM_OUTPUT_MOMENT_Y || (of >= PCM_OUTPUT_RATE && of - PCM_OUTPUT_RATE < type->info.n_state);
}

static bool is_written(const pcm_type *type, uint32_t of)
{
    const uint32_t outputs = type->info.model->outputs;
    if (of >= PCM_OUTPUT_MOMENT_N && of <= PCM_OUTPUT_MOMENT_Y)
        return (outputs & PCM_MOMENT) != 0;
    return of == PCM_OUTPUT_FORCE_N || of >= PCM_OUTPUT_RATE || (outputs & PCM_FRICTION) != 0;
}

/* ---- Creation -------------------------------------------------------------------------------------------------- */

/* The index of partial (of, by) in the law's own table, or NO_COLUMN. */
static uint32_t own_column(const pcm_model *model, pcm_partial partial)
{
    for (uint32_t i = 0; i < model->partials.count; i++)
        if (pcm_model_partial(model, i)->output == partial.output && pcm_model_partial(model, i)->wrt == partial.wrt)
            return i;
    return NO_COLUMN;
}

/* All partials that may differ from zero, except by parameters; only counts if partials is NULL. */
static size_t list_all(const pcm_type *type, pcm_partial *partials)
{
    size_t count = 0;
    for (uint32_t of = 0; of < PCM_OUTPUT_RATE + type->info.n_state; of++) {
        if (!result_exists(type, of) || !is_written(type, of))
            continue;
        for (uint32_t by = 0; by < PCM_WRT_STATE + type->info.n_state; by++) {
            if (!cause_exists(type, by) || !is_read(type, by))
                continue;
            if (partials)
                partials[count] = (pcm_partial){of, by};
            count++;
        }
    }
    return count;
}

static void add_cause(pcm_jacobian *j, uint32_t by)
{
    for (size_t i = 0; i < j->n_causes; i++)
        if (j->causes[i].wrt == by)
            return;
    j->causes[j->n_causes++] = (pcm_cause){.wrt = by, .nominal = nominal_of(j->type, by)};
}

static pcm_status take_partials(pcm_jacobian *j, const pcm_partial *partials, uint32_t flags)
{
    const pcm_type *type = j->type;
    if (partials)
        memcpy(j->partials, partials, j->n_partials * sizeof *partials);
    else
        list_all(type, j->partials);
    for (size_t k = 0; k < j->n_partials; k++) {
        const pcm_partial partial = j->partials[k];
        if (!result_exists(type, partial.output) || !cause_exists(type, partial.wrt)) {
            pcm_report(j->context, PCM_ERROR, PCM_MSG_PARTIAL,
                       "%s has no partial derivative of output %u with respect to %u", type->info.model->name,
                       partial.output, partial.wrt);
            return PCM_BAD_ARGUMENT;
        }
        j->own[k] = flags & PCM_ONLY_DIFFERENCES ? NO_COLUMN : own_column(type->info.model, partial);
        j->any_own = j->any_own || j->own[k] != NO_COLUMN;
        if (j->own[k] == NO_COLUMN && is_read(type, partial.wrt) && is_written(type, partial.output))
            add_cause(j, partial.wrt);
    }
    return PCM_OK;
}

/* Columns for the law's outputs: those of the results are kept for each of the PROBES calls, all others share one. */
static pcm_status make_columns(pcm_jacobian *j)
{
    j->n_results = 6 + j->type->info.n_state + j->type->info.model->events.count;
    j->bytes = (PROBES * j->n_results + j->type->info.model->partials.count) * sizeof(pcm_probe_lanes);
    j->results = pcm_allocate(j->context, j->bytes);
    if (!j->results)
        return PCM_NO_MEMORY;
    for (size_t i = 0; i < LANES; i++)
        j->nothing[i] = NAN;
    for (uint32_t i = 0; i < j->type->info.model->partials.count; i++)
        j->own_columns[i] = j->results[PROBES * j->n_results + i];
    return PCM_OK;
}

/* One block of memory: the struct, then arrays for the partials and for the variables, whose number is at most that of
 * the partials. */
static pcm_jacobian *make_block(const pcm_type *type, size_t count)
{
    pcm_context  *context = pcm_config_context(type->config);
    const size_t  each = sizeof(uint64_t) + sizeof(pcm_cause) + sizeof(pcm_partial) + sizeof(uint32_t);
    const size_t  bytes = sizeof(pcm_jacobian) + count * each;
    pcm_jacobian *j = pcm_allocate(context, bytes);
    if (!j)
        return NULL;
    j->context = context;
    j->type = type;
    j->own_bytes = bytes;
    j->n_partials = count;
    j->settled = (uint64_t *)(j + 1);
    j->causes = (pcm_cause *)(j->settled + count);
    j->partials = (pcm_partial *)(j->causes + count);
    j->own = (uint32_t *)(j->partials + count);
    return j;
}

pcm_jacobian *pcm_jacobian_new(const pcm_type *type, const pcm_partial *partials, size_t count, uint32_t flags)
{
    if (!pcm_type_has_params(type))
        return NULL;
    pcm_jacobian *j = make_block(type, partials ? count : list_all(type, NULL));
    pcm_status    status = j ? take_partials(j, partials, flags) : PCM_NO_MEMORY;
    if (status == PCM_OK)
        status = make_columns(j);
    for (size_t i = 0; status == PCM_OK && i < j->n_causes; i++)
        if (j->causes[i].wrt >= PCM_WRT_PARAM)
            status = pcm_cause_blocks_make(j, &j->causes[i]);
    if (status == PCM_OK)
        return j;
    if (status == PCM_NO_MEMORY)
        pcm_report(pcm_config_context(type->config), PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a Jacobian");
    pcm_jacobian_free(j);
    return NULL;
}

void pcm_jacobian_free(pcm_jacobian *jacobian)
{
    if (!jacobian)
        return;
    for (size_t i = 0; i < jacobian->n_causes; i++)
        pcm_cause_blocks_free(jacobian, &jacobian->causes[i]);
    pcm_free(jacobian->context, jacobian->results, jacobian->bytes);
    pcm_free(jacobian->context, jacobian, jacobian->own_bytes);
}

size_t pcm_jacobian_count(const pcm_jacobian *jacobian) { return jacobian->n_partials; }

pcm_partial pcm_jacobian_partial(const pcm_jacobian *jacobian, size_t index) { return jacobian->partials[index]; }

/* ---- Calling the law ------------------------------------------------------------------------------------------- */

static const double *input(const pcm_jacobian *j, const double *column, size_t first)
{
    return column ? column + first : j->nothing;
}

/* A batch of the host's lanes from `first` on, with output columns for one probe. */
static pcm_batch batch_of(pcm_jacobian *j, const pcm_batch *from, size_t first, size_t count, size_t probe)
{
    const pcm_type_info *info = &j->type->info;
    const uint32_t       reads = info->model->inputs, writes = info->model->outputs;
    pcm_probe_lanes     *result = j->results + probe * j->n_results;
    for (uint32_t i = 0; i < info->n_host_inputs; i++)
        j->host_inputs[i] = input(j, from->host_inputs ? from->host_inputs[i] : NULL, first);
    for (uint32_t i = 0; i < info->n_state; i++) {
        j->state[i] = input(j, from->state ? from->state[i] : NULL, first);
        j->next[i] = j->unread;
        j->rate[i] = result[6 + i];
    }
    for (uint32_t i = 0; i < info->model->amounts.count; i++) {
        j->amount[0][i] = input(j, from->base_amount ? from->base_amount[i] : NULL, first);
        j->amount[1][i] = input(j, from->follower_amount ? from->follower_amount[i] : NULL, first);
        j->flow[i] = j->unread;
    }
    for (uint32_t i = 0; i < info->model->events.count; i++)
        j->event[i] = result[6 + info->n_state + i];
#define READ(flag, column) (reads & (flag) ? input(j, from->column, first) : j->nothing)
    return (pcm_batch){
        .size = sizeof(pcm_batch),
        .count = count,
        .time = from->time,
        .dt = from->dt,
        .params = info->params,
        .depth = READ(PCM_DEPTH, depth),
        .depth_rate = READ(PCM_DEPTH_RATE, depth_rate),
        .slip_x = READ(PCM_SLIP, slip_x),
        .slip_y = READ(PCM_SLIP, slip_y),
        .spin_x = READ(PCM_SPIN, spin_x),
        .spin_y = READ(PCM_SPIN, spin_y),
        .spin_n = READ(PCM_SPIN, spin_n),
        .x = READ(PCM_POSITION, x),
        .y = READ(PCM_POSITION, y),
        .z = READ(PCM_POSITION, z),
        .velocity_x = READ(PCM_VELOCITY, velocity_x),
        .velocity_y = READ(PCM_VELOCITY, velocity_y),
        .velocity_z = READ(PCM_VELOCITY, velocity_z),
        .radius = READ(PCM_RADIUS, radius),
        .mass = READ(PCM_MASS, mass),
        .load_n = READ(PCM_LOAD, load_n),
        .load_elastic = READ(PCM_LOAD, load_elastic),
        .load_adhesive = READ(PCM_LOAD, load_adhesive),
        .load_pull_off = READ(PCM_LOAD, load_pull_off),
        .contact_radius = READ(PCM_CONTACT_RADIUS, contact_radius),
        .base_amount = j->amount[0],
        .follower_amount = j->amount[1],
        .base_flow = j->flow,
        .follower_flow = j->flow,
        .base_spin_x = READ(PCM_BODY_SPINS, base_spin_x),
        .base_spin_y = READ(PCM_BODY_SPINS, base_spin_y),
        .base_spin_n = READ(PCM_BODY_SPINS, base_spin_n),
        .follower_spin_x = READ(PCM_BODY_SPINS, follower_spin_x),
        .follower_spin_y = READ(PCM_BODY_SPINS, follower_spin_y),
        .follower_spin_n = READ(PCM_BODY_SPINS, follower_spin_n),
        .base_axis_x = READ(PCM_AXES, base_axis_x),
        .base_axis_y = READ(PCM_AXES, base_axis_y),
        .base_axis_n = READ(PCM_AXES, base_axis_n),
        .follower_axis_x = READ(PCM_AXES, follower_axis_x),
        .follower_axis_y = READ(PCM_AXES, follower_axis_y),
        .follower_axis_n = READ(PCM_AXES, follower_axis_n),
        .loss_friction = READ(PCM_LOSS, loss_friction),
        .loss_damping = READ(PCM_LOSS, loss_damping),
        .load_x = READ(PCM_LOSS, load_x),
        .load_y = READ(PCM_LOSS, load_y),
        .curvature_1 = READ(PCM_CURVATURE, curvature_1),
        .curvature_2 = READ(PCM_CURVATURE, curvature_2),
        .curvature_x = READ(PCM_CURVATURE_AXIS, curvature_x),
        .curvature_y = READ(PCM_CURVATURE_AXIS, curvature_y),
        .point_part = READ(PCM_EXTENT, point_part),
        .patch_part = READ(PCM_EXTENT, patch_part),
        .line_length = READ(PCM_EXTENT, line_length),
        .line_curvature = READ(PCM_EXTENT, line_curvature),
        .flat_area = READ(PCM_EXTENT, flat_area),
        .flat_aspect = READ(PCM_EXTENT, flat_aspect),
        .fresh = j->nothing,
        .area = READ(PCM_AREA, area),
        .share = READ(PCM_SHARE, share),
        .host_inputs = j->host_inputs,
        .state = j->state,
        .next = j->next,
        .rate = j->rate,
        .event = j->event,
        .force_n = result[PCM_OUTPUT_FORCE_N],
        .force_x = writes & PCM_FRICTION ? result[PCM_OUTPUT_FORCE_X] : j->unread,
        .force_y = writes & PCM_FRICTION ? result[PCM_OUTPUT_FORCE_Y] : j->unread,
        .moment_n = writes & PCM_MOMENT ? result[PCM_OUTPUT_MOMENT_N] : j->unread,
        .moment_x = writes & PCM_MOMENT ? result[PCM_OUTPUT_MOMENT_X] : j->unread,
        .moment_y = writes & PCM_MOMENT ? result[PCM_OUTPUT_MOMENT_Y] : j->unread,
        .energy = j->unread,
        .dissipation = j->unread,
        .onset = j->unread,
        .elastic_n = j->unread,
        .adhesive_n = j->unread,
        .pull_off = j->unread,
        .patch_radius = j->unread,
        .life = j->unread_marks,
        .mode = j->unread_marks,
        .reports = 1, /* also writes rates, and events, which show where kinks are */
    };
#undef READ
}

static const double **input_column(pcm_jacobian *j, pcm_batch *batch, uint32_t by)
{
    const double **const motion[] = {
        [PCM_WRT_DEPTH] = &batch->depth,
        [PCM_WRT_DEPTH_RATE] = &batch->depth_rate,
        [PCM_WRT_SLIP_X] = &batch->slip_x,
        [PCM_WRT_SLIP_Y] = &batch->slip_y,
        [PCM_WRT_SPIN_X] = &batch->spin_x,
        [PCM_WRT_SPIN_Y] = &batch->spin_y,
        [PCM_WRT_SPIN_N] = &batch->spin_n,
        [PCM_WRT_X] = &batch->x,
        [PCM_WRT_Y] = &batch->y,
        [PCM_WRT_Z] = &batch->z,
        [PCM_WRT_VELOCITY_X] = &batch->velocity_x,
        [PCM_WRT_VELOCITY_Y] = &batch->velocity_y,
        [PCM_WRT_VELOCITY_Z] = &batch->velocity_z,
    };
    return by < PCM_WRT_STATE ? motion[by] : &j->state[by - PCM_WRT_STATE];
}

/* The distances of probes 1, 2, 3, 4: forward, back, half forward, half back; each level is 32 times nearer than the
 * last. */
double pcm_probe_offset(size_t probe, size_t level, double scale)
{
    static const double shares[PROBES] = {0, 1, -1, 0.5, -0.5};
    static const double farthest =
        7e-4; /* the fifth root of the rounding error: best for a derivative to fourth order */
    return shares[probe] * ldexp(farthest * scale, -5 * (int)level);
}

/* Calls the law with the variable moved; moved[lane] gets the distance, 0 if the variable cannot move. */
static void probe_motion(pcm_jacobian *j, const pcm_batch *from, size_t first, size_t count, const pcm_cause *cause,
                         size_t probe, size_t level)
{
    pcm_batch      batch = batch_of(j, from, first, count, probe);
    const double **column = input_column(j, &batch, cause->wrt);
    for (size_t i = 0; i < count; i++) {
        const double x = (*column)[i];
        j->varied[i] = x + pcm_probe_offset(probe, level, pcm_max(fabs(x), cause->nominal));
        j->moved[probe][i] = j->varied[i] - x;
    }
    *column = j->varied;
    j->type->kernels->update(&batch);
}

static void probe_param(pcm_jacobian *j, const pcm_batch *from, size_t first, size_t count, const pcm_cause *cause,
                        size_t probe, size_t level)
{
    const pcm_param_probe *there = &cause->blocks[level * PROBES + probe];
    pcm_batch              batch = batch_of(j, from, first, count, probe);
    for (size_t i = 0; i < count; i++)
        j->moved[probe][i] = there->params ? there->moved : 0;
    if (!there->params)
        return;
    batch.params = there->params;
    j->type->kernels->update(&batch);
}

/* ---- Differences ----------------------------------------------------------------------------------------------- */

/* One result in one lane: its value and those of the probes. */
static double at(const pcm_jacobian *j, size_t probe, size_t result, size_t lane)
{
    return j->results[probe * j->n_results + result][lane];
}

/* Whether an event's indicator has the other sign at a probe of that side. */
static bool crosses(const pcm_jacobian *j, size_t event, size_t far_probe, size_t lane)
{
    const double here = at(j, 0, event, lane);
    return here * at(j, far_probe, event, lane) < 0 || here * at(j, far_probe + 2, event, lane) < 0;
}

/* Whether a side's probes are beyond an event: some indicator has the other sign there. Where it has that sign on both
 * sides it is 0 here but for rounding, and tells nothing. */
static bool past_event(const pcm_jacobian *j, size_t far_probe, size_t lane)
{
    const size_t far_back = far_probe == 1 ? 2 : 1;
    for (size_t e = 6 + j->type->info.n_state; e < j->n_results; e++)
        if (crosses(j, e, far_probe, lane) && !crosses(j, e, far_back, lane))
            return true;
    return false;
}

static bool at_event(const pcm_jacobian *j, size_t lane)
{
    for (size_t e = 6 + j->type->info.n_state; e < j->n_results; e++)
        if (at(j, 0, e, lane) == 0)
            return true;
    return false;
}

/* The largest magnitude that causes rounding errors of a result; for a force, that of any force. */
static double magnitude(const pcm_jacobian *j, size_t result, size_t lane)
{
    const size_t begin = result < 3 ? 0 : result < 6 ? 3 : result, end = result < 6 ? begin + 3 : result + 1;
    double       largest = 0;
    for (size_t r = begin; r < end; r++)
        for (size_t probe = 0; probe < 3; probe++)
            largest = fmax(largest, fabs(at(j, probe, r, lane)));
    return largest;
}

/* The difference quotient to one side, extrapolated from its far and near probe to zero distance. */
typedef struct slope {
    double value, change; /* change: between the two distances */
    bool   good;
} slope;

static slope slope_to(const pcm_jacobian *j, size_t result, size_t lane, size_t far_probe)
{
    const size_t near_probe = far_probe + 2;
    const double here = at(j, 0, result, lane), d_far = j->moved[far_probe][lane], d_near = j->moved[near_probe][lane];
    if (d_far == 0 || d_near == 0)
        return (slope){NAN, 0, false};
    const double far_slope = (at(j, far_probe, result, lane) - here) / d_far;
    const double near_slope = (at(j, near_probe, result, lane) - here) / d_near;
    const double value = near_slope + (near_slope - far_slope) * d_near / (d_far - d_near);
    const bool   good = isfinite(value) && !past_event(j, far_probe, lane);
    return (slope){value, fabs(near_slope - far_slope), good};
}

static double central(const pcm_jacobian *j, size_t result, size_t lane)
{
    const double far_slope =
        (at(j, 1, result, lane) - at(j, 2, result, lane)) / (j->moved[1][lane] - j->moved[2][lane]);
    const double near_slope =
        (at(j, 3, result, lane) - at(j, 4, result, lane)) / (j->moved[3][lane] - j->moved[4][lane]);
    return near_slope + (near_slope - far_slope) / 3;
}

/* Whether the derivative is settled; at the last level it always is. */
static bool settle(const pcm_jacobian *j, size_t result, size_t lane, bool last, double *value, bool *one_sided)
{
    const slope  there = slope_to(j, result, lane, 1), back = slope_to(j, result, lane, 2);
    const double agreement = 1e-4; /* at the greatest distances, smooth laws disagree by about 1e-6 */
    const double noise = 64 * DBL_EPSILON * magnitude(j, result, lane) / fabs(j->moved[there.good ? 3 : 4][lane]);
    const double apart = fabs(there.value - back.value);
    *one_sided = !(there.good && back.good && apart <= agreement * fmax(fabs(there.value), fabs(back.value)) + noise);
    if (!*one_sided) {
        *value = central(j, result, lane);
        return true;
    }
    if (!last)
        return false;
    /* The side without a kink; if neither has one, the side where the variable grows. */
    const bool take_there = there.good && (!back.good || there.change <= 16 * back.change + noise);
    *value = take_there ? there.value : back.good ? back.value : NAN;
    return true;
}

static void difference(pcm_jacobian *j, const pcm_batch *from, size_t first, size_t count, const pcm_cause *cause,
                       double *const *values, int64_t *const *flags)
{
    memset(j->settled, 0, j->n_partials * sizeof *j->settled);
    size_t open = 1;
    for (size_t level = 0; open > 0 && level < LEVELS; level++) {
        open = 0;
        for (size_t probe = 1; probe < PROBES; probe++)
            (cause->wrt >= PCM_WRT_PARAM ? probe_param : probe_motion)(j, from, first, count, cause, probe, level);
        for (size_t k = 0; k < j->n_partials; k++) {
            const uint32_t of = j->partials[k].output;
            const size_t   result = of < PCM_OUTPUT_RATE ? of : 6 + (of - PCM_OUTPUT_RATE);
            if (j->partials[k].wrt != cause->wrt || j->own[k] != NO_COLUMN || !is_written(j->type, of))
                continue;
            for (size_t i = 0; i < count; i++) {
                bool one_sided;
                if (j->settled[k] >> i & 1)
                    continue;
                if (!settle(j, result, i, level + 1 == LEVELS, &values[k][first + i], &one_sided)) {
                    open++;
                    continue;
                }
                j->settled[k] |= (uint64_t)1 << i;
                if (flags)
                    flags[k][first + i] = one_sided ? PCM_PARTIAL_ONE_SIDED : 0;
            }
        }
    }
}

/* ---- Evaluation ------------------------------------------------------------------------------------------------ */

/* Fills in the columns that need no differences: the law's own ones, and zeros. */
static void copy_own(const pcm_jacobian *j, size_t first, size_t count, double *const *values, int64_t *const *flags)
{
    int64_t given[LANES];
    for (size_t i = 0; flags && i < count; i++)
        given[i] = PCM_PARTIAL_GIVEN | (at_event(j, i) ? PCM_PARTIAL_ONE_SIDED : 0);
    for (size_t k = 0; k < j->n_partials; k++) {
        const bool own = j->own[k] != NO_COLUMN;
        for (size_t i = 0; i < count; i++)
            values[k][first + i] = own ? j->own_columns[j->own[k]][i] : 0;
        for (size_t i = 0; flags && i < count; i++)
            flags[k][first + i] = own ? given[i] : 0;
    }
}

pcm_status pcm_jacobian_evaluate(pcm_jacobian *jacobian, const pcm_batch *given, double *const *values,
                                 int64_t *const *flags)
{
    pcm_batch        known = {.size = sizeof known};
    const pcm_batch *batch = &known;
    if (!pcm_def_fill(pcm_config_context(jacobian->type->config), "pcm_batch", &known, given))
        return PCM_BAD_ARGUMENT;
    const uint64_t arithmetic = pcm_arithmetic();
    for (size_t first = 0; first < batch->count; first += LANES) {
        const size_t left = batch->count - first, count = left < LANES ? left : LANES;
        pcm_batch    here = batch_of(jacobian, batch, first, count, 0);
        here.jacobian = jacobian->any_own ? jacobian->own_columns : NULL;
        jacobian->type->kernels->update(&here);
        copy_own(jacobian, first, count, values, flags);
        for (size_t i = 0; i < jacobian->n_causes; i++)
            difference(jacobian, batch, first, count, &jacobian->causes[i], values, flags);
    }
    pcm_arithmetic_keep(arithmetic);
    return PCM_OK;
}
