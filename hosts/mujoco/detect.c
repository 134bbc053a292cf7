/* SPDX-License-Identifier: MIT */
/* detect.c - where served pairs touch or nearly touch, and which of these places are the same as before.
 *
 * MuJoCo's narrow phase lists the points of a pair anew at each evaluation, in an order that changes. A place is known
 * again by its witness on the pair's second geom, in that geom's axes. Places are compared with those of the last
 * commit, never with those of another trial, so that trials leave no trace. */
#include "host.h"
#include <math.h>
#include <string.h>

static void difference(const double *a, const double *b, double result[3])
{
    for (int i = 0; i < 3; i++)
        result[i] = a[i] - b[i];
}

static pcm_status reserve(pcm_context *context, pcm_spots *spots, size_t count)
{
    return pcm_grow(context, &spots->items, &spots->capacity, count, sizeof *spots->items)
               ? PCM_OK
               : pcm_scene_no_memory(context);
}

/* ---- The narrow phase ------------------------------------------------------------------------------------------ */

/* Whether the bounding spheres of a pair are farther apart than its margin. */
static bool out_of_sight(const pcm_glance *glance, const mjData *data)
{
    if (!(glance->reach < INFINITY))
        return false;
    const double *a = data->geom_xpos + 3 * glance->geom_a, *b = data->geom_xpos + 3 * glance->geom_b;
    return pcm_distance_squared(a, b) > glance->reach * glance->reach;
}

static void to_local(const mjData *data, int geom, const double point[3], double local[3])
{
    double apart[3];
    difference(point, data->geom_xpos + 3 * geom, apart);
    const double *axes = data->geom_xmat + 9 * geom;
    for (int i = 0; i < 3; i++)
        local[i] = axes[i] * apart[0] + axes[3 + i] * apart[1] + axes[6 + i] * apart[2];
}

static bool repeats(const pcm_found *contacts, int index)
{
    for (int i = 0; i < index; i++)
        if (memcmp(contacts[i].pos, contacts[index].pos, sizeof contacts[i].pos) == 0)
            return true;
    return false;
}

enum { RIM = 3 }; /* points that span a patch */

static void add_geoms(pcm_mujoco *host, mjData *data, uint32_t index)
{
    const pcm_served_pair *pair = &host->pairs[index];
    const mjModel         *model = host->model;
    int                    a = host->objects[pair->a].geom, b = host->objects[pair->b].geom;
    if (mjcb_contactfilter && mjcb_contactfilter(model, data, a, b))
        return;
    pcm_found contacts[mjMAXCONPAIR];
    int       count = pair->collide(model, data, contacts, a, b, pcm_near_margin(host, pair));
    for (int i = pair->led && count > RIM ? 1 : 0; i < count; i++) {
        if (repeats(contacts, i))
            continue;
        pcm_spot *spot = &host->seen.items[host->seen.count++];
        *spot = (pcm_spot){.pair = index, .depth = -contacts[i].dist};
        const double *normal = pcm_found_normal(&contacts[i]);
        double        witness[3];
        for (int k = 0; k < 3; k++) {
            spot->point[k] = contacts[i].pos[k];
            spot->normal[k] = normal[k];
            witness[k] = contacts[i].pos[k] + 0.5 * contacts[i].dist * normal[k];
        }
        to_local(data, b, witness, spot->local);
    }
}

static void add_point(pcm_mujoco *host, const mjData *data, uint32_t index)
{
    const pcm_served_pair *pair = &host->pairs[index];
    int                    plane = host->objects[pair->a].geom;
    const double          *point = data->site_xpos + 3 * host->objects[pair->b].site;
    const double          *axes = data->geom_xmat + 9 * plane;
    pcm_spot               spot = {.pair = index, .normal = {axes[2], axes[5], axes[8]}};
    double                 apart[3];
    difference(point, data->geom_xpos + 3 * plane, apart);
    spot.depth = -pcm_dot(apart, spot.normal);
    if (spot.depth < -pcm_near_margin(host, pair))
        return;
    for (int i = 0; i < 3; i++)
        spot.point[i] = point[i] + 0.5 * spot.depth * spot.normal[i];
    host->seen.items[host->seen.count++] = spot;
}

/* ---- Identity -------------------------------------------------------------------------------------------------- */

static void adopt(pcm_spot *kept, pcm_spot *seen)
{
    seen->feature = kept->feature;
    seen->touched = kept->touched;
    seen->contact = kept->contact;
    seen->known = seen->taken = kept->taken = true;
}

/* Gives the features of kept to the nearest of seen, nearest of all first, and new numbers to the rest. */
static void name_features(pcm_served_pair *pair, pcm_spot *kept, size_t n_kept, pcm_spot *seen, size_t n_seen)
{
    uint32_t fresh = pair->next_feature;
    for (size_t named = 0; named < n_seen; named++) {
        double    nearest = pair->same * pair->same;
        pcm_spot *old = NULL, *new = NULL;
        for (size_t i = 0; i < n_seen; i++) {
            for (size_t k = 0; k < n_kept && !seen[i].taken; k++) {
                double apart = pcm_distance_squared(seen[i].local, kept[k].local);
                if (!kept[k].taken && apart < nearest) {
                    nearest = apart;
                    new = &seen[i];
                    old = &kept[k];
                }
            }
        }
        if (!old)
            break;
        adopt(old, new);
    }
    for (size_t i = 0; i < n_seen; i++)
        if (!seen[i].taken)
            seen[i].feature = fresh++;
}

pcm_status pcm_mujoco_detect(pcm_mujoco *host, mjData *data)
{
    pcm_status status = pcm_near_list(host, data);
    size_t     kept = 0;
    host->seen.count = 0;
    if (status != PCM_OK)
        return status;
    for (size_t i = 0; i < host->kept.count; i++)
        host->kept.items[i].taken = false;
    for (size_t i = 0; i < host->near.count; i++) {
        const uint32_t index = host->near.glances[i].pair;
        if (out_of_sight(&host->near.glances[i], data))
            continue;
        while (kept < host->kept.count && host->kept.items[kept].pair < index)
            kept++;
        pcm_served_pair *pair = &host->pairs[index];
        size_t           first = host->seen.count, first_kept = kept;
        status = reserve(host->context, &host->seen, first + mjMAXCONPAIR);
        if (status != PCM_OK)
            return status;
        while (kept < host->kept.count && host->kept.items[kept].pair == index)
            kept++;
        if (!pair->collide)
            add_point(host, data, index);
        else
            add_geoms(host, data, index);
        pcm_spot *old = first_kept < kept ? host->kept.items + first_kept : NULL, *new = host->seen.items + first;
        if (pair->collide && !pair->single)
            name_features(pair, old, kept - first_kept, new, host->seen.count - first);
        else if (first_kept < kept && first < host->seen.count)
            adopt(old, new);
    }
    return PCM_OK;
}

/* ---- After a commit -------------------------------------------------------------------------------------------- */

static bool lives_on(pcm_mujoco *host, const pcm_spot *spot)
{
    pcm_contact_info info;
    return !spot->taken && pcm_world_contact_info(host->world, spot->contact, &info) == PCM_OK;
}

static void append(pcm_mujoco *host, const pcm_spot *spot)
{
    pcm_served_pair *pair = &host->pairs[spot->pair];
    if (spot->feature >= pair->next_feature)
        pair->next_feature = spot->feature + 1;
    host->merged.items[host->merged.count++] = *spot;
}

pcm_status pcm_mujoco_keep(pcm_mujoco *host)
{
    pcm_status status = reserve(host->context, &host->merged, host->kept.count + host->seen.count);
    if (status != PCM_OK)
        return status;
    host->merged.count = 0;
    size_t old = 0, new = 0;
    while (old < host->kept.count || new < host->seen.count) {
        bool from_old = new == host->seen.count ||
                        (old < host->kept.count && host->kept.items[old].pair <= host->seen.items[new].pair);
        if (!from_old)
            append(host, &host->seen.items[new ++]);
        else if (lives_on(host, &host->kept.items[old++]))
            append(host, &host->kept.items[old - 1]);
    }
    pcm_spots empty = host->kept;
    host->kept = host->merged;
    host->merged = empty;
    return PCM_OK;
}
