/* SPDX-License-Identifier: MIT */
/* tiles.c - joins fixed boxes and hulls of a space that lie side by side and have one surface. */
#include "space.h"
#include <string.h>

/* The fixed tiles of one surface. */
typedef struct tiles {
    body          *bodies;
    pcm_geometry **joined;
    uint32_t      *members;
    size_t         count;
} tiles;

static const char *surface_of(const pcm_space *space, const member *m)
{
    pcm_object_info info = {.size = sizeof info};
    return pcm_world_object_info(space->world, m->object, &info) == PCM_OK ? info.surface : "";
}

static bool may_join(const member *m)
{
    return m->object.generation && m->fixed && !m->lost && is_tile(m->body.geometry);
}

static void unjoin(pcm_space *space)
{
    for (size_t i = 0; i < space->n_members; i++) {
        member *m = &space->members[i];
        if (m->joined)
            m->body.geometry = m->joined->like;
        pcm_geometry_free(m->joined);
        m->joined = NULL;
        m->asked = false;
    }
}

/* Joins the tiles that have the surface of the first of them. */
static bool join_like(pcm_space *space, size_t first, tiles *t)
{
    const char *surface = surface_of(space, &space->members[first]);
    t->count = 0;
    for (size_t i = first; i < space->n_members; i++) {
        member *m = &space->members[i];
        if (!may_join(m) || m->asked || strcmp(surface_of(space, m), surface) != 0)
            continue;
        m->asked = true;
        t->members[t->count] = (uint32_t)i;
        t->bodies[t->count++] = m->body;
    }
    if (!tiles_join(space->context, t->bodies, t->count, t->joined))
        return false;
    for (size_t k = 0; k < t->count; k++) {
        member *m = &space->members[t->members[k]];
        m->joined = t->joined[k];
        if (m->joined)
            m->body.geometry = m->joined;
    }
    return true;
}

static size_t count_tiles(const pcm_space *space)
{
    size_t count = 0;
    for (size_t i = 0; i < space->n_members; i++)
        count += may_join(&space->members[i]);
    return count;
}

bool space_join(pcm_space *space)
{
    if (space->joined)
        return true;
    unjoin(space);
    const size_t count = count_tiles(space), bytes = count * (sizeof(body) + sizeof(pcm_geometry *) + sizeof(uint32_t));
    tiles        t = {.bodies = count > 1 ? pcm_allocate(space->context, bytes) : NULL};
    bool         good = t.bodies || count < 2;
    if (t.bodies) {
        t.joined = (pcm_geometry **)(t.bodies + count);
        t.members = (uint32_t *)(t.joined + count);
    }
    for (size_t i = 0; i < space->n_members && good && t.bodies; i++)
        if (may_join(&space->members[i]) && !space->members[i].asked)
            good = join_like(space, i, &t);
    pcm_free(space->context, t.bodies, bytes);
    space->joined = good;
    return good;
}
