/* SPDX-License-Identifier: MIT */
/* sleep.c - sleeping bodies (MuJoCo 3.4 and later) with contacts of laws.
 *
 * MuJoCo puts trees to sleep together if its own constraints join them. Contacts of laws are not among these, so that
 * one body of a stack would fall asleep while the other one still moves on it. Trees between which a law acts therefore
 * share the lower of their counts. A listed contact wakes a sleeping body at once, like MuJoCo's own contacts; a law
 * that acts across a gap wakes it in the next step, by the smallest possible velocity. */
#include "detection.h"
#include <float.h>

#if PCM_RELEASE_HAS_SLEEP

static bool is_on(const pcm_mujoco *host) { return host->model->opt.enableflags & mjENBL_SLEEP; }

static int tree_of(const pcm_mujoco *host, int geom)
{
    return host->model->body_treeid[host->model->geom_bodyid[geom]];
}

bool pcm_sleep_wakes(const pcm_mujoco *host, const mjData *data, int geom_a, int geom_b)
{
    const int a = tree_of(host, geom_a), b = tree_of(host, geom_b);
    return is_on(host) && a >= 0 && b >= 0 && data->tree_awake[a] != data->tree_awake[b];
}

bool pcm_sleep_begins(const pcm_mujoco *host, const mjData *data)
{
    bool begins = false;
    for (int i = 0; is_on(host) && pcm_release_nested(data) && i < (int)host->model->ntree && !begins; i++)
        begins = data->tree_awake[i] && data->tree_asleep[i] >= 0;
    return begins;
}

/* Resets the count of trees that move, which MuJoCo does only at the end of the step. */
static void reset_counts(const mjModel *model, mjData *data)
{
    for (int dof = 0; dof < (int)model->nv; dof++) {
        int *count = &data->tree_asleep[model->dof_treeid[dof]];
        if (*count < 0 && !(model->dof_length[dof] * fabs(data->qvel[dof]) < model->opt.sleep_tolerance))
            *count = -(1 + mjMINAWAKE);
    }
}

/* Whether both sides are bodies that may sleep, and a force acts between them. */
static bool joins(const pcm_mujoco *host, const pcm_contact_info *info, int trees[2])
{
    trees[0] = host->model->body_treeid[host->detection->by_handle[info->base.index]->body];
    trees[1] = host->model->body_treeid[host->detection->by_handle[info->follower.index]->body];
    return trees[0] >= 0 && trees[1] >= 0 && pcm_dot(info->world_force, info->world_force) > 0;
}

/* If both trees are awake, both take the lower count, that of the tree which stays awake longer. Returns whether a
 * count changed. */
static bool join(mjData *data, const int trees[2])
{
    int *const counts[2] = {&data->tree_asleep[trees[0]], &data->tree_asleep[trees[1]]};
    if (*counts[0] >= 0 || *counts[1] >= 0 || *counts[0] == *counts[1])
        return false;
    *counts[0] = *counts[1] = *counts[0] < *counts[1] ? *counts[0] : *counts[1];
    return true;
}

static void wake(const pcm_mujoco *host, mjData *data, const int trees[2])
{
    for (int i = 0; i < 2; i++)
        if (!data->tree_awake[trees[i]] && data->tree_awake[trees[1 - i]])
            data->qvel[host->model->tree_dofadr[trees[i]]] = DBL_TRUE_MIN;
}

void pcm_sleep_join(pcm_mujoco *host, mjData *data)
{
    bool changes = is_on(host) && !pcm_release_nested(data);
    if (changes)
        reset_counts(host->model, data);
    while (changes) {
        changes = false;
        for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
            pcm_contact_info info = {.size = sizeof info};
            int              trees[2];
            if (pcm_world_contact_at(host->world, i, &info) != PCM_OK || !joins(host, &info, trees))
                continue;
            changes |= join(data, trees);
            wake(host, data, trees);
        }
    }
}

#else

bool pcm_sleep_wakes(const pcm_mujoco *host, const mjData *data, int geom_a, int geom_b)
{
    (void)host, (void)data, (void)geom_a, (void)geom_b;
    return false;
}

bool pcm_sleep_begins(const pcm_mujoco *host, const mjData *data)
{
    (void)host, (void)data;
    return false;
}

void pcm_sleep_join(pcm_mujoco *host, mjData *data) { (void)host, (void)data; }

#endif
