/* SPDX-License-Identifier: MIT */
/* shape.h - the shapes of contacts, from touches to the rows of groups. */
#ifndef PCM_WORLD_SHAPE_H
#define PCM_WORLD_SHAPE_H

#include "world.h"

/* Whether touches of the group's contacts have to be passed to the next function. */
static inline bool pcm_group_wants_shape(const pcm_group *group)
{
    return group->n_shape || group->model->flags & PCM_POINTS;
}

/* Takes the shape of a touch, NULL where it has none, before its motion is written. */
void pcm_world_take_shape(pcm_world *world, pcm_group *group, size_t row, const pcm_contact_shape *shape, double depth);

/* The shape of a touched row in *shape; false: it has none. */
bool pcm_group_read_shape(const pcm_group *group, size_t row, pcm_contact_shape *shape);

#endif
