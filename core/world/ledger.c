/* SPDX-License-Identifier: MIT */
#include "ledger.h"
#include "evaluate.h"
#include "guard.h"
#include "surface_velocity.h"
#include <pcm/messages.h>
#include <string.h>

/* The apparent energy creation that is tolerated, as a fraction of the energy exchanged: a contact of only a few steps
 * has about this error. */
static const double tolerated = 0.05;

/* Powers of a block's rows at the last update, W: of its forces, of dissipation, and of the forces held until then at
 * the new motion. */
typedef struct flows {
    pcm_column power; /* power of the contact's force and moment on its two bodies */
    pcm_column heat;
    pcm_column held;
} flows;

double pcm_ledger_span(const pcm_world *world)
{
    return world->committed_time <= world->time ? world->time - world->committed_time : world->dt;
}

/* ---- Power ------------------------------------------------------------------------------------------------------ */

static void find_flows(const pcm_group *group, const pcm_scratch *s, size_t lane, size_t count, flows *to)
{
    const uint32_t writes = group->model->outputs;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        to->power[i] = s->wrench[0][lane + i] * s->motion[0][lane + i] +
                       s->wrench[1][lane + i] * s->motion[1][lane + i] +
                       s->wrench[2][lane + i] * s->motion[2][lane + i];
    for (size_t i = 0; writes & PCM_MOMENT && i < count; i++) {
        const size_t k = lane + i;
        const double wx = s->motion[3][k], wy = s->motion[4][k], wz = s->motion[5][k];
        to->power[i] += s->moment_n[k] * (wx * s->contact[3][k] + wy * s->contact[4][k] + wz * s->contact[5][k]) +
                        s->moment_x[k] * (wx * s->x_axis[0][k] + wy * s->x_axis[1][k] + wz * s->x_axis[2][k]) +
                        s->moment_y[k] * (wx * s->y_axis[0][k] + wy * s->y_axis[1][k] + wz * s->y_axis[2][k]);
    }
    for (size_t i = 0; i < count; i++) {
        to->power[i] = s->fault[lane + i] ? 0 : to->power[i]; /* the motion of faulty contacts may be NaN */
        to->heat[i] = writes & PCM_DISSIPATION ? s->dissipation[lane + i] : 0;
    }
}

/* The velocity on one side at which a force that was held over the step, at the point p of its start, does its work:
 * the velocity at the step's end with the arm of its start, since the arm does not rotate while the force acts. The
 * mean of the velocities at both ends then gives the work of a semi-implicit step, to second order for a body that
 * precesses. The velocity at the contact point itself differs, since the point moves along the bodies: by the step
 * times omega x (omega x arm). */
static void find_velocity(const pcm_world *world, uint32_t side, const double p[3], const double normal[3],
                          double velocity[3], double spin[3])
{
    const pcm_twist_line *twist = &world->twist[world->front][pcm_side_object(side)];
    const pcm_pose_line  *pose = &world->pose[world->front][pcm_side_object(side)];
    const double         *at = pose->position, *w = twist->angular;
    const double          span = pose->hold == PCM_HOLD_FREE ? pcm_ledger_span(world) : 0;
    double                arm[3];
    for (size_t k = 0; k < 3; k++) {
        const size_t i = (k + 1) % 3, j = (k + 2) % 3;
        velocity[k] = twist->linear[k] + (w[i] * at[j] - w[j] * at[i]);
        arm[k] = p[k] - (at[k] - span * velocity[k]);
    }
    for (size_t k = 0; k < 3; k++) {
        const size_t i = (k + 1) % 3, j = (k + 2) % 3;
        velocity[k] += w[i] * arm[j] - w[j] * arm[i];
    }
    memcpy(spin, w, 3 * sizeof *spin);
    pcm_surface_add(world, side, p, normal, velocity, spin);
}

/* W, the power of the held force at the present motion of the bodies. */
static double power_held(const pcm_world *world, const pcm_group *group, size_t row, size_t i, double *const *column)
{
    const pcm_record *record = &group->record[row];
    const double p[3] = {column[PCM_LEDGER_POINT][i], column[PCM_LEDGER_POINT + 1][i], column[PCM_LEDGER_POINT + 2][i]};
    double       a[3], b[3], base[3], follower[3], power = 0;
    find_velocity(world, record->base, p, record->normal, a, base);
    find_velocity(world, record->follower, p, record->normal, b, follower);
    for (size_t k = 0; k < 3; k++) {
        power += column[PCM_LEDGER_FORCE + k][i] * (b[k] - a[k]);
        if (group->model->outputs & PCM_MOMENT)
            power += column[PCM_LEDGER_MOMENT + k][i] * (follower[k] - base[k]);
    }
    return isfinite(power) ? power : 0; /* the motion of bodies may be NaN */
}

static void find_held(const pcm_world *world, const pcm_group *group, size_t row, size_t count, double *const *column,
                      flows *to)
{
    const double *x = column[PCM_LEDGER_FORCE];
    for (size_t i = 0; i < count; i++) {
        const bool acted = row + i < group->live && x[i] == x[i];
        to->held[i] = acted ? power_held(world, group, row + i, i, column) : to->power[i];
    }
}

/* The energy that a new contact holds already, from the scratch: 0 if the motion of its bodies in the step explains its
 * depth, whatever the integrator. */
static double brought(const pcm_world *world, const pcm_group *group, size_t i)
{
    const pcm_scratch *s = world->scratch;
    if (s->fault[i] || !(s->depth[i] > fmax(0, 2 * s->depth_rate[i] * pcm_ledger_span(world))))
        return 0;
    const double push =
        s->wrench[0][i] * s->contact[3][i] + s->wrench[1][i] * s->contact[4][i] + s->wrench[2][i] * s->contact[5][i];
    return fmax(0, group->model->outputs & PCM_ENERGY ? s->energy[i] : push * s->depth[i]);
}

static void hold(const pcm_world *world, const pcm_group *group, size_t lane, size_t count, double *const *column)
{
    const pcm_scratch *s = world->scratch;
    for (uint32_t k = 0; k < 3; k++) {
        const bool   holds = world->dt > 0;
        double      *force = column[PCM_LEDGER_FORCE + k], *point = column[PCM_LEDGER_POINT + k];
        const size_t u = (k + 1) % 3, v = (k + 2) % 3;
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            force[i] = holds ? s->wrench[k][lane + i] : NAN;
            point[i] = s->contact[k][lane + i];
        }
        for (size_t i = 0; group->model->outputs & PCM_MOMENT && i < count; i++)
            column[PCM_LEDGER_MOMENT + k][i] =
                s->wrench[3 + k][lane + i] -
                (s->contact[u][lane + i] * s->wrench[v][lane + i] - s->contact[v][lane + i] * s->wrench[u][lane + i]);
    }
}

/* ---- Accounts --------------------------------------------------------------------------------------------------- */

/* Accepts the last update in the columns of rows that the scratch has from a lane on. A step of dt > 0 is made under
 * the forces at its start: their work is that at the mean of the motions at both ends, even if the contact has parted
 * by then. A new contact has done no work yet, and an ending one still has its last step. For a solver's steps, whose
 * updates have dt = 0, it is the mean of the power at both ends. */
static void accept(const pcm_world *world, const pcm_group *group, size_t row, size_t lane, size_t count,
                   double *const *column)
{
    const bool   holds = world->dt > 0, ends = holds && group->note[row / PCM_BLOCK].removals > 0;
    const size_t live = group->live > row ? group->live - row : 0, acted = holds && live < count ? live : count;
    const double half = 0.5 * pcm_ledger_span(world);
    double      *power = column[PCM_LEDGER_POWER], *heat = column[PCM_LEDGER_HEAT], *work = column[PCM_LEDGER_WORK];
    double      *dissipated = column[PCM_LEDGER_DISSIPATED], *flow = column[PCM_LEDGER_FLOW];
    flows        now;
    find_flows(group, world->scratch, lane, count, &now);
    find_held(world, group, row, count, column, &now);
#pragma omp simd
    for (size_t i = 0; i < acted; i++) {
        const double done = half * (power[i] + now.held[i]);
        work[i] += done;
        dissipated[i] += half * (heat[i] + now.heat[i]);
        flow[i] += fabs(done);
    }
    for (size_t i = live; i < count; i++)
        column[PCM_LEDGER_BROUGHT][i] = brought(world, group, lane + i);
    memcpy(power, now.power, count * sizeof *power);
    memcpy(heat, now.heat, count * sizeof *heat);
    for (size_t i = 0; ends && i < count; i++)
        if (pcm_group_outcome(group, row + i) != PCM_OUTCOME_KEPT) {
            work[i] += world->dt * power[i];
            dissipated[i] += world->dt * heat[i];
            flow[i] += fabs(world->dt * power[i]);
        }
    hold(world, group, lane, count, column);
}

void pcm_ledger_follow(const pcm_world *world, const pcm_group *group, size_t row, double ledger[PCM_LEDGER_COLUMNS])
{
    double *column[PCM_LEDGER_COLUMNS];
    for (uint32_t k = 0; k < PCM_LEDGER_COLUMNS; k++)
        column[k] = &ledger[k];
    accept(world, group, row, 0, 1, column);
}

pcm_account pcm_ledger_account(const pcm_world *world, const pcm_group *group, size_t row, size_t lane)
{
    pcm_account account;
    double     *column[PCM_LEDGER_COLUMNS];
    for (uint32_t k = 0; k < group->n_ledger; k++) {
        account.column[k] = *pcm_group_ledger(group, k, row);
        column[k] = &account.column[k];
    }
    account.stored = group->model->outputs & PCM_ENERGY ? world->scratch->energy[lane] : 0;
    if (world->phase == PCM_EVALUATED)
        accept(world, group, row, lane, 1, column);
    return account;
}

pcm_ledger pcm_ledger_sum(const pcm_account *account)
{
    pcm_ledger sum = {.size = sizeof sum,
                      .work = account->column[PCM_LEDGER_WORK],
                      .stored = account->stored,
                      .dissipated = account->column[PCM_LEDGER_DISSIPATED],
                      .brought = account->column[PCM_LEDGER_BROUGHT]};
    pcm_ledger_balance(&sum);
    return sum;
}

static double gain_of(const pcm_group *group)
{
    if (!group->model->gain)
        return 0;
    pcm_type_call_begin(group->type, "gain");
    const double gain = group->model->gain(group->type->info.params);
    pcm_type_call_end(group->type);
    return gain;
}

bool pcm_ledger_judge(pcm_world *world, const pcm_group *group, size_t row, double created, double exchanged)
{
    pcm_pair    *pair = &world->pairs[group->identity[row].pair];
    const double share = fmax(tolerated, gain_of(group)), least = 1e-21; /* J: less than the heat of an atom */
    if (group->model->flags & PCM_ACTIVE || pair->warned & PCM_WARNED_ENERGY ||
        !(created > fmax(share * exchanged, least)))
        return false;
    pcm_world_warn(world, pair, PCM_WARNED_ENERGY);
    pcm_report(world->context, PCM_WARNING, PCM_MSG_ENERGY_CREATED,
               "contacts of '%s' and '%s' added %s J by t = %s s (of %s J exchanged), but '%s' must not add energy: "
               "reduce the step, or correct the law",
               world->bodies[pcm_side_object(group->record[row].base)].name,
               world->bodies[pcm_side_object(group->record[row].follower)].name, pcm_number(created, 9).text,
               pcm_number(world->time, 9).text, pcm_number(exchanged, 9).text, group->type->info.name);
    return true;
}

static void close_account(pcm_world *world, pcm_pair *pair)
{
    if (pair->warned & PCM_WARNED_NOT_YET) {
        pair->warned &= ~(uint32_t)PCM_WARNED_NOT_YET;
        world->n_warned -= pair->warned == 0;
    }
    pair->created = pair->exchanged = 0;
}

void pcm_ledger_end(pcm_world *world, const pcm_group *group, size_t row)
{
    pcm_pair *pair = &world->pairs[group->identity[row].pair];
    if (group->identity[row].id) {
        pair->created += *pcm_group_ledger(group, PCM_LEDGER_WORK, row) +
                         *pcm_group_ledger(group, PCM_LEDGER_DISSIPATED, row) -
                         *pcm_group_ledger(group, PCM_LEDGER_BROUGHT, row);
        pair->exchanged += *pcm_group_ledger(group, PCM_LEDGER_FLOW, row);
    }
    if (pair->contacts > 1) {
        pcm_world_warn(world, pair, PCM_WARNED_NOT_YET);
        return;
    }
    pcm_ledger_judge(world, group, row, pair->created, pair->exchanged);
    close_account(world, pair);
}

/* Adds the energy that the rows still store. What a contact stores as it ends is lost; energy below 0 would have to be
 * given back by the bodies, which stays in the residue. */
static void add_stored(const pcm_world *world, pcm_group *group, size_t first, size_t count)
{
    const pcm_scratch *s = world->scratch;
    const bool         ends = group->note[first / PCM_BLOCK].removals > 0;
    for (size_t i = 0; group->model->outputs & PCM_ENERGY && i < count; i++)
        if (!ends || pcm_group_outcome(group, first + i) == PCM_OUTCOME_KEPT)
            group->ledger.stored += s->energy[i];
        else if (first + i < group->live)
            group->ledger.dissipated += fmax(s->lost_energy[i], 0);
}

void pcm_ledger_commit(pcm_world *world, pcm_group *group, size_t first, size_t count)
{
    double    *column[PCM_LEDGER_COLUMNS];
    pcm_column worked, lost;
    for (uint32_t k = 0; k < group->n_ledger; k++)
        column[k] = pcm_group_ledger(group, k, first);
    memcpy(worked, column[PCM_LEDGER_WORK], count * sizeof *worked);
    memcpy(lost, column[PCM_LEDGER_DISSIPATED], count * sizeof *lost);
    accept(world, group, first, 0, count, column);
    for (size_t i = 0; world->trusts && i < count; i++)
        column[PCM_LEDGER_FLOW][i] = INFINITY; /* unlimited, so that no excess is reported for it */
    for (size_t i = 0; i < count; i++) {
        group->ledger.work += column[PCM_LEDGER_WORK][i] - worked[i];
        group->ledger.dissipated += column[PCM_LEDGER_DISSIPATED][i] - lost[i];
    }
    for (size_t i = group->live > first ? group->live - first : 0; i < count; i++)
        group->ledger.brought += group->identity[first + i].id ? column[PCM_LEDGER_BROUGHT][i] : 0;
    add_stored(world, group, first, count);
}

pcm_status pcm_world_type_ledger(const pcm_world *world, const pcm_type *type, pcm_ledger *ledger)
{
    const pcm_status status = pcm_world_admit(world, ledger != NULL, __func__);
    if (status != PCM_OK)
        return status;
    pcm_ledger sum = {.size = sizeof sum};
    bool       found = false;
    for (size_t g = 0; g < world->n_groups; g++) {
        const pcm_group *group = &world->groups[g];
        if (group->type != type && group->given != type && group->given->info.written != type)
            continue;
        found = true;
        sum.work += group->ledger.work;
        sum.stored += group->ledger.stored;
        sum.dissipated += group->ledger.dissipated;
        sum.residue += group->ledger.residue;
        sum.brought += group->ledger.brought;
    }
    return found ? pcm_info_fill(world->context, "pcm_ledger", ledger, ledger->size, &sum)
                 : pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__, "the type is not of this world's configuration");
}
