/* SPDX-License-Identifier: MIT */
/* Commits: the last update becomes what has happened.
 *
 * All that can fail (memory for log rows and broken features) comes first; from then on nothing does. */
#include "commit.h"
#include "contact_info.h"
#include "evaluate.h"
#include "ledger.h"
#include "sensing.h"
#include "touch.h"
#include <pcm/messages.h>

static const char *name_of(const pcm_world *world, uint32_t side) { return world->bodies[pcm_side_object(side)].name; }

/* ---- Before anything changes ----------------------------------------------------------------------------------- */

static pcm_status reserve_broken(pcm_world *world)
{
    size_t spends = 0;
    for (size_t g = 0; g < world->n_groups; g++) {
        const pcm_group *group = &world->groups[g];
        for (size_t block = 0; block < pcm_group_blocks(group); block++)
            for (size_t i = 0; i < group->note[block].removals; i++)
                spends += group->removal[block * PCM_BLOCK + i].outcome == PCM_OUTCOME_BROKEN;
    }
    if (!pcm_grow(world->context, &world->broken, &world->broken_capacity, world->n_broken + spends,
                  sizeof *world->broken))
        return PCM_NO_MEMORY;
    return pcm_index_reserve(world->context, &world->contacts, 1);
}

/* Ids for the new contacts, in the order in which they were first touched. Returns the last. */
static uint64_t assign_ids(pcm_world *world)
{
    uint64_t id = world->last_id;
    for (size_t i = 0; i < world->n_tentative; i++) {
        const pcm_contact_slot *slot = &world->slots[world->tentative[i]];
        pcm_group              *group = &world->groups[slot->group];
        if (pcm_group_outcome(group, slot->row) != PCM_OUTCOME_DROPPED) {
            group->identity[slot->row].id = ++id;
            group->identity[slot->row].since = world->time;
        }
    }
    return id;
}

static void withdraw_ids(pcm_world *world)
{
    for (size_t i = 0; i < world->n_tentative; i++) {
        const pcm_contact_slot *slot = &world->slots[world->tentative[i]];
        world->groups[slot->group].identity[slot->row].id = 0;
    }
}

static pcm_status log_group(pcm_world *world, pcm_group *group, pcm_log_file *log)
{
    pcm_contact_info info;
    pcm_sensing      sensing;
    for (size_t block = 0; block < pcm_group_blocks(group); block++) {
        size_t first = block * PCM_BLOCK, count = pcm_group_block_rows(group, first);
        pcm_world_reevaluate(world, group, first, count);
        for (size_t i = 0; i < count; i++) {
            if (group->identity[first + i].id == 0)
                continue;
            pcm_world_describe(world, group, first + i, i, &info);
            pcm_world_measure(world, &info, &sensing);
            pcm_status status = pcm_log_row(world->context, log, world->time, &info, &sensing);
            if (status != PCM_OK)
                return status;
        }
    }
    return PCM_OK;
}

/* Adds the rows that are due to all logs, or to none. */
static pcm_status log_contacts(pcm_world *world)
{
    pcm_status status = PCM_OK;
    size_t     g = 0;
    for (; g < world->n_groups && status == PCM_OK; g++) {
        pcm_log_file *log = &world->logs[g];
        log->mark = log->used;
        if (log->type && pcm_log_due(log, world->time))
            status = log_group(world, &world->groups[g], log);
    }
    if (status != PCM_OK)
        while (g-- > 0)
            world->logs[g].used = world->logs[g].mark;
    return status;
}

/* ---- Statistics ------------------------------------------------------------------------------------------------ */

static void raise(pcm_rule_stats *stats, double depth, double slip_squared, double force_squared)
{
    stats->max_depth = pcm_max(depth, stats->max_depth);
    stats->max_slip = pcm_max(sqrt(slip_squared), stats->max_slip);
    stats->max_force = pcm_max(sqrt(force_squared), stats->max_force);
}

/* Where several rules share a type, only blocks that exceed the least of their maxima are looked at contact by contact.
 */
static void raise_shared(pcm_world *world, pcm_group *group)
{
    for (size_t block = 0; block < pcm_group_blocks(group); block++) {
        const pcm_block_note *note = &group->note[block];
        if (!(note->depth > group->least.max_depth || sqrt(note->slip_squared) > group->least.max_slip ||
              sqrt(note->force_squared) > group->least.max_force))
            continue;
        size_t first = block * PCM_BLOCK, count = pcm_group_block_rows(group, first);
        pcm_world_reevaluate(world, group, first, count);
        const pcm_scratch *s = world->scratch;
        for (size_t i = 0; i < count; i++)
            raise(&world->stats[world->pairs[group->identity[first + i].pair].rule], s->depth[i], s->slip_squared[i],
                  s->force_squared[i]);
    }
}

/* The least maxima of the rules that the group's contacts are under. */
static pcm_rule_stats least_of_rules(const pcm_world *world, const pcm_group *group)
{
    pcm_rule_stats least = {.max_depth = INFINITY, .max_slip = INFINITY, .max_force = INFINITY};
    for (size_t row = 0; row < group->count; row++) {
        const pcm_rule_stats *stats = &world->stats[world->pairs[group->identity[row].pair].rule];
        least.max_depth = pcm_min(least.max_depth, stats->max_depth);
        least.max_slip = pcm_min(least.max_slip, stats->max_slip);
        least.max_force = pcm_min(least.max_force, stats->max_force);
    }
    return least;
}

static void gather_stats(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        if (group->shared)
            raise_shared(world, group);
        else
            for (size_t block = 0; block < pcm_group_blocks(group); block++)
                raise(&world->stats[group->rule], group->note[block].depth, group->note[block].slip_squared,
                      group->note[block].force_squared);
    }
    for (size_t i = 0; i < world->n_tentative; i++) {
        const pcm_contact_slot *slot = &world->slots[world->tentative[i]];
        const pcm_group        *group = &world->groups[slot->group];
        if (group->identity[slot->row].id)
            world->stats[world->pairs[group->identity[slot->row].pair].rule].made++;
    }
}

/* ---- Reports --------------------------------------------------------------------------------------------------- */

static void report_fault(pcm_world *world, const pcm_group *group, size_t row, int64_t fault)
{
    pcm_pair   *pair = &world->pairs[group->identity[row].pair];
    const char *base = name_of(world, group->record[row].base), *follower = name_of(world, group->record[row].follower);
    const char *type = group->type->info.name;
    if (fault & PCM_FAULT_INPUT && !(pair->warned & PCM_WARNED_INPUT)) {
        pair->warned |= PCM_WARNED_INPUT;
        pcm_report(world->context, PCM_WARNING, PCM_MSG_INPUT_MISSING,
                   "contact of '%s' and '%s' lacks an input that '%s' reads, and gives no force", base, follower, type);
    }
    if (fault & PCM_FAULT_MOTION && !(pair->warned & PCM_WARNED_MOTION)) {
        pair->warned |= PCM_WARNED_MOTION;
        pcm_report(world->context, PCM_WARNING, PCM_MSG_BAD_MOTION,
                   "contact of '%s' and '%s' has motion that is not finite, an orientation that is no rotation, or a "
                   "normal that "
                   "is no unit vector, at t = %s s, and gives no force",
                   base, follower, pcm_number(world->time, 9).text);
    } else if (fault == PCM_FAULT_RESULT && !(pair->warned & PCM_WARNED_MOTION)) {
        pair->warned |= PCM_WARNED_MOTION;
        pcm_report(
            world->context, PCM_WARNING, PCM_MSG_BAD_RESULT,
            "'%s' gives no finite force or state for the contact of '%s' and '%s' at t = %s s: it gives no force", type,
            base, follower, pcm_number(world->time, 9).text);
    }
}

static void report_faults(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        for (size_t block = 0; block < pcm_group_blocks(group); block++) {
            if (group->note[block].faults == 0)
                continue;
            pcm_world_reevaluate(world, group, block * PCM_BLOCK, pcm_group_block_rows(group, block * PCM_BLOCK));
            for (size_t i = 0; i < pcm_group_block_rows(group, block * PCM_BLOCK); i++)
                if (world->scratch->fault[i])
                    report_fault(world, group, block * PCM_BLOCK + i, world->scratch->fault[i]);
        }
    }
}

static void report_unassigned(pcm_world *world)
{
    for (size_t i = 0; i < world->n_unassigned; i++) {
        pcm_pair *pair = &world->pairs[world->unassigned[i]];
        pair->warned |= PCM_WARNED_UNASSIGNED;
        pcm_report(world->context, PCM_NOTE, PCM_MSG_NO_RULE,
                   "no rule speaks for '%s' and '%s', which touch: they stay with the simulator's own contacts",
                   world->bodies[pair->low].name, world->bodies[pair->high].name);
    }
    world->n_unassigned = 0;
}

static void report_change(pcm_world *world, const pcm_group *group, size_t row, const char *change)
{
    if (!group->type->common.debug)
        return;
    const pcm_identity *identity = &group->identity[row];
    pcm_report(world->context, PCM_NOTE, PCM_MSG_CONTACT_CHANGE, "contact %s of '%s' and '%s' (%s) %s at t = %s s",
               pcm_number((double)identity->id, 0).text, name_of(world, group->record[row].base),
               name_of(world, group->record[row].follower), group->type->info.name, change,
               pcm_number(world->time, 9).text);
}

/* Objects whose contact its law has ended fall through each other where they still overlap. */
static void report_broken_overlap(pcm_world *world, const pcm_group *group, size_t row)
{
    pcm_pair *pair = &world->pairs[group->identity[row].pair];
    double    depth = group->record[row].depth;
    if (!(depth > 0) || pair->warned & PCM_WARNED_OVERLAP)
        return;
    pair->warned |= PCM_WARNED_OVERLAP;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_BROKEN_OVERLAP,
               "'%s' ended the contact of '%s' and '%s' at t = %s s while they overlap by %s m: no force holds them "
               "there until they have separated there; limits that are higher, or that saturate, keep the contact",
               group->type->info.name, name_of(world, group->record[row].base),
               name_of(world, group->record[row].follower), pcm_number(world->time, 9).text, pcm_number(depth, 9).text);
}

/* ---- What changes ---------------------------------------------------------------------------------------------- */

static void report_made(pcm_world *world)
{
    for (size_t i = 0; i < world->n_tentative; i++) {
        const pcm_contact_slot *slot = &world->slots[world->tentative[i]];
        const pcm_group        *group = &world->groups[slot->group];
        if (group->identity[slot->row].id)
            report_change(world, group, slot->row, "made");
    }
    world->n_tentative = 0;
}

/* Room for the key was reserved. */
static void keep_broken(pcm_world *world, const pcm_group *group, size_t row)
{
    report_broken_overlap(world, group, row);
    if (pcm_type_can_begin(group->type, group->record[row].depth))
        pcm_world_mark_broken(world, group->identity[row].pair, group->identity[row].feature);
}

static void remove_contact(pcm_world *world, uint32_t g, size_t row, uint8_t outcome)
{
    pcm_group *group = &world->groups[g];
    if (outcome != PCM_OUTCOME_DROPPED) {
        pcm_rule_stats *stats = &world->stats[world->pairs[group->identity[row].pair].rule];
        stats->parted += outcome == PCM_OUTCOME_PARTED;
        stats->broken += outcome == PCM_OUTCOME_BROKEN;
        report_change(world, group, row, outcome == PCM_OUTCOME_BROKEN ? "broken by its law" : "parted");
    }
    if (outcome == PCM_OUTCOME_BROKEN)
        keep_broken(world, group, row);
    pcm_world_end_contact(world, g, row);
}

/* Takes departing rows out, the last first: the row that moves into a gap then never has a removal to come. */
static void remove_all(pcm_world *world)
{
    for (uint32_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        for (size_t block = pcm_group_blocks(group); block-- > 0;) {
            const pcm_removal *list = group->removal + block * PCM_BLOCK;
            for (size_t i = group->note[block].removals; i-- > 0;)
                remove_contact(world, g, block * PCM_BLOCK + list[i].lane, list[i].outcome);
            group->note[block].removals = 0;
        }
        group->live = group->count;
    }
}

void pcm_world_note_least(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++)
        if (world->groups[g].shared)
            world->groups[g].least = least_of_rules(world, &world->groups[g]);
}

pcm_status pcm_world_commit(pcm_world *world)
{
    if (world->phase != PCM_EVALUATED) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_COMMIT_ORDER,
                   "nothing to commit: since the last update there was a commit, a touch or a removal");
        return PCM_BAD_ORDER;
    }
    uint64_t   last_id = assign_ids(world);
    pcm_status status = reserve_broken(world);
    if (status == PCM_OK)
        status = log_contacts(world);
    if (status != PCM_OK) {
        withdraw_ids(world);
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to commit at t = %s s",
                   pcm_number(world->time, 9).text);
        return status;
    }
    for (size_t g = 0; g < world->n_groups; g++)
        if (world->logs[g].type && pcm_log_due(&world->logs[g], world->time))
            world->logs[g].last = world->time;
    world->last_id = last_id;
    gather_stats(world);
    pcm_ledger_commit(world);
    report_faults(world);
    report_unassigned(world);
    report_made(world);
    pcm_world_renew_broken(world);
    remove_all(world);
    pcm_world_note_least(world);
    world->parity = 1 - world->parity;
    world->phase = PCM_COMMITTED;
    return PCM_OK;
}

pcm_status pcm_world_flush(pcm_world *world) { return pcm_logs_flush(world->context, world->logs, world->n_groups); }
