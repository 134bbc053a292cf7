/* SPDX-License-Identifier: MIT */
/* Information about contacts. None of it is stored: laws are pure, so a second evaluation gives the same bits. */
#include "contact_info.h"
#include "evaluate.h"
#include "guard.h"
#include "ledger.h"
#include "shape.h"
#include <pcm/spatial.h>

/* The x axis of a report: the carried one, or else the base's x axis in the tangent plane, or y if x is normal. */
static void report_axis(const pcm_world *world, const pcm_group *group, size_t row, size_t lane, const double n[3],
                        double x[3])
{
    const pcm_scratch *s = world->scratch;
    if (group->n_frame) {
        for (size_t k = 0; k < 3; k++)
            x[k] = s->x_axis[k][lane];
        return;
    }
    double base[9];
    pcm_rotation(world->pose[world->front][pcm_side_object(group->record[row].base)].orientation, base);
    for (size_t axis = 0; axis < 2; axis++) {
        const double along = base[axis] * n[0] + base[3 + axis] * n[1] + base[6 + axis] * n[2];
        for (size_t k = 0; k < 3; k++)
            x[k] = base[3 * k + axis] - along * n[k];
        if (pcm_dot(x, x) > 1e-6)
            break;
    }
    double length = sqrt(pcm_dot(x, x));
    for (size_t k = 0; k < 3; k++)
        x[k] /= length;
}

static void describe_motion(const pcm_world *world, const pcm_group *group, size_t row, size_t i,
                            pcm_contact_info *info, double axes[3][3])
{
    const pcm_scratch *s = world->scratch;
    double             v[3], spin[3];
    for (size_t k = 0; k < 3; k++) {
        info->point[k] = s->absent[i] ? 0 : s->contact[k][i];
        axes[2][k] = s->contact[3 + k][i];
        v[k] = s->motion[k][i];
        spin[k] = s->motion[3 + k][i];
    }
    report_axis(world, group, row, i, axes[2], axes[0]);
    pcm_cross(axes[2], axes[0], axes[1]);
    for (size_t k = 0; k < 3; k++) {
        info->frame[3 * k] = axes[0][k];
        info->frame[3 * k + 1] = axes[1][k];
        info->frame[3 * k + 2] = axes[2][k];
        info->spin[k] = pcm_dot(spin, axes[k]);
    }
    info->depth = s->absent[i] ? PCM_FAR : group->record[row].depth;
    info->depth_rate = s->depth_rate[i];
    info->slip[0] = pcm_dot(v, axes[0]);
    info->slip[1] = pcm_dot(v, axes[1]);
}

static void describe_result(const pcm_group *group, const pcm_scratch *s, size_t i, pcm_contact_info *info,
                            double axes[3][3])
{
    uint32_t writes = group->model->outputs;
    double   moment[3] = {0};
    for (size_t k = 0; k < 3; k++)
        info->world_force[k] = s->wrench[k][i];
    if (writes & PCM_MOMENT)
        for (size_t k = 0; k < 3; k++)
            moment[k] =
                s->moment_n[i] * axes[2][k] + s->moment_x[i] * s->x_axis[k][i] + s->moment_y[i] * s->y_axis[k][i];
    bool pushes = pcm_dot(info->world_force, info->world_force) > 0;
    for (size_t k = 0; k < 3; k++) { /* without a frame these are NaN */
        info->force[k] = pushes ? pcm_dot(info->world_force, axes[k]) : 0;
        info->moment[k] = pcm_dot(moment, moment) > 0 ? pcm_dot(moment, axes[k]) : 0;
    }
    info->energy = writes & PCM_ENERGY ? s->energy[i] : 0;
    info->mode = pcm_scratch_mode(s, group, i);
    info->life = group->ends ? s->life[i] : PCM_LIVE;
    double *rate = s->values + group->n_state, *event = rate + group->n_state;
    for (uint32_t k = 0; k < group->n_state; k++) {
        s->values[k] = s->next[k][i];
        rate[k] = group->step[k] == PCM_STEP_HISTORY ? 0 : s->rate[k][i];
    }
    for (uint32_t k = 0; k < group->model->events.count; k++)
        event[k] = s->event[k][i];
    double *flow = event + group->model->events.count;
    for (uint32_t k = 0; k < group->n_flow; k++)
        flow[k] = s->flow[k][i];
    info->flow = flow;
    info->state = s->values;
    info->rate = rate;
    info->event = event;
}

void pcm_world_describe(pcm_world *world, pcm_group *group, size_t row, size_t lane, pcm_contact_info *info)
{
    const pcm_identity *identity = &group->identity[row];
    const pcm_record   *record = &group->record[row];
    double              axes[3][3];
    *info = (pcm_contact_info){
        .size = sizeof *info,
        .handle = {identity->slot, world->slots[identity->slot].generation},
        .id = identity->id,
        .feature = identity->feature,
        .type = group->type,
        .base = pcm_world_handle(world, pcm_side_object(record->base)),
        .follower = pcm_world_handle(world, pcm_side_object(record->follower)),
        .base_name = world->bodies[pcm_side_object(record->base)].name,
        .follower_name = world->bodies[pcm_side_object(record->follower)].name,
        .since = identity->since,
        .area = group->n_patch ? world->scratch->area[lane] : 0,
        .share = group->n_patch ? world->scratch->share[lane] : 0,
        .scale = group->scales ? world->scratch->scale[lane] : 1,
        .rule = world->pairs[identity->pair].rule,
    };
    if (!world->scratch->absent[lane] && pcm_group_read_shape(group, row, &world->scratch->seen))
        info->shape = &world->scratch->seen;
    describe_motion(world, group, row, lane, info, axes);
    describe_result(group, world->scratch, lane, info, axes);
    pcm_ledger *ledger = &world->scratch->ledger;
    *ledger = (pcm_ledger){.size = sizeof *ledger};
    if (world->ledger) {
        pcm_account account = pcm_ledger_account(world, group, row, lane);
        *ledger = pcm_ledger_sum(&account);
    }
    info->ledger = ledger;
}

size_t pcm_world_contact_count(const pcm_world *world)
{
    size_t count = 0;
    if (world && pcm_world_is_evaluated(world))
        for (size_t g = 0; g < world->n_groups; g++)
            count += world->groups[g].count;
    return count;
}

static const char no_contacts[] = "contacts are those of an update: none has followed the last touch or removal";

static pcm_status look_and_describe(pcm_world *world, pcm_group *group, size_t row, pcm_contact_info *info)
{
    const size_t     lane = pcm_world_look(world, group, row);
    pcm_contact_info known;
    if (info->size == sizeof known) {
        pcm_world_describe(world, group, row, lane, info);
        return PCM_OK;
    }
    pcm_world_describe(world, group, row, lane, &known);
    return pcm_info_fill(world->context, "pcm_contact_info", info, info->size, &known);
}

static pcm_status describe_nth(pcm_world *world, size_t index, pcm_contact_info *info, const char *call)
{
    if (!pcm_world_is_evaluated(world))
        return pcm_world_reject(world, PCM_BAD_ORDER, call, no_contacts);
    for (size_t g = 0; g < world->n_groups; g++) {
        if (index < world->groups[g].count)
            return look_and_describe(world, &world->groups[g], index, info);
        index -= world->groups[g].count;
    }
    return pcm_world_reject(world, PCM_BAD_ARGUMENT, call,
                            "there are not so many contacts: see pcm_world_contact_count");
}

static pcm_status describe_contact(pcm_world *world, pcm_contact contact, pcm_contact_info *info, const char *call)
{
    if (!pcm_world_lives(world, contact))
        return PCM_BAD_HANDLE;
    if (!pcm_world_is_evaluated(world))
        return pcm_world_reject(world, PCM_BAD_ORDER, call, no_contacts);
    const pcm_contact_slot *slot = &world->slots[contact.index];
    return look_and_describe(world, &world->groups[slot->group], slot->row, info);
}

pcm_status pcm_world_contact_at(pcm_world *world, size_t index, pcm_contact_info *info)
{
    pcm_status status = pcm_world_enter_to_look(world, info != NULL, __func__);
    if (status != PCM_OK)
        return status;
    status = describe_nth(world, index, info, __func__);
    pcm_world_leave(world);
    return status;
}

pcm_status pcm_world_contact_info(pcm_world *world, pcm_contact contact, pcm_contact_info *info)
{
    pcm_status status = pcm_world_enter_to_look(world, info != NULL, __func__);
    if (status != PCM_OK)
        return status;
    status = describe_contact(world, contact, info, __func__);
    pcm_world_leave(world);
    return status;
}

bool pcm_world_has_contact(const pcm_world *world, pcm_contact contact)
{
    return pcm_world_admit(world, true, __func__) == PCM_OK && pcm_world_lives(world, contact);
}

pcm_status pcm_world_rule_stats(const pcm_world *world, size_t rule, pcm_rule_stats *stats)
{
    const pcm_status status = pcm_world_admit(world, stats != NULL, __func__);
    if (status != PCM_OK)
        return status;
    if (rule >= world->n_rules)
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__, "the configuration has not so many rules");
    pcm_rule_stats known = world->stats[rule];
    known.size = sizeof known;
    return pcm_info_fill(world->context, "pcm_rule_stats", stats, stats->size, &known);
}
