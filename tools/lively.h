/* SPDX-License-Identifier: MIT */
/* lively.h - the effective inverse masses of a scene's geoms at points where they may touch. */
#ifndef PCM_TOOLS_LIVELY_H
#define PCM_TOOLS_LIVELY_H

#include <mujoco/mujoco.h>
#include <stdbool.h>

typedef struct lively {
    const mjModel *model;
    mjData        *data;
    double        *jacobian, *image; /* 3 by nv each */
} lively;

/* Uses the scene in its initial pose. False: no memory; call lively_stop in either case. */
bool lively_start(lively *l, const mjModel *model);
void lively_stop(lively *l);

/* 1/kg: the largest speed that an impulse of 1 N s gives to its point of action, over all directions and points of the
 * geom: 1/m for a free ball, 4/m for a rod at its end. 0: only the user moves it. */
double lively_geom(const lively *l, int geom);

/* m: the geom's extent from its centre along a world axis. */
double lively_reach(const mjModel *model, const mjData *data, int geom, const double axis[3]);

/* Whether it touches most other geoms at one point. */
bool lively_is_rounded(const mjModel *model, int geom);

/* 1/kg: the average over directions, for contacts all around the geom whose other sides move towards it: the larger of
 * twice the value for translation and twice that for rotation, which do not add up. 3.3/m for a free ball. */
double lively_amid(const lively *l, int geom);

#endif
