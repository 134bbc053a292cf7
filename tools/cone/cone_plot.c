/* SPDX-License-Identifier: MIT */
/* cone_plot.c - a picture of cones: points with their cones and pyramids, and the forces to be tested. */
#include "cone.h"

#include <stdio.h>
#include <pcm/messages.h>

#include "gnuplot.h"

enum { CIRCLE = 48, CIRCLE_RAYS = 12 };

static void put(FILE *out, const double v[3])
{
    for (size_t i = 0; i < 3; i++)
        (void)fprintf(out, "%s%c", pcm_number(v[i], 9).text, i < 2 ? ' ' : '\n');
}

/* Writes the point at + height * (edge / its component along the axis). */
static void put_rim(FILE *out, const double at[3], double height, const double axis[3], const double edge[3])
{
    const double along = axis[0] * edge[0] + axis[1] * edge[1] + axis[2] * edge[2];
    double       rim[3];
    for (size_t i = 0; i < 3; i++)
        rim[i] = at[i] + height * edge[i] / along;
    put(out, rim);
}

/* The rim through the pyramid's edges, closed, and every `stride`-th edge from the apex. */
static void put_pyramid(FILE *out, const pcm_pyramid *p, const double at[3], double height, uint32_t stride)
{
    double edge[3];
    for (uint32_t k = 0; k <= p->sides; k++) {
        pcm_pyramid_edge(p, k, edge);
        put_rim(out, at, height, p->axis, edge);
    }
    (void)fputc('\n', out);
    for (uint32_t k = 0; k < p->sides; k += stride) {
        pcm_pyramid_edge(p, k, edge);
        put(out, at);
        put_rim(out, at, height, p->axis, edge);
        (void)fputc('\n', out);
    }
}

typedef struct drawing {
    const cone_job *job;
    FILE           *out;
    double          size;    /* m or N: the height of the cones */
    double          newtons; /* the force that is drawn as an arrow of length 1 */
} drawing;

/* The polygons of a feasible set at normal forces from -size to size, except where the set is empty or only a pull. */
static void put_sections(const drawing *d, uint32_t sides)
{
    enum { LEVELS = 8 };
    const pcm_pyramid *axes = &d->job->pyramid;
    for (int level = -LEVELS; level <= LEVELS; level++) {
        double         corners[PCM_PYRAMID_SIDES][2], normal = d->size * level / LEVELS;
        pcm_shear      set = {.size = sizeof set};
        const bool     known = pcm_type_shear(d->job->type, normal, &set);
        const bool     point = level < 0 && set.least == set.most && set.across == 0;
        const uint32_t count = known && !point ? pcm_shear_polygon(&set, sides, corners) : 0;
        for (uint32_t k = 0; count > 0 && k <= count; k++) {
            const double *corner = corners[k % count];
            double        at[3];
            for (size_t i = 0; i < 3; i++)
                at[i] = normal * axes->axis[i] + corner[0] * axes->x[i] + corner[1] * axes->y[i];
            put(d->out, at);
        }
        (void)fputc('\n', d->out);
    }
}

/* Calls draw for the pyramid of every point, or for that of the cone. */
static void each_pyramid(const drawing *d, pcm_pyramid_kind kind, uint32_t sides, uint32_t stride)
{
    const cone_job *job = d->job;
    if (job->type) {
        put_sections(d, sides);
        return;
    }
    const size_t count = job->wrench_cone ? job->points.count : 1;
    for (size_t i = 0; i < count; i++) {
        const double          origin[3] = {0};
        const pcm_cone_point *point = job->wrench_cone ? &cone_points(job)[i] : NULL;
        const double         *at = point ? point->position : origin;
        const double         *normal = point ? point->normal : job->normal;
        const double tries[3][3] = {{job->def.first[0], job->def.first[1], job->def.first[2]}, {0, 1, 0}, {0, 0, 1}};
        pcm_cone     cone;
        pcm_pyramid  pyramid;
        if (pcm_cone_make(NULL, normal, point ? point->friction : job->friction, &cone) != PCM_OK)
            continue;
        for (size_t k = 0; k < 3; k++)
            if (pcm_pyramid_make(NULL, &cone, kind, sides, tries[k], &pyramid) == PCM_OK) {
                put_pyramid(d->out, &pyramid, at, d->size, stride);
                break;
            }
        put(d->out, at); /* draws the axis, even if the cone has no friction */
        put_rim(d->out, at, d->size, cone.axis, cone.axis);
        (void)fputc('\n', d->out);
    }
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void put_forces(const drawing *d)
{
    const cone_job  *job = d->job;
    const cone_list *list = job->wrench_cone ? &job->wrenches : &job->forces;
    const double     origin[3] = {0}, *at = job->wrench_cone ? job->def.about : origin;
    for (size_t i = 0; i < list->count; i++) {
        const double *force = cone_list_row(list, i) + (job->wrench_cone ? 3 : 0);
        double        end[3];
        for (size_t k = 0; k < 3; k++)
            end[k] = at[k] + force[k] / d->newtons;
        put(d->out, at);
        put(d->out, end);
        (void)fputs("\n\n", d->out);
    }
}

static double longest_force(const cone_job *job)
{
    const cone_list *list = job->wrench_cone ? &job->wrenches : &job->forces;
    double           longest = 0;
    for (size_t i = 0; i < list->count; i++)
        longest = fmax(longest, length_of(cone_list_row(list, i) + (job->wrench_cone ? 3 : 0)));
    return longest;
}

static void put_script(const drawing *d, const char *path)
{
    FILE *out = d->out;
    (void)fputs("set encoding utf8\nset terminal pngcairo size 900,800\nset output ", out);
    gnuplot_quote(out, path);
    (void)fprintf(out, "\nset title noenhanced ");
    gnuplot_quote(out, d->job->title[0] ? d->job->title : d->job->wrench_cone ? "contact points" : "friction cone");
    (void)fprintf(out,
                  "\nset view equal xyz\nset view 65,35\nset xyplane relative 0\nset grid\nset key bottom\n"
                  "set xlabel '%s'\nset ylabel '%s'\nset zlabel '%s'\n",
                  d->job->wrench_cone ? "x [m]" : "fx [N]", d->job->wrench_cone ? "y [m]" : "fy [N]",
                  d->job->wrench_cone ? "z [m]" : "fz [N]");
    (void)fputs("$cones << EOD\n", out);
    each_pyramid(d, PCM_PYRAMID_INNER, CIRCLE, CIRCLE / CIRCLE_RAYS);
    (void)fputs("EOD\n$pyramids << EOD\n", out);
    each_pyramid(d, d->job->def.kind, d->job->def.sides, 1);
    (void)fputs("EOD\n$forces << EOD\n", out);
    put_forces(d);
    (void)fprintf(out,
                  "EOD\nsplot $cones with lines lc rgb '#9ecae1' title '%s', "
                  "$pyramids with lines lw 2 lc rgb '#08519c' title '%s'",
                  d->job->type ? "feasible set" : "friction cone", d->job->type ? "polygons" : "pyramid");
    const size_t forces = d->job->wrench_cone ? d->job->wrenches.count : d->job->forces.count;
    for (size_t i = 0; i < forces; i++)
        (void)fprintf(out, ", $forces index %zu with linespoints lw 3 pt 7 lc rgb '#cb181d' %s", i,
                      i > 0                 ? "notitle"
                      : d->job->wrench_cone ? "title 'force'"
                                            : "title 'tested force'");
    (void)fputc('\n', out);
}

bool cone_plot(const cone_job *job, const char *path)
{
    const double longest = longest_force(job);
    drawing      d = {.job = job, .size = longest > 0 ? 0.8 * longest : 1, .newtons = 1};
    if (job->wrench_cone) {
        d.size = 0.5 * pcm_wrench_cone_arm(job->wrench_cone);
        d.newtons = longest > 0 ? longest / (3 * d.size) : 1;
    }
    gnuplot g;
    if (!gnuplot_open(&g))
        return false;
    d.out = g.script;
    put_script(&d, path);
    return gnuplot_draw(&g, path);
}
