/* SPDX-License-Identifier: MIT */
/* hint.c - the name in a scene that is closest to a name that the scene does not have. */
#include "scene.h"
#include <stdio.h>
#include <string.h>

/* ---- Feet -------------------------------------------------------------------------------------------------------- */

static bool asks_for_feet(const char *text)
{
    return strstr(text, "foot") || strstr(text, "Foot") || strstr(text, "FOOT") || strstr(text, "feet") ||
           strstr(text, "Feet") || strstr(text, "toe") || strstr(text, "Toe");
}

static bool is_last_link(const mjModel *model, int body)
{
    for (int child = body + 1; child < model->nbody; child++)
        if (model->body_parentid[child] == body)
            return false;
    return true;
}

/* m, of a geom's middle as the model defines its bodies, before joints move. */
static double height_of(const mjModel *model, const pcm_scene_object *object)
{
    double at[3], turned[3];
    mju_copy3(at, model->geom_pos + 3 * object->geom);
    for (int body = object->body; body > 0; body = model->body_parentid[body]) {
        mju_rotVecQuat(turned, at, model->body_quat + 4 * body);
        mju_add3(at, turned, model->body_pos + 3 * body);
    }
    return at[2];
}

static bool may_be_foot(const pcm_scene *scene, const pcm_scene_object *object)
{
    return object->geom >= 0 && !object->fixed && is_last_link(scene->model, object->body);
}

/* Whether it is the lowest geom of its link; of equally low ones, the first. */
static bool is_lowest_of_link(const pcm_scene *scene, const pcm_scene_object *object)
{
    const double height = height_of(scene->model, object);
    for (const pcm_scene_object *o = scene->objects; o < scene->objects + scene->count; o++)
        if (o->geom >= 0 && o->body == object->body && o != object) {
            const double other = height_of(scene->model, o);
            if (other < height || (other == height && o < object))
                return false;
        }
    return true;
}

/* "; the lowest geoms of last links are 'FL_calf.3', ..."; "": there are none. */
static pcm_hint hint_feet(const pcm_scene *scene)
{
    enum { MOST = 4 };
    const double within = 0.05; /* m, of the lowest one */
    pcm_hint     hint = {""};
    double       lowest = INFINITY;
    size_t       length = 0;
    int          count = 0;
    for (size_t i = 0; i < scene->count; i++)
        if (may_be_foot(scene, &scene->objects[i]))
            lowest = fmin(lowest, height_of(scene->model, &scene->objects[i]));
    for (size_t i = 0; i < scene->count && count < MOST; i++) {
        const pcm_scene_object *object = &scene->objects[i];
        if (!may_be_foot(scene, object) || height_of(scene->model, object) > lowest + within ||
            !is_lowest_of_link(scene, object))
            continue;
        const char *name = object->aliases[0] ? object->aliases[0] : object->name;
        if (length + strlen(name) + 48 > sizeof hint.text)
            break;
        length += (size_t)snprintf(hint.text + length, sizeof hint.text - length, "%s'%s'",
                                   count++ ? ", " : "; the lowest geoms of last links are ", name);
    }
    return hint;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

pcm_hint pcm_scene_hint_object(const pcm_scene *scene, const char *text)
{
    pcm_nearest nearest = pcm_nearest_to(text);
    for (size_t i = 0; i < scene->count; i++) {
        pcm_nearest_try(&nearest, scene->objects[i].base);
        for (size_t k = 0; scene->objects[i].aliases[k]; k++)
            pcm_nearest_try(&nearest, scene->objects[i].aliases[k]);
    }
    const pcm_hint near = pcm_nearest_hint(&nearest), feet = asks_for_feet(text) ? hint_feet(scene) : (pcm_hint){""};
    return strstr(near.text, "did you mean") || !*feet.text ? near : feet;
}

pcm_hint pcm_scene_hint_surface(const pcm_scene *scene, const pcm_config *config, const char *text)
{
    pcm_nearest nearest = pcm_nearest_to(text);
    for (size_t i = 0; i < scene->count; i++)
        pcm_nearest_try(&nearest, pcm_scene_surface(config, &scene->objects[i]));
    return pcm_nearest_hint(&nearest);
}
