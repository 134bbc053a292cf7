/* SPDX-License-Identifier: MIT */
/* shape.h - geometries as the narrow phase sees them. */
#ifndef PCM_GEOMETRY_SHAPE_H
#define PCM_GEOMETRY_SHAPE_H

#include <pcm/geometry.h>
#include "vector.h"

#define NO_INDEX UINT32_MAX

/* If a face has up to this many corners, all of them take part in contact patches; for a larger face, this many that
 * are evenly chosen do. */
#define FACE_CORNERS_MAX 128u

/* As a share of a hull's largest extent: corners this close to the plane of a face lie on it (flats.c). */
#define FLAT 1e-6

/* An edge runs from corner v[0] to v[1]; face[0] lies to its left, seen from outside, and face[1] to its right. A
 * capsule's segment is an edge between NO_INDEX faces. */
typedef struct edge {
    uint32_t v[2], face[2];
} edge;

typedef struct face {
    vec      normal; /* unit, outward */
    double   offset; /* normal . x <= offset inside */
    double   area;
    uint32_t first, count; /* its corners in pcm_polytope.loops, counter-clockwise from outside */
} face;

/* A corner at the other end of an edge. */
typedef struct neighbour {
    vec      at;
    uint32_t corner;
} neighbour;

/* An edge that leaves a corner and separates two flats. */
typedef struct ray {
    vec      way;     /* unit */
    vec      normal;  /* of the flat on its left */
    double   area;    /* the area of that flat per corner */
    uint32_t flat[2]; /* the flats on its left and right */
    uint32_t edge;
} ray;

/* Corners in single precision, four at once: one from each quarter of a block. A block is 64 corners in a row, or the
 * last ones, so that a word has a bit for each. */
#define BLOCK 64u
typedef float four __attribute__((vector_size(16)));

typedef struct quartet {
    four x, y, z;
} quartet;

/* The sum of the normals of the flats around a corner, each times the area per corner. All these flats face a unit
 * vector d where sum . d is at least `facing`. */
typedef struct outlook {
    vec    sum;
    double facing;
} outlook;

/* Sectors: directions with the same signs and the same order of their coordinates' sizes (polytope.c). */
#define SECTORS 64u

/* A convex polytope with all its adjacencies. A point has one corner, a segment two. */
typedef struct polytope {
    vec       *corners;
    edge      *edges;
    face      *faces;
    uint32_t  *loops, *loop_edges; /* the corners of all faces, and the edge from each to the next */
    uint32_t  *ring_first;         /* the edges at corner v are ring[ring_first[v]] to ring[ring_first[v + 1] - 1] */
    uint32_t  *ring;
    neighbour *around;  /* the corner at the other end of each edge in ring */
    face      *flats;   /* faces joined that differ only by rounding (flats.c): at most as many as faces */
    uint32_t  *flat_of; /* the flat of each face */
    uint32_t  *flat_loops, *flat_edges; /* the outlines of all flats, as in loops and loop_edges */
    uint32_t  *ray_first;               /* where each corner's rays start in rays, as in ring_first */
    ray       *rays;     /* in their order around the corner: the flat left of each is the flat right of the next */
    outlook   *outlooks; /* one for each corner */
    quartet   *quartets; /* of all blocks, BLOCK / 4 each but the last; unused places are NaN */
    double     coarse;   /* m: how far along a unit vector the quartets may be off the corners */
    uint32_t   starts[SECTORS]; /* for many corners: one that is far along the directions of each sector */
    uint32_t   n_corners, n_edges, n_faces, n_loops, n_flats;
    bool       closed;   /* every edge has a face on either side */
    bool       uneven;   /* some flat consists of several faces */
    double     left_out; /* m; the most that corners left out of patches lie outside the outlines of flats */
} polytope;

/* A level of bounds for the search: of 2^k by 2^k cells each. */
typedef struct grid_level {
    double   *low, *high;
    uint16_t *marks; /* for cells: which of their corners and edges stand out (grid.h); for blocks: the union of those
                        of their cells */
    uint32_t nx, ny; /* numbers of blocks */
} grid_level;

#define GRID_LEVELS_MAX 32

typedef struct grid {
    double    *x, *y, *heights;
    uint32_t   nx, ny;                    /* numbers of grid lines */
    double    *slope_x, *slope_y, *twist; /* at the heights, of a smooth surface; NULL: it has triangles */
    double     sag;                       /* m, how far the smooth surface may be from the triangles */
    grid_level levels[GRID_LEVELS_MAX];
    uint32_t   n_levels;
} grid;

/* A solid in the axes of a compound. */
typedef struct compound_part {
    const pcm_geometry *geometry;
    placing             at;
} compound_part;

struct body;

struct pcm_geometry {
    pcm_geometry_kind kind;
    uint64_t          number; /* unique among all geometries of the program, ever */
    pcm_context      *context;
    /* Every solid and disk is a core grown by `radius`: a polytope, or, where rim > 0, a cylinder about z. */
    polytope       core;
    double         radius;
    double         rim, half; /* radius and half height of the cylinder */
    grid           grid;
    compound_part *parts;
    uint32_t       n_parts;
    bool           owns_parts; /* the parts were made with it, from a file */
    vec            low, high;  /* bounds in its own axes; infinite for a plane */
    double         size;       /* the largest extent, for tolerances; 0 for planes and points */
    double         ball;  /* the radius of a ball about the middle of the bounds that contains it; may be infinite */
    vec            heart; /* a point of the core */
    double         inner; /* the radius of a ball about the heart that lies within the core of a solid */
    /* Of a tile beside others (join.c): the geometry that it shares everything with; and for each side of each flat, in
     * the order of flat_loops, how deep below it the flat is covered. NULL: it is no such tile. */
    const pcm_geometry *like;
    double             *seams;
    vec play; /* half sides of a box about the heart: the ball about any point of it also lies within the core */
};

static inline bool is_solid(pcm_geometry_kind kind) { return kind <= PCM_CYLINDER; }

/* A geometry that shares everything with another one, which has to be freed after it; NULL, with a report: no memory.
 */
pcm_geometry *geometry_like(pcm_context *context, const pcm_geometry *other);

/* Whether a geometry may be joined with others beside it; and joins placed ones, as pcm_geometry_join. False: no
 * memory. */
static inline bool is_tile(const pcm_geometry *g)
{
    return (g->kind == PCM_BOX || g->kind == PCM_HULL) && g->core.n_flats > 0 && !g->seams;
}
bool tiles_join(pcm_context *context, const struct body *tiles, size_t count, pcm_geometry **joined);

/* The same for a grid, with a smooth surface through its heights. */
pcm_geometry *geometry_smooth_like(pcm_context *context, const pcm_geometry *grid);

/* The number of sides of all flats. */
static inline size_t polytope_sides(const polytope *p)
{
    return p->n_flats ? (size_t)p->flats[p->n_flats - 1].first + p->flats[p->n_flats - 1].count : 0;
}

/* Grows *memory, of *capacity items of `item` bytes, to hold `wanted` items, at least doubling it; false: out of
 * memory. */
bool geometry_grow(pcm_context *context, void *memory, size_t item, size_t *capacity, size_t wanted);

/* Makes the convex hull of points in out; false after a diagnostic. */
bool polytope_hull(pcm_context *context, const vec *points, size_t count, polytope *out);
void polytope_free(pcm_context *context, polytope *p);

/* Fills in edges, rings, normals and offsets of a polytope that has corners, loops, and the faces' members first and
 * count. */
bool polytope_finish(pcm_context *context, polytope *p);

/* The plane of a face whose outline is in loops: Newell's sum, which weighs all corners, gives the normal, and the
 * outermost corner the offset. */
void polytope_set_plane(const polytope *p, const uint32_t *loops, face *f);

/* Fills in the flats of a polytope that is otherwise complete; false: out of memory. They are freed with the
 * polytope. */
bool polytope_find_flats(pcm_context *context, polytope *p);
void polytope_free_flats(pcm_context *context, polytope *p);

/* The corner that is farthest along d, found by walking from `start`. */
uint32_t polytope_farthest(const polytope *p, vec d, uint32_t start);

/* With at least this many corners, walking to the farthest one is faster than a scan. */
#define WALK_FROM 16u

/* The same, starting from a corner that is probably close; *around: how far the farthest of its neighbours is along
 * d. */
uint32_t polytope_peak(const polytope *p, vec d, double *around);

static inline uint32_t block_count(const polytope *p) { return (p->n_corners + BLOCK - 1) / BLOCK; }

static inline uint32_t quartet_count(const polytope *p, uint32_t block)
{
    const uint32_t left = p->n_corners - BLOCK * block;
    return left < BLOCK ? (left + 3) / 4 : BLOCK / 4;
}

/* A bit for each corner of a block that is at least this far along d; corners just below may have one too. */
static inline uint64_t polytope_beyond(const polytope *p, uint32_t block, vec d, double far)
{
    typedef int32_t four_bits __attribute__((vector_size(16)));
    const float     x = (float)d.x, y = (float)d.y, z = (float)d.z, least = (float)(far - p->coarse);
    const quartet  *quartets = p->quartets + block * (BLOCK / 4);
    const uint32_t  n = quartet_count(p, block);
    four_bits       bits = {0, 0, 0, 0}, bit = {1, 1, 1, 1};
    for (uint32_t k = 0; k < n; k++, bit += bit)
        bits |= (quartets[k].x * x + quartets[k].y * y + quartets[k].z * z >= least) & bit;
    return (uint64_t)bits[0] | (uint64_t)bits[1] << n | (uint64_t)bits[2] << 2 * n | (uint64_t)bits[3] << 3 * n;
}

/* A corner's part of the areas of its flats, projected along d. */
static inline double polytope_area_along(const polytope *p, uint32_t v, vec d)
{
    double sum = p->n_faces ? dot(p->outlooks[v].sum, d) : 0;
    if (p->n_faces == 0 || sum >= p->outlooks[v].facing)
        return sum;
    sum = 0;
    for (uint32_t k = p->ray_first[v], end = p->ray_first[v + 1]; k < end; k++)
        sum += larger(dot(p->rays[k].normal, d), 0) * p->rays[k].area;
    return sum;
}

/* The face to the left of edge `ring_index` as it leaves corner v; over the ring, each face of v is returned once. */
static inline uint32_t face_at(const polytope *p, uint32_t v, uint32_t ring_index)
{
    const edge *e = &p->edges[p->ring[ring_index]];
    return e->face[e->v[0] == v ? 0 : 1];
}

/* How many corners of a flat take part in patches, and the index in its loop of the k-th of them. */
static inline uint32_t outline_count(const face *flat)
{
    return flat->count < FACE_CORNERS_MAX ? flat->count : FACE_CORNERS_MAX;
}

static inline uint32_t outline_corner(const face *flat, uint32_t k)
{
    return flat->count <= FACE_CORNERS_MAX ? k : (uint32_t)((uint64_t)k * flat->count / FACE_CORNERS_MAX);
}

/* Reads the corners of the closed triangle surface in an OBJ or STL file: *count of them in *points, to be released by
 * the caller (its capacity in *capacity). */
bool mesh_read(pcm_context *context, const char *path, double unit, vec **points, size_t *count, size_t *capacity);

/* One object of a file: a closed surface, as the corners of its polygons; the same corner occurs many times. */
typedef struct mesh_part {
    const char *name; /* "" where it has none */
    const vec  *corners;
    size_t      count;
    double      volume;
} mesh_part;

/* Calls take for each object of the file, until it returns false. */
bool mesh_read_parts(pcm_context *context, const char *path, double unit,
                     bool (*take)(void *user, const mesh_part *part), void *user);

/* A placed geometry. */
typedef struct body {
    const pcm_geometry *geometry;
    placing             at;
} body;

#endif
