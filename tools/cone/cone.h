/* SPDX-License-Identifier: MIT */
/* cone.h - the job of pcm cone, and the functions that do it. */
#ifndef PCM_TOOLS_CONE_CONE_H
#define PCM_TOOLS_CONE_CONE_H

#include <pcm/cone.h>

#include "command.h"

/* Rows of `width` numbers. */
typedef struct cone_list {
    double *at;
    size_t  width, count;
} cone_list;

/* False, with a report: there is no memory. */
bool cone_list_add(cone_list *list, const double *row);

static inline const double *cone_list_row(const cone_list *list, size_t i) { return list->at + i * list->width; }

typedef struct cone_job {
    char                title[256]; /* the contact type or object; "": neither */
    pcm_wrench_cone_def def;        /* kind, sides and first edge of every pyramid; reference point of torques */
    bool                about_given;
    double              normal[3];
    double              friction; /* NaN: not known */
    cone_list           forces;   /* 3 */
    cone_list           points;   /* 7, as pcm_cone_point */
    cone_list           wrenches; /* 6, as pcm_wrench */

    /* Without points: the cone of one point, or the feasible set that a type's law declares instead of a cone. */
    pcm_config     *config; /* of the type; NULL: there is no type */
    const pcm_type *type;   /* NULL: it is a cone */
    pcm_cone        cone;
    pcm_pyramid     pyramid; /* sides 0: none, or no friction; with a type x is the direction along, y across */
    /* With points: */
    pcm_wrench_cone *wrench_cone;
} cone_job;

static inline const pcm_cone_point *cone_points(const cone_job *job) { return (const pcm_cone_point *)job->points.at; }

/* The friction coefficient of a contact type's own cone; false, with a report: its law has none. */
bool cone_of_type(const pcm_type *type, double *friction);

/* Answers of a job with a type. */
void shear_print(const cone_job *job);
void shear_print_json(const cone_job *job);

void cone_print(const cone_job *job);
void cone_print_json(const cone_job *job);

/* Draws the cone with gnuplot; false, with a report, if that fails. */
bool cone_plot(const cone_job *job, const char *path);

/* An object of a MuJoCo scene at a time. */
typedef struct cone_scene {
    const char         *path, *object;
    double              time; /* s */
    const option_robot *robot;
} cone_scene;

/* Adds the object's contact points, and the wrench that they exert. Torques are about the object's origin unless the
 * job gives another point. False, with a report, if that fails. */
bool cone_from_scene(pcm_context *context, const cone_scene *from, pcm_config *config, cone_job *job);

#endif
