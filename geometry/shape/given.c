/* SPDX-License-Identifier: MIT */
/* given.c - hulls in pages, which have no qhull: the host knows the faces. Points come three at a time, the corners of
 * the hull's triangles, counter-clockwise from outside. */
#include "shape.h"
#include <pcm/messages.h>

/* The corner at that place, which is added if it is new. */
static uint32_t corner_at(polytope *p, vec at)
{
    for (uint32_t i = 0; i < p->n_corners; i++)
        if (p->corners[i].x == at.x && p->corners[i].y == at.y && p->corners[i].z == at.z)
            return i;
    p->corners[p->n_corners] = at;
    return p->n_corners++;
}

static bool fill(pcm_context *context, const vec *points, uint32_t triangles, polytope *p)
{
    for (uint32_t f = 0; f < triangles; f++)
        p->faces[f] = (face){.first = 3 * f, .count = 3};
    for (uint32_t k = 0; k < 3 * triangles; k++)
        p->loops[k] = corner_at(p, points[k]);
    return p->n_corners == triangles / 2 + 2 && polytope_finish(context, p);
}

/* A closed surface of n triangles has n / 2 + 2 corners. */
bool polytope_hull(pcm_context *context, const vec *points, size_t count, polytope *out)
{
    const uint32_t triangles = (uint32_t)(count / 3);
    vec           *corners = pcm_allocate(context, count * sizeof *corners);
    polytope       p = {.faces = pcm_allocate(context, triangles * sizeof *p.faces),
                        .loops = pcm_allocate(context, 3 * triangles * sizeof *p.loops)};
    p.corners = corners;
    p.n_faces = p.faces ? triangles : 0;
    p.n_loops = p.loops ? 3 * triangles : 0;
    const bool made = corners && p.faces && p.loops && fill(context, points, triangles, &p);
    if (made) {
        p.corners = pcm_allocate(context, p.n_corners * sizeof *p.corners);
        for (uint32_t i = 0; p.corners && i < p.n_corners; i++)
            p.corners[i] = corners[i];
    } else {
        p.corners = NULL;
    }
    pcm_free(context, corners, count * sizeof *corners);
    if (made && p.corners) {
        *out = p;
        return true;
    }
    polytope_free(context, &p);
    pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "these triangles are not the faces of a hull");
    return false;
}
