/* SPDX-License-Identifier: MIT */
/* scene.c - data that appears in a page once: texts, contact types, rules, objects and bodies, shapes, cameras. */
#include "recorder.h"

#include <math.h>
#include <string.h>

pcm_buffer *pcm_news_add(pcm_replay *replay, pcm_news_kind kind)
{
    replay->news[kind].count++;
    return &replay->news[kind].text;
}

/* ---- The configuration ----------------------------------------------------------------------------------------- */

static void put_place(pcm_buffer *to, const pcm_place *place)
{
    pcm_put_text(to, place->file);
    pcm_put_u32(to, place->line);
}

static void put_source(pcm_replay *replay, const pcm_source_info *source)
{
    if (source->table || !source->text)
        return;
    pcm_buffer *to = pcm_news_add(replay, PCM_NEWS_SOURCE);
    pcm_put_text(to, source->name);
    pcm_put_text(to, source->text);
}

static void put_rule(pcm_replay *replay, const pcm_rule_info *rule)
{
    const uint32_t type = pcm_scene_type(replay, rule->type);
    pcm_buffer    *to = pcm_news_add(replay, PCM_NEWS_RULE);
    pcm_put_u32(to, rule->kind);
    pcm_put_text(to, rule->a);
    pcm_put_text(to, rule->b);
    pcm_put_u32(to, type);
    put_place(to, &rule->place);
}

void pcm_scene_begin(pcm_replay *replay, const char *title)
{
    pcm_buffer *to = pcm_news_add(replay, PCM_NEWS_TITLE);
    pcm_put_text(to, title);
    pcm_put_text(to, PCM_VERSION);
    for (size_t i = 0; i < pcm_config_source_count(replay->config); i++) {
        const pcm_source_info source = pcm_config_source_at(replay->config, i);
        put_source(replay, &source);
    }
    for (size_t i = 0; i < pcm_config_rule_count(replay->config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(replay->config, i);
        put_rule(replay, &rule);
    }
}

/* ---- Contact types --------------------------------------------------------------------------------------------- */

static void put_number(pcm_buffer *to, double number, const char *before)
{
    char         text[PCM_NUMBER_SIZE];
    const size_t length = pcm_number_write(number, 0, text);
    pcm_put_bytes(to, before, strlen(before));
    pcm_put_bytes(to, text, length);
}

/* As a .pcm file would write it, preceded by its length. */
static void put_value_text(pcm_buffer *to, const pcm_value *value)
{
    const size_t at = to->count;
    pcm_put_u32(to, 0);
    if (value->param->kind == PCM_KIND_LIST)
        for (size_t i = 0; i < value->list.count; i++)
            put_number(to, value->list.values[i], i ? ", " : "");
    else if (value->text)
        pcm_put_bytes(to, value->text, strlen(value->text));
    else if (value->param->kind == PCM_KIND_SWITCH)
        pcm_put_bytes(to, value->number != 0 ? "true" : "false", value->number != 0 ? 4 : 5);
    else
        put_number(to, value->number, "");
    const size_t length = to->count - at - 4;
    for (size_t i = 0; i < 4 && !to->starved; i++)
        to->bytes[at + i] = (uint8_t)(length >> 8 * i);
}

static void put_value(pcm_buffer *to, const pcm_value *value)
{
    pcm_put_text(to, value->param->name);
    put_value_text(to, value);
    pcm_put_text(to, strcmp(value->param->unit, "1") == 0 ? "" : value->param->unit);
    pcm_put_text(to, value->param->doc);
    pcm_put_u32(to, value->mixed ? 2 : value->written);
    put_place(to, &value->place);
}

/* The largest coefficient of the law's friction cone; NaN if it has none. */
static double friction_of(const pcm_type *type)
{
    double most = NAN;
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        if (value.param->flags & PCM_CONE && pcm_type_when(type, value.param->when))
            most = fmax(value.number, most);
    }
    return most;
}

static void put_type(pcm_replay *replay, const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    pcm_buffer          *to = pcm_news_add(replay, PCM_NEWS_TYPE);
    pcm_put_text(to, info->name);
    pcm_put_text(to, info->model->name);
    pcm_put_text(to, info->model->summary);
    pcm_put_text(to, info->model->equations);
    put_place(to, &info->place);
    pcm_put_text(to, info->material[0]);
    pcm_put_text(to, info->material[1]);
    pcm_put_single(to, friction_of(type));
    pcm_put_u32(to, pcm_type_value_count(type));
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        put_value(to, &value);
    }
}

uint32_t pcm_scene_type(pcm_replay *replay, const pcm_type *type)
{
    const uint32_t sets = pcm_type_get_info(type)->sets;
    for (size_t i = 0; i < replay->n_types; i++)
        if (replay->types[i].type == type && replay->types[i].sets == sets)
            return (uint32_t)i;
    if (!pcm_grow(replay->context, &replay->types, &replay->type_capacity, replay->n_types + 1,
                  sizeof *replay->types)) {
        replay->lost = true;
        return PCM_REPLAY_NONE;
    }
    put_type(replay, type);
    replay->types[replay->n_types] = (pcm_shown_type){type, sets};
    return (uint32_t)replay->n_types++;
}

/* ---- Objects and bodies ---------------------------------------------------------------------------------------- */

uint32_t pcm_scene_subject(pcm_replay *replay, const char *name, const char *surface, pcm_object object, bool fixed)
{
    if (!pcm_grow(replay->context, &replay->subjects, &replay->subject_capacity, replay->n_subjects + 1,
                  sizeof *replay->subjects)) {
        replay->lost = true;
        return PCM_REPLAY_NONE;
    }
    pcm_buffer *to = pcm_news_add(replay, PCM_NEWS_SUBJECT);
    pcm_put_text(to, name);
    pcm_put_text(to, surface);
    pcm_put_u32(to, object.generation != 0);
    replay->subjects[replay->n_subjects] =
        (pcm_subject){.object = object, .fixed = fixed, .pose = {{0, 0, 0}, {1, 0, 0, 0}}};
    return (uint32_t)replay->n_subjects++;
}

uint32_t pcm_scene_object(const pcm_replay *replay, pcm_object object)
{
    const uint32_t subject = object.index < replay->object_capacity ? replay->by_object[object.index] : 0;
    if (subject == 0 || replay->subjects[subject - 1].object.generation != object.generation)
        return PCM_REPLAY_NONE;
    return subject - 1;
}

static bool add_object(pcm_replay *replay, pcm_object object)
{
    pcm_object_info info = {.size = sizeof info};
    if (!pcm_grow(replay->context, &replay->by_object, &replay->object_capacity, (size_t)object.index + 1,
                  sizeof *replay->by_object) ||
        pcm_world_object_info(replay->world, object, &info) != PCM_OK)
        return false;
    const uint32_t subject = pcm_scene_subject(replay, info.name, info.surface, object, info.fixed);
    if (subject == PCM_REPLAY_NONE)
        return false;
    replay->by_object[object.index] = subject + 1;
    return true;
}

bool pcm_scene_list_objects(pcm_replay *replay)
{
    const size_t count = pcm_world_objects(replay->world, NULL, 0);
    if (!pcm_grow(replay->context, &replay->listed, &replay->listed_capacity, count, sizeof *replay->listed))
        return false;
    pcm_world_objects(replay->world, replay->listed, count);
    for (size_t i = 0; i < replay->n_subjects; i++)
        replay->subjects[i].seen = replay->subjects[i].object.generation == 0;
    for (size_t i = 0; i < count; i++) {
        if (pcm_scene_object(replay, replay->listed[i]) == PCM_REPLAY_NONE && !add_object(replay, replay->listed[i]))
            return false;
        replay->subjects[pcm_scene_object(replay, replay->listed[i])].seen = true;
    }
    return true;
}

/* ---- Shapes ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t      dimensions, points;
} needs[] = {
    [PCM_SHAPE_SPHERE] = {"sphere", 1, 0},       [PCM_SHAPE_CAPSULE] = {"capsule", 1, 0},
    [PCM_SHAPE_CYLINDER] = {"cylinder", 2, 0},   [PCM_SHAPE_BOX] = {"box", 3, 0},
    [PCM_SHAPE_ELLIPSOID] = {"ellipsoid", 3, 0}, [PCM_SHAPE_DISK] = {"disk", 1, 0},
    [PCM_SHAPE_PLANE] = {"plane", 0, 0},         [PCM_SHAPE_CLOUD] = {"cloud", 0, 1},
    [PCM_SHAPE_HULL] = {"hull", 0, 4},           [PCM_SHAPE_MESH] = {"mesh", 0, 3},
    [PCM_SHAPE_GRID] = {"grid", 0, 4},
};

/* The fault of a shape; NULL: none. */
static const char *fault_of(const pcm_shape *shape)
{
    if ((size_t)shape->kind >= sizeof needs / sizeof *needs)
        return "its kind is not known";
    for (size_t i = 0; i < 3; i++)
        if (!isfinite(shape->dimensions[i]) ||
            (i < needs[shape->kind].dimensions ? shape->dimensions[i] <= 0 : shape->dimensions[i] < 0))
            return "a dimension is not above 0";
    if (shape->n_points < needs[shape->kind].points || shape->n_points > UINT32_MAX / 3)
        return "it has too few points, or too many";
    if (shape->kind == PCM_SHAPE_GRID && (shape->columns < 2 || shape->n_points % shape->columns != 0))
        return "its points are no whole rows";
    for (size_t i = 0; i < 3 * shape->n_triangles; i++)
        if (shape->triangles[i] >= shape->n_points)
            return "a triangle names a point that it does not have";
    return NULL;
}

static void put_shape(pcm_replay *replay, uint32_t subject, const pcm_shape *shape)
{
    static const double none[4] = {1, 0, 0, 0};
    const double       *turn = shape->placement.orientation;
    pcm_buffer         *to = pcm_news_add(replay, PCM_NEWS_SHAPE);
    pcm_put_u32(to, subject);
    pcm_put_u32(to, shape->kind);
    pcm_put_singles(to, shape->placement.position, 3);
    pcm_put_singles(to, turn[0] == 0 && turn[1] == 0 && turn[2] == 0 && turn[3] == 0 ? none : turn, 4);
    pcm_put_singles(to, shape->dimensions, 3);
    pcm_put_singles(to, shape->color, 4);
    pcm_put_u32(to, shape->columns);
    pcm_put_u32(to, shape->n_points);
    pcm_put_singles(to, shape->points, 3 * shape->n_points);
    pcm_put_u32(to, shape->n_triangles);
    for (size_t i = 0; i < 3 * shape->n_triangles; i++)
        pcm_put_u32(to, shape->triangles[i]);
}

static pcm_status add_shape(pcm_replay *replay, uint32_t subject, const pcm_shape *given)
{
    pcm_shape shape = {.size = sizeof shape};
    if (!pcm_def_fill(replay->context, "pcm_shape", &shape, given))
        return PCM_BAD_ARGUMENT;
    const char *fault = subject >= replay->n_subjects ? "what it is of is not known" : fault_of(&shape);
    if (fault) {
        pcm_report(replay->context, PCM_ERROR, PCM_MSG_REPLAY_SHAPE, "a shape of the page cannot be shown: %s", fault);
        return PCM_BAD_ARGUMENT;
    }
    put_shape(replay, subject, &shape);
    return PCM_OK;
}

pcm_status pcm_replay_shape(pcm_replay *replay, pcm_object object, const pcm_shape *shape)
{
    if (!pcm_scene_list_objects(replay))
        return PCM_NO_MEMORY;
    const uint32_t subject = pcm_scene_object(replay, object);
    return subject == PCM_REPLAY_NONE ? PCM_BAD_HANDLE : add_shape(replay, subject, shape);
}

pcm_status pcm_replay_body_shape(pcm_replay *replay, uint32_t body, const pcm_shape *shape)
{
    return add_shape(replay, body, shape);
}

uint32_t pcm_replay_body(pcm_replay *replay, const char *name, bool fixed)
{
    return pcm_scene_subject(replay, name, "", (pcm_object){0, 0}, fixed);
}

pcm_status pcm_replay_body_move(pcm_replay *replay, uint32_t body, const pcm_pose *pose)
{
    pcm_subject *subject = body < replay->n_subjects ? &replay->subjects[body] : NULL;
    if (!subject || subject->object.generation != 0 || (subject->fixed && subject->placed)) {
        pcm_report(replay->context, PCM_ERROR, PCM_MSG_REPLAY_SHAPE,
                   "%zu is no body of this page that can be moved: the world moves objects, and a fixed body has its "
                   "place once",
                   (size_t)body);
        return PCM_BAD_ARGUMENT;
    }
    subject->pose = *pose;
    subject->placed = true;
    return PCM_OK;
}

pcm_status pcm_replay_camera(pcm_replay *replay, const char *name, const double eye[3], const double target[3],
                             double angle)
{
    pcm_buffer *to = pcm_news_add(replay, PCM_NEWS_CAMERA);
    pcm_put_text(to, name);
    pcm_put_singles(to, eye, 3);
    pcm_put_singles(to, target, 3);
    pcm_put_single(to, angle);
    return to->starved ? PCM_NO_MEMORY : PCM_OK;
}
