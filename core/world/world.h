/* SPDX-License-Identifier: MIT */
/* world.h - the data of a world. The functions on it are declared in the headers of their files.
 *
 * There are two copies of motion. `front` is the index in twist[2] and pose[2] that the last update read; moves write
 * the other. An object whose moved[i] is `epoch` has been moved since that update; one whose moved[i] is epoch - 1 was
 * moved for it, and its newest lines are the front ones. An update swaps front and increments epoch. The lines of an
 * object that is not moved are equal on both sides, or become so at the next update.
 *
 * There are two copies of states as well. `parity` is the committed one; an update reads the copy `source` and writes
 * the other. After an update source == parity; a commit flips parity. Until the next update source != parity then, and
 * evaluations for reports still read what the update read.
 *
 * The phases repeat: touches gather, an update evaluates them, a commit accepts the update. `evaluation` counts the
 * rounds: a row, a tried state or a pair stamped with its number belongs to the current round. Any touch, removal or
 * tried state after an update begins the next round, and drops the tentative contacts of the last.
 *
 * `topology` counts contacts that begin and end, so that an outdated plan is recognised (planned != topology). */
#ifndef PCM_WORLD_WORLD_H
#define PCM_WORLD_WORLD_H

#include "pipeline.h"
#include "free_list.h"
#include "hash_index.h"
#include "log.h"
#include "thread_pool.h"
#include <pcm/event.h>
#include <stdatomic.h>

typedef struct pcm_task_range pcm_task_range; /* see parallel.c */

/* An object, apart from its motion. */
typedef struct pcm_body {
    char     *name, *surface; /* in one piece of memory; NULL name: a free slot */
    pcm_sides object_sides, surface_sides;
    uint64_t  serial; /* in order of registration */
    uint32_t  next_free;
    uint32_t  place;      /* index in the checkpoint that is being saved; during a restore see checkpoint_check.c */
    uint32_t  nth;        /* the body at this index in the order of registration; see pcm_world_nth */
    uint32_t  material;   /* its surface's material; PCM_NO_MATERIAL: it has none */
    uint32_t  text_bytes; /* bytes of name and surface, with their NULs */
    bool      fixed;
    bool      taken; /* matched with an object of the checkpoint that is being restored */
} pcm_body;

static inline size_t pcm_name_length(const pcm_body *body) { return (size_t)(body->surface - body->name) - 1; }
static inline size_t pcm_surface_length(const pcm_body *body) { return body->text_bytes - pcm_name_length(body) - 2; }

/* Two objects that have been touched, with the rule for them. */
typedef struct pcm_pair {
    uint32_t low, high; /* objects, low < high; equal: a free slot */
    uint32_t group;     /* PCM_NO_GROUP: the host's own */
    uint32_t rule;      /* PCM_NO_RULE: none */
    uint32_t noted;     /* the evaluation that last touched it without a rule */
    uint32_t next_free;
    bool     base_is_high;
    uint32_t warned; /* PCM_WARNED_..., the warnings that have been given */
    uint32_t weighed,
        lane;          /* the last evaluation that computed its shares, and its index among the group's pairs in it */
    uint32_t contacts; /* rows of it, live and tentative */
    uint32_t near;     /* 1 + its entry among pairs that are touched by place; see near.h */
    double   created, exchanged; /* J, with PCM_WARNED_NOT_YET; see pcm_ledger_end */
} pcm_pair;
#define PCM_NO_RULE UINT32_MAX

/* Reports that are made once for a pair. Checkpoints contain these numbers. The last one marks a pair whose energy is
 * still to be judged: some of its contacts have ended while others live. */
enum {
    PCM_WARNED_MOTION = 1,
    PCM_WARNED_INPUT = 2,
    PCM_WARNED_UNASSIGNED = 4,
    PCM_WARNED_ENERGY = 8,
    PCM_WARNED_OVERLAP = 16,
    PCM_WARNED_NOT_YET = 32
};

/* The slot to which a handle of a contact refers. */
typedef struct pcm_contact_slot {
    uint32_t generation;
    uint32_t row;     /* in a free slot: the next free slot */
    uint32_t group;   /* PCM_NO_GROUP: free */
    uint16_t flipped; /* the a of the first touch is the follower */
    uint16_t mode;    /* 1 + the mode at the last commit, in worlds that keep events; 0: not known */
} pcm_contact_slot;

/* A feature whose contact its law has ended. It is kept as long as every commit finds it reported where a contact can
 * begin. */
typedef struct pcm_broken_key {
    uint64_t feature;
    uint32_t pair;
    uint32_t held;  /* the evaluation that last reported it there */
    double   onset; /* m, of the contact that broke */
} pcm_broken_key;
#define PCM_BROKEN_KEY 0x80000000u /* in the index of contacts: the value is 1 + an index of pcm_world.broken */
#define PCM_MOST_SLOTS (PCM_BROKEN_KEY - 1)

/* Rows that are cached in the first lanes of the scratch, as evaluated by the last update. */
typedef struct pcm_looked {
    const pcm_group *group;
    size_t           first, count; /* count 0: there are none */
} pcm_looked;

typedef enum pcm_phase {
    PCM_IDLE,      /* nothing was touched since the world was made, or something was removed */
    PCM_GATHERING, /* touches are being reported */
    PCM_EVALUATED, /* an update has evaluated them */
    PCM_COMMITTED  /* a commit has accepted the update */
} pcm_phase;

struct pcm_world {
    pcm_context   *context;
    pcm_config    *config;
    pcm_block_run *run_block;
    uint32_t       isa; /* instruction set of the kernels */
    pcm_scratch   *scratch;
    pcm_looked     looked;
    uint64_t       secret; /* odd; the secret in hashes of names, pairs and features */
    pcm_phase      phase;
    double         time, dt;   /* of the last update */
    uint32_t       evaluation; /* counts from 1 */
    uint32_t       parity;     /* copy that has the committed states */
    uint32_t       source;     /* copy that the last update read: differs from `parity` once it is committed */
    bool           ledger;     /* the energy ledger is kept */
    pcm_ended     *ended;      /* the host's callback; NULL: none */
    void          *ended_user;
    double         committed_time; /* time of the last commit; INFINITY: none yet */
    double         committed_dt;   /* step of the last commit */
    uint32_t       uncommitted;    /* updates with contacts before the first commit */
    bool           starved;        /* memory ran out in a touch or pcm_world_pair since the last update */
    bool           told_formula;   /* a name that spreadsheets run as a formula has been reported */
    bool           told_clock;     /* a clock that does not advance by the steps has been reported */
    bool           trusts;         /* normals and energy are not judged */
    bool           sure_normals;   /* normals are not */
    pcm_names      told_surfaces;  /* surfaces whose lack of properties has been reported */
    atomic_bool    inside;         /* a call is running; see guard.h */

    /* Objects. Moves write the line `1 - front` and stamp it with `epoch`; an update swaps front. */
    pcm_body         *bodies;
    uint32_t         *generation;
    uint32_t         *moved;
    pcm_amount_line  *amount; /* n_amounts for each object */
    size_t            n_amounts;
    pcm_surface_line *surface; /* one for each object once a surface has moved; NULL before */
    uint8_t          *fresh;   /* 1: there was no commit since it was added or renewed */
    pcm_twist_line   *twist[2];
    pcm_pose_line    *pose[2];
    pcm_wrench_line  *wrench;
    size_t            n_bodies, body_capacity; /* number of slots in use or freed; capacity */
    size_t            text_bytes;              /* bytes of all objects' texts */
    bool              in_order;                /* the slots are in use in the order of registration, without gaps */
    pcm_free_list     free_bodies;
    uint64_t          registered;
    bool              any_fresh; /* false: no object is new */
    uint32_t          front, epoch;

    /* Contacts. */
    pcm_group        *groups; /* one per contact type of the file, then those of the types between materials */
    size_t            n_types, n_groups, group_capacity;
    uint32_t         *mixed_groups; /* the groups of mixed types, indexed by number less n_types: see mixed_groups.c */
    size_t            mixed_capacity;
    pcm_contact_slot *slots;
    size_t            n_slots, slot_capacity;
    pcm_free_list     free_slots;
    uint32_t          guess;     /* the slot that the next touch probably has */
    pcm_index         contacts;  /* (pair of objects, feature) -> 1 + slot, or PCM_BROKEN_KEY | 1 + broken */
    uint32_t         *tentative; /* slots in the order of touches */
    size_t            n_tentative, tentative_capacity;
    pcm_broken_key   *broken;
    size_t            n_broken, broken_capacity;
    pcm_pair         *pairs;
    size_t            n_pairs, pair_capacity;
    size_t            n_warned; /* pairs with a warning that was given */
    pcm_free_list     free_pairs;
    uint32_t          last_pair; /* that a host asked for */
    pcm_index         pair_index;
    uint32_t         *unassigned; /* pairs that this evaluation touched without a rule, not yet reported */
    size_t            n_unassigned, unassigned_capacity;
    uint64_t          last_id;

    /* Pairs that are touched by place. */
    struct pcm_near_pair *near;
    size_t                n_near, near_capacity;
    pcm_free_list         free_near;

    /* Parameters that were set, in the order of their first setting. */
    pcm_override *settings;
    size_t        n_settings, setting_capacity;

    /* Updates in tasks; threads 0 or 1: none. */
    uint32_t        threads;
    pcm_runner     *runner;
    void           *runner_user;
    pcm_pool       *pool; /* NULL: the host runs the tasks */
    pcm_task_range *task_ranges;
    uint64_t topology, planned; /* counts contacts that begin and end; its value when the task ranges were planned */

    /* Events of contacts; see events.h. */
    pcm_contact_event *events;
    size_t             n_events, event_capacity;
    size_t             n_committed_events; /* events of the last commit; further ones are of removals since */
    bool               keeps_events;

    pcm_rule_stats *stats;
    size_t          n_rules;
    pcm_log_file   *logs; /* one per contact type of the file; closed for a type without a log */
};

/* The log of a group's contacts. */
static inline pcm_log_file *pcm_world_log(const pcm_world *world, size_t g)
{
    return &world->logs[world->groups[g].type->info.index];
}

static inline pcm_object pcm_world_handle(const pcm_world *world, uint32_t index)
{
    return (pcm_object){index, world->generation[index]};
}

static inline bool pcm_world_has(const pcm_world *world, pcm_object object)
{
    return object.index < world->n_bodies && world->generation[object.index] == object.generation &&
           object.generation != 0;
}

/* Whether there is an update whose contacts can be reported. */
static inline bool pcm_world_is_evaluated(const pcm_world *world) { return world->phase >= PCM_EVALUATED; }

static inline bool pcm_world_lives(const pcm_world *world, pcm_contact contact)
{
    return contact.index < world->n_slots && world->slots[contact.index].generation == contact.generation &&
           world->slots[contact.index].group != PCM_NO_GROUP;
}

/* Marks something as reported for the pair, or as to be reported: PCM_WARNED_... */
static inline void pcm_world_warn(pcm_world *world, pcm_pair *pair, uint32_t what)
{
    world->n_warned += pair->warned == 0;
    pair->warned |= what;
}

/* The name of the object that a record's base or follower is. */
static inline const char *pcm_world_side_name(const pcm_world *world, uint32_t side)
{
    return world->bodies[pcm_side_object(side)].name;
}

#endif
