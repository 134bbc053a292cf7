/* SPDX-License-Identifier: MIT */
/* stacked.h - what lies on what, and how far it falls, where a scene begins. */
#ifndef PCM_TOOLS_STACKED_H
#define PCM_TOOLS_STACKED_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

/* Bodies that joints hold together. */
typedef struct stacked_tree {
    bool   moves;           /* and touches: what follows is of such trees alone */
    double load;            /* kg: its own mass, and that of all that is above it */
    double fall;            /* m: until it lies on the ground, or on what is beneath it and has fallen, too */
    double low[3], high[3]; /* m: its bounds along three axes, of which the last is up */
} stacked_tree;

typedef struct stacked {
    const mjModel *model;
    const mjData  *data;
    double         axes[9], ground; /* up is the last row; m: the lowest top of what is fixed; infinite: nothing is */
    stacked_tree  *trees;           /* by root body */
} stacked;

/* data: after mj_forward. False without memory; free it in either case. */
bool stacked_start(stacked *s, const mjModel *model, const mjData *data);
void stacked_free(stacked *s);

/* A geom that touches others. */
void stacked_geom(stacked *s, int geom, bool fixed);

/* Once all geoms are told. */
void stacked_find(stacked *s);

#endif
