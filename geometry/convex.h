/* SPDX-License-Identifier: MIT */
/* convex.h - the separation of two convex bodies, each a core grown by a radius, in the axes of the first.
 *
 * Everything rests on one function: along a unit vector n, sep(n) = the lowest of b minus the highest of a. Its maximum
 * over all n is the distance where the bodies are apart and, negative, the depth where they overlap. */
#ifndef PCM_GEOMETRY_CONVEX_H
#define PCM_GEOMETRY_CONVEX_H

#include "shape.h"

typedef struct convex_pair {
    const pcm_geometry *a, *b;
    placing             b_in_a;
    double              size;       /* of the larger body: what is small is small against this */
    uint32_t            at_a, at_b; /* the corners of the last support, from which the next walk starts */
} convex_pair;

/* Of the cores; radii come on top. */
typedef struct convex_result {
    double sep;
    vec    normal; /* unit, from a towards b */
    vec    on_a, on_b;
    bool   witnessed; /* on_a and on_b are known; else only that some points of the support sets face each other */
} convex_result;

convex_pair convex_pair_of(const pcm_geometry *a, const pcm_geometry *b, const placing *b_in_a);

/* The point of the core that is farthest along d, in its own axes; *at is the corner to start from and the one found.
 */
vec core_support(const pcm_geometry *g, vec d, uint32_t *at);

vec    support_a(convex_pair *pair, vec d);
vec    support_b(convex_pair *pair, vec d);
double sep_along(convex_pair *pair, vec n);

/* Whether the pair's cores have a closed form, and if so its answer. */
bool convex_closed_form(const convex_pair *pair, convex_result *result);

/* The distance of the cores by the algorithm of Gilbert, Johnson and Keerthi. Returns false, with a seed for the
 * search of the depth in result->normal, when they overlap or are too near each other for a direction. */
bool convex_distance(convex_pair *pair, convex_result *result);

/* The largest sep(n) of cores that overlap or nearly touch; *result holds a first candidate. */
void convex_overlap(convex_pair *pair, convex_result *result);

/* Betters the direction of cores that are apart: curved ones bring GJK near their distance and no further. */
void convex_refine(convex_pair *pair, convex_result *result);

/* The separation of the cores by whichever of the above fits. */
convex_result convex_separate(convex_pair *pair);

/* One place where the bodies face each other, on their surfaces. */
typedef struct facing {
    uint64_t feature;
    vec      on_a, on_b;
    double   gap;
} facing;

/* No patch has more: two faces of FACE_CORNERS_MAX corners, and as many crossings of their sides. */
#define PATCH_MAX (4 * FACE_CORNERS_MAX)

/* The places where the support sets of the two bodies face each other along result->normal, the first always there. A
 * result that is not witnessed gets on_a and on_b. Returns how many there are, at most PATCH_MAX. */
uint32_t convex_patch(convex_pair *pair, convex_result *result, facing patch[PATCH_MAX]);

/* Whether some points of the two support sets face each other along result->normal at result->sep. */
bool convex_facing(convex_pair *pair, const convex_result *result);

#endif
