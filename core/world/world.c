/* SPDX-License-Identifier: MIT */
/* Worlds and their objects: made, moved, removed. */
#include "ledger.h"
#include <pcm/messages.h>
#include "parallel.h"

bool pcm_grow(pcm_context *context, void **array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void  *grown = pcm_reallocate(context, *array, *capacity * size, wanted * size);
    if (!grown)
        return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

pcm_world_def pcm_world_defaults(void) { return (pcm_world_def){.size = sizeof(pcm_world_def), .isa = UINT32_MAX}; }

/* ---- Worlds ---------------------------------------------------------------------------------------------------- */

static pcm_block_run *pick_pipeline(uint32_t isa)
{
#ifdef PCM_HAVE_AVX
    if (isa >= PCM_ISA_AVX512)
        return pcm_block_run_avx512;
    if (isa >= PCM_ISA_AVX2)
        return pcm_block_run_avx2;
#endif
    (void)isa;
    return pcm_block_run_plain;
}

/* Which rule belongs to each group, or that several do. */
static void note_rules(pcm_world *world)
{
    for (size_t i = 0; i < world->n_rules; i++) {
        pcm_group *group = &world->groups[pcm_type_get_info(pcm_config_rule_at(world->config, i).type)->index];
        group->shared = group->shared || group->rule != PCM_NO_RULE;
        group->rule = (uint32_t)i;
    }
}

static pcm_status open_world(pcm_world *world, const pcm_world_def *def)
{
    pcm_context *context = world->context;
    world->n_groups = pcm_config_type_count(world->config);
    world->n_rules = pcm_config_rule_count(world->config);
    world->groups = pcm_allocate(context, world->n_groups * sizeof *world->groups);
    world->stats = pcm_allocate(context, world->n_rules * sizeof *world->stats);
    world->logs = pcm_allocate(context, world->n_groups * sizeof *world->logs);
    if ((world->n_groups && (!world->groups || !world->logs)) || (world->n_rules && !world->stats))
        return PCM_NO_MEMORY;
    uint32_t isa = def->isa < context->isa ? def->isa : context->isa;
    world->run = pick_pipeline(isa);
    for (size_t i = 0; i < world->n_groups; i++) {
        pcm_status status = pcm_group_open(context, &world->groups[i], pcm_config_type_at(world->config, i), isa);
        if (status)
            return status;
        world->groups[i].n_ledger = def->ledger ? PCM_LEDGER_COLUMNS : 0;
    }
    world->ledger = def->ledger;
    note_rules(world);
    world->scratch = pcm_scratch_new(context, world->groups, world->n_groups);
    if (!world->scratch)
        return PCM_NO_MEMORY;
    pcm_status status = pcm_shares_open(world, def);
    if (status)
        return status;
    return pcm_logs_open(context, world->logs, world->config, def);
}

pcm_world *pcm_world_new(pcm_config *config, const pcm_world_def *def)
{
    if (!config)
        return NULL;
    pcm_context  *context = pcm_config_context(config);
    pcm_world_def filled = pcm_world_defaults();
    if (def && (def->size == 0 || def->size > sizeof filled)) {
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_DEF,
                   "pcm_world_new: start the definition from pcm_world_defaults()");
        return NULL;
    }
    if (def)
        memcpy(&filled, def, def->size);
    pcm_world *world = pcm_allocate(context, sizeof *world);
    if (!world) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a world");
        return NULL;
    }
    world->context = context;
    world->config = pcm_config_retain(config);
    world->evaluation = 1;
    world->epoch = 2;
    world->committed_time = INFINITY;
    world->shape = 1;
    pcm_status status = open_world(world, &filled);
    if (status == PCM_OK)
        return world;
    if (status == PCM_NO_MEMORY)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a world");
    pcm_world_free(world);
    return NULL;
}

static char *copy_text(pcm_context *context, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char  *copy = pcm_allocate(context, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

static void drop_text(pcm_context *context, char *text)
{
    if (text)
        pcm_free(context, text, strlen(text) + 1);
}

static void clear_body(pcm_world *world, pcm_body *body)
{
    drop_text(world->context, body->name);
    drop_text(world->context, body->surface);
    pcm_sides_free(world->config, &body->object_sides);
    pcm_sides_free(world->config, &body->surface_sides);
    *body = (pcm_body){0};
}

static void free_bodies(pcm_world *world)
{
    pcm_context *context = world->context;
    size_t       n = world->body_capacity;
    for (size_t i = 0; i < world->n_bodies; i++)
        if (world->bodies[i].name)
            clear_body(world, &world->bodies[i]);
    pcm_free(context, world->bodies, n * sizeof *world->bodies);
    pcm_free(context, world->generation, n * sizeof *world->generation);
    pcm_free(context, world->moved, n * sizeof *world->moved);
    pcm_free(context, world->wrench, n * sizeof *world->wrench);
    for (size_t side = 0; side < 2; side++) {
        pcm_free(context, world->twist[side], n * sizeof(pcm_twist_line));
        pcm_free(context, world->pose[side], n * sizeof(pcm_pose_line));
    }
}

void pcm_world_free(pcm_world *world)
{
    if (!world)
        return;
    pcm_context *context = world->context;
    if (world->logs)
        pcm_logs_close(context, world->logs, world->n_groups);
    pcm_free(context, world->logs, world->n_groups * sizeof *world->logs);
    free_bodies(world);
    for (size_t i = 0; world->groups && i < world->n_groups; i++)
        pcm_group_close(context, &world->groups[i]);
    pcm_free(context, world->groups, world->n_groups * sizeof *world->groups);
    pcm_free(context, world->stats, world->n_rules * sizeof *world->stats);
    pcm_shares_close(world);
    pcm_scratch_free(context, world->scratch);
    pcm_free(context, world->slots, world->slot_capacity * sizeof *world->slots);
    pcm_free(context, world->tentative, world->tentative_capacity * sizeof *world->tentative);
    pcm_free(context, world->broken, world->broken_capacity * sizeof *world->broken);
    pcm_free(context, world->pairs, world->pair_capacity * sizeof *world->pairs);
    pcm_free(context, world->unassigned, world->unassigned_capacity * sizeof *world->unassigned);
    pcm_index_free(context, &world->contacts);
    pcm_index_free(context, &world->pair_index);
    pcm_config *config = world->config;
    pcm_free(context, world, sizeof *world);
    pcm_config_release(config);
}

/* ---- Objects --------------------------------------------------------------------------------------------------- */

/* All arrays that have an entry per object, or none of them, at twice the size. */
static bool grow_bodies(pcm_world *world)
{
    pcm_context *context = world->context;
    size_t       old = world->body_capacity, wanted = old ? 2 * old : 64;
    struct {
        void **array;
        size_t size;
        void  *grown;
    } arrays[] = {
        {(void **)&world->bodies, sizeof(pcm_body), NULL},
        {(void **)&world->generation, sizeof(uint32_t), NULL},
        {(void **)&world->moved, sizeof(uint32_t), NULL},
        {(void **)&world->wrench, sizeof(pcm_wrench_line), NULL},
        {(void **)&world->twist[0], sizeof(pcm_twist_line), NULL},
        {(void **)&world->twist[1], sizeof(pcm_twist_line), NULL},
        {(void **)&world->pose[0], sizeof(pcm_pose_line), NULL},
        {(void **)&world->pose[1], sizeof(pcm_pose_line), NULL},
    };
    size_t n = sizeof arrays / sizeof *arrays;
    bool   complete = true;
    for (size_t i = 0; i < n; i++)
        complete = (arrays[i].grown = pcm_allocate(context, wanted * arrays[i].size)) && complete;
    for (size_t i = 0; i < n; i++)
        if (complete) {
            if (old)
                memcpy(arrays[i].grown, *arrays[i].array, old * arrays[i].size);
            pcm_free(context, *arrays[i].array, old * arrays[i].size);
            *arrays[i].array = arrays[i].grown;
        } else
            pcm_free(context, arrays[i].grown, wanted * arrays[i].size);
    if (complete)
        world->body_capacity = wanted;
    return complete;
}

static pcm_status fill_body(pcm_world *world, pcm_body *body, const pcm_object_def *def)
{
    const char *surface = def->surface ? def->surface : "";
    body->name = copy_text(world->context, def->name);
    body->surface = copy_text(world->context, surface);
    body->fixed = def->fixed;
    if (!body->name || !body->surface)
        return PCM_NO_MEMORY;
    pcm_status status = pcm_sides_find(world->config, def->name, false, &body->object_sides);
    return status ? status : pcm_sides_find(world->config, surface, true, &body->surface_sides);
}

pcm_object pcm_world_add_object(pcm_world *world, const pcm_object_def *def)
{
    const pcm_object none = {0, 0};
    if (!def || !def->name || !*def->name || !(def->radius >= 0) || !(def->mass >= 0)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_BAD_OBJECT,
                   "an object needs a name, and radius and mass that are not negative");
        return none;
    }
    bool reuse = world->free_body != 0;
    if (!reuse && world->n_bodies == world->body_capacity && !grow_bodies(world)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for object '%s'", def->name);
        return none;
    }
    pcm_body   body = {0};
    pcm_status status = fill_body(world, &body, def);
    if (status) {
        clear_body(world, &body);
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for object '%s'", def->name);
        return none;
    }
    uint32_t index = reuse ? world->free_body - 1 : (uint32_t)world->n_bodies++;
    if (reuse)
        world->free_body = world->bodies[index].next_free;
    body.serial = ++world->registered;
    world->bodies[index] = body;
    world->generation[index] += world->generation[index] == 0;
    world->moved[index] = world->epoch - 2;
    world->wrench[index] = (pcm_wrench_line){0};
    for (size_t side = 0; side < 2; side++) {
        world->twist[side][index] = (pcm_twist_line){.curvature = def->radius > 0 ? 1 / def->radius : 0,
                                                     .inverse_mass = def->mass > 0 ? 1 / def->mass : 0};
        world->pose[side][index] =
            (pcm_pose_line){.orientation = {1, 0, 0, 0}, .hold = def->fixed ? PCM_HOLD_FIXED : PCM_HOLD_FREE};
    }
    return (pcm_object){index, world->generation[index]};
}

pcm_object pcm_world_add(pcm_world *world, const char *name, const char *surface)
{
    return pcm_world_add_object(world, &(pcm_object_def){.name = name, .surface = surface});
}

pcm_status pcm_world_remove(pcm_world *world, pcm_object object)
{
    if (!pcm_world_has(world, object))
        return PCM_BAD_HANDLE;
    pcm_world_forget(world);
    pcm_world_drop_contacts(world, object.index);
    pcm_world_drop_pairs(world, object.index);
    clear_body(world, &world->bodies[object.index]);
    world->bodies[object.index].next_free = world->free_body;
    world->free_body = object.index + 1;
    world->generation[object.index] += world->generation[object.index] == UINT32_MAX ? 2 : 1;
    return PCM_OK;
}

/* ---- Motion ---------------------------------------------------------------------------------------------------- */

/* Writes both lines in place: a copy of one just written would wait for its stores. Number by number: a memcpy might
 * overwrite anything, for all the compiler knows, and what a loop over bodies knows of the world with it. */
static inline void write_motion(pcm_pose_line *restrict pose, pcm_twist_line *restrict line, const pcm_pose *at,
                                const pcm_twist *twist)
{
    const double *p = at->position, *q = at->orientation, *w = twist->angular, *v = twist->linear;
    double        norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double        scale = fabs(norm - 1) > 1e-12 ? 1 / sqrt(norm) : 1;
#pragma GCC unroll 3
    for (size_t k = 0; k < 3; k++) {
        pose->position[k] = p[k];
        line->angular[k] = w[k];
    }
#pragma GCC unroll 4
    for (size_t k = 0; k < 4; k++)
        pose->orientation[k] = scale * q[k];
    line->linear[0] = v[0] - (w[1] * p[2] - w[2] * p[1]);
    line->linear[1] = v[1] - (w[2] * p[0] - w[0] * p[2]);
    line->linear[2] = v[2] - (w[0] * p[1] - w[1] * p[0]);
    if (!(norm > 0 && norm < INFINITY)) /* no orientation: contacts judge motion by the velocity */
        line->linear[0] = NAN;
}

/* A fixed object's first move places it; later ones have to say the same. */
static pcm_status place_fixed(pcm_world *world, uint32_t i, const pcm_pose *pose, const pcm_twist *twist)
{
    size_t         newest = world->moved[i] == world->epoch ? 1 - world->front : world->front;
    pcm_pose_line  place = world->pose[newest][i];
    pcm_twist_line moving = world->twist[newest][i];
    write_motion(&place, &moving, pose, twist);
    if (place.hold == PCM_HOLD_PLACED && (memcmp(&place, &world->pose[newest][i], sizeof place) != 0 ||
                                          memcmp(&moving, &world->twist[newest][i], sizeof moving) != 0))
        return PCM_BAD_ARGUMENT;
    place.hold = PCM_HOLD_PLACED;
    world->pose[1 - world->front][i] = place;
    world->twist[1 - world->front][i] = moving;
    world->moved[i] = world->epoch;
    return PCM_OK;
}

typedef struct motions {
    pcm_world        *world;
    const pcm_object *objects;
    const pcm_pose   *poses;
    const pcm_twist  *twists;
} motions;

static size_t move_part(void *argument, size_t first, size_t end)
{
    const motions    m = *(const motions *)argument;
    pcm_world *const world = m.world;
    pcm_pose_line   *pose = world->pose[1 - world->front];
    pcm_twist_line  *twist = world->twist[1 - world->front];
    uint32_t        *moved = world->moved, epoch = world->epoch;
    for (size_t i = first; i < end; i++) {
        uint32_t at = m.objects[i].index;
        if (i + PCM_AHEAD < end) {
            __builtin_prefetch(&pose[m.objects[i + PCM_AHEAD].index], 1);
            __builtin_prefetch(&twist[m.objects[i + PCM_AHEAD].index], 1);
        }
        if (!pcm_world_has(world, m.objects[i]))
            return i - first;
        if (pose[at].hold == PCM_HOLD_FREE) {
            write_motion(&pose[at], &twist[at], &m.poses[i], &m.twists[i]);
            moved[at] = epoch;
        } else if (place_fixed(world, at, &m.poses[i], &m.twists[i]) != PCM_OK)
            return i - first;
    }
    return end - first;
}

pcm_status pcm_world_move(pcm_world *world, pcm_object object, const pcm_pose *pose, const pcm_twist *twist)
{
    if (move_part(&(motions){world, &object, pose, twist}, 0, 1) == 1)
        return PCM_OK;
    return pcm_world_has(world, object) ? PCM_BAD_ARGUMENT : PCM_BAD_HANDLE;
}

size_t pcm_world_move_many(pcm_world *world, const pcm_object *objects, const pcm_pose *poses, const pcm_twist *twists,
                           size_t count)
{
    return pcm_world_run_parts(world, move_part, &(motions){world, objects, poses, twists}, count);
}
