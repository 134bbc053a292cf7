/* SPDX-License-Identifier: MIT */
/* shaped.c - which geoms have a shape in libpcm-geometry. */
#include "scene.h"

#ifdef PCM_MUJOCO_GEOMETRY

/* Whether the grid lines of a height field are far enough apart for libpcm-geometry, and not too many. */
bool pcm_scene_is_grid(const mjModel *model, int geom)
{
    const int field = model->geom_dataid[geom], rows = model->hfield_nrow[field], columns = model->hfield_ncol[field];
    const double *size = model->hfield_size + 4 * (size_t)field;
    return rows > 1 && columns > 1 && rows <= 65536 && columns <= 65536 && size[0] / columns > 1e-9 &&
           size[1] / rows > 1e-9 && fmax(fmax(size[0], size[1]), size[2]) < 1e9;
}

/* Whether the geom has a shape. A mesh for which MuJoCo has no hull may be flat, and is left to MuJoCo. */
bool pcm_scene_has_shape(const mjModel *model, int geom)
{
    const int type = model->geom_type[geom];
    return type == mjGEOM_MESH ? model->mesh_graphadr[model->geom_dataid[geom]] >= 0
                               : type == mjGEOM_PLANE || type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE ||
                                     type == mjGEOM_CYLINDER || type == mjGEOM_BOX;
}

bool pcm_scene_meets_field(const mjModel *model, int geom_a, int geom_b)
{
    const bool turned = model->geom_type[geom_a] != mjGEOM_HFIELD;
    const int  field = turned ? geom_b : geom_a, solid = turned ? geom_a : geom_b;
    return model->geom_type[field] == mjGEOM_HFIELD && pcm_scene_is_grid(model, field) &&
           model->geom_type[solid] != mjGEOM_PLANE && pcm_scene_has_shape(model, solid);
}

bool pcm_scene_is_shaped(const mjModel *model, const pcm_scene_object *object)
{
    const int geom = object->geom;
    if (geom < 0 || object->said)
        return false;
    return model->geom_type[geom] == mjGEOM_HFIELD ? pcm_scene_is_grid(model, geom) : pcm_scene_has_shape(model, geom);
}

#else

bool pcm_scene_is_shaped(const mjModel *model, const pcm_scene_object *object)
{
    (void)model, (void)object;
    return false;
}

bool pcm_scene_meets_field(const mjModel *model, int geom_a, int geom_b)
{
    (void)model, (void)geom_a, (void)geom_b;
    return false;
}

#endif
