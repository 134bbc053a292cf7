/* SPDX-License-Identifier: MIT */
/* block.c - a block of contacts, from motion to wrenches.
 *
 * 1. compute_inputs: records of rows and twists of both objects become the columns that the law reads: the relative
 *    velocity at the contact point, in the contact frame. Rows that were not touched are far apart and at rest.
 * 2. The law: establish gives tentative rows their states; then the law's forces, or update, run over all rows. Outputs
 *    for a whole patch are multiplied by the rows' shares.
 * 3. step_states: states that the law does not step itself become state + dt rate.
 * 4. compute_results, law to world: forces are rotated to world axes, and their torques about the world's origin are
 *    added. A lane with an infinite or NaN number is marked, gives no force and keeps its states; rows that a commit
 *    will remove are listed.
 * 5. compute_results, world to objects: the wrench is added to both objects, in the order of rows, or deferred
 *    (pcm_deferral).
 *
 * A pass without wrenches only evaluates rows again: next states and forces stay in the scratch, and neither the group
 * nor an object changes.
 *
 * Compiled once per instruction set: PCM_BLOCK_RUN is the name of this set's pipeline. A vector of contacts
 * stays in registers from its lines to the columns that the law reads, and from those that it writes to the objects'
 * lines. A lane's results depend on that lane alone, by the same operations in every set, so that all give the same
 * bits. */
#include "moving.h"

/* A group of fewer contacts fits, with its objects, into the second-level cache of most processors. Up to this size
 * prefetching costs more than it saves, by the benchmark `growth`. */
enum { PCM_NEAR_ROWS = 4096 };

/* ---- Motion ---------------------------------------------------------------------------------------------------- */

static bool some_absent(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count)
{
    const uint32_t *stamp = group->stamp + row;
    uint32_t        differ = 0, evaluation = pass->evaluation;
#pragma omp simd reduction(| : differ)
    for (size_t i = 0; i < count; i++)
        differ |= stamp[i] ^ evaluation;
    return differ != 0;
}

/* Contacts that are not touched are far apart and at rest, with a normal that does not depend on earlier touches. The
 * position of their base may be NaN. */
PCM_INLINE void set_nowhere(const block_plan *plan, pcm_mask nowhere, motion *m)
{
    vec zero = {{0}, {0}, {0}}, up = {{0}, {0}, broadcast(1)};
    m->point = pick_vec(nowhere, zero, m->point);
    m->normal = pick_vec(nowhere, up, m->normal);
    m->linear = pick_vec(nowhere, zero, m->linear);
    m->angular = pick_vec(nowhere, zero, m->angular);
    m->depth = pick(nowhere, broadcast(PCM_FAR), m->depth);
    if (!plan->based && !plan->carries)
        return;
    vec      u = m->base.u, at = m->origin;
    pcm_mask lost = nowhere & ~is_finite(m->base.w + u.x + u.y + u.z + at.x + at.y + at.z);
    m->base = (quat){pick(lost, broadcast(1), m->base.w), pick_vec(lost, zero, u)};
    m->origin = pick_vec(lost, zero, at);
}

PCM_INLINE motion gather(const pcm_pass *pass, const block_plan *plan, const pcm_record *record)
{
    pcm_lanes r[8], t[8], p[8];
    gather_records(record, r);
    gather_motion(record, pass->twist, t);
    motion m = {.point = {r[0], r[1], r[2]},
                .normal = {r[3], r[4], r[5]},
                .depth = r[6],
                .objects = r[7],
                .linear = {t[0], t[1], t[2]},
                .angular = {t[3], t[4], t[5]}};
    if (plan->based || plan->carries) {
        gather_pose(record, pass->pose, false, p);
        m.origin = (vec){p[0], p[1], p[2]};
        m.base = (quat){p[3], {p[4], p[5], p[6]}};
    }
    return m;
}

/* ---- The law's inputs ------------------------------------------------------------------------------------------ */

/* Point and velocity in the base's own axes. */
static void compute_position(const motion *m, size_t i, pcm_scratch *s)
{
    quat back = conjugate(m->base);
    store_vec(s->position, i, rotate(back, sum(m->point, scaled(broadcast(-1), m->origin))));
    store_vec(s->velocity, i, rotate(back, m->linear));
    store(&s->turn[0][i], m->base.w);
    store_vec(s->turn + 1, i, m->base.u);
}

PCM_INLINE void compute_slip(const block_plan *plan, const motion *m, const frame *f, size_t i, pcm_scratch *s)
{
    pcm_lanes x, y;
    into_frame(plan, f, m->linear, &x, &y);
    store(&s->slip_x[i], x);
    store(&s->slip_y[i], y);
    store(&s->slip_squared[i], x * x + y * y);
    if (plan->spins) {
        into_frame(plan, f, m->angular, &x, &y);
        store(&s->spin_x[i], x);
        store(&s->spin_y[i], y);
        store(&s->spin_n[i], dot(m->angular, m->normal));
    }
}

static void store_in_frame(const block_plan *plan, const frame *f, vec v, size_t i, pcm_column column[3])
{
    pcm_lanes x, y;
    into_frame(plan, f, v, &x, &y);
    store(&column[0][i], x);
    store(&column[1][i], y);
    store(&column[2][i], dot(v, f->normal));
}

static vec gather_spin(const pcm_pass *pass, const pcm_record *record, bool follower)
{
    vec w;
    for (size_t k = 0; k < PCM_LANES; k++) {
        const uint32_t side = follower ? record[k].follower : record[k].base;
        const double  *angular = pass->twist[pcm_side_object(side)].angular;
        w.x[k] = angular[0], w.y[k] = angular[1], w.z[k] = angular[2];
    }
    return w;
}

/* The direction of the shapes of rows from `row` on. */
static void compute_direction(const block_plan *plan, const pcm_group *group, size_t row, size_t left, pcm_mask absent,
                              const frame *f, size_t i, pcm_scratch *s)
{
    const double *direction = pcm_group_shape(group, offsetof(pcm_contact_shape, direction), row);
    const vec     u = {load_rows(direction, left), load_rows(direction + PCM_BLOCK, left),
                       load_rows(direction + 2 * PCM_BLOCK, left)};
    pcm_lanes     x, y;
    into_frame(plan, f, only_vec(~absent, u), &x, &y);
    store(&s->shape[PCM_ROW_SHAPE][i], x);
    store(&s->shape[PCM_ROW_SHAPE + 1][i], y);
}

/* The spin and the axis of each body; contacts that are not touched are at rest. */
static __attribute__((noinline)) void compute_sides(const pcm_pass *pass, const block_plan *plan,
                                                    const pcm_group *group, const pcm_record *record, pcm_mask absent,
                                                    const frame *f, size_t i, pcm_scratch *s)
{
    for (size_t side = 0; side < 2; side++) {
        if (group->model->inputs & PCM_BODY_SPINS)
            store_in_frame(plan, f, only_vec(~absent, gather_spin(pass, record, side == 1)), i, s->side_spin[side]);
        if (!(group->model->inputs & PCM_AXES))
            continue;
        const quat    turn = gather_turn(pass, record, side == 1);
        const int64_t axis = group->axis[side];
        store_in_frame(plan, f,
                       axis == 0   ? x_axis(turn)
                       : axis == 1 ? y_axis(turn)
                                   : z_axis(turn),
                       i, s->side_axis[side]);
    }
}

/* Columns that are used after the law's call, or reported. */
PCM_INLINE void store_frame_and_motion(const block_plan *plan, const motion *m, const frame *f, size_t i,
                                       pcm_scratch *s)
{
    store_vec(s->contact, i, m->point);
    store_vec(s->contact + 3, i, m->normal);
    if (!plan->carries)
        store(&s->factor[i], f->factor);
    if (plan->carries || !plan->keep) {
        store_vec(s->x_axis, i, f->x);
        store_vec(s->y_axis, i, f->y);
    }
    if (!plan->keep) {
        store_vec(s->motion, i, m->linear);
        store_vec(s->motion + 3, i, m->angular);
    }
}

/* Motion at the contact points. Returns the lanes in which the motion is finite and the normal is a unit vector: an
 * infinite or NaN point or depth makes the velocity infinite or NaN. */
PCM_INLINE pcm_mask compute_velocities(const pcm_group *group, motion *m, size_t i, pcm_scratch *s)
{
    m->point.x += m->depth * 0.0;
    if (group->shift != 0)
        m->point = sum(m->point, scaled(group->shift * m->depth, m->normal));
    m->linear = sum(m->linear, cross(m->angular, m->point));
    store(&s->depth[i], m->depth);
    store(&s->depth_rate[i], 0.0 - dot(m->linear, m->normal)); /* not -dot: at rest it is 0, not -0 */
    return is_finite(m->linear.x + m->linear.y + m->linear.z) & (absolute(dot(m->normal, m->normal) - 1.0) <= PCM_SKEW);
}

/* Prefetches the objects of later contacts, which are too scattered for the processor's own prefetcher, except that
 * consecutive rows mostly have consecutive bases. At 100,000 contacts this saves a quarter of an update. Always
 * inlined: gcc drops calls of a function that only prefetches. */
PCM_INLINE void fetch_ahead(const pcm_pass *pass, const block_plan *plan, const pcm_group *group, size_t row)
{
    enum { LINES = 64, RECORDS = 128 }; /* how many rows ahead */
    if (!plan->far || row + RECORDS + PCM_LANES > group->capacity)
        return;
    for (size_t k = 0; k < PCM_LANES; k++) {
        uint32_t base = pcm_side_object(group->record[row + LINES + k].base);
        __builtin_prefetch(&group->record[row + RECORDS + k]);
        __builtin_prefetch(&pass->twist[base]);
        if (plan->keep)
            __builtin_prefetch(&pass->wrench[base], 1);
        if (plan->carries || plan->based)
            __builtin_prefetch(&pass->pose[base]);
    }
    for (uint32_t k = 0; plan->carries && k < pcm_group_width(group); k++)
        __builtin_prefetch(pcm_group_at(group, k, row + RECORDS), 1);
}

/* Converts lines of contacts to columns. */
static void compute_inputs(const pcm_pass *pass, const block_plan *plan, pcm_group *group, size_t row, size_t count,
                           pcm_scratch *s)
{
    const pcm_record *record = group->record + row;
    for (size_t i = 0; i < count; i += PCM_LANES) {
        fetch_ahead(pass, plan, group, row + i);
        size_t   left = count - i;
        motion   m = gather(pass, plan, record + i);
        pcm_mask absent = {0}, beyond = {0};
        for (size_t k = 0; plan->absent && k < PCM_LANES && k < left; k++)
            absent[k] = group->stamp[row + i + k] != pass->evaluation ? -1 : 0;
        if (left < PCM_LANES)
            beyond = ~first_lanes(left);
        if (plan->absent || left < PCM_LANES)
            set_nowhere(plan, absent | beyond, &m);
        pcm_mask bad = ~compute_velocities(group, &m, i, s);
        bool     care = any(absent | bad) || !plan->keep;
        if (care) {
            *(pcm_mask *)&s->absent[i] = absent;
            *(pcm_mask *)&s->fault[i] = bad & PCM_FAULT_MOTION;
        }
        s->flags[i / PCM_LANES] = (uint8_t)((care ? PCM_NEEDS_CARE : 0) | (some_fixed(m.objects) ? PCM_HAS_FIXED : 0));

        frame f = compute_frame(pass, plan, group, row + i, left, &m);
        compute_slip(plan, &m, &f, i, s);
        if (plan->directed)
            compute_direction(plan, group, row + i, left, absent | beyond, &f, i, s);
        if (plan->sided)
            compute_sides(pass, plan, group, record + i, absent | beyond, &f, i, s);
        if (plan->based)
            compute_position(&m, i, s);
        store_frame_and_motion(plan, &m, &f, i, s);
    }
}

static void compute_reduced(const pcm_pass *pass, const pcm_record *record, size_t count, pcm_scratch *s)
{
    for (size_t i = 0; i < count; i++) {
        const pcm_twist_line *a = pass->twist + pcm_side_object(record[i].base);
        const pcm_twist_line *b = pass->twist + pcm_side_object(record[i].follower);
        s->radius[i] = 1 / (a->curvature + b->curvature);
        s->mass[i] = 1 / (a->inverse_mass + b->inverse_mass);
    }
}

/* Whether both objects are new. */
static void compute_fresh(const pcm_pass *pass, const pcm_record *record, size_t count, pcm_scratch *s)
{
    for (size_t i = 0; i < count; i++)
        s->fresh[i] = pass->fresh[pcm_side_object(record[i].base)] & pass->fresh[pcm_side_object(record[i].follower)];
}

/* The rows' areas and shares of their pairs' patches: 0 for rows that are not touched. */
static void compute_patch(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const double *column[PCM_ROW_COLUMNS];
    for (uint32_t k = 0; k < PCM_ROW_COLUMNS; k++)
        column[k] = pcm_group_patch(group, k, row);
    for (size_t i = 0; i < count; i++) {
        const bool touched = group->stamp[row + i] == pass->evaluation;
        s->area[i] = touched ? column[PCM_ROW_AREA][i] : 0;
        s->share[i] = touched ? column[PCM_ROW_SHARE][i] : 0;
        s->scale[i] = column[touched ? PCM_ROW_SCALE : PCM_ROW_LAST_SCALE][i];
        s->pair_life[i] = touched ? (int64_t)column[PCM_ROW_LIFE][i] : PCM_LIVE;
    }
}

/* The rows' shapes, NaN for rows that are not touched. */
static void compute_shape(const pcm_pass *pass, const block_plan *plan, const pcm_group *group, size_t row,
                          size_t count, pcm_scratch *s)
{
    for (size_t k = 0; k < PCM_ROW_SHAPE; k++) {
        const double *column = pcm_group_shape(group, PCM_FIRST_SHAPE + k * sizeof(double), row);
        s->shapes[k] = plan->absent ? s->shape[k] : column;
        for (size_t i = 0; plan->absent && i < count; i++)
            s->shape[k][i] = group->stamp[row + i] == pass->evaluation ? column[i] : NAN;
    }
}

/* Copies the amounts of both objects to columns, and sets where flows are written. */
static void compute_amounts(const pcm_pass *pass, bool keep, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const size_t      first = 3 * s->n_state + s->n_event, half = group->n_flow / 2;
    const pcm_record *record = group->record + row;
    for (uint32_t k = 0; k < group->n_flow; k++) {
        double         *column = s->spare[first + k];
        const uint32_t *amount = &group->amount[k % half];
        for (size_t i = 0; i < count; i++) {
            const uint32_t object = pcm_side_object(k < half ? record[i].base : record[i].follower);
            column[i] = pass->amount[object * pass->n_amounts + *amount].seen;
        }
        s->amount[k] = column;
        s->flow[k] = keep ? pcm_group_flow(group, k, row) : s->spare[first + s->n_flow + k];
    }
}

/* ---- The law --------------------------------------------------------------------------------------------------- */

/* The law reads states that the host tries, where there are any, instead of the committed ones. */
static void try_states(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    for (uint32_t k = 0; k < group->n_state; k++) {
        double       *column = s->spare[2 * s->n_state + k];
        const double *committed = s->state[k], *tried = pcm_group_tried(group, k, row);
        for (size_t i = 0; i < count; i++)
            column[i] = group->tried_stamp[row + i] == pass->evaluation ? tried[i] : committed[i];
        s->state[k] = column;
    }
}

/* Continuous states that the host tries are its solver's results: a commit accepts them unchanged. */
static void keep_tried(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    for (uint32_t k = 0; k < group->n_state; k++)
        for (size_t i = 0; i < count && group->step[k] != PCM_STEP_HISTORY; i++)
            if (group->tried_stamp[row + i] == pass->evaluation)
                s->next[k][i] = s->state[k][i];
}

static pcm_batch fill_batch(const pcm_pass *pass, const block_plan *plan, const pcm_group *group, size_t row,
                            size_t count, pcm_scratch *s)
{
    uint32_t reads = group->model->inputs;
    uint32_t n_event = group->model->events.count;
    for (uint32_t k = 0; k < group->n_state; k++) {
        s->state[k] = pcm_group_state(group, pass->parity, k, row);
        s->next[k] = plan->keep ? pcm_group_state(group, 1 - pass->parity, k, row) : s->spare[k];
        s->rate[k] = s->spare[s->n_state + k];
    }
    if (group->tried && row < group->live) /* rows that begin here have no states yet */
        try_states(pass, group, row, count, s);
    for (uint32_t k = 0; k < group->n_host_inputs; k++)
        s->host_inputs[k] = pcm_group_host_input(group, k, row);
    for (uint32_t k = 0; k < n_event; k++)
        s->event[k] = s->spare[3 * s->n_state + k];
#define READ(flag, column) (reads & (flag) ? (column) : s->none)
#define SHAPE(number)      s->shapes[(offsetof(pcm_contact_shape, number) - PCM_FIRST_SHAPE) / sizeof(double)]
    return (pcm_batch){
        .size = sizeof(pcm_batch),
        .count = count,
        .time = pass->time,
        .dt = pass->dt,
        .params = group->type->info.params,
        .depth = READ(PCM_DEPTH, s->depth),
        .depth_rate = READ(PCM_DEPTH_RATE, s->depth_rate),
        .slip_x = READ(PCM_SLIP, s->slip_x),
        .slip_y = READ(PCM_SLIP, s->slip_y),
        .spin_x = READ(PCM_SPIN, s->spin_x),
        .spin_y = READ(PCM_SPIN, s->spin_y),
        .spin_n = READ(PCM_SPIN, s->spin_n),
        .x = READ(PCM_POSITION, s->position[0]),
        .y = READ(PCM_POSITION, s->position[1]),
        .z = READ(PCM_POSITION, s->position[2]),
        .velocity_x = READ(PCM_VELOCITY, s->velocity[0]),
        .velocity_y = READ(PCM_VELOCITY, s->velocity[1]),
        .velocity_z = READ(PCM_VELOCITY, s->velocity[2]),
        .radius = READ(PCM_RADIUS, s->radius),
        .mass = READ(PCM_MASS, s->mass),
        .host_inputs = s->host_inputs,
        .state = s->state,
        .next = s->next,
        .rate = s->rate,
        .force_n = s->force_n,
        .force_x = s->force_x,
        .force_y = s->force_y,
        .moment_n = s->moment_n,
        .moment_x = s->moment_x,
        .moment_y = s->moment_y,
        .energy = s->energy,
        .dissipation = s->dissipation,
        .event = s->event,
        .life = s->life,
        .mode = s->mode,
        .reports = plan->reports,
        .load_n = s->none,
        .load_elastic = s->none,
        .load_adhesive = s->none,
        .load_pull_off = s->none,
        .contact_radius = s->none,
        .area = READ(PCM_AREA, s->area),
        .share = READ(PCM_SHARE, s->share),
        .elastic_n = s->unread,
        .adhesive_n = s->unread,
        .pull_off = s->unread,
        .patch_radius = s->unread,
        .base_spin_x = READ(PCM_BODY_SPINS, s->side_spin[0][0]),
        .base_spin_y = READ(PCM_BODY_SPINS, s->side_spin[0][1]),
        .base_spin_n = READ(PCM_BODY_SPINS, s->side_spin[0][2]),
        .follower_spin_x = READ(PCM_BODY_SPINS, s->side_spin[1][0]),
        .follower_spin_y = READ(PCM_BODY_SPINS, s->side_spin[1][1]),
        .follower_spin_n = READ(PCM_BODY_SPINS, s->side_spin[1][2]),
        .base_axis_x = READ(PCM_AXES, s->side_axis[0][0]),
        .base_axis_y = READ(PCM_AXES, s->side_axis[0][1]),
        .base_axis_n = READ(PCM_AXES, s->side_axis[0][2]),
        .follower_axis_x = READ(PCM_AXES, s->side_axis[1][0]),
        .follower_axis_y = READ(PCM_AXES, s->side_axis[1][1]),
        .follower_axis_n = READ(PCM_AXES, s->side_axis[1][2]),
        .curvature_1 = READ(PCM_CURVATURE, SHAPE(curvature[0])),
        .curvature_2 = READ(PCM_CURVATURE, SHAPE(curvature[1])),
        .curvature_x = READ(PCM_CURVATURE_AXIS, s->shape[PCM_ROW_SHAPE]),
        .curvature_y = READ(PCM_CURVATURE_AXIS, s->shape[PCM_ROW_SHAPE + 1]),
        .point_part = READ(PCM_EXTENT, SHAPE(point_part)),
        .patch_part = READ(PCM_EXTENT, SHAPE(patch_part)),
        .line_length = READ(PCM_EXTENT, SHAPE(line_length)),
        .line_curvature = READ(PCM_EXTENT, SHAPE(line_curvature)),
        .flat_area = READ(PCM_EXTENT, SHAPE(flat_area)),
        .flat_aspect = READ(PCM_EXTENT, SHAPE(flat_aspect)),
        .base_amount = s->amount,
        .follower_amount = s->amount + group->n_flow / 2,
        .base_flow = s->flow,
        .follower_flow = s->flow + group->n_flow / 2,
        .fresh = s->none,
        .onset = !group->n_onset ? s->unread
                 : plan->keep    ? pcm_group_onset(group, row)
                                 : s->onset,
    };
#undef READ
#undef SHAPE
}

/* A lane that the law does not write has no force and keeps its states. */
static void clear_results(const pcm_group *group, const pcm_batch *batch)
{
    pcm_clear_outputs(batch, group->model->outputs);
    for (uint32_t k = 0; k < group->n_state; k++) {
        if (group->step[k] != PCM_STEP_BY_WORLD)
            memcpy(batch->next[k], batch->state[k], batch->count * sizeof(double));
        if (group->step[k] != PCM_STEP_HISTORY)
            memset(batch->rate[k], 0, batch->count * sizeof(double));
    }
}

/* New contacts: establish writes the states that the law then reads. */
static void establish(const pcm_pass *pass, const pcm_group *group, size_t row, const pcm_batch *batch, pcm_scratch *s)
{
    if (group->n_state == 0)
        return;
    pcm_batch first = *batch;
    if (group->model->inputs & PCM_FRESH) {
        compute_fresh(pass, group->record + row, batch->count, s);
        first.fresh = s->fresh;
    }
    double **next = s->rate; /* rates are not read here: their table is free */
    for (uint32_t k = 0; k < group->n_state; k++) {
        next[k] = pcm_group_state(group, pass->parity, k, row);
        memset(next[k], 0, batch->count * sizeof(double));
    }
    first.next = next;
    first.rate = next;
    pcm_call_law(s, group, group->kernels->establish, &first);
    for (uint32_t k = 0; k < group->n_state; k++)
        s->rate[k] = s->spare[s->n_state + k];
}

/* Multiplies outputs that are for a whole patch by the rows' shares. */
static void scale_results(const pcm_model *model, const pcm_batch *batch, pcm_scratch *s)
{
    const struct {
        uint32_t output;
        double  *column;
    } results[] = {{0, s->force_n},           {PCM_FRICTION, s->force_x},       {PCM_FRICTION, s->force_y},
                   {PCM_MOMENT, s->moment_n}, {PCM_MOMENT, s->moment_x},        {PCM_MOMENT, s->moment_y},
                   {PCM_ENERGY, s->energy},   {PCM_DISSIPATION, s->dissipation}};
    const uint32_t unread = batch->reports ? 0 : PCM_ENERGY | PCM_DISSIPATION;
    if (batch->reports && model->outputs & PCM_ENERGY)
        memcpy(s->lost_energy, s->energy, batch->count * sizeof *s->energy);
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        if (results[k].output & (~model->outputs | unread))
            continue;
        double *column = results[k].column;
#pragma omp simd
        for (size_t i = 0; i < batch->count; i++)
            column[i] *= s->scale[i];
    }
    for (size_t k = 0; k < 2 * model->amounts.count; k++)
        for (size_t i = 0; i < batch->count; i++)
            s->flow[k][i] *= s->scale[i];
}

/* A contact ends if its law or its pair ends it. */
static void join_lives(const pcm_model *model, size_t count, pcm_scratch *s)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t own = model->outputs & PCM_LIFE ? s->life[i] : PCM_LIVE;
        s->life[i] = own > s->pair_life[i] ? own : s->pair_life[i];
    }
}

/* Steps the continuous states that the law leaves to the world. */
static void step_states(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    for (uint32_t k = 0; k < group->n_state; k++) {
        double       *next = s->next[k];
        const double *state = s->state[k], *rate = s->rate[k];
        if (group->step[k] != PCM_STEP_BY_WORLD)
            continue;
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            next[i] = state[i] + pass->dt * rate[i];
    }
    if (group->tried)
        keep_tried(pass, group, row, count, s);
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

PCM_INLINE frame load_axes(const block_plan *plan, const pcm_scratch *s, size_t i)
{
    frame f = {.normal = load_vec(s->contact + 3, i)};
    if (plan->carries) {
        f.x = load_vec(s->x_axis, i);
        f.y = load_vec(s->y_axis, i);
    } else
        f.factor = load(&s->factor[i]);
    return f;
}

/* The force on the follower, in the world's axes. */
PCM_INLINE vec compute_force(const block_plan *plan, const pcm_model *model, const frame *f, const pcm_scratch *s,
                             size_t i)
{
    pcm_lanes n = load(&s->force_n[i]);
    if (model->flags & PCM_BASE_AXES) {
        quat base = {load(&s->turn[0][i]), load_vec(s->turn + 1, i)};
        return rotate(base, (vec){load(&s->force_x[i]), load(&s->force_y[i]), n});
    }
    if (!(model->outputs & PCM_FRICTION))
        return scaled(n, f->normal);
    return out_of_frame(plan, f, load(&s->force_x[i]), load(&s->force_y[i]), n);
}

/* The torque on the follower about the world's origin. */
PCM_INLINE vec compute_torque(const block_plan *plan, const pcm_model *model, const frame *f, const pcm_scratch *s,
                              size_t i, vec force)
{
    vec torque = cross(load_vec(s->contact, i), force);
    if (!(model->outputs & PCM_MOMENT))
        return torque;
    return sum(torque, out_of_frame(plan, f, load(&s->moment_x[i]), load(&s->moment_y[i]), load(&s->moment_n[i])));
}

/* The lanes that lack an area or share that they need. */
PCM_INLINE pcm_mask lacks_patch(const pcm_group *group, const pcm_scratch *s, size_t i)
{
    pcm_mask  sound = ~(pcm_mask){0};
    pcm_lanes area = load(&s->area[i]), share = load(&s->share[i]);
    if (group->patch_needed & PCM_AREA)
        sound &= (area >= 0.0) & is_finite(area);
    if (group->patch_needed & PCM_SHARE)
        sound &= (share >= 0.0) & is_finite(share);
    return ~sound;
}

/* Lanes whose results show neither a fault nor a reason to end: neither find_faults nor pcm_type_outcome would find
 * anything. A force that is not finite makes the torque not finite. */
PCM_INLINE pcm_mask all_lanes_ok(const pcm_group *group, const pcm_scratch *s, size_t i, size_t left, vec torque)
{
    pcm_lanes zero = (torque.x + torque.y + torque.z) * 0.0;
    for (uint32_t k = 0; k < group->n_state; k++)
        zero += load_rows(&s->next[k][i], left) * 0.0;
    for (uint32_t k = 0; k < group->n_host_inputs; k++)
        if (group->host_inputs_needed >> k & 1)
            zero += load_rows(&s->host_inputs[k][i], left) * 0.0;
    for (uint32_t k = 0; k < group->n_flow; k++)
        zero += load_rows(&s->flow[k][i], left) * 0.0;
    pcm_mask usual = (zero == 0.0) & (load(&s->depth[i]) >= -group->separation);
    if (group->n_onset)
        usual &= is_number(load_rows(&s->batch.onset[i], left));
    if (group->patch_needed)
        usual &= ~lacks_patch(group, s, i);
    if (group->ends)
        usual &= *(const pcm_mask *)&s->life[i] == PCM_LIVE;
    return usual;
}

/* New contacts that the law does not let begin here become absent, as if they had not been touched. */
static void withhold(const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *flags = &s->flags[i / PCM_LANES];
        if (row + i < group->live || pcm_can_begin(s->batch.onset[i], group->record[row + i].depth))
            continue;
        for (size_t k = i / PCM_LANES * PCM_LANES; !(*flags & PCM_NEEDS_CARE) && k < (i / PCM_LANES + 1) * PCM_LANES;
             k++)
            s->absent[k] = s->fault[k] = 0;
        *flags |= PCM_NEEDS_CARE;
        s->absent[i] = -1;
        s->depth[i] = PCM_FAR;
        s->slip_squared[i] = 0;
    }
}

/* Finds every lane's fault, if any. Faults of motion are known already. */
static pcm_mask find_bad_lanes(const pcm_group *group, const pcm_scratch *s, size_t i, size_t left, vec torque)
{
    pcm_mask good = is_finite(torque.x + torque.y + torque.z), lacking = {0};
    for (uint32_t k = 0; k < group->n_state; k++)
        good &= is_finite(load_rows(&s->next[k][i], left));
    if (group->ends)
        good &= *(const pcm_mask *)&s->life[i] != PCM_INVALID;
    for (uint32_t k = 0; k < group->n_flow; k++)
        good &= is_finite(load_rows(&s->flow[k][i], left));
    if (group->n_onset)
        good &= is_number(load_rows(&s->batch.onset[i], left));
    for (uint32_t k = 0; k < group->n_host_inputs; k++)
        if (group->host_inputs_needed >> k & 1) {
            pcm_lanes given = load_rows(&s->host_inputs[k][i], left);
            lacking |= given != given;
        }
    if (group->patch_needed)
        lacking |= lacks_patch(group, s, i);
    pcm_mask fault = *(const pcm_mask *)&s->fault[i];
    return (fault | (~good & PCM_FAULT_RESULT) | (lacking & PCM_FAULT_INPUT)) & ~*(const pcm_mask *)&s->absent[i] &
           first_lanes(left);
}

/* Absent contacts give no force. Faulty ones give none either, and keep their states and frames. */
static void zero_lane(const pcm_pass *pass, const block_plan *plan, const pcm_group *group, size_t row, size_t i,
                      pcm_scratch *s)
{
    s->force_n[i] = s->force_x[i] = s->force_y[i] = s->moment_n[i] = s->moment_x[i] = s->moment_y[i] = 0;
    s->energy[i] = s->lost_energy[i] = s->dissipation[i] = 0;
    s->mode[i] = PCM_SEPARATED;
    for (uint32_t k = 0; k < group->n_flow; k++)
        s->flow[k][i] = 0;
    for (uint32_t k = 0; plan->keep && k < group->n_frame; k++)
        *pcm_group_frame(group, 1 - pass->parity, k, row + i) = *pcm_group_frame(group, pass->parity, k, row + i);
    if (!s->fault[i])
        return;
    s->life[i] = PCM_LIVE;
    s->slip_squared[i] = 0;
    s->depth[i] = PCM_FAR;
    for (uint32_t k = 0; k < group->n_state; k++)
        s->next[k][i] = *pcm_group_state(group, pass->parity, k, row + i);
}

/* Lists a row that a commit would remove. */
static void mark_removal(pcm_group *group, size_t row, size_t i, pcm_scratch *s)
{
    size_t          block = row / PCM_BLOCK;
    pcm_block_note *note = &group->note[block];
    uint8_t         outcome = PCM_OUTCOME_KEPT;
    if (row >= group->live && (s->fault[i] || s->absent[i]))
        outcome = PCM_OUTCOME_DROPPED;
    else if (s->fault[i] == PCM_FAULT_RESULT)
        outcome = PCM_OUTCOME_FAILED;
    else if (!s->fault[i]) {
        for (uint32_t k = 0; k < group->n_state; k++)
            s->values[k] = s->next[k][i];
        int64_t life = group->ends ? s->life[i] : PCM_LIVE;
        outcome = (uint8_t)pcm_type_outcome(group->type, !s->absent[i], s->depth[i], life, s->values);
    }
    if (outcome != PCM_OUTCOME_KEPT)
        group->removal[block * PCM_BLOCK + note->removals++] = (pcm_removal){(uint8_t)(row % PCM_BLOCK + i), outcome};
}

/* Handles a vector in which a lane has a fault, is not touched or may end. Returns the lanes that give force. */
static pcm_mask handle_bad_lanes(const pcm_pass *pass, const block_plan *plan, pcm_group *group, size_t row,
                                 size_t count, size_t i, vec torque, pcm_scratch *s)
{
    pcm_block_note *note = &group->note[row / PCM_BLOCK];
    if (!(s->flags[i / PCM_LANES] & PCM_NEEDS_CARE))
        *(pcm_mask *)&s->absent[i] = *(pcm_mask *)&s->fault[i] = (pcm_mask){0};
    pcm_mask fault = find_bad_lanes(group, s, i, count - i, torque);
    *(pcm_mask *)&s->fault[i] = fault;
    for (size_t k = i; k < i + PCM_LANES && k < count; k++) {
        if (s->fault[k] || s->absent[k])
            zero_lane(pass, plan, group, row, k, s);
        if (!plan->keep)
            continue;
        note->faults += s->fault[k] != 0;
        mark_removal(group, row, k, s);
    }
    return (fault == 0) & ~*(const pcm_mask *)&s->absent[i];
}

/* The largest values of a block. */
typedef struct peaks {
    pcm_lanes depth, slip_squared, force_squared;
} peaks;

static void note_peaks(pcm_block_note *note, const peaks *most)
{
    for (size_t k = 0; k < PCM_LANES; k++) {
        note->depth = pcm_max(most->depth[k], note->depth);
        note->slip_squared = pcm_max(most->slip_squared[k], note->slip_squared);
        note->force_squared = pcm_max(most->force_squared[k], note->force_squared);
    }
}

/* Negative forces are rare: their signs are checked first. */
static void note_pull(pcm_block_note *note, const double *force, size_t count)
{
    pcm_mask signs = {0};
    size_t   i = 0;
#pragma GCC unroll 8
    for (; i + PCM_LANES <= count; i += PCM_LANES)
        signs |= (pcm_mask)load(&force[i]);
    for (i = any(signs & INT64_MIN) ? 0 : i; i < count; i++)
        note->pull = pcm_max(-force[i], note->pull);
}

/* Adds contacts from the law's columns to their objects. */
static void compute_results(const pcm_pass *pass, const block_plan *plan, pcm_group *group, size_t row, size_t count,
                            pcm_scratch *s)
{
    scatter to = {pass->wrench, pass->deferral, {0}, {0}};
    peaks   most = {{0}, {0}, {0}};
    for (size_t i = 0; i < count; i += PCM_LANES) {
        size_t   left = count - i;
        pcm_mask lanes = left >= PCM_LANES ? ~(pcm_mask){0} : first_lanes(left);
        frame    f = load_axes(plan, s, i);
        vec      force = compute_force(plan, group->model, &f, s, i);
        vec      torque = compute_torque(plan, group->model, &f, s, i, force);
        uint8_t  flags = s->flags[i / PCM_LANES];
        if (flags & PCM_NEEDS_CARE || any(lanes & ~all_lanes_ok(group, s, i, left, torque))) {
            pcm_mask gives = handle_bad_lanes(pass, plan, group, row, count, i, torque, s);
            force = only_vec(gives, force);
            torque = only_vec(gives, torque);
        }
        pcm_lanes force_squared = dot(force, force);
        if (plan->keep) {
            /* Lanes beyond the last row are far apart, without depth or slip; their forces are ignored. */
            most.depth = larger(load(&s->depth[i]), most.depth);
            most.slip_squared = larger(load(&s->slip_squared[i]), most.slip_squared);
            most.force_squared = larger(only(lanes, force_squared), most.force_squared);
            add_wrenches(&to, group->record + row + i, left, flags & PCM_HAS_FIXED, force, torque);
            if (pass->modes)
                store(&s->force_squared[i], force_squared);
        } else {
            store_vec(s->wrench, i, force);
            store_vec(s->wrench + 3, i, torque);
            store(&s->force_squared[i], force_squared);
        }
    }
    if (!plan->keep)
        return;
    note_peaks(&group->note[row / PCM_BLOCK], &most);
    if (!group->may_pull)
        note_pull(&group->note[row / PCM_BLOCK], s->force_n, count);
    flush_run(&to, &to.follower);
    flush_run(&to, &to.base);
}

/* ---- The pipeline ---------------------------------------------------------------------------------------------- */

void PCM_BLOCK_RUN(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const pcm_model *model = group->model;
    const bool       keep = pass->wrench != NULL;
    const block_plan plan = {
        .keep = keep,
        .reports = !keep || pass->modes,
        .based = model->inputs & (PCM_POSITION | PCM_VELOCITY) || model->flags & PCM_BASE_AXES,
        .carries = group->n_frame != 0,
        .shares = group->n_frame > PCM_FRAME_COLUMNS,
        .far = group->count > PCM_NEAR_ROWS,
        .begins = row >= group->live && (keep || pass->first),
        .spins = model->inputs & PCM_SPIN,
        .sided = model->inputs & (PCM_BODY_SPINS | PCM_AXES),
        .directed = model->inputs & PCM_CURVATURE_AXIS,
        .absent = some_absent(pass, group, row, count),
    };
    compute_inputs(pass, &plan, group, row, count, s);
    if (pass->surface)
        add_surfaces(pass, &plan, group, row, count, s);
    if (model->inputs & (PCM_RADIUS | PCM_MASS))
        compute_reduced(pass, group->record + row, count, s);
    if (group->n_patch)
        compute_patch(pass, group, row, count, s);
    if (group->n_shape)
        compute_shape(pass, &plan, group, row, count, s);
    if (group->n_flow)
        compute_amounts(pass, keep, group, row, count, s);
    s->batch = fill_batch(pass, &plan, group, row, count, s);
    if (plan.begins)
        establish(pass, group, row, &s->batch, s);
    clear_results(group, &s->batch);
    pcm_call_law(s, group, plan.reports ? group->kernels->update : group->forces, &s->batch);
    if (group->scales)
        scale_results(model, &s->batch, s);
    if (group->pair)
        join_lives(model, count, s);
    if (group->n_onset && row + count > group->live)
        withhold(group, row, count, s);
    step_states(pass, group, row, count, s);
    compute_results(pass, &plan, group, row, count, s);
    if (keep && pass->modes)
        pcm_keep_modes(s, group, row, count);
}
