/* SPDX-License-Identifier: MIT */
/* space.c - objects with geometries that feed a world: adding, moving, and reporting what touches. */
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
    pcm_space *space = pcm_allocate(context, sizeof *space);
    if (!space) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a space");
        return NULL;
    }
    space->context = context;
    space->world = world;
    space->free_memory = NO_INDEX;
    return space;
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
    for (size_t i = 0; i < space->n_members; i++)
        free_name(space, &space->members[i]);
    for (size_t i = 0; i < space->n_grants; i++)
        pcm_free(context, space->grants[i].values, space->grants[i].count * sizeof(double));
    pcm_free(context, space->members, space->member_capacity * sizeof *space->members);
    pcm_free(context, space->planes, space->plane_capacity * sizeof *space->planes);
    pcm_free(context, space->strays, space->stray_capacity * sizeof *space->strays);
    pcm_free(context, space->pairs, space->pair_capacity * sizeof *space->pairs);
    pcm_free(context, space->memories, space->memory_capacity * sizeof *space->memories);
    pcm_free(context, space->reported, space->reported_capacity * sizeof *space->reported);
    pcm_free(context, space->grants, space->grant_capacity * sizeof *space->grants);
    pcm_free(context, space->watches, space->watch_capacity * sizeof *space->watches);
    tree_free(context, &space->tree);
    table_free(context, &space->index);
    table_free(context, &space->refused);
    pcm_free(context, space, sizeof *space);
}

/* ---- Objects --------------------------------------------------------------------------------------------------- */

/* Room for the member and for its places in the lists, so that moving it later never allocates. */
static bool reserve_member(pcm_space *space, uint32_t index, bool plane)
{
    if (!geometry_grow(space->context, &space->members, sizeof *space->members, &space->member_capacity,
                       (size_t)index + 1))
        return false;
    if (space->n_members <= index)
        space->n_members = (size_t)index + 1;
    return geometry_grow(space->context, &space->strays, sizeof *space->strays, &space->stray_capacity,
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
    *m = (member){.object = object, .name = name, .placement = at, .at = placing_identity(), .leaf = NO_INDEX};
    m->body = (body){geometry, at};
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

/* Pairs that were refused are told again when they are met again: they may be gone now. */
static void forget_refused(pcm_space *space)
{
    if (space->refused.count == 0)
        return;
    table_free(space->context, &space->refused);
    for (size_t i = 0; i < space->n_members; i++)
        if (space->members[i].object.generation != 0)
            mark_stray(space, &space->members[i]);
}

static void forget_grants(pcm_space *space, uint32_t index)
{
    for (size_t i = space->n_grants; i-- > 0;) {
        grant *g = &space->grants[i];
        if ((uint32_t)(g->key >> 32) != index && (uint32_t)g->key != index)
            continue;
        pcm_free(space->context, g->values, g->count * sizeof *g->values);
        *g = space->grants[--space->n_grants];
    }
}

pcm_status pcm_space_remove(pcm_space *space, pcm_object object)
{
    member *m = space_member(space, object);
    if (!m)
        return PCM_BAD_HANDLE;
    for (size_t i = space->n_pairs; i-- > 0;)
        if (space->pairs[i].a == object.index || space->pairs[i].b == object.index)
            space_drop_pair(space, i);
    if (m->leaf != NO_INDEX)
        tree_remove(&space->tree, m->leaf);
    remove_index(space->strays, &space->n_strays, object.index);
    remove_index(space->planes, &space->n_planes, object.index);
    space->n_lost -= m->lost;
    forget_grants(space, object.index);
    free_name(space, m);
    *m = (member){.leaf = NO_INDEX};
    forget_refused(space);
    space->watched = false;
    return pcm_world_remove(space->world, object);
}

pcm_status pcm_space_move(pcm_space *space, pcm_object object, const pcm_pose *pose, const pcm_twist *twist)
{
    member *m = space_member(space, object);
    if (!m)
        return PCM_BAD_HANDLE;
    placing    at;
    const bool found = placing_of(pose, &at), moved = m->lost == found;
    if (moved)
        space->n_lost += found ? (size_t)-1 : 1;
    m->lost = !found;
    if (found) {
        m->at = at;
        m->body.at = placing_compose(&at, &m->placement);
    }
    const bounds now = bounds_of(m->body.geometry, &m->body.at);
    if (moved || m->body.geometry->kind == PCM_PLANE || !bounds_hold(&m->fat, &now))
        mark_stray(space, m);
    return pcm_world_move(space->world, object, pose, twist);
}

/* ---- Contacts -------------------------------------------------------------------------------------------------- */

typedef struct reporting {
    pcm_space *space;
    near_pair *pair;
    pcm_object a, b;
    pcm_status status;
} reporting;

static void give_granted(const pcm_space *space, const near_pair *pair, pcm_contact contact, uint64_t feature)
{
    for (size_t i = 0; i < space->n_grants; i++) {
        const grant *g = &space->grants[i];
        if (g->key == pair_key(pair->a, pair->b))
            pcm_world_set_input(space->world, contact, g->column, g->values[g->count > 1 ? feature : 0]);
    }
}

static void report_touch(void *user, const pcm_touch *touch)
{
    reporting        *r = user;
    pcm_space        *space = r->space;
    const pcm_contact contact = pcm_world_touch_patch(space->world, r->a, r->b, touch, sizeof *touch);
    if (contact.generation == 0)
        return;
    if (!geometry_grow(space->context, &space->reported, sizeof *space->reported, &space->reported_capacity,
                       space->n_reported + 1)) {
        r->status = PCM_NO_MEMORY;
        return;
    }
    space->reported[space->n_reported++] = (reported){contact, touch->feature};
    r->pair->count++;
    if (r->pair->granted)
        give_granted(space, r->pair, contact, touch->feature);
}

pcm_status pcm_space_touch(pcm_space *space)
{
    const pcm_status found = space_find_pairs(space);
    if (found == PCM_NO_MEMORY)
        return no_memory(space);
    space->n_reported = 0;
    for (size_t i = 0; i < space->n_pairs; i++) {
        near_pair    *p = &space->pairs[i];
        const member *a = &space->members[p->a], *b = &space->members[p->b];
        reporting     r = {space, p, a->object, b->object, PCM_OK};
        p->first = space->n_reported;
        p->count = 0;
        if (a->lost || b->lost)
            continue;
        pair_touch(&a->body, &b->body, p->reach, p->memory == NO_INDEX ? NULL : &space->memories[p->memory].known,
                   report_touch, &r);
        if (r.status != PCM_OK)
            return no_memory(space);
    }
    return space->n_lost > 0 ? PCM_BAD_MOTION : found;
}

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

/* ---- Forces from the host -------------------------------------------------------------------------------------- */

static grant *grant_of(pcm_space *space, uint64_t key, uint32_t column, size_t count)
{
    for (size_t i = 0; i < space->n_grants; i++)
        if (space->grants[i].key == key && space->grants[i].column == column)
            return &space->grants[i];
    double *values = pcm_allocate(space->context, count * sizeof *values);
    if (!values || !geometry_grow(space->context, &space->grants, sizeof *space->grants, &space->grant_capacity,
                                  space->n_grants + 1)) {
        pcm_free(space->context, values, count * sizeof *values);
        return NULL;
    }
    space->grants[space->n_grants] = (grant){key, column, values, count};
    return &space->grants[space->n_grants++];
}

pcm_status pcm_space_set_input(pcm_space *space, pcm_object a, pcm_object b, uint32_t column, const double *values,
                               size_t count)
{
    const member *first = space_member(space, a), *second = space_member(space, b);
    if (!first || !second)
        return PCM_BAD_HANDLE;
    const size_t    n_first = pcm_geometry_point_count(first->body.geometry);
    const size_t    n_second = pcm_geometry_point_count(second->body.geometry);
    const pcm_type *type = pcm_world_pair(space->world, a, b, NULL);
    if (!values || count != (n_first > n_second ? n_first : n_second) || !type ||
        column >= pcm_type_get_info(type)->n_host_inputs)
        return PCM_BAD_ARGUMENT;
    grant *g = grant_of(space, pair_key(a.index, b.index), column, count);
    if (!g)
        return no_memory(space);
    memcpy(g->values, values, count * sizeof *values);
    near_pair *p = space_pair(space, a.index, b.index);
    if (p)
        p->granted = true;
    return PCM_OK;
}

/* ---- Events ---------------------------------------------------------------------------------------------------- */

/* All pairs whose type asks for events and whose geometries meet, in order of their objects. */
static bool find_watches(pcm_space *space)
{
    space->n_watches = 0;
    for (uint32_t a = 0; a < space->n_members; a++)
        for (uint32_t b = a + 1; b < space->n_members && space->members[a].object.generation != 0; b++) {
            const member *first = &space->members[a], *second = &space->members[b];
            if (second->object.generation == 0 ||
                !pcm_geometry_meets(first->body.geometry->kind, second->body.geometry->kind))
                continue;
            const pcm_type *type = pcm_world_pair(space->world, first->object, second->object, NULL);
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
