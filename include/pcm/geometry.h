/* SPDX-License-Identifier: MIT */
/* geometry.h - contact detection for loops of your own: geometries, the contacts between them, and measurements.
 *
 *   pcm_geometry *box   = pcm_geometry_box(context, (double[3]){0.2, 0.1, 0.1});
 *   pcm_geometry *floor = pcm_geometry_plane(context);
 *   pcm_space    *space = pcm_space_new(context, world);
 *   pcm_object    a = pcm_space_add(space, &PCM_OBJECT(.name = "Floor", .fixed = true), floor, NULL);
 *   pcm_object    b = pcm_space_add(space, &PCM_OBJECT(.name = "Box"), box, NULL);
 *   each evaluation:  pcm_space_move(space, b, &pose, &twist);   for every object that moves
 *                     pcm_space_touch(space);                    finds every contact and reports it to the world
 *                     pcm_world_update(world, t, dt); ...        as with any other host
 *
 * This is libpcm-geometry, a separate library that uses libpcm only through pcm.h. Threads, errors and units are as
 * in pcm.h. qhull uses malloc while a hull is made; everything else comes from the context's allocator. */
#ifndef PCM_GEOMETRY_H
#define PCM_GEOMETRY_H

#include <pcm/contact_shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Geometries -------------------------------------------------------------------------------------------------- */

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
    PCM_COMPOUND  /* solids that form one body, which need not be convex */
} pcm_geometry_kind;

/* One shape, immutable: any number of objects, spaces and threads may use it until it is freed. */
typedef struct pcm_geometry pcm_geometry;

/* [setup] Makes a shape. Memory and diagnostics go through the context; free the geometry before the context. Lengths
 * are in metres, 1e-9 to 1e9; a shape that is not possible is an error, with the reason. Hulls need four points that
 * are not in one plane; inner points and duplicates are dropped. Files are Wavefront OBJ and STL, text or binary,
 * recognised by content. They must contain a closed surface, whose convex hull is used; `scale` converts the file's
 * unit to metres. A grid has the height heights[i * ny + j] at x[i], y[j], both ascending, and two triangles per cell.
 * A smooth grid has a surface through the same heights whose slopes and curvatures are continuous, a bicubic spline:
 * balls, capsules, points, and the corners and rims of others touch that; edges and faces of others, which ground that
 * stands out may touch between their corners, touch the triangles. */
PCM_EXPORT pcm_geometry *pcm_geometry_hull(pcm_context *context, const double *points, size_t count);
PCM_EXPORT pcm_geometry *pcm_geometry_hull_file(pcm_context *context, const char *path, double scale);
PCM_EXPORT pcm_geometry *pcm_geometry_sphere(pcm_context *context, double radius);
PCM_EXPORT pcm_geometry *pcm_geometry_capsule(pcm_context *context, double radius, double segment);
PCM_EXPORT pcm_geometry *pcm_geometry_box(pcm_context *context, const double sides[3]);
PCM_EXPORT pcm_geometry *pcm_geometry_cylinder(pcm_context *context, double radius, double height);
PCM_EXPORT pcm_geometry *pcm_geometry_disk(pcm_context *context, double radius);
PCM_EXPORT pcm_geometry *pcm_geometry_grid(pcm_context *context, const double *x, size_t nx, const double *y, size_t ny,
                                           const double *heights);
PCM_EXPORT pcm_geometry *pcm_geometry_smooth_grid(pcm_context *context, const double *x, size_t nx, const double *y,
                                                  size_t ny, const double *heights);
PCM_EXPORT pcm_geometry *pcm_geometry_plane(pcm_context *context);
PCM_EXPORT pcm_geometry *pcm_geometry_point(pcm_context *context);
PCM_EXPORT pcm_geometry *pcm_geometry_cloud(pcm_context *context, const double *points, size_t count);

/* [setup] Makes a body, which need not be convex, from solids: part i is placed by poses[i] in the body's axes, or at
 * its origin where poses is NULL. The parts may overlap, must not be compounds themselves, and are freed after the
 * compound. From a file: each object of an OBJ file ("o" lines), or solid of a text STL, is a part of its own, as
 * programs for convex decomposition write them. It is an error if a part is not convex: if its volume differs from that
 * of its hull by more than 1 %. */
PCM_EXPORT pcm_geometry *pcm_geometry_compound(pcm_context *context, const pcm_geometry *const *parts,
                                               const pcm_pose *poses, size_t count);
PCM_EXPORT pcm_geometry *pcm_geometry_compound_file(pcm_context *context, const char *path, double scale);

/* [setup] Finds boxes and hulls that lie side by side, placed by poses[i], and makes joined[i] of each whose sides are
 * flush with others along whole edges; NULL for all others, and for geometries that are no boxes or hulls. A solid has
 * the contacts with joined tiles that it would have with one ground: none at the edges between them. A joined tile uses
 * tiles[i], and is freed before it. Spaces join their fixed objects by themselves. PCM_NO_MEMORY: all are NULL. */
PCM_EXPORT pcm_status pcm_geometry_join(pcm_context *context, const pcm_geometry *const *tiles, const pcm_pose *poses,
                                        size_t count, pcm_geometry **joined);

/* Call it after all spaces that use the geometry are freed. NULL is accepted. */
PCM_EXPORT void pcm_geometry_free(pcm_geometry *geometry);

PCM_EXPORT pcm_geometry_kind pcm_geometry_get_kind(const pcm_geometry *geometry);    /* the kind it was made as */
PCM_EXPORT size_t            pcm_geometry_point_count(const pcm_geometry *geometry); /* of a cloud; else 1 */

/* The corners of a hull or box, or the points of a cloud; NULL for other geometries. */
PCM_EXPORT const double *pcm_geometry_points(const pcm_geometry *geometry, size_t *count);

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

/* Which kinds can be paired, in either order. Solids are hull, sphere, capsule, box, cylinder, and compounds of them.
 *   solid - all                                   disk - solid, plane         grid  - solid, point, cloud
 *   plane - solid, disk, point, cloud             point - solid, grid, plane  cloud - solid, grid, plane */
PCM_EXPORT bool pcm_geometry_meets(pcm_geometry_kind a, pcm_geometry_kind b);

/* The kinds with which a kind can be paired, as text: "a disk is supported with solids and planes". */
PCM_EXPORT const char *pcm_geometry_partners(pcm_geometry_kind kind);

typedef struct pcm_separation {
    size_t size;
    double distance;         /* m; < 0: the bodies overlap, by the depth -distance */
    double low, high;        /* m; proven: low <= the true distance <= high, within rounding */
    double normal[3];        /* unit, from a towards b: moving b by -distance along it makes them just touch */
    double on_a[3], on_b[3]; /* the nearest or deepest points; on_b - on_a = distance * normal */
} pcm_separation;

/* [hot] The distance of two geometries, at any distance or depth. For a cloud: that of its nearest point.
 * PCM_BAD_ARGUMENT: these kinds cannot be paired. PCM_BAD_MOTION: a pose is not finite. For a compound: that of its
 * nearest part or, where parts overlap, of the deepest one: the motion that separates the whole compound may be longer.
 * Likewise, for a solid in a grid: that of its deepest place. */
PCM_EXPORT pcm_status pcm_geometry_separate(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                            const pcm_pose *pose_b, pcm_separation *separation);

/* [hot] The same for point `index` of the pair's cloud or point. */
PCM_EXPORT pcm_status pcm_geometry_separate_point(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                                  const pcm_pose *pose_b, size_t index, pcm_separation *separation);

/* [hot] Finds every contact with a gap of at most reach: several where flat faces meet, one per point of a cloud.
 * Writes at most capacity of them (touches may be NULL with capacity 0), each of touch_size = sizeof *touches bytes, in
 * the axes of the poses, and sets *count to how many there are, to 0 where the call fails. A reach of INFINITY returns
 * all contacts, a reach of NaN none. The deepest point is always among them. Features name the same corners, edges, rim
 * or point from step to step. Shares and areas are given where the bodies determine them: no share for a cloud's
 * points, no area where a ball or a capsule touches, and an area of 0 for edges and corners; both change continuously
 * with the motion. */
PCM_EXPORT pcm_status pcm_geometry_touch(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                         const pcm_pose *pose_b, double reach, pcm_touch *touches, size_t touch_size,
                                         size_t capacity, size_t *count);

/* [hot] As pcm_geometry_touch, but with at most 16 contacts where flat meets flat: of more, all with one normal, it
 * makes four of equal share that stand for those that overlap, and four for those in the gap. These keep the sums of
 * areas, of shares, and of shares times points, times the squares and products of points, times depths, and times
 * depths and points, to 1e-12. So with Patch = Shared a law that is linear in depth and velocity gives the force,
 * moment and energy of all points. The four have names of their own and move smoothly with the patch, along axes of b,
 * or of a where b is a plane or grid. A patch for which no such four overlap keeps all its points. */
PCM_EXPORT pcm_status pcm_geometry_touch_few(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                             const pcm_pose *pose_b, double reach, pcm_touch *touches,
                                             size_t touch_size, size_t capacity, size_t *count);

/* [hot] The shapes of contacts of this pair, in the axes of the poses: all those that pcm_geometry_touch has found, or
 * the contacts of an engine of the host's own, of which point, normal and depth are known. An edge, a corner or a rim
 * that touches another flat counts as the flat that is in the other body. A round place on an edge, a corner or a grid
 * counts by its own radius. Points and clouds have no shape. touch_size, shape_size: sizeof of one of each.
 * PCM_BAD_ARGUMENT and PCM_BAD_MOTION: as for pcm_geometry_separate. */
PCM_EXPORT pcm_status pcm_geometry_shape(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                         const pcm_pose *pose_b, const pcm_touch *touches, size_t touch_size,
                                         size_t count, pcm_contact_shape *shapes, size_t shape_size);

/* The result of a pair's last search, for a warm start of the next: about twice as fast for bodies that have moved a
 * little, five times for bodies out of reach. Answers remain proven; their last digits may depend on the cache. */
typedef struct pcm_geometry_cache pcm_geometry_cache;

/* [setup] Makes an empty cache; NULL, with a report: out of memory. Free it before the context. NULL is accepted. */
PCM_EXPORT pcm_geometry_cache *pcm_geometry_cache_new(pcm_context *context);
PCM_EXPORT void                pcm_geometry_cache_free(pcm_geometry_cache *cache);

/* [hot] As pcm_geometry_touch, with a warm start from `cache`, which it updates. A cache of another pair is cleared
 * first. A cache must not be used in two calls at once. NULL: no warm start. */
PCM_EXPORT pcm_status pcm_geometry_touch_cached(pcm_geometry_cache *cache, const pcm_geometry *a,
                                                const pcm_pose *pose_a, const pcm_geometry *b, const pcm_pose *pose_b,
                                                double reach, pcm_touch *touches, size_t touch_size, size_t capacity,
                                                size_t *count);

/* ---- Spaces: objects with geometries, feeding a world ------------------------------------------------------------ */

typedef struct pcm_space pcm_space;

/* A space belongs to its world's thread. Moves of many objects, and searches among many, are split into tasks that run
 * where the world's updates run (`threads` of pcm_world_def); the bits are the same for any number of threads. Free the
 * space before the world. */
PCM_EXPORT pcm_space *pcm_space_new(pcm_context *context, pcm_world *world);
PCM_EXPORT void       pcm_space_free(pcm_space *space);

/* Adds an object to the world (pcm_world_add_object) and gives it a geometry with this placement in the object's axes
 * (NULL: at its origin). Returns the zero handle on failure. */
PCM_EXPORT pcm_object pcm_space_add(pcm_space *space, const pcm_object_def *def, const pcm_geometry *geometry,
                                    const pcm_pose *placement);
PCM_EXPORT pcm_status pcm_space_remove(pcm_space *space, pcm_object object);

/* [hot] Moves an object, as pcm_world_move, which it calls. */
PCM_EXPORT pcm_status pcm_space_move(pcm_space *space, pcm_object object, const pcm_pose *pose, const pcm_twist *twist);

/* [hot] Moves `count` objects, none of them twice, at a fraction of the cost, as pcm_world_move_many, which it calls.
 * Returns how many moves were accepted. */
PCM_EXPORT size_t pcm_space_move_many(pcm_space *space, const pcm_object *objects, const pcm_pose *poses,
                                      const pcm_twist *twists, size_t count);

/* [hot] Finds the contacts of all pairs that have a rule and reports them to the world, for the next update. Allocates
 * only when there are more pairs than ever before. PCM_BAD_CONFIG: a rule names a pair whose geometries cannot be
 * paired; such a pair is reported once by name, and all other pairs are done. If the world has no memory for a contact,
 * the next pcm_world_update returns the error. */
PCM_EXPORT pcm_status pcm_space_touch(pcm_space *space);

/* The number of pairs in the broad phase: pairs that are near each other and have a rule. */
PCM_EXPORT size_t pcm_space_pair_count(const pcm_space *space);

/* [hot] The present distance of two objects; a is the first of the result. */
PCM_EXPORT pcm_status pcm_space_separate(pcm_space *space, pcm_object a, pcm_object b, pcm_separation *separation);

/* [hot] Measures a pair at the last update, as pcm_world_sense does a contact. For a cloud: one entry per point, in the
 * cloud's order. Otherwise one entry: the deepest contact, with the sum of the forces of all its contacts. capacity:
 * how many entries there is room for, each of sensing_size = sizeof *sensing bytes. */
PCM_EXPORT pcm_status pcm_space_sense(pcm_space *space, pcm_object a, pcm_object b, pcm_sensing *sensing,
                                      size_t sensing_size, size_t capacity);

/* [hot] The signed separation distances of all near pairs whose contact type has ZeroCrossings = true, for a solver
 * that locates events: each zero crossing is the start or the end of a contact. Writes at most capacity of them and
 * returns how many there are; a pair keeps its place until objects are added or removed. */
PCM_EXPORT size_t pcm_space_crossings(pcm_space *space, double *separations, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
