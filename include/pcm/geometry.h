/* SPDX-License-Identifier: MIT */
/* geometry.h - contact detection for loops of your own: geometries, the contacts between them, and measurements.
 *
 *   pcm_geometry *box   = pcm_geometry_box(context, (double[3]){0.2, 0.1, 0.1});
 *   pcm_geometry *floor = pcm_geometry_plane(context);
 *   pcm_space    *space = pcm_space_new(context, world);
 *   pcm_object    a = pcm_space_add(space, &PCM_OBJECT(.name = "Floor", .fixed = true), floor, NULL);
 *   pcm_object    b = pcm_space_add(space, &PCM_OBJECT(.name = "Box"), box, NULL);
 *   each evaluation:  pcm_space_move(space, b, &pose, &twist);   every object that moves
 *                     pcm_space_touch(space);                    finds every contact and reports it to the world
 *                     pcm_world_update(world, t, dt); ...        as with any other host
 *
 * This is libpcm-geometry, a library of its own that uses libpcm through pcm.h alone. Threads, errors and units are as
 * in pcm.h. qhull uses malloc while a hull is made; everything else comes from the context's allocator. */
#ifndef PCM_GEOMETRY_H
#define PCM_GEOMETRY_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Geometries ------------------------------------------------------------------------------------------------ */

typedef enum pcm_geometry_kind {
    PCM_HULL,     /* convex hull of points */
    PCM_SPHERE,   /* about the origin */
    PCM_CAPSULE,  /* about a segment of the z axis */
    PCM_BOX,      /* along the axes, about the origin */
    PCM_CYLINDER, /* about the z axis */
    PCM_DISK,     /* in the plane z = 0, without thickness; touches from both sides */
    PCM_GRID,     /* heights over a rectangle of the xy-plane, solid below */
    PCM_PLANE,    /* z = 0, solid below */
    PCM_POINT,    /* the origin */
    PCM_CLOUD,    /* points, each with contacts of its own */
    PCM_COMPOUND  /* solids that are one body: what is not convex */
} pcm_geometry_kind;

/* One shape, immutable: any number of objects, spaces and threads may use it until it is freed. */
typedef struct pcm_geometry pcm_geometry;

/* [setup] A shape. Memory and diagnostics go through the context; free the geometry before it. Lengths are in metres,
 * 1e-9 to 1e9; what cannot be a shape is an error that says why. Hulls need four points that are not in one plane;
 * inner points and duplicates are dropped. Files are Wavefront OBJ and STL, text or binary, recognised by content. They
 * must hold a closed surface, whose convex hull is used; `scale` converts the file's unit to metres. A grid has the
 * height heights[i * ny + j] at x[i], y[j], both ascending, and two triangles a cell. */
PCM_EXPORT pcm_geometry *pcm_geometry_hull(pcm_context *context, const double *points, size_t count);
PCM_EXPORT pcm_geometry *pcm_geometry_hull_file(pcm_context *context, const char *path, double scale);
PCM_EXPORT pcm_geometry *pcm_geometry_sphere(pcm_context *context, double radius);
PCM_EXPORT pcm_geometry *pcm_geometry_capsule(pcm_context *context, double radius, double segment);
PCM_EXPORT pcm_geometry *pcm_geometry_box(pcm_context *context, const double sides[3]);
PCM_EXPORT pcm_geometry *pcm_geometry_cylinder(pcm_context *context, double radius, double height);
PCM_EXPORT pcm_geometry *pcm_geometry_disk(pcm_context *context, double radius);
PCM_EXPORT pcm_geometry *pcm_geometry_grid(pcm_context *context, const double *x, size_t nx, const double *y, size_t ny,
                                           const double *heights);
PCM_EXPORT pcm_geometry *pcm_geometry_plane(pcm_context *context);
PCM_EXPORT pcm_geometry *pcm_geometry_point(pcm_context *context);
PCM_EXPORT pcm_geometry *pcm_geometry_cloud(pcm_context *context, const double *points, size_t count);

/* [setup] A body that is not convex, made of solids: part i is where poses[i] puts it in the body's axes, or at its
 * origin where poses is NULL. The parts may overlap, are no compounds themselves, and are freed after the compound.
 * From a file: each object of an OBJ file ("o" lines), or solid of a text STL, is a part of its own, as programs for
 * convex decomposition write them. One that is not convex, by more than 1 % of the volume of its hull, is an error. */
PCM_EXPORT pcm_geometry *pcm_geometry_compound(pcm_context *context, const pcm_geometry *const *parts,
                                               const pcm_pose *poses, size_t count);
PCM_EXPORT pcm_geometry *pcm_geometry_compound_file(pcm_context *context, const char *path, double scale);

/* After the last space that uses it. NULL is accepted. */
PCM_EXPORT void pcm_geometry_free(pcm_geometry *geometry);

PCM_EXPORT pcm_geometry_kind pcm_geometry_get_kind(const pcm_geometry *geometry);    /* what it was made as */
PCM_EXPORT size_t            pcm_geometry_point_count(const pcm_geometry *geometry); /* points of a cloud; else 1 */

/* The corners of a hull or box, a cloud's points; NULL for others. */
PCM_EXPORT const double *pcm_geometry_points(const pcm_geometry *geometry, size_t *count);

/* ---- Pairs ----------------------------------------------------------------------------------------------------- */

/* Which kinds meet, in either order. Solids are hull, sphere, capsule, box, cylinder, and compounds of them.
 *   solid - all                                   disk - solid, plane         grid  - solid, point, cloud
 *   plane - solid, disk, point, cloud             point - solid, grid, plane  cloud - solid, grid, plane */
PCM_EXPORT bool pcm_geometry_meets(pcm_geometry_kind a, pcm_geometry_kind b);

/* The partners of a kind as text: "a disk is supported with solids and planes". */
PCM_EXPORT const char *pcm_geometry_partners(pcm_geometry_kind kind);

typedef struct pcm_separation {
    size_t size;
    double distance;         /* m; < 0: the bodies overlap, by the depth -distance */
    double low, high;        /* m; proven: low <= the true distance <= high, but for rounding */
    double normal[3];        /* unit, from a towards b: moving b by -distance along it makes them just touch */
    double on_a[3], on_b[3]; /* where; on_b - on_a = distance * normal */
} pcm_separation;

/* [hot] How far two geometries are from each other, at any distance or depth. With a cloud: its nearest point.
 * PCM_BAD_ARGUMENT: these kinds do not meet. PCM_BAD_MOTION: a pose is not finite.
 * Of a compound, its nearest part, or where parts overlap the deepest of them: its way out of the whole may be longer.
 * Of a solid in a grid, its deepest place, likewise. */
PCM_EXPORT pcm_status pcm_geometry_separate(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                            const pcm_pose *pose_b, pcm_separation *separation);

/* [hot] The same for point `index` of the one cloud or point of the pair. */
PCM_EXPORT pcm_status pcm_geometry_separate_point(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                                  const pcm_pose *pose_b, size_t index, pcm_separation *separation);

/* [hot] Every contact with a gap of at most reach: several where flat lies on flat, one per point of a cloud. Writes at
 * most capacity of them (touches may be NULL with capacity 0), each of touch_size = sizeof *touches bytes, in the axes
 * of the poses, and sets *count to how many there are, 0 where the call fails. A reach of INFINITY asks for all, one
 * that is no number for none. The deepest point is always among them. Features name the same corners, edges, rim or
 * point from step to step. Shares and areas are given as far as they follow from the bodies: no share of a cloud's
 * points, no area where a ball or a capsule touches, and area 0 of edges and corners; both change continuously with the
 * motion. */
PCM_EXPORT pcm_status pcm_geometry_touch(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                         const pcm_pose *pose_b, double reach, pcm_touch *touches, size_t touch_size,
                                         size_t capacity, size_t *count);

/* The result of a pair's last search, for a warm start of the next: about twice as fast for bodies that have moved a
 * little, five times for bodies out of reach. Answers are proven as ever; their last digits may depend on the cache. */
typedef struct pcm_geometry_cache pcm_geometry_cache;

/* [setup] An empty cache; NULL after a report: out of memory. Free it before the context. NULL is accepted. */
PCM_EXPORT pcm_geometry_cache *pcm_geometry_cache_new(pcm_context *context);
PCM_EXPORT void                pcm_geometry_cache_free(pcm_geometry_cache *cache);

/* [hot] As pcm_geometry_touch, with a warm start from `cache`, which it updates. A cache of another pair is cleared
 * first. One call at a time for each cache. NULL: no warm start. */
PCM_EXPORT pcm_status pcm_geometry_touch_cached(pcm_geometry_cache *cache, const pcm_geometry *a,
                                                const pcm_pose *pose_a, const pcm_geometry *b, const pcm_pose *pose_b,
                                                double reach, pcm_touch *touches, size_t touch_size, size_t capacity,
                                                size_t *count);

/* ---- Spaces: objects with geometries, feeding a world ---------------------------------------------------------- */

typedef struct pcm_space pcm_space;

/* A space belongs to its world's thread. Moves of many objects and searches among many are split into tasks where the
 * world's updates are (`threads` of pcm_world_def); the bits are the same for any number. Free it before the world. */
PCM_EXPORT pcm_space *pcm_space_new(pcm_context *context, pcm_world *world);
PCM_EXPORT void       pcm_space_free(pcm_space *space);

/* Adds an object to the world (pcm_world_add_object) and gives it a geometry, placed in the object's axes (NULL: at its
 * origin). The zero handle on failure. */
PCM_EXPORT pcm_object pcm_space_add(pcm_space *space, const pcm_object_def *def, const pcm_geometry *geometry,
                                    const pcm_pose *placement);
PCM_EXPORT pcm_status pcm_space_remove(pcm_space *space, pcm_object object);

/* [hot] As pcm_world_move, which it calls. */
PCM_EXPORT pcm_status pcm_space_move(pcm_space *space, pcm_object object, const pcm_pose *pose, const pcm_twist *twist);

/* [hot] The same for the i-th of `count` objects, i = 0, 1 ..., none of them twice, at a fraction of the cost: as
 * pcm_world_move_many, which it calls. Returns how many were accepted. */
PCM_EXPORT size_t pcm_space_move_many(pcm_space *space, const pcm_object *objects, const pcm_pose *poses,
                                      const pcm_twist *twists, size_t count);

/* [hot] Finds the contacts of all pairs that have a rule and reports them to the world, for the next update. Allocates
 * only beyond the peak of pairs so far. PCM_BAD_CONFIG: a rule names a pair whose geometries do not meet; such a pair
 * is reported once by name, and all others are done. If the world has no memory for a contact, the next
 * pcm_world_update returns the error. */
PCM_EXPORT pcm_status pcm_space_touch(pcm_space *space);

/* How many pairs the broad phase holds: those near each other that have a rule. */
PCM_EXPORT size_t pcm_space_pair_count(const pcm_space *space);

/* [hot] How far two objects are from each other now; a's side is the first. */
PCM_EXPORT pcm_status pcm_space_separate(pcm_space *space, pcm_object a, pcm_object b, pcm_separation *separation);

/* [hot] Measures a pair at the last update, as pcm_world_sense does a contact: for a cloud one entry per point, in the
 * cloud's order, else one entry: the deepest contact, with the forces of all its contacts together. capacity: entries
 * that fit, each of sensing_size = sizeof *sensing bytes. */
PCM_EXPORT pcm_status pcm_space_sense(pcm_space *space, pcm_object a, pcm_object b, pcm_sensing *sensing,
                                      size_t sensing_size, size_t capacity);

/* [hot] The separation distances, signed, of all near pairs whose contact type says ZeroCrossings = true, for a solver
 * that locates events: each crossing of zero is the start or the end of a contact. Writes at most capacity of them and
 * returns how many there are; a pair keeps its place until objects are added or removed. */
PCM_EXPORT size_t pcm_space_crossings(pcm_space *space, double *separations, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
