/* SPDX-License-Identifier: MIT */
/* Compiled once per instruction set: PCM_BLOCK_RUN is the name that this set's pipeline gets. Loops are plain and over
 * whole columns, so that every set computes the same bits lane by lane. */
#include "lanes.h"

enum { STRIDE = 8 }; /* running maxima that note_peaks keeps side by side */

#define LANES(i, n) _Pragma("omp simd") for (size_t i = 0; i < (n); i++)

typedef struct vec {
    double x, y, z;
} vec;

static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec    scaled(double s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static inline vec    sum(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }

/* Turns v by the unit quaternion w + u; by its inverse where u is negated. */
static inline vec turn(double w, vec u, vec v)
{
    vec t = scaled(2, cross(u, v));
    return sum(sum(v, scaled(w, t)), cross(u, t));
}

static inline vec  at(pcm_column column[3], size_t i) { return (vec){column[0][i], column[1][i], column[2][i]}; }
static inline void put(pcm_column *column, size_t i, vec v)
{
    column[0][i] = v.x;
    column[1][i] = v.y;
    column[2][i] = v.z;
}

/* ---- Contacts that are not touched ------------------------------------------------------------------------------ */

/* They are nowhere: far apart, at rest, with a normal that depends on no touch of before. Returns how many. */
static int64_t set_absent(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    int64_t absent = 0;
    for (size_t i = 0; i < count; i++) {
        s->absent[i] = group->stamp[row + i] != pass->evaluation;
        absent += s->absent[i];
        if (!s->absent[i])
            continue;
        for (size_t k = 0; k < 6; k++)
            s->contact[k][i] = s->motion[k][i] = 0;
        s->contact[5][i] = 1;
        s->contact[6][i] = PCM_FAR;
    }
    return absent;
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

/* A contact begins with x as the base's x axis in the tangent plane, or its y axis where x is nearly normal. Written in
 * the base's axes, with the normal, as if it had been carried here. */
static void begin_frames(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const double nearly_normal = 1e-6;
    double      *column[PCM_FRAME_COLUMNS];
    for (uint32_t k = 0; k < PCM_FRAME_COLUMNS; k++)
        column[k] = pcm_group_frame(group, pass->parity, k, row);
    for (size_t i = 0; i < count; i++) {
        vec u = {-s->pose[4][i], -s->pose[5][i], -s->pose[6][i]};
        vec n = turn(s->pose[3][i], u, at(s->contact + 3, i));
        vec axis = 1 - n.x * n.x > nearly_normal ? (vec){1, 0, 0} : (vec){0, 1, 0};
        vec x = sum(axis, scaled(-dot(axis, n), n));
        x = scaled(1 / sqrt(dot(x, x)), x);
        column[0][i] = x.x, column[1][i] = x.y, column[2][i] = x.z;
        column[3][i] = n.x, column[4][i] = n.y, column[5][i] = n.z;
    }
}

/* The committed frame rides with the base, then takes the smallest turn that brings its normal onto the new one. */
static void carry_frames(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const double *x0 = pcm_group_frame(group, pass->parity, 0, row), *x1 = pcm_group_frame(group, pass->parity, 1, row);
    const double *x2 = pcm_group_frame(group, pass->parity, 2, row), *z0 = pcm_group_frame(group, pass->parity, 3, row);
    const double *z1 = pcm_group_frame(group, pass->parity, 4, row), *z2 = pcm_group_frame(group, pass->parity, 5, row);
    LANES(i, count)
    {
        double w = s->pose[3][i];
        vec    u = {s->pose[4][i], s->pose[5][i], s->pose[6][i]};
        vec    normal = at(s->contact + 3, i);
        vec    x = turn(w, u, (vec){x0[i], x1[i], x2[i]});
        vec    z = turn(w, u, (vec){z0[i], z1[i], z2[i]});
        /* Where the normal reverses no smallest turn exists: x then keeps its direction. */
        double below = 1 + dot(z, normal);
        double share = below > 1e-12 ? dot(x, normal) / below : 0;
        x = sum(x, scaled(-share, sum(z, normal)));
        x = sum(x, scaled(-dot(x, normal), normal));
        x = scaled(1 / sqrt(dot(x, x)), x);
        put(s->x_axis, i, x);
        put(s->y_axis, i, cross(normal, x));
        vec back = {-u.x, -u.y, -u.z};
        put(s->frame, i, turn(w, back, x));
        put(s->frame + 3, i, turn(w, back, normal));
    }
}

/* A law without a preferred direction is served by any tangent basis that depends on the normal alone. */
static void any_frames(size_t count, pcm_scratch *s)
{
    LANES(i, count)
    {
        vec    normal = at(s->contact + 3, i);
        double side = copysign(1, normal.z);
        double a = -1 / (side + normal.z);
        vec    x = {1 + side * normal.x * normal.x * a, side * normal.x * normal.y * a, -side * normal.x};
        put(s->x_axis, i, x);
        put(s->y_axis, i, cross(normal, x));
    }
}

/* ---- Motion ---------------------------------------------------------------------------------------------------- */

/* Velocities at the contact points, and whether all that went into them is finite and the normal a unit vector. */
static int64_t find_velocities(const pcm_group *group, size_t count, pcm_scratch *s)
{
    int64_t faults = 0;
    double  shift = group->shift;
#pragma omp simd reduction(| : faults)
    for (size_t i = 0; i < count; i++) {
        vec normal = at(s->contact + 3, i), point = at(s->contact, i);
        s->depth[i] = s->contact[6][i];
        point = sum(point, scaled(shift * s->depth[i], normal));
        vec spin = at(s->motion + 3, i);
        vec v = sum(at(s->motion, i), cross(spin, point));
        put(s->contact, i, point);
        put(s->motion, i, v);
        double  total = s->depth[i] + point.x + point.y + point.z + v.x + v.y + v.z + spin.x + spin.y + spin.z;
        double  skew = fabs(dot(normal, normal) - 1);
        int64_t fine = (int64_t)(fabs(total) <= DBL_MAX) & (int64_t)(skew <= 1e-6);
        s->fault[i] = 1 - fine;
        faults |= 1 - fine;
        s->depth_rate[i] = 0 - dot(v, normal); /* not -dot: at rest it is 0, not -0 */
    }
    return faults;
}

static void find_slip(const pcm_group *group, size_t count, pcm_scratch *s)
{
    LANES(i, count)
    {
        vec v = at(s->motion, i);
        s->slip_x[i] = dot(v, at(s->x_axis, i));
        s->slip_y[i] = dot(v, at(s->y_axis, i));
        s->slip_squared[i] = s->slip_x[i] * s->slip_x[i] + s->slip_y[i] * s->slip_y[i];
    }
    if (group->model->inputs & PCM_SPIN)
        LANES(i, count)
        {
            vec spin = at(s->motion + 3, i);
            s->spin_x[i] = dot(spin, at(s->x_axis, i));
            s->spin_y[i] = dot(spin, at(s->y_axis, i));
            s->spin_n[i] = dot(spin, at(s->contact + 3, i));
        }
}

/* Point and velocity in the base's own axes. */
static void find_position(size_t count, pcm_scratch *s)
{
    LANES(i, count)
    {
        double w = s->pose[3][i];
        vec    back = {-s->pose[4][i], -s->pose[5][i], -s->pose[6][i]};
        vec    arm = sum(at(s->contact, i), scaled(-1, at(s->pose, i)));
        put(s->position, i, turn(w, back, arm));
        put(s->velocity, i, turn(w, back, at(s->motion, i)));
    }
}

static void find_reduced(const pcm_pass *pass, const pcm_record *record, size_t count, pcm_scratch *s)
{
    for (size_t i = 0; i < count; i++) {
        const pcm_twist_line *a = pass->twist + (record[i].base & ~PCM_FIXED_SIDE);
        const pcm_twist_line *b = pass->twist + (record[i].follower & ~PCM_FIXED_SIDE);
        s->radius[i] = 1 / (a->curvature + b->curvature);
        s->mass[i] = 1 / (a->lightness + b->lightness);
    }
}

/* ---- The law --------------------------------------------------------------------------------------------------- */

/* Where the host tries states, the law reads those in place of the committed ones. */
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

/* Continuous states that the host tries are where its solver has brought them: a commit takes them as they are. */
static void keep_tried(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    for (uint32_t k = 0; k < group->n_state; k++)
        for (size_t i = 0; i < count && group->step[k] != PCM_STEP_HISTORY; i++)
            if (group->tried_stamp[row + i] == pass->evaluation)
                s->next[k][i] = s->state[k][i];
}

static pcm_batch fill_batch(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    uint32_t reads = group->model->inputs;
    uint32_t n_event = group->model->events.count;
    bool     keep = pass->wrench != NULL;
    for (uint32_t k = 0; k < group->n_state; k++) {
        s->state[k] = pcm_group_state(group, pass->parity, k, row);
        s->next[k] = keep ? pcm_group_state(group, 1 - pass->parity, k, row) : s->spare[k];
        s->rate[k] = s->spare[s->n_state + k];
    }
    if (group->tried)
        try_states(pass, group, row, count, s);
    for (uint32_t k = 0; k < group->n_given; k++)
        s->given[k] = pcm_group_given(group, k, row);
    for (uint32_t k = 0; k < n_event; k++)
        s->event[k] = s->spare[3 * s->n_state + k];
#define READ(flag, column) (reads & (flag) ? (column) : s->none)
    return (pcm_batch){
        .count = count,
        .time = pass->time,
        .dt = pass->dt,
        .params = pcm_type_get(group->type)->params,
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
        .rate_x = READ(PCM_VELOCITY, s->velocity[0]),
        .rate_y = READ(PCM_VELOCITY, s->velocity[1]),
        .rate_z = READ(PCM_VELOCITY, s->velocity[2]),
        .radius = READ(PCM_RADIUS, s->radius),
        .mass = READ(PCM_MASS, s->mass),
        .given = s->given,
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
    };
#undef READ
}

/* New contacts: what establish writes becomes the state that the law then reads. */
static void establish(const pcm_group *group, size_t row, const pcm_batch *batch, uint32_t parity, pcm_scratch *s)
{
    if (group->n_state == 0)
        return;
    pcm_batch first = *batch;
    double  **next = s->rate; /* rates are not read here: their table is free */
    for (uint32_t k = 0; k < group->n_state; k++) {
        next[k] = pcm_group_state(group, parity, k, row);
        memset(next[k], 0, batch->count * sizeof(double));
    }
    first.next = next;
    first.rate = next;
    group->kernels->establish(&first);
    for (uint32_t k = 0; k < group->n_state; k++)
        s->rate[k] = s->spare[s->n_state + k];
}

/* Steps the continuous states that the law leaves to the world. Returns whether some next value is not finite. */
static bool step_states(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    double worst = 0;
    for (uint32_t k = 0; k < group->n_state; k++) {
        double       *next = s->next[k];
        const double *state = s->state[k], *rate = s->rate[k];
        if (group->step[k] == PCM_STEP_BY_WORLD)
            LANES(i, count)
        next[i] = state[i] + pass->dt * rate[i];
    }
    if (group->tried)
        keep_tried(pass, group, row, count, s);
    for (uint32_t k = 0; k < group->n_state; k++) {
        const double *next = s->next[k];
        double        zero = 0;
#pragma omp simd reduction(+ : zero)
        for (size_t i = 0; i < count; i++)
            zero += next[i] * 0;
        worst += zero;
    }
    return worst != 0;
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

/* Forces and moments on the follower, turned to the world and brought to its origin. Returns whether all are finite. */
static bool turn_forces(const pcm_group *group, size_t count, pcm_scratch *s)
{
    uint32_t writes = group->model->outputs;
    bool     base_axes = group->model->flags & PCM_BASE_AXES;
    if (base_axes)
        LANES(i, count)
        {
            vec u = {s->pose[4][i], s->pose[5][i], s->pose[6][i]};
            vec f = {s->force_x[i], s->force_y[i], s->force_n[i]};
            put(s->wrench, i, turn(s->pose[3][i], u, f));
        }
    else if (writes & PCM_FRICTION)
        LANES(i, count)
        {
            vec f = scaled(s->force_n[i], at(s->contact + 3, i));
            f = sum(f, scaled(s->force_x[i], at(s->x_axis, i)));
            put(s->wrench, i, sum(f, scaled(s->force_y[i], at(s->y_axis, i))));
        }
    else
        LANES(i, count) put(s->wrench, i, scaled(s->force_n[i], at(s->contact + 3, i)));

    double zero = 0;
#pragma omp simd reduction(+ : zero)
    for (size_t i = 0; i < count; i++) {
        vec f = at(s->wrench, i);
        vec torque = cross(at(s->contact, i), f);
        put(s->wrench + 3, i, torque);
        s->force_squared[i] = dot(f, f);
        zero += (f.x + f.y + f.z + torque.x + torque.y + torque.z) * 0;
    }
    if (!(writes & PCM_MOMENT))
        return zero == 0;
#pragma omp simd reduction(+ : zero)
    for (size_t i = 0; i < count; i++) {
        vec m = scaled(s->moment_n[i], at(s->contact + 3, i));
        m = sum(m, scaled(s->moment_x[i], at(s->x_axis, i)));
        m = sum(m, scaled(s->moment_y[i], at(s->y_axis, i)));
        put(s->wrench + 3, i, sum(at(s->wrench + 3, i), m));
        zero += (m.x + m.y + m.z) * 0;
    }
    return zero == 0;
}

/* Finds the faults of each lane, where the block has any. */
static uint32_t find_faults(const pcm_group *group, size_t count, const pcm_scratch *s, int64_t fault[])
{
    uint32_t faults = 0;
    for (size_t i = 0; i < count; i++) {
        if (s->absent[i]) {
            fault[i] = 0;
            continue;
        }
        for (uint32_t k = 0; k < group->n_given; k++)
            if (group->given_needed >> k & 1 && isnan(s->given[k][i]))
                fault[i] |= PCM_FAULT_INPUT;
        double total = 0;
        for (size_t k = 0; k < 6; k++)
            total += s->wrench[k][i] * 0;
        for (uint32_t k = 0; k < group->n_state; k++)
            total += s->next[k][i] * 0;
        if (total != 0 || (group->model->outputs & PCM_LIFE && s->life[i] == PCM_INVALID))
            fault[i] |= PCM_FAULT_RESULT;
        faults += fault[i] != 0;
    }
    return faults;
}

/* Absent contacts give no force; faulty ones neither, and keep their states and frames. */
static void mask_lanes(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    for (size_t i = 0; i < count; i++) {
        if (!s->absent[i] && !s->fault[i])
            continue;
        for (size_t k = 0; k < 6; k++)
            s->wrench[k][i] = 0;
        s->force_n[i] = s->force_x[i] = s->force_y[i] = s->moment_n[i] = s->moment_x[i] = s->moment_y[i] = 0;
        s->force_squared[i] = 0;
        s->energy[i] = s->dissipation[i] = 0;
        s->mode[i] = PCM_SEPARATED;
        for (uint32_t k = 0; k < group->n_frame; k++)
            s->frame[k][i] = pcm_group_frame(group, pass->parity, k, row)[i];
        if (!s->fault[i])
            continue;
        s->life[i] = PCM_LIVE;
        s->slip_squared[i] = 0;
        s->depth[i] = PCM_FAR;
        for (uint32_t k = 0; k < group->n_state; k++)
            s->next[k][i] = pcm_group_state(group, pass->parity, k, row)[i];
    }
}

static void note_peaks(pcm_block_note *note, size_t count, const pcm_scratch *s)
{
    double depth[STRIDE], slip[STRIDE], force[STRIDE];
    for (size_t j = 0; j < STRIDE; j++)
        depth[j] = note->depth, slip[j] = note->slip_squared, force[j] = note->force_squared;
    size_t i = 0;
    for (; i + STRIDE <= count; i += STRIDE)
        LANES(j, STRIDE)
        {
            depth[j] = pcm_max(s->depth[i + j], depth[j]);
            slip[j] = pcm_max(s->slip_squared[i + j], slip[j]);
            force[j] = pcm_max(s->force_squared[i + j], force[j]);
        }
    for (size_t j = 0; i + j < count; j++) {
        depth[j] = pcm_max(s->depth[i + j], depth[j]);
        slip[j] = pcm_max(s->slip_squared[i + j], slip[j]);
        force[j] = pcm_max(s->force_squared[i + j], force[j]);
    }
    for (size_t j = 0; j < STRIDE; j++) {
        note->depth = pcm_max(depth[j], note->depth);
        note->slip_squared = pcm_max(slip[j], note->slip_squared);
        note->force_squared = pcm_max(force[j], note->force_squared);
    }
}

static int64_t find_partings(const pcm_group *group, size_t count, const pcm_scratch *s)
{
    double  limit = -group->separation;
    int64_t parting = 0;
#pragma omp simd reduction(| : parting)
    for (size_t i = 0; i < count; i++)
        parting |= (int64_t) !(s->depth[i] >= limit);
    if (group->model->outputs & PCM_LIFE)
#pragma omp simd reduction(| : parting)
        for (size_t i = 0; i < count; i++)
            parting |= s->life[i];
    return parting;
}

/* Lists the rows that a commit would take out. */
static void note_departures(pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    size_t          block = row / PCM_BLOCK;
    pcm_block_note *note = &group->note[block];
    pcm_departure  *list = group->departure + block * PCM_BLOCK;
    for (size_t i = 0; i < count; i++) {
        uint8_t fate = PCM_STAYS;
        if (s->fault[i])
            fate = row >= group->live ? PCM_DROPPED : PCM_STAYS;
        else {
            for (uint32_t k = 0; k < group->n_state; k++)
                s->values[k] = s->next[k][i];
            int64_t life = group->model->outputs & PCM_LIFE ? s->life[i] : PCM_LIVE;
            fate = (uint8_t)pcm_type_fate(group->type, !s->absent[i], s->depth[i], life, s->values);
        }
        if (fate != PCM_STAYS)
            list[note->departures++] = (pcm_departure){(uint8_t)(row % PCM_BLOCK + i), fate};
    }
}

static bool lacks_input(const pcm_group *group, size_t count, const pcm_scratch *s)
{
    double zero = 0;
    for (uint32_t k = 0; k < group->n_given; k++)
        if (group->given_needed >> k & 1)
            for (size_t i = 0; i < count; i++)
                zero += s->given[k][i] * 0;
    return zero != 0;
}

/* ---- The pipeline ---------------------------------------------------------------------------------------------- */

void PCM_BLOCK_RUN(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const pcm_record *record = group->record + row;
    uint32_t          reads = group->model->inputs;
    bool              keep = pass->wrench != NULL, fresh = row >= group->live;
    bool              based = reads & (PCM_POSITION | PCM_VELOCITY) || group->model->flags & PCM_BASE_AXES;

    gather_records(record, count, s->contact);
    gather_motion(record, count, pass->twist, s->motion);
    if (group->n_frame || based)
        gather_pose(record, count, pass->pose, s->pose);
    bool absent = group->touched != group->count && set_absent(pass, group, row, count, s) > 0;
    if (!absent)
        memset(s->absent, 0, count * sizeof *s->absent);
    bool faulty = find_velocities(group, count, s);
    if (group->n_frame) {
        if (fresh && keep)
            begin_frames(pass, group, row, count, s);
        carry_frames(pass, group, row, count, s);
    } else
        any_frames(count, s);
    find_slip(group, count, s);
    if (based)
        find_position(count, s);
    if (reads & (PCM_RADIUS | PCM_MASS))
        find_reduced(pass, record, count, s);
    s->batch = fill_batch(pass, group, row, count, s);
    if (fresh && keep)
        establish(group, row, &s->batch, pass->parity, s);
    group->kernels->update(&s->batch);

    faulty |= step_states(pass, group, row, count, s);
    faulty |= !turn_forces(group, count, s);
    faulty |= lacks_input(group, count, s);
    int64_t  partings = find_partings(group, count, s);
    bool     departing = partings != 0 || absent;
    uint32_t faults = 0;
    if (faulty || departing)
        faults = find_faults(group, count, s, s->fault);
    if (faults || absent)
        mask_lanes(pass, group, row, count, s);
    if (!keep)
        return;

    for (uint32_t k = 0; k < group->n_frame; k++)
        memcpy(pcm_group_frame(group, 1 - pass->parity, k, row), s->frame[k], count * sizeof(double));
    pcm_block_note *note = &group->note[row / PCM_BLOCK];
    note->faults += faults;
    note_peaks(note, count, s);
    if (departing || faults)
        note_departures(group, row, count, s);
    scatter_wrenches(record, count, s->wrench, pass->wrench);
}
