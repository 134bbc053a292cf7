/* SPDX-License-Identifier: MIT */
/* dropped.c - parameters of MuJoCo's own contacts in a scene that contacts of laws ignore. */
#include "scene.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

enum { CONDIM, FRICTION, MARGIN, GAP, PRIORITY, SOLREF, SOLIMP, SOLMIX, OVERRIDE, ADHESION, KINDS };
static const char *const kinds[KINDS] = {"condim", "friction", "margin", "gap",      "priority",
                                         "solref", "solimp",   "solmix", "override", "adhesion"};

static bool differs(const mjtNum *values, const double *usual, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != usual[i])
            return true;
    return false;
}

static const double usual_solref[mjNREF] = {0.02, 1}, usual_solimp[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2};

static unsigned bits_of(const bool differ[KINDS])
{
    unsigned bits = 0;
    for (int i = 0; i < KINDS; i++)
        bits |= (unsigned)differ[i] << i;
    return bits;
}

/* A bit for each parameter that differs from MuJoCo's default. */
static unsigned dropped_by_geom(const mjModel *model, int geom)
{
    static const double friction[] = {1, 0.005, 0.0001};
    const bool          differ[KINDS] = {[CONDIM] = model->geom_condim[geom] != 3,
                                         [FRICTION] = differs(model->geom_friction + 3 * geom, friction, 3),
                                         [MARGIN] = model->geom_margin[geom] != 0,
                                         [GAP] = model->geom_gap[geom] != 0,
                                         [PRIORITY] = model->geom_priority[geom] != 0,
                                         [SOLREF] = differs(model->geom_solref + mjNREF * geom, usual_solref, mjNREF),
                                         [SOLIMP] = differs(model->geom_solimp + mjNIMP * geom, usual_solimp, mjNIMP),
                                         [SOLMIX] = model->geom_solmix[geom] != 1,
                                         [ADHESION] = pcm_release_adhesion(model, geom, -1)};
    return bits_of(differ);
}

static unsigned dropped_by_pair(const mjModel *model, int pair)
{
    static const double friction[] = {1, 1, 0.005, 0.0001, 0.0001};
    const bool          differ[KINDS] = {[CONDIM] = model->pair_dim[pair] != 3,
                                         [FRICTION] = differs(model->pair_friction + 5 * pair, friction, 5),
                                         [MARGIN] = model->pair_margin[pair] != 0,
                                         [GAP] = model->pair_gap[pair] != 0,
                                         [SOLREF] = differs(model->pair_solref + mjNREF * pair, usual_solref, mjNREF),
                                         [SOLIMP] = differs(model->pair_solimp + mjNIMP * pair, usual_solimp, mjNIMP),
                                         [ADHESION] = pcm_release_adhesion(model, -1, pair)};
    return bits_of(differ);
}

/* The same for the pair's entry in the model's list, and for options that override the parameters of all contacts. */
static unsigned dropped_by_both(const mjModel *model, int geom_a, int geom_b)
{
    unsigned bits = model->opt.enableflags & mjENBL_OVERRIDE ? 1U << OVERRIDE : 0;
    for (int i = 0; i < model->npair; i++)
        if ((model->pair_geom1[i] == geom_a && model->pair_geom2[i] == geom_b) ||
            (model->pair_geom1[i] == geom_b && model->pair_geom2[i] == geom_a))
            bits |= dropped_by_pair(model, i);
    return bits;
}

static void drop(const pcm_scene_object *object, unsigned bits, pcm_scene_drops *drops)
{
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
    if (a->geom >= 0)
        drop(a, dropped_by_geom(scene->model, a->geom), drops);
    if (b->geom >= 0)
        drop(b, dropped_by_geom(scene->model, b->geom), drops);
    if (a->geom >= 0 && b->geom >= 0)
        drop(a, dropped_by_both(scene->model, a->geom, b->geom), drops);
    if (drops->field || !is_field(scene, field) || pcm_type_get_info(type)->common->patch != PCM_PATCH_POINTS)
        return;
    if ((scene->own_convex || pcm_type_get_info(type)->common->smooth) &&
        pcm_scene_meets_field(scene->model, a->geom, b->geom))
        return;
    drops->field = field->name;
    drops->type = type;
}

static void report_field(const pcm_scene *scene, const pcm_scene_drops *drops)
{
    if (drops->field)
        pcm_report(scene->context, PCM_NOTE, PCM_MSG_FIELD,
                   "'%s' acts at each point of the height field '%s', and a finer field has more of them: Patch = "
                   "Single or Patch = Shared in the contact type gives the same at any resolution",
                   pcm_type_get_info(drops->type)->name, drops->field);
}

void pcm_scene_report_drops(const pcm_scene *scene, const pcm_scene_drops *drops)
{
    report_field(scene, drops);
    char   list[160] = "";
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
