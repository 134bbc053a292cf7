/* SPDX-License-Identifier: MIT */
/* native.c - statistics of the pairs that rules leave to MuJoCo, like those that a world keeps of its own. */
#include "host.h"
#include <math.h>
#include <stdlib.h>

static int64_t key_of(const mjModel *model, int geom_a, int geom_b)
{
    return geom_a < geom_b ? (int64_t)geom_a * model->ngeom + geom_b : (int64_t)geom_b * model->ngeom + geom_a;
}

static int compare(const void *a, const void *b)
{
    const int64_t first = ((const pcm_native_pair *)a)->key, second = ((const pcm_native_pair *)b)->key;
    return (first > second) - (first < second);
}

void pcm_native_add(pcm_mujoco *host, int geom_a, int geom_b, size_t rule)
{
    host->natives[host->n_natives++] =
        (pcm_native_pair){.key = key_of(host->model, geom_a, geom_b), .rule = (uint32_t)rule};
}

void pcm_native_sort(pcm_mujoco *host)
{
    if (host->n_natives)
        qsort(host->natives, host->n_natives, sizeof *host->natives, compare);
}

static pcm_native_pair *find(pcm_mujoco *host, const mjContact *contact)
{
    const pcm_native_pair wanted = {.key = key_of(host->model, contact->geom1, contact->geom2)};
    return host->n_natives ? bsearch(&wanted, host->natives, host->n_natives, sizeof wanted, compare) : NULL;
}

/* Tangential velocity of the second geom relative to the first at the contact. */
static double slip_of(const mjModel *model, const mjData *data, const mjContact *contact)
{
    double at_point[2][3];
    for (int side = 0; side < 2; side++) {
        const int geom = side ? contact->geom2 : contact->geom1;
        double    velocity[6], arm[3], turning[3];
        mj_objectVelocity(model, data, mjOBJ_GEOM, geom, velocity, 0);
        for (int i = 0; i < 3; i++)
            arm[i] = contact->pos[i] - data->geom_xpos[3 * geom + i];
        mju_cross(turning, velocity, arm);
        for (int i = 0; i < 3; i++)
            at_point[side][i] = velocity[3 + i] + turning[i];
    }
    double relative[3];
    mju_sub3(relative, at_point[1], at_point[0]);
    const double along = mju_dot3(relative, contact->frame);
    return sqrt(fmax(mju_dot3(relative, relative) - along * along, 0));
}

static void take(pcm_mujoco *host, const mjData *data, int index)
{
    const mjContact *contact = &data->contact[index];
    pcm_native_pair *pair = contact->efc_address >= 0 ? find(host, contact) : NULL;
    if (!pair)
        return;
    double force[6];
    mj_contactForce(host->model, data, index, force);
    pair->touches = true;
    pcm_rule_stats *stats = &host->native_stats[pair->rule];
    stats->max_depth = fmax(stats->max_depth, -contact->dist);
    stats->max_slip = fmax(stats->max_slip, slip_of(host->model, data, contact));
    stats->max_force = fmax(stats->max_force, sqrt(mju_dot3(force, force)));
}

void pcm_native_observe(pcm_mujoco *host)
{
    if (!host->n_natives)
        return;
    for (int i = 0; i < host->data->ncon; i++)
        take(host, host->data, i);
    for (size_t i = 0; i < host->n_natives; i++) {
        pcm_native_pair *pair = &host->natives[i];
        pcm_rule_stats  *stats = &host->native_stats[pair->rule];
        stats->made += pair->touches && !pair->touched;
        stats->ended += !pair->touches && pair->touched;
        pair->touched = pair->touches;
        pair->touches = false;
    }
}

pcm_status pcm_mujoco_rule_stats(pcm_mujoco *host, size_t rule, pcm_rule_stats *stats)
{
    if (rule >= pcm_config_rule_count(host->config))
        return PCM_BAD_ARGUMENT;
    if (pcm_scene_serves(pcm_config_rule_at(host->config, rule).type))
        return pcm_world_rule_stats(host->world, rule, stats);
    *stats = host->native_stats[rule];
    return PCM_OK;
}
