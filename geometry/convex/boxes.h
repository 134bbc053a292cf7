/* SPDX-License-Identifier: MIT */
/* boxes.h - the fifteen directions of the separating axis theorem for two boxes, by their numbers. */
#ifndef PCM_GEOMETRY_BOXES_H
#define PCM_GEOMETRY_BOXES_H

#include "convex.h"

/* Directions by number; 0: none. First the normals of a's faces and of b's by axis, then the cross products of axis i
 * of a and axis j of b. */
enum { BOXES_FACES_OF_A = 1, BOXES_FACES_OF_B = 4, BOXES_EDGES = 7 };

static inline unsigned boxes_face(bool of_a, int axis)
{
    return (unsigned)(of_a ? BOXES_FACES_OF_A : BOXES_FACES_OF_B) + (unsigned)axis;
}

static inline unsigned boxes_edges(int i, int j) { return (unsigned)(BOXES_EDGES + 3 * i + j); }
static inline bool     boxes_are_faces(unsigned way) { return way < BOXES_EDGES; }
static inline bool     boxes_face_is_of_a(unsigned way) { return way < BOXES_FACES_OF_B; }
static inline int      boxes_axis(unsigned way) { return (int)(way - 1) % 3; }
static inline int      boxes_edge_of_a(unsigned way) { return (int)(way - BOXES_EDGES) / 3; }
static inline int      boxes_edge_of_b(unsigned way) { return (int)(way - BOXES_EDGES) % 3; }

/* As convex_boxes; also returns the number of the direction. */
bool boxes_separate(const convex_pair *pair, convex_result *result, unsigned *way);

/* Whether this direction, along which the boxes overlap by -sep, is better than all others by more than rounding. */
bool boxes_none_better(const body *a, const body *b, unsigned way, double sep);

#endif
