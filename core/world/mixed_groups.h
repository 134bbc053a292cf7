/* SPDX-License-Identifier: MIT */
/* mixed_groups.h - groups of contact types between two materials. They follow the groups of the file's types, in the
 * order of their first use in the world. */
#ifndef PCM_WORLD_MIXED_GROUPS_H
#define PCM_WORLD_MIXED_GROUPS_H

#include "world.h"

/* The group of the type between two materials, made if it is new to the world. PCM_NO_GROUP: the materials cannot be
 * mixed, which is reported once for each of the surfaces. PCM_NO_MEMORY is reported each time. */
pcm_status pcm_world_group_between(pcm_world *world, const pcm_type *type, const uint32_t material[2],
                                   const char *const surface[2], uint32_t *group);

/* Removes the groups from `count` on, which never had a contact, and their pairs. */
void pcm_world_forget_groups(pcm_world *world, size_t count);

/* In a world without contacts: moves the groups order[0 ... count - 1] to the place after those of the file's types, in
 * that order. Overwrites order. */
void pcm_world_order_groups(pcm_world *world, uint32_t *order, size_t count);

#endif
