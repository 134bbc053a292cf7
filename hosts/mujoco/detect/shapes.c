/* SPDX-License-Identifier: MIT */
/* shapes.c - geoms as shapes of libpcm-geometry, and the pairs that it handles instead of MuJoCo.
 *
 * MuJoCo's function for two boxes returns half the overlap as the depth of boxes that are aligned, and is off by up to
 * half of it elsewhere. Its general function, for meshes and cylinders, is off by more than 1e-6 of the size in at
 * least one of ten pairs, and finds a single point, which jumps, between flat faces. Our depths are proven to within
 * rounding, and each point has its share of the patch. For balls, and for capsules and cylinders on planes, MuJoCo's
 * functions are exact and fast. MuJoCo splits a height field into prisms and tests each of them; we treat it as one
 * surface. */
#include "detection.h"
#include <string.h>

/* ---- Fields of heights ------------------------------------------------------------------------------------------- */

/* The present heights of a height field; other geoms have none. */
static size_t heights_of(const mjModel *model, int geom, const float **heights)
{
    if (geom < 0 || model->geom_type[geom] != mjGEOM_HFIELD)
        return 0;
    const int field = model->geom_dataid[geom];
    *heights = model->hfield_data + model->hfield_adr[field];
    return (size_t)model->hfield_nrow[field] * (size_t)model->hfield_ncol[field];
}

bool pcm_heights_keep(pcm_context *context, const mjModel *model, int geom, pcm_heights *kept)
{
    const float *heights;
    const size_t count = heights_of(model, geom, &heights);
    if (kept->count != count) {
        pcm_heights_free(context, kept);
        *kept = (pcm_heights){.values = pcm_allocate(context, count * sizeof *kept->values)};
        kept->count = kept->values ? count : 0;
    }
    if (kept->values)
        memcpy(kept->values, heights, count * sizeof *kept->values);
    return kept->count == count;
}

void pcm_heights_free(pcm_context *context, pcm_heights *kept)
{
    pcm_free(context, kept->values, kept->count * sizeof *kept->values);
}

bool pcm_heights_hold(const mjModel *model, int geom, const pcm_heights *kept)
{
    const float *heights;
    const size_t count = heights_of(model, geom, &heights);
    return count == kept->count && (!count || memcmp(heights, kept->values, count * sizeof *heights) == 0);
}

#ifdef PCM_MUJOCO_GEOMETRY
#include <pcm/geometry.h>

/* Position of grid line i of a height field with this half width. */
static double line_at(double half, int i, int count) { return half * (2.0 * i / (count - 1) - 1); }

/* MuJoCo splits its cells along the other diagonal, so the grid is rotated by 90 degrees: its x is along the field's y,
 * and its y against the field's x. */
static const double quarter[4] = {0.70710678118654752, 0, 0, 0.70710678118654752};

static pcm_geometry *grid_of(pcm_context *context, const mjModel *model, int geom, bool smooth)
{
    const int field = model->geom_dataid[geom], rows = model->hfield_nrow[field], columns = model->hfield_ncol[field];
    const double *size = model->hfield_size + 4 * (size_t)field;
    const float  *heights;
    const size_t  count = heights_of(model, geom, &heights), lines = (size_t)rows + (size_t)columns;
    double       *x = pcm_allocate(context, (lines + count) * sizeof *x), *y = x + rows, *z = y + columns;
    for (int i = 0; x && i < rows; i++)
        x[i] = line_at(size[1], i, rows);
    for (int j = 0; x && j < columns; j++)
        y[j] = line_at(size[0], j, columns);
    for (int i = 0; x && i < rows; i++)
        for (int j = 0; j < columns; j++)
            z[(size_t)i * (size_t)columns + (size_t)j] =
                size[2] * (double)heights[(size_t)i * (size_t)columns + (size_t)(columns - 1 - j)];
    pcm_geometry *grid = !x       ? NULL
                         : smooth ? pcm_geometry_smooth_grid(context, x, (size_t)rows, y, (size_t)columns, z)
                                  : pcm_geometry_grid(context, x, (size_t)rows, y, (size_t)columns, z);
    pcm_free(context, x, (lines + count) * sizeof *x);
    return grid;
}

/* ---- Other shapes ------------------------------------------------------------------------------------------------ */

/* The vertices from which MuJoCo computes the hull of a mesh: those of its hull, if MuJoCo has made one. */
static size_t corners_of(const mjModel *model, int mesh, const int **corners)
{
    const int    address = model->mesh_graphadr[mesh];
    const int   *graph = model->mesh_graph + (address < 0 ? 0 : address);
    const size_t on_hull = address < 0 ? 0 : (size_t)graph[0];
    *corners = on_hull ? graph + 2 + on_hull : NULL;
    return on_hull ? on_hull : (size_t)model->mesh_vertnum[mesh];
}

static pcm_geometry *hull_of(pcm_context *context, const mjModel *model, int mesh)
{
    const int   *corners;
    const size_t count = corners_of(model, mesh, &corners);
    const float *places = model->mesh_vert + 3 * (size_t)model->mesh_vertadr[mesh];
    double      *points = pcm_allocate(context, 3 * count * sizeof *points);
    for (size_t i = 0; points && i < count; i++) {
        const float *place = places + 3 * (corners ? (size_t)corners[i] : i);
        for (int k = 0; k < 3; k++)
            points[3 * i + (size_t)k] = place[k];
    }
    pcm_geometry *hull = points ? pcm_geometry_hull(context, points, count) : NULL;
    pcm_free(context, points, 3 * count * sizeof *points);
    return hull;
}

/* The hull of a mesh: made once, and shared by all geoms of the mesh. */
static pcm_geometry *shared_hull(pcm_mujoco *host, int mesh)
{
    pcm_detection *d = host->detection;
    const size_t   meshes = (size_t)host->model->nmesh;
    if (!d->hulls) {
        d->hulls = pcm_allocate(host->context, meshes * sizeof *d->hulls);
        d->n_hulls = d->hulls ? meshes : 0;
    }
    if (d->hulls && !d->hulls[mesh])
        d->hulls[mesh] = hull_of(host->context, host->model, mesh);
    return d->hulls ? d->hulls[mesh] : NULL;
}

pcm_geometry *pcm_shape_of(pcm_mujoco *host, const pcm_served *served)
{
    pcm_context   *context = host->context;
    const mjModel *model = host->model;
    const int      geom = served->geom;
    if (geom < 0)
        return pcm_geometry_point(context);
    const double *size = model->geom_size + 3 * (size_t)geom;
    switch (model->geom_type[geom]) {
    case mjGEOM_PLANE:
        return pcm_geometry_plane(context);
    case mjGEOM_SPHERE:
        return pcm_geometry_sphere(context, size[0]);
    case mjGEOM_CAPSULE:
        return pcm_geometry_capsule(context, size[0], 2 * size[1]);
    case mjGEOM_CYLINDER:
        return pcm_geometry_cylinder(context, size[0], 2 * size[1]);
    case mjGEOM_BOX:
        return pcm_geometry_box(context, (double[]){2 * size[0], 2 * size[1], 2 * size[2]});
    case mjGEOM_HFIELD:
        return pcm_scene_is_grid(model, geom) ? grid_of(context, model, geom, false) : NULL;
    case mjGEOM_MESH:
        return shared_hull(host, served->mesh);
    default:
        return NULL;
    }
}

void pcm_shape_drop(const pcm_served *served, pcm_geometry *shape)
{
    if (served->mesh < 0)
        pcm_geometry_free(shape);
}

pcm_pose pcm_shape_place(const mjModel *model, const mjData *data, const pcm_served *served)
{
    pcm_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    if (served->geom < 0) {
        mju_copy3(pose.position, data->site_xpos + 3 * (size_t)served->site);
        return pose;
    }
    mju_copy3(pose.position, data->geom_xpos + 3 * (size_t)served->geom);
    mju_mat2Quat(pose.orientation, data->geom_xmat + 9 * (size_t)served->geom);
    if (model->geom_type[served->geom] == mjGEOM_HFIELD) {
        double turned[4];
        mju_mulQuat(turned, pose.orientation, quarter);
        mju_copy4(pose.orientation, turned);
    }
    return pose;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

bool pcm_shapes_serve(const pcm_mujoco *host, int geom_a, int geom_b, bool smooth)
{
    const pcm_detection *d = host->detection;
    const mjModel       *model = host->model;
    const int            a = model->geom_type[geom_a], b = model->geom_type[geom_b];
    if (a == mjGEOM_BOX && b == mjGEOM_BOX)
        return d->own_boxes;
    if (pcm_scene_meets_field(model, geom_a, geom_b))
        return d->own_convex || smooth;
    return d->own_convex && pcm_scene_has_shape(model, geom_a) && pcm_scene_has_shape(model, geom_b) &&
           (pcm_process_convex(a, b) || a == mjGEOM_MESH || b == mjGEOM_MESH);
}

/* Makes the shape of an object in a pair that libpcm-geometry is to handle; false: no memory, and MuJoCo handles the
 * pair. */
static bool take(pcm_mujoco *host, uint32_t object, bool smooth)
{
    pcm_served *served = &host->detection->objects[object];
    const bool  field = served->geom >= 0 && host->model->geom_type[served->geom] == mjGEOM_HFIELD;
    mju_copy3(served->size, host->model->geom_size + 3 * (size_t)served->geom);
    if (!served->shape)
        served->shape = pcm_shape_of(host, served);
    if (field && smooth && !served->smooth)
        served->smooth = grid_of(host->context, host->model, served->geom, true);
    return served->shape && (served->smooth || !field || !smooth) &&
           pcm_heights_keep(host->context, host->model, served->geom, &served->heights);
}

/* Whether one of the two is a tile beside others, and the other has a shape. */
static bool meets_tile(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    const pcm_served *a = &host->detection->objects[pair->a], *b = &host->detection->objects[pair->b];
    return (a->joined && b->geom >= 0 && pcm_scene_has_shape(host->model, b->geom)) ||
           (b->joined && a->geom >= 0 && pcm_scene_has_shape(host->model, a->geom));
}

void pcm_shapes_take(pcm_mujoco *host)
{
    pcm_tiles_join(host);
    for (size_t i = 0; i < host->detection->n_pairs; i++) {
        pcm_served_pair *pair = &host->detection->pairs[i];
        const bool       smooth = pcm_type_get_info(pair->type)->common->smooth;
        const bool       tile = meets_tile(host, pair);
        pair->ours = (pair->ours || tile) && take(host, pair->a, smooth) && take(host, pair->b, smooth);
        pair->single = pair->single && !pair->ours;
        pair->led = pair->led && !pair->ours;
        pair->shaped = pcm_gaps_serve(host, pair) && take(host, pair->a, smooth) && take(host, pair->b, smooth);
        host->detection->shaped |= pair->shaped;
    }
}

void pcm_shapes_free(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    for (size_t i = 0; i < d->n_objects; i++) {
        pcm_geometry_free(d->objects[i].joined);
        pcm_shape_drop(&d->objects[i], d->objects[i].shape);
        pcm_geometry_free(d->objects[i].smooth);
        pcm_geometry_free(d->objects[i].cloud);
        pcm_heights_free(host->context, &d->objects[i].heights);
    }
    for (size_t i = 0; i < d->n_hulls; i++)
        pcm_geometry_free(d->hulls[i]);
    pcm_free(host->context, d->hulls, d->n_hulls * sizeof *d->hulls);
}

bool pcm_shapes_make(pcm_mujoco *host, uint32_t object) { return take(host, object, false); }

/* Whether the geom still has the shape's size. A shape is never changed: copies in other threads share it. */
static bool has_its_size(const pcm_mujoco *host, const pcm_served *served)
{
    return memcmp(served->size, host->model->geom_size + 3 * (size_t)served->geom, sizeof served->size) == 0;
}

/* The grid lines of a height field that may be near a ball: their number, and the first one. */
static int lines_near(double middle, double radius, double half, int count, int *first)
{
    const double scale = 0.5 * (count - 1) / half, low = (middle - radius + half) * scale;
    const double high = (middle + radius + half) * scale;
    *first = low > 0 ? (low < count ? (int)low : count - 1) : 0;
    const int last = high < count - 1 ? (high > 0 ? (int)high + 1 : 0) : count - 1;
    return last - *first + 1;
}

/* Whether the heights under the other geom of the pair still equal those of the shape. */
static bool has_its_heights(const pcm_mujoco *host, const mjData *data, const pcm_served *field,
                            const pcm_served *other)
{
    const mjModel *model = host->model;
    const float   *heights;
    const size_t   count = heights_of(model, field->geom, &heights);
    if (count != field->heights.count)
        return false;
    if (!count)
        return true;
    const int     number = model->geom_dataid[field->geom], columns = model->hfield_ncol[number];
    const double *size = model->hfield_size + 4 * (size_t)number;
    double        apart[3], middle[3];
    int           row, column;
    mju_sub3(apart, data->geom_xpos + 3 * (size_t)other->geom, data->geom_xpos + 3 * (size_t)field->geom);
    mju_mulMatTVec(middle, data->geom_xmat + 9 * (size_t)field->geom, apart, 3, 3);
    const double radius = model->geom_rbound[other->geom];
    const int    rows = lines_near(middle[1], radius, size[1], model->hfield_nrow[number], &row);
    const int    width = lines_near(middle[0], radius, size[0], columns, &column);
    bool         same = true;
    for (int i = row; i < row + rows && width > 0 && same; i++) {
        const size_t at = (size_t)i * (size_t)columns + (size_t)column;
        same = memcmp(heights + at, field->heights.values + at, (size_t)width * sizeof *heights) == 0;
    }
    return same;
}

const pcm_geometry *pcm_shape_in(const pcm_mujoco *host, const pcm_served_pair *pair, uint32_t object)
{
    const pcm_served *served = &host->detection->objects[object];
    if (pair->cloud == object + 1)
        return served->cloud;
    const bool smooth = served->smooth && pcm_type_get_info(pair->type)->common->smooth;
    return !has_its_size(host, served) ? NULL
           : smooth                    ? served->smooth
           : served->joined            ? served->joined
                                       : served->shape;
}

/* Writes at most as many points as there is room for, the deepest among them. Returns their number; -1: MuJoCo handles
 * the pair. */
static int touch(const pcm_mujoco *host, const mjData *data, uint32_t index, bool turned, pcm_touch *touches,
                 size_t room)
{
    const pcm_detection   *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[index];
    const uint32_t         first = turned ? pair->b : pair->a, second = turned ? pair->a : pair->b;
    const pcm_served      *a = &d->objects[first], *b = &d->objects[second];
    const pcm_geometry    *shape_a = pcm_shape_in(host, pair, first), *shape_b = pcm_shape_in(host, pair, second);
    if (!shape_a || !shape_b || !has_its_heights(host, data, a, b) || !has_its_heights(host, data, b, a))
        return -1;
    const pcm_pose pose_a = pcm_shape_place(host->model, data, a), pose_b = pcm_shape_place(host->model, data, b);
    size_t         count = 0;
    const bool     shared = pcm_type_get_info(pair->type)->common->patch == PCM_PATCH_SHARED;
    if ((shared && !pair->shaped ? pcm_geometry_touch_few
                                 : pcm_geometry_touch)(shape_a, &pose_a, shape_b, &pose_b, pcm_near_margin(host, pair),
                                                       touches, sizeof *touches, room, &count) != PCM_OK)
        return -1;
    return (int)(count < room ? count : room);
}

int pcm_shapes_find_cloud(pcm_mujoco *host, const mjData *data, uint32_t index)
{
    pcm_detection *d = host->detection;
    const size_t   room = d->objects[d->pairs[index].cloud - 1].n_points;
    if (!pcm_grow(host->context, &d->of_cloud, &d->of_cloud_capacity, room, sizeof *d->of_cloud))
        return -1;
    return touch(host, data, index, false, d->of_cloud, room);
}

int pcm_shapes_find(const pcm_mujoco *host, const mjData *data, uint32_t index, int geom_a, pcm_point *points)
{
    pcm_touch touches[PCM_PAIR_POINTS];
    const int count = touch(host, data, index, host->detection->objects[host->detection->pairs[index].a].geom != geom_a,
                            touches, PCM_PAIR_POINTS);
    for (int i = 0; i < count; i++) {
        const pcm_touch *t = &touches[i];
        points[i] = (pcm_point){.depth = t->depth, .area = t->area, .share = t->share, .gives = t->gives};
        memcpy(points[i].at, t->point, sizeof t->point);
        memcpy(points[i].normal, t->normal, sizeof t->normal);
    }
    return count;
}

#else

bool pcm_shapes_serve(const pcm_mujoco *host, int geom_a, int geom_b, bool smooth)
{
    (void)host, (void)geom_a, (void)geom_b, (void)smooth;
    return false;
}
void pcm_shapes_take(pcm_mujoco *host) { (void)host; }
void pcm_shapes_free(pcm_mujoco *host) { (void)host; }
int  pcm_shapes_find(const pcm_mujoco *host, const mjData *data, uint32_t index, int geom_a, pcm_point *points)
{
    (void)host, (void)data, (void)index, (void)geom_a, (void)points;
    return -1;
}
int pcm_shapes_find_cloud(pcm_mujoco *host, const mjData *data, uint32_t index)
{
    (void)host, (void)data, (void)index;
    return -1;
}
#endif
