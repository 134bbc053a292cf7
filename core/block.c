/* SPDX-License-Identifier: MIT */
/* Compiled once per instruction set: PCM_BLOCK_RUN is the name that this set's pipeline gets. Loops are plain and over
 * whole columns, so that every set computes the same bits lane by lane. */
#include "lanes.h"

/* How far a unit vector's square may be from 1. */
#define PCM_SKEW 1e-6

enum { STRIDE = 8 };

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

/* Unit quaternions: a scalar and a vector part. */
typedef struct quat {
    double w;
    vec    u;
} quat;

static inline quat inverse(quat q) { return (quat){q.w, {-q.u.x, -q.u.y, -q.u.z}}; }

static inline quat product(quat a, quat b)
{
    return (quat){a.w * b.w - dot(a.u, b.u), sum(sum(scaled(a.w, b.u), scaled(b.w, a.u)), cross(a.u, b.u))};
}

static inline quat unit(quat q)
{
    double scale = 1 / sqrt(q.w * q.w + dot(q.u, q.u));
    return (quat){scale * q.w, scaled(scale, q.u)};
}

static inline vec turn(quat q, vec v)
{
    vec t = scaled(2, cross(q.u, v));
    return sum(sum(v, scaled(q.w, t)), cross(q.u, t));
}

/* Where a turn takes the axes. */
static inline vec x_axis(quat q)
{
    return (vec){1 - 2 * (q.u.y * q.u.y + q.u.z * q.u.z), 2 * (q.u.x * q.u.y + q.w * q.u.z),
                 2 * (q.u.x * q.u.z - q.w * q.u.y)};
}
static inline vec y_axis(quat q)
{
    return (vec){2 * (q.u.x * q.u.y - q.w * q.u.z), 1 - 2 * (q.u.x * q.u.x + q.u.z * q.u.z),
                 2 * (q.u.y * q.u.z + q.w * q.u.x)};
}
static inline vec z_axis(quat q)
{
    return (vec){2 * (q.u.x * q.u.z + q.w * q.u.y), 2 * (q.u.y * q.u.z - q.w * q.u.x),
                 1 - 2 * (q.u.x * q.u.x + q.u.y * q.u.y)};
}

static inline vec  at(pcm_column column[3], size_t i) { return (vec){column[0][i], column[1][i], column[2][i]}; }
static inline void put(pcm_column *column, size_t i, vec v)
{
    column[0][i] = v.x;
    column[1][i] = v.y;
    column[2][i] = v.z;
}

/* ---- Contacts that are not touched ------------------------------------------------------------------------------ */

static bool some_absent(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count)
{
    const uint32_t *stamp = group->stamp + row;
    uint32_t        differ = 0, evaluation = pass->evaluation;
#pragma omp simd reduction(| : differ)
    for (size_t i = 0; i < count; i++)
        differ |= stamp[i] ^ evaluation;
    return differ != 0;
}

/* They are nowhere: far apart, at rest, with a normal that depends on no touch of before. */
static void set_absent(const pcm_pass *pass, const pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    for (size_t i = 0; i < count; i++) {
        s->absent[i] = group->stamp[row + i] != pass->evaluation;
        if (!s->absent[i])
            continue;
        for (size_t k = 0; k < 6; k++)
            s->contact[k][i] = s->motion[k][i] = 0;
        s->contact[5][i] = 1;
        s->contact[6][i] = PCM_FAR;
    }
}

/* ---- Motion ---------------------------------------------------------------------------------------------------- */

/* Velocities at the contact points. Returns whether all that went into them is finite and the normals are unit vectors:
 * what is not finite reaches the velocity by way of the point. */
static bool find_velocities(const pcm_group *group, size_t count, pcm_scratch *s)
{
    double shift = group->shift, zero = 0;
#pragma omp simd reduction(+ : zero)
    for (size_t i = 0; i < count; i++) {
        vec normal = at(s->contact + 3, i);
        s->depth[i] = s->contact[6][i];
        vec point = sum(at(s->contact, i), scaled(shift * s->depth[i], normal));
        vec v = sum(at(s->motion, i), cross(at(s->motion + 3, i), point));
        put(s->contact, i, point);
        put(s->motion, i, v);
        s->depth_rate[i] = 0 - dot(v, normal); /* not -dot: at rest it is 0, not -0 */
        zero += (v.x + v.y + v.z) * 0 + (fabs(dot(normal, normal) - 1) <= PCM_SKEW ? 0 : 1);
    }
    return zero == 0;
}

static inline void find_slip(pcm_scratch *s, size_t i, vec x, vec y)
{
    vec v = at(s->motion, i);
    put(s->x_axis, i, x);
    put(s->y_axis, i, y);
    s->slip_x[i] = dot(v, x);
    s->slip_y[i] = dot(v, y);
    s->slip_squared[i] = s->slip_x[i] * s->slip_x[i] + s->slip_y[i] * s->slip_y[i];
}

static void find_spin(size_t count, pcm_scratch *s)
{
    LANES(i, count)
    {
        vec spin = at(s->motion + 3, i);
        s->spin_x[i] = dot(spin, at(s->x_axis, i));
        s->spin_y[i] = dot(spin, at(s->y_axis, i));
        s->spin_n[i] = dot(spin, at(s->contact + 3, i));
    }
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

/* A law without a preferred direction is served by any tangent basis that depends on the normal alone. */
static void any_frames(size_t count, pcm_scratch *s)
{
    LANES(i, count)
    {
        vec    normal = at(s->contact + 3, i);
        double side = copysign(1, normal.z);
        double a = -1 / (side + normal.z), b = normal.x * normal.y * a;
        vec    x = {1 + side * (normal.x * normal.x * a), side * b, -side * normal.x};
        vec    y = {b, side + normal.y * normal.y * a, -normal.y};
        find_slip(s, i, x, y);
    }
}

/* The quaternion whose axes are x, n cross x, and n. */
static quat quat_of(vec x, vec n)
{
    vec    y = cross(n, x);
    double along[4] = {1 + x.x + y.y + n.z, 1 + x.x - y.y - n.z, 1 - x.x + y.y - n.z, 1 - x.x - y.y + n.z};
    size_t most = 0;
    for (size_t k = 1; k < 4; k++)
        most = along[k] > along[most] ? k : most;
    const double a = y.z - n.y, b = n.x - x.z, c = x.y - y.x; /* 4 w times the vector part */
    const double d = x.y + y.x, e = n.x + x.z, f = y.z + n.y;
    const quat   candidates[4] = {
          {along[0], {a, b, c}}, {a, {along[1], d, e}}, {b, {d, along[2], f}}, {c, {e, f, along[3]}}};
    return unit(candidates[most]);
}

/* A contact begins with x as the base's x axis in the tangent plane, or its y axis where x is nearly normal. Written in
 * the base's axes as if it had been carried here. */
static void begin_frames(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const double nearly_normal = 1e-6;
    for (size_t i = 0; i < count; i++) {
        quat base = {s->pose[3][i], at(s->pose + 4, i)};
        vec  n = turn(inverse(base), at(s->contact + 3, i));
        vec  axis = 1 - n.x * n.x > nearly_normal ? (vec){1, 0, 0} : (vec){0, 1, 0};
        vec  x = sum(axis, scaled(-dot(axis, n), n));
        quat frame = quat_of(scaled(1 / sqrt(dot(x, x)), x), n);
        *pcm_group_frame(group, pass->parity, 0, row + i) = frame.w;
        *pcm_group_frame(group, pass->parity, 1, row + i) = frame.u.x;
        *pcm_group_frame(group, pass->parity, 2, row + i) = frame.u.y;
        *pcm_group_frame(group, pass->parity, 3, row + i) = frame.u.z;
    }
}

/* The committed frame rides with the base, then takes the smallest turn that brings its normal onto the new one. */
static void carry_frames(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    const double *w = pcm_group_frame(group, pass->parity, 0, row), *x = pcm_group_frame(group, pass->parity, 1, row);
    const double *y = pcm_group_frame(group, pass->parity, 2, row), *z = pcm_group_frame(group, pass->parity, 3, row);
    LANES(i, count)
    {
        quat   base = {s->pose[3][i], at(s->pose + 4, i)};
        quat   frame = product(base, (quat){w[i], {x[i], y[i], z[i]}});
        vec    normal = at(s->contact + 3, i), was = z_axis(frame), around = x_axis(frame);
        double cosine = dot(was, normal);
        /* A normal that reverses has no smallest turn: x then keeps its direction. */
        bool reverses = 1 + cosine < 1e-12;
        vec  across = cross(was, normal);
        quat least = {reverses ? 0 : 1 + cosine,
                      {reverses ? around.x : across.x, reverses ? around.y : across.y, reverses ? around.z : across.z}};
        frame = unit(product(least, frame));
        find_slip(s, i, x_axis(frame), y_axis(frame));
        frame = product(inverse(base), frame);
        s->frame[0][i] = frame.w;
        put(s->frame + 1, i, frame.u);
    }
}

/* Point and velocity in the base's own axes. */
static void find_position(size_t count, pcm_scratch *s)
{
    LANES(i, count)
    {
        quat back = inverse((quat){s->pose[3][i], at(s->pose + 4, i)});
        vec  arm = sum(at(s->contact, i), scaled(-1, at(s->pose, i)));
        put(s->position, i, turn(back, arm));
        put(s->velocity, i, turn(back, at(s->motion, i)));
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

/* Forces on the follower, turned to the world. */
static void turn_forces(const pcm_group *group, size_t count, pcm_scratch *s)
{
    if (group->model->flags & PCM_BASE_AXES)
        LANES(i, count)
        {
            quat base = {s->pose[3][i], at(s->pose + 4, i)};
            put(s->wrench, i, turn(base, (vec){s->force_x[i], s->force_y[i], s->force_n[i]}));
        }
    else if (group->model->outputs & PCM_FRICTION)
        LANES(i, count)
        {
            vec f = scaled(s->force_n[i], at(s->contact + 3, i));
            f = sum(f, scaled(s->force_x[i], at(s->x_axis, i)));
            put(s->wrench, i, sum(f, scaled(s->force_y[i], at(s->y_axis, i))));
        }
    else
        LANES(i, count)
    put(s->wrench, i, scaled(s->force_n[i], at(s->contact + 3, i)));
}

/* Torques on the follower about the world's origin. Returns whether forces and torques are finite: a force that is not
 * finite reaches the torque. */
static bool find_torques(const pcm_group *group, size_t count, pcm_scratch *s)
{
    double zero = 0;
#pragma omp simd reduction(+ : zero)
    for (size_t i = 0; i < count; i++) {
        vec f = at(s->wrench, i), torque = cross(at(s->contact, i), f);
        put(s->wrench + 3, i, torque);
        s->force_squared[i] = dot(f, f);
        zero += (torque.x + torque.y + torque.z) * 0;
    }
    if (!(group->model->outputs & PCM_MOMENT))
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

/* Finds the faults of each lane, where the block may have some. */
static uint32_t find_faults(const pcm_group *group, size_t count, pcm_scratch *s)
{
    uint32_t faults = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t *fault = &s->fault[i];
        vec      v = at(s->motion, i), normal = at(s->contact + 3, i);
        *fault = 0;
        if (s->absent[i])
            continue;
        if ((v.x + v.y + v.z) * 0 != 0 || !(fabs(dot(normal, normal) - 1) <= PCM_SKEW))
            *fault |= PCM_FAULT_MOTION;
        for (uint32_t k = 0; k < group->n_given; k++)
            if (group->given_needed >> k & 1 && isnan(s->given[k][i]))
                *fault |= PCM_FAULT_INPUT;
        double total = 0;
        for (size_t k = 0; k < 6; k++)
            total += s->wrench[k][i] * 0;
        for (uint32_t k = 0; k < group->n_state; k++)
            total += s->next[k][i] * 0;
        if (total != 0 || (group->model->outputs & PCM_LIFE && s->life[i] == PCM_INVALID))
            *fault |= PCM_FAULT_RESULT;
        faults += *fault != 0;
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

/* The largest of a column and start. Several maxima run side by side, or compilers see one long chain. */
static double largest(const double *column, size_t count, double start)
{
    double most[STRIDE];
    size_t i = 0;
    for (size_t j = 0; j < STRIDE; j++)
        most[j] = start;
    for (; i + STRIDE <= count; i += STRIDE)
        LANES(j, STRIDE)
    most[j] = pcm_max(column[i + j], most[j]);
    for (; i < count; i++)
        most[0] = pcm_max(column[i], most[0]);
    for (size_t j = 0; j < STRIDE; j++)
        start = pcm_max(most[j], start);
    return start;
}

static void note_peaks(pcm_block_note *note, size_t count, const pcm_scratch *s)
{
    note->depth = largest(s->depth, count, note->depth);
    note->slip_squared = largest(s->slip_squared, count, note->slip_squared);
    note->force_squared = largest(s->force_squared, count, note->force_squared);
}

/* Whether some contact may have to go: apart by more than the separation, or ended by its law. */
static bool find_partings(const pcm_group *group, size_t count, const pcm_scratch *s)
{
    const double limit = -group->separation;
    int64_t      parting = 0;
#pragma omp simd reduction(| : parting)
    for (size_t i = 0; i < count; i++)
        parting |= s->depth[i] < limit;
    if (group->model->outputs & PCM_LIFE)
#pragma omp simd reduction(| : parting)
        for (size_t i = 0; i < count; i++)
            parting |= s->life[i];
    return parting != 0;
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

/* Everything that the law reads. Returns whether all of it is finite; absent gets whether some contact is not touched.
 */
static bool find_inputs(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s, bool *absent)
{
    const pcm_record *record = group->record + row;
    uint32_t          reads = group->model->inputs;
    bool              based = reads & (PCM_POSITION | PCM_VELOCITY) || group->model->flags & PCM_BASE_AXES;
    gather_records(record, count, s->contact);
    gather_motion(record, count, pass->twist, s->motion);
    if (group->n_frame || based)
        gather_pose(record, count, pass->pose, s->pose);
    *absent = some_absent(pass, group, row, count);
    if (*absent)
        set_absent(pass, group, row, count, s);
    else
        memset(s->absent, 0, count * sizeof *s->absent);
    bool finite = find_velocities(group, count, s);
    if (group->n_frame) {
        if (row >= group->live && pass->wrench)
            begin_frames(pass, group, row, count, s);
        carry_frames(pass, group, row, count, s);
    } else
        any_frames(count, s);
    if (reads & PCM_SPIN)
        find_spin(count, s);
    if (based)
        find_position(count, s);
    if (reads & (PCM_RADIUS | PCM_MASS))
        find_reduced(pass, record, count, s);
    return finite;
}

void PCM_BLOCK_RUN(const pcm_pass *pass, pcm_group *group, size_t row, size_t count, pcm_scratch *s)
{
    bool keep = pass->wrench != NULL, absent;
    bool faulty = !find_inputs(pass, group, row, count, s, &absent);
    s->batch = fill_batch(pass, group, row, count, s);
    if (row >= group->live && keep)
        establish(group, row, &s->batch, pass->parity, s);
    group->kernels->update(&s->batch);

    faulty |= step_states(pass, group, row, count, s);
    turn_forces(group, count, s);
    faulty |= !find_torques(group, count, s);
    faulty |= lacks_input(group, count, s);
    bool     departing = find_partings(group, count, s) || absent;
    uint32_t faults = 0;
    if (faulty || departing)
        faults = find_faults(group, count, s);
    else
        memset(s->fault, 0, count * sizeof *s->fault);
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
    scatter_wrenches(group->record + row, count, s->wrench, pass->wrench, pass->deferral);
}
