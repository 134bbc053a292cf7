/* SPDX-License-Identifier: MIT */
/* space.c - objects with geometries that feed a world: adding, moving and removing. */
#include "space.h"
#include <pcm/messages.h>
#include <string.h>

static pcm_status no_memory(const pcm_space *space)
{
    pcm_report(space->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a space");
    return PCM_NO_MEMORY;
}

pcm_space *pcm_space_new(pcm_context *context, pcm_world *world)
{
    const uint32_t threads = pcm_world_threads(world);
    pcm_space     *space = pcm_allocate(context, sizeof *space);
    room          *rooms = pcm_allocate(context, (threads + 1) * sizeof *rooms);
    if (!space || !rooms) {
        pcm_free(context, space, sizeof *space);
        pcm_free(context, rooms, (threads + 1) * sizeof *rooms);
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a space");
        return NULL;
    }
    space->context = context;
    space->world = world;
    space->rooms = rooms;
    space->n_rooms = threads;
    space->free_cache = NO_INDEX;
    space_widen(space);
    return space;
}

static void free_rooms(const pcm_space *space)
{
    for (uint32_t i = 0; i <= space->n_rooms; i++) {
        const room *r = &space->rooms[i];
        pcm_free(space->context, r->candidates, r->candidate_capacity * sizeof *r->candidates);
        pcm_free(space->context, r->touches, r->touch_capacity * sizeof *r->touches);
        pcm_free(space->context, r->shapes, r->shape_capacity * sizeof *r->shapes);
    }
    pcm_free(space->context, space->rooms, (space->n_rooms + 1) * sizeof *space->rooms);
}

static void free_name(const pcm_space *space, member *m)
{
    if (m->name)
        pcm_free(space->context, m->name, strlen(m->name) + 1);
    m->name = NULL;
}

void pcm_space_free(pcm_space *space)
{
    if (!space)
        return;
    pcm_context *context = space->context;
    for (size_t i = 0; i < space->n_members; i++) {
        free_name(space, &space->members[i]);
        pcm_geometry_free(space->members[i].joined);
        pcm_geometry_free(space->members[i].smoothed);
    }
    free_rooms(space);
    pcm_free(context, space->members, space->member_capacity * sizeof *space->members);
    pcm_free(context, space->balls, space->ball_capacity * sizeof *space->balls);
    pcm_free(context, space->planes, space->plane_capacity * sizeof *space->planes);
    pcm_free(context, space->strays, space->stray_capacity * sizeof *space->strays);
    pcm_free(context, space->lot.touches, space->lot.touch_capacity * sizeof *space->lot.touches);
    pcm_free(context, space->lot.shapes, space->lot.shape_capacity * sizeof *space->lot.shapes);
    pcm_free(context, space->outside, space->outside_capacity * sizeof *space->outside);
    pcm_free(context, space->arrivals, space->arrival_capacity * sizeof *space->arrivals);
    pcm_free(context, space->pairs, space->pair_capacity * sizeof *space->pairs);
    pcm_free(context, space->notes, space->note_capacity * sizeof *space->notes);
    pcm_free(context, space->hits, space->hit_capacity * sizeof *space->hits);
    pcm_free(context, space->counts, space->count_capacity * sizeof *space->counts);
    pcm_free(context, space->caches, space->cache_capacity * sizeof *space->caches);
    pcm_free(context, space->reported, space->reported_capacity * sizeof *space->reported);
    pcm_free(context, space->watches, space->watch_capacity * sizeof *space->watches);
    cells_free(context, &space->cells);
    table_free(context, &space->known);
    table_free(context, &space->index);
    table_free(context, &space->refused);
    pcm_free(context, space, sizeof *space);
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

/* Reserves room for the member and for its places in the lists, so that moving it later never allocates. */
static bool reserve_member(pcm_space *space, uint32_t index, bool plane)
{
    if (!geometry_grow(space->context, &space->members, sizeof *space->members, &space->member_capacity,
                       (size_t)index + 1))
        return false;
    if (space->n_members <= index)
        space->n_members = (size_t)index + 1;
    return geometry_grow(space->context, &space->balls, sizeof *space->balls, &space->ball_capacity,
                         space->n_members) &&
           geometry_grow(space->context, &space->strays, sizeof *space->strays, &space->stray_capacity,
                         space->n_members) &&
           (!plane || geometry_grow(space->context, &space->planes, sizeof *space->planes, &space->plane_capacity,
                                    space->n_planes + 1));
}

static void mark_stray(pcm_space *space, member *m)
{
    if (!m->stray)
        space->strays[space->n_strays++] = m->object.index;
    m->stray = true;
}

/* Updates where a member's geometry is. */
static void settle(pcm_space *space, member *m)
{
    const pcm_geometry *g = m->body.geometry;
    const bool          centred = is_ball(g) || !isfinite(g->ball);
    m->now = bounds_of(g, &m->body.at);
    space->balls[m->object.index] = (ball){m->lost   ? (vec){NAN, NAN, NAN}
                                           : centred ? m->body.at.at
                                                     : middle_of(&m->now),
                                           g->ball};
}

pcm_object pcm_space_add(pcm_space *space, const pcm_object_def *def, const pcm_geometry *geometry,
                         const pcm_pose *placement)
{
    const pcm_object none = {0, 0};
    placing          at = placing_identity();
    if (!geometry || (placement && !placing_of(placement, &at))) {
        pcm_report(space->context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                   "an object of a space needs a geometry and a finite "
                   "placement");
        return none;
    }
    const pcm_object object = pcm_world_add_object(space->world, def);
    if (object.generation == 0)
        return none;
    const size_t length = strlen(def->name) + 1;
    char        *name = pcm_allocate(space->context, length);
    if (!name || !reserve_member(space, object.index, geometry->kind == PCM_PLANE)) {
        pcm_free(space->context, name, length);
        pcm_world_remove(space->world, object);
        no_memory(space);
        return none;
    }
    memcpy(name, def->name, length);
    member *m = &space->members[object.index];
    *m = (member){.object = object, .name = name, .placement = at, .placed = placement, .outside = NO_INDEX};
    m->fixed = def->fixed;
    space->joined = space->joined && !(m->fixed && is_tile(geometry));
    m->said = def->size > offsetof(pcm_object_def, radius) && def->radius > 0;
    m->body = (body){geometry, at};
    settle(space, m);
    if (geometry->kind == PCM_PLANE)
        space->planes[space->n_planes++] = object.index;
    mark_stray(space, m);
    space->watched = false;
    return object;
}

static void remove_index(uint32_t *list, size_t *count, uint32_t index)
{
    for (size_t i = *count; i-- > 0;)
        if (list[i] == index)
            list[i] = list[--*count];
}

/* Forgets which pairs were rejected: their objects may be gone. Pairs that are still wrong are reported again. */
static void forget_refused(pcm_space *space)
{
    if (space->refused.count == 0)
        return;
    table_free(space->context, &space->refused);
    for (size_t i = 0; i < space->n_members; i++)
        if (space->members[i].object.generation != 0)
            mark_stray(space, &space->members[i]);
}

pcm_status pcm_space_remove(pcm_space *space, pcm_object object)
{
    member *m = space_member(space, object);
    if (!m)
        return PCM_BAD_HANDLE;
    space_forget(space, object.index);
    remove_index(space->strays, &space->n_strays, object.index);
    remove_index(space->planes, &space->n_planes, object.index);
    space->n_lost -= m->lost;
    free_name(space, m);
    pcm_geometry_free(m->joined);
    pcm_geometry_free(m->smoothed);
    space->joined = space->joined && !m->joined;
    *m = (member){0};
    forget_refused(space);
    space->watched = false;
    return pcm_world_remove(space->world, object);
}

/* The effects of a move on a member. */
enum { STRAYS = 1, LOST = 2, FOUND = 4, JOINS = 8 };

static uint8_t arrive(pcm_space *space, member *m, const pcm_pose *pose)
{
    placing    at;
    const bool found = placing_of(pose, &at), changed = m->lost == found;
    const bool plane = m->body.geometry->kind == PCM_PLANE;
    m->lost = !found;
    if (found && m->placed)
        at = placing_compose(&at, &m->placement);
    const bool turned = plane && found && memcmp(&m->body.at, &at, sizeof at) != 0;
    const bool other = m->fixed && found && memcmp(&m->body.at, &at, sizeof at) != 0;
    if (found)
        m->body.at = at;
    settle(space, m);
    const bool strays = changed || (plane ? turned : !bounds_hold(&m->fat, &m->now));
    return (uint8_t)((other ? JOINS : 0) | (strays ? STRAYS : 0) | (!changed ? 0 : found ? FOUND : LOST));
}

static void note_arrival(pcm_space *space, member *m, uint8_t arrival)
{
    if (arrival & (LOST | FOUND))
        space->n_lost += arrival & LOST ? 1 : (size_t)-1;
    if (arrival & STRAYS)
        mark_stray(space, m);
    space->joined = space->joined && !(arrival & JOINS);
}

pcm_status pcm_space_move(pcm_space *space, pcm_object object, const pcm_pose *pose, const pcm_twist *twist)
{
    member *m = space_member(space, object);
    if (!m)
        return PCM_BAD_HANDLE;
    note_arrival(space, m, arrive(space, m, pose));
    return pcm_world_move(space->world, object, pose, twist);
}

typedef struct arrivals {
    const pcm_object *objects;
    const pcm_pose   *poses;
} arrivals;

static void arrive_part(void *argument, uint32_t i)
{
    const job      *j = argument;
    const arrivals *of = j->user;
    for (size_t k = job_first(j, i); k < job_first(j, i + 1); k++)
        j->space->arrivals[k] = arrive(j->space, space_member(j->space, of->objects[k]), &of->poses[k]);
}

size_t pcm_space_move_many(pcm_space *space, const pcm_object *objects, const pcm_pose *poses, const pcm_twist *twists,
                           size_t count)
{
    size_t known = 0;
    if (!geometry_grow(space->context, &space->arrivals, sizeof *space->arrivals, &space->arrival_capacity, count)) {
        no_memory(space);
        return 0;
    }
    while (known < count && space_member(space, objects[known]))
        known++;
    arrivals of = {objects, poses};
    job      j = job_of(space, known, &of);
    job_run(&j, arrive_part);
    for (size_t i = 0; i < known; i++)
        if (space->arrivals[i])
            note_arrival(space, &space->members[objects[i].index], space->arrivals[i]);
    return pcm_world_move_many(space->world, objects, poses, twists, known);
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

size_t pcm_space_pair_count(const pcm_space *space) { return space->n_pairs; }

pcm_status pcm_space_separate(pcm_space *space, pcm_object a, pcm_object b, pcm_separation *separation)
{
    const member *first = space_member(space, a), *second = space_member(space, b);
    if (!first || !second)
        return PCM_BAD_HANDLE;
    if (!pcm_geometry_meets(first->body.geometry->kind, second->body.geometry->kind))
        return PCM_BAD_ARGUMENT;
    if (first->lost || second->lost)
        return PCM_BAD_MOTION;
    pcm_separation known = {.size = sizeof known};
    pair_separate(&first->body, &second->body, &known);
    return pcm_info_fill(space->context, "pcm_separation", separation, separation->size, &known);
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

/* Finds all pairs whose type asks for events and whose geometries can be paired, in the order of their objects. */
static bool find_watches(pcm_space *space)
{
    space->n_watches = 0;
    for (uint32_t a = 0; a < space->n_members; a++)
        for (uint32_t b = a + 1; b < space->n_members && space->members[a].object.generation != 0; b++) {
            const member *first = &space->members[a], *second = &space->members[b];
            if (second->object.generation == 0 ||
                !pcm_geometry_meets(first->body.geometry->kind, second->body.geometry->kind))
                continue;
            const pcm_type *type;
            if (pcm_world_pair_type(space->world, first->object, second->object, &type, NULL) == PCM_NO_MEMORY)
                return false;
            if (!type || !pcm_type_get_info(type)->common->zero_crossings)
                continue;
            if (!geometry_grow(space->context, &space->watches, sizeof *space->watches, &space->watch_capacity,
                               space->n_watches + 1))
                return false;
            space->watches[space->n_watches++] = (watch){a, b};
        }
    space->watched = true;
    return true;
}

size_t pcm_space_crossings(pcm_space *space, double *separations, size_t capacity)
{
    size_t n = 0;
    if (!space->watched && !find_watches(space)) {
        no_memory(space);
        return 0;
    }
    for (size_t i = 0; i < space->n_watches; i++) {
        const member *a = &space->members[space->watches[i].a], *b = &space->members[space->watches[i].b];
        const bool    cloud = a->body.geometry->kind == PCM_CLOUD || b->body.geometry->kind == PCM_CLOUD;
        const size_t  count = !cloud                                ? 1
                              : a->body.geometry->kind == PCM_CLOUD ? pcm_geometry_point_count(a->body.geometry)
                                                                    : pcm_geometry_point_count(b->body.geometry);
        for (size_t k = 0; k < count; k++, n++) {
            pcm_separation s = {.distance = NAN};
            if (n >= capacity || a->lost || b->lost)
                continue;
            if (cloud)
                pair_separate_point(&a->body, &b->body, (uint32_t)k, &s);
            else
                pair_separate(&a->body, &b->body, &s);
            separations[n] = s.distance;
        }
    }
    return n;
}
