/* SPDX-License-Identifier: MIT */
/* boxes.c - pairs of boxes by libpcm-geometry, in place of MuJoCo's narrow phase.
 *
 * MuJoCo's function for two boxes takes half the overlap for the depth where they lie square on each other, and is off
 * by up to half of it elsewhere. Ours is proven to rounding, and tells what each point is of the patch. */
#include "host.h"
#include <string.h>

#ifdef PCM_MUJOCO_GEOMETRY
#include <pcm/geometry.h>

/* The box that the object is; NULL: it is none, or there is no memory for one, and MuJoCo's function answers. */
static pcm_geometry *box_of(pcm_mujoco *host, uint32_t object)
{
    pcm_served *served = &host->objects[object];
    const int   geom = served->geom;
    if (geom < 0 || host->model->geom_type[geom] != mjGEOM_BOX)
        return NULL;
    const double *half = host->model->geom_size + 3 * geom, sides[3] = {2 * half[0], 2 * half[1], 2 * half[2]};
    mju_copy3(served->half, half);
    if (!served->box)
        served->box = pcm_geometry_box(host->context, sides);
    return served->box;
}

void pcm_boxes_take(pcm_mujoco *host)
{
    for (size_t i = 0; i < host->n_pairs && host->own_boxes; i++) {
        pcm_served_pair *pair = &host->pairs[i];
        pair->boxes = pair->collide && box_of(host, pair->a) && box_of(host, pair->b);
    }
}

void pcm_boxes_free(pcm_mujoco *host)
{
    for (size_t i = 0; i < host->n_objects; i++)
        pcm_geometry_free(host->objects[i].box);
}

/* Guests in other threads share the shape, so that it stays as it is. */
static bool has_its_size(const pcm_mujoco *host, const pcm_served *served)
{
    return memcmp(served->half, host->model->geom_size + 3 * served->geom, sizeof served->half) == 0;
}

static pcm_pose pose_of(const mjData *data, int geom)
{
    pcm_pose pose;
    mju_copy3(pose.position, data->geom_xpos + 3 * geom);
    mju_mat2Quat(pose.orientation, data->geom_xmat + 9 * geom);
    return pose;
}

int pcm_boxes_find(const pcm_mujoco *host, const mjData *data, uint32_t index, int geom_a, pcm_point *points)
{
    const pcm_served_pair *pair = &host->pairs[index];
    const bool             turned = host->objects[pair->a].geom != geom_a;
    const pcm_served      *a = &host->objects[turned ? pair->b : pair->a];
    const pcm_served      *b = &host->objects[turned ? pair->a : pair->b];
    if (!has_its_size(host, a) || !has_its_size(host, b))
        return -1;
    const pcm_pose pose_a = pose_of(data, a->geom), pose_b = pose_of(data, b->geom);
    pcm_touch      touches[mjMAXCONPAIR];
    size_t         count = 0;
    if (pcm_geometry_touch(a->box, &pose_a, b->box, &pose_b, pcm_near_margin(host, pair), touches, sizeof *touches,
                           mjMAXCONPAIR, &count) != PCM_OK)
        return -1;
    count = count < mjMAXCONPAIR ? count : mjMAXCONPAIR;
    for (size_t i = 0; i < count; i++) {
        const pcm_touch *t = &touches[i];
        points[i] = (pcm_point){.depth = t->depth, .area = t->area, .share = t->share, .gives = t->gives};
        memcpy(points[i].at, t->point, sizeof t->point);
        memcpy(points[i].normal, t->normal, sizeof t->normal);
    }
    return (int)count;
}

#else

void pcm_boxes_take(pcm_mujoco *host) { (void)host; }
void pcm_boxes_free(pcm_mujoco *host) { (void)host; }
int  pcm_boxes_find(const pcm_mujoco *host, const mjData *data, uint32_t index, int geom_a, pcm_point *points)
{
    (void)host, (void)data, (void)index, (void)geom_a, (void)points;
    return -1;
}

#endif
