/* SPDX-License-Identifier: MIT */
/* Commits: the last update is accepted.
 *
 * Steps that can fail (memory for log rows and broken features) come first; nothing fails after them. */
#include "commit.h"
#include "amount.h"
#include "ending.h"
#include "evaluate.h"
#include "events.h"
#include "guard.h"
#include "ledger.h"
#include "near.h"
#include "objects.h"
#include "patch.h"
#include "touch.h"
#include "watch.h"
#include <pcm/messages.h>

static bool is_broken(uint8_t outcome) { return outcome == PCM_OUTCOME_BROKEN || outcome == PCM_OUTCOME_FAILED; }

/* ---- Before anything changes ----------------------------------------------------------------------------------- */

static pcm_status reserve_broken(pcm_world *world)
{
    size_t spends = 0;
    for (size_t g = 0; g < world->n_groups; g++) {
        const pcm_group *group = &world->groups[g];
        for (size_t block = 0; block < pcm_group_blocks(group); block++)
            for (size_t i = 0; i < group->note[block].removals; i++)
                spends += is_broken(group->removal[block * PCM_BLOCK + i].outcome);
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

/* Reserves room for log rows that are due, and for the last rows of contacts that end. */
static pcm_status reserve_rows(pcm_world *world, uint32_t g)
{
    const pcm_group *group = &world->groups[g];
    const bool       due = pcm_log_due(pcm_world_log(world, g), world->time);
    pcm_status       status = PCM_OK;
    for (size_t row = 0; due && row < group->count && status == PCM_OK; row++)
        status = pcm_record_reserve(world, g, row);
    for (size_t block = 0; !due && block < pcm_group_blocks(group); block++)
        for (size_t i = 0; i < group->note[block].removals && status == PCM_OK; i++)
            status = pcm_record_reserve(world, g, block * PCM_BLOCK + group->removal[block * PCM_BLOCK + i].lane);
    return status;
}

static pcm_status reserve_logs(pcm_world *world)
{
    pcm_status status = PCM_OK;
    for (size_t i = 0; i < world->n_types; i++)
        pcm_log_begin(&world->logs[i]);
    for (uint32_t g = 0; g < world->n_groups && status == PCM_OK; g++)
        if (pcm_world_log(world, g)->type)
            status = reserve_rows(world, g);
    return status;
}

/* ---- Statistics ------------------------------------------------------------------------------------------------ */

static void raise(pcm_rule_stats *stats, double depth, double slip_squared, double force_squared)
{
    stats->max_depth = pcm_max(depth, stats->max_depth);
    stats->max_slip = pcm_max(sqrt(slip_squared), stats->max_slip);
    stats->max_force = pcm_max(sqrt(force_squared), stats->max_force);
}

/* If several rules share a type, only blocks that exceed the smallest of their maxima are examined. */
static bool exceeds_least(const pcm_group *group, const pcm_block_note *note)
{
    return group->shared && (note->depth > group->least.max_depth || sqrt(note->slip_squared) > group->least.max_slip ||
                             sqrt(note->force_squared) > group->least.max_force);
}

static void raise_shared(pcm_world *world, const pcm_group *group, size_t first, size_t count)
{
    const pcm_scratch *s = world->scratch;
    for (size_t i = 0; i < count; i++)
        raise(&world->stats[world->pairs[group->identity[first + i].pair].rule], s->depth[i], s->slip_squared[i],
              s->force_squared[i]);
}

/* The smallest maxima among the rules of the group's contacts. */
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

static void count_made(pcm_world *world)
{
    for (size_t i = 0; i < world->n_tentative; i++) {
        const pcm_contact_slot *slot = &world->slots[world->tentative[i]];
        const pcm_group        *group = &world->groups[slot->group];
        if (group->identity[slot->row].id)
            world->stats[world->pairs[group->identity[slot->row].pair].rule].made++;
    }
}

/* ---- Reports --------------------------------------------------------------------------------------------------- */

/* Whether a contact of the block pulls, by more than rounding errors of the type's forces, although its law is not
 * known to pull. */
static bool pulls(const pcm_group *group, const pcm_block_note *note)
{
    const double rounding = 1e-9;
    return !group->may_pull && note->pull > rounding * group->greatest_force;
}

static void report_pull(pcm_world *world, pcm_group *group, size_t first, size_t count)
{
    const pcm_scratch *s = world->scratch;
    size_t             most = 0;
    for (size_t i = 1; i < count; i++)
        most = s->force_n[i] < s->force_n[most] ? i : most;
    group->may_pull = true;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_PULLS,
               "'%s' pulls '%s' and '%s' together with %s N at t = %s s, but its law %s does not say that it may: its "
               "force_n must not be below 0, or its flags lack PCM_PULLS",
               group->type->info.name, pcm_world_side_name(world, group->record[first + most].base),
               pcm_world_side_name(world, group->record[first + most].follower), pcm_number(-s->force_n[most], 9).text,
               pcm_number(world->time, 9).text, group->model->name);
}

static void report_unassigned(pcm_world *world)
{
    for (size_t i = 0; i < world->n_unassigned; i++) {
        pcm_pair *pair = &world->pairs[world->unassigned[i]];
        pcm_world_warn(world, pair, PCM_WARNED_UNASSIGNED);
        pcm_report(world->context, PCM_NOTE, PCM_MSG_NO_RULE,
                   "no rule matches '%s' and '%s', which are touching: the simulator handles their contact",
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
               pcm_number((double)identity->id, 0).text, pcm_world_side_name(world, group->record[row].base),
               pcm_world_side_name(world, group->record[row].follower), group->type->info.name, change,
               pcm_number(world->time, 9).text);
}

/* After its law has ended a contact, objects that still overlap fall through each other. */
static void report_broken_overlap(pcm_world *world, const pcm_group *group, size_t row)
{
    pcm_pair *pair = &world->pairs[group->identity[row].pair];
    double    depth = group->record[row].depth;
    if (!(depth > 0) || pair->warned & PCM_WARNED_OVERLAP)
        return;
    pcm_world_warn(world, pair, PCM_WARNED_OVERLAP);
    pcm_report(world->context, PCM_WARNING, PCM_MSG_BROKEN_OVERLAP,
               "'%s' broke the contact of '%s' and '%s' at t = %s s while they overlap by %s m: no force acts there "
               "until they have separated there; higher limits, or limits that saturate, keep the contact",
               group->type->info.name, pcm_world_side_name(world, group->record[row].base),
               pcm_world_side_name(world, group->record[row].follower), pcm_number(world->time, 9).text,
               pcm_number(depth, 9).text);
}

/* ---- Changes --------------------------------------------------------------------------------------------------- */

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
    const double onset = pcm_group_onset_of(group, row);
    if (pcm_can_begin(onset, group->record[row].depth))
        pcm_world_mark_broken(world, group->identity[row].pair, group->identity[row].feature, onset);
}

static void remove_contact(pcm_world *world, uint32_t g, size_t row, uint8_t outcome)
{
    pcm_group *group = &world->groups[g];
    if (outcome != PCM_OUTCOME_DROPPED) {
        pcm_rule_stats *stats = &world->stats[world->pairs[group->identity[row].pair].rule];
        stats->parted += outcome == PCM_OUTCOME_PARTED;
        stats->broken += is_broken(outcome);
        report_change(world, group, row, is_broken(outcome) ? "broken by its law" : "parted");
        pcm_events_end(world, group, row, is_broken(outcome) ? PCM_CONTACT_BROKEN : PCM_CONTACT_PARTED);
    }
    if (outcome == PCM_OUTCOME_BROKEN)
        report_broken_overlap(world, group, row);
    if (is_broken(outcome))
        keep_broken(world, group, row);
    if (world->ledger)
        pcm_ledger_end(world, group, row);
    pcm_world_end_contact(world, g, row);
}

/* Removes ending rows, the last first, so that a row that moves into a gap is never one that is still to be removed. */
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

/* ---- Evaluating blocks again ----------------------------------------------------------------------------------- */

static void record_rows(pcm_world *world, uint32_t g, size_t first, size_t count, bool due)
{
    const pcm_group *group = &world->groups[g];
    for (size_t i = 0; i < count; i++) {
        const uint8_t outcome = pcm_group_outcome(group, first + i);
        const pcm_end end = is_broken(outcome) ? PCM_END_BROKEN : PCM_END_PARTED;
        const bool    ends = is_broken(outcome) || outcome == PCM_OUTCOME_PARTED;
        if (group->identity[first + i].id && (due || ends))
            pcm_record_row(world, g, first + i, i, ends ? &end : NULL);
    }
}

/* Evaluates a block again for logs, the ledger and statistics, if any of them needs it. */
static void commit_block(pcm_world *world, uint32_t g, size_t first, bool due)
{
    pcm_group            *group = &world->groups[g];
    const pcm_block_note *note = &group->note[first / PCM_BLOCK];
    const size_t          count = pcm_group_block_rows(group, first);
    const bool            exceeds = exceeds_least(group, note), pulled = pulls(group, note);
    const bool            removes = note->removals > 0, ends = removes && pcm_endings_wanted(world, g);
    if (world->keeps_events)
        pcm_events_look(world, group, first, count);
    if (!(due || ends || exceeds || pulled || world->ledger || note->faults))
        return;
    pcm_world_reevaluate(world, group, first, count);
    if (exceeds)
        raise_shared(world, group, first, count);
    if (pulled)
        report_pull(world, group, first, count);
    if (ends || (removes && world->ledger))
        pcm_world_terminate(world, group, count);
    if (due || ends)
        record_rows(world, g, first, count, due);
    if (world->ledger)
        pcm_ledger_commit(world, group, first, count);
    if (note->faults) /* last, since it overwrites the results */
        pcm_world_report_block(world, group, first);
}

static void commit_group(pcm_world *world, uint32_t g)
{
    pcm_group          *group = &world->groups[g];
    const pcm_log_file *log = pcm_world_log(world, g);
    const bool          due = log->type && pcm_log_due(log, world->time);
    for (size_t block = 0; block < pcm_group_blocks(group); block++) {
        const pcm_block_note *note = &group->note[block];
        group->greatest_force = pcm_max(sqrt(note->force_squared), group->greatest_force);
        if (!group->shared)
            raise(&world->stats[group->rule], note->depth, note->slip_squared, note->force_squared);
    }
    group->ledger.stored = 0;
    for (size_t first = 0; first < group->count; first += PCM_BLOCK)
        commit_block(world, g, first, due);
    pcm_ledger_balance(&group->ledger);
}

/* Called once all groups that share a log have written their rows. */
static void pass_time(pcm_world *world)
{
    for (size_t i = 0; i < world->n_types; i++)
        if (world->logs[i].type && pcm_log_due(&world->logs[i], world->time))
            world->logs[i].last = world->time;
}

static pcm_status commit(pcm_world *world)
{
    if (world->phase != PCM_EVALUATED) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_COMMIT_ORDER,
                   "there is nothing to commit: a commit, a touch or a removal followed the last update");
        return PCM_BAD_ORDER;
    }
    uint64_t   last_id = assign_ids(world);
    pcm_status status = reserve_broken(world);
    if (status == PCM_OK)
        status = reserve_logs(world);
    if (status == PCM_OK)
        status = pcm_events_reserve(world);
    if (status != PCM_OK) {
        withdraw_ids(world);
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to commit at t = %s s",
                   pcm_number(world->time, 9).text);
        return status;
    }
    world->last_id = last_id;
    pcm_events_begin(world);
    for (uint32_t g = 0; g < world->n_groups; g++)
        commit_group(world, g);
    pass_time(world);
    pcm_world_watch(world);
    world->committed_time = world->time;
    world->committed_dt = world->dt;
    count_made(world);
    report_unassigned(world);
    report_made(world);
    pcm_world_renew_broken(world);
    pcm_world_keep_scales(world);
    remove_all(world);
    pcm_near_commit(world);
    world->n_committed_events = world->n_events;
    pcm_world_note_least(world);
    pcm_world_age(world);
    pcm_amounts_step(world);
    world->parity = 1 - world->parity;
    world->phase = PCM_COMMITTED;
    return PCM_OK;
}

pcm_status pcm_world_commit(pcm_world *world)
{
    pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    status = commit(world);
    pcm_world_leave(world);
    return status;
}

pcm_status pcm_world_flush(pcm_world *world)
{
    pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    status = pcm_logs_flush(world->context, world->logs, world->n_types);
    pcm_world_leave(world);
    return status;
}
