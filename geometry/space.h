/* SPDX-License-Identifier: MIT */
/* space.h - objects with geometries, the pairs of them that are near each other, and what the last search found. */
#ifndef PCM_GEOMETRY_SPACE_H
#define PCM_GEOMETRY_SPACE_H

#include "broad.h"
#include "pair.h"
#include "table.h"

/* An object, at the index that its world gave it. */
typedef struct member {
    pcm_object object; /* generation 0: the slot is free */
    char      *name;
    body       body;      /* where its geometry is */
    placing    placement; /* of the geometry in the object's axes */
    placing    at;        /* of the object */
    bounds     fat;       /* the box that the broad phase holds: with slack, so that small motion changes nothing */
    vec        fat_at;    /* where the object was when that box was made */
    uint32_t   leaf;      /* NO_INDEX: a plane, or not in the tree yet */
    bool       stray;     /* outside its box: to be searched for anew */
    bool       lost;      /* its motion is not finite: it has no place to be found at */
} member;

/* Two members whose boxes meet, and for which there is a rule. */
typedef struct near_pair {
    uint32_t a, b; /* a < b */
    double   reach;
    bool     granted;      /* the host provides forces for it */
    size_t   first, count; /* its contacts of the last search */
    uint32_t memory;       /* NO_INDEX: none */
} near_pair;

/* What is known of a pair, or the next free one. */
typedef struct memory_slot {
    convex_memory known;
    uint32_t      next;
} memory_slot;

/* What the last search reported. */
typedef struct reported {
    pcm_contact contact;
    uint64_t    feature;
} reported;

/* Forces that the host provides for a pair. */
typedef struct grant {
    uint64_t key;
    uint32_t column;
    double  *values;
    size_t   count;
} grant;

/* Two objects whose type wants events at zero crossings. */
typedef struct watch {
    uint32_t a, b;
} watch;

struct pcm_space {
    pcm_context *context;
    pcm_world   *world;
    member      *members;
    size_t       n_members, member_capacity;
    uint32_t    *planes; /* the members without bounds */
    size_t       n_planes, plane_capacity;
    uint32_t    *strays;
    size_t       n_strays, stray_capacity;
    size_t       n_lost;
    tree         tree;
    near_pair   *pairs;
    size_t       n_pairs, pair_capacity;
    memory_slot *memories;
    size_t       n_memories, memory_capacity;
    uint32_t     free_memory; /* NO_INDEX: none */
    table        index;       /* key of a pair -> place in pairs */
    table        refused;     /* keys of pairs that a rule speaks of, but whose geometries do not meet */
    reported    *reported;
    size_t       n_reported, reported_capacity;
    grant       *grants;
    size_t       n_grants, grant_capacity;
    watch       *watches;
    size_t       n_watches, watch_capacity;
    bool         watched; /* the watches are those of the present members */
};

static inline uint64_t pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* The member of a handle, or NULL. */
member *space_member(const pcm_space *space, pcm_object object);

/* The near pair of two members, or NULL. */
near_pair *space_pair(const pcm_space *space, uint32_t a, uint32_t b);

void space_drop_pair(pcm_space *space, size_t i);

/* Brings the near pairs up to date with where the members are. */
pcm_status space_find_pairs(pcm_space *space);

#endif
