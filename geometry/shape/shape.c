/* SPDX-License-Identifier: MIT */
/* shape.c - making geometries: checks, and the data of each that the narrow phase needs. */
#include "bounds.h"
#include "grid.h"
#include <pcm/messages.h>
#include <stdatomic.h>
#include <string.h>

/* Lengths are squared and multiplied: outside these limits, rounding and overflow would decide results. */
#define LENGTH_MIN 1e-9
#define LENGTH_MAX 1e9

bool geometry_grow(pcm_context *context, void *memory, size_t item, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity)
        return true;
    const size_t doubled = *capacity * 2 > 16 ? *capacity * 2 : 16;
    const size_t next = wanted > doubled ? wanted : doubled;
    void        *old;
    memcpy(&old, memory, sizeof old);
    void *grown = next < SIZE_MAX / item ? pcm_allocate(context, next * item) : NULL;
    if (!grown)
        return false;
    if (old)
        memcpy(grown, old, *capacity * item);
    pcm_free(context, old, *capacity * item);
    memcpy(memory, &grown, sizeof grown);
    *capacity = next;
    return true;
}

/* ---- The parts that all constructors share ----------------------------------------------------------------------- */

static pcm_geometry *out_of_memory(pcm_context *context, pcm_geometry *partial)
{
    pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a geometry");
    pcm_geometry_free(partial);
    return NULL;
}

static atomic_uint_least64_t geometries; /* geometries ever made */

static pcm_geometry *geometry_new(pcm_context *context, pcm_geometry_kind kind)
{
    pcm_geometry *g = pcm_allocate(context, sizeof *g);
    if (!g)
        return out_of_memory(context, NULL);
    g->kind = kind;
    g->number = 1 + atomic_fetch_add(&geometries, 1);
    g->context = context;
    return g;
}

static bool length_good(pcm_context *context, const char *geometry, const char *length, double value)
{
    if (value >= LENGTH_MIN && value <= LENGTH_MAX)
        return true;
    pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "the %s of a %s must be between 1e-9 m and 1e9 m", length,
               geometry);
    return false;
}

/* How deep inside the core a point lies, less a hundredth, since faces are flat only within the rounding of a file;
 * negative: it lies outside. */
static double room_around(const pcm_geometry *g, vec p)
{
    const polytope *core = &g->core;
    double          least = g->rim > 0 ? fmin(g->rim, g->half) : core->n_faces > 0 ? INFINITY : 0;
    for (uint32_t k = 0; k < core->n_faces; k++)
        least = fmin(least, core->faces[k].offset - dot(core->faces[k].normal, p));
    return 0.99 * least;
}

/* How far the centre of the inner ball may move from the middle of a box, a round core or a segment, as half sides of a
 * box, so that the ball stays inside. */
static vec play_of(const pcm_geometry *g)
{
    const double across = sqrt(0.5) * fmax(g->rim - g->inner, 0);
    if (g->kind == PCM_BOX)
        return sub(g->high, (vec){g->inner, g->inner, g->inner});
    if (g->rim > 0)
        return (vec){across, across, fmax(g->half - g->inner, 0)};
    return (vec){0, 0, g->kind == PCM_CAPSULE ? g->core.corners[1].z : 0};
}

/* Places the inner ball at the middle of the bounds, or at the mean of the corners, which alone is always inside. */
static void find_inner(pcm_geometry *g)
{
    const vec middle = scale(add(g->low, g->high), 0.5);
    vec       mean = {0, 0, 0};
    for (uint32_t k = 0; k < g->core.n_corners; k++)
        mean = along(mean, g->core.corners[k], 1.0 / g->core.n_corners);
    const double room = room_around(g, middle), other = g->core.n_faces > 0 ? room_around(g, mean) : -INFINITY;
    g->heart = room >= 0 && room >= other ? middle : mean;
    g->inner = fmax(room, fmax(other, 0));
    g->play = play_of(g);
}

static void set_bounds(pcm_geometry *g, vec low, vec high)
{
    const vec extent = sub(high, low);
    g->low = low;
    g->high = high;
    g->size = fmax(extent.x, fmax(extent.y, extent.z));
    g->ball = g->kind == PCM_SPHERE ? g->radius : g->kind == PCM_GRID ? INFINITY : 0.5 * norm(extent);
    find_inner(g);
}

static void bound_points(pcm_geometry *g)
{
    vec low = g->core.corners[0], high = low;
    for (uint32_t i = 1; i < g->core.n_corners; i++) {
        const vec p = g->core.corners[i];
        low = (vec){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (vec){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    const vec r = {g->radius, g->radius, g->radius};
    set_bounds(g, sub(low, r), add(high, r));
}

/* Copies finite points of valid size into the geometry's corners; false after a diagnostic. */
static bool copy_points(pcm_context *context, const char *geometry, const double *points, size_t count, polytope *core)
{
    if (!points || count == 0 || count > NO_INDEX / 8) {
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "a %s needs at least one point", geometry);
        return false;
    }
    for (size_t i = 0; i < 3 * count; i++)
        if (!(fabs(points[i]) <= LENGTH_MAX)) {
            pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                       "point %zu of a %s has a coordinate that is not a number of at most 1e9 m", i / 3, geometry);
            return false;
        }
    core->corners = pcm_allocate(context, count * sizeof(vec));
    if (!core->corners) {
        out_of_memory(context, NULL);
        return false;
    }
    core->n_corners = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        core->corners[i] = vec_of(points + 3 * i);
    return true;
}

/* ---- Round shapes ------------------------------------------------------------------------------------------------ */

/* A geometry whose core is the `count` corners, grown by radius; two corners are joined by an edge. */
static pcm_geometry *grown(pcm_context *context, pcm_geometry_kind kind, const vec *corners, uint32_t count,
                           double radius)
{
    pcm_geometry *g = geometry_new(context, kind);
    if (!g)
        return NULL;
    polytope *core = &g->core;
    g->radius = radius;
    core->n_corners = count;
    core->corners = pcm_allocate(context, count * sizeof(vec));
    if (!core->corners)
        return out_of_memory(context, g);
    memcpy(core->corners, corners, count * sizeof(vec));
    if (!polytope_finish(context, core))
        return out_of_memory(context, g);
    bound_points(g);
    return g;
}

pcm_geometry *pcm_geometry_sphere(pcm_context *context, double radius)
{
    if (!length_good(context, "sphere", "radius", radius))
        return NULL;
    return grown(context, PCM_SPHERE, (vec[]){{0, 0, 0}}, 1, radius);
}

pcm_geometry *pcm_geometry_capsule(pcm_context *context, double radius, double segment)
{
    if (!length_good(context, "capsule", "radius", radius) || !length_good(context, "capsule", "segment", segment))
        return NULL;
    return grown(context, PCM_CAPSULE, (vec[]){{0, 0, -segment / 2}, {0, 0, segment / 2}}, 2, radius);
}

pcm_geometry *pcm_geometry_point(pcm_context *context) { return grown(context, PCM_POINT, (vec[]){{0, 0, 0}}, 1, 0); }

static pcm_geometry *rimmed(pcm_context *context, pcm_geometry_kind kind, double radius, double height)
{
    pcm_geometry *g = geometry_new(context, kind);
    if (!g)
        return NULL;
    g->rim = radius;
    g->half = height / 2;
    set_bounds(g, (vec){-radius, -radius, -g->half}, (vec){radius, radius, g->half});
    return g;
}

pcm_geometry *pcm_geometry_cylinder(pcm_context *context, double radius, double height)
{
    if (!length_good(context, "cylinder", "radius", radius) || !length_good(context, "cylinder", "height", height))
        return NULL;
    return rimmed(context, PCM_CYLINDER, radius, height);
}

pcm_geometry *pcm_geometry_disk(pcm_context *context, double radius)
{
    return length_good(context, "disk", "radius", radius) ? rimmed(context, PCM_DISK, radius, 0) : NULL;
}

/* ---- Polytopes --------------------------------------------------------------------------------------------------- */

pcm_geometry *pcm_geometry_box(pcm_context *context, const double sides[3])
{
    static const uint32_t loops[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    for (int k = 0; k < 3; k++)
        if (!length_good(context, "box", "side", sides ? sides[k] : 0))
            return NULL;
    pcm_geometry *g = geometry_new(context, PCM_BOX);
    if (!g)
        return NULL;
    polytope *core = &g->core;
    core->corners = pcm_allocate(context, 8 * sizeof(vec));
    core->faces = pcm_allocate(context, 6 * sizeof(face));
    core->loops = pcm_allocate(context, sizeof loops);
    core->n_corners = core->corners ? 8 : 0;
    core->n_faces = core->faces ? 6 : 0;
    core->n_loops = core->loops ? 24 : 0;
    if (!core->corners || !core->faces || !core->loops)
        return out_of_memory(context, g);
    for (uint32_t i = 0; i < 8; i++)
        core->corners[i] =
            (vec){(i & 1 ? 0.5 : -0.5) * sides[0], (i & 2 ? 0.5 : -0.5) * sides[1], (i & 4 ? 0.5 : -0.5) * sides[2]};
    for (uint32_t f = 0; f < 6; f++)
        core->faces[f] = (face){.first = 4 * f, .count = 4};
    memcpy(core->loops, loops, sizeof loops);
    if (!polytope_finish(context, core))
        return out_of_memory(context, g);
    bound_points(g);
    return g;
}

static bool within_reason(vec p)
{
    return fabs(p.x) <= LENGTH_MAX && fabs(p.y) <= LENGTH_MAX && fabs(p.z) <= LENGTH_MAX;
}

static bool size_good(pcm_context *context, const pcm_geometry *hull)
{
    if (hull->size >= LENGTH_MIN && within_reason(hull->low) && within_reason(hull->high))
        return true;
    pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
               "the points of a hull must be 1e-9 m to 1e9 m apart, and no coordinate more than 1e9 m");
    return false;
}

static pcm_geometry *hull_of(pcm_context *context, const vec *points, size_t count)
{
    pcm_geometry *g = geometry_new(context, PCM_HULL);
    if (!g)
        return NULL;
    if (polytope_hull(context, points, count, &g->core)) {
        bound_points(g);
        if (size_good(context, g))
            return g;
    }
    pcm_geometry_free(g);
    return NULL;
}

pcm_geometry *pcm_geometry_hull(pcm_context *context, const double *points, size_t count)
{
    polytope copy = {0};
    if (!copy_points(context, "hull", points, count, &copy))
        return NULL;
    pcm_geometry *g = hull_of(context, copy.corners, count);
    polytope_free(context, &copy);
    return g;
}

static bool scale_good(pcm_context *context, double scale)
{
    if (scale >= LENGTH_MIN && scale <= LENGTH_MAX)
        return true;
    pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "the scale of a mesh must be between 1e-9 and 1e9");
    return false;
}

pcm_geometry *pcm_geometry_hull_file(pcm_context *context, const char *path, double scale)
{
    vec   *points = NULL;
    size_t count = 0, capacity = 0;
    if (!scale_good(context, scale))
        return NULL;
    pcm_geometry *g = NULL;
    if (mesh_read(context, path, scale, &points, &count, &capacity))
        g = hull_of(context, points, count);
    pcm_free(context, points, capacity * sizeof *points);
    return g;
}

/* ---- Compounds --------------------------------------------------------------------------------------------------- */

static bool part_good(pcm_context *context, const pcm_geometry *part, const pcm_pose *pose, size_t i, placing *at)
{
    *at = placing_identity();
    if (part && is_solid(part->kind) && (!pose || placing_of(pose, at)) && within_reason(at->at))
        return true;
    pcm_report(
        context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
        "part %zu of a compound must be a hull, sphere, capsule, box or cylinder with a finite pose, at most 1e9 m "
        "off",
        i);
    return false;
}

static void bound_parts(pcm_geometry *g)
{
    vec low = {INFINITY, INFINITY, INFINITY}, high = negate(low);
    for (uint32_t i = 0; i < g->n_parts; i++) {
        const bounds b = bounds_of(g->parts[i].geometry, &g->parts[i].at);
        low = (vec){fmin(low.x, b.low.x), fmin(low.y, b.low.y), fmin(low.z, b.low.z)};
        high = (vec){fmax(high.x, b.high.x), fmax(high.y, b.high.y), fmax(high.z, b.high.z)};
    }
    set_bounds(g, low, high);
}

static pcm_geometry *compound_new(pcm_context *context, size_t count)
{
    pcm_geometry *g = geometry_new(context, PCM_COMPOUND);
    if (!g)
        return NULL;
    g->parts = pcm_allocate(context, count * sizeof *g->parts);
    if (!g->parts)
        return out_of_memory(context, g);
    g->n_parts = (uint32_t)count;
    return g;
}

pcm_geometry *pcm_geometry_compound(pcm_context *context, const pcm_geometry *const *parts, const pcm_pose *poses,
                                    size_t count)
{
    if (!parts || count == 0 || count > NO_INDEX / 8) {
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "a compound needs at least one part");
        return NULL;
    }
    pcm_geometry *g = compound_new(context, count);
    for (size_t i = 0; g && i < count; i++) {
        g->parts[i].geometry = parts[i];
        if (!part_good(context, parts[i], poses ? &poses[i] : NULL, i, &g->parts[i].at)) {
            pcm_geometry_free(g);
            return NULL;
        }
    }
    if (g)
        bound_parts(g);
    return g;
}

/* The hulls of a file's objects that have been read so far. */
typedef struct part_list {
    pcm_context   *context;
    const char    *path;
    compound_part *parts;
    size_t         count, capacity;
} part_list;

static double hull_volume(const polytope *p)
{
    double sum = 0;
    for (uint32_t f = 0; f < p->n_faces; f++)
        sum +=
            p->faces[f].area * dot(p->faces[f].normal, sub(p->corners[p->loops[p->faces[f].first]], p->corners[0])) / 3;
    return sum;
}

/* Whether the object fills its hull; if not, reports what to do. */
static bool is_filled(const part_list *list, const mesh_part *part, const pcm_geometry *hull)
{
    const double volume = hull_volume(&hull->core), missing = 1 - fabs(part->volume) / volume;
    if (missing <= 0.01)
        return true;
    pcm_report(list->context, PCM_ERROR, PCM_MSG_BAD_MESH,
               "%s: object %zu '%s' is not convex: it fills only %.0f %% of its hull. Split it into convex objects, as "
               "CoACD or V-HACD do, or take its hull by pcm_geometry_hull_file",
               list->path, list->count + 1, part->name, 100 * (1 - missing));
    return false;
}

static bool take_part(void *user, const mesh_part *part)
{
    part_list *list = user;
    if (!geometry_grow(list->context, &list->parts, sizeof *list->parts, &list->capacity, list->count + 1)) {
        out_of_memory(list->context, NULL);
        return false;
    }
    pcm_geometry *hull = hull_of(list->context, part->corners, part->count);
    if (!hull || !is_filled(list, part, hull)) {
        pcm_geometry_free(hull);
        return false;
    }
    list->parts[list->count++] = (compound_part){hull, placing_identity()};
    return true;
}

pcm_geometry *pcm_geometry_compound_file(pcm_context *context, const char *path, double scale)
{
    part_list list = {.context = context, .path = path};
    if (!scale_good(context, scale))
        return NULL;
    const bool    read = mesh_read_parts(context, path, scale, take_part, &list);
    pcm_geometry *g = read ? compound_new(context, list.count) : NULL;
    for (size_t i = 0; i < list.count; i++) {
        if (g)
            g->parts[i] = list.parts[i];
        else
            pcm_geometry_free((pcm_geometry *)list.parts[i].geometry);
    }
    pcm_free(context, list.parts, list.capacity * sizeof *list.parts);
    if (g) {
        g->owns_parts = true;
        bound_parts(g);
    }
    return g;
}

/* ---- Surfaces and points ----------------------------------------------------------------------------------------- */

pcm_geometry *pcm_geometry_plane(pcm_context *context)
{
    pcm_geometry *g = geometry_new(context, PCM_PLANE);
    if (g) {
        g->low = (vec){-INFINITY, -INFINITY, -INFINITY};
        g->high = (vec){INFINITY, INFINITY, 0};
        g->ball = INFINITY;
    }
    return g;
}

pcm_geometry *pcm_geometry_cloud(pcm_context *context, const double *points, size_t count)
{
    pcm_geometry *g = geometry_new(context, PCM_CLOUD);
    if (g && !copy_points(context, "point cloud", points, count, &g->core)) {
        pcm_geometry_free(g);
        return NULL;
    }
    if (g)
        bound_points(g);
    return g;
}

static bool axis_good(pcm_context *context, char name, const double *lines, size_t count)
{
    if (!lines || count < 2 || count > 65536) {
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "a grid needs 2 to 65536 lines along %c", name);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!(fabs(lines[i]) <= LENGTH_MAX) || (i > 0 && !(lines[i] - lines[i - 1] >= LENGTH_MIN))) {
            pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                       "the %c lines of a grid must ascend by at least 1e-9 m within 1e9 m: line %zu does not", name,
                       i);
            return false;
        }
    return true;
}

static pcm_geometry *make_grid(pcm_context *context, const double *x, size_t nx, const double *y, size_t ny,
                               const double *heights, bool smooth)
{
    if (!axis_good(context, 'x', x, nx) || !axis_good(context, 'y', y, ny))
        return NULL;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < nx * ny; i++) {
        if (!heights || !(fabs(heights[i]) <= LENGTH_MAX)) {
            pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                       "height %zu, %zu of a grid is not a number of at most 1e9 m", i / ny, i % ny);
            return NULL;
        }
        low = fmin(low, heights[i]);
        high = fmax(high, heights[i]);
    }
    pcm_geometry *g = geometry_new(context, PCM_GRID);
    if (!g)
        return NULL;
    grid *s = &g->grid;
    s->nx = (uint32_t)nx;
    s->ny = (uint32_t)ny;
    s->x = pcm_allocate(context, nx * sizeof *x);
    s->y = pcm_allocate(context, ny * sizeof *y);
    s->heights = pcm_allocate(context, nx * ny * sizeof *heights);
    if (!s->x || !s->y || !s->heights)
        return out_of_memory(context, g);
    memcpy(s->x, x, nx * sizeof *x);
    memcpy(s->y, y, ny * sizeof *y);
    memcpy(s->heights, heights, nx * ny * sizeof *heights);
    if (!grid_finish(context, s) || (smooth && !grid_smooth(context, s)))
        return out_of_memory(context, g);
    set_bounds(g, (vec){x[0], y[0], low - s->sag}, (vec){x[nx - 1], y[ny - 1], high + s->sag});
    return g;
}

pcm_geometry *pcm_geometry_grid(pcm_context *context, const double *x, size_t nx, const double *y, size_t ny,
                                const double *heights)
{
    return make_grid(context, x, nx, y, ny, heights, false);
}

pcm_geometry *pcm_geometry_smooth_grid(pcm_context *context, const double *x, size_t nx, const double *y, size_t ny,
                                       const double *heights)
{
    return make_grid(context, x, nx, y, ny, heights, true);
}

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

pcm_geometry *geometry_like(pcm_context *context, const pcm_geometry *other)
{
    pcm_geometry *g = geometry_new(context, other->kind);
    if (!g)
        return NULL;
    const uint64_t number = g->number;
    *g = *other;
    g->number = number;
    g->context = context;
    g->like = other;
    return g;
}

pcm_geometry *geometry_smooth_like(pcm_context *context, const pcm_geometry *other)
{
    pcm_geometry *g = geometry_like(context, other);
    if (!g || grid_smooth(context, &g->grid)) {
        if (g)
            set_bounds(g, (vec){g->low.x, g->low.y, g->low.z - g->grid.sag},
                       (vec){g->high.x, g->high.y, g->high.z + g->grid.sag});
        return g;
    }
    return out_of_memory(context, g);
}

void pcm_geometry_free(pcm_geometry *geometry)
{
    if (!geometry)
        return;
    pcm_context *context = geometry->context;
    if (geometry->like) {
        pcm_free(context, geometry->seams, polytope_sides(&geometry->core) * sizeof *geometry->seams);
        grid_roughen(context, &geometry->grid);
        pcm_free(context, geometry, sizeof *geometry);
        return;
    }
    polytope_free(context, &geometry->core);
    grid_free(context, &geometry->grid);
    for (uint32_t i = 0; i < geometry->n_parts && geometry->owns_parts; i++)
        pcm_geometry_free((pcm_geometry *)geometry->parts[i].geometry);
    pcm_free(context, geometry->parts, geometry->n_parts * sizeof *geometry->parts);
    pcm_free(context, geometry, sizeof *geometry);
}

pcm_geometry_kind pcm_geometry_get_kind(const pcm_geometry *geometry) { return geometry->kind; }

size_t pcm_geometry_point_count(const pcm_geometry *geometry)
{
    return geometry->kind == PCM_CLOUD ? geometry->core.n_corners : 1;
}

const double *pcm_geometry_points(const pcm_geometry *geometry, size_t *count)
{
    const bool has = geometry->kind == PCM_HULL || geometry->kind == PCM_BOX || geometry->kind == PCM_CLOUD;
    *count = has ? geometry->core.n_corners : 0;
    return has ? &geometry->core.corners->x : NULL;
}
