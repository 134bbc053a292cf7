/* SPDX-License-Identifier: MIT */
/* attach.c - an attachment comes and goes: objects and pairs that laws serve, the world, the memory. */
#include "host.h"
#include <pcm/messages.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void pcm_mujoco_defaults_into(pcm_mujoco_def *def, size_t size)
{
    const pcm_mujoco_def defaults = {.size = sizeof defaults,
                                     .check_scene = true,
                                     .list_contacts = true,
                                     .advise_step = true,
                                     .own_boxes = true,
                                     .own_convex = true};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

pcm_world *pcm_mujoco_world(pcm_mujoco *host) { return host->world; }

const mjModel *pcm_mujoco_model(const pcm_mujoco *host) { return host->model; }

mjData *pcm_mujoco_data(const pcm_mujoco *host) { return host->data; }

size_t pcm_mujoco_pair_count(const pcm_mujoco *host) { return host->n_pairs; }

const pcm_type *pcm_mujoco_pair_type(const pcm_mujoco *host, size_t pair)
{
    return pair < host->n_pairs ? host->pairs[pair].type : NULL;
}

bool pcm_mujoco_pair_names(const pcm_mujoco *host, size_t pair, const char **a, const char **b)
{
    if (pair >= host->n_pairs)
        return false;
    const pcm_served *base = &host->objects[host->pairs[pair].a], *follower = &host->objects[host->pairs[pair].b];
    const pcm_type   *type;
    bool              swapped = false;
    (void)pcm_world_pair_type(host->world, base->handle, follower->handle, &type, &swapped);
    *a = (swapped ? follower : base)->name;
    *b = (swapped ? base : follower)->name;
    return true;
}

size_t pcm_mujoco_pair_points(const pcm_mujoco *host, size_t pair)
{
    const uint32_t cloud = pair < host->n_pairs ? host->pairs[pair].cloud : 0;
    return cloud ? host->objects[cloud - 1].n_points : 0;
}

static const pcm_served *served_of(const pcm_mujoco *host, pcm_object object)
{
    const pcm_served *served = object.index < host->n_objects ? host->by_handle[object.index] : NULL;
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

int pcm_mujoco_integrator(const char *name)
{
    static const struct {
        const char *name;
        int         integrator;
    } known[] = {{"euler", mjINT_EULER},
                 {"rk4", mjINT_RK4},
                 {"implicit", mjINT_IMPLICIT},
                 {"implicitfast", PCM_RELEASE_IMPLICITFAST}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].integrator;
    return -1;
}

/* ---- Loading --------------------------------------------------------------------------------------------------- */

typedef struct loading {
    const char *path;
    mjModel    *model;
    char        error[1024];
} loading;

static void load(void *user)
{
    loading *l = user;
    l->model = mj_loadXML(l->path, NULL, l->error, sizeof l->error);
}

/* MuJoCo's reasons have several lines, and messages one. */
static void join_lines(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    for (char *end; (end = strchr(text, '\n'));)
        *end = ' ';
}

bool pcm_mujoco_fits(pcm_context *context)
{
    if (pcm_release_fits())
        return true;
    pcm_report(
        context, PCM_ERROR, PCM_MSG_RELEASE,
        "libmujoco is release %d (mj_version), but PCM was compiled with the headers of %d: compile PCM with the "
        "headers of that library, -Dmujoco_dir=DIR",
        mj_version(), mjVERSION_HEADER);
    return false;
}

mjModel *pcm_mujoco_load(pcm_context *context, const char *path)
{
    loading l = {.path = path};
    if (!pcm_mujoco_fits(context))
        return NULL;
    if (access(path, R_OK) != 0) {
        pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: the file does not exist or cannot be read", path);
        return NULL;
    }
    if (pcm_process_guard(context, load, &l) && !l.model) {
        join_lines(l.error);
        pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: %s", path, l.error);
    }
    return l.model;
}

/* ---- Building -------------------------------------------------------------------------------------------------- */

typedef struct builder {
    pcm_mujoco      *host;
    const pcm_scene *scene;
    uint32_t        *served_index; /* per object of the scene: 1 + index among the served, 0 = not yet */
    size_t           n_pairs, n_natives;
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
    uint32_t *slot = &build->served_index[object - build->scene->objects];
    if (!*slot) {
        pcm_mujoco *host = build->host;
        pcm_served *served = &host->objects[host->n_objects];
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
        host->served_body[object->body] = true;
        *slot = (uint32_t)++host->n_objects;
    }
    *index = *slot - 1;
    return PCM_OK;
}

/* Features of one pair are told apart by place: a quarter of the smaller shape's bounding sphere. */
static double same_place(const mjModel *model, int geom_a, int geom_b)
{
    double a = model->geom_rbound[geom_a], b = model->geom_rbound[geom_b];
    return 0.25 * (a > 0 && b > 0 ? fmin(a, b) : fmax(a, b));
}

/* Shapes without flat faces alone, for which the points of a patch are looked for by tilting the pair. */
static bool is_round(int type) { return type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER; }

/* Beyond this a shape is out of everybody's reach, and MuJoCo's arithmetic with margins stays finite. */
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
    type = pcm_scene_between(build->scene, host->config, type, a, b);
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
        pair.ours = pcm_shapes_serve(host, a->geom, b->geom);
        const bool convex = pcm_process_convex(type_a, type_b) && !pair.ours;
        pair.single = convex && !pcm_release_multiccd(model);
        pair.led = convex && (is_round(type_a) || is_round(type_b));
        pair.bits = !pcm_scene_explicit(model, a->geom, b->geom);
        pair.same = same_place(model, a->geom, b->geom);
    }
    host->pairs[host->n_pairs++] = pair;
    host->has_states |= pcm_type_get_info(type)->n_state > 0;
    host->objects[pair.a].margin = fmax(host->objects[pair.a].margin, 0.5 * pair.margin);
    host->objects[pair.b].margin = fmax(host->objects[pair.b].margin, 0.5 * pair.margin);
    return PCM_OK;
}

/* ---- Order ----------------------------------------------------------------------------------------------------- */

/* Sums of forces round by their order. Pairs and objects are gone through by name, so that a scene gives the same bits
 * whatever the order in which its elements are written. */
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
    if (!host->n_pairs)
        return;
    for (uint32_t i = 0; i < host->n_objects; i++)
        host->objects[i].served = i;
    qsort(host->objects, host->n_objects, sizeof *host->objects, by_name);
    for (uint32_t i = 0; i < host->n_objects; i++)
        build->served_index[host->objects[i].served] = i; /* from the index when it was served to the sorted one */
    for (size_t i = 0; i < host->n_pairs; i++) {
        host->pairs[i].a = build->served_index[host->pairs[i].a];
        host->pairs[i].b = build->served_index[host->pairs[i].b];
    }
    qsort(host->pairs, host->n_pairs, sizeof *host->pairs, by_objects);
    for (uint32_t i = 0; i < host->n_pairs; i++) {
        const int geom_a = host->objects[host->pairs[i].a].geom, geom_b = host->objects[host->pairs[i].b].geom;
        if (geom_b >= 0)
            *pcm_pair_of(host, geom_a, geom_b) = *pcm_pair_of(host, geom_b, geom_a) = i + 1;
    }
}

static size_t geoms_squared(const pcm_mujoco *host) { return host->n_geoms * host->n_geoms; }

static pcm_status build_served(builder *build)
{
    pcm_mujoco  *host = build->host;
    pcm_context *context = host->context;
    pcm_status   status = pcm_scene_each_pair(build->scene, count_pair, build);
    if (status != PCM_OK)
        return status;
    host->pair_capacity = build->n_pairs;
    host->object_capacity = build->scene->count;
    host->pairs = pcm_allocate(context, host->pair_capacity * sizeof *host->pairs);
    host->objects = pcm_allocate(context, host->object_capacity * sizeof *host->objects);
    host->by_handle = pcm_allocate(context, host->object_capacity * sizeof *host->by_handle);
    host->next_feature = pcm_allocate(context, host->pair_capacity * sizeof *host->next_feature);
    host->pair_of = pcm_allocate(context, geoms_squared(host) * sizeof *host->pair_of);
    host->user_force = pcm_allocate(context, 6 * host->n_bodies * sizeof *host->user_force);
    host->applied = pcm_allocate(context, 6 * host->n_bodies * sizeof *host->applied);
    host->has_share = pcm_allocate(context, host->n_bodies * sizeof *host->has_share);
    host->served_body = pcm_allocate(context, host->n_bodies * sizeof *host->served_body);
    host->stood = pcm_allocate(context, host->n_state * sizeof *host->stood);
    if ((host->pair_capacity && (!host->pairs || !host->next_feature)) ||
        (host->object_capacity && (!host->objects || !host->by_handle)) ||
        pcm_native_reserve(host, build->n_natives) != PCM_OK || (geoms_squared(host) && !host->pair_of) ||
        !host->user_force || !host->applied || !host->has_share || !host->served_body ||
        (host->n_state && !host->stood))
        return pcm_scene_no_memory(context);
    status = pcm_scene_each_pair(build->scene, add_pair, build);
    pcm_native_sort(host);
    sort(build);
    for (size_t i = 0; i < host->n_objects; i++)
        host->by_handle[host->objects[i].handle.index] = &host->objects[i];
    pcm_shapes_take(host);
    pcm_sense_find(host);
    status = status == PCM_OK ? pcm_found_reserve(host) : status;
    return status == PCM_OK ? pcm_near_reserve(host) : status;
}

static pcm_status build_host(pcm_mujoco *host, const pcm_mujoco_def *def)
{
    pcm_status status = pcm_scene_read(&host->scene, host->context, host->config, host->model, def);
    if (status != PCM_OK)
        return status;
    pcm_scene_tell_surfaces(&host->scene);
    if (def->check_scene)
        status = pcm_scene_check(&host->scene, host->config, false, NULL);
    if (status != PCM_OK)
        return status;
    builder build = {.host = host, .scene = &host->scene};
    size_t  index_bytes = host->scene.count * sizeof *build.served_index;
    build.served_index = pcm_allocate(host->context, index_bytes);
    status = build.served_index || !host->scene.count ? build_served(&build) : pcm_scene_no_memory(host->context);
    pcm_free(host->context, build.served_index, index_bytes);
    return status;
}

bool pcm_mujoco_fill(pcm_context *context, const pcm_mujoco_def *def, pcm_mujoco_def *filled)
{
    *filled = pcm_mujoco_defaults();
    return pcm_def_fill(context, "pcm_mujoco_def", filled, def);
}

static bool build_world(pcm_mujoco *host, const pcm_mujoco_def *def)
{
    pcm_world_def world = pcm_world_defaults();
    world.log_directory = def->log_directory;
    world.log_continue = def->log_continue;
    world.ledger = def->ledger;
    host->world = pcm_world_new(host->config, &world);
    return host->world;
}

/* What the world is after a reset. */
static pcm_status keep_birth(pcm_mujoco *host)
{
    host->birth_size = pcm_checkpoint_bytes(host);
    host->birth = pcm_allocate(host->context, host->birth_size);
    return host->birth ? pcm_checkpoint_write(host, host->birth) : pcm_scene_no_memory(host->context);
}

static bool has_all(pcm_context *context, const pcm_config *config, const mjModel *model, const mjData *data)
{
    if (config && model && data)
        return true;
    pcm_report(context, PCM_ERROR, PCM_MSG_NULL_ARGUMENT, "nothing to attach: the %s is NULL",
               !config  ? "configuration (did its file load?)"
               : !model ? "mjModel"
                        : "mjData");
    return false;
}

pcm_mujoco *pcm_mujoco_attach(pcm_context *context, pcm_config *config, const mjModel *model, mjData *data,
                              const pcm_mujoco_def *def)
{
    pcm_mujoco_def filled;
    if (!pcm_mujoco_fits(context) || !has_all(context, config, model, data) || !pcm_model_has(context, model, data) ||
        !pcm_mujoco_fill(context, def, &filled))
        return NULL;
    pcm_mujoco *host = pcm_allocate(context, sizeof *host);
    if (!host) {
        pcm_scene_no_memory(context);
        return NULL;
    }
    *host = (pcm_mujoco){.context = context,
                         .config = config,
                         .model = model,
                         .data = data,
                         .n_geoms = (size_t)model->ngeom,
                         .n_bodies = (size_t)model->nbody,
                         .n_state = (size_t)model->nq + (size_t)model->nv,
                         .follows = true,
                         .lists = filled.list_contacts,
                         .step_told = !filled.advise_step,
                         .own_boxes = filled.own_boxes,
                         .own_convex = filled.own_convex,
                         .input = filled.input,
                         .input_user = filled.input_user,
                         .now = NAN,
                         .next = NAN,
                         .drifted = NAN,
                         .overlap.start = NAN};
    pthread_mutex_init(&host->lock, NULL);
    pthread_mutex_init(&host->looking, NULL);
    pcm_follow_renew(host);
    pcm_process_hook_in();
    if (pcm_model_keep(host) != PCM_OK || !build_world(host, &filled) || build_host(host, &filled) != PCM_OK ||
        keep_birth(host) != PCM_OK || pcm_registry_enter(host) != PCM_OK) {
        pcm_mujoco_free(host);
        return NULL;
    }
    return host;
}

/* What guests share with their attachment. */
static void free_shared(pcm_mujoco *host)
{
    pcm_context *context = host->context;
    pcm_shapes_free(host);
    pcm_measure_free(host);
    if (host->scene.model)
        pcm_scene_free(&host->scene);
    pcm_free(context, host->pairs, host->pair_capacity * sizeof *host->pairs);
    pcm_free(context, host->objects, host->object_capacity * sizeof *host->objects);
    pcm_free(context, host->by_handle, host->object_capacity * sizeof *host->by_handle);
    pcm_free(context, host->pair_of, geoms_squared(host) * sizeof *host->pair_of);
    pcm_free(context, host->birth, host->birth_size);
    pcm_model_forget(host);
    pcm_pasts_free(context, &host->orphans);
    pcm_pasts_free(context, &host->steps);
    pcm_native_free(host);
    pcm_free(context, host->user_force, 6 * host->n_bodies * sizeof *host->user_force);
    pcm_free(context, host->applied, 6 * host->n_bodies * sizeof *host->applied);
    pcm_free(context, host->has_share, host->n_bodies * sizeof *host->has_share);
    pcm_free(context, host->served_body, host->n_bodies * sizeof *host->served_body);
    pcm_free(context, host->stood, host->stood ? host->n_state * sizeof *host->stood : 0);
}

void pcm_mujoco_dispose(pcm_mujoco *host)
{
    pcm_context *context = host->context;
    const size_t pairs = host->source ? host->n_pairs : host->pair_capacity;
    pcm_detect_free(host);
    pcm_found_free(host);
    pcm_ease_free(host);
    pcm_stages_free(host);
    pcm_implicit_free(host);
    pcm_stable_free(host);
    pcm_count_free(host);
    pcm_near_free(host);
    pcm_free(context, host->next_feature, pairs * sizeof *host->next_feature);
    pcm_free(context, host->before.bytes, host->before.room);
    if (!host->source)
        free_shared(host);
    pthread_mutex_destroy(&host->lock);
    pthread_mutex_destroy(&host->looking);
    pcm_world_free(host->world); /* may be what keeps the config, which the sizes above come from */
    pcm_free(context, host, sizeof *host);
}

void pcm_mujoco_free(pcm_mujoco *host)
{
    if (!host)
        return;
    pcm_registry_leave(host);
    pcm_mujoco_dispose(host);
}
