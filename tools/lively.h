/* SPDX-License-Identifier: MIT */
/* lively.h - how easily a scene's geoms are moved where they may touch something. */
#ifndef PCM_TOOLS_LIVELY_H
#define PCM_TOOLS_LIVELY_H

#include <mujoco/mujoco.h>
#include <stdbool.h>

typedef struct lively {
    const mjModel *model;
    mjData        *data;
    double        *jacobian, *image; /* 3 by nv each */
} lively;

/* The scene as it begins. False without memory; stop it in either case. */
bool lively_start(lively *l, const mjModel *model);
void lively_stop(lively *l);

/* 1/kg: the speed that an impulse of 1 N s gives what it acts on, in the direction and at the point of the geom that
 * move most: 1/m of a free ball, 4/m of a rod, at its end. 0: nothing but its user moves it. */
double lively_geom(const lively *l, int geom);

/* m: how far the geom reaches from its middle along an axis of the world. */
double lively_reach(const mjModel *model, const mjData *data, int geom, const double axis[3]);

/* Whether it meets most others at a point. */
bool lively_is_rounded(const mjModel *model, int geom);

/* 1/kg: the same on the mean of directions, of contacts all about the geom whose other sides move against it: twice
 * what moves it as a whole, or what turns it, which do not add up. 3.3/m of a free ball. */
double lively_amid(const lively *l, int geom);

#endif
