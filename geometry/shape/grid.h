/* SPDX-License-Identifier: MIT */
/* grid.h - the functions of a grid of heights that the narrow phase uses. Everything is in the grid's axes. */
#ifndef PCM_GEOMETRY_GRID_H
#define PCM_GEOMETRY_GRID_H

#include "shape.h"

/* Builds the bounds that grid_closest searches. */
bool grid_finish(pcm_context *context, grid *g);
void grid_free(pcm_context *context, grid *g);

/* The separation of a point from the grid, < 0 below the surface, its closest point and the unit normal out of the
 * grid, all in the grid's axes. A separation beyond reach may be overestimated. For a smooth surface: from the closest
 * point of the triangles on. */
double grid_closest(const grid *g, vec p, double reach, vec *closest, vec *normal);

/* The index of the cell that contains v, between ascending grid lines; the first or last cell for a v outside. */
uint32_t grid_cell(const double *lines, uint32_t n, double v);

/* ---- Smooth surfaces (smooth.c) ---------------------------------------------------------------------------------- */

/* Makes the surface smooth; false: out of memory. The heights' triangles then only serve to find places on it. */
bool grid_smooth(pcm_context *context, grid *g);

void grid_roughen(pcm_context *context, grid *g); /* frees what grid_smooth has made */

static inline bool grid_is_smooth(const grid *g) { return g->slope_x != NULL; }

/* A point of the smooth surface: its height, with first and second derivatives. */
typedef struct grid_point {
    double z, x, y, xx, xy, yy;
} grid_point;
grid_point grid_surface(const grid *g, double x, double y);

/* As grid_closest, for the smooth surface; *closest is the point where the search starts. */
double grid_near_surface(const grid *g, vec p, vec *closest, vec *normal);

/* The curvatures of the smooth surface, above 0 on a hill: the larger one, by how much the other one is less, and the
 * other one's direction. */
void grid_curvatures(const grid *g, double x, double y, double *most, double *less, vec *flattest);

/* ---- Triangles and ridges ---------------------------------------------------------------------------------------- */

/* One of the two triangles of cell (i, j), counter-clockwise from above, and the nearest points of a triangle and a
 * segment. */
void grid_triangle(const grid *g, uint32_t i, uint32_t j, int which, vec t[3], vec *normal);
vec  grid_on_triangle(vec p, const vec t[3], vec normal, bool *inside);
vec  grid_on_segment(vec p, vec a, vec b);

/* A corner (di and dj are 0) or an edge of the surface, from (i, j) to (i + di, j + dj). */
typedef struct grid_ridge {
    uint32_t i, j, di, dj;
    vec      from, to;
} grid_ridge;

/* Each corner and edge belongs to one cell, and a cell has at most this many. Bit k of a cell's marks is set if its
 * corner or edge k stands out: some plane touches the surface there from above and touches it nowhere around. */
#define GRID_RIDGES 9u
grid_ridge grid_ridge_of(const grid *g, uint32_t i, uint32_t j, unsigned which);

/* Whether a plane perpendicular to the unit vector n, which points out of the grid, touches the surface there with
 * nothing around that is higher. A corner has to be an end of the part in the plane, an edge a side of it. */
bool grid_holds(const grid *g, const grid_ridge *r, vec n);

/* The normals of the triangles on both sides of an edge; false: it has only one triangle, since it is on the rim. */
bool grid_cone(const grid *g, const grid_ridge *r, vec n[2]);

/* Whether the corner or edge is on the rim of the rectangle. */
bool grid_is_rim(const grid *g, const grid_ridge *r);

/* Calls take for each cell whose bounds meet the box and the ball; with `marked`, only for cells with marks. take may
 * make the region smaller. */
typedef struct grid_region {
    vec    low, high, centre;
    double radius;
    bool   marked;
} grid_region;

typedef void grid_take(void *user, uint32_t i, uint32_t j, unsigned marks);
void         grid_walk(const grid *g, const grid_region *region, grid_take *take, void *user);

#endif
