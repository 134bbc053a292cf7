/* SPDX-License-Identifier: MIT */
/* objects.c - the objects of a world, added and removed. */
#include "objects.h"
#include "guard.h"
#include "amount.h"
#include "ending.h"
#include "pair.h"
#include "surface_velocity.h"
#include "touch.h"
#include <pcm/messages.h>
#include <pcm/spatial.h>

/* Both texts in one block, one after the other. */
static bool copy_texts(pcm_context *context, pcm_body *body, const char *name, const char *surface)
{
    const size_t name_bytes = strlen(name) + 1, surface_bytes = strlen(surface) + 1;
    if (name_bytes + surface_bytes > UINT32_MAX)
        return false;
    body->text_bytes = (uint32_t)(name_bytes + surface_bytes);
    body->name = pcm_allocate(context, body->text_bytes);
    if (!body->name)
        return false;
    body->surface = body->name + name_bytes;
    memcpy(body->name, name, name_bytes);
    memcpy(body->surface, surface, surface_bytes);
    return true;
}

static void clear_body(pcm_world *world, pcm_body *body)
{
    if (body->name)
        pcm_free(world->context, body->name, body->text_bytes);
    pcm_sides_free(world->config, &body->object_sides);
    pcm_sides_free(world->config, &body->surface_sides);
    *body = (pcm_body){0};
}

void pcm_world_free_objects(pcm_world *world)
{
    pcm_context *context = world->context;
    size_t       n = world->body_capacity;
    for (size_t i = 0; i < world->n_bodies; i++)
        if (world->bodies[i].name)
            clear_body(world, &world->bodies[i]);
    pcm_free(context, world->bodies, n * sizeof *world->bodies);
    pcm_free(context, world->generation, n * sizeof *world->generation);
    pcm_free(context, world->moved, n * sizeof *world->moved);
    pcm_free(context, world->fresh, n * sizeof *world->fresh);
    pcm_free(context, world->surface, world->surface ? n * sizeof *world->surface : 0);
    pcm_free(context, world->amount, n * world->n_amounts * sizeof *world->amount);
    pcm_free(context, world->wrench, n * sizeof *world->wrench);
    for (size_t side = 0; side < 2; side++) {
        pcm_free(context, world->twist[side], n * sizeof(pcm_twist_line));
        pcm_free(context, world->pose[side], n * sizeof(pcm_pose_line));
    }
}

/* Doubles all arrays that have an entry per object, or none of them. */
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
        {(void **)&world->fresh, sizeof(uint8_t), NULL},
        {(void **)&world->amount, world->n_amounts * sizeof(pcm_amount_line), NULL},
        {(void **)&world->surface, world->surface ? sizeof(pcm_surface_line) : 0, NULL},
        {(void **)&world->wrench, sizeof(pcm_wrench_line), NULL},
        {(void **)&world->twist[0], sizeof(pcm_twist_line), NULL},
        {(void **)&world->twist[1], sizeof(pcm_twist_line), NULL},
        {(void **)&world->pose[0], sizeof(pcm_pose_line), NULL},
        {(void **)&world->pose[1], sizeof(pcm_pose_line), NULL},
    };
    size_t n = sizeof arrays / sizeof *arrays;
    bool   complete = true;
    for (size_t i = 0; i < n; i++)
        complete = (!arrays[i].size || (arrays[i].grown = pcm_allocate(context, wanted * arrays[i].size))) && complete;
    for (size_t i = 0; i < n; i++)
        if (complete) {
            if (old && arrays[i].size)
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
    const char *given = pcm_config_object_surface(world->config, def), *surface = given ? given : "";
    body->material = pcm_material_find(world->config, surface, strlen(surface));
    body->fixed = def->fixed;
    if (!copy_texts(world->context, body, def->label ? def->label : def->name, surface))
        return PCM_NO_MEMORY;
    pcm_status status = pcm_sides_of_object(world->config, def, &body->object_sides);
    return status ? status : pcm_sides_of_surface(world->config, surface, &body->surface_sides);
}

/* Logs have names as they are. */
static void warn_of_formula(pcm_world *world, const char *name)
{
    bool logs = false;
    for (size_t i = 0; i < world->n_types; i++)
        logs = logs || world->logs[i].type;
    if (!logs || world->told_formula || !strchr("=+-@", *name))
        return;
    world->told_formula = true;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_FORMULA,
               "a spreadsheet that opens a log takes the name '%s' for a formula: import it as text", name);
}

static pcm_object add_object(pcm_world *world, const pcm_object_def *def)
{
    const pcm_object none = {0, 0};
    if (!def->name || !*def->name || !(def->radius >= 0) || !(def->mass >= 0)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_BAD_OBJECT,
                   "an object needs a name, and radius and mass that are not negative");
        return none;
    }
    if (!world->free_bodies.first && world->n_bodies == world->body_capacity &&
        (world->n_bodies >= PCM_FIXED_SIDE || !grow_bodies(world))) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for object '%s'", def->name);
        return none;
    }
    pcm_body   body = {0};
    pcm_status status = fill_body(world, &body, def);
    if (status == PCM_OK && pcm_material_moves(world->config, body.material) && !pcm_surfaces_reserve(world))
        status = PCM_NO_MEMORY;
    if (status != PCM_OK) {
        clear_body(world, &body);
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for object '%s'", def->name);
        return none;
    }
    uint32_t index =
        pcm_free_list_take(&world->free_bodies, &world->bodies->next_free, sizeof *world->bodies, &world->n_bodies);
    body.serial = ++world->registered;
    world->bodies[index] = body;
    world->text_bytes += body.text_bytes;
    world->generation[index] += world->generation[index] == 0;
    world->moved[index] = world->epoch - 2;
    world->fresh[index] = 1;
    world->any_fresh = true;
    world->wrench[index] = (pcm_wrench_line){0};
    pcm_amounts_start(world, index);
    pcm_surface_start(world, index);
    warn_of_formula(world, body.name);
    for (size_t side = 0; side < 2; side++) {
        world->twist[side][index] = (pcm_twist_line){.curvature = def->radius > 0 ? 1 / def->radius : 0,
                                                     .inverse_mass = def->mass > 0 ? 1 / def->mass : 0};
        world->pose[side][index] =
            (pcm_pose_line){.orientation = {1, 0, 0, 0}, .hold = def->fixed ? PCM_HOLD_FIXED : PCM_HOLD_FREE};
    }
    return pcm_world_handle(world, index);
}

pcm_object pcm_world_add_object(pcm_world *world, const pcm_object_def *def)
{
    pcm_object_def filled = pcm_object_defaults();
    pcm_object     object = {0, 0};
    if (pcm_world_enter(world, true, __func__) != PCM_OK)
        return object;
    if (pcm_def_fill(world->context, "pcm_object_def", &filled, def))
        object = add_object(world, &filled);
    pcm_world_leave(world);
    return object;
}

pcm_object pcm_world_add(pcm_world *world, const char *name, const char *surface)
{
    return pcm_world_add_object(world, &PCM_OBJECT(.name = name, .surface = surface));
}

pcm_status pcm_world_renew(pcm_world *world, pcm_object object)
{
    pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    if (pcm_world_has(world, object))
        world->fresh[object.index] = world->any_fresh = true;
    else
        status = PCM_BAD_HANDLE;
    pcm_world_leave(world);
    return status;
}

void pcm_world_age(pcm_world *world)
{
    if (world->any_fresh)
        memset(world->fresh, 0, world->n_bodies * sizeof *world->fresh);
    world->any_fresh = false;
}

/* ---- Queries --------------------------------------------------------------------------------------------------- */

size_t pcm_world_objects(const pcm_world *world, pcm_object *objects, size_t capacity)
{
    size_t count = 0;
    if (pcm_world_admit(world, objects || !capacity, __func__) != PCM_OK)
        return 0;
    for (uint32_t i = 0; i < world->n_bodies; i++)
        if (world->bodies[i].name) {
            if (count < capacity)
                objects[count] = pcm_world_handle(world, i);
            count++;
        }
    return count;
}

pcm_status pcm_world_object_info(const pcm_world *world, pcm_object object, pcm_object_info *info)
{
    const pcm_status status = pcm_world_admit(world, info != NULL, __func__);
    if (status != PCM_OK)
        return status;
    if (!pcm_world_has(world, object))
        return PCM_BAD_HANDLE;
    const pcm_body       *body = &world->bodies[object.index];
    const pcm_pose_line  *pose = &world->pose[world->front][object.index];
    const pcm_twist_line *twist = &world->twist[world->front][object.index];
    pcm_object_info known = {.size = sizeof known, .name = body->name, .surface = body->surface, .fixed = body->fixed};
    pcm_cross(twist->angular, pose->position, known.twist.linear);
    for (size_t k = 0; k < 3; k++) {
        known.pose.position[k] = pose->position[k];
        known.twist.angular[k] = twist->angular[k];
        known.twist.linear[k] += twist->linear[k];
    }
    memcpy(known.pose.orientation, pose->orientation, sizeof known.pose.orientation);
    return pcm_info_fill(world->context, "pcm_object_info", info, info->size, &known);
}

/* ---- Removal --------------------------------------------------------------------------------------------------- */

static pcm_status remove_object(pcm_world *world, pcm_object object)
{
    if (!pcm_world_has(world, object))
        return PCM_BAD_HANDLE;
    pcm_world_forget(world);
    if (pcm_endings_of_object(world, object.index) != PCM_OK) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for the last log rows of object '%s'",
                   world->bodies[object.index].name);
        return PCM_NO_MEMORY;
    }
    pcm_world_drop_contacts(world, object.index);
    pcm_world_drop_pairs(world, object.index);
    world->text_bytes -= world->bodies[object.index].text_bytes;
    world->in_order = false;
    clear_body(world, &world->bodies[object.index]);
    /* A slot whose generations are used up stays empty, so that no old handle can name another object. */
    if (++world->generation[object.index] != 0)
        pcm_free_list_put(&world->free_bodies, &world->bodies->next_free, sizeof *world->bodies, object.index);
    return PCM_OK;
}

pcm_status pcm_world_remove(pcm_world *world, pcm_object object)
{
    pcm_status status = pcm_world_enter(world, true, __func__);
    if (status != PCM_OK)
        return status;
    status = remove_object(world, object);
    pcm_world_leave(world);
    return status;
}
