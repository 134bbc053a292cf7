/* SPDX-License-Identifier: MIT */
/* update.c - evaluations of all contacts, in one task or several. */
#include "amount.h"
#include "evaluate.h"
#include "guard.h"
#include "motion.h"
#include "parallel.h"
#include "patch.h"
#include "surface_velocity.h"
#include "touch.h"
#include "watch.h"

static uint32_t run_all(pcm_world *world, const pcm_pass *pass)
{
    uint32_t faults = 0;
    for (size_t g = 0; g < world->n_groups; g++)
        for (size_t first = 0; first < world->groups[g].count; first += PCM_BLOCK)
            faults += pcm_world_run_block(world, pass, &world->groups[g], first, world->scratch);
    return faults;
}

/* The status for the faults of the last update: missing input has precedence over bad motion. */
static pcm_status judge_faults(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        for (size_t row = 0; (group->host_inputs_needed || group->patch_needed) && row < group->count;
             row += PCM_BLOCK) {
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

static pcm_status update(pcm_world *world, double t, double dt, const char *call)
{
    if (!isfinite(t) || !isfinite(dt) || dt < 0)
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, call, "t and dt must be finite, and dt at least 0");
    pcm_world_gather(world);
    pcm_world_turn_motion(world);
    pcm_amounts_latch(world);
    pcm_surfaces_latch(world);
    world->time = t;
    world->dt = dt;
    world->source = world->parity;
    world->phase = PCM_EVALUATED;
    pcm_pass pass = pcm_world_pass(world);
    uint32_t faults;
    pcm_world_weigh(world, &pass);
    if (!pcm_world_run_task_ranges(world, &pass, &faults))
        faults = run_all(world, &pass);
    pcm_amounts_sum(world);
    pcm_world_watch_update(world);
    const bool starved = world->starved;
    world->starved = false;
    return starved ? PCM_NO_MEMORY : faults ? judge_faults(world) : PCM_OK;
}

double pcm_world_time(const pcm_world *world) { return world->time; }

pcm_status pcm_world_update(pcm_world *world, double t, double dt)
{
    pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    status = update(world, t, dt, __func__);
    pcm_world_leave(world);
    return status;
}
