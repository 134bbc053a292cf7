/* SPDX-License-Identifier: MIT */
/* custom.c - surfaces and radii in the model's custom elements, given to objects by a pattern of their names: <text
 * name="pcm:surface:*_foot" data="Rubber"/>, <numeric name="pcm:radius:*_foot" data="0.02"/>. */
#include "scene.h"
#include <pcm/messages.h>
#include <math.h>
#include <string.h>

/* The part of the name after the prefix; NULL: the name does not begin with the prefix. */
static const char *pattern_of(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    return name && strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

static void report(const pcm_scene *scene, const char *name, const char *what)
{
    pcm_report(scene->context, PCM_WARNING, PCM_MSG_CUSTOM, "the scene's custom element '%s' %s", name, what);
}

bool pcm_scene_assign_surface(pcm_scene *scene, const char *pattern, const char *surface)
{
    bool used = false;
    for (size_t i = 0; i < scene->count; i++)
        if (pcm_scene_fits(&scene->objects[i], pattern)) {
            scene->objects[i].surface = surface;
            used = true;
        }
    return used;
}

static void read_text(pcm_scene *scene, const char *name, const char *surface)
{
    const char *pattern = pattern_of(name, "pcm:surface:");
    if (!pattern && pattern_of(name, "pcm:"))
        report(scene, name, "has no effect: a text of PCM's is called pcm:surface:PATTERN");
    else if (pattern && !*surface)
        report(scene, name, "names no surface: write data=\"Rubber\"");
    else if (pattern && !pcm_scene_assign_surface(scene, pattern, surface))
        report(scene, name, "matches no object of the scene");
}

static void read_number(pcm_scene *scene, const char *name, const mjtNum *data, int size)
{
    const char *pattern = pattern_of(name, "pcm:radius:");
    bool        used = false;
    if (!pattern && pattern_of(name, "pcm:"))
        report(scene, name, "has no effect: a number of PCM's is called pcm:radius:PATTERN");
    if (!pattern)
        return;
    if (size != 1 || !(data[0] >= 0) || !isfinite(data[0])) {
        report(scene, name, "is no radius: write one finite number in metres, 0 for flat");
        return;
    }
    for (size_t i = 0; i < scene->count; i++)
        if (pcm_scene_fits(&scene->objects[i], pattern)) {
            scene->objects[i].radius = data[0];
            scene->objects[i].said = true;
            used = true;
        }
    if (!used)
        report(scene, name, "matches no object of the scene");
}

void pcm_scene_read_custom(pcm_scene *scene)
{
    const mjModel *model = scene->model;
    for (int i = 0; i < model->ntext; i++)
        read_text(scene, mj_id2name(model, mjOBJ_TEXT, i), model->text_data + model->text_adr[i]);
    for (int i = 0; i < model->nnumeric; i++)
        read_number(scene, mj_id2name(model, mjOBJ_NUMERIC, i), model->numeric_data + model->numeric_adr[i],
                    model->numeric_size[i]);
}
