/* SPDX-License-Identifier: MIT */
/* shape.c - making geometries: checks, and the numbers that the narrow phase needs of each. */
#include "shape.h"
#include "messages.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lengths are squared and multiplied: beyond these, rounding and overflow would decide. */
#define LENGTH_MIN 1e-9
#define LENGTH_MAX 1e9

/* ---- Memory and voice ------------------------------------------------------------------------------------------ */

static void *default_allocate(void *user, size_t bytes)
{
    (void)user;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void default_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

pcm_geometry_def pcm_geometry_defaults(void)
{
    return (pcm_geometry_def){.size = sizeof(pcm_geometry_def),
                              .allocator = {NULL, default_allocate, default_release}};
}

pcm_geometry_def geometry_def(const pcm_geometry_def *def)
{
    pcm_geometry_def full = pcm_geometry_defaults();
    if (def) {
        full.sink = def->sink;
        full.sink_user = def->sink_user;
        if (def->allocator.allocate)
            full.allocator = def->allocator;
    }
    return full;
}

void *geometry_allocate(const pcm_allocator *allocator, size_t bytes)
{
    void *memory = bytes > 0 ? allocator->allocate(allocator->user, bytes) : NULL;
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

void geometry_release(const pcm_allocator *allocator, void *memory, size_t bytes)
{
    if (memory)
        allocator->release(allocator->user, memory, bytes);
}

bool geometry_grow(const pcm_allocator *allocator, void *memory, size_t item, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity)
        return true;
    const size_t doubled = *capacity * 2 > 16 ? *capacity * 2 : 16;
    const size_t next = wanted > doubled ? wanted : doubled;
    void        *old;
    memcpy(&old, memory, sizeof old);
    void *grown = next < SIZE_MAX / item ? geometry_allocate(allocator, next * item) : NULL;
    if (!grown)
        return false;
    if (old)
        memcpy(grown, old, *capacity * item);
    geometry_release(allocator, old, *capacity * item);
    memcpy(memory, &grown, sizeof grown);
    *capacity = next;
    return true;
}

void geometry_say(const pcm_geometry_def *def, pcm_severity severity, uint32_t code, const char *format, ...)
{
    if (!def->sink)
        return;
    char    text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    def->sink(def->sink_user, &(pcm_diagnostic){.severity = severity, .code = code, .message = text});
}

/* ---- The parts that all constructors share --------------------------------------------------------------------- */

static pcm_geometry *out_of_memory(const pcm_geometry_def *def, pcm_geometry *partial)
{
    geometry_say(def, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "the allocator gave no memory for a geometry");
    pcm_geometry_free(partial);
    return NULL;
}

static pcm_geometry *geometry_new(const pcm_geometry_def *def, pcm_geometry_kind kind)
{
    pcm_geometry *g = geometry_allocate(&def->allocator, sizeof *g);
    if (!g)
        return out_of_memory(def, NULL);
    g->kind = kind;
    g->allocator = def->allocator;
    return g;
}

static bool length_good(const pcm_geometry_def *def, const char *geometry, const char *length, double value)
{
    if (value >= LENGTH_MIN && value <= LENGTH_MAX)
        return true;
    geometry_say(def, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "the %s of a %s must be between 1e-9 m and 1e9 m", length,
                 geometry);
    return false;
}

static void set_bounds(pcm_geometry *g, vec low, vec high)
{
    const vec extent = sub(high, low);
    g->low = low;
    g->high = high;
    g->size = fmax(extent.x, fmax(extent.y, extent.z));
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

/* Copies finite points of admissible size into the geometry's corners; false after a diagnostic. */
static bool copy_points(const pcm_geometry_def *def, const char *geometry, const double *points, size_t count,
                        polytope *core)
{
    if (!points || count == 0 || count > NO_INDEX / 8) {
        geometry_say(def, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "a %s needs at least one point", geometry);
        return false;
    }
    for (size_t i = 0; i < 3 * count; i++)
        if (!(fabs(points[i]) <= LENGTH_MAX)) {
            geometry_say(def, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                         "point %zu of a %s has a coordinate that is not a number of at most 1e9 m", i / 3, geometry);
            return false;
        }
    core->corners = geometry_allocate(&def->allocator, count * sizeof(vec));
    if (!core->corners) {
        out_of_memory(def, NULL);
        return false;
    }
    core->n_corners = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        core->corners[i] = vec_of(points + 3 * i);
    return true;
}

/* ---- Round ones ------------------------------------------------------------------------------------------------ */

/* A geometry whose core is the `count` corners, grown by radius; two corners are joined by an edge. */
static pcm_geometry *grown(const pcm_geometry_def *def, pcm_geometry_kind kind, const vec *corners, uint32_t count,
                           double radius)
{
    pcm_geometry *g = geometry_new(def, kind);
    if (!g)
        return NULL;
    polytope *core = &g->core;
    g->radius = radius;
    core->n_corners = count;
    core->corners = geometry_allocate(&g->allocator, count * sizeof(vec));
    if (!core->corners)
        return out_of_memory(def, g);
    memcpy(core->corners, corners, count * sizeof(vec));
    if (!polytope_finish(&g->allocator, core))
        return out_of_memory(def, g);
    bound_points(g);
    return g;
}

pcm_geometry *pcm_geometry_sphere(const pcm_geometry_def *def, double radius)
{
    const pcm_geometry_def full = geometry_def(def);
    if (!length_good(&full, "sphere", "radius", radius))
        return NULL;
    return grown(&full, PCM_SPHERE, (vec[]){{0, 0, 0}}, 1, radius);
}

pcm_geometry *pcm_geometry_capsule(const pcm_geometry_def *def, double radius, double segment)
{
    const pcm_geometry_def full = geometry_def(def);
    if (!length_good(&full, "capsule", "radius", radius) || !length_good(&full, "capsule", "segment", segment))
        return NULL;
    return grown(&full, PCM_CAPSULE, (vec[]){{0, 0, -segment / 2}, {0, 0, segment / 2}}, 2, radius);
}

pcm_geometry *pcm_geometry_point(const pcm_geometry_def *def)
{
    const pcm_geometry_def full = geometry_def(def);
    return grown(&full, PCM_POINT, (vec[]){{0, 0, 0}}, 1, 0);
}

static pcm_geometry *rimmed(const pcm_geometry_def *def, pcm_geometry_kind kind, double radius, double height)
{
    pcm_geometry *g = geometry_new(def, kind);
    if (!g)
        return NULL;
    g->rim = radius;
    g->half = height / 2;
    set_bounds(g, (vec){-radius, -radius, -g->half}, (vec){radius, radius, g->half});
    return g;
}

pcm_geometry *pcm_geometry_cylinder(const pcm_geometry_def *def, double radius, double height)
{
    const pcm_geometry_def full = geometry_def(def);
    if (!length_good(&full, "cylinder", "radius", radius) || !length_good(&full, "cylinder", "height", height))
        return NULL;
    return rimmed(&full, PCM_CYLINDER, radius, height);
}

pcm_geometry *pcm_geometry_disk(const pcm_geometry_def *def, double radius)
{
    const pcm_geometry_def full = geometry_def(def);
    return length_good(&full, "disk", "radius", radius) ? rimmed(&full, PCM_DISK, radius, 0) : NULL;
}

/* ---- Polytopes ------------------------------------------------------------------------------------------------- */

pcm_geometry *pcm_geometry_box(const pcm_geometry_def *def, const double sides[3])
{
    static const uint32_t loops[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const pcm_geometry_def full = geometry_def(def);
    for (int k = 0; k < 3; k++)
        if (!length_good(&full, "box", "side", sides ? sides[k] : 0))
            return NULL;
    pcm_geometry *g = geometry_new(&full, PCM_BOX);
    if (!g)
        return NULL;
    polytope *core = &g->core;
    core->corners = geometry_allocate(&g->allocator, 8 * sizeof(vec));
    core->faces = geometry_allocate(&g->allocator, 6 * sizeof(face));
    core->loops = geometry_allocate(&g->allocator, sizeof loops);
    core->n_corners = core->corners ? 8 : 0;
    core->n_faces = core->faces ? 6 : 0;
    core->n_loops = core->loops ? 24 : 0;
    if (!core->corners || !core->faces || !core->loops)
        return out_of_memory(&full, g);
    for (uint32_t i = 0; i < 8; i++)
        core->corners[i] = (vec){(i & 1 ? 0.5 : -0.5) * sides[0], (i & 2 ? 0.5 : -0.5) * sides[1],
                                 (i & 4 ? 0.5 : -0.5) * sides[2]};
    for (uint32_t f = 0; f < 6; f++)
        core->faces[f] = (face){.first = 4 * f, .count = 4};
    memcpy(core->loops, loops, sizeof loops);
    if (!polytope_finish(&g->allocator, core))
        return out_of_memory(&full, g);
    bound_points(g);
    return g;
}

static pcm_geometry *hull_of(const pcm_geometry_def *def, const vec *points, size_t count)
{
    pcm_geometry *g = geometry_new(def, PCM_HULL);
    if (g && !polytope_hull(def, points, count, &g->core)) {
        pcm_geometry_free(g);
        return NULL;
    }
    if (g)
        bound_points(g);
    return g;
}

pcm_geometry *pcm_geometry_hull(const pcm_geometry_def *def, const double *points, size_t count)
{
    const pcm_geometry_def full = geometry_def(def);
    polytope               copy = {0};
    if (!copy_points(&full, "hull", points, count, &copy))
        return NULL;
    pcm_geometry *g = hull_of(&full, copy.corners, count);
    polytope_free(&full.allocator, &copy);
    return g;
}

pcm_geometry *pcm_geometry_hull_file(const pcm_geometry_def *def, const char *path, double scale)
{
    const pcm_geometry_def full = geometry_def(def);
    vec                   *points = NULL;
    size_t                 count = 0, capacity = 0;
    if (!(scale >= LENGTH_MIN && scale <= LENGTH_MAX)) {
        geometry_say(&full, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "the scale of a mesh must be between 1e-9 and 1e9");
        return NULL;
    }
    pcm_geometry *g = NULL;
    if (mesh_read(&full, path, scale, &points, &count, &capacity))
        g = hull_of(&full, points, count);
    geometry_release(&full.allocator, points, capacity * sizeof *points);
    return g;
}

/* ---- Surfaces and points --------------------------------------------------------------------------------------- */

pcm_geometry *pcm_geometry_plane(const pcm_geometry_def *def)
{
    const pcm_geometry_def full = geometry_def(def);
    pcm_geometry          *g = geometry_new(&full, PCM_PLANE);
    if (g) {
        g->low = (vec){-INFINITY, -INFINITY, -INFINITY};
        g->high = (vec){INFINITY, INFINITY, 0};
    }
    return g;
}

pcm_geometry *pcm_geometry_cloud(const pcm_geometry_def *def, const double *points, size_t count)
{
    const pcm_geometry_def full = geometry_def(def);
    pcm_geometry          *g = geometry_new(&full, PCM_CLOUD);
    if (g && !copy_points(&full, "point cloud", points, count, &g->core)) {
        pcm_geometry_free(g);
        return NULL;
    }
    if (g)
        bound_points(g);
    return g;
}

static bool axis_good(const pcm_geometry_def *def, char name, const double *lines, size_t count)
{
    if (!lines || count < 2 || count > 65536) {
        geometry_say(def, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "a grid needs 2 to 65536 lines along %c", name);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!(fabs(lines[i]) <= LENGTH_MAX) || (i > 0 && !(lines[i] - lines[i - 1] >= LENGTH_MIN))) {
            geometry_say(def, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                         "the %c lines of a grid must ascend by at least 1e-9 m within 1e9 m: line %zu does not", name,
                         i);
            return false;
        }
    return true;
}

pcm_geometry *pcm_geometry_grid(const pcm_geometry_def *def, const double *x, size_t nx, const double *y, size_t ny,
                                const double *heights)
{
    const pcm_geometry_def full = geometry_def(def);
    if (!axis_good(&full, 'x', x, nx) || !axis_good(&full, 'y', y, ny))
        return NULL;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < nx * ny; i++) {
        if (!heights || !(fabs(heights[i]) <= LENGTH_MAX)) {
            geometry_say(&full, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                         "height %zu, %zu of a grid is not a number of at most 1e9 m", i / ny, i % ny);
            return NULL;
        }
        low = fmin(low, heights[i]);
        high = fmax(high, heights[i]);
    }
    pcm_geometry *g = geometry_new(&full, PCM_GRID);
    if (!g)
        return NULL;
    grid *s = &g->grid;
    s->nx = (uint32_t)nx;
    s->ny = (uint32_t)ny;
    s->x = geometry_allocate(&g->allocator, nx * sizeof *x);
    s->y = geometry_allocate(&g->allocator, ny * sizeof *y);
    s->heights = geometry_allocate(&g->allocator, nx * ny * sizeof *heights);
    if (!s->x || !s->y || !s->heights)
        return out_of_memory(&full, g);
    memcpy(s->x, x, nx * sizeof *x);
    memcpy(s->y, y, ny * sizeof *y);
    memcpy(s->heights, heights, nx * ny * sizeof *heights);
    if (!grid_finish(&g->allocator, s))
        return out_of_memory(&full, g);
    set_bounds(g, (vec){x[0], y[0], low}, (vec){x[nx - 1], y[ny - 1], high});
    return g;
}

/* ---- What is known of a geometry ------------------------------------------------------------------------------- */

void pcm_geometry_free(pcm_geometry *geometry)
{
    if (!geometry)
        return;
    const pcm_allocator allocator = geometry->allocator;
    polytope_free(&allocator, &geometry->core);
    grid_free(&allocator, &geometry->grid);
    geometry_release(&allocator, geometry, sizeof *geometry);
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
