/* SPDX-License-Identifier: MIT */
/* ending.h - what is told of contacts: rows of logs, and how they ended. */
#ifndef PCM_WORLD_ENDING_H
#define PCM_WORLD_ENDING_H

#include "world.h"

/* Whether anybody wants to know how contacts of the group end. */
bool pcm_endings_wanted(const pcm_world *world, uint32_t group);

/* Room in the group's log for the row of a contact. */
pcm_status pcm_record_reserve(pcm_world *world, uint32_t group, size_t row);

/* Calls the law's terminate for the rows that the scratch has, from lane 0 on. */
void pcm_world_terminate(pcm_world *world, const pcm_group *group, size_t count);

/* Adds a row of the contact in that lane of the scratch to the group's log, if it has one, with the room reserved; of
 * one that ends, after terminate, the host is told. */
void pcm_record_row(pcm_world *world, uint32_t group, size_t row, size_t lane, const pcm_end *end);

/* Tells of all contacts of an object that is about to go. PCM_NO_MEMORY: nothing has been told. */
pcm_status pcm_endings_of_object(pcm_world *world, uint32_t object);

#endif
