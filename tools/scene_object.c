/* SPDX-License-Identifier: MIT */
#include "scene_object.h"

#include <math.h>
#include <pcm/mujoco.h>
#include <stddef.h>
#include <pcm/messages.h>

mjModel *scene_load(pcm_context *context, const char *path, const option_robot *robot)
{
    const bool             is_free = !isnan(robot->free_at);
    const pcm_mujoco_robot around = {.size = sizeof around,
                                     .floor = robot->floor,
                                     .free = is_free,
                                     .height = is_free ? robot->free_at : 0,
                                     .packages = robot->packages.at,
                                     .n_packages = robot->packages.count};
    return around.floor || around.free || around.n_packages ? pcm_mujoco_load_robot(context, path, &around)
                                                            : pcm_mujoco_load(context, path);
}

/* In order of priority: the name may be that of a geom, of a body or of a site. */
static const mjtObj kinds[] = {mjOBJ_GEOM, mjOBJ_BODY, mjOBJ_SITE};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int count_of(const mjModel *model, mjtObj kind)
{
    return (int)(kind == mjOBJ_GEOM ? model->ngeom : kind == mjOBJ_BODY ? model->nbody : model->nsite);
}

/* The object's index among those of its kind; -1: there is none. */
static int find(const mjModel *model, const char *name, mjtObj *kind)
{
    int id = -1;
    for (size_t i = 0; id < 0 && i < KINDS; i++) {
        *kind = kinds[i];
        id = mj_name2id(model, (int)kinds[i], name);
    }
    return id;
}

const double *scene_origin(const mjModel *model, const mjData *data, const char *name)
{
    mjtObj    kind;
    const int id = find(model, name, &kind);
    if (id < 0)
        return NULL;
    return (kind == mjOBJ_GEOM ? data->geom_xpos : kind == mjOBJ_BODY ? data->xpos : data->site_xpos) + 3 * id;
}

void scene_refuse(const mjModel *model, const char *path, const char *name)
{
    pcm_nearest nearest = pcm_nearest_to(name);
    for (size_t i = 0; i < KINDS; i++)
        for (int id = 0; id < count_of(model, kinds[i]); id++)
            if (mj_id2name(model, (int)kinds[i], id))
                pcm_nearest_try(&nearest, mj_id2name(model, (int)kinds[i], id));
    command_error(PCM_MSG_NO_CONE, "%s has no object '%s'%s", path, name, pcm_nearest_hint(&nearest).text);
}

void scene_quotable(char *name)
{
    for (; *name; name++)
        if (*name == '"' || (unsigned char)*name < ' ')
            *name = '?';
}
