/* SPDX-License-Identifier: MIT */
#include "ledger.h"
#include "evaluate.h"
#include "guard.h"
#include <pcm/messages.h>

/* What a contact may seem to create, as a share of the energy that went to and fro: the trapezoidal sum of a few steps
 * per touch errs by about as much. */
static const double tolerated = 0.05;

/* One block's part in the accounts: what its rows give and lose at the last update. */
typedef struct flows {
    pcm_column power; /* of the contact's force and moment on its two bodies */
    pcm_column heat;
} flows;

static void find_flows(const pcm_group *group, const pcm_scratch *s, size_t first, size_t count, flows *to)
{
    const uint32_t writes = group->model->outputs;
#pragma omp simd
    for (size_t i = first; i < first + count; i++)
        to->power[i] =
            s->wrench[0][i] * s->motion[0][i] + s->wrench[1][i] * s->motion[1][i] + s->wrench[2][i] * s->motion[2][i];
    for (size_t i = first; writes & PCM_MOMENT && i < first + count; i++) {
        const double wx = s->motion[3][i], wy = s->motion[4][i], wz = s->motion[5][i];
        to->power[i] += s->moment_n[i] * (wx * s->contact[3][i] + wy * s->contact[4][i] + wz * s->contact[5][i]) +
                        s->moment_x[i] * (wx * s->x_axis[0][i] + wy * s->x_axis[1][i] + wz * s->x_axis[2][i]) +
                        s->moment_y[i] * (wx * s->y_axis[0][i] + wy * s->y_axis[1][i] + wz * s->y_axis[2][i]);
    }
    for (size_t i = first; i < first + count; i++) {
        to->power[i] = s->fault[i] ? 0 : to->power[i]; /* whose motion may be no number */
        to->heat[i] = writes & PCM_DISSIPATION ? s->dissipation[i] : 0;
    }
}

double pcm_ledger_power(const pcm_group *group, const pcm_scratch *scratch, size_t lane)
{
    flows now;
    find_flows(group, scratch, lane, 1, &now);
    return now.power[lane];
}

double pcm_ledger_span(const pcm_world *world)
{
    return world->committed_time <= world->time ? world->time - world->committed_time : world->dt;
}

pcm_account pcm_ledger_account(const pcm_world *world, const pcm_group *group, size_t row, size_t lane)
{
    const pcm_scratch *s = world->scratch;
    pcm_account        account;
    flows              now;
    for (uint32_t k = 0; k < PCM_LEDGER_COLUMNS; k++)
        account.column[k] = *pcm_group_ledger(group, k, row);
    account.stored = group->model->outputs & PCM_ENERGY ? s->energy[lane] : 0;
    if (world->phase != PCM_EVALUATED)
        return account;
    find_flows(group, s, lane, 1, &now);
    const double span = pcm_ledger_span(world),
                 work = 0.5 * span * (account.column[PCM_LEDGER_POWER] + now.power[lane]);
    account.column[PCM_LEDGER_DISSIPATED] += 0.5 * span * (account.column[PCM_LEDGER_HEAT] + now.heat[lane]);
    account.column[PCM_LEDGER_WORK] += work;
    account.column[PCM_LEDGER_FLOW] += fabs(work);
    return account;
}

pcm_ledger pcm_ledger_sum(const pcm_account *account)
{
    pcm_ledger sum = {.size = sizeof sum,
                      .work = account->column[PCM_LEDGER_WORK],
                      .stored = account->stored,
                      .dissipated = account->column[PCM_LEDGER_DISSIPATED]};
    sum.residue = -sum.work - sum.stored - sum.dissipated;
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
    const double share = fmax(tolerated, gain_of(group));
    if (group->model->flags & PCM_ACTIVE || pair->warned & PCM_WARNED_ENERGY || created <= share * exchanged)
        return false;
    pcm_world_warn(world, pair, PCM_WARNED_ENERGY);
    pcm_report(world->context, PCM_WARNING, PCM_MSG_ENERGY_CREATED,
               "contact %s of '%s' and '%s' added %s J by t = %s s (of %s J exchanged), but '%s' must not add energy: "
               "reduce the step, or correct the law",
               pcm_number((double)group->identity[row].id, 0).text,
               world->bodies[pcm_side_object(group->record[row].base)].name,
               world->bodies[pcm_side_object(group->record[row].follower)].name, pcm_number(created, 9).text,
               pcm_number(world->time, 9).text, pcm_number(exchanged, 9).text, group->type->info.name);
    return true;
}

static void judge(pcm_world *world, const pcm_group *group, size_t row)
{
    const double work = *pcm_group_ledger(group, PCM_LEDGER_WORK, row);
    pcm_ledger_judge(world, group, row, work + *pcm_group_ledger(group, PCM_LEDGER_DISSIPATED, row),
                     *pcm_group_ledger(group, PCM_LEDGER_FLOW, row));
}

/* What the rows still store, and whether those that end have created energy. */
static double sum_stored(pcm_world *world, const pcm_group *group, size_t first, size_t count, double sum)
{
    const pcm_scratch *s = world->scratch;
    const bool         tells = group->model->outputs & PCM_ENERGY, ends = group->note[first / PCM_BLOCK].removals;
    for (size_t i = 0; (tells || ends) && i < count; i++)
        if (!ends || pcm_group_outcome(group, first + i) == PCM_OUTCOME_KEPT)
            sum += tells ? s->energy[i] : 0;
        else
            judge(world, group, first + i);
    return sum;
}

void pcm_ledger_commit(pcm_world *world, pcm_group *group, size_t first, size_t count)
{
    const double half = 0.5 * pcm_ledger_span(world);
    double      *power = pcm_group_ledger(group, PCM_LEDGER_POWER, first),
           *heat = pcm_group_ledger(group, PCM_LEDGER_HEAT, first);
    double *work = pcm_group_ledger(group, PCM_LEDGER_WORK, first),
           *flow = pcm_group_ledger(group, PCM_LEDGER_FLOW, first);
    double *dissipated = pcm_group_ledger(group, PCM_LEDGER_DISSIPATED, first);
    flows   now, was;
    find_flows(group, world->scratch, 0, count, &now);
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const double done = half * (power[i] + now.power[i]), lost = half * (heat[i] + now.heat[i]);
        was.power[i] = work[i];
        was.heat[i] = dissipated[i];
        work[i] += done;
        dissipated[i] += lost;
        flow[i] += fabs(done);
        power[i] = now.power[i];
        heat[i] = now.heat[i];
    }
    for (size_t i = 0; i < count; i++) {
        group->ledger.work += work[i] - was.power[i];
        group->ledger.dissipated += dissipated[i] - was.heat[i];
    }
    group->ledger.stored = sum_stored(world, group, first, count, group->ledger.stored);
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
        if (group->type != type && group->type->info.written != type)
            continue;
        found = true;
        sum.work += group->ledger.work;
        sum.stored += group->ledger.stored;
        sum.dissipated += group->ledger.dissipated;
        sum.residue += group->ledger.residue;
    }
    return found ? pcm_info_fill(world->context, "pcm_ledger", ledger, ledger->size, &sum)
                 : pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__, "the type is not of this world's configuration");
}
