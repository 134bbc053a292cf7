/* SPDX-License-Identifier: MIT */
/* events.h - the list of contact events. Room is reserved before a change; adding events then cannot fail. */
#ifndef PCM_WORLD_EVENTS_H
#define PCM_WORLD_EVENTS_H

#include "world.h"

/* Reserves room for the events of the coming commit, or of a removal. PCM_NO_MEMORY changes nothing. */
pcm_status pcm_events_reserve(pcm_world *world);

/* Begins the list of a commit, without the events of the previous one. */
void pcm_events_begin(pcm_world *world);

/* Adds an event for the end of the contact in the row, if events are kept. */
void pcm_events_end(pcm_world *world, const pcm_group *group, size_t row, pcm_contact_change change);

/* Adds events for those of the rows whose contacts began or changed mode. */
void pcm_events_look(pcm_world *world, const pcm_group *group, size_t first, size_t count);

/* Frees the list. */
void pcm_events_free(pcm_world *world);

#endif
