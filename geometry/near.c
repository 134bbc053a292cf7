/* SPDX-License-Identifier: MIT */
/* near.c - the pairs that are near each other, kept from step to step: only members that have left their boxes are
 * searched for anew. */
#include "space.h"
#include <pcm/messages.h>

/* The slack of a box, as a share of the member's size and of its way since its last box: what moves fast gets more, but
 * settles at twice the share of its size. */
#define SLACK_SIZE 0.1
#define SLACK_WAY  0.5

member *space_member(const pcm_space *space, pcm_object object)
{
    if (object.index >= space->n_members || object.generation == 0)
        return NULL;
    member *m = &space->members[object.index];
    return m->object.generation == object.generation ? m : NULL;
}

near_pair *space_pair(const pcm_space *space, uint32_t a, uint32_t b)
{
    const uint32_t *at = table_find(&space->index, pair_key(a, b));
    return at ? &space->pairs[*at] : NULL;
}

/* A memory that knows nothing yet; NO_INDEX where there is none left, and the pair goes without. */
static uint32_t take_memory(pcm_space *space)
{
    uint32_t at = space->free_memory;
    if (at != NO_INDEX)
        space->free_memory = space->memories[at].next;
    else if (geometry_grow(space->context, &space->memories, sizeof *space->memories, &space->memory_capacity,
                           space->n_memories + 1))
        at = (uint32_t)space->n_memories++;
    if (at != NO_INDEX)
        space->memories[at].known.n_seed = space->memories[at].known.n_facets = 0;
    return at;
}

static void give_memory(pcm_space *space, uint32_t at)
{
    if (at == NO_INDEX)
        return;
    space->memories[at].next = space->free_memory;
    space->free_memory = at;
}

void space_drop_pair(pcm_space *space, size_t i)
{
    const near_pair *last = &space->pairs[--space->n_pairs], *gone = &space->pairs[i];
    table_remove(&space->index, pair_key(gone->a, gone->b));
    give_memory(space, gone->memory);
    if (last != gone) {
        *table_find(&space->index, pair_key(last->a, last->b)) = (uint32_t)i;
        space->pairs[i] = *last;
    }
}

/* Whether a box is within reach of the solid side of a plane. */
static bool reaches_plane(const member *m, const member *plane, double reach)
{
    const vec    n = {plane->body.at.turn.row[0].z, plane->body.at.turn.row[1].z, plane->body.at.turn.row[2].z};
    const vec    half = scale(sub(m->fat.high, m->fat.low), 0.5), middle = add(m->fat.low, half);
    const double below = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    return dot(n, sub(middle, plane->body.at.at)) <= below + reach;
}

static bool is_plane(const member *m) { return m->body.geometry->kind == PCM_PLANE; }

/* Whether the members' boxes are within reach of each other. */
static bool are_near(const member *a, const member *b, double reach)
{
    if (a->lost || b->lost)
        return false;
    if (is_plane(a) || is_plane(b))
        return !is_plane(a) ? reaches_plane(a, b, reach) : !is_plane(b) && reaches_plane(b, a, reach);
    const bounds wide = bounds_grown(a->fat, reach);
    return bounds_meet(&wide, &b->fat);
}

static void refuse(pcm_space *space, const member *a, const member *b)
{
    const size_t known = space->refused.count;
    if (table_put(space->context, &space->refused, pair_key(a->object.index, b->object.index)) &&
        space->refused.count > known)
        pcm_report(space->context, PCM_ERROR, PCM_MSG_NO_PARTNER,
                   "a rule matches %s and %s, but their geometries are not supported as a pair: %s; %s", a->name,
                   b->name, pcm_geometry_partners(a->body.geometry->kind),
                   pcm_geometry_partners(b->body.geometry->kind));
}

static bool is_granted(const pcm_space *space, uint64_t key)
{
    for (size_t i = 0; i < space->n_grants; i++)
        if (space->grants[i].key == key)
            return true;
    return false;
}

/* Whether the members of a pair have moved apart. */
static bool left(const pcm_space *space, const near_pair *p)
{
    const member *a = &space->members[p->a], *b = &space->members[p->b];
    return (a->stray || b->stray) && !are_near(a, b, p->reach);
}

typedef struct search {
    pcm_space *space;
    uint32_t   of;
    pcm_status status;
} search;

/* Two boxes meet: a pair, where there is a rule and the geometries meet. */
static bool meet(void *user, uint32_t other)
{
    search        *s = user;
    pcm_space     *space = s->space;
    const uint32_t low = s->of < other ? s->of : other, high = s->of < other ? other : s->of;
    const uint64_t key = pair_key(low, high);
    if (low == high || table_find(&space->index, key))
        return true;
    const member   *a = &space->members[low], *b = &space->members[high];
    const pcm_type *type = pcm_world_pair(space->world, a->object, b->object, NULL);
    if (!type)
        return true;
    if (!pcm_geometry_meets(a->body.geometry->kind, b->body.geometry->kind)) {
        refuse(space, a, b);
        s->status = PCM_BAD_CONFIG;
        return true;
    }
    uint32_t *slot = table_put(space->context, &space->index, key);
    if (!slot || !geometry_grow(space->context, &space->pairs, sizeof *space->pairs, &space->pair_capacity,
                                space->n_pairs + 1)) {
        table_remove(&space->index, key);
        s->status = PCM_NO_MEMORY;
        return false;
    }
    const uint32_t memory = pair_searches(a->body.geometry, b->body.geometry) ? take_memory(space) : NO_INDEX;
    *slot = (uint32_t)space->n_pairs;
    space->pairs[space->n_pairs++] =
        (near_pair){low, high, pcm_type_get_info(type)->common->separation, is_granted(space, key), 0, 0, memory};
    return true;
}

/* A new box for a member that has left its old one; false without memory. */
static bool rebox(pcm_space *space, member *m)
{
    const bool was_boxed = m->leaf != NO_INDEX;
    if (was_boxed)
        tree_remove(&space->tree, m->leaf);
    m->leaf = NO_INDEX;
    if (m->lost)
        return true;
    const double size = m->body.geometry->size, way = was_boxed ? norm(sub(m->at.at, m->fat_at)) : 0;
    const double slack = size > 0 ? SLACK_SIZE * size + SLACK_WAY * fmin(way, size) : way;
    m->fat = bounds_grown(bounds_of(m->body.geometry, &m->body.at), slack);
    m->fat_at = m->at.at;
    if (is_plane(m))
        return true;
    m->leaf = tree_insert(space->context, &space->tree, m->fat, m->object.index);
    return m->leaf != NO_INDEX;
}

static void search_for(pcm_space *space, const member *m, search *s)
{
    if (m->lost)
        return;
    for (uint32_t i = 0; is_plane(m) && i < space->n_members && s->status != PCM_NO_MEMORY; i++)
        if (space->members[i].object.generation != 0 && are_near(m, &space->members[i], 0))
            meet(s, i);
    if (is_plane(m))
        return;
    tree_query(&space->tree, &m->fat, meet, s);
    for (size_t i = 0; i < space->n_planes && s->status != PCM_NO_MEMORY; i++)
        if (are_near(m, &space->members[space->planes[i]], 0))
            meet(s, space->planes[i]);
}

pcm_status space_find_pairs(pcm_space *space)
{
    search s = {space, 0, PCM_OK};
    if (space->n_strays == 0)
        return space->refused.count > 0 ? PCM_BAD_CONFIG : PCM_OK;
    for (size_t i = 0; i < space->n_strays; i++)
        if (!rebox(space, &space->members[space->strays[i]]))
            return PCM_NO_MEMORY;
    for (size_t i = space->n_pairs; i-- > 0;)
        if (left(space, &space->pairs[i]))
            space_drop_pair(space, i);
    for (size_t i = 0; i < space->n_strays && s.status != PCM_NO_MEMORY; i++) {
        s.of = space->strays[i];
        search_for(space, &space->members[s.of], &s);
    }
    if (s.status == PCM_NO_MEMORY)
        return s.status;
    for (size_t i = 0; i < space->n_strays; i++)
        space->members[space->strays[i]].stray = false;
    space->n_strays = 0;
    return space->refused.count > 0 ? PCM_BAD_CONFIG : PCM_OK;
}
