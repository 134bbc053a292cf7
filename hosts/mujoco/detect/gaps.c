/* SPDX-License-Identifier: MIT */
/* gaps.c - the shapes of contacts whose laws read them, by libpcm-geometry, whoever has found the contacts. */
#include "detection.h"
#include <string.h>

#ifdef PCM_MUJOCO_GEOMETRY
#include <pcm/geometry.h>

/* Whether a geom is curved besides as a ball is, or becomes so by Smooth. */
static bool has_more(const pcm_mujoco *host, const pcm_served *served, bool smooth)
{
    const int type = host->model->geom_type[served->geom];
    return type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER || (type == mjGEOM_HFIELD && smooth);
}

/* Where a ball touches a ball or what has only flat faces, its radius says all. */
static bool is_plain(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    const pcm_served *a = &host->detection->objects[pair->a], *b = &host->detection->objects[pair->b];
    const bool        smooth = pcm_type_get_info(pair->type)->common->smooth;
    const int        *type = host->model->geom_type;
    return (type[a->geom] == mjGEOM_SPHERE && !has_more(host, b, smooth)) ||
           (type[b->geom] == mjGEOM_SPHERE && !has_more(host, a, smooth));
}

bool pcm_gaps_serve(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    const pcm_served *objects = host->detection->objects;
    return pcm_type_wants_shape(pair->type) && objects[pair->a].geom >= 0 && objects[pair->b].geom >= 0 &&
           !is_plain(host, pair) && pcm_scene_is_shaped(host->model, objects[pair->a].object) &&
           pcm_scene_is_shaped(host->model, objects[pair->b].object);
}

/* The shapes of the points of one pair, from `first` on; size 0: not known. */
static void find(pcm_mujoco *host, const mjData *data, size_t first, size_t count)
{
    pcm_detection           *d = host->detection;
    const pcm_contact_point *points = d->seen.items + first;
    const pcm_served_pair   *pair = &d->pairs[points->pair];
    const pcm_served        *a = &d->objects[pair->a], *b = &d->objects[pair->b];
    pcm_touch                touches[PCM_PAIR_POINTS];
    const pcm_geometry      *shape_a = pcm_shape_in(host, pair, pair->a), *shape_b = pcm_shape_in(host, pair, pair->b);
    if (!pair->shaped || count > PCM_PAIR_POINTS || !shape_a || !shape_b)
        return;
    const pcm_pose pose_a = pcm_shape_place(host->model, data, a), pose_b = pcm_shape_place(host->model, data, b);
    for (size_t i = 0; i < count; i++) {
        touches[i] = (pcm_touch){
            .depth = points[i].depth, .area = points[i].area, .share = points[i].share, .gives = points[i].gives};
        memcpy(touches[i].point, points[i].point, sizeof touches->point);
        memcpy(touches[i].normal, points[i].normal, sizeof touches->normal);
    }
    (void)pcm_geometry_shape(shape_a, &pose_a, shape_b, &pose_b, touches, sizeof *touches, count, d->gaps + first,
                             sizeof *d->gaps);
}

pcm_status pcm_gaps_find(pcm_mujoco *host, const mjData *data)
{
    pcm_detection *d = host->detection;
    if (!d->shaped || d->seen.count == 0)
        return PCM_OK;
    if (!pcm_grow(host->context, &d->gaps, &d->gap_capacity, d->seen.count, sizeof *d->gaps))
        return pcm_host_no_memory(host->context);
    for (size_t i = 0, count; i < d->seen.count; i += count) {
        for (count = 0; i + count < d->seen.count && d->seen.items[i + count].pair == d->seen.items[i].pair; count++)
            d->gaps[i + count].size = 0;
        find(host, data, i, count);
    }
    return PCM_OK;
}

#else

bool pcm_gaps_serve(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    (void)host, (void)pair;
    return false;
}

pcm_status pcm_gaps_find(pcm_mujoco *host, const mjData *data)
{
    (void)host, (void)data;
    return PCM_OK;
}

#endif
