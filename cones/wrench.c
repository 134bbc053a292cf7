/* SPDX-License-Identifier: MIT */
#include "refuse.h"
#include "rows.h"
#include "vector.h"

struct pcm_wrench_cone {
    pcm_context *context;
    double       arm;
    pcm_rows     rays, faces;
};

/* The most rays for the double description method: its time grows much faster than their number. */
enum { MOST_RAYS = 512 };

static const double rounding = 1e-9; /* of unit rows: the possible error of the double description method */

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static void wrench_array(const pcm_wrench *wrench, double w[6])
{
    memcpy(w, wrench->torque, sizeof wrench->torque);
    memcpy(w + 3, wrench->force, sizeof wrench->force);
}

double pcm_wrench_margin(pcm_wrench_rows faces, const pcm_wrench *wrench)
{
    if (!finite3(wrench->torque) || !finite3(wrench->force))
        return NAN;
    double w[6], least = INFINITY;
    wrench_array(wrench, w);
    for (size_t i = 0; i < faces.count; i++) {
        const double value = pcm_row_value(faces.rows[i], w);
        least = fmin(least, i < faces.linear ? -fabs(value) : value);
    }
    return least;
}

bool pcm_wrench_inside(pcm_wrench_rows faces, const pcm_wrench *wrench, double tolerance)
{
    if (!finite3(wrench->torque) || !finite3(wrench->force) || !(tolerance >= 0))
        return false;
    double w[6];
    wrench_array(wrench, w);
    for (size_t i = 0; i < faces.count; i++) {
        const double value = pcm_row_value(faces.rows[i], w);
        double       size = 0;
        for (size_t k = 0; k < 6; k++)
            size += fabs(faces.rows[i][k] * w[k]);
        if (!((i < faces.linear ? -fabs(value) : value) >= -tolerance * size))
            return false;
    }
    return true;
}

/* ---- Rays of points -------------------------------------------------------------------------------------------- */

void pcm_wrench_cone_defaults_into(pcm_wrench_cone_def *def, size_t size)
{
    const pcm_wrench_cone_def defaults = {
        .size = sizeof defaults, .first = {1, 0, 0}, .kind = PCM_PYRAMID_INNER, .sides = 4};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

/* Like the x axis of a contact frame, the first edge uses a fallback if its direction is along the normal. */
static void first_edge(const double axis[3], const double wanted[3], double first[3])
{
    const double *tries[] = {wanted, (const double[]){0, 1, 0}, (const double[]){0, 0, 1}};
    for (size_t i = 0; i < 3; i++) {
        double across[3];
        memcpy(first, tries[i], 3 * sizeof *first);
        pcm_cross(axis, first, across);
        if (norm(across) > 1e-3 * norm(first))
            return;
    }
}

/* The unit ray of a force along the edge at the point, torques divided by the arm. */
static void ray_of(const double lever[3], double arm, const double edge[3], double ray[6])
{
    pcm_cross(lever, edge, ray);
    const double length = hypot(norm(ray) / arm, norm(edge));
    for (size_t i = 0; i < 3; i++) {
        ray[i] /= arm * length;
        ray[3 + i] = edge[i] / length;
    }
}

static pcm_status point_rays(pcm_context *context, const pcm_cone_point *point, const pcm_wrench_cone_def *def,
                             double arm, pcm_rows *rays)
{
    pcm_cone   cone;
    pcm_status status = pcm_cone_make(context, point->normal, point->friction, &cone);
    if (status != PCM_OK)
        return status;
    double lever[3];
    add_scaled(point->position, -1, def->about, lever);
    if (cone.friction == 0) {
        ray_of(lever, arm, cone.axis, rays->rows[rays->count++]);
        return PCM_OK;
    }
    double      first[3];
    pcm_pyramid pyramid;
    first_edge(cone.axis, def->first, first);
    status = pcm_pyramid_make(context, &cone, def->kind, def->sides, first, &pyramid);
    for (uint32_t k = 0; status == PCM_OK && k < def->sides; k++) {
        double edge[3];
        pcm_pyramid_edge(&pyramid, k, edge);
        ray_of(lever, arm, edge, rays->rows[rays->count++]);
    }
    return status;
}

static pcm_status check(pcm_context *context, const pcm_cone_point *points, size_t count,
                        const pcm_wrench_cone_def *def)
{
    if (count == 0)
        return REFUSE(context, PCM_MSG_WRENCH_CONE, "a wrench cone needs at least one point");
    if (def->sides < 3 || def->sides > PCM_PYRAMID_SIDES)
        return REFUSE(context, PCM_MSG_PYRAMID, "a pyramid has 3 to %d sides, not %u", PCM_PYRAMID_SIDES, def->sides);
    if (count > MOST_RAYS / def->sides)
        return REFUSE(context, PCM_MSG_WRENCH_CONE,
                      "a wrench cone takes at most %d rays; %zu points with pyramids of %u sides have more", MOST_RAYS,
                      count, def->sides);
    if (!finite3(def->about))
        return REFUSE(context, PCM_MSG_WRENCH_CONE, "the point that torques are taken about is not finite");
    for (size_t i = 0; i < count; i++)
        if (!finite3(points[i].position))
            return REFUSE(context, PCM_MSG_WRENCH_CONE, "the position of point %zu is not finite", i + 1);
    return PCM_OK;
}

static double longest_lever(const pcm_cone_point *points, size_t count, const double about[3])
{
    double longest = 0;
    for (size_t i = 0; i < count; i++) {
        double lever[3];
        add_scaled(points[i].position, -1, about, lever);
        longest = fmax(longest, norm(lever));
    }
    return longest > 0 ? longest : 1;
}

/* ---- The cone -------------------------------------------------------------------------------------------------- */

/* Whether face f, as an inequality, holds with equality for the ray. */
static bool tight(const pcm_rows *faces, size_t f, const double ray[6])
{
    return fabs(pcm_row_value(faces->rows[f], ray)) <= rounding;
}

/* Classifies one ray of a cone by its faces: it lies in the lineality space (every face is tight), it is an edge, or it
 * is a combination of others: then another ray lies on every face that it lies on, and on more. Of equal rays the first
 * counts. */
typedef enum part { LINE, EDGE, REDUNDANT } part;

static part part_of(const pcm_rows *faces, const pcm_rows *rays, size_t r)
{
    const double *ray = rays->rows[r];
    bool          line = true;
    for (size_t f = faces->linear; line && f < faces->count; f++)
        line = tight(faces, f, ray);
    if (line)
        return LINE;
    for (size_t other = 0; other < rays->count; other++) {
        bool   on_all = true, is_line = true, more = false;
        size_t f = faces->linear;
        for (; on_all && f < faces->count; f++) {
            const bool theirs = tight(faces, f, rays->rows[other]), ours = tight(faces, f, ray);
            on_all = theirs || !ours;
            more = more || (theirs && !ours);
            is_line = is_line && theirs;
        }
        if (other != r && on_all && !is_line && (more || other < r))
            return REDUNDANT;
    }
    return EDGE;
}

/* The smallest set of rays: a basis of the lines, then the edges, orthogonal to them. */
static pcm_status reduce(pcm_context *context, const pcm_rows *faces, const pcm_rows *rays, pcm_rows *reduced)
{
    if (pcm_rows_make(context, rays->count, reduced) != PCM_OK)
        return PCM_NO_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        const part wanted = pass == 0 ? LINE : EDGE;
        for (size_t r = 0; r < rays->count; r++)
            if (part_of(faces, rays, r) == wanted)
                pcm_rows_append(reduced, rays->rows[r], wanted == LINE);
    }
    return PCM_OK;
}

/* Whether no ray is outside a face, and each face contains enough edges to span it. */
static bool consistent(const pcm_rows *faces, const pcm_rows *rays, const pcm_rows *edges)
{
    const size_t spanned = 6 - faces->linear - edges->linear;
    for (size_t f = 0; f < faces->count; f++) {
        for (size_t r = 0; r < rays->count; r++) {
            const double value = pcm_row_value(faces->rows[f], rays->rows[r]);
            if (!(value >= -rounding) || (f < faces->linear && value > rounding))
                return false;
        }
        size_t on_it = 0;
        for (size_t r = edges->linear; r < edges->count; r++)
            on_it += tight(faces, f, edges->rows[r]);
        if (f >= faces->linear && on_it + 1 < spanned)
            return false;
    }
    return true;
}

/* Rays from torques over the arm to N*m, and faces to match. */
static void unscale(pcm_rows *rows, double factor)
{
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < 3; k++)
            rows->rows[i][k] *= factor;
}

static pcm_status build(pcm_wrench_cone *cone, const pcm_cone_point *points, size_t count,
                        const pcm_wrench_cone_def *def, pcm_rows *rays)
{
    pcm_context *context = cone->context;
    pcm_status   status = PCM_OK;
    cone->arm = longest_lever(points, count, def->about);
    for (size_t i = 0; status == PCM_OK && i < count; i++)
        status = point_rays(context, &points[i], def, cone->arm, rays);
    if (status == PCM_OK)
        status = pcm_faces_of_rays(context, rays, &cone->faces);
    if (status == PCM_OK)
        status = reduce(context, &cone->faces, rays, &cone->rays);
    if (status == PCM_OK && !consistent(&cone->faces, rays, &cone->rays))
        status = REFUSE(context, PCM_MSG_WRENCH_CONE_FAILED,
                        "the wrench cone cannot be computed to nine digits: the points are too nearly degenerate");
    unscale(&cone->rays, cone->arm);
    unscale(&cone->faces, 1 / cone->arm);
    return status;
}

pcm_wrench_cone *pcm_wrench_cone_new(pcm_context *context, const pcm_cone_point *points, size_t count,
                                     const pcm_wrench_cone_def *def)
{
    pcm_wrench_cone_def filled = pcm_wrench_cone_defaults();
    if (!context || !pcm_def_fill(context, "pcm_wrench_cone_def", &filled, def) ||
        check(context, points, count, &filled) != PCM_OK)
        return NULL;

    pcm_rows         rays = {.rows = NULL};
    pcm_wrench_cone *cone = pcm_allocate(context, sizeof *cone);
    pcm_status       status = cone ? pcm_rows_make(context, count * filled.sides, &rays) : PCM_NO_MEMORY;
    if (cone)
        cone->context = context;
    if (status == PCM_OK)
        status = build(cone, points, count, &filled, &rays);
    pcm_rows_free(context, &rays);
    if (status == PCM_OK)
        return cone;
    if (status == PCM_NO_MEMORY)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a wrench cone");
    pcm_wrench_cone_free(cone);
    return NULL;
}

void pcm_wrench_cone_free(pcm_wrench_cone *cone)
{
    if (!cone)
        return;
    pcm_rows_free(cone->context, &cone->rays);
    pcm_rows_free(cone->context, &cone->faces);
    pcm_free(cone->context, cone, sizeof *cone);
}

static pcm_wrench_rows view(const pcm_rows *rows)
{
    return (pcm_wrench_rows){(const double(*)[6])rows->rows, rows->count, rows->linear};
}

pcm_wrench_rows pcm_wrench_cone_rays(const pcm_wrench_cone *cone) { return view(&cone->rays); }

pcm_wrench_rows pcm_wrench_cone_faces(const pcm_wrench_cone *cone) { return view(&cone->faces); }

double pcm_wrench_cone_arm(const pcm_wrench_cone *cone) { return cone->arm; }
