/* SPDX-License-Identifier: MIT */
/* show.c - contacts of laws in MuJoCo's own tools: forces of listed contacts, and pictures. */
#include "reading.h"
#include <string.h>

/* ---- Forces ------------------------------------------------------------------------------------------------------ */

/* The contact point of the last evaluation that belongs to a listed contact. */
static const pcm_contact_point *point_of(const pcm_mujoco *host, const mjContact *contact)
{
    if (contact->geom1 < 0 || contact->geom2 < 0)
        return NULL;
    const uint32_t pair = *pcm_pair_of(host, contact->geom1, contact->geom2);
    for (size_t i = 0; pair && i < host->detection->seen.count; i++) {
        const pcm_contact_point *point = &host->detection->seen.items[i];
        if (point->pair == pair - 1 && memcmp(point->point, contact->pos, sizeof point->point) == 0)
            return point;
    }
    return NULL;
}

pcm_status pcm_mujoco_contact_force(pcm_mujoco *host, int index, double force[6])
{
    const mjData *data = host->data;
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    if (index < 0 || index >= data->ncon)
        return PCM_BAD_ARGUMENT;
    const mjContact         *contact = &data->contact[index];
    const pcm_contact_point *point = point_of(host, contact);
    pcm_contact_info         info = {.size = sizeof info};
    if (!point) {
        mj_contactForce(host->model, data, index, force);
        return PCM_OK;
    }
    memset(force, 0, 6 * sizeof *force);
    pcm_host_lock(host);
    const pcm_status status = pcm_world_contact_info(host->world, point->contact, &info);
    pcm_host_unlock(host);
    if (status != PCM_OK)
        return PCM_OK; /* the contact ended with this step */
    const double sign = host->detection->by_handle[info.follower.index]->geom == contact->geom2 ? 1 : -1;
    double       moment[3];
    mju_mulMatVec(moment, info.frame, info.moment, 3, 3);
    for (int i = 0; i < 3; i++) {
        force[i] = sign * pcm_dot(contact->frame + 3 * i, info.world_force);
        force[3 + i] = sign * pcm_dot(contact->frame + 3 * i, moment);
    }
    return PCM_OK;
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static mjvGeom *add_geom(mjvScene *scene, int type, const double size[3], const float rgba[4])
{
    const double at[3] = {0, 0, 0};
    if (scene->ngeom >= scene->maxgeom)
        return NULL;
    mjvGeom *geom = &scene->geoms[scene->ngeom++];
    mjv_initGeom(geom, type, size, at, NULL, rgba);
    geom->category = mjCAT_DECOR;
    return geom;
}

static void add_point(const mjModel *model, const pcm_contact_info *info, mjvScene *scene)
{
    const double size[3] = {0.5 * model->vis.scale.contactwidth * model->stat.meansize, 0, 0};
    mjvGeom     *geom = add_geom(scene, mjGEOM_SPHERE, size, model->vis.rgba.contactpoint);
    for (int i = 0; geom && i < 3; i++)
        geom->pos[i] = (float)info->point[i];
}

/* Draws a force in the scale of MuJoCo's own arrows. */
static void add_force(const mjModel *model, const pcm_contact_info *info, mjvScene *scene)
{
    const double none[3] = {1, 1, 1}, scale = model->vis.map.force / model->stat.meanmass;
    double       tip[3];
    mju_addScl3(tip, info->point, info->world_force, scale);
    mjvGeom *geom = add_geom(scene, mjGEOM_ARROW, none, model->vis.rgba.contactforce);
    if (geom)
        pcm_release_arrow(geom, model->vis.scale.forcewidth * model->stat.meansize, info->point, tip);
}

void pcm_mujoco_draw(pcm_mujoco *host, const mjvOption *option, mjvScene *scene)
{
    pcm_contact_info info = {.size = sizeof info};
    pcm_host_lock(host);
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK || info.depth == PCM_FAR)
            continue;
        if (option->flags[mjVIS_CONTACTPOINT])
            add_point(host->model, &info, scene);
        if (option->flags[mjVIS_CONTACTFORCE])
            add_force(host->model, &info, scene);
    }
    pcm_host_unlock(host);
}
