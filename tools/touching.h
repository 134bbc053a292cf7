/* SPDX-License-Identifier: MIT */
/* touching.h - how an object of a scene can touch others, from its type: in points, along a side, on flats. */
#ifndef PCM_TOOLS_TOUCHING_H
#define PCM_TOOLS_TOUCHING_H

#include <stdbool.h>
#include <stddef.h>

/* An object by its form. Numbers are 0 where it has no such part. */
typedef struct touching {
    bool   known;
    double radius;   /* m, of what is round; from the scene if it gives one */
    bool   given;    /* the scene gives the radius: laws then read no more than that */
    bool   ends;     /* it is round in all directions somewhere */
    double side;     /* m, length of a side that is round across */
    double flats[3]; /* m^2; INFINITY: it has no bounds */
} touching;

/* type and size as in MJCF; radius: that of the object's definition, 0 for flat. */
touching touching_of(const char *type, const double size[3], double radius);

/* Such as "ends of 50 1/m, a side of 0.3 m"; "" if not known. */
void touching_write(const touching *t, char *text, size_t size);

/* The kinds of contacts of two objects, with their relative curvatures; empty if one is not known. */
void touching_write_pair(const touching *a, const touching *b, char *text, size_t size);

#endif
