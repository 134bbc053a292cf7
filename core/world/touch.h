/* SPDX-License-Identifier: MIT */
/* touch.h - from touches to rows of contacts, and how rows end. */
#ifndef PCM_WORLD_TOUCH_H
#define PCM_WORLD_TOUCH_H

#include "shape.h"
#include "world.h"

/* The hash of a contact's key, with a secret number, so that nobody can choose keys whose hashes collide. */
static inline uint32_t pcm_contact_hash(const pcm_world *world, uint32_t low, uint32_t high, uint64_t feature)
{
    return pcm_hash(((uint64_t)low << 32 | high) * world->secret, feature * world->secret);
}

/* Starts a new evaluation: tentative contacts of earlier touches are dropped. */
void pcm_world_forget(pcm_world *world);

/* The same, unless an evaluation is already gathering touches. */
void pcm_world_gather(pcm_world *world);

/* The group of a contact that is touched, or whose inputs are set, in the current evaluation; NULL: the handle is
 * stale. */
pcm_group *pcm_world_gather_contact(pcm_world *world, pcm_contact contact);

/* The value in the index of contacts for the key of two objects, low < high, and a feature: 0, 1 + slot, or a broken
 * key. */
uint32_t pcm_find_contact(const pcm_world *world, uint32_t low, uint32_t high, uint64_t feature);

/* Whether touches of that size have all fields of the first version, and none that is set and not known here. */
bool pcm_touch_size_known(const pcm_touch *touches, size_t touch_size, size_t count);

/* As pcm_world_touch, for two different objects that live, and with a feature in place of the touch's own. contact: the
 * handle that the feature had last, which saves a search; none: it is not known. */
pcm_contact pcm_touch_known(pcm_world *world, uint32_t a, uint32_t b, uint64_t feature, pcm_contact contact,
                            const pcm_touch *touch, size_t touch_size);

/* The same in short, for a contact whose law reads no more than the motion, and that is touched for the first time in
 * this evaluation. normal: from the base to the follower. False: it is another contact, or it does not live. */
static inline bool pcm_touch_motion(pcm_world *world, pcm_contact contact, const double point[3],
                                    const double normal[3], double depth)
{
    if (!pcm_world_lives(world, contact))
        return false;
    const pcm_contact_slot *slot = &world->slots[contact.index];
    pcm_group              *group = &world->groups[slot->group];
    if (group->stamp[slot->row] == world->evaluation || group->n_patch || pcm_group_wants_shape(group))
        return false;
    pcm_record *record = &group->record[slot->row];
    group->stamp[slot->row] = world->evaluation;
    world->guess = contact.index + 1;
    memcpy(record->point, point, sizeof record->point);
    memcpy(record->normal, normal, sizeof record->normal);
    record->depth = depth;
    return true;
}

/* Removes a row from its group and frees its slot. */
void pcm_world_end_contact(pcm_world *world, uint32_t group, size_t row);

/* Marks a feature of the pair as broken; onset: the largest gap at which a contact could begin there. */
pcm_status pcm_world_mark_broken(pcm_world *world, uint32_t pair, uint64_t feature, double onset);

/* Clears broken features that the last evaluation did not report where a contact can begin. */
void pcm_world_renew_broken(pcm_world *world);

/* Ends all contacts of an object that is removed, without commit. */
void pcm_world_drop_contacts(pcm_world *world, uint32_t object);

/* Rebuilds the index of contacts from the contacts and broken features. */
void pcm_world_index_contacts(pcm_world *world);

/* Ends all contacts and clears broken features, but leaves their keys in the index. The next two functions deal with
 * their slots. */
void pcm_world_drop_all(pcm_world *world);

/* Assigns slots to consecutive rows of a group, from *next on, which is advanced past the last of them: 0 at first,
 * after pcm_world_drop_all. Room was reserved. At the end pcm_world_leave_slots frees those from there on. */
void pcm_world_reuse_slots(pcm_world *world, size_t *next, uint32_t group, size_t first_row, size_t count,
                           uint32_t *slots);
void pcm_world_leave_slots(pcm_world *world, size_t next);

#endif
