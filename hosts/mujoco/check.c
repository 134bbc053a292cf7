/* SPDX-License-Identifier: MIT */
/* check.c - whether the rules and a scene fit each other. */
#include "scene.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

typedef struct named_pair {
    const char *a, *b;
} named_pair;

typedef struct check {
    const pcm_scene    *scene;
    const pcm_config   *config;
    bool                unassigned_pairs;
    pcm_mujoco_coverage coverage;
    named_pair         *noted;
    size_t              n_noted, capacity;
} check;

/* Whether an object, or a surface, of the scene has a name that the text of a rule's side stands for. */
static bool is_used(const check *c, pcm_rule_kind kind, bool pattern, const char *text)
{
    for (size_t i = 0; i < c->scene->count; i++) {
        const pcm_scene_object *object = &c->scene->objects[i];
        const char             *name = kind == PCM_OBJECT_PAIR ? object->name : pcm_scene_surface(c->config, object);
        if (pattern ? pcm_name_matches(text, name) : strcmp(text, name) == 0)
            return true;
    }
    return false;
}

static void check_side(check *c, const pcm_rule_info *rule, const char *text)
{
    const bool          object = rule->kind == PCM_OBJECT_PAIR;
    const pcm_rule_kind other = object ? PCM_SURFACE_PAIR : PCM_OBJECT_PAIR;
    if (is_used(c, rule->kind, rule->pattern, text))
        return;
    c->coverage.unmatched++;
    char        message[512];
    const bool  elsewhere = !rule->pattern && is_used(c, other, false, text);
    const char *hint = object ? "; a surface is: write SurfacePair" : "; an object is: write ObjectPair";
    snprintf(message, sizeof message, "no %s of the scene is called '%.300s'%s", object ? "object" : "surface", text,
             elsewhere ? hint : "");
    pcm_emit(c->scene->context, &(pcm_diagnostic){.size = sizeof(pcm_diagnostic),
                                                  .severity = PCM_WARNING,
                                                  .code = PCM_MSG_NAME_UNMATCHED,
                                                  .message = message,
                                                  .place = rule->place});
}

static void check_rules(check *c)
{
    for (size_t i = 0; i < pcm_config_rule_count(c->config); i++) {
        pcm_rule_info rule = pcm_config_rule_at(c->config, i);
        if (rule.kind == PCM_DEFAULT_PAIR)
            continue;
        check_side(c, &rule, rule.a);
        if (strcmp(rule.a, rule.b) != 0)
            check_side(c, &rule, rule.b);
    }
}

/* Lines of the file that give a surface to no object. */
static void check_surfaces(check *c)
{
    for (size_t i = 0; i < pcm_config_surface_count(c->config); i++) {
        const pcm_surface_info surface = pcm_config_surface_at(c->config, i);
        if (is_used(c, PCM_OBJECT_PAIR, surface.is_pattern, surface.pattern))
            continue;
        char message[512];
        snprintf(message, sizeof message, "no object of the scene is called '%.300s'", surface.pattern);
        c->coverage.unmatched++;
        pcm_emit(c->scene->context, &(pcm_diagnostic){.size = sizeof(pcm_diagnostic),
                                                      .severity = PCM_WARNING,
                                                      .code = PCM_MSG_SURFACE_UNUSED,
                                                      .message = message,
                                                      .place = surface.place});
    }
}

static bool noted_before(const check *c, const char *a, const char *b)
{
    for (size_t i = 0; i < c->n_noted; i++)
        if (strcmp(c->noted[i].a, a) == 0 && strcmp(c->noted[i].b, b) == 0)
            return true;
    return false;
}

static pcm_status remember(check *c, const char *a, const char *b)
{
    pcm_context *context = c->scene->context;
    if (!pcm_grow(context, &c->noted, &c->capacity, c->n_noted + 1, sizeof *c->noted))
        return pcm_scene_no_memory(context);
    c->noted[c->n_noted++] = (named_pair){a, b};
    return PCM_OK;
}

static pcm_status check_pair(void *user, const pcm_scene_object *a, const pcm_scene_object *b)
{
    check          *c = user;
    const pcm_type *type = pcm_scene_rule(c->config, a, b, NULL);
    bool            point = a->site >= 0 || b->site >= 0;
    if (point && !type) /* most sites are no contact points at all */
        return PCM_OK;
    c->coverage.pairs++;
    if (type) {
        c->coverage.served += pcm_scene_serves(type);
        return PCM_OK;
    }
    c->coverage.unassigned++;
    if (!c->unassigned_pairs || noted_before(c, a->name, b->name))
        return PCM_OK;
    pcm_report(c->scene->context, PCM_NOTE, PCM_MSG_PAIR_UNASSIGNED, PCM_UNCOVERED_FORMAT,
               PCM_UNCOVERED_NAMES(c->config, a, b));
    return remember(c, a->name, b->name);
}

pcm_status pcm_mujoco_check(pcm_context *context, pcm_config *config, const mjModel *model, const pcm_mujoco_def *def,
                            bool unassigned_pairs, pcm_mujoco_coverage *coverage)
{
    pcm_mujoco_def filled;
    if (!pcm_mujoco_fits(context))
        return PCM_BAD_HOST;
    if (!pcm_mujoco_fill(context, def, &filled))
        return PCM_BAD_ARGUMENT;
    pcm_scene  scene;
    pcm_status status = pcm_scene_read(&scene, context, model, &filled);
    if (status != PCM_OK)
        return status;
    check c = {.scene = &scene, .config = config, .unassigned_pairs = unassigned_pairs};
    check_rules(&c);
    check_surfaces(&c);
    status = pcm_scene_each_pair(&scene, check_pair, &c);
    pcm_free(context, c.noted, c.capacity * sizeof *c.noted);
    pcm_scene_free(&scene);
    if (coverage)
        *coverage = c.coverage;
    return status;
}

/* ---- The pairs themselves -------------------------------------------------------------------------------------- */

typedef struct visitor {
    pcm_mujoco_visit *visit;
    void             *user;
} visitor;

static pcm_status visit_pair(void *user, const pcm_scene_object *a, const pcm_scene_object *b)
{
    const visitor *v = user;
    return v->visit(v->user, a->name, a->surface, b->name, b->surface) ? PCM_OK : PCM_BAD_ARGUMENT;
}

pcm_status pcm_mujoco_pairs(pcm_context *context, const mjModel *model, const pcm_mujoco_def *def,
                            pcm_mujoco_visit *visit, void *user)
{
    pcm_mujoco_def filled;
    pcm_scene      scene;
    visitor        v = {visit, user};
    if (!pcm_mujoco_fill(context, def, &filled))
        return PCM_BAD_ARGUMENT;
    pcm_status status = pcm_scene_read(&scene, context, model, &filled);
    if (status != PCM_OK)
        return status;
    status = pcm_scene_each_pair(&scene, visit_pair, &v);
    pcm_scene_free(&scene);
    return status;
}
