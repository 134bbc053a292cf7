/* SPDX-License-Identifier: MIT */
/* Evaluations: motion in, wrenches out. */
#include "parallel.h"

/* Makes new motion ready to be turned to the front, and wrenches ready to be summed. An object that was moved for the
 * last update but not for this one has its newest lines at the front already: they are copied, or the turn would bring
 * back older ones. */
static size_t make_ready(void *argument, size_t first, size_t end)
{
    pcm_world *world = argument;
    uint32_t   front = world->front, back = 1 - front;
    for (size_t i = first; i < end; i++)
        if (world->moved[i] == world->epoch - 1) {
            world->twist[back][i] = world->twist[front][i];
            world->pose[back][i] = world->pose[front][i];
        }
    if (end > first)
        memset(world->wrench + first, 0, (end - first) * sizeof *world->wrench);
    return end - first;
}

static pcm_pass this_pass(const pcm_world *world)
{
    return (pcm_pass){.twist = world->twist[world->front],
                      .pose = world->pose[world->front],
                      .wrench = world->wrench,
                      .time = world->time,
                      .dt = world->dt,
                      .evaluation = world->evaluation,
                      .parity = world->source};
}

uint32_t pcm_world_run_block(pcm_world *world, const pcm_pass *pass, pcm_group *group, size_t first,
                             pcm_scratch *scratch)
{
    pcm_block_note *note = &group->note[first / PCM_BLOCK];
    size_t          end = first + pcm_group_block_rows(group, first);
    size_t          live_end = group->live < first ? first : group->live < end ? group->live : end;
    *note = (pcm_block_note){0};
    if (live_end > first)
        world->run(pass, group, first, live_end - first, scratch);
    if (end > live_end)
        world->run(pass, group, live_end, end - live_end, scratch);
    return note->faults;
}

static uint32_t run_all(pcm_world *world, const pcm_pass *pass)
{
    uint32_t faults = 0;
    for (size_t g = 0; g < world->n_groups; g++)
        for (size_t first = 0; first < world->groups[g].count; first += PCM_BLOCK)
            faults += pcm_world_run_block(world, pass, &world->groups[g], first, world->scratch);
    return faults;
}

/* The status that the faults of the last update call for: missing input before bad motion. */
static pcm_status judge_faults(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        for (size_t row = 0; group->host_inputs_needed && row < group->count; row += PCM_BLOCK) {
            size_t count = pcm_group_block_rows(group, row);
            if (group->note[row / PCM_BLOCK].faults == 0)
                continue;
            pcm_world_reevaluate(world, group, row, count);
            for (size_t i = 0; i < count; i++)
                if (world->scratch->fault[i] & PCM_FAULT_INPUT)
                    return PCM_BAD_INPUT;
        }
    }
    return PCM_BAD_MOTION;
}

pcm_status pcm_world_update(pcm_world *world, double t, double dt)
{
    if (!isfinite(t) || !isfinite(dt) || dt < 0)
        return PCM_BAD_ARGUMENT;
    pcm_world_gather(world);
    pcm_world_run_parts(world, make_ready, world, world->n_bodies);
    world->front = 1 - world->front;
    world->epoch++;
    world->time = t;
    world->dt = dt;
    world->source = world->parity;
    world->phase = PCM_EVALUATED;
    pcm_pass pass = this_pass(world);
    uint32_t faults;
    if (!pcm_world_run_task_ranges(world, &pass, &faults))
        faults = run_all(world, &pass);
    return faults ? judge_faults(world) : PCM_OK;
}

void pcm_world_reevaluate(pcm_world *world, pcm_group *group, size_t row, size_t count)
{
    pcm_pass pass = this_pass(world);
    pass.wrench = NULL;
    world->run(&pass, group, row, count, world->scratch);
}

static inline pcm_status compute_wrench(const pcm_world *world, pcm_object object, pcm_wrench *wrench)
{
    if (!pcm_world_has(world, object))
        return PCM_BAD_HANDLE;
    const pcm_wrench_line *line = &world->wrench[object.index];
    const double          *p = world->pose[world->front][object.index].position, *f = line->force;
    if (f[0] == 0 && f[1] == 0 && f[2] == 0) { /* wherever it is, which may be no number */
        *wrench = (pcm_wrench){.torque = {line->torque[0], line->torque[1], line->torque[2]}};
        return PCM_OK;
    }
    *wrench = (pcm_wrench){.torque = {line->torque[0] - (p[1] * f[2] - p[2] * f[1]),
                                      line->torque[1] - (p[2] * f[0] - p[0] * f[2]),
                                      line->torque[2] - (p[0] * f[1] - p[1] * f[0])},
                           .force = {f[0], f[1], f[2]}};
    return PCM_OK;
}

pcm_status pcm_world_wrench(pcm_world *world, pcm_object object, pcm_wrench *wrench)
{
    return compute_wrench(world, object, wrench);
}

typedef struct query {
    const pcm_world  *world;
    const pcm_object *objects;
    pcm_wrench       *wrenches;
} query;

static size_t compute_wrenches(void *argument, size_t first, size_t end)
{
    const query         *q = argument;
    const pcm_pose_line *pose = q->world->pose[q->world->front];
    for (size_t i = first; i < end; i++) {
        if (i + PCM_AHEAD < end) {
            __builtin_prefetch(&q->world->wrench[q->objects[i + PCM_AHEAD].index]);
            __builtin_prefetch(&pose[q->objects[i + PCM_AHEAD].index]);
        }
        if (compute_wrench(q->world, q->objects[i], &q->wrenches[i]) != PCM_OK)
            return i - first;
    }
    return end - first;
}

size_t pcm_world_wrench_many(pcm_world *world, const pcm_object *objects, pcm_wrench *wrenches, size_t count)
{
    return pcm_world_run_parts(world, compute_wrenches, &(query){world, objects, wrenches}, count);
}
