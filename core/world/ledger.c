/* SPDX-License-Identifier: MIT */
#include "ledger.h"
#include "evaluate.h"
#include <pcm/messages.h>

/* What a contact may seem to create, as a share of the energy that went to and fro: the trapezoidal sum of a few steps
 * per touch errs by about as much. */
static const double tolerated = 0.05;

static double dot(pcm_column *a, pcm_column *b, size_t i)
{
    return a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i];
}

/* The power of the contact's force and moment on its two bodies. */
static double power_of(const pcm_group *group, pcm_scratch *s, size_t i)
{
    if (s->absent[i] || s->fault[i])
        return 0;
    pcm_column *spin = s->motion + 3;
    double      power = dot(s->wrench, s->motion, i);
    if (group->model->outputs & PCM_MOMENT)
        power += s->moment_n[i] * dot(spin, s->contact + 3, i) + s->moment_x[i] * dot(spin, s->x_axis, i) +
                 s->moment_y[i] * dot(spin, s->y_axis, i);
    return power;
}

pcm_account pcm_ledger_account(const pcm_world *world, const pcm_group *group, size_t row, size_t lane)
{
    pcm_scratch *s = world->scratch;
    pcm_account  account;
    uint32_t     writes = group->model->outputs;
    for (uint32_t k = 0; k < PCM_LEDGER_COLUMNS; k++)
        account.column[k] = *pcm_group_ledger(group, k, row);
    account.stored = writes & PCM_ENERGY && !s->fault[lane] ? s->energy[lane] : 0;
    if (world->phase == PCM_COMMITTED)
        return account;
    double span = world->committed_time <= world->time ? world->time - world->committed_time : world->dt;
    double power = power_of(group, s, lane);
    double heat = writes & PCM_DISSIPATION && !s->fault[lane] ? s->dissipation[lane] : 0;
    double work = 0.5 * span * (account.column[PCM_LEDGER_POWER] + power);
    account.column[PCM_LEDGER_DISSIPATED] += 0.5 * span * (account.column[PCM_LEDGER_HEAT] + heat);
    account.column[PCM_LEDGER_WORK] += work;
    account.column[PCM_LEDGER_FLOW] += fabs(work);
    account.column[PCM_LEDGER_POWER] = power;
    account.column[PCM_LEDGER_HEAT] = heat;
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

/* A contact that ends having given its bodies more than it took. */
static void check_source(pcm_world *world, const pcm_group *group, size_t row, const pcm_account *account)
{
    pcm_pair *pair = &world->pairs[group->identity[row].pair];
    double    created = account->column[PCM_LEDGER_WORK] + account->column[PCM_LEDGER_DISSIPATED];
    if (group->model->flags & PCM_ACTIVE || pair->warned & PCM_WARNED_ENERGY ||
        created <= tolerated * account->column[PCM_LEDGER_FLOW])
        return;
    pair->warned |= PCM_WARNED_ENERGY;
    pcm_report(
        world->context, PCM_WARNING, PCM_MSG_ENERGY_CREATED,
        "contact %s of '%s' and '%s' created %s J by t = %s s, of %s J that went to and fro: '%s' is no source of "
        "energy, so the step is too large for it or its law is not passive",
        pcm_number((double)group->identity[row].id, 0).text,
        world->bodies[pcm_side_object(group->record[row].base)].name,
        world->bodies[pcm_side_object(group->record[row].follower)].name, pcm_number(created, 9).text,
        pcm_number(world->time, 9).text, pcm_number(account->column[PCM_LEDGER_FLOW], 9).text, group->type->info.name);
}

static void commit_group(pcm_world *world, pcm_group *group)
{
    group->ledger.stored = 0;
    for (size_t first = 0; first < group->count; first += PCM_BLOCK) {
        size_t count = pcm_group_block_rows(group, first);
        pcm_world_reevaluate(world, group, first, count);
        for (size_t i = 0; i < count; i++) {
            size_t      row = first + i;
            pcm_account account = pcm_ledger_account(world, group, row, i);
            group->ledger.work += account.column[PCM_LEDGER_WORK] - *pcm_group_ledger(group, PCM_LEDGER_WORK, row);
            group->ledger.dissipated +=
                account.column[PCM_LEDGER_DISSIPATED] - *pcm_group_ledger(group, PCM_LEDGER_DISSIPATED, row);
            for (uint32_t k = 0; k < PCM_LEDGER_COLUMNS; k++)
                *pcm_group_ledger(group, k, row) = account.column[k];
            if (pcm_group_outcome(group, row) == PCM_OUTCOME_KEPT)
                group->ledger.stored += account.stored;
            else
                check_source(world, group, row, &account);
        }
    }
    group->ledger.residue = -group->ledger.work - group->ledger.stored - group->ledger.dissipated;
}

void pcm_ledger_commit(pcm_world *world)
{
    for (size_t g = 0; world->ledger && g < world->n_groups; g++)
        commit_group(world, &world->groups[g]);
    world->committed_time = world->time;
}

pcm_status pcm_world_type_ledger(const pcm_world *world, const pcm_type *type, pcm_ledger *ledger)
{
    for (size_t g = 0; g < world->n_groups; g++)
        if (world->groups[g].type == type) {
            pcm_ledger known = world->groups[g].ledger;
            known.size = sizeof known;
            return pcm_info_fill(world->context, "pcm_ledger", ledger, ledger->size, &known);
        }
    return PCM_BAD_ARGUMENT;
}
