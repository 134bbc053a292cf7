/* SPDX-License-Identifier: MIT */
/* served.c - the objects and pairs that laws serve. */
#include "detection.h"
#include <stdlib.h>

/* ---- For the user ------------------------------------------------------------------------------------------------ */

size_t pcm_mujoco_pair_count(const pcm_mujoco *host) { return host->detection->n_pairs; }

const pcm_type *pcm_mujoco_pair_type(const pcm_mujoco *host, size_t pair)
{
    return pair < host->detection->n_pairs ? host->detection->pairs[pair].type : NULL;
}

/* The pair's objects, the base first. False: there is no such pair. */
static bool sides_of(const pcm_mujoco *host, size_t pair, const pcm_served *sides[2])
{
    const pcm_detection *d = host->detection;
    if (pair >= d->n_pairs)
        return false;
    const pcm_served *a = &d->objects[d->pairs[pair].a], *b = &d->objects[d->pairs[pair].b];
    const pcm_type   *type;
    bool              swapped = false;
    (void)pcm_world_pair_type(host->world, a->handle, b->handle, &type, &swapped);
    sides[0] = swapped ? b : a;
    sides[1] = swapped ? a : b;
    return true;
}

bool pcm_mujoco_pair_names(const pcm_mujoco *host, size_t pair, const char **a, const char **b)
{
    const pcm_served *sides[2];
    if (!sides_of(host, pair, sides))
        return false;
    *a = sides[0]->name;
    *b = sides[1]->name;
    return true;
}

bool pcm_mujoco_pair_geoms(const pcm_mujoco *host, size_t pair, int geoms[2], double radii[2])
{
    const pcm_served *sides[2];
    if (!sides_of(host, pair, sides))
        return false;
    for (int k = 0; k < 2; k++) {
        geoms[k] = sides[k]->geom;
        radii[k] = sides[k]->radius;
    }
    return true;
}

size_t pcm_mujoco_pair_points(const pcm_mujoco *host, size_t pair)
{
    const pcm_detection *d = host->detection;
    const uint32_t       cloud = pair < d->n_pairs ? d->pairs[pair].cloud : 0;
    return cloud ? d->objects[cloud - 1].n_points : 0;
}

static const pcm_served *served_of(const pcm_mujoco *host, pcm_object object)
{
    const pcm_served *served =
        object.index < host->detection->n_objects ? host->detection->by_handle[object.index] : NULL;
    return served && served->handle.generation == object.generation ? served : NULL;
}

int pcm_mujoco_body(const pcm_mujoco *host, pcm_object object)
{
    const pcm_served *served = served_of(host, object);
    return served ? served->body : -1;
}

int pcm_mujoco_geom(const pcm_mujoco *host, pcm_object object)
{
    const pcm_served *served = served_of(host, object);
    return served ? served->geom : -1;
}

void pcm_served_report_unknown(const pcm_mujoco *host, uint32_t code, const char *what, const char *object)
{
    bool exists = false;
    for (size_t i = 0; i < host->scene->count && !exists; i++)
        exists = pcm_scene_fits(&host->scene->objects[i], object);
    if (exists)
        pcm_report(host->context, PCM_ERROR, code,
                   "%s for '%.150s': no rule gives it a law, so that it touches by MuJoCo's own contacts", what,
                   object);
    else
        pcm_report(host->context, PCM_ERROR, code, "%s for '%.150s': no object is called that%s", what, object,
                   pcm_scene_hint_object(host->scene, object).text);
}

/* ---- Building ---------------------------------------------------------------------------------------------------- */

typedef struct builder {
    pcm_mujoco *host;
    uint32_t   *served_index; /* per object of the scene: 1 + index among the served, 0 = not yet */
    size_t      n_pairs, n_natives;
} builder;

static pcm_status count_pair(void *user, const pcm_scene_object *a, const pcm_scene_object *b)
{
    builder        *build = user;
    const pcm_type *type = pcm_scene_rule(build->host->config, a, b, NULL);
    build->n_pairs += pcm_scene_serves(type);
    build->n_natives += !pcm_scene_serves(type) && b->geom >= 0;
    return PCM_OK;
}

static int mesh_of(const mjModel *model, int geom)
{
    return geom >= 0 && model->geom_type[geom] == mjGEOM_MESH ? model->geom_dataid[geom] : -1;
}

static pcm_status serve(builder *build, const pcm_scene_object *object, uint32_t *index)
{
    uint32_t *slot = &build->served_index[object - build->host->scene->objects];
    if (!*slot) {
        pcm_mujoco *host = build->host;
        pcm_served *served = &host->detection->objects[host->detection->n_objects];
        *served = (pcm_served){.object = object,
                               .name = object->name,
                               .surface = object->surface,
                               .geom = object->geom,
                               .site = object->site,
                               .body = object->body,
                               .mesh = mesh_of(host->model, object->geom),
                               .fixed = object->fixed,
                               .radius = object->radius};
        const pcm_object_def def = pcm_scene_def(host->model, object);
        served->handle = pcm_world_add_object(host->world, &def);
        if (!served->handle.generation)
            return PCM_NO_MEMORY;
        host->detection->served_body[object->body] = true;
        *slot = (uint32_t)++host->detection->n_objects;
    }
    *index = *slot - 1;
    return PCM_OK;
}

/* Points of a pair that are nearer than this count as one feature: a quarter of the smaller bounding sphere's
 * radius. */
static double same_place(const mjModel *model, int geom_a, int geom_b)
{
    double a = model->geom_rbound[geom_a], b = model->geom_rbound[geom_b];
    return 0.25 * (a > 0 && b > 0 ? fmin(a, b) : fmax(a, b));
}

/* Shapes without flat faces. If a pair has one of these, MuJoCo finds the points of the patch by tilting
 * the pair. */
static bool is_round(int type) { return type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER; }

/* Limits separations: a larger one has no effect, and with this bound MuJoCo's arithmetic with margins stays finite. */
#define FARTHEST 1e6

static pcm_status add_pair(void *user, const pcm_scene_object *a, const pcm_scene_object *b)
{
    builder        *build = user;
    pcm_mujoco     *host = build->host;
    size_t          rule;
    const pcm_type *type = pcm_scene_rule(host->config, a, b, &rule);
    if (!pcm_scene_serves(type)) {
        if (b->geom >= 0)
            pcm_native_add(host, a->geom, b->geom, type ? (uint32_t)rule : PCM_NO_RULE);
        return PCM_OK;
    }
    type = pcm_scene_between(build->host->scene, host->config, type, a, b);
    if (!type)
        return PCM_BAD_ARGUMENT;
    pcm_served_pair pair = {.type = type};
    pair.margin = fmin(fmax(pcm_type_get_info(type)->common->separation, 0), FARTHEST);
    pcm_status status = serve(build, a, &pair.a);
    if (status == PCM_OK)
        status = serve(build, b, &pair.b);
    if (status != PCM_OK)
        return status;
    if (b->geom >= 0) {
        const mjModel *model = host->model;
        int            type_a = model->geom_type[a->geom], type_b = model->geom_type[b->geom];
        pair.collide = pcm_process_collision(type_a, type_b);
        if (!pair.collide)
            return PCM_OK;
        pair.ours = pcm_shapes_serve(host, a->geom, b->geom, pcm_type_get_info(type)->common->smooth);
        const bool convex = pcm_process_convex(type_a, type_b) && !pair.ours;
        pair.single = convex && !pcm_release_multiccd(model);
        pair.led = convex && (is_round(type_a) || is_round(type_b));
        pair.bits = !pcm_scene_explicit(model, a->geom, b->geom);
        pair.same = same_place(model, a->geom, b->geom);
    }
    host->detection->pairs[host->detection->n_pairs++] = pair;
    host->detection->has_states |= pcm_type_get_info(type)->n_state > 0;
    host->detection->laws_step |= pcm_has_state(pcm_type_get_info(type)->model, PCM_CONTINUOUS, PCM_STEPS);
    host->detection->objects[pair.a].margin = fmax(host->detection->objects[pair.a].margin, 0.5 * pair.margin);
    host->detection->objects[pair.b].margin = fmax(host->detection->objects[pair.b].margin, 0.5 * pair.margin);
    return PCM_OK;
}

/* ---- Order ------------------------------------------------------------------------------------------------------- */

/* Sums of forces round differently in another order. Pairs and objects are sorted by name, so that a scene gives the
 * same bits in whatever order its elements are written. */
static int by_name(const void *a, const void *b)
{
    const pcm_served *first = a, *second = b;
    const int         order = strcmp(first->name, second->name);
    if (order)
        return order;
    return first->geom != second->geom ? (first->geom > second->geom) - (first->geom < second->geom)
                                       : (first->site > second->site) - (first->site < second->site);
}

static int by_objects(const void *a, const void *b)
{
    const pcm_served_pair *first = a, *second = b;
    return first->a != second->a ? (first->a > second->a) - (first->a < second->a)
                                 : (first->b > second->b) - (first->b < second->b);
}

static void sort(builder *build)
{
    pcm_mujoco *host = build->host;
    if (!host->detection->n_pairs)
        return;
    for (uint32_t i = 0; i < host->detection->n_objects; i++)
        host->detection->objects[i].served = i;
    qsort(host->detection->objects, host->detection->n_objects, sizeof *host->detection->objects, by_name);
    for (uint32_t i = 0; i < host->detection->n_objects; i++)
        build->served_index[host->detection->objects[i].served] =
            i; /* replaces the index before sorting by that after it */
    for (size_t i = 0; i < host->detection->n_pairs; i++) {
        host->detection->pairs[i].a = build->served_index[host->detection->pairs[i].a];
        host->detection->pairs[i].b = build->served_index[host->detection->pairs[i].b];
    }
    qsort(host->detection->pairs, host->detection->n_pairs, sizeof *host->detection->pairs, by_objects);
    for (uint32_t i = 0; i < host->detection->n_pairs; i++) {
        const int geom_a = host->detection->objects[host->detection->pairs[i].a].geom,
                  geom_b = host->detection->objects[host->detection->pairs[i].b].geom;
        if (geom_b >= 0)
            *pcm_pair_of(host, geom_a, geom_b) = *pcm_pair_of(host, geom_b, geom_a) = i + 1;
    }
}

static size_t geoms_squared(const pcm_mujoco *host) { return host->n_geoms * host->n_geoms; }

static pcm_status reserve(builder *build)
{
    pcm_mujoco    *host = build->host;
    pcm_context   *context = host->context;
    pcm_detection *d = host->detection;
    d->pair_capacity = build->n_pairs;
    d->object_capacity = host->scene->count;
    d->pairs = pcm_allocate(context, d->pair_capacity * sizeof *d->pairs);
    d->objects = pcm_allocate(context, d->object_capacity * sizeof *d->objects);
    d->by_handle = pcm_allocate(context, d->object_capacity * sizeof *d->by_handle);
    d->next_feature = pcm_allocate(context, d->pair_capacity * sizeof *d->next_feature);
    d->pair_of = pcm_allocate(context, geoms_squared(host) * sizeof *d->pair_of);
    d->served_body = pcm_allocate(context, host->n_bodies * sizeof *d->served_body);
    const bool lacks = (d->pair_capacity && (!d->pairs || !d->next_feature)) ||
                       (d->object_capacity && (!d->objects || !d->by_handle)) || (geoms_squared(host) && !d->pair_of) ||
                       !d->served_body || pcm_native_reserve(host, build->n_natives) != PCM_OK;
    return lacks ? pcm_host_no_memory(context) : PCM_OK;
}

static pcm_status make(builder *build)
{
    pcm_mujoco    *host = build->host;
    pcm_detection *d = host->detection;
    pcm_status     status = pcm_scene_each_pair(host->scene, count_pair, build);
    if (status == PCM_OK)
        status = reserve(build);
    if (status == PCM_OK)
        status = pcm_scene_each_pair(host->scene, add_pair, build);
    if (status != PCM_OK)
        return status;
    pcm_native_sort(host);
    sort(build);
    for (size_t i = 0; i < d->n_objects; i++)
        d->by_handle[d->objects[i].handle.index] = &d->objects[i];
    pcm_shapes_take(host);
    status = pcm_found_reserve(host);
    return status == PCM_OK ? pcm_near_reserve(host) : status;
}

pcm_status pcm_served_make(pcm_mujoco *host)
{
    builder      build = {.host = host};
    const size_t bytes = host->scene->count * sizeof *build.served_index;
    build.served_index = pcm_allocate(host->context, bytes);
    const pcm_status status =
        build.served_index || !host->scene->count ? make(&build) : pcm_host_no_memory(host->context);
    pcm_free(host->context, build.served_index, bytes);
    return status;
}

void pcm_served_free(pcm_mujoco *host)
{
    pcm_context   *context = host->context;
    pcm_detection *d = host->detection;
    pcm_free(context, d->pairs, d->pair_capacity * sizeof *d->pairs);
    pcm_free(context, d->objects, d->object_capacity * sizeof *d->objects);
    pcm_free(context, d->by_handle, d->object_capacity * sizeof *d->by_handle);
    pcm_free(context, d->pair_of, geoms_squared(host) * sizeof *d->pair_of);
    pcm_free(context, d->served_body, host->n_bodies * sizeof *d->served_body);
}
