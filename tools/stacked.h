/* SPDX-License-Identifier: MIT */
/* stacked.h - which bodies rest on which at the start of a scene, and how far they fall. */
#ifndef PCM_TOOLS_STACKED_H
#define PCM_TOOLS_STACKED_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

/* Bodies connected by joints. */
typedef struct stacked_tree {
    bool   moves;           /* it moves and can touch; only such trees have the fields below */
    double load;            /* kg: its own mass, and that of everything above it */
    double fall;            /* m: the distance to the ground, or to the trees below, which fall too */
    double low[3], high[3]; /* m: its extent along three axes, of which the last is up */
} stacked_tree;

typedef struct stacked {
    const mjModel *model;
    const mjData  *data;
    double         axes[9], ground; /* the last row is up; m: the lowest top of fixed geoms; infinite: there are none */
    stacked_tree  *trees;           /* by root body */
} stacked;

/* Call it after mj_forward. False: no memory; free it in either case. */
bool stacked_start(stacked *s, const mjModel *model, const mjData *data);
void stacked_free(stacked *s);

/* Adds a geom that touches others. */
void stacked_geom(stacked *s, int geom, bool fixed);

/* Call it after all geoms have been added. */
void stacked_find(stacked *s);

#endif
