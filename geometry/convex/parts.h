/* SPDX-License-Identifier: MIT */
/* parts.h - parts of cores (corners, lines, faces, rims, caps) that face each other, how a direction turns to fit them,
 * and the cone in which that direction is the best. */
#ifndef PCM_GEOMETRY_PARTS_H
#define PCM_GEOMETRY_PARTS_H

#include "convex.h"

/* The sine of the angle to the axis below which a rim's point moves too fast for Newton's method. */
#define AXIAL 1e-9

/* As a share of the size: rounding decides whether cores closer than this overlap. */
#define NEAR 1e-6

/* The kind of part that a core stands on. */
typedef enum stand { CORNER, EDGE, FACE, RIM, SIDE, CAP } stand;

/* The share of a turn at which a core begins to stand on a larger part, and that part. */
typedef struct kink {
    double   when;
    stand    on;
    uint32_t index;
} kink;

static inline void kink_take(kink *first, double when, stand on, uint32_t index)
{
    if (when < first->when)
        *first = (kink){larger(when, 0), on, index};
}

/* Finds where a direction n that turns by t moves the support from a corner to an edge, or from an edge to a face, if
 * that happens before *first. */
void part_leave_corner(const polytope *p, uint32_t corner, vec n, vec t, kink *first);
void part_leave_edge(const polytope *p, const edge *e, vec n, vec t, kink *first);

/* The second derivatives of the separation, negated, as n turns along p and q. */
typedef struct curvature {
    vec    p, q; /* with one line, q is parallel to it */
    double pp, pq, qq;
} curvature;

/* A part placed by `at`: in the axes that `at` maps to. */
core_part part_placed(const core_part *f, const placing *at);

/* Moves the point of a rim to the farthest one along d; false: d is closer to the axis than `axial`. Where d equals the
 * axis within rounding, the point stays on its side. */
bool part_face_along(core_part *f, vec d, double axial);

/* Whether a point of a face is at least `wanted` from all its sides. least: NULL, or lowered to its least distance. */
bool part_spreads(const polytope *p, const face *f, vec at, double wanted, double *least);

/* The lines that the direction must be perpendicular to; two of them determine it. */
int part_constraints(const core_part *a, const core_part *b, vec lines[2]);

curvature part_curvature(const core_part *a, const core_part *b, vec n, const vec *line);

/* An edge and a face as parts, in the axes of their polytope. */
core_part part_of_edge(const polytope *p, const edge *e);
core_part part_of_face(const polytope *p, const face *f);

/* Turns n until the points face each other; false: the features do not fit. */
bool part_turn(core_part *a, core_part *b, vec *n);

/* Slides the points along their lines and faces until they face each other. */
bool part_slide(core_part *a, core_part *b, vec n, double tolerance);

/* Lower bounds around a local optimum (cone.c): the least `bent` of a result; the cone from third derivatives; whether
 * faces or two lines determine the direction, and how far these reach; and the cone, `bent` and `flat` of a result. */
double cone_least_depth(const core_part *a, const core_part *b, vec n);
double cone_nearby(const core_part *a, const core_part *b, vec n, double depth);
bool   cone_is_flat(const core_part *a, const core_part *b, double *reach);
void   cone_find(const core_part *a, const core_part *b, convex_result *result);

/* As convex_polish, from parts in a's axes. Flat parts must know how far they extend around their points. */
bool convex_polish_parts(convex_pair *pair, core_part a, core_part b, convex_result *result);

#endif
