/* SPDX-License-Identifier: MIT */
/* cone_print.c - prints the results of pcm cone, as text and as JSON. */
#include "cone.h"

#include <pcm/messages.h>
#include <stdio.h>

#include "text_table.h"
#include "json.h"

static const char *const kinds[] = {"inner", "outer", "equal"};
static const double      degrees = 57.29577951308232;
static const double      rounding = 1e-9; /* relative: the accuracy of wrench cones */

enum { MOST_CELLS = GRID_COLUMNS, PRINTED_ROWS = 40 };

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* Prints a value as zero if it is only a rounding error compared with the others. */
static double snapped(const double *numbers, size_t count, size_t i)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(numbers[k]));
    return fabs(numbers[i]) <= 1e-13 * largest ? 0 : numbers[i];
}

/* Adds a row of numbers with ten digits each, between two words. */
static void add_numbers(grid *g, const char *word, const double *numbers, size_t count, const char *last)
{
    pcm_number_text texts[MOST_CELLS];
    const char     *cells[MOST_CELLS] = {word};
    for (size_t i = 0; i < count; i++) {
        texts[i] = pcm_number(snapped(numbers, count, i), 10);
        cells[i + 1] = texts[i].text;
    }
    if (last)
        cells[count + 1] = last;
    grid_add(g, cells);
}

static void print_vector(const char *name, const double v[3])
{
    (void)printf("  %-14s %s, %s, %s\n", name, pcm_number(v[0], 10).text, pcm_number(v[1], 10).text,
                 pcm_number(v[2], 10).text);
}

static const char *verdict(const cone_job *job, const double *force, const pcm_cone_report *r)
{
    if (!r->inside)
        return "outside";
    if (job->pyramid.sides > 0 && !(pcm_pyramid_margin(&job->pyramid, force) >= 0))
        return r->stable ? "stable, outside the pyramid" : "inside, outside the pyramid";
    return r->stable ? "stable" : "inside";
}

static void print_forces(const cone_job *job)
{
    if (job->forces.count == 0)
        return;
    grid answers = {.columns = 8}, nearest = {.columns = 7};
    GRID_ADD(&answers, "force", "normal [N]", "tangential [N]", "margin [N]", "angle [rad]", "distance [N]", "");
    GRID_ADD(&nearest, "", "fx [N]", "fy [N]", "fz [N]", "nearest x", "nearest y", "nearest z");
    for (size_t i = 0; i < job->forces.count; i++) {
        const double         *force = cone_list_row(&job->forces, i);
        const pcm_cone_report r = pcm_cone_measure(&job->cone, force);
        const double          numbers[5] = {r.normal, r.tangential, r.margin, r.angle, r.distance};
        const double both[6] = {force[0], force[1], force[2], r.projection[0], r.projection[1], r.projection[2]};
        char         name[24];
        (void)snprintf(name, sizeof name, "%zu", i + 1);
        add_numbers(&answers, name, numbers, 5, verdict(job, force, &r));
        add_numbers(&nearest, name, both, 6, NULL);
    }
    (void)printf("forces, and the nearest ones in the cone:\n");
    grid_print(&nearest, 2);
    (void)putchar('\n');
    grid_print(&answers, 2);
}

static void print_pyramid(const pcm_pyramid *pyramid)
{
    grid g = {.columns = 7};
    GRID_ADD(&g, "", "edge x", "edge y", "edge z", "face x", "face y", "face z");
    for (uint32_t k = 0; k < pyramid->sides; k++) {
        double numbers[6];
        char   name[24];
        pcm_pyramid_edge(pyramid, k, numbers);
        pcm_pyramid_face(pyramid, k, numbers + 3);
        (void)snprintf(name, sizeof name, "%u", k + 1);
        add_numbers(&g, name, numbers, 6, NULL);
    }
    (void)printf("pyramid, %u sides, %s: edges, and inward normals of the faces from each edge to the next:\n",
                 pyramid->sides, kinds[pyramid->kind]);
    grid_print(&g, 2);
}

static void print_rows(const char *what, const char *linear, pcm_wrench_rows rows)
{
    grid g = {.columns = 7};
    GRID_ADD(&g, "", "tx", "ty", "tz", "fx", "fy", "fz");
    for (size_t i = 0; i < rows.count && i < PRINTED_ROWS; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%zu%s", i + 1, i < rows.linear ? " =" : "");
        add_numbers(&g, name, rows.rows[i], 6, NULL);
    }
    (void)printf("%zu %s", rows.count - rows.linear, what);
    if (rows.linear > 0)
        (void)printf(" and %zu %s, which are marked =", rows.linear, linear);
    (void)printf(rows.count > 0 ? ":\n" : "\n");
    if (rows.count > 0)
        grid_print(&g, 2);
    else
        grid_clear(&g);
    if (rows.count > PRINTED_ROWS)
        (void)printf("  ... (--json prints all)\n");
}

static void print_wrenches(const cone_job *job)
{
    if (job->wrenches.count == 0)
        return;
    const pcm_wrench_rows faces = pcm_wrench_cone_faces(job->wrench_cone);
    grid                  g = {.columns = 8};
    (void)printf("wrenches:\n");
    GRID_ADD(&g, "tx [N*m]", "ty [N*m]", "tz [N*m]", "fx [N]", "fy [N]", "fz [N]", "margin [N]", "");
    for (size_t i = 0; i < job->wrenches.count; i++) {
        const pcm_wrench *wrench = (const pcm_wrench *)cone_list_row(&job->wrenches, i);
        const double     *row = cone_list_row(&job->wrenches, i);
        const double      rest[6] = {row[1], row[2], row[3], row[4], row[5], pcm_wrench_margin(faces, wrench)};
        add_numbers(&g, pcm_number(snapped(row, 6, 0), 10).text, rest, 6,
                    pcm_wrench_inside(faces, wrench, rounding) ? "inside" : "outside");
    }
    grid_print(&g, 2);
}

static void print_wrench_cone(const cone_job *job)
{
    (void)printf("wrench cone of %zu point%s%s%s, pyramids of %u sides, %s\n", job->points.count,
                 job->points.count == 1 ? "" : "s", job->title[0] ? " of " : "", job->title, job->def.sides,
                 kinds[job->def.kind]);
    print_vector("torques about", job->def.about);
    (void)printf("  arm            %s m\n\n", pcm_number(pcm_wrench_cone_arm(job->wrench_cone), 10).text);
    print_rows("rays", "lines", pcm_wrench_cone_rays(job->wrench_cone));
    (void)putchar('\n');
    print_rows("faces, row.w >= 0", "equalities", pcm_wrench_cone_faces(job->wrench_cone));
    (void)putchar('\n');
    print_wrenches(job);
}

static void print_friction_cone(const cone_job *job)
{
    const double half_angle = atan(job->friction);
    (void)printf("friction cone%s%s\n", job->title[0] ? " of " : "", job->title);
    print_vector("axis", job->cone.axis);
    (void)printf("  friction       %s\n  half angle     %s rad, %s degrees\n\n", pcm_number(job->friction, 10).text,
                 pcm_number(half_angle, 10).text, pcm_number(half_angle * degrees, 6).text);
    if (job->pyramid.sides > 0)
        print_pyramid(&job->pyramid);
    else
        (void)printf("without friction it is a ray, and has no pyramid\n");
    (void)putchar('\n');
    print_forces(job);
}

void cone_print(const cone_job *job) { (job->wrench_cone ? print_wrench_cone : print_friction_cone)(job); }

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_row(json *j, const char *key, const double *numbers, size_t count)
{
    json_begin_array(j, key);
    for (size_t i = 0; i < count; i++)
        json_number(j, NULL, numbers[i]);
    json_end_array(j);
}

static void json_rows(json *j, const char *key, const char *linear_key, pcm_wrench_rows rows)
{
    json_begin_array(j, linear_key);
    for (size_t i = 0; i < rows.linear; i++)
        json_row(j, NULL, rows.rows[i], 6);
    json_end_array(j);
    json_begin_array(j, key);
    for (size_t i = rows.linear; i < rows.count; i++)
        json_row(j, NULL, rows.rows[i], 6);
    json_end_array(j);
}

static void json_wrench_cone(json *j, const cone_job *job)
{
    const pcm_wrench_rows faces = pcm_wrench_cone_faces(job->wrench_cone);
    json_row(j, "about", job->def.about, 3);
    json_number(j, "arm", pcm_wrench_cone_arm(job->wrench_cone));
    json_begin_array(j, "points");
    for (size_t i = 0; i < job->points.count; i++) {
        json_begin_object(j, NULL);
        json_row(j, "position", cone_points(job)[i].position, 3);
        json_row(j, "normal", cone_points(job)[i].normal, 3);
        json_number(j, "friction", cone_points(job)[i].friction);
        json_end_object(j);
    }
    json_end_array(j);
    json_rows(j, "rays", "lines", pcm_wrench_cone_rays(job->wrench_cone));
    json_rows(j, "faces", "equalities", faces);
    json_begin_array(j, "wrenches");
    for (size_t i = 0; i < job->wrenches.count; i++) {
        const pcm_wrench *wrench = (const pcm_wrench *)cone_list_row(&job->wrenches, i);
        json_begin_object(j, NULL);
        json_row(j, "torque", wrench->torque, 3);
        json_row(j, "force", wrench->force, 3);
        json_number(j, "margin", pcm_wrench_margin(faces, wrench));
        json_bool(j, "inside", pcm_wrench_inside(faces, wrench, rounding));
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_force(json *j, const cone_job *job, const double *force)
{
    const pcm_cone_report r = pcm_cone_measure(&job->cone, force);
    double                weights[PCM_PYRAMID_SIDES];
    json_begin_object(j, NULL);
    json_row(j, "force", force, 3);
    json_bool(j, "stable", r.stable);
    json_bool(j, "inside", r.inside);
    json_number(j, "normal", r.normal);
    json_number(j, "tangential", r.tangential);
    json_number(j, "margin", r.margin);
    json_number(j, "angle", r.angle);
    json_number(j, "distance", r.distance);
    json_row(j, "projection", r.projection, 3);
    if (job->pyramid.sides > 0) {
        json_number(j, "pyramid_margin", pcm_pyramid_margin(&job->pyramid, force));
        if (pcm_pyramid_weights(&job->pyramid, force, weights))
            json_row(j, "pyramid_weights", weights, job->pyramid.sides);
    }
    json_end_object(j);
}

static void json_friction_cone(json *j, const cone_job *job)
{
    json_row(j, "axis", job->cone.axis, 3);
    json_number(j, "friction", job->friction);
    json_number(j, "half_angle", atan(job->friction));
    json_begin_array(j, "edges");
    for (uint32_t k = 0; k < job->pyramid.sides; k++) {
        double edge[3];
        pcm_pyramid_edge(&job->pyramid, k, edge);
        json_row(j, NULL, edge, 3);
    }
    json_end_array(j);
    json_begin_array(j, "faces");
    for (uint32_t k = 0; k < job->pyramid.sides; k++) {
        double face[3];
        pcm_pyramid_face(&job->pyramid, k, face);
        json_row(j, NULL, face, 3);
    }
    json_end_array(j);
    json_begin_array(j, "forces");
    for (size_t i = 0; i < job->forces.count; i++)
        json_force(j, job, cone_list_row(&job->forces, i));
    json_end_array(j);
}

void cone_print_json(const cone_job *job)
{
    json j = {.out = stdout};
    json_begin_object(&j, NULL);
    json_text(&j, "of", job->title);
    json_text(&j, "pyramid", kinds[job->def.kind]);
    json_integer(&j, "sides", job->def.sides);
    (job->wrench_cone ? json_wrench_cone : json_friction_cone)(&j, job);
    json_end_object(&j);
}
