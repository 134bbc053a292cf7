/* SPDX-License-Identifier: MIT */
/* faults.c - reports why a contact gives no force, with its name and the value that caused it. */
#include "guard.h"
#include "evaluate.h"
#include <pcm/messages.h>
#include <stdio.h>

/* The cause, as a part of a message. */
typedef struct pcm_blame {
    char text[192];
} pcm_blame;

static bool all_finite(const double *values, size_t count)
{
    double zero = 0;
    for (size_t i = 0; i < count; i++)
        zero += values[i] * 0;
    return zero == 0;
}

/* ---- Motion ---------------------------------------------------------------------------------------------------- */

/* An invalid orientation makes the velocity NaN too, so it is checked first. */
static const char *object_fault(const pcm_world *world, uint32_t side)
{
    const uint32_t        object = pcm_side_object(side);
    const pcm_pose_line  *pose = &world->pose[world->front][object];
    const pcm_twist_line *twist = &world->twist[world->front][object];
    if (!all_finite(pose->position, 3))
        return "the position of '%s' is not finite";
    if (!all_finite(pose->orientation, 4))
        return "the orientation of '%s' is no rotation";
    return all_finite(twist->linear, 3) && all_finite(twist->angular, 3) ? NULL : "the velocity of '%s' is not finite";
}

static const char *touch_fault(const pcm_record *record)
{
    if (!all_finite(record->point, 3))
        return "its point is not finite";
    if (!isfinite(record->depth))
        return "its depth is not finite";
    const double *n = record->normal, square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    return fabs(square - 1) <= PCM_SKEW ? "its velocity is not finite" : "its normal is no unit vector";
}

static pcm_blame blame_motion(const pcm_world *world, const pcm_record *record)
{
    pcm_blame   blame;
    const char *base = object_fault(world, record->base), *follower = object_fault(world, record->follower);
    if (base || follower)
        (void)snprintf(blame.text, sizeof blame.text, base ? base : follower,
                       pcm_world_side_name(world, base ? record->base : record->follower));
    else
        (void)snprintf(blame.text, sizeof blame.text, "%s", touch_fault(record));
    return blame;
}

/* ---- The law's results ----------------------------------------------------------------------------------------- */

/* Writes the law's results for the row to lane 0: an evaluation clears those of a faulty contact. */
static const pcm_scratch *call_again(pcm_world *world, pcm_group *group, size_t row)
{
    pcm_world_reevaluate(world, group, row, 1);
    world->scratch->depth[0] = group->record[row].depth;
    pcm_call_law(world->scratch, group, group->kernels->update, &world->scratch->batch);
    return world->scratch;
}

static bool blame_column(pcm_blame *blame, const char *of, const char *name, const char *axis, double value)
{
    if (isfinite(value))
        return false;
    (void)snprintf(blame->text, sizeof blame->text, "%s%s%s = %s", of, name, axis, pcm_number(value, 3).text);
    return true;
}

static const char *axis_of(uint32_t shape, uint32_t column)
{
    return shape == PCM_SCALAR ? "" : column == 0 ? "_x" : "_y";
}

static bool blame_force(pcm_blame *blame, uint32_t outputs, const pcm_scratch *s)
{
    return blame_column(blame, "", "force_n", "", s->force_n[0]) ||
           (outputs & PCM_FRICTION && (blame_column(blame, "", "force_x", "", s->force_x[0]) ||
                                       blame_column(blame, "", "force_y", "", s->force_y[0]))) ||
           (outputs & PCM_MOMENT && (blame_column(blame, "", "moment_n", "", s->moment_n[0]) ||
                                     blame_column(blame, "", "moment_x", "", s->moment_x[0]) ||
                                     blame_column(blame, "", "moment_y", "", s->moment_y[0])));
}

static bool blame_state(pcm_blame *blame, const pcm_group *group, const pcm_scratch *s)
{
    for (uint32_t entry = 0, column = 0; entry < group->model->states.count; entry++) {
        const pcm_state *state = pcm_model_state(group->model, entry);
        for (uint32_t k = 0; k < pcm_columns_of(state->shape); k++, column++) {
            const bool   rate = group->step[column] == PCM_STEP_BY_WORLD;
            const double value = (rate ? s->rate : s->next)[column][0];
            if (blame_column(blame, rate ? "rate of " : "next of ", state->name, axis_of(state->shape, k), value))
                return true;
        }
    }
    return false;
}

static bool blame_pair(pcm_blame *blame, const pcm_group *group, const pcm_scratch *s)
{
    if (!group->pair || (s->pair_life[0] != PCM_INVALID && isfinite(s->scale[0])))
        return false;
    const bool invalid = s->pair_life[0] == PCM_INVALID;
    (void)snprintf(blame->text, sizeof blame->text, "%s for the pair", invalid ? "life = PCM_INVALID" : "no scale");
    return true;
}

static pcm_blame blame_result(pcm_world *world, pcm_group *group, size_t row)
{
    const pcm_scratch *s = call_again(world, group, row);
    const uint32_t     outputs = group->model->outputs;
    pcm_blame          blame = {"a torque that is not finite"};
    if (!blame_pair(&blame, group, s) && !blame_force(&blame, outputs, s) && !blame_state(&blame, group, s) &&
        outputs & PCM_LIFE && s->life[0] == PCM_INVALID)
        (void)snprintf(blame.text, sizeof blame.text, "life = PCM_INVALID");
    return blame;
}

/* ---- Inputs of the host ---------------------------------------------------------------------------------------- */

static bool is_amount(double value) { return value >= 0 && isfinite(value); }

static pcm_blame blame_input(pcm_world *world, pcm_group *group, size_t row)
{
    pcm_blame blame = {""};
    pcm_world_reevaluate(world, group, row, 1);
    for (uint32_t entry = 0, column = 0; entry < group->model->host_inputs.count; entry++) {
        const pcm_host_input *input = pcm_model_host_input(group->model, entry);
        for (uint32_t k = 0; k < pcm_columns_of(input->shape); k++, column++)
            if (!*blame.text && group->host_inputs_needed >> column & 1 &&
                isnan(world->scratch->host_inputs[column][0]))
                (void)snprintf(blame.text, sizeof blame.text, "%s%s", input->name, axis_of(input->shape, k));
    }
    if (!*blame.text && group->patch_needed & PCM_AREA && !is_amount(world->scratch->area[0]))
        (void)snprintf(blame.text, sizeof blame.text, "area");
    else if (!*blame.text)
        (void)snprintf(blame.text, sizeof blame.text, "share");
    return blame;
}

/* ---- The law ---------------------------------------------------------------------------------------------------- */

/* The contact type, with its materials, and the rule that assigned it to the pair. */
typedef struct pcm_law_name {
    char text[640];
} pcm_law_name;

static pcm_law_name name_law(const pcm_world *world, const pcm_group *group, const pcm_pair *pair)
{
    const pcm_type_info *info = &group->type->info;
    const pcm_place      place = pcm_config_rule_at(world->config, pair->rule).place;
    const bool           between = info->material[0] || info->material[1];
    pcm_law_name         name;
    (void)snprintf(name.text, sizeof name.text, "'%s'%s%s%s%s%s (rule at %.300s:%u)", info->name,
                   between ? " between '" : "", between ? info->material[0] : "", between ? "' and '" : "",
                   between ? info->material[1] : "", between ? "'" : "", place.file, place.line);
    return name;
}

/* ---- Reports --------------------------------------------------------------------------------------------------- */

static void report_fault(pcm_world *world, pcm_group *group, size_t row, int64_t fault)
{
    pcm_pair   *pair = &world->pairs[group->identity[row].pair];
    const char *base = pcm_world_side_name(world, group->record[row].base),
               *follower = pcm_world_side_name(world, group->record[row].follower);
    const char           *type = group->type->info.name;
    const pcm_number_text time = pcm_number(world->time, 9);
    if (fault & PCM_FAULT_INPUT && !(pair->warned & PCM_WARNED_INPUT)) {
        pcm_world_warn(world, pair, PCM_WARNED_INPUT);
        pcm_report(world->context, PCM_WARNING, PCM_MSG_INPUT_MISSING,
                   "'%s' reads the input %s, which is not given for the contact of '%s' and '%s': it gives no force",
                   type, blame_input(world, group, row).text, base, follower);
    }
    if (fault & PCM_FAULT_MOTION && !(pair->warned & PCM_WARNED_MOTION)) {
        pcm_world_warn(world, pair, PCM_WARNED_MOTION);
        pcm_report(world->context, PCM_WARNING, PCM_MSG_BAD_MOTION,
                   "the contact of '%s' and '%s' gives no force at t = %s s: %s", base, follower, time.text,
                   blame_motion(world, &group->record[row]).text);
    } else if (fault == PCM_FAULT_RESULT && !(pair->warned & PCM_WARNED_MOTION)) {
        pcm_world_warn(world, pair, PCM_WARNED_MOTION);
        pcm_report(world->context, PCM_WARNING, PCM_MSG_BAD_RESULT,
                   "%s gives %s for the contact of '%s' and '%s' at t = %s s: it gives no force%s",
                   name_law(world, group, pair).text, blame_result(world, group, row).text, base, follower, time.text,
                   row < group->live ? ", and ends with this step" : "");
    }
}

/* A report evaluates its contact again, and overwrites the results of the block. */
void pcm_world_report_block(pcm_world *world, pcm_group *group, size_t first)
{
    const size_t count = pcm_group_block_rows(group, first);
    int64_t      faults[PCM_BLOCK];
    pcm_world_reevaluate(world, group, first, count);
    memcpy(faults, world->scratch->fault, count * sizeof *faults);
    for (size_t i = 0; i < count; i++)
        if (faults[i])
            report_fault(world, group, first + i, faults[i]);
}

void pcm_world_report_faults(pcm_world *world)
{
    if (pcm_world_enter(world, true, __func__) != PCM_OK)
        return;
    for (size_t g = 0; world->phase == PCM_EVALUATED && g < world->n_groups; g++)
        for (size_t block = 0; block < pcm_group_blocks(&world->groups[g]); block++)
            if (world->groups[g].note[block].faults)
                pcm_world_report_block(world, &world->groups[g], block * PCM_BLOCK);
    pcm_world_leave(world);
}
