/* SPDX-License-Identifier: MIT */
/* events.h - the list of what happened to contacts. Room is reserved before anything happens; adding then cannot fail.
 */
#ifndef PCM_WORLD_EVENTS_H
#define PCM_WORLD_EVENTS_H

#include "world.h"

/* Room for the events of the commit that is to come, or of a removal; PCM_NO_MEMORY changes nothing. */
pcm_status pcm_events_reserve(pcm_world *world);

/* Begins the list of a commit: the events of the one before go. */
void pcm_events_begin(pcm_world *world);

/* Adds that the row ended, where events are kept. */
void pcm_events_end(pcm_world *world, const pcm_group *group, size_t row, pcm_contact_change change);

/* Adds the contacts among those rows that were made or changed mode. */
void pcm_events_look(pcm_world *world, const pcm_group *group, size_t first, size_t count);

/* Drops the list and its memory. */
void pcm_events_free(pcm_world *world);

#endif
