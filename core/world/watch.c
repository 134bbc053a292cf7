/* SPDX-License-Identifier: MIT */
#include "watch.h"
#include "evaluate.h"
#include "guard.h"
#include "ledger.h"
#include <inttypes.h>
#include <pcm/messages.h>
#include <string.h>

/* Greater than the overlap of any everyday bodies. */
static const double deepest = 1; /* m */

/* After this many updates without a commit, the host probably forgot to commit: contacts get no history. */
enum { PCM_UNCOMMITTED_UPDATES = 10 };

/* A single case may be chance. */
enum { PCM_OPPOSED_COMMITS = 3 };

/* ---- The clock ------------------------------------------------------------------------------------------------- */

static bool agree(double elapsed, double dt)
{
    const double tolerated = 0.01;
    return fabs(elapsed - dt) <= tolerated * dt;
}

/* The step may be given with the update at its start or with the one at its end. */
static void watch_clock(pcm_world *world)
{
    const double elapsed = world->time - world->committed_time;
    const bool   back = elapsed < 0;
    const bool   off = !agree(elapsed, world->dt) && !agree(elapsed, world->committed_dt);
    if (world->told_clock || world->committed_time == INFINITY || !(back || (off && world->dt > 0)))
        return;
    world->told_clock = true;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_CLOCK,
               back ? "time went back from t = %s s to %s s (dt = %s s): contacts keep their history; to start again, "
                      "restore a checkpoint or make a new world"
                    : "time went on from t = %s s to %s s, but the step was dt = %s s: states follow dt, logs and "
                      "energies follow t; commit every step, with its own dt",
               pcm_number(world->committed_time, 9).text, pcm_number(world->time, 9).text,
               pcm_number(world->dt, 9).text);
}

void pcm_world_watch_update(pcm_world *world)
{
    if (world->committed_time == INFINITY && world->dt > 0 && pcm_world_contact_count(world) > 0)
        world->uncommitted++;
}

void pcm_world_report_uncommitted(const pcm_world *world)
{
    if (world->uncommitted >= PCM_UNCOMMITTED_UPDATES && world->committed_time == INFINITY)
        pcm_report(world->context, PCM_WARNING, PCM_MSG_UNCOMMITTED,
                   "the world made %u updates with contacts and no commit: contacts had no history, as for friction "
                   "that sticks; call pcm_world_commit once per step",
                   (unsigned)world->uncommitted);
}

/* ---- Contacts -------------------------------------------------------------------------------------------------- */

static void watch_depth(pcm_world *world, pcm_group *group)
{
    size_t block = 0, row;
    while (block < pcm_group_blocks(group) && !(group->note[block].depth > deepest))
        block++;
    if (group->watch.told_depth || block == pcm_group_blocks(group))
        return;
    for (row = block * PCM_BLOCK; row + 1 < group->count && !(group->record[row].depth > deepest);)
        row++;
    group->watch.told_depth = true;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_DEEP,
               "'%s' and '%s' overlap by %s m at t = %s s: depths are in m, and above 0 only where bodies overlap",
               pcm_world_side_name(world, group->record[row].base),
               pcm_world_side_name(world, group->record[row].follower), pcm_number(group->record[row].depth, 9).text,
               pcm_number(world->time, 9).text);
}

void pcm_world_tell_feature(pcm_world *world, pcm_group *group, size_t row)
{
    if (group->watch.told_feature)
        return;
    group->watch.told_feature = true;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_FEATURE_TWICE,
               "'%s' and '%s' were touched at two points with the same feature, %" PRIu64
               ", before one update: only the last counts; give each point a feature of its own",
               pcm_world_side_name(world, group->record[row].base),
               pcm_world_side_name(world, group->record[row].follower), group->identity[row].feature);
}

/* Between two commits the depth grows by its rate times the step, unless the normal points the wrong way. At rest,
 * rounding and the tolerance of contact searches change it too, by less than a hundredth of it. */
static void check_normal(pcm_world *world, pcm_group *group, size_t row, double depth, double depth_rate)
{
    pcm_watch   *watch = &group->watch;
    const double similar = 0.1, grown = depth - watch->depth;
    const double expected = 0.5 * pcm_ledger_span(world) * (watch->depth_rate + depth_rate);
    const bool   counts = fabs(grown) > 0.01 * fmax(fabs(depth), fabs(watch->depth));
    const bool   opposed =
        counts && watch->depth_rate * depth_rate > 0 && fabs(grown + expected) <= similar * fabs(expected);
    watch->opposed = opposed ? watch->opposed + 1 : 0;
    if (world->sure_normals || watch->told_normal || watch->opposed < PCM_OPPOSED_COMMITS)
        return;
    watch->told_normal = true;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_NORMAL_REVERSED,
               "the depth of '%s' and '%s' %s by %s m up to t = %s s, while their motion along the normal says the "
               "opposite: normals point from a, the first object of a touch, to b",
               pcm_world_side_name(world, group->record[row].base),
               pcm_world_side_name(world, group->record[row].follower), grown < 0 ? "shrank" : "grew",
               pcm_number(fabs(grown), 3).text, pcm_number(world->time, 9).text);
}

static void check_energy(pcm_world *world, pcm_group *group, size_t row)
{
    pcm_watch    *watch = &group->watch;
    const double *ledger = watch->ledger;
    pcm_ledger_follow(world, group, row, watch->ledger);
    watch->judged &= world->pairs[group->identity[row].pair].contacts == 1;
    if (watch->judged && pcm_group_outcome(group, row) != PCM_OUTCOME_KEPT)
        watch->told_energy = pcm_ledger_judge(
            world, group, row, ledger[PCM_LEDGER_WORK] + ledger[PCM_LEDGER_DISSIPATED], ledger[PCM_LEDGER_FLOW]);
}

/* Starts to watch a contact that the commit makes. */
static void begin_watch(pcm_world *world, pcm_group *group, size_t row)
{
    const uint32_t slot = group->identity[row].slot;
    pcm_watch     *watch = &group->watch;
    pcm_world_reevaluate(world, group, row, 1);
    const double rate = world->scratch->depth_rate[0];
    watch->contact = (pcm_contact){slot, world->slots[slot].generation};
    watch->depth = group->record[row].depth;
    watch->depth_rate = rate;
    watch->opposed = 0;
    watch->judged =
        !world->ledger && !(group->model->flags & PCM_ACTIVE) && watch->depth <= 2 * rate * pcm_ledger_span(world);
    memset(watch->ledger, 0, sizeof watch->ledger);
    check_energy(world, group, row);
}

static void watch_group(pcm_world *world, pcm_group *group)
{
    pcm_watch *watch = &group->watch;
    watch_depth(world, group);
    if (world->trusts)
        watch->contact = (pcm_contact){0};
    if (world->trusts || (watch->told_normal && watch->told_energy))
        return;
    if (!pcm_world_lives(world, watch->contact)) {
        if (group->count > group->live && group->identity[group->live].id)
            begin_watch(world, group, group->live);
        return;
    }
    const size_t row = world->slots[watch->contact.index].row;
    const bool   apart = group->stamp[row] != world->evaluation;
    pcm_world_reevaluate(world, group, row, 1);
    const double depth = group->record[row].depth, rate = apart ? 0 : world->scratch->depth_rate[0];
    if (!apart)
        check_normal(world, group, row, depth, rate);
    check_energy(world, group, row);
    watch->depth = depth;
    watch->depth_rate = rate;
}

pcm_status pcm_world_judge(pcm_world *world, bool judges)
{
    const pcm_status status = pcm_world_admit(world, true, __func__);
    if (status == PCM_OK)
        world->trusts = !judges;
    return status;
}

void pcm_world_watch(pcm_world *world)
{
    watch_clock(world);
    for (size_t g = 0; g < world->n_groups; g++)
        watch_group(world, &world->groups[g]);
}
