/* SPDX-License-Identifier: MIT */
/* dropped.c - what a scene says of MuJoCo's own contacts, and contacts of laws do not take over. */
#include "scene.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

enum { CONDIM, FRICTION, MARGIN, GAP, PRIORITY, SOLREF, SOLIMP, SOLMIX, KINDS };
static const char *const kinds[KINDS] = {"condim",   "friction", "margin", "gap",
                                         "priority", "solref",   "solimp", "solmix"};

static bool differs(const mjtNum *values, const double *usual, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != usual[i])
            return true;
    return false;
}

/* A bit for each that is not as MuJoCo has it by default. */
static unsigned dropped_by(const mjModel *model, int geom)
{
    static const double friction[] = {1, 0.005, 0.0001}, solref[mjNREF] = {0.02, 1};
    static const double solimp[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2};
    const bool          differ[KINDS] = {[CONDIM] = model->geom_condim[geom] != 3,
                                         [FRICTION] = differs(model->geom_friction + 3 * geom, friction, 3),
                                         [MARGIN] = model->geom_margin[geom] != 0,
                                         [GAP] = model->geom_gap[geom] != 0,
                                         [PRIORITY] = model->geom_priority[geom] != 0,
                                         [SOLREF] = differs(model->geom_solref + mjNREF * geom, solref, mjNREF),
                                         [SOLIMP] = differs(model->geom_solimp + mjNIMP * geom, solimp, mjNIMP),
                                         [SOLMIX] = model->geom_solmix[geom] != 1};
    unsigned            bits = 0;
    for (int i = 0; i < KINDS; i++)
        bits |= (unsigned)differ[i] << i;
    return bits;
}

static void drop(const pcm_scene *scene, const pcm_scene_object *object, pcm_scene_drops *drops)
{
    const unsigned bits = object->geom >= 0 ? dropped_by(scene->model, object->geom) : 0;
    if (bits & ~drops->bits)
        drops->last = object->name;
    drops->bits |= bits;
}

static bool is_field(const pcm_scene *scene, const pcm_scene_object *object)
{
    return object->geom >= 0 && scene->model->geom_type[object->geom] == mjGEOM_HFIELD;
}

void pcm_scene_drop(const pcm_scene *scene, const pcm_scene_object *a, const pcm_scene_object *b, const pcm_type *type,
                    pcm_scene_drops *drops)
{
    const pcm_scene_object *field = is_field(scene, a) ? a : b;
    drop(scene, a, drops);
    drop(scene, b, drops);
    if (drops->field || !is_field(scene, field) || pcm_type_get_info(type)->common->patch != PCM_PATCH_POINTS)
        return;
    if (scene->own_convex && pcm_shapes_field(scene->model, a->geom, b->geom))
        return;
    drops->field = field->name;
    drops->type = type;
}

static void tell_field(const pcm_scene *scene, const pcm_scene_drops *drops)
{
    if (drops->field)
        pcm_report(scene->context, PCM_NOTE, PCM_MSG_FIELD,
                   "'%s' acts at each point of the height field '%s', and a finer field has more of them: Patch = "
                   "Single or Patch = Shared in the contact type gives the same at any resolution",
                   pcm_type_get_info(drops->type)->name, drops->field);
}

void pcm_scene_tell_drops(const pcm_scene *scene, const pcm_scene_drops *drops)
{
    tell_field(scene, drops);
    char   list[128] = "";
    size_t at = 0;
    for (int i = 0; i < KINDS; i++)
        if (drops->bits & 1U << i)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", kinds[i]);
    if (!drops->bits)
        return;
    pcm_report(
        scene->context, PCM_NOTE, PCM_MSG_DROPPED,
        "contacts of laws do not take over the scene's %s (of '%s' for one): contact types say it in their place%s",
        list, drops->last,
        drops->bits & 1U << CONDIM ? "; Twisting and RollingResistance are parts for condim 4 and 6" : "");
}
