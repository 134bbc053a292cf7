/* SPDX-License-Identifier: MIT */
/* hull.c - convex hulls by qhull (Barber, Dobkin and Huhdanpaa 1996). */
#include "shape.h"
#include <pcm/messages.h>
#include <libqhull_r/qhull_ra.h>
#include <stdio.h>

/* Counts the facets and vertices that qhull found and stores each hull vertex's number in its visitid. */
static void count_hull(qhT *qh, polytope *out)
{
    vertexT *vertex;
    facetT  *facet;
    out->n_corners = out->n_faces = out->n_loops = 0;
    FORALLvertices vertex->visitid = out->n_corners++;
    FORALLfacets
    {
        out->n_faces++;
        out->n_loops += (uint32_t)qh_setsize(qh, facet->vertices);
    }
}

/* qhull gives the corners of a facet clockwise from outside where its qh_ORIENTclock is 0. */
static void reverse(uint32_t *loop, uint32_t count)
{
    for (uint32_t k = 0; k < count / 2; k++) {
        const uint32_t swapped = loop[k];
        loop[k] = loop[count - 1 - k];
        loop[count - 1 - k] = swapped;
    }
}

/* Copies the corners, bit for bit as they were given, and the loops; false where the facets do not close up, which can
 * happen with wide merged facets. */
static bool copy_hull(qhT *qh, const vec *points, polytope *out)
{
    vertexT       *vertex, **vertexp;
    facetT        *facet;
    uint32_t       f = 0, k = 0;
    FORALLvertices out->corners[vertex->visitid] = points[qh_pointid(qh, vertex->point)];
    FORALLfacets
    {
        setT *loop = qh_facet3vertex(qh, facet);
        out->faces[f].first = k;
        FOREACHvertex_(loop)
        {
            if (k == out->n_loops)
                break;
            out->loops[k++] = vertex->visitid;
        }
        out->faces[f].count = k - out->faces[f].first;
        if (!qh_ORIENTclock)
            reverse(out->loops + out->faces[f].first, out->faces[f].count);
        qh_settempfree(qh, &loop);
        f++;
    }
    return k == out->n_loops && (uint64_t)out->n_corners + out->n_faces == out->n_loops / 2 + 2;
}

/* Runs copy_hull so that qhull's errors return here: they would end the process otherwise. */
static bool copy_hull_safely(qhT *qh, const vec *points, polytope *out)
{
    volatile bool copied = false;
    if (setjmp(qh->errexit) == 0) {
        qh->NOerrexit = False;
        copied = copy_hull(qh, points, out);
    }
    qh->NOerrexit = True;
    return copied;
}

static bool hull_tables(pcm_context *context, qhT *qh, const vec *points, polytope *out)
{
    polytope p = {0}, counts;
    count_hull(qh, &counts);
    p.corners = pcm_allocate(context, counts.n_corners * sizeof *p.corners);
    p.faces = pcm_allocate(context, counts.n_faces * sizeof *p.faces);
    p.loops = pcm_allocate(context, counts.n_loops * sizeof *p.loops);
    p.n_corners = p.corners ? counts.n_corners : 0;
    p.n_faces = p.faces ? counts.n_faces : 0;
    p.n_loops = p.loops ? counts.n_loops : 0;
    const bool room = p.corners && p.faces && p.loops, copied = room && copy_hull_safely(qh, points, &p);
    if (copied && polytope_finish(context, &p)) {
        *out = p;
        return true;
    }
    const bool memory = room && (!copied || (p.ring_first && p.around && !p.closed));
    polytope_free(context, &p);
    if (memory)
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                   "the hull of these points cannot be closed: some of them are so close together that rounding "
                   "decides its shape");
    else
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a hull");
    return false;
}

/* Scales the points to size 1 about the origin, as suits qhull's own tolerances; false: they are all the same point. */
static bool normalise(const vec *points, size_t count, coordT *out)
{
    vec low = points[0], high = low;
    for (size_t i = 1; i < count; i++) {
        low = (vec){fmin(low.x, points[i].x), fmin(low.y, points[i].y), fmin(low.z, points[i].z)};
        high = (vec){fmax(high.x, points[i].x), fmax(high.y, points[i].y), fmax(high.z, points[i].z)};
    }
    const vec    centre = scale(add(low, high), 0.5);
    const double size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    if (!(size > 0))
        return false;
    for (size_t i = 0; i < count; i++)
        vec_to(out + 3 * i, scale(sub(points[i], centre), 1 / size));
    return true;
}

/* Runs qhull on normalised points; whatever it would print goes to `nowhere`. */
static bool run_qhull(pcm_context *context, const vec *points, size_t count, coordT *normal, FILE *nowhere,
                      polytope *out)
{
    char command[] = "qhull Pp";
    qhT  qh;
    qh_zero(&qh, nowhere);
    bool      made = false;
    const int code = qh_new_qhull(&qh, 3, (int)count, normal, False, command, NULL, nowhere);
    if (code == qh_ERRnone)
        made = hull_tables(context, &qh, points, out);
    else
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY,
                   code == qh_ERRsingular ? "the points of a hull lie in one plane"
                                          : "qhull finds no hull of these points");
    int left, total;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left, &total);
    return made;
}

bool polytope_hull(pcm_context *context, const vec *points, size_t count, polytope *out)
{
    if (count < 4 || count > INT32_MAX / 8) {
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "a hull needs at least 4 points; there are %zu", count);
        return false;
    }
    coordT *normal = pcm_allocate(context, 3 * count * sizeof *normal);
    FILE   *nowhere = normal ? fopen("/dev/null", "w") : NULL;
    bool    made = false;
    if (!nowhere)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory or file handle is left for computing a hull");
    else if (!normalise(points, count, normal))
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_GEOMETRY, "the points of a hull are all the same point");
    else
        made = run_qhull(context, points, count, normal, nowhere, out);
    if (nowhere)
        fclose(nowhere);
    pcm_free(context, normal, 3 * count * sizeof *normal);
    return made;
}
