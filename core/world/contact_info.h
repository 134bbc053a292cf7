/* SPDX-License-Identifier: MIT */
/* contact_info.h - information about a contact that was evaluated again. */
#ifndef PCM_WORLD_CONTACT_INFO_H
#define PCM_WORLD_CONTACT_INFO_H

#include "world.h"

/* Describes the row that the scratch has in this lane. */
void pcm_world_describe(pcm_world *world, pcm_group *group, size_t row, size_t lane, pcm_contact_info *info);

#endif
