/* SPDX-License-Identifier: MIT */
/* parts.h - parts of cores (corners, lines, faces, rims, caps) that face each other, how a direction turns for them,
 * and the cone in which that direction is the best. */
#ifndef PCM_GEOMETRY_PARTS_H
#define PCM_GEOMETRY_PARTS_H

#include "convex.h"

/* Along directions nearer to its axis than this, a rim's point goes round too fast for Newton's method. */
#define AXIAL 1e-9

/* Of the size: cores that are nearer than this may overlap but for rounding. */
#define NEAR 1e-6

/* What a core faces the other one with. */
typedef enum stand { CORNER, EDGE, FACE, RIM, SIDE, CAP } stand;

/* A place on the way of a direction, as a share of that, from which a core stands on more. */
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

/* Where a direction n that turns by t leaves a corner for an edge, or an edge for a face, if before *first. */
void part_leave_corner(const polytope *p, uint32_t corner, vec n, vec t, kink *first);
void part_leave_edge(const polytope *p, const edge *e, vec n, vec t, kink *first);

/* How the separation along n falls off as n turns along p and q, half of it per square. */
typedef struct curvature {
    vec    p, q; /* with one line, q goes along it */
    double pp, pq, qq;
} curvature;

/* A part given in the axes that `at` places. */
core_part part_placed(const core_part *f, const placing *at);

/* Moves the point of a rim to where it faces along d; false: d is within so much of the axis. Where d is the axis but
 * for rounding, which has no say in where the point goes, it stays on its side. */
bool part_face_along(core_part *f, vec d, double axial);

/* Whether a point of a face has this much of it to all sides; least: how much it has, or NULL. */
bool part_spreads(const polytope *p, const face *f, vec at, double wanted, double *least);

/* The lines that keep the direction perpendicular to them; 2 fix it. */
int part_constraints(const core_part *a, const core_part *b, vec lines[2]);

curvature part_curvature(const core_part *a, const core_part *b, vec n, const vec *line);

/* An edge and a face as parts, in the axes of their polytope. */
core_part part_of_edge(const polytope *p, const edge *e);
core_part part_of_face(const polytope *p, const face *f);

/* Turns n until the points face each other; false: the features do not fit. */
bool part_turn(core_part *a, core_part *b, vec *n);

/* Slides the points along their lines and faces until they face each other. */
bool part_slide(core_part *a, core_part *b, vec n, double tolerance);

/* How deep bodies stay by what they reach at any angle. */
double cone_least_depth(const core_part *a, const core_part *b, vec n);
double cone_nearby(const core_part *a, const core_part *b, vec n, double depth);
bool   cone_is_flat(const core_part *a, const core_part *b, double *reach);
void   cone_find(const core_part *a, const core_part *b, convex_result *result);

/* As convex_polish, of parts in a's axes; those that are flat know what is around their points. */
bool convex_polish_parts(convex_pair *pair, core_part a, core_part b, convex_result *result);

#endif
