/* SPDX-License-Identifier: MIT */
/* restoring.h - what the two walks over a checkpoint that is restored have in common. */
#ifndef PCM_WORLD_RESTORING_H
#define PCM_WORLD_RESTORING_H

#include "checkpoint.h"
#include "world.h"

#define PCM_NO_OBJECT UINT32_MAX

/* What the checks find out: the checkpoint's objects and contacts in the world, and what is to take the place of the
 * world's own. All zero to begin with, but for `other`. */
typedef struct restoring {
    const pcm_world *other;  /* whose contacts are taken over: values and versions may differ; NULL: a checkpoint */
    uint32_t        *object; /* by place in the checkpoint */
    uint64_t        *serial; /* likewise: that puts them in the order of the checkpoint */
    size_t           count;
    uint32_t         present;  /* objects of the world */
    pcm_index        names;    /* of those that were not taken before... */
    bool             shuffled; /* ...the first that is in another place */
    uint32_t        *mixed;    /* the groups of the types between materials, in the order of the checkpoint */
    size_t           n_mixed;
    uint64_t         last_id;
    bool             exchanged; /* the objects have the serials of the checkpoint */
    pcm_index        keys;      /* of the contacts (1 + place in the order of the checkpoint) and broken features */
    pcm_broken_key  *broken;
    size_t           broken_capacity;
    size_t           unusable; /* slots of the world */
    size_t           contacts;
    uint32_t   *pair; /* in the world, of each contact in the order of the checkpoint; once it is taken, its slot */
    size_t      pair_capacity, next_contact;
    bool        moved;       /* a slot is not the contact's place in the checkpoint */
    size_t      group_first; /* contact of the group that is walked over */
    const char *rows;        /* its contacts */
    size_t      row_size;
} restoring;

/* Everything that can fail. The objects are left in the order of the checkpoint where nothing does. */
pcm_status pcm_checkpoint_check(pcm_world *world, pcm_reader from, restoring *r);

#endif
