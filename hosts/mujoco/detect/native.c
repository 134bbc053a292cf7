/* SPDX-License-Identifier: MIT */
/* native.c - pairs that MuJoCo handles: statistics, like those of a world, for the rules that leave pairs to MuJoCo;
 * and a note for pairs without a rule. */
#include "detection.h"
#include <pcm/messages.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t key_of(const mjModel *model, int geom_a, int geom_b)
{
    return geom_a < geom_b ? (int64_t)geom_a * model->ngeom + geom_b : (int64_t)geom_b * model->ngeom + geom_a;
}

static int compare(const void *a, const void *b)
{
    const int64_t first = ((const pcm_native_pair *)a)->key, second = ((const pcm_native_pair *)b)->key;
    return (first > second) - (first < second);
}

pcm_status pcm_native_reserve(pcm_mujoco *host, size_t pairs)
{
    pcm_detection *d = host->detection;
    d->native_capacity = pairs;
    d->natives = pcm_allocate(host->context, pairs * sizeof *d->natives);
    d->native_stats = pcm_allocate(host->context, pcm_config_rule_count(host->config) * sizeof *d->native_stats);
    d->touching_capacity = pairs;
    d->touching = pcm_allocate(host->context, d->touching_capacity * sizeof *d->touching);
    const bool lacks = (pairs && !d->natives) || (pcm_config_rule_count(host->config) && !d->native_stats) ||
                       (d->touching_capacity && !d->touching);
    return lacks ? PCM_NO_MEMORY : PCM_OK;
}

pcm_status pcm_native_share(pcm_mujoco *host, const pcm_mujoco *owner)
{
    const pcm_detection *from = owner->detection;
    if (pcm_native_reserve(host, from->native_capacity) != PCM_OK)
        return PCM_NO_MEMORY;
    host->detection->n_natives = from->n_natives;
    for (size_t i = 0; i < from->n_natives; i++)
        host->detection->natives[i] = (pcm_native_pair){.key = from->natives[i].key, .rule = from->natives[i].rule};
    return PCM_OK;
}

void pcm_native_free(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    pcm_free(host->context, d->natives, d->native_capacity * sizeof *d->natives);
    pcm_free(host->context, d->native_stats, pcm_config_rule_count(host->config) * sizeof *d->native_stats);
    pcm_free(host->context, d->touching, d->touching_capacity * sizeof *d->touching);
}

void pcm_native_add(pcm_mujoco *host, int geom_a, int geom_b, uint32_t rule)
{
    host->detection->natives[host->detection->n_natives++] =
        (pcm_native_pair){.key = key_of(host->model, geom_a, geom_b), .rule = rule};
}

void pcm_native_sort(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    if (d->n_natives)
        qsort(d->natives, d->n_natives, sizeof *d->natives, compare);
}

static pcm_native_pair *find(pcm_mujoco *host, const mjContact *contact)
{
    pcm_detection        *d = host->detection;
    const pcm_native_pair wanted = {.key = key_of(host->model, contact->geom1, contact->geom2)};
    return d->n_natives ? bsearch(&wanted, d->natives, d->n_natives, sizeof wanted, compare) : NULL;
}

/* Tangential velocity of the second geom relative to the first, at the contact. */
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
    const double along = pcm_dot(relative, contact->frame);
    return sqrt(fmax(pcm_dot(relative, relative) - along * along, 0));
}

/* ---- Pairs without a rule ---------------------------------------------------------------------------------------- */

static const pcm_scene_object *object_of(const pcm_mujoco *host, int64_t geom)
{
    const pcm_scene_object *object = host->scene->objects;
    while (object->geom != geom)
        object++;
    return object;
}

/* Reports that a pair has no rule, once for all pairs of these names. */
static void report_unruled(pcm_mujoco *host, const pcm_native_pair *met)
{
    const int64_t           geoms = host->model->ngeom;
    const pcm_scene_object *a = object_of(host, met->key / geoms), *b = object_of(host, met->key % geoms);
    pcm_report(host->context, PCM_NOTE, PCM_MSG_PAIR_UNASSIGNED, PCM_UNASSIGNED_FORMAT,
               PCM_UNASSIGNED_NAMES(host->config, a, b));
    for (size_t i = 0; i < host->detection->n_natives; i++) {
        pcm_native_pair *pair = &host->detection->natives[i];
        if (pair->rule == PCM_NO_RULE && strcmp(object_of(host, pair->key / geoms)->name, a->name) == 0 &&
            strcmp(object_of(host, pair->key % geoms)->name, b->name) == 0)
            pair->reported = true;
    }
}

/* Reports a pair that the model's filters excluded when the scene was attached. */
static void report_late(pcm_mujoco *host, const mjContact *contact)
{
    if (host->detection->reported_late)
        return;
    host->detection->reported_late = true;
    pcm_report(
        host->context, PCM_WARNING, PCM_MSG_PAIR_LATE,
        "geoms %d and %d touch, which could not collide when the scene was attached: such pairs stay with MuJoCo "
        "whatever the rules say; attach again after changes of contype, conaffinity or exclusions",
        contact->geom1, contact->geom2);
}

/* ---- After each step --------------------------------------------------------------------------------------------- */

static void take(pcm_mujoco *host, const mjData *data, int index, bool solved)
{
    pcm_detection   *d = host->detection;
    const mjContact *contact = &data->contact[index];
    if (contact->efc_address < 0 || contact->geom1 < 0 || contact->geom2 < 0) /* not between two geoms */
        return;
    pcm_native_pair *pair = find(host, contact);
    if (!pair) {
        report_late(host, contact);
        return;
    }
    if (pair->rule == PCM_NO_RULE) {
        if (!pair->reported)
            report_unruled(host, pair);
        return;
    }
    pcm_rule_stats *stats = &d->native_stats[pair->rule];
    stats->max_depth = fmax(stats->max_depth, -contact->dist);
    stats->max_slip = fmax(stats->max_slip, slip_of(host->model, data, contact));
    if (solved) {
        double force[6];
        mj_contactForce(host->model, data, index, force);
        stats->max_force = fmax(stats->max_force, sqrt(pcm_dot(force, force)));
    }
    pair->touches = true;
    if (!pair->touched) {
        pair->touched = true;
        stats->made++;
        d->touching[d->n_touching++] = (uint32_t)(pair - d->natives);
    }
}

void pcm_native_observe(pcm_mujoco *host, bool solved)
{
    pcm_detection *d = host->detection;
    if (host->source) /* the world of a copy keeps no statistics */
        return;
    for (int i = 0; i < host->data->ncon; i++)
        take(host, host->data, i, solved);
    size_t kept = 0;
    for (size_t i = 0; i < d->n_touching; i++) {
        pcm_native_pair *pair = &d->natives[d->touching[i]];
        if (pair->touches)
            d->touching[kept++] = d->touching[i];
        else
            d->native_stats[pair->rule].parted++;
        pair->touched = pair->touches;
        pair->touches = false;
    }
    d->n_touching = kept;
}

void pcm_native_forget(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    for (size_t i = 0; i < d->n_touching; i++)
        d->natives[d->touching[i]].touched = false;
    d->n_touching = 0;
    for (size_t i = 0; d->native_stats && i < pcm_config_rule_count(host->config); i++)
        d->native_stats[i] = (pcm_rule_stats){0};
}

pcm_status pcm_mujoco_rule_stats(pcm_mujoco *host, size_t rule, pcm_rule_stats *stats)
{
    if (rule >= pcm_config_rule_count(host->config))
        return PCM_BAD_ARGUMENT;
    if (pcm_scene_serves(pcm_config_rule_at(host->config, rule).type))
        return pcm_world_rule_stats(host->world, rule, stats);
    pcm_rule_stats known = host->detection->native_stats[rule];
    known.size = sizeof known;
    return pcm_info_fill(host->context, "pcm_rule_stats", stats, stats->size, &known);
}
