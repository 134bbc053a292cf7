/* SPDX-License-Identifier: MIT */
/* Contacts by other libraries of the pairs that bench-geometry compares, through their own C++ interfaces. */
#ifndef PCM_BENCH_OTHERS_H
#define PCM_BENCH_OTHERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum other_kind { OTHER_PLANE, OTHER_SPHERE, OTHER_CAPSULE, OTHER_CYLINDER, OTHER_BOX, OTHER_HULL } other_kind;

/* A round shape has a radius and an axis length, a box its sides; the corners of a hull lie on a sphere. */
typedef struct other_shape {
    other_kind    kind;
    double        radius, length, sides[3];
    const double *corners; /* rows of x, y, z */
    size_t        n_corners;
} other_shape;

/* The pose of a shape: its origin, and the unit quaternion w, x, y, z that rotates its axes. */
typedef struct other_place {
    double position[3], turn[4];
} other_place;

/* One kind of pair at many poses, each at several moments. */
typedef struct other_pairs other_pairs;

typedef struct other_library {
    const char *name;
    other_pairs *(*make)(const other_shape *a, const other_shape *b, size_t places, size_t moments);
    void (*put)(other_pairs *pairs, size_t place, size_t moment, const other_place *a, const other_place *b);
    /* The contacts of all pairs at the first moment, without cached data; returns their number. */
    size_t (*find)(other_pairs *pairs);
    /* The same at some moment, with the library's cache of the pair from the previous call. */
    size_t (*follow)(other_pairs *pairs, size_t moment);
    void (*free)(other_pairs *pairs);
} other_library;

extern const other_library other_fcl, other_bullet;

#ifdef __cplusplus
}
#endif
#endif
