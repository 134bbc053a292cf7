/* SPDX-License-Identifier: MIT */
/* found.c - the points that MuJoCo's narrow phase finds for a served pair.
 *
 * Both MuJoCo's list of contacts and an evaluation want them, in this order, at the same positions: the second takes
 * what the first has found. What was found holds for just those positions and that margin, which are kept with it. */
#include "host.h"
#include <string.h>

enum { RIM = 3 }; /* points that span a patch */

/* Whether a point is one of those that the world is told of. */
static bool counts(const pcm_served_pair *pair, const pcm_found *found, int count, int index)
{
    if (pair->led && count > RIM && index == 0)
        return false;
    for (int i = 0; i < index; i++)
        if (memcmp(found[i].pos, found[index].pos, sizeof found[i].pos) == 0)
            return false;
    return true;
}

static pcm_point point_of(const pcm_found *found)
{
    pcm_point point = {.depth = -found->dist};
    memcpy(point.at, found->pos, sizeof point.at);
    memcpy(point.normal, pcm_found_normal(found), sizeof point.normal);
    return point;
}

/* As MuJoCo's own functions leave it. */
static pcm_found found_of(const pcm_point *point)
{
    pcm_found found = {.dist = -point->depth};
    memcpy(found.pos, point->at, sizeof point->at);
    memcpy(pcm_found_axis(&found), point->normal, sizeof point->normal);
    return found;
}

/* The points of the pair, both ways. */
static int find(const pcm_mujoco *host, pcm_collision_data *data, uint32_t index, int geom_a, int geom_b,
                pcm_found *found, pcm_point *points)
{
    const pcm_served_pair *pair = &host->pairs[index];
    int                    kept = 0;
    const int              ours = pair->ours ? pcm_shapes_find(host, data, index, geom_a, points) : -1;
    for (int i = 0; i < ours; i++)
        found[i] = found_of(&points[i]);
    if (ours >= 0)
        return ours;
    const int count = pair->collide(host->model, data, found, geom_a, geom_b, pcm_near_margin(host, pair));
    bool      counted[mjMAXCONPAIR];
    for (int i = 0; i < count; i++)
        counted[i] = counts(pair, found, count, i);
    for (int i = 0; i < count; i++) {
        if (!counted[i])
            continue;
        points[kept] = point_of(&found[i]);
        if (i != kept)
            found[kept] = found[i];
        kept++;
    }
    return kept;
}

/* ---- What was found -------------------------------------------------------------------------------------------- */

static void place(const mjData *data, int geom, double *at)
{
    memcpy(at, data->geom_xpos + 3 * geom, 3 * sizeof *at);
    memcpy(at + 3, data->geom_xmat + 9 * geom, 9 * sizeof *at);
}

static pcm_search search_of(const pcm_mujoco *host, const mjData *data, uint32_t index)
{
    const pcm_served_pair *pair = &host->pairs[index];
    pcm_search             search = {.pair = index, .first = host->found.n_points};
    search.margin = pcm_near_margin(host, pair);
    place(data, host->objects[pair->a].geom, search.places);
    place(data, host->objects[pair->b].geom, search.places + PCM_PLACE);
    return search;
}

void pcm_found_forget(pcm_mujoco *host)
{
    pcm_finds *finds = &host->found;
    for (size_t i = 0; i < finds->n_searches; i++)
        finds->of_pair[finds->searches[i].pair] = 0;
    finds->n_searches = finds->n_points = 0;
}

/* A pair that is looked for again is the first of new positions. Without memory nothing is kept. */
static bool reserve(pcm_mujoco *host, uint32_t pair)
{
    pcm_finds   *finds = &host->found;
    pcm_context *context = host->context;
    if (finds->of_pair[pair])
        pcm_found_forget(host);
    return pcm_grow(context, &finds->searches, &finds->search_capacity, finds->n_searches + 1,
                    sizeof *finds->searches) &&
           pcm_grow(context, &finds->points, &finds->point_capacity, finds->n_points + mjMAXCONPAIR,
                    sizeof *finds->points);
}

/* The search that holds for the pair now; NULL: there is none. */
static const pcm_search *look_up(const pcm_mujoco *host, const mjData *data, uint32_t pair)
{
    const uint32_t at = host->found.of_pair[pair];
    if (!at)
        return NULL;
    const pcm_search *search = &host->found.searches[at - 1], now = search_of(host, data, pair);
    const bool holds = search->margin == now.margin && memcmp(search->places, now.places, sizeof now.places) == 0;
    return holds ? search : NULL;
}

/* ---- For MuJoCo's list and for evaluations --------------------------------------------------------------------- */

static void keep(pcm_mujoco *host, const mjData *data, uint32_t index, const pcm_point *points, size_t count)
{
    pcm_finds *finds = &host->found;
    if (!reserve(host, index))
        return;
    pcm_search search = search_of(host, data, index);
    search.count = count;
    memcpy(finds->points + finds->n_points, points, count * sizeof *points);
    finds->n_points += count;
    finds->searches[finds->n_searches++] = search;
    finds->of_pair[index] = (uint32_t)finds->n_searches;
}

int pcm_found_list(pcm_mujoco *host, pcm_collision_data *data, uint32_t index, int geom_a, int geom_b,
                   pcm_found *contacts)
{
    const bool threaded = pcm_release_is_threaded(data);
    pcm_point  points[mjMAXCONPAIR];
    const int  count = find(host, data, index, geom_a, geom_b, contacts, points);
    if (geom_a != host->objects[host->pairs[index].a].geom)
        return count;
    if (threaded)
        pthread_mutex_lock(&host->looking);
    keep(host, data, index, points, (size_t)count);
    if (threaded)
        pthread_mutex_unlock(&host->looking);
    return count;
}

size_t pcm_found_points(const pcm_mujoco *host, mjData *data, uint32_t index, pcm_point *points)
{
    const pcm_search *search = look_up(host, data, index);
    if (search) {
        memcpy(points, host->found.points + search->first, search->count * sizeof *points);
        return search->count;
    }
    const pcm_served_pair *pair = &host->pairs[index];
    pcm_found              found[mjMAXCONPAIR];
    return (size_t)find(host, data, index, host->objects[pair->a].geom, host->objects[pair->b].geom, found, points);
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

pcm_status pcm_found_reserve(pcm_mujoco *host)
{
    host->found.of_pair = pcm_allocate(host->context, host->n_pairs * sizeof *host->found.of_pair);
    return host->found.of_pair || !host->n_pairs ? PCM_OK : pcm_scene_no_memory(host->context);
}

void pcm_found_free(pcm_mujoco *host)
{
    pcm_finds   *finds = &host->found;
    pcm_context *context = host->context;
    pcm_free(context, finds->of_pair, finds->of_pair ? host->n_pairs * sizeof *finds->of_pair : 0);
    pcm_free(context, finds->searches, finds->search_capacity * sizeof *finds->searches);
    pcm_free(context, finds->points, finds->point_capacity * sizeof *finds->points);
}
