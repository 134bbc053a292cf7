/* SPDX-License-Identifier: MIT */
#include "engine.h"
#include "suggest.h"
#include <pcm/jacobian.h>
#include <pcm/messages.h>

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pcm_engine {
    pcm_context       *context;
    const pcm_config  *config; /* the world's */
    bool              *had;    /* of both sides of each rule: whether an object has had that name, or surface */
    pcm_world         *world;
    pcm_matrices      *matrices;
    pcm_engine_object *objects;
    size_t             count, capacity;
    uint32_t          *index; /* by hash of keys: 1 + object; 0: empty */
    size_t             mask;
    uint64_t           round;
    double             time, step; /* s: of the next update; of the last one, 0: none that is to be committed */
    uint64_t           updates;
    bool               advises;
    const void        *simulation;
    pcm_engine        *next; /* among those with a simulation */
};

/* ---- Names in rules ---------------------------------------------------------------------------------------------- */

static const char *side_of(const pcm_rule_info *rule, size_t side) { return side == 0 ? rule->a : rule->b; }

static void mark_names(pcm_engine *engine, const pcm_object_def *object)
{
    const char *given = pcm_config_object_surface(engine->config, object), *surface = given ? given : "";
    for (size_t i = 0; i < 2 * pcm_config_rule_count(engine->config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(engine->config, i / 2);
        const char         *text = side_of(&rule, i % 2);
        engine->had[i] |=
            rule.kind == PCM_OBJECT_PAIR ? pcm_object_fits(object, text) : pcm_name_matches(text, surface);
    }
}

static pcm_hint hint_of(const pcm_engine *engine, pcm_rule_kind kind, const char *text)
{
    pcm_nearest nearest = pcm_nearest_to(text);
    for (size_t i = 0; i < engine->count; i++) {
        pcm_object_info info = {.size = sizeof info};
        if (pcm_world_object_info(engine->world, engine->objects[i].handle, &info) == PCM_OK)
            pcm_nearest_try(&nearest, kind == PCM_OBJECT_PAIR ? info.name : info.surface);
    }
    return pcm_nearest_hint(&nearest);
}

/* Warns of a name at the first rule that has it; a config keeps each name once. */
static void report_name(pcm_engine *engine, const pcm_rule_info *rule, const char *text)
{
    pcm_report_at(engine->context, PCM_WARNING, PCM_MSG_NAME_UNMATCHED, &rule->place,
                  "no object that came near another %s '%.150s'%s",
                  rule->kind == PCM_OBJECT_PAIR ? "was called" : "had the surface", text,
                  hint_of(engine, rule->kind, text).text);
    for (size_t i = 0; i < 2 * pcm_config_rule_count(engine->config); i++) {
        const pcm_rule_info other = pcm_config_rule_at(engine->config, i / 2);
        engine->had[i] |= other.kind == rule->kind && side_of(&other, i % 2) == text;
    }
}

static void report_names(pcm_engine *engine)
{
    for (size_t i = 0; i < 2 * pcm_config_rule_count(engine->config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(engine->config, i / 2);
        if (!engine->had[i] && rule.kind != PCM_DEFAULT_PAIR)
            report_name(engine, &rule, side_of(&rule, i % 2));
    }
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static void no_memory(pcm_engine *engine)
{
    pcm_report(engine->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for the contacts of the engine");
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pcm_engine     *served; /* the latest first */

/* Lets an engine serve its simulation. False: another one does. */
static bool claim(pcm_engine *engine)
{
    (void)pthread_mutex_lock(&lock);
    const pcm_engine *other = served;
    while (other && other->simulation != engine->simulation)
        other = other->next;
    if (!other) {
        engine->next = served;
        served = engine;
    }
    (void)pthread_mutex_unlock(&lock);
    return !other;
}

static void leave(pcm_engine *engine)
{
    (void)pthread_mutex_lock(&lock);
    pcm_engine **at = &served;
    while (*at && *at != engine)
        at = &(*at)->next;
    if (*at)
        *at = engine->next;
    (void)pthread_mutex_unlock(&lock);
}

/* Warns of contact types that act across gaps. */
static void warn_of_gaps(pcm_context *context, const pcm_config *config, const char *name)
{
    for (size_t i = 0; i < pcm_config_type_count(config); i++) {
        const pcm_type_info *info = pcm_type_get_info(pcm_config_type_at(config, i));
        if (info->common->separation > 0)
            pcm_report_at(context, PCM_WARNING, PCM_MSG_GAP_UNSEEN, &info->place,
                          "'%s' acts across gaps of up to %s m, where %s reports few points or none: its contacts may "
                          "end as surfaces part",
                          info->name, pcm_number(info->common->separation, 3).text, name);
    }
}

pcm_engine *pcm_engine_new(pcm_context *context, pcm_config *config, const pcm_engine_def *def)
{
    pcm_engine   *engine = calloc(1, sizeof *engine);
    bool         *had = calloc(2 * pcm_config_rule_count(config) + 1, sizeof *had); /* never NULL for no rules */
    pcm_world_def world = pcm_world_defaults();
    world.ledger = def->ledger;
    world.log_directory = def->log_directory;
    if (!engine || !had) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for the contacts of the engine");
        free(engine);
        free(had);
        return NULL;
    }
    engine->context = context;
    engine->config = config;
    engine->had = had;
    engine->round = 1;
    engine->advises = def->advise_step;
    engine->simulation = def->simulation;
    if (def->simulation && !claim(engine))
        pcm_report(context, PCM_ERROR, PCM_MSG_ATTACHED, "this simulation is attached already: free that host first");
    else
        engine->world = pcm_world_new(config, &world);
    if (engine->world) {
        warn_of_gaps(context, config, def->name);
        return engine;
    }
    pcm_engine_free(engine);
    return NULL;
}

void pcm_engine_free(pcm_engine *engine)
{
    if (!engine)
        return;
    if (engine->simulation)
        leave(engine);
    if (engine->updates > 0)
        report_names(engine);
    pcm_matrices_free(engine->matrices);
    pcm_world_free(engine->world);
    free(engine->had);
    free(engine->objects);
    free(engine->index);
    free(engine);
}

pcm_world *pcm_engine_world(pcm_engine *engine) { return engine->world; }

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

static size_t slot_of(const pcm_engine *engine, const void *key)
{
    const uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    size_t         at = (size_t)(hash >> 32) & engine->mask;
    while (engine->index[at] && engine->objects[engine->index[at] - 1].key != key)
        at = (at + 1) & engine->mask;
    return at;
}

pcm_engine_object *pcm_engine_find(pcm_engine *engine, const void *key)
{
    const uint32_t found = engine->index ? engine->index[slot_of(engine, key)] : 0;
    return found ? &engine->objects[found - 1] : NULL;
}

static bool grow(pcm_engine *engine)
{
    const size_t       capacity = engine->capacity ? 2 * engine->capacity : 64;
    pcm_engine_object *objects = realloc(engine->objects, capacity * sizeof *objects);
    engine->objects = objects ? objects : engine->objects;
    uint32_t *index = objects ? calloc(4 * capacity, sizeof *index) : NULL;
    if (!index)
        return false;
    free(engine->index);
    engine->index = index;
    engine->mask = 4 * capacity - 1;
    engine->capacity = capacity;
    for (size_t i = 0; i < engine->count; i++)
        engine->index[slot_of(engine, engine->objects[i].key)] = (uint32_t)i + 1;
    return true;
}

pcm_engine_object *pcm_engine_add(pcm_engine *engine, const pcm_engine_shape *shape)
{
    pcm_engine_object object = {.key = shape->key, .body = shape->body};
    if (engine->count == engine->capacity && !grow(engine)) {
        no_memory(engine);
        return NULL;
    }
    if (shape->name && *shape->name) {
        const pcm_object_def def = PCM_OBJECT(.name = shape->name, .surface = shape->surface, .fixed = !shape->body,
                                              .radius = shape->radius, .mass = shape->mass);
        object.handle = pcm_world_add_object(engine->world, &def);
        if (object.handle.generation == 0)
            return NULL;
        mark_names(engine, &def);
    }
    engine->objects[engine->count] = object;
    engine->index[slot_of(engine, shape->key)] = (uint32_t)++engine->count;
    return &engine->objects[engine->count - 1];
}

bool pcm_engine_remove(pcm_engine *engine, const void *key)
{
    pcm_engine_object *object = pcm_engine_find(engine, key);
    if (!object)
        return false;
    if (object->handle.generation)
        (void)pcm_world_remove(engine->world, object->handle);
    *object = engine->objects[--engine->count];
    memset(engine->index, 0, (engine->mask + 1) * sizeof *engine->index);
    for (size_t i = 0; i < engine->count; i++)
        engine->index[slot_of(engine, engine->objects[i].key)] = (uint32_t)i + 1;
    return true;
}

/* ---- A round ----------------------------------------------------------------------------------------------------- */

bool pcm_engine_serves(pcm_engine *engine, const pcm_engine_object *a, const pcm_engine_object *b)
{
    const pcm_type *type = NULL;
    return a->handle.generation && b->handle.generation &&
           pcm_world_pair_type(engine->world, a->handle, b->handle, &type, NULL) == PCM_OK && type != NULL;
}

bool pcm_engine_wants(pcm_engine *engine, pcm_engine_object *object)
{
    const bool wants = object->round != engine->round;
    object->round = engine->round;
    return wants;
}

pcm_status pcm_engine_touch(pcm_engine *engine, const pcm_engine_object *a, const pcm_engine_object *b,
                            const pcm_touch *touches, size_t count)
{
    return pcm_world_touch_near(engine->world, a->handle, b->handle, touches, sizeof *touches, count, 0, NULL);
}

/* ---- Advice ------------------------------------------------------------------------------------------------------ */

/* Warns once of a step that is too large for some contact. */
static void advise(pcm_engine *engine)
{
    pcm_contact_matrices worst = {.size = sizeof worst};
    pcm_object_info      base = {.size = sizeof base}, follower = {.size = sizeof follower};
    if (!engine->matrices)
        engine->matrices = pcm_matrices_new(engine->world);
    const double least = engine->matrices ? pcm_matrices_least_step(engine->matrices, &worst) : INFINITY;
    if (!(engine->step > least) || pcm_world_object_info(engine->world, worst.base, &base) != PCM_OK ||
        pcm_world_object_info(engine->world, worst.follower, &follower) != PCM_OK)
        return;
    engine->advises = false;
    pcm_report(engine->context, PCM_WARNING, PCM_MSG_STEP_LARGE,
               "the step of %s s is too large: by its stiffness, its damping and its share of the bodies, the contact "
               "of '%.100s' and '%.100s' is stable up to %s s: shorten it or soften the contact type",
               pcm_number(engine->step, 3).text, base.name, follower.name, pcm_number(least, 3).text);
}

/* At the updates whose number is a power of two, since it costs as much as some updates. */
static bool is_due(const pcm_engine *engine)
{
    return engine->advises && (engine->updates & (engine->updates - 1)) == 0 &&
           pcm_world_contact_count(engine->world) > 0;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

bool pcm_engine_accepts(pcm_engine *engine, double step)
{
    if (step > 0 && isfinite(step))
        return true;
    pcm_report(engine->context, PCM_ERROR, PCM_MSG_BAD_CALL, "a step of %s s is none: it must be above 0",
               pcm_number(step, 3).text);
    return false;
}

pcm_status pcm_engine_update(pcm_engine *engine, double step, pcm_engine_push *push, void *user)
{
    if (!pcm_engine_accepts(engine, step))
        return PCM_BAD_ARGUMENT;
    const pcm_status status = pcm_world_update(engine->world, engine->time, step);
    if (status == PCM_BAD_MOTION || status == PCM_BAD_INPUT)
        pcm_world_report_faults(engine->world); /* a loop may stop here, before the commit that would report them */
    else if (status != PCM_OK)
        return status;
    engine->step = step;
    engine->updates++;
    for (size_t i = 0; i < engine->count; i++) {
        const pcm_engine_object *object = &engine->objects[i];
        pcm_wrench               wrench;
        if (object->body && object->round == engine->round &&
            pcm_world_wrench(engine->world, object->handle, &wrench) == PCM_OK)
            push(user, object, &wrench);
    }
    if (is_due(engine))
        advise(engine);
    return status;
}

pcm_status pcm_engine_commit(pcm_engine *engine)
{
    const pcm_status status = pcm_world_commit(engine->world);
    if (status == PCM_OK)
        engine->time += engine->step;
    engine->step = 0;
    engine->round++;
    return status;
}
