/* SPDX-License-Identifier: MIT */
/* near.c - the neighbour list of served pairs.
 *
 * Most pairs of a scene are far apart and stay so. Those that are near are listed with some slack, and the list is
 * valid until a geom has moved by more than the slack. MuJoCo's own list of near pairs does not suffice: it ignores
 * the separations of contact types and the reach of a solver, it is cut off at the model's maximum of contacts, and
 * it is empty when contacts are disabled. The cells of libpcm-geometry are meant for hundreds of thousands of
 * objects that come and go; a scene has a few thousand at most, always the same ones. */
#include "detection.h"
#include <string.h>

/* Fraction of the radius of a geom's bounding sphere. */
#define SLACK 0.1
/* Fraction of the slack, to allow for rounding. */
#define STAY 0.99

static bool has_sphere(const mjModel *model, int geom) { return geom >= 0 && model->geom_rbound[geom] > 0; }

/* ---- Whether the list is still valid ----------------------------------------------------------------------------- */

static bool sphere_stayed(const pcm_mujoco *host, const pcm_bounded *bounded, const mjData *data)
{
    return pcm_distance_squared(data->geom_xpos + 3 * bounded->geom, bounded->at) <= bounded->stay &&
           pcm_bound_of(host, &host->detection->objects[bounded->object]) == bounded->bound;
}

static bool plane_stayed(const pcm_plane *plane, const mjData *data)
{
    return memcmp(plane->at, data->geom_xpos + 3 * plane->geom, sizeof plane->at) == 0 &&
           memcmp(plane->axes, data->geom_xmat + 9 * plane->geom, sizeof plane->axes) == 0;
}

static bool holds(const pcm_mujoco *host, const mjData *data, double reach)
{
    const pcm_near *near = &host->detection->near;
    bool            stayed = near->listed && near->reach == reach;
    for (size_t i = 0; i < near->n_planes && stayed; i++)
        stayed = plane_stayed(&near->planes[i], data);
    for (size_t i = 0; i < near->n_bounded && stayed; i++)
        stayed = sphere_stayed(host, &near->bounded[i], data);
    return stayed;
}

/* ---- Listing ----------------------------------------------------------------------------------------------------- */

typedef struct listing {
    pcm_mujoco *host;
    pcm_status  status;
} listing;

static void free_list(pcm_context *context, pcm_near *near)
{
    pcm_free(context, near->glances, near->capacity * sizeof *near->glances);
    pcm_free(context, near->found, near->capacity * sizeof *near->found);
    pcm_free(context, near->spare, near->capacity * sizeof *near->spare);
}

static pcm_status grow(pcm_context *context, pcm_near *near)
{
    const size_t capacity = near->capacity ? 2 * near->capacity : 64;
    pcm_near     grown = {.capacity = capacity,
                          .glances = pcm_allocate(context, capacity * sizeof *grown.glances),
                          .found = pcm_allocate(context, capacity * sizeof *grown.found),
                          .spare = pcm_allocate(context, capacity * sizeof *grown.spare)};
    if (!grown.glances || !grown.found || !grown.spare) {
        free_list(context, &grown);
        return pcm_host_no_memory(context);
    }
    if (near->count)
        memcpy(grown.found, near->found, near->count * sizeof *grown.found);
    free_list(context, near);
    near->glances = grown.glances;
    near->found = grown.found;
    near->spare = grown.spare;
    near->capacity = capacity;
    return PCM_OK;
}

static void add(listing *l, uint32_t pair)
{
    pcm_near *near = &l->host->detection->near;
    if (near->count == near->capacity && l->status == PCM_OK)
        l->status = grow(l->host->context, near);
    if (l->status == PCM_OK)
        near->found[near->count++] = (pcm_keyed){.key = pair};
}

static void place_plane(const mjData *data, pcm_plane *plane)
{
    memcpy(plane->at, data->geom_xpos + 3 * plane->geom, sizeof plane->at);
    memcpy(plane->axes, data->geom_xmat + 9 * plane->geom, sizeof plane->axes);
}

/* A sphere whose position is not finite, or too far away for the sweep, counts as near to everything. */
static void place_sphere(const pcm_mujoco *host, const mjData *data, pcm_bounded *bounded, pcm_ball *ball)
{
    const double *at = data->geom_xpos + 3 * bounded->geom;
    const bool    found =
        fabs(at[0]) < PCM_SWEEP_FARTHEST && fabs(at[1]) < PCM_SWEEP_FARTHEST && fabs(at[2]) < PCM_SWEEP_FARTHEST;
    bounded->bound = pcm_bound_of(host, &host->detection->objects[bounded->object]);
    const double slack = SLACK * bounded->bound;
    bounded->stay = STAY * STAY * slack * slack;
    mju_copy3(bounded->at, at);
    *ball = (pcm_ball){{0, 0, 0}, INFINITY};
    if (found) {
        mju_copy3(ball->centre, at);
        ball->radius = bounded->bound + fmax(bounded->margin, 0.5 * host->detection->near.reach) + slack;
    }
}

/* Whether a plane and a sphere are too far apart. Other wide pairs are always listed. */
static bool is_apart(const pcm_mujoco *host, const mjData *data, const pcm_served_pair *pair)
{
    const pcm_detection *d = host->detection;
    const mjModel       *model = host->model;
    const int            plane = d->objects[pair->a].geom, geom = d->objects[pair->b].geom;
    if (model->geom_type[plane] != mjGEOM_PLANE || !has_sphere(model, geom))
        return false;
    const double *axes = data->geom_xmat + 9 * plane, normal[3] = {axes[2], axes[5], axes[8]};
    double        apart[3];
    mju_sub3(apart, data->geom_xpos + 3 * geom, data->geom_xpos + 3 * plane);
    return pcm_dot(apart, normal) >
           (1 + SLACK) * pcm_bound_of(host, &d->objects[pair->b]) + pcm_near_margin(host, pair);
}

static void meet(void *user, uint32_t a, uint32_t b)
{
    listing           *l = user;
    const pcm_mujoco  *host = l->host;
    const pcm_bounded *bounded = host->detection->near.bounded;
    const pcm_ball    *first = &host->detection->near.balls[a], *second = &host->detection->near.balls[b];
    const double       reach = first->radius + second->radius;
    if (pcm_distance_squared(first->centre, second->centre) > reach * reach)
        return;
    const uint32_t pair = *pcm_pair_of(host, bounded[a].geom, bounded[b].geom);
    if (pair)
        add(l, pair - 1);
}

static pcm_glance glance_at(const pcm_mujoco *host, uint32_t index)
{
    const pcm_detection   *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[index];
    const pcm_served      *a = &d->objects[pair->a], *b = &d->objects[pair->b];
    pcm_glance             glance = {index, a->geom, b->geom, INFINITY};
    if (has_sphere(host->model, glance.geom_a) && has_sphere(host->model, glance.geom_b))
        glance.reach = pcm_bound_of(host, b) + pcm_near_margin(host, pair) + pcm_bound_of(host, a);
    return glance;
}

static pcm_status list(pcm_mujoco *host, const mjData *data)
{
    pcm_near *near = &host->detection->near;
    listing   l = {host, PCM_OK};
    near->count = 0;
    for (size_t i = 0; i < near->n_planes; i++)
        place_plane(data, &near->planes[i]);
    for (size_t i = 0; i < near->n_bounded; i++)
        place_sphere(host, data, &near->bounded[i], &near->balls[i]);
    for (size_t i = 0; i < near->n_wide; i++)
        if (!is_apart(host, data, &host->detection->pairs[near->wide[i]]))
            add(&l, near->wide[i]);
    pcm_sweep_balls(&near->sweep, near->balls, (uint32_t)near->n_bounded, meet, &l);
    pcm_sort_keyed(near->found, near->spare, near->count);
    if (near->n_objects)
        memset(near->marked, 0, near->n_objects * sizeof *near->marked);
    for (size_t i = 0; i < near->count; i++) {
        near->glances[i] = glance_at(host, (uint32_t)near->found[i].key);
        pcm_mark_near(host, near->glances[i].pair);
    }
    return l.status;
}

pcm_status pcm_near_list(pcm_mujoco *host, const mjData *data)
{
    const double reach = host->detection->reach;
    pcm_near    *near = &host->detection->near;
    if (holds(host, data, reach))
        return PCM_OK;
    near->reach = reach;
    const pcm_status status = list(host, data);
    near->listed = status == PCM_OK;
    return status;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static bool is_wide(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    return !has_sphere(host->model, host->detection->objects[pair->a].geom) ||
           !has_sphere(host->model, host->detection->objects[pair->b].geom);
}

static size_t count_wide(const pcm_mujoco *host)
{
    size_t count = 0;
    for (size_t i = 0; i < host->detection->n_pairs; i++)
        count += is_wide(host, &host->detection->pairs[i]);
    return count;
}

static void sort_out(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    pcm_near      *near = &d->near;
    for (uint32_t i = 0; i < d->n_pairs; i++) {
        if (is_wide(host, &d->pairs[i]))
            near->wide[near->n_wide++] = i;
    }
    for (uint32_t i = 0; i < d->n_objects; i++) {
        const pcm_served *object = &d->objects[i];
        if (has_sphere(host->model, object->geom))
            near->bounded[near->n_bounded++] =
                (pcm_bounded){.geom = object->geom, .object = i, .margin = object->margin};
        else if (object->geom >= 0)
            near->planes[near->n_planes++] = (pcm_plane){.geom = object->geom};
    }
}

pcm_status pcm_near_reserve(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    pcm_near      *near = &d->near;
    pcm_context   *context = host->context;
    const size_t   objects = d->n_objects;
    if (!d->n_pairs)
        return PCM_OK;
    near->n_objects = objects;
    near->wide_capacity = count_wide(host);
    near->bounded = pcm_allocate(context, objects * sizeof *near->bounded);
    near->planes = pcm_allocate(context, objects * sizeof *near->planes);
    near->balls = pcm_allocate(context, objects * sizeof *near->balls);
    near->sweep.order = pcm_allocate(context, objects * sizeof *near->sweep.order);
    near->sweep.spare = pcm_allocate(context, objects * sizeof *near->sweep.spare);
    near->sweep.high = pcm_allocate(context, objects * sizeof *near->sweep.high);
    near->marked = pcm_allocate(context, objects * sizeof *near->marked);
    near->wide = pcm_allocate(context, near->wide_capacity * sizeof *near->wide);
    if (!near->bounded || !near->planes || !near->balls || !near->sweep.order || !near->sweep.spare ||
        !near->sweep.high || !near->marked || (near->wide_capacity && !near->wide))
        return pcm_host_no_memory(context);
    sort_out(host);
    return PCM_OK;
}

void pcm_near_free(pcm_mujoco *host)
{
    pcm_near    *near = &host->detection->near;
    pcm_context *context = host->context;
    free_list(context, near);
    pcm_free(context, near->bounded, near->n_objects * sizeof *near->bounded);
    pcm_free(context, near->planes, near->n_objects * sizeof *near->planes);
    pcm_free(context, near->balls, near->n_objects * sizeof *near->balls);
    pcm_free(context, near->sweep.order, near->n_objects * sizeof *near->sweep.order);
    pcm_free(context, near->sweep.spare, near->n_objects * sizeof *near->sweep.spare);
    pcm_free(context, near->sweep.high, near->n_objects * sizeof *near->sweep.high);
    pcm_free(context, near->marked, near->n_objects * sizeof *near->marked);
    pcm_free(context, near->wide, near->wide_capacity * sizeof *near->wide);
}
