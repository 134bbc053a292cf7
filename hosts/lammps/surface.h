/* SPDX-License-Identifier: MIT */
/* surface.h - a surface of triangles that spheres touch from both sides: for wall.c. */
#ifndef PCM_LAMMPS_SURFACE_H
#define PCM_LAMMPS_SURFACE_H

#include "host.h"

/* A point of the surface that is near a sphere's centre. */
typedef struct pcm_lammps_spot {
    int    face;              /* the triangle's number */
    double height, normal[3]; /* m, from the point to the centre; the unit vector in that direction */
} pcm_lammps_spot;

/* Makes a surface of `count` corners, three per triangle, times `scale`; triangles without an area are left out. NULL:
 * none is left, or no memory. */
pcm_lammps_surface *pcm_lammps_surface_new(size_t count, double (*corner)[3][3], double scale);

/* Reads an STL file. NULL on failure, with the reason in error. */
pcm_lammps_surface *pcm_lammps_surface_open(const char *path, double scale, char *error, size_t size);
void                pcm_lammps_surface_free(pcm_lammps_surface *surface);

/* The points at which a sphere about `centre` touches the surface within `reach`, the nearest first, `most` of them at
 * most. Returns their number. Faces that meet are touched once where the sphere lies on one of them, or touches their
 * edge from outside. */
int pcm_lammps_surface_near(pcm_lammps_surface *surface, const double centre[3], double reach, int most,
                            pcm_lammps_spot *spots);

/* Whether two triangles have a common corner. */
bool pcm_lammps_surface_meet(const pcm_lammps_surface *surface, int a, int b);

/* Adds the corners to a fingerprint that is equal on ranks with the same surface. */
uint64_t pcm_lammps_surface_print(const pcm_lammps_surface *surface, uint64_t print);

#endif
