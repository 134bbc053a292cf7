/* SPDX-License-Identifier: MIT */
/* space.h - objects with geometries, the pairs of them that are near each other, and the contacts found by the last
 * search. */
#ifndef PCM_GEOMETRY_SPACE_H
#define PCM_GEOMETRY_SPACE_H

#include "broad.h"
#include "gap.h"
#include "table.h"

/* An object, at the index that its world gave it. */
typedef struct member {
    pcm_object    object; /* generation 0: the slot is free */
    char         *name;
    body          body;      /* its geometry, placed */
    pcm_geometry *joined;    /* that geometry, of a tile beside others; NULL: it is the host's own */
    pcm_geometry *smoothed;  /* that geometry, of a grid in pairs whose type says Smooth; NULL: there is none */
    placing       placement; /* the geometry's placing in the object's axes */
    bounds        now;       /* its present bounds */
    bounds        fat; /* `now` at the last search, with slack: the member is searched for when it leaves this box */
    double        slack;
    uint32_t      boxed_at; /* the search that made this box */
    uint32_t      outside;  /* its place among the boxes outside of the cells, or NO_INDEX */
    bool          placed;   /* the placement is not the origin */
    bool          boxed;    /* it has a box */
    bool          stray;    /* it has left its box and has to be searched for */
    bool          lost;     /* its motion is not finite, so it cannot be found */
    bool          fixed;
    bool          asked; /* it has been joined with tiles beside it, if there are any */
    bool          said;  /* the host gave its radius, which counts instead of shapes */
} member;

/* Two members whose boxes meet, and for which there is a rule. */
typedef struct near_pair {
    pcm_object a, b; /* a's index is the lower one */
    double     reach;
    bool       balls;  /* both are spheres */
    bool       shaped; /* its type wants the shapes of contacts */
    bool       few;    /* four points may stand for its patch */
    bool       smooth; /* its type says Smooth */
} near_pair;

/* Further data of a near pair. */
typedef struct pair_note {
    uint32_t touched;      /* the search that reported its contacts last */
    uint32_t first, count; /* where these contacts are in the list */
    uint32_t cache;        /* NO_INDEX: none */
    uint8_t  known;        /* data of the last contacts, for pairs with a closed form */
} pair_note;

/* The cache of a pair, or a link to the next free slot. */
typedef struct cache_slot {
    convex_cache known;
    uint64_t     key; /* the pair's key */
    uint32_t     next;
    bool         used, held; /* held: by a near pair */
} cache_slot;

/* Members that may be near each other. */
typedef struct candidate {
    uint32_t a, b;
} candidate;

/* A contact that the last search reported. */
typedef struct reported {
    pcm_contact contact;
    uint64_t    feature;
} reported;

/* Two objects whose type wants events at zero crossings. */
typedef struct watch {
    uint32_t a, b;
} watch;

/* The buffers that one task of a search writes, and no other task. */
typedef struct room {
    candidate *candidates;
    size_t     n_candidates, candidate_capacity; /* those that do not fit are only counted; then the search repeats */
    pcm_touch *touches;
    size_t     n_touches, touch_capacity;
    pcm_contact_shape *shapes; /* of these touches, where their pair wants them */
    size_t             shape_capacity;
    size_t             n_hits;
    bool               full; /* some contacts were left to the calling thread */
} room;

struct pcm_space {
    pcm_context *context;
    pcm_world   *world;
    member      *members;
    ball        *balls; /* around the members; a lost member's position is NaN */
    size_t       n_members, member_capacity, ball_capacity;
    uint32_t    *planes; /* the members without bounds */
    size_t       n_planes, plane_capacity;
    uint32_t    *strays;
    size_t       n_strays, stray_capacity;
    size_t       n_lost;
    bool         joined;   /* fixed tiles are joined where they are now */
    bool         shaped;   /* some pair wanted shapes */
    uint32_t     searches; /* the number of searches so far */
    double       onset;    /* m; the largest gap at which a contact may begin */
    cells        cells;
    bool         unsorted; /* members have changed that the cells do not hold */
    slim_box    *outside;  /* the boxes of members that have moved since the cells were sorted */
    size_t       n_outside, outside_capacity;
    room        *rooms; /* one for each task of the world's threads, and one more */
    uint32_t     n_rooms;
    uint8_t     *arrivals; /* the effects on the members of one pcm_space_move_many */
    size_t       arrival_capacity;
    near_pair   *pairs;
    pair_note   *notes; /* one for each pair */
    size_t       n_pairs, pair_capacity, note_capacity;
    uint32_t    *hits;   /* pairs whose balls meet */
    uint32_t    *counts; /* the contacts that tasks have found for each hit, or NO_INDEX */
    size_t       n_hits, hit_capacity, count_capacity;
    cache_slot  *caches;
    size_t       n_caches, cache_capacity;
    uint32_t     free_cache; /* NO_INDEX: none */
    table        known;      /* key of a pair -> its cache */
    table        index;      /* key of a pair -> its index in pairs */
    bool         indexed;    /* the index matches the present pairs */
    table        refused;    /* keys of pairs that have a rule, but whose geometries cannot be paired */
    room         lot;        /* the contacts of one pair that wants shapes, in the calling thread */
    reported    *reported;
    size_t       n_reported, reported_capacity;
    watch       *watches;
    size_t       n_watches, watch_capacity;
    bool         watched; /* the watches match the present members */
};

static inline uint64_t pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Work on `count` items, split among rooms: room i has the items from job_first(job, i) to job_first(job, i + 1). */
typedef struct job {
    pcm_space *space;
    size_t     count;
    uint32_t   rooms; /* 1 where there is too little work for more threads */
    void      *user;
} job;

static inline job job_of(pcm_space *space, size_t count, void *user)
{
    enum { FEW = 8192 };
    return (job){space, count, count < FEW ? 1 : space->n_rooms, user};
}

static inline size_t job_first(const job *j, uint32_t i) { return j->count * i / j->rooms; }

/* Runs task(j, i) for every room of the job; in the calling thread if there is only one room, or if the world is
 * busy. */
static inline void job_run(job *j, pcm_task *task)
{
    if (j->rooms > 1 && pcm_world_run_tasks(j->space->world, task, j) == PCM_OK)
        return;
    for (uint32_t i = 0; i < j->rooms; i++)
        task(j, i);
}

/* The member of a handle, or NULL. */
member *space_member(const pcm_space *space, pcm_object object);

/* The note of two members; NULL: they are not near each other. */
pair_note *space_pair(pcm_space *space, uint32_t a, uint32_t b);

/* The number of contacts of a pair in the last search; they start at *first in reported. note: may be NULL. */
static inline size_t space_contacts(const pcm_space *space, const pair_note *note, size_t *first)
{
    *first = note ? note->first : 0;
    return note && note->touched == space->searches ? note->count : 0;
}

/* Updates the largest gap at which contacts of the config's types begin. */
void space_widen(pcm_space *space);

/* Drops the pairs and the box of a member that is to be removed, and frees its slot. */
void space_forget(pcm_space *space, uint32_t index);

/* Joins fixed tiles that lie side by side, if some of them have changed; false: out of memory. */
bool space_join(pcm_space *space);

/* Updates the near pairs to the members' present positions. */
pcm_status space_find_pairs(pcm_space *space);

#endif
