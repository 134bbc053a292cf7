/* SPDX-License-Identifier: MIT */
/* check.c - whether the rules and a scene match. */
#include "scene.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

/* Two names that were already reported, for a contact type or, if that is NULL, without one. */
typedef struct named_pair {
    const char     *a, *b;
    const pcm_type *type;
} named_pair;

/* At most this many pairs without a rule get a note each, so that other messages are not lost among them. */
enum { NOTED_MOST = 10 };

typedef struct check {
    const pcm_scene    *scene;
    const pcm_config   *config;
    bool                unassigned_pairs, failed;
    pcm_mujoco_coverage coverage;
    bool               *warned;  /* per rule: warned that its law reads an input that is never set */
    bool               *applied; /* per rule: it is some pair's */
    named_pair         *noted;
    size_t              n_noted, capacity;
    size_t              n_unruled; /* number of pairs of names without a rule */
    pcm_scene_drops     drops;
} check;

/* Whether the side of a rule matches an object, or a surface, of the scene. */
static bool is_used(const pcm_scene *scene, const pcm_config *config, pcm_rule_kind kind, const char *text)
{
    for (size_t i = 0; i < scene->count; i++)
        if (pcm_scene_takes(config, kind, text, &scene->objects[i]))
            return true;
    return false;
}

/* Whether a geom has the name but cannot collide, and is therefore not an object. */
static bool names_idle_geom(const pcm_scene *scene, const char *text)
{
    for (int geom = 0; geom < scene->model->ngeom; geom++) {
        pcm_scene_object object = {.geom = geom, .site = -1, .body = scene->model->geom_bodyid[geom]};
        if (!pcm_scene_is_idle(scene->model, geom))
            continue;
        pcm_scene_name(scene, NULL, &object);
        if (pcm_scene_fits(&object, text))
            return true;
    }
    return false;
}

static const char idle_hint[] = "; a geom is, and collides with nothing: its contype and conaffinity are 0";

static void report_unmatched(const pcm_scene *scene, const pcm_config *config, const pcm_rule_info *rule,
                             const char *text)
{
    const bool          object = rule->kind == PCM_OBJECT_PAIR;
    const pcm_rule_kind other = object ? PCM_SURFACE_PAIR : PCM_OBJECT_PAIR;
    const bool          elsewhere = !rule->pattern && is_used(scene, config, other, text);
    const pcm_hint near = object ? pcm_scene_hint_object(scene, text) : pcm_scene_hint_surface(scene, config, text);
    const char    *hint = object && names_idle_geom(scene, text) ? idle_hint
                          : !elsewhere                           ? near.text
                          : object                               ? "; a surface has that name: write SurfacePair"
                                                                 : "; an object has that name: write ObjectPair";
    pcm_report_at(scene->context, PCM_WARNING, PCM_MSG_NAME_UNMATCHED, &rule->place,
                  "no %s of the scene is called '%.150s'%s", object ? "object" : "surface", text, hint);
}

/* Notes rules that name an object whose name contains a wildcard: they match other objects, too, and no rule can name
 * that object alone. */
static void note_wildcards(const pcm_scene *scene, const pcm_rule_info *rule, const char *text)
{
    const pcm_scene_object *named = NULL, *other = NULL;
    for (size_t i = 0; i < scene->count && strpbrk(text, "*?"); i++) {
        const pcm_scene_object *object = &scene->objects[i];
        if (strcmp(object->base, text) == 0)
            named = object;
        else if (pcm_scene_fits(object, text))
            other = object;
    }
    if (named && other)
        pcm_report_at(scene->context, PCM_WARNING, PCM_MSG_WILDCARD_NAME, &rule->place,
                      "'%.150s' is an object of the scene and, with its * or ?, a pattern, which '%.150s' fits, too: "
                      "give the object another name in the scene to speak of it alone",
                      text, other->name);
}

/* Whether one of the rules before that index, of the same kind, has the name; configs keep each name once. */
static bool named_before(const pcm_config *config, size_t index, pcm_rule_kind kind, const char *text)
{
    enum { MOST = 4096 }; /* the work grows with the square of the number of rules */
    bool found = false;
    for (size_t i = 0; i < index && index <= MOST && !found; i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        found = rule.kind == kind && (rule.a == text || rule.b == text);
    }
    return found;
}

/* Each name is reported where the first rule has it. */
static size_t check_side(const pcm_scene *scene, const pcm_config *config, size_t index, const pcm_rule_info *rule,
                         const char *text)
{
    if (rule->kind == PCM_OBJECT_PAIR)
        note_wildcards(scene, rule, text);
    if (named_before(config, index, rule->kind, text))
        return 0;
    if (is_used(scene, config, rule->kind, text)) {
        if (rule->kind == PCM_OBJECT_PAIR)
            pcm_scene_note_sites(scene, rule, text);
        return 0;
    }
    report_unmatched(scene, config, rule, text);
    return 1;
}

static size_t check_names(const pcm_scene *scene, const pcm_config *config)
{
    size_t unmatched = 0;
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        pcm_rule_info rule = pcm_config_rule_at(config, i);
        if (rule.kind == PCM_DEFAULT_PAIR)
            continue;
        unmatched += check_side(scene, config, i, &rule, rule.a);
        if (strcmp(rule.a, rule.b) != 0)
            unmatched += check_side(scene, config, i, &rule, rule.b);
    }
    return unmatched;
}

/* Reports surface lines of the file that match no object. Returns their number. */
static size_t check_surfaces(const pcm_scene *scene, const pcm_config *config)
{
    size_t unmatched = 0;
    for (size_t i = 0; i < pcm_config_surface_count(config); i++) {
        const pcm_surface_info surface = pcm_config_surface_at(config, i);
        if (is_used(scene, config, PCM_OBJECT_PAIR, surface.pattern))
            continue;
        const bool idle = names_idle_geom(scene, surface.pattern);
        unmatched++;
        pcm_report_at(scene->context, PCM_WARNING, PCM_MSG_SURFACE_UNUSED, &surface.place,
                      "no object of the scene is called '%.150s'%s", surface.pattern,
                      idle ? idle_hint : pcm_scene_hint_object(scene, surface.pattern).text);
    }
    return unmatched;
}

static bool noted_before(const check *c, const char *a, const char *b, const pcm_type *type)
{
    for (size_t i = 0; i < c->n_noted; i++)
        if (c->noted[i].type == type && strcmp(c->noted[i].a, a) == 0 && strcmp(c->noted[i].b, b) == 0)
            return true;
    return false;
}

static pcm_status remember(check *c, const char *a, const char *b, const pcm_type *type)
{
    pcm_context *context = c->scene->context;
    if (!pcm_grow(context, &c->noted, &c->capacity, c->n_noted + 1, sizeof *c->noted))
        return pcm_host_no_memory(context);
    c->noted[c->n_noted++] = (named_pair){a, b, type};
    return PCM_OK;
}

/* ---- Inputs of laws ---------------------------------------------------------------------------------------------- */

/* Warns at the rule's place, with a note at that of the contact type. */
static void warn_of_input(check *c, size_t rule, const pcm_type *type, const char *message)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    const pcm_rule_info  at = pcm_config_rule_at(c->config, rule);
    pcm_report_at(c->scene->context, PCM_WARNING, PCM_MSG_INPUT_NEVER, &at.place, "%s", message);
    pcm_report_at(c->scene->context, PCM_NOTE, PCM_MSG_INPUT_NEVER, &info->place, "the contact type '%s' is here",
                  info->name);
    c->warned[rule] = true;
}

/* The first input that the type's law reads and that only a program can set; NULL: none. */
static const char *unset_input(const pcm_type *type)
{
    const pcm_model *model = pcm_type_get_info(type)->model;
    for (uint32_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *input = pcm_model_host_input(model, i);
        if (!input->fallback && pcm_type_when(type, input->when))
            return input->name;
    }
    return NULL;
}

/* The name of an input of the type's law that is infinite for a contact of the two objects; NULL: none. */
static const char *infinite_input(const mjModel *model, const pcm_type *type, const pcm_scene_object *a,
                                  const pcm_scene_object *b)
{
    const uint32_t reads = pcm_type_get_info(type)->model->inputs;
    const bool     shaped = reads & PCM_EXTENT && pcm_scene_is_shaped(model, a) && pcm_scene_is_shaped(model, b);
    if (reads & PCM_RADIUS && !shaped && a->radius == 0 && b->radius == 0)
        return "radius";
    return reads & PCM_MASS && pcm_scene_def(model, a).mass == 0 && pcm_scene_def(model, b).mass == 0 ? "mass" : NULL;
}

static void check_inputs(check *c, const pcm_type *type, size_t rule, const pcm_scene_object *a,
                         const pcm_scene_object *b)
{
    const char *unset = c->scene->gives ? NULL : unset_input(type),
               *infinite = infinite_input(c->scene->model, type, a, b);
    char message[512];
    if (c->warned[rule] || (!unset && !infinite))
        return;
    if (unset)
        (void)snprintf(message, sizeof message,
                       "'%s' reads the input %s, which MuJoCo never gives: its contacts give no force unless a program "
                       "sets it, or pcm run --given does",
                       pcm_type_get_info(type)->name, unset);
    else
        (void)snprintf(message, sizeof message, "'%s' reads the %s, which is infinite for '%s' and '%s': %s",
                       pcm_type_get_info(type)->name, infinite, a->name, b->name,
                       *infinite == 'r'
                           ? "spheres, capsules and cylinders are round; pcm:radius in the scene makes others so"
                           : "neither can move");
    warn_of_input(c, rule, type, message);
}

/* Checks that the materials of two surfaces determine a law's parameters; if not, reports an error once. */
static pcm_status check_materials(check *c, const pcm_type *type, const pcm_scene_object *a, const pcm_scene_object *b)
{
    const char *surface_a = pcm_scene_surface(c->config, a), *surface_b = pcm_scene_surface(c->config, b);
    if (noted_before(c, surface_a, surface_b, type) || noted_before(c, surface_b, surface_a, type))
        return PCM_OK;
    c->failed |= !pcm_scene_between(c->scene, c->config, type, a, b);
    return remember(c, surface_a, surface_b, type);
}

static pcm_status check_pair(void *user, const pcm_scene_object *a, const pcm_scene_object *b)
{
    check          *c = user;
    size_t          rule;
    const pcm_type *type = pcm_scene_rule(c->config, a, b, &rule);
    bool            point = a->site >= 0 || b->site >= 0;
    if (point && !type) /* most sites are not meant to be contact points */
        return PCM_OK;
    c->coverage.pairs++;
    if (type) {
        c->applied[rule] = true;
        c->coverage.served += pcm_scene_serves(type);
        if (!pcm_scene_serves(type))
            return PCM_OK;
        check_inputs(c, type, rule, a, b);
        pcm_scene_drop(c->scene, a, b, type, &c->drops);
        return check_materials(c, type, a, b);
    }
    c->coverage.unassigned++;
    if (!c->unassigned_pairs || noted_before(c, a->name, b->name, NULL))
        return PCM_OK;
    if (c->n_unruled++ < NOTED_MOST)
        pcm_report(c->scene->context, PCM_NOTE, PCM_MSG_PAIR_UNASSIGNED, PCM_UNASSIGNED_FORMAT,
                   PCM_UNASSIGNED_NAMES(c->config, a, b));
    return remember(c, a->name, b->name, NULL);
}

static void note_more_unruled(const check *c)
{
    if (c->n_unruled > NOTED_MOST)
        pcm_report(
            c->scene->context, PCM_NOTE, PCM_MSG_PAIR_UNASSIGNED,
            "no rule matches %zu more pairs, which MuJoCo handles: 'pcm show FILE --scene SCENE' lists all pairs",
            c->n_unruled - NOTED_MOST);
}

static void note_no_pairs(const pcm_scene *scene)
{
    char why[96] = "it has one object alone";
    if (scene->count != 1)
        snprintf(why, sizeof why, "its %zu objects are fixed to each other, or filtered out", scene->count);
    pcm_report(scene->context, PCM_NOTE, PCM_MSG_NO_PAIRS,
               "nothing in the scene can collide: %s; for a URDF file pcm run has --floor and --free", why);
}

bool pcm_scene_speculates(pcm_context *context, const mjModel *model)
{
    if (!pcm_release_speculates(model))
        return false;
    pcm_report(context, PCM_ERROR, PCM_MSG_SPECULATIVE,
               "the flag speculative is on, and MuJoCo would stop fast objects by contacts of its own where laws act: "
               "set <flag speculative=\"disable\"/>, and a timestep in which no object crosses another");
    return true;
}

pcm_status pcm_scene_check(const pcm_scene *scene, const pcm_config *config, bool unassigned_pairs,
                           pcm_mujoco_coverage *coverage)
{
    const size_t n_rules = pcm_config_rule_count(config);
    check        c = {
               .scene = scene, .config = config, .unassigned_pairs = unassigned_pairs, .coverage.size = sizeof c.coverage};
    c.warned = pcm_allocate(scene->context, 2 * n_rules * sizeof *c.warned);
    c.applied = c.warned ? c.warned + n_rules : NULL;
    c.coverage.unmatched = check_names(scene, config) + check_surfaces(scene, config);
    const pcm_status status =
        c.warned || !n_rules ? pcm_scene_each_pair(scene, check_pair, &c) : pcm_host_no_memory(scene->context);
    note_more_unruled(&c);
    if (c.warned && status == PCM_OK)
        pcm_scene_check_idle(scene, config, c.applied);
    pcm_scene_report_drops(scene, &c.drops);
    if (c.coverage.served && pcm_release_has_flex(scene->model))
        pcm_report(scene->context, PCM_NOTE, PCM_MSG_UNSERVED,
                   "contacts of flexes stay MuJoCo's own: laws act between geoms");
    c.failed |= c.coverage.served && pcm_scene_speculates(scene->context, scene->model);
    if (status == PCM_OK && c.coverage.pairs == 0)
        note_no_pairs(scene);
    pcm_free(scene->context, c.warned, 2 * n_rules * sizeof *c.warned);
    pcm_free(scene->context, c.noted, c.capacity * sizeof *c.noted);
    if (coverage)
        *coverage = c.coverage;
    return status == PCM_OK && c.failed ? PCM_BAD_ARGUMENT : status;
}

pcm_status pcm_mujoco_check(pcm_context *context, pcm_config *config, const mjModel *model, const pcm_mujoco_def *def,
                            bool unassigned_pairs, pcm_mujoco_coverage *coverage)
{
    pcm_mujoco_def filled;
    if (!pcm_host_fits(context))
        return PCM_BAD_HOST;
    if (!pcm_host_fill(context, def, &filled))
        return PCM_BAD_ARGUMENT;
    pcm_scene           scene;
    pcm_mujoco_coverage found = {.size = sizeof found};
    pcm_status          status = pcm_scene_read(&scene, context, config, model, &filled);
    if (status != PCM_OK)
        return status;
    pcm_scene_report_surfaces(&scene);
    status = pcm_scene_check(&scene, config, unassigned_pairs, &found);
    pcm_scene_free(&scene);
    const pcm_status filled_in =
        coverage ? pcm_info_fill(context, "pcm_mujoco_coverage", coverage, coverage->size, &found) : PCM_OK;
    return status != PCM_OK ? status : filled_in;
}
