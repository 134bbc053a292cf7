/* SPDX-License-Identifier: MIT */
/* patch.h - the parts of two bodies that face each other, and the share of the patch's area of each point. */
#ifndef PCM_GEOMETRY_PATCH_H
#define PCM_GEOMETRY_PATCH_H

#include "convex.h"

/* A point of a patch: where the bodies face each other, on their surfaces. */
typedef struct witness {
    uint64_t feature;
    vec      on_a, on_b;
    double   gap;
    double   share, area; /* of the patch */
} witness;

/* As a share of the size: a longer reach counts as this. */
#define ENDLESS 1e9

/* The weight of a point: 0 as it comes within reach, so that the others do not jump when it comes and goes. */
static inline double presence(double share, double gap, double reach, double size)
{
    return gap <= reach ? (share + 1e-12) * (smaller(reach - gap, ENDLESS * size) + 1e-12 * size) : 0;
}

/* The most points of a patch: two faces of FACE_CORNERS_MAX corners, and as many crossings of their sides. */
#define PATCH_MAX (4 * FACE_CORNERS_MAX)

/* The points where the two bodies face each other along result->normal, the deepest first, each with its share of the
 * patch. Force and moment of a law with these shares change continuously with the motion and the normal. Returns their
 * number, 1 to PATCH_MAX. Fills in the points of a result that has none. */
uint32_t convex_patch(convex_pair *pair, convex_result *result, witness patch[PATCH_MAX]);

/* As a share of a disk's radius: points closer to a side fade. As a share of a line's length: closer to the edge of a
 * face, the line begins to count as lying along it. */
#define EDGE 1e-3

/* Names of rim points and of crossings with a rim: above any corner or edge. */
#define RIM_NAME 0x7FFFFF00u

/* A side of a segment or polygon, seen along the normal of the patch. */
typedef struct side {
    vec    run, left; /* from its start to its end; as long, to the left of it */
    double length;
} side;

/* The part of a core's surface that faces along a normal: a corner, a segment, a polygon, or a disk. */
typedef struct support {
    vec      points[FACE_CORNERS_MAX]; /* counter-clockwise from outside */
    uint32_t corner[FACE_CORNERS_MAX]; /* their names */
    uint32_t edge[FACE_CORNERS_MAX];   /* the name of the edge from each point to the next */
    uint32_t count;                    /* 0: a disk */
    vec      centre, axis;             /* of a disk: its middle, and its normal */
    double   rim;
    vec      normal;                  /* of the plane of a polygon or disk */
    side     sides[FACE_CORNERS_MAX]; /* from each point to the next; of a segment one, else none */
    uint32_t n_sides;
} support;

/* The flats, cap or side that a support set may be, and how much of the patch goes by each. */
enum { CHOICES_MAX = 8, CAP = 0, SIDE = 1 };

typedef struct choice {
    uint32_t flat; /* of a round core CAP or SIDE; NO_INDEX: none */
    double   weight;
} choice;

enum { RAYS_MAX = 64 };

typedef struct choices {
    uint32_t line;  /* the edge that leaves the support plane least; NO_INDEX: none */
    double   alone; /* 1 where that lies in the support plane, 0 where another is as near */
    bool     near;  /* a set may be level */
    choice   of[CHOICES_MAX];
    uint32_t count;
    double   level; /* 1 where they lie square to the normal, 0 where they are tilted by TILT or more */
    /* Of the rays of a corner: the square of how steeply each leaves the support plane, and the least two. */
    double   steep[RAYS_MAX];
    uint32_t n_rays, least, next;
} choices;

/* The part of a core near its support plane along n, in its own axes: its line, and whether a set may be level. `at` is
 * its farthest corner. */
void support_look(const pcm_geometry *g, uint32_t at, vec n, choices *c);

/* The sets themselves, and how level they are. */
void support_choose(const pcm_geometry *g, uint32_t at, vec n, choices *c);

/* How level something is that is tilted by an angle of this sine. */
double support_level(double sine);

/* One of the sets, even where it is tilted: the depth of each of its points is measured against the other body. */
void support_take(const pcm_geometry *g, uint32_t at, const choice *of, vec n, support *s);

/* The line that leaves the support plane least; false: there is none. */
bool support_line(const pcm_geometry *g, const choices *c, vec n, support *s);

/* Turns a set of b into a's axes. */
void support_place(const placing *at, support *s);

/* The set that is square to n: an edge, a side or a point. */
void support_square(const pcm_geometry *g, uint32_t at, vec n, support *s);

/* The point of the support set's plane that lies over q along the normal n. */
vec support_over(const support *s, vec q, vec n);

/* A patch, or a part of it, while its points are collected, from two sets in a's axes. */
typedef struct patch_builder {
    const support *a, *b;
    vec            normal;
    double         tolerance, reach;
    witness       *patch;
    uint32_t       count;
    double         area;
} patch_builder;

/* Adds a point. Of points in one place the deeper one counts; of equal ones the first. */
void patch_take(patch_builder *p, uint64_t feature, vec on_a, vec on_b, double share);

/* Adds a point of one set, with the other set's point over it. */
void patch_take_over(patch_builder *p, bool is_a, uint32_t name, vec on_it, vec there, double share);

/* Whether q, seen along n, lies within the support set, and the set's own point there. */
bool patch_covers(const support *s, vec q, vec n, double tolerance, vec *there);

/* Adds the points of the rims of sets that are disks. */
void patch_rims(patch_builder *p);

/* The pair's reach, limited so that the presence of points keeps its digits. */
double patch_reach(double reach, double size, double sep);

/* Adds a point to a patch seen along n. A point of two parts becomes the mean of both, by their weights. */
void patch_merge(witness *patch, uint32_t *count, vec n, double tolerance, const witness *w);

/* The patch of a segment and a box where a face of the box is level; points out of reach may be left out. The deepest
 * comes first. 0: there is more to it, or rounding decides. */
uint32_t patch_of_segment(const convex_pair *pair, const convex_result *result, witness *patch);

/* The points that two polygons share, seen along n, with their shares; returns how many, and in *area of what. */
uint32_t clip_polygons(const support *a, const support *b, vec n, double tolerance, witness *patch, double *area);

/* For sets that are not both polygons: turns the points' weights into shares of the patch, which sum to 1; returns its
 * area. */
double weigh_patch(const support *a, const support *b, vec n, witness *patch, uint32_t count);

#endif
