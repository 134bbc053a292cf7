/* SPDX-License-Identifier: MIT */
/* scene.c - objects, surfaces and colliding pairs of a MuJoCo model, and the rules that match them. */
#include "scene.h"
#include <pcm/materials.h>
#include <pcm/messages.h>
#include <string.h>

/* Splits "pattern=Surface" at its last '='. */
static bool split_surface(const char *text, char *pattern, size_t size, const char **surface)
{
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text || !equals[1] || (size_t)(equals - text) >= size)
        return false;
    memcpy(pattern, text, (size_t)(equals - text));
    pattern[equals - text] = '\0';
    *surface = equals + 1;
    return true;
}

/* Copies the texts of the definition: they need not outlive the call. */
static pcm_status copy_texts(pcm_scene *scene, const pcm_mujoco_def *def)
{
    for (size_t i = 0; i < def->n_surfaces; i++)
        scene->texts_size += strlen(def->surfaces[i]) + 1;
    scene->texts = pcm_allocate(scene->context, scene->texts_size);
    if (scene->texts_size && !scene->texts)
        return pcm_host_no_memory(scene->context);
    char *to = scene->texts;
    for (size_t i = 0; i < def->n_surfaces; i++) {
        const size_t size = strlen(def->surfaces[i]) + 1;
        memcpy(to, def->surfaces[i], size);
        to += size;
    }
    return PCM_OK;
}

static pcm_status override_surfaces(pcm_scene *scene, const pcm_mujoco_def *def)
{
    if (copy_texts(scene, def) != PCM_OK)
        return PCM_NO_MEMORY;
    const char *text = scene->texts;
    for (size_t i = 0; i < def->n_surfaces; i++, text += strlen(text) + 1) {
        char        pattern[256];
        const char *surface;
        if (!split_surface(text, pattern, sizeof pattern, &surface)) {
            pcm_report(scene->context, PCM_ERROR, PCM_MSG_SURFACE_TEXT, "'%s' is not of the form pattern=Surface",
                       text);
            return PCM_BAD_ARGUMENT;
        }
        (void)pcm_scene_assign_surface(scene, pattern, surface);
    }
    return PCM_OK;
}

void pcm_scene_report_surfaces(const pcm_scene *scene)
{
    for (const char *text = scene->texts; text < scene->texts + scene->texts_size; text += strlen(text) + 1) {
        char        pattern[256];
        const char *surface;
        bool        used = !split_surface(text, pattern, sizeof pattern, &surface);
        for (size_t i = 0; i < scene->count && !used; i++)
            used = pcm_scene_fits(&scene->objects[i], pattern);
        if (!used)
            pcm_report(scene->context, PCM_WARNING, PCM_MSG_SURFACE_UNUSED, "'%s' matches no object of the scene%s",
                       text, pcm_scene_hint_object(scene, pattern).text);
    }
}

static bool in_explicit_pair(const mjModel *model, int geom)
{
    for (int i = 0; i < model->npair; i++)
        if (model->pair_geom1[i] == geom || model->pair_geom2[i] == geom)
            return true;
    return false;
}

bool pcm_scene_is_idle(const mjModel *model, int geom)
{
    return !model->geom_contype[geom] && !model->geom_conaffinity[geom] && !in_explicit_pair(model, geom);
}

/* Whether a body is fixed. A mocap body is a child of the world like a fixed one, but the user moves it. */
static bool is_fixed(const mjModel *model, int body)
{
    return model->body_weldid[body] == 0 && model->body_mocapid[model->body_rootid[body]] < 0;
}

/* The radius of a shape that is round at a contact. A cylinder counts as round even at its flat ends: the model does
 * not say on which side a contact is. */
static double radius_of(const mjModel *model, int geom)
{
    const int  type = model->geom_type[geom];
    const bool round = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
    return round ? model->geom_size[3 * geom] : 0;
}

static void read_geom(pcm_scene *scene, const pcm_config *config, int geom)
{
    const mjModel *model = scene->model;
    if (pcm_scene_is_idle(model, geom))
        return;
    pcm_scene_object *object = &scene->objects[scene->count++];
    *object = (pcm_scene_object){.geom = geom, .site = -1, .body = model->geom_bodyid[geom]};
    object->fixed = is_fixed(model, object->body);
    object->radius = radius_of(model, geom);
    object->surface = pcm_scene_text(model, mjOBJ_MATERIAL, model->geom_matid[geom]);
    pcm_scene_name(scene, config, object);
}

static void read_site(pcm_scene *scene, int site)
{
    const mjModel *model = scene->model;
    const char    *name = pcm_scene_text(model, mjOBJ_SITE, site);
    if (!*name)
        return;
    pcm_scene_object *object = &scene->objects[scene->count++];
    *object =
        (pcm_scene_object){.geom = -1, .site = site, .body = model->site_bodyid[site], .name = name, .base = name};
    object->fixed = is_fixed(model, object->body);
    object->surface = pcm_scene_text(model, mjOBJ_MATERIAL, model->site_matid[site]);
}

pcm_status pcm_scene_read(pcm_scene *scene, pcm_context *context, const pcm_config *config, const mjModel *model,
                          const pcm_mujoco_def *def)
{
    *scene = (pcm_scene){.context = context, .model = model, .gives = def->input, .own_convex = def->own_convex};
    scene->capacity = (size_t)(model->ngeom + model->nsite);
    scene->objects = pcm_allocate(context, scene->capacity * sizeof *scene->objects);
    if (!scene->objects && scene->capacity)
        return pcm_host_no_memory(context);
    for (int i = 0; i < model->ngeom; i++)
        read_geom(scene, config, i);
    for (int i = 0; i < model->nsite; i++)
        read_site(scene, i);
    pcm_scene_read_custom(scene);
    pcm_status status = override_surfaces(scene, def);
    if (status != PCM_OK)
        pcm_scene_free(scene);
    else
        pcm_scene_mean_sites(scene, config);
    return status;
}

void pcm_scene_free(pcm_scene *scene)
{
    pcm_free(scene->context, scene->texts, scene->texts_size);
    pcm_free(scene->context, scene->objects, scene->capacity * sizeof *scene->objects);
    *scene = (pcm_scene){.context = scene->context, .model = scene->model};
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

static bool bodies_excluded(const mjModel *model, int body_a, int body_b)
{
    int low = body_a < body_b ? body_a : body_b, high = body_a < body_b ? body_b : body_a;
    for (int i = 0; i < model->nexclude; i++)
        if (model->exclude_signature[i] == pcm_release_exclude(low, high))
            return true;
    return false;
}

/* Whether the bodies never collide: those that are welded together; and parent and child, unless the model enables
 * it. */
static bool bodies_filtered(const mjModel *model, int body_a, int body_b)
{
    int weld_a = model->body_weldid[body_a], weld_b = model->body_weldid[body_b];
    if (weld_a == weld_b)
        return true;
    int parent_a = model->body_weldid[model->body_parentid[weld_a]];
    int parent_b = model->body_weldid[model->body_parentid[weld_b]];
    return !(model->opt.disableflags & mjDSBL_FILTERPARENT) && weld_a && weld_b &&
           (weld_a == parent_b || weld_b == parent_a);
}

bool pcm_scene_explicit(const mjModel *model, int geom_a, int geom_b)
{
    if (!pcm_release_explicit(model))
        return false;
    for (int i = 0; i < model->npair; i++)
        if ((model->pair_geom1[i] == geom_a && model->pair_geom2[i] == geom_b) ||
            (model->pair_geom1[i] == geom_b && model->pair_geom2[i] == geom_a))
            return true;
    return false;
}

static bool geoms_collide(const mjModel *model, int geom_a, int geom_b)
{
    if (pcm_scene_explicit(model, geom_a, geom_b))
        return true;
    if (!pcm_release_dynamic(model))
        return false;
    int body_a = model->geom_bodyid[geom_a], body_b = model->geom_bodyid[geom_b];
    return ((model->geom_contype[geom_a] & model->geom_conaffinity[geom_b]) ||
            (model->geom_contype[geom_b] & model->geom_conaffinity[geom_a])) &&
           !bodies_filtered(model, body_a, body_b) && !bodies_excluded(model, body_a, body_b);
}

static bool point_meets(const pcm_scene *scene, const pcm_scene_object *plane, const pcm_scene_object *point)
{
    return point->meant && plane->geom >= 0 && scene->model->geom_type[plane->geom] == mjGEOM_PLANE &&
           scene->model->body_weldid[plane->body] != scene->model->body_weldid[point->body];
}

static pcm_status visit_pair(const pcm_scene *scene, size_t i, size_t k, pcm_scene_visit *visit, void *user)
{
    const pcm_scene_object *a = &scene->objects[i], *b = &scene->objects[k];
    if (b->site >= 0)
        return point_meets(scene, a, b) ? visit(user, a, b) : PCM_OK;
    if (!geoms_collide(scene->model, a->geom, b->geom))
        return PCM_OK;
    bool in_order = scene->model->geom_type[a->geom] <= scene->model->geom_type[b->geom];
    return in_order ? visit(user, a, b) : visit(user, b, a);
}

pcm_status pcm_scene_each_pair(const pcm_scene *scene, pcm_scene_visit *visit, void *user)
{
    for (size_t i = 0; i < scene->count; i++) {
        for (size_t k = i + 1; k < scene->count; k++) {
            pcm_status status = visit_pair(scene, i, k, visit, user);
            if (status != PCM_OK)
                return status;
        }
    }
    return PCM_OK;
}

const pcm_type *pcm_scene_rule(const pcm_config *config, const pcm_scene_object *a, const pcm_scene_object *b,
                               size_t *rule)
{
    size_t winner;
    if (!pcm_config_resolve_objects(config, &PCM_OBJECT(.name = a->base, .aliases = a->aliases, .surface = a->surface),
                                    &PCM_OBJECT(.name = b->base, .aliases = b->aliases, .surface = b->surface), &winner,
                                    NULL, 1))
        return NULL;
    const pcm_rule_info info = pcm_config_rule_at(config, winner);
    const bool          point = a->site >= 0 || b->site >= 0;
    if (rule)
        *rule = winner;
    return point && info.kind == PCM_DEFAULT_PAIR ? NULL : info.type;
}

const pcm_type *pcm_scene_between(const pcm_scene *scene, const pcm_config *config, const pcm_type *type,
                                  const pcm_scene_object *a, const pcm_scene_object *b)
{
    const char     *surface_a = pcm_scene_surface(config, a), *surface_b = pcm_scene_surface(config, b);
    const pcm_type *between = pcm_type_between(type, surface_a, surface_b);
    if (!between && !(surface_a && *surface_a && surface_b && *surface_b)) /* what has a surface is named by it */
        pcm_report(scene->context, PCM_NOTE, PCM_MSG_MISSING_PROPERTY, "the objects are '%s'%s%s%s and '%s'%s%s%s",
                   PCM_UNASSIGNED_NAMES(config, a, b));
    return between;
}
