/* SPDX-License-Identifier: MIT */
/* friction.c - friction at the end of an implicit step.
 *
 * A step may change the normal force of a contact by much: a foot that lands is stopped within one. The friction of the
 * step's start would then be many times what the normal force of the step allows. So the step is solved again, where it
 * matters, with the friction that its normal forces have at its end. */
#include "answer.h"
#include <float.h>
#include <string.h>

/* ---- Contacts with friction -------------------------------------------------------------------------------------- */

/* The part of a number that is in the step's matrix. */
static double share_of(double part, double all) { return all > 0 ? part / all : 0; }

/* The coupling of a matrix: how the force along x and y answers motion along n. */
static void couple(const double matrix[36], const double frame[9], double share, double along[2])
{
    const double *block = matrix + 21;
    along[0] = along[1] = 0;
    for (int i = 0; i < 3; i++) {
        const double image =
            share * (block[6 * i] * frame[2] + block[6 * i + 1] * frame[5] + block[6 * i + 2] * frame[8]);
        along[0] += frame[3 * i] * image;
        along[1] += frame[3 * i + 1] * image;
    }
}

static double length_of(const double v[2]) { return sqrt(v[0] * v[0] + v[1] * v[1]); }

/* Whether the friction opposes a slip. */
static bool slides(const pcm_frictional *c)
{
    const double opposed = -0.9 * length_of(c->force) * length_of(c->velocity);
    return opposed < 0 && c->force[0] * c->velocity[0] + c->force[1] * c->velocity[1] <= opposed;
}

pcm_status pcm_friction_note(pcm_mujoco *host, const pcm_meeting *meeting, const pcm_contact_matrices *contact,
                             pcm_frictional c, const pcm_answer *all_damping, const pcm_answer *all_stiffness)
{
    pcm_implicit *implicit = &host->evaluation->implicit;
    const size_t  count = meeting->count[0] + meeting->count[1];
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {contact->frame[k], contact->frame[3 + k], contact->frame[6 + k]};
        c.force[k] = pcm_dot(axis, contact->force);
        c.velocity[k] = pcm_dot(axis, contact->surface_velocity + 3);
        for (size_t i = 0; i < count; i++)
            c.velocity[k] += implicit->columns[i].moves[1][k] * host->data->qvel[implicit->columns[i].dof];
    }
    if (!(length_of(c.force) > 0))
        return PCM_OK;
    if (slides(&c)) {
        couple(contact->stiffness, contact->frame, share_of(c.stiffness.nn, all_stiffness->nn), c.by_way);
        couple(contact->damping, contact->frame, share_of(c.damping.nn, all_damping->nn), c.by_speed);
    }
    if (!pcm_grow(host->context, &implicit->frictional, &implicit->frictional_capacity, implicit->n_frictional + 1,
                  sizeof *implicit->frictional) ||
        !pcm_grow(host->context, &implicit->frictional_columns, &implicit->frictional_columns_capacity,
                  implicit->n_frictional_columns + count, sizeof *implicit->frictional_columns))
        return pcm_host_no_memory(host->context);
    c.type = contact->type;
    c.meeting = (size_t)(meeting - implicit->meetings);
    c.columns = implicit->n_frictional_columns;
    memcpy(implicit->frictional_columns + implicit->n_frictional_columns, implicit->columns,
           count * sizeof *implicit->frictional_columns);
    implicit->n_frictional_columns += count;
    implicit->frictional[implicit->n_frictional++] = c;
    return PCM_OK;
}

/* ---- Friction at the end of the step ----------------------------------------------------------------------------- */

/* A contact's friction in a step, and what it adds to the step's matrix. */
typedef struct friction {
    double     force[2];
    pcm_answer resistance;
} friction;

static friction friction_of(const pcm_frictional *c, double share, double h)
{
    const pcm_answer damping = pcm_answer_weighed(c->damping, share, 1),
                     stiffness = pcm_answer_weighed(c->stiffness, share, 1);
    double taken[3];
    pcm_answer_to(&c->taken, c->velocity, taken);
    return (friction){{share * (c->force[0] - taken[0]), share * (c->force[1] - taken[1])},
                      pcm_answer_ending(c->yields, pcm_answer_over(&damping, &stiffness, h))};
}

/* What it is where it slides with this force, in this direction. */
static friction sliding_of(const pcm_frictional *c, const double along[2], double force, double h)
{
    const double least = 1e-3 * h * force * fmax(c->yields[0], c->yields[1]), speed = length_of(c->velocity);
    const double across = h * force / fmax(fmax(speed, least), DBL_MIN);
    const double x = speed > 0 ? c->velocity[0] / speed : 0, y = speed > 0 ? c->velocity[1] / speed : 0;
    const double normal = pcm_answer_over(&c->damping, &c->stiffness, h).nn;
    return (friction){{force * along[0], force * along[1]},
                      pcm_answer_ending(c->yields, (pcm_answer){across * (1 - x * x), -across * x * y,
                                                                across * (1 - y * y), normal})};
}

/* Friction that follows the normal force does so to the end of the step; and it stays in its cone there, or as far
 * outside as it was. The acceleration is the one under the friction before. */
static friction friction_at_end(const pcm_frictional *c, const friction *before, const double acceleration[3], double h)
{
    const double way = h * (c->velocity[2] + h * acceleration[2]), speed = h * acceleration[2];
    const double size = length_of(c->force);
    const double change = -(c->force[0] * (c->by_way[0] * way + c->by_speed[0] * speed) +
                            c->force[1] * (c->by_way[1] * way + c->by_speed[1] * speed)) /
                          (size * size);
    const friction follows = isfinite(change) && change != 0 ? friction_of(c, fmax(0, 1 + change), h) : *before;
    double         held[3], coefficient;
    if (!(c->force[2] > 0) || !pcm_type_friction(c->type, &coefficient))
        return follows;
    pcm_answer_to(&before->resistance, acceleration, held);
    const double normal = c->force[2] - c->taken.nn * c->velocity[2] - held[2];
    const double most = fmax(normal, 0) * fmax(coefficient, size / c->force[2]), yields = slides(c) ? 0 : 1;
    const double end[2] = {follows.force[0] - yields * held[0], follows.force[1] - yields * held[1]};
    const double there = length_of(end), along[2] = {end[0] / there, end[1] / there};
    return there > most ? sliding_of(c, along, most, h) : follows;
}

/* Whether the friction differs by more than a twentieth, and moves the slip by more than a thousandth of it. */
static bool matters(const pcm_frictional *c, const friction *before, const friction *after, double h)
{
    const double more[2] = {after->force[0] - before->force[0], after->force[1] - before->force[1]};
    const double apart = length_of(more), yields = fmax(c->yields[0], c->yields[1]);
    return apart > 0.05 * length_of(before->force) && h * yields * apart > 1e-3 * length_of(c->velocity);
}

static void change_friction(pcm_mujoco *host, const pcm_frictional *c, const friction *before, const friction *after)
{
    pcm_implicit      *implicit = &host->evaluation->implicit;
    const pcm_meeting *meeting = &implicit->meetings[c->meeting];
    const pcm_column  *columns = implicit->frictional_columns + c->columns;
    const size_t       count = meeting->count[0] + meeting->count[1];
    const pcm_answer   more = pcm_answer_sum(after->resistance, pcm_answer_scaled(-1, before->resistance));
    pcm_answer_add(&more, 1, columns, count, implicit->entries + meeting->entries);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            host->data->qfrc_passive[columns[i].dof] += (after->force[k] - before->force[k]) * columns[i].moves[1][k];
}

bool pcm_friction_follow(pcm_mujoco *host, const double *joints, const double *passive)
{
    const pcm_implicit *implicit = &host->evaluation->implicit;
    const double        h = host->model->opt.timestep;
    bool                changed = false;
    for (size_t r = 0; r < implicit->n_frictional; r++) {
        const pcm_frictional *c = &implicit->frictional[r];
        const pcm_meeting    *meeting = &implicit->meetings[c->meeting];
        const pcm_column     *columns = implicit->frictional_columns + c->columns;
        double                acceleration[3] = {0};
        for (size_t i = 0; i < meeting->count[0] + meeting->count[1]; i++)
            for (int k = 0; k < 3; k++)
                acceleration[k] += columns[i].moves[1][k] * joints[columns[i].dof];
        const friction before = friction_of(c, 1, h), after = friction_at_end(c, &before, acceleration, h);
        if (!matters(c, &before, &after, h))
            continue;
        if (!changed)
            mju_copy(host->data->qfrc_passive, passive, (int)host->model->nv);
        changed = true;
        change_friction(host, c, &before, &after);
    }
    return changed;
}
