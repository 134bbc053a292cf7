/* SPDX-License-Identifier: MIT */
/* gap.h - the shape of the gap around a contact: a point, a line or a flat, and how curved it is. */
#ifndef PCM_GEOMETRY_GAP_H
#define PCM_GEOMETRY_GAP_H

#include "pair.h"
#include <pcm/contact_shape.h>

/* How a body's surface looks where another body touches it, in the world's axes.
 *
 * A place is round, or not: then it is flat, an edge or a corner. Besides there are the parts of the surface that the
 * other body may come to lie on: a straight side and a flat. */

typedef struct look {
    bool     is_round;
    double   curvature; /* 1/m, the larger one of a round place; else 0 */
    double   less;      /* 1/m, by how much the other one is less */
    vec      flattest;  /* unit, the other one's direction, if it is less */
    vec      axis;      /* unit, of the side */
    double   length;    /* m, of the side; 0: the body has none */
    double   leans;     /* sine of the axis' angle to the tangent plane */
    double   round;     /* 1/m, curvature of the side */
    vec      normal;    /* of the flat that faces the other body best, out of the body */
    double   area;      /* of that flat; 0: the body has none, INFINITY: it has no bounds */
    double   wide;      /* m, extent of the flat in the direction of its tilt */
    double   tilt;      /* sine of the angle between its normal and that of the contact */
    double   aspect;    /* as in pcm_contact_shape */
    uint32_t corners;   /* the number of points at which the flat touches another */
} look;

/* How the body looks at a point, where n is the contact's normal out of the body. */
void gap_look(const body *b, vec point, vec n, look *out);

/* The ratio of the radii of gyration of points with weights, seen along n. */
double gap_aspect(const vec *points, const double *weights, uint32_t count, vec n);

/* The shapes of contacts of one pair; as many as there are contacts. */
void gap_shapes(const body *a, const body *b, const pcm_touch *const *touches, size_t count,
                pcm_contact_shape *const *shapes);

/* The same for any pair, compounds too. touch_size: bytes from one touch to the next. */
void gap_shape_pair(const body *a, const body *b, const void *touches, size_t touch_size, size_t count,
                    pcm_contact_shape *shapes);

#endif
