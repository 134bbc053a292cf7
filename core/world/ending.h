/* SPDX-License-Identifier: MIT */
/* ending.h - log rows of contacts, and reports of how they ended. */
#ifndef PCM_WORLD_ENDING_H
#define PCM_WORLD_ENDING_H

#include "world.h"

/* Whether the host, the log or the law needs to know how contacts of the group end. */
bool pcm_endings_wanted(const pcm_world *world, uint32_t group);

/* Room in the group's log for the row of a contact. */
pcm_status pcm_record_reserve(pcm_world *world, uint32_t group, size_t row);

/* Calls the law's terminate for the rows that the scratch has, from lane 0 on. */
void pcm_world_terminate(pcm_world *world, const pcm_group *group, size_t count);

/* Adds a row for the contact in that lane of the scratch to the group's log, if it has one; room was reserved. If the
 * contact ends, call it after terminate: it also calls the host's `ended`. */
void pcm_record_row(pcm_world *world, uint32_t group, size_t row, size_t lane, const pcm_end *end);

/* Reports the end of all contacts of an object that is about to be removed. PCM_NO_MEMORY: nothing was reported. */
pcm_status pcm_endings_of_object(pcm_world *world, uint32_t object);

#endif
