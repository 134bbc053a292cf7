/* SPDX-License-Identifier: MIT */
/* cone_scene.c - the contacts of an object in a MuJoCo scene, for pcm cone. */
#include "cone.h"

#include <math.h>
#include <pcm/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <pcm/messages.h>

#include "scene_object.h"

typedef struct scene {
    const char *path, *object;
    mjModel    *model;
    mjData     *data;
    pcm_mujoco *host;
    cone_job   *job;
    size_t      others; /* contacts of the object whose law gives no force at this time */
} scene;

/* Adds the force of a contact on the object; sign is 1 if the object is the contact's follower. */
static void add_wrench(const pcm_contact_info *info, double sign, const double about[3], double wrench[6])
{
    double arm[3], moment[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        arm[i] = info->point[i] - about[i];
        for (size_t k = 0; k < 3; k++)
            moment[i] += info->frame[3 * i + k] * info->moment[k];
    }
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        wrench[i] += sign * (arm[j] * info->world_force[k] - arm[k] * info->world_force[j] + moment[i]);
        wrench[3 + i] += sign * info->world_force[i];
    }
}

static bool take_contact(scene *s, const pcm_contact_info *info, double wrench[6])
{
    const bool follower = strcmp(info->follower_name, s->object) == 0;
    if (!follower && strcmp(info->base_name, s->object) != 0)
        return true;
    if (!(info->depth >= 0)) {
        s->others++;
        return true;
    }
    const double   sign = follower ? 1 : -1;
    pcm_cone_point point = {.friction = NAN};
    if (!cone_of_type(info->type, &point.friction))
        return false;
    for (size_t i = 0; i < 3; i++) {
        point.position[i] = info->point[i];
        point.normal[i] = sign * info->frame[3 * i + 2];
    }
    add_wrench(info, sign, s->job->def.about, wrench);
    return cone_list_add(&s->job->points, (const double *)&point);
}

static bool take_contacts(scene *s)
{
    const double *origin = scene_origin(s->model, s->data, s->object);
    if (!origin) {
        scene_refuse(s->model, s->path, s->object);
        return false;
    }
    if (!s->job->about_given)
        memcpy(s->job->def.about, origin, sizeof s->job->def.about);
    double           wrench[6] = {0};
    pcm_world       *world = pcm_mujoco_world(s->host);
    pcm_contact_info info = {.size = sizeof info};
    for (size_t i = 0; i < pcm_world_contact_count(world); i++)
        if (pcm_world_contact_at(world, i, &info) != PCM_OK || !take_contact(s, &info, wrench))
            return false;
    const pcm_number_text time = pcm_number(s->data->time, 6);
    (void)snprintf(s->job->title, sizeof s->job->title, "%s at %s s", s->object, time.text);
    if (s->job->points.count > 0)
        return cone_list_add(&s->job->wrenches, wrench);
    command_error(PCM_MSG_NO_CONE, "'%s' has no contact with a law of the file at %s s%s", s->object, time.text,
                  s->others > 0 ? ", only contacts that linger" : "");
    return false;
}

static bool run(scene *s, double time)
{
    while (s->data->time < time - 1e-9 * time)
        if (pcm_mujoco_step(s->host) != PCM_OK)
            return false;
    return pcm_mujoco_forward(s->host) == PCM_OK;
}

bool cone_from_scene(pcm_context *context, const cone_scene *from, pcm_config *config, cone_job *job)
{
    scene s = {.path = from->path, .object = from->object, .job = job};
    s.model = scene_load(context, from->path, from->robot);
    s.data = s.model ? mj_makeData(s.model) : NULL;
    s.host = s.data ? pcm_mujoco_attach(context, config, s.model, s.data, NULL) : NULL;
    const bool good = s.host && run(&s, from->time) && take_contacts(&s);
    pcm_mujoco_free(s.host);
    if (s.data)
        mj_deleteData(s.data);
    if (s.model)
        mj_deleteModel(s.model);
    return good;
}
