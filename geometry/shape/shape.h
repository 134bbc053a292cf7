/* SPDX-License-Identifier: MIT */
/* shape.h - geometries as the narrow phase sees them. */
#ifndef PCM_GEOMETRY_SHAPE_H
#define PCM_GEOMETRY_SHAPE_H

#include <pcm/geometry.h>
#include "vector.h"

#define NO_INDEX UINT32_MAX

/* The largest face whose corners all take part in contact patches; of larger ones this many, evenly chosen, do. */
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

/* An edge that leaves a corner and parts two flats. */
typedef struct ray {
    vec      way;     /* unit */
    vec      normal;  /* of the flat on its left */
    double   area;    /* that each corner of that flat has */
    uint32_t flat[2]; /* on its left and right */
    uint32_t edge;
} ray;

/* Corners in single precision: one of each quarter of their list, side by side. */
typedef float four __attribute__((vector_size(16)));

typedef struct quartet {
    four x, y, z;
} quartet;

/* The sum of the normals of the flats around a corner, each times the area per corner. All of them face a unit vector d
 * where sum . d is at least `facing`. */
typedef struct outlook {
    vec    sum;
    double facing;
} outlook;

/* Directions alike by their signs and the order of their coordinates' sizes (polytope.c). */
#define SECTORS 64u

/* A convex polytope with all its adjacencies. A point has one corner, a segment two. */
typedef struct polytope {
    vec       *corners;
    edge      *edges;
    face      *faces;
    uint32_t  *loops, *loop_edges; /* the corners of all faces, and the edge from each to the next */
    uint32_t  *ring_first;         /* the edges at corner v are ring[ring_first[v]] to ring[ring_first[v + 1] - 1] */
    uint32_t  *ring;
    neighbour *around;                  /* what the edges of ring lead to */
    face      *flats;                   /* faces that are one but for rounding (flats.c): no more of them than faces */
    uint32_t  *flat_of;                 /* of each face */
    uint32_t  *flat_loops, *flat_edges; /* the outlines of all flats, as loops and loop_edges */
    uint32_t  *ray_first;               /* of each corner in rays, as ring_first */
    ray       *rays;            /* in their order around the corner: left of each is what is right of the next */
    outlook   *outlooks;        /* of each corner */
    quartet   *quartets;        /* of no more than SCAN_MOST corners; no number where there are none to fill the last */
    double     coarse;          /* m: how far along a unit vector they may be off the corners */
    uint32_t   starts[SECTORS]; /* of many corners: one that is far along the directions of each sector */
    uint32_t   n_corners, n_edges, n_faces, n_loops, n_flats;
    bool       closed; /* every edge has a face on either side */
    bool       uneven; /* some flat is of several faces */
    double left_out; /* m; how far corners that are left out of patches lie outside of the outlines of flats, at most */
} polytope;

/* Heights over a rectangle, with bounds over 2^k by 2^k cells for search. */
typedef struct grid_level {
    double   *low, *high;
    uint16_t *marks;  /* of cells, which of their own corners and edges stand out (grid.h); of blocks, those of all */
    uint32_t  nx, ny; /* blocks */
} grid_level;

#define GRID_LEVELS_MAX 32

typedef struct grid {
    double    *x, *y, *heights;
    uint32_t   nx, ny; /* lines */
    grid_level levels[GRID_LEVELS_MAX];
    uint32_t   n_levels;
} grid;

/* A solid in the axes of a compound. */
typedef struct compound_part {
    const pcm_geometry *geometry;
    placing             at;
} compound_part;

struct pcm_geometry {
    pcm_geometry_kind kind;
    uint64_t          number; /* no other geometry of the program ever has it */
    pcm_context      *context;
    /* Every solid and disk is a core grown by `radius`: a polytope, or, where rim > 0, a cylinder about z. */
    polytope       core;
    double         radius;
    double         rim, half; /* of the cylinder: its radius and half its height */
    grid           grid;
    compound_part *parts;
    uint32_t       n_parts;
    bool           owns_parts; /* made with it, from a file */
    vec            low, high;  /* bounds in its own axes; infinite for a plane */
    double         size;       /* the largest extent, for tolerances; 0 for planes and points */
    double         ball;       /* the radius of a ball about the middle of the bounds that holds it; may be infinite */
    vec            heart;      /* a point of the core */
    double         inner;      /* the radius of a ball about it that the core of a solid holds */
    vec            play;       /* and about any point of a box about it with these half sides */
};

static inline bool is_solid(pcm_geometry_kind kind) { return kind <= PCM_CYLINDER; }

/* Grows *memory, of *capacity items of `item` bytes, to hold `wanted`, at least doubling; false: there is no memory. */
bool geometry_grow(pcm_context *context, void *memory, size_t item, size_t *capacity, size_t wanted);

/* The convex hull of points into out: false after a diagnostic. */
bool polytope_hull(pcm_context *context, const vec *points, size_t count, polytope *out);
void polytope_free(pcm_context *context, polytope *p);

/* Fills in edges, rings, normals and offsets of a polytope that has corners, loops and the faces' first and count. */
bool polytope_finish(pcm_context *context, polytope *p);

/* The plane of a face whose outline stands in loops: Newell's sum, which weighs all corners, and the outermost one. */
void polytope_set_plane(const polytope *p, const uint32_t *loops, face *f);

/* Fills in the flats of a polytope that has all else; false: there is no memory. Freed with the polytope. */
bool polytope_find_flats(pcm_context *context, polytope *p);
void polytope_free_flats(pcm_context *context, polytope *p);

/* The corner that is farthest along d, found by walking from `start`. */
uint32_t polytope_farthest(const polytope *p, vec d, uint32_t start);

/* With at least this many corners, walking to the farthest is faster than a scan. */
#define WALK_FROM 16u

/* The same from a corner that is likely near it, and how far along d the farthest of the corners around it is. */
uint32_t polytope_peak(const polytope *p, vec d, double *around);

/* With at most this many corners, a scan in single precision is faster than walking. */
#define SCAN_MOST 64u

static inline uint32_t quartet_count(const polytope *p)
{
    return p->n_corners <= SCAN_MOST ? (p->n_corners + 3) / 4 : 0;
}

/* A bit for each corner that is at least this far along d, and for some that are just below. There are at most
 * SCAN_MOST. */
static inline uint64_t polytope_beyond(const polytope *p, vec d, double far)
{
    typedef int32_t four_bits __attribute__((vector_size(16)));
    const float     x = (float)d.x, y = (float)d.y, z = (float)d.z, least = (float)(far - p->coarse);
    const uint32_t  n = quartet_count(p);
    four_bits       bits = {0, 0, 0, 0}, bit = {1, 1, 1, 1};
    for (uint32_t k = 0; k < n; k++, bit += bit) {
        const quartet *q = &p->quartets[k];
        bits |= (q->x * x + q->y * y + q->z * z >= least) & bit;
    }
    return (uint64_t)bits[0] | (uint64_t)bits[1] << n | (uint64_t)bits[2] << 2 * n | (uint64_t)bits[3] << 3 * n;
}

/* A corner's part of the areas of its flats, seen along d. */
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

/* The face of corner v that edge `ring_index` has on its left when it leaves v; every face of v comes up once. */
static inline uint32_t face_at(const polytope *p, uint32_t v, uint32_t ring_index)
{
    const edge *e = &p->edges[p->ring[ring_index]];
    return e->face[e->v[0] == v ? 0 : 1];
}

/* How many corners of a flat take part in patches, and which of its loop the k-th of them is. */
static inline uint32_t outline_count(const face *flat)
{
    return flat->count < FACE_CORNERS_MAX ? flat->count : FACE_CORNERS_MAX;
}

static inline uint32_t outline_corner(const face *flat, uint32_t k)
{
    return flat->count <= FACE_CORNERS_MAX ? k : (uint32_t)((uint64_t)k * flat->count / FACE_CORNERS_MAX);
}

/* Reads the corners of the closed triangle surface in an OBJ or STL file: *points, of *count, to be released by the
 * caller (its capacity in *capacity). */
bool mesh_read(pcm_context *context, const char *path, double unit, vec **points, size_t *count, size_t *capacity);

/* One object of a file: a closed surface by the corners of its polygons, which come up again and again. */
typedef struct mesh_part {
    const char *name; /* "" where it has none */
    const vec  *corners;
    size_t      count;
    double      volume;
} mesh_part;

/* Calls take for each object of the file, until it returns false. */
bool mesh_read_parts(pcm_context *context, const char *path, double unit,
                     bool (*take)(void *user, const mesh_part *part), void *user);

/* A geometry where it is. */
typedef struct body {
    const pcm_geometry *geometry;
    placing             at;
} body;

#endif
