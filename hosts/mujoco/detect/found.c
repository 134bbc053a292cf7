/* SPDX-License-Identifier: MIT */
/* found.c - the points that the narrow phase finds for a served pair.
 *
 * Both MuJoCo's list of contacts and an evaluation need them, in this order, at the same positions: the evaluation uses
 * the result of the list. A result is valid for the same positions and the same margin, which are stored with it. */
#include "detection.h"
#include <string.h>

enum {
    RIM = 3,           /* points that span a patch */
    MARGINS_TRIED = 16 /* each half of the one before */
};

/* Whether a point is reported to the world. */
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

/* The reverse conversion, as MuJoCo's own functions fill the struct. */
static pcm_found found_of(const pcm_point *point)
{
    pcm_found found = {.dist = -point->depth};
    memcpy(found.pos, point->at, sizeof point->at);
    memcpy(pcm_found_axis(&found), point->normal, sizeof point->normal);
    return found;
}

static bool is_deep(const pcm_found *found, int count)
{
    for (int i = 0; i < count; i++)
        if (found[i].dist < 0)
            return true;
    return false;
}

/* Calls MuJoCo's function. The general convex algorithm inflates bodies by the margin, and may then push a small body
 * out through its far side: it reports a deep overlap of bodies that are apart. So overlap is computed without a
 * margin, and gaps with a smaller one. */
static int collide(const pcm_mujoco *host, pcm_collision_data *data, const pcm_served_pair *pair, int geom_a,
                   int geom_b, pcm_found *found)
{
    const mjModel *model = host->model;
    const bool     general = pcm_process_convex(model->geom_type[geom_a], model->geom_type[geom_b]);
    double         margin = pcm_near_margin(host, pair);
    int            count = pair->collide(model, data, found, geom_a, geom_b, margin);
    if (!general || !(margin > 0) || !is_deep(found, count))
        return count;
    count = pair->collide(model, data, found, geom_a, geom_b, 0);
    if (is_deep(found, count))
        return count;
    for (int i = 0; i < MARGINS_TRIED; i++) {
        margin *= 0.5;
        count = pair->collide(model, data, found, geom_a, geom_b, margin);
        if (!is_deep(found, count))
            return count;
    }
    return 0;
}

/* Finds the points of the pair, as MuJoCo's struct, of which there are at most mjMAXCONPAIR, and as ours. */
static int find(const pcm_mujoco *host, pcm_collision_data *data, uint32_t index, int geom_a, int geom_b,
                pcm_found *found, pcm_point *points)
{
    const pcm_served_pair *pair = &host->detection->pairs[index];
    int                    kept = 0;
    const int              ours = pair->ours ? pcm_shapes_find(host, data, index, geom_a, points) : -1;
    for (int i = 0; i < ours && i < mjMAXCONPAIR; i++)
        found[i] = found_of(&points[i]);
    if (ours >= 0)
        return ours;
    const int count = collide(host, data, pair, geom_a, geom_b, found);
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

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static void place(const mjData *data, int geom, double *at)
{
    memcpy(at, data->geom_xpos + 3 * geom, 3 * sizeof *at);
    memcpy(at + 3, data->geom_xmat + 9 * geom, 9 * sizeof *at);
}

static bool is_at(const mjData *data, int geom, const double *at)
{
    return memcmp(at, data->geom_xpos + 3 * geom, 3 * sizeof *at) == 0 &&
           memcmp(at + 3, data->geom_xmat + 9 * geom, 9 * sizeof *at) == 0;
}

static pcm_search search_of(const pcm_mujoco *host, const mjData *data, uint32_t index)
{
    const pcm_detection   *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[index];
    pcm_search             search = {.pair = index, .first = d->found.n_points};
    search.margin = pcm_near_margin(host, pair);
    place(data, d->objects[pair->a].geom, search.places);
    place(data, d->objects[pair->b].geom, search.places + PCM_PLACE);
    return search;
}

void pcm_found_forget(pcm_mujoco *host)
{
    pcm_finds *finds = &host->detection->found;
    for (size_t i = 0; i < finds->n_searches; i++)
        finds->of_pair[finds->searches[i].pair] = 0;
    finds->n_searches = finds->n_points = 0;
}

/* Reserves a result for the pair. If the pair has one already, the positions have changed, and all results are dropped.
 * Without memory the result is not stored. */
static bool reserve(pcm_mujoco *host, uint32_t pair, size_t count)
{
    pcm_finds   *finds = &host->detection->found;
    pcm_context *context = host->context;
    if (finds->of_pair[pair])
        pcm_found_forget(host);
    return pcm_grow(context, &finds->searches, &finds->search_capacity, finds->n_searches + 1,
                    sizeof *finds->searches) &&
           pcm_grow(context, &finds->points, &finds->point_capacity, finds->n_points + count, sizeof *finds->points);
}

/* The valid result for the pair; NULL: there is none. */
static const pcm_search *look_up(const pcm_mujoco *host, const mjData *data, uint32_t pair)
{
    const pcm_detection *d = host->detection;
    const uint32_t       at = d->found.of_pair[pair];
    if (!at)
        return NULL;
    const pcm_search      *search = &d->found.searches[at - 1];
    const pcm_served_pair *of = &d->pairs[pair];
    const bool             holds = search->margin == pcm_near_margin(host, of) &&
                       is_at(data, d->objects[of->a].geom, search->places) &&
                       is_at(data, d->objects[of->b].geom, search->places + PCM_PLACE);
    return holds ? search : NULL;
}

/* ---- Pairs that are apart ---------------------------------------------------------------------------------------- */

/* A box around a geom without its rounding, whose radius is added: a capsule is a line with a radius. */
typedef struct outline {
    const double *at, *axes;
    double        half[3], round; /* m */
} outline;

static outline outline_of(const mjModel *model, const mjData *data, int geom)
{
    const double *size = model->geom_size + 3 * geom;
    outline       o = {.at = data->geom_xpos + 3 * geom, .axes = data->geom_xmat + 9 * geom};
    switch (model->geom_type[geom]) {
    case mjGEOM_CAPSULE:
        o.half[2] = size[1];
        o.round = size[0];
        break;
    case mjGEOM_CYLINDER:
        o.half[0] = o.half[1] = size[0];
        o.half[2] = size[1];
        break;
    case mjGEOM_BOX:
    case mjGEOM_ELLIPSOID:
        memcpy(o.half, size, sizeof o.half);
        break;
    default:
        o.round = model->geom_rbound[geom];
    }
    return o;
}

static double reach_along(const outline *o, const double way[3])
{
    double reach = o->round;
    for (int k = 0; k < 3; k++)
        reach += o->half[k] * fabs(o->axes[k] * way[0] + o->axes[3 + k] * way[1] + o->axes[6 + k] * way[2]);
    return reach;
}

/* Whether the two are farther apart than the margin along one of their axes, by more than rounding. */
static bool are_apart(const outline *a, const outline *b, bool is_plane, double margin)
{
    const double apart[3] = {b->at[0] - a->at[0], b->at[1] - a->at[1], b->at[2] - a->at[2]};
    const double slack = margin + 1e-9 * (margin + fabs(apart[0]) + fabs(apart[1]) + fabs(apart[2]));
    for (int k = is_plane ? 2 : 0; k < (is_plane ? 3 : 6); k++) {
        const double *axes = k < 3 ? a->axes : b->axes, way[3] = {axes[k % 3], axes[3 + k % 3], axes[6 + k % 3]};
        const double  along = pcm_dot(apart, way);
        if ((is_plane ? along : fabs(along)) > (is_plane ? 0 : reach_along(a, way)) + reach_along(b, way) + slack)
            return true;
    }
    return false;
}

/* A cheap test: many pairs that are apart have overlapping bounding spheres, and narrow phases are slow. */
static bool is_clear(const pcm_mujoco *host, const mjData *data, const pcm_served_pair *pair)
{
    const mjModel *model = host->model;
    const int      first = host->detection->objects[pair->a].geom, second = host->detection->objects[pair->b].geom;
    const bool     is_plane = model->geom_type[first] == mjGEOM_PLANE;
    const outline  a = outline_of(model, data, first), b = outline_of(model, data, second);
    return model->geom_rbound[second] > 0 && (is_plane || model->geom_rbound[first] > 0) &&
           are_apart(&a, &b, is_plane, pcm_near_margin(host, pair));
}

/* ---- For MuJoCo's list and for evaluations ----------------------------------------------------------------------- */

static void keep(pcm_mujoco *host, const mjData *data, uint32_t index, const pcm_point *points, size_t count)
{
    pcm_finds *finds = &host->detection->found;
    if (!reserve(host, index, count))
        return;
    pcm_search search = search_of(host, data, index);
    search.count = count;
    if (count) /* else there may be no room yet */
        memcpy(finds->points + finds->n_points, points, count * sizeof *points);
    finds->n_points += count;
    finds->searches[finds->n_searches++] = search;
    finds->of_pair[index] = (uint32_t)finds->n_searches;
}

int pcm_found_list(pcm_mujoco *host, pcm_collision_data *data, uint32_t index, int geom_a, int geom_b,
                   pcm_found *contacts)
{
    pcm_detection *d = host->detection;
    const bool     threaded = pcm_release_is_threaded(data);
    pcm_point      points[PCM_PAIR_POINTS];
    if (is_clear(host, data, &d->pairs[index]))
        return 0;
    const int count = find(host, data, index, geom_a, geom_b, contacts, points);
    const int listed = count < mjMAXCONPAIR ? count : mjMAXCONPAIR;
    if (geom_a != d->objects[d->pairs[index].a].geom)
        return listed;
    if (threaded)
        pthread_mutex_lock(&d->looking);
    keep(host, data, index, points, (size_t)count);
    if (threaded)
        pthread_mutex_unlock(&d->looking);
    return listed;
}

size_t pcm_found_points(const pcm_mujoco *host, mjData *data, uint32_t index, pcm_point *points)
{
    const pcm_detection *d = host->detection;
    const pcm_search    *search = look_up(host, data, index);
    if (search) {
        if (search->count)
            memcpy(points, d->found.points + search->first, search->count * sizeof *points);
        return search->count;
    }
    const pcm_served_pair *pair = &d->pairs[index];
    pcm_found              found[mjMAXCONPAIR];
    if (is_clear(host, data, pair))
        return 0;
    return (size_t)find(host, data, index, d->objects[pair->a].geom, d->objects[pair->b].geom, found, points);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

pcm_status pcm_found_reserve(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    d->found.of_pair = pcm_allocate(host->context, d->n_pairs * sizeof *d->found.of_pair);
    return d->found.of_pair || !d->n_pairs ? PCM_OK : pcm_host_no_memory(host->context);
}

void pcm_found_free(pcm_mujoco *host)
{
    pcm_finds   *finds = &host->detection->found;
    pcm_context *context = host->context;
    pcm_free(context, finds->of_pair, finds->of_pair ? host->detection->n_pairs * sizeof *finds->of_pair : 0);
    pcm_free(context, finds->searches, finds->search_capacity * sizeof *finds->searches);
    pcm_free(context, finds->points, finds->point_capacity * sizeof *finds->points);
}
