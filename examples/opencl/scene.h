/* SPDX-License-Identifier: MIT */
/* scene.h - the grains, and which of them are near each other. */
#ifndef SCENE_H
#define SCENE_H

#include "grains.h"

#include <stddef.h>

enum { WALLS = 5 };

typedef struct scene {
    size_t     count; /* grains: the walls first */
    grain     *grains;
    size_t     n_rows;
    row       *rows;  /* in order of base, then follower */
    grain_int *first; /* for each grain, where its sides begin, and the end of the last */
    grain_int *sides; /* 2 * row + 1 where the grain is the follower, in the order of rows */
} scene;

/* Spheres of one radius above the floor of a box, each a little off its place. False: no memory. */
int scene_open(scene *s, size_t spheres);

/* Finds the rows anew: grains that are nearer than two millimetres. Contacts keep what they remember. */
int scene_find_rows(scene *s);

void scene_close(scene *s);

#endif
