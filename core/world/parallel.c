/* SPDX-License-Identifier: MIT */
/* Updates, and work on arrays, in several tasks, with the same bits as in one task.
 *
 * Each task of an update takes a range of blocks. An object's wrench is the sum over its contacts in the order of rows,
 * so the first task with contacts of the object adds to it directly; later tasks defer their additions, which are made
 * afterwards, task by task. Neighbouring rows mostly share objects, so little is deferred. The plan of shared objects
 * is renewed only when contacts have begun or ended. */
#include "parallel.h"
#include "evaluate.h"
#include "guard.h"
#include <inttypes.h>
#include <pcm/messages.h>

/* Below, starting the tasks costs more than they save. */
enum { FEW_ROWS = 20000, FEW_ENTRIES = 8192 };

/* One task's range of an update. */
struct pcm_task_range {
    size_t       first, end; /* blocks, counted over all groups */
    pcm_scratch *scratch;
    uint64_t    *met;    /* a bit per object: set if this task has contacts of it */
    uint64_t    *shared; /* a bit per object: set if an earlier task has contacts of it too */
    size_t       bodies; /* number of objects that these bits cover */
    pcm_deferral deferral;
    size_t       wanted, capacity; /* lines of the deferral */
    uint32_t     faults;
    size_t       taken; /* entries of its part */
};

typedef struct job {
    pcm_world      *world;
    const pcm_pass *pass;
} job;

static size_t words_for(size_t bodies) { return (bodies + 63) / 64; }

static void set_bit(uint64_t *bits, uint32_t side)
{
    uint32_t object = pcm_side_object(side);
    bits[object / 64] |= (uint64_t)1 << object % 64;
}

/* ---- Walking through a range ----------------------------------------------------------------------------------- */

/* The next block of the range at or after *block: its group, and the first of its rows in *first; NULL at the end. */
static pcm_group *next_block(pcm_world *world, const pcm_task_range *range, size_t *block, size_t *first)
{
    size_t before = 0;
    for (size_t g = 0; g < world->n_groups && *block < range->end; g++) {
        size_t blocks = pcm_group_blocks(&world->groups[g]);
        if (*block < before + blocks) {
            *first = (*block - before) * PCM_BLOCK;
            return &world->groups[g];
        }
        before += blocks;
    }
    return NULL;
}

static void mark_objects(void *argument, uint32_t index)
{
    pcm_world      *world = ((job *)argument)->world;
    pcm_task_range *range = &world->task_ranges[index];
    memset(range->met, 0, words_for(world->n_bodies) * sizeof *range->met);
    pcm_group *group;
    size_t     first;
    for (size_t block = range->first; (group = next_block(world, range, &block, &first)); block++) {
        size_t count = pcm_group_block_rows(group, first);
        for (size_t i = first; i < first + count; i++) {
            set_bit(range->met, group->record[i].base);
            set_bit(range->met, group->record[i].follower);
        }
    }
}

/* Whether a side needs its own line when deferred: always for a free object, and for the first contact of a run with a
 * fixed one. */
static bool starts_line(const pcm_task_range *range, uint32_t side, uint32_t fixed)
{
    return pcm_is_shared(range->shared, side) && (!(side & PCM_FIXED_SIDE) || side != fixed);
}

/* The most lines that a block may defer: one for each side, but only one for each run of contacts with a fixed object.
 * The boundary between live and tentative rows may split two runs. */
static size_t count_deferred(const pcm_task_range *range, const pcm_group *group, size_t first, size_t count)
{
    size_t   lines = 2;
    uint32_t base = 0, follower = 0;
    for (size_t i = first; i < first + count; i++) {
        const pcm_record *record = &group->record[i];
        lines += starts_line(range, record->base, base);
        lines += starts_line(range, record->follower, follower);
        base = record->base & PCM_FIXED_SIDE ? record->base : base;
        follower = record->follower & PCM_FIXED_SIDE ? record->follower : follower;
    }
    return lines;
}

static void find_shared(void *argument, uint32_t index)
{
    pcm_world      *world = ((job *)argument)->world;
    pcm_task_range *range = &world->task_ranges[index];
    for (size_t word = 0; word < words_for(world->n_bodies); word++) {
        uint64_t earlier = 0;
        for (uint32_t k = 0; k < index; k++)
            earlier |= world->task_ranges[k].met[word];
        range->shared[word] = range->met[word] & earlier;
    }
    range->wanted = 0;
    pcm_group *group;
    size_t     first;
    for (size_t block = range->first; index > 0 && (group = next_block(world, range, &block, &first)); block++)
        range->wanted += count_deferred(range, group, first, pcm_group_block_rows(group, first));
}

static void run_task_range(void *argument, uint32_t index)
{
    const job      *work = argument;
    pcm_task_range *range = &work->world->task_ranges[index];
    pcm_pass        pass = *work->pass;
    pass.deferral = index > 0 ? &range->deferral : NULL;
    range->deferral.shared = range->shared;
    range->deferral.count = 0;
    range->faults = 0;
    pcm_group *group;
    size_t     first;
    for (size_t block = range->first; (group = next_block(work->world, range, &block, &first)); block++)
        range->faults += pcm_world_run_block(work->world, &pass, group, first, range->scratch);
}

/* ---- Plans ----------------------------------------------------------------------------------------------------- */

static bool reserve_bits(pcm_world *world, pcm_task_range *range)
{
    size_t bytes = words_for(range->bodies) * sizeof *range->met;
    size_t wanted = words_for(world->body_capacity) * sizeof *range->met;
    if (range->bodies == world->body_capacity)
        return true;
    uint64_t *met = pcm_allocate(world->context, wanted), *shared = pcm_allocate(world->context, wanted);
    if (!met || !shared) {
        pcm_free(world->context, met, wanted);
        pcm_free(world->context, shared, wanted);
        return false;
    }
    pcm_free(world->context, range->met, bytes);
    pcm_free(world->context, range->shared, bytes);
    range->met = met;
    range->shared = shared;
    range->bodies = world->body_capacity;
    return true;
}

static bool reserve_deferral(pcm_world *world, pcm_task_range *range)
{
    if (range->wanted <= range->capacity)
        return true;
    size_t           wanted = range->wanted + range->wanted / 4;
    pcm_wrench_line *line = pcm_allocate(world->context, wanted * sizeof *line);
    if (!line)
        return false;
    pcm_free(world->context, range->deferral.line, range->capacity * sizeof *line);
    range->deferral.line = line;
    range->capacity = wanted;
    return true;
}

/* Updates the plan. False if there is no memory: then one task does all. */
static bool plan(pcm_world *world)
{
    if (world->planned == world->topology)
        return true;
    size_t blocks = 0;
    bool   room = true;
    for (size_t g = 0; g < world->n_groups; g++)
        blocks += pcm_group_blocks(&world->groups[g]);
    for (uint32_t i = 0; i < world->threads; i++) {
        pcm_task_range *range = &world->task_ranges[i];
        range->first = blocks * i / world->threads;
        range->end = blocks * (i + 1) / world->threads;
        room = reserve_bits(world, range) && room;
    }
    if (!room)
        return false;
    job work = {world, NULL};
    world->runner(world->runner_user, mark_objects, &work, world->threads);
    world->runner(world->runner_user, find_shared, &work, world->threads);
    for (uint32_t i = 0; i < world->threads; i++)
        if (!reserve_deferral(world, &world->task_ranges[i]))
            return false;
    world->planned = world->topology;
    return true;
}

bool pcm_world_run_task_ranges(pcm_world *world, const pcm_pass *pass, uint32_t *faults)
{
    size_t rows = 0;
    for (size_t g = 0; g < world->n_groups; g++)
        rows += world->groups[g].count;
    if (world->threads < 2 || rows < FEW_ROWS || !plan(world))
        return false;
    job work = {world, pass};
    world->runner(world->runner_user, run_task_range, &work, world->threads);
    *faults = 0;
    for (uint32_t i = 0; i < world->threads; i++) {
        const pcm_task_range *range = &world->task_ranges[i];
        *faults += range->faults;
        for (size_t k = 0; k < range->deferral.count; k++) {
            const pcm_wrench_line *line = &range->deferral.line[k];
            pcm_wrench_line       *sum = &pass->wrench[line->object];
            for (size_t n = 0; n < 3; n++) {
                sum->force[n] += line->force[n];
                sum->torque[n] += line->torque[n];
            }
        }
    }
    return true;
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

typedef struct array_job {
    pcm_world *world;
    pcm_part  *part;
    void      *argument;
    size_t     count;
} array_job;

static size_t part_first(const array_job *work, uint32_t index) { return work->count * index / work->world->threads; }

static void run_part(void *argument, uint32_t index)
{
    const array_job *work = argument;
    work->world->task_ranges[index].taken =
        work->part(work->argument, part_first(work, index), part_first(work, index + 1));
}

size_t pcm_world_run_parts(pcm_world *world, pcm_part *part, void *argument, size_t count)
{
    if (world->threads < 2 || count < FEW_ENTRIES)
        return part(argument, 0, count);
    array_job work = {world, part, argument, count};
    world->runner(world->runner_user, run_part, &work, world->threads);
    size_t taken = 0;
    for (uint32_t i = 0; i < world->threads && taken == part_first(&work, i); i++)
        taken += world->task_ranges[i].taken;
    return taken;
}

uint32_t pcm_world_threads(const pcm_world *world) { return world->threads > 1 ? world->threads : 1; }

pcm_status pcm_world_run_tasks(pcm_world *world, pcm_task *task, void *argument)
{
    const pcm_status status = pcm_world_enter(world, task, __func__);
    if (status != PCM_OK)
        return status;
    if (world->threads > 1)
        world->runner(world->runner_user, task, argument, world->threads);
    else
        task(argument, 0);
    pcm_world_leave(world);
    return PCM_OK;
}

const pcm_type *pcm_world_running(const pcm_world *world)
{
    const pcm_type *type = atomic_load_explicit(&world->scratch->running, memory_order_relaxed);
    for (uint32_t i = 0; !type && world->task_ranges && i < world->threads; i++)
        type = atomic_load_explicit(&world->task_ranges[i].scratch->running, memory_order_relaxed);
    return type;
}

/* ---- Setup ----------------------------------------------------------------------------------------------------- */

/* The most tasks, more than any machine has cores; each needs memory for a block of every type. */
enum { MOST_THREADS = 1024 };

pcm_status pcm_task_ranges_open(pcm_world *world, const pcm_world_def *def)
{
    if (def->threads > MOST_THREADS) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_BAD_DEF,
                   "a world of %" PRIu32 " threads: there may be %d at most", def->threads, MOST_THREADS);
        return PCM_BAD_ARGUMENT;
    }
    world->threads = def->threads;
    if (def->threads < 2)
        return PCM_OK;
    world->task_ranges = pcm_allocate(world->context, def->threads * sizeof *world->task_ranges);
    if (!world->task_ranges)
        return PCM_NO_MEMORY;
    for (uint32_t i = 0; i < def->threads; i++)
        if (!(world->task_ranges[i].scratch = pcm_scratch_new(world->context, world->groups, world->n_groups)))
            return PCM_NO_MEMORY;
    world->runner = def->run;
    world->runner_user = def->run_user;
    if (def->run)
        return PCM_OK;
    world->pool = pcm_pool_new(world->context, def->threads);
    world->runner = pcm_pool_run;
    world->runner_user = world->pool;
    return world->pool ? PCM_OK : PCM_NO_MEMORY;
}

void pcm_task_ranges_close(pcm_world *world)
{
    pcm_pool_free(world->context, world->pool);
    for (uint32_t i = 0; world->task_ranges && i < world->threads; i++) {
        pcm_task_range *range = &world->task_ranges[i];
        size_t          words = words_for(range->bodies);
        pcm_scratch_free(world->context, range->scratch);
        pcm_free(world->context, range->met, words * sizeof *range->met);
        pcm_free(world->context, range->shared, words * sizeof *range->shared);
        pcm_free(world->context, range->deferral.line, range->capacity * sizeof *range->deferral.line);
    }
    pcm_free(world->context, world->task_ranges, world->threads * sizeof *world->task_ranges);
}
