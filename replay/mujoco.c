/* SPDX-License-Identifier: MIT */
/* mujoco.c - the data that MuJoCo adds to a run: geoms, cameras, its own contacts, energies. */
#include "release.h"

#include <math.h>
#include <pcm/replay_mujoco.h>

/* A geom of the model as it appears on the page. */
typedef struct pcm_seen {
    pcm_object object; /* the zero handle: a body of the recorder, */
    uint32_t   body;   /* or UINT32_MAX: it is not shown */
} pcm_seen;

struct pcm_replay_mujoco {
    pcm_context   *context;
    pcm_replay    *replay;
    pcm_mujoco    *host;
    const mjModel *model;
    mjData        *data;
    pcm_seen      *geoms;
    double        *points; /* of the current mesh or height field */
    uint32_t      *triangles;
    size_t         point_capacity, triangle_capacity;
    bool           collisions; /* geoms that only collide are shown, too */
    bool           has_energies;
    uint32_t       potential, kinetic; /* quantities, if there are any */
};

/* MuJoCo's own viewer hides geoms of these groups. */
enum { FIRST_HIDDEN_GROUP = 3 };

/* ---- Shapes ---------------------------------------------------------------------------------------------------- */

/* All zero, by which the page chooses, where neither the geom nor a material says one. */
static void color_of(const mjModel *model, int geom, double color[4])
{
    const float *own = model->geom_rgba + 4 * geom;
    const int    material = model->geom_matid[geom];
    const bool   plain = own[0] == 0.5f && own[1] == 0.5f && own[2] == 0.5f && own[3] == 1.0f;
    for (int k = 0; k < 4; k++)
        color[k] = !plain ? (double)own[k] : material >= 0 ? (double)model->mat_rgba[4 * material + k] : 0;
}

static bool take_mesh(pcm_replay_mujoco *seen, int mesh, pcm_shape *shape)
{
    const mjModel *model = seen->model;
    const size_t   points = (size_t)model->mesh_vertnum[mesh], triangles = (size_t)model->mesh_facenum[mesh];
    const float   *vertex = model->mesh_vert + 3 * model->mesh_vertadr[mesh];
    const int     *face = model->mesh_face + 3 * model->mesh_faceadr[mesh];
    if (!pcm_grow(seen->context, &seen->points, &seen->point_capacity, 3 * points, sizeof *seen->points) ||
        !pcm_grow(seen->context, &seen->triangles, &seen->triangle_capacity, 3 * triangles, sizeof *seen->triangles))
        return false;
    for (size_t i = 0; i < 3 * points; i++)
        seen->points[i] = (double)vertex[i];
    for (size_t i = 0; i < 3 * triangles; i++)
        seen->triangles[i] = (uint32_t)face[i];
    shape->kind = PCM_SHAPE_MESH;
    shape->points = seen->points;
    shape->n_points = points;
    shape->triangles = seen->triangles;
    shape->n_triangles = triangles;
    return true;
}

static bool take_height_field(pcm_replay_mujoco *seen, int field, pcm_shape *shape)
{
    const mjModel *model = seen->model;
    const int      rows = model->hfield_nrow[field], columns = model->hfield_ncol[field];
    const double  *size = model->hfield_size + 4 * field;
    const float   *height = model->hfield_data + model->hfield_adr[field];
    const size_t   points = (size_t)rows * (size_t)columns;
    if (!pcm_grow(seen->context, &seen->points, &seen->point_capacity, 3 * points, sizeof *seen->points))
        return false;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double *point = seen->points + 3 * (i * columns + j);
            point[0] = size[0] * (2.0 * j / (columns - 1) - 1);
            point[1] = size[1] * (2.0 * i / (rows - 1) - 1);
            point[2] = size[2] * (double)height[i * columns + j];
        }
    shape->kind = PCM_SHAPE_GRID;
    shape->points = seen->points;
    shape->n_points = points;
    shape->columns = (size_t)columns;
    return true;
}

static void set_dimensions(pcm_shape *shape, pcm_shape_kind kind, double x, double y, double z)
{
    shape->kind = kind;
    shape->dimensions[0] = x;
    shape->dimensions[1] = y;
    shape->dimensions[2] = z;
}

/* False: no memory. A geom without a shape here keeps its kind. */
static bool take_shape(pcm_replay_mujoco *seen, int geom, pcm_shape *shape)
{
    const double *size = seen->model->geom_size + 3 * geom;
    const int     data = seen->model->geom_dataid[geom];
    switch (seen->model->geom_type[geom]) {
    case mjGEOM_PLANE:
        set_dimensions(shape, PCM_SHAPE_PLANE, 2 * size[0], 2 * size[1], 0);
        return true;
    case mjGEOM_SPHERE:
        set_dimensions(shape, PCM_SHAPE_SPHERE, size[0], 0, 0);
        return true;
    case mjGEOM_CAPSULE:
        set_dimensions(shape, PCM_SHAPE_CAPSULE, size[0], 2 * size[1], 0);
        return true;
    case mjGEOM_ELLIPSOID:
        set_dimensions(shape, PCM_SHAPE_ELLIPSOID, size[0], size[1], size[2]);
        return true;
    case mjGEOM_CYLINDER:
        set_dimensions(shape, PCM_SHAPE_CYLINDER, size[0], 2 * size[1], 0);
        return true;
    case mjGEOM_BOX:
        set_dimensions(shape, PCM_SHAPE_BOX, 2 * size[0], 2 * size[1], 2 * size[2]);
        return true;
    case mjGEOM_HFIELD:
        return take_height_field(seen, data, shape);
    default:
        return data < 0 || take_mesh(seen, data, shape); /* a mesh, or a geom that collides as one */
    }
}

static bool show_geom(pcm_replay_mujoco *seen, int geom)
{
    const pcm_seen *as = &seen->geoms[geom];
    const bool      is_object = as->object.generation != 0;
    pcm_shape       shape = {.size = sizeof shape, .kind = PCM_SHAPE_PLANE, .placement.orientation = {1, 0, 0, 0}};
    color_of(seen->model, geom, shape.color);
    if (is_object && seen->model->geom_type[geom] == mjGEOM_MESH) /* the world stores it in the axes of the asset */
        (void)pcm_release_mesh_place(seen->model, seen->model->geom_dataid[geom], shape.placement.position,
                                     shape.placement.orientation);
    return take_shape(seen, geom, &shape) &&
           (is_object ? pcm_replay_shape(seen->replay, as->object, &shape)
                      : pcm_replay_body_shape(seen->replay, as->body, &shape)) == PCM_OK;
}

/* ---- The scene ------------------------------------------------------------------------------------------------- */

/* Whether MuJoCo's own viewer draws the geom. */
static bool is_drawn(const mjModel *model, int geom)
{
    double color[4];
    color_of(model, geom, color);
    const bool chosen_by_page = model->geom_matid[geom] < 0 && model->geom_rgba[4 * geom + 3] > 0;
    return model->geom_group[geom] < FIRST_HIDDEN_GROUP && (color[3] > 0 || chosen_by_page);
}

/* Whether the object is one that only collides, of a body that has other geoms to look at. */
static bool is_hidden(const pcm_replay_mujoco *seen, int geom)
{
    const mjModel *model = seen->model;
    const int      body = model->geom_bodyid[geom], first = model->body_geomadr[body];
    bool           looks = false;
    for (int i = 0; i < model->body_geomnum[body]; i++)
        looks = looks || is_drawn(model, first + i);
    return !seen->collisions && looks && !is_drawn(model, geom);
}

/* A geom that is not an object appears as a body, if it is visible. */
static bool add_body(pcm_replay_mujoco *seen, int geom)
{
    const mjModel *model = seen->model;
    const char    *name = mj_id2name(model, mjOBJ_GEOM, geom);
    const char    *body = mj_id2name(model, mjOBJ_BODY, model->geom_bodyid[geom]);
    seen->geoms[geom].body = UINT32_MAX;
    if (!is_drawn(model, geom))
        return true;
    seen->geoms[geom].body = pcm_replay_body(seen->replay, name ? name : body ? body : "", false);
    return seen->geoms[geom].body != UINT32_MAX;
}

static bool find_objects(pcm_replay_mujoco *seen)
{
    pcm_world   *world = pcm_mujoco_world(seen->host);
    const size_t count = pcm_world_objects(world, NULL, 0);
    pcm_object  *objects = pcm_allocate(seen->context, count * sizeof *objects);
    if (count && !objects)
        return false;
    pcm_world_objects(world, objects, count);
    for (size_t i = 0; i < count; i++) {
        const int geom = pcm_mujoco_geom(seen->host, objects[i]);
        if (geom >= 0)
            seen->geoms[geom].object = objects[i];
    }
    pcm_free(seen->context, objects, count * sizeof *objects);
    return true;
}

static bool show_cameras(pcm_replay_mujoco *seen)
{
    const mjModel *model = seen->model;
    for (int camera = 0; camera < model->ncam; camera++) {
        const char   *name = mj_id2name(model, mjOBJ_CAMERA, camera);
        const double *eye = seen->data->cam_xpos + 3 * camera, *axes = seen->data->cam_xmat + 9 * camera;
        double        target[3];
        for (int k = 0; k < 3; k++)
            target[k] = eye[k] - model->stat.extent * axes[3 * k + 2];
        if (pcm_replay_camera(seen->replay, name ? name : "camera", eye, target,
                              (double)model->cam_fovy[camera] * acos(-1) / 180) != PCM_OK)
            return false;
    }
    return true;
}

static bool show_scene(pcm_replay_mujoco *seen)
{
    if (!find_objects(seen))
        return false;
    for (int geom = 0; geom < seen->model->ngeom; geom++) {
        const bool is_object = seen->geoms[geom].object.generation != 0;
        if (!is_object && !add_body(seen, geom))
            return false;
        const bool shown = is_object ? !is_hidden(seen, geom) : seen->geoms[geom].body != UINT32_MAX;
        if (shown && !show_geom(seen, geom))
            return false;
    }
    seen->has_energies = seen->model->opt.enableflags & mjENBL_ENERGY;
    if (seen->has_energies) {
        seen->potential = pcm_replay_quantity(seen->replay, "potential energy", "J");
        seen->kinetic = pcm_replay_quantity(seen->replay, "kinetic energy", "J");
    }
    return show_cameras(seen);
}

pcm_replay_mujoco *pcm_replay_mujoco_new(pcm_replay *replay, pcm_mujoco *host, bool collisions)
{
    pcm_context       *context = pcm_config_context(pcm_world_config(pcm_mujoco_world(host)));
    pcm_replay_mujoco *seen = pcm_allocate(context, sizeof *seen);
    if (!seen)
        return NULL;
    *seen = (pcm_replay_mujoco){.context = context,
                                .replay = replay,
                                .host = host,
                                .collisions = collisions,
                                .model = pcm_mujoco_model(host),
                                .data = pcm_mujoco_data(host)};
    seen->geoms = pcm_allocate(context, (size_t)seen->model->ngeom * sizeof *seen->geoms);
    if (seen->geoms && show_scene(seen))
        return seen;
    pcm_replay_mujoco_free(seen);
    return NULL;
}

void pcm_replay_mujoco_free(pcm_replay_mujoco *seen)
{
    if (!seen)
        return;
    pcm_free(seen->context, seen->geoms, (size_t)seen->model->ngeom * sizeof *seen->geoms);
    pcm_free(seen->context, seen->points, seen->point_capacity * sizeof *seen->points);
    pcm_free(seen->context, seen->triangles, seen->triangle_capacity * sizeof *seen->triangles);
    pcm_free(seen->context, seen, sizeof *seen);
}

/* ---- Over time ------------------------------------------------------------------------------------------------- */

static pcm_status move_bodies(pcm_replay_mujoco *seen)
{
    pcm_status status = PCM_OK;
    for (int geom = 0; geom < seen->model->ngeom && status == PCM_OK; geom++) {
        const pcm_seen *as = &seen->geoms[geom];
        pcm_pose        pose;
        if (as->object.generation != 0 || as->body == UINT32_MAX)
            continue;
        mju_copy3(pose.position, seen->data->geom_xpos + 3 * geom);
        mju_mat2Quat(pose.orientation, seen->data->geom_xmat + 9 * geom);
        status = pcm_replay_body_move(seen->replay, as->body, &pose);
    }
    return status;
}

/* The rule that assigns a pair of geoms to MuJoCo. */
static size_t rule_of(const pcm_replay_mujoco *seen, const pcm_seen *a, const pcm_seen *b)
{
    const pcm_world *world = pcm_mujoco_world(seen->host);
    pcm_object_info  of[2] = {{.size = sizeof *of}, {.size = sizeof *of}};
    size_t           rule;
    if (pcm_world_object_info(world, a->object, &of[0]) != PCM_OK ||
        pcm_world_object_info(world, b->object, &of[1]) != PCM_OK ||
        pcm_config_resolve(pcm_world_config(world), of[0].name, of[0].surface, of[1].name, of[1].surface, &rule, NULL,
                           1) == 0)
        return SIZE_MAX;
    return rule;
}

/* Coulomb's cone separates sticking from slipping, within the solver's tolerance. */
static int64_t mode_of(const double force[3], double friction)
{
    const double tangential = hypot(force[1], force[2]), near = 0.999;
    return force[0] <= 0 ? PCM_SEPARATED : tangential >= near * friction * force[0] ? PCM_SLIPPING : PCM_STICKING;
}

static pcm_status add_contact(pcm_replay_mujoco *seen, int index)
{
    const mjContact *contact = &seen->data->contact[index];
    if (contact->efc_address < 0 || contact->geom1 < 0 || contact->geom2 < 0) /* inactive, or not between two geoms */
        return PCM_OK;
    const pcm_seen    *a = &seen->geoms[contact->geom1], *b = &seen->geoms[contact->geom2];
    double             force[6];
    pcm_replay_contact shown = {.size = sizeof shown,
                                .a = a->object,
                                .b = b->object,
                                .body_a = a->body,
                                .body_b = b->body,
                                .feature = (uint64_t)index,
                                .rule = rule_of(seen, a, b),
                                .slip = NAN,
                                .depth = -contact->dist,
                                .friction = contact->friction[0]};
    mj_contactForce(seen->model, seen->data, index, force);
    mju_copy3(shown.point, contact->pos);
    mju_copy3(shown.normal, contact->frame);
    mju_mulMatTVec(shown.force, contact->frame, force, 3, 3);
    shown.mode = mode_of(force, contact->friction[0]);
    return pcm_replay_host_contact(seen->replay, &shown);
}

static pcm_status look(pcm_replay_mujoco *seen)
{
    pcm_status status = move_bodies(seen);
    for (int i = 0; i < seen->data->ncon && status == PCM_OK; i++)
        status = add_contact(seen, i);
    if (status == PCM_OK && seen->has_energies) {
        const bool known = seen->model->opt.enableflags & mjENBL_ENERGY;
        (void)pcm_replay_set(seen->replay, seen->potential, known ? seen->data->energy[0] : NAN);
        status = pcm_replay_set(seen->replay, seen->kinetic, known ? seen->data->energy[1] : NAN);
    }
    return status;
}

pcm_status pcm_replay_mujoco_frame(pcm_replay_mujoco *seen)
{
    const pcm_status status = pcm_replay_due(seen->replay) ? look(seen) : PCM_OK;
    return status == PCM_OK ? pcm_replay_frame(seen->replay) : status;
}
