/* SPDX-License-Identifier: MIT */
/* settings.h - parameters that a program sets in a world. */
#ifndef PCM_WORLD_SETTINGS_H
#define PCM_WORLD_SETTINGS_H

#include "world.h"

/* For a group that is new to the world: its type with the world's settings. */
pcm_status pcm_settings_open(pcm_world *world, pcm_group *group);

/* Makes the group's type under the list in its draft, if the list has something for it; and takes that. */
pcm_status pcm_settings_draft(pcm_world *world, pcm_group *group, const pcm_override *list, size_t count);
void       pcm_settings_use_draft(pcm_group *group);

/* In two steps, as a checkpoint is restored: makes the types of all groups under that list, and reserves room for it;
 * takes them, which cannot fail. PCM_BAD_CHECKPOINT, with a report: a law rejects a number. */
pcm_status pcm_settings_prepare(pcm_world *world, const pcm_override *list, size_t count);
void       pcm_settings_take(pcm_world *world, const pcm_override *list, size_t count);

#endif
