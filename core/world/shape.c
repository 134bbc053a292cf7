/* SPDX-License-Identifier: MIT */
#include "shape.h"
#include "context_struct.h"
#include <pcm/messages.h>
#include <string.h>

void pcm_contact_shape_defaults_into(pcm_contact_shape *shape, size_t size)
{
    const pcm_contact_shape defaults = {
        .size = sizeof defaults, .curvature = {NAN, NAN}, .direction = {1, 0, 0}, .point_part = 1, .flat_aspect = 1};
    (void)pcm_info_fill(NULL, "pcm_contact_shape", shape, size, &defaults);
}

bool pcm_type_wants_shape(const pcm_type *type)
{
    const pcm_model *model = type->info.model;
    return model->inputs & PCM_SHAPED || model->flags & PCM_POINTS;
}

/* ---- Numbers that are not possible ------------------------------------------------------------------------------- */

static bool is_part(double part) { return part >= 0 && part <= 1; }
static bool is_size(double size) { return size > 0 && isfinite(size); }

/* Why the shape is bad, with the number in *number; NULL: it is sound. */
static const char *fault_of(const pcm_contact_shape *s, double *number)
{
    const double *k = s->curvature;
    const bool    known = !(isnan(k[0]) && isnan(k[1])), line = s->line_length > 0;
    *number = 0;
    for (size_t i = 0; known && i < 2; i++)
        if (*number = k[i], !(k[i] >= 0) || !isfinite(k[i]))
            return k[i] < 0 ? "a curvature below 0, where one body is more hollow than the other is round,"
                            : "a curvature that is not finite,";
    if (*number = k[0], known && k[0] > k[1])
        return "curvatures of which the smaller one is not the first,";
    if (*number = is_part(s->point_part) ? s->patch_part : s->point_part, !is_part(*number))
        return "a part that is not between 0 and 1,";
    if (*number = s->line_length, !(s->line_length >= 0) || !isfinite(s->line_length))
        return "a line without a length,";
    if (*number = s->line_curvature, s->patch_part > 0 && line && !is_size(s->line_curvature))
        return "a line without a curvature,";
    if (*number = s->flat_area, s->patch_part > 0 && !line && !is_size(s->flat_area))
        return "a flat without an area,";
    *number = s->flat_aspect;
    return s->patch_part > 0 && !line && !(s->flat_aspect >= 1) ? "a flat whose aspect is below 1," : NULL;
}

static void tell_fault(pcm_world *world, pcm_group *group, size_t row, const char *fault, double number)
{
    group->watch.told_shape = true;
    pcm_report(world->context, PCM_WARNING, PCM_MSG_BAD_SHAPE,
               "the contact of '%s' and '%s' has %s %s: it counts as a point, and the radius of the objects counts",
               pcm_world_side_name(world, group->record[row].base),
               pcm_world_side_name(world, group->record[row].follower), fault, pcm_number(number, 6).text);
}

/* Copies a shape of any size, if it is sound. */
static bool take_sound(pcm_world *world, pcm_group *group, size_t row, const pcm_contact_shape *shape,
                       pcm_contact_shape *known)
{
    double number;
    *known = pcm_contact_shape_defaults();
    if (!shape || !pcm_def_fill(world->context, "pcm_contact_shape", known, shape))
        return false;
    const char *fault = fault_of(known, &number);
    if (fault && !group->watch.told_shape)
        tell_fault(world, group, row, fault, number);
    return !fault;
}

/* ---- Laws of points alone ---------------------------------------------------------------------------------------- */

/* Both numbers are radii of the circle that is as stiff as the contact, a stiffness over 2 E*: of a ball sqrt(R d), of
 * a line about pi/8 of its length, of a flat that of a circle with its area. */
static void warn_of_points(pcm_world *world, pcm_group *group, size_t row, const pcm_contact_shape *shape, double depth)
{
    const pcm_twist_line *twist = world->twist[world->front];
    const uint32_t        base = pcm_side_object(group->record[row].base),
                   other = pcm_side_object(group->record[row].follower);
    const double radius = 1 / (twist[base].curvature + twist[other].curvature);
    const bool   line = pcm_contact_shape_kind(shape) == PCM_CONTACT_LINE;
    const double true_circle =
        line ? 0.39269908169872414 * shape->line_length : sqrt(shape->flat_area / 3.141592653589793);
    if (!(depth > 0) || !(shape->patch_part > 0))
        return;
    group->watch.told_points = true;
    pcm_report(
        world->context, PCM_WARNING, PCM_MSG_POINTS_ALONE,
        "%s holds for contacts in a point alone, but '%s' and '%s' meet %s %s %s: at a depth of %s m it counts a "
        "circle of contact of radius %s m in each point, where a circle of %s m is as stiff as the whole",
        group->model->name, pcm_world_side_name(world, group->record[row].base),
        pcm_world_side_name(world, group->record[row].follower), line ? "along a line of" : "on a flat of",
        pcm_number(line ? shape->line_length : shape->flat_area, 3).text, line ? "m" : "m^2", pcm_number(depth, 3).text,
        pcm_number(sqrt(radius * depth), 3).text, pcm_number(true_circle, 3).text);
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static void write(pcm_group *group, size_t row, const pcm_contact_shape *shape)
{
    double number[PCM_ROW_SHAPE];
    if (shape)
        memcpy(number, (const char *)shape + PCM_FIRST_SHAPE, sizeof number);
    for (size_t k = 0; k < PCM_ROW_SHAPE; k++)
        *pcm_group_shape(group, PCM_FIRST_SHAPE + k * sizeof *number, row) = shape ? number[k] : NAN;
}

void pcm_world_take_shape(pcm_world *world, pcm_group *group, size_t row, const pcm_contact_shape *shape, double depth)
{
    const bool        more = group->single && group->stamp[row] == world->evaluation;
    pcm_contact_shape known;
    const bool        sound = take_sound(world, group, row, shape, &known);
    if (sound && group->model->flags & PCM_POINTS && !group->watch.told_points)
        warn_of_points(world, group, row, &known, depth);
    if (!group->n_shape)
        return;
    /* A single contact has the parts of all points and the rest of the deepest one. */
    double      *to = pcm_group_shape(group, offsetof(pcm_contact_shape, patch_part), row);
    const double part = more && *to > 0 ? *to : 0;
    if (!more || depth > group->record[row].depth)
        write(group, row, sound ? &known : NULL);
    if (group->single && sound && (more || part > 0))
        *to = pcm_min(part + known.patch_part, 1);
}

bool pcm_group_read_shape(const pcm_group *group, size_t row, pcm_contact_shape *shape)
{
    double number[PCM_ROW_SHAPE];
    for (size_t k = 0; group->n_shape && k < PCM_ROW_SHAPE; k++)
        number[k] = *pcm_group_shape(group, PCM_FIRST_SHAPE + k * sizeof *number, row);
    shape->size = sizeof *shape;
    if (group->n_shape)
        memcpy((char *)shape + PCM_FIRST_SHAPE, number, sizeof number);
    return group->n_shape && shape->point_part >= 0;
}
