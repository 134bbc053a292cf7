/* SPDX-License-Identifier: MIT */
/* tiles.c - fixed boxes and meshes that lie side by side and have one surface: one ground. */
#include "detection.h"
#include <string.h>

#ifdef PCM_MUJOCO_GEOMETRY
#include <pcm/geometry.h>

/* Where a geom of a body without joints is, whatever the state. */
static pcm_pose pose_of(const mjModel *model, int geom)
{
    pcm_pose at;
    mju_copy3(at.position, model->geom_pos + 3 * geom);
    mju_copy4(at.orientation, model->geom_quat + 4 * geom);
    for (int body = model->geom_bodyid[geom]; body > 0; body = model->body_parentid[body]) {
        double place[3], turn[4];
        mju_rotVecQuat(place, at.position, model->body_quat + 4 * body);
        mju_add3(at.position, place, model->body_pos + 3 * body);
        mju_mulQuat(turn, model->body_quat + 4 * body, at.orientation);
        mju_copy4(at.orientation, turn);
    }
    return at;
}

static bool is_tile(const mjModel *model, const pcm_served *served)
{
    const int type = served->geom < 0 ? mjGEOM_PLANE : model->geom_type[served->geom];
    return served->fixed && (type == mjGEOM_BOX || (type == mjGEOM_MESH && pcm_scene_has_shape(model, served->geom)));
}

/* Lists the tiles that have the surface of the first of them, and that are not listed yet; returns their number. */
static size_t list(pcm_mujoco *host, size_t first, uint32_t *tiles, bool *listed)
{
    const pcm_served *objects = host->detection->objects;
    const char       *surface = pcm_scene_surface(host->config, objects[first].object);
    size_t            count = 0;
    for (size_t i = first; i < host->detection->n_objects; i++) {
        const char *other = pcm_scene_surface(host->config, objects[i].object);
        if (listed[i] || !is_tile(host->model, &objects[i]) || !surface != !other ||
            (surface && strcmp(surface, other) != 0) || !pcm_shapes_make(host, (uint32_t)i))
            continue;
        listed[i] = true;
        tiles[count++] = (uint32_t)i;
    }
    return count;
}

typedef struct joining {
    const pcm_geometry **shapes;
    pcm_geometry       **joined;
    pcm_pose            *poses;
    uint32_t            *tiles;
    bool                *listed;
} joining;

/* No memory: the tiles stay as they are. */
static void join(pcm_mujoco *host, const joining *j, size_t count)
{
    pcm_detection *d = host->detection;
    for (size_t k = 0; k < count; k++) {
        j->shapes[k] = d->objects[j->tiles[k]].shape;
        j->poses[k] = pose_of(host->model, d->objects[j->tiles[k]].geom);
    }
    if (pcm_geometry_join(host->context, j->shapes, j->poses, count, j->joined) != PCM_OK)
        return;
    for (size_t k = 0; k < count; k++)
        d->objects[j->tiles[k]].joined = j->joined[k];
}

void pcm_tiles_join(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    size_t         count = 0;
    for (size_t i = 0; i < d->n_objects && d->own_boxes && d->own_convex; i++)
        count += is_tile(host->model, &d->objects[i]);
    const size_t each = 2 * sizeof(void *) + sizeof(pcm_pose) + sizeof(uint32_t) + sizeof(bool);
    void        *memory = count > 1 ? pcm_allocate(host->context, d->n_objects * each) : NULL;
    joining      j = {.shapes = memory};
    if (!memory)
        return;
    j.joined = (pcm_geometry **)(j.shapes + d->n_objects);
    j.poses = (pcm_pose *)(j.joined + d->n_objects);
    j.tiles = (uint32_t *)(j.poses + d->n_objects);
    j.listed = (bool *)(j.tiles + d->n_objects);
    for (size_t i = 0; i < d->n_objects; i++)
        if (!j.listed[i] && is_tile(host->model, &d->objects[i]))
            join(host, &j, list(host, i, j.tiles, j.listed));
    pcm_free(host->context, memory, d->n_objects * each);
}

#else

void pcm_tiles_join(pcm_mujoco *host) { (void)host; }

#endif
