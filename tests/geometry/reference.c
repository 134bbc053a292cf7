/* SPDX-License-Identifier: MIT */
#include "reference.h"
#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdlib.h>

double uniform(dice *d, double low, double high)
{
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    return low + (high - low) * (double)(d->state >> 11) * 0x1p-53;
}

void direction(dice *d, double out[3])
{
    double n2;
    do {
        n2 = 0;
        for (int k = 0; k < 3; k++) {
            out[k] = uniform(d, -1, 1);
            n2 += out[k] * out[k];
        }
    } while (n2 > 1 || n2 < 1e-3);
    for (int k = 0; k < 3; k++)
        out[k] /= sqrt(n2);
}

pcm_pose random_pose(dice *d, double spread)
{
    pcm_pose pose;
    double   axis[3];
    direction(d, axis);
    const double half = uniform(d, 0, 3.14159265358979);
    pose.orientation[0] = cos(half);
    for (int k = 0; k < 3; k++) {
        pose.orientation[k + 1] = sin(half) * axis[k];
        pose.position[k] = uniform(d, -spread, spread);
    }
    return pose;
}

void rotate(const double q[4], const double v[3], double out[3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    out[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2];
    out[1] = 2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2];
    out[2] = 2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

void transform(const pcm_pose *pose, const double v[3], double out[3])
{
    rotate(pose->orientation, v, out);
    for (int k = 0; k < 3; k++)
        out[k] += pose->position[k];
}

pcm_pose moved(const pcm_pose *by, const pcm_pose *pose)
{
    pcm_pose      out;
    const double *p = by->orientation, *q = pose->orientation;
    transform(by, pose->position, out.position);
    out.orientation[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out.orientation[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out.orientation[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out.orientation[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
    return out;
}

double *world_corners(const pcm_geometry *g, const pcm_pose *pose, size_t *count)
{
    const double *own = pcm_geometry_points(g, count);
    double       *out = malloc(3 * *count * sizeof *out);
    for (size_t i = 0; i < *count; i++)
        transform(pose, own + 3 * i, out + 3 * i);
    return out;
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The distance of the origin from the segment from a to b. */
static double from_segment(const double *a, const double *b)
{
    double d[3], p[3];
    for (int k = 0; k < 3; k++)
        d[k] = b[k] - a[k];
    const double dd = dot3(d, d), t = dd > 0 ? fmin(fmax(-dot3(a, d) / dd, 0), 1) : 0;
    for (int k = 0; k < 3; k++)
        p[k] = a[k] + t * d[k];
    return sqrt(dot3(p, p));
}

/* The distance of the origin from a triangle in the plane normal . x + offset = 0. */
static double from_triangle(const double *const t[3], const double *normal, double offset)
{
    double least = INFINITY;
    int    signs = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = t[k], *b = t[(k + 1) % 3];
        const double  edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const double  r[3] = {-offset * normal[0] - a[0], -offset * normal[1] - a[1], -offset * normal[2] - a[2]};
        const double  c[3] = {edge[1] * r[2] - edge[2] * r[1], edge[2] * r[0] - edge[0] * r[2],
                              edge[0] * r[1] - edge[1] * r[0]};
        signs += dot3(c, normal) >= 0 ? 1 : -1;
        least = fmin(least, from_segment(a, b));
    }
    return abs(signs) == 3 ? fabs(offset) : least;
}

static double origin_from_hull(qhT *qh)
{
    facetT      *facet;
    double       outermost = -INFINITY, least = INFINITY;
    FORALLfacets outermost = fmax(outermost, facet->offset);
    if (outermost <= 0)
        return outermost;
    FORALLfacets
    {
        const double *t[3];
        int           n = 0;
        vertexT      *vertex, **vertexp;
        FOREACHvertex_(facet->vertices)
        {
            if (n < 3)
                t[n++] = vertex->point;
        }
        if (facet->offset > 0 && n == 3)
            least = fmin(least, from_triangle(t, facet->normal, facet->offset));
    }
    return least;
}

double minkowski_separation(const double *a, size_t n_a, const double *b, size_t n_b)
{
    double *points = malloc(3 * n_a * n_b * sizeof *points), *p = points;
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            for (int k = 0; k < 3; k++)
                *p++ = b[3 * j + (size_t)k] - a[3 * i + (size_t)k];
    FILE *nowhere = fopen("/dev/null", "w");
    char  command[] = "qhull Qt Pp";
    qhT   qh;
    qh_zero(&qh, nowhere);
    double answer = NAN;
    if (qh_new_qhull(&qh, 3, (int)(n_a * n_b), points, False, command, NULL, nowhere) == 0)
        answer = origin_from_hull(&qh);
    int left, total;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left, &total);
    fclose(nowhere);
    free(points);
    return answer;
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

static pcm_geometry *stretched_hull(pcm_context *context, dice *d, size_t corners, const double stretch[3])
{
    double *points = malloc(3 * corners * sizeof *points);
    for (size_t i = 0; i < corners; i++) {
        direction(d, points + 3 * i);
        for (size_t k = 0; k < 3; k++)
            points[3 * i + k] *= stretch[k];
    }
    pcm_geometry *g = pcm_geometry_hull(context, points, corners);
    free(points);
    return g;
}

pcm_geometry *random_hull(pcm_context *context, dice *d, size_t corners)
{
    const double stretch[3] = {uniform(d, 0.3, 1), uniform(d, 0.3, 1), uniform(d, 0.3, 1)};
    return stretched_hull(context, d, corners, stretch);
}

pcm_geometry *random_box(pcm_context *context, dice *d)
{
    return pcm_geometry_box(context, (double[]){uniform(d, 0.2, 2), uniform(d, 0.2, 2), uniform(d, 0.2, 2)});
}

any_body random_body(pcm_context *context, dice *d, char kind, double unit, bool thin)
{
    any_body b = {.pose = {{0, 0, 0}, {1, 0, 0, 0}}};
    double   s[3];
    for (int k = 0; k < 3; k++)
        s[k] = unit * (thin && uniform(d, 0, 1) < 0.5 ? pow(10, uniform(d, -6, 0)) : uniform(d, 0.2, 1));
    b.size = 2 * fmax(s[0], fmax(s[1], s[2]));
    b.endless = kind == 'p';
    if (kind == 's' || kind == 'c')
        b.radius = s[0];
    if (kind == 'z' || kind == 'd')
        b.rim = s[0];
    if (kind == 'c' || kind == 'z')
        b.half = s[1] / 2;
    b.geometry = kind == 's'   ? pcm_geometry_sphere(context, s[0])
                 : kind == 'c' ? pcm_geometry_capsule(context, s[0], s[1])
                 : kind == 'z' ? pcm_geometry_cylinder(context, s[0], s[1])
                 : kind == 'd' ? pcm_geometry_disk(context, s[0])
                 : kind == 'b' ? pcm_geometry_box(context, s)
                 : kind == 'p' ? pcm_geometry_plane(context)
                 : kind == 'o' ? pcm_geometry_point(context)
                               : stretched_hull(context, d,
                                                kind == 't'   ? 4
                                                : kind == 'h' ? 30
                                                              : 100,
                                                s);
    return b;
}

double reach_along(const any_body *b, const double n[3])
{
    const double *q = b->pose.orientation, inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    double        own[3];
    size_t        count;
    rotate(inverse, n, own);
    if (b->endless && !(own[2] > 0 && hypot(own[0], own[1]) < 1e-14))
        return INFINITY;
    double        reach = b->rim * hypot(own[0], own[1]) + b->half * fabs(own[2]);
    const double *corners = pcm_geometry_points(b->geometry, &count);
    for (size_t i = 0; i < count; i++) {
        const double r = corners[3 * i] * own[0] + corners[3 * i + 1] * own[1] + corners[3 * i + 2] * own[2];
        reach = i == 0 ? r : fmax(reach, r);
    }
    return reach + b->radius + dot3(n, b->pose.position);
}

double sep_along(const any_body *a, const any_body *b, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return -reach_along(b, back) - reach_along(a, n);
}
