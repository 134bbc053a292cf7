/* SPDX-License-Identifier: MIT */
/* touch.h - from touches to the rows of contacts, and what ends them. */
#ifndef PCM_WORLD_TOUCH_H
#define PCM_WORLD_TOUCH_H

#include "world.h"

/* Of a contact's key, with a number that nobody knows, so that none can be chosen to fall together. */
static inline uint32_t pcm_contact_hash(const pcm_world *world, uint32_t low, uint32_t high, uint64_t feature)
{
    return pcm_hash(((uint64_t)low << 32 | high) * world->secret, feature * world->secret);
}

/* Starts a new evaluation: what earlier touches made is forgotten. */
void pcm_world_forget(pcm_world *world);

/* The same, unless one is being gathered. */
void pcm_world_gather(pcm_world *world);

/* The group of a contact that is touched or given something in the evaluation being gathered; NULL: a stale handle. */
pcm_group *pcm_world_gather_contact(pcm_world *world, pcm_contact contact);

/* Takes a row out of its group and its slot out of use. */
void pcm_world_end_contact(pcm_world *world, uint32_t group, size_t row);

/* Makes a feature of the pair broken, which could begin up to a gap of onset. */
pcm_status pcm_world_mark_broken(pcm_world *world, uint32_t pair, uint64_t feature, double onset);

/* Forgets broken features that the last evaluation did not report where a contact can begin. */
void pcm_world_renew_broken(pcm_world *world);

/* Ends all contacts of an object that goes, without commit. */
void pcm_world_drop_contacts(pcm_world *world, uint32_t object);

/* Makes the index of contacts anew, of the contacts and broken features that there are. */
void pcm_world_index_contacts(pcm_world *world);

/* Ends all contacts, and forgets what is broken, but for their keys in the index. Their slots are left to
 * the following two. */
void pcm_world_drop_all(pcm_world *world);

/* Slots for rows of a group that follow one another, from *next on, which goes behind the last of them: to begin with
 * 0 after pcm_world_drop_all. Room was reserved. In the end pcm_world_leave_slots makes those from there on free. */
void pcm_world_reuse_slots(pcm_world *world, size_t *next, uint32_t group, size_t first_row, size_t count,
                           uint32_t *slots);
void pcm_world_leave_slots(pcm_world *world, size_t next);

#endif
