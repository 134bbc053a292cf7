/* SPDX-License-Identifier: MIT */
/* shear_print.c - prints the results of pcm cone for a law whose feasible set is not a circle. */
#include "cone.h"

#include <pcm/messages.h>
#include <stdio.h>

#include "json.h"
#include "text_table.h"
#include <pcm/spatial.h>

/* A force in the axes of the set, and the set at the force's normal component. */
typedef struct shear_force {
    double    force[3], normal, along, across, margin;
    pcm_shear set;
} shear_force;

/* The number of forces; if none is given, one of 1 N along the normal. */
static size_t force_count(const cone_job *job) { return job->forces.count > 0 ? job->forces.count : 1; }

static shear_force force_at(const cone_job *job, size_t i)
{
    const pcm_pyramid *axes = &job->pyramid;
    const double      *force = job->forces.count > 0 ? cone_list_row(&job->forces, i) : axes->axis;
    shear_force        f = {.force = {force[0], force[1], force[2]},
                            .normal = pcm_dot(force, axes->axis),
                            .along = pcm_dot(force, axes->x),
                            .across = pcm_dot(force, axes->y),
                            .set.size = sizeof f.set};
    (void)pcm_type_shear(job->type, f.normal, &f.set);
    f.margin = pcm_shear_margin(&f.set, f.along, f.across);
    return f;
}

static const char *shape_of(const pcm_shear *set) { return set->shape == PCM_SHEAR_BOX ? "box" : "ellipse"; }

static const char *owner_of(const pcm_shear *set) { return set->axis == PCM_SHEAR_BASE ? "base" : "follower"; }

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_axis(const char *name, const double v[3], const char *meaning)
{
    (void)printf("  %-14s %s, %s, %s%s\n", name, pcm_number(v[0], 10).text, pcm_number(v[1], 10).text,
                 pcm_number(v[2], 10).text, meaning);
}

static void add_row(grid *g, size_t number, const double *numbers, size_t count, const char *last)
{
    pcm_number_text texts[GRID_COLUMNS];
    const char     *cells[GRID_COLUMNS] = {NULL};
    char            first[24];
    (void)snprintf(first, sizeof first, "%zu", number);
    cells[0] = first;
    for (size_t i = 0; i < count; i++) {
        texts[i] = pcm_number(numbers[i], 10);
        cells[i + 1] = texts[i].text;
    }
    if (last)
        cells[count + 1] = last;
    grid_add(g, cells);
}

void shear_print(const cone_job *job)
{
    const shear_force first = force_at(job, 0);
    grid              forces = {.columns = 7}, sets = {.columns = 7};
    (void)printf("feasible set of %s: %s\n", job->title,
                 first.set.shape == PCM_SHEAR_BOX ? "a box" : "two halves of ellipses");
    print_axis("normal", job->pyramid.axis, "");
    print_axis("along", job->pyramid.x,
               first.set.axis == PCM_SHEAR_BASE ? ": the base's axis" : ": the follower's axis");
    print_axis("across", job->pyramid.y, "");
    GRID_ADD(&forces, "", "fx [N]", "fy [N]", "fz [N]", "normal [N]", "along [N]", "across [N]");
    GRID_ADD(&sets, "force", "normal [N]", "least along", "most along", "most across", "margin [N]", "");
    for (size_t i = 0; i < force_count(job); i++) {
        const shear_force f = force_at(job, i);
        const double      parts[6] = {f.force[0], f.force[1], f.force[2], f.normal, f.along, f.across};
        const double      limits[5] = {f.normal, f.set.least, f.set.most, f.set.across, f.margin};
        add_row(&forces, i + 1, parts, 6, NULL);
        add_row(&sets, i + 1, limits, 5,
                f.margin >= 0              ? "inside"
                : f.set.least > f.set.most ? "outside, as is every force of that normal part"
                                           : "outside");
    }
    (void)printf("\n%s on the follower:\n", job->forces.count > 0 ? "forces" : "without --force, 1 N along the normal");
    grid_print(&forces, 2);
    (void)printf("\nwhat can act along the surface with the normal part of each:\n");
    grid_print(&sets, 2);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_row(json *j, const char *key, const double *numbers, size_t count)
{
    json_begin_array(j, key);
    for (size_t i = 0; i < count; i++)
        json_number(j, NULL, numbers[i]);
    json_end_array(j);
}

static void json_force(json *j, const cone_job *job, const shear_force *f)
{
    double         corners[PCM_PYRAMID_SIDES][2];
    const uint32_t count = pcm_shear_polygon(&f->set, job->def.sides, corners);
    json_begin_object(j, NULL);
    json_row(j, "force", f->force, 3);
    json_number(j, "normal", f->normal);
    json_number(j, "along", f->along);
    json_number(j, "across", f->across);
    json_bool(j, "inside", f->margin >= 0);
    json_number(j, "margin", f->margin);
    json_number(j, "least_along", f->set.least);
    json_number(j, "most_along", f->set.most);
    json_number(j, "most_across", f->set.across);
    json_begin_array(j, "polygon");
    for (uint32_t k = 0; k < count; k++)
        json_row(j, NULL, corners[k], 2);
    json_end_array(j);
    json_end_object(j);
}

void shear_print_json(const cone_job *job)
{
    json              j = {.out = stdout};
    const shear_force first = force_at(job, 0);
    json_begin_object(&j, NULL);
    json_text(&j, "of", job->title);
    json_text(&j, "shape", shape_of(&first.set));
    json_text(&j, "axis_of", owner_of(&first.set));
    json_row(&j, "normal", job->pyramid.axis, 3);
    json_row(&j, "along", job->pyramid.x, 3);
    json_row(&j, "across", job->pyramid.y, 3);
    json_begin_array(&j, "forces");
    for (size_t i = 0; i < force_count(job); i++) {
        const shear_force f = force_at(job, i);
        json_force(&j, job, &f);
    }
    json_end_array(&j);
    json_end_object(&j);
}
