/* SPDX-License-Identifier: MIT */
/* box_faces.h - the common area of two boxes' faces, in the axes of the level one: a rectangle and a parallelogram,
 * which share at most eight corners. */
#ifndef PCM_GEOMETRY_BOX_FACES_H
#define PCM_GEOMETRY_BOX_FACES_H

#include "patch.h"

enum { FACES_POINTS = 16, NO_SIDE = -1 }; /* twice the possible number, as room for rounding */

/* The axes after and before each in cyclic order, and the next corner of a rectangle. */
static const int after[3] = {1, 2, 0}, before[3] = {2, 0, 1}, quarter[5] = {0, 1, 2, 3, 0};

/* A point of the patch, over the level face: made by a corner or side of the level face, a corner or side of the other,
 * or both. */
typedef struct face_point {
    double  x, y, z;
    uint8_t kind; /* OF_A: the level face's corner, OF_B: the other's, OF_BOTH: a crossing */
    uint8_t of_level, of_other;
} face_point;

/* The faces in the axes of the level one: x and y along its sides, z out of its box, the origin in its middle. Corners
 * run counter-clockwise seen from outside the box, and a side has the number of the corner where it starts. */
typedef struct faces {
    const pcm_geometry *level, *other;
    int                 of_level, of_other; /* the axes perpendicular to the faces */
    bool                positive;           /* the level face is on the positive side of its box */
    double              tolerance;
    vec                 axes[3], middle; /* of the level face, in the axes in which the boxes are placed */
    double     half[3], wide[3]; /* half sides: of the level box along these axes, and of the other box along its own */
    double     turn[3][3], at[3];            /* in these axes: the other box's axes, and its middle */
    double     x[4], y[4], z[4];             /* the other face's corners */
    double     run_x[2], run_y[2], run_z[2]; /* the vectors of its sides 0 and 1; sides 2 and 3 are their opposites */
    double     per_x[2], per_y[2];           /* the inverses of these */
    int        count;
    double     centre_x, centre_y; /* the centroid of the common area */
    face_point points[FACES_POINTS];
} faces;

/* The parameters at which a line enters and leaves the level face, as shares of its length. */
typedef struct span {
    double from, to;
    int    in, out; /* the sides of the level face that it crosses there */
} span;

/* Axes are looked up by number: a branch would be mispredicted. */
static inline double entry(const vec *v, int k)
{
    return *(const double *)(const void *)((const char *)v + (size_t)k * sizeof(double));
}

static inline vec column(const mat *m, int k)
{
    return (vec){entry(&m->row[0], k), entry(&m->row[1], k), entry(&m->row[2], k)};
}

/* Sets up the face of `level` that is perpendicular to an axis, on one side, and the other box. */
void faces_place(faces *f, const pcm_geometry *level, const placing *at_level, int axis, bool positive,
                 const pcm_geometry *other, const placing *at_other);

/* A point given in the level face's axes. */
static inline vec faces_at(const faces *f, double x, double y, double z)
{
    return along(along(along(f->middle, f->axes[0], x), f->axes[1], y), f->axes[2], z);
}

/* The height of the other box's lowest corner above the face, and the corner's x and y. */
double faces_lowest(const faces *f, double *x, double *y);

/* The weight of each face of the other box in the patch (support_set.c); one face has all of it where no other is
 * nearly as heavy. Returns the heaviest. */
int faces_weigh(const faces *f, double weights[3]);

/* Finds the corners of the area that the level face shares with this face of the other box, in their order; returns the
 * area. 0: rounding decides which corners there are. */
double faces_share(faces *f, int of_other);

/* The part of the area that belongs to corner k, as in clip.c. */
double faces_area_of(const faces *f, int k);

/* How far a point is beyond the sides of the level face along x and along y, and which sides these are. */
enum { WEST = 1, EAST = 2, SOUTH = 4, NORTH = 8 };

typedef struct outlying {
    double   x, y;
    unsigned sides;
} outlying;

/* *least is lowered to the point's distance from the nearest side. */
static inline outlying faces_over(const faces *f, double x, double y, double *least)
{
    const double   over_x = fabs(x) - f->half[0], over_y = fabs(y) - f->half[1];
    const unsigned beside = x > 0 ? EAST : WEST, behind = y > 0 ? NORTH : SOUTH;
    *least = smaller(*least, smaller(fabs(over_x), fabs(over_y)));
    return (outlying){over_x, over_y, (over_x > 0 ? beside : 0) | (over_y > 0 ? behind : 0)};
}

/* The stretch of a line over the level face. The line's ends must not both be beyond the same side; its vector and the
 * inverse of that are given. False: it passes so close to a corner, or along a side, that rounding decides. */
bool faces_span(const faces *f, const outlying *here, const outlying *there, double run_x, double run_y, double per_x,
                double per_y, span *s);

/* The names of a box's edge, which starts at a corner and runs along an axis, and of a side of the level face. */
uint32_t box_edge(const pcm_geometry *box, uint32_t corner, int axis);
uint32_t faces_level_side(const faces *f, int of_level);
uint64_t faces_name(const faces *f, const face_point *p, bool level_is_a);

#endif
