/* SPDX-License-Identifier: MIT */
/* patch.h - the parts of two bodies that face each other, and each point's share of the patch's area. */
#ifndef PCM_GEOMETRY_PATCH_H
#define PCM_GEOMETRY_PATCH_H

#include "convex.h"

/* A point of a patch: a pair of points that face each other, on the surfaces of both bodies. */
typedef struct witness {
    uint64_t feature;
    vec      on_a, on_b;
    double   gap;
    double   share, area; /* of the patch */
} witness;

/* As a share of the size: a longer reach is treated as this. */
#define ENDLESS 1e9

/* The weight of a point. It is 0 at the reach, so that the others do not jump when the point comes and goes. */
static inline double presence(double share, double gap, double reach, double size)
{
    return gap <= reach ? (share + 1e-12) * (smaller(reach - gap, ENDLESS * size) + 1e-12 * size) : 0;
}

/* The most points of a patch: two faces of FACE_CORNERS_MAX corners, and as many crossings of their sides. */
#define PATCH_MAX (4 * FACE_CORNERS_MAX)

/* The points where the two bodies face each other along result->normal, the deepest first, each with its share of the
 * patch. The force and moment that a law gives with these shares change continuously with the motion and the normal.
 * Returns their number, 1 to PATCH_MAX. If the result has no points, fills them in. */
uint32_t convex_patch(convex_pair *pair, convex_result *result, witness patch[PATCH_MAX]);

/* As a share of a disk's radius: points closer to a side than this fade out. As a share of a line's length: closer to
 * the edge of a face than this, the line begins to count as lying along it. */
#define EDGE 1e-3

/* Names of rim points and of crossings with a rim: above the numbers of all corners and edges. */
#define RIM_NAME 0x7FFFFF00u

/* A side of a segment or polygon, seen along the normal of the patch. */
typedef struct side {
    vec    run, left; /* the vector from its start to its end; one of the same length, to the left of it */
    double length;
} side;

/* The part of a core's surface that faces along a normal: a corner, a segment, a polygon, or a disk. */
typedef struct support {
    vec      points[FACE_CORNERS_MAX]; /* counter-clockwise from outside */
    uint32_t corner[FACE_CORNERS_MAX]; /* their names */
    uint32_t edge[FACE_CORNERS_MAX];   /* the name of the edge from each point to the next */
    uint32_t count;                    /* 0: a disk */
    vec      centre, axis;             /* for a disk: its middle and its normal */
    double   rim;
    vec      normal;                  /* normal of the plane of a polygon or disk */
    side     sides[FACE_CORNERS_MAX]; /* from each point to the next; a segment has one, a point or disk none */
    uint32_t n_sides;
} support;

/* The flats, cap or side that may be a support set, and the weight of each in the patch. */
enum { CHOICES_MAX = 8, CAP = 0, SIDE = 1 };

typedef struct choice {
    uint32_t flat; /* CAP or SIDE for a round core; NO_INDEX: none */
    double   weight;
} choice;

enum { RAYS_MAX = 64 };

typedef struct choices {
    uint32_t line;  /* the edge that leaves the support plane at the smallest angle; NO_INDEX: none */
    double   alone; /* 1 where that edge lies in the support plane, 0 where another edge is as close to it */
    bool     near;  /* some set may be level */
    choice   of[CHOICES_MAX];
    uint32_t count;
    double   level; /* 1 where the sets are perpendicular to the normal, 0 where they are tilted by TILT or more */
    /* For the rays of a corner: the squared sine of the angle at which each leaves the support plane, and the two
     * least of these, by index. */
    double   steep[RAYS_MAX];
    uint32_t n_rays, least, next;
} choices;

/* Examines a core near its support plane along n, in its own axes: finds its line, and whether a set may be level. `at`
 * is its farthest corner. */
void support_look(const pcm_geometry *g, uint32_t at, vec n, choices *c);

/* Chooses the sets, with their weights and how level they are. */
void support_choose(const pcm_geometry *g, uint32_t at, vec n, choices *c);

/* How level something is: 1 for a tilt of 0, 0 for a tilt whose sine is TILT or more. */
double support_level(double sine);

/* Takes one of the sets, even if it is tilted: the depth of each of its points is measured against the other body. */
void support_take(const pcm_geometry *g, uint32_t at, const choice *of, vec n, support *s);

/* The line that leaves the support plane at the smallest angle; false: there is none. */
bool support_line(const pcm_geometry *g, const choices *c, vec n, support *s);

/* Transforms a set from b's axes to a's. */
void support_place(const placing *at, support *s);

/* The set that is perpendicular to n: an edge, a side or a point. */
void support_square(const pcm_geometry *g, uint32_t at, vec n, support *s);

/* The point of the support set's plane that lies over q along the normal n. */
vec support_over(const support *s, vec q, vec n);

/* A patch, or a part of it, that is being collected from two sets in a's axes. */
typedef struct patch_builder {
    const support *a, *b;
    vec            normal;
    double         tolerance, reach;
    witness       *patch;
    uint32_t       count;
    double         area;
} patch_builder;

/* Adds a point. Of points at the same place the deeper one counts; of equally deep ones the first. */
void patch_take(patch_builder *p, uint64_t feature, vec on_a, vec on_b, double share);

/* Adds a point of one set, with the other set's point over it. */
void patch_take_over(patch_builder *p, bool is_a, uint32_t name, vec on_it, vec there, double share);

/* Whether q, seen along n, lies within the support set; also returns the set's point there. */
bool patch_covers(const support *s, vec q, vec n, double tolerance, vec *there);

/* Adds the points of the rims of sets that are disks. */
void patch_rims(patch_builder *p);

/* The pair's reach, limited so that the presence of points keeps its digits. */
double patch_reach(double reach, double size, double sep);

/* Adds a point to a patch seen along n. A point that two parts have in common becomes the weighted mean of both. */
void patch_merge(witness *patch, uint32_t *count, vec n, double tolerance, const witness *w);

/* The patch of a segment and a box where a face of the box is level; points out of reach may be left out. The deepest
 * point comes first. 0: the case is more complex, or rounding decides it. */
uint32_t patch_of_segment(const convex_pair *pair, const convex_result *result, witness *patch);

/* The points of the common region of two polygons, seen along n, with their shares; returns their number, and in *area
 * the region's area. */
uint32_t clip_polygons(const support *a, const support *b, vec n, double tolerance, witness *patch, double *area);

/* For sets of which at least one is not a polygon: turns the points' weights into shares of the patch, which sum to 1;
 * returns its area. */
double weigh_patch(const support *a, const support *b, vec n, witness *patch, uint32_t count);

#endif
