/* SPDX-License-Identifier: MIT */
#include "motion.h"

#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "history.h"

/* ---- Dice -------------------------------------------------------------------------------------------------------- */

static uint64_t roll(dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double dice_unit(dice *d) { return (double)(roll(d) >> 11) * 0x1p-53; }

double dice_decades(dice *d, double low, double high) { return pow(10, low + (high - low) * dice_unit(d)); }

size_t dice_below(dice *d, size_t count) { return (size_t)(dice_unit(d) * (double)count); }

static double either_sign(dice *d, double size) { return dice_below(d, 2) ? size : -size; }

/* ---- Parameters ---------------------------------------------------------------------------------------------------
 */

static double count_choices(const pcm_param *param)
{
    double count = 0;
    while (param->choices[(size_t)count])
        count++;
    return count;
}

static double clip(const pcm_param *param, double value)
{
    const double span = fmax(fabs(param->fallback), 1e-3);
    if (value <= param->min)
        value = param->flags & PCM_OPEN_MIN ? param->min + 1e-3 * span : param->min;
    if (value >= param->max)
        value = param->flags & PCM_OPEN_MAX ? param->max - 1e-3 * (param->max - param->min) : param->max;
    return param->kind == PCM_KIND_INTEGER ? floor(value) : value;
}

static double roll_number(const pcm_param *param, dice *d)
{
    const size_t where = dice_below(d, 8);
    if (where == 0 && isfinite(param->min))
        return clip(param, param->min);
    if (where == 1 && isfinite(param->max))
        return clip(param, param->max);
    const double base = param->fallback != 0 ? param->fallback : param->flags & PCM_REQUIRED ? 1 : 0.1;
    return clip(param,
                where < 5 && !(param->flags & PCM_REQUIRED) ? param->fallback : base * dice_decades(d, -1.5, 1.5));
}

static double roll_param(const pcm_param *param, dice *d)
{
    switch (param->kind) {
    case PCM_KIND_CHOICE:
        return floor(dice_unit(d) * count_choices(param));
    case PCM_KIND_SWITCH:
        return (double)dice_below(d, 2);
    case PCM_KIND_LIST:
        return dice_decades(d, -4, -2);
    case PCM_KIND_TEXT:
        return 0;
    default:
        return roll_number(param, d);
    }
}

double motion_default(const subject *s, size_t index)
{
    const pcm_param *param = subject_param(s, index);
    const double     usual = param->kind == PCM_KIND_LIST ? 1e-3 : clip(param, 1);
    return param->flags & PCM_REQUIRED ? usual : param->fallback;
}

void motion_roll_params(const subject *s, dice *d, double *values)
{
    const bool as_by_default = dice_below(d, 3) == 0;
    for (size_t i = 0; i < subject_param_count(s); i++) {
        const pcm_param *param = subject_param(s, i);
        const double     rolled = roll_param(param, d);
        values[i] = as_by_default || subject_is_set(s, param) ? motion_default(s, i) : rolled;
    }
}

/* ---- Rows ---------------------------------------------------------------------------------------------------------
 */

size_t motion_column(size_t offset)
{
    size_t at = 0;
    while (rig_motions[at].offset != offset)
        at++;
    return at;
}

/* A usual value of a motion, by what it is: lengths around a millimetre, speeds up to a metre a second. */
static double roll_motion(const rig_motion *kind, dice *d)
{
    switch (kind->input) {
    case PCM_DEPTH:
        return dice_decades(d, -6, -2) * (dice_below(d, 6) ? 1 : -1);
    case PCM_DEPTH_RATE:
    case PCM_SLIP:
    case PCM_VELOCITY:
        return dice_below(d, 8) == 0 ? 0 : either_sign(d, dice_decades(d, -4, 0));
    case PCM_SPIN:
    case PCM_BODY_SPINS:
        return dice_below(d, 8) == 0 ? 0 : either_sign(d, dice_decades(d, -2, 2));
    case PCM_POSITION:
        return either_sign(d, dice_decades(d, -4, -2));
    case PCM_AXES:
        return 2 * dice_unit(d) - 1;
    case PCM_FRESH:
        return (double)dice_below(d, 2);
    case PCM_CONTACT_RADIUS:
        return dice_decades(d, -5, -2);
    default:
        return dice_decades(d, -2, 2);
    }
}

bool motion_is_settled(const rig_motion *kind)
{
    return kind->input == PCM_AXES || kind->input & PCM_SHAPED ||
           (kind->input == PCM_BODY_SPINS && kind->offset >= offsetof(pcm_batch, follower_spin_x));
}

static void settle_axis(double *axis)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (size_t i = 0; i < 3; i++)
        axis[i] = length > 0 ? axis[i] / length : i == 2;
}

/* The three columns of each of these stand beside each other. */
void motion_settle(const subject *s, double *row)
{
    const double *spin = row + MOTION_AT(spin_x);
    double       *base = row + MOTION_AT(base_spin_x), *follower = row + MOTION_AT(follower_spin_x);
    for (size_t i = 0; i < 3; i++) {
        base[i] = s->model->flags & PCM_BASE_FIXED ? 0 : base[i];
        follower[i] = base[i] + spin[i];
    }
    settle_axis(row + MOTION_AT(base_axis_x));
    settle_axis(row + MOTION_AT(follower_axis_x));
}

void motion_close(motion *m)
{
    for (size_t i = 0; i < m->count; i++)
        m->row[i][MOTION_AT(depth)] = fabs(m->row[i][MOTION_AT(depth)]);
}

void motion_between(const subject *s, const motion *m, double part, double *row)
{
    const uint32_t bodies = PCM_AXES | PCM_RADIUS | PCM_MASS | PCM_AREA | PCM_SHARE | PCM_SHAPED;
    for (size_t i = 0; i < s->n_inputs; i++) {
        const bool stays = i < s->n_motions && rig_motions[i].input & bodies;
        row[i] = stays ? m->row[0][i] : m->row[0][i] + part * (m->row[1][i] - m->row[0][i]);
    }
}

/* What an object has of it, around what it has at first. */
static double roll_amount(const pcm_amount *amount, dice *d)
{
    return amount->initial != 0 ? amount->initial * dice_decades(d, -0.5, 0.5) : either_sign(d, dice_decades(d, -9, 0));
}

/* A shape, of all kinds: not known, a point, a line or a flat. Laws without one leave the dice alone. */
static void roll_shape(const subject *s, dice *d, double *row)
{
    enum { NOT_KNOWN, POINT, LINE, FLAT, SHAPES };
    const bool     reads = s->model->inputs & PCM_SHAPED;
    const uint32_t kind = reads ? (uint32_t)dice_below(d, SHAPES) : NOT_KNOWN;
    for (size_t i = 0; i < s->n_motions; i++)
        if (rig_motions[i].input & PCM_SHAPED)
            row[i] = NAN;
    if (kind == NOT_KNOWN)
        return;
    const double curvature = dice_decades(d, -1, 3), turn = dice_decades(d, -3, 0), level = dice_unit(d);
    const bool   spread = kind == LINE || kind == FLAT;
    row[MOTION_AT(curvature_1)] = kind == FLAT ? NAN : curvature * dice_unit(d);
    row[MOTION_AT(curvature_2)] = kind == FLAT ? NAN : curvature;
    row[MOTION_AT(curvature_x)] = cos(turn);
    row[MOTION_AT(curvature_y)] = sin(turn);
    row[MOTION_AT(point_part)] = kind == POINT ? 1 : kind == LINE ? 1 - level : 0;
    row[MOTION_AT(patch_part)] = spread ? level * dice_unit(d) : 0;
    row[MOTION_AT(line_length)] = kind == LINE ? dice_decades(d, -3, 0) : 0;
    row[MOTION_AT(line_curvature)] = kind == LINE ? curvature : 0;
    row[MOTION_AT(flat_area)] = kind == FLAT ? dice_decades(d, -6, -2) : 0;
    row[MOTION_AT(flat_aspect)] = kind == FLAT ? dice_decades(d, 0, 1) : 1;
}

static void roll_row(const subject *s, dice *d, double *row)
{
    for (size_t i = 0; i < s->n_motions; i++)
        row[i] = rig_motions[i].input & PCM_SHAPED ? NAN : roll_motion(&rig_motions[i], d);
    for (size_t i = 0; i < s->info->n_host_inputs; i++)
        row[s->n_motions + i] = either_sign(d, dice_decades(d, -2, 2));
    for (size_t i = s->n_motions + s->info->n_host_inputs, k = 0; i < s->n_inputs; i++, k++)
        row[i] = roll_amount(pcm_model_amount(s->model, (uint32_t)k % s->model->amounts.count), d);
    for (size_t i = s->n_inputs; i < s->columns; i++)
        row[i] = 0;
    roll_shape(s, d, row);
    motion_settle(s, row);
}

/* A state that the contact has after some steps of such motion. */
static void reach_state(subject *s, dice *d, double *row)
{
    double *states = row + s->n_inputs;
    history_begin(s);
    for (size_t steps = 1 + dice_below(d, 6), i = 0; s->info->n_state > 0 && i < steps; i++) {
        motion_step step = {.time = (double)i * 1e-3};
        roll_row(s, d, step.row);
        step.row[MOTION_AT(depth)] = fabs(step.row[MOTION_AT(depth)]);
        history_step(s, &step);
        if (s->history.live)
            memcpy(states, s->history.last, s->info->n_state * sizeof *states);
    }
}

static void roll_size(dice *d, motion *m)
{
    m->kind = MOTION_LANES;
    m->count = 1 + dice_below(d, MOTION_ROWS);
    m->dt = dice_below(d, 4) == 0 ? 0 : dice_decades(d, -6, -2);
}

void motion_roll_new(const subject *s, dice *d, motion *m)
{
    roll_size(d, m);
    for (size_t i = 0; i < m->count; i++)
        roll_row(s, d, m->row[i]);
}

void motion_roll_lanes(subject *s, dice *d, motion *m)
{
    roll_size(d, m);
    for (size_t i = 0; i < m->count; i++) {
        roll_row(s, d, m->row[i]);
        reach_state(s, d, m->row[i]);
    }
}

/* The values of a file's type stay, whatever load they give at a usual depth: small depths and long ways count too. */
static bool keeps_values(const subject *s) { return s->def && s->def->file; }

void motion_roll_path(const subject *s, dice *d, motion *m)
{
    const size_t depth = MOTION_AT(depth), ways[] = {MOTION_AT(slip_x), MOTION_AT(slip_y)};
    const size_t spins[] = {MOTION_AT(spin_x), MOTION_AT(spin_y), MOTION_AT(spin_n)};
    const bool   shallow = keeps_values(s) && s->info->common->separation == 0; /* else too few rows touch */
    const double deep = dice_decades(d, shallow ? -8 : -5, -2), turn = dice_decades(d, -2, 0);
    const bool   drags = keeps_values(s) && dice_below(d, 2);
    const double far = drags ? dice_decades(d, -4, -1) : deep * dice_decades(d, -1.5, 1);
    const double apart = -1.5 * s->info->common->separation - 0.1 * deep;
    m->kind = MOTION_PATH;
    m->count = 3 + dice_below(d, 5);
    m->steps = 16;
    m->dt = dice_decades(d, -4, 0);
    for (size_t i = 0; i < m->count; i++) {
        double    *row = m->row[i];
        const bool ends = i == 0 || i + 1 == m->count, pauses = dice_below(d, 3) == 0;
        roll_row(s, d, row);
        row[depth] = ends ? apart : pauses && i > 1 ? m->row[i - 1][depth] : deep * dice_unit(d);
        for (size_t k = 0; k < 2; k++)
            row[ways[k]] = ends || dice_below(d, 3) == 0 ? 0 : far * (2 * dice_unit(d) - 1);
        for (size_t k = 0; k < 3; k++)
            row[spins[k]] = ends || dice_below(d, 3) == 0 ? 0 : turn * (2 * dice_unit(d) - 1);
    }
}

/* ---- Paths --------------------------------------------------------------------------------------------------------
 */

/* How a column follows from the places of a path: a coordinate, or the rate of one. */
typedef struct derived {
    size_t to, from;
    bool   is_rate;
    double sign;
} derived;

#define FROM(to_, from_, is_rate_, sign_)                                                                              \
    {                                                                                                                  \
        offsetof(pcm_batch, to_), offsetof(pcm_batch, from_), is_rate_, sign_                                          \
    }
static const derived derivation[] = {
    FROM(depth, depth, false, 1),      FROM(depth_rate, depth, true, 1),  FROM(slip_x, slip_x, true, 1),
    FROM(slip_y, slip_y, true, 1),     FROM(spin_x, spin_x, true, 1),     FROM(spin_y, spin_y, true, 1),
    FROM(spin_n, spin_n, true, 1),     FROM(x, slip_x, false, 1),         FROM(y, slip_y, false, 1),
    FROM(z, depth, false, -1),         FROM(velocity_x, slip_x, true, 1), FROM(velocity_y, slip_y, true, 1),
    FROM(velocity_z, depth, true, -1),
};

size_t motion_step_count(const motion *m) { return m->count < 2 ? 0 : (m->count - 1) * (m->steps + 1); }

motion_step motion_step_at(const subject *s, const motion *m, size_t index)
{
    const size_t  stretch = index / (m->steps + 1), k = index % (m->steps + 1);
    const double *from = m->row[stretch], *to = m->row[stretch + 1];
    const double  part = (double)k / (double)m->steps;
    motion_step   step = {.time = m->dt * ((double)stretch + part), .dt = k ? m->dt / (double)m->steps : 0};
    memcpy(step.row, m->row[0], s->columns * sizeof *step.row);
    for (size_t i = 0; i < sizeof derivation / sizeof *derivation; i++) {
        const derived *d = &derivation[i];
        const size_t   at = motion_column(d->from);
        const double   place = k == m->steps ? to[at] : from[at] + part * (to[at] - from[at]);
        step.row[motion_column(d->to)] = d->sign * (d->is_rate ? (to[at] - from[at]) / m->dt : place);
    }
    motion_settle(s, step.row);
    return step;
}

/* ---- Tables -------------------------------------------------------------------------------------------------------
 */

/* The rig's column of that place in a row: it has a few more, for tables that serve several laws. */
static const rig_column *column_of(const subject *s, motion_kind kind, size_t at)
{
    const rig_law *law = kind == MOTION_LANES ? &s->trial : &s->history;
    return at < s->n_inputs ? &law->inputs[at] : &law->starts[at - s->n_inputs];
}

/* The depth of a path says when the contact begins, whether the law reads it or not. */
static bool is_written(const subject *s, motion_kind kind, size_t at)
{
    return column_of(s, kind, at)->needed || (kind == MOTION_PATH && at == MOTION_AT(depth));
}

static void write_cells(const subject *s, const motion *m, const double *row, FILE *out)
{
    for (size_t i = 0; i < s->columns; i++)
        if (is_written(s, m->kind, i))
            (void)fprintf(out, ",%s", pcm_number(row[i], 0).text);
    (void)fputc('\n', out);
}

void motion_write(const subject *s, const motion *m, FILE *out)
{
    const bool is_path = m->kind == MOTION_PATH;
    (void)fputs(is_path ? "t" : "dt", out);
    for (size_t i = 0; i < s->columns; i++)
        if (is_written(s, m->kind, i))
            (void)fprintf(out, ",%s", column_of(s, m->kind, i)->name);
    (void)fputc('\n', out);
    for (size_t i = 0; is_path && i < motion_step_count(m); i++) {
        const motion_step step = motion_step_at(s, m, i);
        (void)fputs(pcm_number(step.time, 0).text, out);
        write_cells(s, m, step.row, out);
    }
    for (size_t i = 0; !is_path && i < m->count; i++) {
        (void)fputs(pcm_number(m->dt, 0).text, out);
        write_cells(s, m, m->row[i], out);
    }
}
