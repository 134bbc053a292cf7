/* SPDX-License-Identifier: MIT */
/* box_faces.h - what the faces of two boxes share where one of them is level: a rectangle and a parallelogram, which
 * share at most eight points. */
#ifndef PCM_GEOMETRY_BOX_FACES_H
#define PCM_GEOMETRY_BOX_FACES_H

#include "patch.h"

enum { FACES_POINTS = 16, NO_SIDE = -1 }; /* twice as many as there are, as room for rounding */

/* Axes that come after and before each in their order, and the next corner of a rectangle. */
static const int after[3] = {1, 2, 0}, before[3] = {2, 0, 1}, quarter[5] = {0, 1, 2, 3, 0};

/* A point of the patch, over the level face: made by a corner or side of that, and by one of the other. */
typedef struct face_point {
    double  x, y, z;
    uint8_t kind; /* OF_A: the level face's corner, OF_B: the other's, OF_BOTH: their sides */
    uint8_t of_level, of_other;
} face_point;

/* The faces in the axes of the level one: x and y along its sides, z out of its box, origin in its middle. Corners run
 * counter-clockwise seen from outside of it, and a side has the number of the corner where it starts. */
typedef struct faces {
    const pcm_geometry *level, *other;
    int                 of_level, of_other; /* the axes across them */
    bool                positive;           /* the level face is on the positive side of its box */
    double              tolerance;
    vec                 axes[3], middle;              /* of the level face, where the boxes are */
    double              half[3], wide[3];             /* half sides: of the level box along these axes, of the other */
    double              turn[3][3], at[3];            /* of the other box along these axes: its axes, and its middle */
    double              x[4], y[4], z[4];             /* the other face's corners */
    double              run_x[2], run_y[2], run_z[2]; /* its sides 0 and 1: 2 and 3 go back along them */
    double              per_x[2], per_y[2];           /* the inverses of how long these are */
    int                 count;
    double              centre_x, centre_y; /* of what they share */
    face_point          points[FACES_POINTS];
} faces;

/* Where a line enters and leaves the level face, as shares of its length. */
typedef struct span {
    double from, to;
    int    in, out; /* over which sides of the level face */
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

/* Sets up the face of `level` across an axis, on one side, and the other box. */
void faces_place(faces *f, const pcm_geometry *level, const placing *at_level, int axis, bool positive,
                 const pcm_geometry *other, const placing *at_other);

/* A place over the level face. */
static inline vec faces_at(const faces *f, double x, double y, double z)
{
    return along(along(along(f->middle, f->axes[0], x), f->axes[1], y), f->axes[2], z);
}

/* How far the other box is above the face, and where its lowest corner is. */
double faces_lowest(const faces *f, double *x, double *y);

/* The weight of each face of the other box in the patch (support_set.c); one has all where no other is nearly as heavy.
 * Returns the heaviest. */
int faces_weigh(const faces *f, double weights[3]);

/* The corners of what the level face shares with this one of the other box, in their order; returns the area, 0:
 * rounding decides which corners there are. */
double faces_share(faces *f, int of_other);

/* The part of the area that a corner stands for, as in clip.c. */
double faces_area_of(const faces *f, int k);

/* How far a point is beyond the sides of the level face across x and across y, and which. */
enum { WEST = 1, EAST = 2, SOUTH = 4, NORTH = 8 };

typedef struct outlying {
    double   x, y;
    unsigned sides;
} outlying;

/* *least: lowered to its distance from the nearest side. */
static inline outlying faces_over(const faces *f, double x, double y, double *least)
{
    const double   over_x = fabs(x) - f->half[0], over_y = fabs(y) - f->half[1];
    const unsigned beside = x > 0 ? EAST : WEST, behind = y > 0 ? NORTH : SOUTH;
    *least = smaller(*least, smaller(fabs(over_x), fabs(over_y)));
    return (outlying){over_x, over_y, (over_x > 0 ? beside : 0) | (over_y > 0 ? behind : 0)};
}

/* The stretch of a line over the level face; the line's ends are not both beyond one side, its run and the inverse of
 * that are given. False: it passes a corner or runs along a side so closely that rounding decides. */
bool faces_span(const faces *f, const outlying *here, const outlying *there, double run_x, double run_y, double per_x,
                double per_y, span *s);

/* The names of the edge of a box's corner along an axis, and of a side of the level face. */
uint32_t box_edge(const pcm_geometry *box, uint32_t corner, int axis);
uint32_t faces_level_side(const faces *f, int of_level);
uint64_t faces_name(const faces *f, const face_point *p, bool level_is_a);

#endif
